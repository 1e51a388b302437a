/**
 * What an extractor says about one file of a language whose programs are classes with declared members (Java, C#, PHP).
 * Local names (parameters, variables, type parameters, local classes and functions) are already bound to their declarations;
 * every other name is left as it is. Types and expressions are records in one array of numbers: small, quick to clone
 * between Workers, storable as JSON.
 */

/** An offset into `code`; 0 stands for "none". */
export type Offset = number;

/** Where a name stands: the index in `types` of the innermost type around it, or -1 - the index in `scopes`. */
export type Within = number;

/**
 * Records in `code`: an operation, then its operands. `str` is an index into `strings`, `within` a Within; `n, x*` a count
 * and that many operands; everything else an Offset unless said otherwise. Qualified names are dotted in every language.
 */
export const Op = {
  // Types
  Named: 1, // str, within, n, arguments*: `global::A.B` begins with a dot
  Parameter: 2, // str, bound
  Array: 3, // element
  Union: 4, // n, terms*
  Local: 5, // index in `types`: a class declared in a function
  Inner: 6, // operand, str: a type by its simple name in the operand's type
  Of: 8, // operand: the type of that
  Taken: 9, // call, position among its arguments (number): what the parameter takes
  OneOf: 37, // n, types*: one of several classes, by a value that is the name of one (PHP)
  Made: 38, // operand: the class whose name that is, or of which it is an object (PHP)
  Said: 7, // type, type: what a comment says, where that is a class of the code base or a type parameter, else what is declared (PHP)
  // Expressions
  Name: 10, // str, within: a member, a static import, a type, a namespace, a free function
  Select: 11, // operand, str
  Call: 12, // callee, n, arguments*
  New: 13, // type, n, arguments*
  Self: 14, // within: this
  Super: 15, // within
  Static: 16, // type: something to take a static member of
  Value: 17, // type: some value of it
  Element: 18, // operand: what a loop over it gives
  Either: 19, // n, operands*
  Reference: 20, // operand, str: a method named but not called
  Lambda: 21, // call, position among its arguments (number), body or 0, n, parameters*; position -1: a type that it is given to
  Index: 23, // operand, n, arguments*: what an index into it gives; without arguments where these do not matter
  Several: 25, // n, operands*: an array of them
  Generic: 24, // callee, n, type arguments*
  Spread: 22, // operand: an unknown number of arguments, or one of what a list is taken apart into
  Quoted: 26, // operand: named for its name alone, as in `nameof` or a text; or Named: a class, in C# if it is one of attributes
  Constant: 36, // operand: named where only a constant can stand (C#)
  Text: 27, // str: a text that may name a free function (PHP); dotted
  Entry: 28, // operand, str: what a table has under a name (PHP)
  Keyed: 29, // str, operand: a value that a table has under a name
  Operator: 34, // str, n, operands*: an operator that a type may declare (C#); of a conversion the last is a value of what it gives; without a name one of numbers or texts
  Runs: 35, // operand, str: methods that run without being called: one of the operand, and with blanks between them those of what that gives
  Ranged: 39, // operand, argument: a query's variable: the operand, where it is known, or the argument of a lambda (C#)
  // Declarations
  Variable: 30, // type, initialiser
  Argument: 31, // Lambda, position (number): a lambda's parameter without a type
  Function: 32, // index in `functions`
  Code: 33, // symbol (number): the function whose code a lambda's is
} as const;

/** Whether a type is known by a value alone that is the name of a class. */
export function isByValue(code: readonly number[], type: Offset): boolean {
  return code[type] === Op.OneOf || code[type] === Op.Made;
}

/** The field that stands for a class's own index operator. */
export const INDEXER = "[]";

/** The numbers that a record takes. */
export function lengthOf(code: readonly number[], at: Offset): number {
  switch (code[at]) {
    case Op.Named:
      return 4 + code[at + 3]!;
    case Op.Union:
    case Op.OneOf:
    case Op.Either:
    case Op.Several:
      return 2 + code[at + 1]!;
    case Op.Call:
    case Op.New:
    case Op.Generic:
    case Op.Operator:
    case Op.Index:
      return 3 + code[at + 2]!;
    case Op.Lambda:
      return 5 + code[at + 4]!;
    case Op.Parameter:
    case Op.Inner:
    case Op.Taken:
    case Op.Said:
    case Op.Name:
    case Op.Select:
    case Op.Reference:
    case Op.Variable:
    case Op.Argument:
    case Op.Entry:
    case Op.Keyed:
    case Op.Runs:
    case Op.Ranged:
      return 3;
    default:
      return 2;
  }
}

