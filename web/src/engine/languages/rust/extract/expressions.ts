import { type Offset, Op } from "../facts.ts";
import { STORES } from "../functions.ts";
import { routesIn } from "./entries.ts";
import { converted, convertedByBound, expected, expectedAs, expectedOfArguments, implied, isDefault, operator, raised, shown } from "./implied.ts";
import { block, statements } from "./items.ts";
import { Macros } from "./macros.ts";
import { pattern } from "./patterns.ts";
import { pathOf, typeArguments, typeOf } from "./types.ts";
import { nameOf, type Unit } from "./unit.ts";

/** Macros of the standard library that take expressions and run them as they stand; of others that is likely, not sure. */
const PLAIN = new Set([
  "print", "println", "eprint", "eprintln", "format", "write", "writeln", "format_args", "panic", "todo", "unimplemented", "unreachable", "assert", "assert_eq", "assert_ne",
  "debug_assert", "debug_assert_eq", "debug_assert_ne", "dbg", "vec", "matches", "addr_of", "addr_of_mut", "pin", "ready", "try",
]);
/** That take words, not code. */
const QUOTING = /^(?:stringify|concat|concat_idents|include_str|include_bytes|include|env|option_env|cfg|line|file|module_path)$/;
/** Whose second argument is a pattern. */
const MATCHING = new Set(["matches", "assert_matches"]);
/** In percent: code among the arguments of some macro, and of one that they could not be read of as a whole. */
const LIKELY = 80;
const TORN = 60;

/** Methods by which a collection that began empty shows what it holds. */
const FILLS = /^(?:push|push_back|push_front|insert)$/;

const RESULTS = new Map(Object.entries({
  format: "String", matches: "bool", format_args: "Arguments", stringify: "str", concat: "str", line: "u32", file: "str", include_str: "str",
}));

