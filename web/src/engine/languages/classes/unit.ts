import type { EntryKind, FileFacts, SymbolKind } from "../../facts.ts";
import { headOf, ScopedRecords, textOfHead } from "../records.ts";
import { type ClassFacts, type MemberFact, type Offset, Op, type ScopeFact, type TypeFact, type Within } from "./facts.ts";
import type { Syntax } from "./syntax.ts";

/** Types whose values are no objects of the code base. */
const PLAIN = /^(?:s?byte|u?short|u?int|u?long|float|double|decimal|bool|boolean|char|string|String|object|Object|Integer|Long|Double|Float|Short|Byte|Character|Boolean|null|\.System\.Type|Class)$/;

/** Values of one list, beyond so many are not looked at. */
const MAX_LISTED = 1000;

export interface NewSymbol {
  kind: SymbolKind;
  /** Nodes: the name, the whole declaration, its body (0: none). */
  name: number;
  /** The name, where it is more than a node. */
  text?: string;
  whole: number;
  body: number;
  /** Where the head begins; the start of `whole` if not said. */
  head?: number;
  owner?: string;
  exported: boolean;
  entry?: EntryKind | undefined;
}

/** A variable outside of functions: the nodes of its name and of its declaration, what others may find, and the place of that in `functions`. */
export interface Global {
  readonly at: number;
  readonly whole: number;
  readonly member: MemberFact;
  readonly index: number;
}

/** One file in the making: its facts so far, and the scope that the walkers are in. */
export class Unit extends ScopedRecords {
  readonly scopes: ScopeFact[] = [];
  readonly types: TypeFact[] = [];
  readonly functions: ClassFacts["functions"] = [];
  readonly includes: ClassFacts["includes"] = [];
  /** The names of functions that the file gives to a router. */
  readonly routed = new Set<string>();
  within: Within = -1;
  /** The name of the field or enum constant whose value is read; "" elsewhere (Java). */
  field = "";
  /** What the methods of the class without a name around go by, in the place of a type's name (Java). */
  holder = "";

  private readonly uses: number[] = [];
  private readonly stores: Offset[] = [];
  private readonly argumentNames: number[] = [];
  private readonly argumentModes: number[] = [];
  private readonly returns: number[] = [];
  /** What variables stand for by a condition. */
  private readonly narrowed = new Set<Offset>();
  /** Variables that a condition says to hold no object. */
  readonly plain = new Set<Offset>();
  /** Records into which something is put. */
  private readonly filled = new Set<Offset>();
  /** What the pattern around is matched with (C#); 0 where that is not known. */
  subject: Offset = 0;
  /** The type that the function around is declared to give; 0 for none, and in one without a name. */
  result: Offset = 0;
  /** What the function without a name around returns. */
  private results: Offset[] = [];
  /** Whether it returns a value at all. */
  gives = false;
  /** What the function with a name around returns. */
  given: Offset[] = [];
  /** What it yields (PHP). */
  yields: Offset[] = [];
  /** The function whose code returns something; -1 in one without a name. */
  private returning = -1;

  /** `makers`: the library's methods that make a list or a table of what they are given. */
  constructor(readonly syntax: Syntax, readonly path: string, private readonly makers = /^$/) {
    super();
  }

  finish(generated: boolean): FileFacts<ClassFacts> {
    const { symbols, scopes, types, functions, strings, code, uses, stores, argumentNames, argumentModes, returns, includes, syntax } = this;
    for (const symbol of symbols) if (this.routed.has(symbol.name) && /^(?:Function|Method)$/.test(symbol.kind)) symbol.entry ??= "route";
    return {
      symbols, data: { scopes, types, functions, strings, code, uses, stores, named: argumentNames, modes: argumentModes, returns, includes }, syntaxErrors: syntax.errors,
      ...(generated ? { generated } : {}),
    };
  }

  /** The call that ends last of those recorded so far. */
  lastCall: Offset = 0;

  // Scopes. Types have names of their own: a class and a variable may share one.

  /**
   * Runs `inside`, which may happen or not: what it binds anew stands beside what was bound before.
   * `narrowed` has names that stand for something more special inside of it, and only there. What `leaves` the function binds nothing behind it.
   */
  branch(inside: () => void, narrowed: readonly (readonly [name: string, at: Offset])[] = [], leaves = false): void {
    const mark = this.undo.length;
    for (const [name, at] of narrowed) this.narrow(name, at);
    inside();
    const before = new Map<string, Offset | undefined>();
    for (const [name, was] of this.undo.slice(mark)) if (!before.has(name)) before.set(name, was);
    for (const [name, was] of before) {
      const now = this.bound.get(name);
      const special = leaves || (now !== undefined && this.narrowed.has(now));
      if (special && was) this.declare(name, was);
      else if (special) this.bound.delete(name);
      else if (was && now && was !== now) this.declare(name, this.emit(Op.Either, 2, was, now));
    }
  }

