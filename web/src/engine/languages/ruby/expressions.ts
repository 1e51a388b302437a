import { caseMatch, caseOf, conditional, modifier, narrowings, pattern } from "./branches.ts";
import { binary, block, call, index, operatorOf, rememberElement, superCall } from "./calls.ts";
import { declareConstant, declareMethod, openClass, openSingleton, otherName, singletonMethod } from "./declarations.ts";
import { type Offset, Op } from "./facts.ts";
import { OPEN, openName, patternIn } from "./names.ts";
import type { Unit } from "./unit.ts";

/** What Ruby's literals are objects of. */
const LITERALS: Readonly<Record<string, string>> = {
  string: "String", chained_string: "String", heredoc_beginning: "String", subshell: "String", character: "String", bare_string: "String",
  delimited_symbol: "Symbol", bare_symbol: "Symbol", hash_key_symbol: "Symbol",
  integer: "Integer", float: "Float", complex: "Complex", rational: "Rational", regex: "Regexp", range: "Range",
  true: "TrueClass", false: "FalseClass", nil: "NilClass", encoding: "Encoding", file: "String", line: "Integer",
};
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
    // Without a class it is a StandardError, of which something is known where the code base adds to that.
    const caught = classes.length > 0 ? classes : [u.emit(Op.Top, u.str("StandardError"))];
    if (name !== undefined) assign(u, name, u.either(caught.map((one) => u.emit(Op.Instance, one, 0))));
    return body ? statements(u, body) : 0;
  });
}

function expressions(u: Unit, parent: number): Offset[] {
  return parent ? u.syntax.children(parent).map((child) => expression(u, child)) : [];
}

export function children(u: Unit, node: number): void {
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
    case "global_variable":
      u.useGlobal(node);
      return field(u, node);
    case "instance_variable":
    case "class_variable":
      return field(u, node);
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
      return operator === "-" || operator === "+" || operator === "~" ? u.call(u.receiver(value), operator === "~" ? "~" : `${operator}@`, [], 0, node) : u.core("TrueClass");
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
      const { method } = u.contexts[u.context]!;
      const values = list === undefined ? [] : expressions(u, list);
      u.methods[method]?.yields.push(values);
      if (method >= 0) u.yielded.push(method, u.owner, syntax.line(node));
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
      const values = syntax.children(node).filter((one) => syntax.kind(one) !== "comment").map((one) => textIn(u, one) ?? expression(u, one));
      return u.several(Op.List, values);
    }
    case "simple_symbol":
      return symbol(u, syntax.text(node).slice(1));
    case "string_array":
      return u.several(Op.List, syntax.children(node).map((one) => (syntax.kind(one) === "bare_string" && !syntax.text(one).includes("#{") ? u.emit(Op.Text, u.str(syntax.text(one))) : expression(u, one))));
    case "symbol_array":
      return u.several(Op.List, syntax.children(node).map((one) => (syntax.kind(one) === "bare_symbol" && !syntax.text(one).includes("#{") ? u.emit(Op.Symbol, u.str(syntax.text(one))) : expression(u, one))));
    case "hash": {
      const values = syntax.children(node).map((pair) => expression(u, pair)).filter((value) => u.code[value] !== Op.Splat);
      return u.several(Op.Table, values);
    }
    case "pair": {
      const key = syntax.part(node, "key");
      const value = syntax.part(node, "value");
      const name = !key ? "" : syntax.kind(key) === "hash_key_symbol" ? syntax.text(key) : syntax.kind(key) === "simple_symbol" ? syntax.text(key).slice(1) : "";
      if (key && name === "") expression(u, key);
      // `f(name:)` is short for `f(name: name)`.
      const at = value ? expression(u, value) : (u.lookup(name) ?? 0);
      return name === "" ? at : u.emit(Op.Keyword, u.str(name), at);
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
      return u.emit(Op.Closure, body ? block(u, body, syntax.part(node, "parameters"), u.isHanded) : 0);
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
      const put = kind === "string" || kind === "delimited_symbol" ? patternIn(u, node) : undefined;
      if (put !== undefined) return u.emit(kind === "string" ? Op.Text : Op.Symbol, u.str(put));
      return literal ? u.core(literal) : 0;
    }
  }
}

function symbol(u: Unit, text: string): Offset {
  const name = text.includes(OPEN) ? openName(text) : text;
  return name === undefined ? u.core("Symbol") : u.emit(Op.Symbol, u.str(name));
}

/** A short text in a list. */
function textIn(u: Unit, node: number): Offset | undefined {
  const [, text] = u.syntax.kind(node) === "string" ? /^["']([^"'#\\]{1,40})["']$/.exec(u.syntax.text(node)) ?? [] : [];
  return text === undefined ? undefined : u.emit(Op.Text, u.str(text));
}

/** Records a variable that is no local, or what it is known to hold here. */
function field(u: Unit, node: number): Offset {
  const name = u.syntax.text(node);
  return u.lookup(name) ?? u.emit(Op.Field, u.str(name), u.holder);
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

function assignment(u: Unit, node: number): Offset {
  const { syntax } = u;
  const left = syntax.part(node, "left");
  const right = syntax.part(node, "right");
  if (left && right && /^(?:constant|scope_resolution)$/.test(syntax.kind(left))) return declareConstant(u, node, left, right);
  if (left && syntax.kind(left) === "global_variable") u.declareGlobal(left, node);
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
  const isDeclared = syntax.kind(left) === "global_variable" && u.declareGlobal(left, node) !== undefined;
  // A name that is only now assigned is a local, not a call.
  const before = syntax.kind(left) === "identifier" ? (u.lookup(syntax.text(left)) ?? 0) : isDeclared ? field(u, left) : expression(u, left);
  if (operator === "||=" || operator === "&&=") {
    const value = u.branch(() => expression(u, right));
    assign(u, left, operator === "||=" && u.code[before] !== Op.Field ? u.either([before, value]) : value);
    return u.either([before, value]);
  }
  const value = u.call(u.receiver(before), operator.slice(0, -1), [expression(u, right)], 0, node);
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
    case "global_variable": {
      const symbol = u.declareGlobal(node, node);
      if (symbol === undefined) u.useGlobal(node);
      u.fields.push({ name: syntax.text(node), context: u.holder, value, element: false, ...(symbol === undefined ? {} : { symbol }) });
      return;
    }
    case "instance_variable":
    case "class_variable":
      u.fields.push({ name: syntax.text(node), context: u.holder, value, element: false });
      return;
    case "call": {
      const receiver = syntax.part(node, "receiver");
      const method = syntax.part(node, "method");
      if (receiver && method) u.call(u.receiver(expression(u, receiver)), `${syntax.text(method)}=`, [value], 0, method);
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
