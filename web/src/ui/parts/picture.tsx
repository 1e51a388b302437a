/** A scene on the stage, with what all pictures have: camera in the address, selection, keys, zoom, export. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { startWorker } from "../../code.ts";
import type { Camera } from "../address.ts";
import { GraphDrawing, type DrawingEvents, type Look } from "../graph/drawing.ts";
import { readPalette, type Palette } from "../graph/palette.ts";
import type { Scene } from "../graph/scene.ts";
import { useApp, useMedia, useSelect, useTheme } from "../hooks.ts";
import type { NodeRef } from "../state.ts";
import { nodeRef } from "../answers.ts";
import { save } from "../save.ts";
import { IconButton } from "./basics.tsx";
import { FitIcon, MinusIcon, PlusIcon } from "./icons.tsx";
import { strings } from "../strings.ts";

export interface PictureProps {
  scene: Scene;
  /** What the picture shows, for who does not see it. */
  label: string;
  /** The id under which a node is seen: its own, or that of the group around it. */
  seenAs?: (id: string) => string | undefined;
  /** The scene differs from the last one because the code was edited. */
  edited?: boolean;
  /** The selected node's neighbours stand out; they do not in a picture that is about it. */
  spotlight?: boolean;
  /** To be brought into view, whenever it is another object; without ids everything is. */
  sight?: { nodeIds: readonly string[] } | null;
  note?: ComponentChildren;
  onEnter: DrawingEvents["onEnter"];
  /** A node was clicked, or walked to by arrow keys; without it the node is selected. */
  onChoose?: ((node: NodeRef) => void) | undefined;
  onDrag?: DrawingEvents["onDrag"];
  /** The camera has come to rest. */
  onRest?: (drawing: GraphDrawing) => void;
}

const painting = startWorker("paint");

export function Picture(props: PictureProps): JSX.Element {
  const { scene, label, sight, note } = props;
  const { store, picture } = useApp();
  const container = useRef<HTMLDivElement>(null);
  const drawing = useRef<GraphDrawing | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [broken, setBroken] = useState("");
  /** The picture of an answer stays: it is not about the node. */
  const choose = (node: NodeRef): void => store.dispatch(/^(?:call|query)$/u.test(store.state.place.view) ? { type: "go", to: { node, camera: store.state.place.camera } } : { type: "select", node });
  const look = useLook(props.seenAs ?? same, props.spotlight ?? true);
  const camera = useSelect((s) => s.place.camera);
  const selected = look.selected;
  const pointed = useSelect((s) => s.highlight);
  const shown = useRef<{ selected: string | null; sight: unknown; pointed: unknown; first: boolean }>({ selected: null, sight, pointed: null, first: true });

  useLayoutEffect(() => {
    if (!container.current) return undefined;
    try {
      const made = new GraphDrawing(container.current, look, {
        onSelect: (id) => {
          const ref = id === null ? undefined : nodeRef(id);
          if (ref) (latest.current.onChoose ?? choose)(ref);
          else if (store.state.place.view === "map") store.dispatch({ type: "deselect" });
        },
        onEnter: (node) => latest.current.onEnter(node),
        onCamera: (at: Camera) => {
          store.dispatch({ type: "go", to: { camera: at } });
          latest.current.onRest?.(made);
        },
        onDrag: (...drag) => latest.current.onDrag?.(...drag),
        onBroken: setBroken,
      }, painting);
      drawing.current = picture.current = made;
      made.place(store.state.place.camera);
      return () => {
        drawing.current = null;
        if (picture.current === made) picture.current = null;
        made.dispose();
      };
    } catch (why) {
      setBroken(why instanceof Error ? why.message : String(why));
      return undefined;
    }
  }, []);
  useLayoutEffect(() => drawing.current?.update(scene, latest.current.edited), [scene]);
  useLayoutEffect(() => drawing.current?.setLook(look), [look]);
  useLayoutEffect(() => {
    if (drawing.current && drawing.current.where !== camera) drawing.current.place(camera);
  }, [camera]);
  useEffect(() => {
    const made = drawing.current;
    if (!made || scene.nodes.length === 0) return;
    const { current } = shown;
    const seen = (ids: readonly string[]): string[] => ids.map((id) => (latest.current.seenAs ?? same)(id) ?? id).filter((id) => made.has(id));
    // What is not in the scene yet will be in one of the next.
    const turn = (key: "sight" | "pointed", what: { nodeIds: readonly string[] } | null | undefined): boolean => {
      if (!what || what === current[key]) return false;
      const ids = seen(what.nodeIds);
      if (what.nodeIds.length > 0 && ids.length === 0) return false;
      current[key] = what;
      if (ids.length === 0) made.fit();
      else made.focus(ids);
      return true;
    };
    const moved = turn("sight", sight) || turn("pointed", pointed);
    if (selected === current.selected || (selected !== null && !made.has(selected))) return;
    // A link has said where the camera is.
    if (selected !== null && !moved && !made.sees(selected) && !(current.first && camera !== null)) made.focus([selected]);
    current.selected = selected;
    current.first = false;
  }, [scene, selected, sight, pointed]);

  const key = (e: KeyboardEvent): void => {
    const made = drawing.current;
    if (!made || e.target !== e.currentTarget || e.ctrlKey || e.metaKey || e.altKey) return;
    const move = (right: number, down: number) => (): void => {
      const next = selected === null || e.shiftKey ? undefined : made.toward(selected, right, down);
      const ref = next === undefined ? undefined : nodeRef(next);
      if (ref) (latest.current.onChoose ?? choose)(ref);
      else made.pan(0.15 * right, 0.15 * down);
    };
    const actions: Record<string, () => void> = {
      "+": () => made.zoom(1.5), "=": () => made.zoom(1.5), "-": () => made.zoom(1 / 1.5), "0": () => made.fit(),
      ArrowLeft: move(-1, 0), ArrowRight: move(1, 0), ArrowUp: move(0, -1), ArrowDown: move(0, 1),
      Enter: () => {
        const node = made.drawn.find(({ id }) => id === selected);
        if (node) latest.current.onEnter(node);
      },
    };
    const action = actions[e.key];
    if (!action) return;
    e.preventDefault();
    action();
  };
  const name = (ending: string): string => `${(store.state.loaded?.context.repo ?? "graph").replace(/[^\w.-]+/g, "-")}.${ending}`;
  return (
    <>
      <div class="graph" ref={container} tabIndex={0} role="application" onKeyDown={key} aria-label={label} />
      {broken !== "" && (
        <div class="stage-empty"><section class="card tone-bad"><h1>{strings.picture.theGraphCannotBe}</h1>
          <p class="reason">{broken}</p>
          <p class="muted">{strings.picture.itIsLoadedAll}</p></section></div>
      )}
      <div class="corner end">
        <p class="stage-note" role="status" data-floats>{note}</p>
        <div class="zoom" role="group" aria-label={strings.picture.viewOfThePicture} data-floats>
          <button type="button" class="button quiet small" title={strings.picture.saveWhatIsSeen} onClick={() => void drawing.current?.png().then((blob) => save(blob, name("png")))}>{strings.picture.png}</button>
          <button type="button" class="button quiet small" title={strings.picture.saveWhatIsSeenAs} onClick={() => drawing.current && save(new Blob([drawing.current.svg()], { type: "image/svg+xml" }), name("svg"))}>{strings.picture.svg}</button>
          <IconButton label={strings.picture.zoomIn} onClick={() => drawing.current?.zoom(1.5)}><PlusIcon /></IconButton>
          <IconButton label={strings.picture.zoomOut} onClick={() => drawing.current?.zoom(1 / 1.5)}><MinusIcon /></IconButton>
          <IconButton label={strings.picture.fitTheGraph} onClick={() => drawing.current?.fit()}><FitIcon /></IconButton>
        </div>
      </div>
    </>
  );
}

