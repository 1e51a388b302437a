/** Mouse, touch and wheel on a canvas, as what they mean. */

export interface PointerMeaning {
  /** Index of the node at a pixel; -1 for none. */
  /** `reach`: pixels by which what points may miss it. */
  at(x: number, y: number, reach: number): number;
  canDrag(node: number): boolean;
  hover(node: number): void;
  click(node: number): void;
  enter(node: number): void;
  pan(dx: number, dy: number): void;
  zoom(x: number, y: number, factor: number): void;
  drag(node: number, x: number, y: number): void;
}

/** Pixels from which on a press is a drag. */
const SLACK = 4;
/** The same for a finger, and how far beside a node it may come down. */
const FINGER = { slack: 10, reach: 16 };
/** Two clicks within this time, in milliseconds, are one double click. */
const TWICE = 500;

export class Pointer {
  private readonly ended = new AbortController();
  private readonly down = new Map<number, { x: number; y: number }>();
  private pressed: { node: number; x: number; y: number; moved: boolean } | undefined;
  private last = { node: -1, x: 0, y: 0, time: -TWICE };

  constructor(private readonly canvas: HTMLElement, private readonly meaning: PointerMeaning) {
    const { signal } = this.ended;
    canvas.style.touchAction = "none";
    canvas.addEventListener("pointerdown", (e) => this.press(e), { signal });
    canvas.addEventListener("pointermove", (e) => this.move(e), { signal });
    canvas.addEventListener("pointerup", (e) => this.release(e), { signal });
    canvas.addEventListener("pointercancel", (e) => this.cancel(e), { signal });
    canvas.addEventListener("pointerleave", () => meaning.hover(-1), { signal });
    window.addEventListener("pointerdown", (e) => this.pressElsewhere(e), { signal, capture: true });
    canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      const { x, y } = this.point(e);
      meaning.zoom(x, y, Math.exp(-Math.max(-240, Math.min(240, e.deltaY * (e.deltaMode === 1 ? 30 : 1))) * (e.ctrlKey ? 0.01 : 0.0022)));
    }, { signal, passive: false });
  }

  dispose(): void {
    this.ended.abort();
  }

  private point(e: MouseEvent): { x: number; y: number } {
    const { left, top } = this.canvas.getBoundingClientRect();
    return { x: e.clientX - left, y: e.clientY - top };
  }

  private press(e: PointerEvent): void {
    if (e.button !== 0) return;
    const at = this.point(e);
    this.canvas.setPointerCapture(e.pointerId);
    this.down.set(e.pointerId, at);
    this.pressed = this.down.size === 1 ? { node: this.meaning.at(at.x, at.y, reachOf(e)), ...at, moved: false } : undefined;
  }

  /** The first click may have opened a panel under the pointer: the second is meant for the node all the same. */
  private pressElsewhere(e: PointerEvent): void {
    const at = this.point(e);
    if (e.target === this.canvas || e.button !== 0 || !this.isSecond(e, at)) return;
    const swallow = (event: Event): void => {
      event.stopPropagation();
      event.preventDefault();
    };
    swallow(e);
    window.addEventListener("click", swallow, { capture: true, once: true });
    this.last.time = -TWICE;
    this.meaning.enter(this.last.node);
  }

  private isSecond(e: PointerEvent, { x, y }: { x: number; y: number }): boolean {
    return e.timeStamp - this.last.time < TWICE && Math.hypot(x - this.last.x, y - this.last.y) <= slackOf(e);
  }

  private move(e: PointerEvent): void {
    const at = this.point(e);
    const before = this.down.get(e.pointerId);
    if (!before) {
      this.meaning.hover(this.meaning.at(at.x, at.y, 0));
      return;
    }
    this.down.set(e.pointerId, at);
    if (this.down.size === 2) {
      this.pinch(e.pointerId, before, at);
      return;
    }
    const { pressed } = this;
    if (!pressed) return;
    if (!pressed.moved && Math.hypot(at.x - pressed.x, at.y - pressed.y) < slackOf(e)) return;
    const dx = at.x - (pressed.moved ? before.x : pressed.x);
    const dy = at.y - (pressed.moved ? before.y : pressed.y);
    pressed.moved = true;
    if (pressed.node >= 0 && this.meaning.canDrag(pressed.node)) this.meaning.drag(pressed.node, at.x, at.y);
    else this.meaning.pan(dx, dy);
  }

  private pinch(id: number, before: { x: number; y: number }, at: { x: number; y: number }): void {
    const other = [...this.down].find(([key]) => key !== id)![1];
    const was = Math.hypot(before.x - other.x, before.y - other.y) || 1;
    const is = Math.hypot(at.x - other.x, at.y - other.y) || 1;
    this.meaning.zoom((at.x + other.x) / 2, (at.y + other.y) / 2, is / was);
    this.meaning.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
  }

  private release(e: PointerEvent): void {
    this.down.delete(e.pointerId);
    const { pressed } = this;
    this.pressed = undefined;
    if (!pressed || pressed.moved) return;
    const { last } = this;
    // By place and not by node: what the first click does may change what is there.
    const twice = this.isSecond(e, pressed);
    this.last = { ...pressed, time: twice ? -TWICE : e.timeStamp };
    if (twice) this.meaning.enter(last.node);
    else this.meaning.click(pressed.node);
  }

  private cancel(e: PointerEvent): void {
    this.down.delete(e.pointerId);
    this.pressed = undefined;
  }
}

function slackOf(e: PointerEvent): number {
  return e.pointerType === "touch" ? FINGER.slack : SLACK;
}

function reachOf(e: PointerEvent): number {
  return e.pointerType === "touch" ? FINGER.reach : 0;
}
