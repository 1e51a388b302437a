/**
 * The engine's thread. Where nothing is kept from an earlier visit the parsers start with it: they have to compile their code, and
 * are what a first load would wait for. Else they would take the processor from what opens the kept graph, which needs none.
 */
import { buildName, receiveCode, startWorker } from "../code.ts";
import type { Alive, EngineCommand } from "../messages.ts";
import { keepsAny } from "./cache-opfs.ts";
import { makeEngine } from "./engine-parts.ts";
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
  spawn: () => startWorker("parser"),
});

receiveCode<EngineCommand>(() => {
  let first: ParserPool | undefined = newParsers();
  const early = first;
  void keepsAny().then((any) => {
    if (!any) early.warm();
  });
  const engine = makeEngine(buildName(), {
    parsers: () => {
      const parsers = first ?? newParsers();
      first = undefined;
      return parsers;
    },
    tell: (event, transfer = []) => self.postMessage(event, { transfer }),
  });
  return (command) => void engine.handle(command);
});
