import type { NamedCode, RouteFact } from "./facts.ts";
import type { Anchor, ParsedFile, Relation } from "./relations.ts";

/** A handler that is named by the name of its class. */
const BY_NAME = 0.9;
/** One of several of that name. */
const ONE_OF_SEVERAL = 0.6;
const MAX_NAMED = 4;

/**
 * Adds HANDLES from routes to what they run, as the other relations of their file say, and, where a route names a class and its method, by
 * these names. With `only`, for these files and those whose routes go by names, whose paths are returned.
 */
export function addHandlers(files: readonly ParsedFile[], byFile: Map<string, readonly Relation[]>, only?: ReadonlySet<string>): string[] {
  let methods: Map<string, { anchor: Anchor; path: string }[]> | undefined;
  const again: string[] = [];
  for (const file of files) {
    const { facts: { symbols }, path } = file;
    // Routes are behind all other symbols.
    if (symbols.at(-1)?.kind !== "Route") continue;
    const goesByName = symbols.some(({ route }) => route?.named);
    if (only && !only.has(path) && !goesByName) continue;
    if (goesByName) again.push(path);
    const own = (byFile.get(path) ?? []).filter(({ type }) => type !== "HANDLES");
    const handles = new Map<string, Relation>();
    const add = (from: Anchor, to: Anchor, confidence: number, line: number): void => {
      const known = handles.get(`${from.id} ${to.id}`);
      if (!known) handles.set(`${from.id} ${to.id}`, { type: "HANDLES", from, to, confidence, line });
      else known.confidence = Math.max(known.confidence, confidence);
    };
    symbols.forEach(({ route, line }, i) => {
      if (!route) return;
      const from = file.symbols[i]!;
      if (route.symbol !== undefined) add(from, file.symbols[route.symbol]!, 1, line);
      for (const code of [...route.before, ...(route.handler ? [route.handler] : [])]) {
        for (const { to, confidence, at } of meant(code, own, files)) if (to !== from) add(from, to, confidence, at);
      }
      if (!route.named) return;
      methods ??= methodsOf(files);
      const all = nearest(methods.get(`${route.named.owner}.${route.named.name}`) ?? [], route.named);
      if (all.length <= MAX_NAMED) for (const { anchor } of all) add(from, anchor, all.length === 1 ? BY_NAME : ONE_OF_SEVERAL, line);
    });
    if (handles.size > 0 || own.length > 0) byFile.set(path, [...own, ...handles.values()]);
  }
  return again;
}

/** What the names in a piece of code refer to; of a function without a name, what it calls. */
function* meant(code: NamedCode, relations: readonly Relation[], files: readonly ParsedFile[]): Generator<{ to: Anchor; confidence: number; at: number }> {
  const names = new Set(code.names);
  for (const { type, to, confidence, line, moreLines = [] } of relations) {
    if (type !== "REFERENCES" && type !== "CALLS") continue;
    const at = [line, ...moreLines].find((one) => one >= code.line && one <= code.endLine);
    if (at === undefined || to.symbol < 0) continue;
    // What is handed on may be called there, too: the reference is the fact.
    if (code.inline ? type !== "CALLS" : !names.has(nameOf(to, files))) continue;
    yield { to, confidence, at };
  }
}

const places = new WeakMap<readonly ParsedFile[], ReadonlyMap<string, ParsedFile>>();

/** The name of what may run; "" for what cannot. */
function nameOf({ path, symbol }: Anchor, files: readonly ParsedFile[]): string {
  let byPath = places.get(files);
  if (!byPath) places.set(files, (byPath = new Map(files.map((file) => [file.path, file]))));
  const fact = byPath.get(path)?.facts.symbols[symbol];
  return fact && fact.kind !== "Variable" && fact.kind !== "Module" ? fact.name : "";
}

function methodsOf(files: readonly ParsedFile[]): Map<string, { anchor: Anchor; path: string }[]> {
  const methods = new Map<string, { anchor: Anchor; path: string }[]>();
  for (const { path, symbols, facts } of files) {
    facts.symbols.forEach(({ kind, owner, name }, i) => {
      if (kind !== "Method" || owner === undefined) return;
      const key = `${owner}.${name}`;
      const same = methods.get(key);
      if (same) same.push({ anchor: symbols[i]!, path });
      else methods.set(key, [{ anchor: symbols[i]!, path }]);
    });
  }
  return methods;
}

/** Of several those in the folder that is named, or directly in one of controllers where none is. */
function nearest<T extends { path: string }>(all: readonly T[], { within }: NonNullable<RouteFact["named"]>): readonly T[] {
  if (all.length < 2) return all;
  const near = all.filter(({ path }) => (within === undefined ? /(?:^|\/)controllers\/[^/]*$/i.test(path) : path.toLowerCase().includes(`/${within.toLowerCase()}/`)));
  return near.length > 0 ? near : all;
}
