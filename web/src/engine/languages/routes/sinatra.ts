import type { Node } from "web-tree-sitter";
import type { NamedCode } from "../../facts.ts";
import { type Call, callOf, type Grammar } from "./calls.ts";
import { codeOf, joined, type Router } from "./known-routers.ts";
import type { Texts } from "./texts.ts";

/** Sinatra: the namespaces that routes stand in, and the filters that run before them. */
export class Namespaces {
  private filters: readonly { within: Node; code: NamedCode; under: string }[] | undefined;

  constructor(private readonly root: Node, private readonly grammar: Grammar, private readonly texts: Texts, private readonly calls: readonly Call[]) {}

  /** What the `namespace "/api" do` around a node adds routes to, if there is one. */
  of(node: Node): Router | undefined {
    for (let at = node.parent; at; at = at.parent) {
      const call = callOf(at, this.grammar);
      const prefix = call?.name === "namespace" ? this.texts.one(call.args[0]?.node) : undefined;
      if (prefix === undefined) continue;
      const base = this.of(at);
      return { ...(base ? { base } : {}), prefix, mounts: [], whole: true, before: [], made: "", line: at.startPosition.row + 1 };
    }
    return undefined;
  }

  /** What `before do … end` and `before "/admin/*" do … end` run before a route of the same class or namespace. */
  before({ startIndex }: Node, path: string): NamedCode[] {
    this.filters ??= this.calls.flatMap((call) => {
      const block = call.args.at(-1)?.node;
      if (call.name !== "before" || call.receiver || !block || !this.grammar.functions.test(block.type)) return [];
      let within = call.node.parent ?? this.root;
      while (within.parent && within.type !== "class" && !this.grammar.functions.test(within.type)) within = within.parent;
      return [{ within, code: codeOf(block, this.grammar), under: (call.args.length > 1 && this.texts.one(call.args[0]!.node)) || "" }];
    });
    return this.filters.filter(({ within, under }) => within.startIndex <= startIndex && startIndex < within.endIndex && `${joined("", path)}/`.startsWith(under.replace(/\/?\*$/, "/").replace(/^$/, "/"))).map(({ code }) => code);
  }
}
