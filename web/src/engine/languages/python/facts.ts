/**
 * What extraction keeps of a Python file for the resolver. All expressions live in one
 * pool of numbers, `nodes`: an expression is named by the offset of its operator, its
 * operands follow. Names are indexes into `strings`.
 */

/** Operators of the pool, each with its operands. A `*` marks a count followed by that many. */
export const enum Op {
  /** Nothing is known. */
  Unknown,
  /** name, scope: looked up in the scope and outwards; every binding counts. */
  Name,
  /** name, scope, *definitions: a local whose reaching definitions are known. */
  Local,
  /** object, name */
  Attr,
  /** object, name, *definitions: an attribute that was assigned or narrowed on the way here. */
  FlowAttr,
  /** callee, *positional, *(name, value) */
  Call,
  /** object, index */
  Sub,
  /** constant kind, see Const */
  Const,
  /** string: a short literal */
  Str,
  /** string, type expression: a literal whose text reads as a type */
  Quoted,
  /** *items */
  List,
  Tuple,
  Set,
  /** *(key, value); `**operand` is the Star of it under an Unknown */
  Dict,
  /** item */
  ListComp,
  SetComp,
  GenComp,
  /** key, value */
  DictComp,
  /** operator string, left, right */
  Binary,
  /** left, right: either of them */
  Either,
  /** operand */
  Await,
  /** function */
  Lambda,
  /** operand: *operand in a call or display */
  Star,
  /** operand: a slice or part of an object, of the object's own type */
  Slice,

  // Definitions: the value that a binding gives its name.
  /** function, index */
  Param,
  /** import */
  Import,
  /** function */
  Function,
  /** class */
  Class,
  /** iterable, 1 when async: an item of it */
  Item,
  /** context manager, 1 when async: what `as` binds */
  Enter,
  /** sequence, index: an item of an unpacking; from the end when negative */
  Unpack,
  /** sequence: a starred target */
  Rest,
  /** exception class or tuple of them */
  Caught,
  /** annotation, value or -1 */
  Declared,
  /** previous, class expression, 1 = is one, 0 = is none, 2 = is a subclass of it */
  Narrow,
  /** phi */
  Phi,
  /** type expression: `type X = ...` */
  TypeAlias,
  /** name, bound or -1: a type parameter in brackets (PEP 695) */
  TypeVar,
  /** function: `super()` in a method */
  Super,
}

/** What runs a special method of an object without naming it. */
export const enum Operation {
  /** `with`: of the context manager. */
  Enter,
  EnterAsync,
  /** A loop, an unpacking, `yield from`, `*x`: of the iterable. */
  Iterate,
  IterateAsync,
  /** `next(x)` */
  Next,
  /** `reversed(x)` */
  Reverse,
  /** `**x`, `dict(x)` */
  Splat,
  /** `x[y]`, `x[y] = z`, `del x[y]`: of the subscript. */
  GetItem,
  SetItem,
  DeleteItem,
  /** `y in x`: of x. */
  Contains,
  /** `if x`, `not x`, `x and y` … */
  Test,
  /** `len(x)` */
  Length,
  Await,
  /** `str(x)` */
  Text,
  /** `f"{x}"` */
  Format,
  /** `repr(x)`, `f"{x!r}"` */
  Represent,
  /** `hash(x)`, `int(x)`, `float(x)`, `bytes(x)`, `abs(x)` */
  Hash,
  Integer,
  Float,
  Bytes,
  Absolute,
  /** `sorted(x)`, `x.sort()`, `min(x)`; `max(x)`: of what is in x. */
  Least,
  Greatest,
  /** `-x`, `+x`, `~x` */
  Negative,
  Positive,
  Invert,
  /** `x.name = y`, `del x.name`: of the attribute. */
  SetAttribute,
  DeleteAttribute,
  /** An operator with two operands, as an expression with these; and one that assigns, as `+=`. */
  Binary,
  Assign,
}

/** What a class binds the setter or deleter of a property to. No name in the code is written like this. */
export const accessorOf = (property: string, accessor: string): string => `@${property}.${accessor}`;

export const enum Const {
  None, Bool, Int, Float, Str, Bytes, Ellipsis,
}

export const enum ScopeKind {
  Module, Class, Function,
}

export interface ScopeFact {
  kind: ScopeKind;
  /** Enclosing scope, -1 for the module. */
  parent: number;
  /** Of a function: its index in the file's symbols. */
  symbol?: number;
  /** Every binding of every name: string index -> definitions. */
  names: Record<number, number[]>;
  /** Names declared `global` and `nonlocal`. */
  globals?: number[];
  nonlocals?: number[];
  /** Imports of the form `from m import *`, in order. */
  stars?: number[];
}

