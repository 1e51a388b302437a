import type { Codebase } from "../codebase.ts";
import type { GraphNode } from "../graph.ts";
import { ToolError, type Tool } from "../tools.ts";
import { present, qualifiedName } from "./answers.ts";
import { flag, optionalNumber, text, type Arguments } from "./arguments.ts";
import { nearest } from "./distance.ts";
import { declaredField } from "./fields.ts";
import { filesEndingWith, normalPath } from "./file-names.ts";
import { candidatesFor, resolveNode } from "./names.ts";
import { stemOf } from "./nearest.ts";
import { answerOne, splitNames } from "./several.ts";

const MAX_CANDIDATES = 20;
/** Files, ranges and symbols of one call. */
const MAX_PARTS = 20;
const MAX_OUTLINE = 300;
/** Lines on both sides of one that is asked for alone. */
const AROUND = 15;
/** Of each of several symbols that a name may mean. */
const HEAD_LINES = 20;

/**
 * A file, whole or some of its lines; a symbol by name; several of them with commas between. With `outline` the heads of
 * what a file or type declares instead of its text.
 */
export const read: Tool = async (args, { codebase }) => {
  const given = text(args, "filePath");
  const outline = flag(args, "outline", false);
  const [first, ...others] = isPath(codebase, given) ? [given] : splitNames(given);
  if (others.length >= MAX_PARTS) throw new ToolError(`${others.length + 1} places are too many for one call: ask for ${MAX_PARTS} at most.`);
  const readPlace = (place: Place, lines: Arguments): object => (outline ? outlineOf(codebase, place) : readOne(codebase, place, lines));
  const readNamed = async (name: string, lines: Arguments): Promise<object> => {
    const place = placeOf(codebase, name);
    if (place) return readPlace(place, lines);
    return answerOne(codebase, name, (node, brief) => {
      const symbol = placeOfNode(codebase, node);
      return Promise.resolve(readPlace(symbol, brief ? { endLine: Math.min(symbol.endLine ?? Infinity, (symbol.startLine ?? 1) + HEAD_LINES - 1) } : lines));
    });
  };
  if (others.length === 0) return readNamed(first!, args);
  const parts: object[] = [];
  for (const name of [first!, ...others]) {
    parts.push(await readNamed(name, {}).catch((error: unknown) => {
      if (!(error instanceof ToolError)) throw error;
      return { name, error: error.message, ...error.details };
    }));
  }
  return { parts };
};

interface Place {
  path: string;
  startLine?: number;
  endLine?: number;
  /** Its index, where a symbol was named. */
  symbol?: number;
}

/** `src/a.ts`, `src/a.ts:10-40` and `src/a.ts:10`; undefined for the name of a symbol. Throws ToolError for what is neither. */
function placeOf(codebase: Codebase, name: string): Place | undefined {
  if (isPath(codebase, name)) return { path: resolvePath(codebase, name) };
  const [, path, from, to] = /^(.+):(\d+)(?:-(\d+)|:\d+)?$/.exec(name) ?? [];
  if (path !== undefined && isPath(codebase, path)) {
    const line = Number(from);
    return { path: resolvePath(codebase, path), ...(to === undefined ? { startLine: Math.max(1, line - AROUND), endLine: line + AROUND } : { startLine: line, endLine: Number(to) }) };
  }
  if (candidatesFor(codebase, name).length === 0) throw unknownPlace(codebase, name);
  return undefined;
}

function placeOfNode(codebase: Codebase, symbol: number): Place {
  const { id, file, line, startLine, endLine } = codebase.graph.nodes[symbol]!;
  return line === 0 ? { path: resolvePath(codebase, id) } : { path: file, startLine, endLine, symbol };
}

/** What is no symbol is a path that is wrong, and told of as one, unless it is a type's field or symbols alone resemble it. */
function unknownPlace(codebase: Codebase, name: string): ToolError {
  if (declaredField(codebase, name)) return errorOf(() => resolveNode(codebase, name));
  const wrong = errorOf(() => resolvePath(codebase, name));
  const asSymbol = wrong.details === undefined ? errorOf(() => resolveNode(codebase, name)) : wrong;
  return asSymbol.details === undefined ? wrong : asSymbol;
}

