import { Column, type Node } from "./numbers.ts";

/** Questions that lead back to each other: what they answer depends on which of them was asked first. */
export interface Circle {
  /** The first of them is the one that was asked first. */
  members: readonly Node[];
  /** The use of a file that led there first. */
  opener: Node;
  late: number;
}

/**
 * What was asked on behalf of what, in one round. Files are gone through in their order, so each has its time. An answer that rests on a
 * circle is as late as the file that led there first: for an earlier file it might be another.
 */
export class Trace {
  /** When the file that is gone through comes; 0 before all. */
  time = 0;
  /** Something stood too deep in something else: what it answered depends on all that was asked before. */
  cut = false;
  private circles: Circle[] = [];
  private readonly late = new Column();
  /** By question that is being answered, or lies on a circle that is: the least depth that it leads back to. */
  private readonly lowest = new Column();
  /** What is being answered. */
  private readonly stack: Node[] = [];
  private readonly lows: number[] = [];
  /** What lies on circles that are not closed yet. */
  private readonly open: Node[] = [];
  /** What depends on who asked first, without a circle. */
  private readonly first = new Set<Node>();

  /** Pairs: who asked, what. */
  private asked = new Int32Array(1 << 12);
  private count = 0;
  /** For those pairs of which it is known: by question the last pair with it and one more, and by pair the one before. */
  private readonly last = new Column();
  private readonly previous = new Column();
  private indexed = 0;

  /** While a part is redone: what was answered now, and circles that files now come to earlier than those that led there first. */
  private redone: Node[] | undefined;
  private readonly early = new Set<number>();

  /** Files have other times; `to` has them by those that they had. */
  move(to: readonly number[]): void {
    const later = (late: number): number => late + 2 * (to[(late - 2) / 2]! - (late - 2) / 2);
    this.late.change(later);
    for (const circle of this.circles) circle.late = later(circle.late);
  }

  /** What the first so many pairs tell of. */
  askedFirst(pairs: number): Set<Node> {
    return new Set(this.asked.subarray(0, 2 * pairs).filter((_, i) => i % 2 === 1));
  }

  /** How many pairs are kept. */
  get size(): number {
    return this.count / 2;
  }

  /** A question is asked whose answer is known. */
  told(node: Node): void {
    const top = this.stack.length - 1;
    if (top < 0) return;
    this.note(this.stack[top]!, node);
    const low = this.lowest.get(node);
    if (low > 0 && low < this.lows[top]!) this.lows[top] = low;
    const late = this.late.get(node);
    if (late === 0) return;
    if (late > this.late.get(this.stack[top]!)) this.late.set(this.stack[top]!, late);
    if (this.redone && late >= 2 * this.time + 2) this.early.add(late);
  }

  /** A question is asked that is to be answered. */
  begin(node: Node): void {
    const depth = this.stack.length + 1;
    if (depth > 1) this.note(this.stack[depth - 2]!, node);
    this.stack.push(node);
    this.lows.push(depth);
    this.lowest.set(node, depth);
    this.open.push(node);
  }

  end(node: Node): void {
    const low = this.lows.at(-1)!;
    if (low < this.stack.length) this.lowest.set(node, low);
    else this.close(node);
    this.redone?.push(node);
    this.leave();
  }

  /** Whatever `work` asks, it asks on behalf of `node`. */
  within<T>(node: Node, work: () => T): T {
    this.stack.push(node);
    this.lows.push(this.stack.length);
    const result = work();
    this.leave();
    return result;
  }

  /** The answer that is being worked out is another one for another file that asks first. */
  dependsOnFirst(): void {
    this.first.add(this.stack.at(-1)!);
  }

  private leave(): void {
    const node = this.stack.pop()!;
    const low = this.lows.pop()!;
    const top = this.stack.length - 1;
    if (top < 0) return;
    if (low < this.lows[top]!) this.lows[top] = low;
    const late = this.late.get(node);
    if (late > this.late.get(this.stack[top]!)) this.late.set(this.stack[top]!, late);
  }

  private close(head: Node): void {
    const from = this.open.lastIndexOf(head);
    const members = this.open.splice(from);
    let apart = members.length === 1;
    for (const node of members) {
      this.lowest.set(node, 0);
      if (this.first.delete(node)) apart = false;
    }
    if (apart) return;
    const late = members.reduce((most, node) => Math.max(most, this.late.get(node)), 2 * this.time + (this.redone ? 1 : 2));
    for (const node of members) this.late.set(node, late);
    this.circles.push({ members, opener: this.stack[0]!, late: 2 * this.time + 2 });
  }

  private note(by: Node, node: Node): void {
    if (this.count === this.asked.length) {
      const larger = new Int32Array(2 * this.count);
      larger.set(this.asked);
      this.asked = larger;
    }
    this.asked[this.count++] = by;
    this.asked[this.count++] = node;
  }

