import type { EntryKind } from "../../facts.ts";
import { type Declared, declared, isConstant, qualified, signatureOf, templateParameters, typeOf, valuesIn } from "./declarators.ts";
import { TYPES, typeDeclaration } from "./declared-types.ts";
import { localVariables } from "./declared-variables.ts";
import { returning, values, visit } from "./expressions.ts";
import { Flag, type FunctionFact, type Offset, Op } from "./facts.ts";
import { macroBefore } from "./macros.ts";
import type { Unit } from "./unit.ts";

const TESTS = /^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|TEST_CASE|TEST_METHOD|SCENARIO|BOOST_AUTO_TEST_CASE|BOOST_FIXTURE_TEST_CASE|START_TEST|TEST_IMPL|CTEST|Test)$/;

function functionFact(u: Unit, node: number, what: Declared): FunctionFact {
  const { syntax } = u;
  const { parameters, required, variadic, key } = signatureOf(u, what.function);
  const isExplicit = syntax.children(node).some((child) => syntax.kind(child) === "explicit_function_specifier");
  const specifiers = syntax.children(node).filter((child) => child < what.at).map((child) => syntax.text(child));
  const after = syntax.children(what.function).map((child) => syntax.text(child));
  let returns = typeOf(u, syntax.part(node, "type"), what.flags | (what.gives ? Flag.Function : what.given), isConstant(u, node));
  const trailing = syntax.child(what.function, "trailing_return_type");
  if (trailing) returns = typeOf(u, syntax.children(trailing)[0] ?? 0);
  return {
    name: what.name, qualifier: what.qualifier, scope: u.scope, symbol: -1, returns, parameters, variables: [], required, variadic, key,
    local: u.isHidden() || (specifiers.includes("static") && u.owningClass() === "" && what.qualifier === ""),
    virtual: specifiers.includes("virtual") || after.includes("override") || after.includes("final"),
    pure: false, const: /\bconst$/.test(key), ...(isExplicit ? { explicit: true } : {}), templates: u.templates,
  };
}

/** What begins a statement that came loose where braces are hidden in macros. */
export const STATEMENT = /^(?:if|while|for|switch|return|else|catch|do|case)$/;

