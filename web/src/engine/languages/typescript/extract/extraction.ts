import type { SymbolFact, SymbolKind } from "../../../facts.ts";
import { Op, ThisKind } from "../facts.ts";
import type { ExportFacts, FunctionFact, GlobalFact, MemberFact, ModuleFacts, Offset, ShapeFact } from "../facts.ts";
import { headOf } from "../../records.ts";
import type { Descriptor } from "./descriptors.ts";
import { noteInner } from "./inner.ts";
import { joinOptions } from "./markup-names.ts";
import { noteReplaced, replace } from "./replaced.ts";
import { Scope, Space } from "./scope.ts";
import { isComponent } from "../files.ts";
import type { Syntax } from "./syntax.ts";

/** What is known of `x` (or `a.b`, `this.c`) in the part of the file that is being read. */
export interface Narrowing {
  path: string;
  scope: Scope;
  /** The path's expression with the condition applied. */
  expression: Offset;
}

export interface NewSymbol {
  kind: SymbolKind;
  name: string;
  owner?: string | undefined;
  /** The node whose line is the symbol's. */
  at: number;
  /** The whole declaration. */
  node: number;
  /** Its body, which the signature leaves out; 0 when there is none. */
  body: number;
  exported: boolean;
}

/** A function that is called with more objects than this may have any. */
const MAX_GIVEN = 8;

/** The state of one file's extraction: where the walk stands, and the facts so far. */
export class Extraction {
  readonly syntax: Syntax;
  readonly path: string;
  /** Types are in comments, and a class may be in any variable. */
  readonly javascript: boolean;
  /** It is a component of Vue or Svelte: its scripts, and statements that its markup stands for. */
  readonly isComponent: boolean;
  readonly symbols: SymbolFact[] = [];
  readonly facts: ModuleFacts;

  // Where the walk stands; whoever changes one of these puts it back.
  scope = new Scope(undefined, true);
  /** Where `infer` declares its names: the scope of the condition that is being read. */
  inferScope: Scope | undefined;
  /** The scope of the file itself. */
  readonly fileScope = this.scope;
  /** The scope of Vue's markup. */
  markup: Scope | undefined;
  /** Index of the symbol that encloses; -1 at module level. */
  symbol = -1;
  /** Index of the function that encloses; -1 outside. */
  function = -1;
  thisKind: number = ThisKind.Unknown;
  /** The function whose `this` it is. */
  thisFunction = -1;
  thisOperand = 0;
  /** The binding of the function declaration that encloses, whose `this` may be what `new` makes of it; -1 for none. */
  maker = -1;
  /** The symbol of that function. */
  makerSymbol = -1;
  /** Index of the class that encloses and whether a static member does, for `super` and the type `this`. */
  classShape = -1;
  static = false;
  /** Inside something generic. */
  open = false;
  /** Where `export` puts names. */
  exports: ExportFacts;
  /** Everything is exported, as in `declare module`. */
  ambient = false;
  /** The name that object literals read now go by; their functions become its methods. */
  objectOwner: string | undefined;
  /** The property that the object literal that is read next describes, or whose properties it does; see descriptors.ts. */
  described: Descriptor | undefined;
  /** The module's variable whose initialiser is being read: closures in it call for it; -1 for none. */
  variable = -1;
  /** Calls of the decorators that were read, of those that say what is handled, until what is behind them takes them. */
  readonly decorators: Offset[] = [];
  /** The node of a name that is called, constructed, extended, imported or declared: it is told as that, and not as a read as well. */
  called = 0;
  readonly narrowings: Narrowing[] = [];
  /** There is a `require("x")`. */
  requires = false;
  /** How many branches of its function what is read stands in: it may not run. */
  branches = 0;
  /** Bindings that others stand for, too. */
  private readonly joined = new Set<number>();
  /** What is read is the body of an AMD module's factory, which returns what the module exports. */
  factory = false;
  /** Variables that are what a CommonJS module exports: `const groups = module.exports`. */
  readonly wholes = new Set<number>();
  private madeWithNew: Set<string> | undefined;
  private ofPage: boolean | undefined;
  /** The binding of each function, class or object that was put on a member (`ns.Parser = function () {}`): by the key of what has the member, a space, and the member's name (`placed.ts`). */
  readonly placed = new Map<string, number>();
  /** Assignments whose value a variable is declared with, and its binding: `var a = exports.a = {}`. */
  readonly sharing = new Map<number, { binding: number; name: string }>();
  /** Variables that are given an object literal, and nothing else stands for that. */
  readonly literals = new Set<number>();
  /** By binding, the `F.prototype` that a variable was declared with, a node. */
  readonly prototypes = new Map<number, number>();
  /** Nodes of names that a CommonJS module exports, which is no use of what it declares itself. */
  readonly handedOut = new Set<number>();
  /** Names of parameters that are that: `(function (groups) {})(module.exports)`. */
  readonly givenWhole = new Set<number>();
  /** Names of parameters that are modules, which a loader gives: `require(["./a"], function (a) {})`. */
  readonly givenModules = new Map<number, Offset>();
  /** Names of parameters that are the global object, `(function (root) {})(window)`, and their bindings. */
  readonly givenGlobal = new Set<number>();
  readonly globalObjects = new Set<number>();
  /** What the file puts on the global object, by name. */
  readonly putOnGlobal = new Map<string, GlobalFact>();
  /** Modules that are called with a variable, or with what this one exports. */
  readonly handedOver: { specifier: number; binding: number | undefined }[] = [];
  /** Objects whose members a variable, or what this module exports, is given: `Object.assign(exports, from)`. */
  readonly copied: { from: Offset; binding: number | undefined }[] = [];
  /** What a function that is read next, and stands there itself, listens to. */
  listened: Offset = 0;
  /** In JavaScript, functions by name that a line calls with an object for `this`, or lets listen to one: `f.call(x)`, `x.on("end", f)`. */
  readonly givenAsThis: { readonly name: string; readonly scope: Scope; readonly object: Offset }[] = [];
  /** What code puts on its `this`, which may have a method of that name. */
  readonly replaces: { readonly kind: number; readonly of: number; readonly name: string; readonly value: Offset }[] = [];
  /** Offsets of expressions that conditions refer to, by node. */
  readonly built = new Map<number, Offset>();

