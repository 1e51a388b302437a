import { isTestPath } from "../../../test-paths.ts";
import { GLOBAL_OBJECTS, Op, ThisKind } from "../facts.ts";
import type { Offset } from "../facts.ts";
import { classOf } from "./classes.ts";
import { copies, isExports, isGlobalObject } from "./commonjs.ts";
import { isLiteral, isRequire } from "./declarations.ts";
import { calledBy, constantName, expression, iterates } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import { functionOf } from "./functions.ts";
import { docBefore } from "./jsdoc.ts";
import { propertyName, stringValue } from "./names.ts";
import { isFunction, isFunctionOrClass, unwrap } from "./objects.ts";
import { globalPath, holds, place, placedMember } from "./placed.ts";
import { Space } from "./scope.ts";

/** An expression that is assigned, with the symbol that the assignment gives it, or -1. */
interface AssignedValue {
  at: Offset;
  symbol: number;
}

/** What `this` is in a function, if that is known. */
interface Place {
  thisKind?: number;
  thisOperand?: number;
  binding?: number;
}

/** Assignments that a variable's type is joined from. */
const MAX_EVOLUTION = 8;

/** Reads `a = b` and its kin: gives untyped variables their type, CommonJS modules their exports, objects their members. */
export function assignment(x: Extraction, node: number, context: Offset): Offset {
  const { syntax } = x;
  const left = syntax.child(node, "left");
  const right = syntax.child(node, "right");
  const kind = syntax.kind(left);
  if (kind === "identifier") {
    const target = expression(x, left);
    const value = expression(x, right, context !== 0 ? context : x.emit(Op.ContextExpression, target));
    if (syntax.kind(node) === "assignment_expression") evolve(x, syntax.text(left), value);
    if (x.prototypes.size > 0) x.prototypes.delete(x.scope.find(syntax.text(left), Space.Value) ?? -1);
    x.store(target, value);
    return given(x, node, target, value);
  }
  const name = syntax.kind(node) === "assignment_expression" ? assignedName(x, left) : undefined;
  if (name === undefined) {
    const target = kind === "array_pattern" || kind === "object_pattern" ? 0 : expression(x, left);
    if (syntax.kind(node) === "augmented_assignment_expression") writtenAgain(x, target, left);
    else if (x.facts.code[target] === Op.Index) x.written(target);
    const value = expression(x, right, target === 0 ? 0 : x.emit(Op.ContextExpression, target));
    x.store(target, value);
    if (kind === "subscript_expression" && syntax.kind(node) === "assignment_expression") copies(x, left, right, value);
    if (kind === "object_pattern") takeApart(x, left, value);
    else if (kind === "array_pattern") iterates(x, value, left);
    return given(x, node, target, value);
  }
  return memberAssignment(x, node, left, right, name);
}

/** The name of the member that is assigned to, also of `exports["read"]` and `this[kClient]`. */
function assignedName(x: Extraction, left: number): string | undefined {
  const { syntax } = x;
  if (syntax.kind(left) === "member_expression") return syntax.text(syntax.child(left, "property"));
  if (syntax.kind(left) !== "subscript_expression") return undefined;
  const index = syntax.child(left, "index");
  return syntax.kind(index) === "string" ? stringValue(syntax.text(index)) || undefined : constantName(x, index);
}

/** What an assignment gives: `a ||= b` and `a ??= b` may leave what was there. */
function given(x: Extraction, node: number, target: Offset, value: Offset): Offset {
  const operator = x.syntax.text(x.syntax.child(node, "operator"));
  return target !== 0 && (operator === "||=" || operator === "??=") ? x.emit(Op.Or, 2, target, value) : value;
}

