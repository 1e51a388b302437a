import type { Language as Grammar, Tree } from "web-tree-sitter";
import { parseAgain } from "../../../parse.ts";
import { lastUpTo } from "../../ascending.ts";
import { type Reading, Syntax } from "../../classes/syntax.ts";
import { type Budget, expand, type Rule, rulesOf } from "./macro-rules.ts";
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
/** A shorter file that is given macros of others may use a part of that only, so that many small files cost no more than a long one. */
const FULL_LENGTH = 15_000;
const LEAST_LENGTH = 1_000;

interface Definition {
  /** The text that has its declaration, and where that is in it. */
  text: string;
  start: number;
  end: number;
  /** Its rules, once they are read. */
  rules?: readonly Rule[] | undefined;
  /** Stands in another file. */
  given: boolean;
  /** From where to where in the file its name is known. */
  from: number;
  to: number;
  /** Stands in a function: its text has that function's variables. */
  local: boolean;
  /** It has a `cfg` attribute: another build may declare another macro of the name. */
  conditional: boolean;
}

/** The macros by example that a file declares or is given of others, and how much of their budget is left. */
export class Definitions {
  private readonly byName = new Map<string, Definition[]>();
  private readonly locals = new Set<number>();
  private readonly budget: Budget;
  private room: number;
  private marks = 0;

