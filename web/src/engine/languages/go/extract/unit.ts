import { type FunctionFact, guessName, type ImportFact, type Offset, Op, type TypeFact, UntypedKind, type ValueFact } from "../facts.ts";
import { FileRecords } from "../../records.ts";
import type { Syntax } from "./syntax.ts";

/** Built-in types. What is in an `any` is called as another type. */
const PLAIN = new Set([
  "any", "bool", "byte", "complex64", "complex128", "error", "float32", "float64", "int", "int8", "int16", "int32", "int64", "rune", "string",
  "uint", "uint8", "uint16", "uint32", "uint64", "uintptr",
]);

interface Bound {
  at: Offset;
  level: number;
}

/** One file in the making: its facts so far, and the scope that the walkers are in. */
export class Unit extends FileRecords {
  readonly imports: ImportFact[] = [];
  readonly functions: FunctionFact[] = [];
  readonly types: TypeFact[] = [];
  readonly values: ValueFact[] = [];
  readonly uses: number[] = [];
  readonly given: number[] = [];
  readonly literals: number[] = [];
  readonly returns: number[] = [];
  /** What is returned here is what a function literal gives, and not the function around it. */
  inLiteral = false;
  /** The function around may give functions. */
  givesFunctions = false;
  /** The call that was read last. */
  lastCall = { node: 0, record: 0 };
  /** The package's variable whose initialiser is being read; what is in it is its element. */
  holder: Offset = 0;
  readonly qualified = new Set<string>();

  private readonly importNames = new Set<string>();
  private importsRead = 0;
  /** Lists and tables that are written out and may hold functions. */
  private readonly filled = new Set<Offset>();
  private readonly shared = new Map<number, Offset>();
  private readonly bound = new Map<string, Bound>();
  private readonly undo: [name: string, before: Bound | undefined][] = [];
  private level = 0;

  constructor(readonly syntax: Syntax, readonly path: string) {
    super();
  }

  // Scopes

  /** Runs `inside` in a scope of its own. */
  scoped(inside: () => void): void {
    const mark = this.undo.length;
    this.level++;
    inside();
    this.level--;
    while (this.undo.length > mark) {
      const [name, before] = this.undo.pop()!;
      if (before) this.bound.set(name, before);
      else this.bound.delete(name);
    }
  }

  declare(name: string, at: Offset): void {
    if (name === "_" || name === "") return;
    this.undo.push([name, this.bound.get(name)]);
    this.bound.set(name, { at, level: this.level });
  }

  /** The declaration that a name is bound to in the function, or 0. */
  lookup(name: string): Offset {
    return this.bound.get(name)?.at ?? 0;
  }

  /** The same, when it was declared in the innermost scope: `:=` does not declare it again. */
  declaredHere(name: string): boolean {
    return this.bound.get(name)?.level === this.level;
  }

  // Records

  name(text: string): Offset {
    return this.lookup(text) || this.share(Op.Name, this.str(text), 0);
  }

  select(operand: Offset, name: string): Offset {
    if (this.code[operand] === Op.Name) this.qualified.add(`${this.strings[this.code[operand + 1]!]!}.${name}`);
    return this.share(Op.Select, operand, this.str(name));
  }

  /** Whether a record may be the name of something in an imported package. */
  isQualified(record: Offset): boolean {
    return this.code[record] === Op.Select && this.code[this.code[record + 1]!] === Op.Name;
  }

  /** Whether a name is an import's, as far as the file alone tells. */
  isImport(name: string): boolean {
    for (; this.importsRead < this.imports.length; this.importsRead++) {
      const { path, name: given } = this.imports[this.importsRead]!;
      this.importNames.add(given || guessName(path));
    }
    return this.importNames.has(name);
  }

  untyped(kind: keyof typeof UntypedKind): Offset {
    return this.share(Op.Untyped, UntypedKind[kind], 0);
  }

  variable(type: Offset, initialiser: Offset): Offset {
    return this.emit(Op.Variable, type, initialiser);
  }

  use(at: Offset, line: number): void {
    this.uses.push(at, this.owner, line);
  }

  /** Notes what a field or a variable is given, where that may hold a function. */
  store(into: Offset, value: Offset): void {
    if (!this.mayBeFunction(value)) return;
    const { code } = this;
    // What a collection holds is told by where that is: `x.f` of `x.f[i] = …`.
    let target = into;
    while (code[target] === Op.Index || code[target] === Op.Star || code[target] === Op.Slice) target = code[target + 1]!;
    const op = code[target];
    if (op === Op.Select || op === Op.Name || op === Op.Variable) this.given.push(target, value);
  }

  isNamed(at: Offset, name: string): boolean {
    return this.code[at] === Op.Name && this.strings[this.code[at + 1]!] === name;
  }

  /** Notes an element of a list or a table that is written out. */
  fill(list: Offset, value: Offset): void {
    if (!this.mayBeFunction(value)) return;
    this.given.push(list, value);
    this.filled.add(list);
  }

  /** Whether a value may be a function or hold one, as far as the file tells. */
  mayBeFunction(value: Offset): boolean {
    const op = this.code[value];
    if (op === Op.Variable) return !this.isPlain(this.code[value + 1]!);
    return op === Op.Name || op === Op.Select || op === Op.Call || op === Op.Index || op === Op.Element || op === Op.Slice || this.isLiteral(value) || this.filled.has(value);
  }

  /** Whether values of a type, as it is written, hold no functions. */
  isPlain(type: Offset): boolean {
    const { code } = this;
    switch (code[type]) {
      case Op.Name:
        return PLAIN.has(this.strings[code[type + 1]!]!);
      // Pointers to declared types are mostly to structs.
      case Op.Star:
        return code[code[type + 1]!] === Op.Name || code[code[type + 1]!] === Op.Select;
      case Op.SliceOf:
      case Op.Array:
      case Op.Chan:
        return this.isPlain(code[type + 1]!);
      case Op.Map:
        return this.isPlain(code[type + 2]!);
      default:
        return false;
    }
  }

  /** A function literal whose code belongs to the function around it. */
  literal(type: Offset, only: Offset): Offset {
    const at = this.emit(Op.Value, type);
    if (/^(?:Function|Method)$/.test(this.symbols[this.owner]?.kind ?? "")) this.literals.push(at, this.owner, only);
    return at;
  }

  /** The function around returns something in a place. */
  returned(value: Offset, place: number): void {
    if (!this.inLiteral && this.givesFunctions && this.owner >= 0 && this.mayBeFunction(value)) this.returns.push(this.owner, value, place);
  }

  private isLiteral(value: Offset): boolean {
    return this.code[value] === Op.Value && this.code[this.code[value + 1]!] === Op.Func;
  }

  /** Names and selections come many times; one record of each is enough, since its meaning is fixed by its operands. */
  private share(op: number, a: number, b: number): Offset {
    const key = (op * 2 ** 22 + a) * 2 ** 22 + b;
    const known = Number.isSafeInteger(key) ? this.shared.get(key) : undefined;
    if (known !== undefined) return known;
    const at = op === Op.Select ? this.emit(op, a, b) : this.emit(op, a);
    this.shared.set(key, at);
    return at;
  }
}
