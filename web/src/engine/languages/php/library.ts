import type { Rules } from "../classes/rules.ts";
import { foreign, type ForeignType, type Type } from "../classes/types.ts";
import { calls, FILLS, isFunction, KEEPS, mayHold, PASSES, runs, SENDS, SENDS_ITSELF } from "./functions.ts";

/** Methods of collections that give one of what they hold. */
const ELEMENT = new Set([
  "current", "first", "last", "get", "find", "findOneBy", "offsetGet", "pop", "shift", "dequeue", "top", "bottom", "extract", "next", "fetch", "getReturn", "firstOrFail", "sole",
]);
const SAME = new Set(["filter", "slice", "where", "getIterator", "reverse", "values", "take", "unique", "sortBy", "each", "matching"]);

function library({ name, args }: ForeignType, member: string): Type | undefined {
  const held = args.at(-1);
  if (!held) return undefined;
  if (ELEMENT.has(member)) return held;
  if (SAME.has(member)) return foreign(name, args);
  return member === "all" || member === "toArray" || member === "getArrayCopy" ? { kind: "array", element: held } : undefined;
}

export const rules: Rules = {
  ignoreCase: true,
  outerNamespaces: false,
  overloads: false,
  freeFunctions: true,
  extraArguments: true,
  inheritedConstructors: true,
  narrows: true,
  methodGroups: false,
  library,
  element: ({ args }) => args.at(-1),
  functions: { interfaces: false, isFunction, runs, fills: FILLS, passes: PASSES, sends: SENDS, sendsItself: SENDS_ITSELF, keeps: KEEPS, calledFields: false, calls, mayHold, testsApart: true },
};
