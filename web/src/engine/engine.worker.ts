/**
 * The engine's thread. Where nothing is kept from an earlier visit the parsers start before the engine's own code is there:
 * they have to fetch and compile theirs, and are what a first load would wait for. Else they would take the processor from
 * what opens the kept graph, which needs none.
 */
import "../trusted.ts";
import type { Alive, EngineCommand } from "../messages.ts";
import { keepsAny } from "./cache-opfs.ts";
import { ParserPool, poolSize } from "./parsers.ts";

const alive: Alive = { type: "alive", lock: `gitnexus-engine-${crypto.randomUUID()}` };
void navigator.locks.request(alive.lock, () => {
  self.postMessage(alive);
  return new Promise<never>(() => undefined);
});

const newParsers = (): ParserPool => new ParserPool({
  size: poolSize(navigator.hardwareConcurrency),
  // More would take longer to start than a small repository takes to be parsed.
  warm: 2,
  spawn: () => new Worker(new URL("./parser.worker.ts", import.meta.url), { type: "module" }),
});
let first: ParserPool | undefined = newParsers();
const early = first;
void keepsAny().then((any) => {
  if (!any) early.warm();
});

const engine = import("./engine-parts.ts").then(({ makeEngine }) => makeEngine(
  // The script's name changes with every build; under the development server it does not.
  import.meta.env.DEV ? undefined : import.meta.url.slice(import.meta.url.lastIndexOf("/") + 1),
  {
    parsers: () => {
      const parsers = first ?? newParsers();
      first = undefined;
      return parsers;
    },
    tell: (event, transfer = []) => self.postMessage(event, { transfer }),
  },
));
engine.catch(reportError);

self.onmessage = ({ data }: MessageEvent<EngineCommand>) => void engine.then((started) => started.handle(data), () => undefined);