/** Notes that `x.y += 1` and `x.y++` give the member that they read a value, too. `node` is the member's. */
export function writtenAgain(x: Extraction, target: Offset, node: number): void {
  const { code } = x.facts;
  if (x.syntax.kind(node) !== "member_expression" || code[target] !== Op.Member) return;
  const again = x.emit(Op.Member, code[target + 1]!, code[target + 2]!);
  x.member(again, node, x.syntax.child(node, "property"));
  x.written(again);
}

/** Notes the members that `({ a, b: c } = d)` takes out of an object. */
function takeApart(x: Extraction, pattern: number, from: Offset): void {
  const { syntax } = x;
  for (const part of syntax.children(pattern)) {
    if (syntax.kind(part) === "rest_pattern") continue;
    const pair = syntax.kind(part) === "pair_pattern";
    const key = pair ? syntax.child(part, "key") : syntax.child(part, "left") || part;
    const name = propertyName(syntax, key);
    if (name !== undefined) x.member(x.emit(Op.Member, from, x.str(name)), key, key);
    expression(x, syntax.child(part, "right"));
  }
}

/** A variable without a type has that of what it is given later, when it starts with nothing. */
function evolve(x: Extraction, name: string, value: Offset): void {
  const { code, strings } = x.facts;
  const binding = x.scope.find(name, Space.Value);
  if (binding === undefined || value === 0) return;
  const declaration = x.facts.bindings[binding]!;
  if (code[declaration] !== Op.Variable || code[declaration + 2] !== 0) return;
  const initialiser = code[declaration + 3]!;
  // `store = new Store(store)`, and before all else `bounds = toBounds(bounds)`.
  const isParameter = x.javascript && code[initialiser] === Op.Parameter
    && (code[value] === Op.New || (code[value] === Op.Call && x.branches === 0 && code[code[value + 1]!] === Op.Name));
  const nothing = initialiser === 0 || isParameter
    || (code[initialiser] === Op.Primitive && (strings[code[initialiser + 1]!] === "null" || strings[code[initialiser + 1]!] === "undefined"))
    || (code[initialiser] === Op.Array && code[initialiser + 1] === 0);
  const times = x.evolving.get(declaration) ?? 0;
  if (times > 0 ? times >= MAX_EVOLUTION : !nothing) return;
  const before = times === 0 && !isParameter ? [] : code[initialiser] === Op.Or ? code.slice(initialiser + 2, initialiser + 2 + code[initialiser + 1]!) : [initialiser];
  code[declaration + 3] = before.length > 0 ? x.emit(Op.Or, before.length + 1, ...before, value) : value;
  x.evolving.set(declaration, times + 1);
}

/** What `object.name = value` assigns to. */
interface Destination {
  readonly kind: "global" | "member of global" | "exports" | "variable" | "this" | "other";
  /** The object is written `exports` or `module.exports`, even if a local variable has that name. */
  readonly isNamedExports: boolean;
  /** `F.prototype.read = ...` */
  readonly isPrototype: boolean;
  /** What the object begins with: `F` of `F.prototype.read`, `schema` of `schema._parser.parse`, `array` of `exports.array.flatten`. */
  readonly root: string | undefined;
  readonly rootBinding: number | undefined;
  /** The binding of the root when the object, or that of its prototype, is nothing but the root. */
  readonly binding: number | undefined;
  /** `App.views` of `App.views.List = …`, of a global name. */
  readonly global: string | undefined;
  /** For `this`: the class, or the function used as a constructor, whose instance gets the function. */
  readonly constructorName: string | undefined;
  /** The value is created here and has no name but the one on the global object. */
  readonly isNewGlobal: boolean;
}

