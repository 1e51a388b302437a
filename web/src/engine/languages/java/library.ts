import type { Rules } from "../classes/rules.ts";
import { foreign, type ForeignType, type Type, UNKNOWN } from "../classes/types.ts";
import { COMBINES, FILLS, GIVES, isFunction, PASSES, runs, SENDS } from "./functions.ts";
import { SUPERTYPES } from "./supertypes.ts";

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
const BOXED = new Map(Object.entries({ Integer: "int", Long: "long", Short: "short", Byte: "byte", Character: "char", Double: "double", Float: "float" }));

function library({ name, args }: ForeignType, member: string): Type | undefined {
  if (name === "[]" && member === "clone") return { kind: "array", element: args[0]! };
  if (COMBINES.test(member) && isFunction(name)) return foreign(name, args);
  const [key, value] = args;
  if (member === "apply" && isFunction(name)) return /Operator$/.test(name) ? key : args.at(-1);
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
  // Of what there are some, nobody says.
  if (args.length === 0 && /^(?:list|descending)?[iI]terator$|^(?:parallelS|s)tream$/.test(member)) return foreign(ONE_ARGUMENT.get(member)!);
  if (name === "String" && member === "charAt") return foreign("char");
  if (member === "getBytes" || member === "toByteArray" || member === "readAllBytes") return { kind: "array", element: foreign("byte") };
  if (member === "toCharArray") return { kind: "array", element: foreign("char") };
  const unboxed = /^getAs(Boolean|Double|Int|Long)$/.exec(member);
  if (unboxed) return foreign(unboxed[1]!.toLowerCase());
  if (name === "String" && member === "split") return { kind: "array", element: foreign("String") };
  if (name === "String" && /^(valueOf|format|join)$/.test(member)) return foreign("String");
  if (member === "valueOf" && /^(Integer|Long|Short|Byte|Character|Double|Float|Boolean)$/.test(name)) return foreign(name);
  if (/^(?:valueOf|getInstance|forName|compile|defaultCharset)$/.test(member)) return foreign(name);
  if (/^Big(?:Integer|Decimal)$/.test(name) && /^(?:add|subtract|multiply|divide|remainder|mod|negate|abs|pow|gcd|setScale)$/.test(member)) return foreign(name);
  if (name === "System" && /^(?:currentTimeMillis|nanoTime)$/.test(member)) return foreign("long");
  if (name === "Paths" && member === "get") return foreign("Path");
  if (member === "getClass") return foreign("Class");
  const box = /^(?:MAX|MIN)_VALUE$/.test(member) ? BOXED.get(name) : /^(?:SIZE|BYTES)$/.test(member) && BOXED.has(name) ? "int" : undefined;
  if (box) return foreign(box);
  const primitive = /^(char|int|long|short|byte|double|float|boolean)Value$/.exec(member);
  if (primitive) return foreign(primitive[1]!);
  if (BOXED.has(name) && /^parse(?:Unsigned)?(?:Int|Long|Short|Byte|Double|Float)$/.test(member)) return foreign(BOXED.get(name)!);
  if (member === "toPath") return foreign("Path");
  if (/^String(Builder|Buffer)$/.test(name) && /^(append|insert|reverse|delete|deleteCharAt|replace)$/.test(member)) return foreign(name);
  if (STRING.has(member)) return foreign("String");
  if (INT.has(member)) return foreign("int");
  if (BOOLEAN.has(member)) return foreign("boolean");
  return undefined;
}

