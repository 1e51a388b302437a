/** What stands around a node: what leads to it at the left, where it leads at the right. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { LocalAnswer } from "../../engine/view/local.ts";
import { nodeRef } from "../answers.ts";
import { localScene } from "../graph/local-scene.ts";
import { EMPTY } from "../graph/scene.ts";
import { useAnswer, useApp, useQuestion, useSelect } from "../hooks.ts";
import type { NodeRef } from "../state.ts";
import { counted } from "../words.ts";
import { Filters } from "./legend.tsx";
import { Picture, usePalette } from "./picture.tsx";
import { strings } from "../strings.ts";

const DEEPEST = 5;

export function LocalView({ node }: { node: NodeRef }): JSX.Element {
  const { store } = useApp();
  const palette = usePalette();
  const place = useSelect((s) => s.place);
  const depth = Math.min(DEEPEST, place.depth);
  const answer = useAnswer(useQuestion("view_local", {
    id: node.id, depth, hiddenTypes: [...place.hiddenTypes].sort(), minConfidence: place.minConfidence, tests: place.tests,
  }), (value) => value as LocalAnswer, true);
  const got = answer.state === "ok" ? answer.value : undefined;
  const [dragged, setDragged] = useState<ReadonlyMap<string, { x: number; y: number }>>(new Map());
  const scene = useMemo(() => {
    if (!got) return EMPTY;
    const arranged = localScene(got, palette, place.hiddenKinds);
    return { ...arranged, nodes: arranged.nodes.map((each) => ({ ...each, ...dragged.get(each.id) })) };
  }, [got, palette, place.hiddenKinds, dragged]);
  return (
    <>
      <Picture scene={scene} spotlight={false} note={answer.state === "error" ? answer.message : counted(scene.nodes.length, "node")}
        label={strings.local.surroundingsOfArrowKeys(node.name, counted(scene.nodes.length, "node"))}
        onDrag={({ id }, _, x, y) => setDragged((before) => new Map(before).set(id, { x, y }))}
        onEnter={({ id }) => {
          const ref = nodeRef(id);
          if (ref) store.dispatch({ type: "go", to: { view: "read", node: ref } });
        }} />
      <div class="corner start" data-floats>
        <section class="legend" aria-label={strings.local.depthAndFilters}>
          <label class="legend-row"><span>{strings.local.steps}</span>
            <input type="range" min={1} max={DEEPEST} value={depth} aria-valuetext={counted(depth, "step")} onInput={(e) => store.dispatch({ type: "go", to: { depth: Number(e.currentTarget.value) } })} />
            <b>{depth}</b>
          </label>
          <Filters />
        </section>
      </div>
    </>
  );
}
