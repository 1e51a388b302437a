/**
 * What the extractor says about one Rust file, for the resolver. Local names (parameters, variables, type parameters,
 * `Self`) are already bound to their declarations; every other name is a path that the resolver follows from the scope it
 * stands in. Types, expressions and declarations are records in one array of numbers: small, quick to clone between
 * Workers, storable as JSON. `&T` counts as T nearly everywhere, since the same methods are reached through both.
 */

/** An offset into `code`; 0 stands for "none". */
export type Offset = number;

/**
 * Records in `code`: an operation, then its operands. `str` is an index into `strings`; `n, x*` a count and that many
 * operands; everything else an Offset unless said otherwise.
 */
export const Op = {
  // Types and expressions
  /** prefix (0: none), str, scope (number), n, type arguments*: one segment of a path. The first may be crate, self, super, $crate or "" (`::a`). */
  Path: 1,
  /** type, trait: what `<T as Trait>` stands for. */
  As: 2,
  // Types
  /** str, Bounds: a type parameter, or a trait's own `Self`. */
  Parameter: 3,
  /** n, traits*: `impl A + B`, `dyn A + B`, and what a type parameter is bound by. */
  Bounds: 4,
  /** str, n, arguments*: a type that has no path: "()" a tuple, "[]" a slice or an array, "*" a raw pointer, "!". */
  Built: 5,
  /** result, n, parameters*: `fn(A) -> B` and `Fn(A) -> B`. */
  Function: 6,
  /** mutable (number), type: `&T` and `&mut T`. */
  Reference: 8,
  /** str, type: `Item = T` among type arguments. */
  Binding: 7,
  // Expressions
  /** type, initialiser, the first Method call that puts something into it: a variable; the declared type wins. */
  Variable: 10,
  /** operand, str: a field by name or number. */
  Field: 11,
  /** callee, n, arguments*. */
  Call: 12,
  /** receiver, str, n, type arguments*, n, arguments*. */
  Method: 13,
  /** path: a struct literal. */
  Literal: 14,
  /** type: some value of it. */
  Value: 15,
  /** operand: `?`. */
  Try: 16,
  /** operand: `.await`. */
  Await: 17,
  /** operand: what a loop over it gives. */
  Element: 18,
  /** operand, whether by a range (number). */
  Index: 19,
  /** n, operands*: the first that is known; branches of one type. */
  Either: 20,
  /** n, operands*. */
  Tuple: 21,
  /** n, operands*: an array, or `vec![]` when the first number is 1: vector (number), n, operands*. */
  Array: 22,
  /** call (patched in), position (number), body, result type, n, parameters*. */
  Closure: 23,
  /** closure, position (number): a closure's parameter without a type. */
  Argument: 24,
  /** operand: `*x`. */
  Deref: 25,
  /** operand, path, str: a part of a value taken apart by a pattern: `Some(x)`, `Point { x }`. */
  Part: 26,
  /** path: a macro that is invoked. */
  Macro: 27,
  /** mutable (number), operand: `&x` and `&mut x`. */
  Borrow: 28,
  /** trait (str), method (str), operand, operand (0: none): what the language or its library runs of a trait: `add` of `+`, `fmt` of a text, `from_str` of `parse`. */
  Implied: 30,
  /** type, operand: `?` in a function of that type, whose error is made of the operand's. */
  Raised: 31,
  /** path: of a pattern. */
  Matched: 32,
  /** call, position (number): what the function takes there. */
  Taken: 33,
  /** symbol (number): the function whose code a closure's is. */
  Code: 29,
} as const;

export interface FunctionFact {
  name: string;
  symbol: number;
  typeParameters: Offset[];
  /** Has a receiver. */
  method: boolean;
  /** Types of the parameters, the receiver not among them. */
  parameters: Offset[];
  /** 0: the unit type. */
  result: Offset;
  /** `async`: a call gives a future of the result. */
  waits: boolean;
  /** Has no body: what a trait asks for. */
  abstract: boolean;
  /** What the parameters are in its code: Variables. */
  variables: Offset[];
}

export interface FieldFact {
  /** "0", "1" in a tuple struct. */
  name: string;
  type: Offset;
}

/** An associated type or constant, or a module's constant or static. */
export interface ValueFact {
  name: string;
  /** -1 for an associated type. */
  symbol: number;
  type: Offset;
}

export interface TypeFact {
  kind: "struct" | "enum" | "trait" | "alias";
  name: string;
  symbol: number;
  scope: number;
  typeParameters: Offset[];
  fields: FieldFact[];
  variants: { name: string; symbol: number; fields: FieldFact[] }[];
  /** A trait's own `Self`, and the type that an alias stands for. */
  type: Offset;
  /** A trait's supertraits. */
  supers: { type: Offset; line: number }[];
  functions: FunctionFact[];
  /** Associated types with their bounds, or defaults; associated constants. */
  types: ValueFact[];
  constants: ValueFact[];
}

export interface ImplFact {
  scope: number;
  typeParameters: Offset[];
  /** 0 for an inherent impl. */
  trait: Offset;
  self: Offset;
  functions: FunctionFact[];
  types: ValueFact[];
  constants: ValueFact[];
  line: number;
}

export interface UseFact {
  /** The path's segments; the first may be crate, self, super or "" (`::a`). */
  path: string[];
  /** Its name here; "*" for all that is in `path`, "_" for none. */
  alias: string;
  /** `pub use`. */
  exported: boolean;
  line: number;
}

/** A module, or a block that holds declarations. */
export interface ScopeFact {
  /** A module's name; "" for the file itself, undefined for a block. */
  name?: string;
  /** -1 for the file. Always less than its own index. */
  parent: number;
  uses: UseFact[];
  /** Modules in files of their own. */
  files: { name: string; path?: string; line: number }[];
}

/** What a file is read with once all others are known: declarations of their macros, and the names that it asked these for. */
export type MacroContext = Pick<RustFacts, "open" | "given">;

export interface RustFacts {
  scopes: ScopeFact[];
  functions: { fact: FunctionFact; scope: number }[];
  types: TypeFact[];
  impls: ImplFact[];
  values: { fact: ValueFact; scope: number }[];
  /** `macro_rules!`; exported ones are at the crate's root. From where to where one is in the file; 0 in the text of another. */
  macros: { name: string; symbol: number; scope: number; exported: boolean; start: number; end: number }[];
  /** Macros that are called among declarations, which other files may declare. */
  open: readonly string[];
  /** The declarations of macros of other files that this one was read with. */
  given: readonly string[];
  strings: string[];
  code: number[];
  /**
   * Quadruples: a record, the symbol that it stands in (-1: the file), its line, how sure it is in percent that the code
   * runs as it is written (less inside of a macro's arguments). A Call, Method, Literal, Macro, Implied, Raised or Matched, or
   * a Path that may hand on a function.
   */
  uses: number[];
  /**
   * Pairs: a field, a variable, a constant's path, a list or a table, and what is put into it. A Closure has the call that is all it does, or the Code that
   * its own belongs to, a Value what it is made of.
   */
  stores: Offset[];
  /** Pairs: a function's symbol, what it returns. */
  returns: number[];
}
