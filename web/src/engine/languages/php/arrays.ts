import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { expression, scope } from "./expressions.ts";
import { keyIn, textsOf } from "./texts.ts";

/** The values of an array of no more have a type. */
const MAX_TYPED = 20;

/** The class around, by its name. */
const OWN_CLASS = /^(?:__CLASS__|get_called_class\(\s*\)|get_class\(\s*(?:\$this\s*)?\))$/i;

/** An array; `[$object, 'method']` hands the method on. */
export function array(u: Unit, node: number): Offset {
  const { syntax } = u;
  const elements = syntax.children(node).filter((child) => syntax.kind(child) === "array_element_initializer");
  const values = elements.map((element) => syntax.children(element).filter((child) => syntax.kind(child) !== "comment").at(-1) ?? 0);
  const [of, name] = values;
  const keyed = elements.some((element, i) => syntax.children(element).find((child) => syntax.kind(child) !== "comment") !== values[i]);
  if (values.length === 2 && !keyed && of && name && syntax.kind(of) !== "array_creation_expression" && syntax.kind(name) === "string" && /^['"]\w+['"]$/.test(syntax.text(name))) {
    const isClass = syntax.kind(of) === "class_constant_access_expression" && /::class$/i.test(syntax.text(of));
    const operand = isClass ? scope(u, syntax.children(of)[0] ?? 0) : OWN_CLASS.test(syntax.text(of)) ? u.emit(Op.Static, u.emit(Op.Self, u.within)) : expression(u, of);
    if (isClass && u.code[operand] === Op.Static) u.useType(u.code[operand + 1]!, of);
    const at = u.emit(Op.Reference, operand, u.str(syntax.text(name).slice(1, -1)));
    u.use(at, name);
    // `['Plugin', 'start']`, where there is such a class with such a method.
    if (u.code[operand] === Op.Text) u.use(u.emit(Op.Reference, u.emit(Op.Static, u.named(`.${u.stringAt(u.code[operand + 1]!)}`)), u.code[at + 2]!), name);
    return at;
  }
  // `[$this, $method]`
  const named = values.length === 2 && !keyed && of && name && /^(?:variable_name|encapsed_string|binary_expression)$/.test(syntax.kind(name)) ? textsOf(u, expression(u, name)) : [];
  if (named.length > 0) {
    const operand = expression(u, of!);
    const all = named.map((text) => u.emit(Op.Reference, operand, u.str(text)));
    for (const at of all) u.use(at, name!);
    return all.length > 1 ? u.emit(Op.Either, all.length, ...all) : all[0]!;
  }
  for (const element of elements) {
    const parts = syntax.children(element);
    for (const key of parts.slice(0, -1)) expression(u, key);
  }
  const records = values.map((value, i) => {
    const record = value ? expression(u, value) : 0;
    const [key] = syntax.children(elements[i]!);
    const name = key === undefined || key === value || !u.isStored(record) ? undefined : keyIn(u, key);
    if (name === undefined) return record;
    const at = u.emit(Op.Keyed, u.str(name), record);
    u.store(at, record);
    return at;
  }).filter((record) => record > 0);
  // Of many, only what names a function or method: values of so many types have none in common.
  if (records.length > MAX_TYPED) return u.listed(records.filter((record) => u.code[record] === Op.Reference || u.code[record] === Op.Text || u.code[record] === Op.Lambda || u.code[record] === Op.Keyed));
  return records.length === 0 ? 0 : u.emit(Op.Several, records.length, ...records);
}
