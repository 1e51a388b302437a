import type { Codebase } from "../codebase.ts";
import { ToolError, type Tool } from "../tools.ts";
import { optionalNumber, text } from "./arguments.ts";
import { nearest } from "./distance.ts";
import { filesEndingWith, normalPath } from "./names.ts";
import { stemOf } from "./nearest.ts";

const MAX_CANDIDATES = 20;

/** A file, whole or some of its lines. */
export const read: Tool = (args, { codebase }) => {
  const path = resolvePath(codebase, text(args, "filePath"));
  const content = codebase.files.text(path)!;
  const starts = lineStarts(content);
  const totalLines = starts.length;
  const startLine = optionalNumber(args, "startLine") ?? 1;
  const endLine = optionalNumber(args, "endLine") ?? totalLines;
  const language = codebase.graph.nodes[codebase.graph.find(`File:${path}`) ?? -1]?.language ?? "";

  const has = `${path} has ${totalLines} ${totalLines === 1 ? "line" : "lines"}`;
  if (startLine < 1) throw new ToolError(`startLine is ${startLine}, and lines count from 1.`);
  if (startLine > endLine && optionalNumber(args, "endLine") !== undefined) {
    throw new ToolError(`startLine ${startLine} is after endLine ${endLine}. ${has}.`, { totalLines });
  }
  if (startLine > totalLines && !(totalLines === 0 && startLine === 1)) {
    throw new ToolError(`startLine ${startLine} is beyond the end: ${has}.`, { totalLines });
  }
  const last = Math.min(endLine, totalLines);
  return {
    file: path,
    ...(language || extensionOf(path) ? { language: language || extensionOf(path) } : {}),
    startLine: totalLines === 0 ? 0 : startLine,
    endLine: last,
    totalLines,
    content: totalLines === 0 ? "" : content.slice(starts[startLine - 1], last < totalLines ? starts[last] : undefined),
  };
};

/** The stored path that a path, the end of one, or a File id means. Throws ToolError. */
export function resolvePath(codebase: Codebase, given: string): string {
  const path = normalPath(given.replace(/^File:/, ""));
  if (codebase.files.text(path) !== undefined) return path;
  const found = filesEndingWith(codebase, path).map((node) => codebase.graph.nodes[node]!.file);
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    throw new ToolError(`"${given}" is ambiguous: ${found.length} files end in it. Give more of the path, as the candidates have it.`,
      { candidates: found.slice(0, MAX_CANDIDATES), total: found.length });
  }
  const skipped = codebase.skipped.find((file) => file.path === path || file.path.endsWith(`/${path}`));
  if (skipped) throw new ToolError(`${skipped.path} is in the repository but was not read: ${skipped.reason}.`);
  const inFolder = codebase.files.paths.filter((stored) => stored.startsWith(`${path}/`));
  if (inFolder.length > 0) {
    throw new ToolError(`${path} is a folder with ${inFolder.length} files. Name one of them.`, { candidates: inFolder.slice(0, MAX_CANDIDATES), total: inFolder.length });
  }
  const near = nearestPaths(codebase, path);
  throw new ToolError(`No file is called "${given}". ${near.length > 0 ? "Did you mean one of the candidates?" : "Use search or context with focus structure to find it."}`, near.length > 0 ? { candidates: near } : undefined);
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
