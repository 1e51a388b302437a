/** What changed since the repository was loaded, or since a commit of git: files, and the symbols and lines in them. */
import { structuredPatch } from "diff";
import type { Codebase, FileStore } from "../codebase.ts";
import type { SymbolFact } from "../facts.ts";
import type { GraphNode } from "../graph.ts";
import { ToolError, type Tool, type ToolContext } from "../tools.ts";
import { cutSome, present, qualifiedName, refOf, type CutList, type NodeRef } from "./answers.ts";
import { flag, oneOf, text } from "./arguments.ts";
import { isSymbol } from "./codebase-index.ts";
import { Page } from "./page.ts";

const FILTERS = ["all", "added", "modified", "deleted", "renamed"] as const;
const LAST_INDEX = "last_index";
const MAX_FILES = 60;
/** Of one file, of each kind. */
const MAX_SYMBOLS = 20;
/** Lines of hunks of one file, and where files are asked for by their paths. */
const HUNK_LINES = 60;
const HUNK_LINES_OF_PATH = 1000;
/** Files with less of their lines in common are two. */
const RENAMED = 0.5;
/** Above so many pairs of files only those with one text, or one name, are compared. */
const MAX_PAIRS = 10_000;
/** Comparing two texts takes this long at most, in milliseconds. */
const COMPARE = 1_000;

type Change = "added" | "modified" | "deleted" | "renamed";

interface FileChange {
  file: string;
  change: Change;
  renamedFrom?: string;
  /** First and last line of what is different, in the file as it is. */
  lines?: [number, number];
  symbols?: { added?: CutList<NodeRef & { movedFrom?: string | undefined }>; modified?: CutList<NodeRef>; removed?: CutList<string> };
  /** Unified, without the two lines of file names. */
  hunks?: string;
  moreLines?: number;
  rest?: string;
}

/** A file as it was. */
interface Old {
  text: string;
  symbols: () => readonly SymbolFact[] | Promise<readonly SymbolFact[]>;
}

export const diff: Tool = async (args, { codebase, revision, signal }) => {
  const baseline = text({ baseline: LAST_INDEX, ...args }, "baseline");
  const filter = oneOf({ filter: "all", ...args }, "filter", FILTERS);
  const includeContent = flag(args, "includeContent", false);
  const page = new Page(args);
  const { since, originals } = baseline === LAST_INDEX ? sinceLoad(codebase) : await sinceCommit(codebase, baseline, revision, signal);
  const all = pairRenames(changesOf(codebase, originals));
  const count = (change: Change): number => all.filter((file) => file.change === change).length;
  const wanted = all.filter(({ change }) => filter === "all" || change === filter);
  const { items, ...counts } = page.part(wanted, page.filter(wanted, ({ path }) => path), (file) => file, MAX_FILES);
  const nodes = symbolsByFile(codebase, new Set(items.map(({ path }) => path)));
  const changed: Symbols[] = [];
  for (const file of items) {
    signal.throwIfAborted();
    changed.push(await symbolsIn(codebase, file, nodes.get(file.path) ?? []));
  }
  const moves = movesBetween(changed);
  const files = changed.map((symbols) => describe(codebase, symbols, moves, includeContent, page.isFiltered));
  return {
    repo: codebase.name,
    since,
    total: present({ added: count("added"), modified: count("modified"), deleted: count("deleted"), renamed: count("renamed") || undefined }),
    files: { ...counts, items: files },
  };
};

type Originals = ReadonlyMap<string, Old | undefined>;

function sinceLoad({ name, baseline }: Codebase): { since: string; originals: Originals } {
  if (!baseline) {
    throw new ToolError(`Nobody tells of changes of ${name}: it was picked or dropped in the app, not given to the server with --repo. Ask the user to load it again after a change.`);
  }
  return {
    since: new Date(baseline.at).toISOString(),
    originals: new Map([...baseline.files].map(([path, old]) => [path, old && { text: old.text, symbols: () => old.symbols }])),
  };
}

async function sinceCommit(codebase: Codebase, name: string, revision: ToolContext["revision"], signal: AbortSignal): Promise<{ since: string; originals: Originals }> {
  const { commit, files, absent, symbols } = await revision(name, await blobIds(codebase.files, signal), signal);
  const originals = new Map<string, Old | undefined>(absent.map((path) => [path, undefined]));
  for (const [path, before] of files) {
    // Git may store other line ends than the folder has.
    if (unixLines(codebase.files.text(path) ?? "\0") !== unixLines(before)) originals.set(path, { text: before, symbols: () => symbols(path, before) });
  }
  return { since: `commit ${commit}`, originals };
}

function unixLines(code: string): string {
  return code.replaceAll("\r\n", "\n");
}