function destinationOf(x: Extraction, object: number, name: string, right: number): Destination {
  const { syntax } = x;
  const isNamedExports = ["exports", "module.exports"].includes(syntax.text(object));
  const prototype = prototypeAt(x, object);
  const isPrototype = prototype !== 0;
  const owner = isPrototype ? syntax.child(prototype, "object") : object;
  const isDirect = syntax.kind(owner) === "identifier";
  const placed = isDirect ? undefined : placedMember(x, owner);
  const root = placed?.name ?? (isDirect || !isPrototype ? outermost(x, owner) : undefined);
  const rootBinding = root === undefined ? undefined : placed?.binding ?? x.scope.find(root, Space.Value);
  const binding = isDirect || placed?.isWhole ? rootBinding : undefined;
  const isThis = syntax.kind(object) === "this";
  const global = binding === undefined && !isPrototype && !isNamedExports ? globalPath(x, owner) : undefined;

  const kind = (): Destination["kind"] => {
    if (!isPrototype && isGlobalObject(x, object) && isNewGlobal(x, name, right)) return "global";
    if (global !== undefined && isFunctionOrClass(x, right) && mayGrow(x, root)) return "member of global";
    if (isExports(x, object) || (binding !== undefined && !isPrototype && x.wholes.has(binding))) return "exports";
    if (binding !== undefined) return "variable";
    return isThis ? "this" : "other";
  };
  const to = kind();
  return {
    kind: to, isNamedExports, isPrototype, root: to === "member of global" ? global!.slice(global!.lastIndexOf(".") + 1) : root, rootBinding, binding, global,
    constructorName: isThis && isFunction(x, right) ? nameOfThis(x) : undefined, isNewGlobal: to === "global" && !isName(x, right),
  };
}

/** The `F.prototype` that an expression is, or that a variable of its name was declared with: `const proto = F.prototype`. 0 for others. */
export function prototypeAt(x: Extraction, node: number): number {
  const { syntax } = x;
  if (syntax.kind(node) === "member_expression") return syntax.text(syntax.child(node, "property")) === "prototype" ? node : 0;
  const binding = x.prototypes.size > 0 && syntax.kind(node) === "identifier" ? x.scope.find(syntax.text(node), Space.Value) : undefined;
  return binding === undefined ? 0 : x.prototypes.get(binding) ?? 0;
}

/** The owner of the symbol that an assigned function or class gets, undefined for a symbol of its own; null when it gets none. */
function symbolOwner(x: Extraction, to: Destination, right: number): string | undefined | null {
  const isOfVariable = to.rootBinding !== undefined && isFunctionOrClass(x, right);
  if (to.constructorName !== undefined) return to.constructorName;
  if (to.isNewGlobal) return undefined;
  if (to.isNamedExports) return x.function < 0 || isOfVariable ? undefined : null;
  return to.kind === "member of global" || isOfVariable || (to.isPrototype && x.function < 0) ? to.root : null;
}

/** Reads `object.name = value`, and `object[name] = value` where the name is known. */
function memberAssignment(x: Extraction, node: number, left: number, right: number, name: string): Offset {
  const { syntax } = x;
  const object = unwrap(x, syntax.child(left, "object"));
  const property = syntax.child(left, "property") || syntax.child(left, "index");
  const to = destinationOf(x, object, name, right);
  const isWhole = isExports(x, left);
  if (to.isNamedExports) handOut(x, right);
  const shared = x.sharing.get(node);
  if (isWhole) return exportWhole(x, node, right, property);
  const owner = symbolOwner(x, to, right);
  // The name in a declaration is no reference to what it declares.
  const declares = to.isNamedExports || to.isNewGlobal || (owner !== null && isFunctionOrClass(x, right));
  const target = declares ? calledBy(x, left) : expression(x, left);
  if (!declares) x.written(target);
  const variable = shared === undefined && (to.isNewGlobal || isExports(x, object)) ? namedVariable(x, node, name, property, right, to.isNewGlobal) : -1;
  const outside = x.variable;
  if (variable >= 0) x.variable = variable;
  const placed = shared?.binding ?? place(x, left, right);
  const isMaker = placed >= 0 && x.javascript && isFunction(x, right);
  const value = valueOf(x, node, right, name, property, owner, target, isMaker ? { thisKind: ThisKind.Unknown, binding: placed } : thisIn(x, to), to.binding !== undefined && x.function < 0 && name === "prototype" ? to.root : undefined);
  x.variable = outside;
  if (variable >= 0) value.symbol = variable;
  const isMember = owner !== null && !to.isNewGlobal && to.kind !== "member of global";
  if (isMember && x.function >= 0 && (to.rootBinding === undefined || !x.wholes.has(to.rootBinding))) {
    x.member(value.at, property, property);
    // The code that created an object elsewhere may call the functions that are added to it here.
    if (to.rootBinding !== undefined && !isMade(x, to.rootBinding)) x.reference(value.at, property);
  }
  if (placed >= 0 && shared === undefined) holds(x, placed, value.at, value.symbol);
  if (placed >= 0 && to.kind === "exports") x.exportOnce(name, placed);
  else addMember(x, node, name, to, value, shared?.binding);
  x.store(target, value.at);
  return value.at;
}

