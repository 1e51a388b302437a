import type { NameRules } from "./program.ts";
import type { ForeignType, Type } from "./types.ts";

/** What a language says about itself and its library. */
export interface Rules extends NameRules {
  /** A class may have several methods of one name, told apart by their parameters. */
  overloads: boolean;
  /** A type may declare conversions, which run without being called (C#). */
  conversions: boolean;
  /** A type parameter may stand for a number (C#). */
  primitiveArguments: boolean;
  /** A class does not have what its interfaces declare, only what it declares itself for them (C#). */
  interfacesApart: boolean;
  /** A name that is called is a free function, never a member (PHP). */
  freeFunctions: boolean;
  /** A call may give more arguments than there are parameters (PHP). */
  extraArguments: boolean;
  /** `new` runs a constructor of a class above where there is no own one (PHP). */
  inheritedConstructors: boolean;
  /** A value may be used as one of a class below the declared one, without a cast (PHP). */
  narrows: boolean;
  /** How sure a reference is to what a text names (PHP). Without it, what is named for its name alone is sure, and of classes only attributes are. */
  texts?: number;
  /** A method that is named without a call is handed on (C#). */
  methodGroups: boolean;
  /**
   * What a library's method gives to the function among its arguments at `index`, where that is no `element` of what it is called on: `held` tells of another
   * argument what is in it, `given` what it is.
   */
  handsOn?(member: string, index: number, position: number, element: Type, held: (index: number) => Type, given: (index: number) => Type): Type | undefined;
  /** Types of the library whose static methods call functions with what is in their first argument (C#). */
  looping?: RegExp;
  /** Functions and methods that give an object of the class that they are given by its name, dotted (PHP). */
  makes?: RegExp;
  /** The names of all methods that a type of the library has, where they are known; "[]" is any array (C#). */
  methodsOf?(type: string): ReadonlySet<string> | undefined;
  /** What a method or field of the standard library gives. */
  library(receiver: ForeignType, member: string): Type | undefined;
  /**
   * What a method of the standard library gives that rests on what it is given: `given` tells of an argument, by its place, what it is, and of a
   * function what that gives. The receiver may be the type itself, by its name.
   */
  made?(receiver: ForeignType, member: string, given: (position: number) => Type, count: number): Type | undefined;
  /** What a generic method gives that is given one type and is not the code base's: where this says nothing, an object of that type. */
  ofType?(member: string, type: Type): Type | undefined;
  /** What a type of a library inherits from, by the names, as far as that is known (PHP). */
  foreignAbove?: ReadonlyMap<string, readonly string[]>;
  /** The same, for the choice among overloads alone (Java, C#). */
  supertypes?: ReadonlyMap<string, readonly string[]>;
  /** The method of a class that an index into it runs (PHP). */
  indexMethod?: string;
  /** What the language runs without a name it runs of classes that have an interface of its library for it, but for names with `__` (PHP). */
  byInterface?: true;
  /** The method of an iterator that gives what a loop over it gives (PHP). */
  currentMethod?: string;
  /** What a loop over a library's type gives, or an index into it. */
  element(type: ForeignType, index: boolean): Type | undefined;
  /**
   * Names of the methods that may run where a class has none of the name that is called, as `__call` does (PHP). `isStatic`: called on
   * the class itself; `hasForeign`: a base of the class is not of the code base. Without `of`, those of any class.
   */
  readonly standIns?: (name: string, of?: { isStatic: boolean; hasForeign: boolean }) => readonly string[];
  /** The method that answers for a property which no class declares, by the property's name behind a sign of how it is used (PHP). */
  answerOf?(name: string): string;
  /** What a call gives that such a method runs as a part of a query for objects of a type (PHP). */
  query?(type: Type): Type;
  /** What a library's method gives that is called on a class of the repository by its name (PHP). */
  inheritedStatic?(type: Type, member: string): Type | undefined;
  /** What it says of functions as values. */
  functions?: FunctionRules;
}

export interface FunctionRules {
  /** An interface with one method stands for a function (Java). */
  interfaces: boolean;
  /** A library's type whose values are functions, by its name. */
  isFunction(type: string): boolean;
  /** Whether a method of such a type runs the function. */
  runs(type: string, method: string): boolean;
  /** Methods that put their arguments into a list or a table. */
  fills: RegExp;
  /** Methods that give what the functions give that they are given, alone or in something. */
  gives?: RegExp;
  /** Methods that give what they are given, alone or in something. */
  passes: RegExp;
  /** Methods and functions of libraries that hand an object to whatever handles its type: events, messages, jobs. */
  sends: RegExp;
  /** Such a method may be called on the class of what is sent, and such an object may have the method that handles it (Laravel). */
  sendsItself?: RegExp;
  /** Properties of the library that give what is in a list or a table. */
  parts?: RegExp;
  /** Methods of the library that give what they are called on, or some of what is in it; all of them, if not said. */
  keeps?: RegExp;
  /** The type of tuples, whose parts have names of their own (C#). */
  tuple?: string;
  /** A method says that it overrides another one (Java, C#). So it is known which methods a library may call on an object that it is given. */
  hands?: true;
  /** Methods of interfaces of the library, by their names, where a method does not say that it is one of these (C#). */
  implemented?: ReadonlyMap<string, ReadonlySet<string>>;
  /** A field is called like a method (C#). */
  calledFields: boolean;
  /** Which argument a library's free function calls; -1 for none (PHP). */
  calls?(name: string): number;
  /** Whether a library's value may be a function or hold some, though its type does not say so; "" is no type (PHP). */
  mayHold?(type: string): boolean;
  /** What tests put into the code that they test is left out (PHP). */
  testsApart?: true;
}
