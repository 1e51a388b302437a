/** What the colours mean, and what is shown. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { ALL_OPEN, type MapAnswer } from "../../engine/view/map.ts";
import type { Place } from "../address.ts";
import { CLUSTER_COLOURS, KINDS } from "../graph/palette.ts";
import { useAnswer, useApp, useQuestion, useSelect } from "../hooks.ts";
import { count } from "../words.ts";
import { KindDot } from "./basics.tsx";
import { ChevronIcon, CloseIcon } from "./icons.tsx";
import { strings } from "../strings.ts";

const CLUSTERS_SHOWN = 7;
/** Shown by position and colour. */
const INSIDE: ReadonlySet<string> = new Set(["CONTAINS", "DEFINES", "MEMBER_OF", "STEP_IN_PROCESS"]);

interface Figures {
  kinds: Record<string, number>;
  types: Record<string, number>;
}

export function Legend({ clusters, onClose }: { clusters: MapAnswer["clusters"]; onClose: () => void }): JSX.Element {
  const { store } = useApp();
  const colourBy = useSelect((s) => s.colourBy);
  const by = useSelect((s) => s.place.by);
  const arrange = useSelect((s) => s.place.arrange);
  const total = useSelect((s) => s.loaded?.context.stats.communities ?? 0);
  const shown = clusters.slice(0, CLUSTERS_SHOWN);
  return (
    <section class="legend" aria-label={strings.legend.legendAndFilters}>
      <div class="legend-head">
        <Choice name="group-by" label={strings.legend.groupNodesBy} value={by} options={[["folder", strings.legend.folders], ["cluster", strings.legend.clusters]]} onChange={(next) => store.dispatch({ type: "go", to: { by: next } })} />
        <button type="button" class="icon-button bare" aria-label={strings.legend.hideTheLegend} title={strings.legend.hideTheLegend} onClick={onClose}><CloseIcon /></button>
      </div>
      <div class="legend-row"><span class="muted">{strings.legend.arranged}</span>
        <Choice name="arrange" label={strings.legend.arrangeBy} value={arrange} options={[["near", strings.legend.near], ["layers", strings.legend.layers], ["tree", strings.legend.tree]]} onChange={(next) => store.dispatch({ type: "go", to: { arrange: next } })} />
      </div>
      <div class="legend-row"><span class="muted">{strings.legend.colours}</span>
        <Choice name="colour-by" label={strings.legend.colourNodesBy} value={colourBy} options={[["cluster", strings.legend.cluster], ["kind", strings.legend.kind]]} onChange={(next) => store.dispatch({ type: "colourBy", by: next })} />
      </div>
      {colourBy === "cluster" && shown.length > 0 && (
        <ul class="legend-clusters">
          {shown.map(({ label, rank }) => (
            <li key={rank} title={label}><span class="dot" style={{ background: `var(--cluster-${rank % CLUSTER_COLOURS})` }} /><span class="ellipsis">{label}</span></li>
          ))}
          {total > shown.length && <li class="muted">{strings.legend.andMoreClusters(count(total - shown.length))}</li>}
        </ul>
      )}
      <Filters />
      <Part />
    </section>
  );
}

/** Which part of the code base is shown, and whether all of it is opened. */
function Part(): JSX.Element {
  const { store } = useApp();
  const within = useSelect((s) => s.place.within);
  const changed = useSelect((s) => s.place.changed);
  const isAllOpen = useSelect((s) => s.place.open?.includes(ALL_OPEN) ?? false);
  const selected = useSelect((s) => (s.place.node?.kind === "Folder" ? s.place.node.file : ""));
  const watched = useSelect((s) => s.freshness !== null);
  const go = (to: Partial<Place>): void => store.dispatch({ type: "go", to });
  // Taking the filter away does not fold what the pointer is on.
  const [unfolded] = useState(within !== "" || changed);
  return (
    <Fold title={strings.legend.part} open={unfolded} hidden={0} aside={[within, changed ? strings.changes.changed : ""].filter((word) => word !== "").join(", ")}>
      {() => <>
        <form class="part-form" onSubmit={(e) => {
          e.preventDefault();
          go({ within: (new FormData(e.currentTarget).get("within") as string).trim().replace(/^\.?\/+|\/+$/gu, ""), camera: null });
        }}>
          <input type="text" name="within" key={within} defaultValue={within} placeholder={strings.legend.srcFolder} spellcheck={false} aria-label={strings.legend.folderThatAloneIs} />
          <button type="submit" class="button small">{strings.legend.onlyThis}</button>
          {within !== "" && <button type="button" class="button small" onClick={() => go({ within: "", camera: null })}>{strings.legend.all}</button>}
          {selected !== "" && selected !== within && <button type="button" class="button small" onClick={() => go({ within: selected, camera: null })}>{strings.legend.only(selected)}</button>}
        </form>
        <Toggle on={changed} label={watched ? strings.legend.changedSinceTheLoad : strings.legend.changedNotWatched} mark={null} onChange={() => go({ changed: !changed })} />
        <Toggle on={isAllOpen} label={strings.legend.everythingOpen} mark={null} onChange={() => go({ open: isAllOpen ? null : [ALL_OPEN] })} />
      </>}
    </Fold>
  );
}

