import { Language as Grammar } from "web-tree-sitter";
import runtime from "web-tree-sitter/web-tree-sitter.wasm?url";
import { collectGarbage } from "./collect.ts";
import { grammarUrls } from "./grammars.ts";
import type { ParseBatch, ParserReport } from "./parser-messages.ts";
import { FileParser } from "./parser.ts";
import { initParser } from "./tree-walk.ts";

/** As Grammar.load does, which keeps a second copy of what it fetches until that is collected. */
async function load(url: string): Promise<Grammar> {
  return Grammar.loadSync(await WebAssembly.compileStreaming(fetch(url)));
}

const report = (message: ParserReport): void => self.postMessage(message);

const ready = initParser({ locateFile: () => runtime }).then(
  () => {
    report({ type: "ready" });
    return new FileParser((name) => {
      const url = grammarUrls[name];
      return url === undefined ? Promise.reject(new Error("it is not part of the app")) : load(url);
    });
  },
  (error: unknown) => {
    report({ type: "unusable", reason: error instanceof Error ? error.message : String(error) });
    return undefined;
  },
);

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

// Batches one after the other, whatever a batch waits for.
let last: Promise<void> = Promise.resolve();
self.onmessage = ({ data }: MessageEvent<ParseBatch>) => {
  clearTimeout(idle);
  void ready.then((parser) => parser?.prepare(data.files));
  last = last.then(async () => {
    const parser = await ready;
    if (!parser) return;
    for (const file of data.files) {
      report(await parser.parse(file));
      parsed += file.text.length;
    }
    clearTimeout(idle);
    idle = setTimeout(giveBack, IDLE);
  });
};
