import type { EntryKind, FileFacts, SymbolFact, SymbolKind } from "../../facts.ts";
import { type ClassFacts, type MemberFact, type Offset, Op, type ScopeFact, type TypeFact, type Within } from "./facts.ts";
import type { Syntax } from "./syntax.ts";

const MAX_SIGNATURE = 200;

export interface NewSymbol {
  kind: SymbolKind;
  /** Nodes: the name, the whole declaration, its body (0: none). */
  name: number;
  whole: number;
  body: number;
  /** Where the head begins; the start of `whole` if not said. */
  head?: number;
  owner?: string;
  exported: boolean;
  entry?: EntryKind | undefined;
}

/** One file in the making: its facts so far, and the scope that the walkers are in. */
export class Unit {
  readonly symbols: SymbolFact[] = [];
  readonly scopes: ScopeFact[] = [];
  readonly types: TypeFact[] = [];
  readonly functions: ClassFacts["functions"] = [];
  readonly includes: ClassFacts["includes"] = [];
  readonly code: number[] = [0];
  /** The names of functions that the file gives to a router. */
  readonly routed = new Set<string>();
  /** The symbol that code belongs to now; -1 for the file. */
  owner = -1;
  within: Within = -1;

  private readonly uses: number[] = [];
  private readonly strings: string[] = [];
  private readonly stringIndex = new Map<string, number>();
  private readonly bound = new Map<string, Offset>();
  private readonly undo: [name: string, before: Offset | undefined][] = [];

  constructor(readonly syntax: Syntax, readonly path: string) {}

  finish(generated: boolean): FileFacts<ClassFacts> {
    const { symbols, scopes, types, functions, strings, code, uses, includes, syntax } = this;
    for (const symbol of symbols) if (this.routed.has(symbol.name) && /^(?:Function|Method)$/.test(symbol.kind)) symbol.entry ??= "route";
    return {
      symbols, data: { scopes, types, functions, strings, code, uses, includes }, syntaxErrors: syntax.errors,
      ...(generated ? { generated } : {}),
    };
  }

  // Scopes. Types have names of their own: a class and a variable may share one.

  /** Runs `inside` in a scope of its own. */
  scoped(inside: () => void): void {
    const mark = this.undo.length;
    inside();
    while (this.undo.length > mark) {
      const [name, before] = this.undo.pop()!;
      if (before !== undefined) this.bound.set(name, before);
      else this.bound.delete(name);
    }
  }

  /**
   * Runs `inside`, which may happen or not: what it binds anew stands beside what was bound before.
   * `narrowed` has names that stand for something more special inside of it, and only there.
   */
  branch(inside: () => void, narrowed: readonly (readonly [name: string, at: Offset])[] = []): void {
    const mark = this.undo.length;
    for (const [name, at] of narrowed) this.declare(name, at);
    inside();
    const before = new Map<string, Offset | undefined>();
    for (const [name, was] of this.undo.slice(mark)) if (!before.has(name)) before.set(name, was);
    for (const [name, was] of before) {
      const now = this.bound.get(name);
      const special = narrowed.some(([, at]) => at === now);
      if (special && was) this.declare(name, was);
      else if (special) this.bound.delete(name);
      else if (was && now && was !== now) this.declare(name, this.emit(Op.Either, 2, was, now));
    }
  }

  declare(name: string, at: Offset): void {
    if (name === "") return;
    this.undo.push([name, this.bound.get(name)]);
    this.bound.set(name, at);
  }

  /** The declaration that a variable's or a local function's name is bound to, or 0. */
  lookup(name: string): Offset {
    return this.bound.get(name) ?? 0;
  }

  declareType(name: string, at: Offset): void {
    this.declare(`type ${name}`, at);
  }

  /** Runs `inside` without the bindings around it: a function that sees none of them. */
  apart(inside: () => void): void {
    const kept = new Map(this.bound);
    this.bound.clear();
    this.scoped(inside);
    this.bound.clear();
    for (const [name, at] of kept) this.bound.set(name, at);
  }

  // Records

  str(text: string): number {
    let index = this.stringIndex.get(text);
    if (index === undefined) {
      index = this.strings.push(text) - 1;
      this.stringIndex.set(text, index);
    }
    return index;
  }

  stringAt(index: number): string {
    return this.strings[index] ?? "";
  }

  emit(...record: number[]): Offset {
    const at = this.code.length;
    for (const operand of record) this.code.push(operand);
    return at;
  }

