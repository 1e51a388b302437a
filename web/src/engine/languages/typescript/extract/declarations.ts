import { Op } from "../facts.ts";
import type { AliasFact, EnumMemberFact, Offset } from "../facts.ts";
import { isNewGlobal, prototypeAt } from "./assignments.ts";
import { classOf, typeList } from "./classes.ts";
import { isExports, isGlobalObject } from "./commonjs.ts";
import { calledBy, expression } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import { bind, functionOf } from "./functions.ts";
import { docBefore } from "./jsdoc.ts";
import { propertyName } from "./names.ts";
import { isFunction, isFunctionOrClass, unwrap } from "./objects.ts";
import { Scope, Space } from "./scope.ts";
import { hoisted } from "./statements.ts";
import { newShape, objectType, signatures, typeOf, typeParametersOf } from "./types.ts";

/** Reads a declaration; false for any other node. */
export function declaration(x: Extraction, node: number, exported: boolean): boolean {
  switch (x.syntax.kind(node)) {
    case "lexical_declaration":
    case "variable_declaration":
      variables(x, node, exported);
      return true;
    case "function_declaration":
    case "generator_function_declaration":
    case "function_signature":
      functionDeclaration(x, node, exported);
      return true;
    case "class_declaration":
    case "abstract_class_declaration":
      classDeclaration(x, node, exported);
      return true;
    case "interface_declaration":
      interfaceDeclaration(x, node, exported);
      return true;
    case "type_alias_declaration":
      alias(x, node, exported);
      return true;
    case "enum_declaration":
      enumDeclaration(x, node, exported);
      return true;
    default:
      return false;
  }
}

/** Declares a name, and exports it if it is to be. Returns its binding. */
function add(x: Extraction, scope: Scope, name: string, spaces: number, at: Offset, exported: boolean): number {
  const binding = x.declare(scope, name, spaces, at);
  if (exported) x.export(name, name);
  return binding;
}

function variables(x: Extraction, node: number, exported: boolean): void {
  const { syntax } = x;
  const keyword = syntax.kind(node) === "variable_declaration" ? "var" : syntax.text(syntax.child(node, "kind") || node);
  const declarators = syntax.children(node).filter((c) => syntax.kind(c) === "variable_declarator");
  for (const declarator of declarators) {
    const scope = keyword === "var" ? hoisted(x) : x.scope;
    // A lone variable's declaration begins at its keyword.
    variable(x, declarator, declarators.length === 1 ? node : declarator, scope, keyword === "const", exported);
  }
}

/** Values that the signature of a variable shows. */
const LITERAL: ReadonlySet<string> = new Set(["string", "template_string", "number", "true", "false", "null", "undefined", "regex"]);

/** Whether the signature of a variable shows its value. */
export function isLiteral(x: Extraction, value: number): boolean {
  return LITERAL.has(x.syntax.kind(value)) && x.syntax.inner(value) === 0;
}

function variable(x: Extraction, node: number, whole: number, scope: Scope, constant: boolean, exported: boolean): void {
  const { syntax } = x;
  const pattern = syntax.child(node, "name");
  const value = syntax.child(node, "value");
  const annotation = syntax.child(node, "type");
  if (syntax.kind(pattern) !== "identifier") {
    const type = typeOf(x, annotation);
    const source = expression(x, value, type === 0 ? 0 : x.emit(Op.ContextType, type));
    const isSymbol = isOfModule(x) && !isRequire(x, value === 0 ? 0 : unwrap(x, value));
    bind(x, pattern, type, source, scope, {
      constant, ...(isSymbol ? { symbolOf: (name: number) => x.addSymbol({ kind: "Variable", name: syntax.text(name), at: name, node: whole, body: value, exported }) } : {}),
    });
    if (exported) for (const name of namesIn(x, pattern)) x.export(name, name);
    return;
  }
  const name = syntax.text(pattern);
  const inner = value === 0 ? 0 : unwrap(x, value);
  if (isFunction(x, value)) {
    const symbol = x.addSymbol({ kind: "Function", name, at: pattern, node: whole, body: syntax.child(inner, "body"), exported });
    const type = typeOf(x, annotation);
    const context = contextOf(x, value, type);
    const f = functionOf(x, inner, { symbol, context });
    add(x, scope, name, Space.Value, x.emit(Op.Variable, 0, type, x.emit(Op.Function, f), symbol, constant ? 1 : 0), exported);
    return;
  }
  if (value !== 0 && syntax.kind(inner) === "class") {
    const shape = classOf(x, inner, { name, exported });
    const symbol = x.facts.shapes[shape]!.symbol;
    add(x, scope, name, Space.Value, x.emit(Op.Variable, 0, typeOf(x, annotation), x.emit(Op.Class, shape), symbol, 1), exported);
    return;
  }
  const type = typeOf(x, annotation) || (docBefore(x, node)?.type ?? 0);
  const sharing = exportsIn(x, inner);
  // `var F = exports.F = function () {}` has one name, that of the function.
  const isNamed = sharing.length > 0 && isFunctionOrClass(x, syntax.child(sharing.at(-1)!, "right"));
  const symbol = isOfModule(x) && !isRequire(x, inner) && !isNamed
    ? x.addSymbol({ kind: "Variable", name, at: pattern, node: whole, body: isLiteral(x, inner) ? 0 : value, exported: exported || sharing.length > 0 })
    : -1;
  const isWhole = isExports(x, inner);
  // Declared before its initialiser is read: an assignment within that may already speak of it.
  const at = x.emit(Op.Variable, 0, type, 0, symbol, constant ? 1 : 0);
  add(x, scope, name, Space.Value, at, exported);
  if (isWhole) x.wholes.add(scope.find(name, Space.Value)!);
  for (const assignment of sharing) x.sharing.set(assignment, { binding: scope.find(name, Space.Value)!, name });
  if (type === 0 && !exported && syntax.kind(inner) === "object") x.literals.add(scope.find(name, Space.Value)!);
  notePrototype(x, scope.find(name, Space.Value)!, inner);
  const outer = { objectOwner: x.objectOwner, variable: x.variable };
  x.objectOwner = name;
  if (symbol >= 0) x.variable = symbol;
  // `const a = require("b").a` imports a: that is no reference of it.
  const source = isRequire(x, inner) ? calledBy(x, value) : expression(x, value, type === 0 ? 0 : x.emit(Op.ContextType, type));
  if (x.facts.code[at + 3] === 0) x.facts.code[at + 3] = source;
  if (isNamed) x.facts.code[at + 4] = symbolOf(x, source);
  Object.assign(x, outer);
}