/** Records an expression, and the calls inside it; 0 for what has no type of its own. */
export function expression(u: Unit, node: number): Offset {
  const { syntax } = u;
  const kind = syntax.kind(node);
  switch (kind) {
    case "identifier":
    case "self":
    case "metavariable": {
      const local = u.lookupLocal(node);
      return local || mention(u, node, pathOf(u, node, []));
    }
    case "scoped_identifier":
    case "generic_function":
      return mention(u, node, pathOf(u, node, []));
    case "call_expression":
      return call(u, node);
    case "macro_invocation":
      return macro(u, node);
    case "field_expression": {
      const value = syntax.part(node, "value");
      const field = syntax.part(node, "field");
      return u.emit(Op.Field, value ? expression(u, value) : 0, u.str(field ? nameOf(syntax.text(field)) : ""));
    }
    case "index_expression": {
      const [value = 0, index = 0] = syntax.children(node);
      const operand = value ? expression(u, value) : 0;
      implied(u, node, ["Index", "index"], operand, index ? expression(u, index) : 0);
      return u.emit(Op.Index, operand, index && syntax.kind(index) === "range_expression" ? 1 : 0);
    }
    case "struct_expression":
      return literal(u, node);
    case "parenthesized_expression": {
      const [inner = 0] = syntax.children(node);
      return inner ? expression(u, inner) : 0;
    }
    case "reference_expression": {
      const inner = syntax.part(node, "value");
      return inner ? u.emit(Op.Borrow, syntax.child(node, "mutable_specifier") ? 1 : 0, expression(u, inner)) : 0;
    }
    case "unary_expression": {
      const [sign = 0, operand = sign] = syntax.children(node);
      const record = operand ? expression(u, operand) : 0;
      if (syntax.kind(sign) === "*") {
        implied(u, node, ["Deref", "deref"], record);
        return u.emit(Op.Deref, record);
      }
      return implied(u, node, syntax.source[syntax.start(node)] === "-" ? ["Neg", "neg"] : ["Not", "not"], record) || record;
    }
    case "try_expression": {
      const [inner = 0] = syntax.children(node);
      return tried(u, node, inner ? expression(u, inner) : 0);
    }
    case "await_expression": {
      const [inner = 0] = syntax.children(node);
      const future = inner ? expression(u, inner) : 0;
      implied(u, node, ["IntoFuture", "into_future"], future);
      return u.emit(Op.Await, future);
    }
    case "type_cast_expression": {
      const value = syntax.part(node, "value");
      const given = value ? expression(u, value) : 0;
      const at = u.emit(Op.Value, typeOf(u, syntax.part(node, "type")));
      u.store(at, given);
      return at;
    }
    case "assignment_expression": {
      const [left, right] = [syntax.part(node, "left"), syntax.part(node, "right")].map((side) => (side ? expression(u, side) : 0));
      if (u.late.delete(left!) || (right && right !== left && isNone(u, left!))) u.code[left! + 2] = right!;
      u.store(left!, right!);
      if (left) expectedAs(u, node, () => left, right!);
      return 0;
    }
    case "compound_assignment_expr": {
      const left = syntax.part(node, "left");
      const right = syntax.part(node, "right");
      operator(u, node, between(u, left, right), left ? expression(u, left) : 0, right ? expression(u, right) : 0);
      return 0;
    }
    case "return_expression":
      for (const child of syntax.children(node)) {
        const value = expression(u, child);
        expected(u, child, u.result, value);
        u.returned(value);
      }
      return 0;
    case "tuple_expression": {
      const parts = syntax.children(node).filter((child) => syntax.kind(child) !== "attribute_item").map((child) => expression(u, child));
      return u.emit(Op.Tuple, parts.length, ...parts);
    }
    case "array_expression": {
      const length = syntax.part(node, "length");
      const parts = syntax.children(node).map((child) => ({ child, record: expression(u, child) })).filter(({ child }) => child !== length).map(({ record }) => record);
      return u.emit(Op.Array, 0, parts.length, ...parts);
    }
    case "binary_expression": {
      const left = syntax.part(node, "left");
      const right = syntax.part(node, "right");
      // A condition's `let` declares for what stands to its right, too.
      const first = left ? expression(u, left) : 0;
      const second = right ? expression(u, right) : 0;
      const run = operator(u, node, between(u, left, right), first, second);
      const sign = syntax.part(node, "operator");
      return sign && /^(?:==|!=|<=?|>=?|&&|\|\|)$/.test(syntax.kind(sign)) ? u.value("bool") : run || first;
    }
    case "range_expression": {
      const [from = 0, to = 0] = syntax.children(node).map((child) => expression(u, child));
      return u.emit(Op.Array, 0, 1, from || to);
    }
    case "closure_expression":
      return closure(u, node);
    case "block":
      return block(u, node);
    case "unsafe_block":
    case "async_block":
    case "const_block":
    case "try_block":
    case "gen_block": {
      const inner = syntax.child(node, "block");
      const { result } = u;
      // What fails in it fails nowhere else.
      if (kind === "async_block" || kind === "try_block") u.result = 0;
      const given = inner ? block(u, inner) : 0;
      u.result = result;
      return given;
    }
    case "if_expression": {
      const first = u.scoped(() => {
        const condition = syntax.part(node, "condition");
        if (condition) expression(u, condition);
        const consequence = syntax.part(node, "consequence");
        return consequence ? expression(u, consequence) : 0;
      });
      return either(u, [first, alternativeOf(u, node)]);
    }
    case "let_condition": {
      const value = syntax.part(node, "value");
      const given = value ? expression(u, value) : 0;
      pattern(u, syntax.part(node, "pattern"), given);
      return u.value("bool");
    }
    case "let_chain":
      visitAll(u, node);
      return u.value("bool");
    case "match_expression":
      return match(u, node);
    case "loop_expression":
      return loop(u, node);
    case "while_expression":
      u.scoped(() => visitAll(u, node));
      return 0;
    case "for_expression":
      u.scoped(() => {
        const value = syntax.part(node, "value");
        const over = value ? expression(u, value) : 0;
        implied(u, value || node, ["IntoIterator", "into_iter"], over);
        pattern(u, syntax.part(node, "pattern"), u.emit(Op.Element, over));
        const body = syntax.part(node, "body");
        if (body) expression(u, body);
      });
      return 0;
    case "string_literal":
    case "raw_string_literal":
      return syntax.source[syntax.start(node)] === "b" || syntax.source.startsWith("br", syntax.start(node)) ? u.emit(Op.Value, u.built("[]", [u.built("u8")])) : u.value("str");
    case "char_literal":
      return u.value(syntax.source[syntax.start(node)] === "b" ? "u8" : "char");
    case "boolean_literal":
      return u.value("bool");
    case "integer_literal":
      return u.value(/(?:[iu](?:8|16|32|64|128|size))$/.exec(syntax.text(node))?.[0] ?? "i32");
    case "float_literal":
      return u.value(/f32$/.test(syntax.text(node)) ? "f32" : "f64");
    case "break_expression": {
      const value = syntax.children(node).find((child) => syntax.kind(child) !== "label");
      const label = syntax.child(node, "label");
      const given = value === undefined ? 0 : expression(u, value);
      const loop = label ? u.loops.findLast((one) => one.label === syntax.text(label)) : u.loops.at(-1);
      if (given) loop?.values.push(given);
      return 0;
    }
    case "continue_expression":
      return 0;
    case "let_declaration":
      // Where a macro's arguments are statements.
      binding(u, node);
      return 0;
    case "label":
    case "lifetime":
    case "attribute_item":
    case "type_arguments":
    case "token_tree":
      return 0;
    default:
      visitAll(u, node);
      return 0;
  }
}

