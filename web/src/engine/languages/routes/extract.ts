import type { Tree } from "web-tree-sitter";
import type { FileFacts, RouteFact, SymbolFact } from "../../facts.ts";
import { withoutNames } from "../../path-names.ts";
import { headOf } from "../records.ts";
import { GRAMMARS } from "./calls.ts";
import { Code, type Declared } from "./code.ts";
import { nameByExports } from "./exports.ts";
import { EVERYWHERE, FINDERS } from "./finders.ts";
import { registered } from "./views.ts";

/** More routes than this no file has that a person wrote. */
const MAX_ROUTES = 2_000;

/**
 * Adds the routes, jobs and commands that a file declares to its symbols. Only a file that imports a framework is looked at. `context` is that
 * with which the language's reader reads the file.
 */
export function withRoutes<D>(language: string, facts: FileFacts<D>, tree: Tree, source: string, path: string, context?: unknown): FileFacts<D> {
  const grammar = GRAMMARS[language];
  if (!grammar) return facts;
  const code = new Code(language, grammar, path, source, facts.symbols, tree);
  const found = [...EVERYWHERE, ...FINDERS[language] ?? []].map((find) => find(code));
  if (language === "typescript") for (const one of found) nameByExports(one, tree.rootNode, source);
  const all = found.flatMap((one) => one.routes ?? []).sort((a, b) => a.node.startIndex - b.node.startIndex);
  const { routes, sets } = language === "python" ? registered(all, code, context as readonly string[] | undefined ?? []) : { routes: all };
  const whole: FileFacts<D> = { ...facts, symbols: [...facts.symbols, ...routes.slice(0, MAX_ROUTES).map((one) => symbolOf(one, facts.symbols))] };
  for (const { texts, ownPrefix, folderHooks, answers } of found) {
    if (texts) whole.texts = texts;
    if (ownPrefix !== undefined) whole.ownPrefix = ownPrefix;
    if (folderHooks) whole.folderHooks = folderHooks;
    if (answers) whole.answers = answers;
  }
  if (sets) whole.sets = sets;
  const mounts = found.flatMap((one) => one.mounts ?? []);
  const filters = found.flatMap((one) => one.filters ?? []);
  const aliases = found.flatMap((one) => one.aliases ?? []);
  if (mounts.length > 0) whole.mounts = mounts.slice(0, MAX_ROUTES);
  if (filters.length > 0) whole.filters = filters.slice(0, MAX_ROUTES);
  if (aliases.length > 0) whole.aliases = aliases.slice(0, MAX_ROUTES);
  return whole;
}

function symbolOf({ name: path, node, route }: Declared, symbols: readonly SymbolFact[]): SymbolFact {
  const name = withoutNames(path);
  const handler = route.symbol === undefined ? undefined : symbols[route.symbol];
  const line = handler?.line ?? node.startPosition.row + 1;
  return {
    kind: "Route", name, parent: -1, line, startLine: Math.min(line, node.startPosition.row + 1, handler?.startLine ?? line), endLine: handler ? line : node.endPosition.row + 1,
    exported: true, signature: signatureOf(name, route, handler?.name), route: name === path ? route : { ...route, path },
  };
}

function signatureOf(name: string, { before, handler, named, task }: RouteFact, declaredName: string | undefined): string {
  const last = declaredName ?? handler?.text ?? (named ? `${named.owner}.${named.name}` : task ?? "");
  return headOf([name, ...before.map(({ text }) => text), ...(last === "" ? [] : [last])].join(" → "));
}
