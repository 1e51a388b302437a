import type { SymbolKind } from "../../../facts.ts";
import { type FieldFact, type FunctionFact, type ImplFact, type Offset, Op, type TypeFact } from "../facts.ts";
import { attribute, attributesBefore } from "./attributes.ts";
import { attributesOf, entryOf } from "./entries.ts";
import { derived } from "./derived.ts";
import { binding, expression, invoked } from "./expressions.ts";
import { expected } from "./implied.ts";
import { Expanded } from "./expansions.ts";
import { macroBodies } from "./macro-bodies.ts";
import { pattern } from "./patterns.ts";
import { bounds, boundsOf, typeOf, typeParameters } from "./types.ts";
import { nameOf, type Unit } from "./unit.ts";

const ITEM = /_item$|^(?:use_declaration|extern_crate_declaration|macro_definition)$/;

const KINDS: Record<string, { kind: TypeFact["kind"]; symbol: SymbolKind }> = {
  struct_item: { kind: "struct", symbol: "Struct" },
  union_item: { kind: "struct", symbol: "Struct" },
  enum_item: { kind: "enum", symbol: "Enum" },
  trait_item: { kind: "trait", symbol: "Interface" },
  type_item: { kind: "alias", symbol: "TypeAlias" },
};

/** The declarations of a file, a module or an `extern` block. */
export function items(u: Unit, parent: number): void {
  for (const node of u.syntax.children(parent)) item(u, node);
}

function item(u: Unit, node: number): void {
  const { syntax } = u;
  const kind = syntax.kind(node);
  switch (kind) {
    case "use_declaration":
      use(u, syntax.part(node, "argument"), [], isExported(u, node));
      return;
    case "extern_crate_declaration": {
      const name = syntax.text(syntax.part(node, "name"));
      const alias = syntax.part(node, "alias");
      u.scopes[u.scope]!.uses.push({ path: name === "self" ? ["crate"] : ["", name], alias: alias ? syntax.text(alias) : name, exported: isExported(u, node), line: syntax.line(node) });
      return;
    }
    case "mod_item":
      module(u, node);
      return;
    case "struct_item":
    case "union_item":
    case "enum_item":
    case "trait_item":
    case "type_item":
      u.apart(() => type(u, node));
      return;
    case "impl_item":
      u.apart(() => implementation(u, node));
      return;
    case "function_item":
    case "function_signature_item": {
      const fact = functionItem(u, node, "", isExported(u, node));
      if (fact) u.functions.push({ fact, scope: u.scope });
      return;
    }
    case "const_item":
    case "static_item":
      u.apart(() => constant(u, node));
      return;
    case "macro_definition": {
      const name = syntax.part(node, "name");
      if (!name) return;
      const exported = attributesOf(u, node).some(({ name: attribute }) => attribute === "macro_export");
      const symbol = u.symbol({ kind: "Function", name, whole: node, body: syntax.child(node, "macro_rule"), exported });
      // In the text of another macro it has no place of its own.
      const [start, end] = syntax instanceof Expanded ? [0, 0] : [syntax.start(node), syntax.end(node)];
      u.macros.push({ name: nameOf(syntax.text(name)), symbol, scope: u.scope, exported, start, end });
      macroBodies(u, node, symbol);
      return;
    }
    case "foreign_mod_item": {
      const body = syntax.part(node, "body");
      if (body) items(u, body);
      return;
    }
    case "block":
      items(u, node);
      return;
    case "expression_statement": {
      // Of a macro around declarations that stands in the text of another the grammar makes a name and a block (`AROUND`).
      const [inner = 0] = syntax.children(node);
      if (inner && syntax.kind(inner) === "block") items(u, inner);
      else if (inner && syntax.kind(inner) === "identifier" && u.inMacros.isInner(syntax.start(inner))) invoked(u, inner);
      else if (!itemsOfMacro(u, syntax.child(node, "macro_invocation"))) u.scoped(() => expression(u, node));
      return;
    }
    case "macro_invocation":
      if (!itemsOfMacro(u, node)) u.scoped(() => expression(u, node));
      return;
    case "ERROR":
    case "declaration_list":
      items(u, node);
      return;
    case "attribute_item":
    case "inner_attribute_item":
    case "identifier":
      return;
    default:
      u.scoped(() => expression(u, node));
  }
}

