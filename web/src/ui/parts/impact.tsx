/** What a change reaches, as rings: of a symbol as the graph knows it, or of a call as an agent was told it. */
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ImpactAnswer } from "../../engine/view/impact.ts";
import { nodeRef } from "../answers.ts";
import { folder, ringsScene, type RingNode } from "../graph/rings-scene.ts";
import { useAnswer, useApp, useQuestion, useSelect } from "../hooks.ts";
import type { NodeRef } from "../state.ts";
import { count, counted } from "../words.ts";
import { Waiting, Wrong } from "./blank.tsx";
import { Picture, usePalette } from "./picture.tsx";
import { strings } from "../strings.ts";

/** Files that are listed beside the rings. */
const FILES = 40;
const DEEPEST = 10;

export function ImpactView({ node }: { node: NodeRef }): JSX.Element {
  const { store } = useApp();
  const { depth, tests, minConfidence } = useSelect((s) => s.place);
  const answer = useAnswer(useQuestion("view_impact", { id: node.id, depth, tests, minConfidence }), (value) => value as ImpactAnswer, true);
  if (answer.state === "error") return <Wrong title={strings.impact.theImpactIsNot} message={answer.message} />;
  if (answer.state !== "ok") return <Waiting title={strings.impact.lookingWhoDependsOn} />;
  const { target, nodes, totals } = answer.value;
  return (
    <Rings target={target} nodes={nodes} totals={totals}>
      <h2>{strings.impact.whatAChangeOf(node.name)}</h2>
      <label class="legend-row"><span>{strings.impact.steps}</span>
        <input type="range" min={1} max={DEEPEST} value={depth} aria-valuetext={counted(depth, "step")} onInput={(e) => store.dispatch({ type: "go", to: { depth: Number(e.currentTarget.value) } })} />
        <b>{depth}</b>
      </label>
      <label class="toggle"><input type="checkbox" checked={tests} onChange={() => store.dispatch({ type: "go", to: { tests: !tests } })} /><span class="toggle-label">{strings.impact.withTests}</span></label>
      <label class="toggle"><input type="checkbox" checked={minConfidence <= 0.5} onChange={() => store.dispatch({ type: "go", to: { minConfidence: minConfidence > 0.5 ? 0.5 : 0.7 } })} /><span class="toggle-label">{strings.impact.withWhatIsOnly}</span></label>
    </Rings>
  );
}

export function Rings({ target, nodes, totals, children }: { target: NodeRef; nodes: readonly RingNode[]; totals: readonly number[]; children: ComponentChildren }): JSX.Element {
  const { store } = useApp();
  const palette = usePalette();
  const scene = useMemo(() => ringsScene(target, nodes, totals, palette), [target, nodes, totals, palette]);
  const files = useMemo(() => {
    const counts = new Map<string, { total: number; nearest: number }>();
    for (const { file, depth } of nodes) {
      const known = counts.get(file);
      counts.set(file, { total: (known?.total ?? 0) + 1, nearest: Math.min(known?.nearest ?? depth, depth) });
    }
    return [...counts].sort((a, b) => a[1].nearest - b[1].nearest || b[1].total - a[1].total || (a[0] < b[0] ? -1 : 1));
  }, [nodes]);
  const folders = new Set(nodes.map(({ file }) => folder(file))).size;
  const total = totals.reduce((sum, n) => sum + n, 0);
  const open = (id: string): void => {
    const ref = nodeRef(id);
    // What was only named has no id of its own.
    if (ref && ref.kind !== "Symbol") store.dispatch({ type: "go", to: { view: "read", node: ref } });
  };
  return (
    <div class="split">
      <aside class="split-side" aria-label={strings.impact.counts}>
        {children}
        <ul class="levels">
          {totals.map((n, i) => <li key={i}><span>{strings.impact.stepsAway(counted(i + 1, "step"))}</span><b>{count(n)}</b></li>)}
          <li class="sum"><span>{strings.impact.within(counted(folders, "folder"), counted(files.length, "file"))}</span><b>{count(total)}</b></li>
        </ul>
        {total === 0 && <p class="empty">{strings.impact.nothingThatTheGraph}</p>}
        <ul class="rows">
          {files.slice(0, FILES).map(([file, { total: n }]) => (
            <li key={file}>
              <button type="button" class="row" title={file} onClick={() => store.dispatch({ type: "go", to: { view: "read", node: nodeRef(`File:${file}`) ?? null } })}>
                <span class="row-name ellipsis from-end">{file}</span><span class="row-aside">{count(n)}</span>
              </button>
            </li>
          ))}
          {files.length > FILES && <li class="muted pad-small">{strings.impact.andMoreFiles(count(files.length - FILES))}</li>}
        </ul>
      </aside>
      <div class="split-main">
        <Picture scene={scene} spotlight={false} note={counted(nodes.length, "node")} onEnter={({ id }) => open(id)}
          label={strings.impact.ringsAroundTheCounts(target.name, totals.map((n, i) => strings.impact.atStep(n, i + 1)).join(", "))} />
      </div>
    </div>
  );
}
