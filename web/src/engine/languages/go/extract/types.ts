import { type Offset, Op } from "../facts.ts";
import { expression } from "./expressions.ts";
import type { Kind } from "./syntax.ts";
import type { Unit } from "./unit.ts";
import { headOf } from "../../records.ts";
import { addSymbol } from "./symbols.ts";

const TYPE_KINDS = new Set<Kind>([
  "type_identifier", "qualified_type", "generic_type", "pointer_type", "array_type", "implicit_length_array_type", "slice_type",
  "struct_type", "interface_type", "map_type", "channel_type", "function_type", "parenthesized_type", "negated_type",
  "type_elem", "type_constraint",
]);

export function isType(kind: Kind): boolean {
  return TYPE_KINDS.has(kind);
}

/** The first child that is a type, or 0. */
export function typeChild(u: Unit, node: number): number {
  return u.syntax.children(node).find((child) => isType(u.syntax.kind(child))) ?? 0;
}

/** Records a type; 0 for what is none. */
export function typeOf(u: Unit, node: number): Offset {
  const { syntax } = u;
  if (node === 0) return 0;
  const kind = syntax.kind(node);
  switch (kind) {
    case "type_identifier":
    case "identifier":
    case "package_identifier":
      return u.name(syntax.text(node));
    case "qualified_type": {
      const [from, name] = syntax.children(node);
      return from && name ? u.select(u.name(syntax.text(from)), syntax.text(name)) : 0;
    }
    case "generic_type": {
      const generic = typeChild(u, node);
      const list = syntax.childOf(node, "type_arguments");
      return list ? u.emit(...indexRecord(typeOf(u, generic), syntax.children(list).map((argument) => typeOf(u, argument)))) : typeOf(u, generic);
    }
    case "pointer_type":
      return u.emit(Op.Star, typeOf(u, typeChild(u, node)));
    case "array_type":
    case "implicit_length_array_type": {
      const children = syntax.children(node);
      const element = children.at(-1) ?? 0;
      // A length is a constant expression, which names constants.
      if (kind === "array_type" && children.length > 1) expression(u, children[0]!);
      return u.emit(Op.Array, typeOf(u, element));
    }
    case "slice_type":
      return u.emit(Op.SliceOf, typeOf(u, typeChild(u, node)));
    case "map_type": {
      const [key, value] = syntax.children(node);
      return u.emit(Op.Map, typeOf(u, key ?? 0), typeOf(u, value ?? 0));
    }
    case "channel_type":
      return u.emit(Op.Chan, typeOf(u, typeChild(u, node)));
    case "parenthesized_type":
      return typeOf(u, typeChild(u, node));
    case "negated_type":
      return u.emit(Op.Tilde, typeOf(u, typeChild(u, node)));
    case "type_elem":
    case "type_constraint": {
      const terms = syntax.children(node).filter((child) => isType(syntax.kind(child)));
      if (terms.length === 1) return typeOf(u, terms[0]!);
      const records = terms.map((term) => typeOf(u, term));
      return u.emit(Op.Union, records.length, ...records);
    }
    case "function_type":
      return signature(u, node).type;
    case "struct_type":
      return structOf(u, node);
    case "interface_type":
      return interfaceOf(u, node, -1);
    default:
      // An index or a dereference that is a type after all.
      return expression(u, node);
  }
}

export function indexRecord(operand: Offset, indices: Offset[]): number[] {
  return [Op.Index, operand, indices.length, ...indices];
}

export interface Parameter {
  name: string;
  type: Offset;
}

export interface Signature {
  type: Offset;
  parameters: Parameter[];
  results: Parameter[];
}

/** Parameters and results of a function, a method, a function type or a literal; `skip` leaves out a receiver. */
export function signature(u: Unit, node: number, skip = 0): Signature {
  const { syntax } = u;
  const parameters: Parameter[] = [];
  const results: Parameter[] = [];
  let variadic = 0;
  let seen = false;
  for (const child of syntax.children(node)) {
    if (child === skip) continue;
    if (syntax.kind(child) === "parameter_list") {
      if (seen) parameterList(u, child, results);
      else if (parameterList(u, child, parameters)) variadic = 1;
      seen = true;
    } else if (seen && isType(syntax.kind(child))) {
      results.push({ name: "", type: typeOf(u, child) });
    }
  }
  const type = u.emit(
    Op.Func, variadic, parameters.length, ...parameters.map((p) => p.type), results.length, ...results.map((p) => p.type),
  );
  return { type, parameters, results };
}

