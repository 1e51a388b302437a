import type { Node } from "web-tree-sitter";
import type { FolderFact, MountFact, NamedCode } from "../../facts.ts";
import type { Call, Grammar } from "./calls.ts";
import type { Imports } from "./imports.ts";
import { type KnownRouters, PATH_NAME } from "./known-routers.ts";
import { codeOf } from "./named-code.ts";
import { joined } from "./prefixes.ts";
import { beforeOf, type Router } from "./router.ts";
import type { Texts } from "./texts.ts";

/** The routers of other files that a file puts under a path, and those of its own that others add routes to. */
export class Elsewhere {
  private readonly found: (() => MountFact[])[] = [];

  private readonly imports: Imports;

  constructor(private readonly grammar: Grammar, private readonly known: KnownRouters, private readonly texts: Texts) {
    this.imports = known.imports;
  }

  /** All of the file; once its routers are known. */
  facts(): MountFact[] {
    return [...this.found.flatMap((facts) => facts()), ...this.shared()];
  }

  /** Puts something of another file into a router, or at the root. What is put into may itself be put somewhere further down in the file: the path is known at the end. */
  mount(into: Router | undefined, prefix: string, target: Node, { file, folder, member, call, overrides = false, slashless, apart = false, before = [] }: { file?: string | undefined; call?: Call | undefined; folder?: FolderFact; member?: string | undefined; overrides?: boolean; slashless?: true; apart?: boolean; before?: readonly NamedCode[] } = {}): void {
    const code = codeOf(target, this.grammar);
    this.found.push(() => {
      const all = [...(into ? beforeOf(into, this.known.order.of(target), prefix, apart) : []), ...before];
      return this.known.paths(into).map((outer) => {
        const given = call ? this.givenBy(call, outer.filled) : undefined;
        const isOurs = outer.router?.names.every((name) => !this.imports.has(name)) === true;
        return {
          prefix: joined(isOurs && !folder ? outer.path : outer.path.replace(/^…/, ""), outer.filled(prefix)), ...this.imports.target(member === undefined ? code : { ...code, text: `${code.text}.${member}`, names: [...code.names, member] }),
          ...(outer.router ? { into: outer.router } : {}), ...(file === undefined ? {} : { file }), ...(folder ? { folder } : {}), ...(overrides ? { overrides } : {}), ...(slashless ? { slashless } : {}), ...(given ? { given } : {}),
          ...(all.length > 0 ? { before: all } : {}),
        };
      });
    });
  }

  /** The texts that a call gives a function, by the index or the name of the parameter. */
  private givenBy({ args }: Call, filled: (path: string) => string): Record<string, string> | undefined {
    const texts = args.flatMap(({ name, node }, i) => {
      const text = this.texts.one(node) ?? (PATH_NAME.test(node.text) ? this.texts.hole(node) : undefined);
      return text === undefined ? [] : [[name === "" ? i : name, filled(text)] as const];
    });
    return texts.length > 0 ? Object.fromEntries(texts) : undefined;
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