export interface ImportFact {
  /** The dotted name. */
  path: string;
  /** Its name in the file; "" for all that is in `path`. */
  alias: string;
  /** What is imported: a type or a namespace; a static member; a free function. */
  kind: "type" | "static" | "function";
  line: number;
  /** For every file of the project (C#). */
  global?: boolean;
}

/** A file, or a namespace's block in it. */
export interface ScopeFact {
  /** The whole dotted name; "" for none. */
  namespace: string;
  /** The scope around it; -1 for none. Always less than its own index. */
  parent: number;
  imports: ImportFact[];
}

/** How a parameter or an argument is passed, one letter each: by value, `ref`, `out`, `in` or `ref readonly` (C#). */
export const Mode = { Value: "v", Ref: "r", Out: "o", In: "i" } as const;

export interface MemberFact {
  name: string;
  /** -1 when it is no symbol. */
  symbol: number;
  /** Of a method of a class without a name: the function whose code it stands in. */
  around?: number;
  kind: "method" | "constructor" | "field";
  /** Has no body: an interface's or an abstract class's. */
  abstract: boolean;
  /** A constructor that names the one that runs before it: `super(…)`, `: base(…)`, or another of its class. */
  chained?: true;
  /** Has a body, and one of a class below may take its place. */
  virtual?: true;
  /** It says that it takes the place of what a type above declares: Java's `@Override`, C#'s `override`. */
  overrides?: true;
  /** A field's type, what a method returns. */
  type: Offset;
  /** What a field without a type is given. */
  initialiser: Offset;
  /** Types. */
  parameters: Offset[];
  /** The parameters that a call must give. */
  required: number;
  /** The last parameter takes any number of arguments; its type is an Array. */
  variadic: boolean;
  typeParameters: Offset[];
  /** Cannot be named, only be reached through the interface that it implements (C#). */
  hidden?: boolean;
  /** A method or a property with code that belongs to its type, not to an object (C#); of Java, one of an interface. */
  static?: true;
  /** A method without a body, of which another part of the type may have one (C#). */
  partial?: true;
  /** Only code in its type has it (C#). */
  private?: true;
  /** A method that can be called on its first argument (C#). */
  extension?: boolean;
  /** Declared nowhere in its type: a comment says it, or code of the type gives it a value. What a type above declares comes first (PHP). */
  said?: true;
  /** A field that belongs to its type, not to an object: its symbol is a Variable. */
  variable?: boolean;
  /** What the parameters are in its code: Variables. */
  variables?: Offset[];
  /** The names of the parameters, where arguments may go by them (C#). */
  names?: string[];
  /** How each parameter is passed, where one of them is not by value; see Mode (C#). */
  modes?: string;
}

export interface TypeFact {
  name: string;
  /** -1 for a class without a name. */
  symbol: number;
  kind: "class" | "interface" | "trait" | "delegate";
  outer: Within;
  typeParameters: Offset[];
  /** "base": a class or an interface, which of them is known only with its declaration. */
  supers: { type: Offset; how: "extends" | "implements" | "mixes" | "base"; line: number }[];
  members: MemberFact[];
  /** Methods under another name, of whatever trait or of that `in` (PHP's `use T { of as name; }`), and those that a name means `not` of some traits (`A::of insteadof B`). */
  aliases?: { name: string; of: string; in?: string; not?: string[] }[];
  /** Declared inside a function: only its own code sees the name. */
  local: boolean;
  /** Another name for what it inherits from (PHP). */
  alias?: true;
  /** A struct, which no value is null of (C#). */
  struct?: true;
  /** One of several parts of a type (C#). */
  partial?: true;
}

export interface ClassFacts {
  scopes: ScopeFact[];
  types: TypeFact[];
  /** Free and local functions; `scope` is -1 for one inside a function. */
  functions: { member: MemberFact; scope: number }[];
  strings: string[];
  code: number[];
  /**
   * Triples: a record, the symbol that it stands in (-1: the file), its line. Calls, New, References; a Select or a Name
   * where it may run a property or hand on a method or a free function; a Static whose constructor is handed on; a Named that is a value or an annotation.
   */
  uses: number[];
  /**
   * Pairs: a field, a variable, a list or a table, and what is put into it. A Lambda has the call that is all it does, or the Code that its own
   * belongs to, a New or a Value what it is filled with, or made of.
   */
  stores: Offset[];
  /** Triples: a Call or New, an argument's position, a string: the name of the parameter that it is for. */
  named: number[];
  /** Triples: a Call or New, an argument's position, a string: its Mode, if it is not by value (C#). */
  modes: number[];
  /** Pairs: a function's symbol, what it returns. */
  returns: number[];
  /** Files named outright: the path as it is written, resolved against the file's folder and the root. */
  includes: { path: string; line: number }[];
}
