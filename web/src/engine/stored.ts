import { addSite, MAX_RELATIONS, type AnchoredSlot, type Resolved, type SlotCall } from "./collector.ts";
import { RELATION, spend, TooLong, within } from "./effort.ts";
import { SLOT } from "./language.ts";
import type { Anchor, ParsedFile, Relation } from "./relations.ts";
import { Members } from "./stored-members.ts";

/** A function that was stored in what is called. */
const STORED = 0.5;
/** One of more than `FEW` such. */
const ONE_OF_MANY = 0.3;
const FEW = 8;
/** What may hold more functions than this says nothing about which of them runs. */
const MAX_HELD = 100;
/** Objects of more classes than this in one slot say nothing of what is called on it. */
const MAX_OBJECTS = 20;
/** A function is followed from slot to slot so often. */
const MAX_STEPS = 6;
/** Objects and what is given something go through more hands than functions that are called: they are followed further. */
const MAX_OBJECT_STEPS = 14;

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
      const slots = new Slots(resolved, new Members(files, byFile));
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
  return !/^(?:$|[\d:(=])/.test(name);
}

/** What is in slots: a function or a class, an object of such, or a function that is only given something. One object for each. */
interface Held {
  readonly kind: "function" | "object" | "given";
  readonly of: Anchor;
  /** What the names of a function's parameters begin with. */
  readonly prefix: string;
}

const LIMITS: Record<Held["kind"], number> = { function: MAX_HELD, object: MAX_OBJECTS, given: Infinity };

/** A slot that is a part of what another holds, by what it is called there; `into`: the place or name where something is put. */
interface Part {
  readonly name: string;
  readonly into: string | undefined;
  readonly slot: number;
}

/** What something is put into by a slot's name: a field, whether of a known class or, as in "0.(name)", of what another slot holds. */
function nameInto(name: string): string {
  return name.endsWith(")") ? /\.\(([^.]+)\)$/.exec(name)?.[1] ?? name : name;
}

function partNamed(name: string, slot: number): Part {
  return { name, into: /^\((.+)\)$/.exec(name)?.[1], slot };
}

/** All slots, numbered, with what reaches each. */
class Slots {
  /** By owner and name. */
  private readonly owned = new Map<Anchor, Map<string, number>>();
  /** By name, of slots without an owner: what is put into some field of the name, and what is read from some. */
  private readonly intoSome = new Map<string, number>();
  private readonly fromSome = new Map<string, number>();
  /** The names of fields that something is put into: others hold nothing. */
  private readonly filled = new Set<string>();
  /** The slots into which a slot's content is put. */
  private readonly next: number[][] = [];
  /** The slots that hold at once what is put into a slot, since they may be the same. */
  private readonly alike = new Map<number, number[]>();
  private readonly held: Partial<Record<Held["kind"], Set<Held>>>[] = [];
  /** The slots that are parts of what a slot holds. */
  private readonly parts = new Map<number, Part[]>();
  /** Objects that are in the slots of their classes already. */
  private readonly made = new Set<Held>();
  /** Slots below this number are named by some file. */
  private readonly named: number;
  /** The one `Held` for each symbol, kind and prefix. */
  private readonly values = new Map<Anchor, Map<string, Held>>();

  constructor(resolved: readonly Resolved[], private readonly members: Members) {
    let fresh = new Map<number, Held[]>();
    const direct: [slot: number, what: Held][] = [];
    for (const { puts, calls } of resolved) {
      spend(puts.length + calls.length);
      for (const { into, what } of puts) {
        this.filled.add(nameInto(into.name));
        const held = this.heldIn(what);
        if (held) direct.push([this.numberOf(into, this.intoSome), held]);
        else if (!("id" in what)) this.next[this.numberOf(what, this.fromSome)]!.push(this.numberOf(into, this.intoSome));
      }
      for (const { from } of calls) this.numberOf(from, this.fromSome);
    }
    this.named = this.next.length;
    this.meet();
    for (const [slot, what] of direct) this.add(slot, [what], fresh);
    for (let step = 0; step < MAX_OBJECT_STEPS && fresh.size > 0; step++) {
      const reached = new Map<number, Held[]>();
      for (const [slot, all] of fresh) {
        const further = step < MAX_STEPS ? all : all.filter(({ kind }) => kind !== "function");
        for (const to of this.next[slot]!) this.add(to, further, reached);
        for (const one of further) this.partsOf(slot, one, reached);
      }
      fresh = reached;
    }
  }

