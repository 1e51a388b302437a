import { type Offset, Op } from "../facts.ts";
import { expression } from "./expressions.ts";
import { nameOf, type Unit } from "./unit.ts";

/** What methods say of one type parameter beyond so many traits is not read. */
const MAX_BOUNDS = 100;

/** Records a type; 0 for what is none, `_` among it. */
export function typeOf(u: Unit, node: number): Offset {
  const { syntax } = u;
  if (node === 0) return 0;
  switch (syntax.kind(node)) {
    case "type_identifier":
    case "identifier":
    case "primitive_type":
    case "scoped_type_identifier":
    case "scoped_identifier":
    case "generic_type":
    case "generic_type_with_turbofish":
    case "self":
    case "super":
    case "crate":
    case "metavariable":
    case "bracketed_type":
    case "qualified_type":
      return syntax.text(node) === "_" ? 0 : pathOf(u, node, []);
    case "reference_type":
      return u.emit(Op.Reference, syntax.child(node, "mutable_specifier") ? 1 : 0, typeOf(u, syntax.part(node, "type")));
    case "pointer_type":
      return u.built("*", [typeOf(u, syntax.part(node, "type"))]);
    case "tuple_type": {
      const [only, ...others] = syntax.children(node);
      // `(dyn A + 'a)` is no tuple, `(A,)` is one.
      if (only !== undefined && others.length === 0 && !syntax.source.slice(syntax.end(only), syntax.end(node)).includes(",")) return typeOf(u, only);
      return u.built("()", syntax.children(node).map((child) => typeOf(u, child)));
    }
    case "unit_type":
      return u.built("()");
    case "array_type": {
      const length = syntax.part(node, "length");
      if (length) expression(u, length);
      return u.built("[]", [typeOf(u, syntax.part(node, "element"))]);
    }
    case "never_type":
      return u.built("!");
    case "dynamic_type":
    case "abstract_type":
      return u.emit(Op.Bounds, 1, typeOf(u, syntax.part(node, "trait")));
    case "higher_ranked_trait_bound":
      return typeOf(u, syntax.part(node, "type"));
    case "bounded_type":
      return bounds(u, syntax.children(node).flatMap((child) => termsOf(u, child)));
    case "function_type": {
      const list = syntax.part(node, "parameters");
      const parameters = (list ? syntax.children(list) : []).map((child) => typeOf(u, syntax.kind(child) === "parameter" ? syntax.part(child, "type") : child));
      return u.emit(Op.Function, typeOf(u, syntax.part(node, "return_type")), parameters.length, ...parameters);
    }
    default:
      return 0;
  }
}

/** The traits of `impl A + B`, which the grammar nests. */
function termsOf(u: Unit, node: number): Offset[] {
  const { syntax } = u;
  const kind = syntax.kind(node);
  if (kind === "bounded_type") return syntax.children(node).flatMap((child) => termsOf(u, child));
  if (kind === "dynamic_type" || kind === "abstract_type") return [typeOf(u, syntax.part(node, "trait"))];
  return [typeOf(u, node)];
}

export function bounds(u: Unit, traits: readonly Offset[]): Offset {
  const known = traits.filter((trait) => trait > 0);
  return u.emit(Op.Bounds, known.length, ...known);
}

/** The traits that a list of bounds names. */
export function boundsOf(u: Unit, node: number): Offset[] {
  return (node ? u.syntax.children(node) : []).map((child) => typeOf(u, child)).filter((at) => at > 0);
}

export function typeArguments(u: Unit, node: number): Offset[] {
  const { syntax } = u;
  const args: Offset[] = [];
  for (const child of node ? syntax.children(node) : []) {
    const kind = syntax.kind(child);
    if (/^(?:lifetime|trait_bounds|[<>])$/.test(kind)) continue;
    if (kind === "type_binding") args.push(u.emit(Op.Binding, u.str(syntax.text(syntax.part(child, "name"))), typeOf(u, syntax.part(child, "type"))));
    else args.push(typeOf(u, child));
    if (kind === "block") expression(u, child);
    const constant = /_identifier$/.test(kind) && CONSTANT.test(syntax.text(child)) ? pathOf(u, child, []) : 0;
    if (u.code[constant] === Op.Path) u.use(constant, child);
  }
  return args;
}

/** By habit; to the grammar a constant among type arguments is a type. */
const CONSTANT = /(?:^|::)[A-Z][A-Z0-9_]+$/;

