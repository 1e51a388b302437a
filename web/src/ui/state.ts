/** The view's state and how events change it: plain data and one reducer, without DOM or Workers. */
import type { Phase } from "../engine/codebase.ts";
import type { Freshness } from "../engine/follower.ts";
import type { AgentInfo, AlertInfo, EngineEvent, GraphContext, LinkEvent, LinkState, ViewNode } from "../messages.ts";
import { USUAL, type ColourSet, type Density, type ThemeChoice } from "./appearance.ts";
import type { EditorName } from "./editors.ts";
import { HOME, isStepFrom, type Place } from "./address.ts";

/** The phases of indexing, in the order in which they run. */
export const PHASES: readonly Phase[] = ["read", "parse", "resolve", "cluster", "search", "database"];

/** How many calls the view remembers. Running ones are never forgotten. */
export const CALLS_KEPT = 200;

export type NodeRef = ViewNode;

export type Outcome = "running" | "ok" | "error" | "cancelled" | "timeout";

/** One call of an agent, as the stream shows it. */
export interface Call {
  id: string;
  name: string;
  agent: string;
  arguments: Record<string, unknown>;
  /** Milliseconds since the epoch. */
  startedAt: number;
  outcome: Outcome;
  /** Milliseconds it took; 0 while it runs. */
  ms: number;
  bytes: number;
  message: string;
  /** What the agent was told, as JSON or text; "" while it runs, and for what is too long to keep. */
  answer: string;
  /** The same as an object, as JSON, where that is a text; else "". */
  object: string;
}

export interface PhaseProgress {
  done: number;
  total: number;
  /** Milliseconds since the start of indexing at which the phase was first heard of. */
  from: number;
  /** Milliseconds since the start of indexing at which it was last heard of. */
  to: number;
}

/** A load that is under way. */
export interface Indexing {
  /** What is being loaded, for people. */
  name: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** The phase now running; null until the engine speaks. */
  phase: Phase | null;
  phases: Partial<Record<Phase, PhaseProgress>>;
  detail: string;
  /** The graph is there already, and this only makes it complete (the database of a graph that answers everything else). */
  behind: boolean;
}

export interface Loaded {
  context: GraphContext;
  phases: { phase: Phase; ms: number }[];
  skipped: { path: string; reason: string }[];
  syntaxErrors: number;
  /** Grows with each graph that was loaded: tells two apart without comparing them. */
  version: number;
}

export interface Highlight {
  nodeIds: string[];
  color: string;
  agent: string;
}

/** A label that an agent wrote at a node. */
export interface Annotation {
  nodeId: string;
  label: string;
  color: string;
  agent: string;
}

/** Something to tell the user until it is dismissed. */
export interface Notice {
  tone: "info" | "bad";
  text: string;
}

export type Panel = "settings" | "help" | "palette";
export type ColourBy = "cluster" | "kind";

export interface AppState {
  link: LinkState;
  agents: AgentInfo[];
  /** Pages that are connected beside this one and have proved nothing, such as an older app. */
  unproven: number;
  /** Those that are not over. */
  alerts: AlertInfo[];
  /** Newest first. */
  calls: Call[];
  indexing: Indexing | null;
  /** Why the last load failed; null when it did not. */
  failure: string | null;
  loaded: Loaded | null;
  /** null for what was not loaded from the hub's folder. */
  freshness: Freshness | null;
  /** Where the user is: what is selected, and how it is shown. */
  place: Place;
  /** How many steps in the history lead back to the first one of this page. */
  steps: number;
  /** Id of the walk that goes on; "" before the first step. */
  walk: string;
  /** The view goes along with what agents ask. */
  follow: boolean;
  highlight: Highlight | null;
  /** One a node. */
  annotations: Annotation[];
  /** What an agent brought into view last; [] is the whole graph. A new object each time, for the user may have moved since. */
  sight: { nodeIds: string[] } | null;
  colourBy: ColourBy;
  theme: ThemeChoice;
  density: Density;
  colours: ColourSet;
  /** Tells of alerts and of what agents point at by the system's notifications, while the tab is hidden. */
  notify: boolean;
  /** The steps for the first use were shown, and are not shown again. */
  introduced: boolean;
  /** The editor that files open in. */
  editor: EditorName;
  /** The panel that lies over the page. */
  panel: Panel | null;
  notice: Notice | null;
  /** A Worker that died, in words; the page has to be reloaded. */
  crashed: string | null;
}

