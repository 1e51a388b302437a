import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";

/** What is put into an array by more statements than this is not looked at. */
const MAX_ELEMENTS = 8;
/** Records that tell what an array is are not followed further. */
const MAX_RECORDS = 100;

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
function isArray(u: Unit, type: Offset): boolean {
  return u.code[type] === Op.Named && /^\.(?:array|iterable)$/.test(u.stringAt(u.code[type + 1]!));
}

/** What is in an array, as far as its record tells; undefined for what may be something else than an array. */
export function elementsOf(u: Unit, at: Offset, seen = new Set<Offset>()): Offset[] | undefined {
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
