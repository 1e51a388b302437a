import { addSite, MAX_RELATIONS, type AnchoredSlot, type Resolved, type SlotCall } from "./collector.ts";
import { RELATION, spend, TooLong, within } from "./effort.ts";
import { FEW, ONE_OF_MANY, SLOT, STORED } from "./language.ts";
import type { Anchor, ParsedFile, Relation } from "./relations.ts";
import { Members } from "./stored-members.ts";

/** What may hold more functions than this says nothing about which of them runs. */
const MAX_HELD = 100;
/** Objects of more classes than this in one slot say nothing of what is called on it. */
const MAX_OBJECTS = 20;
/** A function is followed from slot to slot so often. */
const MAX_STEPS = 8;
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

/**
 * The same. Where it takes too long, without what tools have made: a bundle's functions are stored under names of one letter that all bundles
 * share. `missing`: whose calls are not there.
 */
export function storedCallsWithin(files: readonly ParsedFile[], byFile: ReadonlyMap<string, Resolved>): { calls: ReadonlyMap<string, Relation[]>; missing?: "all" | "generated" } {
  const calls = storedCalls(files, byFile);
  if (calls) return { calls };
  const written = files.filter(({ facts }) => facts.generated !== true);
  const own = written.length < files.length ? storedCalls(written, byFile) : undefined;
  return own ? { calls: own, missing: "generated" } : { calls: new Map<string, Relation[]>(), missing: "all" };
}

/** Relations of a file with calls of stored functions. What is told by both has the sites of both. */
export function withStored(relations: readonly Relation[], stored: readonly Relation[]): readonly Relation[] {
  if (stored.length === 0) return relations;
  const places = new Map<number, number>();
  relations.forEach(({ type, from, to }, i) => {
    if (type === "CALLS") places.set(pairOf(from, to), i);
  });
  const all = [...relations];
  for (const call of stored) {
    const place = places.get(pairOf(call.from, call.to));
    if (place === undefined) all.push(call);
    else {
      const known = all[place]!;
      const both: Relation = { ...known, ...(known.moreLines ? { moreLines: [...known.moreLines] } : {}) };
      for (const line of [call.line, ...call.moreLines ?? NONE]) addSite(both, call.confidence, line);
      all[place] = both;
    }
  }
  return all;
}

/** One exact number for two anchors while there are fewer than 2^26. */
function pairOf(from: Anchor, to: Anchor): number {
  return from.id * 2 ** 26 + to.id;
}

/** Whether two files' calls of stored functions are the same. */
export function sameCalls(one: readonly Relation[] = [], other: readonly Relation[] = []): boolean {
  return one.length === other.length && one.every((a, i) => {
    const b = other[i]!;
    return a.from === b.from && a.to === b.to && a.confidence === b.confidence && a.line === b.line && (a.moreLines ?? []).join() === (b.moreLines ?? []).join();
  });
}

/** Fields have names; other slots, and parts of slots, have a place, a mark, or nothing (`Slot` in language.ts). */
function isField(name: string): boolean {
  return name !== "" && name !== "new()" && !NO_FIELDS.includes(name[0]!);
}

const NO_FIELDS = "0123456789:(=";

/**
 * Parameters, by place or name. Who hands a function without a name to what calls it has its calls anyway; were it told as called there, all that
 * hand one to `withLock` would lead to each other.
 */
