import ts from "typescript";
import { bare, functionAssignment, holderOf, isFunctionLike, isFunctionValue, keyText, Names, textOf } from "./names.mjs";

/** Every call, those whose target is known at run time alone, and the functions in whose code one without a name stands, or that one only calls. */
export function callsOf(project, symbols) {
  const calls = new Calls(project, symbols);
  for (const source of project.sources) calls.read(source);
  return { calls: calls.calls, unresolved: calls.unresolved, around: unique(calls.around) };
}

const MODULE = "<module>";

/**
 * A caller is {from, alts, coarse?, type?, outer?}: who calls, the enclosing functions that are as good, classes that are
 * too coarse. Within a class but outside of its methods, `type` is the class and `outer` is what encloses it.
 */
class Calls {
  calls = [];
  unresolved = [];
  around = [];
  #names;
  #seen = new Set();
  #callees = new Set();

  constructor(project, symbols) {
    this.project = project;
    this.symbols = symbols;
    this.#names = new Names(project);
  }

  read(source) {
    const module = { name: MODULE, file: this.project.relative(source.fileName) };
    const visit = (node, outside) => {
      const caller = this.#callerIn(node, outside, module);
      this.#handedOn(node, outside);
      if (isFunctionValue(node) && !this.#names.of(node)) {
        this.around.push(...[caller.from, ...caller.alts].filter(({ name }) => name !== MODULE), ...this.#forwardedTo(node));
      }
      this.#uses(node, caller);
      ts.forEachChild(node, (child) => visit(child, caller));
    };
    ts.forEachChild(source, (child) => visit(child, { from: module, alts: [] }));
  }

  #callerIn(node, caller, module) {
    const atTop = caller.from.name === MODULE;
    if (isFunctionLike(node)) {
      const ref = this.#names.of(node);
      if (!ref) return caller;
      if (ts.isClassLike(node.parent) || ts.isPropertyDeclaration(node.parent)) return { from: ref, alts: caller.outer ?? [], coarse: caller.type ? [caller.type] : [] };
      // What holds a function that is a member of an object literal, or assigned, is as good a caller.
      const holder = holderOf(node);
      const held = ts.isPropertyAssignment(holder) || ts.isObjectLiteralExpression(holder)
        || (functionAssignment(holder) !== undefined && ref.owner === undefined);
      if (held && !atTop) return { ...caller, alts: [...caller.alts, ref] };
      return { from: ref, alts: [...caller.alts, ...(atTop ? [] : [caller.from]), ...(held ? [module] : [])], coarse: caller.coarse };
    }
    if (ts.isClassLike(node)) {
      const ref = this.#names.of(node);
      return ref ? { from: ref, alts: [...caller.alts, caller.from], type: ref, outer: atTop ? [] : [caller.from, ...caller.alts], coarse: caller.coarse } : caller;
    }
    // `exports.a = make()` gives a variable its value, as `export const a = make()` does.
    const exported = atTop && ts.isBinaryExpression(node) && !isFunctionValue(bare(node.right)) ? /^(?:module\.)?exports\.([\w$]+)$/.exec(node.left.getText())?.[1] : undefined;
    if (exported) return { ...caller, alts: [...caller.alts, { name: exported, file: module.file }] };
    if (!ts.isPropertyDeclaration(node) && !ts.isVariableDeclaration(node)) return caller;
    if (!node.initializer || isFunctionValue(bare(node.initializer))) return caller;
    const ref = this.#names.of(node);
    if (!ref) return caller;
    const constructor = ts.isPropertyDeclaration(node) ? [{ name: "constructor", file: ref.file, owner: ref.owner }] : [];
    return { ...caller, alts: [...caller.alts, ref, ...constructor] };
  }

