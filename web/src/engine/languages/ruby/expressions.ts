import { type Offset, Op, type ParameterFact } from "./facts.ts";
import { declareConstant, declareMethod, openClass, openSingleton, otherName, singletonMethod } from "./declarations.ts";
import { macro } from "./macros.ts";
import type { Unit } from "./unit.ts";

/** What Ruby's literals are objects of. */
const LITERALS: Readonly<Record<string, string>> = {
  string: "String", chained_string: "String", heredoc_beginning: "String", subshell: "String", character: "String", bare_string: "String",
  simple_symbol: "Symbol", delimited_symbol: "Symbol", bare_symbol: "Symbol", hash_key_symbol: "Symbol",
  integer: "Integer", float: "Float", complex: "Complex", rational: "Rational", regex: "Regexp", range: "Range",
  true: "TrueClass", false: "FalseClass", nil: "NilClass", encoding: "Encoding", file: "String", line: "Integer",
};
/** Ruby's own blocks in which `self` is another than around them. */
const OWN_SELF = new Set(["instance_eval", "instance_exec", "class_eval", "class_exec", "module_eval", "module_exec", "included", "class_methods", "prepended"]);

const MAX_ARGUMENTS = 50;

/** What the last of several statements gives. */
export function statements(u: Unit, parent: number): Offset {
  let last = 0;
  const { syntax } = u;
  let rescued: Offset[] | undefined;
  for (const node of syntax.children(parent)) {
    const kind = syntax.kind(node);
    if (kind === "rescue") (rescued ??= [last]).push(rescue(u, node));
    else if (kind === "else" && rescued) rescued.push(u.branch(() => statements(u, node)));
    else if (kind === "ensure") statements(u, node);
    else if (kind !== "heredoc_body") last = expression(u, node);
    else children(u, node);
  }
  return rescued ? u.either(rescued) : last;
}

function rescue(u: Unit, node: number): Offset {
  const { syntax } = u;
  const classes = expressions(u, syntax.part(node, "exceptions"));
  const variable = syntax.part(node, "variable");
  const [name] = variable ? syntax.children(variable) : [];
  const body = syntax.part(node, "body");
  return u.branch(() => {
    if (name !== undefined) assign(u, name, u.either(classes.map((one) => u.emit(Op.Instance, one))));
    return body ? statements(u, body) : 0;
  });
}

function expressions(u: Unit, parent: number): Offset[] {
  return parent ? u.syntax.children(parent).map((child) => expression(u, child)) : [];
}

function children(u: Unit, node: number): void {
  for (const child of u.syntax.children(node)) expression(u, child);
}

/** The value of the first child that is one. */
function inner(u: Unit, node: number): Offset {
  const [first] = u.syntax.children(node);
  return first === undefined ? 0 : expression(u, first);
}