function visitAll(u: Unit, node: number): void {
  for (const child of u.syntax.children(node)) expression(u, child);
}

/** A `let` with all it declares. */
export function binding(u: Unit, node: number): void {
  const { syntax } = u;
  const value = syntax.part(node, "value");
  const given = value ? expression(u, value) : 0;
  const type = typeOf(u, syntax.part(node, "type"));
  expected(u, value || node, type, given);
  const otherwise = syntax.part(node, "alternative");
  if (otherwise) expression(u, otherwise);
  const declared = syntax.part(node, "pattern");
  pattern(u, declared, type ? u.emit(Op.Variable, type, given, 0) : given);
  // `let x;`: what it is is said where it is assigned first.
  const late = !value && !type && declared ? u.lookup(u.local(declared)) : 0;
  if (late) u.late.add(late);
}

/** Whether a variable without a type is `None` as far as is known: what it may hold is said where it is assigned. */
function isNone({ code, strings }: Unit, variable: Offset): boolean {
  const given = code[variable] === Op.Variable && code[variable + 1] === 0 ? code[variable + 2]! : 0;
  return code[given] === Op.Path && code[given + 1] === 0 && strings[code[given + 2]!] === "None";
}

function either(u: Unit, records: readonly Offset[]): Offset {
  const known = records.filter((record) => record > 0);
  return known.length > 1 ? u.emit(Op.Either, known.length, ...known) : known[0] ?? 0;
}

function alternativeOf(u: Unit, node: number): Offset {
  const clause = u.syntax.part(node, "alternative");
  const [inner = 0] = clause ? u.syntax.children(clause) : [];
  return inner ? expression(u, inner) : 0;
}

function match(u: Unit, node: number): Offset {
  const { syntax } = u;
  const value = syntax.part(node, "value");
  const given = value ? expression(u, value) : 0;
  const body = syntax.part(node, "body");
  const arms: Offset[] = [];
  for (const arm of body ? syntax.children(body) : []) {
    if (syntax.kind(arm) !== "match_arm") continue;
    u.scoped(() => {
      const head = syntax.part(arm, "pattern");
      for (const child of head ? syntax.children(head) : []) {
        if (syntax.field(child) === "condition") expression(u, child);
        else pattern(u, child, given);
      }
      const result = syntax.part(arm, "value");
      if (result) arms.push(expression(u, result));
    });
  }
  return either(u, arms);
}

/** The sign between two operands. */
function between({ syntax }: Unit, left: number, right: number): string {
  return left && right ? syntax.source.slice(syntax.end(left), syntax.start(right)).trim() : "";
}

function tried(u: Unit, node: number, operand: Offset): Offset {
  raised(u, node, operand);
  return u.emit(Op.Try, operand);
}

/** A path that is no callee: it may hand on a function. */
function mention(u: Unit, node: number, at: Offset): Offset {
  if (u.code[at] === Op.Path) u.use(at, node);
  return at;
}

