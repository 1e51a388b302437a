import { CALL, CONSTRUCT, INDEX, Op } from "../facts.ts";
import type { MemberFact, Offset, ShapeFact } from "../facts.ts";
import { computedKey, expression } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import { functionOf } from "./functions.ts";
import { propertyName, stringValue } from "./names.ts";
import { Scope, Space } from "./scope.ts";

/** Reads a type, or an annotation around one; 0 for none. */
export function typeOf(x: Extraction, node: number): Offset {
  if (node === 0) return 0;
  const { syntax } = x;
  switch (syntax.kind(node)) {
    case "type_annotation":
    case "opting_type_annotation":
    case "omitting_type_annotation":
    case "adding_type_annotation":
    case "parenthesized_type":
    case "readonly_type":
    case "optional_type":
    case "constraint":
    case "default_type":
    case "type_predicate_annotation":
    case "asserts_annotation":
      return typeOf(x, syntax.inner(node));
    case "type_identifier":
    case "identifier":
      return x.typeName(syntax.text(node), []);
    case "predefined_type":
      return x.emit(Op.TypePrimitive, x.str(syntax.text(node)));
    case "nested_type_identifier":
      return typeMember(x, node, []);
    case "generic_type": {
      const named = syntax.child(node, "name");
      const typeArguments = typeArgumentsOf(x, node);
      if (syntax.kind(named) === "nested_type_identifier") return typeMember(x, named, typeArguments);
      return x.typeName(syntax.text(named), typeArguments);
    }
    case "literal_type":
      return literal(x, syntax.inner(node));
    case "array_type":
      return x.emit(Op.TypeArray, typeOf(x, syntax.inner(node)));
    case "tuple_type": {
      const elements = syntax.children(node).filter((c) => syntax.kind(c) !== "comment").map((c) => tupleElement(x, c));
      return x.emit(Op.TypeTuple, elements.length, ...elements);
    }
    case "union_type":
    case "intersection_type": {
      const members: number[] = [];
      flatten(x, node, syntax.kind(node), members);
      const types = members.map((m) => typeOf(x, m));
      return x.emit(syntax.kind(node) === "union_type" ? Op.TypeUnion : Op.TypeIntersection, types.length, ...types);
    }
    case "function_type":
      return x.emit(Op.TypeFunction, functionOf(x, node, { symbol: -1, context: 0 }));
    case "constructor_type":
      return x.emit(Op.TypeConstructor, functionOf(x, node, { symbol: -1, context: 0 }));
    case "object_type": {
      const mapped = mappedType(x, node);
      return mapped !== 0 ? mapped : x.emit(Op.TypeShape, objectType(x, node, "", -1));
    }
    case "type_query":
      return x.emit(Op.TypeOf, queried(x, syntax.inner(node)));
    case "index_type_query":
      return x.emit(Op.TypeKeyOf, typeOf(x, syntax.inner(node)));
    case "lookup_type": {
      const [object = 0, index = 0] = syntax.children(node).filter((c) => syntax.kind(c) !== "comment");
      return x.emit(Op.TypeIndexed, typeOf(x, object), typeOf(x, index));
    }
    case "conditional_type":
      return conditional(x, node);
    case "infer_type": {
      const named = syntax.inner(node);
      const declaration = x.emit(Op.TypeParameter, 0, 0, 0);
      x.declare(x.inferScope ?? x.scope, syntax.text(named), Space.Type, declaration);
      return x.emit(Op.TypeInfer, declaration);
    }
    case "this_type":
    case "this":
      return x.emit(Op.TypeThis, x.classShape);
    case "type_predicate":
      return predicate(x, node, 0);
    case "asserts": {
      const inner = syntax.inner(node);
      return syntax.kind(inner) === "type_predicate"
        ? predicate(x, inner, 1)
        : x.emit(Op.TypePredicate, parameterIndex(x, syntax.text(inner)), 0, 1);
    }
    case "template_literal_type":
      for (const child of syntax.children(node)) if (syntax.kind(child) === "template_type") typeOf(x, syntax.inner(child));
      return x.emit(Op.TypePrimitive, x.str("string"));
    case "member_expression":
    case "call_expression":
    case "nested_identifier":
      return importedType(x, node);
    case "unary_expression":
    case "number":
    case "string":
      return literal(x, node);
    case "undefined":
    case "null":
    case "true":
    case "false":
      return x.emit(Op.TypePrimitive, x.str(syntax.text(node)));
    case "instantiation_expression":
      return importedType(x, node);
    default:
      // An error, or a form that this does not know: what is inside may still hold imports and names.
      for (const child of syntax.children(node)) typeOf(x, child);
      return 0;
  }
}

