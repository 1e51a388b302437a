import type { Node } from "web-tree-sitter";
import { type Annotated, type Argument, callOf, givenTo, type Grammar, literal } from "./calls.ts";

/** Groups in groups in groups … */
const MAX_DEPTH = 10;

/** A group of commands, or a command that is added to one: the word that it is called by, where it is said, and the variable of the group around it. */
interface Part {
  word: string | undefined;
  parent?: string;
}

/** click and typer: the words that commands are called by, those of their groups first, as far as the file says them: `db init`. */
export class Commands {
  private readonly groups = new Map<string, Part>();
  private readonly added = new Map<string, Part>();

  constructor(root: Node, source: string, private readonly grammar: Grammar, all: readonly Annotated[]) {
    for (const { name, annotations } of all) {
      const group = annotations.find((one) => one.name === "group");
      if (!group) continue;
      const on = group.receiver?.text;
      this.groups.set(name.text, { word: this.said(group.args, "name") ?? plain(name.text), ...(on === undefined || on === "click" ? {} : { parent: on }) });
    }
    if (!/\b(?:Typer|add_typer|add_command)\b/.test(source)) return;
    for (const node of root.descendantsOfType([...grammar.calls])) {
      const call = callOf(node, grammar);
      const made = call && /(?:^|\.)Typer$/.test(call.callee) ? givenTo(node, source) : undefined;
      if (call && made !== undefined) this.groups.set(made, { word: this.said(call.args, "name") });
      if (!call?.receiver || !/^add_(?:typer|command)$/.test(call.name)) continue;
      const [given] = call.args;
      if (!given) continue;
      const of = given.node.text;
      const group = this.groups.get(of);
      (group ? this.groups : this.added).set(of, { word: this.said(call.args, "name") ?? group?.word, parent: call.receiver.text });
    }
  }

  /** The words of the command that a function is, which the decorator makes it; `parent`: what that is called on. */
  wordsOf(name: string, args: readonly Argument[], parent: string | undefined): string {
    const added = this.added.get(name);
    return [...this.before(added?.parent ?? parent), added?.word ?? this.said(args, "name") ?? plain(name)].join(" ");
  }

  private before(group: string | undefined, depth = 0): string[] {
    const known = group === undefined || depth > MAX_DEPTH ? undefined : this.groups.get(group);
    // The outermost group is the program itself.
    return known?.parent === undefined ? [] : [...this.before(known.parent, depth + 1), ...(known.word === undefined ? [] : [known.word])];
  }

  /** A text among arguments: by its name, else the first without one. */
  private said(args: readonly Argument[], name: string): string | undefined {
    const texts = args.filter(({ node }) => this.grammar.strings.test(node.type));
    return literal((args.find((one) => one.name === name) ?? texts.find((one) => one.name === ""))?.node, this.grammar);
  }
}

/** The word that a function is called by where nothing says another. */
function plain(name: string): string {
  return name.replaceAll("_", "-");
}