export function functionDefinition(u: Unit, node: number): void {
  const { syntax } = u;
  const declarator = syntax.part(node, "declarator");
  const what = declarator ? declared(u, declarator) : undefined;
  const body = syntax.part(node, "body") || syntax.child(node, "try_statement");
  const typeNode = syntax.part(node, "type");
  if (typeNode && TYPES[syntax.kind(typeNode)]) typeDeclaration(u, typeNode, typeNode);
  else if (typeNode && syntax.kind(typeNode) === "macro_type_specifier") macroBefore(u, typeNode);
  if (what?.function && !typeNode && what.qualifier === "" && u.owningClass() === "" && byMacro(u, node, what.at, syntax.part(what.function, "parameters"), body)) return;
  if (typeNode && declarator && syntax.kind(declarator) === "parenthesized_declarator" && byMacro(u, node, typeNode, declarator, body)) return;
  if (body && isInside(u, node) && u.owningClass() === "") {
    if (what?.function && !typeNode && what.qualifier === "" && syntax.kind(what.at) === "identifier" && !STATEMENT.test(what.name)) {
      macroBlock(u, what.at, syntax.part(what.function, "parameters"), body);
      return;
    }
    // `dispatch (next(i)) { … }`
    if (typeNode && syntax.kind(typeNode) === "type_identifier" && declarator && syntax.kind(declarator) === "parenthesized_declarator") {
      macroBlock(u, typeNode, declarator, body);
      return;
    }
  }
  if (!what?.function || what.name === "" || STATEMENT.test(what.name)) {
    // Not a function after all: `switch (x) { … }` that came loose.
    if (body) u.scoped(() => visit(u, body));
    return;
  }
  const cast = syntax.kind(what.at) === "operator_cast";
  const fact = functionFact(u, node, what);
  if (cast) fact.key = syntax.text(what.at);
  // What is deleted cannot be called; what is defaulted is there.
  if (syntax.child(node, "delete_method_clause")) {
    u.deleted.push(what.name);
    return;
  }
  const initialisers = syntax.child(node, "field_initializer_list");
  const parts = what.qualifier.split("::");
  const owner = u.owningClass() || (isMember(u, what) ? parts.at(-1)! : "");
  fact.symbol = u.symbol({
    kind: owner ? "Method" : "Function", name: what.name, at: what.at, whole: node, body: initialisers || body, ...(owner ? { owner } : {}),
    exported: !fact.local && !u.inBody && !u.isPrivate(), entry: entryOf(fact, owner),
  });
  u.functions.push(fact);
  const read = (): void => u.inSymbol(fact.symbol, () => {
    const { inBody } = u;
    u.inBody = true;
    const begin = u.code.length;
    templateParameters(u);
    const { names, parameters } = signatureOf(u, what.function);
    // Behind the name of a member, names are those that its class has.
    if (what.qualifier !== "") fact.parameters = parameters;
    fact.variables = names.map(({ name, type }) => u.local(name, type, 0));
    // Types of parameters as C was first written.
    for (const child of syntax.children(node)) if (syntax.kind(child) === "declaration") localVariables(u, child);
    for (const [i, { name, type }] of names.entries()) if (type === 0) fact.variables[i] = u.lookup(name);
    for (const value of valuesIn(u, declarator)) visit(u, value);
    if (initialisers) constructorInitialisers(u, initialisers, owner);
    if (body) returning(u, fact.returns, () => visit(u, body));
    if (fact.const) u.constants.push(begin, u.code.length);
    u.inBody = inBody;
  });
  if (what.qualifier !== "") u.within("member", what.qualifier, read);
  else read();
}

/** Whether the qualifier of a definition names a class: nothing in the file says that it is a namespace. */
function isMember(u: Unit, { qualifier }: Declared): boolean {
  if (qualifier === "") return false;
  const last = qualifier.slice(qualifier.lastIndexOf(":") + 1);
  return !u.scopes.some(({ kind, name }) => kind === "namespace" && name === last);
}

function entryOf({ name, scope }: FunctionFact, owner: string): EntryKind | undefined {
  if (scope === 0 && owner === "" && /^(?:main|wmain|WinMain|wWinMain|_tmain|DllMain|LLVMFuzzerTestOneInput)$/.test(name)) return "main";
  return undefined;
}

function constructorInitialisers(u: Unit, list: number, owner: string): void {
  const { syntax } = u;
  for (const initialiser of syntax.children(list)) {
    const children = syntax.children(initialiser);
    const [target] = children;
    const given = children.at(-1);
    if (target === undefined || given === undefined) continue;
    const args = /^(?:argument_list|initializer_list)$/.test(syntax.kind(given)) ? values(u, given) : [];
    const name = qualified(u, target).name;
    // A base, the class itself, or a field: what it is shows later.
    const at = name === owner ? u.emit(Op.New, u.named(name, Flag.Reference), args.length, ...args) : u.emit(Op.New, u.emit(Op.Name, u.str(name), u.scope, 0), args.length, ...args);
    u.use(at, initialiser);
  }
}

/** Whether code stands in a body. What begins its line does not, though the body before it never ends where both branches of a condition open a block. */
function isInside(u: Unit, node: number): boolean {
  const { syntax } = u;
  return u.inBody && !/(?:^|\n)$/.test(syntax.source.slice(Math.max(0, syntax.start(node) - 1), syntax.start(node)));
}