/** A macro of the file is read as what it stands for; another around declarations (`cfg_if! { … }`) as if it were not there, when what is in it parses as such. */
function itemsOfMacro(u: Unit, node: number): boolean {
  const { syntax } = u;
  if (node && u.expanded(node, (body) => { items(u, body); return true; })) return true;
  const tokens = node ? syntax.child(node, "token_tree") : 0;
  const read = tokens && syntax.source[syntax.start(tokens)] === "{" ? u.inMacros.of(tokens, syntax) : undefined;
  if (!read || read.syntax.kind(read.expression) !== "block") {
    if (node) u.opened(node);
    return false;
  }
  const { syntax: inner, expression: body } = read;
  const lists: number[] = [];
  const gather = (list: number): void => {
    const nested = inner.children(list);
    if (nested.some((child) => ITEM.test(inner.kind(child)))) lists.push(list);
    else for (const child of nested) if (inner.kind(child) === "block" || inner.kind(child) === "expression_statement") gather(child);
  };
  gather(body);
  // What cannot be read costs no more than itself, as in a file.
  if (lists.length === 0) {
    u.opened(node);
    return false;
  }
  invoked(u, syntax.part(node, "macro"));
  u.syntax = inner;
  for (const list of lists) items(u, list);
  u.syntax = syntax;
  return true;
}

/** A block, and what its last expression is. Declarations in it are seen in all of it. */
export function block(u: Unit, node: number): Offset {
  return u.scoped(() => (u.syntax.children(node).some((child) => declares(u, child)) ? inOwnScope(u, node) : statements(u, node)));
}

function inOwnScope(u: Unit, node: number): Offset {
  let last: Offset = 0;
  u.inScope(undefined, () => { last = statements(u, node); });
  return last;
}

/** Whether a statement is a declaration, or a call of a macro that stands for some. */
function declares(u: Unit, node: number): boolean {
  const { syntax } = u;
  const kind = syntax.kind(node);
  if (isItem(kind)) return true;
  const call = kind === "macro_invocation" ? node : kind === "expression_statement" ? syntax.child(node, "macro_invocation") : 0;
  const found = call ? u.inMacros.expansion(call, syntax) : undefined;
  return found !== undefined && found.syntax.children(found.body).some((child) => isItem(found.syntax.kind(child)));
}

function isItem(kind: string): boolean {
  return ITEM.test(kind) && !/attribute_item$/.test(kind);
}

/** The same of what a macro in a block stands for: what it declares is known around it, too. */
export function statements(u: Unit, node: number): Offset {
  const { syntax } = u;
  const children = syntax.children(node);
  const declared = children.filter((child) => isItem(syntax.kind(child)));
  let last: Offset = 0;
  // A function of the block hides a variable from around it.
  for (const child of declared) if (syntax.kind(child) === "function_item") u.declare(nameOf(syntax.text(syntax.part(child, "name"))), 0);
  for (const child of declared) item(u, child);
  for (const child of children) {
    const kind = syntax.kind(child);
    last = 0;
    if (kind === "let_declaration") binding(u, child);
    else if (kind === "expression_statement") {
      const [inner = 0] = syntax.children(child);
      const record = inner ? expression(u, inner) : 0;
      // `if … {} else {}` at the end is a statement to the grammar.
      if (syntax.source[syntax.end(child) - 1] !== ";") last = record;
    } else if (!ITEM.test(kind)) last = expression(u, child);
  }
  return last;
}

