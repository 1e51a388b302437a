import type { Node } from "web-tree-sitter";
import { type Call, callOf, givenTo, GRAMMARS, literal } from "./calls.ts";
import type { Declared } from "./code.ts";
import { codeOf } from "./named-code.ts";

const GRAMMAR = GRAMMARS["python"]!;
/** What parsers are told to keep that the program calls: `parser.set_defaults(func=run)`. */
const RUN = /^_*(?:func|function|fn|handler?|run|cmd|command|callback|action|main|entry|execute)_*$/;
const CODE: readonly string[] = ["identifier", "attribute", "lambda"];

/** argparse: `add = commands.add_parser("add")` with `add.set_defaults(func=run)`, by the words of the parsers around it. */
export function parserCommands(root: Node, source: string): Declared[] {
  if (!/\badd_parser\(/.test(source) || !/\bset_defaults\(/.test(source)) return [];
  /** The words behind which parsers, and their lists of commands, stand, by their variables. */
  const known = new Map<string, string[]>();
  const wordsOf = (call: Call): string[] | undefined => {
    const outer = known.get(call.receiver?.text ?? "") ?? [];
    if (call.name === "add_subparsers") return outer;
    const word = call.name === "add_parser" ? literal(call.args[0]?.node, GRAMMAR) : undefined;
    return word === undefined ? undefined : [...outer, word];
  };
  return root.descendantsOfType("call").flatMap((node): Declared[] => {
    const call = callOf(node, GRAMMAR)!;
    const [words, name] = [wordsOf(call), givenTo(node, source)];
    if (words && name !== undefined) known.set(name, words);
    const parser = call.name === "set_defaults" ? call.receiver : undefined;
    const made = parser && callOf(parser, GRAMMAR);
    const called = parser && (made ? wordsOf(made) : known.get(parser.text));
    const run = call.args.find((one) => RUN.test(one.name) && CODE.includes(one.node.type))?.node;
    if (!called || called.length === 0 || !run) return [];
    return [{ name: `COMMAND ${called.join(" ")}`, node, route: { before: [], handler: codeOf(run, GRAMMAR) } }];
  });
}
