import { type Offset, Op, type TypeFact } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { elementsOf } from "./elements.ts";
import { isVague } from "./types.ts";

/** Of a function with more returns, or an array of more values, no type is told. */
const MAX_VALUES = 8;
/** Values nested deeper, or that come through more variables and properties, have no type. */
const MAX_DEPTH = 8;
/** The type of `null`, beside which another type stands alone. */
const NULL = -1;

/** Values whose type other code may tell. */
const LEADING: ReadonlySet<number> = new Set([Op.Call, Op.Select, Op.Variable, Op.Index, Op.Entry, Op.Element]);

/** What a function gives: the values of its `return` and of its `yield`. */
export type Given = Pick<Unit, "given" | "yields">;

/** The type of what a function gives, as far as its file says it; 0 where it does not, or where that says no more than the declared type. `type` is the class around. */
export function givenType(u: Unit, { given, yields }: Given, declared: Offset, type: TypeFact | undefined): Offset {
  const types = new WrittenTypes(u, type);
  const found = yields.length > 0 ? types.arrayOf(yields) : types.oneOf(given);
  return found === NULL || (declared > 0 && !holds(u, found)) ? 0 : found;
}

/** The values of the `return`s that decide together what a function without a declared type gives, where its file does not tell that; 0 where one of them tells nothing. */
export function givenValues(u: Unit, { given, yields }: Given): Offset {
  const values = new Set(given);
  if (yields.length > 0 || values.size > MAX_VALUES || values.has(0) || ![...values].some((value) => LEADING.has(u.code[value]!))) return 0;
  return values.size === 1 ? given[0]! : u.emit(Op.Either, values.size, ...values);
}

/** Whether a declared type leaves open what a function gives, or what is in the array or iterator that it gives. */
export function leavesOpen(u: Unit, declared: Offset): boolean {
  return isVague(u, declared) && !holds(u, declared);
}

/** Whether a type says what is in an array or an iterator. */
function holds(u: Unit, type: Offset): boolean {
  const { code } = u;
  if (code[type] === Op.Union) return code.slice(type + 2, type + 2 + code[type + 1]!).every((term) => holds(u, term));
  return code[type] === Op.Array || (code[type] === Op.Named && code[type + 3]! > 0);
}

/** Types of values in a class's code, or a function's, as far as the file writes them down. */
class WrittenTypes {
  private readonly known = new Map<Offset, Offset>();
  private depth = 0;

  constructor(private readonly u: Unit, private readonly type: TypeFact | undefined) {}

  /** The type of an array of these values; 0 where one of them has none. */
  arrayOf(values: readonly Offset[]): Offset {
    const type = this.oneOf(values);
    return type > 0 && !this.termsOf(type).some((term) => isVague(this.u, term)) ? this.u.emit(Op.Array, type) : 0;
  }

  /** The type of a value that is one of these; 0 where one of them has none. */
  oneOf(values: readonly Offset[]): Offset {
    if (values.length === 0 || values.length > MAX_VALUES) return 0;
    const types = values.map((value) => this.typeOf(value));
    if (types.includes(0)) return 0;
    const different = new Map(types.filter((type) => type !== NULL).map((type) => [this.keyOf(type), type]));
    const all = [...different.values()];
    return all.length < 2 ? (all[0] ?? NULL) : this.u.emit(Op.Union, all.length, ...all);
  }

  private typeOf(at: Offset): Offset {
    const before = this.known.get(at);
    if (before !== undefined || this.depth >= MAX_DEPTH || at === 0) return before ?? 0;
    this.known.set(at, 0);
    this.depth++;
    const type = this.read(at);
    this.depth--;
    this.known.set(at, type);
    return type;
  }

  private read(at: Offset): Offset {
    const { u, u: { code } } = this;
    const parts = (): Offset[] => code.slice(at + 2, at + 2 + code[at + 1]!);
    switch (code[at]) {
      case Op.Self:
        return at;
      case Op.New:
        return this.iterated(at) || this.written(code[at + 1]!);
      case Op.Value:
        return this.isNamed(code[at + 1]!, /^\.null$/) ? NULL : this.written(code[at + 1]!);
      case Op.Variable:
        return code[at + 1] || this.typeOf(code[at + 2]!);
      case Op.Several:
        return this.arrayOf(parts());
      case Op.Either:
        // What an array holds that comes from elsewhere is not said; what is put into it here is.
        return this.oneOf(parts().filter((part) => elementsOf(u, part)?.length !== 0));
      case Op.Element:
      case Op.Index: {
        const array = this.typeOf(code[at + 1]!);
        return code[array] === Op.Array ? code[array + 1]! : 0;
      }
      case Op.Select: {
        // `return self::$instance;`
        const isOwn = code[code[at + 1]!] === Op.Self;
        const field = isOwn ? this.type?.members.find(({ kind, name }) => kind === "field" && name === u.stringAt(code[at + 2]!)) : undefined;
        if (!field) return 0;
        return leavesOpen(u, field.type) ? this.typeOf(field.initialiser) || field.type : field.type;
      }
      default:
        return 0;
    }
  }

  /** The type of the array that a new iterator goes through, if that is one. */
  private iterated(at: Offset): Offset {
    const { code } = this.u;
    const array = this.isNamed(code[at + 1]!, /^(?:.*\.)?ArrayIterator$/) && code[at + 2]! > 0 ? this.typeOf(code[at + 3]!) : 0;
    return holds(this.u, array) ? array : 0;
  }

  /** A type that is a class by its name, or the class around. */
  private written(type: Offset): Offset {
    return this.u.code[type] === Op.Named || this.u.code[type] === Op.Self ? type : 0;
  }

  private isNamed(type: Offset, name: RegExp): boolean {
    return this.u.code[type] === Op.Named && name.test(this.u.stringAt(this.u.code[type + 1]!));
  }

  private termsOf(type: Offset): Offset[] {
    const { code } = this.u;
    return code[type] === Op.Union ? code.slice(type + 2, type + 2 + code[type + 1]!) : [type];
  }

  /** Types of one key are the same. */
  private keyOf(type: Offset): string | Offset {
    const { code } = this.u;
    return code[type] === Op.Self ? "self" : code[type] === Op.Named && code[type + 3] === 0 ? `named ${this.u.stringAt(code[type + 1]!)}` : type;
  }
}
