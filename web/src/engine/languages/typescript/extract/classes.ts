import { INDEX, Op, ThisKind } from "../facts.ts";
import type { MemberFact, MemberKind, Offset } from "../facts.ts";
import { calledBy, computedKey, expression } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import { decorator, functionOf } from "./functions.ts";
import { docBefore } from "./jsdoc.ts";
import { propertyName } from "./names.ts";
import { isFunction, unwrap } from "./objects.ts";
import { Scope, Space } from "./scope.ts";
import { statements } from "./statements.ts";
import { addMember, newShape, typeArgumentsOf, typeOf, typeParametersOf } from "./types.ts";

/** The methods of a class that a decorator of the class is about (NestJS). */
const HANDLE = /^(?:execute|handle)$/;

interface ClassPlace {
  /** The name it goes by where it has none of its own: the variable's that it is given to. */
  name: string;
  exported: boolean;
}

/** Reads a class declaration or expression; returns its shape. */
export function classOf(x: Extraction, node: number, place: ClassPlace | undefined): number {
  const { syntax } = x;
  const named = syntax.child(node, "name");
  const name = named !== 0 ? syntax.text(named) : (place?.name ?? "");
  const body = syntax.child(node, "body");
  const outer = { scope: x.scope, symbol: x.symbol, thisKind: x.thisKind, thisOperand: x.thisOperand, classShape: x.classShape, static: x.static, open: x.open };
  const symbol = name === "" ? -1
    : x.addSymbol({ kind: "Class", name, at: named || node, node, body, exported: place?.exported ?? false });
  const shape = newShape(x, "class", symbol, name);
  const fact = x.facts.shapes[shape]!;
  for (const child of syntax.children(node)) if (syntax.kind(child) === "decorator") decorator(x, child);
  const decorators = x.decorators.splice(0);
  x.scope = new Scope(outer.scope, false);
  // A class expression's own name is known inside it alone.
  if (named !== 0 && syntax.kind(node) === "class") x.declare(x.scope, name, Space.Both, x.emit(Op.ShapeDeclaration, 0, shape));
  x.classShape = shape;
  fact.typeParameters = typeParametersOf(x, node);
  const heritage = syntax.childOf(node, "class_heritage");
  if (heritage !== 0) {
    const extended = syntax.childOf(heritage, "extends_clause");
    if (extended !== 0) {
      fact.superclass = calledBy(x, syntax.child(extended, "value"));
      fact.superArguments = typeArgumentsOf(x, extended);
    }
    const implemented = syntax.childOf(heritage, "implements_clause");
    if (implemented !== 0) fact.implements = typeList(x, implemented);
  }
  if (symbol >= 0) x.symbol = symbol;
  // `this` inside a class is generic: each receiver sees its own type.
  x.open = true;
  for (const child of syntax.children(body)) {
    // What the member's own code decorates is not its.
    const pending = syntax.kind(child) === "decorator" ? [] : x.decorators.splice(0);
    const members = fact.members.length;
    classMember(x, child, shape);
    handles(x, pending, fact.members.slice(members));
  }
  handles(x, decorators, fact.members.filter(({ name }) => HANDLE.test(name)));
  Object.assign(x, outer);
  return shape;
}

export function typeList(x: Extraction, clause: number): Offset[] {
  return x.syntax.children(clause)
    .filter((c) => x.syntax.kind(c) !== "comment")
    .map((c) => typeOf(x, c));
}

function classMember(x: Extraction, node: number, shape: number): void {
  const { syntax } = x;
  x.static = syntax.has(node, "static");
  x.thisKind = x.static ? ThisKind.Static : ThisKind.Instance;
  x.thisOperand = shape;
  switch (syntax.kind(node)) {
    case "method_definition":
    case "method_signature":
    case "abstract_method_signature":
      method(x, node, shape);
      break;
    case "public_field_definition":
    case "field_definition":
      field(x, node, shape);
      break;
    case "index_signature":
      addMember(x, x.facts.shapes[shape]!, { name: INDEX, kind: "field", functions: [], type: typeOf(x, syntax.child(node, "type")), initialiser: 0, symbol: -1 });
      break;
    case "class_static_block":
      x.thisKind = ThisKind.Static;
      statements(x, syntax.child(node, "body"));
      break;
    case "decorator":
      decorator(x, node);
      break;
  }
}