  /** Variables that were declared without a value, and how many assignments their type is made of. */
  readonly evolving = new Map<Offset, number>();

  private readonly stringIndex = new Map<string, number>();
  /** The last declaration of each binding, so that the next need not look for it. */
  private readonly lastDeclaration = new Map<number, Offset>();
  /** Where the search for a binding's overload goes on: what comes before has been found to be none. */
  private readonly overloadFrom = new Map<number, Offset>();
  /** Members by name, of shapes that were asked about, as far as they had come then. */
  private readonly memberNames = new Map<ShapeFact, { read: number; byName: Map<string, MemberFact[]> }>();
  readonly exportedNames = new Map<string, number>();
  /** In a component, where `this` of an object literal is. */
  readonly ownObjects: Offset[] = [];
  private readonly pendingNames: { at: Offset; name: string; scope: Scope }[] = [];
  private readonly pendingReads: { at: Offset; symbol: number; line: number; handedOut: boolean }[] = [];
  private readonly pendingThis: { at: Offset; binding: number }[] = [];
  private readonly pendingExports: { table: ExportFacts; name: string; local: string; scope: Scope }[] = [];

  constructor(syntax: Syntax, path: string) {
    this.syntax = syntax;
    this.path = path;
    this.isComponent = isComponent(path);
    this.javascript = this.isComponent ? syntax.hasJsx : !/\.[cm]?tsx?$/i.test(path);
    this.exports = noExports();
    this.facts = {
      strings: [], code: [0], bindings: [], functions: [], shapes: [], aliases: [], enums: [], namespaces: [],
      specifiers: [], exports: this.exports, globals: [], ambient: [], expandos: [], calls: [], references: [], members: [], writes: [], reads: [], unbound: [], stores: [], module: this.isComponent,
      ...(this.isComponent && this.javascript ? { untyped: true as const } : {}),
    };
  }

  /** Writes a record. */
  emit(...record: number[]): Offset {
    const at = this.facts.code.length;
    this.facts.code.push(...record);
    return at;
  }