  /** From here on to the end of the branch a name stands for something more special. */
  narrow(name: string, at: Offset): void {
    this.narrowed.add(at);
    this.declare(name, at);
  }

  declareType(name: string, at: Offset): void {
    this.declare(`type ${name}`, at);
  }

  // Records

  stringAt(index: number): string {
    return this.strings[index] ?? "";
  }

  /** The simple names of the types that a type is said to be one of. */
  superNames({ supers }: TypeFact): string[] {
    return supers.flatMap(({ type }) => (this.code[type] === Op.Named ? [this.strings[this.code[type + 1]!]!.replace(/^.*[.\\]/, "")] : []));
  }

  /** A type by its dotted name. */
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

  /** The variables that the file declares outside of functions (PHP). */
  readonly globals = new Map<string, Global>();
  /** Types whose methods answer for properties that no class declares, by `__get` and its like (PHP). */
  readonly answering = new Set<number>();
  /** Variables in functions that stand for such. */
  readonly shared = new Set<Offset>();
  /** In PHP, the types that the doc comment above a statement gives variables. */
  said: ReadonlyMap<string, Offset> = new Map();

  /** Variables that are given an empty array (PHP). */
  readonly arrays = new Set<Offset>();

  /** By the record of a text that is put together, the name that it is, or the pattern of it (PHP). */
  readonly patterns = new Map<Offset, string>();

  value(type: string): Offset {
    return this.emit(Op.Value, this.named(type));
  }

  /** A call of a record, or the making of an object (`op` New). Lambdas among the arguments learn where they go. */
  call(op: typeof Op.Call | typeof Op.New, callee: Offset, args: readonly Offset[], node: number): Offset {
    const at = this.lastCall = this.emit(op, callee, args.length, ...args);
    for (const [position, argument] of args.entries()) {
      if (this.code[argument] === Op.New) this.code[argument + 1] ||= this.emit(Op.Taken, at, position);
      if (this.code[argument] !== Op.Lambda) continue;
      this.code[argument + 1] = at;
      this.code[argument + 2] = position;
    }
    this.use(at, node);
    return at;
  }

  /** A lambda's record with one Argument or Variable for each parameter; 0 as a type means that it has none. */
  lambda(parameters: readonly { name: string; type: Offset; initialiser?: Offset }[], body: (lambda: Offset) => Offset): Offset {
    const at = this.emit(Op.Lambda, 0, 0, 0, parameters.length, ...parameters.map(() => 0));
    const { returning, result, results, gives } = this;
    this.returning = -1;
    this.result = 0;
    this.results = [];
    this.gives = false;
    this.scoped(() => {
      for (const [i, { name, type, initialiser = 0 }] of parameters.entries()) {
        const record = type || initialiser ? this.emit(Op.Variable, type, initialiser) : this.emit(Op.Argument, at, i);
        this.code[at + 5 + i] = record;
        this.declare(name, record);
      }
      const only = body(at);
      this.forward(at, only);
      this.code[at + 3] = only || this.oneOf(this.results);
    });
    this.returning = returning;
    this.result = result;
    this.results = results;
    this.gives = gives;
    if (this.owner >= 0 && !this.filled.has(at)) this.store(at, this.emit(Op.Code, this.owner));
    return at;
  }

  /** What a lambda gives; 0 for what is none. */
  resultOf(lambda: Offset): Offset {
    return this.code[lambda] === Op.Lambda ? this.code[lambda + 3]! : 0;
  }

  /** A value is given to something of a type, which tells a lambda what it takes, and `new()` what it makes. */
  giveTo(value: Offset, type: Offset): void {
    if (type === 0) return;
    const { code } = this;
    const all = (from: Offset, to: Offset, inside: Offset): void => {
      for (const one of code.slice(from, to)) this.giveTo(one, inside);
    };
    switch (code[value]) {
      case Op.Lambda:
        code[value + 1] = type;
        code[value + 2] = -1;
        break;
      case Op.New:
        // `new(…)`
        code[value + 1] ||= type;
        break;
      case Op.Either:
        all(value + 2, value + 2 + code[value + 1]!, type);
        break;
      case Op.Several:
        all(value + 2, value + 2 + code[value + 1]!, code[type] === Op.Array ? code[type + 1]! : this.lastOf(type));
        break;
      case Op.Call: {
        // `Map.of("save", form -> form.save())`: the functions are what the table holds.
        const callee = code[value + 1]!;
        if (code[callee] !== Op.Select || !this.makers.test(this.stringAt(code[callee + 2]!))) break;
        for (const one of code.slice(value + 3, value + 3 + code[value + 2]!)) this.giveTo(one, code[one] === Op.Call ? type : this.lastOf(type));
      }
    }
  }

