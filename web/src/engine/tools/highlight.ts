import type { Codebase } from "../codebase.ts";
import { ToolError, type ToolContext } from "../tools.ts";
import { present, refOf } from "./answers.ts";
import { optionalText, texts, type Arguments } from "./arguments.ts";
import { isColor } from "./colors.ts";
import { candidatesFor } from "./names.ts";
import { nearestNodes } from "./nearest.ts";

/** What the view takes when no colour is asked for. */
const DEFAULT_COLOR = "#f59e0b";
/** Nodes told of those that were meant: the asker knows them. */
const TOLD = 20;
const MAX_CANDIDATES = 5;

/**
 * Highlights nodes in the view: symbols and files themselves, of a cluster its members, of a process its steps.
 * [] clears. Ids that name nothing, or several things, are told and stop nothing; when none is left it is an error.
 */
export function highlight(args: Arguments, ctx: ToolContext): object {
  const { codebase } = ctx;
  const names = texts(args, "nodeIds");
  const color = colorOf(args);
  if (names.length === 0) {
    ctx.view({ type: "highlight", nodeIds: [], color });
    return { cleared: true };
  }
  const meant = meantBy(codebase, names);
  ctx.view({ type: "highlight", nodeIds: meant.withMembers.map((node) => codebase.graph.nodes[node]!.id), color });
  return { highlighted: meant.found.slice(0, TOLD).map((node) => refOf(codebase.graph, node)), color, ...tellMeant(meant) };
}

export function colorOf(args: Arguments): string {
  const color = optionalText(args, "color") ?? DEFAULT_COLOR;
  if (!isColor(color)) throw new ToolError(`"${color}" is no colour: give a hexadecimal one such as #e11d48, or a CSS name such as orange.`);
  return color;
}

export interface Meant {
  found: number[];
  /** With the members of clusters and the steps of processes. */
  withMembers: number[];
  /** With what was probably meant; `total` where there is more of it. */
  notFound: { name: string; candidates: object[]; total?: number; more?: number; rest?: string }[];
}

/** The nodes that names mean. Throws ToolError when none means exactly one. */
export function meantBy(codebase: Codebase, names: readonly string[]): Meant {
  const { graph } = codebase;
  const found = new Set<number>();
  const notFound: Meant["notFound"] = [];
  for (const name of new Set(names)) {
    const candidates = candidatesFor(codebase, name);
    if (candidates.length === 1) {
      found.add(candidates[0]!);
    } else {
      const near = candidates.length > 0 ? candidates : nearestNodes(codebase, name);
      notFound.push({ name, candidates: near.slice(0, MAX_CANDIDATES).map((node) => refOf(graph, node)), ...(near.length > MAX_CANDIDATES ? { total: near.length, more: near.length - MAX_CANDIDATES, rest: "search" } : {}) });
    }
  }
  if (found.size === 0) {
    throw new ToolError(`None of ${names.length === 1 ? `"${names[0]!}"` : `the ${names.length} ids`} names exactly one node, so nothing was shown.${notFound.some(({ candidates }) => candidates.length > 0) ? " The candidates are ids of what was probably meant." : " search finds nodes by topic."}`, { notFound });
  }
  return { found: [...found], withMembers: [...new Set([...found].flatMap((node) => [node, ...groupOf(codebase, node)]))], notFound };
}

/** The members of a cluster, the steps of a process. */
export function groupOf({ communities, processes }: Codebase, node: number): readonly number[] {
  return communities.find((c) => c.node === node)?.members ?? processes.find((p) => p.node === node)?.steps ?? [];
}

/** How many nodes there were when not all are told, and what names nothing. */
export function tellMeant({ found, notFound }: Pick<Meant, "found" | "notFound">): object {
  const more = found.length - TOLD;
  return present({ ...(more > 0 ? { total: found.length, more } : {}), notFound: notFound.length > 0 ? notFound : undefined });
}
