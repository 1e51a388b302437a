# make demo   shows the whole thing working, on this folder or REPO=DIR. Needs Go.
# make test   every check and test. Needs Go, Node, npm and git.
# make bench  the figures of docs/benchmarks.md.
# make chaos  agents at work while processes, pages and links fail, for CHAOS=10m: docs/reliability.md.
# make faults  calls of a server that others made, while it is killed, frozen, restarted and hidden behind errors: docs/reliability.md.
# make accuracy  the figures of docs/accuracy.md; HELD_OUT=1 for the code bases that are kept back. Needs Debian for those in Python.
# make answers   what answers to questions are worth, against grep-and-read: docs/answers.md. RIVALS=DIR asks codegraph, installed there by npm, too.
# make clients  MCP clients that others made, installed into by `gitnexus-mcp install`. Needs npm's registry, and 2 GB of disk.
# make attack  every attack of docs/security.md as a test, a line for each.
# make fuzz   what reads foreign bytes, both dialects of the bridge from both sides first of all; FUZZTIME=60s for each target.
# make release-check  builds all that a release has, twice, and compares byte for byte. Needs Go, Node, npm and git, and some 15 minutes.
# make web    builds the app into web/dist, after a change under web/.

export GOFLAGS += -buildvcs=false
REPO ?= .
TOOL = go tool -modfile=tools.mod

.PHONY: attack demo build web test checks check-go test-go typecheck lint check-dist test-web test-npm e2e bench chaos faults accuracy answers fuzz clients release release-check
.SUFFIXES:

demo:
	scripts/browser.sh
	go run ./cmd/gitnexus-mcp demo --repo $(REPO)

build:
	go build -trimpath -o gitnexus-mcp ./cmd/gitnexus-mcp

web: web/node_modules
	cd web && npm run --silent build

web/node_modules: web/package-lock.json
	cd web && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

test: checks test-go test-web test-npm e2e
	@echo "All checks and tests passed."

# Two at a time: of the linters each uses one core. Tests run alone, since some of them wait for real time.
checks: web/node_modules
	$(MAKE) -j2 lint typecheck check-dist check-go

check-go:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$unformatted" || { echo "gofmt would change: $$unformatted"; exit 1; }
	for os in linux darwin windows; do \
		CGO_ENABLED=0 GOOS=$$os go vet ./... || exit 1; \
	done
	$(TOOL) staticcheck ./...
	$(TOOL) actionlint .github/workflows/*.yml docs/ci/*.yml
	scripts/vulnerabilities.sh

test-go: web/node_modules
	scripts/compiler.sh
	scripts/browser.sh
	scripts/shells.sh
	go test -race -p 4 -timeout 15m ./... # much of these tests is waiting
	cd accuracy && go vet ./... && go test ./...

typecheck: web/node_modules
	cd web && npm run --silent typecheck

lint: web/node_modules
	cd web && npm run --silent lint

check-dist: web/node_modules
	cd web && node scripts/check-dist.mjs

test-web: web/node_modules
	cd web && npm run --silent test

test-npm: npm/node_modules
	scripts/browser.sh
	node --test npm/pack.test.mjs npm/bundle.test.mjs npm/check.test.mjs npm/npx.test.mjs
	npm/node_modules/.bin/dockerfilelint Dockerfile

npm/node_modules: npm/package-lock.json
	cd npm && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

# One after another: the order of the builds is that of the entries in winget's manifest.
GORELEASER = go run github.com/goreleaser/goreleaser/v2@v2.16.0
RELEASE = release --parallelism 1 --clean

release-check: npm/node_modules
	GORELEASER='$(GORELEASER) $(RELEASE)' scripts/release-check.sh

# For release.yml, at a tag. Publishes the binaries as a draft, and leaves all else in dist.
release: npm/node_modules
	scripts/vulnerabilities.sh required
	scripts/notes.sh $$(git describe --tags --exact-match) >notes.md
	$(GORELEASER) $(RELEASE) --release-notes notes.md
	node npm/release.mjs

e2e: web/node_modules
	scripts/browser.sh
	cd web && npm run --silent e2e

bench: web/node_modules
	scripts/browser.sh
	scripts/bench.sh

CHAOS ?= 10m
chaos:
	GITNEXUS_CHAOS=$(CHAOS) go test -count=1 -timeout 0 -run '^TestChaos$$' -v ./cmd/gitnexus-mcp

FAULTS ?= 1000
faults: web/node_modules
	GITNEXUS_FAULTS=$(FAULTS) go test -count=1 -timeout 0 -parallel 4 -run '^TestFaults$$' -v ./client

attack: web/node_modules
	scripts/browser.sh
	scripts/attack.sh

accuracy:
	scripts/browser.sh
	cd accuracy && go run . $(if $(HELD_OUT),-held-out)

answers: web/node_modules
	cd accuracy && go run . -answers -show 10 -limit 2h $(if $(RIVALS),-rivals '$(RIVALS)')
	cd accuracy && go run . -ran -show 10 -limit 2h

# Each target for FUZZTIME. Findings are kept in testdata/fuzz, where go test runs them again.
FUZZTIME ?= 60s
# Not npm ci: of opencode's packages the lock file has those of this platform alone.
clients: web/node_modules
	scripts/browser.sh
	cd npm/clients && npm install --no-save --ignore-scripts --no-audit --no-fund
	node --test --test-reporter=spec npm/clients/clients.test.mjs npm/clients/chat.test.mjs

fuzz: web/node_modules
	for folder in $$(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n1 dirname | sort -u); do \
		for target in $$(go test -list '^Fuzz' ./$$folder | grep '^Fuzz'); do \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) ./$$folder || exit 1; \
		done; \
	done
	cd web && GITNEXUS_FUZZ_CASES=5000 npx --no-install vitest run src/bridge/fuzz.test.ts
