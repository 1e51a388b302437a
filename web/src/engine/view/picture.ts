/** Small pictures of answers, with positions, for hosts that show them in the chat. */
import type { Codebase } from "../codebase.ts";
import { EDGE_TYPES, type EdgeType } from "../graph.ts";
import { SURE } from "../summary.ts";
import { ToolError, type Tool } from "../tools.ts";
import { count, present, qualifiedName } from "../tools/answers.ts";
import { flag, number, oneOf, optionalText, text, type Arguments } from "../tools/arguments.ts";
import { DEPENDENCE, indexOf } from "../tools/codebase-index.ts";
import { block, linesIn } from "../tools/excerpts.ts";
import { symbolsFor } from "../tools/explore-question.ts";
import { checkpointOf } from "../tools/impact.ts";
import { candidatesFor, resolveCommunity, resolveNode, resolveProcess } from "../tools/names.ts";
import { crossCalls } from "../tools/overview.ts";
import { shortestPath } from "../tools/paths.ts";
import { partsOf, reach } from "../tools/reach.ts";
import { splitNames } from "../tools/several.ts";
import { placeBubbles, placeColumns } from "./picture-layout.ts";

export interface PictureNode {
  id: string;
  name: string;
  kind: string;
  file: string;
  line: number;
  /** In columns and rows; in a map in units of which the radius is one. */
  x: number;
  y: number;
  /** Radius of a cluster. */
  r?: number;
  /** The picture is about it. */
  main?: true;
  test?: true;
  /** How many symbols it stands for: those of a file, or the members of a cluster. */
  count?: number;
  /** The line of code that calls the next node. */
  code?: string;
}

export interface Picture {
  /** `chain`: one node a row. `map`: clusters as circles. */
  layout: "columns" | "chain" | "map";
  title: string;
  /** The figures in a few words. */
  about: string;
  /** Titles of the columns, from left to right. */
  heads?: string[];
  nodes: PictureNode[];
  /** Three numbers an edge: from, to (indexes into `nodes`), and how often it calls; 0 for an edge that is only possible. */
  edges: number[];
}

/** What a chat has room for. */
const MAX_NODES = 200;
/** A column with more symbols shows their files instead. */
const ROWS = 24;
const CLUSTERS = 16;
const CHAIN = 30;
const PROCESSES = 6;
const QUESTION = 8;
const AROUND = 3;
const LINE = 120;

/** The picture of a tool's answer; takes the tool's name as `tool`, beside its arguments. */
export const graphPicture: Tool = async (args, { codebase, clustered, signal }): Promise<Picture> => {
  switch (oneOf(args, "tool", ["impact", "trace_flow", "overview", "explore"])) {
    case "impact": return impactPicture(codebase, args, signal);
    case "overview": return overviewPicture(await clustered());
    case "trace_flow": return args.to === undefined ? flowsPicture(await clustered(), args) : pathPicture(codebase, args);
    case "explore":
      if (args.type === "cluster" || /^Community:/.test(text(args, "name"))) return clusterPicture(await clustered(), text(args, "name"));
      if (args.type === "process" || /^Process:/.test(text(args, "name"))) return processPicture(await clustered(), text(args, "name"));
      return explorePicture(codebase, text(args, "name"), args.type === undefined);
  }
};

/** What a node of a picture stands for: one symbol or file, or several symbols of one file. */
interface Item {
  id: string;
  nodes: number[];
  column: number;
  main?: true;
  file?: string;
}

/** What names mean, as the tools take them: of an ambiguous name the first few, code before tests. */
function targetsOf(codebase: Codebase, given: string): number[] {
  const { graph } = codebase;
  const names = candidatesFor(codebase, given).length > 0 ? [given] : splitNames(given);
  return [...new Set(names.flatMap((name) => {
    const found = candidatesFor(codebase, name);
    if (found.length === 0) return [resolveNode(codebase, name)];
    return [...found].sort((a, b) => Number(graph.nodes[a]!.test) - Number(graph.nodes[b]!.test) || a - b).slice(0, AROUND);
  }))];
}