  /** A function in an object literal, or put on an object within a function, is there to be called by what has the object: no call, and none that is not there. */
  #handedOn(node, caller) {
    const isMember = ts.isObjectLiteralExpression(node.parent) && (ts.isMethodDeclaration(node) || (ts.isPropertyAssignment(node) && isFunctionValue(bare(node.initializer))));
    const isPut = ts.isBinaryExpression(node) && functionAssignment(node) !== undefined && ts.findAncestor(node, isFunctionLike) !== undefined;
    const ref = isMember || isPut ? this.#names.of(node) : undefined;
    if (ref) this.#call(caller, { to: ref, kind: "other" });
  }

  /** The functions that are called by a function whose body is no more than that call. */
  #forwardedTo({ body }) {
    const only = ts.isBlock(body) && body.statements.length === 1 ? body.statements[0].expression : body;
    const call = bare(only && ts.isAwaitExpression(only) ? only.expression : only);
    const name = call && ts.isCallExpression(call) ? nameOf(call.expression) : undefined;
    const symbol = name && this.symbols.real(this.project.checker.getSymbolAtLocation(name));
    return symbol?.declarations ? this.#targets(symbol, name).found.flatMap(({ ref, declaration }) => [ref, ...this.symbols.overriding(declaration)]) : [];
  }

  #uses(node, caller) {
    if (ts.isCallExpression(node)) {
      const callee = bare(node.expression);
      if (node.expression.kind === ts.SyntaxKind.SuperKeyword) this.#superCall(node, caller);
      else if (ts.isElementAccessExpression(callee)) this.#anyMember(callee, caller);
      // `operator(x)(source)` calls what a call gives.
      else if (callee && ts.isCallExpression(callee)) this.#dynamic(caller, "()");
      else if (node.expression.kind !== ts.SyntaxKind.ImportKeyword) this.#callee(nameOf(node.expression), caller);
    } else if (ts.isNewExpression(node)) this.#callee(nameOf(node.expression), caller, "construct");
    else if (ts.isTaggedTemplateExpression(node)) this.#callee(nameOf(node.tag), caller);
    else if (ts.isDecorator(node)) {
      if (!ts.isCallExpression(node.expression)) this.#callee(nameOf(node.expression), caller, "other");
    } else if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
      const name = nameOf(node.tagName);
      if (name && /^[A-Z]/.test(name.text)) this.#callee(name, caller, "other");
    } else if (ts.isElementAccessExpression(node)) {
      if (!this.#callees.has(node)) this.#taken(this.#keyed(node, caller, "reference"), node, caller);
    } else if (ts.isBindingElement(node) && node.propertyName && ts.isComputedPropertyName(node.propertyName)) {
      this.#dynamic(caller, textOf(node.propertyName), "reference");
    } else if (ts.isForOfStatement(node) || ts.isSpreadElement(node)) {
      // What a loop runs has no name there that the checker could lead somewhere.
      this.#dynamic(caller, node.awaitModifier ? "[Symbol.asyncIterator]" : "[Symbol.iterator]", "reference");
    } else if (isName(node) && !this.#callees.has(node) && (isValue(node) || isTaken(node) || inTypeQuery(node))) this.#reference(node, caller);
  }

  /** A function or a getter whose value is taken. */
  #reference(node, caller) {
    const { checker } = this.project;
    const symbol = this.symbols.real(ts.isShorthandPropertyAssignment(node.parent) ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : isTaken(node) ? checker.getTypeAtLocation(node.parent.parent).getProperty(node.text) : checker.getSymbolAtLocation(node));
    // A property of an object that has no type, or an interface for one, may be a getter, as a call of it may be any function; so may one that a class below takes the place of.
    const isOpen = symbol === undefined || symbol.declarations?.some((d) => ts.isPropertySignature(d) || (ts.isPropertyDeclaration(d) && this.symbols.overriding(d).length > 0));
    if (isOpen && ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) this.#dynamic(caller, node.text, "reference");
    this.#taken(symbol, node, inTypeQuery(node) ? this.#withType(node, caller) : caller);
  }

  #taken(symbol, node, by) {
    for (const declaration of symbol?.declarations ?? []) {
      const ref = isFunction(declaration) || ts.isAccessor(declaration) || isSignature(declaration) ? this.#names.of(declaration) : undefined;
      const below = ts.isAccessor(declaration) || ts.isMethodDeclaration(declaration) || ts.isMethodSignature(declaration) ? this.symbols.overriding(declaration) : [];
      if (ref) {
        this.#call(by, { to: ref, kind: this.#isUse(node, declaration) ? "reference" : "other", mayAlso: below });
        return;
      }
    }
    for (const declaration of symbol?.declarations ?? []) for (const to of this.#behind(symbol, declaration)) this.#call(by, { to, kind: "other" });
  }

  /**
   * Functions that a member of an object literal visibly stands for, or an export that was assigned (`exports.a = require("b")`); the
   * method of a base class that `this.a = b` replaces.
   */
  #behind(symbol, declaration) {
    const left = ts.isBinaryExpression(declaration) ? declaration.left : declaration;
    if (!ts.isPropertyAccessExpression(left)) return howOf(declaration) === "value" ? this.#standsFor(declaration) : [];
    const { checker } = this.project;
    const type = left.expression.kind === ts.SyntaxKind.ThisKeyword ? ts.findAncestor(left, ts.isClassLike) : undefined;
    const bases = type ? checker.getTypeAtLocation(type).getBaseTypes?.() ?? [] : [];
    const declarations = type ? bases.flatMap((base) => base.getProperty(left.name.text)?.declarations ?? []).filter(isFunction)
      : checker.getTypeOfSymbol(symbol).getCallSignatures().map((signature) => signature.declaration).filter(Boolean);
    return declarations.map((other) => this.#names.of(other)).filter(Boolean);
  }

  /**
   * Whether a name takes the value of one function. An accessor is called, and of an interface's method any implementation may be taken;
   * `typeof f` in a type takes none, nor does the import of f, in whatever way it is written; `a.f = function () {}` declares f, and within
   * a function gives a field its value.
   */
  #isUse(node, declaration) {
    if (ts.isAccessor(declaration) || isSignature(declaration) || inTypeQuery(node) || this.#isImport(node) || isExport(node, declaration)) return false;
    const assignment = functionAssignment(declaration);
    if (!assignment) return true;
    return ts.findAncestor(node, (n) => n === assignment.left) === undefined && ts.findAncestor(assignment, isFunctionLike) === undefined;
  }

  /** `const { f } = require("a")` and `const f = require("a").f`, which the checker takes for imports. */
  #isImport(node) {
    let declared = node.parent;
    while (ts.isPropertyAccessExpression(declared)) declared = declared.parent;
    if (!ts.isBindingElement(declared) && !ts.isVariableDeclaration(declared)) return false;
    const symbol = ts.isIdentifier(declared.name) ? this.project.checker.getSymbolAtLocation(declared.name) : undefined;
    return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  }

  /** The type that a name stands in may be said to refer, too. */
  #withType(node, caller) {
    const type = ts.findAncestor(node, (n) => ts.isInterfaceDeclaration(n) || ts.isTypeAliasDeclaration(n));
    const ref = type && this.#names.of(type);
    return ref ? { ...caller, alts: [...caller.alts, ref] } : caller;
  }

  /** A member that is chosen by the value of a constant, `this[kClose]`, is known where the checker knows the symbol. */
  #keyed({ expression, argumentExpression: key }, caller, kind) {
    if (!ts.isEntityNameExpression(key)) return undefined;
    const { checker } = this.project;
    const type = checker.getTypeAtLocation(key);
    const isSymbol = (type.flags & ts.TypeFlags.UniqueESSymbol) !== 0;
    const member = isSymbol ? checker.getTypeAtLocation(expression).getProperties().find(({ escapedName }) => escapedName === type.escapedName) : undefined;
    if (!member) this.#dynamic(caller, keyText(key), kind);
    return member;
  }

  /** `table[key]()` calls one of the table's members. */
  #anyMember(callee, caller) {
    this.#callees.add(callee);
    const known = this.#keyed(callee, caller);
    const { expression, argumentExpression } = callee;
    const members = this.project.checker.getTypeAtLocation(expression).getProperties();
    // Of a value whose type has no members of the code base, any function of a table may be called.
    if (!members.some((member) => this.symbols.real(member).declarations?.some((d) => this.project.scope.has(this.project.relative(d.getSourceFile().fileName))))) this.#dynamic(caller, "[]");
    const named = known ? [known] : ts.isStringLiteralLike(argumentExpression) ? members.filter(({ name }) => name === argumentExpression.text) : members;
    for (const declaration of named.flatMap((member) => this.symbols.real(member).declarations ?? [])) {
      const targets = [this.#names.of(declaration), ...(howOf(declaration) === "function" ? [] : this.#standsFor(declaration))].filter(Boolean);
      for (const to of targets) this.#call(caller, { to, kind: "possible", mayAlso: this.symbols.overriding(declaration) });
    }
  }

  #superCall(node, caller) {
    const type = ts.findAncestor(node, ts.isClassLike);
    const base = type && this.#baseOf(type);
    const ref = base && this.#names.of(base);
    if (!ref) return;
    const constructor = this.#constructorOf(base);
    this.#call(caller, { to: ref, kind: "other", toAlts: constructor ? [constructor] : [] });
  }

  #baseOf(type) {
    const clause = type.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
    return clause && this.symbols.extended(clause.expression)?.declarations?.find(ts.isClassLike);
  }

  /** The constructor that runs for a class: its own, or the nearest above it. */
  #constructorOf(type) {
    for (let hops = 0; type && hops < 10; hops++) {
      const constructor = type.members.find((m) => ts.isConstructorDeclaration(m) && m.body);
      if (constructor) return this.#names.of(constructor);
      type = this.#baseOf(type);
    }
    return undefined;
  }

  /** What the name of a called function, a made class, a JSX element or a decorator leads to. */
  #callee(name, caller, as) {
    if (!name) return;
    this.#callees.add(name);
    const symbol = this.symbols.real(this.project.checker.getSymbolAtLocation(name));
    if (!symbol?.declarations?.length || symbol.escapedName === "unknown") {
      this.#dynamic(caller, textOf(name));
      return;
    }
    const { found, passedIn } = this.#targets(symbol, name);
    if (found.length === 0) {
      if (passedIn) this.#dynamic(caller, textOf(name));
      return;
    }
    // Of overloads and merged declarations, the one with a body.
    const { ref: to, declaration } = found.find((target) => target.declaration.body) ?? found[0];
    const how = ["signature", "value"].find((h) => found.some((target) => target.how === h)) ?? "function";
    const alts = unique(found.map(({ ref }) => ref)).filter((ref) => keyOf(ref) !== keyOf(to));
    const below = found.flatMap((target) => this.symbols.overriding(target.declaration));
    const behind = how === "function" ? [] : this.#standsFor(declaration);
    // What runs behind a value or a member of an interface is not known: it may be a function that was put there.
    if (how !== "function") this.#dynamic(caller, textOf(name));
    const constructors = as === undefined ? [] : found.map((target) => target.declaration).filter(ts.isClassLike).map((made) => this.#constructorOf(made)).filter(Boolean);
    if (as === "construct" && how !== "value") {
      this.#call(caller, { to, kind: "construct", toAlts: [...alts, ...constructors], mayAlso: [...below, ...behind] });
    } else if (as === undefined && how === "signature") {
      this.#call(caller, { to, kind: "interface", toAlts: [...alts, ...below, ...behind] });
    } else {
      const kind = how === "value" || isLocal(declaration) ? "other" : as ?? "static";
      this.#call(caller, { to, kind, toAlts: [...alts, ...constructors], mayAlso: [...below, ...behind] });
    }
  }

  /**
   * The declarations behind a symbol, and what each is: a function (or class), the signature of an interface, or a value
   * that holds a function. `passedIn` says that there is a parameter among them, or a field of JavaScript that some value is assigned to.
   */
  #targets(symbol, name) {
    const found = [];
    let passedIn = false;
    for (const declaration of symbol.declarations) {
      if (!this.project.scope.has(this.project.relative(declaration.getSourceFile().fileName))) continue;
      const ref = ts.isParameter(declaration) || ts.isBindingElement(declaration) ? undefined : this.#names.of(declaration);
      if (ref) found.push({ ref, declaration, how: howOf(declaration) });
      else if (ts.isParameter(declaration) || ts.isBindingElement(declaration) || ts.isVariableDeclaration(declaration)) passedIn = true;
      else {
        this.#exported(declaration, name, found);
        passedIn ||= found.length === 0 && ts.isInJSFile(declaration);
      }
    }
    return { found, passedIn };
  }

  /** `module.exports = f` and the like in plain JavaScript: what the checker infers to be called. */
  #exported(declaration, name, found) {
    if (!ts.isInJSFile(declaration)) return;
    const call = ts.findAncestor(name, (node) => ts.isCallExpression(node) || ts.isNewExpression(node));
    const target = call && this.project.checker.getResolvedSignature(call)?.declaration;
    const ref = target && this.#names.of(target);
    if (ref) found.push({ ref, declaration: target, how: "function" });
  }

  /** Functions that a value visibly stands for: `x: f`, `const x = f`, `const x = memo(f)`. */
  #standsFor(declaration, hops = 0) {
    if (hops > 3) return [];
    const { checker } = this.project;
    const value = ts.isShorthandPropertyAssignment(declaration) ? undefined : bare(declaration.initializer);
    const values = value && ts.isCallExpression(value) ? value.arguments : value && ts.isConditionalExpression(value) ? [value.whenTrue, value.whenFalse] : [value];
    const named = ts.isShorthandPropertyAssignment(declaration) ? [checker.getShorthandAssignmentValueSymbol(declaration)]
      : values.map((v) => nameOf(v)).filter(Boolean).map((name) => checker.getSymbolAtLocation(name));
    return named.flatMap((symbol) => this.symbols.real(symbol)?.declarations ?? []).flatMap((other) => [
      this.#names.of(other), ...(other !== declaration && howOf(other) === "value" ? this.#standsFor(other, hops + 1) : []),
    ]).filter(Boolean);
  }

  #call(caller, { to, kind, toAlts = [], mayAlso = [] }) {
    const { from, alts, coarse = [] } = caller;
    this.#once(this.calls, {
      from, to, kind, ...(alts.length ? { fromAlts: alts } : {}), ...(coarse.length ? { fromCoarse: coarse } : {}),
      ...(toAlts.length ? { toAlts: unique(toAlts) } : {}), ...(mayAlso.length ? { mayAlso: unique(mayAlso) } : {}),
    });
  }

  #dynamic({ from, alts }, name, kind) {
    if (name) this.#once(this.unresolved, { from, to: { name, file: "" }, ...(kind ? { kind } : {}), ...(alts.length ? { fromAlts: alts } : {}) });
  }

  #once(list, call) {
    const key = JSON.stringify(call);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    list.push(call);
  }
}