function call(u: Unit, node: number): Offset {
  const { syntax } = u;
  let callee = syntax.part(node, "function");
  const list = syntax.part(node, "arguments");
  const given = (): Offset[] => (list ? syntax.children(list) : []).filter((child) => syntax.kind(child) !== "attribute_item").map((child) => expression(u, child));
  if (!callee) {
    given();
    return 0;
  }
  if (u.inMacros.isInner(syntax.start(callee)) && syntax.kind(callee) !== "field_expression") return macroCall(u, callee, list);
  let types: Offset[] = [];
  if (syntax.kind(callee) === "generic_function") {
    const inner = syntax.part(callee, "function");
    if (inner && syntax.kind(inner) === "field_expression") {
      types = typeArguments(u, syntax.part(callee, "type_arguments"));
      callee = inner;
    }
  }
  const kind = syntax.kind(callee);
  if (kind === "field_expression") {
    const value = syntax.part(callee, "value");
    const field = syntax.part(callee, "field");
    const receiver = value ? expression(u, value) : 0;
    const args = given();
    if (!field) return 0;
    const name = nameOf(syntax.text(field));
    if (name === "route" && list) for (const handler of routesIn(syntax.text(list))) u.routed.add(handler);
    const at = u.call([Op.Method, receiver, u.str(name), types.length, ...types], args, field);
    if (name === "to_string") implied(u, field, ["Display", "fmt"], receiver);
    if (types.length === 1) converted(u, field, at, types[0]!);
    else if (name === "into" || name === "try_into") convertedByBound(u, field, at);
    expectedOfArguments(u, field, at, args);
    if (STORES.test(name)) for (const argument of args) u.store(receiver, argument);
    if (u.code[receiver] === Op.Variable && u.code[receiver + 3] === 0 && FILLS.test(name)) u.code[receiver + 3] = at;
    return at;
  }
  const local = kind === "identifier" ? u.lookupLocal(callee) : 0;
  const isPath = kind === "identifier" || kind === "scoped_identifier" || kind === "generic_function" || kind === "self" || kind === "metavariable";
  const record = local || (isPath ? pathOf(u, callee, []) : expression(u, callee));
  const args = given();
  const at = u.call([Op.Call, record], args, lastName(u, callee));
  expectedOfArguments(u, node, at, args);
  return at;
}

/** Where a call is said to stand: at the name, which may be lines below the path's beginning. */
function lastName(u: Unit, node: number): number {
  const { syntax } = u;
  if (syntax.kind(node) === "generic_function") return lastName(u, syntax.part(node, "function") || node);
  return syntax.kind(node) === "scoped_identifier" ? syntax.part(node, "name") || node : node;
}

/** `loop`, which is what `break` gives: no other loop gives anything. */
function loop(u: Unit, node: number): Offset {
  const label = u.syntax.child(node, "label");
  const values: Offset[] = [];
  u.loops.push({ label: label ? u.syntax.text(label) : "", values });
  u.scoped(() => visitAll(u, node));
  u.loops.pop();
  return either(u, values);
}

function literal(u: Unit, node: number): Offset {
  const { syntax } = u;
  const name = syntax.part(node, "name");
  const at = u.emit(Op.Literal, name ? pathOf(u, name, []) : 0);
  const body = syntax.part(node, "body");
  for (const field of body ? syntax.children(body) : []) {
    const value = syntax.kind(field) === "field_initializer" ? syntax.part(field, "value") : 0;
    const label = value ? syntax.part(field, "field") || syntax.part(field, "name") : 0;
    if (value) fill(u, at, label, expression(u, value));
    else if (syntax.kind(field) === "base_field_initializer") {
      const [base = 0] = syntax.children(field);
      if (base && isDefault(u, expression(u, base))) implied(u, field, ["Default", "default"], at);
    } else for (const child of syntax.children(field)) if (syntax.kind(child) !== "attribute_item") fill(u, at, child, expression(u, child));
  }
  u.use(at, name || node);
  return at;
}

/** A field of a struct's literal is given something. */
function fill(u: Unit, literal: Offset, name: number, value: Offset): void {
  if (!value || !name) return;
  const field = u.emit(Op.Field, literal, u.str(nameOf(u.syntax.text(name))));
  u.store(field, value);
  expectedAs(u, name, () => field, value);
}

function closure(u: Unit, node: number): Offset {
  const { syntax } = u;
  const list = syntax.part(node, "parameters");
  const given = list ? syntax.children(list) : [];
  const result = typeOf(u, syntax.part(node, "return_type"));
  const at = u.emit(Op.Closure, 0, 0, 0, result, given.length, ...given.map(() => 0));
  u.scoped(() => {
    for (const [i, child] of given.entries()) {
      const typed = syntax.kind(child) === "parameter";
      const type = typed ? typeOf(u, syntax.part(child, "type")) : 0;
      const record = type ? u.emit(Op.Variable, type, 0, 0) : u.emit(Op.Argument, at, i);
      u.code[at + 6 + i] = record;
      pattern(u, typed ? syntax.part(child, "pattern") : child, record);
    }
    const body = syntax.part(node, "body");
    const statement = body ? onlyStatement(u, body) : 0;
    u.returningFrom(-1, () => {
      if (statement) u.forward(at, expression(u, statement));
      else if (body) u.code[at + 3] = expression(u, body);
    }, result);
    if (body && isOne(u, body)) u.forward(at, u.code[at + 3]!);
  });
  u.within(at);
  return at;
}

/** Whether code is no more than an expression. */
function isOne(u: Unit, body: number): boolean {
  return u.syntax.kind(body) !== "block" || u.syntax.children(body).length === 1;
}

