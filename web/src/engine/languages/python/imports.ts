import type { Extraction } from "./extraction.ts";
import type { ImportFact } from "./facts.ts";
import { Op } from "./facts.ts";
import { K } from "./tree.ts";

/** `import a.b, c as d` */
export function importStatement(x: Extraction, n: number): void {
  const { tree } = x;
  for (const c of tree.children(n)) {
    if (tree.kind[c] === K.AliasedImport) {
      const [name, alias] = [tree.child(c, K.DottedName), tree.child(c, K.Identifier)];
      if (name < 0 || alias < 0) continue;
      bind(x, tree.text(alias), { level: 0, module: dotted(x, name), aliased: true, line: tree.line(n) });
    } else if (tree.kind[c] === K.DottedName) {
      const module = dotted(x, c);
      bind(x, module.split(".", 1)[0]!, { level: 0, module, line: tree.line(n) });
    }
  }
}

/** `from ..a import b as c, d` and `from a import *` */
export function importFromStatement(x: Extraction, n: number): void {
  const { tree } = x;
  const [source, ...names] = tree.children(n).filter((c) => tree.kind[c]! < K.Async);
  if (source === undefined) return;
  let level = 0;
  let module = "";
  if (tree.kind[source] === K.RelativeImport) {
    const prefix = tree.child(source, K.ImportPrefix);
    const name = tree.child(source, K.DottedName);
    level = prefix < 0 ? 0 : tree.text(prefix).replace(/[^.]/g, "").length;
    module = name < 0 ? "" : dotted(x, name);
  } else if (tree.kind[source] === K.DottedName) module = dotted(x, source);
  else return;
  const line = tree.line(n);
  for (const c of names) {
    if (tree.kind[c] === K.Wildcard) {
      const index = x.facts.imports.push({ level, module, name: "*", line }) - 1;
      const scope = x.facts.scopes[x.place.scope]!;
      (scope.stars ??= []).push(index);
    } else if (tree.kind[c] === K.AliasedImport) {
      const [name, alias] = [tree.child(c, K.DottedName), tree.child(c, K.Identifier)];
      if (name >= 0 && alias >= 0) bind(x, tree.text(alias), { level, module, name: dotted(x, name), line });
    } else if (tree.kind[c] === K.DottedName) {
      const name = dotted(x, c);
      bind(x, name, { level, module, name, line });
    }
  }
}

/**
 * What a call of `import_module` or `__import__` gives, where it names the module by a text: an expression. `positional`, `keywords`: its
 * arguments, as expressions; the latter behind their names, which are strings.
 */
export function calledImport(x: Extraction, callee: string, positional: readonly number[], keywords: readonly number[], line: number): number | undefined {
  const { nodes, strings } = x.facts;
  const textOf = (id: number | undefined): string | undefined => (id !== undefined && nodes[id] === (Op.Str as number) ? strings[nodes[id + 1]!] : undefined);
  const path = callee === "import_module" || callee === "__import__" ? /^(\.*)(\w+(?:\.\w+)*)$/.exec(textOf(positional[0]) ?? "") : undefined;
  if (!path) return undefined;
  let [, { length: level }, module] = path as unknown as [string, string, string];
  const at = keywords.findIndex((name, i) => i % 2 === 0 && strings[name] === "package");
  const within = level > 0 ? textOf(at < 0 ? positional[1] : keywords[at + 1]) : undefined;
  if (within !== undefined) {
    module = [...within.split(".").slice(0, level > 1 ? 1 - level : undefined), module].join(".");
    level = 0;
  }
  return x.node(Op.Import, x.facts.imports.push({ level, module, aliased: callee === "import_module", line }) - 1);
}

function bind(x: Extraction, name: string, fact: ImportFact): void {
  x.bind(name, x.node(Op.Import, x.facts.imports.push(fact) - 1));
}

function dotted(x: Extraction, n: number): string {
  return x.tree.children(n).map((c) => x.tree.text(c)).join(".");
}