/** The symbol of the function or class that an expression is, or -1. */
function symbolOf({ facts: { code, functions, shapes } }: Extraction, at: Offset): number {
  if (code[at] === Op.Function) return functions[code[at + 1]!]!.symbol;
  return code[at] === Op.Class ? shapes[code[at + 1]!]!.symbol : -1;
}

/** The assignments of `exports.a = module.exports = window.b = value`; none where a value is given to anything else. */
function exportsIn(x: Extraction, value: number): number[] {
  const { syntax } = x;
  const all: number[] = [];
  for (let at = value; at !== 0 && syntax.kind(at) === "assignment_expression"; at = unwrap(x, syntax.child(at, "right"))) {
    const left = syntax.child(at, "left");
    const object = syntax.kind(left) === "member_expression" ? syntax.child(left, "object") : 0;
    const isGlobal = object !== 0 && isGlobalObject(x, object) && isNewGlobal(x, syntax.text(syntax.child(left, "property")), syntax.child(at, "right"));
    if (!isGlobal && !isExports(x, left) && (object === 0 || !isExports(x, object))) return [];
    all.push(at);
  }
  return all;
}

/** Notes `const proto = F.prototype`, also as `F.prototype = {}`, of an F that the file declares or imports. */
function notePrototype(x: Extraction, binding: number, value: number): void {
  const { syntax } = x;
  const prototype = value === 0 ? 0 : prototypeAt(x, syntax.kind(value) === "assignment_expression" ? syntax.child(value, "left") : value);
  const holder = prototype === 0 ? 0 : syntax.child(prototype, "object");
  if (holder !== 0 && syntax.kind(holder) === "identifier" && x.scope.find(syntax.text(holder), Space.Value) !== undefined) x.prototypes.set(binding, prototype);
}

/** Whether a variable that is declared here is one of the module. In components blocks are what markup declares. */
function isOfModule(x: Extraction): boolean {
  return x.function < 0 && x.symbol < 0 && (!x.isComponent || x.scope === x.fileScope);
}

/** `require("x")` or a member of one: an import, whatever keyword declares it. */
export function isRequire(x: Extraction, node: number): boolean {
  const { syntax } = x;
  while (node !== 0 && syntax.kind(node) === "member_expression") node = syntax.child(node, "object");
  return node !== 0 && syntax.kind(node) === "call_expression" && syntax.text(syntax.child(node, "function")) === "require";
}

/** What a function within casts is expected to be. */
function contextOf(x: Extraction, node: number, declared: Offset): Offset {
  const { syntax } = x;
  if (declared !== 0) return x.emit(Op.ContextType, declared);
  const kind = syntax.kind(node);
  if (kind === "parenthesized_expression" || kind === "non_null_expression") return contextOf(x, syntax.inner(node), 0);
  if (kind !== "as_expression" && kind !== "satisfies_expression") return 0;
  const type = syntax.children(node).filter((c) => syntax.kind(c) !== "comment").at(1);
  return type === undefined ? 0 : x.emit(Op.ContextType, typeOf(x, type));
}

function namesIn(x: Extraction, pattern: number): string[] {
  const { syntax } = x;
  const names: string[] = [];
  for (let node = pattern + 1; node < syntax.next(pattern); node++) {
    const kind = syntax.kind(node);
    const parentIsDefault = syntax.field(node) === "right" || syntax.field(node) === "key";
    if (!parentIsDefault && (kind === "identifier" || kind === "shorthand_property_identifier_pattern")) names.push(syntax.text(node));
  }
  return names;
}

