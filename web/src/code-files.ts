/** Loads the code of all Workers, for code.ts. A new Worker adds its own here. */
import runtime from "web-tree-sitter/web-tree-sitter.wasm?url";
import kuzu from "../build/kuzu/kuzu.wasm?url";
import link from "./bridge/link.worker.ts?worker&url";
import clusters from "./engine/clusters.worker.ts?worker&url";
import cypher from "./engine/cypher/cypher.worker.ts?worker&url";
import engine from "./engine/engine.worker.ts?worker&url";
import grep from "./engine/grep/grep.worker.ts?worker&url";
import parser from "./engine/parser.worker.ts?worker&url";
import { grammarUrls } from "./engine/grammars.ts";
import arrange from "./ui/graph/arrange.worker.ts?worker&url";
import paint from "./ui/graph/paint.worker.ts?worker&url";
import type { Code } from "./code.ts";

const workers = { arrange, clusters, cypher, engine, grep, link, paint, parser };
const programs = { ...grammarUrls, kuzu, runtime };

/** By file name: what scripts/build.mjs writes into index.html. */
type Hashes = Record<string, string>;

/** Rejects when a file cannot be had, or is not the one of this build. */
export async function loadCode(): Promise<Code> {
  const hashes = JSON.parse(document.getElementById("code")?.textContent ?? "null") as Hashes | null;
  if (!hashes) return { build: undefined, workers, wasm: programs };
  const [scripts, wasm] = await Promise.all([loadAll(workers, "", hashes), loadAll(programs, ".gzip", hashes)]);
  return { build: nameOf(engine), workers: scripts, wasm };
}

async function loadAll<Name extends string>(urls: Partial<Record<Name, string>>, ending: string, hashes: Hashes): Promise<Partial<Record<Name, Blob>>> {
  const files = await Promise.all(Object.entries(urls as Record<string, string>).map(async ([name, url]) => [name, await load(url + ending, hashes)] as const));
  return Object.fromEntries(files) as Partial<Record<Name, Blob>>;
}

async function load(url: string, hashes: Hashes): Promise<Blob> {
  const integrity = hashes[nameOf(url)];
  // Without one the browser would check nothing.
  if (integrity === undefined) throw new Error(`${nameOf(url)} has no hash in index.html`);
  const response = await fetch(url, { integrity });
  if (!response.ok) throw new Error(`${nameOf(url)} could not be loaded: HTTP ${response.status}`);
  return response.blob();
}

function nameOf(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}
