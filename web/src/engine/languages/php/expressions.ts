import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { array } from "./arrays.ts";
import { assign, assignment } from "./assignments.ts";
import { call, creation, functionCall } from "./calls.ts";
import { classNames } from "./class-names.ts";
import { narrowings, tested } from "./conditions.ts";
import { indexGlobals, readGlobal, variableOf } from "./globals.ts";
import { Use } from "./functions.ts";
import { asText, looped, touched } from "./implicit.ts";
import { constant } from "./members.ts";
import { parameters } from "./signatures.ts";
import { visit, visitAll } from "./statements.ts";
import { concatenated, keyIn, quoted } from "./texts.ts";
import { CLASS_STRING, classNamed, nameOf } from "./types.ts";

/** Notes what may name a constant or a static property. */
export function mention(u: Unit, at: Offset, node: number): Offset {
  u.use(at, node);
  return at;
}

/** Records an expression, and the calls inside it; 0 for what has no type of its own. */
export function expression(u: Unit, node: number): Offset {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "variable_name":
      readGlobal(u, node);
      return syntax.text(node) === "$this" ? u.emit(Op.Self, u.within) : variableOf(u, syntax.text(node));
    case "name":
    case "qualified_name":
    case "relative_name": {
      const written = nameOf(u, node);
      const cut = written.lastIndexOf(".") + 1;
      mention(u, u.emit(Op.Name, u.str(written.slice(0, cut) + constant(written.slice(cut))), u.within), node);
      return 0;
    }
    case "member_access_expression":
    case "nullsafe_member_access_expression": {
      const at = property(u, node);
      touched(u, at, Use.Read, node);
      return at;
    }
    case "scoped_property_access_expression": {
      const name = syntax.part(node, "name");
      return name ? mention(u, u.select(scope(u, syntax.part(node, "scope")), syntax.text(name).replace(/^\$/, "")), name) : 0;
    }
    case "class_constant_access_expression": {
      const [of, name] = syntax.children(node);
      if (of === undefined || name === undefined) return 0;
      const operand = scope(u, of);
      if (/^class$/i.test(syntax.text(name))) {
        if (u.code[operand] !== Op.Static) return u.value(".string");
        u.useType(u.code[operand + 1]!, of);
        return u.emit(Op.Value, u.named(CLASS_STRING, [u.code[operand + 1]!]));
      }
      return mention(u, u.select(operand, constant(syntax.text(name))), name);
    }
    case "member_call_expression":
    case "nullsafe_member_call_expression": {
      const of = syntax.part(node, "object");
      return call(u, node, of ? expression(u, of) : 0);
    }
    case "scoped_call_expression":
      return call(u, node, scope(u, syntax.part(node, "scope")));
    case "function_call_expression":
      return functionCall(u, node);
    case "object_creation_expression":
      return creation(u, node);
    case "assignment_expression":
    case "reference_assignment_expression":
      return assignment(u, node);
    case "augmented_assignment_expression": {
      const left = syntax.part(node, "left");
      const right = syntax.part(node, "right");
      const target = left ? expression(u, left) : 0;
      const value = right ? expression(u, right) : 0;
      // `$x ??= new Foo()`
      const either = left && right && syntax.source.slice(syntax.end(left), syntax.start(right)).trim() === "??=" ? u.emit(Op.Either, 2, target, value) : 0;
      if (either && left) assign(u, left, either);
      return either || target;
    }
    case "subscript_expression":
      return subscript(u, node, "offsetGet");
    case "clone_expression": {
      const [inner] = syntax.children(node);
      const cloned = inner === undefined ? 0 : expression(u, inner);
      u.runs(cloned, "__clone", node);
      return cloned;
    }
    case "parenthesized_expression":
    case "error_suppression_expression":
    case "reference_modifier":
    case "by_ref": {
      const inner = syntax.children(node).at(-1);
      return inner === undefined ? 0 : expression(u, inner);
    }
    case "conditional_expression": {
      const condition = syntax.part(node, "condition");
      const body = syntax.part(node, "body");
      const alternative = syntax.part(node, "alternative");
      const tested = condition ? expression(u, condition) : 0;
      let first = tested;
      if (body) u.branch(() => (first = expression(u, body)), condition ? narrowings(u, condition) : []);
      let second = 0;
      if (alternative) u.branch(() => (second = expression(u, alternative)), condition ? narrowings(u, condition, true) : []);
      return u.emit(Op.Either, 2, first, second);
    }
    case "binary_expression":
      return binary(u, node);
    case "match_expression": {
      const condition = syntax.part(node, "condition");
      if (condition) expression(u, condition);
      const body = syntax.part(node, "body");
      const results = (body ? syntax.children(body) : []).map((arm) => {
        const conditions = syntax.part(arm, "conditional_expressions");
        if (conditions) visitAll(u, conditions);
        const result = syntax.part(arm, "return_expression");
        return result ? expression(u, result) : 0;
      });
      return u.emit(Op.Either, results.length, ...results);
    }
    case "anonymous_function":
    case "anonymous_function_creation_expression":
    case "arrow_function":
      return closure(u, node, []);
    case "array_creation_expression":
      return array(u, node);
    case "cast_expression": {
      const value = syntax.part(node, "value");
      if (!value) visitAll(u, node);
      else if (/^\(\s*string\s*\)/i.test(syntax.text(node))) asText(u, expression(u, value), node);
      else if (/^\(\s*array\s*\)/i.test(syntax.text(node))) return expression(u, value);
      else expression(u, value);
      return 0;
    }
    case "print_intrinsic": {
      for (const printed of syntax.children(node)) asText(u, expression(u, printed), node);
      return 0;
    }
    case "yield_expression": {
      const inner = syntax.children(node).at(-1);
      if (inner === undefined) return 0;
      const isFrom = syntax.child(node, "yield from") > 0;
      let value = 0;
      for (const part of isFrom ? [inner] : syntax.children(inner)) value = expression(u, part);
      if (isFrom) looped(u, value, inner);
      u.yielded(isFrom && value ? u.emit(Op.Element, value) : value);
      return 0;
    }
    case "include_expression":
    case "include_once_expression":
    case "require_expression":
    case "require_once_expression":
      include(u, node);
      return 0;
    case "string":
      return quoted(u, node);
    case "encapsed_string":
      for (const part of syntax.children(node)) if (/_expression$|^variable_name$/.test(syntax.kind(part))) asText(u, expression(u, part), part);
      return quoted(u, node);
    case "heredoc":
      for (const part of syntax.children(node).flatMap((child) => syntax.children(child))) {
        if (/_expression$|^variable_name$/.test(syntax.kind(part))) asText(u, expression(u, part), part);
      }
      return u.value(".string");
    case "nowdoc":
      return u.value(".string");
    case "integer":
      return u.value(".int");
    case "float":
      return u.value(".float");
    case "boolean":
      return u.value(".bool");
    case "null":
      return u.value(".null");
    default:
      visitAll(u, node);
      return 0;
  }
}

