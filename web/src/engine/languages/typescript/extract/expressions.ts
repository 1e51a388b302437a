import { ANY } from "../../patterns.ts";
import { ASYNC_ITERATOR, ITERATOR, Op, ThisKind } from "../facts.ts";
import type { Offset } from "../facts.ts";
import { assignment, writtenAgain } from "./assignments.ts";
import { classOf } from "./classes.ts";
import { callsFactory, definesModule, givesModules, loadingOf } from "./amd.ts";
import { assigns, calledAtOnce, handsOver } from "./commonjs.ts";
import { describedBy } from "./descriptors.ts";
import type { Extraction } from "./extraction.ts";
import { functionOf } from "./functions.ts";
import { inherited } from "./inherits.ts";
import { computedName, stringValue } from "./names.ts";
import { narrowed, withNarrowing } from "./narrowing.ts";
import { objectLiteral, unwrap } from "./objects.ts";
import { importedName } from "./repair.ts";
import { Space } from "./scope.ts";
import { statement } from "./statements.ts";
import { newShape, typeArgumentsOf, typeOf } from "./types.ts";

/**
 * Reads an expression and all calls in it. `context` says what it is expected to be, for function and
 * object literals; 0 when nothing is. Returns 0 for what has no type worth knowing.
 */
export function expression(x: Extraction, node: number, context: Offset = 0): Offset {
  if (node === 0) return 0;
  const { syntax } = x;
  switch (syntax.kind(node)) {
    case "identifier":
    case "shorthand_property_identifier":
    case "type_identifier": {
      const text = syntax.text(node);
      const specifier = importedName(text);
      if (specifier !== undefined) return x.emit(Op.ImportCall, x.specifier(specifier, node));
      const known = narrowed(x, node);
      const name = known !== 0 && node === x.called ? 0 : x.name(text);
      x.read(name, node);
      if (x.isComponent && text.startsWith("$") && isStore(x, node)) x.read(x.name(text.slice(1)), node);
      return known || name;
    }
    case "this":
      return narrowed(x, node) || x.self();
    case "super":
      return x.classShape < 0 ? 0 : x.emit(Op.Super, x.classShape, x.static ? 1 : 0);
    case "member_expression":
    case "nested_identifier":
    case "nested_type_identifier":
      return member(x, node);
    case "subscript_expression": {
      const known = narrowed(x, node);
      const object = expression(x, syntax.child(node, "object"));
      const index = syntax.child(node, "index");
      const at = expression(x, index);
      if (syntax.kind(index) === "string") {
        const named = x.emit(Op.Member, object, x.str(stringValue(syntax.text(index))));
        x.member(named, node, index);
        return named;
      }
      if (known !== 0) return known;
      // `x[NAME]` may be a member under that constant, else it is an element.
      const constant = constantName(x, index);
      const element = x.emit(Op.Index, object, at, x.str(constant ?? ""));
      if (constant !== undefined) x.member(element, node, index);
      return element;
    }
    case "call_expression":
      return call(x, node, context);
    case "new_expression": {
      const callee = syntax.child(node, "constructor");
      return invoke(x, node, Op.New, calledBy(x, callee), callee, context);
    }
    case "await_expression": {
      const value = expression(x, syntax.inner(node), context);
      // It calls the `then` of an object that has one.
      if (value !== 0 && x.facts.code[value] !== Op.Primitive) x.call(x.emit(Op.Call, x.emit(Op.Member, value, x.str("then")), 0, 0), node);
      return x.emit(Op.Await, value);
    }
    case "yield_expression": {
      const value = expression(x, syntax.inner(node));
      const f = x.facts.functions[x.function];
      const isWhole = syntax.has(node, "*");
      if (isWhole) iterates(x, value, node, f?.async);
      if (f && value !== 0) f.yields.push(isWhole ? x.emit(Op.Element, value, 0) : value);
      return 0;
    }
    case "arrow_function":
    case "function_expression":
    case "generator_function":
      return x.emit(Op.Function, functionOf(x, node, { symbol: -1, context, ...ownThis(x) }));
    case "class":
      return x.emit(Op.Class, classOf(x, node, undefined));
    case "object":
      return x.emit(Op.Object, objectLiteral(x, node, context));
    case "array": {
      const items = syntax.children(node).filter((c) => syntax.kind(c) !== "comment");
      const elements = items.map((c, i) => expression(x, c, context === 0 ? 0 : x.emit(Op.ContextElement, context, i)));
      return x.emit(Op.Array, elements.length, ...elements);
    }
    case "spread_element": {
      // One of an object literal is read there.
      const value = expression(x, syntax.inner(node));
      iterates(x, value, node);
      return x.emit(Op.Spread, value);
    }
    case "parenthesized_expression":
    case "non_null_expression":
      return expression(x, syntax.inner(node), context);
    case "as_expression":
    case "satisfies_expression":
    case "type_assertion":
      return cast(x, node, context);
    case "instantiation_expression":
      for (const child of syntax.children(node).slice(1)) typeOf(x, child);
      return expression(x, syntax.inner(node), context);
    case "ternary_expression": {
      const condition = syntax.child(node, "condition");
      expression(x, condition);
      const then = withNarrowing(x, condition, true, () => expression(x, syntax.child(node, "consequence"), context));
      const otherwise = withNarrowing(x, condition, false, () => expression(x, syntax.child(node, "alternative"), context));
      return x.emit(Op.Or, 2, then, otherwise);
    }
    case "binary_expression":
      return binary(x, node, context);
    case "unary_expression": {
      expression(x, syntax.child(node, "argument"));
      const operator = syntax.text(syntax.child(node, "operator") || node);
      return primitive(x, operator === "typeof" ? "string" : operator.startsWith("!") || operator === "delete" ? "boolean" : operator === "void" ? "undefined" : "number");
    }
    case "update_expression":
      writtenAgain(x, expression(x, syntax.child(node, "argument")), syntax.child(node, "argument"));
      return primitive(x, "number");
    case "assignment_expression":
    case "augmented_assignment_expression":
      return assignment(x, node, context);
    case "sequence_expression": {
      let last = 0;
      for (const child of syntax.children(node)) if (syntax.kind(child) !== "comment") last = expression(x, child);
      return last;
    }
    case "string":
      return x.emit(Op.String, x.str(stringValue(syntax.text(node))));
    case "template_string":
      for (const child of syntax.children(node)) if (syntax.kind(child) === "template_substitution") expression(x, syntax.inner(child));
      return pattern(x, /^`(\w+)\$\{.*\}(\w*)`$/s.exec(syntax.text(node))) || primitive(x, "string");
    case "number":
      return primitive(x, syntax.text(node).endsWith("n") ? "bigint" : "number");
    case "true":
    case "false":
      return primitive(x, "boolean");
    case "null":
    case "undefined":
      return primitive(x, syntax.kind(node));
    case "regex":
      return x.emit(Op.Primitive, x.str("RegExp"));
    case "jsx_element":
      for (const child of syntax.children(node)) expression(x, child);
      return 0;
    case "jsx_opening_element":
    case "jsx_self_closing_element":
      jsx(x, node);
      return 0;
    case "jsx_attribute":
      return attribute(x, node, 0);
    case "jsx_expression":
      return expression(x, syntax.inner(node));
    case "comment":
    case "meta_property":
    case "import":
    case "optional_chain":
    case "property_identifier":
    case "private_property_identifier":
      return 0;
    default:
      statement(x, node);
      return 0;
  }
}

