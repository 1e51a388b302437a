import { version } from "../../package.json";
import type { EngineCommand, Source } from "../messages.ts";
import { Cache } from "./cache.ts";
import { opfsStore } from "./cache-opfs.ts";
import { createDatabase } from "./cypher/database.ts";
import { Engine } from "./engine.ts";
import { ParserPool, poolSize } from "./parsers.ts";
import { carrySearch, prepareSearch } from "./search.ts";
import { openFiles } from "./source-files.ts";
import { identifyHub, openHub } from "./source-hub.ts";
import { openZip } from "./source-zip.ts";
import type { Repository } from "./source.ts";
import { tools } from "./tools/index.ts";

function open(source: Source, signal: AbortSignal, have?: Record<string, string>): Promise<Repository> | Repository {
  switch (source.kind) {
    case "hub": return openHub(source.url, source.token, signal, have);
    case "files": return openFiles(source.name, source.files);
    case "zip": return openZip(source.file);
  }
}

const engine = new Engine({
  producer: `gitnexus-mcp ${version}`,
  tools,
  open: async (source, signal, have) => open(source, signal, have),
  parsers: () => new ParserPool({
    size: poolSize(navigator.hardwareConcurrency),
    spawn: () => new Worker(new URL("./parser.worker.ts", import.meta.url), { type: "module" }),
  }),
  prepareSearch,
  carrySearch,
  // The script's name changes with every build; under the development server it does not.
  ...(import.meta.env.DEV ? {} : { cache: {
    of: new Cache(opfsStore, import.meta.url.slice(import.meta.url.lastIndexOf("/") + 1)),
    key: async (source: Source, signal: AbortSignal) => (source.kind === "hub" ? identifyHub(source.url, source.token, signal) : undefined),
  } }),
  database: createDatabase(),
  tell: (event, transfer = []) => self.postMessage(event, { transfer }),
});

self.onmessage = ({ data }: MessageEvent<EngineCommand>) => void engine.handle(data);