export function functionDeclaration(x: Extraction, node: number, exported: boolean, fallback?: string): void {
  const { syntax } = x;
  const named = syntax.child(node, "name");
  const name = named !== 0 ? syntax.text(named) : fallback;
  if (name === undefined) return;
  const body = syntax.child(node, "body");
  const own = x.scope.own(name);
  const overload = own === undefined ? undefined : x.overload(own);
  let symbol = overload?.symbol ?? -1;
  if (symbol < 0) symbol = x.addSymbol({ kind: "Function", name, at: named || node, node, body, exported });
  else if (body !== 0) x.moveSymbol(symbol, named, node);
  const at = x.emit(Op.FunctionDeclaration, 0, 0);
  const binding = add(x, x.scope, name, Space.Value, at, exported);
  x.facts.code[at + 2] = functionOf(x, node, { symbol, context: 0, binding });
}

export function classDeclaration(x: Extraction, node: number, exported: boolean, fallback?: string): void {
  const { syntax } = x;
  const named = syntax.child(node, "name");
  const name = named !== 0 ? syntax.text(named) : (fallback ?? "");
  const at = x.emit(Op.ShapeDeclaration, 0, 0);
  add(x, x.scope, name, Space.Both, at, exported);
  x.facts.code[at + 2] = classOf(x, node, { name, exported });
}

function interfaceDeclaration(x: Extraction, node: number, exported: boolean): void {
  const { syntax } = x;
  const named = syntax.child(node, "name");
  const body = syntax.child(node, "body");
  const name = syntax.text(named);
  const symbol = x.addSymbol({ kind: "Interface", name, at: named, node, body, exported });
  const { scope, symbol: outer, open } = x;
  const shape = newShape(x, "interface", symbol, name);
  add(x, scope, name, Space.Type, x.emit(Op.ShapeDeclaration, 0, shape), exported);
  x.scope = new Scope(scope, false);
  x.symbol = symbol;
  const fact = x.facts.shapes[shape]!;
  fact.typeParameters = typeParametersOf(x, node);
  const extended = syntax.childOf(node, "extends_type_clause");
  if (extended !== 0) fact.bases = typeList(x, extended);
  x.open = true;
  signatures(x, body, shape, true);
  x.scope = scope;
  x.symbol = outer;
  x.open = open;
}

function alias(x: Extraction, node: number, exported: boolean): void {
  const { syntax } = x;
  const named = syntax.child(node, "name");
  const name = syntax.text(named);
  const value = syntax.child(node, "value");
  const symbol = x.addSymbol({ kind: "TypeAlias", name, at: named, node, body: 0, exported });
  const fact: AliasFact = { symbol, typeParameters: [], type: 0 };
  const index = x.facts.aliases.push(fact) - 1;
  const { scope, symbol: outer, open } = x;
  add(x, scope, name, Space.Type, x.emit(Op.Alias, 0, index), exported);
  x.scope = new Scope(scope, false);
  x.symbol = symbol;
  fact.typeParameters = typeParametersOf(x, node);
  const mapped = syntax.kind(value) === "object_type" && syntax.childOf(syntax.inner(value), "mapped_type_clause") !== 0;
  fact.type = syntax.kind(value) === "object_type" && !mapped
    ? x.emit(Op.TypeShape, objectType(x, value, name, symbol))
    : typeOf(x, value);
  x.scope = scope;
  x.symbol = outer;
  x.open = open;
}

function enumDeclaration(x: Extraction, node: number, exported: boolean): void {
  const { syntax } = x;
  const named = syntax.child(node, "name");
  const name = syntax.text(named);
  const body = syntax.child(node, "body");
  const symbol = x.addSymbol({ kind: "Enum", name, at: named, node, body, exported });
  const members: EnumMemberFact[] = [];
  const outer = { scope: x.scope, symbol: x.symbol, variable: x.variable };
  x.scope = new Scope(outer.scope, true);
  for (const child of syntax.children(body)) {
    const isAssigned = syntax.kind(child) === "enum_assignment";
    const at = isAssigned ? syntax.child(child, "name") : child;
    const text = syntax.kind(at) === "comment" ? undefined : propertyName(syntax, at);
    if (text === undefined) continue;
    const value = isAssigned ? syntax.child(child, "value") : 0;
    x.symbol = symbol;
    const member = x.addSymbol({ kind: "Variable", name: text, owner: name, at, node: child, body: value === 0 || isLiteral(x, value) ? 0 : value, exported });
    x.symbol = outer.symbol;
    members.push({ name: text, symbol: member });
    // The values of others name it alone.
    x.declare(x.scope, text, Space.Value, x.emit(Op.Variable, 0, 0, 0, member, 1));
    x.variable = member;
    expression(x, value);
  }
  Object.assign(x, outer);
  const index = x.facts.enums.push({ symbol, name, members }) - 1;
  add(x, x.scope, name, Space.Both, x.emit(Op.Enum, 0, index), exported);
}
