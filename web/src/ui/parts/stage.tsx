/** The middle of the page: the graph with what floats over it, or the card that stands in its place. */
import type { JSX } from "preact";
import { nodeRef } from "../answers.ts";
import { useApp, useNow, useSelect } from "../hooks.ts";
import type { Annotation, Highlight, Indexing } from "../state.ts";
import { count, counted, duration, PHASE_WORDS, VIEW_WORDS } from "../words.ts";
import { IconButton } from "./basics.tsx";
import { CloseIcon, PointIcon, Spinner } from "./icons.tsx";
import { LinkBanner } from "./link.tsx";
import { ActivityView, AlertBanner } from "./activity.tsx";
import { CallView } from "./call.tsx";
import { ChangesView } from "./changes.tsx";
import { GroupView } from "./group.tsx";
import { ImpactView } from "./impact.tsx";
import { LocalView } from "./local.tsx";
import { MapView } from "./map.tsx";
import { QueryView } from "./query.tsx";
import { ReadView } from "./read.tsx";
import { StageCard } from "./states.tsx";
import { PathView, ProcessView } from "./steps.tsx";
import { TrailView } from "./trail.tsx";
import { ViewBar } from "./viewbar.tsx";
import { Welcome } from "./welcome.tsx";
import { WeightBanner } from "./weight.tsx";
import { Sentence } from "./sentence.tsx";
import { strings } from "../strings.ts";

export function Stage(): JSX.Element {
  const loaded = useSelect((s) => s.loaded !== null);
  const activity = useSelect((s) => s.place.view === "activity"); // needs no graph
  return (
    <main class="stage" id="stage" tabIndex={-1}>
      {loaded && <Heading />}
      {(loaded || activity) && <ViewBar />}
      {loaded || activity ? <div class="view"><View /></div> : <div class="stage-empty"><StageCard /></div>}
      <div class="floats">
        {loaded && <LinkBanner />}
        <AlertBanner />
        {loaded && <CrashBanner />}
        {loaded && <ReindexBar />}
        <NoticeBar />
        <HighlightBar />
        {loaded && <WeightBanner />}
      </div>
      <Welcome />
    </main>
  );
}

/** For who hears the page; the reading view has a heading of its own. */
function Heading(): JSX.Element | null {
  const view = useSelect((s) => s.place.view);
  const name = useSelect((s) => s.place.node?.name ?? s.loaded!.context.repo);
  return view === "read" ? null : <h1 class="visually-hidden">{strings.stage.outOf(VIEW_WORDS[view], name)}</h1>;
}

/** The picture or the text that the address says. */
function View(): JSX.Element {
  const view = useSelect((s) => s.place.view);
  const node = useSelect((s) => s.place.node);
  if (node && view === "read" && (node.kind === "Folder" || node.kind === "Community")) return <GroupView key={node.id} node={node} />;
  if (node && view === "read") return <ReadView node={node} />;
  if (node && view === "local") return <LocalView key={node.id} node={node} />;
  if (node && view === "impact") return <ImpactView key={node.id} node={node} />;
  if (node && view === "path") return <PathView node={node} />;
  if (node && view === "process") return <ProcessView node={node} />;
  if (view === "call") return <CallView />;
  if (view === "changes") return <ChangesView />;
  if (view === "trail") return <TrailView />;
  if (view === "query") return <QueryView />;
  if (view === "activity") return <ActivityView />;
  return <MapView />;
}

/** The names in a highlight that are written out. */
const NAMED = 3;

function HighlightBar(): JSX.Element | null {
  const highlight = useSelect((s) => s.highlight);
  const annotations = useSelect((s) => s.annotations);
  return highlight ? <HighlightWords highlight={highlight} /> : annotations.length > 0 ? <AnnotationWords annotations={annotations} /> : null;
}

