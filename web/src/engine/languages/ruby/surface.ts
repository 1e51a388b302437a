import type { FileFacts } from "../../facts.ts";
import { symbolNames } from "../../relations.ts";
import { type MethodFact, type Offset, Op, type ParameterFact, type RubyFacts } from "./facts.ts";

/** What stands in each record behind its operation: an Offset, a str, a context, a scope, a method, a number, a symbol, or a count and so many Offsets. */
const LAYOUT: Record<number, string> = {
  [Op.Constant]: "sp", [Op.Top]: "s", [Op.Scoped]: "os", [Op.Self]: "c", [Op.Core]: "s", [Op.List]: "*", [Op.Table]: "*", [Op.Call]: "osco*", [Op.Super]: "co*",
  [Op.Either]: "*", [Op.Field]: "sc", [Op.Parameter]: "mn", [Op.Block]: "oony", [Op.Given]: "on", [Op.Instance]: "oo", [Op.Element]: "o", [Op.Reference]: "osc",
  [Op.Keyword]: "so", [Op.Splat]: "o", [Op.Pass]: "o", [Op.Each]: "os", [Op.Closure]: "o", [Op.Made]: "p", [Op.Documented]: "sp", [Op.Symbol]: "s", [Op.Text]: "s", [Op.Below]: "p", [Op.Unknown]: "",
};
/** Records that came or went in one place are looked for so far. */
const MAX_APART = 1000;
/** So many records that are alike show that both sides are at the same place again. */
const ALIKE = 3;

/** By operation how long a record is, without the Offsets that are counted; those of which some are. */
const LENGTHS: number[] = [];
const COUNTED: boolean[] = [];
for (const [op, layout] of Object.entries(LAYOUT)) {
  LENGTHS[Number(op)] = 1 + layout.length;
  COUNTED[Number(op)] = layout.endsWith("*");
}

/** Where the records in a file's code begin. */
export function* recordsOf(code: readonly number[]): Generator<Offset> {
  for (let at = 1; at < code.length;) {
    yield at;
    const op = code[at]!;
    at += LENGTHS[op]!;
    if (COUNTED[op]) at += Math.max(0, code[at - 1]!);
  }
}

/** How a file differs from what it was, as far as it concerns others. */
export interface Difference {
  /** By the place of a record where it is now; 0 where it has gone, or says something else. */
  records: Int32Array;
  /** Whether classes, what they inherit, mixins and constants are the same. */
  framed: boolean;
  /** By the number of a scope, and of a method, the one that it had; -1 for one that has come. */
  scopes: readonly number[];
  methods: readonly number[];
  /** By the numbers that they have: methods whose symbols are other ones. */
  moved: readonly number[];
  /** Methods of these names are others. */
  names: ReadonlySet<string>;
  /** By the numbers that they had: methods that take other parameters, and those that give something else to their blocks. */
  parameters: readonly number[];
  yields: readonly number[];
  /** The same of methods whose parameters get other arguments than they did. */
  reordered: readonly number[];
  /** Names of methods that took nothing and take something now, or the other way round. */
  takers: ReadonlySet<string>;
  /** Variables of these names are given something else. */
  fields: ReadonlySet<string>;
}

type Facts = FileFacts<RubyFacts>;