/** Filters that hold for the map and for the surroundings of a node. */
export function Filters(): JSX.Element {
  const { store } = useApp();
  const hiddenKinds = useSelect((s) => s.place.hiddenKinds);
  const hiddenTypes = useSelect((s) => s.place.hiddenTypes);
  const minConfidence = useSelect((s) => s.place.minConfidence);
  const tests = useSelect((s) => s.place.tests);
  const colourBy = useSelect((s) => s.colourBy);
  const answer = useAnswer(useQuestion("view_figures", {}), (value) => value as Figures);
  const { kinds, types } = answer.state === "ok" ? answer.value : { kinds: {}, types: {} };
  const kindNames = KINDS.filter((kind) => (kinds[kind] ?? 0) > 0 && kind !== "Folder" && kind !== "Community" && kind !== "Process");
  const typeNames = Object.keys(types).filter((type) => !INSIDE.has(type)).sort();
  return (
    <>
      <Fold key={`nodes ${colourBy}`} title={strings.legend.nodeKinds} open={colourBy === "kind"} hidden={kindNames.filter((kind) => hiddenKinds.has(kind)).length}>
        {() => kindNames.map((kind) => (
          <Toggle key={kind} on={!hiddenKinds.has(kind)} label={kind} n={kinds[kind] ?? 0}
            mark={colourBy === "kind" ? <KindDot kind={kind} /> : null} onChange={() => store.dispatch({ type: "toggleKind", kind })} />
        ))}
      </Fold>
      <Fold title={strings.legend.relations} open={false} hidden={typeNames.filter((type) => hiddenTypes.has(type)).length + (minConfidence > 0.5 ? 1 : 0) + (tests ? 0 : 1)}>
        {() => <>
          {typeNames.map((type) => (
            <Toggle key={type} on={!hiddenTypes.has(type)} label={type.toLowerCase().replaceAll("_", " ")} n={types[type] ?? 0} mark={null}
              onChange={() => store.dispatch({ type: "toggleType", edge: type })} />
          ))}
          <Toggle on={tests} label={strings.legend.fromTests} mark={null} onChange={() => store.dispatch({ type: "go", to: { tests: !tests } })} />
          <Toggle on={minConfidence <= 0.5} label={strings.legend.uncertainOnes} mark={null} onChange={() => store.dispatch({ type: "go", to: { minConfidence: minConfidence > 0.5 ? 0.5 : 0.7 } })} />
        </>}
      </Fold>
    </>
  );
}

export function Choice<T extends string>(
  { name, label, value, options, onChange }: { name: string; label: string; value: T; options: readonly (readonly [T, string])[]; onChange: (value: T) => void },
): JSX.Element {
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {options.map(([option, words]) => (
        <label key={option} class={option === value ? "on" : ""}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          {words}
        </label>
      ))}
    </div>
  );
}

/** What is folded is rendered once it has been opened: most never is. */
function Fold({ title, open, hidden, aside = "", children }: { title: string; open: boolean; hidden: number; aside?: string; children: () => ComponentChildren }): JSX.Element {
  const [isOpened, setOpened] = useState(open);
  return (
    <details class="filters" open={open} onToggle={() => setOpened(true)}>
      <summary><ChevronIcon />{title}{(hidden > 0 || aside !== "") && <span class="aside ellipsis">{aside === "" ? strings.legend.hidden(hidden) : aside}</span>}</summary>
      <div class="toggles" role="group" aria-label={title}>{isOpened && children()}</div>
    </details>
  );
}

function Toggle({ on, label, n, mark, onChange }: { on: boolean; label: string; n?: number; mark: JSX.Element | null; onChange: () => void }): JSX.Element {
  return (
    <label class={on ? "toggle" : "toggle off"}>
      <input type="checkbox" checked={on} onChange={onChange} />
      {mark}
      <span class="toggle-label">{label}</span>
      {n !== undefined && <span class="toggle-count">{count(n)}</span>}
    </label>
  );
}
