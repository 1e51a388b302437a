/** What stands in the graph's place while there is none: each state says what is, and what to do. */
import type { ComponentChildren, JSX } from "preact";
import type { Phase } from "../../engine/codebase.ts";
import { useApp, useNow, useSelect } from "../hooks.ts";
import { PHASES, phaseLeft, type Indexing } from "../state.ts";
import { count, counted, cut, duration, linkWords, PHASE_WORDS, roughly } from "../words.ts";
import { Command } from "./basics.tsx";
import { CheckIcon, CrossIcon, FolderIcon, ReloadIcon, Spinner, UnlinkIcon, ZipIcon } from "./icons.tsx";
import { Countdown, TryNow } from "./link.tsx";
import { Sentence } from "./sentence.tsx";
import { strings } from "../strings.ts";

export function StageCard(): JSX.Element {
  const crashed = useSelect((s) => s.crashed);
  const indexing = useSelect((s) => s.indexing);
  const failure = useSelect((s) => s.failure);
  const link = useSelect((s) => s.link);
  if (crashed !== null) return <CrashedCard message={crashed} />;
  if (indexing) return <IndexingCard indexing={indexing} />;
  if (failure !== null) return <FailedCard message={failure} />;
  switch (link.state) {
    case "unpaired":
      return <UnpairedCard />;
    case "refused":
      return <RefusedCard reason={linkWords(link).detail} />;
    case "connected":
      return <EmptyCard />;
    case "connecting":
    case "waiting":
      return link.attempt === 0 && link.state === "connecting" ? <ConnectingCard /> : <DisconnectedCard />;
  }
}

function Card({ icon, title, children, tone = "quiet" }: { icon?: JSX.Element; title: string; children: ComponentChildren; tone?: string }): JSX.Element {
  return (
    <section class={`card tone-${tone}`} aria-labelledby="stage-title">
      {icon && <div class="card-icon">{icon}</div>}
      <h1 id="stage-title">{title}</h1>
      {children}
    </section>
  );
}

/** The ways to a graph that need no agent and no hub. */
function LoadButtons({ primary = false }: { primary?: boolean }): JSX.Element {
  const { pick } = useApp();
  return (
    <div class="actions">
      <button type="button" class={primary ? "button primary" : "button"} onClick={() => pick.folder()}><FolderIcon /> {strings.states.pickAFolder}</button>
      <button type="button" class="button" onClick={() => pick.zip()}><ZipIcon /> {strings.states.pickAZip}</button>
      <span class="muted">{strings.states.orDropEitherAnywhere}</span>
    </div>
  );
}

function UnpairedCard(): JSX.Element {
  return (
    <Card icon={<UnlinkIcon />} title={strings.states.pairThisPageWith}>
      <p>{strings.states.agentsReachTheGraph}</p>
      <Command text="gitnexus-mcp open" />
      <p class="muted">{strings.states.itOpensThisApp}</p>
      <hr />
      <p>{strings.states.toLookAtA}</p>
      <LoadButtons />
    </Card>
  );
}

function RefusedCard({ reason }: { reason: string }): JSX.Element {
  return (
    <Card icon={<CrossIcon />} title={strings.states.gitnexusMcpRefusesThis} tone="bad">
      <p>{reason}</p>
      <p class="muted">{strings.states.thisPairsTheBrowser}</p>
      <Command text="gitnexus-mcp open" />
      <hr />
      <p>{strings.states.toLookAtA}</p>
      <LoadButtons />
    </Card>
  );
}

function EmptyCard(): JSX.Element {
  return (
    <Card icon={<FolderIcon />} title={strings.states.loadARepository}>
      <p>{strings.states.theLinkIsUp}</p>
      <LoadButtons primary />
      <hr />
      <p class="muted">{strings.states.toHaveAFolder}</p>
      <Command text="gitnexus-mcp --repo path/to/folder" />
    </Card>
  );
}

function ConnectingCard(): JSX.Element {
  return (
    <Card icon={<Spinner />} title={strings.states.connectingToGitnexusMcp}>
      <p class="muted">{strings.states.aFolderThatThe}</p>
      <LoadButtons />
    </Card>
  );
}

