import { spend } from "../../effort.ts";
import type { Depth } from "../memo.ts";
import type { Method, Source } from "./program.ts";

/** A column of whole numbers that grows; what was never set is 0. */
class Column {
  private data = new Int32Array(1 << 10);

  get(at: number): number {
    return at < this.data.length ? this.data[at]! : 0;
  }

  set(at: number, value: number): void {
    if (at >= this.data.length) {
      const larger = new Int32Array(Math.max(at + 1, 2 * this.data.length));
      larger.set(this.data);
      this.data = larger;
    }
    this.data[at] = value;
  }
}

/** A question: what an expression is (even), what a call runs (odd). */
export type Node = number;

/** What stands for all that decides where methods are looked for. */
export const HIERARCHY: Node = 1;

/** Numbers for the records of all files, in the order in which they are first asked about; the same in all rounds, and kept by records that an edit leaves as they are. */
export class Numbers {
  private count = 0;
  private readonly records: Int32Array[];
  /** By number the file of the record; one more, since what is about none has none. */
  private readonly files = new Column();
  /** Variables by the class that they are looked for in, and their names. */
  readonly fields = new Map<string, Node>();
  private readonly passed = new Map<Method, Node>();
  private readonly yielded = new Map<Method, Node>();
  /** By the number of a call what it raises. */
  private readonly raised = new Map<number, Node>();

  constructor(sources: readonly Source[]) {
    this.records = sources.map(({ data }) => new Int32Array(data.code.length));
  }

  of({ index }: Source, at: number): number {
    const records = this.records[index]!;
    const known = records[at]!;
    if (known > 0) return known;
    this.files.set(++this.count, index + 1);
    return (records[at] = this.count);
  }

  /** The file that a question is about; -1 for none. */
  fileOf(node: Node): number {
    return this.files.get(node >> 1) - 1;
  }

  /** That of a record that has one, else 0. */
  known({ index }: Source, at: number): number {
    return this.records[index]![at]!;
  }

  field(key: string): Node {
    return this.about(this.fields, key);
  }

  /** What calls pass to a method. */
  passedTo(method: Method): Node {
    return this.about(this.passed, method);
  }

  /** What a method gives to its block. */
  yieldedBy(method: Method): Node {
    return this.about(this.yielded, method);
  }

  private about<K>(nodes: Map<K, Node>, key: K): Node {
    let node = nodes.get(key);
    if (node === undefined) nodes.set(key, (node = 2 * ++this.count));
    return node;
  }

  /** What making what a call raises runs. */
  raisedBy(source: Source, at: number): Node {
    const number = this.of(source, at);
    let node = this.raised.get(number);
    if (node === undefined) {
      this.raised.set(number, (node = 2 * ++this.count + 1));
      this.files.set(this.count, source.index + 1);
    }
    return node;
  }

  /** The questions that the code of a file asks. */
  usesOf(source: Source): Node[] {
    const { uses } = source.data;
    const all: Node[] = [];
    for (let i = 0; i < uses.length; i += 3) {
      const number = this.known(source, uses[i]!);
      if (number > 0) all.push(...this.nodesOf(number));
    }
    return all;
  }

  /** All that is asked about a record. */
  nodesOf(number: number): Node[] {
    const raised = this.raised.get(number);
    return raised === undefined ? [2 * number, 2 * number + 1] : [2 * number, 2 * number + 1, raised];
  }

  /** By number the places of the records of a file. */
  placesIn({ index }: Source): Map<number, number> {
    const places = new Map<number, number>();
    this.records[index]!.forEach((number, at) => {
      if (number > 0) places.set(number, at);
    });
    return places;
  }

  /** A file has other records; `now` are the places of those that it had, 0 where they have gone. Returns what was asked about these. */
  replace({ index, data }: Source, now: Int32Array): Node[] {
    const gone: Node[] = [];
    const before = this.records[index]!;
    const after = new Int32Array(data.code.length);
    for (let at = 1; at < before.length; at++) {
      if (before[at] === 0) continue;
      if (now[at]! > 0) after[now[at]!] = before[at]!;
      else gone.push(...this.nodesOf(before[at]!));
    }
    this.records[index] = after;
    return gone;
  }
}

/** Questions that lead back to each other: what they answer depends on which of them was asked first. */
interface Circle {
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
  *askers(node: Node): Generator<Node> {
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

  /** What lies on circles, or depends on who asked first. */
  onCircles(): Set<Node> {
    return new Set(this.circles.flatMap(({ members }) => members));
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
    const open: { node: Node; askers: Iterator<Node> }[] = [];
    const enter = (node: Node): void => {
      under.add(node);
      open.push({ node, askers: this.askers(node) });
    };
    for (const start of nodes) {
      if (!done.has(start)) enter(start);
      for (let top = open.at(-1); top; top = open.at(-1)) {
        const { done: ended, value } = top.askers.next();
        if (ended) {
          open.pop();
          under.delete(top.node);
          done.add(top.node);
        } else if (under.has(value)) {
          return true;
        } else if (!done.has(value)) {
          enter(value);
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

/** The answers to one kind of question in one round: each is worked out once, when it is first asked for. See Memo. */
export class Answers<V extends object> {
  private readonly known: (V | undefined)[] = [];

  /** `odd`: 1 for what calls run, 0 for what expressions are. */
  constructor(
    private readonly numbers: Numbers, private readonly trace: Trace, private readonly odd: 0 | 1, private readonly nothing: V,
    private readonly work: (source: Source, at: number) => V, private readonly depth: Depth, private readonly same: (a: V, b: V) => boolean,
  ) {}

  get(source: Source, at: number): V {
    if (at === 0) return this.nothing;
    spend();
    const number = this.numbers.of(source, at);
    const node = 2 * number + this.odd;
    const before = this.known[number];
    if (before) {
      this.trace.told(node);
      return before;
    }
    if (!this.depth.enter()) {
      this.trace.cut = true;
      return this.nothing;
    }
    this.set(number, this.nothing);
    this.trace.begin(node);
    const value = this.work(source, at);
    this.trace.end(node);
    this.depth.leave();
    this.known[number] = value;
    return value;
  }

  /** The answer to a question that is about no record. */
  ask(node: Node, work: () => V): V {
    const number = node >> 1;
    const before = this.known[number];
    if (before) {
      this.trace.told(node);
      return before;
    }
    this.set(number, this.nothing);
    this.trace.begin(node);
    const value = work();
    this.trace.end(node);
    this.known[number] = value;
    return value;
  }

  /** What is known of a record, whoever wants to know. */
  peek(source: Source, at: number): V | undefined {
    return this.known[this.numbers.known(source, at)];
  }

  /** Asks again about a record. Returns whether what is answered is another thing than before; `found` is told so before it is known. */
  again(source: Source, at: number, found: () => void): boolean {
    const number = this.numbers.known(source, at);
    const before = this.known[number];
    // Nobody wants to know.
    if (!before) return false;
    this.known[number] = undefined;
    const now = this.get(source, at);
    if (this.same(before, now)) return false;
    this.known[number] = before;
    found();
    this.known[number] = now;
    return true;
  }

  forget(node: Node): void {
    if (node >> 1 < this.known.length) this.known[node >> 1] = undefined;
  }

  private set(number: number, value: V): void {
    // Without gaps, which would make a table of the list.
    while (this.known.length < number) this.known.push(undefined);
    this.known[number] = value;
  }
}