/** Takes down what methods handle, by their decorators or those of their class: `@OnEvent("paid")`, `@CommandHandler(Pay)`. */
function handles(x: Extraction, decorators: readonly Offset[], members: readonly MemberFact[]): void {
  const { code } = x.facts;
  for (const at of decorators) {
    const list = at + 3 + code[at + 2]!;
    for (const { kind, symbol } of members) {
      for (let i = 1; kind === "method" && symbol >= 0 && i <= code[list]!; i++) (x.facts.handles ??= []).push(symbol, code[list + i]!);
    }
  }
}

function isPrivate(x: Extraction, node: number): boolean {
  const modifier = x.syntax.childOf(node, "accessibility_modifier");
  return (modifier !== 0 && x.syntax.text(modifier) === "private") || x.syntax.kind(x.syntax.child(node, "name")) === "private_property_identifier";
}

function method(x: Extraction, node: number, shape: number): void {
  const { syntax } = x;
  const fact = x.facts.shapes[shape]!;
  const at = syntax.child(node, "name");
  const name = propertyName(syntax, at);
  computedKey(x, at);
  for (const child of syntax.children(node)) if (syntax.kind(child) === "decorator") decorator(x, child);
  const isStatic = x.static;
  const body = syntax.child(node, "body");
  const known = x.membersNamed(fact, name).find((m) => m.kind === "method" && (m.static ?? false) === isStatic);
  let symbol = known?.symbol ?? -1;
  if (symbol >= 0 && body !== 0) x.moveSymbol(symbol, at, node);
  if (symbol < 0 && name !== undefined) {
    symbol = x.addSymbol({ kind: "Method", name, owner: fact.name || undefined, at, node, body, exported: !isPrivate(x, node) });
  }
  const kind: MemberKind = syntax.has(node, "get") ? "getter" : syntax.has(node, "set") ? "setter" : "method";
  const f = functionOf(x, node, {
    symbol, context: 0, thisKind: x.thisKind, thisOperand: shape,
    field: (fieldName, type, parameter) => {
      fact.members.push({ name: fieldName, kind: "field", functions: [], type, initialiser: type === 0 ? parameter : 0, symbol: -1 });
      x.store(x.emit(Op.Member, x.emit(Op.This, ThisKind.Instance, shape), x.str(fieldName)), parameter);
    },
  });
  if (name !== undefined) {
    addMember(x, fact, { name, kind, ...(isStatic ? { static: true } : {}), functions: [f], type: 0, initialiser: 0, symbol });
  }
}

function field(x: Extraction, node: number, shape: number): void {
  const { syntax } = x;
  const fact = x.facts.shapes[shape]!;
  const at = syntax.child(node, "name");
  const name = propertyName(syntax, at);
  computedKey(x, at);
  for (const child of syntax.children(node)) if (syntax.kind(child) === "decorator") decorator(x, child);
  const type = typeOf(x, syntax.child(node, "type")) || (docBefore(x, node)?.type ?? 0);
  const value = syntax.child(node, "value");
  const context = type === 0 ? 0 : x.emit(Op.ContextType, type);
  const isStatic = x.static ? { static: true } : {};
  if (isFunction(x, value)) {
    const symbol = name === undefined ? -1 : x.addSymbol({
      kind: "Method", name, owner: fact.name || undefined, at, node, body: syntax.child(unwrap(x, value), "body"), exported: !isPrivate(x, node),
    });
    const f = functionOf(x, unwrap(x, value), { symbol, context, thisKind: x.thisKind, thisOperand: shape });
    if (name !== undefined) fact.members.push({ name, kind: "method", ...isStatic, functions: [f], type, initialiser: 0, symbol });
    return;
  }
  const owner = x.objectOwner;
  x.objectOwner = name;
  const initialiser = expression(x, value, context);
  x.objectOwner = owner;
  if (name === undefined) return;
  fact.members.push({ name, kind: "field", ...isStatic, functions: [], type, initialiser, symbol: -1 });
  if (initialiser !== 0) x.store(x.emit(Op.Member, x.emit(Op.This, x.thisKind, shape), x.str(name)), initialiser);
}