/** The expression of a block that is no more than a statement; 0 for other code. */
function onlyStatement({ syntax }: Unit, body: number): number {
  const [statement, ...others] = syntax.kind(body) === "block" ? syntax.children(body) : [];
  return statement !== undefined && others.length === 0 && syntax.kind(statement) === "expression_statement" && syntax.text(statement).endsWith(";") ? (syntax.children(statement)[0] ?? 0) : 0;
}

// Macros

function macro(u: Unit, node: number): Offset {
  const { syntax } = u;
  const name = syntax.part(node, "macro");
  const tokens = syntax.child(node, "token_tree");
  if (!name || !tokens) return 0;
  // Variables that are declared by a name which the call hands over are known behind it.
  const expanded = u.expanded(node, (body) => statements(u, body));
  if (expanded !== undefined) return expanded;
  const read = u.inMacros.of(tokens, syntax);
  const simple = invoked(u, name);
  if (!read) return result(u, node, simple, []);
  u.syntax = read.syntax;
  const args = argumentsOf(u, simple, read.expression);
  u.syntax = syntax;
  return result(u, node, simple, args);
}

/** A macro inside of another's arguments, which reads as a call. */
function macroCall(u: Unit, name: number, list: number): Offset {
  const simple = invoked(u, name);
  return result(u, name, simple, list ? argumentsOf(u, simple, list) : []);
}

/** Records that a macro is invoked; returns its simple name. */
export function invoked(u: Unit, name: number): string {
  const { syntax } = u;
  const text = syntax.text(name);
  const simple = text.slice(text.lastIndexOf(":") + 1).trim();
  u.use(u.emit(Op.Macro, pathOf(u, name, [])), name);
  return simple;
}

function argumentsOf(u: Unit, name: string, node: number): Offset[] {
  const { syntax, sure } = u;
  if (QUOTING.test(name)) return [];
  if (!PLAIN.has(name)) u.sure = Math.min(sure, Macros.torn(syntax, node) ? TORN : LIKELY);
  let records: Offset[];
  if (MATCHING.has(name)) {
    const [first = 0, second = 0] = syntax.children(node);
    records = first ? [expression(u, first)] : [];
    matched(u, second);
  } else if (/^(?:tuple_expression|parenthesized_expression|array_expression|arguments)$/.test(syntax.kind(node))) {
    const children = syntax.children(node);
    records = children.map((child) => expression(u, child));
    const text = children.findIndex((child) => /^(?:raw_)?string_literal$/.test(syntax.kind(child)));
    if (text >= 0) {
      const named = new Map(children.flatMap((child, i): [string, Offset][] => (syntax.kind(child) === "assignment_expression" ? [[syntax.text(syntax.part(child, "left")), records[i]!]] : [])));
      shown(u, node, syntax.text(children[text]!), records.slice(text + 1), named);
      // `write!(w, "…")` is `w.write_fmt(…)`.
      if (text === 1 && records[0] && /^writeln?$/.test(name)) u.use(u.emit(Op.Method, records[0], u.str("write_fmt"), 0, 0), node);
    }
  } else {
    records = [expression(u, node)];
  }
  u.sure = sure;
  return records;
}

/** The second argument of `matches!`, a pattern that was read as an expression: what it names, `Some(Event::Data(_))`. */
function matched(u: Unit, node: number): void {
  const { syntax } = u;
  const kind = node ? syntax.kind(node) : "";
  const head = kind === "call_expression" ? syntax.part(node, "function") : kind === "struct_expression" ? syntax.part(node, "name") : /^(?:scoped_)?identifier$/.test(kind) ? node : 0;
  if (head && /^(?:\w+::)*\p{Lu}/u.test(syntax.text(head))) u.use(u.emit(Op.Matched, pathOf(u, head, [])), head);
  if (head !== node) for (const child of node ? syntax.children(node) : []) if (child !== head) matched(u, child);
}

function result(u: Unit, node: number, name: string, args: readonly Offset[]): Offset {
  if (/^(?:debug_)?assert_(?:eq|ne)$/.test(name)) implied(u, node, ["PartialEq", "eq"], args[0] ?? 0, args[1]);
  if (name === "vec") return u.emit(Op.Array, 1, args.length, ...args);
  if (name === "dbg" || name === "pin") return args[0] ?? 0;
  if (name === "ready") return u.emit(Op.Part, args[0] ?? 0, u.path(0, "Ready"), u.str("0"));
  if (name === "try") return tried(u, node, args[0] ?? 0);
  const type = RESULTS.get(name);
  return type === undefined ? 0 : u.value(type);
}
