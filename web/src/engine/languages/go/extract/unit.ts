import { type FunctionFact, type ImportFact, type Offset, Op, type TypeFact, UntypedKind, type ValueFact } from "../facts.ts";
import { FileRecords } from "../../records.ts";
import type { Syntax } from "./syntax.ts";

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
  readonly qualified = new Set<string>();

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

  untyped(kind: keyof typeof UntypedKind): Offset {
    return this.share(Op.Untyped, UntypedKind[kind], 0);
  }

  variable(type: Offset, initialiser: Offset): Offset {
    return this.emit(Op.Variable, type, initialiser);
  }

  use(at: Offset, line: number): void {
    this.uses.push(at, this.owner, line);
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
