/**
 * The Worker around one database instance. The server knows its script by its name (assets/cypher*.js) and lets it,
 * and it alone, use eval: the database's glue code makes functions from text.
 */
import kuzu from "../../../build/kuzu/kuzu.js";
import wasmUrl from "../../../build/kuzu/kuzu.wasm?url";
import { answer } from "./answer.ts";
import type { WorkerReply, WorkerRequest } from "./messages.ts";
import { KuzuSession } from "./session.ts";

interface WorkerScope {
  onmessage: ((event: MessageEvent<WorkerRequest>) => void) | null;
  postMessage(message: WorkerReply): void;
}

const scope = self as unknown as WorkerScope;

const session = KuzuSession.start(kuzu, async (imports) => {
  const response = await fetch(wasmUrl);
  if (!response.ok) throw new Error(`the graph database's program could not be loaded: HTTP ${response.status}`);
  return WebAssembly.instantiateStreaming(response, imports);
});

// One after the other: a reply never overtakes another.
let last: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  last = last.then(async () => {
    scope.postMessage(await answer(session, data));
  });
};
