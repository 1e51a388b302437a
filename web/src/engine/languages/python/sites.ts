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

/** A parameter has the number of its file times this, and its own among those of the file. */
const PER_FILE = 2 ** 24;

/** For each parameter of each function the first expressions that calls pass to it. */
export class Sites {
  /** By file, where its functions' parameters begin among its own. */
  private readonly offsets: readonly Int32Array[];
  /** By file, where each parameter's begin among the sites. */
  private readonly starts: Int32Array[];
  /** By file, with the file and the expression of each by turns. */
  private readonly sites: Int32Array[];

  /** `notes`: by file quadruples of file, function, parameter, expression. `before`: those of a project with the same paths. */
  constructor(private readonly facts: readonly PyFacts[], private readonly notes: readonly Int32Array[], before?: Sites) {
    const offsets = (this.offsets = facts.map(offsetsOf));
    const isNew = before ? this.others(before) : new Uint8Array(facts.length).fill(1);
    const starts = (this.starts = [...before?.starts ?? []]);
    const sites = (this.sites = [...before?.sites ?? []]);
    /** Where the next of a parameter of a new file goes. */
    const next: Int32Array[] = [];
    const each = (take: (target: number, own: number, file: number, expression: number) => void): void => {
      for (let file = 0; file < notes.length; file++) {
        const list = notes[file]!;
        for (let at = 0; at < list.length; at += 4) {
          if (isNew[list[at]!] === 0) continue;
          const own = this.own(list[at]!, list[at + 1]!, list[at + 2]!);
          if (own >= 0) take(list[at]!, own, file, list[at + 3]!);
        }
      }
    };
    isNew.forEach((is, i) => {
      if (is === 1) starts[i] = new Int32Array(offsets[i]!.at(-1)! + 1);
    });
    each((target, own) => {
      if (starts[target]![own + 1]! < MAX_SITES) starts[target]![own + 1]!++;
    });
    isNew.forEach((is, i) => {
      if (is === 0) return;
      const of = starts[i]!;
      for (let own = 1; own < of.length; own++) of[own]! += of[own - 1]!;
      sites[i] = new Int32Array(2 * of.at(-1)!);
      next[i] = of.slice();
    });
    each((target, own, file, expression) => {
      if (next[target]![own] === starts[target]![own + 1]) return;
      const at = 2 * next[target]![own]!++;
      sites[target]![at] = file;
      sites[target]![at + 1] = expression;
    });
  }

  /** The number of a parameter; -1 where the function has none such. */
  slot(file: number, fn: number, param: number): number {
    const own = this.own(file, fn, param);
    return own < 0 ? -1 : file * PER_FILE + own;
  }

  /** Whether the same is passed to the functions of a file, which are the same. */
  isSame(file: number, other: Sites): boolean {
    return isEqual(this.starts[file]!, other.starts[file]!) && isEqual(this.sites[file]!, other.sites[file]!);
  }

  /** How many expressions are passed. */
  count(slot: number): number {
    if (slot < 0) return 0;
    const [starts, own] = [this.starts[Math.floor(slot / PER_FILE)]!, slot % PER_FILE];
    return starts[own + 1]! - starts[own]!;
  }

  /** The file of one of them. */
  file(slot: number, i: number): number {
    return this.site(slot, i, 0);
  }

  id(slot: number, i: number): number {
    return this.site(slot, i, 1);
  }

  private site(slot: number, i: number, part: number): number {
    const file = Math.floor(slot / PER_FILE);
    return this.sites[file]![2 * (this.starts[file]![slot % PER_FILE]! + i) + part]!;
  }

  /** A parameter's number in its file. */
  private own(file: number, fn: number, param: number): number {
    const own = this.offsets[file]!;
    const at = own[fn]! + param;
    return at < own[fn + 1]! ? at : -1;
  }

  /** The files whose functions are others, or may be passed something else. */
  private others(before: Sites): Uint8Array {
    const others = new Uint8Array(this.facts.length);
    this.facts.forEach((of, i) => {
      if (of !== before.facts[i]) others[i] = 1;
      const [was, is] = [before.notes[i]!, this.notes[i]!];
      if (was !== is) for (const list of [was, is]) for (let at = 0; at < list.length; at += 4) others[list[at]!] = 1;
    });
    return others;
  }
}

function isEqual(a: Int32Array, b: Int32Array): boolean {
  return a === b || (a.length === b.length && a.every((number, i) => number === b[i]));
}