  /** `given` are declarations of other files. */
  constructor(private readonly file: Syntax, given: readonly string[] = []) {
    const share = given.length === 0 ? 1 : Math.min(1, Math.max(LEAST_LENGTH, file.source.length) / FULL_LENGTH);
    this.budget = { left: BUDGET * share };
    this.room = MAX_TEXT * share;
    for (const text of given) {
      const name = /^macro_rules!\s*([\p{L}\p{N}_]+)/u.exec(text)?.[1];
      if (name !== undefined) this.byName.set(name, [{ text, start: 0, end: text.length, given: true, from: -1, to: Infinity, local: false, conditional: false }]);
    }
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

  /** Whether a name is of a macro of this file. */
  declares(name: string): boolean {
    return this.byName.get(name)?.some(({ given }) => !given) ?? false;
  }

  private add(node: number, around: readonly number[], conditional: boolean): void {
    const { file } = this;
    const name = file.part(node, "name");
    if (!name) return;
    const parent = around.findLast((one) => /^(?:source_file|declaration_list|block)$/.test(file.kind(one))) ?? 0;
    const list = this.byName.get(file.text(name)) ?? [];
    list.push({
      text: file.source, start: file.start(node), end: file.end(node), given: false,
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
    if (!out) return undefined;
    names.add(name);
    // What another file's text writes stands where the macro is called.
    return this.followed(definition.given ? out.map((token) => (token.mark === mark ? { ...token, at } : token)) : out, at, whole, names, depth);
  }

  private find(name: string, at: number): Definition | undefined {
    const all = this.byName.get(name) ?? [];
    this.budget.left -= all.length;
    const seen = all.filter(({ from, to }) => from < at && at < to);
    const last = seen.at(-1);
    return last?.conditional && seen.length > 1 ? undefined : last;
  }

  private rulesOf({ text, start, end }: Definition): Rule[] {
    const tokens = end - start > MAX_LENGTH ? [] : tokensOf(text, start, end);
    this.budget.left -= tokens.length;
    return rulesOf(tokens);
  }

  private followed(tokens: readonly Token[], at: number, whole: boolean, names: Set<string>, depth: number): readonly Token[] {
    const brackets = bracketsOf(tokens);
    if (!brackets) return tokens;
    const out: Token[] = [];
    let done = 0;
    for (let i = 0; i < tokens.length; i = (brackets.get(i) ?? i) + 1) {
      const close = tokens[i + 1]?.text === "!" ? brackets.get(i + 2) : undefined;
      const first = startOfPath(tokens, i);
      if (close === undefined || (whole && (first > 0 || close + (tokens[close + 1]?.text === ";" ? 2 : 1) < tokens.length))) continue;
      const inner = this.expansion(tokens[i]!.text, at, tokens.slice(i + 3, close), whole, names, depth + 1);
      if (!inner) continue;
      out.push(...tokens.slice(done, first), ...inner);
      done = close + (tokens[close + 1]?.text === ";" ? 2 : 1);
    }
    this.budget.left -= tokens.length;
    return done === 0 ? tokens : [...out, ...tokens.slice(done)];
  }
}

/** Where the path begins that a macro's name ends: `crate::name`, or `::library::name`, which stands for that in another file. */
function startOfPath(tokens: readonly Token[], i: number): number {
  const text = (before: number): string | undefined => tokens[i - before]?.text;
  return text(1) !== "::" ? i : text(2) === "crate" ? i - 2 : text(3) === "::" ? i - 3 : i;
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
    // What another file's text writes has the lines of the call.
    const call = this.callOf(this.start(whole));
    if (first === call.at) last = Math.max(last, call.end - 1);
    return [this.file.lineAt(first), this.file.lineAt(last)];
  }

  /** The tokens between the brackets of a macro call, and where in the file the outermost call is that it is in. */
  tokensIn(tree: number): { tokens: readonly Token[]; at: number; end: number } {
    const from = this.index(this.start(tree));
    const to = this.index(this.end(tree) - 1);
    const { at, end } = this.callOf(this.start(tree));
    return { tokens: this.written.tokens.slice(from + 1, to), at, end };
  }

  private callOf(offset: number): Call {
    return this.written.calls[lastUpTo(this.written.callStarts, offset)]!;
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

/** A call: where its text starts, from where to where it is in the file, its node, and the macros that are called for it. */
interface Call {
  start: number;
  at: number;
  end: number;
  node: number;
  names: ReadonlySet<string>;
}

/** The text of expansions in the making: its tokens, where each begins, and where the text of each call does. */
class Written {
  text = "";
  readonly tokens: Token[] = [];
  readonly starts: number[] = [];
  readonly callStarts: number[] = [];
  readonly calls: Call[] = [];
  private readonly parts: string[] = [];
  private length = 0;

  add(call: Omit<Call, "start">, head: string, tokens: readonly Token[], tail: string): void {
    this.callStarts.push(this.length);
    this.calls.push({ start: this.length, ...call });
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
    const name = nameOfCall(syntax, node);
    const tree = syntax.child(node, "token_tree");
    if (name === undefined || !this.definitions.has(name) || !tree || syntax.end(tree) - syntax.start(tree) > MAX_LENGTH) return;
    const { tokens, at, end } = syntax instanceof Expanded ? syntax.tokensIn(tree)
      : { tokens: tokensOf(syntax.source, syntax.start(tree) + 1, syntax.end(tree) - 1), at: syntax.start(node), end: syntax.end(node) };
    const parents = around.map((one) => syntax.kind(one)).filter((kind) => kind !== "expression_statement" && kind !== "ERROR");
    const members = parents.at(-1) === "declaration_list" && /^(?:impl|trait)_item$/.test(parents.at(-2) ?? "");
    const items = /^(?:source_file|declaration_list)$/.test(parents.at(-1) ?? "");
    const names = new Set<string>();
    const out = this.definitions.expansion(name, at, tokens, !members && !items, names);
    if (out && this.definitions.takes(out)) written.add({ at, end, node, names }, members ? "impl X {" : "{", out, members ? "}\n" : "};\n");
  }
}

/** The name of a macro that is called by it, or as one of this crate; undefined for other paths. */
export function nameOfCall(syntax: Syntax, node: number): string | undefined {
  return /^(?:crate::)?([\p{L}_][\p{L}\p{N}_]*)$/u.exec(syntax.text(syntax.part(node, "macro")))?.[1];
}

/** Whether some of a node could not be read. */
function isTorn(syntax: Syntax, node: number): boolean {
  for (let at = node; at < syntax.next(node); at++) if (syntax.kind(at) === "ERROR") return true;
  return false;
}
