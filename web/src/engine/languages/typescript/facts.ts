/**
 * What the extractor says about one file, for the resolver. Names are already bound to their
 * declarations in the file; nothing is known of other files. Expressions, types and declarations are
 * records in one array of numbers: small, quick to clone between Workers, storable as JSON.
 */

/** An offset into `code`; 0 stands for "none". */
export type Offset = number;

/**
 * Records in `code`: an operation, then its operands. `str` is an index into `strings`, `n, x*` a count
 * and that many operands, everything else an Offset unless said otherwise. Contexts (C_) say what a
 * function or object literal is expected to be, for the types of parameters that declare none.
 */
export const Op = {
  // Expressions
  Name: 1, // binding index
  Global: 2, // str: bound nowhere in the file
  This: 3, // ThisKind, operand of that kind; of an object, the index of the method
  Super: 4, // shape index, 1 when static
  Member: 5, // object, str
  Index: 6, // object, index, str: the name of a member under the constant that the index names
  Call: 7, // callee, n, type arguments*, n, arguments*
  New: 8, // as Call
  Await: 9, // expression
  Function: 10, // function index
  Class: 11, // shape index
  Object: 12, // shape index
  Array: 13, // n, elements*
  Spread: 14, // expression
  Or: 15, // n, alternatives*
  As: 16, // expression, type
  String: 17, // str
  Primitive: 18, // str: number, boolean, string, null, undefined
  Parameter: 19, // function index, parameter index
  Element: 20, // what for-of gives for an expression, 1 for `for await`
  At: 21, // expression, position: one element of an array pattern
  Rest: 22, // expression, 1 when from an array pattern
  Module: 23, // specifier index: require("x")
  ImportCall: 24, // specifier index: import("x")
  Narrow: 25, // expression, NarrowKind, operand, operand, 1 when the condition holds
  AsConst: 26, // expression
  Key: 27, // expression: the name of one of its members, which for-in gives
  Pattern: 28, // str: a text of which code says the beginning, with * for the rest or for what is in between
  // Types
  TypeName: 40, // binding index, n, arguments*
  TypeGlobal: 41, // str, n, arguments*
  TypeMember: 42, // entity (expression), str, n, arguments*: ns.Name<...>
  TypePrimitive: 43, // str
  TypeLiteral: 44, // str, with the quotes of a string literal taken away
  TypeArray: 45, // element
  TypeTuple: 46, // n, elements* (TypeSpread for a rest element)
  TypeSpread: 47, // type
  TypeUnion: 48, // n, members*
  TypeIntersection: 49, // n, members*
  TypeFunction: 50, // function index
  TypeConstructor: 51, // function index
  TypeShape: 52, // shape index
  TypeOf: 53, // expression
  TypeKeyOf: 54, // type
  TypeIndexed: 55, // object, index
  TypeConditional: 56, // checked, extends, then, else
  TypeMapped: 57, // type parameter declaration, keys, value, name (as-clause)
  TypeThis: 58, // shape index, or -1
  TypePredicate: 59, // parameter index (-1: this), type (0: asserts truth), 1 for asserts
  TypeImport: 60, // specifier index: typeof import("x") or the module of import("x").T
  TypeInfer: 61, // type parameter declaration
  // Contexts
  ContextArgument: 80, // call, argument index
  ContextType: 81, // type
  ContextProperty: 82, // context, str
  ContextElement: 83, // context, position
  ContextReturn: 84, // function index
  ContextExpression: 85, // expression that is assigned to
  // Declarations: the second operand is the next declaration of the same binding
  Variable: 100, // next, type, initialiser, symbol index, 1 when const
  FunctionDeclaration: 101, // next, function index
  ShapeDeclaration: 102, // next, shape index
  Alias: 103, // next, alias index
  Enum: 104, // next, enum index
  Namespace: 105, // next, namespace index
  Import: 106, // next, specifier index, str: imported name, "*", or "=" for import = require()
  TypeParameter: 107, // next, constraint, default
  ImportAlias: 108, // next, entity (expression): import a = ns.b
} as const;

