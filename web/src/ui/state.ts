/** The view's state and how events change it: plain data and one reducer, without DOM or Workers. */
import type { Phase } from "../engine/codebase.ts";
import type { Freshness } from "../engine/follower.ts";
import type { AgentInfo, EngineEvent, GraphContext, LinkEvent, LinkState, ViewGraph, ViewNode } from "../messages.ts";

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
  view: ViewGraph;
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

export type ColourBy = "cluster" | "kind";
export type ThemeChoice = "system" | "dark" | "light";

export interface AppState {
  link: LinkState;
  agents: AgentInfo[];
  /** Newest first. */
  calls: Call[];
  indexing: Indexing | null;
  /** Why the last load failed; null when it did not. */
  failure: string | null;
  loaded: Loaded | null;
  /** null for what was not loaded from the hub's folder. */
  freshness: Freshness | null;
  /** What the inspector shows, and how the user came there: the last one is shown. */
  trail: NodeRef[];
  highlight: Highlight | null;
  /** One a node. */
  annotations: Annotation[];
  /** What an agent brought into view last; [] is the whole graph. A new object each time, for the user may have moved since. */
  sight: { nodeIds: string[] } | null;
  hiddenKinds: ReadonlySet<string>;
  /** Indexes into EDGE_TYPES. */
  hiddenEdges: ReadonlySet<number>;
  colourBy: ColourBy;
  theme: ThemeChoice;
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
  | { type: "back" }
  | { type: "deselect" }
  /** Takes away what agents have put over the graph. */
  | { type: "clearHighlight" }
  | { type: "toggleKind"; kind: string }
  | { type: "toggleEdge"; edge: number }
  | { type: "colourBy"; by: ColourBy }
  | { type: "theme"; theme: ThemeChoice }
  | { type: "notice"; notice: Notice | null }
  | { type: "crashed"; message: string };

export function initialState(choices: { theme: ThemeChoice; colourBy: ColourBy }): AppState {
  return {
    link: { state: "connecting", attempt: 0 },
    agents: [],
    calls: [],
    indexing: null,
    failure: null,
    loaded: null,
    freshness: null,
    trail: [],
    highlight: null,
    annotations: [],
    sight: null,
    hiddenKinds: new Set(),
    hiddenEdges: new Set(),
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
    case "select": {
      if (shown(state)?.id === action.node.id) return state;
      return { ...state, trail: [...state.trail.slice(-49), action.node] };
    }
    case "back":
      return state.trail.length > 1 ? { ...state, trail: state.trail.slice(0, -1) } : state;
    case "deselect":
      return state.trail.length > 0 ? { ...state, trail: [] } : state;
    case "clearHighlight":
      return { ...state, highlight: null, annotations: [] };
    case "toggleKind":
      return { ...state, hiddenKinds: toggled(state.hiddenKinds, action.kind) };
    case "toggleEdge":
      return { ...state, hiddenEdges: toggled(state.hiddenEdges, action.edge) };
    case "colourBy":
      return { ...state, colourBy: action.by };
    case "theme":
      return { ...state, theme: action.theme };
    case "notice":
      return { ...state, notice: action.notice };
    case "crashed":
      return { ...state, crashed: action.message, indexing: null };
  }
}

/** The node that the inspector shows. */
export function shown(state: AppState): NodeRef | undefined {
  return state.trail.at(-1);
}

function onLink(state: AppState, event: LinkEvent): AppState {
  switch (event.type) {
    case "state":
      // Who is connected is known only while the hub tells.
      return { ...state, link: event.link, agents: event.link.state === "connected" ? state.agents : [] };
    case "agents":
      return { ...state, agents: event.agents };
    case "call": {
      const call: Call = {
        id: event.id, name: event.name, agent: event.agent, arguments: event.arguments, startedAt: event.startedAt,
        outcome: "running", ms: 0, bytes: 0, message: "",
      };
      const others = state.calls.filter((c) => c.id !== event.id);
      return { ...state, calls: trimmed([call, ...others]) };
    }
    case "settled":
      return {
        ...state,
        calls: state.calls.map((call) =>
          call.id === event.id
            ? { ...call, outcome: event.outcome, ms: event.ms, bytes: event.bytes, message: event.message ?? "" }
            : call),
      };
  }
}

function onEngine(state: AppState, event: EngineEvent, at: number): AppState {
  switch (event.type) {
    case "progress":
      return { ...state, indexing: advanced(state, event, at) };
    case "loaded": {
      const known = new Set(event.view.nodes.map((node) => node.id));
      const same = state.loaded?.context.repo === event.context.repo;
      return {
        ...state,
        indexing: null,
        failure: null,
        loaded: {
          view: event.view, context: event.context, phases: event.phases, skipped: event.skipped,
          syntaxErrors: event.syntaxErrors, version: (state.loaded?.version ?? 0) + 1,
        },
        freshness: null,
        highlight: null,
        annotations: [],
        sight: null,
        trail: same ? state.trail.filter((node) => known.has(node.id)) : [],
      };
    }
    case "updated": {
      if (!state.loaded) return state;
      const { view, context, skipped, syntaxErrors } = event;
      return { ...state, loaded: { ...state.loaded, view, context, skipped, syntaxErrors, version: state.loaded.version + 1 } };
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
      return { ...state, highlight: null, annotations: [], trail: [], sight: { nodeIds: [] } };
    case "answer":
      return state;
  }
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

function trimmed(calls: Call[]): Call[] {
  return calls.length <= CALLS_KEPT ? calls : calls.filter((call, i) => i < CALLS_KEPT || call.outcome === "running");
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}