/** Reads one list; true when its last parameter is variadic. */
function parameterList(u: Unit, list: number, into: Parameter[]): boolean {
  const { syntax } = u;
  let variadic = false;
  for (const declaration of syntax.children(list)) {
    const kind = syntax.kind(declaration);
    variadic = kind === "variadic_parameter_declaration";
    if (!variadic && kind !== "parameter_declaration") continue;
    const names = syntax.children(declaration).filter((child) => syntax.kind(child) === "identifier");
    let type = typeOf(u, typeChild(u, declaration));
    if (variadic) type = u.emit(Op.SliceOf, type);
    if (names.length === 0) into.push({ name: "", type });
    for (const name of names) into.push({ name: syntax.text(name), type });
  }
  return variadic;
}

function structOf(u: Unit, node: number): Offset {
  const { syntax } = u;
  const fields: number[] = [];
  const list = syntax.childOf(node, "field_declaration_list");
  for (const declaration of list ? syntax.children(list) : []) {
    if (syntax.kind(declaration) !== "field_declaration") continue;
    const typeNode = typeChild(u, declaration);
    if (typeNode === 0) continue;
    let type = typeOf(u, typeNode);
    const names = syntax.children(declaration).filter((child) => syntax.kind(child) === "field_identifier");
    if (names.length > 0) {
      for (const name of names) fields.push(u.str(syntax.text(name)), type, 0);
      continue;
    }
    if (syntax.childOf(declaration, "*")) type = u.emit(Op.Star, type);
    fields.push(u.str(embeddedName(u, typeNode)), type, 1);
  }
  return u.emit(Op.Struct, fields.length / 3, ...fields);
}

/** `T` for T, *T, p.T and T[int]. */
function embeddedName(u: Unit, node: number): string {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "type_identifier":
      return syntax.text(node);
    case "qualified_type":
      return syntax.text(syntax.children(node).at(-1)!);
    default: {
      const inner = typeChild(u, node);
      return inner ? embeddedName(u, inner) : "";
    }
  }
}

/** An interface; its methods become symbols of the declaration `symbol`, unless that is -1. */
export function interfaceOf(u: Unit, node: number, symbol: number): Offset {
  const { syntax } = u;
  const methods: number[] = [];
  const embedded: Offset[] = [];
  let count = 0;
  for (const element of syntax.children(node)) {
    if (syntax.kind(element) === "type_elem") {
      embedded.push(typeOf(u, element));
    } else if (syntax.kind(element) === "method_elem") {
      const name = syntax.childOf(element, "field_identifier");
      if (name === 0) continue;
      let own = -1;
      if (symbol >= 0) {
        own = addSymbol(u, { kind: "Method", name, whole: element, owner: u.symbols[symbol]!.name, parent: symbol, signature: headOf(syntax.text(element)) });
      }
      methods.push(u.str(syntax.text(name)), signature(u, element).type, own);
      count++;
    }
  }
  return u.emit(Op.Interface, count, ...methods, embedded.length, ...embedded);
}

/** Declares type parameters in the current scope; returns their records. */
export function typeParameters(u: Unit, list: number): Offset[] {
  const { syntax } = u;
  if (list === 0) return [];
  const all: Offset[] = [];
  const constrained: [node: number, records: Offset[]][] = [];
  // All names first: a constraint may speak of any of them.
  for (const declaration of syntax.children(list)) {
    if (syntax.kind(declaration) !== "type_parameter_declaration") continue;
    const records: Offset[] = [];
    for (const name of syntax.children(declaration)) {
      if (syntax.kind(name) !== "identifier") continue;
      const record = u.emit(Op.TypeParameter, u.str(syntax.text(name)), 0);
      u.declare(syntax.text(name), record);
      records.push(record);
    }
    all.push(...records);
    constrained.push([syntax.childOf(declaration, "type_constraint"), records]);
  }
  for (const [node, records] of constrained) {
    const constraint = typeOf(u, node);
    for (const record of records) u.code[record + 2] = constraint;
  }
  return all;
}
