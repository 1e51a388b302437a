import type { EntryKind, FileFacts, SymbolKind } from "../../../facts.ts";
import type { Syntax } from "../../classes/syntax.ts";
import { headOf, ScopedRecords, textOfHead } from "../../records.ts";
import { type ImplFact, type MacroContext, type Offset, Op, type RustFacts, type ScopeFact, type TypeFact } from "../facts.ts";
import { type Definitions, Expanded, nameOfCall } from "./expansions.ts";
import type { Macros } from "./macros.ts";

export interface NewSymbol {
  kind: SymbolKind;
  /** Nodes: the name, the whole declaration, its body (0: none). */
  name: number;
  whole: number;
  body: number;
  owner?: string;
  exported: boolean;
  entry?: EntryKind | undefined;
}

/** One file in the making: its facts so far, and where the walkers are. */
export class Unit extends ScopedRecords {
  readonly scopes: ScopeFact[] = [{ name: "", parent: -1, uses: [], files: [] }];
  readonly functions: RustFacts["functions"] = [];
  readonly types: TypeFact[] = [];
  readonly impls: ImplFact[] = [];
  readonly values: RustFacts["values"] = [];
  readonly macros: RustFacts["macros"] = [];
  /** The innermost scope. */
  scope = 0;
  /** How sure it is, in percent, that code runs as it is written. */
  sure = 100;

  /** Each `loop` around, with what `break` gives of it. */
  readonly loops: { label: string; values: Offset[] }[] = [];
  /** The names of functions that the file gives to a router. */
  readonly routed = new Set<string>();
  private readonly open = new Set<string>();
  /** By the call of a method that converts: what that runs. */
  readonly conversions = new Map<Offset, Offset>();
  private readonly uses: number[] = [];
  private readonly stores: Offset[] = [];
  private readonly returns: number[] = [];
  /** Records into which something is put. */
  private readonly filled = new Set<Offset>();
  /** Variables that are declared without a type and a value. */
  readonly late = new Set<Offset>();
  /** The type that the function around is declared to give; 0 for none. */
  result: Offset = 0;
  /** The function whose code returns something; -1 in a closure. */
  private returning = -1;

  /** The line of the outermost call of a macro whose text is read; 0 outside of all. */
  private calledAt = 0;
  /** Declarations of macros' texts, by where they stand and what they belong to: each stands there once, however often its macro is called. */
  private readonly written = new Map<string, number>();

  /** `syntax` and `inMacros` change while a macro's arguments, or what it stands for, are read. */
  constructor(public syntax: Syntax, public inMacros: Macros, private readonly definitions: Definitions) {
    super();
  }

  /** Reads what a call of a macro stands for; undefined where the file does not tell. */
  expanded<T>(call: number, read: (body: number) => T): T | undefined {
    const found = this.inMacros.expansion(call, this.syntax);
    if (!found) return undefined;
    const { syntax, inMacros, calledAt } = this;
    this.calledAt = this.lineOf(call);
    for (const name of found.names) this.useAt(this.emit(Op.Macro, this.path(0, name)), this.calledAt);
    this.syntax = found.syntax;
    this.inMacros = found.macros;
    const result = read(found.body);
    this.syntax = syntax;
    this.inMacros = inMacros;
    this.calledAt = calledAt;
    return result;
  }

  /** The line of a node, or of the call that it was made by where it does not stand in the code that it belongs to. */
  private lineOf(node: number): number {
    const line = this.syntax.line(node);
    if (this.calledAt === 0) return line;
    const symbol = this.symbols[this.owner];
    const isIn = (at: number): boolean => symbol !== undefined && symbol.startLine <= at && at <= symbol.endLine;
    return isIn(line) ? line : symbol === undefined || isIn(this.calledAt) ? this.calledAt : symbol.line;
  }

  /** A call of a macro that stands among declarations, and is not known here to be any. */
  opened(call: number): void {
    const name = nameOfCall(this.syntax, call);
    if (name !== undefined && !this.definitions.declares(name)) this.open.add(name);
  }

  finish(context: MacroContext | undefined, syntaxErrors: number, generated: boolean): FileFacts<RustFacts> {
    for (const symbol of this.symbols) if (symbol.kind === "Function" && this.routed.has(symbol.name)) symbol.entry ??= "route";
    const { symbols, scopes, functions, types, impls, values, macros, strings, code, uses, stores, returns } = this;
    const { open, given } = context ?? { open: [...this.open], given: [] };
    return { symbols, data: { scopes, functions, types, impls, values, macros, open, given, strings, code, uses, stores, returns }, syntaxErrors, ...(generated ? { generated } : {}) };
  }

  // Local names. Types have names of their own: a type parameter and a variable may share one.

  declareType(name: string, at: Offset): void {
    this.declare(`type ${name}`, at);
  }

  /** What a local name is kept under: one in the text of a macro is none of the code that calls it, and the other way round. */
  local(node: number): string {
    const name = nameOf(this.syntax.text(node));
    const mark = this.syntax instanceof Expanded ? this.syntax.mark(node) : 0;
    return mark > 0 && name !== "self" ? `${name}#${mark}` : name;
  }

  /** The declaration that a node is the local name of, or 0. */
  lookupLocal(node: number): Offset {
    const name = this.local(node);
    const at = this.lookup(name);
    const [plain = "", mark] = name.split("#");
    return at || mark === undefined || !this.definitions.isLocal(Number(mark)) ? at : this.lookup(plain);
  }

