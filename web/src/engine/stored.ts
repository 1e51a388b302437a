import { addSite, MAX_RELATIONS, type AnchoredSlot, type Resolved, type SlotCall } from "./collector.ts";
import { RELATION, spend, TooLong, within } from "./effort.ts";
import type { Anchor, ParsedFile, Relation } from "./relations.ts";

/** A function that was stored in what is called. */
const STORED = 0.5;
/** One of more than `FEW` such. */
const ONE_OF_MANY = 0.3;
const FEW = 8;
/** What may hold more functions than this says nothing about which of them runs. */
const MAX_HELD = 100;
/** A function is followed from slot to slot so often. */
const MAX_STEPS = 6;

/**
 * The calls of stored functions, by the file that they leave: a field-based analysis (Feldthaus et al., ICSE 2013) of what all files put
 * where. It rests on what the files say now, and on nothing from before. Undefined when it takes too long.
 */
export function storedCalls(files: readonly ParsedFile[], byFile: ReadonlyMap<string, Resolved>): Map<string, Relation[]> | undefined {
  const resolved = files.flatMap(({ path }) => byFile.get(path) ?? []);
  const found = new Map<string, Relation[]>();
  if (!resolved.some(({ puts }) => puts.length > 0)) return found;
  try {
    within(files.length, () => {
      const slots = new Slots(resolved);
      for (const { calls } of resolved) if (calls.length > 0) found.set(calls[0]!.by.path, slots.called(calls));
    });
  } catch (error) {
    // No honest code comes here: what its calls may run is no part of the graph then.
    if (!(error instanceof TooLong)) throw error;
    return undefined;
  }
  return found;
}

/** Relations of a file with calls of stored functions, where nothing else says so as surely. */
export function withStored(relations: readonly Relation[], stored: readonly Relation[]): readonly Relation[] {
  if (stored.length === 0) return relations;
  const places = new Map<string, number>();
  relations.forEach(({ type, from, to }, i) => {
    if (type === "CALLS") places.set(`${from.id} ${to.id}`, i);
  });
  const all = [...relations];
  for (const call of stored) {
    const place = places.get(`${call.from.id} ${call.to.id}`);
    if (place === undefined) all.push(call);
    else if (all[place]!.confidence < call.confidence) {
      const { line, moreLines = [], ...known } = all[place]!;
      const both: Relation = { ...call, ...(call.moreLines ? { moreLines: [...call.moreLines] } : {}) };
      for (const one of [line, ...moreLines]) addSite(both, known.confidence, one);
      all[place] = both;
    }
  }
  return all;
}

/** Whether two files' calls of stored functions are the same. */
export function sameCalls(one: readonly Relation[] = [], other: readonly Relation[] = []): boolean {
  return one.length === other.length && one.every((a, i) => {
    const b = other[i]!;
    return a.from === b.from && a.to === b.to && a.confidence === b.confidence && a.line === b.line && (a.moreLines ?? []).join() === (b.moreLines ?? []).join();
  });
}

/** Fields have names; other slots have a place, a mark, or nothing (`Slot` in language.ts). */
function isField(name: string): boolean {
  return !/^(?:$|[\d:(])/.test(name);
}

/** All slots, numbered, with the functions that reach each. */
class Slots {
  /** By owner and name. */
  private readonly owned = new Map<Anchor, Map<string, number>>();
  /** By name, of slots without an owner: what is put into some field of the name, and what is read from some. */
  private readonly intoSome = new Map<string, number>();
  private readonly fromSome = new Map<string, number>();
  /** The slots into which a slot's content is put. */
  private readonly next: number[][] = [];
  /** The slots that hold at once what is put into a slot, since they may be the same. */
  private readonly alike: number[][] = [];
  private readonly held: Set<Anchor>[] = [];

  constructor(resolved: readonly Resolved[]) {
    let fresh = new Map<number, Anchor[]>();
    const direct: [slot: number, what: Anchor][] = [];
    for (const { puts, calls } of resolved) {
      spend(puts.length + calls.length);
      for (const { into, what } of puts) {
        if ("id" in what) direct.push([this.numberOf(into, this.intoSome), what]);
        else this.next[this.numberOf(what, this.fromSome)]!.push(this.numberOf(into, this.intoSome));
      }
      for (const { from } of calls) this.numberOf(from, this.fromSome);
    }
    this.meet();
    for (const [slot, what] of direct) this.add(slot, [what], fresh);
    for (let step = 0; step < MAX_STEPS && fresh.size > 0; step++) {
      const reached = new Map<number, Anchor[]>();
      for (const [slot, functions] of fresh) for (const to of this.next[slot]!) this.add(to, functions, reached);
      fresh = reached;
    }
  }

  /** The relations of a file's calls. */
  called(calls: readonly SlotCall[]): Relation[] {
    const known = new Map<string, Relation>();
    for (const { by, from, line } of calls) {
      const held = this.held[this.numberOf(from, this.fromSome)]!;
      spend();
      if (held.size > MAX_HELD) continue;
      const confidence = held.size > FEW ? ONE_OF_MANY : STORED;
      for (const to of held) {
        spend();
        const relation = known.get(`${by.id} ${to.id}`);
        if (relation) addSite(relation, confidence, line);
        else if (known.size < MAX_RELATIONS) {
          spend(RELATION);
          known.set(`${by.id} ${to.id}`, { type: "CALLS", from: by, to, confidence, line });
        }
      }
    }
    return [...known.values()];
  }

  /** `some`: of slots without an owner those that are written, or those that are read. They are kept apart, so that what is in one type's field does not get into another's through a name alone. */
  private numberOf({ owner, name }: AnchoredSlot, some: Map<string, number>): number {
    let names = some;
    if (owner) {
      names = this.owned.get(owner) ?? new Map<string, number>();
      this.owned.set(owner, names);
    }
    const known = names.get(name);
    if (known !== undefined) return known;
    const slot = this.held.length;
    names.set(name, slot);
    this.held.push(new Set());
    this.next.push([]);
    this.alike.push([]);
    return slot;
  }

  private meet(): void {
    for (const [name, slot] of this.intoSome) {
      const from = this.fromSome.get(name);
      if (from !== undefined) this.alike[slot]!.push(from);
    }
    for (const names of this.owned.values()) {
      for (const [name, slot] of names) {
        if (!isField(name)) continue;
        const from = this.fromSome.get(name);
        if (from !== undefined) this.alike[slot]!.push(from);
        const into = this.intoSome.get(name);
        if (into !== undefined) this.alike[into]!.push(slot);
      }
    }
  }

  private add(slot: number, functions: readonly Anchor[], fresh: Map<number, Anchor[]>): void {
    const held = this.held[slot]!;
    spend(functions.length);
    const added = held.size > MAX_HELD ? [] : functions.filter((one) => !held.has(one));
    if (added.length === 0) return;
    spend(added.length * RELATION);
    for (const one of added) held.add(one);
    const list = fresh.get(slot);
    if (list) list.push(...added);
    else fresh.set(slot, [...added]);
    for (const other of this.alike[slot]!) this.add(other, added, fresh);
  }
}
