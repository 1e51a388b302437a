/** The middle of the page: the graph with what floats over it, or the card that stands in its place. */
import type { JSX, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { GraphDrawing, type Look } from "../graph/drawing.ts";
import type { Places } from "../graph/layout.ts";
import { readPalette } from "../graph/palette.ts";
import { useApp, useMedia, useNow, useSelect, useTheme } from "../hooks.ts";
import { shown, type Annotation, type Highlight, type Indexing } from "../state.ts";
import { count, counted, duration, PHASE_WORDS } from "../words.ts";
import { IconButton } from "./basics.tsx";
import { CloseIcon, FitIcon, LegendIcon, MinusIcon, PlusIcon, PointIcon, Spinner } from "./icons.tsx";
import { Legend } from "./legend.tsx";
import { LinkBanner } from "./link.tsx";
import { StageCard } from "./states.tsx";

export function Stage({ drawing }: { drawing: RefObject<GraphDrawing> }): JSX.Element {
  const loaded = useSelect((s) => s.loaded !== null);
  return (
    <main class="stage" id="stage" tabIndex={-1}>
      {loaded ? <GraphStage drawing={drawing} /> : <div class="stage-empty"><StageCard /></div>}
      <div class="floats">
        {loaded && <LinkBanner />}
        {loaded && <CrashBanner />}
        {loaded && <ReindexBar />}
        <NoticeBar />
        <HighlightBar />
      </div>
    </main>
  );
}

function GraphStage({ drawing }: { drawing: RefObject<GraphDrawing> }): JSX.Element {
  const { store } = useApp();
  const view = useSelect((s) => s.loaded!.view);
  const narrow = useMedia("(max-width: 1099px)");
  const [legend, setLegend] = useState(!narrow);
  const [arranging, setArranging] = useState(false);
  const [lost, setLost] = useState(0);
  const [broken, setBroken] = useState("");
  const container = useRef<HTMLDivElement>(null);
  const places = useRef<Places | undefined>(undefined);
  const look = useLook();
  useEffect(() => setLegend(!narrow), [narrow]);

  useEffect(() => {
    if (!container.current) return undefined;
    let made: GraphDrawing;
    try {
      made = new GraphDrawing(container.current, view, look(), {
        onClick: (index) => store.dispatch(index === null ? { type: "deselect" } : { type: "select", node: view.nodes[index]! }),
        onLayout: setArranging,
        onLost: () => setLost((n) => n + 1),
      }, places.current);
    } catch (why) {
      setBroken(why instanceof Error ? why.message : String(why));
      return undefined;
    }
    drawing.current = made;
    setBroken("");
    return () => {
      drawing.current = null;
      places.current = made.places();
      made.dispose();
    };
  }, [view, lost]);
  useEffect(() => drawing.current?.setLook(look()), [look]);

  const key = (e: KeyboardEvent): void => {
    const graph = drawing.current;
    if (!graph || e.target !== e.currentTarget) return;
    const actions: Record<string, () => void> = {
      "+": () => graph.zoom(1.5), "=": () => graph.zoom(1.5), "-": () => graph.zoom(1 / 1.5), "0": () => graph.fit(),
      ArrowLeft: () => graph.pan(-0.15, 0), ArrowRight: () => graph.pan(0.15, 0), ArrowUp: () => graph.pan(0, -0.15), ArrowDown: () => graph.pan(0, 0.15),
    };
    const action = actions[e.key];
    if (!action || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    action();
  };
  const behind = useSelect((s) => (s.indexing?.behind && s.indexing.phase ? PHASE_WORDS[s.indexing.phase].title : ""));
  const drawable = useSelect((s) => {
    // Clusters and processes are nodes of the graph, and shown as colours and lists.
    const { nodes, communities, processes } = s.loaded!.context.stats;
    return nodes - communities - processes;
  });
  const part = view.nodes.length < drawable ? `The ${count(view.nodes.length)} best connected of ${count(drawable)} nodes` : "";
  return (
    <>
      <div class="graph" ref={container} tabIndex={0} role="application" onKeyDown={key}
        aria-label={`Graph of ${counted(view.nodes.length, "node")}. Arrow keys move it, plus and minus zoom, 0 fits it. Use the search to reach a node.`} />
      {broken !== "" && (
        <div class="stage-empty"><section class="card tone-bad"><h1>The graph cannot be drawn</h1>
          <p class="reason">{broken}</p>
          <p class="muted">It is loaded all the same: search, code, neighbours and agents’ calls work. Drawing needs WebGL, which this browser has switched off or lacks.</p></section></div>
      )}
      <div class="corner start">
        {legend ? <Legend onClose={() => setLegend(false)} /> : <button type="button" class="button" onClick={() => setLegend(true)}><LegendIcon /> Legend</button>}
      </div>
      <div class="corner end">
        <p class="stage-note" role="status">{behind !== "" ? <><Spinner /> {behind}</> : arranging ? <><Spinner /> Arranging</> : part}</p>
        <div class="zoom" role="group" aria-label="Zoom">
          <IconButton label="Zoom in" onClick={() => drawing.current?.zoom(1.5)}><PlusIcon /></IconButton>
          <IconButton label="Zoom out" onClick={() => drawing.current?.zoom(1 / 1.5)}><MinusIcon /></IconButton>
          <IconButton label="Fit the graph" onClick={() => drawing.current?.fit()}><FitIcon /></IconButton>
        </div>
      </div>
    </>
  );
}

/** A function that is another one whenever the look is to change. */
function useLook(): () => Look {
  const theme = useTheme();
  const colourBy = useSelect((s) => s.colourBy);
  const hiddenKinds = useSelect((s) => s.hiddenKinds);
  const hiddenEdges = useSelect((s) => s.hiddenEdges);
  const highlight = useSelect((s) => s.highlight);
  const annotations = useSelect((s) => s.annotations);
  const sight = useSelect((s) => s.sight);
  const selected = useSelect((s) => shown(s)?.id ?? null);
  const still = useMedia("(prefers-reduced-motion: reduce)");
  // There the inspector lies over the graph.
  const narrow = useMedia("(max-width: 1099px)");
  const busy = useSelect((s) => s.indexing?.behind === true);
  const covered = narrow && selected !== null ? Math.min(440, 0.92 * innerWidth) : 0;
  const key = [theme, colourBy, hiddenKinds, hiddenEdges, highlight, annotations, sight, selected, still, covered, busy];
  const kept = useRef<{ key: unknown[]; look: () => Look } | null>(null);
  if (!kept.current || key.some((value, i) => value !== kept.current?.key[i])) {
    kept.current = {
      key,
      look: () => ({ palette: readPalette(document.documentElement), colourBy, hiddenKinds, hiddenEdges, selected, highlight, annotations, sight, still, covered, busy }),
    };
  }
  return kept.current.look;
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
        <strong>{agents.length === 1 && agents[0] !== "" ? agents[0] : "Agents"}</strong> labelled {counted(annotations.length, "node")}
      </div>
      <button type="button" class="button small" onClick={() => store.dispatch({ type: "clearHighlight" })}>Clear <kbd>Esc</kbd></button>
    </div>
  );
}

function HighlightWords({ highlight: { nodeIds, agent, color } }: { highlight: Highlight }): JSX.Element {
  const { store } = useApp();
  const view = useSelect((s) => s.loaded?.view);
  // A cluster or a process is pointed at together with its members; it is no node of the drawing itself.
  const wanted = new Set(nodeIds.filter((id) => !/^(Community|Process):/.test(id)));
  const nodes = view?.nodes.filter(({ id }) => wanted.has(id)) ?? [];
  const missing = wanted.size - nodes.length;
  return (
    <div class="banner highlight">
      <span class="point" ref={(element) => { if (element) element.style.color = color; }}><PointIcon /></span>
      <div class="banner-text">
        <strong>{agent === "" ? "An agent" : agent}</strong> points at {nodes.length > NAMED || nodes.length === 0 ? counted(wanted.size, "node") : ""}
        {nodes.slice(0, NAMED).map((node) => (
          <button key={node.id} type="button" class="chip" onClick={() => store.dispatch({ type: "select", node })}>{node.name}</button>
        ))}
        {missing > 0 && <span class="muted"> {nodes.length === 0 ? "Not among the drawn ones." : `${count(missing)} not among the drawn ones.`}</span>}
      </div>
      <button type="button" class="button small" onClick={() => store.dispatch({ type: "clearHighlight" })}>Clear <kbd>Esc</kbd></button>
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
        <div class="banner-text"><strong>Loading failed.</strong> {failure} <span class="muted">The graph from before is still here.</span></div>
        <button type="button" class="button small" onClick={() => session.loadAgain()}>Try again</button>
      </div>
    );
  }
  if (!notice) return null;
  return (
    <div class={`banner ${notice.tone === "bad" ? "tone-bad" : ""}`} role="alert">
      <div class="banner-text">{notice.text}</div>
      <IconButton label="Dismiss" onClick={() => store.dispatch({ type: "notice", notice: null })}><CloseIcon /></IconButton>
    </div>
  );
}

function CrashBanner(): JSX.Element | null {
  const crashed = useSelect((s) => s.crashed);
  if (crashed === null) return null;
  return (
    <div class="banner tone-bad" role="alert">
      <div class="banner-text"><strong>Part of this page has stopped.</strong> {crashed}</div>
      <button type="button" class="button small" onClick={() => location.reload()}>Reload</button>
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
        <strong>{indexing.phase ? PHASE_WORDS[indexing.phase].title : `Loading ${indexing.name}`}</strong>{" "}
        {progress && progress.total > 0 && <span class="muted">{count(progress.done)} of {count(progress.total)}</span>}
      </div>
      <span class="time">{duration(elapsed)}</span>
    </div>
  );
}
