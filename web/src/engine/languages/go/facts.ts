/**
 * What the extractor says about one Go file, for the resolver. Local names (parameters, variables, type
 * parameters, local types) are already bound to their declarations; every other name is left as it is.
 * Expressions, types and declarations are records in one array of numbers: small, quick to clone between
 * Workers, storable as JSON.
 */

/** An offset into `code`; 0 stands for "none". */
export type Offset = number;

/**
 * Records in `code`: an operation, then its operands. `str` is an index into `strings`; `n, x*` a count and that
 * many operands; everything else an Offset unless said otherwise. Go writes types and expressions alike
 * (`T(x)` and `f(x)`, `*T` and `*p`, `a[i]` and `List[int]`): what a Name stands for decides, in the resolver.
 */
export const Op = {
  // Expressions and types
  Name: 1, // str: not bound in a function; declared in the package, imported, or built in
  Select: 2, // operand, str
  Index: 3, // operand, n, indices or type arguments*
  Star: 4, // operand: *p or *T
  Call: 5, // callee, n, arguments*
  // Expressions
  Value: 10, // type: some value of a type: composite and function literals, conversions, assertions
  Untyped: 11, // UntypedKind
  Slice: 12, // operand: x[a:b]
  Address: 13, // operand
  Receive: 14, // operand: <-ch
  Binary: 15, // left, right: arithmetic; comparisons are Untyped
  Result: 16, // call, position (number): one of several results
  Key: 17, // operand: the first variable of a range clause
  Element: 18, // operand: the second
  Spread: 19, // operand: xs... as an argument
  // Types
  Array: 30, // element
  SliceOf: 31, // element
  Map: 32, // key, value
  Chan: 33, // element
  Func: 34, // variadic (0 or 1), n, parameters*, n, results*; a variadic parameter is given as its slice
  Struct: 35, // n fields, then for each: str, type, 1 when embedded
  Interface: 36, // n methods, then for each: str, Func, symbol index (-1: none); n, embedded*
  Union: 37, // n, terms*
  Tilde: 38, // type
  // Declarations
  Variable: 50, // type, initialiser
  TypeParameter: 51, // str, constraint; none for a receiver's, which take their type's
  LocalType: 52, // index in `types`
} as const;

/** What an untyped constant becomes when nothing else decides. */
export const UntypedKind = { Int: 0, Float: 1, Complex: 2, Rune: 3, String: 4, Bool: 5, Nil: 6 } as const;

export interface ImportFact {
  path: string;
  /** Its name in the file: "" when the package's own, "." or "_" as in the source. */
  name: string;
  line: number;
}

export interface FunctionFact {
  symbol: number;
  name: string;
  /** Receiver's type; "" for a function. */
  owner: string;
  /** A Func. */
  type: Offset;
  /** What its parameters are in its code: Variables, 0 for one without a name. */
  variables: Offset[];
  /** The Variable that its receiver is in its code; 0 for a function, and for one without a name. */
  receiver: Offset;
  /** TypeParameters that the receiver names, in the order of its type's; then its own. */
  receiverParameters: Offset[];
  typeParameters: Offset[];
}

export interface TypeFact {
  /** -1 for a type declared in a function. */
  symbol: number;
  name: string;
  typeParameters: Offset[];
  type: Offset;
  /** `type A = B`: another name, no type of its own. */
  alias: boolean;
}

export interface ValueFact {
  name: string;
  /** A Variable. */
  at: Offset;
  /** Ascending in a file's values. */
  symbol: number;
}

export interface GoFacts {
  package: string;
  /** The build constraint in the form of a `//go:build` line, "" without one. The file name's own constraint comes on top. */
  constraint: string;
  imports: ImportFact[];
  strings: string[];
  code: number[];
  functions: FunctionFact[];
  types: TypeFact[];
  values: ValueFact[];
  /**
   * Triples: a record, the symbol that it stands in (-1: the file), its line. A Call is a call, a Value a composite
   * literal, a Key a loop through what may be a function, anything else an expression that may name a function that is used as a value, or
   * a variable of a package.
   */
  uses: number[];
  /**
   * Pairs: what is given something, and an expression that may hold a function. The first is a field (a Select), a variable of the package
   * (a Name) or of a function (a Variable), or a list or table that is written out (a Value).
   */
  given: number[];
  /** Triples: the Value of a function literal, the function or method whose code its own belongs to, the Call that is all it does or 0. */
  literals: number[];
  /** Triples: a function's symbol, what it returns and may be a function, which of its results that is. */
  returns: number[];
  /** Every `name.selector` on a name bound to nothing in its function, once each: which names of a package a file uses. */
  qualified: string[];
}

/** The usual name of a package outside the repository: the last element of its path without version and `go-`. */
export function guessName(path: string): string {
  const parts = path.split("/");
  let last = parts.pop() ?? "";
  if (/^v\d+$/.test(last) && parts.length > 0) last = parts.pop()!;
  return last.replace(/\.v\d+$/, "").replace(/^go-|[-.]go$/g, "").replace(/-/g, "");
}
