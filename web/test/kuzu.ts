/** The graph database in this thread, for tests in Node: the same program as in the app, without its Workers. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { answer } from "../src/engine/cypher/answer.ts";
import type { CypherWorker, WorkerReply, WorkerRequest } from "../src/engine/cypher/messages.ts";
import { KuzuSession } from "../src/engine/cypher/session.ts";

const folder = fileURLToPath(new URL("../build/kuzu/", import.meta.url));
let wasm: Promise<WebAssembly.Module> | undefined;
let instances = 0;

function compile(): Promise<WebAssembly.Module> {
  execFileSync(process.execPath, [fileURLToPath(new URL("../scripts/extract-kuzu.mjs", import.meta.url))]);
  return WebAssembly.compile(readFileSync(`${folder}kuzu.wasm`));
}

/** A new instance. The script keeps its state in its module, so each gets a module of its own. */
export async function startSession(): Promise<KuzuSession> {
  wasm ??= compile();
  const module = await wasm;
  const { default: kuzu } = await import(/* @vite-ignore */ `${folder}kuzu.js?instance=${++instances}`) as typeof import("../build/kuzu/kuzu.js");
  return KuzuSession.start(kuzu, async (imports) => ({ module, instance: await WebAssembly.instantiate(module, imports) }));
}

/** Answers as cypher.worker.ts does, in this thread. */
export class InThreadWorker implements CypherWorker {
  onmessage: CypherWorker["onmessage"] = null;
  onerror: CypherWorker["onerror"] = null;
  terminated = false;
  private last: Promise<void> = Promise.resolve();
  private readonly session: Promise<KuzuSession>;

  constructor(start: () => Promise<KuzuSession> = startSession) {
    this.session = start();
    this.session.catch(() => undefined);
  }

  postMessage(request: WorkerRequest): void {
    this.last = this.last.then(async () => {
      const reply: WorkerReply = await answer(this.session, structuredClone(request));
      if (!this.terminated) this.onmessage?.({ data: structuredClone(reply) } as MessageEvent<WorkerReply>);
    });
  }

  terminate(): void {
    this.terminated = true;
  }
}
