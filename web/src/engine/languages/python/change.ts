import type { FileFacts } from "../../facts.ts";
import type { Before, Project } from "../../language.ts";
import { symbolNames } from "../../relations.ts";
import { hasAny, isAmong, meet, wanted, wordAfter, wordOf, type Words } from "../words.ts";
import { isMixing, mroOf } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import { ENUM_BASE, type PyFacts } from "./facts.ts";
import { Meanings, membersOf } from "./meanings.ts";
import type { Ancestor, Cls, SourceFile } from "./program.ts";
import { BEHIND, below, ENUM, FIELDS, HEIRS, MEMBERS, META, ofFile, OPEN, ORDER, OUTSIDE, overriding, running, STARS, VARS } from "./questions.ts";
import { surface, wordNumbers } from "./reach.ts";
import { bindings, type Entry } from "./surface.ts";

/** By what something different leads into the files that have asked for it: to what uses a name, to classes, or to all; else to calls alone. */
interface Way {
  name?: string;
  to?: "classes" | "all" | "outside";
  /** For "outside": a class. What uses a name is concerned that was asked of it, and that no class above it has. */
  of?: { cls: Cls; known: ReadonlyMap<string, unknown> };
}

const CALLS: Way = {};
const CLASSES: Way = { to: "classes" };
export const ALL: Way = { to: "all" };

/** Where a change leads to more, resolving everything again is faster. */
export interface Limits {
  files: number;
  evaluations: number;
}

/** A project before or after the change. */
export class Side {
  private readonly places: ReadonlyMap<string, number>;
  /** How many evaluations it had taken before. */
  private readonly taken: number;

  constructor(private readonly project: Project<PyFacts>, readonly evaluator: Evaluator) {
    this.places = new Map(project.files.map(({ path }, i) => [path, i]));
    this.taken = evaluator.evaluations;
  }

  /** How many it took so far. */
  get evaluations(): number {
    return this.evaluator.evaluations - this.taken;
  }

  has(path: string): boolean {
    return this.places.has(path);
  }

  factsOf(path: string): FileFacts<PyFacts> | undefined {
    return this.project.files[this.places.get(path) ?? -1]?.facts;
  }

  at(path: string): SourceFile | undefined {
    return this.evaluator.program.files[this.places.get(path) ?? -1];
  }

  cls(file: SourceFile | undefined, index: number | undefined): Cls | undefined {
    return file && index !== undefined ? this.evaluator.program.cls(file, index) : undefined;
  }
}

/** One thing that others may read of a file, as it was and as it is. */
interface Pair {
  was?: Entry;
  is?: Entry;
  /** Their class by its number, which may be there without them. */
  owner: { was?: number; is?: number };
}

/** A class as it was and as it is. */
interface Classes {
  was: Cls | undefined;
  is: Cls | undefined;
}

/** What a file is led to. */
class Led {
  readonly names = new Set<string>();
  some = false;
  classes = false;
  all = false;

  take({ name, to }: Way): void {
    this.some = true;
    if (name !== undefined) this.names.add(name);
    if (to === "classes") this.classes = true;
    if (to === "all") this.all = true;
  }

  reaches({ was, is }: Pair): boolean {
    return this.all || (this.classes && (was ?? is)!.kind === "class") || this.uses(was) || (is !== was && this.uses(is));
  }

  usesAny(uses: ReadonlySet<string>): boolean {
    for (const name of this.names) if (uses.has(name)) return true;
    return false;
  }

  private uses(entry: Entry | undefined): boolean {
    return entry !== undefined && this.usesAny(entry.uses);
  }
}

/**
 * Works out whom a change concerns: who has asked for something that means something else now, which may make what stands there mean
 * something else, and so on. What means the same in other words concerns nobody.
 */
export class Change {
  /** Files whose relations may be others. */
  readonly affected: Set<string>;
  /** All that is different, by the number of its question, and where its file is led by it. */
  private readonly different = new Map<number, Way>();
  private fresh = new Map<number, Way>();
  private readonly led = new Map<string, Way[]>();
  private ledNow = new Map<string, Way[]>();
  private readonly pairs = new Map<string, ReadonlyMap<string, Pair>>();
  /** Pairs that are known to be different, and those that were compared. */
  private readonly known = new Set<Pair>();
  private compared = new Set<Pair>();
  /** How many evaluations comparing took, and may take: to compare once more takes as long again. */
  private taken = 0;
  private most: number;
  private readonly numbers = new Map<string, number>();
  private told: readonly [Meanings, Meanings] | undefined;
  /** The names in what a file's calls pass, once that is known. */
  private passed: (path: string) => Iterable<string> = () => [];
  /** By file, the names in it that decide what somebody has asked for, or what its calls pass. */
  private readonly deciding = new Map<string, ReadonlySet<string>>();

