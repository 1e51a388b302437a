/**
 * Writes a folder's graph as code-graph/1 without a browser, for quick measuring while working on a language:
 *   npx tsx test/export.ts DIR OUT.json [minimum confidence, default 0.5]
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProjectFile, SymbolRef } from "../src/engine/language.ts";
import { analyse } from "./languages.ts";

const [dir, out, minimum = "0.5"] = process.argv.slice(2);
if (!dir || !out) throw new Error("usage: tsx test/export.ts DIR OUT.json [MINIMUM]");
const paths = existsSync(join(dir, ".git"))
  ? execFileSync("git", ["-C", dir, "ls-files"], { encoding: "utf8", maxBuffer: 1 << 28 }).split("\n").filter((path) => path !== "")
  : readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((path) => !/(^|\/)node_modules(\/|$)/.test(path));
const repo: Record<string, string> = {};
for (const path of paths) {
  const file = join(dir, path);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.size <= 1 << 20) repo[path] = readFileSync(file, "utf8");
}
const graph = {
  schema: "code-graph/1", producer: "gitnexus-mcp dev", repo: dir, commit: "0".repeat(40),
  files: [] as string[], symbols: [] as object[], calls: [] as object[], references: [] as object[], imports: [] as object[],
  extends: [] as object[], implements: [] as object[],
};
const refOf = (files: readonly ProjectFile<unknown>[], ref: SymbolRef): object => {
  const file = files[ref.file]!;
  const s = file.facts.symbols[ref.symbol];
  if (!s) return { name: "<module>", file: file.path };
  return { name: s.name, file: file.path, ...(s.owner ? { owner: s.owner } : {}), line: s.line };
};
for (const { language, files, edges, parseMs, resolveMs } of await analyse(repo)) {
  console.log(`${language.id}: ${files.length} files, parse+extract ${parseMs.toFixed(0)} ms, resolve ${resolveMs.toFixed(0)} ms, ${edges.length} edges`);
  for (const { path, facts } of files) {
    graph.files.push(path);
    for (const s of facts.symbols) {
      graph.symbols.push({ name: s.name, kind: s.kind, file: path, line: s.line, endLine: s.endLine, ...(s.owner ? { owner: s.owner } : {}) });
    }
  }
  for (const e of edges) {
    if (e.confidence < Number(minimum)) continue;
    if (e.type === "IMPORTS") graph.imports.push({ from: files[e.from.file]!.path, to: files[e.to.file]!.path });
    else {
      const list = e.type === "CALLS" ? graph.calls : e.type === "REFERENCES" ? graph.references : e.type === "EXTENDS" ? graph.extends : graph.implements;
      list.push({ from: refOf(files, e.from), to: refOf(files, e.to), confidence: e.confidence });
    }
  }
}
writeFileSync(out, JSON.stringify(graph));
