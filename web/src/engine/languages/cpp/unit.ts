import type { EntryKind, FileFacts, SymbolFact, SymbolKind } from "../../facts.ts";
import type { Syntax } from "../classes/syntax.ts";
import type { AliasFact, CppFacts, FunctionFact, IncludeFact, MacroFact, Offset, ScopeFact, ScopeId, TypeFact, VariableFact } from "./facts.ts";
import { Op } from "./facts.ts";

const MAX_SIGNATURE = 200;

export interface NewSymbol {
  kind: SymbolKind;
  name: string;
  /** Nodes: where the name stands, the whole declaration, its body (0: none). */
  at: number;
  whole: number;
  body: number;
  owner?: string;
  exported: boolean;
  entry?: EntryKind | undefined;
}

/** One file in the making: its facts so far, and the scope that the walkers are in. */
export class Unit {
  readonly symbols: SymbolFact[] = [];
  readonly includes: IncludeFact[] = [];
  readonly scopes: ScopeFact[] = [{ kind: "file", name: "", parent: -1, spaces: [], names: [] }];
  readonly types: TypeFact[] = [];
  readonly aliases: AliasFact[] = [];
  readonly functions: FunctionFact[] = [];
  readonly variables: VariableFact[] = [];
  readonly macros: MacroFact[] = [];
  readonly code: number[] = [0];
  /** The symbol that code belongs to now; -1 for the file. */
  owner = -1;
  scope: ScopeId = 0;
  /** Whether the walkers are in a function's body. */
  inBody = false;
  /** The parameters of the templates around. */
  templates: string[] = [];
  /** What the last access specifier of the class around says. */
  access = "public";

  private readonly uses: number[] = [];
  private readonly strings: string[] = [];
  private readonly stringIndex = new Map<string, number>();
  private readonly bound = new Map<string, Offset>();
  private readonly undo: [name: string, before: Offset | undefined][] = [];

  constructor(readonly syntax: Syntax, readonly path: string, readonly cpp: boolean) {}

  finish(generated: boolean): FileFacts<CppFacts> {
    const { symbols, includes, scopes, types, aliases, functions, variables, macros, strings, code, uses, cpp, syntax } = this;
    return {
      symbols, data: { includes, scopes, types, aliases, functions, variables, macros, strings, code, uses, cpp },
      syntaxErrors: syntax.errors, ...(generated ? { generated } : {}),
    };
  }

  /** Runs `inside` with local names of its own. */
  scoped(inside: () => void): void {
    const mark = this.undo.length;
    inside();
    while (this.undo.length > mark) {
      const [name, before] = this.undo.pop()!;
      if (before !== undefined) this.bound.set(name, before);
      else this.bound.delete(name);
    }
  }

  /** Binds a local name to a record. */
  declare(name: string, at: Offset): void {
    if (name === "") return;
    this.undo.push([name, this.bound.get(name)]);
    this.bound.set(name, at);
  }

  lookup(name: string): Offset {
    return this.bound.get(name) ?? 0;
  }

  local(name: string, type: Offset, initialiser: Offset): Offset {
    const at = this.emit(Op.Variable, type, initialiser);
    this.declare(name, at);
    return at;
  }

  /** Runs `inside` in a new scope; returns that scope. */
  within(kind: ScopeFact["kind"], name: string, inside: () => void): ScopeId {
    const { scope } = this;
    this.scope = this.scopes.push({ kind, name, parent: scope, spaces: [], names: [] }) - 1;
    const made = this.scope;
    inside();
    this.scope = scope;
    return made;
  }

  /** Runs `inside` as the code of a symbol. */
  inSymbol(symbol: number, inside: () => void): void {
    const { owner } = this;
    if (symbol >= 0) this.owner = symbol;
    this.scoped(inside);
    this.owner = owner;
  }

  str(text: string): number {
    let index = this.stringIndex.get(text);
    if (index === undefined) {
      index = this.strings.push(text) - 1;
      this.stringIndex.set(text, index);
    }
    return index;
  }

  emit(...record: number[]): Offset {
    const at = this.code.length;
    for (const operand of record) this.code.push(operand);
    return at;
  }

  named(name: string, flags = 0, args: readonly Offset[] = []): Offset {
    return this.emit(Op.Named, this.str(name), this.scope, flags, args.length, ...args);
  }

  name(text: string, args: readonly Offset[] = []): Offset {
    return this.lookup(text) || this.emit(Op.Name, this.str(text), this.scope, args.length, ...args);
  }

  value(type: string): Offset {
    return this.emit(Op.Value, this.named(type));
  }

  call(callee: Offset, args: readonly Offset[], node: number): Offset {
    const at = this.emit(Op.Call, callee, args.length, ...args);
    this.use(at, node);
    return at;
  }

  make(type: Offset, args: readonly Offset[], node: number): Offset {
    const at = this.emit(Op.New, type, args.length, ...args);
    this.use(at, node);
    return at;
  }

  use(at: Offset, node: number): void {
    this.useAt(at, this.syntax.line(node));
  }

  useAt(at: Offset, line: number): void {
    this.uses.push(at, this.owner, line);
  }

  /** Adds a symbol inside of the one that code belongs to now; returns its index. */
  symbol({ kind, name, at, whole, body, owner, exported, entry }: NewSymbol): number {
    const { syntax } = this;
    const text = syntax.source.slice(syntax.start(whole), body ? syntax.start(body) : syntax.end(whole)).slice(0, 4 * MAX_SIGNATURE);
    const line = text.replace(/\s+/g, " ").replace(/[\s;=:]+$/, "").trim();
    return this.symbols.push({
      kind, name, ...(owner ? { owner } : {}), parent: this.owner,
      line: syntax.line(at), startLine: syntax.line(whole), endLine: syntax.endLine(whole), exported,
      signature: line.length > MAX_SIGNATURE ? `${line.slice(0, MAX_SIGNATURE - 1)}…` : line,
      ...(entry ? { entry } : {}),
    }) - 1;
  }
}
