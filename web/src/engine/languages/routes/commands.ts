import type { Node } from "web-tree-sitter";
import type { MountFact, RouterFact } from "../../facts.ts";
import { type Annotated, type Argument, type Call, callOf, givenTo, type Grammar, literal } from "./calls.ts";
import type { Declared } from "./code.ts";
import { Imports } from "./imports.ts";
import { codeOf } from "./named-code.ts";

/** Groups in groups in groups … */
const MAX_DEPTH = 10;

/** Whether a file has groups of commands, or puts them into others. */
export function hasGroups(source: string): boolean {
  return /\b(?:click|typer)\b/.test(source) && /\badd_(?:typer|command)\(|\bTyper\(|Group\(|@.*\bgroup\b|\.command\([^()]*\)\(/.test(source);
}

/** A group of commands, or a command that is added to one: the word that it is called by, where it is said, and the variable of the group around it. */
interface Part {
  word: string | undefined;
  line: number;
  parent?: string;
}

/** click and typer: the words that commands are called by, those of their groups first: `db init`. */
export class Commands {
  private readonly groups = new Map<string, Part>();
  private readonly added = new Map<string, Part>();
  /** Calls that add what another file has. */
  private readonly others: Call[] = [];
  /** Calls that make commands, with the functions that these run. */
  private readonly made: { call: Call; run: Node }[] = [];
  private readonly imports: Imports;

  constructor(root: Node, source: string, private readonly grammar: Grammar, all: readonly Annotated[]) {
    this.imports = new Imports(root);
    for (const { name, annotations } of all) {
      const group = annotations.find((one) => one.name === "group");
      if (!group) continue;
      const on = group.receiver?.text;
      this.groups.set(name.text, { word: this.said(group.args, "name") ?? plain(name.text), line: lineOf(name), ...(on === undefined || on === "click" ? {} : { parent: on }) });
    }
    if (!/\b(?:Typer|add_typer|add_command)\b|(?:Group|\.command\([^()]*\))\(/.test(source)) return;
    const declared = new Set(all.map(({ name }) => name.text));
    for (const node of root.descendantsOfType([...grammar.calls])) {
      const call = callOf(node, grammar);
      const made = call && /(?:^|\.)(?:Typer|\w*Group)$/.test(call.callee) ? givenTo(node, source) : undefined;
      const run = call && runBy(call, grammar);
      if (call && run) this.made.push({ call, run });
      if (call && made !== undefined) this.groups.set(made, { word: this.said(call.args, "name"), line: lineOf(node) });
      if (!call?.receiver || !/^add_(?:typer|command)$/.test(call.name)) continue;
      const [given] = call.args;
      if (!given) continue;
      const of = given.node.text;
      const group = this.groups.get(of);
      if (group || declared.has(of)) (group ? this.groups : this.added).set(of, { line: lineOf(node), ...group, word: this.said(call.args, "name") ?? group?.word, parent: call.receiver.text });
      else this.others.push(call);
    }
  }

  /** The words of the command that a function is, which the decorator makes it, as far as the file says them, and the group that they begin in; `parent`: what the decorator is a member of. */
  command(name: Node, args: readonly Argument[], parent: Node | undefined): { words: string; router: RouterFact } {
    const added = this.added.get(name.text);
    const { words, router } = this.group(added?.parent ?? parent?.text ?? "", lineOf(name));
    const own = added?.word ?? this.said(args, "name") ?? plain(name.text);
    // A command without a group goes by its function.
    return { words: [...words, own].join(" "), router: router ?? { names: [name.text], line: lineOf(name), word: "" } };
  }

  /** The commands that calls make in a group: `cli.add_command(click.Command("build", callback=build))`, `cli.command("build")(build)`. */
  called(): Declared[] {
    return this.made.flatMap(({ call: { node, args }, run }): Declared[] => {
      const inner = callOf(node.childForFieldName("function")!, this.grammar);
      const outer = inner ?? (node.parent?.parent ? callOf(node.parent.parent, this.grammar) : undefined);
      if (!outer?.receiver || !/^(?:command|add_command)$/.test(outer.name)) return [];
      const { words, router } = this.group(outer.receiver.text, lineOf(node));
      const own = this.said(outer.args, "name") ?? this.said(args, "name") ?? plain(run.text);
      return [{ name: `COMMAND ${[...words, own].join(" ")}`, node, route: { before: [], handler: codeOf(run, this.grammar), ...(router ? { router } : {}) } }];
    });
  }

  /** The groups and commands of other files that are added to groups, and the groups that other files add to. */
  mounts(): MountFact[] {
    const others = this.others.map(({ args, receiver }): MountFact => {
      const word = this.said(args.slice(1), "name");
      const { words, router } = this.group(receiver!.text, lineOf(receiver!));
      return { prefix: words.join(" "), ...this.imports.target(codeOf(args[0]!.node, this.grammar)), ...(router ? { into: router } : {}), ...(word === undefined ? {} : { word }) };
    });
    const shared = [...this.groups].map(([name, { line }]): MountFact => {
      const { words, router } = this.group(name, line);
      return { prefix: words.join(" "), target: { text: name, names: [name], line, endLine: line }, shared: true, ...(router ? { into: router } : {}) };
    });
    return [...others, ...shared];
  }

  /** The words of a group, and the outermost one around it, which is the program itself where nobody adds it to another; none of click itself. */
  private group(name: string, line: number, depth = 0): { words: readonly string[]; router?: RouterFact } {
    const known = this.groups.get(name);
    if (!known) return /^(?:|click|typer|self)$/.test(name) ? { words: [] } : { words: [], router: { names: [name], line, word: "", given: true } };
    if (known.parent === undefined || depth > MAX_DEPTH) return { words: [], router: { names: [name], line: known.line, word: known.word ?? "" } };
    const outer = this.group(known.parent, line, depth + 1);
    return { ...outer, words: [...outer.words, ...(known.word === undefined ? [] : [known.word])] };
  }

  /** A text among arguments: by its name, else the first without one. */
  private said(args: readonly Argument[], name: string): string | undefined {
    const texts = args.filter(({ node }) => this.grammar.strings.test(node.type));
    return literal((args.find((one) => one.name === name) ?? texts.find((one) => one.name === ""))?.node, this.grammar);
  }
}

/** The function of a command that a call makes; undefined for another call. */
function runBy({ node, callee, args }: Call, grammar: Grammar): Node | undefined {
  if (/(?:^|\.)Command$/.test(callee)) return args.find(({ name }) => name === "callback")?.node;
  const inner = callOf(node.childForFieldName("function")!, grammar);
  return inner?.name === "command" && args.length === 1 ? args[0]!.node : undefined;
}

function lineOf(node: Node): number {
  return node.startPosition.row + 1;
}

/** The word that a function is called by where nothing says another. */
function plain(name: string): string {
  return name.replaceAll("_", "-");
}