/** Reads what a CommonJS or AMD module exports as a whole. `property`: where its name stands, if it has one there. */
export function exportWhole(x: Extraction, node: number, right: number, property = right): Offset {
  const shared = x.sharing.get(node);
  handOut(x, right);
  const { at } = valueOf(x, node, behindExports(x, right), shared?.name ?? "module.exports", property, undefined, 0, shared && x.javascript ? { thisKind: ThisKind.Unknown, binding: shared.binding } : {});
  x.exportAll(at, x.syntax.kind(node) === "return_statement");
  return at;
}

/** Records the value as a member of what it is assigned to. `binding`: of the variable that has the value, too. */
function addMember(x: Extraction, node: number, name: string, to: Destination, { at: value, symbol }: AssignedValue, binding: number | undefined): void {
  switch (to.kind) {
    case "global":
      x.putOnGlobal.set(name, [name, binding ?? x.valueBinding(value, symbol), x.symbol < 0 ? "at once" : "later"]);
      break;
    case "member of global":
      (x.facts.globalMembers ??= []).push({ global: to.global!, name, value, symbol });
      break;
    case "exports":
      // Compilers write `exports.a = void 0` first of all.
      if (!isUndefined(x, value)) x.exportValue(name, value, symbol);
      break;
    case "variable":
      x.facts.expandos.push({ binding: to.binding!, name, prototype: to.isPrototype, value, symbol });
      break;
    case "this":
      thisMember(x, name, value, docBefore(x, node)?.type ?? 0);
      if (value !== 0 && x.mayHold(value)) x.replaces.push({ kind: x.thisKind, of: x.thisOperand, name, value });
      if (to.constructorName !== undefined && x.thisKind === ThisKind.Unknown) x.facts.expandos.push({ binding: x.maker, name, prototype: true, own: true, value, symbol });
  }
}

/** What `exports = function () {}` assigns, and what a value is otherwise. */
function behindExports(x: Extraction, value: number): number {
  const { syntax } = x;
  const at = unwrap(x, value);
  return syntax.kind(at) === "assignment_expression" && isExports(x, syntax.child(at, "left")) ? behindExports(x, syntax.child(at, "right")) : value;
}

/** The name of the class, or of the function that makes objects, whose object `this` is. */
function nameOfThis(x: Extraction): string | undefined {
  if (x.thisKind === ThisKind.Instance || x.thisKind === ThisKind.Static) return x.facts.shapes[x.thisOperand]!.name || undefined;
  return x.thisKind === ThisKind.Unknown && x.maker >= 0 ? x.symbols[x.makerSymbol]?.name : undefined;
}

/** Whether a value is what another name stands for. */
function isName(x: Extraction, right: number): boolean {
  return ["identifier", "member_expression"].includes(x.syntax.kind(unwrap(x, right)));
}

function saysUndefined({ syntax }: Extraction, value: number): boolean {
  return syntax.kind(value) === "undefined" || (syntax.kind(value) === "unary_expression" && syntax.text(value) === "void 0");
}