  /** A value is given to a variable, a field or an element, whose type tells a lambda what it takes. */
  giveToWhat(value: Offset, into: Offset): void {
    if (into !== 0 && value !== 0 && this.code[value] !== Op.Value) this.giveTo(value, this.emit(Op.Of, into));
  }

  /** The last of a type's arguments, as it is written; 0 where it has none. */
  lastOf(type: Offset): Offset {
    const { code } = this;
    return code[type] === Op.Named && code[type + 3]! > 0 ? code[type + 3 + code[type + 3]!]! : 0;
  }

  variable(name: string, type: Offset, initialiser: Offset): Offset {
    const at = this.emit(Op.Variable, type, initialiser);
    this.declare(name, at);
    return at;
  }

  // Functions as values

  /** Something is put into a field, a variable, a list or a table. */
  store(into: Offset, value: Offset): void {
    if (into === 0 || !this.mayBeFunction(value)) return;
    this.stores.push(into, value);
    this.filled.add(into);
  }

  /** Whether `store` takes a value. */
  isStored(value: Offset): boolean {
    return this.mayBeFunction(value);
  }

  /** What the lambda around returns, as one of several even where it is one: no lambda that gives nothing. */
  allReturned(): Offset {
    return this.results.length > 0 ? this.emit(Op.Either, this.results.length, ...this.results) : 0;
  }

  /** The only value that the lambda around returns; 0 where there are several. */
  resultOnly(): Offset {
    return this.results.length === 1 ? this.results[0]! : 0;
  }

  /** One of several values. */
  private oneOf(values: readonly Offset[]): Offset {
    return values.length > 1 ? this.emit(Op.Either, values.length, ...values) : (values[0] ?? 0);
  }

  /** A list of values, as far as they may be functions: machines write lists of thousands of numbers. */
  listed(values: readonly Offset[]): Offset {
    const functions = values.filter((value) => this.mayBeFunction(value) || (this.code[value] === Op.New && this.code[value + 1] === 0)).slice(0, MAX_LISTED);
    return functions.length > 0 ? this.emit(Op.Several, functions.length, ...functions) : 0;
  }

  /** An argument of a call is for the parameter of a name. */
  nameArgument(call: Offset, position: number, name: string): void {
    this.argumentNames.push(call, position, this.str(name));
  }

  /** An argument of a call is passed in a Mode other than by value. */
  passArgument(call: Offset, position: number, mode: string): void {
    this.argumentModes.push(call, position, this.str(mode));
  }

  /** All that a lambda does is a call. */
  forward(lambda: Offset, call: Offset): void {
    if (this.code[call] !== Op.Call && this.code[call] !== Op.New) return;
    this.stores.push(lambda, call);
    this.filled.add(lambda);
  }

  /** The function around returns something. */
  returned(value: Offset): void {
    this.gives = true;
    this.giveTo(value, this.result);
    if (this.returning < 0 && value !== 0 && this.results.length < MAX_LISTED) this.results.push(value);
    if (this.returning >= 0 && this.mayBeFunction(value)) this.returns.push(this.returning, value);
    if (this.returning >= 0) this.given.push(value);
  }

  /** The function around yields something. */
  yielded(value: Offset): void {
    if (this.returning >= 0) this.yields.push(value);
  }

  override inSymbol(symbol: number, inside: () => void): void {
    const { returning, result, results, given, yields } = this;
    this.returning = symbol;
    this.result = 0;
    this.results = [];
    this.given = [];
    this.yields = [];
    super.inSymbol(symbol, inside);
    this.given = given;
    this.yields = yields;
    this.returning = returning;
    this.result = result;
    this.results = results;
  }

  private mayBeFunction(at: Offset): boolean {
    const op = this.code[at];
    if (at === 0 || op === Op.Self || op === Op.Super) return false;
    return this.filled.has(at) || (op !== Op.Value && op !== Op.Lambda && !(op === Op.New && this.code[at + 2] === 0));
  }

