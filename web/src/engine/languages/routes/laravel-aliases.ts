import type { Node } from "web-tree-sitter";
import type { AliasFact } from "../../facts.ts";
import { argumentOf, callOf, type Grammar, literal } from "./calls.ts";
import { codeOf } from "./named-code.ts";

/** The properties of Laravel's kernel that give middlewares names, and groups of them. */
const TABLES = /^(?:routeMiddleware|middlewareAliases|middlewareGroups)$/;
/** What does so in `bootstrap/app.php`: `$middleware->alias(["admin" => EnsureAdmin::class])`. */
const CALLS = /^(?:alias|aliasMiddleware|group|appendToGroup|prependToGroup)$/;

/** The names that middlewares of Laravel go by in its routes. */
export function aliasesOf(root: Node, grammar: Grammar): AliasFact[] {
  const tables = root.descendantsOfType("property_element").flatMap((property) => {
    const [name, value] = property.namedChildren;
    return name && value && TABLES.test(name.text.replace("$", "")) ? entries(value, grammar) : [];
  });
  const called = root.descendantsOfType(["member_call_expression", "scoped_call_expression"]).flatMap((node) => {
    const call = callOf(node, grammar);
    if (!call || !CALLS.test(call.name)) return [];
    const [first, second] = call.args;
    const name = first && literal(first.node, grammar);
    // `aliasMiddleware("admin", EnsureAdmin::class)`
    return name === undefined ? first ? entries(first.node, grammar) : [] : second ? [{ name, code: codeOf(second.node, grammar) }] : [];
  });
  return [...tables, ...called];
}

function entries(table: Node, grammar: Grammar): AliasFact[] {
  return table.descendantsOfType("array_element_initializer").flatMap((element) => {
    const [key, value] = element.namedChildren.filter(({ type }) => type !== "comment");
    const name = key && value ? literal(key, grammar) : undefined;
    return name === undefined ? [] : [{ name, code: codeOf(argumentOf(value!).node, grammar) }];
  });
}
