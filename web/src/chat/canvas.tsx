/** A picture to look at and to choose from, by pointer and by keys. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Picture } from "../engine/view/picture.ts";
import { readPalette } from "../ui/graph/palette.ts";
import { draw, fontsOf, planOf, type Measure, type Plan } from "./draw.ts";

interface Props {
  picture: Picture;
  chosen: number;
  /** Changes when colours do. */
  theme: string;
  onChoose: (node: number) => void;
}

export function PictureCanvas({ picture, chosen, theme, onChoose }: Props): JSX.Element {
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [wide, setWide] = useState(0);
  const [hover, setHover] = useState(-1);
  useLayoutEffect(() => {
    const element = stage.current!;
    const observer = new ResizeObserver(() => setWide(element.clientWidth));
    observer.observe(element);
    setWide(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  const plan = useMemo(() => planOf(picture, Math.max(300, wide)), [picture, wide]);

  // Drawn in the next frame: colours and fonts of a new theme are in force by then.
  useEffect(() => {
    const frame = requestAnimationFrame(() => paint(canvas.current!, picture, plan, hover, chosen));
    return () => cancelAnimationFrame(frame);
  }, [picture, plan, hover, chosen, theme]);

  useEffect(() => {
    setHover(-1);
    const main = picture.nodes.findIndex((node) => node.main);
    const element = stage.current!;
    if (main >= 0) element.scrollLeft = plan.marks[main]!.x - element.clientWidth / 2;
    if (main >= 0) element.scrollTop = plan.marks[main]!.y - element.clientHeight / 2;
  }, [picture, wide > 0]);

  const at = (event: MouseEvent): number => {
    const box = canvas.current!.getBoundingClientRect();
    return nodeAt(plan, event.clientX - box.left, event.clientY - box.top);
  };
  const onKey = (event: KeyboardEvent): void => {
    const next = step(picture, plan, chosen, event.key);
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next);
    const { x, y, width, height } = plan.boxes[next]!;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = stage.current!;
    if (x < scrollLeft || x + width > scrollLeft + clientWidth) stage.current!.scrollLeft = x - clientWidth / 3;
    if (y < scrollTop || y + height > scrollTop + clientHeight) stage.current!.scrollTop = y - clientHeight / 3;
  };
  return (
    <div class="stage" ref={stage}>
      <canvas
        ref={canvas} tabIndex={0} role="application" aria-label={`${picture.title}: ${picture.about}. Arrow keys go from one to the next.`}
        style={{ width: `${plan.width}px`, height: `${plan.height}px`, cursor: hover >= 0 ? "pointer" : "default" }}
        onPointerMove={(event) => setHover(at(event))} onPointerLeave={() => setHover(-1)}
        onClick={(event) => onChoose(at(event))} onKeyDown={onKey}
        title={hover >= 0 ? titleOf(picture, hover) : undefined}
      />
    </div>
  );
}

function titleOf({ nodes }: Picture, node: number): string {
  const { name, kind, file, line, count } = nodes[node]!;
  if (kind === "Community") return `${name}: ${count ?? 0} symbols`;
  return `${name}\n${file}${line > 0 ? `:${line}` : ""}${count === undefined ? "" : `\n${count} symbols here`}`;
}

const widths = new Map<string, number>();

function paint(canvas: HTMLCanvasElement, picture: Picture, plan: Plan, hover: number, chosen: number): void {
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(plan.width * scale);
  canvas.height = Math.round(plan.height * scale);
  const context = canvas.getContext("2d")!;
  context.scale(scale, scale);
  const palette = readPalette(document.documentElement);
  const style = getComputedStyle(document.documentElement);
  const measure: Measure = (text, font) => {
    const key = `${font}\n${text}`;
    let width = widths.get(key);
    if (width === undefined) {
      context.font = font;
      widths.set(key, (width = context.measureText(text).width));
    }
    return width;
  };
  draw(context, picture, plan, { palette, fonts: fontsOf(palette.labelFont, style.getPropertyValue("--mono").trim()), measure, hover, chosen });
}

function nodeAt({ boxes }: Plan, x: number, y: number): number {
  return boxes.findIndex((box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
}

/** The node that an arrow key leads to: the nearest one in its direction. */
function step({ nodes }: Picture, { marks }: Plan, from: number, key: string): number | undefined {
  const direction = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[key];
  if (!direction || nodes.length === 0) return undefined;
  if (from < 0) return Math.max(0, nodes.findIndex(({ main }) => main));
  const [dx, dy] = direction as [number, number];
  let [best, least] = [from, Infinity];
  marks.forEach(({ x, y }, i) => {
    const [ax, ay] = [x - marks[from]!.x, y - marks[from]!.y];
    const along = ax * dx + ay * dy;
    const off = Math.abs(ax * dy) + Math.abs(ay * dx);
    if (along > 0.5 && along + 2 * off < least) [best, least] = [i, along + 2 * off];
  });
  return best;
}