  /** `isAsked`: whether anybody has asked a question. */
  constructor(
    private readonly before: Before<PyFacts>, private readonly after: Project<PyFacts>, private readonly changed: ReadonlySet<string>,
    private readonly was: Side, private readonly is: Side, private readonly heirs: (cls: Cls) => readonly Cls[], private readonly limits: Limits,
    private readonly isAsked: (question: number) => boolean,
  ) {
    this.affected = new Set(changed);
    this.most = limits.evaluations / 2;
    for (const path of changed) {
      const [a, b] = [was.factsOf(path)?.data, is.factsOf(path)?.data];
      const starsOf = (data: PyFacts | undefined): string => JSON.stringify((data?.scopes[0]!.stars ?? []).map((star) => ({ ...data!.imports[star], line: 0 })));
      if (starsOf(a) !== starsOf(b)) this.ofFile(path, STARS, ALL);
      if (reordered(was.factsOf(path), is.factsOf(path))) this.lead(path, ALL);
      if ((a?.all === undefined) !== (b?.all === undefined)) this.ofFile(path, OPEN, ALL);
    }
  }

  /** Whether anything is said in other words. */
  get some(): boolean {
    return this.different.size + this.led.size + this.compared.size > 0;
  }

  /** What is asked by this number is different. */
  touch(word: number, way: Way): void {
    const known = this.different.get(word);
    const same = known === undefined || (known.name === way.name && known.to === way.to && known.of?.cls === way.of?.cls);
    if (known && (same || known.to === "all")) return;
    const led = same ? way : ALL;
    this.different.set(word, led);
    this.fresh.set(word, led);
  }

  /** Calls that ask this may lead elsewhere. */
  touchCalls(word: number): void {
    this.touch(word, CALLS);
  }

  /** Something in a file is different for what uses the name there. */
  lead(path: string, way: Way): void {
    for (const ways of [this.led, this.ledNow]) {
      const list = ways.get(path);
      if (list) list.push(way);
      else ways.set(path, [way]);
    }
  }

  /** Everything in a file may mean something else. */
  turn(path: string): void {
    this.affected.add(path);
    this.lead(path, ALL);
    if ((this.is.at(path)?.facts.scopes[0]!.stars ?? []).length > 0) this.ofFile(path, STARS, ALL);
  }

  /** What is asked of a file is different. */
  ofFile(path: string, name: string, way: Way): void {
    this.touch(wordAfter(ofFile(path), name), way);
  }

  /**
   * Goes on with what calls pass, of which `passed` has the names by file: what was compared without it is compared once more, and all that
   * is different is followed anew.
   */
  informed(passed: (path: string) => Iterable<string>): void {
    this.passed = passed;
    this.most = this.limits.evaluations;
    this.compared = new Set();
    this.deciding.clear();
    this.told = undefined;
    this.fresh = new Map(this.different);
    this.ledNow = new Map([...this.led].map(([path, ways]) => [path, [...ways]]));
  }

  /** Follows all that is different. False when that leads to too much. */
  follow(visit: (path: string, usesAny: ((uses: ReadonlySet<string>) => boolean) | undefined) => void = () => undefined): boolean {
    const others = this.was.evaluations + this.is.evaluations - this.taken;
    for (const path of this.changed) for (const pair of this.pairsOf(path).values()) if (!saysTheSame(pair)) this.compare(path, pair);
    while (this.fresh.size > 0 || this.ledNow.size > 0) {
      const { fresh, ledNow } = this;
      this.fresh = new Map();
      this.ledNow = new Map();
      const words = wanted(fresh.keys());
      for (const { path } of this.after.files) {
        const led = new Led();
        for (const way of ledNow.get(path) ?? []) led.take(way);
        const asked = this.before.asked(path);
        meet(asked, words, (at) => {
          const way = fresh.get(words[at]!)!;
          if (way.of) for (const name of this.askedOutside(path, asked, way.of)) led.take(wayTo(name));
          else led.take(way);
          return false;
        });
        if (!led.some) continue;
        this.affected.add(path);
        this.taken = this.was.evaluations + this.is.evaluations - others;
        if (this.affected.size > this.limits.files || this.taken > this.most) return false;
        if (!led.all && !led.classes && led.names.size === 0) continue;
        for (const pair of this.pairsOf(path).values()) if (!this.compared.has(pair) && led.reaches(pair)) this.compare(path, pair);
        visit(path, led.all ? undefined : (uses) => led.usesAny(uses));
      }
    }
    return true;
  }