export function expression(u: Unit, node: number): Offset {
  const { syntax } = u;
  const kind = syntax.kind(node);
  switch (kind) {
    case "identifier": {
      const name = syntax.text(node);
      const local = u.lookup(name);
      if (local !== undefined) return local;
      return call(u, node);
    }
    case "constant":
    case "scope_resolution": {
      const at = constant(u, node);
      u.use(at, node);
      return at;
    }
    case "self":
      return u.self();
    case "super":
      return superCall(u, node);
    case "instance_variable":
    case "class_variable":
    case "global_variable":
      return u.lookup(syntax.text(node)) ?? u.emit(Op.Field, u.str(syntax.text(node)), u.context);
    case "call":
      return syntax.kind(syntax.part(node, "method")) === "super" && syntax.part(node, "method") ? superCall(u, node) : call(u, node);
    case "element_reference":
      return index(u, node, "[]", []);
    case "assignment":
      return assignment(u, node);
    case "operator_assignment":
      return operatorAssignment(u, node);
    case "binary":
      return binary(u, node);
    case "unary": {
      const operator = operatorOf(u, node);
      const operand = syntax.part(node, "operand");
      // Asking whether something is defined runs nothing.
      if (operator === "defined?" || !operand) return 0;
      const value = expression(u, operand);
      return operator === "-" || operator === "+" || operator === "~" ? u.call(value, operator === "~" ? "~" : `${operator}@`, [], 0, node) : u.core("TrueClass");
    }
    case "if":
    case "unless":
    case "elsif":
    case "conditional":
      return conditional(u, node);
    case "if_modifier":
    case "unless_modifier":
      return modifier(u, node);
    case "while":
    case "until":
    case "while_modifier":
    case "until_modifier": {
      const condition = syntax.part(node, "condition");
      const body = syntax.part(node, "body");
      if (condition) expression(u, condition);
      if (body) u.branch(() => (kind.endsWith("modifier") ? expression(u, body) : statements(u, body)), condition ? narrowings(u, condition, kind.startsWith("until")) : []);
      return 0;
    }
    case "for": {
      const over = inner(u, syntax.part(node, "value"));
      const body = syntax.part(node, "body");
      u.branch(() => {
        assign(u, syntax.part(node, "pattern"), u.emit(Op.Element, over));
        if (body) statements(u, body);
      });
      return over;
    }
    case "case":
      return caseOf(u, node);
    case "case_match":
      return caseMatch(u, node);
    case "match_pattern":
    case "test_pattern": {
      const value = syntax.part(node, "value");
      const at = value ? expression(u, value) : 0;
      pattern(u, syntax.part(node, "pattern"), at);
      return 0;
    }
    case "begin":
    case "parenthesized_statements":
    case "then":
    case "else":
    case "do":
    case "body_statement":
    case "block_body":
    case "begin_block":
    case "end_block":
    case "ensure":
    case "ERROR":
      return statements(u, node);
    case "rescue_modifier": {
      const body = expression(u, syntax.part(node, "body") || node + 1);
      const handler = syntax.part(node, "handler");
      return u.either([body, handler ? u.branch(() => expression(u, handler)) : 0]);
    }
    case "return": {
      const [list] = syntax.children(node);
      const values = list === undefined ? [] : expressions(u, list);
      const value = values.length > 1 ? u.several(Op.List, values) : (values[0] ?? 0);
      u.returns.push(value);
      return 0;
    }
    case "yield": {
      const [list] = syntax.children(node);
      const method = u.methods[u.contexts[u.context]!.method];
      const values = list === undefined ? [] : expressions(u, list);
      method?.yields.push(values);
      return 0;
    }
    case "break":
    case "next":
    case "redo":
    case "retry": {
      const [list] = syntax.children(node);
      if (list !== undefined) children(u, list);
      return 0;
    }
    case "array": {
      const values = expressions(u, node);
      return u.several(Op.List, values);
    }
    case "string_array":
    case "symbol_array":
      children(u, node);
      return u.emit(Op.List, 1, u.core(kind === "string_array" ? "String" : "Symbol"));
    case "hash": {
      const values = syntax.children(node).map((pair) => expression(u, pair)).filter((value) => u.code[value] !== Op.Splat);
      return u.several(Op.Table, values);
    }
    case "pair": {
      const key = syntax.part(node, "key");
      const value = syntax.part(node, "value");
      if (key && syntax.kind(key) !== "hash_key_symbol") expression(u, key);
      if (value) return expression(u, value);
      // `f(name:)` is short for `f(name: name)`.
      return key ? (u.lookup(syntax.text(key)) ?? 0) : 0;
    }
    case "interpolation":
      return statements(u, node);
    case "splat_argument":
    case "hash_splat_argument":
      return u.emit(Op.Splat, inner(u, node));
    case "argument_list":
    case "right_assignment_list": {
      const values = expressions(u, node);
      return u.several(Op.List, values);
    }
    case "lambda": {
      const body = syntax.part(node, "body");
      return u.emit(Op.Closure, body ? block(u, body, syntax.part(node, "parameters")) : 0);
    }
    case "block":
    case "do_block":
      return block(u, node, syntax.part(node, "parameters"));
    case "class":
    case "module":
      return openClass(u, node);
    case "singleton_class":
      openSingleton(u, node);
      return 0;
    case "method":
      declareMethod(u, node, syntax.part(node, "name"), false);
      return u.core("Symbol");
    case "singleton_method":
      singletonMethod(u, node);
      return u.core("Symbol");
    case "alias": {
      const [name, of] = syntax.children(node);
      if (name !== undefined && of !== undefined) otherName(u, node, name, syntax.text(name), syntax.text(of));
      return 0;
    }
    case "undef":
    case "comment":
    case "uninterpreted":
      return 0;
    default: {
      const literal = LITERALS[kind];
      // Strings and patterns run what is interpolated in them.
      children(u, node);
      return literal ? u.core(literal) : 0;
    }
  }
}