function nameOf({ graph }: Codebase, targets: readonly number[]): string {
  const name = qualifiedName(graph.nodes[targets[0]!]!);
  return targets.length > 1 ? `${name} and ${count(targets.length - 1, "other")}` : name;
}

async function impactPicture(codebase: Codebase, args: Arguments, signal: AbortSignal): Promise<Picture> {
  const { graph } = codebase;
  const targets = targetsOf(codebase, text(args, "target"));
  const direction = oneOf({ direction: "upstream", ...args }, "direction", ["upstream", "downstream"]);
  const { levels } = await reach(codebase, targets, {
    direction, maxDepth: number(args, "maxDepth", 3), relationTypes: DEPENDENCE, minConfidence: number(args, "minConfidence", 0.7),
    includeTests: flag(args, "includeTests", false), checkpoint: checkpointOf(signal),
  });
  const side = direction === "upstream" ? -1 : 1;
  const shown = levels.slice(0, Math.floor(MAX_NODES / ROWS) - 1);
  const columns = new Map(shown.map((level, i) => [side * (i + 1), level.map(({ node }) => node)]));
  columns.set(0, targets);
  const reached = levels.flat();
  const steps = (n: number): string => (n === 1 ? "direct" : `${n} steps`);
  const heads = [...columns.keys()].sort((a, b) => a - b).map((column) => (column === 0 ? "" : `${steps(Math.abs(column))} · ${columns.get(column)!.length}`));
  // By depth the way that leads to each, and the other relations between neighbouring columns.
  const links = shown.flat().flatMap(({ node, via, edge }) => (edge >= 0 ? [] : [direction === "upstream" ? [node, via] as const : [via, node] as const]));
  return {
    layout: "columns",
    title: `${direction === "upstream" ? "What depends on" : "What is used by"} ${nameOf(codebase, targets)}`,
    about: reached.length === 0 ? "nothing that the graph knows of"
      : `${count(reached.length, "symbol")} in ${count(new Set(reached.map(({ node }) => graph.nodes[node]!.file)).size, "file")}`,
    heads,
    ...inColumns(codebase, columns, new Set(targets), { types: DEPENDENCE, minConfidence: number(args, "minConfidence", 0.7), links }),
  };
}

/** A question, names, or one symbol: what matters in the middle, who uses it on the left, what it uses on the right. */
function explorePicture(codebase: Codebase, name: string, isQuestion: boolean): Picture {
  const { graph } = codebase;
  const middle = isQuestion ? symbolsFor(codebase, name).slice(0, QUESTION) : targetsOf(codebase, name);
  if (middle.length === 0) throw new ToolError(`Nothing has the words of "${name}".`);
  const own = new Set(middle.flatMap((node) => [...partsOf(graph, node)]));
  const test = middle.some((node) => graph.nodes[node]!.test);
  const { connections } = indexOf(codebase);
  const neighbours = (way: "in" | "out"): number[] => {
    const found = new Set<number>();
    for (const node of own) {
      for (const type of DEPENDENCE) {
        for (const e of way === "in" ? graph.in(node, type) : graph.out(node, type)) {
          const other = way === "in" ? graph.from[e]! : graph.to[e]!;
          if (!own.has(other) && graph.confidence[e]! >= SURE - 1e-6 && (test || !graph.nodes[other]!.test)) found.add(other);
        }
      }
    }
    return [...found].sort((a, b) => connections[b]! - connections[a]! || a - b);
  };
  const users = neighbours("in");
  const used = neighbours("out").filter((node) => !users.includes(node));
  // Around several symbols only what is best connected.
  const cut = (list: number[]): number[] => (middle.length > 1 ? list.slice(0, ROWS / 2) : list);
  const columns = new Map([[-1, cut(users)], [0, middle], [1, cut(used)]].filter(([, nodes]) => (nodes as number[]).length > 0) as [number, number[]][]);
  const heads = [...columns.keys()].sort((a, b) => a - b).map((column) => (column < 0 ? `used by ${users.length}` : column > 0 ? `uses ${used.length}` : ""));
  return {
    layout: "columns",
    title: isQuestion && middle.length > 1 ? `“${name.length > 60 ? `${name.slice(0, 60)}…` : name}”` : `Around ${nameOf(codebase, middle)}`,
    about: `used by ${users.length}, uses ${used.length}`,
    heads,
    ...inColumns(codebase, columns, new Set(middle), { types: DEPENDENCE, minConfidence: SURE, links: [] }),
  };
}

