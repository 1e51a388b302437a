/** Builds a real Codebase in Node, for tests: the engine's own pipeline with the parser in this thread. */
import type { Codebase } from "../src/engine/codebase.ts";
import { findClusters } from "../src/engine/find-clusters.ts";
import { languageOf } from "../src/engine/languages/index.ts";
import { buildCodebase, type Parse } from "../src/engine/pipeline.ts";
import type { Repository } from "../src/engine/source.ts";
import { extract } from "./languages.ts";

/** Indexes a repository given as path -> text, exactly as the app would. */
export function codebaseOf(repo: Record<string, string>, name = "repo"): Promise<Codebase> {
  return buildCodebase({ repository: repositoryOf(repo, name), parse: parseHere, findClusters });
}

/** A repository in memory. */
export function repositoryOf(repo: Record<string, string | Uint8Array>, name = "repo"): Repository {
  const files = Object.entries(repo);
  return {
    name,
    expected: files.length,
    entries: (async function* () {
      for (const [path, content] of files) {
        await Promise.resolve();
        yield { path, bytes: typeof content === "string" ? new TextEncoder().encode(content) : content };
      }
    })(),
  };
}

/** Parses in this thread. */
export const parseHere: Parse = async (path, text, context) => {
  const language = languageOf(path, text);
  if (!language) return { reason: "in no known language" };
  return { facts: await extract(language, path, text, context) };
};
