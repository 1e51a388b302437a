import type { Language as Grammar, Tree } from "web-tree-sitter";
import { parseAgain } from "../../../parse.ts";
import { lastUpTo } from "../../ascending.ts";
import { type Reading, Syntax } from "../../classes/syntax.ts";
import { type Budget, expand, type Rule, ruleOf } from "./macro-rules.ts";
import { bracketsOf, type Token, tokensOf, wouldJoin } from "./tokens.ts";

/** What the expansions of one file may cost, in tokens that are compared or written. */
const BUDGET = 300_000;
/** How long they may be together. */
const MAX_TEXT = 150_000;
/** Longer definitions and arguments are not read. */
const MAX_LENGTH = 50_000;
/** A macro that is called in the text of one that is called in a text, and so on, is followed so far. */
const MAX_DEPTH = 100;
const MAX_TEXTS = 20;

interface Definition {
  /** The nodes of its rules, and the rules once they are read. */
  nodes: number[];
  rules?: readonly Rule[] | undefined;
  /** From where to where in the file its name is known. */
  from: number;
  to: number;
  /** Stands in a function: its text has that function's variables. */
  local: boolean;
  /** It has a `cfg` attribute: another build may declare another macro of the name. */
  conditional: boolean;
}

/** The macros by example that a file declares, and how much of their budget is left. */
export class Definitions {
  private readonly byName = new Map<string, Definition[]>();
  private readonly locals = new Set<number>();
  private readonly budget: Budget = { left: BUDGET };
  private room = MAX_TEXT;
  private marks = 0;

