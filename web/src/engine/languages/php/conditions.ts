import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { classNamed, nameOf } from "./types.ts";

/** Classes that values are asked for when the code runs: `instanceof`, `catch`. */
export function tested(u: Unit, node: number): void {
  const { syntax } = u;
  if (/^(?:name|qualified_name|relative_name)$/.test(syntax.kind(node))) u.useType(classNamed(u, nameOf(u, node)), node);
  else if (/type/.test(syntax.kind(node))) for (const child of syntax.children(node)) tested(u, child);
}

/** Functions that say of their argument that it is no object, and one that says so where it does not hold. */
const PLAIN = /^\\?is_(?:string|int|integer|long|float|double|bool|numeric|scalar|array)$/i;
const OBJECT = /^\\?is_object$/i;

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
        return joined(u, first, second, !syntax.child(node, "&&", "and") === negated);
      }
      if (!syntax.child(node, "instanceof") || negated) return [];
      // `($x = f()) instanceof Foo`
      const variable = /^\(?\s*(\$\w+)/.exec(syntax.text(left))?.[1];
      const isClass = /^(?:name|qualified_name|relative_name)$/.test(syntax.kind(right));
      if (!variable || variable === "$this" || !isClass || !/^(?:variable_name|parenthesized_expression)$/.test(syntax.kind(left))) return [];
      return [[variable, u.emit(Op.Variable, classNamed(u, nameOf(u, right)), 0)]];
    }
    case "function_call_expression": {
      const isPlain = (negated ? OBJECT : PLAIN).test(syntax.text(syntax.part(node, "function")));
      const [variable] = !isPlain ? [] : /^\$\w+$/.exec(syntax.text(syntax.part(node, "arguments")).slice(1, -1).trim()) ?? [];
      if (variable === undefined || variable === "$this") return [];
      // What it holds else is followed on: a text may name a function or a class.
      const at = u.emit(Op.Variable, 0, u.lookup(variable));
      u.plain.add(at);
      return [[variable, at]];
    }
    default:
      return [];
  }
}

/**
 * What two conditions say together. Where `all` of both hold (`&&`), a variable of which both tell has the members
 * of either class; where one of them does (`||`), it is of one of these, and nothing is known of another variable.
 */
function joined(u: Unit, first: readonly [string, Offset][], second: readonly [string, Offset][], all: boolean): [string, Offset][] {
  const known = new Map(first);
  const both = new Map<string, Offset>();
  for (const [name, at] of second) {
    const other = known.get(name);
    if (other !== undefined) both.set(name, u.emit(Op.Variable, u.emit(Op.Union, 2, u.code[other + 1]!, u.code[at + 1]!), 0));
    else if (all) both.set(name, at);
  }
  return [...(all ? new Map([...known, ...both]) : both)];
}