  str(text: string): number {
    let index = this.stringIndex.get(text);
    if (index === undefined) {
      index = this.facts.strings.push(text) - 1;
      this.stringIndex.set(text, index);
    }
    return index;
  }

  /** A record for a name that is bound once the whole file is read. */
  name(name: string): Offset {
    const at = this.emit(Op.Name, 0);
    this.pendingNames.push({ at, name, scope: this.scope });
    return at;
  }

  /** By binding, the objects that functions of the file are called with, or listen to. */
  private objectsOfThis(): ReadonlyMap<number, Offset> {
    const all = new Map<number, Offset[]>();
    for (const { name, scope, object } of this.givenAsThis) {
      const binding = scope.find(name, Space.Value);
      if (binding === undefined) continue;
      const objects = all.get(binding);
      if (!objects) all.set(binding, [object]);
      else if (objects.length <= MAX_GIVEN) objects.push(object);
    }
    return new Map([...all].flatMap(([binding, objects]) => (objects.length > MAX_GIVEN ? [] : [[binding, objects.length === 1 ? objects[0]! : this.emit(Op.Or, objects.length, ...objects)]])));
  }

  /** A record for `this`, which in a function that turns out to have a prototype is what `new` makes of it. */
  self(): Offset {
    const method = this.thisKind === ThisKind.Object ? [this.thisFunction] : [];
    const at = this.emit(Op.This, this.thisKind, this.thisOperand, ...method);
    if (this.isComponent && this.thisKind === ThisKind.Object) this.ownObjects.push(at);
    if (this.thisKind === ThisKind.Unknown && this.maker >= 0) this.pendingThis.push({ at, binding: this.maker });
    return at;
  }

  /** Whether a binding is a function of JavaScript that has the name of a class: `new` makes objects of it. */
  private isNamedAsClass(binding: number): boolean {
    const { code, functions } = this.facts;
    return this.javascript && this.declarations(binding).some((d) => {
      const at = code[d] === Op.Variable ? code[d + 3]! : d;
      const index = code[at] === Op.Function ? code[at + 1]! : code[at] === Op.FunctionDeclaration ? code[at + 2]! : -1;
      return index >= 0 && /^_*[A-Z]/.test(this.symbols[functions[index]!.symbol]?.name ?? "");
    });
  }

  /** Whether the file is no module, and speaks of none, so that `this` outside of functions is a page's global object. */
  isOfPage(): boolean {
    return (this.ofPage ??= !/\b(?:module|exports|require)\b|^(?:import|export)\b/m.test(this.syntax.source));
  }

  /** Whether the file makes objects with `new` of a name, or gives it a prototype. */
  isMadeWithNew(name: string): boolean {
    this.madeWithNew ??= new Set([...this.syntax.source.matchAll(/\bnew\s+(?:[\w$]+\.)*([\w$]+)|(?<![\w$])([\w$]+)\.prototype\b/g)].map(([, made, has]) => made ?? has!));
    return this.madeWithNew.has(name);
  }

  typeName(name: string, typeArguments: Offset[]): Offset {
    const at = this.emit(Op.TypeName, 0, typeArguments.length, ...typeArguments);
    this.pendingNames.push({ at, name, scope: this.scope });
    return at;
  }

  export(name: string, local: string): void {
    this.pendingExports.push({ table: this.exports, name, local, scope: this.scope });
  }

  /** The name that has, in the file, what that exports under a name. */
  exportedAs(name: string): string | undefined {
    return this.pendingExports.find((one) => one.name === name)?.local;
  }

  /** Adds a declaration record (its second operand is the chain's next) to a name of a scope. */
  declare(scope: Scope, name: string, spaces: number, declaration: Offset): number {
    const { bindings, code } = this.facts;
    let binding = scope.own(name);
    if (binding === undefined) binding = bindings.push(declaration) - 1;
    else code[(this.lastDeclaration.get(binding) ?? bindings[binding]!) + 1] = declaration;
    this.lastDeclaration.set(binding, declaration);
    scope.add(name, binding, spaces);
    return binding;
  }

