import { Language as Grammar, Parser } from "web-tree-sitter";
import type { GrammarName } from "./language.ts";
import { readerOf } from "./languages/readers.ts";
import { withRoutes } from "./languages/routes/extract.ts";
import { PARSE_LIMIT, parseWithin } from "./parse.ts";
import type { ParseBatch, ParserReport } from "./parser-messages.ts";

/** Parses files and says what is in them; one in each parser Worker. `load` fetches a grammar. */
export class FileParser {
  private readonly parser = new Parser();
  private readonly grammars = new Map<GrammarName, Promise<Grammar>>();

  /** Only after initParser(). */
  constructor(private readonly load: (name: GrammarName) => Promise<Grammar>, private readonly limit = PARSE_LIMIT) {}

  /** Begins to load the grammars of these files, so that none is waited for behind another. */
  prepare(files: ParseBatch["files"]): void {
    for (const { path, text } of files) {
      const reader = readerOf(path, text);
      // Who parses a file of it says why it cannot be loaded.
      if (reader) this.grammar(reader.grammar(path, text)).catch(() => undefined);
    }
  }

  async parse({ id, path, text, context }: ParseBatch["files"][number]): Promise<ParserReport> {
    const skipped = (reason: string, broken = false): ParserReport => ({ type: "skipped", id, reason, broken });
    const reader = readerOf(path, text);
    if (!reader) return skipped("in no known language");
    const name = reader.grammar(path, text);
    let grammar: Grammar;
    try {
      grammar = await this.grammar(name);
    } catch (error) {
      return skipped(`the grammar ${name} cannot be loaded: ${messageOf(error)}`);
    }
    try {
      // For every file, since it also makes the parser forget a parse that was stopped.
      this.parser.setLanguage(grammar);
      const code = reader.code?.(path, text) ?? text;
      const tree = parseWithin(this.parser, code, this.limit);
      if (typeof tree === "number") return skipped(`parsing it takes longer than ${tree / 1000} s`);
      try {
        return { type: "parsed", id, facts: withRoutes(reader.id, reader.extract(tree, code, path, grammar, context), tree, code, path, context) };
      } finally {
        tree.delete();
      }
    } catch (error) {
      return skipped(`cannot be parsed: ${messageOf(error)}`, breaksWasm(error));
    }
  }

  private grammar(name: GrammarName): Promise<Grammar> {
    let grammar = this.grammars.get(name);
    if (!grammar) {
      grammar = this.load(name);
      this.grammars.set(name, grammar);
    }
    return grammar;
  }
}

/** After a trap, or a stack that ran over inside of it, a WebAssembly module's own stack and heap are in no known state. */
function breaksWasm(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
