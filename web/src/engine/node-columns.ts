import type { GraphNode } from "./graph.ts";
import { DamagedError } from "./packed.ts";

/** Nodes as numbers and texts: handed to another thread, or written down, without an object for each. */
export interface PackedNodes {
  /** Each text once. */
  texts: string[];
  /** FIELDS numbers a node: the places of its texts in `texts`, its lines, its marks. */
  numbers: Uint32Array<ArrayBuffer>;
}

const TEXTS = ["id", "kind", "name", "file", "owner", "language", "origin", "signature", "entry"] as const;
const FIELDS = TEXTS.length + 4;

/** Packs nodes; without ids and signatures, which are most of the text, when nobody needs them there. */
export function packNodes(nodes: readonly GraphNode[], keep = { ids: true, signatures: true }): PackedNodes {
  const texts: string[] = [];
  const places = new Map<string, number>();
  const place = (text: string): number => {
    let known = places.get(text);
    if (known === undefined) places.set(text, (known = texts.push(text) - 1));
    return known;
  };
  const numbers = new Uint32Array(FIELDS * nodes.length);
  let at = 0;
  for (const node of nodes) {
    for (const field of TEXTS) {
      const text = (field === "id" && !keep.ids) || (field === "signature" && !keep.signatures) ? "" : node[field];
      numbers[at++] = place(text);
    }
    numbers[at++] = node.line;
    numbers[at++] = node.startLine;
    numbers[at++] = node.endLine;
    numbers[at++] = (node.exported ? 1 : 0) | (node.test ? 2 : 0) | (node.generated ? 4 : 0);
  }
  return { texts, numbers };
}

/** The nodes that were packed. Throws DamagedError when they are none. */
export function unpackNodes({ texts, numbers }: PackedNodes): GraphNode[] {
  const count = numbers.length / FIELDS;
  if (!Number.isInteger(count)) throw new DamagedError("not a whole number of nodes");
  const text = (at: number): string => {
    const found = texts[numbers[at]!];
    if (found === undefined) throw new DamagedError("a text that is not there");
    return found;
  };
  const nodes = new Array<GraphNode>(count);
  for (let i = 0, at = 0; i < count; i++, at += FIELDS) {
    const marks = numbers[at + 12]!;
    nodes[i] = {
      id: text(at), kind: text(at + 1) as GraphNode["kind"], name: text(at + 2), file: text(at + 3),
      line: numbers[at + 9]!, startLine: numbers[at + 10]!, endLine: numbers[at + 11]!,
      owner: text(at + 4), language: text(at + 5), exported: (marks & 1) !== 0, test: (marks & 2) !== 0,
      generated: (marks & 4) !== 0, origin: text(at + 6) as GraphNode["origin"], signature: text(at + 7), entry: text(at + 8) as GraphNode["entry"],
    };
  }
  return nodes;
}