  constructor(private readonly file: Syntax) {
    if (!file.source.includes("macro_rules!")) return;
    let attribute = 0;
    for (const [node, around] of withParents(file)) {
      const kind = file.kind(node);
      if (kind === "attribute_item" && /^#\[\s*cfg\b/.test(file.text(node))) attribute = node;
      else if (kind === "macro_definition") this.add(node, around, attribute > 0 && file.next(attribute) === node);
    }
  }

  get isEmpty(): boolean {
    return this.byName.size === 0;
  }

  /** Whether a mark is that of a macro whose text has the variables of the function around it. */
  isLocal(mark: number): boolean {
    return this.locals.has(mark);
  }

  /** Whether there is room for what a call stands for, which is taken. */
  takes(tokens: readonly Token[]): boolean {
    const length = tokens.reduce((sum, { text }) => sum + text.length + 1, 0);
    if (length > this.room) return false;
    this.room -= length;
    return true;
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  private add(node: number, around: readonly number[], conditional: boolean): void {
    const { file } = this;
    const name = file.part(node, "name");
    if (!name) return;
    const parent = around.findLast((one) => /^(?:source_file|declaration_list|block)$/.test(file.kind(one))) ?? 0;
    const list = this.byName.get(file.text(name)) ?? [];
    list.push({
      nodes: file.children(node).filter((child) => file.kind(child) === "macro_rule"),
      from: file.start(node), to: parent ? file.end(parent) : Infinity, local: around.some((one) => file.kind(one) === "block"), conditional,
    });
    this.byName.set(file.text(name), list);
  }

  /**
   * What a call at an offset of the file stands for, and the calls in that: all among declarations, otherwise one that is the `whole` of it. Adds the names of the
   * macros that are called; undefined where this file does not tell.
   */
  expansion(name: string, at: number, args: readonly Token[], whole: boolean, names: Set<string>, depth = 0): readonly Token[] | undefined {
    // A macro that calls itself without an end ends all.
    if (depth > MAX_DEPTH) this.budget.left = 0;
    const definition = this.budget.left > 0 ? this.find(name, at) : undefined;
    const brackets = definition ? bracketsOf(args) : undefined;
    if (!definition || !brackets) return undefined;
    this.budget.left -= args.length;
    definition.rules ??= this.rulesOf(definition);
    const mark = ++this.marks;
    if (definition.local) this.locals.add(mark);
    const out = expand(definition.rules, { list: args, brackets }, mark, this.budget);
    if (out) names.add(name);
    return out && this.followed(out, at, whole, names, depth);
  }

  private find(name: string, at: number): Definition | undefined {
    const all = this.byName.get(name) ?? [];
    this.budget.left -= all.length;
    const seen = all.filter(({ from, to }) => from < at && at < to);
    const last = seen.at(-1);
    return last?.conditional && seen.length > 1 ? undefined : last;
  }

  private rulesOf({ nodes }: Definition): Rule[] {
    const { file, budget } = this;
    return nodes.flatMap((node) => {
      if (file.end(node) - file.start(node) > MAX_LENGTH) return [];
      const tokens = tokensOf(file.source, file.start(node), file.end(node));
      budget.left -= tokens.length;
      return ruleOf(tokens) ?? [];
    });
  }

  private followed(tokens: readonly Token[], at: number, whole: boolean, names: Set<string>, depth: number): readonly Token[] {
    const brackets = bracketsOf(tokens);
    if (!brackets) return tokens;
    const out: Token[] = [];
    let done = 0;
    for (let i = 0; i < tokens.length; i = (brackets.get(i) ?? i) + 1) {
      const close = tokens[i + 1]?.text === "!" ? brackets.get(i + 2) : undefined;
      if (close === undefined || (whole && (i > 0 || close + (tokens[close + 1]?.text === ";" ? 2 : 1) < tokens.length))) continue;
      const inner = this.expansion(tokens[i]!.text, at, tokens.slice(i + 3, close), whole, names, depth + 1);
      if (!inner) continue;
      out.push(...tokens.slice(done, i), ...inner);
      done = close + (tokens[close + 1]?.text === ";" ? 2 : 1);
    }
    this.budget.left -= tokens.length;
    return done === 0 ? tokens : [...out, ...tokens.slice(done)];
  }
}

/** A text that macros stand for, which says of its nodes where they are in the file. */
export class Expanded extends Syntax {
  constructor(tree: Tree, grammar: Grammar, reading: Reading, private readonly file: Syntax, private readonly written: Written) {
    super(tree, written.text, grammar, reading);
  }

  /** The same text, read in another way. */
  again(tree: Tree, grammar: Grammar, reading: Reading): Expanded {
    return new Expanded(tree, grammar, reading, this.file, this.written);
  }

  override line(node: number): number {
    return this.file.lineAt(this.origin(this.start(node)));
  }

  override endLine(node: number): number {
    return this.file.lineAt(this.origin(Math.max(this.start(node), this.end(node) - 1)));
  }

  /** Where in the file the token is that a node begins with. */
  origin(offset: number): number {
    return this.written.tokens[this.index(offset)]?.at ?? 0;
  }

  /** The expansion that a node's first token is from; 0 for none. */
  mark(node: number): number {
    return this.written.tokens[this.index(this.start(node))]?.mark ?? 0;
  }

  /** The lines of a declaration, as far as it is written where its name is. */
  linesOf(whole: number, name: number): [first: number, last: number] {
    const { tokens, starts } = this.written;
    const mark = this.mark(name);
    let [first, last] = [Infinity, 0];
    for (let i = this.index(this.start(whole)); i < tokens.length && starts[i]! < this.end(whole); i++) {
      if (tokens[i]!.mark !== mark) continue;
      first = Math.min(first, tokens[i]!.at);
      last = Math.max(last, tokens[i]!.at);
    }
    return [this.file.lineAt(first), this.file.lineAt(last)];
  }

  /** The tokens between the brackets of a macro call, and the offset in the file of the outermost call that it is in. */
  tokensIn(tree: number): { tokens: readonly Token[]; at: number } {
    const from = this.index(this.start(tree));
    const to = this.index(this.end(tree) - 1);
    return { tokens: this.written.tokens.slice(from + 1, to), at: this.written.calls[lastUpTo(this.written.callStarts, this.start(tree))]!.at };
  }

  private index(offset: number): number {
    return lastUpTo(this.written.starts, offset);
  }
}

/** All nodes of a tree, with those around each. */
function* withParents(syntax: Syntax): Iterable<[node: number, around: readonly number[]]> {
  const around: number[] = [];
  for (let node = 0; node < syntax.next(0); node++) {
    while (around.length > 0 && syntax.next(around.at(-1)!) <= node) around.pop();
    yield [node, around];
    around.push(node);
  }
}

/** The text of expansions in the making: its tokens, where each begins, and where the text of each call does. */
class Written {
  text = "";
  readonly tokens: Token[] = [];
  readonly starts: number[] = [];
  readonly callStarts: number[] = [];
  readonly calls: { start: number; at: number; node: number; names: ReadonlySet<string> }[] = [];
  private readonly parts: string[] = [];
  private length = 0;

  add(node: number, at: number, names: ReadonlySet<string>, head: string, tokens: readonly Token[], tail: string): void {
    this.callStarts.push(this.length);
    this.calls.push({ start: this.length, at, node, names });
    this.put(head);
    for (const [i, token] of tokens.entries()) {
      if (i > 0 && (token.spaced || wouldJoin(tokens[i - 1]!.text, token.text))) this.put(" ");
      this.tokens.push(token);
      this.starts.push(this.length);
      this.put(token.text);
    }
    this.put(tail);
  }

  end(): string {
    this.text = this.parts.join("");
    return this.text;
  }

  private put(text: string): void {
    this.parts.push(text);
    this.length += text.length;
  }
}

export interface Expansion {
  /** A block, or a list of members. */
  body: number;
  /** The macros that are called for it. */
  names: ReadonlySet<string>;
}

/** What the calls of a text stand for. */
export class Expansions {
  readonly syntax: Expanded | undefined;
  private readonly byCall = new Map<number, Expansion>();

  constructor(readonly definitions: Definitions, readonly texts: number, syntax: Syntax, file: Syntax, grammar: Grammar, reading: Reading) {
    const written = new Written();
    if (!definitions.isEmpty && texts < MAX_TEXTS) this.gather(syntax, written);
    if (written.calls.length === 0) return;
    this.syntax = parseAgain(grammar, written.end(), (tree) => new Expanded(tree, grammar, reading, file, written));
    const { syntax: own } = this;
    const byStart = new Map(own?.children(0).map((node) => [own.start(node), node]));
    for (const { start, node, names } of written.calls) {
      const top = byStart.get(start);
      const body = !own || top === undefined || isTorn(own, top) ? 0 : own.kind(top) === "impl_item" ? own.part(top, "body") : own.children(top)[0];
      if (body) this.byCall.set(node, { body, names });
    }
  }

  of(call: number): Expansion | undefined {
    return this.byCall.get(call);
  }

  private gather(syntax: Syntax, written: Written): void {
    for (const [node, around] of withParents(syntax)) if (syntax.kind(node) === "macro_invocation") this.add(syntax, node, around, written);
  }

  private add(syntax: Syntax, node: number, around: readonly number[], written: Written): void {
    const name = /^(?:crate::)?([\p{L}_][\p{L}\p{N}_]*)$/u.exec(syntax.text(syntax.part(node, "macro")))?.[1];
    const tree = syntax.child(node, "token_tree");
    if (name === undefined || !this.definitions.has(name) || !tree || syntax.end(tree) - syntax.start(tree) > MAX_LENGTH) return;
    const { tokens, at } = syntax instanceof Expanded ? syntax.tokensIn(tree) : { tokens: tokensOf(syntax.source, syntax.start(tree) + 1, syntax.end(tree) - 1), at: syntax.start(node) };
    const parents = around.map((one) => syntax.kind(one)).filter((kind) => kind !== "expression_statement" && kind !== "ERROR");
    const members = parents.at(-1) === "declaration_list" && /^(?:impl|trait)_item$/.test(parents.at(-2) ?? "");
    const items = /^(?:source_file|declaration_list)$/.test(parents.at(-1) ?? "");
    const names = new Set<string>();
    const out = this.definitions.expansion(name, at, tokens, !members && !items, names);
    if (out && this.definitions.takes(out)) written.add(node, at, names, members ? "impl X {" : "{", out, members ? "}\n" : "};\n");
  }
}

/** Whether some of a node could not be read. */
function isTorn(syntax: Syntax, node: number): boolean {
  for (let at = node; at < syntax.next(node); at++) if (syntax.kind(at) === "ERROR") return true;
  return false;
}