export function typeArgumentsOf(x: Extraction, node: number): Offset[] {
  const list = x.syntax.child(node, "type_arguments");
  if (list === 0) return [];
  return x.syntax.children(list).filter((c) => x.syntax.kind(c) !== "comment").map((c) => typeOf(x, c));
}

/** Declares a node's type parameters in the present scope. */
export function typeParametersOf(x: Extraction, node: number): Offset[] {
  const { syntax } = x;
  const list = syntax.child(node, "type_parameters");
  if (list === 0) return [];
  const nodes = syntax.children(list).filter((c) => syntax.kind(c) === "type_parameter");
  if (nodes.length > 0) x.open = true;
  const declarations = nodes.map((c) => {
    const at = x.emit(Op.TypeParameter, 0, 0, 0);
    x.declare(x.scope, syntax.text(syntax.child(c, "name")), Space.Type, at);
    return at;
  });
  // Constraints may name later parameters.
  nodes.forEach((c, i) => {
    const constraint = typeOf(x, syntax.child(c, "constraint"));
    const fallback = typeOf(x, syntax.child(c, "value"));
    x.facts.code[declarations[i]! + 2] = constraint;
    x.facts.code[declarations[i]! + 3] = fallback;
  });
  return declarations;
}

function typeMember(x: Extraction, node: number, typeArguments: Offset[]): Offset {
  const { syntax } = x;
  const entity = expression(x, syntax.child(node, "module"));
  return x.emit(Op.TypeMember, entity, x.str(syntax.text(syntax.child(node, "name"))), typeArguments.length, ...typeArguments);
}

function flatten(x: Extraction, node: number, kind: string, into: number[]): void {
  for (const child of x.syntax.children(node)) {
    const childKind = x.syntax.kind(child);
    if (childKind === kind) flatten(x, child, kind, into);
    else if (childKind !== "comment") into.push(child);
  }
}

function literal(x: Extraction, node: number): Offset {
  const { syntax } = x;
  switch (syntax.kind(node)) {
    case "string":
      return x.emit(Op.TypeLiteral, x.str(stringValue(syntax.text(node))));
    case "undefined":
    case "null":
    case "true":
    case "false":
      return x.emit(Op.TypePrimitive, x.str(syntax.text(node)));
    default:
      return x.emit(Op.TypeLiteral, x.str(syntax.text(node)));
  }
}

function tupleElement(x: Extraction, node: number): Offset {
  const { syntax } = x;
  const kind = syntax.kind(node);
  if (kind === "required_parameter" || kind === "optional_parameter") {
    const type = typeOf(x, syntax.child(node, "type"));
    const named = syntax.child(node, "name");
    return named !== 0 && syntax.kind(named) === "rest_pattern" ? x.emit(Op.TypeSpread, type) : type;
  }
  if (kind === "rest_type") return x.emit(Op.TypeSpread, typeOf(x, syntax.inner(node)));
  return typeOf(x, node);
}

function conditional(x: Extraction, node: number): Offset {
  const { syntax } = x;
  const checked = typeOf(x, syntax.child(node, "left"));
  const { scope: outer, inferScope } = x;
  // What `infer` declares is known in the first branch, wherever in the condition it stands: `T extends () => infer R ? R : never`.
  x.scope = x.inferScope = new Scope(outer, false);
  const extended = typeOf(x, syntax.child(node, "right"));
  x.inferScope = inferScope;
  const then = typeOf(x, syntax.child(node, "consequence"));
  x.scope = outer;
  return x.emit(Op.TypeConditional, checked, extended, then, typeOf(x, syntax.child(node, "alternative")));
}

function predicate(x: Extraction, node: number, asserts: 0 | 1): Offset {
  const { syntax } = x;
  const named = syntax.child(node, "name");
  const type = typeOf(x, syntax.child(node, "type"));
  return x.emit(Op.TypePredicate, parameterIndex(x, syntax.text(named)), type, asserts);
}

/** Index of a parameter of the function whose return type is being read, -1 for `this`. */
function parameterIndex(x: Extraction, name: string): number {
  return x.facts.functions[x.function]?.parameters.findIndex((p) => p.name === name) ?? -1;
}

/** What `typeof` asks for the type of: `import("x")` there is the module, and not a promise of it. */
function queried(x: Extraction, node: number): Offset {
  const { code } = x.facts;
  const value = expression(x, node);
  let first = value;
  while (code[first] === Op.Member) first = code[first + 1]!;
  if (code[first] === Op.ImportCall) code[first] = Op.TypeImport;
  return value;
}

