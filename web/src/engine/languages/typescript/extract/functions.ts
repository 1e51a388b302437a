import { Op, ThisKind } from "../facts.ts";
import type { FunctionFact, Offset } from "../facts.ts";
import { expression, iterates } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import { docBefore } from "./jsdoc.ts";
import type { Doc } from "./jsdoc.ts";
import { propertyName } from "./names.ts";
import { conditions } from "./narrowing.ts";
import { Scope, Space } from "./scope.ts";
import { statements } from "./statements.ts";
import { typeOf, typeParametersOf } from "./types.ts";

interface FunctionPlace {
  /** Its symbol, -1 for none: its calls are then the enclosing symbol's. */
  symbol: number;
  /** What it is expected to be: a context record, or 0. */
  context: Offset;
  /** Whom its `this` stands for; an arrow function keeps the outer one whatever this says. */
  thisKind?: number;
  thisOperand?: number;
  /** Of a declaration, its binding. */
  binding?: number;
  /** Called with each parameter that is also a field, as in `constructor(private a: A)`. */
  field?: (name: string, type: Offset, parameter: Offset, node: number) => void;
}

/** What `this` is in a function that is assigned to a member, `reader.next = function () {}`: the object. */
function thisOfAssigned(x: Extraction, context: Offset): Pick<FunctionPlace, "thisKind" | "thisOperand"> {
  const { code } = x.facts;
  const target = code[context] === Op.ContextExpression ? code[context + 1]! : 0;
  return code[target] === Op.Member || code[target] === Op.Index ? { thisKind: ThisKind.Value, thisOperand: code[target + 1]! } : {};
}

/** Reads a function, method, signature or function type, body included. Returns its index. */
export function functionOf(x: Extraction, node: number, place: FunctionPlace): number {
  const { syntax } = x;
  const fact: FunctionFact = {
    symbol: place.symbol, parameters: [], typeParameters: [], returns: 0, results: [], yields: [], context: place.context, thisType: 0,
  };
  const index = x.facts.functions.push(fact) - 1;
  const { scope, symbol, function: outer, thisKind, thisOperand, thisFunction, maker, makerSymbol, open, objectOwner, branches } = x;
  x.scope = new Scope(scope, true);
  x.function = index;
  x.symbol = place.symbol >= 0 ? place.symbol : symbol >= 0 ? symbol : x.variable;
  x.objectOwner = undefined;
  x.branches = 0;
  const arrow = syntax.kind(node) === "arrow_function";
  if (!arrow && syntax.kind(node) !== "function_type") {
    const self = place.thisKind === undefined ? thisOfAssigned(x, place.context) : place;
    x.thisKind = self.thisKind ?? ThisKind.Unknown;
    x.thisOperand = self.thisOperand ?? 0;
    // A plain function in a method has the method's.
    if (x.thisKind !== ThisKind.Object || thisKind !== ThisKind.Object || x.thisOperand !== thisOperand) x.thisFunction = index;
    x.maker = place.binding ?? -1;
    x.makerSymbol = place.symbol;
  }
  if (syntax.has(node, "async")) fact.async = true;
  if (syntax.has(node, "*")) fact.generator = true;
  fact.typeParameters = typeParametersOf(x, node);
  if (x.open) fact.open = true;
  if (syntax.kind(node) === "function_expression") {
    const named = syntax.child(node, "name");
    if (named !== 0) x.declare(x.scope, syntax.text(named), Space.Value, x.emit(Op.FunctionDeclaration, 0, index));
  }
  const doc = docBefore(x, node);
  parametersOf(x, node, index, place, doc);
  // Construct signatures and constructor types have it in the field `type`.
  fact.returns = typeOf(x, syntax.child(node, "return_type") || syntax.child(node, "type")) || (doc?.returns ?? 0);
  const body = syntax.child(node, "body");
  if (body !== 0) {
    fact.body = true;
    if (place.symbol < 0 && x.symbol >= 0) fact.within = x.symbol;
    if (syntax.kind(body) === "statement_block") statements(x, body);
    else {
      x.objectOwner = ownerOfResult(x, index);
      fact.results.push(expression(x, body, x.emit(Op.ContextReturn, index)));
      const [first] = fact.parameters;
      const guard = first && first.name !== "" && fact.parameters.length === 1 ? conditions(x, body, true).find(([path]) => path === first.name) : undefined;
      if (guard) [, fact.guard] = guard;
    }
  }
  const only = place.symbol < 0 && body !== 0 ? x.built.get(onlyCall(x, body)) : undefined;
  if (only !== undefined) fact.only = only;
  x.scope = scope;
  x.symbol = symbol;
  x.function = outer;
  x.thisKind = thisKind;
  x.thisOperand = thisOperand;
  x.thisFunction = thisFunction;
  x.maker = maker;
  x.makerSymbol = makerSymbol;
  x.open = open;
  x.objectOwner = objectOwner;
  x.branches = branches;
  return index;
}