const same = (id: string): string => id;

/** The last that were read: every picture shows the same. */
let readColours: { key: string; palette: Palette } | undefined;

/** The colours of the theme that is shown. */
export function usePalette(): Palette {
  const theme = useTheme();
  const colours = useSelect((s) => s.colours);
  const forced = useMedia("(forced-colors: active)");
  const contrast = useMedia("(prefers-contrast: more)");
  const key = `${theme} ${colours} ${forced} ${contrast}`;
  if (readColours?.key !== key) readColours = { key, palette: readPalette(document.documentElement) };
  return readColours.palette;
}


function useLook(seenAs: (id: string) => string | undefined, spotlight: boolean): Look {
  const palette = usePalette();
  const highlight = useSelect((s) => s.highlight);
  const annotations = useSelect((s) => s.annotations);
  const id = useSelect((s) => s.place.node?.id ?? null);
  const still = useMedia("(prefers-reduced-motion: reduce)");
  const narrow = useMedia("(max-width: 1099px)");
  const inspecting = useSelect((s) => s.place.view === "map" && s.place.node !== null);
  const selected = id === null ? null : seenAs(id) ?? null;
  const pointed = highlight?.nodeIds.map((each) => seenAs(each) ?? each);
  const key = JSON.stringify([selected, pointed, annotations.map(({ nodeId }) => seenAs(nodeId)), still, narrow, inspecting]);
  const kept = useRef<{ key: string; parts: unknown[]; look: Look } | null>(null);
  const parts = [palette, highlight, annotations];
  if (kept.current?.key !== key || parts.some((part, i) => part !== kept.current?.parts[i])) {
    kept.current = {
      key, parts,
      look: {
        palette, selected, spotlight, still,
        highlight: highlight && pointed ? { nodeIds: pointed, color: highlight.color } : null,
        annotations: annotations.map(({ nodeId, label, color }) => ({ nodeId: seenAs(nodeId) ?? nodeId, label, color })),
        covered: inspecting ? (narrow ? Math.min(440, 0.92 * innerWidth) : 460) : 0,
      },
    };
  }
  return kept.current.look;
}
