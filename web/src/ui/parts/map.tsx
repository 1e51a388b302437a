/** The map of the whole code base: folders or clusters that open as one comes near. */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { startWorker } from "../../code.ts";
import { turn } from "../../engine/turns.ts";
import { toggledOpen, type MapAnswer } from "../../engine/view/map.ts";
import type { Place } from "../address.ts";
import { nodeRef } from "../answers.ts";
import type { GraphDrawing } from "../graph/drawing.ts";
import { arrangerOf, Places, type Arranger } from "../graph/places.ts";
import { groupKey, mapScene, treeScene, unarranged } from "../graph/map-scene.ts";
import { Revealed, sameGroups } from "../graph/revealed.ts";
import { EMPTY, type SceneNode } from "../graph/scene.ts";
import { useAnswer, useApp, useMedia, useQuestion, useSelect } from "../hooks.ts";
import { count, counted, PHASE_WORDS } from "../words.ts";
import { LegendIcon, Spinner } from "./icons.tsx";
import { Legend } from "./legend.tsx";
import { Picture, usePalette } from "./picture.tsx";
import { strings } from "../strings.ts";

/** A closed group opens when its radius is this share of the stage, and folds again when it is that one. */
const OPENS = 0.3;
const FOLDS = 0.06;
/** Nodes of an agent's highlight that are looked for in closed groups. */
const REVEALED = 60;

const arranger: Arranger = arrangerOf(startWorker("arrange"));

export function MapView(): JSX.Element {
  const { store } = useApp();
  const narrow = useMedia("(max-width: 1099px)");
  const [legend, setLegend] = useState(!narrow);
  useEffect(() => setLegend(!narrow), [narrow]);
  const palette = usePalette();
  const place = useSelect((s) => s.place);
  const { by, open, hiddenKinds, arrange } = place;
  const colourBy = useSelect((s) => s.colourBy);
  const highlight = useSelect((s) => s.highlight);
  const annotations = useSelect((s) => s.annotations);
  const sight = useSelect((s) => s.sight);
  const repo = useSelect((s) => s.loaded?.context.repo ?? "");
  const version = useSelect((s) => s.loaded?.version ?? 0);
  const places = placesOf(repo);
  const [dragged, setDragged] = useState(0);
  const [got, setGot] = useState<Arranged>();
  const shown = useMemo(() => got && { drawn: new Set(got.map.nodes.map(({ id }) => id)), asked: got.open, opened: got.map.open }, [got]);

  const wanted = [place.node?.id, ...(highlight?.nodeIds ?? []), ...annotations.map(({ nodeId }) => nodeId), ...(sight?.nodeIds ?? [])].filter((id) => id !== undefined);
  const revealed = useRef(new Revealed()).current;
  const left = revealed.left(wanted, shown, open);
  const reveal = wanted.length <= REVEALED ? left : [];
  const mark = wanted.filter((id) => shown?.drawn.has(id) !== true);
  const answer = useAnswer(useQuestion("view_map", {
    by, ...(open ? { open } : {}), reveal, mark, hiddenTypes: [...place.hiddenTypes].sort(), minConfidence: place.minConfidence, tests: place.tests,
    ...(place.within === "" ? {} : { within: place.within }), changed: place.changed,
  }), (value) => ({ map: value as MapAnswer, by, mark, reveal, open }), true);
  const { busy, failure } = useArranged(answer.state === "ok" ? answer.value : undefined, arrange, places, setGot);

  useEffect(() => {
    // Where groups were opened or folded after this was asked, the next answer reveals.
    if (!got || !sameGroups(got.open, store.state.place.open)) return;
    revealed.add(got.reveal);
    if (got.map.revealed) store.dispatch({ type: "go", to: { open: got.map.open } });
  }, [got]);

  const scene = useMemo(() => {
    if (!got) return EMPTY;
    const look = { palette, colourBy, hiddenKinds };
    return got.arrange === "tree" ? treeScene(got.map, repo, look) : mapScene(got.map, got.by, got.arrange, places, look);
  }, [got, places, palette, colourBy, hiddenKinds, dragged]);
  const marks = useMemo(() => new Map(got?.mark.map((id, i) => [id, got.map.nodes[got.map.marks[i] ?? -1]?.id])), [got]);
  const lastVersion = useRef({ version: 0, got });
  const edited = lastVersion.current.version > 0 && lastVersion.current.version !== version;
  useEffect(() => {
    lastVersion.current = { version, got };
  }, [got]);

  const auto = useRef(new Set<string>());
  /** The open groups as of now: the map may still show what was asked before. */
  const opened = (): readonly string[] => store.state.place.open ?? got?.map.open ?? [];
  const setOpen = (next: readonly string[]): void => store.dispatch({ type: "go", to: { open: next } });
  const onEnter = (node: SceneNode): void => {
    const known = got?.map.nodes.find(({ id }) => id === node.id);
    if (known?.group) setOpen(toggledOpen(opened(), node.id, !known.open));
    else {
      const ref = nodeRef(node.id);
      if (ref) store.dispatch({ type: "go", to: { view: "read", node: ref } });
    }
  };
  const onRest = (drawing: GraphDrawing): void => {
    if (!got) return;
    const before = opened();
    let now = before;
    for (const node of drawing.drawn) {
      const { share, inView } = drawing.share(node);
      if (node.shape === "group" && inView && share > OPENS) {
        now = toggledOpen(now, node.id, true);
        auto.current.add(node.id);
      } else if (node.shape === "open" && share < FOLDS && auto.current.delete(node.id)) now = toggledOpen(now, node.id, false);
    }
    if (now !== before) setOpen(now);
  };
  const clusters = got?.map.clusters;
  // The same element while nothing of it changes: a selection does not render it again.
  const shownLegend = useMemo(() => <Legend clusters={clusters ?? []} onClose={() => setLegend(false)} />, [clusters]);
  const behind = useSelect((s) => (s.indexing?.behind && s.indexing.phase ? PHASE_WORDS[s.indexing.phase].title : ""));
  const note = behind !== "" ? <><Spinner /> {behind}</>
    : answer.state === "error" ? answer.message
    : failure !== "" ? failure
    : answer.state === "loading" || busy ? <><Spinner /> {strings.map.drawing}</>
    : got ? strings.map.ofShown(count(scene.nodes.length), counted(got.map.total, "node")) : "";
  return (
    <>
      <Picture scene={scene} edited={edited} sight={sight} note={note} seenAs={(id) => (marks.has(id) ? marks.get(id) : id)}
        label={strings.map.mapOfWithArrow(repo, counted(scene.nodes.length, "node"))}
        onEnter={onEnter} onRest={onRest}
        {...(arrange === "tree" ? {} : { onDrag: (node: SceneNode, parent: SceneNode | undefined, x: number, y: number) => {
          const ground = parent ?? { x: 0, y: 0, r: 1000 };
          places.drag(groupKey(by, arrange, parent), node.id, (x - ground.x) / ground.r, (y - ground.y) / ground.r);
          setDragged((n) => n + 1);
        } })} />
      <div class="corner start" data-floats>
        {legend ? shownLegend : <button type="button" class="button" aria-label={strings.map.legendAndFilters} onClick={() => setLegend(true)}><LegendIcon /><span class="roomy-only">{strings.map.legendAndFilters}</span></button>}
      </div>
    </>
  );
}

