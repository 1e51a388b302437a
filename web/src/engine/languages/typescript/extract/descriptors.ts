import { Op, ThisKind } from "../facts.ts";
import type { ExpandoFact } from "../facts.ts";
import type { Extraction } from "./extraction.ts";
import { propertyName } from "./names.ts";
import { Space } from "./scope.ts";

/** What `Object.defineProperty` and `Object.defineProperties` give properties to, and the name of one. */
export interface Described {
  binding: number;
  prototype: boolean;
  name?: string;
}

/** What an argument of a call describes: `{ get () {} }` in `Object.defineProperty(f, "x", { get () {} })`. */
export function describedBy(x: Extraction, callee: number, list: readonly number[], argument: number): Described | undefined {
  const { syntax } = x;
  const text = syntax.kind(callee) === "member_expression" ? syntax.text(callee) : "";
  const one = text === "Object.defineProperty" || text === "Reflect.defineProperty";
  if ((!one && text !== "Object.defineProperties") || list.indexOf(argument) !== (one ? 2 : 1)) return undefined;
  const [target = 0, key = 0] = list;
  const prototype = syntax.kind(target) === "member_expression" && syntax.text(syntax.child(target, "property")) === "prototype";
  const owner = prototype ? syntax.child(target, "object") : target;
  const binding = syntax.kind(owner) === "identifier" ? x.scope.find(syntax.text(owner), Space.Value) : undefined;
  if (binding === undefined) return undefined;
  if (!one) return { binding, prototype };
  const name = syntax.kind(key) === "string" ? propertyName(syntax, key) : undefined;
  return name === undefined ? undefined : { binding, prototype, name };
}

/** Whom `this` stands for in the functions of a descriptor. */
export function thisDescribed(x: Extraction, { binding, prototype }: Described): { thisKind: number; thisOperand: number } {
  if (prototype) return { thisKind: ThisKind.Constructed, thisOperand: binding };
  const { bindings, code } = x.facts;
  const value = code[bindings[binding]!] === Op.Variable ? code[bindings[binding]! + 3]! : 0;
  return value !== 0 && code[value] === Op.Object ? { thisKind: ThisKind.Object, thisOperand: code[value + 1]! } : { thisKind: ThisKind.Unknown, thisOperand: 0 };
}

/** Notes what a member of a descriptor makes of the property. */
export function describe(x: Extraction, { binding, prototype, name = "" }: Described, member: string, f: number, symbol: number): void {
  const accessor = member === "get" ? "getter" : member === "set" ? "setter" : undefined;
  if (!accessor && member !== "value") return;
  const fact: ExpandoFact = { binding, name, prototype, value: x.emit(Op.Function, f), symbol };
  x.facts.expandos.push(accessor ? { ...fact, accessor } : fact);
}
