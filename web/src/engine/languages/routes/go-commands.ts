import type { Node } from "web-tree-sitter";
import type { MountFact, RouterFact } from "../../facts.ts";
import { functionAround } from "./around.ts";
import { type Argument, callOf, givenTo, GRAMMARS } from "./calls.ts";
import type { Code, Declared, Found } from "./code.ts";
import { codeOf } from "./named-code.ts";
import { Texts } from "./texts.ts";

const GRAMMAR = GRAMMARS["go"]!;
/** Commands that are literals: `&cobra.Command{Use: "serve", RunE: serve}`, `[]*cli.Command{{Name: "add", Action: add}}`. */
const LITERAL = /^(\[\]\*?)?(?:cobra|cli)\.Command$/;
const LISTS = /^(?:Commands|Subcommands)$/;

/** A command with a literal of its own. */
interface Command {
  literal: Node;
  /** The words that it is called by, those of the literals around it first. */
  words: string[];
  run: Node | undefined;
  /** The variable that it is given, and the function that it is made in. */
  names: string[];
  line: number;
}

/** Commands of cobra and urfave/cli: the words that lead to each, and the commands that are added to others. */
export function goCommands({ root, source }: Code): Found {
  if (!/\b(?:cobra|cli)\.Command\b|\.AddCommand\(/.test(source)) return { routes: [], mounts: [] };
  const texts = new Texts(root, GRAMMAR);
  const commands = root.descendantsOfType("composite_literal").flatMap((node) => commandsIn(node, source, texts));
  const routes = commands.flatMap(({ literal, words, run, names, line }): Declared[] => (run && words.length > 0 ? [{
    name: `COMMAND ${words.join(" ")}`, node: literal, route: { before: [], handler: codeOf(run, GRAMMAR), router: { names, line, word: "" } },
  }] : []));
  const groups = commands.filter(({ names }) => names.length > 0);
  const routerOf = (name: string, at: Node): RouterFact => {
    const around = functionAround(at)?.childForFieldName("name")?.text;
    const own = groups.filter(({ names }) => names[0] === name);
    const group = own.find(({ names }) => names[1] === around) ?? own.find(({ names }) => names.length === 1);
    return group ? { names: group.names, line: group.line, word: group.words.at(-1) ?? "" } : { names: [name], line: at.startPosition.row + 1, given: true, word: "" };
  };
  const added = !source.includes(".AddCommand(") ? [] : root.descendantsOfType("call_expression").flatMap((node): MountFact[] => {
    const call = callOf(node, GRAMMAR);
    if (call?.name !== "AddCommand" || !call.receiver) return [];
    const into = routerOf(lastOf(call.receiver.text), call.receiver);
    return call.args.map((one): MountFact => ({ prefix: "", target: codeOf(one.node, GRAMMAR), into }));
  });
  // Other files of the package may add to those that have a variable.
  const shared = groups.filter(({ names }) => names.length === 1).map(({ names, line, words }): MountFact => (
    { prefix: "", target: { text: names[0]!, names: [names[0]!], line, endLine: line }, shared: true, into: { names, line, word: words.at(-1) ?? "" } }
  ));
  return { routes, mounts: [...added, ...shared] };
}

function commandsIn(node: Node, source: string, texts: Texts): Command[] {
  const [type, list] = LITERAL.exec(node.childForFieldName("type")?.text ?? "") ?? [];
  const body = node.childForFieldName("body");
  if (type === undefined || !body) return [];
  const literals = list === undefined ? [body] : body.namedChildren.flatMap((one) => one.namedChildren.filter((inner) => inner.type === "literal_value"));
  const value = node.parent?.type === "unary_expression" ? node.parent : node;
  // `var serveCmd *cobra.Command = …`
  const declared = value.parent?.parent?.type === "var_spec" ? value.parent.parent.childForFieldName("name")?.text : undefined;
  const variable = list === undefined ? declared ?? givenTo(value, source) : undefined;
  const around = functionAround(node)?.childForFieldName("name")?.text;
  return literals.map((literal) => {
    const word = wordOf(literal, texts);
    return {
      literal, words: [...wordsAround(literal, texts), ...(word === undefined ? [] : [word])], run: fieldOf(literal, /^(?:RunE?|Action)$/),
      names: [...(variable === undefined ? [] : [lastOf(variable)]), ...(around === undefined ? [] : [around])], line: literal.startPosition.row + 1,
    };
  });
}

/** The words of the commands whose lists a literal stands in; the outermost is the program. */
function wordsAround(literal: Node, texts: Texts): string[] {
  const words: string[] = [];
  for (let at = literal.parent; at; at = at.parent) {
    if (at.type !== "literal_value" || !fieldsOf(at).some(({ name, node }) => LISTS.test(name) && node.startIndex <= literal.startIndex && literal.endIndex <= node.endIndex)) continue;
    const word = wordOf(at, texts);
    if (word !== undefined && at.parent?.type !== "composite_literal") words.unshift(word);
  }
  return words;
}

function wordOf(literal: Node, texts: Texts): string | undefined {
  return /[^\s|]+/.exec(texts.one(fieldOf(literal, /^(?:Use|Name)$/)) ?? "")?.[0];
}

function fieldOf(literal: Node, names: RegExp): Node | undefined {
  return fieldsOf(literal).find(({ name }) => names.test(name))?.node;
}

function fieldsOf({ namedChildren }: Node): Argument[] {
  return namedChildren.filter(({ type }) => type === "keyed_element").map((one) => ({ name: one.namedChildren[0]?.text ?? "", node: one.namedChildren[1]?.namedChildren[0] ?? one }));
}

function lastOf(name: string): string {
  return name.split(".").at(-1)!;
}