function nameOf(expression) {
  const e = bare(expression);
  if (!e) return undefined;
  return ts.isIdentifier(e) ? e : ts.isPropertyAccessExpression(e) ? e.name : undefined;
}

const isFunction = (d) => ts.isFunctionDeclaration(d) || ts.isMethodDeclaration(d) || functionAssignment(d) !== undefined
  || ((ts.isVariableDeclaration(d) || ts.isPropertyDeclaration(d)) && isFunctionValue(bare(d.initializer)));

/** A member of an interface or a type that is declared as a function. */
const isSignature = (d) => ts.isMethodSignature(d) || (ts.isPropertySignature(d) && d.type !== undefined && ts.isFunctionTypeNode(d.type));

function howOf(declaration) {
  if (ts.isPropertySignature(declaration) || ts.isMethodSignature(declaration)) return "signature";
  if (ts.isShorthandPropertyAssignment(declaration)) return "value";
  if (ts.isVariableDeclaration(declaration) || ts.isPropertyDeclaration(declaration) || ts.isPropertyAssignment(declaration)) {
    const value = bare(declaration.initializer);
    return isFunctionValue(value) || (ts.isVariableDeclaration(declaration) && value && ts.isClassExpression(value)) ? "function" : "value";
  }
  return "function";
}

/** Declared in a function, or a member of an object literal. */
function isLocal(declaration) {
  if (ts.isPropertyAssignment(declaration) || (ts.isMethodDeclaration(declaration) && ts.isObjectLiteralExpression(declaration.parent))) return true;
  return ts.findAncestor(declaration.parent, isFunctionLike) !== undefined;
}

