import type { Node } from "web-tree-sitter";
import type { MountFact, NamedCode } from "../../facts.ts";
import type { Grammar } from "./calls.ts";
import { beforeOf, codeOf, joined, type KnownRouters, type Router } from "./known-routers.ts";

const IMPORTS = ["import_statement", "import_from_statement", "lexical_declaration", "variable_declaration"];

/** The routers of other files that a file puts under a path, and those of its own that others add routes to. */
export class Elsewhere {
  private readonly found: (() => MountFact[])[] = [];

  /** The names in each import, found when they are first asked for. */
  private imports: { names: ReadonlySet<string>; line: number; endLine: number }[] | undefined;

  constructor(private readonly root: Node, private readonly grammar: Grammar, private readonly known: KnownRouters) {}

  /** All of the file; once its routers are known. */
  facts(): MountFact[] {
    return [...this.found.flatMap((facts) => facts()), ...this.shared()];
  }

  /** Puts something of another file into a router, or at the root. What is put into may itself be put somewhere further down in the file: the path is known at the end. */
  mount(into: Router | undefined, prefix: string, target: Node, { file, overrides = false, before = [] }: { file?: string | undefined; overrides?: boolean; before?: readonly NamedCode[] } = {}): void {
    const root = rootOf(target).split(/[.\\]/)[0] ?? "";
    const imported = root === "" ? undefined : this.importOf(root);
    this.found.push(() => {
      const all = [...(into ? beforeOf(into, this.known.order.of(target), prefix) : []), ...before];
      return this.known.paths(into).map((outer) => {
        const isOurs = outer.router?.names.every((name) => !this.importOf(name)) === true;
        return {
          prefix: joined(isOurs ? outer.path : outer.path.replace(/^…/, ""), prefix), target: codeOf(target, this.grammar),
          ...(isOurs ? { into: outer.router! } : {}), ...(imported ? { imported } : {}), ...(file === undefined ? {} : { file }), ...(overrides ? { overrides } : {}),
          ...(all.length > 0 ? { before: all } : {}),
        };
      });
    });
  }

  /** The lines of the import that brings a name. */
  private importOf(name: string): { line: number; endLine: number } | undefined {
    this.imports ??= this.root.descendantsOfType(IMPORTS).flatMap((node) => {
      const { text } = node;
      if (/declarat(?:ion|or)$/.test(node.type) && !/\brequire\(|\bimport\(/.test(text)) return [];
      return [{ names: new Set(text.match(/[\w$]+/g)), line: node.startPosition.row + 1, endLine: node.endPosition.row + 1 }];
    });
    const found = this.imports.find(({ names }) => names.has(name));
    return found && { line: found.line, endLine: found.endLine };
  }

  /** The routers of this file that routes of others are added to. */
  private shared(): MountFact[] {
    return [...this.known.shared()].flatMap(({ router, name }) => {
      const target = { text: name, names: [name], line: router.line, endLine: router.line };
      const before = beforeOf(router, Infinity, "");
      return this.known.paths(router).map(({ path, router: into }) => ({ prefix: into ? path.replace(/^…/, "") : path, target, shared: true as const, ...(into ? { into } : {}), ...(before.length > 0 ? { before } : {}) }));
    });
  }
}

/** The name that an expression begins with, with the members behind it. */
export function rootOf(receiver: Node | undefined): string {
  return /^[\w.$\\]+/.exec(receiver?.text.replace(/\s+/g, "") ?? "")?.[0] ?? "";
}
