import type { EntryKind, FileFacts, SymbolKind } from "../../facts.ts";
import type { Syntax } from "../classes/syntax.ts";
import { FileRecords, headOf, textOfHead } from "../records.ts";
import { OPEN, openName } from "./names.ts";
import {
  type ConstantFact, type ContextFact, type FieldFact, type ImportFact, type MethodFact, type MixinFact, type Offset, Op, type RubyFacts, type ScopeFact,
} from "./facts.ts";

/** Values of a list and arguments of a call that are kept: a table of thousands says no more than its beginning. */
const MAX_LISTED = 50;

/** Global variables that Ruby has itself. */
const BUILT_IN = /^\$(?:\W|\d+|_|-\w|std(?:in|out|err)|VERBOSE|DEBUG|PROGRAM_NAME|LOAD_PATH|LOADED_FEATURES|FILENAME)$/;

export interface NewSymbol {
  kind: SymbolKind;
  name: string;
  /** Nodes: where the name stands, the whole declaration, its body (0: none). */
  at: number;
  whole: number;
  body: number;
  exported?: boolean;
  entry?: EntryKind | undefined;
}

/** One file in the making: its facts so far, and where the walkers are. */
export class Unit extends FileRecords {
  readonly scopes: ScopeFact[] = [];
  readonly contexts: ContextFact[] = [];
  readonly methods: MethodFact[] = [];
  readonly fields: FieldFact[] = [];
  readonly constants: ConstantFact[] = [];
  readonly mixins: MixinFact[] = [];
  readonly imports: ImportFact[] = [];
  autoloads = false;
  context = -1;
  /** How methods are declared at this place of a class's body. */
  visibility: "public" | "private" | "module_function" = "public";
  /** In `class << self`. */
  meta = false;
  /** Rake's namespaces around this place: `db:test:`. */
  prefix = "";
  /** The context that variables of objects belong to, where it is not that of the code; else -1. */
  variables = -1;
  /** What `helper_method` names, and where. */
  readonly handed: { name: string; scope: number }[] = [];
  /** What `return` has given so far in the method. */
  returns: Offset[] = [];

  /** What is put into the list or hash that a method of `self` gives. */
  readonly elements: { method: string; context: number; value: Offset }[] = [];
  readonly forwards: Offset[] = [];
  readonly yielded: number[] = [];
  /** Global variables that the file declares: where, and as which symbol. */
  readonly declared = new Map<string, { at: number; symbol: number }>();

  private readonly globals: number[] = [];
  private readonly uses: number[] = [];
  private bound = new Map<string, Offset>();
  private undo: [name: string, before: Offset | undefined][] = [];

  /** The characters of texts that were read as code so far. */
  readAsCode = 0;

  /** `parse` reads another text in the file's language; undefined where that takes too long. */
  constructor(public syntax: Syntax, readonly path: string, readonly parse: (text: string) => Syntax | undefined) {
    super();
  }

  /** Runs `inside` where the nodes are those of another text. */
  reading(syntax: Syntax, inside: () => void): void {
    const before = this.syntax;
    this.syntax = syntax;
    inside();
    this.syntax = before;
  }

  finish(generated: boolean): FileFacts<RubyFacts> {
    this.putElements();
    const { symbols, scopes, contexts, methods, fields, constants, mixins, imports, autoloads, strings, code, uses, forwards, yielded, globals, syntax } = this;
    return {
      symbols, data: { scopes, contexts, methods, fields, constants, mixins, imports, autoloads, strings, code, uses, forwards, yielded, globals },
      syntaxErrors: syntax.errors, ...(generated ? { generated } : {}),
    };
  }

  /** `registry << klass` puts into @registry, where that is what the method gives. */
  private putElements(): void {
    for (const { method, context, value } of this.elements) {
      const { scope, singleton } = this.contexts[context]!;
      const own = this.methods.find((one) => one.name === method && one.scope === scope && (one.side === "singleton") === singleton);
      const results = own && this.code[own.result] === Op.Either ? this.code.slice(own.result + 2, own.result + 2 + this.code[own.result + 1]!) : own ? [own.result] : [];
      const field = results.find((at) => this.code[at] === Op.Field);
      if (field !== undefined) this.fields.push({ name: this.strings[this.code[field + 1]!]!, context: this.code[field + 2]!, value, element: true });
    }
  }

  // Where the walkers are

  get scope(): number {
    return this.contexts[this.context]!.scope;
  }

  /** The context that a variable belongs to which is named here. */
  get holder(): number {
    return this.variables >= 0 ? this.variables : this.context;
  }

  /** In the body of a class or module, or of the file, and not in a method. */
  get inBody(): boolean {
    return this.contexts[this.context]!.method < 0;
  }

  /** What is read stands among the arguments of a call. */
  given = false;

  /** A lambda there is handed to a call by the body of a class, which may run it for an object: `before_action -> { load }`. */
  get isHanded(): boolean {
    return this.given && this.inBody && this.scopes[this.scope]!.kind !== "file";
  }

  addContext(context: Partial<ContextFact>): number {
    const around = this.contexts[this.context] ?? { scope: 0, singleton: false, method: -1, loose: false };
    const next = { ...around, ...context };
    if (this.context >= 0 && same(next, around)) return this.context;
    return this.contexts.push(next) - 1;
  }

