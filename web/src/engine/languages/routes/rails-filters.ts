import type { Node } from "web-tree-sitter";
import type { FilterFact } from "../../facts.ts";
import { type Argument, callOf, type Grammar } from "./calls.ts";
import { codeOf } from "./named-code.ts";
import type { Texts } from "./texts.ts";

/** `before_action`, and what sets it before others or takes it away. */
const FILTER = /^(?:append_|(prepend_)|(skip_))?(?:before|around|(after))_action$/;

/** Rails: what classes run around their actions, also where a concern says it for them (`included do … end`). */
export function filtersOf(root: Node, grammar: Grammar, texts: Texts, symbolAt: (name: Node) => number): FilterFact[] {
  return root.descendantsOfType(["class", "module"]).flatMap((type) => {
    const name = type.childForFieldName("name");
    const symbol = name ? symbolAt(name.childForFieldName("name") ?? name) : -1;
    const body = type.childForFieldName("body");
    return symbol < 0 || !body ? [] : inBody(body, grammar, texts, symbol);
  });
}

function inBody(body: Node, grammar: Grammar, texts: Texts, symbol: number): FilterFact[] {
  return body.namedChildren.flatMap((node): FilterFact[] => {
    const call = callOf(node, grammar);
    if (call?.name === "included" && !call.receiver) {
      const block = call.args.at(-1)?.node.childForFieldName("body");
      return block ? inBody(block, grammar, texts, symbol) : [];
    }
    const [found, first, skips, after] = FILTER.exec(call?.name ?? "") ?? [];
    if (found === undefined || call!.receiver) return [];
    const { args } = call!;
    const actions = (key: string): string[] | undefined => actionsIn(args.find(({ name }) => name === key), texts);
    const [only, except] = [actions("only"), actions("except")];
    return args.filter(({ name }) => name === "").map(({ node: code }) => ({
      symbol, code: codeOf(code, grammar), ...(only ? { only } : {}), ...(except ? { except } : {}), ...(skips ? { skips: true as const } : {}), ...(first ? { first: true as const } : {}), ...(after ? { after: true as const } : {}),
    }));
  });
}

/** `:show`, `[:show, :edit]`, `%i[show edit]` */
function actionsIn(argument: Argument | undefined, texts: Texts): string[] | undefined {
  if (!argument) return undefined;
  const said = texts.all(argument.node);
  return said.length > 0 ? said : argument.node.text.match(/\w+/g)?.slice(/^%/.test(argument.node.text) ? 1 : 0) ?? [];
}
