import type { NameRules } from "./program.ts";
import type { ForeignType, Type } from "./types.ts";

/** What a language says about itself and its library. */
export interface Rules extends NameRules {
  /** A class may have several methods of one name, told apart by their parameters. */
  overloads: boolean;
  /** A name that is called is a free function, never a member (PHP). */
  freeFunctions: boolean;
  /** A call may give more arguments than there are parameters (PHP). */
  extraArguments: boolean;
  /** `new` runs a constructor of a class above where there is no own one (PHP). */
  inheritedConstructors: boolean;
  /** A method that is named without a call is handed on (C#). */
  methodGroups: boolean;
  /** What a method or field of the standard library gives. */
  library(receiver: ForeignType, member: string): Type | undefined;
  /** What a loop over a library's type gives, or an index into it. */
  element(type: ForeignType, index: boolean): Type | undefined;
}