  /** Runs `inside` in a context, with the symbol that its code belongs to. */
  within<T>(context: number, owner: number, inside: () => T): T {
    const before = { context: this.context, owner: this.owner, visibility: this.visibility };
    this.context = context;
    if (owner >= 0) this.owner = owner;
    this.visibility = "public";
    const result = inside();
    Object.assign(this, before);
    return result;
  }

  // Locals

  /** Runs `inside` without the locals around it, as methods and classes do. */
  apart<T>(inside: () => T): T {
    const { bound, undo } = this;
    this.bound = new Map();
    this.undo = [];
    const result = inside();
    this.bound = bound;
    this.undo = undo;
    return result;
  }

  /** What a local holds; undefined when there is none of that name. */
  lookup(name: string): Offset | undefined {
    return this.bound.get(name);
  }

  bind(name: string, value: Offset): void {
    if (name === "") return;
    this.undo.push([name, this.bound.get(name)]);
    this.bound.set(name, value);
  }

  /**
   * Runs `inside`, which may happen or not: what it binds anew stands beside what was bound before. `own` names are its own
   * and mean afterwards what they meant before, unless they are assigned there; in a block so do all that it is the first to name.
   */
  branch<T>(inside: () => T, own: readonly (readonly [name: string, value: Offset])[] = [], block = false): T {
    const mark = this.undo.length;
    for (const [name, value] of own) this.bind(name, value);
    const result = inside();
    const before = new Map<string, Offset | undefined>();
    for (const [name, was] of this.undo.slice(mark)) if (!before.has(name)) before.set(name, was);
    for (const [name, was] of before) {
      const now = this.bound.get(name)!;
      const isOwn = own.some(([hidden, value]) => hidden === name && (block || value === now));
      if (isOwn || (was === undefined && block)) this.rebind(name, was);
      else if (was !== undefined && was !== now) this.bind(name, this.either([was, now]));
    }
    return result;
  }

  private rebind(name: string, value: Offset | undefined): void {
    this.undo.push([name, this.bound.get(name)]);
    if (value === undefined) this.bound.delete(name);
    else this.bound.set(name, value);
  }

  // Records

  core(name: string): Offset {
    return this.emit(Op.Core, this.str(name));
  }

  self(): Offset {
    return this.emit(Op.Self, this.context);
  }

  either(values: readonly Offset[]): Offset {
    const known = [...new Set(values)].filter((value) => value > 0);
    return known.length < 2 ? (known[0] ?? 0) : this.several(Op.Either, known);
  }

  several(op: typeof Op.List | typeof Op.Table | typeof Op.Either, values: readonly Offset[]): Offset {
    const kept = values.slice(0, MAX_LISTED);
    return this.emit(op, kept.length, ...kept);
  }

  /** The receiver of a call that has one, whatever is known of it: 0 stands for none. */
  receiver(value: Offset): Offset {
    return value || this.emit(Op.Unknown);
  }

  call(receiver: Offset, written: string, all: readonly Offset[], block: Offset, node: number): Offset {
    const name = this.readAsCode > 0 && written.includes(OPEN) ? openName(written) : written;
    if (name === undefined) return 0;
    const args = all.slice(0, MAX_LISTED);
    const at = this.emit(Op.Call, receiver, this.str(name), this.context, block, args.length, ...args);
    if (block && (this.code[block] === Op.Block || this.code[block] === Op.Each)) this.code[block + 1] = at;
    this.use(at, node);
    return at;
  }

  use(at: Offset, node: number): void {
    this.uses.push(at, this.owner, this.syntax.line(node));
  }

  useGlobal(node: number): void {
    const name = this.syntax.text(node);
    if (!BUILT_IN.test(name)) this.globals.push(this.str(name), this.owner, this.syntax.line(node));
  }

  // Declarations

  /** The symbol of a global variable, where it stands in the first statement of the file that gives it a value outside of methods. */
  declareGlobal(node: number, whole: number): number | undefined {
    const name = this.syntax.text(node);
    if (!this.declared.has(name) && this.inBody && !BUILT_IN.test(name)) {
      const signature = this.headOf(whole, 0);
      this.declared.set(name, { at: node, symbol: this.add(this.syntax, { kind: "Variable", name, at: node, whole, exported: true, signature }, -1) });
    }
    const declared = this.declared.get(name);
    return declared?.at === node ? declared.symbol : undefined;
  }

  /** Adds a symbol inside of the one that code belongs to now; returns its index. */
  symbol({ kind, name, at, whole, body, exported = true, entry }: NewSymbol): number {
    return this.add(this.syntax, { kind, name, at, whole, owner: this.ownerName(), exported, signature: this.headOf(whole, body), entry });
  }

  private headOf(whole: number, body: number): string {
    const { syntax } = this;
    return headOf(textOfHead(syntax, syntax.start(whole), whole, body), /[\s;=]+$/);
  }

  /** The simple name of the class or module around this place. */
  private ownerName(): string {
    const name = this.scopes[this.scope]?.name ?? "";
    return name.slice(name.lastIndexOf(":") + 1);
  }
}

function same(a: ContextFact, b: ContextFact): boolean {
  return a.scope === b.scope && a.singleton === b.singleton && a.method === b.method && a.loose === b.loose;
}
