#!/bin/sh
# Runs every attack of docs/security.md as a test, and prints a line for each.
#   ATTACK NAME | where | pattern of the tests
# where is a Go package, a file of Vitest, or one of e2e/ (Playwright, with a real Chromium). An attack whose tests did not run counts as failed.
set -u
cd "$(dirname "$0")/.." || exit 1
failed=0
# How often a squatter takes the port of a hub that was killed.
export GITNEXUS_SQUATS=100
out=$(mktemp)
trap 'rm -f "$out"' EXIT

while IFS='|' read -r attack where pattern; do
	[ -n "$attack" ] || continue
	attack=$(echo "$attack" | xargs) where=$(echo "$where" | xargs) pattern=$(echo "$pattern" | xargs)
	case $where in
	./*) go test -count=1 -v -run "^($pattern)\$" "$where" >"$out" 2>&1 && grep -q '^--- PASS' "$out" && ! grep -q '^--- SKIP' "$out" ;;
	e2e/*) (cd web && npm run --silent e2e -- "$where" -g "$pattern") >"$out" 2>&1 && grep -q ' passed' "$out" ;;
	*) (cd web && npx --no-install vitest run "$where" -t "$pattern") >"$out" 2>&1 && grep -q 'Tests .*passed' "$out" ;;
	esac
	if [ $? = 0 ]; then
		echo "held    $attack"
		grep -h ' crashes; ' "$out" # how soon the squatter had the port
	elif grep -q '^--- SKIP' "$out"; then
		echo "skipped $attack: $(grep -A1 '^--- SKIP' "$out" | tail -1 | xargs)"
	else
		echo "BROKEN  $attack ($where $pattern)"
		tail -20 "$out"
		failed=1
	fi
done <<'ATTACKS'
a program on the port asks for the token             | ./wsbridge | TestTokenIsSentToNobodyWithoutProof|TestTokenGoesOnlyWhereTheProofCameFrom
a proof is used twice, late, elsewhere, or made up   | ./wsbridge | TestProof|TestChallenge|TestHelloKeepsToTheProvenRole
a handshake that is made up, from either side        | ./wsbridge | FuzzHandshake|FuzzHolder
a handshake that is made up, before the page         | src/bridge/fuzz.test.ts | nobody without the key
a key is used after its page has gone                | ./wsbridge | TestSessionKeyDiesWithItsConnection
what a page posts is read or changed on its way      | ./wsbridge | TestSealedRequestsAreReadAsTheyWere
a ticket is used twice, late, or by many at once     | ./wsbridge | TestATicket.*
a ticket or an id is made up                         | ./wsbridge | TestJunkPairsNobody
a key that is revoked or that others can read        | ./wsbridge | TestRevoking|TestKeysAreOfTheUserAlone
a weak GITNEXUS_TOKEN                                | ./wsbridge | TestWeakTokensAreRefused
a foreign host or origin, DNS rebinding              | ./wsbridge | TestGate|TestGateStandsEverywhere
another user names an allowed origin                 | ./wsbridge | TestV1IsAdmittedByItsProcessOrASecret|TestRefusedV1PageIsToldAnAddress|TestOwner|TestAnotherUsersProcessIsRefused
a v1 page answers for others                         | ./wsbridge | TestUnprovenPageComesLast|TestUnprovenPageTakesNoPlace|TestContextOfAV1PageIsBounded
a page of the older app where no system is asked     | ./cmd/gitnexus-mcp | TestV1Address
a page says too much, or never ends a message        | ./wsbridge | TestBoundsOfAPage|TestContextIsCut|TestProgressIsRare|TestUnfinishedMessagesOfAllLinksAreBounded|TestUnfinishedFrameIsCounted|TestUnreadControlFramesAreBounded
connections are held open, slow or forgotten         | ./wsbridge | TestSlowRequestsAreBounded|TestSlowReaders|TestUpgradesAreCounted|TestOneBrowserDoesNotTakeAll
another user of the machine tries everything         | ./cmd/gitnexus-mcp | TestAnotherUserGetsNothing
another user at the socket of servers and commands   | ./wsbridge | TestPeersComeOverTheSocket|TestNoSocket|TestASocketOfAnotherUserIsNotDialled|TestSocketConnectionsAreNoVisitors
a network namespace with the same files              | ./cmd/gitnexus-mcp | TestNetworkNamespace
a browser is shut out, or all of them                | ./cmd/gitnexus-mcp | TestPairRevoke|TestPairRotate|TestPairRotateBesideAnOlderServer
a token that others have seen is given up            | ./wsbridge | TestAnotherToken
answers that no gate has seen                        | ./wsbridge | TestAnswersBeforeTheGate
special files, and links out of the repository       | ./repo | TestSpecialFilesAreNotOpened
programs that the git configuration of a folder names | ./cmd/gitnexus-mcp | TestCheckOfAHostileFolder
ignore files take all memory, or lose their rules    | ./repo | TestIgnoresWhatGitIgnores|TestIgnoreFilesAreBounded|TestIgnoreFilesTogetherAreBounded|TestDirectoriesShareRules|TestARuleAfterALongLineHolds
secrets in files, by name                            | ./repo | TestSecretFiles|TestSecretFilesAreSkipped
instructions in code, hidden characters, secrets     | ./tools | TestAnswersOfAHostileRepository
hidden characters and tokens of all kinds            | ./sanitize | TestText|TestName|TestLeads|TestTokens
hidden characters in names and code in the app       | e2e/hidden.test.ts | .*
errors and floods of megabytes                       | ./tools | TestErrorsAreBounded|TestResourcesAreBounded|TestRefusalsAreBounded|TestListChangedIsRare
a zip that overlaps, swells or never ends            | src/engine/source-zip.test.ts | .*
a pattern that never ends, many at once              | src/engine/grep/runner.test.ts | .*
a hostile repository in the engine                   | src/engine/hostile.test.ts | .*
what the browser keeps is read or changed            | src/engine/packed.test.ts | .*
walks, queries and paths that the browser keeps      | src/ui/sealed.test.ts | .*
tickets, junk, reuse, expiry, revoking, take-over    | e2e/pairing.test.ts | .*
a foreign site, a foreign host, a v1 page            | e2e/admission.test.ts | .*
a program on the port, or what it left, runs code    | e2e/squatter.test.ts | .*
files of the app ask for a page in the cache          | ./web | TestCaching|TestPolicy
text becomes a script in the app                     | e2e/policy.test.ts | .*
ATTACKS
exit $failed
