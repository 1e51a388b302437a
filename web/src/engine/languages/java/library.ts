import type { Rules } from "../classes/rules.ts";
import { foreign, type ForeignType, type Type } from "../classes/types.ts";
import { COMBINES, FILLS, isFunction, PASSES, runs, SENDS } from "./functions.ts";

/** What the library's generic types give, for chains that lead through it: methods by what they give of their receiver. */
const FIRST = new Set([
  "get", "next", "previous", "remove", "poll", "peek", "element", "pop", "take", "first", "last", "getFirst", "getLast", "removeFirst", "removeLast", "pollFirst", "pollLast",
  "peekFirst", "peekLast", "orElse", "orElseThrow", "orElseGet", "join", "set", "elementAt", "firstElement", "lastElement", "call", "lowest", "floor", "ceiling", "higher", "lower",
]);
const VALUE = new Set(["get", "getOrDefault", "put", "putIfAbsent", "remove", "computeIfAbsent", "computeIfPresent", "compute", "merge", "replace", "getValue"]);
const SAME = new Set([
  "filter", "sorted", "distinct", "limit", "skip", "peek", "parallel", "sequential", "or", "subList", "reversed", "headSet", "tailSet", "takeWhile", "dropWhile",
]);
const ONE_ARGUMENT = new Map(Object.entries({
  stream: "Stream", parallelStream: "Stream", iterator: "Iterator", listIterator: "ListIterator", findFirst: "Optional", findAny: "Optional", max: "Optional", min: "Optional",
  toList: "List", descendingIterator: "Iterator",
}));
const STRING = new Set(["substring", "trim", "toString", "toLowerCase", "toUpperCase", "replace", "concat", "name", "getName", "getSimpleName", "strip", "repeat", "group", "readLine", "getMessage", "getPath", "replaceAll", "replaceFirst", "lineSeparator", "readString", "getProperty", "getenv"]);
const INT = new Set(["length", "size", "indexOf", "lastIndexOf", "hashCode", "compareTo", "ordinal"]);
const BOOLEAN = new Set(["equals", "isEmpty", "contains", "containsKey", "startsWith", "endsWith", "hasNext", "isPresent", "matches", "find", "equalsIgnoreCase", "exists", "add"]);

function library({ name, args }: ForeignType, member: string): Type | undefined {
  if (name === "[]" && member === "clone") return { kind: "array", element: args[0]! };
  if (COMBINES.test(member) && isFunction(name)) return foreign(name, args);
  const [key, value] = args;
  if (/Map$/.test(name) && value) {
    if (VALUE.has(member)) return value;
    if (member === "values") return foreign("Collection", [value]);
    if (member === "keySet" || member === "navigableKeySet") return foreign("Set", [key!]);
    if (member === "entrySet") return foreign("Set", [foreign("Entry", args)]);
    if (/Entry$/.test(member)) return foreign("Entry", args);
    if (/Key$/.test(member)) return key;
  }
  if (name === "Entry" && value) return member === "getKey" ? key : member === "getValue" ? value : undefined;
  if (key && !value) {
    if (FIRST.has(member)) return key;
    if (SAME.has(member)) return foreign(name, args);
    const made = ONE_ARGUMENT.get(member);
    if (made !== undefined) return foreign(made, args);
  }
  if (name === "String" && member === "charAt") return foreign("char");
  if (name === "String" && member === "split") return { kind: "array", element: foreign("String") };
  if (name === "String" && /^(valueOf|format|join)$/.test(member)) return foreign("String");
  if (member === "valueOf" && /^(Integer|Long|Short|Byte|Character|Double|Float|Boolean)$/.test(name)) return foreign(name);
  const primitive = /^(char|int|long|short|byte|double|float|boolean)Value$/.exec(member);
  if (primitive) return foreign(primitive[1]!);
  if (member === "toPath") return foreign("Path");
  if (/^String(Builder|Buffer)$/.test(name) && /^(append|insert|reverse|delete|deleteCharAt|replace)$/.test(member)) return foreign(name);
  if (STRING.has(member)) return foreign("String");
  if (INT.has(member)) return foreign("int");
  if (BOOLEAN.has(member)) return foreign("boolean");
  return undefined;
}

export const rules: Rules = {
  ignoreCase: false,
  outerNamespaces: false,
  overloads: true,
  freeFunctions: false,
  extraArguments: false,
  inheritedConstructors: false,
  narrows: false,
  methodGroups: false,
  library,
  element: ({ name, args }) => (/Map$/.test(name) ? undefined : args.length === 1 ? args[0] : undefined),
  functions: { interfaces: true, isFunction, runs, fills: FILLS, passes: PASSES, sends: SENDS, calledFields: false },
};
