import { Op, ThisKind } from "../facts.ts";
import type { ExpandoFact, Offset } from "../facts.ts";
import { thisOfPrototype } from "./assignments.ts";
import type { Extraction } from "./extraction.ts";
import { propertyName } from "./names.ts";
import { unwrap } from "./objects.ts";
import { Space } from "./scope.ts";

/** What `Object.defineProperty` and `Object.defineProperties` give properties to, and the name of one. */
export interface Described {
  binding: number;
  prototype: boolean;
  name?: string;
}

/** A property whose name is what a function is given: `Object.defineProperty(object, key, { get () {} })` in `defineLazy(object, key)`. */
interface Keyed {
  object: Offset;
  function: number;
  parameter: number;
}

/** A property whose name another variable holds. */
interface Named {
  key: number;
}

/** What an object literal describes: a property, or those that its members do. */
export type Descriptor = Described | Keyed | Named;

/** What an argument of a call describes: `{ get () {} }` in `Object.defineProperty(f, "x", { get () {} })`. `object`: the first argument. */
export function describedBy(x: Extraction, callee: number, list: readonly number[], argument: number, object: Offset): Descriptor | undefined {
  const { syntax } = x;
  const text = syntax.kind(callee) === "member_expression" ? syntax.text(callee) : "";
  const one = text === "Object.defineProperty" || text === "Reflect.defineProperty";
  if ((!one && text !== "Object.defineProperties") || list.indexOf(argument) !== (one ? 2 : 1)) return undefined;
  const [target = 0, key = 0] = list;
  if (one && syntax.kind(key) === "identifier") return parameterOf(x, syntax.text(key), object) ?? { key: x.name(syntax.text(key)) };
  const prototype = syntax.kind(target) === "member_expression" && syntax.text(syntax.child(target, "property")) === "prototype";
  const owner = prototype ? syntax.child(target, "object") : target;
  const binding = syntax.kind(owner) === "identifier" ? x.scope.find(syntax.text(owner), Space.Value) : undefined;
  if (binding === undefined) return undefined;
  if (!one) return { binding, prototype };
  const name = syntax.kind(key) === "string" ? propertyName(syntax, key) : undefined;
  return name === undefined ? undefined : { binding, prototype, name };
}

/** The parameter of a function with a name that a name stands for. */
function parameterOf(x: Extraction, name: string, object: Offset): Keyed | undefined {
  const { bindings, code, functions } = x.facts;
  const binding = x.scope.find(name, Space.Value);
  const declared = binding === undefined ? 0 : bindings[binding]!;
  const value = code[declared] === Op.Variable ? code[declared + 3]! : 0;
  return code[value] === Op.Parameter && functions[code[value + 1]!]!.symbol >= 0 ? { object, function: code[value + 1]!, parameter: code[value + 2]! } : undefined;
}

/** Whether an object literal describes one property. */
export function isOne(described: Descriptor | undefined): described is Descriptor {
  return described !== undefined && (!("binding" in described) || described.name !== undefined);
}

/** Whom `this` stands for in the functions of a descriptor. */
export function thisDescribed(x: Extraction, described: Descriptor): { thisKind: number; thisOperand: number } {
  if (!("binding" in described)) return { thisKind: ThisKind.Unknown, thisOperand: 0 };
  const { binding, prototype } = described;
  if (prototype) return thisOfPrototype(x, binding);
  const { bindings, code } = x.facts;
  const value = code[bindings[binding]!] === Op.Variable ? code[bindings[binding]! + 3]! : 0;
  return value !== 0 && code[value] === Op.Object ? { thisKind: ThisKind.Object, thisOperand: code[value + 1]! } : { thisKind: ThisKind.Unknown, thisOperand: 0 };
}

/** Notes what a member of a descriptor makes of the property, where it names a function that stands elsewhere: `{ get: read, set: write.bind(x) }`. */
export function describeNamed(x: Extraction, described: Descriptor, member: string, node: number, value: Offset): void {
  if (!("binding" in described) || value === 0) return;
  const { syntax, facts: { code } } = x;
  const inner = unwrap(x, node);
  const kind = syntax.kind(inner);
  const isBound = kind === "call_expression" && code[value] === Op.Call && /\.bind$/.test(syntax.text(syntax.child(inner, "function")));
  const isName = kind === "identifier" || kind === "shorthand_property_identifier" || kind === "member_expression";
  if (!isName && !isBound) return;
  // A function that is bound is called with what it is bound to.
  const { thisKind, thisOperand } = thisDescribed(x, described);
  if (x.javascript && isName && kind !== "member_expression" && thisKind !== ThisKind.Unknown) x.givenAsThis.push({ name: syntax.text(inner), scope: x.scope, object: x.emit(Op.This, thisKind, thisOperand, -1) });
  put(x, described, member, isBound ? code[code[value + 1]! + 1]! : value, -1);
}

/** Notes what a member of a descriptor makes of the property. */
export function describe(x: Extraction, described: Descriptor, member: string, f: number, symbol: number): void {
  const accessor = accessorOf(member);
  if ("function" in described) {
    if (accessor && symbol >= 0) (x.facts.functions[described.function]!.defines ??= []).push({ object: described.object, parameter: described.parameter, accessor, symbol });
    return;
  }
  if ("key" in described) {
    if (accessor && symbol >= 0) (x.facts.keyed ??= []).push({ key: described.key, accessor, symbol });
    return;
  }
  put(x, described, member, x.emit(Op.Function, f), symbol);
}

function put(x: Extraction, { binding, prototype, name = "" }: Described, member: string, value: Offset, symbol: number): void {
  const accessor = accessorOf(member);
  if (!accessor && member !== "value") return;
  const fact: ExpandoFact = { binding, name, prototype, value, symbol };
  x.facts.expandos.push(accessor ? { ...fact, accessor } : fact);
}

function accessorOf(member: string): ExpandoFact["accessor"] {
  return member === "get" ? "getter" : member === "set" ? "setter" : undefined;
}