export type Action =
  | { type: "link"; event: LinkEvent }
  /** `at`: milliseconds since the epoch. */
  | { type: "engine"; event: EngineEvent; at: number }
  | { type: "loading"; name: string; at: number }
  | { type: "select"; node: NodeRef }
  | { type: "deselect" }
  /** Changes some of the place. */
  | { type: "go"; to: Partial<Place> }
  /** The history or the address has led to another place. */
  | { type: "went"; place: Place; steps: number }
  /** The walk that goes on. */
  | { type: "walk"; id: string }
  | { type: "follow"; follow: boolean }
  /** Takes away what agents have put over the graph. */
  | { type: "clearHighlight" }
  | { type: "toggleKind"; kind: string }
  | { type: "toggleType"; edge: string }
  | { type: "colourBy"; by: ColourBy }
  | { type: "theme"; theme: ThemeChoice }
  | { type: "density"; density: Density }
  | { type: "colours"; colours: ColourSet }
  | { type: "notify"; notify: boolean }
  | { type: "introduced" }
  | { type: "editor"; editor: EditorName }
  | { type: "panel"; panel: Panel | null }
  | { type: "choices"; choices: Choices }
  | { type: "notice"; notice: Notice | null }
  | { type: "crashed"; message: string };

/** What outlives a load. */
export type Choices = Pick<AppState, "theme" | "density" | "colours" | "notify" | "introduced" | "colourBy" | "editor">;

export const DEFAULTS: Choices = {
  ...USUAL, notify: false, introduced: false, colourBy: "cluster", editor: "none",
};

export function choicesOf({ theme, density, colours, notify, introduced, colourBy, editor }: AppState): Choices {
  return { theme, density, colours, notify, introduced, colourBy, editor };
}

export function initialState(choices: Choices = DEFAULTS): AppState {
  return {
    link: { state: "connecting", attempt: 0 },
    agents: [],
    unproven: 0,
    alerts: [],
    calls: [],
    indexing: null,
    failure: null,
    loaded: null,
    freshness: null,
    place: HOME,
    steps: 0,
    walk: "",
    follow: false,
    highlight: null,
    annotations: [],
    sight: null,
    panel: null,
    notice: null,
    crashed: null,
    ...choices,
  };
}

export function reduce(state: AppState, action: Action): AppState {
  switch (action.type) {
    case "link":
      return onLink(state, action.event);
    case "engine":
      return onEngine(state, action.event, action.at);
    case "loading":
      return {
        ...state, failure: null, notice: null,
        indexing: { name: action.name, startedAt: action.at, phase: null, phases: {}, detail: "", behind: false },
      };
    case "select":
      return go(state, { node: action.node, tab: state.place.node?.id === action.node.id ? state.place.tab : "", ...(isOfNode(state.place.view) ? {} : { view: "map" }) });
    case "deselect":
      return go(state, { node: null, view: "map" });
    case "go":
      return go(state, action.to);
    case "went":
      return { ...state, place: action.place, steps: action.steps };
    case "walk":
      return { ...state, walk: action.id };
    case "follow":
      return { ...state, follow: action.follow };
    case "clearHighlight":
      return { ...state, highlight: null, annotations: [] };
    case "toggleKind":
      return go(state, { hiddenKinds: toggled(state.place.hiddenKinds, action.kind) });
    case "toggleType":
      return go(state, { hiddenTypes: toggled(state.place.hiddenTypes, action.edge) });
    case "colourBy":
      return { ...state, colourBy: action.by };
    case "theme":
      return { ...state, theme: action.theme };
    case "density":
      return { ...state, density: action.density };
    case "colours":
      return { ...state, colours: action.colours };
    case "notify":
      return { ...state, notify: action.notify };
    case "introduced":
      return { ...state, introduced: true };
    case "editor":
      return { ...state, editor: action.editor };
    case "panel":
      return { ...state, panel: action.panel };
    case "choices":
      return { ...state, ...action.choices };
    case "notice":
      return { ...state, notice: action.notice };
    case "crashed":
      return { ...state, crashed: action.message, indexing: null, notice: null };
  }
}

/** The selected node. */
export function shown(state: AppState): NodeRef | undefined {
  return state.place.node ?? undefined;
}

/** Whether a view shows the selected node, so that selecting another one stays in it. */
function isOfNode(view: Place["view"]): boolean {
  return view === "map" || view === "read" || view === "local" || view === "impact";
}

function go(state: AppState, to: Partial<Place>): AppState {
  const { place } = state;
  const keys = Object.keys(to) as (keyof Place)[];
  if (keys.every((key) => (key === "node" ? to.node?.id === place.node?.id : Object.is(to[key], place[key])))) return state;
  const next = { ...place, ...to };
  // Other pictures have other coordinates.
  if (to.camera === undefined && (next.view !== place.view || (next.view === "map" ? next.by !== place.by || next.arrange !== place.arrange : next.node?.id !== place.node?.id))) {
    next.camera = null;
    if (next.by !== place.by) next.open = to.open ?? null;
  }
  return { ...state, place: next, steps: isStepFrom(place, next) ? state.steps + 1 : state.steps };
}

