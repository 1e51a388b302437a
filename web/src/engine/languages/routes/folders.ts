import type { Node } from "web-tree-sitter";
import type { FolderFact, NamedCode } from "../../facts.ts";
import { type Argument, type Call, callOf, entriesOf, type Grammar, literal } from "./calls.ts";
import { codeOf } from "./named-code.ts";
import type { Texts } from "./texts.ts";

/** Fastify: what runs before a handler. */
export const HOOK = /^(?:onRequest|preParsing|preValidation|preHandler)$/;
/** What fastify is given to load plugins by folder is called. */
const LOADER = /^(?:\w*[aA]uto_?[lL]oad\w*)$/;

/** Fastify: the folder of plugins that a call of `register` loads, and the path that its options say; undefined for another call. */
export function loadedFolder({ args }: Call, texts: Texts): { folder: FolderFact; prefix: string } | undefined {
  const [loader, options] = args;
  if (!loader || options?.node.type !== "object" || !LOADER.test(loader.node.text)) return undefined;
  const entries = entriesOf(options.node);
  const of = (name: string, all: readonly Argument[] = entries): Node | undefined => all.find((one) => one.name === name)?.node;
  const dir = of("dir");
  const inner = of("options");
  const said = inner?.descendantsOfType("pair").map((pair) => ({ name: pair.childForFieldName("key")?.text ?? "", node: pair.childForFieldName("value")! }));
  const path = dir && folderIn(dir, texts);
  if (path === undefined) return undefined;
  const prefix = said && of("prefix", said);
  return { folder: { path, ...(of("dirNameRoutePrefix")?.text === "false" ? {} : { names: of("routeParams")?.text === "true" ? "parameters" : "parts" }), ...(of("autoHooks")?.text === "true" ? { hooks: of("cascadeHooks")?.text === "true" ? "below" : "own" } : {}) }, prefix: prefix ? texts.one(prefix) ?? texts.hole(prefix) : "" };
}

/** Fastify: what the options of a route say that runs before it, also those that a constant of the file has. */
export function hooksOf(options: Node, texts: Texts, grammar: Grammar): NamedCode[] {
  const said = options.type === "identifier" ? texts.constant(options.text) : options;
  const entries = said?.type === "object" ? entriesOf(said) : [];
  return entries.filter(({ name }) => HOOK.test(name)).flatMap(({ node }) => (node.type === "array" ? node.namedChildren : [node])).map((one) => codeOf(one, grammar));
}

/** The folder that an expression says, from that of its file: `path.join(__dirname, "routes")`. */
function folderIn(node: Node, texts: Texts): string | undefined {
  const value = node.type === "identifier" ? texts.constant(node.text) ?? node : node;
  const parts = (value.type === "string" || value.type === "template_string" ? [value] : value.descendantsOfType(["string", "template_string"])).map((one) => texts.one(one)?.replace(/^(?:…|«[^»]*»)/, ""));
  const all = parts.flatMap((part) => part?.split("/") ?? ["…"]).filter((part) => part !== "" && part !== ".");
  return all.length === 0 || all.some((part) => /[…«]/.test(part)) ? undefined : all.join("/");
}

/** A file of fastify's whose hooks run before the routes of its folder. */
const HOOKS = /(?:^|\/)(?:[^/]*\.)?autohooks\.[cm]?[jt]s$/i;

/** What such a file runs: `fastify.addHook("onRequest", signIn)`; undefined for another file. */
export function folderHooks(root: Node, source: string, path: string, grammar: Grammar): NamedCode[] | undefined {
  if (!HOOKS.test(path) || !source.includes("addHook")) return undefined;
  const calls = root.descendantsOfType([...grammar.calls]).flatMap((node) => callOf(node, grammar) ?? []);
  const hooks = calls.filter(({ name, args }) => name === "addHook" && HOOK.test(literal(args[0]?.node, grammar) ?? "")).map(({ args }) => codeOf(args.at(-1)!.node, grammar));
  return hooks.length > 0 ? hooks : undefined;
}

/** The path that a plugin of fastify says for itself, in place of the names of its folders: `module.exports.autoPrefix = "/users"`. */
export function ownPrefix(source: string): string | undefined {
  return source.includes("autoPrefix") ? /\bautoPrefix(?:\s*:\s*string)?\s*=\s*["'`]([^"'`]*)["'`]/.exec(source)?.[1] : undefined;
}