/** The members of a cluster, callers before those that they call. */
function clusterPicture(codebase: Codebase, name: string): Picture {
  const { graph } = codebase;
  const community = resolveCommunity(codebase, name);
  const members = community.members.filter((node) => !graph.nodes[node]!.test).slice(0, 3 * ROWS);
  const inside = new Set(members);
  const called = (node: number, by: (from: number) => boolean): boolean => graph.in(node, "CALLS").some((e) => graph.confidence[e]! >= SURE - 1e-6 && by(graph.from[e]!));
  const entries = members.filter((node) => called(node, (from) => !inside.has(from) && !graph.nodes[from]!.test) || !called(node, (from) => inside.has(from) && from !== node));
  const columns = new Map<number, number[]>();
  const seen = new Set(entries);
  for (let column = 0, level = entries; level.length > 0; column++) {
    columns.set(Math.min(column, 3), [...(columns.get(Math.min(column, 3)) ?? []), ...level]);
    level = [...new Set(level.flatMap((node) => graph.out(node, "CALLS").map((e) => graph.to[e]!)))].filter((node) => inside.has(node) && !seen.has(node));
    for (const node of level) seen.add(node);
  }
  const left = members.filter((node) => !seen.has(node));
  if (left.length > 0) columns.set(0, [...(columns.get(0) ?? []), ...left]);
  return {
    layout: "columns", title: community.label,
    about: `${count(community.members.length, "symbol")} in ${count(new Set(community.members.map((node) => graph.nodes[node]!.file)).size, "file")}`,
    heads: [...columns.keys()].sort((a, b) => a - b).map((column) => (column === 0 ? "where others enter" : "")),
    ...inColumns(codebase, columns, new Set(), { types: ["CALLS"], minConfidence: SURE, links: [] }),
  };
}

/** The processes through a symbol as one picture; where there are none, what is around it. */
function flowsPicture(codebase: Codebase, args: Arguments): Picture {
  const { graph } = codebase;
  const name = text(args, "from");
  const [target] = targetsOf(codebase, name);
  const { processesOf } = indexOf(codebase);
  const found = new Set([...partsOf(graph, target!)].flatMap((part) => processesOf(part)).map(({ process }) => process));
  const flows = [...found].sort((a, b) => a.node - b.node).slice(0, PROCESSES);
  if (flows.length === 0) return explorePicture(codebase, graph.nodes[target!]!.id, false);
  if (flows.length === 1) return { ...chain(codebase, flows[0]!.steps, new Set([target!])), title: flows[0]!.label };
  const at = new Map<number, number>();
  for (const { steps } of flows) steps.forEach((node, step) => at.set(node, Math.max(at.get(node) ?? 0, step)));
  const columns = new Map<number, number[]>();
  for (const [node, step] of at) columns.set(step, [...(columns.get(step) ?? []), node]);
  const links = flows.flatMap(({ steps }) => steps.slice(1).map((to, i) => [steps[i]!, to] as const));
  return {
    layout: "columns", title: `Flows through ${nameOf(codebase, [target!])}`,
    about: found.size > flows.length ? `${flows.length} of ${found.size} flows` : count(found.size, "flow"),
    heads: [...columns.keys()].sort((a, b) => a - b).map((step) => `step ${step + 1}`),
    ...inColumns(codebase, columns, new Set([target!]), { types: [], minConfidence: 0, links }),
  };
}

function processPicture(codebase: Codebase, name: string): Picture {
  const process = resolveProcess(codebase, name);
  return { ...chain(codebase, process.steps, new Set()), title: process.label };
}

