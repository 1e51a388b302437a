/** `window.gitnexus`: what the page knows, for end-to-end tests and the curious. Nothing can be changed through it. */
import type { AgentInfo, LinkState } from "../messages.ts";
import type { Call } from "./state.ts";
import type { Store } from "./store.ts";

export interface Report {
  link: LinkState;
  agents: AgentInfo[];
  /** Newest first. */
  calls: Call[];
  /** null while nothing is loaded. nodes and edges: those that may be drawn. */
  loaded: {
    repo: string; nodes: number; edges: number; totalNodes: number; totalEdges: number;
    /** Time of each phase of indexing. */
    phases: { phase: string; ms: number }[];
  } | null;
  /** Why the last load failed. */
  failure: string | null;
  highlighted: string[];
  annotations: { nodeId: string; label: string }[];
  selected: string | null;
  /** Nodes on the screen now, after the filters. */
  drawnNodes: number;
}

declare global {
  interface Window {
    readonly gitnexus: { state(): Report };
  }
}

export function publish(store: Store, drawnNodes: () => number): void {
  const state = (): Report => structuredClone(report(store, drawnNodes()));
  Object.defineProperty(window, "gitnexus", { value: Object.freeze({ state }), writable: false, configurable: true });
}

export function report({ state }: Store, drawnNodes: number): Report {
  const { loaded } = state;
  return {
    link: state.link,
    agents: state.agents,
    calls: state.calls,
    loaded: loaded && {
      repo: loaded.context.repo, nodes: loaded.view.nodes.length, edges: loaded.view.edgeTypes.length,
      totalNodes: loaded.view.totalNodes, totalEdges: loaded.view.totalEdges, phases: loaded.phases,
    },
    failure: state.failure,
    highlighted: state.highlight?.nodeIds ?? [],
    annotations: state.annotations.map(({ nodeId, label }) => ({ nodeId, label })),
    selected: state.trail.at(-1)?.id ?? null,
    drawnNodes,
  };
}
