import type { Node } from "web-tree-sitter";
import type { FolderFact, MountFact, NamedCode } from "../../facts.ts";
import type { Grammar } from "./calls.ts";
import type { Imports } from "./imports.ts";
import { beforeOf, codeOf, joined, type KnownRouters, type Router } from "./known-routers.ts";

/** The routers of other files that a file puts under a path, and those of its own that others add routes to. */
export class Elsewhere {
  private readonly found: (() => MountFact[])[] = [];

  private readonly imports: Imports;

  constructor(private readonly grammar: Grammar, private readonly known: KnownRouters) {
    this.imports = known.imports;
  }

  /** All of the file; once its routers are known. */
  facts(): MountFact[] {
    return [...this.found.flatMap((facts) => facts()), ...this.shared()];
  }

  /** Puts something of another file into a router, or at the root. What is put into may itself be put somewhere further down in the file: the path is known at the end. */
  mount(into: Router | undefined, prefix: string, target: Node, { file, folder, member, overrides = false, before = [] }: { file?: string | undefined; folder?: FolderFact; member?: string | undefined; overrides?: boolean; before?: readonly NamedCode[] } = {}): void {
    const code = codeOf(target, this.grammar);
    this.found.push(() => {
      const all = [...(into ? beforeOf(into, this.known.order.of(target), prefix) : []), ...before];
      return this.known.paths(into).map((outer) => {
        const isOurs = outer.router?.names.every((name) => !this.imports.has(name)) === true;
        return {
          prefix: joined(isOurs && !folder ? outer.path : outer.path.replace(/^…/, ""), prefix), ...this.imports.target(member === undefined ? code : { ...code, text: `${code.text}.${member}`, names: [...code.names, member] }),
          ...(outer.router ? { into: outer.router } : {}), ...(file === undefined ? {} : { file }), ...(folder ? { folder } : {}), ...(overrides ? { overrides } : {}),
          ...(all.length > 0 ? { before: all } : {}),
        };
      });
    });
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
