/** Nodes in layers with the relations between them: what leads to something stands at its left. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { LocalAnswer } from "../../engine/view/local.ts";
import { nodeRef } from "../answers.ts";
import { localScene } from "../graph/local-scene.ts";
import type { Scene } from "../graph/scene.ts";
import { useAnswer, useApp, useQuestion } from "../hooks.ts";
import type { NodeRef } from "../state.ts";
import { strings } from "../strings.ts";
import { counted } from "../words.ts";
import { Blank, Waiting } from "./blank.tsx";
import { Picture, usePalette } from "./picture.tsx";

const NONE: ReadonlySet<string> = new Set();

/** `label`: what the nodes are, for who does not see them. `onChoose`: instead of selecting a node. */
export function Between({ ids, label, onChoose }: { ids: readonly string[]; label: string; onChoose?: (node: NodeRef) => void }): JSX.Element {
  const { store } = useApp();
  const palette = usePalette();
  const answer = useAnswer(useQuestion("view_between", { ids }), (value) => value as LocalAnswer & { total: number }, true);
  const got = answer.state === "ok" ? answer.value : undefined;
  // Its first column is at the left, and there is none around which the others stand.
  const scene = useMemo((): Scene | undefined => got && { ...localScene(got, palette, NONE), readable: { scale: 0.62, from: "corner" } }, [got, palette]);
  if (!got || !scene) return answer.state === "error" ? <Blank title={answer.message} /> : <Waiting title={strings.between.drawing} />;
  return (
    <div class="query-picture">
      <Picture scene={scene} spotlight={false} onChoose={onChoose} label={strings.between.arrowKeysWalk(label, counted(got.nodes.length, "node"))}
        note={got.total > got.nodes.length ? strings.between.theFirstOf(got.nodes.length, counted(got.total, "node")) : counted(got.total, "node")}
        onEnter={({ id }) => store.dispatch({ type: "go", to: { view: "read", node: nodeRef(id) ?? null } })} />
    </div>
  );
}