function isParameter(name: string): boolean {
  return /^(?:\(&|(?:\(\d+\))?(?:\d+|=.+))$/.test(name);
}

/**
 * What is in slots: a function or a class, an object of such, a function without a name in the code of something, a function that is only
 * given something, an object literal, or what is known by its members alone (`SLOT.MADE`). One object for each.
 */
interface Held {
  readonly kind: "function" | "object" | "code" | "given" | "literal" | "made";
  readonly of: Anchor;
  /** What the names of a function's parameters begin with, and those of the members of a literal and of what is made. */
  readonly prefix: string;
  /** The slots of its members that were looked for, by name. */
  members?: Map<string, Node>;
}

const LIMITS: Record<Held["kind"], number> = { function: MAX_HELD, object: MAX_OBJECTS, code: MAX_HELD, given: Infinity, literal: MAX_OBJECTS, made: MAX_OBJECTS };

/** A slot, with what reaches it. */
class Node {
  /** The slots into which its content is put. */
  next: Set<Node> | undefined;
  /** The slots that hold at once what is put into it, since they may be the same. */
  alike: Node[] | undefined;
  /** The slots that are parts of what it holds. */
  parts: Part[] | undefined;
  /** Of what something is made of: those of its parts that are what is read from that. */
  read: Set<Node> | undefined;
  /** The functions that code puts there by name. */
  direct: Set<Held> | undefined;
  function: Set<Held> | undefined;
  object: Set<Held> | undefined;
  code: Set<Held> | undefined;
  given: Set<Held> | undefined;
  literal: Set<Held> | undefined;
  made: Set<Held> | undefined;
  /** It takes functions alone: objects of a class are told from others by more than a field's name. */
  ofFunctions = false;

  /** `isNamed`: by some file. */
  constructor(readonly isNamed: boolean) {}
}

/** A slot that is a part of what another holds, by what it is called there; `into`: the place or name where something is put. */
interface Part {
  readonly name: string;
  readonly into: string | undefined;
  readonly slot: Node;
}

/** What something is put into by a slot's name: a field, whether of a known class or, as in "0.(name)" and "0.name", of what another slot holds. */
function nameInto(name: string): string {
  const part = name.slice(name.lastIndexOf(".") + 1);
  return inBrackets(part) ?? part;
}

/** The slot that another one is a part of, whatever stands in between: of what is made, all that holds its members. */
function rootOf(name: string): string {
  const dot = name.indexOf(".");
  return dot < 0 ? name : name.slice(0, dot);
}

function partNamed(name: string, slot: Node): Part {
  return { name, into: inBrackets(name), slot };
}

function inBrackets(name: string): string | undefined {
  return name.length > 2 && name.startsWith("(") && name.endsWith(")") ? name.slice(1, -1) : undefined;
}

/** What was added to slots in one step. */
type Fresh = Map<Node, Held[]>;

/** All slots, with what reaches each. */
class Slots {
  /** By owner and name. */
  private readonly owned = new Map<Anchor, Map<string, Node>>();
  /** By name, of slots without an owner: what is put into some field of the name, and what is read from some. */
  private readonly intoSome = new Map<string, Node>();
  private readonly fromSome = new Map<string, Node>();
  /** The names of fields that something is put into: others hold nothing. */
  private readonly filled = new Set<string>();
  /** By a slot's name, whether slots of it may hold anything. */
  private readonly filling = new Map<string, boolean>();
  /** Some slot holds what is known by its members alone. */
  private hasMade = false;
  /** Objects that are in the slots of their classes already. */
  private readonly made = new Set<Held>();
  /** Slots whose content is put into others. */
  private readonly handed: [from: Node, into: Node][] = [];
  /** It is still at what files say. */
  private isReading = true;
  /** The one `Held` for each symbol, kind and prefix. */
  private readonly values = new Map<Anchor, Map<string, Held>>();

  constructor(resolved: readonly Resolved[], private readonly members: Members) {
    for (const one of resolved) this.nameIn(one);
    const direct: [slot: Node, what: Held][] = [];
    for (const one of resolved) this.nodesOf(one, direct);
    this.isReading = false;
    this.handParts();
    this.meet();
    let fresh: Fresh = new Map();
    for (const [slot, what] of direct) {
      if (what.kind === "function") (slot.direct ??= new Set()).add(what);
      this.add(slot, [what], fresh);
    }
    for (let step = 0; step < MAX_OBJECT_STEPS && fresh.size > 0; step++) {
      const reached: Fresh = new Map();
      for (const [slot, all] of fresh) {
        const further = step < MAX_STEPS ? all : all.filter(({ kind }) => kind === "object" || kind === "given");
        for (const to of slot.next ?? NONE) this.add(to, further, reached);
        for (const one of further) this.partsOf(slot, one, reached);
      }
      fresh = reached;
    }
  }

  /** Takes down into which names a file puts anything. */
  private nameIn({ puts, calls }: Resolved): void {
    spend(puts.length + calls.length);
    for (const { into: { name }, what } of puts) {
      if ("name" in what && what.name.endsWith(SLOT.MADE)) this.hasMade = true;
      if (this.filling.has(name)) continue;
      this.filling.set(name, true);
      this.filled.add(nameInto(name));
    }
  }

  /** Makes the slots of a file; `direct` takes what is put into them by itself. */
  private nodesOf({ puts, calls }: Resolved, direct: [slot: Node, what: Held][]): void {
    for (const { into, what } of puts) {
      const held = this.heldIn(what);
      if (held) direct.push([this.nodeOf(into, this.intoSome), held]);
      else if (!("id" in what) && this.mayHold(this.hasMade ? rootOf(what.name) : what.name)) {
        const [from, to] = [this.nodeOf(what, this.fromSome), this.nodeOf(into, this.intoSome)];
        (from.next ??= new Set()).add(to);
        this.handed.push([from, to]);
      }
    }
    for (const { from, otherwise } of calls) {
      if (this.mayHold(from.name)) this.nodeOf(from, this.fromSome);
      if (otherwise && this.mayHold(otherwise.name)) this.nodeOf(otherwise, this.fromSome);
    }
  }

  /** The relations of a file's calls. */
  called(calls: readonly SlotCall[]): Relation[] {
    const known = new Map<number, Relation>();
    for (const { by, from, line, otherwise } of calls) {
      spend();
      const any = this.addCalls(by, from, line, known);
      // Those who use a library may pass more to its parameters.
      if (otherwise && (!any || isParameter(from.name))) this.addCalls(by, otherwise, line, known);
    }
    return [...known.values()];
  }

  /** Adds to `known` what a call of a slot may run; false where that is nothing. */
  private addCalls(by: Anchor, from: AnchoredSlot, line: number, known: Map<number, Relation>): boolean {
    const held = this.mayHold(from.name) ? this.nodeOf(from, this.fromSome) : undefined;
    let any = false;
    for (const all of [held?.function, isParameter(from.name) ? undefined : held?.code]) {
      if (!all) continue;
      const isType = from.name.startsWith(SLOT.TYPE);
      const direct = !isType && all === held?.function && held.direct && held.direct.size <= FEW ? held.direct : undefined;
      for (const one of all.size <= MAX_HELD ? all : direct ?? NONE) {
        spend();
        const { kind, of: to } = one;
        const confidence = (all.size > FEW || isType) && !direct?.has(one) ? ONE_OF_MANY : STORED;
        if (kind === "code" && (to === by || this.members.isClass(to))) continue;
        any = true;
        const pair = pairOf(by, to);
        const relation = known.get(pair);
        if (relation) addSite(relation, confidence, line);
        else if (known.size < MAX_RELATIONS) {
          spend(RELATION);
          known.set(pair, { type: "CALLS", from: by, to, confidence, line });
        }
      }
    }
    return any;
  }

  /** Whether something is put into slots of a name, or may be in what they are parts of. */
  private mayHold(name: string): boolean {
    let may = this.filling.get(name);
    if (may === undefined) {
      const dot = name.lastIndexOf(".");
      const part = name.slice(dot + 1);
      may = (!isField(part) || this.filled.has(part) || this.members.isMethod(part)) && (dot < 0 || this.mayHold(this.hasMade ? rootOf(name) : name.slice(0, dot)));
      this.filling.set(name, may);
    }
    return may;
  }

  /** What is put: a function, or what a slot holds from the first; undefined for a slot that is given what it holds. */
  private heldIn(what: Anchor | AnchoredSlot): Held | undefined {
    if ("id" in what) return this.heldOf("function", what);
    if (!what.owner) return undefined;
    if (what.name === SLOT.OBJECT) return this.heldOf("object", what.owner);
    if (what.name === SLOT.CODE) return this.heldOf("code", what.owner);
    if (what.name.endsWith(SLOT.LITERAL)) return this.heldOf("literal", what.owner, what.name.slice(0, -SLOT.LITERAL.length));
    if (what.name.endsWith(SLOT.MADE)) return this.heldOf("made", what.owner, what.name.slice(0, -SLOT.MADE.length));
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
  private nodeOf({ owner, name }: AnchoredSlot, some: Map<string, Node>): Node {
    let names = some;
    if (owner) {
      names = this.owned.get(owner) ?? new Map<string, Node>();
      this.owned.set(owner, names);
    }
    const known = names.get(name);
    if (known) return known;
    const slot = new Node(this.isReading);
    names.set(name, slot);
    const dot = name.lastIndexOf(".");
    if (dot >= 0) (this.nodeOf({ owner, name: name.slice(0, dot) }, this.fromSome).parts ??= []).push(partNamed(name.slice(dot + 1), slot));
    return slot;
  }

  /** What is known of a slot by the members of what it holds goes with that: of a parameter into the field that it is put into. */
  private handParts(): void {
    for (const [from, into] of this.handed) {
      spend();
      for (const { name, slot } of (from.parts && into.parts) ?? NONE) {
        const own = isField(name) ? from.parts!.find((part) => part.name === name) : undefined;
        if (own) (own.slot.next ??= new Set()).add(slot);
      }
    }
    this.handed.length = 0;
  }

  private meet(): void {
    this.intoSome.forEach((slot, name) => {
      const from = this.fromSome.get(name);
      if (from) (slot.alike ??= []).push(from);
    });
    const only = new Map<string, Node[]>();
    for (const name of this.fromSome.keys()) if (name.startsWith(SLOT.ONLY) && !name.includes(".")) only.set(name.slice(SLOT.ONLY.length), []);
    for (const names of this.owned.values()) {
      names.forEach((slot, name) => {
        if (!isField(name)) return;
        only.get(name)?.push(slot);
        const from = this.fromSome.get(name);
        if (from) (slot.alike ??= []).push(from);
        const into = this.intoSome.get(name);
        if (into) (into.alike ??= []).push(slot);
      });
    }
    for (const [name, [field, ...others]] of only) {
      if (!field || others.length > 0) continue;
      const slot = this.fromSome.get(SLOT.ONLY + name)!;
      slot.ofFunctions = true;
      (field.alike ??= []).push(slot);
    }
  }

  /** Joins the parts of a slot to those of something that has come into it. */
  private partsOf(slot: Node, one: Held, fresh: Fresh): void {
    const slots = this.owned.get(one.of);
    const parts = slot.parts ?? NONE;
    spend(parts.length);
    for (const { name, into, slot: part } of parts) {
      // What a function without a name gives, where that is called, is most often another one.
      if (one.kind === "code") {
        if (name === "()") this.add(part, [one], fresh);
      } else if (one.kind === "literal") {
        const member = isField(into ?? name) ? this.memberOf(one, into ?? name) : undefined;
        if (into === undefined) this.join(member, part, fresh);
        else this.join(part, member, fresh);
      } else if (one.kind === "made") {
        this.partOfMade(one, name, into, part, fresh);
      } else if (one.kind === "object") {
        if (into === undefined) this.read(one.of, name, part, fresh);
        else if (isField(into)) this.join(part, this.fieldOf(one.of, into), fresh);
      } else if (into !== undefined) {
        if (!isField(into)) this.join(part, slots?.get(one.prefix + into), fresh);
      } else if (one.kind === "function") this.give(one.of, name, part, fresh);
    }
    const base = one.kind === "object" ? slots?.get(SLOT.BASE) : undefined;
    if (!base) return;
    // What a class inherits its objects have, too.
    (base.parts ??= []).push(partNamed("new()", slot));
    for (const above of base.function ?? NONE) this.add(slot, [this.heldOf("object", above.of)], fresh);
  }

  /** Joins a part to that of what is known by its members alone, and of what it is made of. */
  private partOfMade(one: Held, name: string, into: string | undefined, part: Node, fresh: Fresh): void {
    if (into !== undefined) {
      if (isField(into)) this.join(part, this.memberOf(one, into), fresh);
      if (isField(into) || into === "*") this.join(part, this.memberOf(one, "*"), fresh);
      return;
    }
    if (!isField(name)) {
      this.add(part, [one], fresh);
      return;
    }
    // What is made of each other comes here for the same part again and again.
    const within = this.memberOf(one, "*");
    const read = (within.read ??= new Set());
    if (read.has(part)) return;
    read.add(part);
    this.add(part, [one], fresh);
    this.join(this.memberOf(one, name), part, fresh);
    (within.parts ??= []).push(partNamed(name, part));
    spend(within.made?.size);
    for (const other of within.made ?? NONE) this.partOfMade(other, name, into, part, fresh);
  }

  /** The slot of a member of a literal, or of what is known by its members alone; "*": of all that this is made of. */
  private memberOf(one: Held, name: string): Node {
    const members = (one.members ??= new Map<string, Node>());
    let member = members.get(name);
    if (!member) members.set(name, (member = this.nodeOf({ owner: one.of, name: `${one.prefix}.(${name})` }, this.intoSome)));
    return member;
  }

  /** Puts into a part what functions, and classes, give. */
  private give(of: Anchor, name: string, part: Node, fresh: Fresh): void {
    const isClass = this.members.isClass(of);
    if (name === "new()" || (name === "()" && isClass)) this.add(part, [this.heldOf("object", of)], fresh);
    else if (name === "()") this.join(this.owned.get(of)?.get(name), part, fresh);
    // An operation on a class runs nothing that it declares for its objects.
    else if (isClass && !name.startsWith("__")) this.read(of, name, part, fresh);
  }

  /** Puts into a part what objects of a class have by that name: the method that comes first, and fields in front of it. */
  private read(cls: Anchor, name: string, part: Node, fresh: Fresh): void {
    if (!isField(name)) return;
    const isFilled = this.filled.has(name);
    for (const above of this.members.order(cls)) {
      spend();
      if (isFilled) this.join(this.nodeOf({ owner: above, name }, this.fromSome), part, fresh);
      const methods = this.members.own(above, name);
      if (methods.length === 0) continue;
      this.add(part, methods.map((method) => this.heldOf("function", method)), fresh);
      return;
    }
  }

  /** The slot of a field that is put into objects of a class: that of the last class above it that has one. */
  private fieldOf(cls: Anchor, name: string): Node {
    const owner = this.members.order(cls).findLast((above) => this.owned.get(above)?.get(name)?.isNamed) ?? cls;
    return this.nodeOf({ owner, name }, this.intoSome);
  }

  /** Puts what a slot holds, now and later, into another. */
  private join(from: Node | undefined, to: Node | undefined, fresh: Fresh): void {
    if (!from || !to || from === to) return;
    const next = (from.next ??= new Set());
    spend();
    if (next.has(to)) return;
    next.add(to);
    for (const all of [from.function, from.object, from.code, from.given, from.literal, from.made]) if (all) this.add(to, [...all], fresh);
  }

  private add(slot: Node, all: readonly Held[], fresh: Fresh): void {
    spend(all.length);
    const added = all.filter((one) => {
      const held = slot[one.kind];
      if (slot.ofFunctions && one.kind !== "function" && one.kind !== "given" && one.kind !== "code") return false;
      return !held || (held.size <= LIMITS[one.kind] && !held.has(one));
    });
    if (added.length === 0) return;
    spend(added.length * RELATION);
    for (const one of added) {
      (slot[one.kind] ??= new Set()).add(one);
      if (one.kind === "object") this.make(one, fresh);
    }
    const list = fresh.get(slot);
    if (list) list.push(...added);
    else fresh.set(slot, added);
    // What is known by its members alone says nothing of fields of the same name elsewhere.
    const alike = slot.alike ? added.filter(({ kind }) => kind !== "made" && kind !== "literal") : NONE;
    for (const other of slot.alike ?? NONE) this.add(other, alike, fresh);
  }

  private make(one: Held, fresh: Fresh): void {
    if (this.made.has(one)) return;
    this.made.add(one);
    for (const above of this.members.order(one.of)) {
      const self = this.owned.get(above)?.get(SLOT.SELF);
      if (self) this.add(self, [one], fresh);
    }
  }
}

const NONE: readonly never[] = [];
