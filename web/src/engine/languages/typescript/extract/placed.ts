/** Functions, classes and objects that are put on members: namespaces, as `ns.Parser = function () {}; ns.Parser.prototype.parse = …` makes them. */
import { Op } from "../facts.ts";
import type { Offset } from "../facts.ts";
import { isExports, isGlobalObject } from "./commonjs.ts";
import type { Extraction } from "./extraction.ts";
import { isFunction, unwrap } from "./objects.ts";
import { Space } from "./scope.ts";

/** Members of members further down than this have no binding of their own. */
const MAX_DEPTH = 8;
/** The key of what a CommonJS module exports. */
const EXPORTS = "#exports";

/** The names of a global object, or of a member of one, with dots; undefined for anything else. The object that has all global names is none. */
export function globalPath(x: Extraction, node: number): string | undefined {
  const { syntax } = x;
  const names: string[] = [];
  let at = node;
  for (; syntax.kind(at) === "member_expression"; at = syntax.child(at, "object")) if (names.push(syntax.text(syntax.child(at, "property"))) > MAX_DEPTH) return undefined;
  if (syntax.kind(at) !== "identifier" || x.scope.find(syntax.text(at), Space.Value) !== undefined || syntax.text(at) === "module" || syntax.text(at) === "exports") return undefined;
  if (!isGlobalObject(x, at)) names.push(syntax.text(at));
  return names.length === 0 ? undefined : names.reverse().join(".");
}

/** A member that an expression is, or is in. */
interface Placed {
  readonly name: string;
  readonly binding: number;
  /** It is the expression itself. */
  readonly isWhole: boolean;
}

/** The innermost member that was given a binding: `ns.Parser` of `ns.Parser.prototype.parse`, what a CommonJS module exports among them. */
export function placedMember(x: Extraction, node: number): Placed | undefined {
  const { syntax } = x;
  let depth = 0;
  for (let at = node; syntax.kind(at) === "member_expression" && depth < MAX_DEPTH; at = syntax.child(at, "object")) {
    const binding = bindingOf(x, at, depth++);
    if (binding !== undefined) return { name: syntax.text(syntax.child(at, "property")), binding, isWhole: at === node };
  }
  return undefined;
}

function bindingOf(x: Extraction, node: number, depth: number): number | undefined {
  const { syntax } = x;
  if (syntax.kind(node) === "identifier") return x.scope.find(syntax.text(node), Space.Value);
  if (syntax.kind(node) !== "member_expression" || depth > MAX_DEPTH) return undefined;
  const of = keyOf(x, syntax.child(node, "object"), depth + 1);
  const name = syntax.text(syntax.child(node, "property"));
  return of === EXPORTS ? x.exportedNames.get(name) : x.placed.get(`${of} ${name}`);
}

/** What tells the object that has a member from others: its binding, or the path of a global one. */
function keyOf(x: Extraction, object: number, depth: number): string | undefined {
  if (isExports(x, object)) return EXPORTS;
  const binding = bindingOf(x, object, depth);
  if (binding === undefined) return globalPath(x, object);
  return x.wholes.has(binding) ? EXPORTS : `#${binding}`;
}

/** Gives what is put on a member, or exported, a binding of its own, if it may have members itself. Returns that, or -1. */
export function place(x: Extraction, left: number, right: number): number {
  const { syntax } = x;
  const name = syntax.text(syntax.child(left, "property"));
  if (syntax.kind(left) !== "member_expression" || name === "prototype") return -1;
  const value = unwrap(x, right);
  const isClass = syntax.kind(value) === "class" || (isFunction(x, value) && x.isMadeWithNew(name));
  // `ns.util = ns.util || {}`
  const last = syntax.kind(value) === "binary_expression" && syntax.text(syntax.child(value, "operator")) === "||" ? unwrap(x, syntax.child(value, "right")) : value;
  if (!isClass && syntax.kind(last) !== "object") return -1;
  const of = keyOf(x, syntax.child(left, "object"), 0);
  // Of a global object that other files put members on, too, members are told by its path.
  if (of === undefined || (!isClass && !of.startsWith("#"))) return -1;
  const binding = x.valueBinding(0, -1);
  if (of !== EXPORTS) x.placed.set(`${of} ${name}`, binding);
  return binding;
}

/** Tells what such a binding holds, once that is read. */
export function holds({ facts: { code, bindings } }: Extraction, binding: number, value: Offset, symbol: number): void {
  const declared = bindings[binding]!;
  const last = code[value] === Op.Or && code[value + 1]! > 0 ? code[value + 1 + code[value + 1]!]! : value;
  code[declared + 3] = code[last] === Op.Object ? last : value;
  code[declared + 4] = symbol;
}