/** The call that is all that a body does; 0 where it is none. */
function onlyCall({ syntax }: Extraction, body: number): number {
  let at = body;
  if (syntax.kind(at) === "statement_block") {
    const [only = 0, ...others] = syntax.children(at).filter((child) => syntax.kind(child) !== "comment");
    if (others.length > 0 || only === 0 || !/^(?:expression|return)_statement$/.test(syntax.kind(only))) return 0;
    at = syntax.inner(only);
  }
  while (at !== 0 && /^(?:await|parenthesized)_expression$/.test(syntax.kind(at))) at = syntax.inner(at);
  return at !== 0 && syntax.kind(at) === "call_expression" ? at : 0;
}

/** The name that an object literal goes by when a function returns it. */
export function ownerOfResult(x: Extraction, index: number): string | undefined {
  const symbol = x.facts.functions[index]?.symbol ?? -1;
  return x.symbols[symbol]?.name;
}

function parametersOf(x: Extraction, node: number, index: number, place: FunctionPlace, doc: Doc | undefined): void {
  const { syntax } = x;
  const fact = x.facts.functions[index]!;
  const single = syntax.child(node, "parameter");
  if (single !== 0) {
    parameter(x, fact, index, single, doc?.parameters.get(syntax.text(single)) ?? 0, 0, false);
    return;
  }
  const list = syntax.child(node, "parameters");
  if (list === 0) return;
  for (const p of syntax.children(list)) {
    const kind = syntax.kind(p);
    if (kind !== "required_parameter" && kind !== "optional_parameter") continue;
    for (const child of syntax.children(p)) if (syntax.kind(child) === "decorator") decorator(x, child);
    const pattern = syntax.child(p, "pattern") || syntax.child(p, "name");
    const type = typeOf(x, syntax.child(p, "type")) || (doc?.parameters.get(syntax.text(pattern)) ?? 0);
    if (syntax.kind(pattern) === "this") {
      fact.thisType = type;
      if (type !== 0) {
        x.thisKind = ThisKind.Typed;
        x.thisOperand = type;
      }
      continue;
    }
    const at = parameter(x, fact, index, pattern, type, syntax.child(p, "value"), kind === "optional_parameter");
    if (place.field && (syntax.has(p, "accessibility_modifier") || syntax.has(p, "readonly") || syntax.has(p, "override_modifier"))) {
      place.field(syntax.text(pattern), type, at, pattern);
    }
  }
}

function parameter(x: Extraction, fact: FunctionFact, index: number, node: number, type: Offset, value: number, optional: boolean): Offset {
  const { syntax } = x;
  const rest = syntax.kind(node) === "rest_pattern";
  const pattern = rest ? syntax.inner(node) : node;
  const position = fact.parameters.length;
  const added = {
    name: syntax.kind(pattern) === "identifier" ? syntax.text(pattern) : "", type, initialiser: 0,
    ...(optional ? { optional } : {}), ...(rest ? { rest } : {}),
  };
  fact.parameters.push(added);
  const at = x.emit(Op.Parameter, index, position);
  bind(x, pattern, type, x.givenModules.get(pattern) ?? at, x.scope);
  if (x.givenWhole.has(pattern)) x.wholes.add(x.scope.find(syntax.text(pattern), Space.Value)!);
  if (x.givenGlobal.has(pattern)) x.globalObjects.add(x.scope.find(syntax.text(pattern), Space.Value)!);
  if (value !== 0) added.initialiser = expression(x, value, type === 0 ? 0 : x.emit(Op.ContextType, type));
  return at;
}

