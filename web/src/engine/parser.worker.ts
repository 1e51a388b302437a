import { Language as Grammar } from "web-tree-sitter";
import { receiveCode, wasm } from "../code.ts";
import { collectGarbage } from "./collect.ts";
import type { GrammarName } from "./language.ts";
import type { ParseBatch, ParserReport } from "./parser-messages.ts";
import { FileParser } from "./parser.ts";
import { initParser } from "./tree-walk.ts";

async function load(name: GrammarName): Promise<Grammar> {
  return Grammar.loadSync(await WebAssembly.compileStreaming(await wasm(name)));
}

const report = (message: ParserReport): void => self.postMessage(message);

async function start(): Promise<FileParser | undefined> {
  try {
    // A Worker from a Blob has no address that a file could be located by.
    await initParser({ wasmBinary: await (await wasm("runtime")).arrayBuffer(), locateFile: () => "" });
  } catch (error) {
    report({ type: "unusable", reason: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
  report({ type: "ready" });
  return new FileParser(load);
}

/** When there has been nothing to parse for this long, what was parsed is given back, in milliseconds. */
const IDLE = 500;
/** But not what a few edits leave, in UTF-16 units of text: with the garbage goes compiled code, and the next file takes several times as long. */
const LITTLE = 1 << 20;
let idle: ReturnType<typeof setTimeout> | undefined;
let parsed = 0;

function giveBack(): void {
  if (parsed < LITTLE) return;
  parsed = 0;
  collectGarbage();
}

receiveCode<ParseBatch>(() => {
  const ready = start();
  // Batches one after the other, whatever a batch waits for.
  let last: Promise<void> = Promise.resolve();
  return ({ files }) => {
    clearTimeout(idle);
    void ready.then((parser) => parser?.prepare(files));
    last = last.then(async () => {
      const parser = await ready;
      if (!parser) return;
      for (const file of files) {
        report(await parser.parse(file));
        parsed += file.text.length;
      }
      clearTimeout(idle);
      idle = setTimeout(giveBack, IDLE);
    });
  };
});