/** `import("x").A.B`, as the grammar has it: a member expression of a call. */
function importedType(x: Extraction, node: number): Offset {
  const { syntax } = x;
  const kind = syntax.kind(node);
  if (kind === "call_expression") {
    const text = syntax.inner(syntax.child(node, "arguments"));
    if (text === 0 || syntax.kind(text) !== "string") return 0;
    return x.emit(Op.TypeImport, x.specifier(stringValue(syntax.text(text)), node));
  }
  if (kind === "instantiation_expression") return importedType(x, syntax.inner(node));
  const entity = expression(x, syntax.child(node, "object"));
  return x.emit(Op.TypeMember, entity, x.str(syntax.text(syntax.child(node, "property"))), 0);
}

function mappedType(x: Extraction, node: number): Offset {
  const { syntax } = x;
  const signature = syntax.inner(node);
  const clause = signature !== 0 && syntax.kind(signature) === "index_signature" ? syntax.childOf(signature, "mapped_type_clause") : 0;
  if (clause === 0) return 0;
  const outer = x.scope;
  x.scope = new Scope(outer, false);
  const parameter = x.emit(Op.TypeParameter, 0, 0, 0);
  x.declare(x.scope, syntax.text(syntax.child(clause, "name")), Space.Type, parameter);
  const keys = typeOf(x, syntax.child(clause, "type"));
  x.facts.code[parameter + 2] = keys;
  const alias = typeOf(x, syntax.child(clause, "alias"));
  const value = typeOf(x, syntax.child(signature, "type"));
  x.scope = outer;
  return x.emit(Op.TypeMapped, parameter, keys, value, alias);
}

export function newShape(x: Extraction, kind: ShapeFact["kind"], symbol: number, name: string): number {
  return x.facts.shapes.push({
    kind, symbol, name, typeParameters: [], superclass: 0, superArguments: [], bases: [], implements: [], members: [], spreads: [],
    ...(x.open ? { open: true } : {}),
  }) - 1;
}

/** Reads `{ a: A; b(): B }` as a shape. Its methods become symbols when it belongs to one. */
export function objectType(x: Extraction, node: number, name: string, symbol: number): number {
  const shape = newShape(x, "type", symbol, name);
  signatures(x, node, shape, name !== "");
  return shape;
}

/** Reads the members of an interface or object type into its shape. */
export function signatures(x: Extraction, body: number, shape: number, withSymbols: boolean): void {
  const { syntax } = x;
  const fact = x.facts.shapes[shape]!;
  const outerClass = x.classShape;
  if (fact.kind === "interface") x.classShape = shape;
  const owner = fact.name;
  for (const node of syntax.children(body)) {
    const kind = syntax.kind(node);
    if (kind === "call_signature" || kind === "construct_signature") {
      const f = functionOf(x, node, { symbol: -1, context: 0 });
      addMember(x, fact, { name: kind === "call_signature" ? CALL : CONSTRUCT, kind: "method", functions: [f], type: 0, initialiser: 0, symbol: -1 });
    } else if (kind === "index_signature") {
      addMember(x, fact, { name: INDEX, kind: "field", functions: [], type: typeOf(x, syntax.child(node, "type")), initialiser: 0, symbol: -1 });
    } else if (kind === "method_signature" || kind === "property_signature") {
      const at = syntax.child(node, "name");
      const name = propertyName(syntax, at);
      computedKey(x, at);
      if (name === undefined) continue;
      const annotated = syntax.child(node, "type");
      const callable = kind === "method_signature" || (annotated !== 0 && syntax.kind(syntax.inner(annotated)) === "function_type");
      const optional = syntax.has(node, "?") ? { optional: true } : {};
      let symbol = x.membersNamed(fact, name)[0]?.symbol ?? -1;
      if (symbol < 0 && callable && withSymbols) {
        symbol = x.addSymbol({ kind: "Method", name, owner, at, node, body: 0, exported: true });
      }
      if (kind === "method_signature") {
        const accessor = syntax.has(node, "get") ? "getter" : syntax.has(node, "set") ? "setter" : "method";
        const f = functionOf(x, node, { symbol, context: 0 });
        addMember(x, fact, { name, kind: accessor, functions: [f], type: 0, initialiser: 0, symbol, ...optional });
      } else {
        addMember(x, fact, { name, kind: "field", functions: [], type: typeOf(x, annotated), initialiser: 0, symbol, ...optional });
      }
    }
  }
  x.classShape = outerClass;
}

/** Adds a member, joining the overloads of a method. */
export function addMember(x: Extraction, shape: ShapeFact, member: MemberFact): MemberFact {
  const known = member.kind === "method"
    ? x.membersNamed(shape, member.name).find((m) => m.kind === "method" && (m.static ?? false) === (member.static ?? false))
    : undefined;
  if (!known) {
    shape.members.push(member);
    return member;
  }
  known.functions.push(...member.functions);
  if (known.symbol < 0) known.symbol = member.symbol;
  return known;
}