const kept = new Map<string, Places>();

/** They outlive the view: what was dragged stays where it is while another view or repository is shown. */
function placesOf(repo: string): Places {
  let places = kept.get(repo);
  if (!places) kept.set(repo, (places = new Places()));
  return places;
}

/** An answer of view_map, with what was asked. */
interface Got {
  map: MapAnswer;
  by: string;
  mark: string[];
  reveal: string[];
  /** The open groups that it was asked for; null for the default. */
  open: readonly string[] | null;
}

type Arranged = Got & { arrange: Place["arrange"] };

/**
 * Gives each answer once everything in it has its place, so that nothing is seen half arranged. Returns whether one is being arranged, and why
 * one could not be. A large one takes a task for each step: what the user does meanwhile comes between them.
 */
function useArranged(answer: Got | undefined, arrange: Place["arrange"], places: Places, give: (arranged: Arranged) => void): { busy: boolean; failure: string } {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  useEffect(() => {
    if (!answer) return undefined;
    const tasks = arrange === "tree" ? [] : unarranged(answer.map, answer.by, arrange, places);
    if (tasks.length === 0) {
      give({ ...answer, arrange });
      return undefined;
    }
    let isWanted = true;
    const arrangeAll = async (): Promise<void> => {
      await turn();
      const discs = await arranger(tasks);
      // Else an edit has come in the meantime: its own answer is arranged next to what was there before.
      if (isWanted) tasks.forEach((task, i) => places.set(task, discs[i]!));
      await turn();
      if (!isWanted) return;
      give({ ...answer, arrange });
      setBusy(false);
    };
    setBusy(true);
    arrangeAll().catch((why: unknown) => isWanted && setFailure(why instanceof Error ? why.message : String(why)));
    return () => {
      isWanted = false;
      setBusy(false);
    };
  }, [answer, arrange, places]);
  return { busy, failure };
}
