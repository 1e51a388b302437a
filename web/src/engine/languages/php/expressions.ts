import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { classNames } from "./class-names.ts";
import { putInto } from "./elements.ts";
import { FILLS } from "./functions.ts";
import { anonymous, assigned, constant, freeConstant, namespaceScope, parameters } from "./extract.ts";
import { hooked } from "./frameworks.ts";
import { indexGlobals, makeGlobal, readGlobal, writeGlobal } from "./globals.ts";
import { asText, givenTo, looped } from "./implicit.ts";
import { visit, visitAll } from "./statements.ts";
import { CALLING, CALLING_CLASS, concatenated, heldText, keyIn, named, quoted, textsOf } from "./texts.ts";
import { CLASS_STRING, classNamed, nameOf, typeOf } from "./types.ts";

/** Functions that give what their argument holds, and those that give an array of the same. */
const ELEMENT = new Set(["reset", "end", "current", "next", "prev", "array_pop", "array_shift", "max", "min"]);
const SAME = new Set(["array_filter", "array_values", "array_reverse", "array_diff_key", "array_intersect_key", "array_slice", "array_unique", "array_diff", "array_intersect", "array_splice", "iterator_to_array"]);
/** Functions that give what all of their arguments hold. */
const MERGED = /^array_(?:merge|replace)(?:_recursive)?$/;
/** The values of an array of no more have a type. */
const MAX_TYPED = 20;
/** Functions that take a function, with the position of the array that it goes over; array_reduce gives its element second. */
const OVER = new Map(Object.entries({ array_map: 1, array_filter: 0, array_walk: 0, usort: 0, uasort: 0, array_reduce: 0, array_find: 0, array_any: 0, array_all: 0 }));

/** Notes what may name a constant or a static property. */
function mention(u: Unit, at: Offset, node: number): Offset {
  u.use(at, node);
  return at;
}