/** Whether an identifier is an expression, and not the name of something or a part of an import, an export or a type. */
function isValue(node) {
  const { parent } = node;
  if (!parent || ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isExportSpecifier(parent) || ts.isExportAssignment(parent)
    || ts.isJsxClosingElement(parent) || ts.isTypeNode(parent) || ts.isExpressionWithTypeArguments(parent)) return false;
  return parent.name !== node || ts.isPropertyAccessExpression(parent) || ts.isShorthandPropertyAssignment(parent);
}

/** `module.exports = { f }` and `exports.g = f` of a function of the same file, which is no more of a use than `export { f }`. */
function isExport(node, declaration) {
  if (node.getSourceFile() !== declaration.getSourceFile()) return false;
  const isPart = ts.isShorthandPropertyAssignment(node.parent) || (ts.isPropertyAssignment(node.parent) && node.parent.initializer === node);
  const value = isPart ? node.parent.parent : node;
  // The checker takes `exports`, in `module.exports.g = f`, for what the module is as a whole.
  let target = node;
  while (ts.isPropertyAccessExpression(target.parent)) target = target.parent;
  const parent = value.parent.right === value ? value.parent : target.parent;
  return ts.isBinaryExpression(parent) && (parent.right === value || parent.left === target) && /^(?:module\.)?exports(?:\.[\w$]+|\[[\w$.]+\])?$/.test(parent.left.getText());
}

/** `f`, or `#f` of `this.#f`. */
const isName = (node) => ts.isIdentifier(node) || (ts.isPrivateIdentifier(node) && ts.isPropertyAccessExpression(node.parent));

/** Whether an identifier stands in `typeof a.b` as a type. */
function inTypeQuery(node) {
  while (ts.isQualifiedName(node.parent)) node = node.parent;
  return ts.isTypeQueryNode(node.parent);
}

/** Whether an identifier is both a property of what a pattern takes apart and the variable for it: `{ a }`. */
function isTaken(node) {
  const { parent } = node;
  return ts.isBindingElement(parent) && parent.name === node && !parent.propertyName && !parent.dotDotDotToken && ts.isObjectBindingPattern(parent.parent);
}

const keyOf = ({ file, owner, name }) => `${file}|${owner ?? ""}|${name}`;

function unique(refs) {
  return [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
}
