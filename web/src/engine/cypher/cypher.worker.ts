/** The Worker around one database instance. */
import kuzu from "../../../build/kuzu/kuzu.js";
import { receiveCode, wasm } from "../../code.ts";
import { answer } from "./answer.ts";
import type { WorkerRequest } from "./messages.ts";
import { KuzuSession } from "./session.ts";

receiveCode<WorkerRequest>(() => {
  const session = KuzuSession.start(kuzu, async (imports) => WebAssembly.instantiateStreaming(await wasm("kuzu"), imports));
  // One after the other: a reply never overtakes another.
  let last: Promise<void> = Promise.resolve();
  return (request) => {
    last = last.then(async () => self.postMessage(await answer(session, request)));
  };
});
