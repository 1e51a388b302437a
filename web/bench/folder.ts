/** A folder that is indexed in this thread and then edited, for benches of the engine alone. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseHere, repositoryOf } from "../test/codebase.ts";
import { findClusters } from "../src/engine/find-clusters.ts";
import { languageOf } from "../src/engine/languages/index.ts";
import { openWorkspace } from "../src/engine/pipeline.ts";
import type { Relations } from "../src/engine/relations.ts";
import type { Workspace } from "../src/engine/workspace.ts";

/** A folder's files under 1 MB, path -> text. */
export function filesOf(dir: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const path of readdirSync(dir, { recursive: true, encoding: "utf8" }).sort()) {
    const at = join(dir, path);
    const stat = statSync(at, { throwIfNoEntry: false });
    if (!/(^|\/)(node_modules|\.git)\//u.test(path) && stat?.isFile() && stat.size < 1e6) files[path] = readFileSync(at, "utf8");
  }
  return files;
}

export async function opened(files: Record<string, string>): Promise<Workspace> {
  const workspace = await openWorkspace({ repository: repositoryOf(files), parse: parseHere, findClusters });
  await workspace.warm();
  return workspace;
}

/** By language. */
const relationsOf = (of: Workspace): Map<unknown, Relations> => (of as unknown as { relations: Map<unknown, Relations> }).relations;

export interface Taken {
  ms: number;
  /** How many files were resolved again, of how many of the language. */
  redone: number;
}

/** Edits a file, or takes it away, and waits until the graph is the new one. */
export async function take(workspace: Workspace, path: string, text: string | undefined): Promise<Taken> {
  const language = languageOf(path, text ?? workspace.codebase!.files.text(path) ?? "");
  const started = performance.now();
  await workspace.update(text === undefined ? { files: [], removed: [path] } : { files: [{ path, text, bytes: text.length }], removed: [] }, parseHere);
  const ms = performance.now() - started;
  for (const [of, { redone }] of relationsOf(workspace)) if (of === language) return { ms, redone };
  return { ms, redone: 0 };
}

/** All relations in words, in order. */
export function told(workspace: Workspace): string[] {
  const words: string[] = [];
  for (const each of relationsOf(workspace).values()) {
    for (const path of workspace.codebase!.files.paths) {
      for (const { type, from, to, confidence, line, moreLines } of each.of(path)) {
        words.push(`${type} ${path}#${from.symbol} ${to.path}#${to.symbol} ${confidence} ${line} ${JSON.stringify(moreLines)}`);
      }
    }
  }
  return words.sort();
}