/** What git calls the content of each file. */
async function blobIds(files: FileStore, signal: AbortSignal): Promise<Record<string, string>> {
  const encoder = new TextEncoder();
  const ids: Record<string, string> = {};
  for (const path of files.paths) {
    signal.throwIfAborted();
    const content = encoder.encode(files.text(path) ?? "");
    const head = encoder.encode(`blob ${content.length}\0`);
    const bytes = new Uint8Array(head.length + content.length);
    bytes.set(head);
    bytes.set(content, head.length);
    ids[path] = [...new Uint8Array(await crypto.subtle.digest("SHA-1", bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  return ids;
}

interface Changed {
  path: string;
  change: Change;
  before: string;
  after: string;
  oldSymbols: Old["symbols"];
  renamedFrom?: string;
}

/** What is really different now. */
function changesOf(codebase: Codebase, originals: Originals): Changed[] {
  const found: Changed[] = [];
  for (const [path, original] of originals) {
    const after = codebase.files.text(path);
    if (original?.text === after) continue; // as it was, or neither then nor now
    found.push({
      path, change: original === undefined ? "added" : after === undefined ? "deleted" : "modified",
      before: original?.text ?? "", after: after ?? "", oldSymbols: original?.symbols ?? (() => []),
    });
  }
  return found;
}

/** A file that went and one that came with most of its lines are one file, renamed. Most telling first: modified, renamed, added, deleted. */
function pairRenames(found: readonly Changed[]): Changed[] {
  const gone = found.filter(({ change, before }) => change === "deleted" && before.trim() !== "");
  const come = found.filter(({ change, after }) => change === "added" && after.trim() !== "");
  const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  const isFew = gone.length * come.length <= MAX_PAIRS;
  const pairs = gone.flatMap((from) => come.flatMap((to) => {
    if (from.before === to.after) return [{ from, to, alike: fileName(from.path) === fileName(to.path) ? 2 : 1 }];
    const alike = isFew || fileName(from.path) === fileName(to.path) ? likeness(from.before, to.after) : 0;
    return alike >= RENAMED ? [{ from, to, alike }] : [];
  })).sort((a, b) => b.alike - a.alike || (a.to.path < b.to.path ? -1 : 1));
  const paired = new Map<Changed, Changed>();
  const taken = new Set<Changed>();
  for (const { from, to } of pairs) {
    if (taken.has(from) || paired.has(to)) continue;
    paired.set(to, from);
    taken.add(from);
  }
  const order: readonly Change[] = ["modified", "renamed", "added", "deleted"];
  return found.filter((file) => !taken.has(file)).map((file): Changed => {
    const from = paired.get(file);
    return from ? { ...file, change: "renamed", renamedFrom: from.path, before: from.before, oldSymbols: from.oldSymbols } : file;
  }).sort((a, b) => order.indexOf(a.change) - order.indexOf(b.change) || (a.path < b.path ? -1 : 1));
}

/** The share of lines that two texts have in common, from 0 to 1. */
function likeness(a: string, b: string): number {
  const counts = new Map<string, number>();
  const lines = (code: string): string[] => code.split("\n").map((line) => line.trim()).filter((line) => line.length > 1);
  const [old, now] = [lines(a), lines(b)];
  for (const line of old) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of now) {
    const left = counts.get(line) ?? 0;
    if (left > 0) common++;
    counts.set(line, left - 1);
  }
  return common / Math.max(1, old.length, now.length);
}

/** Indexes of the files and symbols that were added or changed since the load; undefined where nobody tells of changes. */
export function changedNodes(codebase: Codebase): Set<number> | undefined {
  const { graph, files, baseline } = codebase;
  if (!baseline) return undefined;
  const differ = new Map([...baseline.files].filter(([path, old]) => old?.text !== files.text(path)));
  const changed = new Set<number>();
  graph.nodes.forEach(({ kind, file }, i) => kind === "File" && differ.has(file) && changed.add(i));
  for (const [path, symbols] of symbolsByFile(codebase, new Set(differ.keys()))) {
    const before = differ.get(path);
    const old = new Map(named((before?.symbols ?? []).map(({ kind, owner = "", name, startLine, endLine }) => ({ kind, owner, name, startLine, endLine })), (before?.text ?? "").split("\n")));
    named(symbols.map((i) => graph.nodes[i]!), (files.text(path) ?? "").split("\n")).forEach(([key, text], i) => old.get(key) !== text && changed.add(symbols[i]!));
  }
  return changed;
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

/** A changed file with its symbols' own texts, as they were and as they are, by their names; `nodes`: those that it has now, in order. */
interface Symbols {
  file: Changed;
  nodes: readonly number[];
  oldOnes: ReadonlyMap<string, string>;
  nowOnes: ReadonlyMap<string, string>;
}

async function symbolsIn({ graph }: Codebase, file: Changed, nodes: readonly number[]): Promise<Symbols> {
  const { before, after } = file;
  const oldSymbols = before === after ? [] : await file.oldSymbols();
  return {
    file, nodes,
    oldOnes: new Map(named(oldSymbols.map(({ kind, owner = "", name, startLine, endLine }) => ({ kind, owner, name, startLine, endLine })), before.split("\n"))),
    nowOnes: new Map(named(nodes.map((i) => graph.nodes[i]!), after.split("\n"))),
  };
}

/** By name and text, the file that a symbol was moved from, and the one that it was moved to: where it went from one and came to one. */
interface Moves {
  from: ReadonlyMap<string, string>;
  to: ReadonlyMap<string, string>;
}

function movesBetween(changed: readonly Symbols[]): Moves {
  const missingIn = (own: "oldOnes" | "nowOnes", other: "oldOnes" | "nowOnes"): Map<string, string[]> => {
    const found = new Map<string, string[]>();
    for (const symbols of changed) {
      if (symbols.file.before === symbols.file.after) continue;
      for (const [key, text] of symbols[own]) {
        if (symbols[other].has(key)) continue;
        const whole = wholeOf(key, text);
        found.set(whole, [...found.get(whole) ?? [], symbols.file.path]);
      }
    }
    return found;
  };
  const [gone, come] = [missingIn("oldOnes", "nowOnes"), missingIn("nowOnes", "oldOnes")];
  const moved = [...gone.keys()].filter((whole) => gone.get(whole)!.length === 1 && come.get(whole)?.length === 1);
  return { from: new Map(moved.map((whole) => [whole, gone.get(whole)![0]!])), to: new Map(moved.map((whole) => [whole, come.get(whole)![0]!])) };
}

function wholeOf(key: string, text: string): string {
  return `${key}\n${text}`;
}

/** `whole`: its path was asked for, so that it may take more room. */
function describe({ graph }: Codebase, { file, nodes, oldOnes, nowOnes }: Symbols, moves: Moves, includeContent: boolean, whole: boolean): FileChange {
  const { path, change, before, after, renamedFrom } = file;
  const { first, nowEnd } = changedLines(before.split("\n"), after.split("\n"));
  const ref = new Map([...nowOnes.keys()].map((key, i) => [key, refOf(graph, nodes[i]!)]));
  const shortRef = (key: string): NodeRef => {
    const { id, line } = ref.get(key)!;
    return present({ id, line });
  };
  const rest = `path ${path}`;
  const most = whole ? Infinity : MAX_SYMBOLS;
  // A file that only has another name now holds nothing new.
  const symbols = before === after ? {} : present({
    modified: cutSome([...nowOnes].filter(([key, text]) => oldOnes.has(key) && oldOnes.get(key) !== text), most, ([key]) => shortRef(key), rest),
    added: cutSome([...nowOnes].filter(([key]) => !oldOnes.has(key)), most, ([key, text]) => present({ ...shortRef(key), movedFrom: moves.from.get(wholeOf(key, text)) }), rest),
    removed: cutSome([...oldOnes].filter(([key]) => !nowOnes.has(key)), most, ([key, text]) => {
      const to = moves.to.get(wholeOf(key, text));
      return to === undefined ? key : `${key}, now in ${to}`;
    }, rest),
  });
  return present({
    file: path, change, renamedFrom,
    lines: before !== after && (change === "modified" || change === "renamed") ? [first + 1, Math.max(first + 1, nowEnd)] as [number, number] : undefined,
    symbols: Object.keys(symbols).length > 0 ? symbols : undefined,
    ...(includeContent && before !== after ? hunksOf(file, whole ? HUNK_LINES_OF_PATH : HUNK_LINES) : {}),
  });
}

/** What a unified diff says after its two lines of file names; of a file that went away nothing: git has it. */
function hunksOf({ path, change, before, after }: Changed, maxLines: number): Pick<FileChange, "hunks" | "moreLines" | "rest"> {
  if (change === "deleted") return {};
  const patch = structuredPatch(path, path, before, after, undefined, undefined, { context: 3, timeout: COMPARE, stripTrailingCr: true });
  if (!patch) return { hunks: "(too different to compare line by line)", rest: `read ${path}` };
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: own }) => [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...own]);
  const more = lines.length - maxLines;
  return { hunks: lines.slice(0, maxLines).join("\n"), ...(more > 0 ? { moreLines: more, rest: maxLines < HUNK_LINES_OF_PATH ? `path ${path}` : `read ${path}` } : {}) };
}

/** Where the two begin to differ, and where in the second that ends; lines from 0, ends exclusive. */
function changedLines(old: readonly string[], now: readonly string[]): { first: number; nowEnd: number } {
  let first = 0;
  while (first < old.length && first < now.length && old[first] === now[first]) first++;
  let oldEnd = old.length;
  let nowEnd = now.length;
  while (oldEnd > first && nowEnd > first && old[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd--;
    nowEnd--;
  }
  return { first, nowEnd };
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