export function differenceOf(before: Facts, after: Facts): Difference {
  const ids = new Map<string, number>();
  const [a, b] = [new Side(before, ids), new Side(after, ids)];
  const records = alignment(a, b);
  const same = sameIn(records);
  const gone = (old: Offset): boolean => old > 0 && records[old] === 0;
  const framed = sameFrame(a, b, same, gone);

  const now = new Map(b.methods.map((key, i) => [key, i]));
  const methods = b.data.methods.map(() => -1);
  const names = new Set<string>();
  const parameters: number[] = [];
  const yields: number[] = [];
  const reordered: number[] = [];
  const takers = new Set<string>();
  a.data.methods.forEach((old, i) => {
    const index = now.get(a.methods[i]!);
    const fact = index === undefined ? undefined : b.data.methods[index]!;
    if (fact) methods[index!] = i;
    const takes = fact !== undefined && sameParameters(old, fact, same);
    if (!takes) parameters.push(i);
    if (fact && !takes && !all(old.parameters, fact.parameters, (x, y) => getsOf(x) === getsOf(y))) reordered.push(i);
    if (!fact || !all(old.yields, fact.yields, (x, y) => all(x, y, same))) yields.push(i);
    if (fact && (old.parameters.length > 0) !== (fact.parameters.length > 0)) takers.add(old.name);
    if (!takes || !sameMethod(old, fact, same)) names.add(old.name);
  });
  methods.forEach((old, i) => {
    if (old < 0) names.add(b.data.methods[i]!.name);
  });
  const [old, symbols] = [symbolNames(before), symbolNames(after)];
  const moved = b.data.methods.flatMap(({ symbol }, i) => (methods[i]! >= 0 && symbol >= 0 && symbols[symbol] !== old[a.data.methods[methods[i]!]!.symbol] ? [i] : []));
  const scopesBefore = new Map(a.scopes.map((id, i) => [id, i]));
  const scopes = b.scopes.map((id) => scopesBefore.get(id) ?? -1);
  return { records, framed, scopes, methods, moved, names, parameters, yields, reordered, takers, fields: otherFields(a, b, records) };
}

/** The facts of a file at one time, with names for what has numbers. */
class Side {
  readonly data: RubyFacts;
  /** What tells scopes apart, and methods. */
  readonly scopes: number[] = [];
  readonly methods: string[];
  /** Where records begin. */
  readonly starts: number[] = [];
  /** What each of them says, but for the records that it is about. */
  readonly words: string[] = [];
  private readonly contexts: string[];

  /** `ids` are the numbers of scopes by what they are called where, of both sides. */
  constructor(facts: Facts, ids: Map<string, number>) {
    const { data } = facts;
    this.data = data;
    const counts = new Map<string, number>();
    const counted = (plain: string): string => {
      const count = (counts.get(plain) ?? 0) + 1;
      counts.set(plain, count);
      return `${plain} ${count}`;
    };
    for (const { kind, name, parent } of data.scopes) {
      const key = counted(`scope ${this.scopes[parent] ?? ""} ${kind} ${name}`);
      if (!ids.has(key)) ids.set(key, ids.size);
      this.scopes.push(ids.get(key)!);
    }
    this.methods = data.methods.map(({ name, scope, side, symbol }) => counted(`${this.scopes[scope]!} ${side} ${symbol < 0} ${name}`));
    this.contexts = data.contexts.map(({ scope, singleton, method, loose }) => `${this.scopes[scope]!} ${singleton} ${loose} ${this.methods[method] ?? ""}`);
    for (const at of recordsOf(data.code)) {
      this.starts.push(at);
      this.words.push(this.wordsOf(at));
    }
  }

  context(index: number): string {
    return this.contexts[index]!;
  }

  private wordsOf(record: Offset): string {
    const { code, strings } = this.data;
    let words = `${code[record]!}`;
    let at = record + 1;
    for (const what of LAYOUT[code[record]!]!) {
      const value = code[at++]!;
      if (what === "s") words += ` ${strings[value]!}`;
      else if (what === "c") words += ` ${this.contexts[value]!}`;
      else if (what === "m") words += ` ${this.methods[value]!}`;
      else if (what === "p") words += ` ${this.scopes[value]!}`;
      else if (what !== "o" && what !== "y") words += ` ${value}`;
    }
    return words;
  }

  /** The records that a record is about. */
  about(record: Offset): Offset[] {
    const { code } = this.data;
    const all: Offset[] = [];
    let at = record + 1;
    for (const what of LAYOUT[code[record]!]!) {
      const value = code[at++]!;
      if (what === "o") all.push(value);
      else if (what === "*") for (let i = 0; i < value; i++) all.push(code[at + i]!);
    }
    return all;
  }
}