/** Records an expression, and the calls inside it; 0 for what has no type of its own. */
export function expression(u: Unit, node: number): Offset {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "variable_name":
      readGlobal(u, node);
      return syntax.text(node) === "$this" ? u.emit(Op.Self, u.within) : u.lookup(syntax.text(node));
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
      const of = syntax.part(node, "object");
      const name = syntax.part(node, "name");
      const operand = of ? expression(u, of) : 0;
      if (name && syntax.kind(name) !== "name") expression(u, name);
      return name && syntax.kind(name) === "name" ? u.select(operand, syntax.text(name)) : 0;
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

/** `$x[…]`; `method`: what that runs of an object. */
export function subscript(u: Unit, node: number, method: string): Offset {
  const { syntax } = u;
  const [of, index] = syntax.children(node);
  const key = index === undefined ? undefined : keyIn(u, index);
  if (index !== undefined && key === undefined) expression(u, index);
  if (of !== undefined && index !== undefined) indexGlobals(u, of, index);
  const table = of === undefined ? 0 : expression(u, of);
  u.runs(table, method, node);
  return key === undefined ? table && u.emit(Op.Index, table) : u.emit(Op.Entry, table, u.str(key));
}

/** What stands before `::`. */
function scope(u: Unit, node: number): Offset {
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

export function argumentsOf(u: Unit, list: number): Offset[] {
  const { syntax } = u;
  return (list ? syntax.children(list) : []).filter((child) => syntax.kind(child) !== "comment").map((argument) => {
    const inner = syntax.children(argument).filter((child) => syntax.field(child) !== "name" && syntax.kind(child) !== "comment").at(-1);
    if (inner === undefined) return 0;
    if (syntax.kind(inner) === "variadic_unpacking") {
      const [all] = syntax.children(inner);
      return u.emit(Op.Spread, all === undefined ? 0 : expression(u, all));
    }
    return expression(u, inner);
  });
}

function call(u: Unit, node: number, operand: Offset): Offset {
  const { syntax } = u;
  const name = syntax.part(node, "name");
  const list = syntax.part(node, "arguments");
  if (!name || syntax.kind(name) !== "name") {
    const names = name ? textsOf(u, expression(u, name)) : [];
    const args = argumentsOf(u, list);
    // `$method = $isNew ? 'create' : 'update'; $this->$method()`
    const calls = names.map((text) => u.call(Op.Call, u.select(operand, text), args, name));
    return calls.length > 1 ? u.emit(Op.Either, calls.length, ...calls) : calls[0] ?? 0;
  }
  if (isCallable(u, list)) return mention(u, u.emit(Op.Reference, operand, u.str(syntax.text(name))), name);
  const text = syntax.text(name);
  const args = argumentsOf(u, list);
  const at = u.call(Op.Call, u.select(operand, text), args, name);
  nameArguments(u, list, at);
  if (FILLS.test(text)) for (const argument of args) u.store(operand, argument);
  if (text === "fromCallable" && list) for (const argument of syntax.children(list)) named(u, argument);
  return at;
}

/** `f(callback: $x)` */
function nameArguments(u: Unit, list: number, call: Offset): void {
  const { syntax } = u;
  for (const [i, argument] of (list ? syntax.children(list) : []).filter((child) => syntax.kind(child) !== "comment").entries()) {
    const name = syntax.part(argument, "name");
    if (name) u.nameArgument(call, i, syntax.text(name));
  }
}

/** `f(...)` is a closure of the function, and no call. */
function isCallable(u: Unit, list: number): boolean {
  return list > 0 && u.syntax.child(list, "variadic_placeholder") > 0;
}

function functionCall(u: Unit, node: number): Offset {
  const { syntax } = u;
  const callee = syntax.part(node, "function");
  const list = syntax.part(node, "arguments");
  if (!callee) {
    visitAll(u, node);
    return 0;
  }
  if (!/name$/.test(syntax.kind(callee)) || syntax.kind(callee) === "variable_name") {
    const value = expression(u, callee);
    if (isCallable(u, list)) return value;
    // `($this->handler)(…)` calls what the property holds, and never a method of its name.
    const called = u.code[value] === Op.Select ? u.emit(Op.Either, 1, value) : value;
    const at = u.call(Op.Call, called, argumentsOf(u, list), callee);
    nameArguments(u, list, at);
    heldText(u, value, callee);
    return at;
  }
  const written = nameOf(u, callee);
  if (isCallable(u, list)) return mention(u, u.emit(Op.Name, u.str(written), u.within), callee);
  const plain = written.replace(/^\./, "").toLowerCase();
  const over = OVER.get(plain);
  const args = over === undefined || !list ? argumentsOf(u, list) : overArguments(u, list, over, plain === "array_reduce");
  const at = u.call(Op.Call, u.emit(Op.Name, u.str(written), u.within), args, callee);
  nameArguments(u, list, at);
  givenTo(u, plain, args, node);
  hooked(u, plain, list, args, callee);
  if (/^array_(?:push|unshift)$/.test(plain)) {
    const [array] = list ? syntax.children(list) : [];
    for (const argument of args.slice(1)) {
      u.store(args[0]!, argument);
      putInto(u, (array === undefined ? undefined : syntax.children(array).at(-1)) ?? 0, argument);
    }
  }
  if (plain === "define" && list) defined(u, node, list);
  if (plain === "class_alias" && list) aliased(u, list);
  if (list && CALLING.test(plain)) {
    for (const argument of syntax.children(list)) named(u, argument);
    for (const argument of args) if (u.code[argument] === Op.Variable) heldText(u, argument, list);
  }
  if (plain === "assert" && list) {
    for (const [name, type] of narrowings(u, list)) u.narrow(name, type);
  }
  const [first = 0] = args;
  if (MERGED.test(plain) && args.length > 0) return u.emit(Op.Either, args.length, ...args.map((argument) => (u.code[argument] === Op.Spread ? u.emit(Op.Element, u.code[argument + 1]!) : argument)));
  const mapped = plain === "array_map" ? u.resultOf(first) : 0;
  if (mapped) return u.emit(Op.Either, 2, at, u.emit(Op.Several, 1, mapped));
  if (ELEMENT.has(plain)) return u.emit(Op.Element, first);
  return SAME.has(plain) ? first : at;
}

/** `define('NAME', value)` */
function defined(u: Unit, node: number, list: number): void {
  const { syntax } = u;
  const [first] = syntax.children(list);
  const text = first === undefined ? undefined : syntax.children(first)[0];
  const name = text === undefined ? undefined : /^['"](\w+)['"]$/.exec(syntax.text(text))?.[1];
  if (name !== undefined) freeConstant(u, node, text!, name, 0);
}

/** The arguments of `array_map` and the like: the function takes what the array holds. */
function overArguments(u: Unit, list: number, position: number, second: boolean): Offset[] {
  const { syntax } = u;
  const nodes = syntax.children(list).filter((child) => syntax.kind(child) === "argument").map((argument) => syntax.children(argument).at(-1) ?? 0);
  const array = nodes[position];
  const held = array ? expression(u, array) : 0;
  const element = held ? u.emit(Op.Element, held) : 0;
  return nodes.map((node, i) => {
    if (i === position) return held;
    if (!node) return 0;
    return /^(?:anonymous_function|anonymous_function_creation_expression|arrow_function)$/.test(syntax.kind(node))
      ? closure(u, node, second ? [0, element] : [element, element]) : expression(u, node);
  });
}

/** `class_alias('A\\B', 'C')`: another name for a class. */
function aliased(u: Unit, list: number): void {
  const { syntax } = u;
  const [of, name] = syntax.children(list).map((argument) => syntax.text(argument).replace(/\s+/g, ""));
  const path = (text = ""): string | undefined => /^(['"])\\*(\w+(?:\\+\w+)*)\1$/.exec(text)?.[2]?.replace(/\\+/g, ".");
  const [, written] = /^([\w\\]+)::class$/i.exec(of ?? "") ?? [];
  const real = path(of);
  const other = path(name);
  if (other === undefined || (real === undefined && written === undefined)) return;
  const type = real === undefined ? classNamed(u, written!.replaceAll("\\", ".")) : u.named(`.${real}`);
  u.useType(type, list);
  const { within } = u;
  const cut = other.lastIndexOf(".");
  // What the class is called here, the imports around decide.
  u.scopes.push({ namespace: other.slice(0, Math.max(0, cut)), parent: namespaceScope(u), imports: [] });
  u.within = -u.scopes.length;
  u.type({ name: other.slice(cut + 1), symbol: -1, kind: "class", local: false }, (fact) => {
    fact.alias = true;
    fact.supers.push({ type, how: "base", line: syntax.line(list) });
  });
  u.within = within;
}

function creation(u: Unit, node: number): Offset {
  const { syntax } = u;
  const nested = syntax.child(node, "anonymous_class");
  // Older grammars have the parts of a class without a name in the expression itself.
  const body = nested || (syntax.child(node, "declaration_list") ? node : 0);
  if (body) {
    const args = argumentsOf(u, syntax.child(body, "arguments"));
    const base = syntax.child(body, "base_clause");
    const [above] = base ? syntax.children(base) : [];
    if (above !== undefined) u.call(Op.New, typeOf(u, above), args, above);
    const index = u.types.length;
    anonymous(u, body);
    return u.types.length > index ? u.emit(Op.Value, u.emit(Op.Local, index)) : 0;
  }
  const [type] = syntax.children(node);
  const list = syntax.child(node, "arguments");
  const args = argumentsOf(u, list);
  if (type === undefined) return 0;
  if (!/^(?:name|qualified_name|relative_name|relative_scope|static)$/.test(syntax.kind(type))) {
    const named = classNames(u, expression(u, type));
    return named && u.call(Op.New, named, args, type);
  }
  const name = nameOf(u, type);
  const at = u.call(Op.New, classNamed(u, name), args, type);
  nameArguments(u, list, at);
  // The first argument is what templates call it.
  for (const argument of list && CALLING_CLASS.test(name) ? syntax.children(list).slice(1) : []) named(u, argument);
  return at;
}

function assignment(u: Unit, node: number): Offset {
  const { syntax } = u;
  const left = syntax.part(node, "left");
  const right = syntax.part(node, "right");
  const value = right ? expression(u, right) : 0;
  if (left) assign(u, left, value);
  if (left && right && value === 0 && syntax.kind(right) === "array_creation_expression") u.arrays.add(u.lookup(syntax.text(left)));
  if (left && u.code[value] === Op.New && syntax.kind(left) === "variable_name") makeGlobal(u, left, node);
  return value;
}

export function assign(u: Unit, target: number, value: Offset): void {
  const { syntax } = u;
  switch (syntax.kind(target)) {
    case "variable_name": {
      const before = u.lookup(syntax.text(target));
      u.variable(syntax.text(target), 0, value);
      writeGlobal(u, target, before);
      break;
    }
    case "member_access_expression": {
      const of = syntax.part(target, "object");
      const name = syntax.part(target, "name");
      const own = of && name && syntax.text(of) === "$this" && syntax.kind(name) === "name";
      if (own) assigned(u, syntax.text(name), value);
      if (!own) u.store(expression(u, target), value);
      else if (u.isStored(value)) u.store(u.select(u.emit(Op.Self, u.within), syntax.text(name)), value);
      break;
    }
    case "scoped_property_access_expression": {
      const of = syntax.part(target, "scope");
      const name = syntax.part(target, "name");
      const plain = name ? syntax.text(name).replace(/^\$/, "") : "";
      const at = expression(u, target);
      if (of && name && /^(?:self|static)$/i.test(syntax.text(of))) assigned(u, plain, value);
      if (of && name && u.isStored(value)) u.store(at, value);
      break;
    }
    case "subscript_expression": {
      let of = subscript(u, target, "offsetSet");
      for (; u.code[of] === Op.Index || u.code[of] === Op.Entry; of = u.code[of + 1]!) {
        if (u.code[of] === Op.Entry) u.store(u.emit(Op.Keyed, u.code[of + 2]!, 0), value);
      }
      u.store(of, value);
      putInto(u, syntax.children(target)[0] ?? 0, value);
      break;
    }
    case "list_literal":
    case "array_creation_expression":
      // What a list is taken apart into hides what had the names before.
      for (const part of syntax.children(target)) {
        const names = syntax.kind(part) === "array_element_initializer" ? syntax.children(part).slice(-1) : [part];
        for (const name of names) if (syntax.kind(name) !== "string") assign(u, name, value ? u.emit(Op.Spread, value) : 0);
      }
      break;
    default:
      expression(u, target);
  }
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

/** Classes that values are asked for when the code runs: `instanceof`, `catch`. */
export function tested(u: Unit, node: number): void {
  const { syntax } = u;
  if (/^(?:name|qualified_name|relative_name)$/.test(syntax.kind(node))) u.useType(classNamed(u, nameOf(u, node)), node);
  else if (/type/.test(syntax.kind(node))) for (const child of syntax.children(node)) tested(u, child);
}

/** The variables that a condition, where it holds, says to be of a class; with `!` before it, where it does not. */
export function narrowings(u: Unit, node: number, negated = false): [name: string, at: Offset][] {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "parenthesized_expression":
    case "arguments":
    case "argument": {
      const [inner] = syntax.children(node);
      return inner === undefined ? [] : narrowings(u, inner, negated);
    }
    case "unary_op_expression": {
      const argument = syntax.part(node, "argument");
      return argument && syntax.child(node, "!") ? narrowings(u, argument, !negated) : [];
    }
    case "binary_expression": {
      const left = syntax.part(node, "left");
      const right = syntax.part(node, "right");
      if (!left || !right) return [];
      if (syntax.child(node, "&&", "and", "||", "or")) {
        const [first, second] = [narrowings(u, left, negated), narrowings(u, right, negated)];
        if (!syntax.child(node, "&&", "and") === negated) return [...first, ...second];
        // One of both holds: `$x instanceof Foo || $x instanceof Bar`.
        return first.flatMap(([name, at]) => {
          const other = second.find(([same]) => same === name)?.[1];
          return other === undefined ? [] : [[name, u.emit(Op.Variable, u.emit(Op.Union, 2, u.code[at + 1]!, u.code[other + 1]!), 0)] satisfies [string, Offset]];
        });
      }
      if (!syntax.child(node, "instanceof") || negated) return [];
      // `($x = f()) instanceof Foo`
      const variable = /^\(?\s*(\$\w+)/.exec(syntax.text(left))?.[1];
      const isClass = /^(?:name|qualified_name|relative_name)$/.test(syntax.kind(right));
      if (!variable || variable === "$this" || !isClass || !/^(?:variable_name|parenthesized_expression)$/.test(syntax.kind(left))) return [];
      return [[variable, u.emit(Op.Variable, classNamed(u, nameOf(u, right)), 0)]];
    }
    default:
      return [];
  }
}

function closure(u: Unit, node: number, held: readonly Offset[]): Offset {
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

/** The class around, by its name. */
const OWN_CLASS = /^(?:__CLASS__|get_called_class\(\s*\)|get_class\(\s*(?:\$this\s*)?\))$/i;

/** An array; `[$object, 'method']` hands the method on. */
function array(u: Unit, node: number): Offset {
  const { syntax } = u;
  const elements = syntax.children(node).filter((child) => syntax.kind(child) === "array_element_initializer");
  const values = elements.map((element) => syntax.children(element).filter((child) => syntax.kind(child) !== "comment").at(-1) ?? 0);
  const [of, name] = values;
  const keyed = elements.some((element, i) => syntax.children(element).find((child) => syntax.kind(child) !== "comment") !== values[i]);
  if (values.length === 2 && !keyed && of && name && syntax.kind(of) !== "array_creation_expression" && syntax.kind(name) === "string" && /^['"]\w+['"]$/.test(syntax.text(name))) {
    const isClass = syntax.kind(of) === "class_constant_access_expression" && /::class$/i.test(syntax.text(of));
    const operand = isClass ? scope(u, syntax.children(of)[0] ?? 0) : OWN_CLASS.test(syntax.text(of)) ? u.emit(Op.Static, u.emit(Op.Self, u.within)) : expression(u, of);
    if (isClass && u.code[operand] === Op.Static) u.useType(u.code[operand + 1]!, of);
    const at = u.emit(Op.Reference, operand, u.str(syntax.text(name).slice(1, -1)));
    u.use(at, name);
    // `['Plugin', 'start']`, where there is such a class with such a method.
    if (u.code[operand] === Op.Text) u.use(u.emit(Op.Reference, u.emit(Op.Static, u.named(`.${u.stringAt(u.code[operand + 1]!)}`)), u.code[at + 2]!), name);
    return at;
  }
  // `[$this, $method]`
  const named = values.length === 2 && !keyed && of && name && /^(?:variable_name|encapsed_string|binary_expression)$/.test(syntax.kind(name)) ? textsOf(u, expression(u, name)) : [];
  if (named.length > 0) {
    const operand = expression(u, of!);
    const all = named.map((text) => u.emit(Op.Reference, operand, u.str(text)));
    for (const at of all) u.use(at, name!);
    return all.length > 1 ? u.emit(Op.Either, all.length, ...all) : all[0]!;
  }
  for (const element of elements) {
    const parts = syntax.children(element);
    for (const key of parts.slice(0, -1)) expression(u, key);
  }
  const records = values.map((value, i) => {
    const record = value ? expression(u, value) : 0;
    const [key] = syntax.children(elements[i]!);
    const name = key === undefined || key === value || !u.isStored(record) ? undefined : keyIn(u, key);
    if (name === undefined) return record;
    const at = u.emit(Op.Keyed, u.str(name), record);
    u.store(at, record);
    return at;
  }).filter((record) => record > 0);
  // Of many, only what names a function or method: values of so many types have none in common.
  if (records.length > MAX_TYPED) return u.listed(records.filter((record) => u.code[record] === Op.Reference || u.code[record] === Op.Text || u.code[record] === Op.Lambda || u.code[record] === Op.Keyed));
  return records.length === 0 ? 0 : u.emit(Op.Several, records.length, ...records);
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
