import type { Node } from "web-tree-sitter";
import type { AliasFact } from "../../facts.ts";
import { argumentOf, type Call, callOf, type Grammar, literal } from "./calls.ts";
import { codesOf } from "./named-code.ts";

/** The properties of Laravel's kernel that give middlewares names, and groups of them. */
const TABLES = /^(?:routeMiddleware|middlewareAliases|middlewareGroups)$/;
/** What does so in `bootstrap/app.php`: `$middleware->alias(["admin" => EnsureAdmin::class])`. */
const CALLS = /^(?:alias|aliasMiddleware|group|appendToGroup|prependToGroup)$/;

/** What adds to the usual groups there: `$middleware->web(append: [SetLocale::class])`. */
const GROUPS = /^(?:web|api)$/;
/** How it adds to them; what has no name is added at the end. */
const ADDS = /^(?:|append|prepend|replace)$/;

/** The names that middlewares of Laravel go by in its routes. */
export function aliasesOf(root: Node, grammar: Grammar): AliasFact[] {
  const tables = root.descendantsOfType("property_element").flatMap((property) => {
    const [name, value] = property.namedChildren;
    return name && value && TABLES.test(name.text.replace("$", "")) ? entries(value, grammar) : [];
  });
  const called = root.descendantsOfType(["member_call_expression", "scoped_call_expression"]).flatMap((node) => {
    const call = callOf(node, grammar);
    if (call && GROUPS.test(call.name) && call.receiver?.type === "variable_name") return added(call, grammar);
    if (!call || !CALLS.test(call.name)) return [];
    const [first, second] = call.args;
    const name = first && literal(first.node, grammar);
    // `aliasMiddleware("admin", EnsureAdmin::class)`
    return name === undefined ? first ? entries(first.node, grammar) : [] : second ? named(name, second.node, grammar) : [];
  });
  return [...tables, ...called];
}

function named(name: string, node: Node, grammar: Grammar): AliasFact[] {
  return codesOf(node, grammar).map((code) => ({ name, code }));
}

/** What a call adds to the group of its name. */
function added({ name, args }: Call, grammar: Grammar): AliasFact[] {
  return args.filter((one) => ADDS.test(one.name)).flatMap(({ node }) => named(name, node, grammar));
}

/** What a table says by its keys; the elements of a group have none. */
function entries(table: Node, grammar: Grammar): AliasFact[] {
  return table.namedChildren.flatMap((element) => {
    const [key, value] = element.namedChildren.filter(({ type }) => type !== "comment");
    const name = key && value ? literal(key, grammar) : undefined;
    return name === undefined ? [] : named(name, argumentOf(value!).node, grammar);
  });
}
