import { declared, isConstant, qualified, typeOf, valuesIn } from "./declarators.ts";
import { prototype, STATEMENT } from "./declared-functions.ts";
import { TYPES, typeDeclaration, typeNameOf } from "./declared-types.ts";
import { braces, expression, handed, inBraces, values, visit } from "./expressions.ts";
import { Flag, type Offset, Op } from "./facts.ts";
import { isObjectType, mayConvert, uncast } from "./functions.ts";
import { callOf, macroBefore } from "./macros.ts";
import { mayBeObject } from "./operators.ts";
import type { Unit } from "./unit.ts";

/** What a declaration outside of functions declares: prototypes, globals, fields. */
export function variables(u: Unit, node: number): void {
  const { syntax } = u;
  const type = syntax.part(node, "type");
  const own = type && TYPES[syntax.kind(type)] ? typeDeclaration(u, type, type) : undefined;
  if (type && syntax.kind(type) === "macro_type_specifier") macroBefore(u, type);
  if (useOfMacro(u, node, type)) return;
  const specifiers = syntax.children(node).filter((child) => syntax.kind(child) === "storage_class_specifier").map((child) => syntax.text(child));
  const owner = u.owningClass();
  const inClass = u.scopes[u.scope]!.kind === "class";
  for (const child of syntax.children(node)) {
    if (syntax.field(child) !== "declarator") continue;
    const what = declared(u, child);
    if (STATEMENT.test(what.name)) continue;
    if (what.function) {
      visitValues(u, child);
      prototype(u, node, what);
      continue;
    }
    if (!what.at || what.name === "") continue;
    const at = own ? u.named(typeNameOf(own), what.flags) : typeOf(u, type, what.flags, isConstant(u, node));
    const isExtern = specifiers.includes("extern") && syntax.kind(child) !== "init_declarator";
    // What a class only declares of a static member is defined outside of it.
    const shared = inClass && specifiers.includes("static");
    const isDefined = !inClass || (shared && (syntax.part(node, "default_value") > 0 || syntax.kind(child) === "init_declarator" || specifiers.includes("inline")));
    const isSymbol = isDefined && !isExtern && !u.inBody;
    const symbol = isSymbol ? u.symbol({
      kind: "Variable", name: what.name, at: what.at, whole: node, body: 0, owner: inClass ? owner : what.qualifier.replace(/^.*::/, ""), exported: !specifiers.includes("static") && !u.isHidden(),
    }) : -1;
    const fact = {
      name: what.name, qualifier: what.qualifier, scope: u.scope, symbol, type: at, initialiser: 0, local: specifiers.includes("static") && owner === "" || u.isHidden(), declared: isExtern, shared,
    };
    u.variables.push(fact);
    u.inSymbol(symbol < 0 ? u.owner : symbol, () => {
      visitValues(u, child);
      const value = syntax.kind(child) === "init_declarator" ? syntax.part(child, "value") : syntax.part(node, "default_value");
      if (value) fact.initialiser = initialiser(u, value, at, child, fact.name);
      else if (isSymbol) plain(u, at, child);
    });
  }
  const bits = syntax.child(node, "bitfield_clause");
  // `Q_OBJECT public: void shown();` is read as one whose width is a call.
  for (const width of bits ? syntax.children(bits) : []) if (syntax.kind(width) !== "call_expression") visit(u, width);
  // A struct without a name in a struct: its fields are the outer one's.
  if (own?.name === "" && inClass && !syntax.part(node, "declarator")) u.scopes[u.scope]!.spaces.push(`#${own.inner}`);
}

/** `DEFINE_LIST(item);` in a line of its own, which the grammar takes for a variable in parentheses: nobody declares one so. */
function useOfMacro(u: Unit, node: number, type: number): boolean {
  const { syntax } = u;
  const [first, second, ...others] = syntax.children(node);
  if (first !== type || second === undefined || others.length > 0 || syntax.kind(type) !== "type_identifier" || syntax.kind(second) !== "parenthesized_declarator") return false;
  const [name] = syntax.children(second);
  if (name === undefined || syntax.kind(name) !== "identifier") return false;
  callOf(u, syntax.text(type), [syntax.text(name)], syntax.line(node));
  return true;
}

function visitValues(u: Unit, declarator: number): void {
  for (const value of valuesIn(u, declarator)) visit(u, value);
}

/** What something of a type is made of; the type is that of the declarator. */
function initialiser(u: Unit, value: number, type: Offset, node: number, name: string): Offset {
  const { syntax } = u;
  if (syntax.kind(value) === "initializer_list") {
    const list = braces(u, type, value, true);
    if (u.cpp && type && !(u.code[type + 3]! & (Flag.Array | Flag.Pointer))) {
      u.make(type, inBraces(u, list), node);
    }
    return list;
  }
  if (syntax.kind(value) === "argument_list") {
    const args = values(u, value);
    return type ? u.make(type, args, node) : 0;
  }
  const at = expression(u, value);
  // A table of functions has one element.
  if (u.code[uncast(u.code, at)] === Op.Name) u.use(u.emit(Op.Assign, u.emit(Op.Name, u.str(name), u.scope, 0), at), value);
  if (u.cpp && mayConvert(u, type, at)) u.use(u.emit(Op.Converted, type, at, 0), value);
  return at;
}

