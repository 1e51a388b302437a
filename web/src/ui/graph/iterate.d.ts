/** One step of ForceAtlas2 over flat matrices: what the package has for its own Worker, and ships no types for. */
declare module "graphology-layout-forceatlas2/iterate.js" {
  import type { ForceAtlas2Settings } from "graphology-layout-forceatlas2";
  /** Moves the nodes in place. Ten floats a node (x, y, dx, dy, old dx, old dy, mass, convergence, size, fixed), three an edge (offset of source, offset of target, weight). */
  export default function iterate(settings: Required<ForceAtlas2Settings>, nodes: Float32Array, edges: Float32Array): void;
}
