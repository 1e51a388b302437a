import { ASYNC_ITERATOR, CALL, CONSTRUCT, INDEX, ITERATOR, Op, WINDOW } from "../facts.ts";
import type { ExpandoFact, MemberFact, Offset, ShapeFact } from "../facts.ts";
import { EVERY } from "./asked.ts";
import { asBase, renaming, supertypes, tupleAsArray } from "./bases.ts";
import { returnOf } from "./calls.ts";
import type { Checker } from "./checker.ts";
import { STRING } from "./checker.ts";
import { parameterValue } from "./context.ts";
import { force, isDeferred, mappedMember } from "./deferred.ts";
import { memberName } from "./expressions.ts";
import { symbolOf } from "./own.ts";
import type { Target } from "./program.ts";
import { constraintOf, globalType, typeAt } from "./typenodes.ts";
import { compose, intersection, substitute, union, UNKNOWN } from "./types.ts";
import type { Env, Found, Signature, Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { bindingValue, valueOf } from "./values.ts";

/** Bases, and modules that stand for another, deeper than this go in a circle. */
const MAX_DEPTH = 24;

/** With so many names of a module, those of others that it hands on are left out. */
const MAX_EXPORTED = 200;

/** Declarations of one global name that are looked at; of more files that put something of one name on it nothing is said. */
const MAX_PUT = 8;

/** The declarations that `x.name` may mean for an x of this type: one, or one for each member of a union. */
export function find(c: Checker, type: Type, name: string, receiver: Type = type, depth = 0): Found[] {
  if (depth > MAX_DEPTH || !c.step()) return [];
  switch (type.k) {
    case "instance":
      return inShape(c, type.unit, type.shape, type.env, name, false, receiver, depth);
    case "this": {
      const found = inShape(c, type.unit, type.shape, undefined, name, false, receiver, depth);
      return found;
    }
    case "class":
      return inClass(c, type, name, receiver, depth);
    case "function":
      return inFunction(c, type, name, depth);
    case "constructed": {
      const expandos = type.unit.expandos(type.binding);
      const expando = expandos.findLast((e) => e.prototype && e.name === name);
      if (!expando) {
        // `F.prototype = { name() {} }`
        return mixedIn(c, type.unit, expandos.filter((e) => (e.prototype ? e.name === "__proto__" : e.name === "prototype")), name, receiver, depth);
      }
      return [ofExpando(c, type.unit, expando, expandos)];
    }
    case "module":
      return ofTarget(c, c.exported(type.unit, name), depth);
    case "namespace":
      return ofTarget(c, c.program.fromTable(type.unit, type.unit.facts.namespaces[type.index]!.exports, name), depth);
    case "global": {
      const declared = c.program.global(name).slice(0, MAX_PUT).flatMap((global) => ofTarget(c, { k: "binding", ...global }, depth));
      if (declared.length > 0) return declared;
      return find(c, globalType(c, WINDOW, []), name, receiver, depth + 1);
    }
    case "enum": {
      c.ask(type.unit, type.unit.facts.enums[type.index]!, name);
      const member = type.unit.facts.enums[type.index]!.members.find((one) => one.name === name);
      return member ? [{ ...plain(type.unit, { k: "enumMember", unit: type.unit, index: type.index, member: name }), symbol: member.symbol }] : [];
    }
    case "union":
      return unique(type.of.flatMap((t) => find(c, t, name, t, depth + 1)));
    case "intersection":
      return inIntersection(c, type.of, name, receiver, depth);
    case "tuple":
      if (/^\d+$/.test(name)) return [plain(c.program.lib, type.of[Number(name)] ?? type.rest ?? UNKNOWN)];
      return find(c, tupleAsArray(c, type), name, receiver, depth + 1);
    case "parameter":
      return find(c, constraintOf(c, type), name, receiver, depth + 1);
    case "primitive":
      return find(c, c.boxed(type.name), name, receiver, depth + 1);
    case "deferred":
    case "awaited": {
      const forced = force(c, type);
      return isDeferred(forced) ? mappedMember(c, forced, name, receiver, depth + 1) : find(c, forced, name, receiver, depth + 1);
    }
    default:
      return [];
  }
}

/** The declarations that a Member, or an Index by a constant, may mean. */
export function foundAt(c: Checker, unit: Unit, at: Offset): readonly Found[] {
  // What another file wants to know that file has to ask for.
  const isOwn = c.isAsking(unit);
  const known = isOwn ? unit.found.get(at) : undefined;
  if (known) return known;
  const value = valueOf(c, unit, unit.at(at, 1));
  const name = memberName(unit, at);
  c.tell(name);
  let found = name === "constructor" ? classOf(c, value) : [];
  if (found.length === 0) found = find(c, value, name);
  if (found.length === 0) found = onGlobal(c, globalPath(unit, unit.at(at, 1)), name);
  if (isOwn) unit.found.set(at, found);
  return found;
}

/** `this.constructor`: the class of an object, or the function that made it. */
function classOf(c: Checker, type: Type): Found[] {
  if (type.k === "constructed") return [plain(type.unit, bindingValue(c, type.unit, type.binding))];
  if ((type.k !== "instance" && type.k !== "this") || type.shape.kind !== "class" || type.unit.index < 0) return [];
  const { unit, shape } = type;
  // What declares a field of that name knows better.
  const own = unit.member(shape, "constructor", false);
  if (own !== undefined && shape.members[own]!.kind === "field") return [];
  return [plain(unit, { k: "class", unit, shape, env: type.k === "instance" ? type.env : undefined })];
}

/** `App.views` of `App.views.List`, of a global name; "" for anything else. */
function globalPath(unit: Unit, of: Offset): string {
  let at = of;
  let path = "";
  for (let depth = 0; at !== 0 && unit.op(at) === Op.Member && depth < MAX_PUT; depth++, at = unit.at(at, 1)) path = `.${unit.text(at, 2)}${path}`;
  return at !== 0 && unit.op(at) === Op.Global ? unit.text(at, 1) + path : "";
}

/** `App.open = function () {}` in whatever files; of several of one name, each may be meant. */
function onGlobal(c: Checker, global: string, name: string): Found[] {
  if (global === "") return [];
  const put = c.program.putOn(global, name);
  return put.length > MAX_PUT ? [] : put.map(({ unit, fact }) => ({ ...plain(unit, valueOf(c, unit, fact.value)), symbol: fact.symbol }));
}

/** The type of `x.name`. */
export function memberOf(c: Checker, type: Type, name: string): Type {
  return typeOf(c, find(c, type, name));
}

/** The type of what has one of several declarations. */
export function typeOf(c: Checker, found: readonly Found[]): Type {
  return found.length === 0 ? UNKNOWN : found.length === 1 ? foundType(c, found[0]!) : union(found.map((f) => foundType(c, f)));
}

/** The type of `x.name` where the name stands in the source. */
export function memberNamed(c: Checker, type: Type, name: string): Type {
  c.tell(name);
  return memberOf(c, type, name);
}

/** The type that a member has where it was found. */
export function foundType(c: Checker, found: Found): Type {
  if (found.type) return found.type;
  const { unit, member, env } = found;
  if (!member) return UNKNOWN;
  return substitute(declaredType(c, unit, member), env);
}

function declaredType(c: Checker, unit: Unit, member: MemberFact): Type {
  const functions = member.functions.map((f) => unit.facts.functions[f]!);
  switch (member.kind) {
    case "method": {
      if (member.type !== 0) return typeAt(c, unit, member.type);
      // An implementation is not callable beside its overloads.
      const overloads = functions.filter((f) => !f.body);
      const signatures = (overloads.length > 0 ? overloads : functions).map((fact): Signature => ({ unit, fact, env: undefined }));
      return { k: "function", signatures };
    }
    case "getter":
      return functions[0] ? returnOf(c, { unit, fact: functions[0], env: undefined }) : UNKNOWN;
    case "setter": {
      const parameter = functions[0]?.parameters[0];
      return parameter ? typeAt(c, unit, parameter.type) : UNKNOWN;
    }
    case "field":
      return member.type !== 0 ? typeAt(c, unit, member.type) : valueOf(c, unit, member.initialiser);
  }
}

/** A property of several parts of an intersection is all that they say it is; a method is the first part's. Index signatures are for what no part declares. */
function inIntersection(c: Checker, parts: Type[], name: string, receiver: Type, depth: number): Found[] {
  let first: Found[] | undefined;
  let open: Found[] | undefined;
  const types: Type[] = [];
  for (const part of parts) {
    const found = find(c, part, name, receiver, depth + 1);
    if (found.length === 0) continue;
    if (found.every((one) => one.open)) {
      open ??= found;
      continue;
    }
    if (found[0]!.member?.kind !== "field" || found.length > 1) return first && types.length > 0 ? merged(first, types) : found;
    first ??= found;
    types.push(foundType(c, found[0]!));
  }
  return first ? merged(first, types) : open ?? [];
}

function merged(first: Found[], types: Type[]): Found[] {
  return types.length < 2 ? first : [{ ...first[0]!, type: intersection(types) }];
}

function plain(unit: Unit, type: Type): Found {
  return { unit, shape: undefined, member: undefined, env: undefined, type };
}

function unique(found: Found[]): Found[] {
  return found.filter((f, i) => f.member === undefined || found.findIndex((o) => o.member === f.member && o.env === f.env) === i);
}

/** An export as a member of its module. */
function ofTarget(c: Checker, target: Target | undefined, depth: number): Found[] {
  if (!target) return [];
  if (target.k === "module") return [plain(target.unit, { k: "module", unit: target.unit })];
  if (target.k === "member") {
    const home = valueOf(c, target.unit, target.of);
    return target.name === undefined ? [plain(target.unit, home)] : find(c, home, target.name, undefined, depth + 1);
  }
  const { unit, binding } = target;
  return [{ unit, shape: undefined, member: undefined, env: undefined, type: bindingValue(c, unit, binding), binding }];
}

function inShape(c: Checker, unit: Unit, shape: ShapeFact, env: Env | undefined, name: string, isStatic: boolean, receiver: Type, depth: number): Found[] {
  for (const part of unit.declarationsOf(shape)) {
    c.ask(unit, part, name);
    const index = unit.member(part, name, isStatic);
    if (index === undefined) continue;
    // `this.close = x` replaces the method `close` of a base; it declares no other member.
    if (part.members[index]!.assigned) {
      const inherited = inBases(c, unit, shape, env, name, receiver, depth).filter((f) => f.unit.index >= 0 && f.member && f.member.kind !== "field");
      if (inherited.length > 0) return inherited.map((f) => (f.member?.kind === "method" ? { ...f, replaced: { unit, values: [part.members[index]!.initialiser] } } : f));
    }
    // `{ close: null }` keeps a place for what is put there.
    const later = shape.kind === "object" && holdsNothing(unit, part.members[index]!) ? onObject(c, unit, shape, name, depth) : [];
    if (later.length > 0) return later;
    const rename = part === shape ? undefined : renaming(unit, part, shape);
    const found = { unit, shape: part, member: part.members[index], env: withThis(rename ? compose(rename, env, true) : env, unit, part, receiver) };
    return [part.members[index]!.replaced ? { ...found, replaced: { unit, values: part.members[index]!.replaced } } : found];
  }
  const added = isStatic ? undefined : inAugmentation(c, unit, shape, env, name, receiver);
  if (added) return [added];
  if (shape.kind === "object") {
    const assigned = onObject(c, unit, shape, name, depth);
    if (assigned.length > 0) return assigned;
    for (const spread of shape.spreads.toReversed()) {
      const found = find(c, substitute(valueOf(c, unit, spread), env), name, receiver, depth + 1);
      if (found.length > 0) return found;
    }
    return [];
  }
  const put = shape.kind === "class" && !isStatic ? onPrototype(c, unit, shape, name) : undefined;
  if (put) return [put];
  const binding = shape.kind === "class" && !isStatic && unit.index >= 0 ? unit.holder(shape) : undefined;
  const mixed = binding === undefined ? [] : mixedIn(c, unit, unit.expandos(binding).filter((e) => e.prototype && e.name === "__proto__"), name, receiver, depth);
  if (mixed.length > 0) return mixed;
  const inherited = inBases(c, unit, shape, env, name, receiver, depth);
  if (inherited.length > 0) return inherited;
  // Whatever it is called, an index signature says what it is.
  if (name !== INDEX && name !== CALL && name !== CONSTRUCT && !isStatic) {
    const index = unit.member(shape, INDEX, false);
    if (index !== undefined) return [{ unit, shape: undefined, member: undefined, env: undefined, type: substitute(declaredType(c, unit, shape.members[index]!), env), open: true }];
  }
  return [];
}

/** A member that another file adds to an interface or a class. */
function inAugmentation(c: Checker, main: Unit, shape: ShapeFact, env: Env | undefined, name: string, receiver: Type): Found | undefined {
  const part = c.program.augmentations.partWith(shape, name);
  if (!part) return undefined;
  const { unit, shape: added } = part;
  c.ask(unit, added, name);
  const rename = renaming(unit, added, shape, main);
  return { unit, shape: added, member: added.members[unit.member(added, name, false)!], env: withThis(rename ? compose(rename, env, true) : env, unit, added, receiver) };
}

/** A property that was put on a function, an object or a prototype; where accessors describe it, its type is what the getter gives. */
function ofExpando(c: Checker, unit: Unit, expando: ExpandoFact, all: readonly ExpandoFact[]): Found {
  const found = { unit, shape: undefined, member: undefined, env: undefined };
  if (!expando.accessor) {
    const put = { ...found, type: valueOf(c, unit, expando.value), symbol: expando.symbol };
    return expando.replaced ? { ...put, replaced: { unit, values: expando.replaced } } : put;
  }
  const accessors = all.filter(({ name, prototype, accessor }) => accessor && name === expando.name && prototype === expando.prototype);
  const getter = accessors.findLast(({ accessor }) => accessor === "getter");
  const read = getter && valueOf(c, unit, getter.value);
  const signature = read?.k === "function" ? read.signatures[0] : undefined;
  return { ...found, type: signature ? returnOf(c, signature) : UNKNOWN, symbol: (getter ?? expando).symbol, accessors };
}

function holdsNothing(unit: Unit, { kind, type, initialiser }: MemberFact): boolean {
  return kind === "field" && type === 0 && initialiser !== 0 && unit.op(initialiser) === Op.Primitive && ["null", "undefined"].includes(unit.text(initialiser, 1));
}

/** `const table = {}; table.read = function () {}`, `module.exports = {}; module.exports.read = read`: what an object literal was given later. */
function onObject(c: Checker, unit: Unit, shape: ShapeFact, name: string, depth: number): Found[] {
  if (unit.index < 0) return [];
  const binding = unit.holder(shape);
  const given = binding === undefined ? [] : givenLater(c, unit, binding, name);
  if (given.length > 0) return given;
  const above = binding === undefined ? [] : behind(c, unit, binding, name, depth);
  return above.length > 0 ? above : besideExport(c, unit, -1, shape, name);
}

/** `table.read = function () {}` */
function givenLater(c: Checker, unit: Unit, binding: number, name: string): Found[] {
  const given = unit.expandos(binding).filter((e) => !e.prototype && e.name === name);
  const last = given.at(-1);
  // Of what is no function of its own, several may have been put there.
  return last && (last.accessor || last.symbol >= 0 || given.length === 1) ? [ofExpando(c, unit, last, given)] : [];
}

/** `Reader.prototype.close = close`, of a class. */
function onPrototype(c: Checker, unit: Unit, shape: ShapeFact, name: string): Found | undefined {
  const binding = unit.index < 0 ? undefined : unit.holder(shape);
  const put = binding === undefined ? [] : unit.expandos(binding).filter((e) => e.prototype && e.name === name);
  const last = put.at(-1);
  return last && ofExpando(c, unit, last, put);
}

/** What a prototype has of the objects that it is, inherits from or is given the members of; the last counts. */
function mixedIn(c: Checker, unit: Unit, wholes: readonly ExpandoFact[], name: string, receiver: Type, depth: number): Found[] {
  for (const { value } of wholes.slice(-MAX_PUT).reverse()) {
    const found = find(c, valueOf(c, unit, value), name, receiver, depth + 1);
    if (found.length > 0) return found;
  }
  return [];
}

/** What a function or an object has from the one that was made its prototype. */
function behind(c: Checker, unit: Unit, binding: number, name: string, depth: number): Found[] {
  const above = name === "prototype" ? undefined : unit.expandos(binding).findLast((e) => !e.prototype && e.name === "__proto__");
  return above ? find(c, valueOf(c, unit, above.value), name, undefined, depth + 1) : [];
}

function inBases(c: Checker, unit: Unit, shape: ShapeFact, env: Env | undefined, name: string, receiver: Type, depth: number): Found[] {
  for (const base of supertypes(c, unit, shape)) {
    const found = find(c, substitute(base, withThis(env, unit, shape, receiver)), name, receiver, depth + 1);
    if (found.length > 0) return found;
  }
  return [];
}

function withThis(env: Env | undefined, unit: Unit, shape: ShapeFact, receiver: Type): Env | undefined {
  if (shape.kind === "object" || shape.kind === "type") return env;
  const self = unit.thisType(shape);
  return receiver === self ? env : (env ?? unit.nothing).with(self, receiver);
}

function inClass(c: Checker, type: Extract<Type, { k: "class" }>, name: string, receiver: Type, depth: number): Found[] {
  const { unit, shape, env } = type;
  for (const part of unit.declarationsOf(shape)) {
    c.ask(unit, part, name);
    const index = unit.member(part, name, true);
    if (index === undefined) continue;
    const found = { unit, shape: part, member: part.members[index], env };
    return [part.members[index]!.replaced ? { ...found, replaced: { unit, values: part.members[index]!.replaced } } : found];
  }
  if (name === "prototype") return [plain(unit, { k: "instance", unit, shape, env })];
  const binding = unit.index < 0 ? undefined : unit.holder(shape);
  const given = binding === undefined ? [] : givenLater(c, unit, binding, name);
  if (given.length > 0) return given;
  const exported = besideExport(c, unit, shape.symbol, shape, name);
  if (exported.length > 0) return exported;
  if (shape.superclass !== 0) return find(c, valueOf(c, unit, shape.superclass), name, receiver, depth + 1);
  return find(c, c.builtin("Function"), name, receiver, depth + 1);
}

function inFunction(c: Checker, type: Extract<Type, { k: "function" }>, name: string, depth: number): Found[] {
  const { home, signatures: [first] } = type;
  if (home) {
    const { unit, binding } = home;
    const expandos = unit.expandos(binding);
    const expando = name === "prototype" ? undefined : expandos.findLast((e) => !e.prototype && e.name === name);
    if (expando) return [ofExpando(c, unit, expando, expandos)];
    if (name === "prototype" && expandos.some((e) => e.prototype || e.name === name)) return [plain(unit, { k: "constructed", unit, binding })];
    const above = behind(c, unit, binding, name, depth);
    if (above.length > 0) return above;
  }
  const exported = first ? besideExport(c, first.unit, first.fact.symbol, undefined, name) : [];
  if (exported.length > 0) return exported;
  return find(c, c.builtin("Function"), name, type, depth + 1);
}

/** `module.exports = f; module.exports.name = x`: what a CommonJS module exports beside the function, class or object that it is. */
function besideExport(c: Checker, unit: Unit, symbol: number, shape: ShapeFact | undefined, name: string): Found[] {
  const { exports, module } = unit.facts;
  if (unit.index < 0 || module || exports.equals === 0 || !isWhole(unit, exports.equals, symbol, shape)) return [];
  // Asked even if there is none: an edit may add it.
  const target = c.exported(unit, name);
  return target?.k === "member" ? [] : ofTarget(c, target, 0);
}

/** Whether what a module exports is a function or class of a symbol, or an object literal. */
function isWhole(unit: Unit, exported: Offset, symbol: number, shape: ShapeFact | undefined): boolean {
  const { bindings, functions, shapes } = unit.facts;
  const index = unit.at(exported, 1);
  switch (unit.op(exported)) {
    case Op.Name: {
      const first = bindings[index]!;
      if (symbol >= 0) return symbolOf(unit.facts, first) === symbol;
      return unit.op(first) === Op.Variable && unit.at(first, 3) !== 0 && unit.op(unit.at(first, 3)) === Op.Object && isWhole(unit, unit.at(first, 3), -1, shape);
    }
    case Op.Function:
      return symbol >= 0 && functions[index]!.symbol === symbol;
    case Op.Class:
    case Op.Object:
      return shapes[index] === shape;
    default:
      return false;
  }
}

/** What iterating over a type gives; with `wait`, what `for await` gives. */
export function elementOf(c: Checker, type: Type, wait = false): Type {
  if (type.k === "tuple") return union(type.rest ? [...type.of, type.rest] : type.of);
  if (type.k === "union") return union(type.of.map((t) => elementOf(c, t, wait)));
  if (type.k === "primitive") return type.name === "string" ? STRING : UNKNOWN;
  if (c.isBuiltin(type, "Array", "ReadonlyArray", "Set", "ReadonlySet")) return type.env?.values[0] ?? UNKNOWN;
  for (const [key, result] of wait ? [[ASYNC_ITERATOR, "AsyncIterator"], [ITERATOR, "Iterator"]] as const : [[ITERATOR, "Iterator"]] as const) {
    for (const found of find(c, type, key)) {
      const method = foundType(c, found);
      if (method.k !== "function" || !method.signatures[0]) continue;
      const iterator = returnOf(c, method.signatures[0]);
      const builtin = c.builtin(result);
      const base = builtin.k === "instance" ? asBase(c, iterator, builtin.unit, builtin.shape) : undefined;
      if (base) return base.env?.values[0] ?? UNKNOWN;
      const next = memberOf(c, iterator, "next");
      if (next.k === "function" && next.signatures[0]) {
        const step = returnOf(c, next.signatures[0]);
        return memberOf(c, wait ? awaited(c, step) : step, "value");
      }
    }
  }
  return UNKNOWN;
}

/** What `await` gives. */
export function awaited(c: Checker, type: Type, depth = 0): Type {
  if (depth > 4) return type;
  switch (type.k) {
    case "union":
      return union(type.of.map((t) => awaited(c, t, depth + 1)));
    case "instance":
    case "intersection":
    case "this": {
      for (const name of ["Promise", "PromiseLike"]) {
        const builtin = c.builtin(name);
        const base = builtin.k === "instance" ? asBase(c, type, builtin.unit, builtin.shape) : undefined;
        if (base) return awaited(c, base.env?.values[0] ?? UNKNOWN, depth + 1);
      }
      const then = find(c, type, "then")[0];
      if (!then) return type;
      const method = foundType(c, then);
      const fulfilled = method.k === "function" ? method.signatures[0] : undefined;
      const callback = fulfilled && parameterType(c, fulfilled, 0);
      const signature = callback && signaturesIn(callback)[0];
      return signature ? awaited(c, parameterType(c, signature, 0), depth + 1) : type;
    }
    case "deferred":
    case "awaited": {
      const forced = force(c, type);
      return isDeferred(forced) ? forced : awaited(c, forced, depth + 1);
    }
    default:
      return type;
  }
}

function signaturesIn(type: Type): Signature[] {
  if (type.k === "function") return type.signatures;
  return type.k === "union" ? type.of.flatMap(signaturesIn) : [];
}

/** The declared type of a signature's parameter; a rest parameter gives its elements. */
export function parameterType(c: Checker, signature: Signature, at: number): Type {
  const { unit, fact, env, bound = 0 } = signature;
  const position = at + bound;
  const last = fact.parameters.at(-1);
  const parameter = fact.parameters[position] ?? (last?.rest ? last : undefined);
  if (!parameter) return UNKNOWN;
  const type = parameter.type !== 0 ? typeAt(c, unit, parameter.type)
    : parameterValue(c, unit, fact, fact.parameters.indexOf(parameter));
  if (!parameter.rest) return substitute(type, env);
  const whole = substitute(type, env);
  const list = force(c, whole);
  if (list.k === "tuple") return list.of[position - (fact.parameters.length - 1)] ?? list.rest ?? UNKNOWN;
  if (list.k === "parameter") return UNKNOWN;
  return elementOf(c, list);
}

/** Names of the members that a type is known to have, for `keyof` and structural comparison. */
export function namesOf(c: Checker, type: Type, depth = 0): string[] {
  if (depth > MAX_DEPTH || !c.step()) return [];
  switch (type.k) {
    case "instance":
      for (const part of type.unit.declarationsOf(type.shape)) c.ask(type.unit, part, EVERY);
      return [...new Set([
        ...type.unit.declarationsOf(type.shape).flatMap((s) => s.members.filter((m) => !m.static && m.name !== "constructor").map((m) => m.name)),
        ...c.program.augmentations.membersOf(type.shape),
        ...(type.shape.kind === "object"
          ? type.shape.spreads.flatMap((s) => namesOf(c, valueOf(c, type.unit, s), depth + 1))
          : supertypes(c, type.unit, type.shape).flatMap((t) => namesOf(c, t, depth + 1))),
      ])];
    case "intersection":
      return [...new Set(type.of.flatMap((t) => namesOf(c, t, depth + 1)))];
    case "enum":
      c.ask(type.unit, type.unit.facts.enums[type.index]!, EVERY);
      return type.unit.facts.enums[type.index]!.members.map(({ name }) => name);
    case "module":
      return [...exportedNames(c, type.unit, new Set(), new Set())];
    case "parameter":
      return namesOf(c, constraintOf(c, type), depth + 1);
    case "deferred":
    case "awaited": {
      const forced = force(c, type);
      return isDeferred(forced) ? [] : namesOf(c, forced, depth + 1);
    }
    default:
      return [];
  }
}

/** Adds the names that a module exports, its own and those of others that it hands on. */
function exportedNames(c: Checker, unit: Unit, names: Set<string>, seen: Set<Unit>): ReadonlySet<string> {
  if (seen.has(unit) || seen.size > MAX_EXPORTED || names.size > MAX_EXPORTED || !c.step()) return names;
  seen.add(unit);
  c.askAll(unit);
  const { exports } = unit.facts;
  for (const [name] of [...exports.names, ...exports.from]) names.add(name);
  for (const specifier of exports.all) {
    const whole = c.program.module(unit, specifier);
    if (whole) exportedNames(c, whole, names, seen);
  }
  return names;
}
