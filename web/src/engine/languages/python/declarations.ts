import type { SymbolFact } from "../../facts.ts";
import { headOf } from "../records.ts";
import { entryOf } from "./entries.ts";
import { annotation, expression } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import type { ClassFact, ParamFact, PyFacts } from "./facts.ts";
import { accessorOf, AUTOMATIC, ENUM_BASE, FunctionFlag, Op, ParamKind, renamed, ScopeKind } from "./facts.ts";
import { handsBack } from "./hands.ts";
import { parameters } from "./parameters.ts";
import { fixtureName, isAutomatic, parametrized, usedFixtures, valuesOf } from "./pytest.ts";
import { commented, commentedList } from "./strings.ts";
import { K } from "./tree.ts";
import { commentOfFunction } from "./typetext.ts";

/** Extracts what stands in a block. */
type Body = (x: Extraction, block: number) => void;

/** Decorators that say what a function is, by the last part of their name. */
const DECORATORS = new Map<string, number>([
  ["staticmethod", FunctionFlag.Static], ["classmethod", FunctionFlag.ClassMethod], ["overload", FunctionFlag.Overload],
  ["property", FunctionFlag.Property], ["cached_property", FunctionFlag.Property], ["abstractproperty", FunctionFlag.Property | FunctionFlag.Abstract],
  ["abstractmethod", FunctionFlag.Abstract], ["abstractclassmethod", FunctionFlag.ClassMethod | FunctionFlag.Abstract],
  ["final", 0], ["override", 0],
]);