function pathPicture(codebase: Codebase, args: Arguments): Picture {
  const { graph } = codebase;
  const [from, to] = [targetsOf(codebase, text(args, "from")), targetsOf(codebase, optionalText(args, "to") ?? "")];
  const parts = (nodes: readonly number[]): Set<number> => new Set(nodes.flatMap((node) => [...partsOf(graph, node)]));
  const test = [...from, ...to].some((node) => graph.nodes[node]!.test);
  const find = (minConfidence: number) => shortestPath(graph, parts(from), parts(to), { maxCalls: number(args, "maxSteps", 10), minConfidence, through: (node) => test || !graph.nodes[node]!.test }).path;
  const path = find(0.5) ?? find(0);
  if (!path) throw new ToolError(`No calls lead from ${nameOf(codebase, from)} to ${nameOf(codebase, to)}.`);
  return chain(codebase, path.nodes, new Set([path.nodes[0]!, path.nodes.at(-1)!]));
}

function chain(codebase: Codebase, steps: readonly number[], main: ReadonlySet<number>): Picture {
  const { graph } = codebase;
  const shown = steps.slice(0, CHAIN);
  const calls = shown.map((node, i) => graph.out(node).find((e) => graph.to[e] === shown[i + 1] && ["CALLS", "HANDLES"].includes(EDGE_TYPES[graph.type[e]!]!)));
  return {
    layout: "chain",
    title: `${qualifiedName(graph.nodes[steps[0]!]!)} → ${qualifiedName(graph.nodes[steps.at(-1)!]!)}`,
    about: `${count(steps.length, "step")} in ${count(new Set(steps.map((node) => graph.nodes[node]!.file)).size, "file")}`,
    nodes: shown.map((node, i) => {
      const [site] = calls[i] === undefined ? [] : graph.sites(calls[i]);
      const code = site === undefined ? "" : (linesIn(codebase, graph.nodes[node]!.file)[site - 1] ?? "").trim().slice(0, LINE);
      return present({ ...cardAt(codebase, node, 0, i), main: main.has(node) ? true as const : undefined, code: code === "" ? undefined : `${site}: ${code}` });
    }),
    edges: shown.slice(1).flatMap((_, i) => [i, i + 1, calls[i] !== undefined && graph.confidence[calls[i]]! < SURE - 1e-6 ? 0 : 1]),
  };
}

function overviewPicture(codebase: Codebase): Picture {
  const { graph, communities } = codebase;
  const shown = communities.slice(0, CLUSTERS);
  const at = new Map(shown.map(({ label }, i) => [label, i]));
  const edges = crossCalls(codebase).flatMap(({ from, to, calls }) => {
    const [a, b] = [at.get(from), at.get(to)];
    return a === undefined || b === undefined ? [] : [a, b, calls];
  });
  const places = placeBubbles(shown.map(({ members }) => members.length), edges);
  return {
    layout: "map", title: `The parts of ${codebase.name}`,
    about: communities.length > shown.length ? `the ${shown.length} largest of ${communities.length} clusters` : count(communities.length, "cluster"),
    nodes: shown.map(({ node, label, members }, i) => ({ id: graph.nodes[node]!.id, name: label, kind: "Community", file: "", line: 0, ...places[i]!, count: members.length })),
    edges,
  };
}

function cardAt({ graph }: Codebase, index: number, x: number, y: number): PictureNode {
  const node = graph.nodes[index]!;
  return { id: node.id, name: qualifiedName(node), kind: node.kind, file: node.file, line: node.line, x, y, ...(node.test ? { test: true } : {}) };
}

interface Relations {
  types: readonly EdgeType[];
  minConfidence: number;
  /** Relations that are no edges, or all there are. */
  links: readonly (readonly [number, number])[];
}