/** Whom `this` stands for; `Value`: the object whose member the function is assigned to, an expression. */
export const ThisKind = { Unknown: 0, Instance: 1, Static: 2, Object: 3, Typed: 4, Constructed: 5, Function: 6, Value: 7, Given: 8 } as const;

/** What the object that has all global names goes by, in pages, in Workers and in Node. */
export const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(["globalThis", "window", "self", "global"]);

/** The interface that says what it has in pages. */
export const WINDOW = "Window";

/** How a condition narrows an expression; the operands follow. */
export const NarrowKind = {
  InstanceOf: 1, // class (expression)
  Guard: 2, // call, argument index: a user-defined type guard or assertion
  TypeOf: 3, // str: what typeof gave
  In: 4, // str: a property that it has
  Equals: 5, // str: property, value (expression)
} as const;

export interface ParameterFact {
  name: string;
  type: Offset;
  initialiser: Offset;
  optional?: boolean;
  rest?: boolean;
}

export interface FunctionFact {
  /** Index in the file's symbols, -1 for a function that is no symbol. */
  symbol: number;
  /** Of a function that is no symbol: the one that its code belongs to, where that is not the file. */
  within?: number;
  /** Of such: the Call that is all it does. */
  only?: Offset;
  parameters: ParameterFact[];
  /** Declarations of its type parameters. */
  typeParameters: Offset[];
  /** The declared return type. */
  returns: Offset;
  /** Where none is declared: the expressions that it returns, and yields. */
  results: Offset[];
  yields: Offset[];
  context: Offset;
  thisType: Offset;
  /** Of an arrow function whose body is a condition on its parameter: the parameter while it holds. */
  guard?: Offset;
  async?: boolean;
  generator?: boolean;
  /** It has a body, so it is not only an overload, an ambient declaration or a type. */
  body?: boolean;
  /** Stands inside something generic, so its types may name outer type parameters. */
  open?: boolean;
  /** Accessors that it gives to a property, of an expression's value, whose name is one of its parameters. */
  defines?: { object: Offset; parameter: number; accessor: "getter" | "setter"; symbol: number }[];
}

export type MemberKind = "method" | "field" | "getter" | "setter";

/** Names of members that have none. */
export const CALL = "()";
export const CONSTRUCT = "new()";
export const INDEX = "[]";

/** Names of the members that are called to go through the elements of an object. */
export const ITERATOR = "[Symbol.iterator]";
export const ASYNC_ITERATOR = "[Symbol.asyncIterator]";

export interface MemberFact {
  name: string;
  kind: MemberKind;
  static?: boolean;
  /** Function indexes, overloads first and the implementation last. */
  functions: number[];
  type: Offset;
  initialiser: Offset;
  symbol: number;
  /** Declared with a question mark. */
  optional?: boolean;
  /** A field that no declaration names: a method assigns to `this`. */
  assigned?: boolean;
  /** What code of the class puts in the place of a method: `this.read = this.readQuickly`. */
  replaced?: Offset[];
}

/** `for (const key in table) Object.defineProperty(object, key, { get() {} })`: an accessor under a name that a variable holds. */
export interface KeyedFact {
  key: Offset;
  accessor: "getter" | "setter";
  symbol: number;
}

/** A class, an interface, an object type or an object literal: things with members. */
export interface ShapeFact {
  kind: "class" | "interface" | "type" | "object";
  symbol: number;
  name: string;
  typeParameters: Offset[];
  /** A class's superclass, an expression, and its type arguments. */
  superclass: Offset;
  superArguments: Offset[];
  /** What an interface extends, types. */
  bases: Offset[];
  implements: Offset[];
  members: MemberFact[];
  /** Expressions spread into an object literal. */
  spreads: Offset[];
  open?: boolean;
}

export interface AliasFact {
  symbol: number;
  typeParameters: Offset[];
  type: Offset;
}

