/** What stands in the graph's place while there is none: each state says what is, and what to do. */
import type { ComponentChildren, JSX } from "preact";
import type { Phase } from "../../engine/codebase.ts";
import { useApp, useNow, useSelect } from "../hooks.ts";
import { PHASES, phaseLeft, type Indexing } from "../state.ts";
import { count, cut, duration, linkWords, PHASE_WORDS, roughly } from "../words.ts";
import { Command } from "./basics.tsx";
import { CheckIcon, CrossIcon, FolderIcon, ReloadIcon, Spinner, UnlinkIcon, ZipIcon } from "./icons.tsx";
import { Countdown, TryNow } from "./link.tsx";

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
      <button type="button" class={primary ? "button primary" : "button"} onClick={() => pick.folder()}><FolderIcon /> Pick a folder</button>
      <button type="button" class="button" onClick={() => pick.zip()}><ZipIcon /> Pick a .zip</button>
      <span class="muted">or drop either anywhere on this page</span>
    </div>
  );
}

function UnpairedCard(): JSX.Element {
  return (
    <Card icon={<UnlinkIcon />} title="Pair this page with gitnexus-mcp">
      <p>Agents reach the graph only through a browser that you have paired. To pair this one, run in a terminal:</p>
      <Command text="gitnexus-mcp open" />
      <p class="muted">It opens this app with a ticket in its address, which is good once and for a minute. The browser keeps a key of its own.</p>
      <hr />
      <p>To look at a repository without agents:</p>
      <LoadButtons />
    </Card>
  );
}

function RefusedCard({ reason }: { reason: string }): JSX.Element {
  return (
    <Card icon={<CrossIcon />} title="gitnexus-mcp refuses this page" tone="bad">
      <p>{reason}</p>
      <p class="muted">This pairs the browser anew:</p>
      <Command text="gitnexus-mcp open" />
      <hr />
      <p>To look at a repository without agents:</p>
      <LoadButtons />
    </Card>
  );
}

function EmptyCard(): JSX.Element {
  return (
    <Card icon={<FolderIcon />} title="Load a repository">
      <p>The link is up, and nothing is loaded yet. The graph is built here in the browser; nothing leaves this machine.</p>
      <LoadButtons primary />
      <hr />
      <p class="muted">To have a folder loaded by itself at every start:</p>
      <Command text="gitnexus-mcp --repo path/to/folder" />
    </Card>
  );
}

function ConnectingCard(): JSX.Element {
  return (
    <Card icon={<Spinner />} title="Connecting to gitnexus-mcp">
      <p class="muted">A folder that the server was given will load by itself.</p>
      <LoadButtons />
    </Card>
  );
}

function DisconnectedCard(): JSX.Element {
  const link = useSelect((s) => s.link);
  return (
    <Card icon={<UnlinkIcon />} title="gitnexus-mcp is not answering" tone="warn">
      {link.state === "waiting" && <p>{linkWords(link).detail}</p>}
      <p class="muted">This page goes on trying by itself. The server lives as long as the agent that started it: if it stays away, start your agent, or run <code>gitnexus-mcp</code> in a terminal.</p>
      <div class="actions">
        <TryNow primary />
        {link.state === "waiting" ? <Countdown until={link.retryAt} /> : <span class="muted">Trying now</span>}
      </div>
      <hr />
      <p>To look at a repository meanwhile:</p>
      <LoadButtons />
    </Card>
  );
}

function FailedCard({ message }: { message: string }): JSX.Element {
  const { session } = useApp();
  return (
    <Card icon={<CrossIcon />} title="The repository could not be loaded" tone="bad">
      <p class="reason">{message}</p>
      <div class="actions">
        <button type="button" class="button primary" onClick={() => session.loadAgain()}><ReloadIcon /> Try again</button>
      </div>
      <hr />
      <p>Or load another one:</p>
      <LoadButtons />
    </Card>
  );
}

function CrashedCard({ message }: { message: string }): JSX.Element {
  return (
    <Card icon={<CrossIcon />} title="Part of this page has stopped" tone="bad">
      <p class="reason">{message}</p>
      <p class="muted">Reloading starts it anew. A folder from gitnexus-mcp loads again by itself; one that you picked has to be picked again.</p>
      <div class="actions">
        <button type="button" class="button primary" onClick={() => location.reload()}><ReloadIcon /> Reload the page</button>
      </div>
    </Card>
  );
}

function IndexingCard({ indexing }: { indexing: Indexing }): JSX.Element {
  const known = indexing.phase ? indexing.phases[indexing.phase]?.to : 0;
  const elapsed = Math.max(useNow(250, true) - indexing.startedAt, known ?? 0);
  return (
    <Card title={indexing.name === "" ? "Indexing" : `Indexing ${indexing.name}`}>
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
        {known && (running ? `${count(progress.done)} of ${count(progress.total)}` : `${count(progress.done)} ${unit}`)}
      </span>
      <span class="time">{progress ? duration(ms) : ""}</span>
      {left !== null && left >= 1000 && <span class="phase-left">{roughly(left)} left</span>}
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
