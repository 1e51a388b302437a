import type { Emit } from "../../../language.ts";
import { wordAfter, wordOf } from "../../words.ts";
import { type Asks, filesOf } from "./asks.ts";
import type { Checker } from "./checker.ts";
import type { Package, Source } from "./packages.ts";
import { hasInit, visibleFrom } from "./packages.ts";

/**
 * An import names a package; what a file depends on are the files that declare the names it uses. An import for
 * side effects leads to the files with an init, and one that uses nothing that is declared to one file of the package.
 */
export function emitImports({ packages, asks }: Checker, sources: readonly Source[], emit: Emit): void {
  for (const source of sources) {
    const used = usedNames(source);
    for (const fact of source.data.imports) {
      asks.all(source, packages.asked(source, fact.path));
      const from = packages.imported(source, fact.path);
      if (!from) continue;
      const name = packages.nameOf(source, fact);
      const targets = name === "." ? from.sources.filter((s) => !s.test) : name === "_" ? withInit(from) : declaring(source, from, asks, used.get(name));
      if (name === "." || name === "_" || targets.length === 0) asks.one(source, wordOf(filesOf(from.dir)));
      for (const target of targets.length > 0 ? targets : [principal(from)]) {
        if (target !== source) emit("IMPORTS", { file: source.index, symbol: -1 }, { file: target.index, symbol: -1 }, 1, fact.line);
      }
    }
  }
}

function usedNames(source: Source): Map<string, string[]> {
  const used = new Map<string, string[]>();
  for (const qualified of source.data.qualified) {
    const dot = qualified.indexOf(".");
    const name = qualified.slice(0, dot);
    const list = used.get(name);
    if (list) list.push(qualified.slice(dot + 1));
    else used.set(name, [qualified.slice(dot + 1)]);
  }
  return used;
}

function declaring(source: Source, from: Package, asks: Asks, names: readonly string[] = []): Source[] {
  const files = new Set<Source>();
  for (const name of names) {
    asks.one(source, wordAfter(from.place, name));
    for (const declaration of visibleFrom(source, from.declared.scope.get(name) ?? [])) files.add(declaration.source);
  }
  return [...files];
}

function withInit(from: Package): Source[] {
  return from.sources.filter((s) => !s.test && hasInit(s));
}

/** The file that stands for a package: named after it, or its doc.go, or the first that is no test. */
function principal(from: Package): Source {
  const files = from.sources.filter((s) => !s.test);
  const named = (name: string): Source | undefined => files.find((s) => s.path.endsWith(`/${name}`) || s.path === name);
  return named(`${from.name}.go`) ?? named("doc.go") ?? files[0] ?? from.sources[0]!;
}
