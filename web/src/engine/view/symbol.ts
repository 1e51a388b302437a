/** One symbol for the reading view: everything at the other ends of its edges, with the lines of code where they stand. */
import type { Codebase } from "../codebase.ts";
import { EDGE_TYPES, type EdgeType } from "../graph.ts";
import type { Tool } from "../tools.ts";
import { text } from "../tools/arguments.ts";
import { indexOf } from "../tools/codebase-index.ts";
import { resolveNode } from "../tools/names.ts";
import { implementations } from "../tools/reach.ts";
import { linesIn } from "../tools/excerpts.ts";

/** A node with what a card shows of it. */
export interface Card {
  id: string;
  name: string;
  kind: string;
  file: string;
  line: number;
  signature: string;
  owner: string;
  test: boolean;
}

/** What stands at the other end of edges of one type. */
export interface Neighbour extends Card {
  type: EdgeType;
  confidence: number;
  /** Lines of the calls or imports, in the file of their source. */
  sites: { line: number; text: string }[];
}

export interface SymbolAnswer {
  node: Card & { startLine: number; endLine: number; exported: boolean; entry: string; language: string };
  owner: Card | null;
  cluster: { id: string; name: string } | null;
  processes: { id: string; name: string; step: number }[];
  /** Edges that arrive: from where, in the order of files and lines. */
  arriving: Neighbour[];
  /** Edges that leave, in the order of their first line. */
  leaving: Neighbour[];
  /** Overrides and implementations that follow from the types and are no edges. */
  implementations: Card[];
  members: Card[];
  /** Neighbours in all; the lists have at most LIMIT each. */
  total: { arriving: number; leaving: number; members: number };
}

const LIMIT = 400;
const SITES = 12;
/** Longer lines are cut: a minified bundle is one line of megabytes. */
const WIDEST = 200;
const STRUCTURE: readonly EdgeType[] = ["CONTAINS", "DEFINES", "MEMBER_OF", "STEP_IN_PROCESS"];

export const viewSymbol: Tool = (args, { codebase }): SymbolAnswer => {
  const { graph } = codebase;
  const index = resolveNode(codebase, text(args, "id"));
  const node = graph.nodes[index]!;
  const { communityOf, processesOf } = indexOf(codebase);
  const community = communityOf(index);
  const owner = graph.in(index, "DEFINES").map((e) => graph.from[e]!).find((from) => graph.nodes[from]!.kind !== "File");
  const tells = (e: number): boolean => !STRUCTURE.includes(EDGE_TYPES[graph.type[e]!]!) && graph.from[e] !== graph.to[e];
  const neighbour = neighboursIn(codebase);
  const arriving = graph.in(index).filter(tells).map((e) => neighbour(e, graph.from[e]!))
    .sort((a, b) => Number(a.test) - Number(b.test) || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  const leaving = graph.out(index).filter(tells).map((e) => neighbour(e, graph.to[e]!))
    .sort((a, b) => (a.sites[0]?.line ?? 0) - (b.sites[0]?.line ?? 0) || (a.id < b.id ? -1 : 1));
  const members = [...graph.out(index, "DEFINES"), ...graph.out(index, "CONTAINS")].map((e) => graph.to[e]!);
  return {
    node: { ...cardOf(codebase, index), startLine: node.startLine, endLine: node.endLine, exported: node.exported, entry: node.entry, language: node.language },
    owner: owner === undefined ? null : cardOf(codebase, owner),
    cluster: community ? { id: graph.nodes[community.node]!.id, name: community.label } : null,
    processes: processesOf(index).map(({ process, step }) => ({ id: graph.nodes[process.node]!.id, name: process.label, step })),
    arriving: arriving.slice(0, LIMIT),
    leaving: leaving.slice(0, LIMIT),
    implementations: node.kind === "Method" ? [...implementations(graph, index)].slice(0, LIMIT).map((found) => cardOf(codebase, found.node)) : [],
    members: members.slice(0, LIMIT).map((member) => cardOf(codebase, member)),
    total: { arriving: arriving.length, leaving: leaving.length, members: members.length },
  };
};

export function cardOf({ graph }: Codebase, index: number): Card {
  const { id, name, kind, file, line, signature, owner, test } = graph.nodes[index]!;
  return { id, name, kind, file, line, signature, owner, test };
}

function neighboursIn(codebase: Codebase): (e: number, other: number) => Neighbour {
  const { graph } = codebase;
  const texts = new Map<string, readonly string[]>();
  const linesOf = (file: string): readonly string[] => {
    let lines = texts.get(file);
    if (!lines) texts.set(file, (lines = linesIn(codebase, file)));
    return lines;
  };
  return (e, other) => {
    const lines = linesOf(graph.nodes[graph.from[e]!]!.file);
    return {
      ...cardOf(codebase, other),
      type: EDGE_TYPES[graph.type[e]!]!,
      confidence: graph.confidence[e]!,
      sites: graph.sites(e).slice(0, SITES).map((line) => ({ line, text: (lines[line - 1] ?? "").trim().slice(0, WIDEST) })),
    };
  };
}

export interface FileAnswer {
  file: string;
  language: string;
  content: string;
  /** Names on a line that lead somewhere: what is declared there, and what is called, extended or imported from there. */
  links: { line: number; name: string; id: string; declares?: true }[];
}

/** The text of a file, and where the names in it lead. */
export const viewFile: Tool = (args, { codebase }): FileAnswer => {
  const { graph, files } = codebase;
  const file = text(args, "file");
  const links: FileAnswer["links"] = [];
  const root = graph.find(`File:${file}`);
  const seen = new Set<number>();
  const within = root === undefined ? [] : [root];
  for (let at = 0; at < within.length; at++) {
    const index = within[at]!;
    const { id, name, line, kind } = graph.nodes[index]!;
    if (kind !== "File" && line > 0) links.push({ line, name, id, declares: true });
    for (const e of graph.out(index)) {
      const to = graph.to[e]!;
      if (graph.type[e] === EDGE_TYPES.indexOf("DEFINES")) {
        if (!seen.has(to) && graph.nodes[to]!.file === file) within.push(to);
        seen.add(to);
      } else if (!STRUCTURE.includes(EDGE_TYPES[graph.type[e]!]!) && graph.confidence[e]! >= 0.5) {
        for (const line of graph.sites(e)) links.push({ line, name: graph.nodes[to]!.name, id: graph.nodes[to]!.id });
      }
    }
  }
  return { file, language: root === undefined ? "" : graph.nodes[root]!.language, content: files.text(file) ?? "", links };
};
