import type { Node } from "web-tree-sitter";
import { functionAround } from "./around.ts";
import type { Call } from "./calls.ts";

/** Functions that are called by functions that are called by functions … */
const MAX_DEPTH = 5;

/** The order in which the code of a file runs: a function that one place calls runs there. */
export class Order {
  private byName: ReadonlyMap<string, readonly Node[]> | undefined;

  /** `calls`: all of the file. */
  constructor(private readonly calls: readonly Call[]) {}

  /** A number that is less than that of what runs later. */
  of(node: Node): number {
    return this.placeOf(node, 0).at;
  }

  /** `step`: how far the next line of the same function is away. */
  private placeOf(node: Node, depth: number): { at: number; step: number } {
    let around = functionAround(node);
    // What a function without a name does, it does where it stands.
    while (around && !around.childForFieldName("name")) around = functionAround(around);
    const name = around?.childForFieldName("name")?.text;
    const [call, ...others] = (name !== undefined && this.callsOf(name)) || [];
    if (!around || !call || others.length > 0 || depth > MAX_DEPTH || (call.startIndex >= around.startIndex && call.endIndex <= around.endIndex)) return { at: node.startIndex, step: 1 };
    const outer = this.placeOf(call, depth + 1);
    const step = outer.step / (around.endIndex - around.startIndex + 2);
    return { at: outer.at + step * (node.startIndex - around.startIndex + 1), step };
  }

  private callsOf(name: string): readonly Node[] | undefined {
    if (!this.byName) {
      const calls = new Map<string, Node[]>();
      for (const { node, name: called, receiver } of this.calls) {
        if (receiver && receiver.namedChildCount > 0) continue;
        const same = calls.get(called);
        if (same) same.push(node);
        else calls.set(called, [node]);
      }
      this.byName = calls;
    }
    return this.byName.get(name);
  }
}
