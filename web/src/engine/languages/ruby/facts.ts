/**
 * What the extractor says about one Ruby file. Locals and parameters are bound to what they hold; every other name is left
 * as it is. Expressions are records in one array of numbers: small, quick to clone between Workers, storable as JSON.
 */

/** An offset into `code`; 0 stands for a value that nothing is known of, or for none. */
export type Offset = number;

/**
 * Records in `code`: an operation, then its operands. `str` is an index into `strings`; `context` an index into `contexts`;
 * `n, x*` a count and that many operands; everything else an Offset unless said otherwise.
 */
export const Op = {
  Constant: 1, // str, scope (index): Foo
  Top: 2, // str: ::Foo
  Scoped: 3, // operand, str: operand::Foo
  Self: 4, // context
  Core: 5, // str: an object of a class of Ruby's own
  List: 6, // n, elements*: an Array
  Table: 7, // n, values*: a Hash; a Keyword says under which name
  Call: 8, // receiver (0: self), str, context, block or 0, n, arguments*
  Super: 9, // context, block or 0, n, arguments*; n -1: those of the method
  Either: 10, // n, operands*
  Field: 11, // str with its sigil, context: @a, @@a, $a
  Parameter: 12, // method (index), position (number)
  Block: 13, // call, value, n (number of parameters), the symbol that it stands in (-1: the file)
  Given: 14, // block, position (number): what a block's parameter is given
  Instance: 15, // operand, value or 0: some object of the class, which the value is found to be
  Element: 16, // operand: what a loop over it gives
  Reference: 17, // receiver (0: self), str, context: a method that is named, not called
  Keyword: 18, // str, value: an argument, or an entry of a hash, with a name
  Splat: 19, // operand
  Pass: 20, // operand: a block given as an object (&block)
  Each: 21, // call, str: a block that calls a method of what it is given (&:name)
  Closure: 22, // a Block: a lambda or proc
  Made: 23, // scope (index): the class that an expression makes (Class.new)
  Documented: 24, // str, scope (index): a type in the words of a doc comment
  Symbol: 26, // str
  Text: 27, // str: a text in a list
  Below: 28, // scope (index): a class that inherits from its class, or what mixes its module in
  Unknown: 25, // something that cannot be told
} as const;

export interface ScopeFact {
  /** "file", a body of a class or module, what reopens one (`Foo.class_eval do`), or a class, where there is one, whose objects' variables a template has. */
  kind: "file" | "class" | "module" | "reopened" | "variables";
  /** As it is written: `A::B`; "" for the file and a class without a name. */
  name: string;
  /** The scope around it; -1 for the file. Always less than its own index. */
  parent: number;
  /** -1 for none. */
  symbol: number;
  superclass: Offset;
  line: number;
  /** Has methods for the classes that include it themselves (ActiveSupport's class_methods). */
  classMethods?: boolean;
}

const HOOKS = ["inherited", "included", "extended", "prepended"] as const;
/** What Ruby calls with what comes to stand below a class or module. */
export type Hook = (typeof HOOKS)[number];

export function isHook(name: string): name is Hook {
  return (HOOKS as readonly string[]).includes(name);
}

export interface MixinFact {
  how: "include" | "prepend" | "extend";
  /** A hook of the scope does it to the classes that include it. */
  hooked?: true;
  /** The module or class that it is done to: a scope, or a constant elsewhere. */
  scope: number;
  target: Offset;
  /** What is mixed in; a Self means the module itself (`extend self`). */
  value: Offset;
  line: number;
}

/** What `self` is. */
export interface ContextFact {
  scope: number;
  /** `self` is the class or module itself, not an object of it. */
  singleton: boolean;
  /** Index in `methods`; -1 for a body. */
  method: number;
  /** In a block that a call may run with another `self`. */
  loose: boolean;
}

export interface ParameterFact {
  name: string;
  kind: "required" | "optional" | "rest" | "key" | "keys" | "block";
  /** Its default, or what a doc comment says. */
  value: Offset;
}

export interface MethodFact {
  name: string;
  /** -1 when it is no symbol (RSpec's `let`). */
  symbol: number;
  scope: number;
  /** A method of the class or module itself; "both" for module_function. */
  side: "instance" | "singleton" | "both";
  /** Another object's own method (`def object.name`). */
  of?: Offset;
  parameters: ParameterFact[];
  /** What it gives: its last expression, and what `return` names. */
  result: Offset;
  /** What a doc comment says that it gives. */
  documented: Offset;
  /** What it gives to its block, call by call. */
  yields: Offset[][];
  /** Says that it is there to be overridden: raises NotImplementedError. */
  abstract: boolean;
  /** The method that it is another name of. */
  alias?: string;
}

export interface FieldFact {
  /** With its sigil. */
  name: string;
  context: number;
  value: Offset;
  /** `value` is put into the array or hash that the variable holds. */
  element: boolean;
  /** Of a global variable that is declared here. */
  symbol?: number;
}

export interface ConstantFact {
  scope: number;
  /** As it is written; `A::B` defines B in A. */
  name: string;
  value: Offset;
  symbol: number;
}

export interface ImportFact {
  /** "view": a template, by the name that `render` has for it; "object": one that an object by its name may be rendered with. */
  kind: "relative" | "required" | "autoload" | "view" | "object";
  path: string;
  /** The name of a template that is taken where there is none of the path. */
  or?: string;
  line: number;
}

export interface RubyFacts {
  scopes: ScopeFact[];
  contexts: ContextFact[];
  methods: MethodFact[];
  fields: FieldFact[];
  constants: ConstantFact[];
  mixins: MixinFact[];
  imports: ImportFact[];
  /** Loads what lies beside it by name (Zeitwerk's for_gem). */
  autoloads: boolean;
  strings: string[];
  code: number[];
  /** Triples: a record, the symbol that it stands in (-1: the file), its line. Calls, Supers, References, Constants. */
  uses: number[];
  /** Triples: the name of a global variable (str), the symbol that it is used in (-1: the file), the line. */
  globals: number[];
  /** Pairs: a Block, and the Call or Super that is all it does. */
  forwards: Offset[];
  /** Triples: a method (index) whose block is run by `yield`, the symbol that this stands in, its line. */
  yielded: number[];
}
