/** `window.gitnexus`: what the page knows, for end-to-end tests and the curious. Nothing can be changed through it. */
import type { AgentInfo, LinkState } from "../messages.ts";
import type { Call } from "./state.ts";
import type { Camera } from "./address.ts";
import type { GraphDrawing } from "./graph/drawing.ts";
import type { Store } from "./store.ts";

export interface Report {
  link: LinkState;
  agents: AgentInfo[];
  /** Newest first. */
  calls: Call[];
  /** null while nothing is loaded. */
  loaded: {
    repo: string; nodes: number; edges: number;
    /** Time of each phase of indexing. */
    phases: { phase: string; ms: number }[];
  } | null;
  /** Why the last load failed. */
  failure: string | null;
  highlighted: string[];
  annotations: { nodeId: string; label: string }[];
  selected: string | null;
  /** Nodes of the picture on the stage: groups and what stands in open ones, after the filters. */
  drawnNodes: number;
  /** The picture on the stage; null while there is none. */
  picture: { camera: Camera | null; seen: Camera; nodes: { id: string; x: number; y: number; r: number; shape: string }[]; labels: { x: number; y: number; width: number; height: number }[]; frames: GraphDrawing["frames"] } | null;
}

declare global {
  interface Window {
    readonly gitnexus: { state(): Report };
  }
}

export function publish(store: Store, picture: { current: GraphDrawing | null }): void {
  const state = (): Report => structuredClone(report(store, picture.current));
  Object.defineProperty(window, "gitnexus", { value: Object.freeze({ state }), writable: false, configurable: true });
}

export function report({ state }: Store, picture: GraphDrawing | null): Report {
  const { loaded } = state;
  return {
    link: state.link,
    agents: state.agents,
    calls: state.calls,
    loaded: loaded && {
      repo: loaded.context.repo, nodes: loaded.context.stats.nodes, edges: loaded.context.stats.edges, phases: loaded.phases,
    },
    failure: state.failure,
    highlighted: state.highlight?.nodeIds ?? [],
    annotations: state.annotations.map(({ nodeId, label }) => ({ nodeId, label })),
    selected: state.place.node?.id ?? null,
    drawnNodes: picture?.drawn.length ?? 0,
    picture: picture && {
      camera: picture.where, seen: picture.now, nodes: picture.drawn.map(({ id, x, y, r, shape }) => ({ id, x, y, r, shape })),
      labels: picture.labels().map(({ x, y, width, height }) => ({ x, y, width, height })), frames: picture.frames,
    },
  };
}
