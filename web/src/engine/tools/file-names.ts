/** From the paths that agents, and programs on other machines, have for files to the files. */
import type { Codebase } from "../codebase.ts";
import { indexOf } from "./codebase-index.ts";

/** `./src\a.ts`, `/src/a.ts` and `src/a.ts` are one path. */
export function normalPath(path: string): string {
  return path.trim().replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "");
}

/** Node indexes of the files with this path or, if there is none, with paths that end in it. */
export function filesEndingWith(codebase: Codebase, given: string): number[] {
  const { graph } = codebase;
  const path = normalPath(given);
  if (path === "") return [];
  const exact = graph.find(`File:${path}`);
  if (exact !== undefined) return [exact];
  const named = indexOf(codebase).filesByName.get(path.slice(path.lastIndexOf("/") + 1).toLowerCase()) ?? [];
  const ends = (wanted: string, of: (file: string) => string): number[] =>
    named.filter((node) => `/${of(graph.nodes[node]!.file)}`.endsWith(`/${wanted}`));
  const same = ends(path, (file) => file);
  if (same.length > 0) return same;
  const alike = ends(path.toLowerCase(), (file) => file.toLowerCase());
  if (alike.length > 0) return alike;
  const within = withinRepository(codebase, path);
  return within.length > 0 ? within : mountedElsewhere(codebase, path, named);
}

/** Folders of what is installed: a file there is none of ours, whatever it is called. */
const INSTALLED = /(?:^|\/)(?:node_modules|(?:site|dist)-packages|\.venv|\.cargo|rustc|pkg\/mod|gems|vendor|usr\/(?:lib|local\/(?:lib|go|rustup)))\//;

/** The same file below another folder: `/app/src/a.ts` in a container. Of several the one that has most of the path. */
function mountedElsewhere({ graph }: Codebase, path: string, named: readonly number[]): number[] {
  if (!path.includes("/") || INSTALLED.test(path)) return [];
  const all = named.filter((node) => `/${path}`.endsWith(`/${graph.nodes[node]!.file}`));
  const longest = Math.max(...all.map((node) => graph.nodes[node]!.file.length));
  return all.filter((node) => graph.nodes[node]!.file.length === longest);
}

/** A path on the user's machine goes through a folder of the repository's name; what follows is a path of ours. */
function withinRepository({ graph, name }: Codebase, path: string): number[] {
  const parts = path.split("/");
  for (let at = parts.indexOf(name); at >= 0; at = parts.indexOf(name, at + 1)) {
    const file = graph.find(`File:${parts.slice(at + 1).join("/")}`);
    if (file !== undefined) return [file];
  }
  return [];
}