/** Decorators that say which events or messages what is behind them handles (NestJS). */
const HANDLERS = /^(?:OnEvent|CommandHandler|QueryHandler|EventsHandler)\(/;

/** A decorator is a call of what it names, whether or not it has parentheses. */
export function decorator(x: Extraction, node: number): void {
  const inner = x.syntax.inner(node);
  const at = expression(x, inner);
  const kind = x.syntax.kind(inner);
  if (kind === "identifier" || kind === "member_expression") x.call(x.emit(Op.Call, at, 0, 0), inner);
  else if (x.facts.code[at] === Op.Call && HANDLERS.test(x.syntax.text(inner))) x.decorators.push(at);
}

/** How the names of a pattern are declared. */
interface Declares {
  constant: boolean;
  /** The symbol of a name; they have none without it. */
  symbolOf?: (name: number) => number;
}

/**
 * Declares the names of a pattern: `source` is what is taken apart, `type` its declared type or 0.
 * Returns the binding of a plain name, -1 for a pattern.
 */
export function bind(x: Extraction, pattern: number, type: Offset, source: Offset, scope: Scope, declares: Declares = { constant: false }): number {
  const { syntax } = x;
  switch (syntax.kind(pattern)) {
    case "identifier":
    case "shorthand_property_identifier_pattern":
    case "undefined":
      return x.declare(scope, syntax.text(pattern), Space.Value, x.emit(Op.Variable, 0, type, source, declares.symbolOf?.(pattern) ?? -1, declares.constant ? 1 : 0));
    case "object_pattern": {
      const base = type !== 0 ? x.emit(Op.As, source, type) : source;
      for (const part of syntax.children(pattern)) objectPart(x, part, base, scope, declares);
      return -1;
    }
    case "array_pattern": {
      const base = type !== 0 ? x.emit(Op.As, source, type) : source;
      iterates(x, base, pattern);
      let position = 0;
      let end = syntax.start(pattern) + 1;
      for (const part of syntax.children(pattern)) {
        // Commas are not in the tree; a hole is known by its comma.
        position += syntax.source.slice(end, syntax.start(part)).split(",").length - 1;
        end = syntax.start(part) + syntax.text(part).length;
        if (syntax.kind(part) === "rest_pattern") bind(x, syntax.inner(part), 0, x.emit(Op.Rest, base, 1), scope, declares);
        else withDefault(x, part, x.emit(Op.At, base, position), scope, declares);
      }
      return -1;
    }
    default:
      return -1;
  }
}

function objectPart(x: Extraction, part: number, base: Offset, scope: Scope, declares: Declares): void {
  const { syntax } = x;
  const member = (name: string, at: number): Offset => {
    const value = x.emit(Op.Member, base, x.str(name));
    // `const { a } = require("b")` imports a, as `import { a }` does.
    if (!x.isRequired(base)) x.member(value, at, at);
    return value;
  };
  switch (syntax.kind(part)) {
    case "shorthand_property_identifier_pattern":
      bind(x, part, 0, member(syntax.text(part), part), scope, declares);
      break;
    case "object_assignment_pattern": {
      const left = syntax.child(part, "left");
      const value = member(syntax.text(left), left);
      bind(x, left, 0, x.emit(Op.Or, 2, value, expression(x, syntax.child(part, "right"))), scope, declares);
      break;
    }
    case "pair_pattern": {
      const key = syntax.child(part, "key");
      const name = propertyName(syntax, key);
      const value = syntax.child(part, "value");
      if (value !== 0) withDefault(x, value, name === undefined ? 0 : member(name, key), scope, declares);
      break;
    }
    case "rest_pattern":
      bind(x, syntax.inner(part), 0, x.emit(Op.Rest, base, 0), scope, declares);
      break;
  }
}

function withDefault(x: Extraction, pattern: number, source: Offset, scope: Scope, declares: Declares): void {
  const { syntax } = x;
  if (syntax.kind(pattern) !== "assignment_pattern") {
    bind(x, pattern, 0, source, scope, declares);
    return;
  }
  const value = expression(x, syntax.child(pattern, "right"));
  bind(x, syntax.child(pattern, "left"), 0, x.emit(Op.Or, 2, source, value), scope, declares);
}