function DisconnectedCard(): JSX.Element {
  const link = useSelect((s) => s.link);
  return (
    <Card icon={<UnlinkIcon />} title={strings.states.gitnexusMcpIsNot} tone="warn">
      {link.state === "waiting" && <p>{linkWords(link).detail}</p>}
      <p class="muted"><Sentence words={strings.states.thisPageGoesOn} parts={{ command: <code>gitnexus-mcp</code> }} /></p>
      <div class="actions">
        <TryNow primary />
        {link.state === "waiting" ? <Countdown until={link.retryAt} /> : <span class="muted">{strings.states.tryingNow}</span>}
      </div>
      <hr />
      <p>{strings.states.toLookAtARepository}</p>
      <LoadButtons />
    </Card>
  );
}

function FailedCard({ message }: { message: string }): JSX.Element {
  const { session } = useApp();
  return (
    <Card icon={<CrossIcon />} title={strings.states.theRepositoryCouldNot} tone="bad">
      <p class="reason">{message}</p>
      {session.canLoadAgain && (
        <>
          <div class="actions">
            <button type="button" class="button primary" onClick={() => session.loadAgain()}><ReloadIcon /> {strings.states.tryAgain}</button>
          </div>
          <hr />
          <p>{strings.states.orLoadAnotherOne}</p>
        </>
      )}
      <LoadButtons primary={!session.canLoadAgain} />
    </Card>
  );
}

function CrashedCard({ message }: { message: string }): JSX.Element {
  return (
    <Card icon={<CrossIcon />} title={strings.states.partOfThisPage} tone="bad">
      <p class="reason">{message}</p>
      <p class="muted">{strings.states.reloadingStartsItAnew}</p>
      <div class="actions">
        <button type="button" class="button primary" onClick={() => location.reload()}><ReloadIcon /> {strings.states.reloadThePage}</button>
      </div>
    </Card>
  );
}

function IndexingCard({ indexing }: { indexing: Indexing }): JSX.Element {
  const known = indexing.phase ? indexing.phases[indexing.phase]?.to : 0;
  const elapsed = Math.max(useNow(250, true) - indexing.startedAt, known ?? 0);
  return (
    <Card title={indexing.name === "" ? strings.states.indexing : strings.states.indexingOf(indexing.name)}>
      <ol class="phases">
        {PHASES.map((phase) => <PhaseRow key={phase} phase={phase} indexing={indexing} elapsed={elapsed} />)}
      </ol>
      <p class="phase-foot muted"><span class="ellipsis">{cut(indexing.detail, 90)}</span><span class="time">{duration(elapsed)}</span></p>
    </Card>
  );
}

function PhaseRow({ phase, indexing, elapsed }: { phase: Phase; indexing: Indexing; elapsed: number }): JSX.Element {
  const progress = indexing.phases[phase];
  const running = indexing.phase === phase;
  const { title, unit } = PHASE_WORDS[phase];
  const state = running ? "running" : progress ? "done" : "pending";
  const ms = progress ? (running ? Math.max(elapsed, progress.to) : endOf(phase, indexing)) - progress.from : 0;
  const known = progress !== undefined && progress.total > 0;
  const left = running ? phaseLeft(indexing, elapsed) : null;
  return (
    <li class={`phase ${state}`} aria-current={running ? "step" : undefined}>
      <span class="phase-icon">{running ? <Spinner /> : progress ? <CheckIcon /> : <span class="status-dot" />}</span>
      <span class="phase-title">{title}</span>
      <span class="phase-count">
        {known && (running ? strings.states.outOf(count(progress.done), count(progress.total)) : counted(progress.done, unit))}
      </span>
      <span class="time">{progress ? duration(ms) : ""}</span>
      {left !== null && left >= 1000 && <span class="phase-left">{strings.states.left(roughly(left))}</span>}
      {running && (
        <progress aria-label={title} {...(known ? { value: progress.done, max: progress.total } : {})} />
      )}
    </li>
  );
}

/** A phase lasts until the next one that was heard of begins. */
function endOf(phase: Phase, { phases }: Indexing): number {
  const own = phases[phase]!;
  const later = PHASES.slice(PHASES.indexOf(phase) + 1).map((p) => phases[p]).find((p) => p !== undefined);
  return Math.max(own.to, later?.from ?? 0);
}
