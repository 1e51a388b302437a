/** What a picture is made of. Map, local graph and impact rings each make one; the drawing knows nothing else. */

export interface PaintedNode {
  name: string;
  /** Units of the picture. */
  x: number;
  y: number;
  r: number;
  colour: string;
  /** `open`: a ground on which others stand; `group`: can be opened; `dot`: a symbol or file. */
  shape: "open" | "group" | "dot";
  /** A second line of the label. */
  detail: string;
  /** Index of the open group around it; -1 for none. */
  parent: number;
  /** Side of the label; where there is none it goes where there is room. */
  side?: "left" | "right";
  /** The second line of the label stands beside the first. */
  beside?: boolean;
  /** Units of the picture from one label to the next: where they are too few for two lines, there is one. */
  room?: number;
}

export interface SceneNode extends PaintedNode {
  id: string;
  /** Opens and hides by kind. */
  kind: string;
}

export interface SceneEdge {
  /** Indexes into `nodes`. */
  from: number;
  to: number;
  /** Relations that it stands for. */
  weight: number;
  /** At least half of them are uncertain. */
  doubtful: boolean;
  /** From a group to what is in it, in a tree. */
  trunk?: boolean;
  /** Shown only beside a node that stands out. */
  quiet?: boolean;
}

/** As much of a scene as is painted. */
export interface PaintedScene {
  /** Grounds before what stands on them. */
  nodes: readonly PaintedNode[];
  /** The heaviest first. */
  edges: readonly SceneEdge[];
  /** Circles and names behind everything: the rings of an impact, the columns of a local graph. */
  guides: readonly { x: number; y: number; r: number; label: string }[];
}

export interface Scene extends PaintedScene {
  nodes: readonly SceneNode[];
  bounds: { x: number; y: number; width: number; height: number };
  /** Pixels for a unit from which on names can be read. A larger picture is not shown as a whole at first, but from its corner or around its origin. */
  readable?: { scale: number; from: "corner" | "origin" };
}

export const EMPTY: Scene = { nodes: [], edges: [], guides: [], bounds: { x: -1, y: -1, width: 2, height: 2 } };

export function boundsOf(nodes: readonly Pick<SceneNode, "x" | "y" | "r">[], margin: number): Scene["bounds"] {
  if (nodes.length === 0) return EMPTY.bounds;
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y, r } of nodes) {
    left = Math.min(left, x - r);
    right = Math.max(right, x + r);
    top = Math.min(top, y - r);
    bottom = Math.max(bottom, y + r);
  }
  return { x: left - margin, y: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin };
}