export interface EnumFact {
  symbol: number;
  name: string;
  members: EnumMemberFact[];
}

export interface EnumMemberFact {
  name: string;
  symbol: number;
}

/** What a module or namespace gives to others. */
export interface ExportFacts {
  /** Exported name and binding index. */
  names: [name: string, binding: number][];
  /** `export { imported as name } from`; imported "*" is the whole module. */
  from: [name: string, specifier: number, imported: string][];
  /** `export * from`: specifier indexes. */
  all: number[];
  /** `export = x`, `module.exports = x`. */
  equals: Offset;
}

export interface SpecifierFact {
  text: string;
  line: number;
}

/** `f.x = ...`, `F.prototype.x = ...`, `this.x = ...` in a constructor function, `Object.defineProperty(f, "x", ...)`. */
export interface ExpandoFact {
  binding: number;
  name: string;
  prototype: boolean;
  /** Put on `this` by the function's own code, `this.read = function () {}`: no sign that the function makes objects, for it may be called on any. */
  own?: true;
  value: Offset;
  symbol: number;
  /** The value is a function that runs where the property is read or written. */
  accessor?: "getter" | "setter";
  /** Of a method, what other methods put in its place. */
  replaced?: Offset[];
}

/** `put`: it is no declaration, which may be a type, but put on the global object: when the file is loaded, or when a function is called. */
export type GlobalFact = [name: string, binding: number, put?: "at once" | "later"];

/** `App.open = function () {}` of an App that no scope of the file has. */
export interface GlobalMemberFact {
  global: string;
  name: string;
  value: Offset;
  symbol: number;
}

export interface ModuleFacts {
  strings: string[];
  code: number[];
  /** The first declaration of each binding; declarations of one name are chained. */
  bindings: Offset[];
  functions: FunctionFact[];
  shapes: ShapeFact[];
  aliases: AliasFact[];
  enums: EnumFact[];
  namespaces: { symbol: number; exports: ExportFacts }[];
  specifiers: SpecifierFact[];
  /** An AMD loader finds what the specifiers name: from a folder that its configuration says. */
  amd?: true;
  exports: ExportFacts;
  /** Names that the file adds to the global scope: a script's own, those in `declare global`, and what it puts on the global object. */
  globals: GlobalFact[];
  /** `declare module "x" { }`: text of x and index of its namespace. */
  ambient: [text: string, namespace: number][];
  expandos: ExpandoFact[];
  globalMembers?: GlobalMemberFact[];
  keyed?: KeyedFact[];
  /** Triples: a Call, New, decorator or JSX expression; the symbol that it stands in (-1: the file); its line. */
  calls: number[];
  /** Pairs: a Call or New with arguments that may be functions, and the context that declares what it gives. */
  callContexts?: number[];
  /** Triples like calls: expressions that may name a function and are passed to a call. */
  references: number[];
  /** Triples like calls: members that are read, written or taken out of an object, other than to be called. An Index is one that a constant may name. */
  members: number[];
  /** Expressions that are given a value; those among `members` run setters. */
  writes: Offset[];
  /** Triples: the binding of a name that is read or written, where that may be a symbol; the symbol that it stands in (-1: the file); its line. */
  reads: number[];
  /** Triples like reads, of names that nothing in the file declares: the name (str); the symbol that it stands in (-1: the file); its line. */
  unbound: number[];
  /**
   * Pairs of what may be functions: where something is put (a Name, a Member, an Index, or the ContextProperty of what an object literal's
   * member is expected to be), and what is put there.
   */
  stores: number[];
  /** Pairs: a method, and the name of an event, or the class of a message, that a decorator says it handles. */
  handles?: number[];
  /** Symbols of functions of object literals that nothing outside of the file can get hold of; see inner.ts. */
  inner?: number[];
  /** Imports and exports make a file a module; without them it is a script. */
  module: boolean;
  /** A component whose scripts are JavaScript, which its path does not tell. */
  untyped?: true;
}
