import type { Method, Source } from "./program.ts";

/** A column of whole numbers that grows; what was never set is 0. */
export class Column {
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

  /** Puts something else in the place of all that is not 0. */
  change(to: (value: number) => number): void {
    for (let at = 0; at < this.data.length; at++) if (this.data[at] !== 0) this.data[at] = to(this.data[at]!);
  }
}

/** A question: what an expression is (even), what a call runs (odd). */
export type Node = number;

/** What stands for all that decides where methods are looked for. */
export const HIERARCHY: Node = 1;

/** Numbers for the records of all files, in the order in which they are first asked about; the same in all rounds, and kept by records that an edit leaves as they are. */
export class Numbers {
  private count = 0;
  /** By the id of a file. */
  private readonly sources: (Source | undefined)[] = [];
  private readonly records: Int32Array[] = [];
  /** By number the id of the record's file; one more, since what is about none has none. */
  private readonly files = new Column();
  /** Variables by the class that they are looked for in, and their names. */
  readonly fields = new Map<string, Node>();
  private readonly passed = new Map<Method, Node>();
  private readonly yielded = new Map<Method, Node>();
  /** By the number of a call what it raises. */
  private readonly raised = new Map<number, Node>();

  constructor(sources: readonly Source[]) {
    for (const source of sources) this.add(source);
  }

  /** A file has come. */
  add(source: Source): void {
    this.sources[source.id] = source;
    this.records[source.id] = new Int32Array(source.data.code.length);
  }

  /** A file has gone. Returns what was asked about its records. */
  remove({ id }: Source): Node[] {
    const gone = [...this.records[id]!].flatMap((number) => (number > 0 ? this.nodesOf(number) : []));
    this.sources[id] = undefined;
    this.records[id] = new Int32Array();
    return gone;
  }

  of({ id }: Source, at: number): number {
    const records = this.records[id]!;
    const known = records[at]!;
    if (known > 0) return known;
    this.files.set(++this.count, id + 1);
    return (records[at] = this.count);
  }

  /** The id of the file that a question is about; -1 for none. */
  fileOf(node: Node): number {
    return this.files.get(node >> 1) - 1;
  }

  /** The file that a question is about, if there is one. */
  sourceOf(node: Node): Source | undefined {
    return this.sources[this.fileOf(node)];
  }

  /** That of a record that has one, else 0; no record of a file that has gone has. */
  known({ id }: Source, at: number): number {
    return this.records[id]![at] ?? 0;
  }

  field(key: string): Node {
    return this.about(this.fields, key);
  }

  /** What calls pass to a method. */
  passedTo(method: Method): Node {
    return this.about(this.passed, method);
  }

  /** The same, if it was ever asked. */
  knownPassedTo(method: Method): Node | undefined {
    return this.passed.get(method);
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
      this.files.set(this.count, source.id + 1);
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
  placesIn({ id }: Source): Map<number, number> {
    const places = new Map<number, number>();
    this.records[id]!.forEach((number, at) => {
      if (number > 0) places.set(number, at);
    });
    return places;
  }

  /** A file has other records; `now` are the places of those that it had, 0 where they have gone. Returns what was asked about these. */
  replace({ id, data }: Source, now: Int32Array): Node[] {
    const gone: Node[] = [];
    const before = this.records[id]!;
    const after = new Int32Array(data.code.length);
    for (let at = 1; at < before.length; at++) {
      if (before[at] === 0) continue;
      if (now[at]! > 0) after[now[at]!] = before[at]!;
      else gone.push(...this.nodesOf(before[at]!));
    }
    this.records[id] = after;
    return gone;
  }
}