export function localVariables(u: Unit, node: number): void {
  const { syntax } = u;
  const type = syntax.part(node, "type");
  const own = type && TYPES[syntax.kind(type)] ? typeDeclaration(u, type, type) : undefined;
  const isAuto = type > 0 && /^(?:placeholder_type_specifier|auto|decltype)/.test(syntax.kind(type));
  for (const child of syntax.children(node)) {
    if (syntax.field(child) !== "declarator") continue;
    const what = declared(u, child);
    const at = own ? u.named(typeNameOf(own), what.flags) : isAuto ? 0 : typeOf(u, type, what.flags, isConstant(u, node));
    if (what.function) {
      const args = asArguments(u, what.function);
      if (args) {
        // `T x(a, b);` makes an object, whatever the grammar takes it for.
        u.local(what.name, at, 0);
        if (at) u.make(at, args, child);
      } else if (what.name !== "") {
        prototype(u, node, what);
      }
      continue;
    }
    visitValues(u, child);
    // In a condition, `if (auto *x = f())`, there is no declarator around it.
    const value = syntax.part(syntax.kind(child) === "init_declarator" ? child : node, "value");
    if (what.names) {
      const given = value ? expression(u, value) : 0;
      for (const [i, name] of what.names.entries()) u.local(name, 0, given ? u.emit(Op.Select, given, u.str(i === 0 ? "first" : "second"), 0) : 0);
      continue;
    }
    if (!what.at) continue;
    // A name is known in its own initialiser in C, and used there by nobody.
    const given = value ? initialiser(u, value, at, child, "") : 0;
    const local = u.local(what.name, at, given);
    if (u.cpp && (at > 0 || what.flags === 0) && isEnded(u, node, at, given)) u.use(u.emit(Op.Ended, local), child);
    if (!value && (what.flags & ~Flag.Array) === 0 && !/\bextern\b/.test(syntax.text(node).slice(0, 8))) plain(u, what.flags !== 0 && type && !own ? typeOf(u, type, 0, false) : at, child);
  }
}

/** Whether a local variable may be an object that is destroyed where its block ends, by its record alone. */
function isEnded(u: Unit, node: number, type: Offset, given: Offset): boolean {
  const isObject = type ? isObjectType(u, type) && (u.code[type + 3]! & Flag.Reference) === 0 : mayBeObject(u, given);
  return isObject && !/^\s*(?:static|extern|thread_local)\b/.test(u.syntax.text(node).slice(0, 20));
}

/** `T x;` makes an object, and `T x[4];` several. */
function plain(u: Unit, type: Offset, node: number): void {
  if (u.cpp && isObjectType(u, type)) u.use(u.emit(Op.New, type, 0), node);
}

/** The arguments of what looks like a prototype in a body: names, and calls of names. Undefined when it is one. */
function asArguments(u: Unit, declarator: number): Offset[] | undefined {
  const list = u.syntax.part(declarator, "parameters");
  return u.cpp && list && u.syntax.children(list).length > 0 && areValues(u, list) ? valuesOf(u, list) : undefined;
}

function areValues(u: Unit, list: number): boolean {
  const { syntax } = u;
  return syntax.children(list).every((parameter) => {
    const [only, ...more] = syntax.children(parameter);
    if (syntax.kind(parameter) !== "parameter_declaration" || only === undefined) return false;
    if (more.length === 0) return /^(?:type_identifier|qualified_identifier)$/.test(syntax.kind(only));
    if (more.length === 1 && isElement(u, more[0]!)) return syntax.kind(only) === "type_identifier";
    const inside = more.length === 1 ? calledWith(u, more[0]!) : 0;
    return inside > 0 && areValues(u, inside);
  });
}

/** `f(x)`, a call to whoever reads it as an expression: the list that it is given. */
function calledWith({ syntax }: Unit, declarator: number): number {
  return /abstract_function_declarator/.test(syntax.kind(declarator)) ? syntax.part(declarator, "parameters") : 0;
}

/** `list[i]`, an element to whoever reads it as an expression. */
function isElement({ syntax }: Unit, declarator: number): boolean {
  return syntax.kind(declarator) === "abstract_array_declarator" && syntax.part(declarator, "size") > 0;
}

function valuesOf(u: Unit, list: number): Offset[] {
  const { syntax } = u;
  return syntax.children(list).map((parameter) => {
    const [only = 0, declarator] = syntax.children(parameter);
    if (declarator !== undefined && isElement(u, declarator)) {
      visit(u, syntax.part(declarator, "size"));
      return u.emit(Op.Index, u.name(syntax.text(only)));
    }
    if (declarator !== undefined) return u.call(u.name(qualified(u, only).name), valuesOf(u, calledWith(u, declarator)), only);
    return handed(u, only);
  });
}