  /** The relations of a file's calls. */
  called(calls: readonly SlotCall[]): Relation[] {
    const known = new Map<string, Relation>();
    for (const { by, from, line } of calls) {
      const held = this.held[this.numberOf(from, this.fromSome)]!.function;
      spend();
      if (!held || held.size > MAX_HELD) continue;
      const confidence = held.size > FEW ? ONE_OF_MANY : STORED;
      for (const { of: to } of held) {
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

  /** What is put: a function, or what a slot holds from the first; undefined for a slot that is given what it holds. */
  private heldIn(what: Anchor | AnchoredSlot): Held | undefined {
    if ("id" in what) return this.heldOf("function", what);
    if (!what.owner) return undefined;
    if (what.name === SLOT.OBJECT) return this.heldOf("object", what.owner);
    return what.name.endsWith(SLOT.FUNCTION) ? this.heldOf("given", what.owner, what.name.slice(0, -SLOT.FUNCTION.length)) : undefined;
  }

  private heldOf(kind: Held["kind"], of: Anchor, prefix = ""): Held {
    let all = this.values.get(of);
    if (!all) this.values.set(of, (all = new Map<string, Held>()));
    const key = `${kind} ${prefix}`;
    let held = all.get(key);
    if (!held) all.set(key, (held = { kind, of, prefix }));
    return held;
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
    const slot = this.next.length;
    names.set(name, slot);
    this.held.push({});
    this.next.push([]);
    const dot = name.lastIndexOf(".");
    if (dot >= 0) listIn(this.parts, this.numberOf({ owner, name: name.slice(0, dot) }, this.fromSome)).push(partNamed(name.slice(dot + 1), slot));
    return slot;
  }

  private meet(): void {
    for (const [name, slot] of this.intoSome) {
      const from = this.fromSome.get(name);
      if (from !== undefined) listIn(this.alike, slot).push(from);
    }
    for (const names of this.owned.values()) {
      for (const [name, slot] of names) {
        if (!isField(name)) continue;
        const from = this.fromSome.get(name);
        if (from !== undefined) listIn(this.alike, slot).push(from);
        const into = this.intoSome.get(name);
        if (into !== undefined) listIn(this.alike, into).push(slot);
      }
    }
  }

  /** Joins the parts of a slot to those of something that has come into it. */
  private partsOf(slot: number, one: Held, fresh: Map<number, Held[]>): void {
    const slots = this.owned.get(one.of);
    const parts = this.parts.get(slot) ?? [];
    spend(parts.length);
    for (const { name, into, slot: part } of parts) {
      if (one.kind === "object") {
        if (into === undefined) this.read(one.of, name, part, fresh);
        else if (isField(into)) this.join(part, this.fieldOf(one.of, into), fresh);
      } else if (into !== undefined) {
        if (!isField(into)) this.join(part, slots?.get(one.prefix + into), fresh);
      } else if (one.kind === "function") this.give(one.of, name, part, fresh);
    }
    const base = one.kind === "object" ? slots?.get(SLOT.BASE) : undefined;
    if (base === undefined) return;
    // What a class inherits its objects have, too.
    listIn(this.parts, base).push(partNamed("new()", slot));
    for (const above of this.held[base]!.function ?? []) this.add(slot, [this.heldOf("object", above.of)], fresh);
  }

  /** Puts into a part what functions, and classes, give. */
  private give(of: Anchor, name: string, part: number, fresh: Map<number, Held[]>): void {
    const isClass = this.members.isClass(of);
    if (name === "new()" || (name === "()" && isClass)) this.add(part, [this.heldOf("object", of)], fresh);
    else if (name === "()") this.join(this.owned.get(of)?.get(name), part, fresh);
    // An operation on a class runs nothing that it declares for its objects.
    else if (isClass && !name.startsWith("__")) this.read(of, name, part, fresh);
  }

  /** Puts into a part what objects of a class have by that name: the method that comes first, and fields in front of it. */
  private read(cls: Anchor, name: string, part: number, fresh: Map<number, Held[]>): void {
    if (!isField(name)) return;
    const isFilled = this.filled.has(name);
    for (const above of this.members.order(cls)) {
      spend();
      if (isFilled) this.join(this.numberOf({ owner: above, name }, this.fromSome), part, fresh);
      const methods = this.members.own(above, name);
      if (methods.length === 0) continue;
      this.add(part, methods.map((method) => this.heldOf("function", method)), fresh);
      return;
    }
  }

  /** The slot of a field that is put into objects of a class: that of the last class above it that has one. */
  private fieldOf(cls: Anchor, name: string): number {
    const owner = this.members.order(cls).findLast((above) => (this.owned.get(above)?.get(name) ?? this.named) < this.named) ?? cls;
    return this.numberOf({ owner, name }, this.intoSome);
  }

  /** Puts what a slot holds, now and later, into another. */
  private join(from: number | undefined, to: number | undefined, fresh: Map<number, Held[]>): void {
    if (from === undefined || to === undefined || from === to) return;
    spend(this.next[from]!.length);
    if (this.next[from]!.includes(to)) return;
    this.next[from]!.push(to);
    for (const all of Object.values(this.held[from]!)) this.add(to, [...all], fresh);
  }

  private add(slot: number, all: readonly Held[], fresh: Map<number, Held[]>): void {
    const held = this.held[slot]!;
    spend(all.length);
    const added = all.filter((one) => !held[one.kind] || (held[one.kind]!.size <= LIMITS[one.kind] && !held[one.kind]!.has(one)));
    if (added.length === 0) return;
    spend(added.length * RELATION);
    for (const one of added) {
      (held[one.kind] ??= new Set()).add(one);
      if (one.kind === "object") this.make(one, fresh);
    }
    const list = fresh.get(slot);
    if (list) list.push(...added);
    else fresh.set(slot, [...added]);
    for (const other of this.alike.get(slot) ?? []) this.add(other, added, fresh);
  }

  private make(one: Held, fresh: Map<number, Held[]>): void {
    if (this.made.has(one)) return;
    this.made.add(one);
    for (const above of this.members.order(one.of)) {
      const self = this.owned.get(above)?.get(SLOT.SELF);
      if (self !== undefined) this.add(self, [one], fresh);
    }
  }
}

function listIn<T>(lists: Map<number, T[]>, key: number): T[] {
  let list = lists.get(key);
  if (!list) lists.set(key, (list = []));
  return list;
}