function onLink(state: AppState, event: LinkEvent): AppState {
  switch (event.type) {
    case "state":
      // Who is connected is known only while the hub tells.
      if (event.link.state === "connected") return { ...state, link: event.link };
      return { ...state, link: event.link, agents: [], unproven: 0, alerts: [] };
    case "agents":
      return { ...state, agents: event.agents, unproven: event.unproven };
    case "alerts":
      return { ...state, alerts: event.alerts };
    case "folders":
    case "storageKey":
      return state;
    case "call": {
      const call: Call = {
        id: event.id, name: event.name, agent: event.agent, arguments: event.arguments, startedAt: event.startedAt,
        outcome: "running", ms: 0, bytes: 0, message: "", answer: "", object: "",
      };
      const others = state.calls.filter((c) => c.id !== event.id);
      return { ...state, calls: trimmed([call, ...others]) };
    }
    case "settled": {
      const calls = state.calls.map((call) =>
        call.id === event.id
          ? { ...call, outcome: event.outcome, ms: event.ms, bytes: event.bytes, message: event.message ?? "", answer: event.answer ?? "", object: event.object ?? "" }
          : call);
      const settled = { ...state, calls };
      return state.follow && event.answer !== undefined && calls.some(({ id, name }) => id === event.id && hasPicture(name))
        ? go(settled, { view: "call", call: event.id }) : settled;
    }
  }
}

function onEngine(state: AppState, event: EngineEvent, at: number): AppState {
  switch (event.type) {
    case "progress":
      return { ...state, indexing: advanced(state, event, at) };
    case "loaded": {
      // The first graph of a page may be the one that its address is about.
      const same = state.loaded === null || state.loaded.context.repo === event.context.repo;
      return {
        ...state,
        indexing: null,
        failure: null,
        loaded: {
          context: event.context, phases: event.phases, skipped: event.skipped,
          syntaxErrors: event.syntaxErrors, version: (state.loaded?.version ?? 0) + 1,
        },
        freshness: null,
        highlight: null,
        annotations: [],
        sight: null,
        place: same ? state.place : { ...HOME, by: state.place.by },
      };
    }
    case "updated": {
      if (!state.loaded) return state;
      const { context, skipped, syntaxErrors } = event;
      return { ...state, loaded: { ...state.loaded, context, skipped, syntaxErrors, version: state.loaded.version + 1 } };
    }
    case "freshness":
      return { ...state, freshness: event.freshness };
    case "failed":
      return { ...state, indexing: null, failure: event.message };
    case "highlight":
      return {
        ...state,
        highlight: event.nodeIds.length > 0 ? { nodeIds: event.nodeIds, color: event.color, agent: event.agent } : null,
      };
    case "focus": {
      const sight = { ...state, sight: { nodeIds: event.nodes.map(({ id }) => id) } };
      return event.nodes.length === 1 ? reduce(sight, { type: "select", node: event.nodes[0]! }) : sight;
    }
    case "annotate": {
      const { label, color, agent } = event;
      const named = new Set(event.nodeIds);
      return { ...state, annotations: [...state.annotations.filter(({ nodeId }) => !named.has(nodeId)), ...[...named].map((nodeId) => ({ nodeId, label, color, agent }))] };
    }
    case "reset":
      return { ...state, highlight: null, annotations: [], place: { ...state.place, view: "map", node: null, camera: null }, sight: { nodeIds: [] } };
    case "answer":
      return state;
  }
}

/** Milliseconds that the running phase will still take at its pace until now; null while that says nothing. `elapsed`: since the start of indexing. */
export function phaseLeft({ phase, phases }: Indexing, elapsed: number): number | null {
  const progress = phase === null ? undefined : phases[phase];
  if (!progress || progress.total === 0) return null;
  const { done, total, from } = progress;
  const took = elapsed - from;
  // Of the first files a guess would jump.
  return took < 1000 || done < total / 20 ? null : (took / done) * (total - done);
}

type Progress = Extract<EngineEvent, { type: "progress" }>;

function advanced(state: AppState, event: Progress, at: number): Indexing | null {
  const { phase, done, total, elapsedMs, detail } = event;
  const before = state.indexing ?? {
    name: state.loaded?.context.repo ?? "", startedAt: at - elapsedMs, phase: null, phases: {}, detail: "", behind: state.loaded !== null,
  };
  // No event ends what runs behind a loaded graph: its last count does.
  if (before.behind && total > 0 && done >= total) return null;
  const from = before.phases[phase]?.from ?? elapsedMs;
  return { ...before, phase, detail, phases: { ...before.phases, [phase]: { done, total, from, to: elapsedMs } } };
}

/** Tools whose answers the view can draw. */
const PICTURED: ReadonlySet<string> = new Set(["impact", "trace_flow", "explore", "deep_dive", "test_impact", "read", "cypher", "search", "review_file"]);

export function hasPicture(tool: string): boolean {
  return PICTURED.has(tool);
}

function trimmed(calls: Call[]): Call[] {
  return calls.length <= CALLS_KEPT ? calls : calls.filter((call, i) => i < CALLS_KEPT || call.outcome === "running");
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}