/** Records a constant as it is named. */
export function constant(u: Unit, node: number): Offset {
  const { syntax } = u;
  if (syntax.kind(node) === "constant") return u.emit(Op.Constant, u.str(syntax.text(node)), u.scope);
  const scope = syntax.part(node, "scope");
  const name = syntax.text(syntax.part(node, "name"));
  if (!scope) return u.emit(Op.Top, u.str(name));
  const kind = syntax.kind(scope);
  return u.emit(Op.Scoped, kind === "constant" || kind === "scope_resolution" ? constant(u, scope) : expression(u, scope), u.str(name));
}

// Calls

function call(u: Unit, node: number): Offset {
  const { syntax } = u;
  const plain = syntax.kind(node) === "identifier";
  const receiverNode = plain ? 0 : syntax.part(node, "receiver");
  const method = plain ? node : syntax.part(node, "method");
  // `receiver.()` is short for `receiver.call()`.
  const name = method ? syntax.text(method) : "call";
  const handled = macro(u, node, name, receiverNode);
  if (handled !== undefined) return handled;
  const receiver = receiverNode ? expression(u, receiverNode) : 0;
  const args = plain ? [] : argumentsOf(u, syntax.part(node, "arguments"));
  const list = plain ? 0 : syntax.part(node, "arguments");
  const given = plain ? 0 : syntax.part(node, "block");
  const passed = list ? syntax.child(list, "block_argument") : 0;
  const blockAt = given ? block(u, given, syntax.part(given, "parameters"), OWN_SELF.has(name) || (!receiverNode && u.inBody)) : passed ? blockArgument(u, passed) : 0;
  if (passed && u.code[blockAt] === Op.Reference) u.use(blockAt, passed);
  // `block.call(x)` gives to the block what `yield x` does.
  if (u.code[receiver] === Op.Parameter && (name === "call" || name === "yield")) {
    const { parameters, yields } = u.methods[u.code[receiver + 1]!]!;
    if (parameters[u.code[receiver + 2]!]?.kind === "block") yields.push(args);
  }
  const at = u.call(receiver, name, args, blockAt, method || node);
  rememberElement(u, receiverNode, name, args);
  return at;
}

export function argumentsOf(u: Unit, list: number): Offset[] {
  const { syntax } = u;
  if (!list) return [];
  return syntax.children(list).flatMap((child) => {
    if (syntax.kind(child) === "block_argument") return [];
    const value = expression(u, child);
    if (syntax.kind(child) !== "pair") return [value];
    const key = syntax.part(child, "key");
    return key && syntax.kind(key) === "hash_key_symbol" ? [u.emit(Op.Keyword, u.str(syntax.text(key)), value)] : [u.emit(Op.Splat, 0)];
  });
}

