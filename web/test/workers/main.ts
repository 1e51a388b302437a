/** Gives a browser test the graph database and the search Worker, on a codebase of any size. */
import kuzu from "../../build/kuzu/kuzu.wasm?url";
import { setCode } from "../../src/code.ts";
import { collectGarbage } from "../../src/engine/collect.ts";
import cypher from "../../src/engine/cypher/cypher.worker.ts?worker&url";
import { createDatabase } from "../../src/engine/cypher/database.ts";
import grep from "../../src/engine/grep/grep.worker.ts?worker&url";
import type { ToolContext } from "../../src/engine/tools.ts";
import { tools } from "../../src/engine/tools/index.ts";
import { handmade } from "../graphs.ts";

export interface Lab {
  /** Loads a graph of functions that call each other; resolves to the milliseconds and the longest wait of this thread. */
  load(nodes: number, edges: number): Promise<{ ms: number; longestWait: number }>;
  /** Runs a tool; resolves to its answer or the error's message, and the milliseconds. */
  call(name: string, args: Record<string, unknown>, limitMs: number): Promise<{ answer?: unknown; error?: string; ms: number }>;
  /** Whether what nobody holds is gone: with collectGarbage, or without. */
  forgets(collecting: boolean): Promise<boolean>;
}

setCode({ build: undefined, workers: { cypher, grep }, wasm: { kuzu } });
const database = createDatabase();
const text = `${"a".repeat(40)}!\nneedle in hay\n`;
let codebase = handmade([], []);

const lab: Lab = {
  async load(nodes, edges) {
    const names = Array.from({ length: nodes }, (_, i) => `n${i}`);
    const graph = handmade(names, Array.from({ length: edges }, (_, i) => ({ from: `n${i % nodes}`, to: `n${(i * 7919 + 13) % nodes}`, line: 1 + i % 500 })));
    codebase = { ...graph, files: { paths: ["f.txt"], text: () => text } };
    let longestWait = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longestWait = Math.max(longestWait, performance.now() - last);
      last = performance.now();
    }, 1);
    const started = performance.now();
    await database.load(codebase);
    clearInterval(timer);
    return { ms: performance.now() - started, longestWait };
  },
  async call(name, args, limitMs) {
    const started = performance.now();
    const context: ToolContext = {
      codebase, clustered: () => Promise.resolve(codebase), signal: new AbortController().signal, deadline: Date.now() + limitMs, agent: "", progress: () => undefined, view: () => undefined, revision: () => Promise.reject(new Error("no history here")),
      cypher: (...query) => database.query(...query),
    };
    try {
      return { answer: await tools[name]!(args, context), ms: performance.now() - started };
    } catch (error) {
      return { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error), ms: performance.now() - started };
    }
  },
  async forgets(collecting) {
    const held = new WeakRef({});
    // What is made in a turn stays until its end.
    await new Promise((resolve) => setTimeout(resolve));
    if (collecting) collectGarbage();
    return held.deref() === undefined;
  },
};
Object.assign(window, { lab });
