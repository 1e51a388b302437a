/** What the colours mean, and which kinds of nodes and edges are shown. */
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { EDGE_TYPES } from "../../engine/graph.ts";
import { clusterRanks, CLUSTER_COLOURS, KINDS } from "../graph/palette.ts";
import { useApp, useSelect } from "../hooks.ts";
import { count } from "../words.ts";
import { KindDot } from "./basics.tsx";
import { ChevronIcon, CloseIcon } from "./icons.tsx";

const CLUSTERS_SHOWN = 7;

export function Legend({ onClose }: { onClose: () => void }): JSX.Element | null {
  const { store } = useApp();
  const view = useSelect((s) => s.loaded?.view);
  const colourBy = useSelect((s) => s.colourBy);
  const hiddenKinds = useSelect((s) => s.hiddenKinds);
  const hiddenEdges = useSelect((s) => s.hiddenEdges);
  const counts = useMemo(() => {
    const kinds = new Map<string, number>();
    for (const { kind } of view?.nodes ?? []) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const edges = EDGE_TYPES.map(() => 0);
    for (const type of view?.edgeTypes ?? []) edges[type]!++;
    const ranks = clusterRanks(view?.nodes ?? []);
    const clusters = (view?.communities ?? [])
      .map(({ id, label }) => ({ label, rank: ranks.get(id) ?? Infinity }))
      .filter(({ rank }) => rank < CLUSTERS_SHOWN)
      .sort((a, b) => a.rank - b.rank);
    return { kinds, edges, clusters, clusterCount: ranks.size };
  }, [view]);
  if (!view) return null;
  const rest = counts.clusterCount - counts.clusters.length;
  return (
    <section class="legend" aria-label="Legend and filters">
      <div class="legend-head">
        <div class="segments" role="radiogroup" aria-label="Colour nodes by">
          {(["cluster", "kind"] as const).map((by) => (
            <label key={by} class={by === colourBy ? "on" : ""}>
              <input type="radio" name="colour-by" checked={by === colourBy} onChange={() => store.dispatch({ type: "colourBy", by })} />
              {by === "cluster" ? "Clusters" : "Kinds"}
            </label>
          ))}
        </div>
        <button type="button" class="icon-button bare" aria-label="Hide the legend" title="Hide the legend" onClick={onClose}><CloseIcon /></button>
      </div>
      {colourBy === "cluster" && counts.clusters.length > 0 && (
        <ul class="legend-clusters">
          {counts.clusters.map(({ label, rank }) => (
            <li key={rank} title={label}><span class="dot" style={{ background: `var(--cluster-${rank % CLUSTER_COLOURS})` }} /><span class="ellipsis">{label}</span></li>
          ))}
          {rest > 0 && <li class="muted">and {count(rest)} more</li>}
        </ul>
      )}
      <Filters key={`nodes ${colourBy}`} title="Node kinds" open={colourBy === "kind"} hidden={KINDS.filter((kind) => counts.kinds.has(kind) && hiddenKinds.has(kind)).length}>
        {KINDS.filter((kind) => counts.kinds.has(kind)).map((kind) => (
          <Toggle key={kind} on={!hiddenKinds.has(kind)} label={kind} n={counts.kinds.get(kind) ?? 0}
            mark={colourBy === "kind" ? <KindDot kind={kind} /> : null} onChange={() => store.dispatch({ type: "toggleKind", kind })} />
        ))}
      </Filters>
      <Filters title="Edge types" open={false} hidden={EDGE_TYPES.filter((_, i) => counts.edges[i]! > 0 && hiddenEdges.has(i)).length}>
        {EDGE_TYPES.map((type, i) => counts.edges[i]! > 0 && (
          <Toggle key={type} on={!hiddenEdges.has(i)} label={EDGE_WORDS[type]} n={counts.edges[i]!} mark={null}
            onChange={() => store.dispatch({ type: "toggleEdge", edge: i })} />
        ))}
      </Filters>
    </section>
  );
}

const EDGE_WORDS: Record<(typeof EDGE_TYPES)[number], string> = {
  CALLS: "calls", IMPORTS: "imports", EXTENDS: "extends", IMPLEMENTS: "implements", CONTAINS: "contains", DEFINES: "defines",
  MEMBER_OF: "member of", STEP_IN_PROCESS: "step in process",
};

function Filters({ title, open, hidden, children }: { title: string; open: boolean; hidden: number; children: ComponentChildren }): JSX.Element {
  return (
    <details class="filters" open={open}>
      <summary><ChevronIcon />{title}{hidden > 0 && <span class="aside">{hidden} hidden</span>}</summary>
      <div class="toggles" role="group" aria-label={title}>{children}</div>
    </details>
  );
}

function Toggle({ on, label, n, mark, onChange }: { on: boolean; label: string; n: number; mark: JSX.Element | null; onChange: () => void }): JSX.Element {
  return (
    <label class={on ? "toggle" : "toggle off"}>
      <input type="checkbox" checked={on} onChange={onChange} />
      {mark}
      <span class="toggle-label">{label}</span>
      <span class="toggle-count">{count(n)}</span>
    </label>
  );
}