/** A function, a method, or a nested function. */
export function functionDefinition(x: Extraction, n: number, decorators: readonly number[], body: Body): void {
  const { tree, facts, place } = x;
  const nameNode = tree.child(n, K.Identifier);
  if (nameNode < 0) return;
  const name = tree.text(nameNode);
  const inClass = place.cls >= 0;
  let flags = tree.kind[n + 1] === K.Async ? FunctionFlag.Async : 0;
  const custom: number[] = [];
  let accessor: string | undefined;
  for (const decorator of decorators) {
    const last = decoratorName(x, decorator);
    if (inClass && /^(setter|deleter|getter)$/.test(last) && tree.text(decorator).includes(`${name}.${last}`)) {
      accessor = accessorOf(name, last);
      continue;
    }
    const id = decorate(x, decorator);
    const known = DECORATORS.get(last);
    if (known !== undefined) flags |= known;
    // A class of the code base may have that name.
    if (id >= 0 && (known === undefined || last === "cached_property")) custom.push(id);
  }
  if (custom.length > 0) flags |= FunctionFlag.Decorated;
  const list = tree.child(n, K.Parameters);
  const typeParams = tree.child(n, K.TypeParameter);
  const scope = x.newScope(ScopeKind.Function, place.scope);
  const inner = { ...place, scope };
  if (typeParams >= 0) x.at(inner, () => declareTypeParameters(x, typeParams));
  const annotated = facts.annotated.length;
  const params = list < 0 ? [] : x.reading(typeParams >= 0 ? scope : place.scope, () => parameters(x, list));
  const type = tree.child(n, K.Type);
  const returns = type >= 0 ? x.reading(typeParams >= 0 ? scope : place.scope, () => annotation(x, type)) : list < 0 ? -1 : signatureComment(x, list, params, inClass);
  const block = tree.child(n, K.Block);
  const key = `${place.scope} ${name}`;
  const overloaded = x.overloads.get(key);
  const symbol = facts.scopes[scope]!.symbol = functionSymbol(x, n, nameNode, params.map((p) => facts.strings[p.name]!), decorators, block, overloaded?.symbol);
  if (accessor !== undefined && accessor !== accessorOf(name, "getter")) x.symbols[symbol]!.isSetter = true;
  // What its signature names, the function does.
  for (let i = annotated + 1; i < facts.annotated.length; i += 3) facts.annotated[i] = symbol;
  const fn = facts.functions.push({
    name: x.string(name), symbol, owner: place.cls, flags, params, returns, results: [], yields: [], decorators: custom,
    ...(overloaded ? { overloads: overloaded.functions } : {}),
  }) - 1;
  const fixture = place.fn < 0 ? fixtureName(x, decorators, name) : undefined;
  if (fixture !== undefined || x.symbols[symbol]!.entry === "test") {
    const values = new Set([...parametrized(x, decorators), ...x.parametrized.get(place.cls) ?? []]);
    const first = inClass && (flags & FunctionFlag.Static) === 0 ? 1 : 0;
    const injected = [...params.keys()].slice(first).filter((i) => {
      const { kind, value, name: param } = params[i]!;
      return value < 0 && (kind === ParamKind.Positional || kind === ParamKind.KeywordOnly) && !values.has(facts.strings[param]!);
    });
    if (injected.length > 0) facts.functions[fn]!.injected = injected;
    // What pytest passes is as good as what is passed where nothing is.
    const given = valuesOf(x, [...custom, ...facts.classes[place.cls]?.decorators ?? []]);
    for (const param of params) {
      const passed = param.value < 0 ? given.get(facts.strings[param.name]!) : undefined;
      if (passed && values.has(facts.strings[param.name]!)) param.value = x.node(Op.Phi, facts.phis.push([...passed]) - 1);
    }
  }
  if (fixture !== undefined) facts.functions[fn]!.fixture = x.string(fixture);
  if (x.symbols[symbol]!.entry === "test") {
    const uses = [...usedFixtures(x, decorators), ...x.used.get(place.cls) ?? []];
    facts.functions[fn]!.isTest = true;
    if (uses.length > 0) facts.functions[fn]!.uses = [...new Set(uses)].map((used) => x.string(used));
  }
  if (accessor !== undefined) x.declare(accessor, x.node(Op.Function, fn));
  else {
    // The overloads of a function and its implementation are one: the last stands for all.
    if (overloaded) x.withdraw(name, overloaded.definition);
    const definition = x.node(Op.Function, fn);
    x.bind(name, definition);
    if (fixture !== undefined && fixture !== name) x.declare(renamed(fixture), definition);
    if (fixture !== undefined && isAutomatic(x, decorators)) x.declare(AUTOMATIC, definition);
    if ((flags & FunctionFlag.Overload) === 0) x.overloads.delete(key);
    else x.overloads.set(key, { symbol, functions: [...(overloaded?.functions ?? []), fn], definition });
  }
  if (block < 0) return;
  const takesSelf = inClass && (flags & FunctionFlag.Static) === 0 && name !== "__new__";
  x.at({
    scope, symbol, fn, cls: -1, method: inClass ? fn : place.method,
    self: takesSelf && params[0] ? facts.strings[params[0].name] : undefined, flow: x.newFlow(),
  }, () => {
    params.forEach((p, i) => x.bind(facts.strings[p.name]!, x.node(Op.Param, fn, i)));
    body(x, block);
  });
  const fact = facts.functions[fn]!;
  if (fact.yields.length > 0) fact.flags |= FunctionFlag.Generator;
  const back = handsBack(facts, fn, fact);
  if (back.length > 0) fact.handsBack = back;
}

