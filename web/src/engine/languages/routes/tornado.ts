import type { Node } from "web-tree-sitter";
import { callOf, GRAMMARS } from "./calls.ts";
import type { Code, Declared } from "./code.ts";
import { codeOf } from "./named-code.ts";

const GRAMMAR = GRAMMARS["python"]!;
const IMPORTS = /\btornado\b(?<=^[ \t]*(?:from|import)\s+tornado)/m;
/** What a file has that makes an application: a call, or a class that is one. */
const MADE = /\bApplication\(|\((?:\w+\.)*Application\)/;
/** Expressions that put paths together. */
const PATH = /^(?:string|concatenated_string|binary_operator|call)$/;
/** What makes a route of a path and a handler beside a pair. */
const MAKES = /(?:^|\.)(?:url|URLSpec)$/;
/** What an application is made of, and given later. */
const APPLICATION = /(?:^|\.)(?:Application|add_handlers)$|^super\(\)\.__init__$/;

/**
 * Tornado: the pairs in lists, `[(r"/users/(\d+)", UserHandler), url(r"/about", About)]`. Where no application is made in the file, others
 * may put something before the paths of its lists.
 */
export function tornadoRoutes({ root, source, texts, imports }: Code): Declared[] {
  if (!IMPORTS.test(source)) return [];
  const isMade = MADE.test(source) && (source.includes("web.Application") || imports.topOf("Application") === "tornado");
  const prefix = isMade ? "" : "…";
  return root.descendantsOfType("list").flatMap((list) => list.namedChildren.flatMap((one): Declared[] => {
    const call = callOf(one, GRAMMAR);
    const [path, handler] = one.type === "tuple" ? one.namedChildren : call && MAKES.test(call.callee) ? call.args.map(({ node }) => node) : [];
    const said = path && PATH.test(path.type) ? texts.one(path)?.replace(/^\^|\$$/g, "") : undefined;
    if (said?.startsWith("/") !== true || !handler || !isClass(handler) || isOther(list)) return [];
    return [{ name: `ANY ${prefix}${said}`, node: one, route: { before: [], handler: codeOf(handler, GRAMMAR) } }];
  }));
}

/** A name of a class, as one sees it. */
function isClass({ type, text }: Node): boolean {
  return (type === "identifier" || type === "attribute") && /(?:^|\.)_*[A-Z]\w*[a-z]\w*$/.test(text);
}

/** Whether a list is what a call of something else than an application is given. */
function isOther(list: Node): boolean {
  const around = list.parent?.type === "keyword_argument" ? list.parent.parent : list.parent;
  const call = around?.type === "argument_list" && around.parent ? callOf(around.parent, GRAMMAR) : undefined;
  return call !== undefined && !APPLICATION.test(call.callee) && !/^(?:extend|append)$/.test(call.name);
}