/** `$x->name`, which is read or given something. */
export function property(u: Unit, node: number): Offset {
  const { syntax } = u;
  const of = syntax.part(node, "object");
  const name = syntax.part(node, "name");
  const operand = of ? expression(u, of) : 0;
  if (name && syntax.kind(name) !== "name") expression(u, name);
  return name && syntax.kind(name) === "name" ? u.select(operand, syntax.text(name)) : 0;
}

/** `$x[…]`; `method`: what that runs of an object. */
export function subscript(u: Unit, node: number, method: string): Offset {
  const { syntax } = u;
  const [of, index] = syntax.children(node);
  const key = index === undefined ? undefined : keyIn(u, index);
  if (index !== undefined && key === undefined) expression(u, index);
  if (of !== undefined && index !== undefined) indexGlobals(u, of, index);
  const table = of === undefined ? 0 : expression(u, of);
  u.runs(table, method, node);
  return key === undefined ? table && u.emit(Op.Index, table, 0) : u.emit(Op.Entry, table, u.str(key));
}

/** What stands before `::`. */
export function scope(u: Unit, node: number): Offset {
  const { syntax } = u;
  if (node === 0) return 0;
  if (!/^(?:name|qualified_name|relative_name|relative_scope)$/.test(syntax.kind(node))) {
    const value = expression(u, node);
    const named = classNames(u, value);
    return named ? u.emit(Op.Static, named) : value;
  }
  const at = classNamed(u, nameOf(u, node));
  return u.code[at] === Op.Named ? u.emit(Op.Static, at) : at;
}

function binary(u: Unit, node: number): Offset {
  const { syntax } = u;
  const left = syntax.part(node, "left");
  const right = syntax.part(node, "right");
  if (syntax.child(node, "instanceof")) {
    if (left) expression(u, left);
    if (right) tested(u, right);
    return u.value(".bool");
  }
  const first = left ? expression(u, left) : 0;
  let second = 0;
  const decides = syntax.child(node, "&&", "and", "||", "or");
  if (decides && left && right) u.branch(() => (second = expression(u, right)), narrowings(u, left, !syntax.child(node, "&&", "and")));
  else if (right) second = expression(u, right);
  if (syntax.child(node, "??", "?:")) return u.emit(Op.Either, 2, first, second);
  // The elements of two arrays.
  if (syntax.child(node, "+") && first && second && u.code[second] !== Op.Value) return u.emit(Op.Either, 2, first, second);
  if (!syntax.child(node, ".")) return 0;
  if (left) asText(u, first, left);
  if (right) asText(u, second, right);
  return concatenated(u, first, second);
}

export function closure(u: Unit, node: number, held: readonly Offset[]): Offset {
  const { syntax } = u;
  const body = syntax.part(node, "body");
  const given = parameters(u, syntax.part(node, "parameters"), undefined).names;
  return u.lambda(given.map(({ name, type }, i) => ({ name, type, initialiser: type ? 0 : (held[i] ?? 0) })), () => {
    if (!body) return 0;
    if (syntax.kind(body) !== "compound_statement") return expression(u, body);
    const [only, ...others] = syntax.children(body);
    const [value] = only !== undefined && others.length === 0 && /^(?:expression|return)_statement$/.test(syntax.kind(only)) ? syntax.children(only) : [];
    if (value !== undefined) return expression(u, value);
    visit(u, body);
    return 0;
  });
}

/** `require __DIR__ . '/x.php'`: a path that can be read off. */
function include(u: Unit, node: number): void {
  const { syntax } = u;
  const text = syntax.text(node).replace(/^\w+\s*\(?\s*/, "").replace(/\s*\)?$/, "");
  const path = /^(?:(__DIR__|dirname\s*\(\s*(__DIR__|__FILE__)\s*\))\s*\.\s*)?(['"])([^'"$]+)\3$/.exec(text);
  if (path) {
    const folder = path[2] === "__DIR__" ? "../" : "";
    u.includes.push({ path: folder + path[4]!.replace(/^\//, ""), line: syntax.line(node) });
  }
  visitAll(u, node);
}
