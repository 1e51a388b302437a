import { type Offset, Op, type TypeFact } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { isVague } from "./types.ts";

/** What is put into an array by more statements than this is not looked at. */
const MAX_ELEMENTS = 8;
/** Records that tell what an array is, and values nested deeper than this, are not followed further. */
const MAX_RECORDS = 100;
const MAX_DEPTH = 8;

/** A value says what an array holds, unless it has no type, is a text or a number, or is a function, which is stored. */
function says(u: Unit, value: Offset): boolean {
  switch (u.code[value]) {
    case Op.New:
    case Op.Call:
    case Op.Select:
    case Op.Self:
    case Op.Element:
    case Op.Index:
    case Op.Entry:
    case Op.Either:
    case Op.Several:
    case Op.Variable:
    case Op.Argument:
      return value !== 0;
    default:
      return false;
  }
}

/** A declared type that says that something is an array, and not what it holds. */
export function isArray(u: Unit, type: Offset): boolean {
  return u.code[type] === Op.Named && /^\.(?:array|iterable)$/.test(u.stringAt(u.code[type + 1]!));
}

/** What is in an array, as far as its record tells; undefined for what may be something else than an array. */
function elementsOf(u: Unit, at: Offset, seen = new Set<Offset>()): Offset[] | undefined {
  const { code } = u;
  if (at === 0 || seen.has(at)) return [];
  if (seen.size >= MAX_RECORDS) return undefined;
  seen.add(at);
  switch (code[at]) {
    case Op.Several:
      return code.slice(at + 2, at + 2 + code[at + 1]!);
    case Op.Variable:
      if (code[at + 1] !== 0) return isArray(u, code[at + 1]!) ? [] : undefined;
      return code[at + 2] === 0 && !u.arrays.has(at) ? undefined : elementsOf(u, code[at + 2]!, seen);
    case Op.Either: {
      const all = code.slice(at + 2, at + 2 + code[at + 1]!).map((one) => elementsOf(u, one, seen));
      return all.every((one) => one !== undefined) ? all.flat() : undefined;
    }
    default:
      return undefined;
  }
}

/** The record of an array into which a value was put as well; 0 where that says nothing new. */
function withElement(u: Unit, array: Offset, value: Offset): Offset {
  const held = elementsOf(u, array);
  if (!held || held.length >= MAX_ELEMENTS || held.includes(value)) return 0;
  const added = u.emit(Op.Several, 1, value);
  return array ? u.emit(Op.Either, 2, array, added) : added;
}

/** A value is put into the array that a node stands for, or into one inside of it: `$all[] = $x`, `$this->all[$key][] = $x`. */
export function putInto(u: Unit, array: number, value: Offset): void {
  const { syntax } = u;
  let target = array;
  let added = says(u, value) ? value : 0;
  for (; syntax.kind(target) === "subscript_expression" && added; target = syntax.children(target)[0] ?? 0) added = u.emit(Op.Several, 1, added);
  if (added === 0) return;
  if (syntax.kind(target) === "variable_name" && syntax.text(target) !== "$this") {
    const grown = withElement(u, u.lookup(syntax.text(target)), added);
    if (grown) u.variable(syntax.text(target), 0, grown);
    return;
  }
  const name = ownProperty(u, target);
  const type = name === undefined ? undefined : u.types[u.within];
  const known = type?.members.find((member) => member.kind === "field" && member.name === name);
  if (!known || (known.type !== 0 && !isArray(u, known.type))) return;
  const grown = withElement(u, known.initialiser, added);
  if (grown) Object.assign(known, { type: 0, initialiser: grown });
}

/** The name of the property of `$this` or of the class around that a node stands for. */
function ownProperty(u: Unit, node: number): string | undefined {
  const { syntax } = u;
  const [of, name] = syntax.children(node);
  if (of === undefined || name === undefined) return undefined;
  if (syntax.kind(node) === "member_access_expression") return syntax.text(of) === "$this" && syntax.kind(name) === "name" ? syntax.text(name) : undefined;
  return syntax.kind(node) === "scoped_property_access_expression" && /^(?:self|static)$/i.test(syntax.text(of)) ? syntax.text(name).replace(/^\$/, "") : undefined;
}

/** The type of the elements of what a function gives, as an array of it, where the declared type does not say; 0 where an element's is not written. */
export function heldType(u: Unit, given: readonly Offset[], yields: readonly Offset[], type: TypeFact | undefined): Offset {
  const written = new Written(u, type);
  return yields.length > 0 ? written.arrayOf(yields) : written.either(given);
}

