import { spend } from "../../effort.ts";
import type { Depth } from "../memo.ts";
import type { Node, Numbers } from "./numbers.ts";
import type { Source } from "./program.ts";
import type { Trace } from "./trace.ts";

/** The answers to one kind of question in one round: each is worked out once, when it is first asked for. See Memo. */
export class Answers<V extends object> {
  private readonly all: (V | undefined)[] = [];

  /** `odd`: 1 for what calls run, 0 for what expressions are. */
  constructor(
    private readonly numbers: Numbers, private readonly trace: Trace, private readonly odd: 0 | 1, private readonly nothing: V,
    private readonly work: (source: Source, at: number) => V, private readonly depth: Depth, readonly same: (a: V, b: V) => boolean,
  ) {}

  get(source: Source, at: number): V {
    if (at === 0) return this.nothing;
    spend();
    const number = this.numbers.of(source, at);
    const node = 2 * number + this.odd;
    const before = this.all[number];
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
    this.all[number] = value;
    return value;
  }

  /** The answer to a question that is about no record. */
  ask(node: Node, work: () => V): V {
    const number = node >> 1;
    const before = this.all[number];
    if (before) {
      this.trace.told(node);
      return before;
    }
    this.set(number, this.nothing);
    this.trace.begin(node);
    const value = work();
    this.trace.end(node);
    this.all[number] = value;
    return value;
  }

  /** What is known of a record, whoever wants to know. */
  peek(source: Source, at: number): V | undefined {
    return this.all[this.numbers.known(source, at)];
  }

  /** Asks again about a record. Returns whether what is answered is another thing than before; `found` is told so before it is known. */
  again(source: Source, at: number, found: () => void): boolean {
    const number = this.numbers.known(source, at);
    const before = this.all[number];
    // Nobody wants to know.
    if (!before) return false;
    this.all[number] = undefined;
    const now = this.get(source, at);
    if (this.same(before, now)) return false;
    this.all[number] = before;
    found();
    this.all[number] = now;
    return true;
  }

  /** The answer to a question, if it is known. */
  known(node: Node): V | undefined {
    return this.all[node >> 1];
  }

  forget(node: Node): void {
    if (node >> 1 < this.all.length) this.all[node >> 1] = undefined;
  }

  private set(number: number, value: V): void {
    // Without gaps, which would make a table of the list.
    while (this.all.length < number) this.all.push(undefined);
    this.all[number] = value;
  }
}