/** A class with its bases and body. */
export function classDefinition(x: Extraction, n: number, decorators: readonly number[], body: Body): void {
  const { tree, facts, place } = x;
  const nameNode = tree.child(n, K.Identifier);
  if (nameNode < 0) return;
  const name = tree.text(nameNode);
  const custom = decorators.map((d) => decorate(x, d)).filter((id) => id >= 0);
  const scope = x.newScope(ScopeKind.Class, place.scope);
  const typeParams = tree.child(n, K.TypeParameter);
  const fact: ClassFact = { name: x.string(name), symbol: -1, scope, bases: [], metaclass: -1, decorators: custom, attrs: {} };
  const cls = facts.classes.push(fact) - 1;
  for (const decorator of custom) fact.metaclass = givenTo(facts, decorator, "add_metaclass")[0] ?? fact.metaclass;
  if (typeParams >= 0) x.at({ ...place, scope, flow: x.newFlow() }, () => (fact.typeParams = declareTypeParameters(x, typeParams)));
  const values = parametrized(x, decorators);
  if (values.length > 0) x.parametrized.set(cls, values);
  const used = usedFixtures(x, decorators);
  if (used.length > 0) x.used.set(cls, used);
  const args = tree.child(n, K.Arguments);
  const texts: string[] = [];
  for (const arg of args < 0 ? [] : tree.children(args)) {
    if (tree.kind[arg] === K.KeywordArgument) {
      const [key, , value] = tree.children(arg);
      if (key === undefined || value === undefined) continue;
      const id = expression(x, value);
      if (tree.text(key) === "metaclass") fact.metaclass = id;
    } else if (tree.kind[arg] !== K.DictSplat) {
      const values = facts.values.length;
      const base = x.reading(typeParams >= 0 ? scope : place.scope, () => expression(x, arg));
      const [metaclass, ...bases] = givenTo(facts, base, "with_metaclass");
      const written = metaclass === undefined ? [arg] : tree.children(tree.child(arg, K.Arguments)).slice(1);
      for (const one of written) texts.push(tree.source.slice(tree.start[one], tree.start[one]! + 100));
      if (metaclass !== undefined) fact.metaclass = metaclass;
      fact.bases.push(...metaclass === undefined ? [base] : bases);
      // A base is told by EXTENDS.
      if (tree.kind[arg] === K.Identifier) facts.values.length = values;
    }
  }
  x.bases.set(cls, texts.map((text) => /^[\w.]*/.exec(text)![0]));
  const block = tree.child(n, K.Block);
  fact.symbol = x.symbols.push({
    kind: classKind(x, texts), name, parent: place.symbol, line: tree.line(nameNode), startLine: tree.line(n), endLine: endLine(x, n),
    exported: exported(x, name), signature: head(x, n, block),
  }) - 1;
  x.bind(name, x.node(Op.Class, cls));
  if (x.symbols[fact.symbol]!.kind === "Enum") x.enumerations.set(scope, { cls, assigned: new Map() });
  if (block >= 0) x.at({ ...place, scope, symbol: fact.symbol, cls, flow: x.newFlow() }, () => body(x, block));
}

/** Types of parameters by the comment behind them, where there is one; gives that of the result, or -1. */
function signatureComment(x: Extraction, list: number, params: readonly ParamFact[], inClass: boolean): number {
  const comment = commentOfFunction(x.tree.source, x.tree.end[list]!);
  if (!comment) return -1;
  const types = commentedList(x, comment.parameters, list);
  // A method's own object may be left out.
  const first = inClass && types.length === params.length - 1 ? 1 : 0;
  if (comment.parameters !== "..." && types.length === params.length - first) types.forEach((type, i) => (params[first + i]!.type = type));
  return commented(x, comment.result, list);
}

function functionSymbol(
  x: Extraction, n: number, nameNode: number, parameters: readonly string[], decorators: readonly number[], block: number, overloaded: number | undefined,
): number {
  const { tree, place, facts } = x;
  const name = tree.text(nameNode);
  const owner = place.cls < 0 ? undefined : facts.strings[facts.classes[place.cls]!.name]!;
  const entry = entryOf({
    name, path: x.path, nested: place.fn >= 0, owner, bases: x.bases.get(place.cls) ?? [], parameters, decorators: decorators.map((d) => tree.text(d)),
  });
  const fact: SymbolFact = {
    kind: owner === undefined ? "Function" : "Method", name, ...(owner === undefined ? {} : { owner }), parent: place.symbol,
    line: tree.line(nameNode), startLine: tree.line(n), endLine: endLine(x, n),
    exported: exported(x, name), signature: head(x, n, block), ...(entry ? { entry } : {}),
  };
  if (overloaded !== undefined) {
    x.symbols[overloaded] = fact;
    return overloaded;
  }
  return x.symbols.push(fact) - 1;
}