  /** The declarations of a binding so far, in order. */
  declarations(binding: number): Offset[] {
    const list: Offset[] = [];
    for (let at = this.facts.bindings[binding] ?? 0; at !== 0; at = this.facts.code[at + 1]!) list.push(at);
    return list;
  }

  /** The first function without a body among a binding's declarations so far. */
  overload(binding: number): FunctionFact | undefined {
    const { code, bindings, functions } = this.facts;
    for (let at = this.overloadFrom.get(binding) ?? bindings[binding]!; at !== 0; at = code[at + 1]!) {
      this.overloadFrom.set(binding, at);
      const declared = code[at] === Op.FunctionDeclaration ? functions[code[at + 2]!]! : undefined;
      if (declared && !declared.body) return declared;
    }
    return undefined;
  }

  /** The members of a shape that have a name, in order. */
  membersNamed(shape: ShapeFact, name: string | undefined): readonly MemberFact[] {
    let known = this.memberNames.get(shape);
    if (!known) this.memberNames.set(shape, known = { read: 0, byName: new Map<string, MemberFact[]>() });
    for (; known.read < shape.members.length; known.read++) {
      const member = shape.members[known.read]!;
      const list = known.byName.get(member.name);
      if (list) list.push(member);
      else known.byName.set(member.name, [member]);
    }
    return name === undefined ? [] : known.byName.get(name) ?? [];
  }

  /**
   * Whether the names of a file with this text are everybody's: it is no module of either kind, or exports only where there are
   * modules and runs in a page, too. A script in TypeScript may `require`.
   */
  isScript(source: string): boolean {
    const { module, exports } = this.facts;
    const isCommonJS = this.javascript && (this.requires || exports.names.length > 0 || exports.equals !== 0);
    return !module && (!isCommonJS || /\btypeof\s+(?:module|exports|define)\b/.test(source));
  }

  /** Reads code that may not run. */
  inBranch(read: () => void): void {
    this.branches++;
    read();
    this.branches--;
  }

  /** Exports a name of a CommonJS module, unless it has that name already: what a branch exports under it may be meant, too. */
  exportOnce(name: string, binding: number): void {
    const known = this.exportedNames.get(name);
    if (known !== undefined) {
      if (this.branches > 0) this.join(known, binding);
      return;
    }
    this.exportedNames.set(name, binding);
    this.facts.exports.names.push([name, binding]);
  }

  /** Makes a binding stand for what another stands for, too. */
  private join(binding: number, other: number): void {
    const { bindings, code } = this.facts;
    if (binding === other || this.joined.has(other)) return;
    this.joined.add(other);
    code[(this.lastDeclaration.get(binding) ?? bindings[binding]!) + 1] = bindings[other]!;
    this.lastDeclaration.set(binding, this.lastDeclaration.get(other) ?? bindings[other]!);
  }

  /** Exports a value as the whole module, in a branch beside what is exported already; `returned` by a factory, which may have returned before. */
  exportAll(value: Offset, returned: boolean): void {
    const { equals } = this.exports;
    this.exports.equals = equals !== 0 && (returned || this.branches > 0) ? this.emit(Op.Or, 2, equals, value) : value;
  }

  /** Exports a value under a name, unless that has one already. */
  exportValue(name: string, value: Offset, symbol: number): void {
    const { code, shapes, exports: { equals } } = this.facts;
    const member = equals !== 0 && code[equals] === Op.Object ? this.membersNamed(shapes[code[equals + 1]!]!, name)[0] : undefined;
    // `module.exports = { mask }; module.exports.mask = native.mask`
    if (member) replace(member, value);
    this.exportOnce(name, this.valueBinding(value, symbol));
  }

  /** The binding of a name that no scope has. */
  valueBinding(value: Offset, symbol: number): number {
    return this.facts.bindings.push(this.emit(Op.Variable, 0, 0, value, symbol, 1)) - 1;
  }

  /** Tells everybody the names that the file declares for all, once it is read. */
  shareGlobals(source: string): void {
    const { globals } = this.facts;
    // `var define = require("amdefine")(module)` is for the file alone.
    if (this.isScript(source)) for (const [name, { binding }] of this.fileScope.all()) if (name !== "define" || !this.facts.amd) globals.push([name, binding]);
    const told = new Set(globals.map(([name]) => name));
    for (const [name, put] of this.putOnGlobal) if (!told.has(name)) globals.push(put);
  }