  /** Who has asked a question. */
  *askers(node: Node): Generator<Node, undefined> {
    for (; this.indexed < this.count; this.indexed += 2) {
      const one = this.asked[this.indexed + 1]!;
      this.previous.set(this.indexed >> 1, this.last.get(one));
      this.last.set(one, (this.indexed >> 1) + 1);
    }
    for (let pair = this.last.get(node); pair > 0; pair = this.previous.get(pair - 1)) {
      const by = this.asked[2 * pair - 2]!;
      if (by > 0) yield by;
    }
  }

  /** Whether an answer rests on a circle, or depends on who asked first. */
  isLate(node: Node): boolean {
    return this.late.get(node) > 0;
  }

  /** What lies on circles, or depends on who asked first, and on which. */
  onCircles(): Map<Node, Circle> {
    return new Map(this.circles.flatMap((circle) => circle.members.map((node) => [node, circle] as const)));
  }

  /**
   * Asks the questions of a circle again, as they were asked first: `ask` asks the first of them, which all have to be forgotten for. Returns
   * whether they are the same circle still.
   */
  again(circle: Circle, ask: () => void): boolean {
    const { members, opener, late } = circle;
    const lates = members.map((node) => this.late.get(node));
    for (const node of members) this.late.set(node, 0);
    this.circles = this.circles.filter((one) => one !== circle);
    const { length } = this.circles;
    this.time = (late - 2) / 2;
    ask();
    const [now, ...more] = this.circles.slice(length);
    if (!now || more.length > 0) return false;
    now.opener = opener;
    const all = new Set(now.members);
    return now.members[0] === members[0] && all.size === members.length && members.every((node, i) => all.has(node) && this.late.get(node) === lates[i]);
  }

  /**
   * These were asked again when so many pairs were kept: what they had asked until then is forgotten. Returns those that have asked
   * something that they had not, and those that have not asked something that they had.
   */
  revise(nodes: ReadonlySet<Node>, size: number): { more: Set<Node>; less: Set<Node> } {
    const had = new Map<Node, Set<Node>>();
    for (let i = 0; i < 2 * size; i += 2) {
      const by = this.asked[i]!;
      if (!nodes.has(by)) continue;
      const of = had.get(by);
      if (of) of.add(this.asked[i + 1]!);
      else had.set(by, new Set([this.asked[i + 1]!]));
      this.asked[i] = 0;
    }
    const more = new Set<Node>();
    const left = new Map([...had].map(([by, of]) => [by, new Set(of)]));
    for (let i = 2 * size; i < this.count; i += 2) {
      const by = this.asked[i]!;
      if (!nodes.has(by)) continue;
      left.get(by)?.delete(this.asked[i + 1]!);
      if (!had.get(by)?.has(this.asked[i + 1]!)) more.add(by);
    }
    return { more, less: new Set([...left].flatMap(([by, of]) => (of.size > 0 ? [by] : []))) };
  }

  /** Whether a question that has asked one of these, and so on, is one that it rests on. */
  leadsBack(nodes: Iterable<Node>): boolean {
    const done = new Set<Node>();
    const under = new Set<Node>();
    const open: { node: Node; askers: Iterator<Node, undefined> }[] = [];
    const enter = (node: Node): void => {
      under.add(node);
      open.push({ node, askers: this.askers(node) });
    };
    for (const start of nodes) {
      if (!done.has(start)) enter(start);
      for (let top = open.at(-1); top; top = open.at(-1)) {
        const next = top.askers.next();
        if (next.done === true) {
          open.pop();
          under.delete(top.node);
          done.add(top.node);
        } else if (under.has(next.value)) {
          return true;
        } else if (!done.has(next.value)) {
          enter(next.value);
        }
      }
    }
    return false;
  }

  /** These questions, and all that have asked them, and so on; with circles that were led to by one of those. */
  dependents(nodes: Iterable<Node>, found: Set<Node>): void {
    const open: Node[] = [];
    const take = (node: Node): void => {
      if (found.has(node)) return;
      found.add(node);
      open.push(node);
    };
    for (const node of nodes) take(node);
    do {
      for (let node = open.pop(); node !== undefined; node = open.pop()) {
        for (const asker of this.askers(node)) take(asker);
      }
      for (const { members, opener } of this.circles) if (found.has(opener)) members.forEach(take);
    } while (open.length > 0);
  }

  /** From here on a part is redone: these are to be answered again. */
  forget(nodes: ReadonlySet<Node>): void {
    this.circles = this.circles.filter(({ members }) => !nodes.has(members[0]!));
    for (const node of nodes) this.late.set(node, 0);
    this.redone = [];
    this.early.clear();
  }

  /** The part is redone. Returns what was answered, and what lies on circles that files came to too early: it has to be answered again. */
  settle(): { redone: readonly Node[]; early: readonly Node[] } {
    const redone = this.redone!;
    this.redone = undefined;
    // From now on what came of this time was there before.
    for (const node of redone) if (this.late.get(node) % 2 === 1) this.late.set(node, this.late.get(node) + 1);
    return { redone, early: this.circles.filter(({ late }) => this.early.has(late)).flatMap(({ members }) => members) };
  }
}