/** Finds the records that say the same, about records that say the same. */
function alignment(a: Side, b: Side): Int32Array {
  const records = new Int32Array(a.data.code.length);
  const pairs: number[] = [];
  const alike = (i: number, j: number): boolean => i < a.words.length && j < b.words.length && a.words[i] === b.words[j];
  const agree = (i: number, j: number): boolean => {
    for (let k = 0; k < ALIKE; k++) if (!alike(i + k, j + k)) return i + k === a.words.length && j + k === b.words.length;
    return true;
  };
  for (let i = 0, j = 0; i < a.words.length && j < b.words.length;) {
    if (alike(i, j)) {
      records[a.starts[i]!] = b.starts[j]!;
      pairs.push(a.starts[i++]!, b.starts[j++]!);
      continue;
    }
    let apart = 1;
    let left = -1;
    for (; apart <= MAX_APART && left < 0; apart++) for (let gone = 0; gone <= apart && left < 0; gone++) if (agree(i + gone, j + apart - gone)) left = gone;
    if (left < 0) break;
    i += left;
    j += apart - 1 - left;
  }
  const same = sameIn(records);
  for (let more = true; more;) {
    more = false;
    for (let i = 0; i < pairs.length; i += 2) {
      const [old, now] = [pairs[i]!, pairs[i + 1]!];
      if (records[old] === 0) continue;
      const about = b.about(now);
      if (a.about(old).every((one, k) => same(one, about[k]!))) continue;
      records[old] = 0;
      more = true;
    }
  }
  return records;
}

type Same = (old: Offset, now: Offset) => boolean;

/** Whether places are of the same record, or both of none. A record that has gone is not none. */
function sameIn(records: Int32Array): Same {
  return (old, now) => records[old] === now && (old === 0) === (now === 0);
}

function all<T>(old: readonly T[], now: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return old.length === now.length && old.every((one, i) => same(one, now[i]!));
}

/** Whether modules, what is above them, and constants are the same. */
function sameFrame(a: Side, b: Side, same: Same, gone: (old: Offset) => boolean): boolean {
  const [old, now] = [a.data, b.data];
  const others = ({ methods }: RubyFacts): MethodFact[] => methods.filter(({ of }) => of !== undefined);
  return old.autoloads === now.autoloads
    && all(old.scopes, now.scopes, (x, y) => x.kind === y.kind && x.name === y.name && x.parent === y.parent && x.classMethods === y.classMethods && same(x.superclass, y.superclass))
    && all(old.mixins, now.mixins, (x, y) => x.how === y.how && x.hooked === y.hooked && x.scope === y.scope && same(x.target, y.target) && same(x.value, y.value))
    // Who has asked what a constant is asks again where the record that it was given has gone.
    && all(old.constants, now.constants, (x, y) => x.scope === y.scope && x.name === y.name && (same(x.value, y.value) || (gone(x.value) && y.value > 0)))
    && all(others(old), others(now), (x, y) => x.name === y.name && x.side === y.side && x.scope === y.scope && same(x.of!, y.of!));
}

function sameParameters(old: MethodFact, now: MethodFact, same: Same): boolean {
  return all(old.parameters, now.parameters, (x, y) => x.name === y.name && x.kind === y.kind && same(x.value, y.value));
}

/** Which arguments a parameter in its place gets. */
function getsOf({ kind, name }: ParameterFact): string {
  return kind === "key" ? `key ${name}` : kind === "optional" ? "required" : kind;
}

function sameMethod(old: MethodFact, now: MethodFact, same: Same): boolean {
  const whose = old.of === undefined || now.of === undefined ? old.of === now.of : same(old.of, now.of);
  return whose && same(old.result, now.result) && same(old.documented, now.documented) && old.abstract === now.abstract;
}

/** Names of variables that are given something else. */
function otherFields(a: Side, b: Side, records: Int32Array): Set<string> {
  const given = ({ data, context }: { data: RubyFacts; context: (index: number) => string }, placeOf: (value: Offset) => number): Map<string, string> => {
    const all = new Map<string, string>();
    for (const { name, context: where, value, element, symbol } of data.fields) {
      all.set(name, `${all.get(name) ?? ""}\n${context(where)} ${element} ${symbol !== undefined} ${placeOf(value)}`);
    }
    return all;
  };
  const old = given({ data: a.data, context: (i) => a.context(i) }, (value) => (value === 0 ? 0 : records[value] || -1));
  const now = given({ data: b.data, context: (i) => b.context(i) }, (value) => value);
  return new Set([...old.keys(), ...now.keys()].filter((name) => old.get(name) !== now.get(name)));
}
