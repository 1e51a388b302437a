import type { Evaluator } from "./evaluate.ts";
import { isContainer } from "./externals.ts";
import { ENUM_BASE, Op } from "./facts.ts";
import { isSpecial } from "./names.ts";
import { BEHIND, below, ENUM, ORDER, OUTSIDE, VARS } from "./questions.ts";
import type { Ancestor, Callable, Cls, SourceFile } from "./program.ts";
import type { Type } from "./types.ts";
import { bounded, substitute } from "./types.ts";

/** Where an attribute of a class was found. */
export interface Member {
  /** The class that has it, and its type arguments as seen from the class that was asked. */
  cls: Cls;
  args: readonly Type[];
  /** Bindings in the body and through `self`, in the class's file. */
  definitions: readonly number[];
}

/** A class with more bases, or ancestors, than this has the first of them: in what people write it is some twenty ancestors. */
const MAX_BASES = 50;
const MAX_ANCESTORS = 200;

/** Attributes that were looked up in a resolution order. */
const members = new WeakMap<readonly Ancestor[], Map<string, Member | Type | undefined>>();

/** Where the last of its bases stands; without bases, before all. Its type variables and its resolution order come after that. */
function placeOf({ fact: { bases } }: Cls): number {
  return bases.at(-1) ?? -1;
}

/** The method resolution order (C3, or depth first where C3 has no answer); the class itself first. */
export function mroOf(evaluator: Evaluator, cls: Cls): readonly Ancestor[] {
  const at = placeOf(cls) + 0.5;
  const known = evaluator.known(cls.file, at, cls.mro);
  if (known) return known.found;
  return evaluator.apart<readonly Ancestor[]>(cls.file, at, [{ cls, args: [] }], () => evaluator.readBy(cls.file, () => linearized(evaluator, cls)), (found) => {
    cls.mro = { ...found, next: evaluator.others(cls.mro) };
  });
}

function linearized(evaluator: Evaluator, cls: Cls): Ancestor[] {
  const bases: Ancestor[][] = [];
  const direct: Ancestor[] = [];
  for (const base of cls.fact.bases) {
    for (const type of evaluator.bases(cls.file, base)) {
      if (direct.length === MAX_BASES) break;
      if (type.k === "inst") {
        if (type.cls === cls) continue;
        evaluator.ask(type.cls, ORDER);
        const vars = typeVarsOf(evaluator, type.cls);
        const solved = new Map(vars.map((v, i) => [v.key, type.args[i] ?? v.bound]));
        const own: Ancestor = { cls: type.cls, args: type.args };
        direct.push(own);
        bases.push([own, ...mroOf(evaluator, type.cls).slice(1).map((a): Ancestor =>
          a.cls ? { cls: a.cls, args: a.args.map((t) => bounded(substitute(t, solved))) } : { cls: undefined, type: bounded(substitute(a.type, solved)) })]);
      } else {
        const own: Ancestor = { cls: undefined, type };
        direct.push(own);
        bases.push([own]);
      }
    }
  }
  const vars = typeVarsOf(evaluator, cls);
  return [{ cls, args: vars }, ...merge([...bases, direct])];
}

/** C3: takes, again and again, the first head of a list that stands behind the head of none; where there is none, the first head. */
function merge(lists: readonly (readonly Ancestor[])[]): Ancestor[] {
  const keyOf = (a: Ancestor): object => a.cls ?? a;
  const heads = lists.map(() => 0);
  // How many lists have it behind their heads.
  const behind = new Map<object, number>();
  for (const list of lists) for (let i = 1; i < list.length; i++) behind.set(keyOf(list[i]!), (behind.get(keyOf(list[i]!)) ?? 0) + 1);
  const taken = new Set<object>();
  const result: Ancestor[] = [];
  while (result.length < MAX_ANCESTORS) {
    let next: Ancestor | undefined;
    for (const [i, list] of lists.entries()) {
      const head = list[heads[i]!];
      if (!head) continue;
      next ??= head;
      if ((behind.get(keyOf(head)) ?? 0) > 0) continue;
      next = head;
      break;
    }
    if (!next) break;
    result.push(next);
    taken.add(keyOf(next));
    for (const [i, list] of lists.entries()) {
      for (let head = list[heads[i]!]; head && taken.has(keyOf(head));) {
        head = list[++heads[i]!];
        if (head) behind.set(keyOf(head), behind.get(keyOf(head))! - 1);
      }
    }
  }
  return result;
}

