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
  /** Where each file's parameters begin, and, in the sites, each parameter's. */
  private readonly files: Int32Array;
  private readonly starts: Int32Array;
  /** File and expression by turns. */
  private readonly sites: Int32Array;

  /** `notes`: by file quadruples of file, function, parameter, expression. */
  constructor(private readonly facts: readonly PyFacts[], notes: readonly (readonly number[])[]) {
    this.files = new Int32Array(facts.length + 1);
    facts.forEach((own, i) => {
      this.files[i + 1] = this.files[i]! + offsetsOf(own).at(-1)!;
    });
    const count = this.files[facts.length]!;
    const starts = (this.starts = new Int32Array(count + 1));
    const each = (visit: (slot: number, file: number, id: number) => void): void => {
      notes.forEach((list, file) => {
        for (let i = 0; i < list.length; i += 4) visit(this.slot(list[i]!, list[i + 1]!, list[i + 2]!), file, list[i + 3]!);
      });
    };
    each((slot) => {
      if (slot >= 0 && starts[slot + 1]! < MAX_SITES) starts[slot + 1]!++;
    });
    for (let slot = 0; slot < count; slot++) starts[slot + 1]! += starts[slot]!;
    this.sites = new Int32Array(2 * starts[count]!);
    const filled = starts.slice();
    each((slot, file, id) => {
      if (slot < 0 || filled[slot] === starts[slot + 1]) return;
      const at = 2 * filled[slot]!++;
      this.sites[at] = file;
      this.sites[at + 1] = id;
    });
  }

  /** The number of a parameter; -1 where the function has none such. */
  slot(file: number, fn: number, param: number): number {
    const own = offsetsOf(this.facts[file]!);
    const slot = own[fn]! + param;
    return slot < own[fn + 1]! ? this.files[file]! + slot : -1;
  }

  /** How many expressions are passed. */
  count(slot: number): number {
    return this.starts[slot + 1]! - this.starts[slot]!;
  }

  /** The file of one of them. */
  file(slot: number, i: number): number {
    return this.sites[2 * (this.starts[slot]! + i)]!;
  }

  id(slot: number, i: number): number {
    return this.sites[2 * (this.starts[slot]! + i) + 1]!;
  }
}
