import { Parser, type Tree } from "web-tree-sitter";

/**
 * What web-tree-sitter's own TreeCursor calls. Its functions read the cursor from a place in WebAssembly memory and leave
 * it there; TreeCursor copies it out and in again at every step, which is three quarters of the time of a walk.
 */
interface Binding {
  _ts_tree_root_node_wasm(tree: number): void;
  _ts_tree_cursor_new_wasm(tree: number): void;
  _ts_tree_cursor_delete_wasm(tree: number): void;
  _ts_tree_cursor_goto_first_child_wasm(tree: number): number;
  _ts_tree_cursor_goto_next_sibling_wasm(tree: number): number;
  _ts_tree_cursor_goto_parent_wasm(tree: number): number;
  _ts_tree_cursor_current_node_type_id_wasm(tree: number): number;
  _ts_tree_cursor_current_node_is_missing_wasm(tree: number): number;
  _ts_tree_cursor_current_field_id_wasm(tree: number): number;
  _ts_tree_cursor_start_index_wasm(tree: number): number;
  _ts_tree_cursor_end_index_wasm(tree: number): number;
}

let binding: Binding | undefined;

/** Parser.init, which has to be called by this function and no other for `walk` to work. Once. */
export async function initParser(options: { wasmBinary?: ArrayBuffer; locateFile?: () => string } = {}): Promise<void> {
  // The object that configures the module becomes the module.
  const module = { ...options };
  await Parser.init(module);
  binding = module as unknown as Binding;
}

/** The node that a walk is at. */
export class TreePosition {
  constructor(private readonly wasm: Binding, private readonly tree: number) {}

  /** The node's type, as a number of its grammar; errors have one beyond those. */
  get type(): number {
    return this.wasm._ts_tree_cursor_current_node_type_id_wasm(this.tree);
  }

  /** The part that it plays in its parent, as a number of its grammar; 0 for none. */
  get field(): number {
    return this.wasm._ts_tree_cursor_current_field_id_wasm(this.tree);
  }

  /** Offset in the source, in UTF-16 units. */
  get start(): number {
    return this.wasm._ts_tree_cursor_start_index_wasm(this.tree);
  }

  get end(): number {
    return this.wasm._ts_tree_cursor_end_index_wasm(this.tree);
  }

  /** Whether the parser made it up to get on. */
  get missing(): boolean {
    return this.wasm._ts_tree_cursor_current_node_is_missing_wasm(this.tree) === 1;
  }
}

/**
 * Visits the nodes of a tree in document order. `enter` gets each with the number that it gave to the node above (-1 at
 * the root) and how many are above; it returns a number for the node when those in it are to be visited, -1 when not. `leave`
 * gets the number when they have been; never for a node that holds none. Neither may use the tree, nor any other.
 */
export function walk(tree: Tree, enter: (at: TreePosition, parent: number, depth: number) => number, leave: (node: number) => void): void {
  const wasm = binding;
  if (!wasm) throw new Error("initParser has to come before walk");
  const address = (tree as unknown as { readonly 0: number })[0];
  const at = new TreePosition(wasm, address);
  const open: number[] = [];
  let parent = -1;
  // The root goes by the transfer buffer, too, and the cursor takes its place.
  wasm._ts_tree_root_node_wasm(address);
  wasm._ts_tree_cursor_new_wasm(address);
  try {
    for (;;) {
      const node = enter(at, parent, open.length);
      if (node >= 0 && wasm._ts_tree_cursor_goto_first_child_wasm(address) === 1) {
        open.push(node);
        parent = node;
        continue;
      }
      while (wasm._ts_tree_cursor_goto_next_sibling_wasm(address) !== 1) {
        const left = open.pop();
        if (left === undefined) return;
        wasm._ts_tree_cursor_goto_parent_wasm(address);
        parent = open.at(-1) ?? -1;
        leave(left);
      }
    }
  } finally {
    wasm._ts_tree_cursor_delete_wasm(address);
  }
}
