/** What changed since the repository was loaded: files, and the symbols in them. */
import type { Codebase } from "../codebase.ts";
import type { SymbolFact } from "../facts.ts";
import type { GraphNode } from "../graph.ts";
import { ToolError, type Tool } from "../tools.ts";
import { cut, cutSome, present, qualifiedName, refOf, type CutList, type NodeRef } from "./answers.ts";
import { flag, oneOf } from "./arguments.ts";
import { isSymbol } from "./codebase-index.ts";

const FILTERS = ["all", "added", "modified", "deleted"] as const;
const BASELINES = ["last_index"] as const;
const MAX_FILES = 60;
/** Of one file, of each kind. */
const MAX_SYMBOLS = 20;
const MAX_CONTENT_LINES = 60;

type Change = "added" | "modified" | "deleted";

interface FileChange {
  file: string;
  change: Change;
  /** It is the same text under another path. */
  renamedFrom?: string;
  /** First and last line of what is different, in the file as it is. */
  lines?: [number, number];
  symbols?: { added?: CutList<NodeRef>; modified?: CutList<NodeRef>; removed?: CutList<string> };
  before?: string;
  after?: string;
}

export const diff: Tool = (args, { codebase }) => {
  oneOf({ baseline: "last_index", ...args }, "baseline", BASELINES);
  const filter = oneOf({ filter: "all", ...args }, "filter", FILTERS);
  const includeContent = flag(args, "includeContent", false);
  const { baseline } = codebase;
  if (!baseline) {
    throw new ToolError(`Nobody tells of changes of ${codebase.name}: it was picked or dropped in the app, not given to the server with --repo. Ask the user to load it again after a change.`);
  }
  const all = changesOf(codebase, baseline.files);
  const count = (change: Change): number => all.filter((file) => file.change === change).length;
  const wanted = all.filter(({ change }) => filter === "all" || change === filter);
  const languages = symbolsByFile(codebase, new Set(wanted.map(({ path }) => path)));
  return {
    repo: codebase.name,
    since: new Date(baseline.at).toISOString(),
    total: { added: count("added"), modified: count("modified"), deleted: count("deleted") },
    files: cut(wanted, MAX_FILES, (file) => describe(codebase, file, languages.get(file.path) ?? [], includeContent), "a filter"),
  };
};

interface Changed {
  path: string;
  change: Change;
  before: string;
  after: string;
  oldSymbols: readonly SymbolFact[];
  renamedFrom?: string;
}

/** What is really different now, most telling first: modified, added, deleted. */
function changesOf(codebase: Codebase, originals: NonNullable<Codebase["baseline"]>["files"]): Changed[] {
  const found: Changed[] = [];
  for (const [path, original] of originals) {
    const after = codebase.files.text(path);
    if (original?.text === after) continue; // as it was, or neither then nor now
    found.push({
      path, change: original === undefined ? "added" : after === undefined ? "deleted" : "modified",
      before: original?.text ?? "", after: after ?? "", oldSymbols: original?.symbols ?? [],
    });
  }
  const gone = new Map(found.filter(({ change, before }) => change === "deleted" && before.trim() !== "").map(({ before, path }) => [before, path]));
  for (const file of found) {
    const from = file.change === "added" ? gone.get(file.after) : undefined;
    if (from !== undefined) file.renamedFrom = from;
  }
  const order: readonly Change[] = ["modified", "added", "deleted"];
  return found.sort((a, b) => order.indexOf(a.change) - order.indexOf(b.change) || (a.path < b.path ? -1 : 1));
}

function symbolsByFile({ graph }: Codebase, files: ReadonlySet<string>): Map<string, number[]> {
  const found = new Map<string, number[]>();
  graph.nodes.forEach((node, i) => {
    if (!files.has(node.file) || !isSymbol(node)) return;
    const list = found.get(node.file);
    if (list) list.push(i);
    else found.set(node.file, [i]);
  });
  return found;
}

function describe({ graph }: Codebase, file: Changed, nodes: readonly number[], includeContent: boolean): FileChange {
  const { path, change, before, after, renamedFrom } = file;
  const old = before.split("\n");
  const now = after.split("\n");
  const { first, oldEnd, nowEnd } = changedLines(old, now);
  const oldOnes = new Map(named(file.oldSymbols.map(({ kind, owner = "", name, startLine, endLine }) => ({ kind, owner, name, startLine, endLine })), old));
  const nowOnes = new Map(named(nodes.map((i) => graph.nodes[i]!), now));
  const ref = new Map([...nowOnes.keys()].map((key, i) => [key, refOf(graph, nodes[i]!)]));
  const shortRef = (key: string): NodeRef => {
    const { id, line } = ref.get(key)!;
    return present({ id, line });
  };
  // A file that only has another name now holds nothing new.
  const symbols = renamedFrom !== undefined ? {} : present({
    modified: cutSome([...nowOnes].filter(([key, text]) => oldOnes.has(key) && oldOnes.get(key) !== text), MAX_SYMBOLS, ([key]) => shortRef(key)),
    added: cutSome([...nowOnes.keys()].filter((key) => !oldOnes.has(key)), MAX_SYMBOLS, shortRef),
    removed: cutSome([...oldOnes.keys()].filter((key) => !nowOnes.has(key)), MAX_SYMBOLS, (key) => key),
  });
  return present({
    file: path, change, renamedFrom,
    lines: change === "modified" ? [first + 1, Math.max(first + 1, nowEnd)] as [number, number] : undefined,
    symbols: Object.keys(symbols).length > 0 ? symbols : undefined,
    before: includeContent && change === "modified" ? head(old.slice(first, oldEnd)) : undefined,
    after: includeContent && change === "modified" ? head(now.slice(first, nowEnd)) : includeContent && change === "added" ? head(now) : undefined,
  });
}

/** Where the two begin to differ, and where in each that ends; lines from 0, ends exclusive. */
function changedLines(old: readonly string[], now: readonly string[]): { first: number; oldEnd: number; nowEnd: number } {
  let first = 0;
  while (first < old.length && first < now.length && old[first] === now[first]) first++;
  let oldEnd = old.length;
  let nowEnd = now.length;
  while (oldEnd > first && nowEnd > first && old[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd--;
    nowEnd--;
  }
  return { first, oldEnd, nowEnd };
}

type Place = Pick<GraphNode, "kind" | "owner" | "name" | "startLine" | "endLine">;

/** Each symbol's name, unique in its file, with its own text: without what stands in it as a symbol of its own. */
function named(symbols: readonly Place[], lines: readonly string[]): [string, string][] {
  const counts = new Map<string, number>();
  return symbols.map((symbol) => {
    const plain = `${symbol.kind} ${qualifiedName(symbol as GraphNode)}`;
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    const inside = symbols.filter((other) => other !== symbol && other.startLine >= symbol.startLine && other.endLine <= symbol.endLine
      && other.endLine - other.startLine < symbol.endLine - symbol.startLine);
    const own = lines.slice(symbol.startLine - 1, symbol.endLine)
      .filter((_, i) => !inside.some(({ startLine, endLine }) => symbol.startLine + i >= startLine && symbol.startLine + i <= endLine));
    return [count === 1 ? plain : `${plain} #${count}`, own.join("\n")];
  });
}

function head(lines: readonly string[]): string {
  const more = lines.length - MAX_CONTENT_LINES;
  return more > 0 ? `${lines.slice(0, MAX_CONTENT_LINES).join("\n")}\n… ${more} more lines` : lines.join("\n");
}