  /** The files in which a name stands have other relations. */
  mentioned(names: readonly string[]): void {
    const written = wanted(names.map((name) => wordOf(name)));
    if (names.length > 0) for (const { facts, path } of this.after.files) if (hasAny(wordNumbers(facts), written)) this.affected.add(path);
  }

  /** Whether a value is another one. */
  isOther(was: readonly [SourceFile, number], is: readonly [SourceFile, number]): boolean {
    return differs(this.meanings[0].ofValue(...was), this.meanings[1].ofValue(...is));
  }

  /** The names by which a file has asked a class for what no class above it has. */
  private askedOutside(path: string, asked: Words, { cls, known }: NonNullable<Way["of"]>): string[] {
    const names = new Set([...this.was.factsOf(path)?.data.strings ?? [], ...UNTOLD]);
    return [...names].filter((name) => !known.has(name) && isAmong(asked, wordAfter(cls.word, name)));
  }

  private get meanings(): readonly [Meanings, Meanings] {
    return (this.told ??= [new Meanings(this.was.evaluator, this.changed, this.numbers), new Meanings(this.is.evaluator, this.changed, this.numbers)]);
  }

  private pairsOf(path: string): ReadonlyMap<string, Pair> {
    const known = this.pairs.get(path);
    if (known) return known;
    const pairs = new Map<string, Pair>();
    const owners = new Map<string | number, Pair["owner"]>();
    for (const side of ["was", "is"] as const) {
      const facts = this[side].factsOf(path);
      if (!facts) continue;
      const symbols = this.changed.has(path) ? symbolNames(facts) : undefined;
      const ownerOf = (index: number): { called: string | number; owner: Pair["owner"] } => {
        if (index < 0) return { called: "", owner: {} };
        const called = symbols ? symbols[facts.data.classes[index]!.symbol]! : index;
        let owner = owners.get(called);
        if (!owner) owners.set(called, (owner = {}));
        owner[side] = index;
        return { called, owner };
      };
      for (const entry of surface(facts)) {
        const { called, owner } = ownerOf(entry.cls);
        const key = `${entry.kind} ${called} ${entry.name}`;
        const pair = pairs.get(key);
        if (pair) pair[side] = entry;
        else pairs.set(key, { [side]: entry, owner });
      }
    }
    this.pairs.set(path, pairs);
    return pairs;
  }

  private compare(path: string, pair: Pair): void {
    this.compared.add(pair);
    const { kind, name } = (pair.was ?? pair.is)!;
    if (this.known.has(pair) || !(this.isAskedFor(path, pair) || (kind === "name" && this.decidingIn(path).has(name)))) return;
    const [a, b] = [this.was.at(path), this.is.at(path)];
    const classes = this.classesOf(path, pair);
    switch (kind) {
      case "handed":
        this.ofFile(path, name, { name });
        break;
      case "name": {
        if (!differs(pair.was && this.meanings[0].ofBinding(a!, ...bound(a!, -1, name)), pair.is && this.meanings[1].ofBinding(b!, ...bound(b!, -1, name)))) return;
        this.ofFile(path, name, { name });
        this.lead(path, { name });
        break;
      }
      case "member": {
        if (!differs(pair.was && this.meanings[0].ofBinding(a!, ...bound(a!, pair.was.cls, name)), pair.is && this.meanings[1].ofBinding(b!, ...bound(b!, pair.is.cls, name)))) return;
        this.member(classes, name);
        break;
      }
      case "class":
        if (!this.cls(classes)) return;
    }
    this.known.add(pair);
  }

  private classesOf(path: string, { owner }: Pair): Classes {
    return { was: this.was.cls(this.was.at(path), owner.was), is: this.is.cls(this.is.at(path), owner.is) };
  }

