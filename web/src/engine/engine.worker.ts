/**
 * The engine's thread. The parsers start before the engine's own code is there: they have to fetch and compile theirs,
 * and are what a first load would wait for.
 */
import type { EngineCommand } from "../messages.ts";
import { ParserPool, poolSize } from "./parsers.ts";

const startParsers = (): ParserPool => new ParserPool({
  size: poolSize(navigator.hardwareConcurrency),
  // More would take longer to start than a small repository takes to be parsed.
  warm: 2,
  spawn: () => new Worker(new URL("./parser.worker.ts", import.meta.url), { type: "module" }),
});
let started: ParserPool | undefined = startParsers();

const engine = import("./engine-parts.ts").then(({ makeEngine }) => makeEngine(
  // The script's name changes with every build; under the development server it does not.
  import.meta.env.DEV ? undefined : import.meta.url.slice(import.meta.url.lastIndexOf("/") + 1),
  {
    parsers: () => {
      const parsers = started ?? startParsers();
      started = undefined;
      return parsers;
    },
    tell: (event, transfer = []) => self.postMessage(event, { transfer }),
  },
));
engine.catch(reportError);

self.onmessage = ({ data }: MessageEvent<EngineCommand>) => void engine.then((started) => started.handle(data), () => undefined);