  specifier(text: string, node: number): number {
    return this.facts.specifiers.push({ text, line: this.syntax.line(node) }) - 1;
  }

  addSymbol(s: NewSymbol): number {
    const { syntax } = this;
    let first = s.node;
    for (const child of syntax.children(s.node)) {
      if (syntax.kind(child) === "decorator") continue;
      first = child;
      break;
    }
    // A tree without tokens starts late: `class X` begins at the token, which is not kept.
    const start = first === s.node || syntax.kind(s.node + 1) !== "decorator" ? s.node : first;
    const from = syntax.start(start);
    const to = s.body !== 0 ? syntax.start(s.body) : syntax.start(s.node) + syntax.text(s.node).length;
    const signature = headOf(syntax.source.slice(from, to), /\s*(=>|[{=;])?\s*$/);
    const fact: SymbolFact = {
      kind: s.kind, name: s.name, parent: this.symbol, line: syntax.line(s.at), startLine: syntax.line(start),
      endLine: syntax.endLine(s.node), exported: s.exported,
    };
    if (s.owner !== undefined) fact.owner = s.owner;
    if (signature !== "") fact.signature = signature;
    return this.symbols.push(fact) - 1;
  }

  /** Makes an overload's symbol the implementation's, which came later. */
  moveSymbol(symbol: number, at: number, node: number): void {
    const fact = this.symbols[symbol]!;
    fact.line = this.syntax.line(at);
    fact.startLine = this.syntax.line(node);
    fact.endLine = this.syntax.endLine(node);
  }

  call(expression: Offset, at: number): void {
    this.facts.calls.push(expression, this.symbol, this.syntax.line(at));
  }

  reference(expression: Offset, at: number): void {
    this.facts.references.push(expression, this.symbol, this.syntax.line(at));
  }

  /** Something is put somewhere: `into` and `value` are 0 where that is nothing to know of. */
  store(into: Offset, value: Offset): void {
    if (into !== 0 && value !== 0 && this.mayHold(value)) this.facts.stores.push(into, value);
  }

  /** Whether an expression may have functions by name for a value, or in it. */
  mayHold(value: Offset): boolean {
    const { code, functions } = this.facts;
    switch (code[value]) {
      case Op.String:
      case Op.Primitive:
      case Op.Key:
      case Op.Class:
      case Op.Module:
      case Op.ImportCall:
        return false;
      case Op.Function:
        return functions[code[value + 1]!]!.symbol >= 0;
      default:
        return true;
    }
  }

  /** Whether a name stands for a constant of the file, its own or an imported one. */
  isConstant(name: string): boolean {
    const binding = this.scope.find(name, Space.Value);
    if (binding === undefined || binding !== this.fileScope.own(name)) return false;
    const { bindings, code } = this.facts;
    const declared = bindings[binding]!;
    return code[declared] === Op.Import || (code[declared] === Op.Variable && code[declared + 5] === 1);
  }

  /** Whether a context is a type that is declared: a variable's, a field's, or the result of a function. */
  isDeclared(context: Offset): boolean {
    const { code, functions } = this.facts;
    return code[context] === Op.ContextType || (code[context] === Op.ContextReturn && functions[code[context + 1]!]!.returns !== 0);
  }

  /** A name that is read or written. */
  read(name: Offset, node: number): void {
    if (node !== this.called) this.pendingReads.push({ at: name, symbol: this.place, line: this.syntax.line(node), handedOut: this.handedOut.has(node) });
  }

  /** A member that is read, written or taken out of an object by a pattern; `name` is the node of its name. */
  member(expression: Offset, node: number, name: number): void {
    if (node !== this.called) this.facts.members.push(expression, this.place, this.syntax.line(name));
  }

  /** A member is given a value by `=`. */
  written(expression: Offset): void {
    this.facts.writes.push(expression);
  }

  /** The symbol that a reference stands in: the initialiser of a module's variable is that variable's. */
  get place(): number {
    return this.symbol >= 0 ? this.symbol : this.variable;
  }

  /** Binds the names that were used, now that all declarations are known. */
  finish(): void {
    const { code } = this.facts;
    noteReplaced(this);
    const named = this.path.endsWith(".vue") ? joinOptions(this) : undefined;
    for (const { at, name, scope } of this.pendingNames) {
      const isType = code[at] === Op.TypeName;
      const binding = scope.find(name, isType ? Space.Type : Space.Value) ?? (isType && this.javascript ? scope.find(name, Space.Value) : undefined);
      if (binding !== undefined) code[at + 1] = binding;
      else {
        code[at] = isType ? Op.TypeGlobal : Op.Global;
        code[at + 1] = this.str(name);
      }
    }
    if (named && named.size > 0) {
      for (const { at } of this.pendingNames) {
        const value = code[at] === Op.Name ? named.get(code[at + 1]!) : undefined;
        if (value !== undefined && code[value] === Op.Name) code[at + 1] = code[value + 1]!;
      }
    }
    const makers = new Set(this.facts.expandos.filter(({ name, prototype }) => prototype || name === "prototype").map(({ binding }) => binding));
    const objects = this.pendingThis.length > 0 ? this.objectsOfThis() : new Map<number, Offset>();
    for (const { at, binding } of this.pendingThis) {
      const isMaker = makers.has(binding) || this.isNamedAsClass(binding);
      const object = isMaker ? binding : objects.get(binding) ?? 0;
      if (!isMaker && (object === 0 || object === at)) continue;
      code[at + 1] = isMaker ? ThisKind.Constructed : ThisKind.Given;
      code[at + 2] = object;
    }
    const seen = new Set<string>();
    const symbols = new Map<number, boolean>();
    const cached = (cache: Map<number, boolean>, binding: number, find: (declarations: readonly Offset[]) => boolean): boolean => {
      let known = cache.get(binding);
      if (known === undefined) cache.set(binding, (known = find(this.declarations(binding))));
      return known;
    };
    for (const { at, symbol, line, handedOut } of this.pendingReads) {
      const binding = code[at + 1]!;
      if (code[at] === Op.Global) {
        if (seen.has(`global ${binding} ${symbol} ${line}`)) continue;
        seen.add(`global ${binding} ${symbol} ${line}`);
        this.facts.unbound.push(binding, symbol, line);
        continue;
      }
      if (handedOut && code[at] === Op.Name && this.declares(this.declarations(binding))) continue;
      if (code[at] !== Op.Name || !cached(symbols, binding, (all) => this.maySymbol(all)) || seen.has(`${binding} ${symbol} ${line}`)) continue;
      seen.add(`${binding} ${symbol} ${line}`);
      this.facts.reads.push(binding, symbol, line);
    }
    for (const { table, name, local, scope } of this.pendingExports) {
      const binding = scope.find(local, Space.Both);
      if (binding !== undefined) table.names.push([name, binding]);
    }
    noteInner(this, this.pendingNames);
  }

  /** Whether a value is what `require` gives, or a member of that: an import. */
  isRequired(value: Offset): boolean {
    const { code } = this.facts;
    while (code[value] === Op.Member) value = code[value + 1]!;
    return code[value] === Op.Module;
  }

  /** Whether a name leads to a symbol of this file, or maybe of another. */
  private maySymbol(declarations: readonly Offset[]): boolean {
    const { code } = this.facts;
    return this.declares(declarations) || declarations.some((d) => code[d] === Op.Import || (code[d] === Op.Variable && this.isRequired(code[d + 3]!)));
  }

  /** Whether a name leads to a symbol of this file. */
  private declares(declarations: readonly Offset[]): boolean {
    const { code, functions } = this.facts;
    return declarations.some((d) => {
      if (code[d] === Op.Variable) return code[d + 4]! >= 0;
      if (code[d] === Op.FunctionDeclaration) return functions[code[d + 2]!]!.symbol >= 0;
      return code[d] === Op.ShapeDeclaration || code[d] === Op.Enum;
    });
  }
}

export function noExports(): ExportFacts {
  return { names: [], from: [], all: [], equals: 0 };
}