/** Flattens a tree of uses. */
function use(u: Unit, node: number, prefix: readonly string[], exported: boolean): void {
  const { syntax } = u;
  if (!node) return;
  const add = (path: readonly string[], alias: string, at: number): void => {
    u.scopes[u.scope]!.uses.push({ path: [...path], alias, exported, line: syntax.line(at) });
  };
  switch (syntax.kind(node)) {
    case "identifier":
    case "crate":
    case "super":
    case "metavariable": {
      const name = nameOf(syntax.text(node));
      add([...prefix, name], name, node);
      return;
    }
    case "self":
      add(prefix.length > 0 ? prefix : ["self"], prefix.at(-1) ?? "self", node);
      return;
    case "scoped_identifier": {
      const path = [...prefix, ...segments(u, node)];
      add(path, path.at(-1)!, syntax.part(node, "name") || node);
      return;
    }
    case "use_as_clause": {
      const path = syntax.part(node, "path");
      const alias = syntax.part(node, "alias");
      if (!path) return;
      const whole = syntax.kind(path) === "self" && prefix.length > 0 ? prefix : [...prefix, ...segments(u, path)];
      add(whole, alias ? nameOf(syntax.text(alias)) : "_", path);
      return;
    }
    case "use_wildcard": {
      const path = syntax.children(node).find((child) => syntax.kind(child) !== "*");
      add([...prefix, ...(path === undefined ? [] : segments(u, path))], "*", node);
      return;
    }
    case "scoped_use_list": {
      const path = syntax.part(node, "path");
      const list = syntax.part(node, "list");
      // `::{a, b}`
      const inner = [...prefix, ...(path ? segments(u, path) : prefix.length === 0 ? [""] : [])];
      for (const child of list ? syntax.children(list) : []) use(u, child, inner, exported);
      return;
    }
    case "use_list":
      for (const child of syntax.children(node)) use(u, child, prefix, exported);
      return;
    default:
  }
}

function segments(u: Unit, node: number): string[] {
  const { syntax } = u;
  if (syntax.kind(node) !== "scoped_identifier") return [nameOf(syntax.text(node))];
  const path = syntax.part(node, "path");
  return [...(path ? segments(u, path) : [""]), nameOf(syntax.text(syntax.part(node, "name")))];
}

function module(u: Unit, node: number): void {
  const { syntax } = u;
  const name = syntax.part(node, "name");
  if (!name) return;
  const text = nameOf(syntax.text(name));
  const body = syntax.part(node, "body");
  const attributes = attributesOf(u, node);
  if (!body) {
    const path = attributes.find(({ name: attribute }) => attribute === "path")?.value;
    u.scopes[u.scope]!.files.push({ name: text, ...(path === undefined ? {} : { path }), line: syntax.line(name) });
    return;
  }
  const symbol = u.symbol({ kind: "Module", name, whole: node, body, exported: isExported(u, node), entry: entryOf(attributes, "") });
  u.apart(() => u.inSymbol(symbol, () => u.inScope(text, () => items(u, body))));
}

function type(u: Unit, node: number): void {
  const { syntax } = u;
  const name = syntax.part(node, "name");
  if (!name) return;
  const { kind, symbol: symbolKind } = KINDS[syntax.kind(node)]!;
  const body = syntax.part(node, "body");
  const text = nameOf(syntax.text(name));
  const symbol = u.symbol({ kind: symbolKind, name, whole: node, body, exported: isExported(u, node) });
  const typed = typeParameters(u, node);
  const fact: TypeFact = {
    kind, name: text, symbol, scope: u.scope, typeParameters: typed, fields: [], variants: [], type: 0, supers: [], functions: [], types: [], constants: [],
  };
  u.types.push(fact);
  u.inSymbol(symbol, () => {
    attributesBefore(u, node);
    if (kind === "alias") {
      fact.type = typeOf(u, syntax.part(node, "type"));
    } else if (kind === "trait") {
      trait(u, node, fact);
    } else {
      u.declareType("Self", u.path(0, text, typed));
      if (kind === "struct") fact.fields = fields(u, body);
      else for (const variant of body ? syntax.children(body) : []) enumVariant(u, variant, fact, isExported(u, node));
      derived(u, node, fact);
    }
  });
}

function fields(u: Unit, body: number): FieldFact[] {
  const { syntax } = u;
  const list: FieldFact[] = [];
  for (const child of body ? syntax.children(body) : []) {
    if (syntax.kind(child) === "attribute_item") attribute(u, child);
    else if (syntax.kind(child) === "field_declaration") {
      const name = syntax.part(child, "name");
      if (name) list.push({ name: nameOf(syntax.text(name)), type: typeOf(u, syntax.part(child, "type")) });
    } else if (syntax.field(child) === "type") {
      list.push({ name: String(list.length), type: typeOf(u, child) });
    }
  }
  return list;
}