function errorOf(resolve: () => unknown): ToolError {
  try {
    resolve();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error("it resolves");
}

function isPath(codebase: Codebase, name: string): boolean {
  const path = normalPath(name.replace(/^File:/, ""));
  return codebase.files.text(path) !== undefined || filesEndingWith(codebase, path).length > 0;
}

function readOne(codebase: Codebase, place: Place, args: Arguments): object {
  const { path } = place;
  const content = codebase.files.text(path)!;
  const starts = lineStarts(content);
  const totalLines = starts.length;
  const startLine = optionalNumber(args, "startLine") ?? place.startLine ?? 1;
  const endLine = optionalNumber(args, "endLine") ?? place.endLine ?? totalLines;
  const language = codebase.graph.nodes[codebase.graph.find(`File:${path}`) ?? -1]?.language ?? "";

  const has = `${path} has ${totalLines} ${totalLines === 1 ? "line" : "lines"}`;
  if (startLine < 1) throw new ToolError(`startLine is ${startLine}, and lines count from 1.`);
  if (startLine > totalLines && !(totalLines === 0 && startLine === 1)) {
    throw new ToolError(`startLine ${startLine} is beyond the end: ${has}.`, { totalLines });
  }
  if (startLine > endLine && totalLines > 0) throw new ToolError(`startLine ${startLine} is after endLine ${endLine}. ${has}.`, { totalLines });
  const last = Math.min(endLine, totalLines);
  return {
    file: path,
    ...(place.symbol === undefined ? {} : { symbol: codebase.graph.nodes[place.symbol]!.id }),
    ...(language || extensionOf(path) ? { language: language || extensionOf(path) } : {}),
    startLine: totalLines === 0 ? 0 : startLine,
    endLine: last,
    totalLines,
    ...(place.symbol !== undefined && last < (place.endLine ?? last) ? { symbolEnds: place.endLine } : {}),
    content: totalLines === 0 ? "" : content.slice(starts[startLine - 1], last < totalLines ? starts[last] : undefined),
  };
}

/**
 * The heads of all symbols of a file, of those that lines of one have a part of, or of a type with its members, indented as they stand in each
 * other. `elsewhere` has by file the members that stand in others, as methods of Go do.
 */
function outlineOf({ graph }: Codebase, { path, startLine = 1, endLine = Infinity, symbol }: Place): object {
  const isMember = new Set(symbol === undefined ? [] : graph.out(symbol, "DEFINES").map((e) => graph.nodes[graph.to[e]!]!));
  const isInside = (node: GraphNode): boolean => (symbol === undefined ? node.startLine <= endLine && node.endLine >= startLine : node.startLine >= startLine && node.endLine <= endLine);
  const inside = graph.nodes.filter((node) => node.line > 0 && (node.file === path && isInside(node) || isMember.has(node)));
  const own = heads(inside.filter(({ file }) => file === path));
  const room = Math.max(0, MAX_OUTLINE - own.length);
  const others = inside.filter(({ file }) => file !== path);
  const elsewhere = Object.fromEntries([...new Set(others.slice(0, room).map(({ file }) => file))].map((file) => [file, heads(others.slice(0, room).filter((node) => node.file === file))]));
  const more = inside.length - Math.min(own.length, MAX_OUTLINE) - Math.min(others.length, room);
  return present({
    file: path, outline: own.slice(0, MAX_OUTLINE), elsewhere: others.length > 0 && room > 0 ? elsewhere : undefined,
    ...(more > 0 ? { more, rest: "a range of lines: `path:from-to`" } : {}),
    note: inside.length > 0 ? undefined : "No symbol of the graph stands there: read it without outline.",
  });
}

function heads(nodes: readonly GraphNode[]): string[] {
  const around: GraphNode[] = [];
  return [...nodes].sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine).map((node) => {
    while (around.length > 0 && (around.at(-1)!.endLine < node.endLine || around.at(-1)!.startLine === node.startLine && around.at(-1)!.endLine === node.endLine)) around.pop();
    const indent = "  ".repeat(around.length);
    around.push(node);
    return `${indent}${node.startLine}-${node.endLine}: ${node.signature || `${node.kind} ${qualifiedName(node)}`}`;
  });
}

/** The stored path that a path, the end of one, or a File id means. Throws ToolError. */
export function resolvePath(codebase: Codebase, given: string): string {
  const path = normalPath(given.replace(/^File:/, ""));
  if (codebase.files.text(path) !== undefined) return path;
  const found = filesEndingWith(codebase, path).map((node) => codebase.graph.nodes[node]!.file);
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    throw new ToolError(`"${given}" is ambiguous: ${found.length} files end in it. Give more of the path, as the candidates have it.`,
      { name: given, ...candidatesCut(found, "more of the path") });
  }
  const skipped = codebase.skipped.find((file) => file.path === path || file.path.endsWith(`/${path}`));
  if (skipped) throw new ToolError(`${skipped.path} is in the repository but was not read: ${skipped.reason}.`);
  const inFolder = codebase.files.paths.filter((stored) => stored.startsWith(`${path}/`));
  if (inFolder.length > 0) {
    throw new ToolError(`${path} is a folder with ${inFolder.length} files. Name one of them.`, candidatesCut(inFolder, `context with focus structure and path ${path}`));
  }
  const near = nearestPaths(codebase, path);
  throw new ToolError(`No file is called "${given}". ${near.length > 0 ? "Did you mean one of the candidates?" : "Use search or context with focus structure to find it."}`, near.length > 0 ? { candidates: near } : undefined);
}

function candidatesCut(paths: readonly string[], rest: string): Record<string, unknown> {
  const more = paths.length - MAX_CANDIDATES;
  return { candidates: paths.slice(0, MAX_CANDIDATES), total: paths.length, ...(more > 0 ? { more, rest } : {}) };
}

/** Files of nearly that name, those in a like folder first. */
function nearestPaths({ files }: Codebase, path: string): string[] {
  const nameOf = (stored: string): string => stemOf(stored.slice(stored.lastIndexOf("/") + 1));
  const byName = new Map<string, string[]>();
  for (const stored of files.paths) {
    const known = byName.get(nameOf(stored));
    if (known) known.push(stored);
    else byName.set(nameOf(stored), [stored]);
  }
  const parts = new Set(path.split("/"));
  const alike = (stored: string): number => stored.split("/").filter((part) => parts.has(part)).length;
  return nearest(nameOf(path), byName.keys(), 10)
    .flatMap((name) => [...byName.get(name)!].sort((a, b) => alike(b) - alike(a)))
    .slice(0, 10);
}

/** Where each line begins. A line end at the end of the text begins no further line. */
function lineStarts(content: string): number[] {
  if (content === "") return [];
  const starts = [0];
  for (let at = content.indexOf("\n"); at >= 0 && at + 1 < content.length; at = content.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** For files in none of our languages the ending says what they are. */
function extensionOf(path: string): string {
  return /[^/.]\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
