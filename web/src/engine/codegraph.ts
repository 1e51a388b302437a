import type { Codebase } from "./codebase.ts";
import type { GraphNode } from "./graph.ts";

/** Relations below this are guesses by name: they stay in the graph, marked, and out of an export that does not ask for them. */
export const EXPORT_MIN_CONFIDENCE = 0.5;

/** One end of a relation. */
interface Ref {
  name: string;
  file: string;
  owner?: string;
  line?: number;
}

interface ExportedCall {
  from: Ref;
  to: Ref;
  confidence: number;
}

interface ExportedSymbol extends Ref {
  kind: string;
  line: number;
  endLine: number;
}

/** A codebase's graph in the form code-graph/1. */
export interface CodeGraph {
  schema: "code-graph/1";
  producer: string;
  repo: string;
  /** 40 zeros: the page sees files, not the history they are from. */
  commit: string;
  options: { importTarget: "file"; minConfidence: number };
  symbols: ExportedSymbol[];
  calls: ExportedCall[];
  references: ExportedCall[];
  imports: { from: string; to: string }[];
  extends: { from: Ref; to: Ref }[];
  implements: { from: Ref; to: Ref }[];
}

/**
 * The symbols of a codebase, and its relations from `minConfidence` on. Code outside of functions is `<module>`; making
 * an object is a call of its class.
 */
export function codeGraphOf(codebase: Codebase, producer: string, minConfidence = EXPORT_MIN_CONFIDENCE): CodeGraph {
  const { graph } = codebase;
  const exported: CodeGraph = {
    schema: "code-graph/1", producer, repo: codebase.name, commit: "0".repeat(40),
    options: { importTarget: "file", minConfidence },
    symbols: [], calls: [], references: [], imports: [], extends: [], implements: [],
  };
  for (const node of graph.nodes) {
    if (node.line > 0) exported.symbols.push({ ...refOf(node), kind: node.kind, line: node.line, endLine: node.endLine });
  }
  const refs = graph.nodes.map(refOf);
  const atLeast = Math.fround(minConfidence); // as confidences are stored
  for (let e = 0; e < graph.edgeCount; e++) {
    const edge = graph.edge(e);
    if (edge.confidence < atLeast) continue;
    const from = refs[edge.from]!;
    const to = refs[edge.to]!;
    if (edge.type === "CALLS") exported.calls.push({ from, to, confidence: Number(edge.confidence.toFixed(3)) });
    else if (edge.type === "REFERENCES") exported.references.push({ from, to, confidence: Number(edge.confidence.toFixed(3)) });
    else if (edge.type === "EXTENDS") exported.extends.push({ from, to });
    else if (edge.type === "IMPLEMENTS") exported.implements.push({ from, to });
    else if (edge.type === "IMPORTS") exported.imports.push({ from: from.file, to: to.file });
  }
  return exported;
}

function refOf({ kind, name, file, owner, line }: GraphNode): Ref {
  if (kind === "File") return { name: "<module>", file };
  return { name, file, ...(owner === "" ? {} : { owner }), line };
}
