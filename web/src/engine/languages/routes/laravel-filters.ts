import type { Node } from "web-tree-sitter";
import type { FilterFact } from "../../facts.ts";
import { classAround } from "./around.ts";
import { type Argument, argumentOf, callOf, type Grammar } from "./calls.ts";
import { behind } from "./laravel.ts";
import { codesOf } from "./named-code.ts";
import type { Texts } from "./texts.ts";

type Chosen = Pick<FilterFact, "only" | "except">;

/**
 * Laravel: what controllers run before their actions. Their constructors say it, `$this->middleware("auth")->only("edit")`, or a method that
 * gives it, `static function middleware() { return ["auth", new Middleware("admin", only: ["edit"])]; }`.
 */
export function controllerFilters(root: Node, grammar: Grammar, texts: Texts, symbolAt: (name: Node) => number): FilterFact[] {
  return root.descendantsOfType("method_declaration").flatMap((method) => {
    const name = method.childForFieldName("name")?.text;
    const isStatic = method.namedChildren.some(({ type }) => type === "static_modifier");
    const owner = name === "__construct" || (name === "middleware" && isStatic) ? classAround(method)?.childForFieldName("name") : undefined;
    const symbol = owner ? symbolAt(owner) : -1;
    if (symbol < 0) return [];
    const all = name === "middleware" ? given(method, grammar, texts) : constructed(method, grammar, texts);
    return all.flatMap(({ node, ...chosen }) => codesOf(node, grammar).map((code): FilterFact => ({ symbol, code, ...chosen })));
  });
}

/** `$this->middleware(["auth", "admin"], ["only" => "edit"])->except("show")` */
function constructed(method: Node, grammar: Grammar, texts: Texts): (Chosen & { node: Node })[] {
  return method.descendantsOfType("member_call_expression").flatMap((node) => {
    const call = callOf(node, grammar);
    const [first, options] = call?.callee === "$this->middleware" || (call?.name === "middleware" && call.receiver?.text === "$this") ? call.args : [];
    return first ? [{ node: first.node, ...chosen([...entries(options?.node), ...chained(node, grammar)], texts) }] : [];
  });
}

/** The elements of the list that a method gives. */
function given(method: Node, grammar: Grammar, texts: Texts): (Chosen & { node: Node })[] {
  const list = method.descendantsOfType("return_statement")[0]?.namedChildren[0];
  const elements = list?.type === "array_creation_expression" ? list.namedChildren.map((element) => element.namedChildren.at(-1) ?? element) : [];
  return elements.flatMap((element) => {
    const made = element.type === "member_call_expression" ? element.descendantsOfType("object_creation_expression")[0] : element;
    if (made?.type !== "object_creation_expression") return [{ node: element }];
    const args = (made.namedChildren.find(({ type }) => type === "arguments")?.namedChildren ?? []).map(argumentOf);
    const middleware = args.find(({ name }) => name === "" || name === "middleware");
    return middleware ? [{ node: middleware.node, ...chosen([...args, ...chained(made.parent ?? made, grammar)], texts) }] : [];
  });
}

/** What the calls on a call or an object are given, by their names. */
function chained(node: Node, grammar: Grammar): Argument[] {
  return behind(node, grammar).flatMap(({ name, args }) => args.map((one) => ({ name, node: one.node })));
}

function entries(options: Node | undefined): Argument[] {
  return (options?.namedChildren ?? []).flatMap(({ namedChildren: [key, value] }) => (key && value ? [{ name: key.text.replace(/["']/g, ""), node: value }] : []));
}

function chosen(args: readonly Argument[], texts: Texts): Chosen {
  const actions = (key: string): string[] | undefined => {
    const said = args.filter(({ name }) => name === key).map(({ node }) => texts.all(node));
    return said.length > 0 ? said.flat() : undefined;
  };
  const [only, except] = [actions("only"), actions("except")];
  return { ...(only ? { only } : {}), ...(except ? { except } : {}) };
}
