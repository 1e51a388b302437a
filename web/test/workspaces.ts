/** Workspaces that are edited, and compared with an index from the start. For property tests. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import type { Codebase } from "../src/engine/codebase.ts";
import { findClusters } from "../src/engine/find-clusters.ts";
import { openWorkspace, type Parse } from "../src/engine/pipeline.ts";
import type { Relations } from "../src/engine/relations.ts";
import type { Delta, Workspace } from "../src/engine/workspace.ts";
import { parseHere, repositoryOf } from "./codebase.ts";
import type { Files } from "./edits.ts";

/** How many edits are made of a repository; EDITS=1000 for a long run. */
export const EDITS = Number(process.env["EDITS"] ?? 4);
export const SEED = Number(process.env["SEED"] ?? 1);

const languagesFolder = new URL("../src/engine/languages/", import.meta.url).pathname;
const samplesFolder = new URL("../e2e/samples/", import.meta.url).pathname;
const chainsFolder = new URL("chains/", import.meta.url).pathname;

/** For a file's tests: makes a timer of 0 ms fire at once. In Node it takes 1 ms, and an index from the start has several. */
export function withoutRests(): void {
  beforeAll(() => {
    const original = setTimeout;
    vi.stubGlobal("setTimeout", (callback: () => void, ms = 0) => (ms > 0 ? original(callback, ms) : setImmediate(callback)));
  });
  afterAll(() => void vi.unstubAllGlobals());
}

/** Every fixture of every language, chains of meaning through several files, and the samples, as path -> text. */
export function repositories(): Map<string, Files> {
  const found = new Map<string, Files>();
  const folders = [...readdirSync(languagesFolder).map((language) => [language, join(languagesFolder, language, "fixtures")] as const), ["chains", chainsFolder] as const];
  for (const [title, folder] of folders) {
    for (const name of list(folder)) {
      const [, ...parts] = readFileSync(join(folder, name), "utf8").split(/^-- (.+) --\n/m);
      const files: Files = {};
      for (let i = 0; i < parts.length; i += 2) if (/[./]/.test(parts[i]!)) files[parts[i]!] = parts[i + 1]!;
      if (Object.keys(files).length > 0) found.set(`${title}/${name}`, files);
    }
  }
  for (const sample of readdirSync(samplesFolder)) {
    const root = join(samplesFolder, sample);
    const files: Files = {};
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      files[relative(root, path)] = readFileSync(path, "utf8");
    }
    found.set(`samples/${sample}`, files);
  }
  return found;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /\.(txt|txtar)$/.test(name));
  } catch {
    return [];
  }
}

/** All nodes and relations in words, sorted; without clusters and processes when they are not asked for. */
export function inWords({ graph, skipped, syntaxErrors, files }: Codebase, derived: boolean): string[] {
  const isDerived = (node: number): boolean => ["Community", "Process"].includes(graph.nodes[node]!.kind);
  const words = graph.nodes.flatMap((node, i) => (
    derived ? [JSON.stringify({ ...node, community: graph.nodes[graph.community[i]!]?.id })] : isDerived(i) ? [] : [JSON.stringify(node)]
  ));
  for (let e = 0; e < graph.edgeCount; e++) {
    const { from, to, type, confidence, line } = graph.edge(e);
    if (derived || !isDerived(to)) words.push(`${type} ${graph.nodes[from]!.id} -> ${graph.nodes[to]!.id} {"confidence":${confidence},"line":${line},"sites":[${graph.sites(e).join()}]}`);
  }
  return [...words.sort(), ...skipped.map((s) => JSON.stringify(s)), ...syntaxErrors.map((s) => JSON.stringify(s)), ...files.paths.map((path) => `${path} ${files.text(path)!.length}`)];
}

/** The nodes that clusters are found of, in their order, which decides between equals. */
export function order({ graph, communities, processes }: Codebase): string[] {
  return graph.nodes.slice(0, graph.nodes.length - communities.length - processes.length).map(({ id }) => id);
}

/** Of each text, once: what it says, and a copy, since what a language keeps of facts is for one workspace. */
const parsed = new Map<string, [here: ReturnType<Parse>, beside: ReturnType<Parse>]>();

function parsedOnce(path: string, text: string, context: unknown): [here: ReturnType<Parse>, beside: ReturnType<Parse>] {
  const key = `${path}\n${JSON.stringify(context)}\n${text}`;
  let both = parsed.get(key);
  if (!both) {
    const here = parseHere(path, text, context);
    parsed.set(key, (both = [here, here.then((result) => structuredClone(result))]));
  }
  return both;
}

/** Parses for the workspace that is edited. */
export const parse: Parse = (path, text, context) => parsedOnce(path, text, context)[0];
/** Parses for what it is compared with. */
export const parseBeside: Parse = (path, text, context) => parsedOnce(path, text, context)[1];

export const open = (files: Files): Promise<Workspace> => openWorkspace({ repository: repositoryOf(files), parse, findClusters });
export const beside = (files: Files): Promise<Workspace> => openWorkspace({ repository: repositoryOf(files), parse: parseBeside, findClusters });
/** Without clusters and processes, which take longer than some fixtures' relations. */
export const unclustered = (files: Files): Promise<Workspace> => (
  openWorkspace({ repository: repositoryOf(files), parse: parseBeside, findClusters: () => ({ communities: [], processes: [] }) })
);

/** What an index from the start finds but clusters and processes, in words. */
export async function indexed(files: Files): Promise<string[]> {
  return inWords((await unclustered(files)).codebase!, false);
}

export const relationsOf = (workspace: Workspace): Iterable<Relations> => (Reflect.get(workspace, "relations") as Map<unknown, Relations>).values();

export function difference(before: Files, after: Files): Delta {
  return {
    files: Object.entries(after).filter(([path, text]) => before[path] !== text).map(([path, text]) => ({ path, text, bytes: new TextEncoder().encode(text).length })),
    removed: Object.keys(before).filter((path) => !(path in after)),
  };
}

/** A text without each of its lines, and with each of its words that is taken called something else, one at a time. */