/** Nodes by column, those of a full column by file, and the relations between neighbouring columns. */
function inColumns(codebase: Codebase, columns: ReadonlyMap<number, readonly number[]>, main: ReadonlySet<number>, relations: Relations): Pick<Picture, "nodes" | "edges"> {
  const { graph } = codebase;
  const items = [...columns].flatMap(([column, nodes]) => itemsOf(codebase, nodes, column, main));
  const itemOf = new Map<number, number>();
  items.forEach(({ nodes }, i) => {
    for (const node of nodes) itemOf.set(node, i);
  });
  // A type stands for its members: a call of one is a relation of the type.
  items.forEach(({ nodes, main: isMain }, i) => {
    if (isMain) for (const node of nodes) for (const part of partsOf(graph, node)) if (!itemOf.has(part)) itemOf.set(part, i);
  });
  const found = new Map<string, [from: number, to: number, calls: number]>();
  const add = (from: number, to: number, calls: number): void => {
    const [a, b] = [itemOf.get(from), itemOf.get(to)];
    if (a === undefined || b === undefined || a === b) return;
    const known = found.get(`${a} ${b}`);
    if (known) known[2] += calls;
    else found.set(`${a} ${b}`, [a, b, calls]);
  };
  for (const node of itemOf.keys()) {
    for (const type of relations.types) {
      for (const e of graph.out(node, type)) {
        const [a, b] = [itemOf.get(node)!, itemOf.get(graph.to[e]!)];
        if (b === undefined || graph.confidence[e]! < relations.minConfidence - 1e-6) continue;
        const apart = items[b]!.column - items[a]!.column;
        if (apart === 1 || (apart === 0 && items[a]!.main && items[b]!.main)) add(node, graph.to[e]!, graph.confidence[e]! >= SURE - 1e-6 ? 1 : 0);
      }
    }
  }
  for (const [from, to] of relations.links) add(from, to, 1);
  const edges = [...found.values()];
  const places = placeColumns(items.map(({ column }) => column), edges);
  const order = [...columns.keys()].sort((a, b) => a - b);
  return {
    nodes: items.map((item, i) => {
      const { y } = places[i]!;
      const x = order.indexOf(item.column);
      const first = item.nodes[0]!;
      return present({
        ...(item.file === undefined ? cardAt(codebase, first, x, y)
          : { id: item.id, name: item.file.slice(item.file.lastIndexOf("/") + 1), kind: "File", file: item.file, line: 0, x, y, ...(graph.nodes[first]!.test ? { test: true as const } : {}) }),
        main: item.main, count: item.file === undefined ? undefined : item.nodes.length,
      });
    }),
    edges: edges.flat(),
  };
}

/** A column's symbols; when they are too many their files, and the last one for all the rest. */
function itemsOf({ graph }: Codebase, nodes: readonly number[], column: number, main: ReadonlySet<number>): Item[] {
  const isMain = (node: number): { main?: true } => (main.has(node) ? { main: true } : {});
  if (nodes.length <= ROWS) return nodes.map((node) => ({ id: graph.nodes[node]!.id, nodes: [node], column, ...isMain(node) }));
  const files = new Map<string, number[]>();
  for (const node of nodes) files.set(graph.nodes[node]!.file, [...(files.get(graph.nodes[node]!.file) ?? []), node]);
  const most = [...files].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  const shown = most.length > ROWS ? most.slice(0, ROWS - 1) : most;
  const rest = most.slice(shown.length);
  return [
    ...shown.map(([file, of]) => ({ id: `File:${file}`, nodes: of, column, file })),
    ...(rest.length > 0 ? [{ id: "", nodes: rest.flatMap(([, of]) => of), column, file: `${rest.length} more files` }] : []),
  ];
}

export interface CodeAnswer {
  id: string;
  name: string;
  kind: string;
  file: string;
  /** The number of the first line. */
  start: number;
  code: string;
  /** Lines in all. */
  lines: number;
  language: string;
}

const CODE_LINES = 120;
const CODE_CHARS = 12_000;

/** The code of one node, for a picture. */
export const graphCode: Tool = (args, { codebase }): CodeAnswer => {
  const { graph } = codebase;
  const node = graph.nodes[resolveNode(codebase, text(args, "id"))]!;
  const { id, kind, file, startLine, endLine, language } = node;
  const lines = linesIn(codebase, file);
  const [start, end] = startLine > 0 ? [startLine, endLine] : [1, lines.length];
  return { id, name: qualifiedName(node), kind, file, language, start, code: block(lines, start, end, CODE_LINES, CODE_CHARS).code, lines: end - start + 1 };
};
