import { version } from "../../package.json";
import { startWorker } from "../code.ts";
import type { Source } from "../messages.ts";
import { Cache } from "./cache.ts";
import { opfsStore } from "./cache-opfs.ts";
import { findClustersIn } from "./cluster-runner.ts";
import { collectGarbage } from "./collect.ts";
import { createDatabase } from "./cypher/database.ts";
import { Engine, type EngineParts } from "./engine.ts";
import { carrySearch, packSearch, prepareSearch, unpackSearch } from "./search.ts";
import { openFiles } from "./source-files.ts";
import { HubKeys, identifyHub, openHub } from "./source-hub.ts";
import { openZip } from "./source-zip.ts";
import { SourceError, type Repository } from "./source.ts";
import { tools } from "./tools/index.ts";

async function open(keys: HubKeys, source: Source, signal: AbortSignal, have?: Record<string, string>, revision?: string): Promise<Repository> {
  switch (source.kind) {
    case "hub": return openHub(source.url, keys, signal, have, revision);
    case "files": return openFiles(source.name, source.files);
    case "zip": return openZip(source.file);
    case "kept": throw new SourceError("What was picked here is not in this browser’s storage any more: it was too large for that, reloaded too soon, or left by another version of the app.");
  }
}

/** The engine of the app. `build` names this build of it, for what is kept; undefined where builds have no names. */
export function makeEngine(build: string | undefined, { parsers, tell }: Pick<EngineParts, "parsers" | "tell">): Engine {
  const database = createDatabase();
  const hubKeys = new HubKeys();
  return new Engine({
    producer: `gitnexus-mcp ${version}`,
    tools,
    open: (source, signal, have, revision) => open(hubKeys, source, signal, have, revision),
    admit: (key, storageKey) => hubKeys.set(key, storageKey),
    lost: () => hubKeys.end(),
    parsers,
    findClusters: (input, signal) => findClustersIn(() => startWorker("clusters"), input, signal),
    prepareSearch,
    carrySearch,
    packSearch,
    unpackSearch,
    ...(build === undefined ? {} : { cache: {
      of: new Cache(opfsStore, build, () => hubKeys.storage()),
      // Without a hub there is nothing to encrypt it with.
      key: async (source: Source, signal: AbortSignal) => {
        const key = await hubKeys.get(signal);
        return source.kind === "hub" ? identifyHub(source.url, key, signal) : source.keep;
      },
    } }),
    database,
    collectGarbage,
    tell,
  });
}