  /** Whether anybody has asked for a name or a member; classes are asked for in many ways. */
  private isAskedFor(path: string, pair: Pair): boolean {
    const { kind, name } = (pair.was ?? pair.is)!;
    switch (kind) {
      case "name": return this.isAsked(wordAfter(ofFile(path), name));
      case "member": {
        const { heirs, above, beside } = this.kin(this.classesOf(path, pair));
        return heirs.some(({ word }) => [name, running(name)].some((way) => this.isAsked(wordAfter(word, way))))
          || beside.some(({ word }) => this.isAsked(wordAfter(word, overriding(name))))
          || [...heirs, ...above].some(({ word }) => this.isAsked(wordAfter(word, MEMBERS)));
      }
      default: return true;
    }
  }

  /** The names of a file that decide what is asked for there, or what its calls pass, in however many steps. */
  private decidingIn(path: string): ReadonlySet<string> {
    const known = this.deciding.get(path);
    if (known) return known;
    const pairs = [...this.pairsOf(path).values()];
    const byName = new Map<string, Pair>();
    for (const pair of pairs) if ((pair.was ?? pair.is)!.kind === "name") byName.set((pair.was ?? pair.is)!.name, pair);
    const names = new Set(this.passed(path));
    const usedBy = ({ was, is }: Pair): void => {
      for (const entry of [was, is]) for (const name of entry?.uses ?? []) names.add(name);
    };
    for (const pair of pairs) if (this.isAskedFor(path, pair)) usedBy(pair);
    // What is added meanwhile has its turn, too.
    for (const name of names) {
      const pair = byName.get(name);
      if (pair) usedBy(pair);
    }
    this.deciding.set(path, names);
    return names;
  }

  /** A class with all that derives from it (`heirs`) and what it derives from (`above`); `beside`: `above`, and what those heirs derive from that have several bases. */
  private kin({ was, is }: Classes): { heirs: readonly Cls[]; above: readonly Cls[]; beside: readonly Cls[] } {
    const cls = (is ?? was)!;
    const { evaluator } = is ? this.is : this.was;
    const aboveOf = (one: Cls): Cls[] => mroOf(evaluator, one).flatMap(({ cls: above }) => above ?? []);
    const [heirs, above] = [[cls, ...this.heirsOf(is)], aboveOf(cls)];
    return { heirs, above, beside: [...new Set([...above, ...heirs.filter(isMixing).flatMap(aboveOf)])] };
  }

  /** A member that a class itself has is another. */
  private member(classes: Classes, name: string): void {
    const { heirs, above, beside } = this.kin(classes);
    for (const heir of heirs) this.found(heir.word, name);
    for (const { word } of beside) this.touch(wordAfter(word, overriding(name)), CALLS);
    for (const { word } of [...heirs, ...above]) this.touch(wordAfter(word, MEMBERS), CALLS);
  }

  /** What derives from a class: what did, and does not any more, or the other way round, is another class itself. */
  private heirsOf(is: Cls | undefined): readonly Cls[] {
    return is ? this.heirs(is) : [];
  }

  /** What is found in a class by a name is another. */
  private found(cls: number, name: string): void {
    this.touch(wordAfter(cls, name), wayTo(name));
    this.touch(wordAfter(cls, running(name)), CALLS);
  }

  /** Takes what is different in what a class is by what is above it. Whether anything is. */
  private cls({ was, is }: Classes): boolean {
    const [a, b] = [was && this.meanings[0].ofClass(was), is && this.meanings[1].ofClass(is)];
    const cls = (is ?? was)!;
    const before = this.different.size;
    if (!a || !b || a.order !== b.order) this.order(was, is, (was !== undefined && !a) || (is !== undefined && !b));
    if (!a || !b || a.vars !== b.vars) this.touch(wordAfter(cls.word, VARS), ALL);
    if (!a || !b || a.fields !== b.fields) this.touch(wordAfter(cls.word, FIELDS), ALL);
    if (!a || !b || a.meta !== b.meta) for (const heir of [cls, ...this.heirsOf(is)]) this.touch(wordAfter(heir.word, META), ALL);
    return this.different.size > before;
  }