/** Records a path of names, as a type or as a value; `args` are those of its last name. */
export function pathOf(u: Unit, node: number, args: readonly Offset[]): Offset {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "scoped_type_identifier":
    case "scoped_identifier": {
      const path = syntax.part(node, "path");
      const name = syntax.part(node, "name");
      const prefix = path ? pathOf(u, path, []) : u.path(0, "");
      return name ? u.path(prefix, nameOf(syntax.text(name)), args) : 0;
    }
    case "generic_type":
    case "generic_type_with_turbofish":
      return pathOf(u, syntax.part(node, "type"), typeArguments(u, syntax.part(node, "type_arguments")));
    case "generic_function":
      return pathOf(u, syntax.part(node, "function"), typeArguments(u, syntax.part(node, "type_arguments")));
    case "bracketed_type": {
      const inner = syntax.children(node).find((child) => syntax.kind(child) !== "<");
      return inner === undefined ? 0 : pathOf(u, inner, []);
    }
    case "qualified_type":
      return u.emit(Op.As, typeOf(u, syntax.part(node, "type")), typeOf(u, syntax.part(node, "alias")));
    case "type_identifier":
    case "identifier":
    case "primitive_type":
    case "self":
    case "super":
    case "crate":
    case "metavariable":
    case "shorthand_field_identifier": {
      const name = nameOf(syntax.text(node));
      const local = args.length === 0 ? u.lookupType(name) : 0;
      return local || u.path(0, name, args);
    }
    default:
      return typeOf(u, node);
  }
}

/** Declares the type parameters of an item and what they are bound by, in its list and its `where` clause. */
export function typeParameters(u: Unit, node: number): Offset[] {
  const { syntax } = u;
  const list = syntax.part(node, "type_parameters");
  const declared: { record: Offset; name: string; traits: Offset[]; bounds: number }[] = [];
  for (const child of list ? syntax.children(list) : []) {
    const name = syntax.part(child, "name");
    if (!name || !/^(?:type|const)_parameter$/.test(syntax.kind(child))) continue;
    const text = syntax.text(name);
    const record = u.emit(Op.Parameter, u.str(text), 0);
    declared.push({ record, name: text, traits: [], bounds: syntax.part(child, "bounds") });
    if (syntax.kind(child) === "type_parameter") u.declareType(text, record);
  }
  for (const { traits, bounds: at } of declared) traits.push(...boundsOf(u, at));
  const where = syntax.child(node, "where_clause");
  for (const predicate of where ? syntax.children(where) : []) {
    const left = syntax.part(predicate, "left");
    const { parameter, associated } = boundBy(u, left);
    const traits = boundsOf(u, syntax.part(predicate, "bounds"));
    const given = associated === undefined ? traits : [u.emit(Op.Binding, u.str(associated), bounds(u, traits))];
    const own = declared.find(({ record }) => record === parameter);
    if (own) own.traits.push(...given);
    else if (parameter) addBounds(u, parameter, given);
  }
  for (const { record, traits } of declared) addBounds(u, record, traits);
  return declared.map(({ record }) => record);
}

/** The type parameter that a predicate of a `where` clause is about, or of whose associated type it says something: `T`, `T::Item`, `<T as Trait>::Item`. */
function boundBy(u: Unit, left: number): { parameter: Offset; associated?: string } {
  const { syntax } = u;
  if (left === 0) return { parameter: 0 };
  if (syntax.kind(left) !== "scoped_type_identifier") return { parameter: parameterOf(u, left) };
  const [inner = 0] = syntax.kind(syntax.part(left, "path")) === "bracketed_type" ? syntax.children(syntax.part(left, "path")).filter((child) => syntax.kind(child) === "qualified_type") : [];
  return { parameter: parameterOf(u, inner ? syntax.part(inner, "type") : syntax.part(left, "path")), associated: syntax.text(syntax.part(left, "name")) };
}

/** The record of the type parameter that a node names; 0 for none. */
function parameterOf(u: Unit, node: number): Offset {
  const at = node ? u.lookupType(u.syntax.text(node)) : 0;
  return u.code[at] === Op.Parameter ? at : 0;
}

/** A method may say more of its type's parameters: what it says holds wherever its own code can be called. */
function addBounds(u: Unit, parameter: Offset, more: readonly Offset[]): void {
  if (more.length === 0) return;
  const before = u.code[parameter + 2]!;
  const known = before ? u.code[before + 1]! : 0;
  if (known < MAX_BOUNDS) u.code[parameter + 2] = bounds(u, [...(before ? u.code.slice(before + 2, before + 2 + known) : []), ...more]);
}