function blockArgument(u: Unit, node: number): Offset {
  const { syntax } = u;
  const [value] = syntax.children(node);
  if (value === undefined) return 0;
  if (syntax.kind(value) === "simple_symbol") {
    const at = u.emit(Op.Each, 0, u.str(syntax.text(value).slice(1)));
    u.use(at, value);
    return at;
  }
  const at = expression(u, value);
  return u.code[at] === Op.Reference ? at : u.emit(Op.Pass, at);
}

/** Reads a block; `loose` when the call may run it with another `self`. */
export function block(u: Unit, node: number, parameters: number, loose = false): Offset {
  const { syntax } = u;
  const list = parameters ? syntax.children(parameters).filter((one) => syntax.kind(one) !== "comment") : [];
  const at = u.emit(Op.Block, 0, 0, list.length);
  const before = u.context;
  if (loose) u.context = u.addContext({ loose: true });
  const own: [string, Offset][] = [];
  for (const [position, parameter] of list.entries()) blockParameter(u, parameter, u.emit(Op.Given, at, position), own);
  if (list.length === 0) own.push(["it", u.emit(Op.Given, at, 0)], ["_1", u.emit(Op.Given, at, 0)], ["_2", u.emit(Op.Given, at, 1)]);
  const body = syntax.part(node, "body");
  const value = u.branch(() => (body ? statements(u, body) : 0), own, true);
  u.context = before;
  u.code[at + 2] = value;
  return at;
}

function blockParameter(u: Unit, node: number, value: Offset, own: [string, Offset][]): void {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "identifier":
      own.push([syntax.text(node), value]);
      return;
    case "destructured_parameter":
      for (const part of syntax.children(node)) blockParameter(u, part, u.emit(Op.Element, value), own);
      return;
    case "splat_parameter":
      own.push([syntax.text(syntax.part(node, "name")), u.emit(Op.List, 1, value)]);
      return;
    default: {
      const name = syntax.part(node, "name");
      const initial = syntax.part(node, "value");
      if (initial) expression(u, initial);
      if (name) own.push([syntax.text(name), 0]);
    }
  }
}

function superCall(u: Unit, node: number): Offset {
  const { syntax } = u;
  const list = syntax.kind(node) === "super" ? 0 : syntax.part(node, "arguments");
  const args = argumentsOf(u, list).slice(0, MAX_ARGUMENTS);
  const given = syntax.kind(node) === "super" ? 0 : syntax.part(node, "block");
  const blockAt = given ? block(u, given, syntax.part(given, "parameters")) : 0;
  const at = u.emit(Op.Super, u.context, blockAt, list ? args.length : -1, ...args);
  if (blockAt) u.code[blockAt + 1] = at;
  u.use(at, node);
  return at;
}