export const enum ParamKind {
  Positional, Args, KeywordOnly, Keywords, PositionalOnly,
}

export interface ParamFact {
  name: number;
  kind: ParamKind;
  /** Annotation, -1 for none. */
  type: number;
  /** Default value, -1 for none. */
  value: number;
}

export const enum FunctionFlag {
  Async = 1, Generator = 2, Overload = 4, Static = 8, ClassMethod = 16, Property = 32, Abstract = 64, Decorated = 128,
}

export interface FunctionFact {
  name: number;
  /** Index in the file's symbols; -1 for a lambda. */
  symbol: number;
  /** The class whose body holds it, or -1. */
  owner: number;
  flags: number;
  params: ParamFact[];
  /** Declared return type, -1 for none. */
  returns: number;
  /** Values of its return statements (a lambda: its body). */
  results: number[];
  /** Values it yields. */
  yields: number[];
  /** Decorators that may change its type, outermost first. */
  decorators: number[];
  /** Of a lambda that is passed to a call: the call. */
  passedTo?: number;
  /** The parameters that it may return, by their places. */
  handsBack?: number[];
  /** The `@overload`s in front of it, as functions. They share its symbol. */
  overloads?: number[];
  /** The name of a pytest fixture: that of the function, or the one that its decorator gives. */
  fixture?: number;
  /** Of a test or a fixture: the parameters that name fixtures, unless nothing is found by the name; by their places. */
  injected?: number[];
  /** The fixtures that it asks for by name, or that its decorators and those of its class name for a test; as strings. */
  uses?: number[];
  /** pytest runs it, and the fixtures that are run for every test with it. */
  isTest?: true;
}

export interface ClassFact {
  name: number;
  symbol: number;
  /** The scope of its body. */
  scope: number;
  bases: number[];
  metaclass: number;
  decorators: number[];
  /** Attributes assigned through the first parameter of its methods: name -> definitions. */
  attrs: Record<number, number[]>;
  /** Type parameters in brackets (PEP 695), as names. */
  typeParams?: number[];
}

export interface ImportFact {
  /** Dots in front: 0 for an absolute import. */
  level: number;
  /** The dotted module, "" for `from . import x`. */
  module: string;
  /** What `from` takes out of the module; "*" for all; undefined for `import a.b`. */
  name?: string;
  /** `import a.b as c` binds the module itself, `import a.b` binds `a`. */
  aliased?: boolean;
  line: number;
  /** It is a text that may name something, and imports nothing. */
  isText?: true;
}

export interface PyFacts {
  strings: string[];
  nodes: number[];
  scopes: ScopeFact[];
  functions: FunctionFact[];
  classes: ClassFact[];
  imports: ImportFact[];
  /** Definitions that meet at the head of a loop. */
  phis: number[][];
  /** Triples: call expression, enclosing symbol, line. */
  calls: number[];
  /** Triples: a decorator, the symbol in whose scope it runs, line. */
  decorations: number[];
  /** Quadruples: operation, expression of its object, enclosing symbol, line. */
  operations: number[];
  /** Triples: an attribute that is read, or a name that may be a function or class and is used as a value, enclosing symbol, line. */
  values: number[];
  /** Triples like values: names and attributes in annotations that may be variables of a module, and what `Color["RED"]` would be as an attribute. */
  annotated: number[];
  /** Triples like values: what a text may name in a module. */
  texts: number[];
  /** Pairs: a name of the module that is a variable, and its symbol. */
  variables: number[];
  /** Triples: the scope of an enumeration, a name that is a member of it, and its symbol. */
  enumMembers: number[];
  /** Pairs: an attribute or an item that is given a value, and that value; what methods give their own object stands in its class. */
  stores: number[];
  /** The names in `__all__`, when it is one plain list. */
  all?: string[];
}

/** Names of bases that make a class an enumeration: those of Python's library and Django's, and what others call theirs. */
export const ENUM_BASE = /Enum$|^(?:Int)?Flag$|^(?:Text|Integer)?Choices$/;

/** The module whose fixtures pytest gives to the tests of its folder and of those below. */
export const CONFTEST = "conftest";

/** What a scope binds the fixtures to that pytest runs for all its tests. No name in the code is written like this. */
export const AUTOMATIC = "@autouse";

/** What a scope binds a fixture to that has another name than its function. No name in the code is written like this. */
export const renamed = (fixture: string): string => `@${fixture}`;