/** Evaluates a decorator in the scope around the definition. It is called, also where it is itself what a call gives. */
function decorate(x: Extraction, decorator: number): number {
  const { tree } = x;
  const value = tree.children(decorator)[0];
  if (value === undefined) return -1;
  const id = expression(x, value);
  x.facts.decorations.push(id, x.place.symbol, tree.line(decorator));
  return id;
}

/** What is given by place to a call of a function of that name, as `six` has them for classes with a metaclass; nothing for anything else. */
function givenTo({ nodes, strings }: PyFacts, call: number, called: string): number[] {
  if (nodes[call] !== Op.Call as number) return [];
  const callee = nodes[call + 1]!;
  const name = nodes[callee] === Op.Attr as number ? nodes[callee + 2]! : nodes[callee] === Op.Name as number || nodes[callee] === Op.Local as number ? nodes[callee + 1]! : -1;
  return strings[name] === called ? nodes.slice(call + 3, call + 3 + nodes[call + 2]!) : [];
}

/** The last part of a decorator's name. */
function decoratorName({ tree }: Extraction, decorator: number): string {
  let [expression] = tree.children(decorator);
  if (expression !== undefined && tree.kind[expression] === K.Call) expression = tree.children(expression)[0];
  if (expression !== undefined && tree.kind[expression] === K.Attribute) expression = tree.children(expression).at(-1);
  return expression !== undefined && tree.kind[expression] === K.Identifier ? tree.text(expression) : "";
}

/** `[T, U: int]`: names that only exist inside. Gives their string indexes. */
function declareTypeParameters(x: Extraction, list: number): number[] {
  const { tree } = x;
  const names: number[] = [];
  for (const c of tree.children(list)) {
    let name = c;
    while (name + 1 < tree.after[c]! && tree.kind[name] !== K.Identifier) name++;
    const constrained = tree.child(c, K.ConstrainedType);
    const bound = constrained < 0 ? undefined : tree.children(constrained)[1];
    const index = x.string(tree.text(name));
    names.push(index);
    x.declare(tree.text(name), x.node(Op.TypeVar, index, bound === undefined ? -1 : annotation(x, bound)));
  }
  return names;
}

function classKind(x: Extraction, bases: readonly string[]): "Class" | "Enum" | "Interface" {
  for (const base of bases) {
    const name = /^(?:\w+\.)*(\w+)/.exec(base)?.[1];
    if (name === "Protocol") return "Interface";
    if (name !== undefined && (ENUM_BASE.test(name) || isEnumeration(x, name))) return "Enum";
  }
  return "Class";
}

/** Whether an enumeration of that name is declared above in the file. */
function isEnumeration({ symbols, facts: { classes }, enumerations }: Extraction, name: string): boolean {
  for (const { cls } of enumerations.values()) if (symbols[classes[cls]!.symbol]!.name === name) return true;
  return false;
}

/** Public by Python's convention, all the way up; names inside functions are nobody else's. */
function exported(x: Extraction, name: string): boolean {
  if (x.place.fn >= 0) return false;
  if (name.startsWith("_") && !(name.startsWith("__") && name.endsWith("__"))) return false;
  const parent = x.symbols[x.place.symbol];
  return !parent || parent.exported;
}

/** The declaration without its body, on one line. */
function head(x: Extraction, n: number, block: number): string {
  const { tree } = x;
  const end = Math.min(block < 0 ? tree.end[n]! : tree.start[block]!, tree.start[n]! + 2000);
  return headOf(tree.source.slice(tree.start[n], end).replace(/\s*#[^\n]*\s*$/, ""), /\s*:\s*$/);
}

function endLine(x: Extraction, n: number): number {
  return x.tree.lineAt(Math.max(x.tree.start[n]!, x.tree.end[n]! - 1));
}