/** What pages have under the name already: giving it something does something. */
const OF_PAGES = /^(?:on[a-z]+|location|name|status|opener|event)$/;

/** Whether what is put on the global object is a name of the project's own, and put there for the first time in the file. A test only replaces it. */
export function isNewGlobal(x: Extraction, name: string, right: number): boolean {
  const value = unwrap(x, right);
  const isNothing = x.syntax.kind(value) === "null" || saysUndefined(x, value);
  return !isNothing && !OF_PAGES.test(name) && !GLOBAL_OBJECTS.has(name) && !x.putOnGlobal.has(name) && !isTestPath(x.path);
}

/** Whether a file may put members on a global name that it does not declare: outside of functions that are called later, and no test, which only replaces them. */
function mayGrow(x: Extraction, global: string | undefined): boolean {
  return global !== undefined && !GLOBAL_OBJECTS.has(global) && x.symbol < 0 && !isTestPath(x.path);
}

/** The symbol of a value that a CommonJS module makes and exports, `exports.LIMIT = 4`, as of `export const LIMIT = 4`, or that is put on the global object; -1 for what has a name already. */
function namedVariable(x: Extraction, node: number, name: string, property: number, right: number, isGlobal: boolean): number {
  const { syntax } = x;
  const value = unwrap(x, right);
  const kind = syntax.kind(value);
  const hasName = isName(x, right) || ["assignment_expression", "class"].includes(kind) || isFunction(x, right) || isRequire(x, value);
  if (hasName || saysUndefined(x, value) || (!isGlobal && (x.function >= 0 || x.symbol >= 0 || x.exportedNames.has(name)))) return -1;
  return x.addSymbol({ kind: "Variable", name, at: property, node, body: isLiteral(x, value) ? 0 : value, exported: true });
}

/** Notes names that a CommonJS module only exports, `module.exports = { read, save: write }`: as in `export { read }`, that is no use of what is declared here. */
function handOut(x: Extraction, right: number): void {
  const { syntax } = x;
  const value = unwrap(x, right);
  const isName = (node: number): boolean => ["identifier", "shorthand_property_identifier"].includes(syntax.kind(node));
  const values = syntax.kind(value) !== "object" ? [value] : syntax.children(value).map((part) => (syntax.kind(part) === "pair" ? syntax.child(part, "value") : part));
  for (const node of values) if (isName(node)) x.handedOut.add(node);
}

/** The variable whose member's member, and so on, an expression is. */
function outermost(x: Extraction, node: number): string | undefined {
  const { syntax } = x;
  let at = node;
  while (syntax.kind(at) === "member_expression") at = syntax.child(at, "object");
  return syntax.kind(at) === "identifier" ? syntax.text(at) : undefined;
}

/** What `this` is in a function that is assigned. */
function thisIn(x: Extraction, { binding, isPrototype, constructorName }: Destination): Place {
  if (binding === undefined) return constructorName === undefined ? {} : { thisKind: x.thisKind, thisOperand: x.thisOperand, binding: x.maker };
  if (isPrototype) return thisOfPrototype(x, binding);
  const { bindings, code } = x.facts;
  const declared = bindings[binding]!;
  const value = code[declared] === Op.Variable ? code[declared + 3]! : 0;
  if (value !== 0 && code[value] === Op.Object) return { thisKind: ThisKind.Object, thisOperand: code[value + 1]! };
  const isFunction = code[declared] === Op.FunctionDeclaration || code[value] === Op.Function;
  return isFunction ? { thisKind: ThisKind.Function, thisOperand: binding } : {};
}