  /** Methods that run on a value without being called, as a Runs names them. */
  runs(value: Offset, methods: string, node: number): void {
    if (this.mayBeObject(value)) this.use(this.emit(Op.Runs, value, this.str(methods)), node);
  }

  /** An operator that a type of the operands may declare; 0 where none may. */
  operator(name: string, operands: readonly Offset[], node: number): Offset {
    if (!operands.some((operand) => this.mayBeObject(operand))) return 0;
    const at = this.emit(Op.Operator, this.str(name), operands.length, ...operands);
    this.use(at, node);
    return at;
  }

  /** A value is put where a type is declared: a conversion of the value's type or of that one may run (C#). */
  conversion(value: Offset, into: Offset, node: number): void {
    const { code } = this;
    if (value === 0 || into === 0 || code[value] === Op.Lambda || code[value] === Op.Several) return;
    const from = code[value] === Op.Self ? this.types[code[value + 1]!]?.name ?? "" : this.plainOf(value);
    if (from !== "null" && (from === "" || from !== this.plainOf(into))) this.operator("implicit operator", [value, into], node);
  }

  /** What an operator that no type declares gives of two values: of numbers of different types the wider one. */
  calculated(operands: readonly Offset[]): Offset {
    const [left = 0, right = 0] = operands;
    const [a, b] = [this.plainOf(left), this.plainOf(right)];
    return left === 0 || right === 0 || (a !== "" && a === b) ? left : this.emit(Op.Operator, this.str(""), 2, left, right);
  }

  /** What arguments are compared by: the name of the type where the record of a value has one, else what kind of record it is. */
  kindOf(at: Offset): string {
    return this.plainOf(at) || String(this.code[at]);
  }

  /** The name of a value's type, where its record has that. */
  private plainOf(at: Offset): string {
    const op = this.code[at];
    const type = op === Op.Value || op === Op.Variable || op === Op.New ? this.code[at + 1]! : 0;
    return this.code[type] === Op.Named ? this.stringAt(this.code[type + 1]!) : "";
  }

  /** Whether a value may be an object that has methods of its own, by its record alone. */
  private mayBeObject(at: Offset): boolean {
    const op = at === 0 ? undefined : this.code[at];
    if (op === undefined || op === Op.Lambda || op === Op.Several || op === Op.Reference) return false;
    const type = op === Op.Value || op === Op.Variable || op === Op.New ? this.code[at + 1]! : 0;
    return this.code[type] !== Op.Array && !(this.code[type] === Op.Named && PLAIN.test(this.stringAt(this.code[type + 1]!)));
  }

  /** A class that is a value (`X.class`) or an annotation. Returns its type. */
  useType(at: Offset, node: number): Offset {
    if (this.code[at] === Op.Named) this.use(at, node);
    return at;
  }

  use(at: Offset, node: number): void {
    this.uses.push(at, this.owner, this.syntax.line(node));
  }

  // Declarations

  /** A method of a class without a name counts as a part of the function around it (PHP). */
  around(symbol: number): Pick<MemberFact, "around"> {
    return symbol < 0 && /^(?:Function|Method)$/.test(this.symbols[this.owner]?.kind ?? "") ? { around: this.owner } : {};
  }

  /** Adds a symbol inside of the one that code belongs to now; returns its index. */
  symbol({ kind, name, text, whole, body, head, owner, exported, entry }: NewSymbol): number {
    const { syntax } = this;
    const signature = headOf(textOfHead(syntax, head ?? syntax.start(whole), whole, body), /(?:=>|[\s;=])+$/);
    return this.add(syntax, { kind, name: text ?? syntax.text(name), at: name, whole, exported, signature, entry, ...(owner ? { owner } : {}) });
  }

  /** Adds a type and runs `inside` in it. */
  type(fact: Pick<TypeFact, "name" | "symbol" | "kind" | "local">, inside: (type: TypeFact) => void): TypeFact {
    const type: TypeFact = { ...fact, outer: this.within, typeParameters: [], supers: [], members: [] };
    const index = this.types.push(type) - 1;
    if (fact.local && fact.name) this.declareType(fact.name, this.emit(Op.Local, index));
    const { owner, within } = this;
    this.within = index;
    if (fact.symbol >= 0) this.owner = fact.symbol;
    this.scoped(() => inside(type));
    this.within = within;
    this.owner = owner;
    return type;
  }
}

/** A member of which nothing is known yet. */
export function newMember(name: string, kind: MemberFact["kind"], symbol: number): MemberFact {
  return { name, symbol, kind, abstract: false, type: 0, initialiser: 0, parameters: [], required: 0, variadic: false, typeParameters: [] };
}