/** The type variables of a class: from `Generic[...]`, else in the order in which its bases name them. */
export function typeVarsOf(evaluator: Evaluator, cls: Cls): readonly (Type & { k: "var" })[] {
  evaluator.ask(cls, VARS);
  const at = placeOf(cls) + 0.25;
  const known = evaluator.known(cls.file, at, cls.typeVars);
  if (known) return known.found;
  return evaluator.apart<readonly (Type & { k: "var" })[]>(cls.file, at, [], () => evaluator.readBy(cls.file, () => namedIn(evaluator, cls)), (found) => {
    cls.typeVars = { ...found, next: evaluator.others(cls.typeVars) };
  });
}

function namedIn(evaluator: Evaluator, cls: Cls): (Type & { k: "var" })[] {
  const found: (Type & { k: "var" })[] = [];
  const add = (type: Type): void => {
    if (type.k === "var" && type.key !== "self" && !found.some((v) => v.key === type.key)) found.push(type);
    else if (type.k === "inst" || type.k === "ext") type.args.forEach(add);
    else if (type.k === "tuple" || type.k === "union") type.items.forEach(add);
    else if (type.k === "callable") add(type.result);
  };
  for (const name of cls.fact.typeParams ?? []) {
    for (const definition of cls.file.facts.scopes[cls.fact.scope]!.names[name] ?? []) {
      if (cls.file.facts.nodes[definition] === Op.TypeVar) add(evaluator.value(cls.file, definition));
    }
  }
  for (const base of cls.fact.bases) {
    if (cls.file.facts.nodes[base] !== Op.Sub) continue;
    for (const type of evaluator.bases(cls.file, base)) {
      if (type.k === "ext" && (type.name === "Generic" || type.name === "Protocol")) {
        found.length = 0;
        add(type);
        return found;
      }
      add(type);
    }
  }
  return found;
}

/** Finds an attribute along the resolution order; `after` starts behind a class, as `super()` does. */
export function findMember(evaluator: Evaluator, cls: Cls, name: string, after?: Cls): Member | Type | undefined {
  evaluator.ask(cls, name);
  if (after) {
    if (after !== cls) evaluator.ask(cls, BEHIND);
    return told(evaluator, cls, search(evaluator, cls, name, after));
  }
  const order = mroOf(evaluator, cls);
  let known = members.get(order);
  if (!known) members.set(order, (known = new Map<string, Member | Type | undefined>()));
  let found = known.get(name);
  if (found === undefined && !known.has(name)) known.set(name, (found = search(evaluator, cls, name)));
  return told(evaluator, cls, found);
}

function told(evaluator: Evaluator, cls: Cls, found: Member | Type | undefined): Member | Type | undefined {
  if (!found || "k" in found) evaluator.ask(cls, OUTSIDE);
  return found;
}

function search(evaluator: Evaluator, cls: Cls, name: string, after?: Cls): Member | Type | undefined {
  let skip = after !== undefined;
  let external: Type | undefined;
  for (const ancestor of mroOf(evaluator, cls)) {
    if (skip) {
      if (ancestor.cls === after) skip = false;
      continue;
    }
    if (!ancestor.cls) {
      // Of most external classes the members are not known: a later ancestor of the repository may have it.
      if (ancestor.type.k === "ext" && isContainer(ancestor.type)) {
        if (CONTAINER_METHODS.has(name)) return ancestor.type;
        if (BUILTIN.has(ancestor.type.name) && !isSpecial(name) && !FURTHER_METHODS.has(name)) continue;
      }
      if (ancestor.type.k !== "ext" || !NO_MEMBERS.has(ancestor.type.name)) external ??= ancestor.type;
      continue;
    }
    const definitions = ownMember(ancestor.cls, name);
    if (definitions) return { cls: ancestor.cls, args: ancestor.args, definitions };
  }
  return external;
}