function enumVariant(u: Unit, node: number, fact: TypeFact, exported: boolean): void {
  const { syntax } = u;
  if (syntax.kind(node) === "attribute_item") attribute(u, node);
  const name = syntax.kind(node) === "enum_variant" ? syntax.part(node, "name") : 0;
  if (!name) return;
  const symbol = u.symbol({ kind: "Variable", name, whole: node, body: 0, owner: fact.name, exported });
  fact.variants.push({ name: nameOf(syntax.text(name)), symbol, fields: fields(u, syntax.part(node, "body")) });
  const value = syntax.part(node, "value");
  if (value) u.inSymbol(symbol, () => expression(u, value));
}

function trait(u: Unit, node: number, fact: TypeFact): void {
  const { syntax } = u;
  // A trait's own `Self` has the trait's methods.
  fact.type = u.emit(Op.Parameter, u.str("Self"), 0);
  u.declareType("Self", fact.type);
  const own = u.path(0, fact.name, fact.typeParameters);
  u.code[fact.type + 2] = bounds(u, [own]);
  const list = syntax.part(node, "bounds");
  for (const child of list ? syntax.children(list) : []) {
    const type = typeOf(u, child);
    if (type) fact.supers.push({ type, line: syntax.line(child) });
  }
  const where = syntax.child(node, "where_clause");
  for (const predicate of where ? syntax.children(where) : []) {
    const left = syntax.part(predicate, "left");
    if (!left || syntax.text(left) !== "Self") continue;
    for (const type of boundsOf(u, syntax.part(predicate, "bounds"))) fact.supers.push({ type, line: syntax.line(predicate) });
  }
  members(u, syntax.part(node, "body"), fact, fact.name, () => true);
}

function implementation(u: Unit, node: number): void {
  const { syntax } = u;
  const target = syntax.part(node, "type");
  const fact: ImplFact = { scope: u.scope, typeParameters: typeParameters(u, node), trait: 0, self: typeOf(u, target), functions: [], types: [], constants: [], line: syntax.line(node) };
  fact.trait = typeOf(u, syntax.part(node, "trait"));
  // `impl !Send for T` says that it is none.
  const negative = syntax.children(node).some((child) => syntax.kind(child) === "!");
  if (!negative) u.impls.push(fact);
  u.declareType("Self", fact.self);
  const owner = target ? simpleName(u, target) : "";
  // What stands in an impl belongs to its type, where that is declared before in the same module.
  const type = u.types.find(({ name, scope }) => name === owner && scope === u.scope);
  u.inSymbol(type?.symbol ?? -1, () => members(u, syntax.part(node, "body"), fact, owner, (child) => fact.trait > 0 || isExported(u, child)));
}

function members(
  u: Unit, body: number, fact: Pick<TypeFact, "functions" | "types" | "constants">, owner: string, exported: (node: number) => boolean,
): void {
  const { syntax } = u;
  for (const child of body ? syntax.children(body) : []) {
    const name = syntax.part(child, "name");
    switch (syntax.kind(child)) {
      case "function_item":
      case "function_signature_item": {
        const method = functionItem(u, child, owner, exported(child));
        if (method) fact.functions.push(method);
        break;
      }
      case "type_item":
        if (name) fact.types.push({ name: syntax.text(name), symbol: -1, type: typeOf(u, syntax.part(child, "type")) });
        break;
      case "associated_type":
        if (name) fact.types.push({ name: syntax.text(name), symbol: -1, type: bounds(u, boundsOf(u, syntax.part(child, "bounds"))) });
        break;
      case "const_item": {
        const value = syntax.part(child, "value");
        const symbol = name ? u.symbol({ kind: "Variable", name, whole: child, body: shown(u, value), owner, exported: exported(child) }) : -1;
        if (name) fact.constants.push({ name: syntax.text(name), symbol, type: typeOf(u, syntax.part(child, "type")) });
        if (value) u.inSymbol(symbol, () => expression(u, value));
        break;
      }
      case "macro_invocation":
        if (u.expanded(child, (inner) => { members(u, inner, fact, owner, exported); return true; })) break;
        u.opened(child);
        u.scoped(() => expression(u, child));
        break;
      case "ERROR":
        members(u, child, fact, owner, exported);
        break;
      default:
    }
  }
}