  lookupType(name: string): Offset {
    return this.lookup(`type ${name}`);
  }

  variable(name: string, type: Offset, initialiser: Offset): void {
    this.declare(name, this.emit(Op.Variable, type, initialiser, 0));
  }

  // Records

  path(prefix: Offset, name: string, args: readonly Offset[] = []): Offset {
    return this.emit(Op.Path, prefix, this.str(name), this.scope, args.length, ...args);
  }

  built(name: string, args: readonly Offset[] = []): Offset {
    return this.emit(Op.Built, this.str(name), args.length, ...args);
  }

  /** Some value of a type that the language or its prelude has. */
  value(type: string): Offset {
    return this.emit(Op.Value, this.built(type));
  }

  /** Records a call: what `record` says, then the arguments. Closures among them learn where they go. */
  call(record: readonly number[], args: readonly Offset[], node: number): Offset {
    const taken = args.map((argument) => (this.code[argument] === Op.Borrow && this.code[this.code[argument + 2]!] === Op.Closure ? this.code[argument + 2]! : argument));
    const at = this.emit(...record, args.length, ...taken);
    for (const [position, argument] of taken.entries()) {
      const closure = this.boxed(argument);
      if (this.code[closure] !== Op.Closure) continue;
      this.code[closure + 1] = at;
      this.code[closure + 2] = position;
    }
    this.use(at, node);
    return at;
  }

  /** What `Box::new(…)` is given; another expression itself. */
  private boxed(at: Offset): Offset {
    const callee = this.code[at] === Op.Call && this.code[at + 2] === 1 ? this.code[at + 1]! : 0;
    const owner = this.code[callee] === Op.Path ? this.code[callee + 1]! : 0;
    const isNew = this.code[owner] === Op.Path && this.strings[this.code[callee + 2]!] === "new" && /^(?:Box|Rc|Arc)$/.test(this.strings[this.code[owner + 2]!]!);
    return isNew ? this.code[at + 3]! : at;
  }

  use(at: Offset, node: number): void {
    this.useAt(at, this.lineOf(node));
  }

  useAt(at: Offset, line: number): void {
    this.uses.push(at, this.owner, line, this.sure);
  }

  // Functions as values

  /** Something is put into a field, a variable, a list or a table. */
  store(into: Offset, value: Offset): void {
    if (into === 0 || !this.mayBeFunction(value)) return;
    this.stores.push(into, value);
    this.filled.add(into);
  }

  /** All that a closure does is a call. */
  forward(closure: Offset, call: Offset): void {
    if (this.code[call] !== Op.Call && this.code[call] !== Op.Method) return;
    this.stores.push(closure, call);
    this.filled.add(closure);
  }

  /** What a closure does that is more than a call is told as what the function around it does. */
  within(closure: Offset): void {
    if (this.owner >= 0 && !this.filled.has(closure)) this.store(closure, this.emit(Op.Code, this.owner));
  }

  /** The function around returns something. */
  returned(value: Offset): void {
    if (this.returning >= 0 && this.mayBeFunction(value)) this.returns.push(this.returning, value);
  }

  /** Runs `inside` as the code of a function that gives a type, or of a closure, whose symbol is -1. */
  returningFrom(symbol: number, inside: () => void, type: Offset): void {
    const { returning, result } = this;
    this.returning = symbol;
    this.result = type;
    inside();
    this.returning = returning;
    this.result = result;
  }

  private mayBeFunction(at: Offset): boolean {
    const op = this.code[at];
    return at !== 0 && (this.filled.has(at) || (op !== Op.Value && op !== Op.Literal && op !== Op.Closure));
  }

  // Declarations

  /** Adds a symbol inside of the one that code belongs to now; returns its index. */
  symbol({ kind, name, whole, body, owner, exported, entry }: NewSymbol): number {
    const { syntax } = this;
    const place = syntax instanceof Expanded ? `${syntax.origin(syntax.start(name))} ${kind} ${owner ?? ""} ${syntax.text(name)}` : "";
    const before = this.written.get(place);
    if (before !== undefined) return before;
    const head = textOfHead(syntax, syntax.start(whole), whole, body);
    // A value may be the address of a page.
    const text = kind === "Variable" ? head : head.replace(/\/\/[^\n]*/g, "");
    const signature = headOf(text, /[\s;={]+$/);
    const added = this.add(syntax, { kind, name: nameOf(syntax.text(name)), at: name, whole, exported, signature, entry, ...(owner ? { owner } : {}) });
    if (syntax instanceof Expanded) {
      [this.symbols[added]!.startLine, this.symbols[added]!.endLine] = syntax.linesOf(whole, name);
      this.written.set(place, added);
    }
    return added;
  }

  /** Runs `inside` in a module, or in a block that holds declarations. */
  inScope(name: string | undefined, inside: () => void): void {
    const { scope } = this;
    this.scope = this.scopes.push({ ...(name === undefined ? {} : { name }), parent: scope, uses: [], files: [] }) - 1;
    inside();
    this.scope = scope;
  }
}

/** A name without the sign of a raw one: `r#type`. */
export function nameOf(text: string): string {
  return text.startsWith("r#") ? text.slice(2) : text;
}
