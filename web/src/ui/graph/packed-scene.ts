/** A scene as columns: to be copied to a Worker its objects take seven times as long. */
import type { PaintedNode, PaintedScene, SceneEdge } from "./scene.ts";

export interface PackedScene {
  names: string[];
  /** Of each node x, y, r, `room` (-1 for none), parent, and its marks. */
  nodes: Float64Array<ArrayBuffer>;
  /** Of each node the indexes in `words` of its colour and its second line. */
  says: Int32Array<ArrayBuffer>;
  words: string[];
  /** Of each edge its ends, weight and marks. */
  edges: Float64Array<ArrayBuffer>;
  guides: PaintedScene["guides"];
}

const NODE = 6;
const EDGE = 4;
const SHAPES = ["open", "group", "dot"] as const;
const SIDES = [undefined, "left", "right"] as const;
/** A node's marks: its shape, and so many times its side and `beside`. */
const SIDE = 4;
const BESIDE = 16;
/** An edge's. */
const DOUBTFUL = 1;
const TRUNK = 2;
const QUIET = 4;

export function packScene({ nodes, edges, guides }: PaintedScene): PackedScene {
  const packed: PackedScene = {
    names: nodes.map(({ name }) => name), nodes: new Float64Array(NODE * nodes.length), says: new Int32Array(2 * nodes.length), words: [],
    edges: new Float64Array(EDGE * edges.length), guides,
  };
  const indexes = new Map<string, number>();
  const word = (text: string): number => {
    let index = indexes.get(text);
    if (index === undefined) indexes.set(text, (index = packed.words.push(text) - 1));
    return index;
  };
  nodes.forEach(({ x, y, r, room, parent, shape, side, beside, colour, detail }, i) => {
    const marks = SHAPES.indexOf(shape) + SIDE * SIDES.indexOf(side) + (beside === true ? BESIDE : 0);
    const at = NODE * i;
    packed.nodes[at] = x;
    packed.nodes[at + 1] = y;
    packed.nodes[at + 2] = r;
    packed.nodes[at + 3] = room ?? -1;
    packed.nodes[at + 4] = parent;
    packed.nodes[at + 5] = marks;
    packed.says[2 * i] = word(colour);
    packed.says[2 * i + 1] = word(detail);
  });
  edges.forEach(({ from, to, weight, doubtful, trunk, quiet }, i) => {
    const at = EDGE * i;
    packed.edges[at] = from;
    packed.edges[at + 1] = to;
    packed.edges[at + 2] = weight;
    packed.edges[at + 3] = (doubtful ? DOUBTFUL : 0) + (trunk === true ? TRUNK : 0) + (quiet === true ? QUIET : 0);
  });
  return packed;
}

export function unpackScene({ names, nodes, says, words, edges, guides }: PackedScene): PaintedScene {
  return {
    nodes: names.map((name, i): PaintedNode => {
      const at = NODE * i;
      const marks = nodes[at + 5]!;
      const side = SIDES[Math.floor((marks % BESIDE) / SIDE)];
      const room = nodes[at + 3]!;
      return {
        name, x: nodes[at]!, y: nodes[at + 1]!, r: nodes[at + 2]!, parent: nodes[at + 4]!, colour: words[says[2 * i]!]!, detail: words[says[2 * i + 1]!]!, shape: SHAPES[marks % SIDE]!,
        ...(side && { side }), ...(marks >= BESIDE && { beside: true }), ...(room >= 0 && { room }),
      };
    }),
    edges: Array.from({ length: edges.length / EDGE }, (_, i): SceneEdge => {
      const at = EDGE * i;
      const marks = edges[at + 3]!;
      return {
        from: edges[at]!, to: edges[at + 1]!, weight: edges[at + 2]!, doubtful: (marks & DOUBTFUL) > 0,
        ...((marks & TRUNK) > 0 && { trunk: true }), ...((marks & QUIET) > 0 && { quiet: true }),
      };
    }),
    guides,
  };
}

/** What of it is handed over and not copied. */
export function buffersOf({ nodes, says, edges }: PackedScene): ArrayBuffer[] {
  return [nodes.buffer, says.buffer, edges.buffer];
}