/** The name of a type without its path and arguments: what its methods belong to. */
function simpleName(u: Unit, node: number): string {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "generic_type":
    case "reference_type":
      return simpleName(u, syntax.part(node, "type"));
    case "scoped_type_identifier":
      return simpleName(u, syntax.part(node, "name"));
    case "dynamic_type":
      return simpleName(u, syntax.part(node, "trait"));
    case "type_identifier":
    case "primitive_type":
      return nameOf(syntax.text(node));
    default:
      return syntax.text(node).replace(/\s+/g, " ").slice(0, 40);
  }
}

function functionItem(u: Unit, node: number, owner: string, exported: boolean): FunctionFact | undefined {
  const { syntax } = u;
  const name = syntax.part(node, "name");
  if (!name) return undefined;
  const text = nameOf(syntax.text(name));
  const body = syntax.part(node, "body");
  const top = u.owner < 0 && u.scope === 0;
  const symbol = u.symbol({
    kind: owner === "" ? "Function" : "Method", name, whole: node, body, owner, exported,
    entry: entryOf(attributesOf(u, node), owner === "" && top ? text : ""),
  });
  const fact: FunctionFact = { name: text, symbol, typeParameters: [], method: false, parameters: [], result: 0, waits: isAsync(u, node), abstract: !body, variables: [] };
  const inside = (): void => {
    fact.typeParameters = typeParameters(u, node);
    const list = syntax.part(node, "parameters");
    for (const child of list ? syntax.children(list) : []) parameter(u, child, fact);
    fact.result = typeOf(u, syntax.part(node, "return_type"));
    if (!body) return;
    u.returningFrom(symbol, () => {
      const last = block(u, body);
      expected(u, body, fact.result, last);
      u.returned(last);
    }, fact.result);
  };
  // A method sees the type parameters of its impl; a function inside a function sees nothing of it.
  u.inSymbol(symbol, () => (owner === "" ? u.apart(inside) : u.scoped(inside)));
  return fact;
}

function isAsync({ syntax }: Unit, node: number): boolean {
  const modifiers = syntax.child(node, "function_modifiers");
  return modifiers > 0 && /\basync\b/.test(syntax.text(modifiers));
}

function parameter(u: Unit, node: number, fact: FunctionFact): void {
  const { syntax } = u;
  const kind = syntax.kind(node);
  const named = syntax.part(node, "pattern");
  if (kind === "self_parameter") {
    fact.method = true;
    const own = u.lookupType("Self");
    // `self: &Self` in short.
    const borrowed = /^&/.test(syntax.text(node));
    u.variable("self", own && borrowed ? u.emit(Op.Reference, syntax.child(node, "mutable_specifier") ? 1 : 0, own) : own, 0);
  } else if (kind === "parameter" && named && syntax.kind(named) === "self") {
    fact.method = true;
    u.variable("self", typeOf(u, syntax.part(node, "type")), 0);
  } else if (kind === "parameter") {
    const type = typeOf(u, syntax.part(node, "type"));
    fact.parameters.push(type);
    const variable = u.emit(Op.Variable, type, 0, 0);
    fact.variables.push(variable);
    pattern(u, named, variable);
  }
}

/** What the signature of a constant ends before: its value, unless that is a text, a number or a truth value. */
function shown(u: Unit, value: number): number {
  return /^(?:string|raw_string|integer|float|boolean|char)_literal$/.test(u.syntax.kind(value)) ? 0 : value;
}

function constant(u: Unit, node: number): void {
  const { syntax } = u;
  const name = syntax.part(node, "name");
  if (!name) return;
  const value = syntax.part(node, "value");
  const text = syntax.text(name);
  const type = typeOf(u, syntax.part(node, "type"));
  // `const _: () = …` has no name.
  const symbol = text === "_" ? -1 : u.symbol({ kind: "Variable", name, whole: node, body: shown(u, value), exported: isExported(u, node) });
  if (symbol >= 0) u.values.push({ fact: { name: text, symbol, type }, scope: u.scope });
  u.inSymbol(symbol, () => {
    const given = value ? expression(u, value) : 0;
    if (symbol >= 0) u.store(u.path(0, nameOf(text)), given);
  });
}

function isExported(u: Unit, node: number): boolean {
  return u.syntax.child(node, "visibility_modifier") > 0;
}