function AnnotationWords({ annotations }: { annotations: readonly Annotation[] }): JSX.Element {
  const { store } = useApp();
  const agents = [...new Set(annotations.map(({ agent }) => agent))];
  return (
    <div class="banner highlight">
      <div class="banner-text">
        <Sentence words={strings.stage.labelled(counted(annotations.length, "node"))} parts={{ agents: <strong>{agents.length === 1 && agents[0] !== "" ? agents[0] : strings.stage.agents}</strong> }} />
      </div>
      <button type="button" class="button small" onClick={() => store.dispatch({ type: "clearHighlight" })}>{strings.stage.clear} <kbd>{strings.stage.esc}</kbd></button>
    </div>
  );
}

function HighlightWords({ highlight: { nodeIds, agent, color } }: { highlight: Highlight }): JSX.Element {
  const { store } = useApp();
  // A cluster or a process is pointed at together with its members.
  const nodes = [...new Set(nodeIds)].flatMap((id) => (/^(Community|Process):/.test(id) ? [] : nodeRef(id) ?? []));
  return (
    <div class="banner highlight">
      <span class="point" ref={(element) => { if (element) element.style.color = color; }}><PointIcon /></span>
      <div class="banner-text">
        <Sentence words={strings.stage.pointsAt(nodes.length > NAMED || nodes.length === 0 ? counted(nodes.length, "node") : "")} parts={{ agent: <strong>{agent === "" ? strings.stage.anAgent : agent}</strong> }} />
        {nodes.slice(0, NAMED).map((node) => (
          <button key={node.id} type="button" class="chip" onClick={() => store.dispatch({ type: "select", node })}>{node.name}</button>
        ))}
      </div>
      <button type="button" class="button small" onClick={() => store.dispatch({ type: "clearHighlight" })}>{strings.stage.clear} <kbd>{strings.stage.esc}</kbd></button>
    </div>
  );
}

function NoticeBar(): JSX.Element | null {
  const { store } = useApp();
  const notice = useSelect((s) => s.notice);
  const failure = useSelect((s) => (s.loaded ? s.failure : null));
  const { session } = useApp();
  if (failure !== null) {
    return (
      <div class="banner tone-bad" role="alert">
        <div class="banner-text"><strong>{strings.stage.loadingFailed}</strong> {failure} <span class="muted">{strings.stage.theGraphFromBefore}</span></div>
        <button type="button" class="button small" onClick={() => session.loadAgain()}>{strings.stage.tryAgain}</button>
      </div>
    );
  }
  if (!notice) return null;
  return (
    <div class={`banner ${notice.tone === "bad" ? "tone-bad" : ""}`} role="alert">
      <div class="banner-text">{notice.text}</div>
      <IconButton label={strings.stage.dismiss} onClick={() => store.dispatch({ type: "notice", notice: null })}><CloseIcon /></IconButton>
    </div>
  );
}

function CrashBanner(): JSX.Element | null {
  const crashed = useSelect((s) => s.crashed);
  if (crashed === null) return null;
  return (
    <div class="banner tone-bad" role="alert">
      <div class="banner-text"><strong>{strings.stage.partOfThisPage}</strong> {crashed}</div>
      <button type="button" class="button small" onClick={() => location.reload()}>{strings.stage.reload}</button>
    </div>
  );
}

function ReindexBar(): JSX.Element | null {
  const indexing = useSelect((s) => s.indexing);
  return indexing && !indexing.behind ? <ReindexWords indexing={indexing} /> : null;
}

function ReindexWords({ indexing }: { indexing: Indexing }): JSX.Element {
  const elapsed = useNow(250, true) - indexing.startedAt;
  const progress = indexing.phase ? indexing.phases[indexing.phase] : undefined;
  return (
    <div class="banner">
      <Spinner />
      <div class="banner-text">
        <strong>{indexing.phase ? PHASE_WORDS[indexing.phase].title : strings.stage.loading(indexing.name)}</strong>{" "}
        {progress && progress.total > 0 && <span class="muted">{strings.stage.outOf(count(progress.done), count(progress.total))}</span>}
      </div>
      <span class="time">{duration(elapsed)}</span>
    </div>
  );
}
