import { ToolError, type Tool } from "../tools.ts";
import { refOf } from "./answers.ts";
import { optionalText, texts } from "./arguments.ts";
import { isColor } from "./colors.ts";
import { candidateOf, candidatesFor, nearestNodes } from "./names.ts";

/** What the view takes when no colour is asked for. */
export const DEFAULT_COLOR = "#f59e0b";

/**
 * Highlights nodes in the view: symbols and files themselves, of a cluster its members, of a process its steps.
 * [] clears. Ids that name nothing, or several things, are told and stop nothing; when none is left it is an error.
 */
export const highlight: Tool = (args, ctx) => {
  const names = texts(args, "nodeIds");
  const color = optionalText(args, "color") ?? DEFAULT_COLOR;
  if (!isColor(color)) throw new ToolError(`"${color}" is no colour: give a hexadecimal one such as #e11d48, or a CSS name such as orange.`);
  if (names.length === 0) {
    ctx.highlight([], color);
    return { cleared: true };
  }

  const { codebase } = ctx;
  const { graph, communities, processes } = codebase;
  const found = new Set<number>();
  const notFound: { name: string; candidates: object[] }[] = [];
  for (const name of new Set(names)) {
    const candidates = candidatesFor(codebase, name);
    if (candidates.length === 1) {
      found.add(candidates[0]!);
    } else {
      const near = candidates.length > 0 ? candidates : nearestNodes(codebase, name);
      notFound.push({ name, candidates: near.slice(0, 5).map((node) => candidateOf(graph.nodes[node]!)) });
    }
  }
  if (found.size === 0) {
    throw new ToolError(`None of ${names.length === 1 ? `"${names[0]!}"` : `the ${names.length} ids`} names exactly one node, so nothing was highlighted. details.notFound has what was probably meant.`, { notFound });
  }

  const nodes = [...found].flatMap((node) => {
    const group = communities.find((c) => c.node === node)?.members ?? processes.find((p) => p.node === node)?.steps;
    return group ? [node, ...group] : [node];
  });
  ctx.highlight([...new Set(nodes)].map((node) => graph.nodes[node]!.id), color);
  return {
    highlighted: [...found].map((node) => refOf(graph, node)),
    color,
    ...(notFound.length > 0 ? { notFound } : {}),
  };
};