/** The sign of an operation: what stands before its last operand. */
function operatorOf(u: Unit, node: number): string {
  const { syntax } = u;
  const operands = syntax.children(node);
  const last = operands.at(-1);
  if (last === undefined) return "";
  const from = operands.length > 1 ? syntax.end(operands.at(-2)!) : syntax.start(node);
  return syntax.source.slice(from, syntax.start(last)).replace(/#[^\n]*\n|\\\n/g, "").trim();
}

function binary(u: Unit, node: number): Offset {
  const { syntax } = u;
  const left = syntax.part(node, "left");
  const right = syntax.part(node, "right");
  const operator = operatorOf(u, node);
  const first = left ? expression(u, left) : 0;
  if (operator === "&&" || operator === "and") return u.branch(() => (right ? expression(u, right) : 0), left ? narrowings(u, left, false) : []);
  if (operator === "||" || operator === "or") return u.either([first, u.branch(() => (right ? expression(u, right) : 0))]);
  const second = right ? expression(u, right) : 0;
  const at = u.call(first, operator === "!=" ? "==" : operator === "!~" ? "=~" : operator, [second], 0, node);
  if (operator === "<<") rememberElement(u, left, operator, [second]);
  return at;
}

function index(u: Unit, node: number, name: string, more: readonly Offset[]): Offset {
  const { syntax } = u;
  const object = syntax.part(node, "object");
  const receiver = object ? expression(u, object) : 0;
  const args = syntax.children(node).filter((child) => child !== object).map((child) => expression(u, child));
  return u.call(receiver, name, [...args, ...more], 0, node);
}

/** `@list << value` says what the list holds. */
function rememberElement(u: Unit, receiver: number, name: string, args: readonly Offset[]): void {
  if (!receiver || args.length === 0 || !["<<", "push", "append", "unshift", "add", "[]="].includes(name)) return;
  if (u.syntax.kind(receiver) === "instance_variable") {
    u.fields.push({ name: u.syntax.text(receiver), context: u.context, value: args.at(-1)!, element: true });
  }
}

// Assignments

function assignment(u: Unit, node: number): Offset {
  const { syntax } = u;
  const left = syntax.part(node, "left");
  const right = syntax.part(node, "right");
  if (left && right && /^(?:constant|scope_resolution)$/.test(syntax.kind(left))) return declareConstant(u, node, left, right);
  const value = right ? expression(u, right) : 0;
  if (left) assign(u, left, value);
  return value;
}

function operatorAssignment(u: Unit, node: number): Offset {
  const { syntax } = u;
  const left = syntax.part(node, "left");
  const right = syntax.part(node, "right");
  if (!left || !right) return 0;
  const operator = operatorOf(u, node);
  if (operator === "||=" && syntax.kind(left) === "constant") return declareConstant(u, node, left, right);
  // A name that is only now assigned is a local, not a call.
  const before = syntax.kind(left) === "identifier" ? (u.lookup(syntax.text(left)) ?? 0) : expression(u, left);
  if (operator === "||=" || operator === "&&=") {
    const value = u.branch(() => expression(u, right));
    assign(u, left, operator === "||=" && u.code[before] !== Op.Field ? u.either([before, value]) : value);
    return u.either([before, value]);
  }
  const value = u.call(before, operator.slice(0, -1), [expression(u, right)], 0, node);
  assign(u, left, value);
  return value;
}

/** Gives a value to a variable, an attribute, an element or several of them. */
export function assign(u: Unit, node: number, value: Offset): void {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "identifier":
      u.bind(syntax.text(node), value);
      return;
    case "instance_variable":
    case "class_variable":
    case "global_variable":
      u.fields.push({ name: syntax.text(node), context: u.context, value, element: false });
      return;
    case "call": {
      const receiver = syntax.part(node, "receiver");
      const method = syntax.part(node, "method");
      if (receiver && method) u.call(expression(u, receiver), `${syntax.text(method)}=`, [value], 0, method);
      return;
    }
    case "element_reference":
      index(u, node, "[]=", [value]);
      rememberElement(u, syntax.part(node, "object"), "[]=", [value]);
      return;
    case "left_assignment_list":
    case "destructured_left_assignment": {
      const list = u.code[value] === Op.List ? u.code.slice(value + 2, value + 2 + u.code[value + 1]!) : undefined;
      for (const [i, target] of syntax.children(node).entries()) {
        if (syntax.kind(target) === "rest_assignment") assign(u, syntax.children(target)[0] ?? target, value);
        else assign(u, target, list ? (list[i] ?? 0) : value && u.emit(Op.Element, value));
      }
      return;
    }
    default:
  }
}

// Branches

function conditional(u: Unit, node: number): Offset {
  const { syntax } = u;
  const condition = syntax.part(node, "condition");
  const not = syntax.kind(node) === "unless";
  if (condition) expression(u, condition);
  const then = syntax.part(node, "consequence");
  const other = syntax.part(node, "alternative");
  const value = then ? u.branch(() => expression(u, then), condition ? narrowings(u, condition, not) : []) : 0;
  const otherwise = other ? u.branch(() => expression(u, other), condition ? narrowings(u, condition, !not) : []) : 0;
  if (condition && then && !other && leaves(u, then)) for (const [name, at] of narrowings(u, condition, !not)) u.bind(name, at);
  return u.either([value, otherwise]);
}