/** What `this` is in a function that is put on the prototype of a function or a class. */
export function thisOfPrototype(x: Extraction, binding: number): { thisKind: number; thisOperand: number } {
  const { bindings, code, shapes } = x.facts;
  const declared = bindings[binding]!;
  // Within its own code a class is not read yet.
  const shape = x.classShape >= 0 ? undefined : code[declared] === Op.ShapeDeclaration ? code[declared + 2] : code[declared] === Op.Variable && code[code[declared + 3]!] === Op.Class ? code[code[declared + 3]! + 1] : undefined;
  return shape !== undefined && shapes[shape]?.kind === "class" ? { thisKind: ThisKind.Instance, thisOperand: shape } : { thisKind: ThisKind.Constructed, thisOperand: binding };
}

/** Whether a binding is a function or an object literal, and not what comes from elsewhere. */
export function isMade(x: Extraction, binding: number): boolean {
  const { code } = x.facts;
  return x.declarations(binding).some((d) => code[d] === Op.FunctionDeclaration || (code[d] === Op.Variable && (code[code[d + 3]!] === Op.Function || code[code[d + 3]!] === Op.Object)));
}

function isUndefined(x: Extraction, value: Offset): boolean {
  const { code, strings } = x.facts;
  return code[value] === Op.Primitive && strings[code[value + 1]!] === "undefined";
}

/** In JavaScript a class's fields are what its methods assign to `this`, and so are those of an object with methods. */
function thisMember(x: Extraction, name: string, value: Offset, type: Offset): void {
  if (x.thisKind !== ThisKind.Instance && x.thisKind !== ThisKind.Static && (x.thisKind !== ThisKind.Object || !x.javascript)) return;
  const shape = x.facts.shapes[x.thisOperand]!;
  const isStatic = x.thisKind === ThisKind.Static;
  const known = x.membersNamed(shape, name).find((m) => (m.static ?? false) === isStatic);
  if (!known) {
    shape.members.push({ name, kind: "field", ...(isStatic ? { static: true } : {}), functions: [], type, initialiser: value, symbol: -1, assigned: true });
  } else if (known.kind === "field" && known.type === 0 && type !== 0) {
    known.type = type;
  } else if (known.kind === "field" && known.type === 0 && value !== 0) {
    const { code, strings } = x.facts;
    const initialiser = known.initialiser;
    const nothing = initialiser === 0 || (code[initialiser] === Op.Primitive && ["null", "undefined"].includes(strings[code[initialiser + 1]!]!));
    known.initialiser = nothing ? value : known.initialiser;
  }
}

/** Reads what is assigned; a function or class under a name becomes a symbol (`owner` null: it does not). */
function valueOf(
  x: Extraction, node: number, right: number, name: string, at: number, owner: string | undefined | null, target: Offset, place: Place = {}, prototypeOf?: string,
): AssignedValue {
  const { syntax } = x;
  const context = target === 0 ? 0 : x.emit(Op.ContextExpression, target);
  if (owner !== null && isFunction(x, right)) {
    const inner = unwrap(x, right);
    const own = syntax.child(inner, "name");
    const symbolName = name === "module.exports" ? (own !== 0 ? syntax.text(own) : "default") : name;
    const symbol = x.addSymbol({
      kind: owner === undefined ? "Function" : "Method", name: symbolName, owner, at: name === "module.exports" && own !== 0 ? own : at, node,
      body: syntax.child(inner, "body"), exported: owner === undefined,
    });
    return { at: x.emit(Op.Function, functionOf(x, inner, { symbol, context, ...place })), symbol };
  }
  if (owner !== null && syntax.kind(unwrap(x, right)) === "class") {
    const shape = classOf(x, unwrap(x, right), { name: name === "module.exports" ? "default" : name, exported: owner === undefined });
    return { at: x.emit(Op.Class, shape), symbol: x.facts.shapes[shape]!.symbol };
  }
  const outer = x.objectOwner;
  if (prototypeOf !== undefined) x.objectOwner = prototypeOf;
  else if (owner === undefined) x.objectOwner = name === "module.exports" ? "exports" : name;
  const value = expression(x, right, context);
  x.objectOwner = outer;
  return { at: value, symbol: -1 };
}