  /** A type by its dotted name. */
  /** The simple names of the types that a type is said to be one of. */
  superNames({ supers }: TypeFact): string[] {
    return supers.flatMap(({ type }) => (this.code[type] === Op.Named ? [this.strings[this.code[type + 1]!]!.replace(/^.*[.\\]/, "")] : []));
  }

  named(name: string, args: readonly Offset[] = []): Offset {
    const local = this.lookup(`type ${name}`);
    return local || this.emit(Op.Named, this.str(name), this.within, args.length, ...args);
  }

  name(text: string): Offset {
    return this.lookup(text) || this.emit(Op.Name, this.str(text), this.within);
  }

  select(operand: Offset, name: string): Offset {
    return this.emit(Op.Select, operand, this.str(name));
  }

  value(type: string): Offset {
    return this.emit(Op.Value, this.named(type));
  }

  /** A call of a record, or the making of an object (`op` New). Lambdas among the arguments learn where they go. */
  call(op: typeof Op.Call | typeof Op.New, callee: Offset, args: readonly Offset[], node: number): Offset {
    const at = this.emit(op, callee, args.length, ...args);
    for (const [position, argument] of args.entries()) {
      if (this.code[argument] !== Op.Lambda) continue;
      this.code[argument + 1] = at;
      this.code[argument + 2] = position;
    }
    this.use(at, node);
    return at;
  }

  /** A lambda's record with one Argument or Variable for each parameter; 0 as a type means that it has none. */
  lambda(parameters: readonly { name: string; type: Offset; initialiser?: Offset }[], body: () => Offset): Offset {
    const at = this.emit(Op.Lambda, 0, 0, 0, parameters.length, ...parameters.map(() => 0));
    this.scoped(() => {
      for (const [i, { name, type, initialiser = 0 }] of parameters.entries()) {
        const record = type || initialiser ? this.emit(Op.Variable, type, initialiser) : this.emit(Op.Argument, at, i);
        this.code[at + 5 + i] = record;
        this.declare(name, record);
      }
      this.code[at + 3] = body();
    });
    return at;
  }

  /** A value is given to something of a type, which tells a lambda what it takes. */
  giveTo(value: Offset, type: Offset): void {
    if (this.code[value] !== Op.Lambda || type === 0) return;
    this.code[value + 1] = type;
    this.code[value + 2] = -1;
  }

  variable(name: string, type: Offset, initialiser: Offset): void {
    this.declare(name, this.emit(Op.Variable, type, initialiser));
  }

  use(at: Offset, node: number): void {
    this.uses.push(at, this.owner, this.syntax.line(node));
  }

  // Declarations

  /** Adds a symbol inside of the one that code belongs to now; returns its index. */
  symbol({ kind, name, whole, body, head, owner, exported, entry }: NewSymbol): number {
    const { syntax } = this;
    const from = head ?? syntax.start(whole);
    const text = syntax.source.slice(from, body ? syntax.start(body) : syntax.end(whole)).slice(0, 4 * MAX_SIGNATURE);
    const line = text.replace(/\s+/g, " ").replace(/[\s;=>]+$/, "").trim();
    return this.symbols.push({
      kind,
      name: syntax.text(name),
      ...(owner ? { owner } : {}),
      parent: this.owner,
      line: syntax.line(name),
      startLine: syntax.line(whole),
      endLine: syntax.endLine(whole),
      exported,
      signature: line.length > MAX_SIGNATURE ? `${line.slice(0, MAX_SIGNATURE - 1)}…` : line,
      ...(entry ? { entry } : {}),
    }) - 1;
  }

  /** Adds a type and runs `inside` in it. */
  type(fact: Pick<TypeFact, "name" | "symbol" | "kind" | "local">, inside: (type: TypeFact) => void): void {
    const type: TypeFact = { ...fact, outer: this.within, typeParameters: [], supers: [], members: [] };
    const index = this.types.push(type) - 1;
    if (fact.local && fact.name) this.declareType(fact.name, this.emit(Op.Local, index));
    const { owner, within } = this;
    this.within = index;
    if (fact.symbol >= 0) this.owner = fact.symbol;
    this.scoped(() => inside(type));
    this.within = within;
    this.owner = owner;
  }

  /** Runs `inside` as the code of a symbol. */
  inSymbol(symbol: number, inside: () => void): void {
    const { owner } = this;
    if (symbol >= 0) this.owner = symbol;
    this.scoped(inside);
    this.owner = owner;
  }
}

/** A member of which nothing is known yet. */
export function newMember(name: string, kind: MemberFact["kind"], symbol: number): MemberFact {
  return { name, symbol, kind, abstract: false, type: 0, initialiser: 0, parameters: [], required: 0, variadic: false, typeParameters: [] };
}
