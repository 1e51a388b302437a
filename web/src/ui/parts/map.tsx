/** The map of the whole code base: folders or clusters that open as one comes near. */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MapAnswer } from "../../engine/view/map.ts";
import { nodeRef } from "../answers.ts";
import type { GraphDrawing } from "../graph/drawing.ts";
import { groupKey, MapPlaces, mapScene } from "../graph/map-scene.ts";
import { EMPTY, type SceneNode } from "../graph/scene.ts";
import { useAnswer, useApp, useMedia, useQuestion, useSelect } from "../hooks.ts";
import { count, counted, PHASE_WORDS } from "../words.ts";
import { LegendIcon, Spinner } from "./icons.tsx";
import { Legend } from "./legend.tsx";
import { Picture, usePalette } from "./picture.tsx";

/** A closed group opens when its radius is this share of the stage, and folds again when it is that one. */
const OPENS = 0.3;
const FOLDS = 0.06;
/** Nodes of an agent's highlight that are looked for in closed groups. */
const REVEALED = 60;

export function MapView(): JSX.Element {
  const { store } = useApp();
  const narrow = useMedia("(max-width: 1099px)");
  const [legend, setLegend] = useState(!narrow);
  useEffect(() => setLegend(!narrow), [narrow]);
  const palette = usePalette();
  const place = useSelect((s) => s.place);
  const { by, open, hiddenKinds } = place;
  const colourBy = useSelect((s) => s.colourBy);
  const highlight = useSelect((s) => s.highlight);
  const annotations = useSelect((s) => s.annotations);
  const sight = useSelect((s) => s.sight);
  const repo = useSelect((s) => s.loaded?.context.repo ?? "");
  const version = useSelect((s) => s.loaded?.version ?? 0);
  const places = useMemo(() => new MapPlaces(), [repo]);
  const [dragged, setDragged] = useState(0);

  const wanted = [place.node?.id, ...(highlight?.nodeIds ?? []), ...annotations.map(({ nodeId }) => nodeId), ...(sight?.nodeIds ?? [])].filter((id) => id !== undefined);
  const revealed = useRef(new Set<string>());
  for (const id of revealed.current) if (!wanted.includes(id)) revealed.current.delete(id);
  const reveal = wanted.length <= REVEALED ? wanted.filter((id) => !revealed.current.has(id)) : [];
  const answer = useAnswer(useQuestion("view_map", {
    by, ...(open ? { open } : {}), reveal, mark: wanted, hiddenTypes: [...place.hiddenTypes].sort(), minConfidence: place.minConfidence, tests: place.tests,
  }), (value) => ({ map: value as MapAnswer, wanted, reveal }), true);
  const got = answer.state === "ok" ? answer.value : undefined;

  useEffect(() => {
    if (!got) return;
    for (const id of got.reveal) revealed.current.add(id);
    if (got.map.revealed) store.dispatch({ type: "go", to: { open: got.map.open } });
  }, [got]);

  const scene = useMemo(() => (got ? mapScene(got.map, by, places, { palette, colourBy, hiddenKinds }) : EMPTY), [got, by, places, palette, colourBy, hiddenKinds, dragged]);
  const marks = useMemo(() => new Map(got?.wanted.map((id, i) => [id, got.map.nodes[got.map.marks[i] ?? -1]?.id])), [got]);
  const lastVersion = useRef({ version: 0, got });
  const edited = lastVersion.current.version > 0 && lastVersion.current.version !== version;
  useEffect(() => {
    lastVersion.current = { version, got };
  }, [got]);

  const auto = useRef(new Set<string>());
  const setOpen = (next: Iterable<string>): void => store.dispatch({ type: "go", to: { open: [...next] } });
  const onEnter = (node: SceneNode): void => {
    const now = got?.map.open ?? [];
    if (node.shape === "open") setOpen(now.filter((id) => id !== node.id));
    else if (node.shape === "group") setOpen([...now, node.id]);
    else {
      const ref = nodeRef(node.id);
      if (ref) store.dispatch({ type: "go", to: { view: "read", node: ref } });
    }
  };
  const onRest = (drawing: GraphDrawing): void => {
    if (!got) return;
    const now = new Set(got.map.open);
    const before = now.size;
    let changed = false;
    for (const node of drawing.drawn) {
      const { share, inView } = drawing.share(node);
      if (node.shape === "group" && inView && share > OPENS) {
        now.add(node.id);
        auto.current.add(node.id);
      } else if (node.shape === "open" && share < FOLDS && auto.current.delete(node.id)) changed = now.delete(node.id) || changed;
    }
    if (changed || now.size !== before) setOpen(now);
  };
  const behind = useSelect((s) => (s.indexing?.behind && s.indexing.phase ? PHASE_WORDS[s.indexing.phase].title : ""));
  const note = behind !== "" ? <><Spinner /> {behind}</>
    : answer.state === "loading" ? <><Spinner /> Drawing</>
    : answer.state === "error" ? answer.message
    : got ? `${count(scene.nodes.length)} of ${counted(got.map.total, "node")} shown` : "";
  return (
    <>
      <Picture scene={scene} edited={edited} sight={sight} note={note} seenAs={(id) => (marks.has(id) ? marks.get(id) : id)}
        label={`Map of ${repo} with ${counted(scene.nodes.length, "node")}. Arrow keys move, and along relations when a node is selected; plus and minus zoom, 0 fits, Enter opens.`}
        onEnter={onEnter} onRest={onRest}
        onDrag={(node, parent, x, y) => {
          const ground = parent ?? { x: 0, y: 0, r: 1000 };
          places.drag(groupKey(by, parent), node.id, (x - ground.x) / ground.r, (y - ground.y) / ground.r);
          setDragged((n) => n + 1);
        }} />
      <div class="corner start" data-floats>
        {legend ? <Legend clusters={got?.map.clusters ?? []} onClose={() => setLegend(false)} /> : <button type="button" class="button" aria-label="Legend and filters" onClick={() => setLegend(true)}><LegendIcon /><span class="roomy-only">Legend and filters</span></button>}
      </div>
    </>
  );
}