function modifier(u: Unit, node: number): Offset {
  const { syntax } = u;
  const condition = syntax.part(node, "condition");
  const body = syntax.part(node, "body");
  const not = syntax.kind(node) === "unless_modifier";
  if (condition) expression(u, condition);
  const value = body ? u.branch(() => expression(u, body), condition ? narrowings(u, condition, not) : []) : 0;
  if (condition && body && leaves(u, body)) for (const [name, at] of narrowings(u, condition, !not)) u.bind(name, at);
  return value;
}

/** Whether code ends by leaving what is around it. */
function leaves(u: Unit, node: number): boolean {
  const { syntax } = u;
  const kind = syntax.kind(node);
  if (kind === "then") {
    const last = syntax.children(node).at(-1);
    return last !== undefined && leaves(u, last);
  }
  return kind === "return" || kind === "next" || kind === "break" || (kind === "call" && /^(?:raise|throw|fail)\b/.test(syntax.text(node)));
}

type Narrowed = [name: string, value: Offset];

/** What locals are where a condition holds, or where it does not. */
function narrowings(u: Unit, node: number, not: boolean): Narrowed[] {
  const { syntax } = u;
  const kind = syntax.kind(node);
  if (kind === "parenthesized_statements") {
    const [only, more] = syntax.children(node);
    return only !== undefined && more === undefined ? narrowings(u, only, not) : [];
  }
  const operator = kind === "binary" || kind === "unary" ? operatorOf(u, node) : "";
  if (kind === "unary" && (operator === "!" || operator === "not")) return narrowings(u, syntax.part(node, "operand"), !not);
  if (kind === "binary" && (operator === "&&" || operator === "and")) {
    return not ? [] : [...narrowings(u, syntax.part(node, "left"), false), ...narrowings(u, syntax.part(node, "right"), false)];
  }
  if (not) return [];
  if (kind === "binary" && operator === "===") return narrowed(u, syntax.part(node, "right"), [syntax.part(node, "left")]);
  if (kind !== "call" || !/^(?:is_a\?|kind_of\?|instance_of\?)$/.test(syntax.text(syntax.part(node, "method")))) return [];
  const list = syntax.part(node, "arguments");
  return list ? narrowed(u, syntax.part(node, "receiver"), syntax.children(list).slice(0, 1)) : [];
}

/** A variable that is an object of one of several classes. */
function narrowed(u: Unit, variable: number, classes: readonly number[]): Narrowed[] {
  const { syntax } = u;
  if (!variable || !/^(?:identifier|instance_variable)$/.test(syntax.kind(variable))) return [];
  const name = syntax.text(variable);
  if (syntax.kind(variable) === "identifier" && u.lookup(name) === undefined) return [];
  if (classes.length === 0 || !classes.every((one) => /^(?:constant|scope_resolution)$/.test(syntax.kind(one)))) return [];
  return [[name, u.either(classes.map((one) => u.emit(Op.Instance, constant(u, one))))]];
}

function caseOf(u: Unit, node: number): Offset {
  const { syntax } = u;
  const subject = syntax.part(node, "value");
  if (subject) expression(u, subject);
  const values: Offset[] = [];
  for (const child of syntax.children(node)) {
    if (syntax.kind(child) === "else") values.push(u.branch(() => statements(u, child)));
    if (syntax.kind(child) !== "when") continue;
    const patterns = syntax.children(child).filter((one) => syntax.kind(one) === "pattern").flatMap((one) => syntax.children(one));
    for (const one of patterns) expression(u, one);
    const body = syntax.part(child, "body");
    if (body) values.push(u.branch(() => statements(u, body), subject ? narrowed(u, subject, patterns) : []));
  }
  return u.either(values);
}

