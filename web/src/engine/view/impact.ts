/** What a change of a node reaches, step by step, all of it and not what a model has room for. */
import type { Tool } from "../tools.ts";
import { checkpointOf } from "../tools/impact.ts";
import { number, oneOf, text } from "../tools/arguments.ts";
import { DEPENDENCE } from "../tools/codebase-index.ts";
import { resolveNode } from "../tools/names.ts";
import { reach } from "../tools/reach.ts";
import { cardOf, type Card } from "./symbol.ts";

export interface ImpactAnswer {
  target: Card;
  /** Nearest first. `via`: id of the node that it was reached from. */
  nodes: (Card & { depth: number; via: string; possible: boolean })[];
  /** How many there are at each depth, from 1. */
  totals: number[];
}

/** More than this is no picture. */
const LIMIT = 1_500;

export const viewImpact: Tool = async (args, { codebase, signal }): Promise<ImpactAnswer> => {
  const { graph } = codebase;
  const target = resolveNode(codebase, text(args, "id"));
  const { levels } = await reach(codebase, [target], {
    direction: oneOf({ direction: "upstream", ...args }, "direction", ["upstream", "downstream"]), maxDepth: number(args, "depth", 3), relationTypes: DEPENDENCE,
    minConfidence: number(args, "minConfidence", 0.5), includeTests: args["tests"] === true, checkpoint: checkpointOf(signal),
  });
  const nodes = levels.flat().slice(0, LIMIT).map(({ node, depth, via, confidence }) => ({ ...cardOf(codebase, node), depth, via: graph.nodes[via]!.id, possible: confidence < 0.695 }));
  return { target: cardOf(codebase, target), nodes, totals: levels.map((level) => level.length) };
};