/** What the library gives that rests on what it is given: what a stream is mapped to, and what it is collected into. */
function made(receiver: ForeignType, member: string, given: (position: number) => Type, count: number): Type | undefined {
  const { name, args: [held] } = receiver;
  if (/^(?:requireNonNull(?:Else)?|checkNotNull)$/.test(member)) return /^(?:Objects|Preconditions)?$/.test(name) ? given(0) : undefined;
  if (name === "Collectors" || name === "") return collector(member, given, count);
  if (/^(?:Optional|Stream|List|Set|Arrays|CompletableFuture)$/.test(name) && held === undefined) {
    if (/^(?:of|ofNullable|asList|completedFuture)$/.test(member)) return count > 0 ? holding(name === "Arrays" ? "List" : name, given(0)) : undefined;
  }
  if (member === "supplyAsync") return holding("CompletableFuture", given(0));
  if (/^(?:map|thenApply(?:Async)?|handle(?:Async)?)$/.test(member)) return holding(name, given(0));
  if (member === "mapToObj" || member === "boxed") return holding("Stream", member === "boxed" ? held ?? UNKNOWN : given(0));
  if (/^(?:flatMap|thenCompose(?:Async)?)$/.test(member)) {
    const inner = given(0);
    // `flatMap(List::stream)`
    if (inner.kind !== "unknown") return inner;
    return held?.kind === "foreign" && held.args.length === 1 ? foreign(name, held.args) : undefined;
  }
  if (held === undefined || receiver.args.length > 1) return undefined;
  if (member === "reduce") return count === 1 ? foreign("Optional", [held]) : given(0);
  if (member !== "collect") return undefined;
  const into = given(0);
  return into.kind === "foreign" && into.name === "Collector" ? completed(into.args[0] ?? UNKNOWN, held) : undefined;
}

/** What a collector makes, where it is known without what is collected; `List` and `Map<K>` get that when a stream is collected. */
function collector(member: string, given: (position: number) => Type, count: number): Type | undefined {
  const result = (type: Type): Type => foreign("Collector", [type]);
  const below = (position: number): Type => {
    const type = count > position ? given(count - 1) : foreign("Collector", [foreign("List")]);
    return (type.kind === "foreign" && type.name === "Collector" ? type.args[0] : undefined) ?? UNKNOWN;
  };
  switch (member) {
    case "toList":
    case "toUnmodifiableList":
      return result(foreign("List"));
    case "toSet":
    case "toUnmodifiableSet":
      return result(foreign("Set"));
    case "toMap":
    case "toUnmodifiableMap":
    case "toConcurrentMap":
      return result(foreign("Map", [given(0), given(1)]));
    case "groupingBy":
    case "groupingByConcurrent":
      return result(foreign("Map", [given(0), below(1)]));
    case "partitioningBy":
      return result(foreign("Map", [foreign("Boolean"), below(1)]));
    case "mapping":
      return result(completed(below(1), given(0)));
    case "joining":
      return result(foreign("String"));
    default:
      return undefined;
  }
}

/** What is collected fills the lists that a collector makes. */
function completed(type: Type, held: Type): Type {
  if (type.kind !== "foreign") return type;
  if (type.args.length === 0 && /^(?:List|Set)$/.test(type.name)) return foreign(type.name, [held]);
  return type.name === "Map" && type.args.length === 2 ? foreign("Map", [type.args[0]!, completed(type.args[1]!, held)]) : type;
}

function holding(name: string, held: Type): Type | undefined {
  return held.kind === "unknown" ? undefined : foreign(name, [held]);
}

export const rules: Rules = {
  ignoreCase: false,
  outerNamespaces: false,
  arityCounts: false,
  nestedTypes: true,
  overloads: true,
  conversions: false,
  primitiveArguments: false,
  interfacesApart: false,
  freeFunctions: false,
  extraArguments: false,
  inheritedConstructors: false,
  narrows: false,
  methodGroups: false,
  supertypes: SUPERTYPES,
  library,
  made,
  element: ({ name, args }) => (/Map$/.test(name) ? undefined : args.length === 1 ? args[0] : undefined),
  functions: { interfaces: true, isFunction, runs, fills: FILLS, gives: GIVES, passes: PASSES, sends: SENDS, hands: true, calledFields: false },
};