/** A function that a macro declares: `TEST(Suite, Name) { … }`, `PHP_FUNCTION(name) { … }`. */
export function byMacro(u: Unit, node: number, nameNode: number, list: number, body: number): boolean {
  const { syntax } = u;
  if (!nameNode || !list || !body) return false;
  const macroName = syntax.text(nameNode);
  if (!/^[A-Z_][A-Za-z0-9_]*$/.test(macroName) || isInside(u, node)) return false;
  const isTest = TESTS.test(macroName);
  const args = syntax.children(list).map((child) => ({ child, text: syntax.text(child).replace(/^"|"$/g, "") }));
  const [first, second] = args;
  if (!first || (!isTest && !/^\w+$/.test(first.text))) return false;
  const pair = isTest && second && /^\w+$/.test(second.text) && !/^TEST_CASE$|^SCENARIO$/.test(macroName);
  const symbol = u.symbol({
    kind: "Function", name: pair ? second.text : first.text, at: (pair ? second : first).child, whole: node, body, ...(pair ? { owner: first.text } : {}),
    exported: false, ...(isTest ? { entry: "test" as const } : {}),
  });
  // It ends with its block, which may be another node.
  u.symbols[symbol]!.endLine = syntax.endLine(body);
  if (!isTest) {
    const fact: FunctionFact = {
      name: first.text, qualifier: "", scope: u.scope, symbol, returns: 0, parameters: [], variables: [], required: 0, variadic: true, key: "macro", local: false, virtual: false, pure: false, const: false, templates: [], by: macroName,
    };
    u.functions.push(fact);
  }
  const read = (): void => u.inSymbol(symbol, () => {
    const { inBody } = u;
    u.inBody = true;
    u.call(u.emit(Op.Name, u.str(macroName), u.scope, 0), [], nameNode);
    visit(u, body);
    u.inBody = inBody;
  });
  // A test of a fixture is a method of a class that derives from it.
  if (pair) u.within("member", first.text, read);
  else read();
  return true;
}

/** `each(item) { … }` in a body, a macro and the block that it runs: no function without a type is declared there. */
function macroBlock(u: Unit, nameNode: number, list: number, body: number): void {
  const args = (list ? u.syntax.children(list) : []).map((child) => macroArgument(u, child));
  u.call(u.name(u.syntax.text(nameNode)), args, nameNode);
  visit(u, body);
}

/** Longer names nobody writes. */
const MAX_WORD = 200;

/** What a macro is given where the grammar takes that for a declaration: a call, or a name. */
function macroArgument(u: Unit, node: number): Offset {
  const used = (word: string): Offset => {
    const at = u.name(word);
    if (u.code[at] === Op.Name) u.use(at, node);
    return at;
  };
  const text = u.syntax.text(node);
  const [, callee, inner] = /^([A-Za-z_]\w*)\s*\((.*)\)$/s.exec(text) ?? [];
  if (callee !== undefined) return u.call(u.name(callee), (inner!.match(/[A-Za-z_]\w*/g) ?? []).map(used), node);
  const [word] = /[A-Za-z_]\w*$/.exec(text.slice(-MAX_WORD)) ?? [];
  return word === undefined ? 0 : used(word);
}

export function prototype(u: Unit, node: number, what: Declared): void {
  const { syntax } = u;
  if (what.name === "") return;
  const fact = functionFact(u, node, what);
  const value = syntax.part(node, "default_value");
  fact.pure = value > 0 && syntax.text(value) === "0" || /=\s*0\s*;?\s*$/.test(syntax.text(node));
  // What has no body anywhere is declared by this alone; that of a signal is made by Qt.
  const isSignal = /^(?:signal|Q_SIG)/.test(u.access);
  if ((fact.pure || isSignal) && u.owningClass() !== "") {
    if (isSignal) fact.signal = syntax.line(what.at);
    fact.symbol = u.symbol({ kind: "Method", name: what.name, at: what.at, whole: node, body: 0, owner: u.owningClass(), exported: !u.isPrivate() });
  }
  u.functions.push(fact);
}