/** Whether a declared type leaves open what is in an array or an iterator. */
export function holdsUnknown(u: Unit, type: Offset): boolean {
  return isVague(u, type) && !holding(u, type);
}

/** A type if it says what it holds; else 0. */
function holding(u: Unit, type: Offset): Offset {
  return u.code[type] === Op.Array || (u.code[type] === Op.Named && u.code[type + 3]! > 0) ? type : 0;
}

function unionOf(u: Unit, types: readonly Offset[]): Offset {
  const different = new Map(types.map((type) => [u.code[type] === Op.Named && u.code[type + 3] === 0 ? u.stringAt(u.code[type + 1]!) : type, type]));
  const all = [...different.values()];
  return all.length < 2 ? (all[0] ?? 0) : u.emit(Op.Union, all.length, ...all);
}

/** Types of values in a class's code, or a function's, as far as the file writes them down. */
class Written {
  private readonly arrays = new Map<Offset, Offset>();
  private readonly values = new Map<Offset, Offset>();
  private depth = 0;

  constructor(private readonly u: Unit, private readonly type: TypeFact | undefined) {}

  /** An array of these values; 0 where the type of one is not written. */
  arrayOf(values: readonly Offset[]): Offset {
    if (values.length === 0 || values.length > MAX_ELEMENTS) return 0;
    const types = values.map((value) => this.typeOf(value));
    return types.includes(0) ? 0 : this.u.emit(Op.Array, unionOf(this.u, types));
  }

  /** One of several arrays. */
  either(values: readonly Offset[]): Offset {
    const all = values.length > MAX_ELEMENTS ? [] : values.map((value) => this.array(value));
    return all.includes(0) ? 0 : unionOf(this.u, all);
  }

  /** The type of an array that says what it holds, or 0. */
  private array(at: Offset): Offset {
    return this.memo(this.arrays, at, () => {
      const { code } = this.u;
      switch (code[at]) {
        case Op.Several:
          return this.arrayOf(code.slice(at + 2, at + 2 + code[at + 1]!));
        case Op.Either:
          // What an array holds that comes from elsewhere is not said; what is put into it here is.
          return this.either(code.slice(at + 2, at + 2 + code[at + 1]!).filter((one) => elementsOf(this.u, one)?.length !== 0));
        case Op.Variable:
          return code[at + 1] ? holding(this.u, code[at + 1]!) : this.array(code[at + 2]!);
        case Op.Select: {
          const field = this.field(at);
          return !field ? 0 : field.type ? holding(this.u, field.type) : this.array(field.initialiser);
        }
        case Op.New: {
          const made = code[at + 1]!;
          const isIterator = code[made] === Op.Named && /^(?:.*\.)?ArrayIterator$/.test(this.u.stringAt(code[made + 1]!));
          return isIterator && code[at + 2]! > 0 ? this.array(code[at + 3]!) : 0;
        }
        default:
          return 0;
      }
    });
  }

  private typeOf(at: Offset): Offset {
    return this.memo(this.values, at, () => {
      const { code } = this.u;
      const said = (type: Offset): Offset => (isVague(this.u, type) ? 0 : type);
      switch (code[at]) {
        case Op.Self:
          return at;
        case Op.New:
          return code[code[at + 1]!] === Op.Named || code[code[at + 1]!] === Op.Self ? code[at + 1]! : 0;
        case Op.Variable:
          return code[at + 1] ? said(code[at + 1]!) : this.typeOf(code[at + 2]!);
        case Op.Several:
          return this.array(at);
        case Op.Element:
        case Op.Index: {
          const array = this.array(code[at + 1]!);
          return code[array] === Op.Array ? code[array + 1]! : 0;
        }
        case Op.Select:
          return said(this.field(at)?.type ?? 0);
        default:
          return 0;
      }
    });
  }

  /** The own field of the class that a record stands for. */
  private field(at: Offset): TypeFact["members"][number] | undefined {
    const { code } = this.u;
    return code[code[at + 1]!] === Op.Self ? this.type?.members.find(({ kind, name }) => kind === "field" && name === this.u.stringAt(code[at + 2]!)) : undefined;
  }

  private memo(known: Map<Offset, Offset>, at: Offset, work: () => Offset): Offset {
    const before = known.get(at);
    if (before !== undefined || this.depth >= MAX_DEPTH || at === 0) return before ?? 0;
    known.set(at, 0);
    this.depth++;
    const type = work();
    this.depth--;
    known.set(at, type);
    return type;
  }
}