function caseMatch(u: Unit, node: number): Offset {
  const { syntax } = u;
  const subject = syntax.part(node, "value");
  const value = subject ? expression(u, subject) : 0;
  const values: Offset[] = [];
  for (const child of syntax.children(node)) {
    if (syntax.kind(child) === "else") values.push(u.branch(() => statements(u, child)));
    if (syntax.kind(child) !== "in_clause") continue;
    const body = syntax.part(child, "body");
    const given = syntax.part(child, "pattern");
    values.push(u.branch(() => {
      if (given) pattern(u, given, value);
      const guard = syntax.part(child, "guard");
      if (guard) children(u, guard);
      return body ? statements(u, body) : 0;
    }, subject && given ? narrowed(u, subject, [given]) : []));
  }
  return u.either(values);
}

/** Binds the names of a pattern. */
function pattern(u: Unit, node: number, value: Offset): void {
  if (!node) return;
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "identifier":
      u.bind(syntax.text(node), value);
      return;
    case "as_pattern": {
      const type = syntax.part(node, "value");
      const name = syntax.part(node, "name");
      const known = type && /^(?:constant|scope_resolution)$/.test(syntax.kind(type)) ? u.emit(Op.Instance, constant(u, type)) : value;
      if (type) pattern(u, type, value);
      if (name) u.bind(syntax.text(name), known);
      return;
    }
    case "keyword_pattern": {
      const inside = syntax.part(node, "value");
      const key = syntax.part(node, "key");
      if (inside) pattern(u, inside, 0);
      else if (key) u.bind(syntax.text(key), 0);
      return;
    }
    case "splat_parameter":
    case "hash_splat_parameter": {
      const name = syntax.part(node, "name");
      if (name) u.bind(syntax.text(name), 0);
      return;
    }
    case "constant":
    case "scope_resolution":
      u.use(constant(u, node), node);
      return;
    case "array_pattern":
    case "find_pattern":
    case "hash_pattern":
    case "alternative_pattern":
    case "parenthesized_pattern":
      for (const child of syntax.children(node)) pattern(u, child, syntax.kind(node) === "array_pattern" ? value && u.emit(Op.Element, value) : 0);
      return;
    default:
      children(u, node);
  }
}

// Parameters

/** Reads a method's parameters and binds them. */
export function parametersOf(u: Unit, list: number, method: number, documented: ReadonlyMap<string, Offset>): ParameterFact[] {
  const { syntax } = u;
  const found: ParameterFact[] = [];
  for (const node of list ? syntax.children(list) : []) {
    const position = found.length;
    const parameter = (name: string, kind: ParameterFact["kind"], value: Offset): void => {
      const said = documented.get(name) ?? 0;
      found.push({ name, kind, value: said || value });
      u.bind(name, u.emit(Op.Parameter, method, position));
    };
    const name = syntax.kind(node) === "identifier" ? syntax.text(node) : syntax.text(syntax.part(node, "name") || node);
    const value = syntax.part(node, "value");
    switch (syntax.kind(node)) {
      case "identifier":
        parameter(name, "required", 0);
        break;
      case "optional_parameter":
        parameter(name, "optional", value ? expression(u, value) : 0);
        break;
      case "keyword_parameter":
        parameter(name, "key", value ? expression(u, value) : 0);
        break;
      case "splat_parameter":
        parameter(syntax.part(node, "name") ? name : "*", "rest", 0);
        break;
      case "hash_splat_parameter":
        parameter(syntax.part(node, "name") ? name : "**", "keys", 0);
        break;
      case "block_parameter":
        parameter(syntax.part(node, "name") ? name : "&", "block", 0);
        break;
      case "destructured_parameter":
        found.push({ name: "", kind: "required", value: 0 });
        for (const part of syntax.children(node)) if (syntax.kind(part) === "identifier") u.bind(syntax.text(part), 0);
        break;
      case "forward_parameter":
        found.push({ name: "...", kind: "rest", value: 0 });
        break;
      default:
    }
  }
  return found;
}