/** External bases that bring no attributes of their own. */
const NO_MEMBERS = new Set(["object", "Generic", "Protocol", "ABC", "NamedTuple"]);

export const CONTAINER_METHODS: ReadonlySet<string> = new Set((
  "get items keys values pop popitem setdefault update copy clear append extend insert remove sort reverse index count add discard " +
  "union intersection difference __getitem__ __setitem__ __delitem__ __iter__ __len__ __contains__"
).split(" "));

/** Containers of which all members are known: these, and those of all containers. */
const BUILTIN: ReadonlySet<string> = new Set(["dict", "list", "tuple", "set", "frozenset"]);
const FURTHER_METHODS: ReadonlySet<string> = new Set((
  "fromkeys symmetric_difference intersection_update difference_update symmetric_difference_update issubset issuperset isdisjoint"
).split(" "));

/** Bindings of a name in a class's own body and through `self` in its methods. */
export function ownMember(cls: Cls, name: string): readonly number[] | undefined {
  const { file, fact } = cls;
  const index = file.strings.get(name);
  if (index === undefined) return undefined;
  const inBody = file.facts.scopes[fact.scope]!.names[index];
  const throughSelf = fact.attrs[index];
  if (!inBody || !throughSelf) return inBody ?? throughSelf;
  return [...inBody, ...throughSelf];
}

/** What a name is bound to in the body of the class that has it, or, where only objects of that class are given it, of the first one above. */
export function boundInBody(evaluator: Evaluator, member: Member | Type | undefined, name: string): { file: SourceFile; definitions: readonly number[] } | undefined {
  for (let at = member; at && "definitions" in at; at = findMember(evaluator, at.cls, name, at.cls)) {
    const { file, fact } = at.cls;
    const definitions = file.facts.scopes[fact.scope]!.names[file.strings.get(name)!];
    if (definitions) return { file, definitions };
  }
  return undefined;
}

/** Whether a class has another, or an external class of that short name, among its ancestors. */
export function inherits(evaluator: Evaluator, cls: Cls, from: Cls | string): boolean {
  evaluator.ask(cls, below(typeof from === "string" ? from : from.word));
  return mroOf(evaluator, cls).some((a) => (typeof from === "string" ? !a.cls && a.type.k === "ext" && a.type.name === from : a.cls === from));
}

/** Whether a class is a Protocol, which any object may be that has its members. */
export function isProtocol({ file, fact }: Cls): boolean {
  return file.symbols[fact.symbol]?.kind === "Interface";
}

/** Whether a class has several bases, which may put another class between it and one above it. */
export function isMixing({ fact: { bases } }: Cls): boolean {
  return bases.length > 1;
}

/** Whether a class is an enumeration. */
export function isEnum(evaluator: Evaluator, cls: Cls): boolean {
  evaluator.ask(cls, ENUM);
  return mroOf(evaluator, cls).some((a) => !a.cls && a.type.k === "ext" && ENUM_BASE.test(a.type.name));
}

/** A definition's operator. */
export function opOf(file: SourceFile, definition: number): Op {
  return file.facts.nodes[definition] as unknown as Op;
}

/** The functions that a member is. */
export function functionsOf(e: Evaluator, { cls: { file }, definitions }: Member): Callable[] {
  return definitions.filter((d) => opOf(file, d) === Op.Function).map((d) => e.program.fn(file, file.facts.nodes[d + 1]!));
}

/** What calling an object of a class runs. */
export function callsOf(e: Evaluator, cls: Cls): Callable[] {
  const member = findMember(e, cls, "__call__");
  return member && !("k" in member) ? functionsOf(e, member) : [];
}
