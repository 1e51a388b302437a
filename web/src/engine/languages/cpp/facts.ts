/**
 * What the extractor says about one file of C or C++. Local names are already bound to their declarations; every other
 * name is left as it is, with the scope that it stands in. Types and expressions are records in one array of numbers:
 * small, quick to clone between Workers, storable as JSON.
 */

/** An offset into `code`; 0 stands for "none". */
export type Offset = number;

/** Index into `scopes`; 0 is the file. */
export type ScopeId = number;

/**
 * Records in `code`: an operation, then its operands. `str` is an index into `strings`, `scope` a ScopeId; `n, x*` a count and
 * that many operands; everything else an Offset unless said otherwise. Qualified names are written with `::`.
 */
export const Op = {
  // Types
  Named: 1, // str (`#` and the scope of its members for one without a name), scope, flags (Flag), n, template arguments*
  // Expressions
  Name: 10, // str, scope, n, template arguments*
  Select: 11, // operand, str, arrow (0 or 1)
  Call: 12, // callee, n, arguments*
  New: 13, // type, n, arguments*: an object made
  This: 14, // scope
  Value: 15, // type: some value of it
  Index: 16, // operand
  Deref: 17, // operand
  Element: 18, // operand: what a loop over it gives
  Either: 19, // operand, operand
  Braces: 20, // n, (field str or -1, operand)*
  Variable: 21, // type, initialiser: a local
  Cast: 22, // type, operand
  Operator: 24, // str (`operator+`), n, operands*: what an operator of a class may give; a postfix one has a second operand, 0
  Pack: 25, // a template's pack of arguments, `args...`: any number of them
  Address: 26, // operand: its address, in C++
  Code: 23, // symbol (number), Call: a lambda, by the function whose code its own is; the Call that is all it does, or 0
  // Statements
  Assign: 30, // operand, value: of what may be a function
  Passed: 31, // operand: a name handed on as a value
  Init: 32, // type, Braces: what an object of a type is made of
  Delete: 33, // operand
  Return: 34, // operand: of what may be a function
  Converted: 36, // type (0: that of the value), value, 1 for a local variable that is returned: what a value is put into
  Ended: 37, // Variable: an object that is destroyed where its block ends
  Asked: 35, // Name: what a condition of the preprocessor asks for
} as const;

/** `Function`: a function, or a pointer to one; the type is then what it gives. `Pointers`: a pointer to pointers, beside `Pointer`. */
export const Flag = { Const: 1, Pointer: 2, Array: 4, Reference: 8, Function: 16, Pointers: 32 } as const;

/** The flags of a pointer to what has these. */
export function pointerTo(flags: number): number {
  return (flags & ~Flag.Reference) | (flags & Flag.Pointer ? Flag.Pointers : Flag.Pointer);
}

/** The flags of what a pointer or an array with these points to. */
export function pointedFlags(flags: number): number {
  return flags & ~(flags & Flag.Array ? Flag.Array : flags & Flag.Pointers ? Flag.Pointers : Flag.Pointer);
}

export interface ScopeFact {
  kind: "file" | "namespace" | "class" | "member";
  /** A namespace's or class's simple name ("" for one without); of a member's code, the class as it is written. */
  name: string;
  /** -1 for the file; always less than its own index. */
  parent: ScopeId;
  /** Namespaces whose names are seen here, `using namespace N` and inline namespaces. */
  spaces: string[];
  /** Names that stand for others: `using A::f`, `namespace fs = A::B`. */
  names: [name: string, path: string][];
}

/** A struct, class, union or enum with its body. */
export interface TypeFact {
  name: string;
  /** -1 for one without a name. */
  symbol: number;
  /** Where it is declared, and the scope of its members. */
  scope: ScopeId;
  inner: ScopeId;
  bases: { type: Offset; line: number }[];
  /** The names of its template parameters. */
  parameters: string[];
  union?: true;
  /** Of its constructors and its destructor, the names of those that it deletes. */
  deleted?: string[];
}

export interface AliasFact {
  name: string;
  symbol: number;
  scope: ScopeId;
  type: Offset;
}

export interface FunctionFact {
  name: string;
  /** The class or namespace before the name of an out-of-class definition: `A::B`; "" for none. */
  qualifier: string;
  scope: ScopeId;
  /** -1 for one that is declared alone: what is defined elsewhere is one function, not two. */
  symbol: number;
  returns: Offset;
  parameters: Offset[];
  /** The Variable of each, where it has a body. */
  variables: Offset[];
  /** The arguments that a call has to give at least. */
  required: number;
  variadic: boolean;
  /** Types of the parameters in one text: what tells overloads apart. */
  key: string;
  /** The file's own: `static`, or in a namespace without a name. */
  local: boolean;
  virtual: boolean;
  /** Has no body to run: `= 0`. */
  pure: boolean;
  const: boolean;
  /** Of a constructor that says so: no value is turned into an object by it. */
  explicit?: true;
  templates: string[];
  /** The macro that begins it, which may give it another name. */
  by?: string;
  /** Of a signal of Qt, the line that declares it. */
  signal?: number;
}

/** A global, a field of a type, or an enumerator. */
export interface VariableFact {
  name: string;
  qualifier: string;
  scope: ScopeId;
  symbol: number;
  type: Offset;
  initialiser: Offset;
  local: boolean;
  /** `extern`: defined elsewhere. */
  declared: boolean;
  /** In a class, belongs to no object: a static member, an enumerator. */
  shared: boolean;
}

export interface MacroFact {
  name: string;
  /** -1 for one without parameters. */
  symbol: number;
  /** The symbol of one that stands for a value, without parameters; -1 for none. */
  constant: number;
  /** What a macro without parameters stands for, when that is one name, or a member of a member: `head.next`. */
  alias: string;
  /** Of one that begins a function whose name is put together: that name, with `%` for the first parameter. */
  pasted?: string;
  /** What its text does with its parameters. */
  given?: GivenFact[];
  /** The names of the functions that its text defines, which its parameters are part of. */
  writes?: PartFact[][];
}

/** A name, by its parts: texts, and parameters of a macro by their places. */
export type PartFact = string | number;

/** What a macro's text makes of what it is given. */
export interface GivenFact {
  /** A name: one that is pasted together (`run_##name`), a parameter that is called, or another macro. */
  name: PartFact[];
  /** Whether a parenthesis follows. */
  called: boolean;
  /** What another macro, or a parameter that may be one, is given: names, parameters, and -1 for anything else. */
  args?: PartFact[];
}

export interface IncludeFact {
  path: string;
  /** `<x.h>` */
  system: boolean;
  line: number;
}

export interface CppFacts {
  includes: IncludeFact[];
  scopes: ScopeFact[];
  types: TypeFact[];
  aliases: AliasFact[];
  functions: FunctionFact[];
  variables: VariableFact[];
  macros: MacroFact[];
  strings: string[];
  code: number[];
  /** Triples: a record, the symbol that it stands in (-1: the file), its line. A Name is one that may be a variable's. */
  uses: number[];
  /** Pairs: where the records of const methods begin in the code, and where they end. */
  constants: Offset[];
  /** Read as C++: names have overloads. */
  cpp: boolean;
  /** Other files include it, by its ending. */
  header: boolean;
  /** Macros open namespaces in it, which nobody sees. */
  hidden: boolean;
}

/** A type that a container of the library declares: `vector<Node*>::iterator`. */
export function isIterator(name: string): boolean {
  return /::(?:const_)?(?:reverse_)?iterator$/.test(name);
}