/** Functions of Svelte's own: `$state(0)`, `$derived.by(f)`. */
const RUNE = /^\$(?:state|derived|props|bindable|effect|inspect|host)(?:\s*[(<]|\.(?:raw|snapshot|eager|by|id|pre|tracking|pending|root|with|trace)\b)/;

/** Whether a name with a dollar before it stands, in a component of Svelte, for what the store of that name holds. */
function isStore(x: Extraction, node: number): boolean {
  const { syntax } = x;
  const at = syntax.start(node);
  return syntax.text(node).length > 1 && x.path.endsWith(".svelte") && !RUNE.test(syntax.source.slice(at, at + 80));
}

export function primitive(x: Extraction, name: string): Offset {
  return x.emit(Op.Primitive, x.str(name));
}

/** A function keeps the `this` of an object literal or class around it only as an arrow; others have none. */
function ownThis(x: Extraction): { thisKind?: number; thisOperand?: number } {
  const { listened } = x;
  x.listened = 0;
  if (listened !== 0) return { thisKind: ThisKind.Given, thisOperand: listened };
  // A plain function handed on from a method is most often bound to it or does not use `this`.
  return x.thisKind === ThisKind.Object ? { thisKind: x.thisKind, thisOperand: x.thisOperand } : {};
}

function member(x: Extraction, node: number): Offset {
  const { syntax } = x;
  const known = narrowed(x, node);
  const property = syntax.child(node, "property") || syntax.child(node, "name");
  const at = known || x.emit(Op.Member, expression(x, syntax.child(node, "object") || syntax.child(node, "module")), x.str(syntax.text(property)));
  x.member(at, node, property);
  return at;
}

function call(x: Extraction, node: number, context: Offset): Offset {
  const { syntax } = x;
  const callee = syntax.child(node, "function");
  const kind = syntax.kind(callee);
  const list = syntax.child(node, "arguments");
  if (kind === "import" || (kind === "identifier" && syntax.text(callee) === "require")) {
    let text = syntax.inner(list);
    // `require(require.resolve("./x"))` loads the same file.
    if (syntax.kind(text) === "call_expression" && syntax.text(syntax.child(text, "function")) === "require.resolve") text = syntax.inner(syntax.child(text, "arguments"));
    if (text !== 0 && (syntax.kind(text) === "string" || plainTemplate(x, text))) {
      const specifier = x.specifier(stringValue(syntax.text(text)), node);
      if (kind !== "import") x.requires = true;
      return x.emit(kind === "import" ? Op.ImportCall : Op.Module, specifier);
    }
  }
  const loading = loadingOf(x, callee, list);
  if (loading) givesModules(x, loading);
  if (loading && definesModule(x, loading)) return 0;
  if (list !== 0) calledAtOnce(x, callee, syntax.children(list));
  const target = calledBy(x, callee);
  const at = invoke(x, node, Op.Call, target, callee, context);
  if (x.facts.code[target] === Op.Function) givenAtOnce(x, x.facts.code[target + 1]!, at);
  if (loading) callsFactory(x, loading, at, node);
  if (list !== 0) inherited(x, callee, syntax.children(list)[0] ?? 0, at);
  if (list !== 0) replaced(x, callee, list, at);
  if (list !== 0) handsOver(x, target, syntax.children(list)[0] ?? 0);
  if (list !== 0) assigns(x, callee, syntax.children(list), at);
  x.built.set(node, at);
  return loaded(x, callee, created(x, callee, at));
}

/** What `Object.create(prototype)` makes: an object without members of its own, which has those of the prototype. */
function created(x: Extraction, callee: number, record: Offset): Offset {
  const { syntax, facts: { code, shapes } } = x;
  const isCreate = syntax.kind(callee) === "member_expression" && syntax.text(syntax.child(callee, "property")) === "create";
  if (!isCreate || syntax.text(callee) !== "Object.create" || x.scope.find("Object", Space.Value) !== undefined) return record;
  const list = record + 3 + code[record + 2]!;
  const prototype = code[list]! > 0 ? code[list + 1]! : 0;
  if (prototype === 0 || code[prototype] === Op.Spread) return record;
  const shape = newShape(x, "object", -1, "");
  if (code[prototype] !== Op.Primitive) shapes[shape]!.spreads.push(prototype);
  return x.emit(Op.Object, shape);
}

/** The parameters of a function that is called where it stands have the values that it is called with. */
function givenAtOnce(x: Extraction, index: number, record: Offset): void {
  const { code, functions } = x.facts;
  const list = record + 3 + code[record + 2]!;
  functions[index]!.parameters.forEach((parameter, i) => {
    const given = i < code[list]! ? code[list + 1 + i]! : 0;
    if (parameter.type === 0 && parameter.initialiser === 0 && !parameter.rest && code[given] !== Op.Spread) parameter.initialiser = given;
  });
}

/** What of tests' libraries puts something in the place of a member that it names by a text: `vi.spyOn(mail, "send")`, `sinon.stub(mail, "send")`. */
const REPLACES = /^(?:spyOn|replaceProperty)$|(?:^|\.)(?:sinon|sandbox|mock)\.(?:stub|spy|replace|fake|method|getter|setter)$/;

/** Notes the member in whose place a call puts something. */
function replaced(x: Extraction, callee: number, list: number, record: Offset): void {
  const { syntax, facts: { code } } = x;
  const [, name, access] = syntax.children(list).filter((child) => syntax.kind(child) !== "comment");
  // With "get" or "set" behind it, it is an accessor, which nothing reads here.
  if (name === undefined || syntax.kind(name) !== "string" || (access !== undefined && syntax.kind(access) === "string")) return;
  const text = syntax.text(callee);
  if (!REPLACES.test(text) && !REPLACES.test(text.slice(text.lastIndexOf(".") + 1))) return;
  const object = code[record + 3 + code[record + 2]! + 1]!;
  if (object !== 0) x.member(x.emit(Op.Member, object, x.str(stringValue(syntax.text(name)))), name, name);
}

/** What makes a component of a module that is loaded when it is shown: React's `lazy`, `dynamic` of Next.js, Vue's. */
const LOADS = /(?:^|\.)(?:lazy\w*|dynamic|loadable|defineAsyncComponent)$/;

/** What such a call gives, of its record: what the module exports by default, `lazy(() => import("./page"))`. */
function loaded(x: Extraction, callee: number, record: Offset): Offset {
  const { code, functions } = x.facts;
  const list = record + 3 + code[record + 2]!;
  const first = code[list]! > 0 ? code[list + 1]! : 0;
  if (code[first] !== Op.Function || !LOADS.test(x.syntax.text(callee))) return record;
  const { results } = functions[code[first + 1]!]!;
  const module = results[0] ?? 0;
  return results.length === 1 && code[module] === Op.ImportCall ? x.emit(Op.Or, 2, record, x.emit(Op.Member, x.emit(Op.Await, module), x.str("default"))) : record;
}

/** Reads what is called, constructed, extended, imported or declared by being assigned to: its name alone is no reference beside that. */
export function calledBy(x: Extraction, node: number): Offset {
  const outer = x.called;
  x.called = node;
  const at = expression(x, node);
  x.called = outer;
  return at;
}

function plainTemplate(x: Extraction, node: number): boolean {
  return x.syntax.kind(node) === "template_string" && x.syntax.childOf(node, "template_substitution") === 0;
}

/** The record of a call or `new`, with its arguments, noted as a call. `expected` says what it is expected to give. */
function invoke(x: Extraction, node: number, op: number, callee: Offset, calleeNode: number, expected: Offset): Offset {
  const { syntax } = x;
  const typeArguments = typeArgumentsOf(x, node);
  const list = syntax.child(node, "arguments");
  const contexts: Offset[] = [];
  const values: Offset[] = [];
  if (list !== 0 && syntax.kind(list) === "template_string") {
    expression(x, list);
    values.push(0);
  } else if (list !== 0) {
    const children = syntax.children(list).filter((child) => syntax.kind(child) !== "comment");
    for (const child of children) {
      const kind = syntax.kind(child);
      let context = 0;
      if (kind === "arrow_function" || kind === "function_expression" || kind === "object" || kind === "array" || kind === "generator_function"
        || kind === "parenthesized_expression" || kind === "ternary_expression" || kind === "call_expression") {
        context = x.emit(Op.ContextArgument, 0, values.length);
        contexts.push(context);
      }
      if (kind === "object") x.described = describedBy(x, calleeNode, children, child, values[0] ?? 0);
      if (kind === "function_expression" && x.javascript && values.length === 1) x.listened = listenedBy(x, calleeNode, callee);
      const value = expression(x, child, context);
      values.push(value);
      handOn(x, child, value);
    }
  }
  const at = x.emit(op, callee, typeArguments.length, ...typeArguments, values.length, ...values);
  for (const context of contexts) x.facts.code[context + 1] = at;
  if (contexts.length > 0 && typeArguments.length === 0 && x.isDeclared(expected)) (x.facts.callContexts ??= []).push(at, expected);
  x.call(at, nameOf(x, calleeNode));
  if (x.javascript && op === Op.Call && list !== 0) givesThis(x, calleeNode, callee, syntax.children(list).filter((child) => syntax.kind(child) !== "comment"), values);
  return at;
}

/** Methods that call their function with the object that is their first argument, now or later. */
const CALLED_WITH = new Set(["call", "apply", "bind"]);
/** Methods whose second argument listens to the object, and is called with it for `this`. */
const LISTENED_TO = new Set(["on", "once", "addListener", "prependListener", "addEventListener"]);

/** The object that the second argument of a call listens to; 0 for other calls. */
function listenedBy({ syntax, facts: { code } }: Extraction, calleeNode: number, callee: Offset): Offset {
  const isMember = code[callee] === Op.Member && syntax.kind(calleeNode) === "member_expression";
  return isMember && LISTENED_TO.has(syntax.text(syntax.child(calleeNode, "property"))) ? code[callee + 1]! : 0;
}

/** Notes what `this` is in a function by name: x in `f.call(x)` and in `x.on("end", f)`. */
function givesThis(x: Extraction, calleeNode: number, callee: Offset, args: readonly number[], values: readonly Offset[]): void {
  const { syntax, facts: { code } } = x;
  if (code[callee] !== Op.Member || syntax.kind(calleeNode) !== "member_expression") return;
  const isCalled = CALLED_WITH.has(syntax.text(syntax.child(calleeNode, "property")));
  const f = isCalled ? syntax.child(calleeNode, "object") : args[1] ?? 0;
  const object = isCalled ? values[0] ?? 0 : listenedBy(x, calleeNode, callee);
  if (f !== 0 && object !== 0 && syntax.kind(f) === "identifier" && code[object] !== Op.Primitive) x.givenAsThis.push({ name: syntax.text(f), scope: x.scope, object });
}

/** The node whose line a call has: the last name of the callee. */
function nameOf(x: Extraction, callee: number): number {
  return x.syntax.kind(callee) === "member_expression" ? x.syntax.child(callee, "property") : callee;
}

/** Notes a value that is handed on, when it may be a function by name, or such a function with its `this`: `f.bind(x)`. */
function handOn(x: Extraction, node: number, value: Offset): void {
  const { syntax } = x;
  const { code } = x.facts;
  const inner = unwrap(x, node);
  let at = value;
  while (code[at] === Op.As || code[at] === Op.AsConst) at = code[at + 1]!;
  if (at === 0) return;
  const kind = syntax.kind(inner);
  if (kind === "identifier" || kind === "member_expression") {
    x.reference(at, inner);
  } else if (kind === "call_expression" && code[at] === Op.Call) {
    const callee = syntax.child(inner, "function");
    if (syntax.kind(callee) !== "member_expression" || syntax.text(syntax.child(callee, "property")) !== "bind") return;
    handOn(x, syntax.child(callee, "object"), code[code[at + 1]! + 1]!);
  }
}

function cast(x: Extraction, node: number, context: Offset): Offset {
  const { syntax } = x;
  const parts = syntax.children(node).filter((c) => syntax.kind(c) !== "comment");
  if (syntax.kind(node) === "type_assertion") {
    const list = syntax.childOf(node, "type_arguments");
    const type = typeOf(x, syntax.inner(list));
    return x.emit(Op.As, expression(x, parts.at(-1) ?? 0, x.emit(Op.ContextType, type)), type);
  }
  const [value = 0, second = 0] = parts;
  // `as const` has only a token behind the value.
  if (second === 0 || syntax.kind(second) === "const") return x.emit(Op.AsConst, expression(x, value, context));
  const type = typeOf(x, second);
  const at = expression(x, value, x.emit(Op.ContextType, type));
  return syntax.kind(node) === "as_expression" ? x.emit(Op.As, at, type) : at;
}

/** A text that begins and ends with two groups of a match, or 0. */
function pattern(x: Extraction, match: RegExpExecArray | null): Offset {
  return match ? x.emit(Op.Pattern, x.str(`${match[1]!}${ANY}${match[2]!}`)) : 0;
}

function binary(x: Extraction, node: number, context: Offset): Offset {
  const { syntax } = x;
  const left = syntax.child(node, "left");
  const right = syntax.child(node, "right");
  const operator = syntax.text(syntax.child(node, "operator") || node);
  const first = expression(x, left, context);
  switch (operator) {
    case "&&":
      return withNarrowing(x, left, true, () => expression(x, right, context));
    case "||":
      return x.emit(Op.Or, 2, first, withNarrowing(x, left, false, () => expression(x, right, context)));
    case "??":
      return x.emit(Op.Or, 2, first, expression(x, right, context));
    default: {
      const second = expression(x, right);
      if (operator === "instanceof") x.built.set(node, second);
      if (["==", "===", "!=", "!=="].includes(operator)) {
        x.built.set(left, first);
        x.built.set(right, second);
      }
      if (operator === "+" && x.facts.code[first] === Op.String) {
        const known = pattern(x, /^(\w+)()$/.exec(x.facts.strings[x.facts.code[first + 1]!]!));
        if (known !== 0) return known;
      }
      // A sum is a number or a string: neither has members of ours.
      return primitive(x, operator === "+" ? "string" : ["-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>"].includes(operator) ? "number" : "boolean");
    }
  }
}

function jsx(x: Extraction, node: number): void {
  const { syntax } = x;
  const named = syntax.child(node, "name");
  let component = 0;
  if (named !== 0 && (syntax.kind(named) !== "identifier" || /^[A-Z]/.test(syntax.text(named)))) {
    component = x.emit(Op.Call, calledBy(x, named), 0, 0);
    x.call(component, named);
  }
  for (const child of syntax.children(node)) {
    if (child === named) continue;
    if (component === 0 || syntax.kind(child) !== "jsx_attribute") {
      expression(x, child);
      continue;
    }
    // An attribute is a member of what the component is given.
    const context = x.emit(Op.ContextProperty, x.emit(Op.ContextArgument, component, 0), x.str(syntax.text(syntax.inner(child))));
    const value = attribute(x, child, context);
    if (value !== 0 && x.mayHold(value)) x.store(context, value);
  }
}

/** The value of an attribute, which the element's component is given. */
function attribute(x: Extraction, node: number, context: Offset): Offset {
  const { syntax } = x;
  const value = syntax.children(node).at(-1);
  if (value === undefined || syntax.kind(value) !== "jsx_expression") return 0;
  const inner = syntax.inner(value);
  const at = expression(x, inner, context);
  handOn(x, inner, at);
  return at;
}

/** Takes down that going through the elements of a value calls its `[Symbol.iterator]`. */
export function iterates(x: Extraction, value: Offset, node: number, isAsync = false): void {
  const { code } = x.facts;
  if (value === 0 || code[value] === Op.Array || code[value] === Op.String || code[value] === Op.Primitive) return;
  x.call(x.emit(Op.Call, x.emit(Op.Member, value, x.str(isAsync ? ASYNC_ITERATOR : ITERATOR)), 0, 0), node);
}

/** What a member goes by that is put or read under a constant of the file's or a part of one, `[kClient]`, `[symbols.kClient]`, `[Symbol.iterator]`. */
export function constantName(x: Extraction, index: number): string | undefined {
  const text = x.syntax.text(index);
  const constant = /^([\w$]+)(?:\.[\w$]+)*$/.exec(text)?.[1];
  return constant !== undefined && (constant === "Symbol" || x.isConstant(constant)) ? computedName(text) : undefined;
}

/** Reads what a member's name is computed from: `[kHandler]() {}`; of `[Symbol.iterator]` nothing. */
export function computedKey(x: Extraction, name: number): Offset {
  const { syntax } = x;
  if (syntax.kind(name) !== "computed_property_name" || syntax.text(syntax.inner(name)).startsWith("Symbol.")) return 0;
  return expression(x, syntax.inner(name));
}
