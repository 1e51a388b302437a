import type { Language as Grammar } from "web-tree-sitter";
import { parseAgain } from "../../../parse.ts";
import { type Reading, Syntax } from "../../classes/syntax.ts";
import { type Definitions, Expanded, Expansions } from "./expansions.ts";

/** A macro around declarations inside of another's: it is read as its name and a block of them. */
const AROUND = /\b([a-z_]\w*)!(?=\s*\{\s*(?:(?:#\[[^\n]*|\/\/[^\n]*)\n\s*){0,200}(?:pub|mod|use|fn|async fn|unsafe|extern|struct|enum|union|trait|impl|type|const|static)\b)/g;
/** Longer arguments (tables, embedded languages) are not read. */
const MAX_LENGTH = 50_000;

/**
 * The arguments of a file's macros, and what those stand for that the file declares itself. The grammar leaves them as tokens, since a macro may do with them what it likes; most
 * take expressions. They are read once more, all of a file in one text that is blank elsewhere, so that every offset stays
 * true: `m!(a, b)` as the tuple `(a, b);`, and inside of it `n!(c)` as the call `n (c)`.
 */
export class Macros {
  /** Statements that were read from arguments, by where these begin. */
  private readonly statements = new Map<number, number>();
  /** Where the names of inner macros begin, which were read as calls. */
  private readonly inner = new Set<number>();
  private second: Syntax | undefined;
  private readonly expansions: Expansions;
  /** The same of the text that the file's own macros stand for. */
  private readonly expanded: Macros | undefined;

  /** `texts` is how many texts of macros this one is made of, one of the other. */
  constructor(private readonly first: Syntax, grammar: Grammar, reading: Reading, definitions: Definitions, file = first, texts = 0) {
    this.expansions = new Expansions(definitions, texts, first, file, grammar, reading);
    if (this.expansions.syntax) this.expanded = new Macros(this.expansions.syntax, grammar, reading, definitions, file, texts + 1);
    const text = this.blanked(first);
    if (text === undefined) return;
    // The sign behind a statement may have taken the place of a line's end: lines are counted in the source itself.
    const second = parseAgain(grammar, text, (tree) => (first instanceof Expanded ? first.again(tree, grammar, reading) : new Syntax(tree, first.source, grammar, reading)));
    if (!second) return;
    this.second = second;
    for (const statement of second.children(0)) {
      const [expression] = second.children(statement);
      if (second.kind(statement) === "expression_statement" && expression !== undefined) this.statements.set(second.start(statement), expression);
    }
  }

  /** What a macro's arguments were read as, and in which text; undefined when they were not. */
  of(tokens: number, syntax: Syntax): { syntax: Syntax; expression: number } | undefined {
    const expression = this.statements.get(syntax.start(tokens));
    return expression !== undefined && this.second ? { syntax: this.second, expression } : undefined;
  }

  /** What a call stands for, a block or a list of members, the text that has it, and the macros that are called for it; undefined where the file does not tell. */
  expansion(call: number, syntax: Syntax): { macros: Macros; syntax: Expanded; body: number; names: ReadonlySet<string> } | undefined {
    const found = syntax === this.first ? this.expansions.of(call) : undefined;
    return found && this.expanded ? { macros: this.expanded, syntax: this.expansions.syntax!, ...found } : undefined;
  }

  /** Whether what was read as a call is a macro. */
  isInner(start: number): boolean {
    return this.inner.has(start);
  }

  /** Whether some of a node could not be read as it stands. */
  static torn(syntax: Syntax, node: number): boolean {
    for (let at = node; at < syntax.next(node); at++) if (syntax.kind(at) === "ERROR") return true;
    return false;
  }

  private blanked(syntax: Syntax): string | undefined {
    const { source } = syntax;
    const parts: string[] = [];
    let done = 0;
    for (let node = 0; node < syntax.next(0); node++) {
      const kind = syntax.kind(node);
      if (kind === "macro_definition") node = syntax.next(node) - 1;
      if (kind !== "macro_invocation" || this.expansions.of(node)) continue;
      const tokens = syntax.child(node, "token_tree");
      if (!tokens) continue;
      const start = syntax.start(tokens);
      const end = syntax.end(tokens);
      if (end - start > MAX_LENGTH || start < done) continue;
      parts.push(blank(source.slice(done, start)), this.plain(source.slice(start, end), start, syntax, node), ";");
      // The sign ends the statement; it takes the place of whatever follows.
      done = end + 1;
    }
    return parts.length === 0 ? undefined : parts.join("");
  }

  /** Arguments as a statement: other brackets become round ones, inner macros calls. */
  private plain(text: string, start: number, syntax: Syntax, node: number): string {
    const items = text.startsWith("{");
    // `#[cfg(...)]`, `if` and `else` around blocks of items (cfg_if!).
    const declared = items && /\bcfg_if$/.test(syntax.text(syntax.part(node, "macro"))) ? text.replace(/\bif\s+#\[[^{}]*\]|\belse\b/g, blank) : text;
    // `@section type`, by which declarations tell a macro what they are.
    const bare = items ? declared.replace(/^[ \t]*@[^\n\r]*/gm, blank) : declared;
    const opened = items ? bare.replace(AROUND, (whole: string, name: string, at: number) => {
      this.inner.add(start + at);
      return `${name};${whole.slice(name.length + 1)}`;
    }) : bare;
    const calls = opened.replace(/\b([A-Za-z_]\w*)(\s*)!(\s*)(?=[([])/g, (whole: string, name: string, gap: string, after: string, at: number) => {
      this.inner.add(start + at);
      return text[at + whole.length] === "[" ? `${blank(name)}${gap} ${after}` : `${name}${gap} ${after}`;
    });
    return items || calls.startsWith("[") ? calls : `(${calls.slice(1, -1)})`;
  }
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, " ");
}
