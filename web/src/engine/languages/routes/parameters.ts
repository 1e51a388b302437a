import type { Node } from "web-tree-sitter";
import { NAMED } from "../../path-names.ts";
import { functionAround } from "./around.ts";
import type { Argument } from "./calls.ts";

const ASSIGNMENTS = ["assignment", "assignment_statement", "assignment_expression", "augmented_assignment", "augmented_assignment_expression", "short_var_declaration", "let_declaration"];

/** The names of a function's parameters, in their order, but for Python's own object. */
export function parametersOf(around: Node): string[] {
  const list = around.childForFieldName("parameters") ?? around.childForFieldName("parameter");
  const all = (list?.namedChildren ?? []).filter(({ type }) => type !== "comment").flatMap((one) => {
    const names = one.childrenForFieldName("name");
    if (names.length > 0) return names.map(({ text }) => text);
    return [one.childForFieldName("pattern")?.text ?? /^[\w$]+/.exec(one.text)?.[0] ?? ""];
  });
  return all[0] === "self" || all[0] === "cls" ? all.slice(1) : all;
}

/** Of the arguments of a call, the one that a parameter stands for. */
export function argumentFor(args: readonly Argument[], index: number, name: string): Node | undefined {
  const own = args.find((one) => one.name === name) ?? args[index];
  return own && (own.name === "" || own.name === name) ? own.node : undefined;
}

/** The names that a function gives values. */
export function assignedIn(around: Node): ReadonlySet<string> {
  return new Set(around.descendantsOfType(ASSIGNMENTS).map((one) => (one.childForFieldName("left") ?? one.childForFieldName("pattern"))?.text ?? ""));
}

/** The parameters of the function that a router is made in, or is given to. */
export class Parameters {
  private readonly indices = new Map<string, number>();

  private constructor(private readonly around: Node) {}

  /** Those of the function around a node; undefined outside of functions. */
  static around(node: Node): Parameters | undefined {
    const around = functionAround(node);
    return around && new Parameters(around);
  }

  /** A path with other texts for the names in it that are these parameters. */
  fill(path: string, given: (index: number, name: string) => string): string {
    if (!path.includes("«")) return path;
    return path.replace(NAMED, (whole, name: string, line: string) => {
      const isInside = Number(line) > this.around.startPosition.row && Number(line) <= this.around.endPosition.row + 1;
      const index = isInside ? this.indexOf(name) : -1;
      return index < 0 ? whole : given(index, name);
    });
  }

  private indexOf(name: string): number {
    let index = this.indices.get(name);
    if (index === undefined) {
      // What the function gives another value is not what it was given.
      this.indices.set(name, (index = assignedIn(this.around).has(name) ? -1 : parametersOf(this.around).indexOf(name)));
    }
    return index;
  }
}

/** Whether a name at a node is that of a value which is declared at another one: not what another function declares, nor a parameter. */
export function isDeclaredFor(node: Node, name: string, declared: Node): boolean {
  for (let around = functionAround(node); around; around = functionAround(around)) {
    if (around.startIndex <= declared.startIndex && declared.endIndex <= around.endIndex) return true;
    if (parametersOf(around).includes(name)) return false;
  }
  return !functionAround(declared);
}
