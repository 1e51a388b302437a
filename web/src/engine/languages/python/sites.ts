import type { PyFacts } from "./facts.ts";

/** More sites that pass a parameter than this add nothing. */
const MAX_SITES = 6;

const offsets = new WeakMap<PyFacts, Int32Array>();

/** Where each function's parameters begin among those of its file; at the end, how many there are. */
function offsetsOf(facts: PyFacts): Int32Array {
  let found = offsets.get(facts);
  if (found) return found;
  found = new Int32Array(facts.functions.length + 1);
  facts.functions.forEach(({ params }, i) => {
    found[i + 1] = found[i]! + params.length;
  });
  offsets.set(facts, found);
  return found;
}

/** For each parameter of each function the first expressions that calls pass to it. */
export class Sites {
  /** By file where its functions' parameters begin among its own, and where its own begin among all. */
  private readonly own: readonly Int32Array[];
  private readonly files: Int32Array;
  /** Where each parameter's begin among the sites. */
  private readonly starts: Int32Array;
  /** File and expression by turns. */
  private readonly sites: Int32Array;

  /** `notes`: by file quadruples of file, function, parameter, expression. */
  constructor(facts: readonly PyFacts[], notes: readonly Int32Array[]) {
    this.own = facts.map(offsetsOf);
    this.files = new Int32Array(facts.length + 1);
    this.own.forEach((own, i) => {
      this.files[i + 1] = this.files[i]! + own.at(-1)!;
    });
    const count = this.files[facts.length]!;
    const starts = (this.starts = new Int32Array(count + 1));
    const slots = notes.map((list) => {
      const own = new Int32Array(list.length / 4);
      for (let i = 0, at = 0; at < list.length; i++, at += 4) {
        const slot = (own[i] = this.slot(list[at]!, list[at + 1]!, list[at + 2]!));
        if (slot >= 0 && starts[slot + 1]! < MAX_SITES) starts[slot + 1]!++;
      }
      return own;
    });
    for (let slot = 0; slot < count; slot++) starts[slot + 1]! += starts[slot]!;
    const sites = (this.sites = new Int32Array(2 * starts[count]!));
    const filled = starts.slice();
    slots.forEach((own, file) => {
      for (let i = 0; i < own.length; i++) {
        const slot = own[i]!;
        if (slot < 0 || filled[slot] === starts[slot + 1]) continue;
        const at = 2 * filled[slot]!++;
        sites[at] = file;
        sites[at + 1] = notes[file]![4 * i + 3]!;
      }
    });
  }

  /** The number of a parameter; -1 where the function has none such. */
  slot(file: number, fn: number, param: number): number {
    const own = this.own[file]!;
    const slot = own[fn]! + param;
    return slot < own[fn + 1]! ? this.files[file]! + slot : -1;
  }

  /** Whether the same is passed to the functions of a file, which are the same. */
  isSame(file: number, other: Sites): boolean {
    const [first, end, at] = [this.files[file]!, this.files[file + 1]!, other.files[file]!];
    if (end - first !== other.files[file + 1]! - at) return false;
    for (let slot = first; slot < end; slot++) {
      const count = this.count(slot);
      if (count !== other.count(slot - first + at)) return false;
      for (let i = 0; i < count; i++) {
        if (this.file(slot, i) !== other.file(slot - first + at, i) || this.id(slot, i) !== other.id(slot - first + at, i)) return false;
      }
    }
    return true;
  }

  /** How many expressions are passed. */
  count(slot: number): number {
    return slot < 0 ? 0 : this.starts[slot + 1]! - this.starts[slot]!;
  }

  /** The file of one of them. */
  file(slot: number, i: number): number {
    return this.sites[2 * (this.starts[slot]! + i)]!;
  }

  id(slot: number, i: number): number {
    return this.sites[2 * (this.starts[slot]! + i) + 1]!;
  }
}