  /** `untold`: of what is above it nothing can be said for sure. */
  private order(was: Cls | undefined, is: Cls | undefined, untold: boolean): void {
    const { word } = (is ?? was)!;
    this.touch(wordAfter(word, ORDER), CLASSES);
    this.touch(wordAfter(word, BEHIND), ALL);
    const sides = [[this.was, this.meanings[0], was], [this.is, this.meanings[1], is]] as const;
    const orders = sides.map(([{ evaluator }, , cls]) => (cls ? mroOf(evaluator, cls) : []));

    const [trails, others] = sides.map(([, meanings, cls]) => (cls ? meanings.trails(cls) : new Map<string, string>())) as [Map<string, string>, Map<string, string>];
    for (const name of new Set([...trails.keys(), ...others.keys()])) {
      if (untold || trails.get(name) !== others.get(name)) this.found(word, name);
    }
    const outside = orders.map((order, i) => order.filter(({ cls }) => !cls).map((ancestor) => sides[i]![1].ofAncestor(ancestor)).join(";"));
    if (untold || outside[0] !== outside[1]) this.touch(wordAfter(word, OUTSIDE), { to: "outside", of: { cls: (is ?? was)!, known: untold ? new Map() : trails } });

    const above = orders.map((order, i) => new Map(order.map((ancestor) => [nameOf(ancestor, sides[i]![1]), ancestor])));
    const own = [was, is].flatMap((cls) => (cls ? [...membersOf(cls)] : []));
    if ([was, is].some((cls) => cls && isMixing(cls))) {
      for (const { cls } of orders.flat()) if (cls) for (const name of [...trails.keys(), ...others.keys()]) this.touch(wordAfter(cls.word, overriding(name)), CALLS);
    }
    for (const [one, other] of [[above[0]!, above[1]!], [above[1]!, above[0]!]] as const) {
      for (const [name, { cls }] of one) {
        if (!untold && other.has(name)) continue;
        this.touch(wordAfter(word, below(cls ? cls.word : name)), ALL);
        if (ENUM_BASE.test(name)) this.touch(wordAfter(word, ENUM), ALL);
        if (!cls) continue;
        for (const member of own) this.touch(wordAfter(cls.word, overriding(member)), CALLS);
        this.touch(wordAfter(cls.word, HEIRS), ALL);
        this.touch(wordAfter(cls.word, MEMBERS), CALLS);
        this.touch(wordAfter(word, MEMBERS), CALLS);
      }
    }
  }
}

/** What is asked for in code in which the name does not stand. */
const UNTOLD = (
  "call init new enter exit aenter aexit iter next aiter anext reversed getitem setitem delitem contains class_getitem get set delete set_name init_subclass getattribute getattr setattr delattr await bool len str format repr hash int float index " +
  "bytes abs neg pos invert eq ne lt gt le ge add sub mul truediv floordiv mod pow matmul and or xor lshift rshift radd " +
  "rsub rmul rtruediv rfloordiv rmod rpow rmatmul rand ror rxor rlshift rrshift iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift"
).split(" ").map((name) => `__${name}__`);

function nameOf(ancestor: Ancestor, meanings: Meanings): string {
  if (ancestor.cls) return meanings.cls(ancestor.cls);
  return ancestor.type.k === "ext" ? ancestor.type.name : "";
}

/** Whether what a file binds stands in another order: in a circle that decides where it is cut. */
function reordered(was: FileFacts<PyFacts> | undefined, is: FileFacts<PyFacts> | undefined): boolean {
  if (!was || !is) return false;
  const [old, now] = [bindings(was), bindings(is)];
  const counts = new Map<string, number>();
  for (const name of old) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const name of now) counts.set(name, (counts.get(name) ?? 0) - 1);
  const isInBoth = (name: string): boolean => counts.get(name) === 0;
  return old.filter(isInBoth).join("\n") !== now.filter(isInBoth).join("\n");
}

/** Whether something says the same of itself. What it says of others by names alone is not in its text. */
function saysTheSame({ was, is }: Pair): boolean {
  return was !== undefined && is !== undefined && was.text === is.text && [...was.uses].join("\n") === [...is.uses].join("\n");
}

/** Whether what others get may be another: what is not told may be anything. */
function differs(was: string | undefined, is: string | undefined): boolean {
  return was === undefined || was !== is;
}

/** What Python itself looks up is asked by code in which the name does not stand. */
function wayTo(name: string): Way {
  return /^__\w+__$/.test(name) ? ALL : { name };
}

/** The bindings of a name in a module, or in a class, and through `self` in its methods. */
function bound({ facts, strings }: SourceFile, cls: number, name: string): [inBody: readonly number[], throughSelf: readonly number[]] {
  const index = strings.get(name)!;
  const fact = facts.classes[cls];
  return [facts.scopes[fact?.scope ?? 0]!.names[index] ?? [], fact?.attrs[index] ?? []];
}
