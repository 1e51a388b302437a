import type { Rules } from "../classes/rules.ts";
import { SUPERTYPES } from "./supertypes.ts";
import { TUPLE } from "./types.ts";
import { foreign, type ForeignType, plain, type Type, UNKNOWN } from "../classes/types.ts";
import { FILLS, GIVES, IMPLEMENTED, isFunction, PARTS, PASSES, runs, SENDS } from "./functions.ts";

/** What the library's types give, for chains that lead through it. */
const FIRST = new Set([
  "First", "FirstOrDefault", "Single", "SingleOrDefault", "Last", "LastOrDefault", "ElementAt", "ElementAtOrDefault", "Find", "FindLast", "Dequeue", "Pop", "Peek",
  "Current", "Value", "Result", "GetValueOrDefault", "Target", "MinBy", "MaxBy", "Min", "Max", "Aggregate", "Invoke", "GetResult",
  "Entity", "Object",
]);
const SAME = new Set([
  "Where", "OrderBy", "OrderByDescending", "ThenBy", "ThenByDescending", "Skip", "Take", "SkipWhile", "TakeWhile", "Distinct", "Reverse", "Concat", "Union", "Except",
  "Intersect", "AsEnumerable", "AsQueryable", "DefaultIfEmpty", "Append", "Prepend", "FindAll", "AsReadOnly", "ConfigureAwait", "GetRange", "AsParallel",
  "TakeLast", "SkipLast", "DistinctBy", "ExceptBy", "IntersectBy", "UnionBy", "Order", "OrderDescending", "AsSpan", "Slice", "AsAsyncEnumerable", "WithCancellation", "ReadAllAsync",
  "Include", "ThenInclude", "AsNoTracking", "AsTracking", "AsSplitQuery", "IgnoreQueryFilters",
]);
/** Parts of the library's types that are known by their names alone: hosts and what they are built with. */
const PARTS_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  WebApplication: { CreateBuilder: "WebApplicationBuilder", CreateSlimBuilder: "WebApplicationBuilder", Services: "IServiceProvider", Configuration: "IConfiguration", MapGroup: "RouteGroupBuilder" },
  WebApplicationBuilder: { Services: "IServiceCollection", Configuration: "ConfigurationManager", Build: "WebApplication" },
  Host: { CreateApplicationBuilder: "HostApplicationBuilder" },
  HostApplicationBuilder: { Services: "IServiceCollection", Configuration: "ConfigurationManager", Build: "IHost" },
  IHost: { Services: "IServiceProvider" },
  RouteGroupBuilder: { MapGroup: "RouteGroupBuilder" },
};
const STRING = new Set([
  "ToString", "Substring", "Trim", "TrimStart", "TrimEnd", "Replace", "ToLower", "ToUpper", "ToLowerInvariant", "ToUpperInvariant", "Format", "Join", "Concat", "Insert", "Remove",
  "PadLeft", "PadRight", "Name", "FullName", "Message", "ReadLine", "ReadToEnd", "Combine", "GetFileName", "ReadAllText", "Empty", "NewLine",
]);
const CONVERTED = new Map(Object.entries({
  ToBoolean: "bool", ToByte: "byte", ToChar: "char", ToDecimal: "decimal", ToDouble: "double", ToInt16: "short", ToInt32: "int", ToInt64: "long", ToSByte: "sbyte", ToSingle: "float",
  ToUInt16: "ushort", ToUInt32: "uint", ToUInt64: "ulong",
}));
const BYTES = new Set(["FromBase64String", "GetBytes", "ReadAllBytes", "ReadBytes", "ComputeHash", "TransformFinalBlock"]);
const INT = new Set(["Length", "Count", "IndexOf", "LastIndexOf", "GetHashCode", "CompareTo", "MaxValue", "MinValue"]);
const BOOLEAN = new Set([
  "Equals", "Contains", "ContainsKey", "StartsWith", "EndsWith", "Any", "All", "IsNullOrEmpty", "IsNullOrWhiteSpace", "HasValue", "MoveNext", "TryGetValue", "Exists", "TryParse",
]);

const OBJECT = ["Equals", "GetHashCode", "GetType", "ToString", "MemberwiseClone"];
const NUMBER_METHODS = new Set([...OBJECT, "CompareTo", "GetTypeCode", "TryFormat", "HasFlag"]);
const ARRAY_METHODS = new Set([
  ...OBJECT, "Clone", "CopyTo", "GetEnumerator", "GetLength", "GetLongLength", "GetLowerBound", "GetUpperBound", "GetValue", "Initialize", "SetValue", "Address", "Get", "Set",
]);

/** Simple types and arrays never get another method: any other is an extension's. */
function methodsOf(type: string): ReadonlySet<string> | undefined {
  return type === "[]" ? ARRAY_METHODS : /^(?:s?byte|u?short|u?int|u?long|float|double|decimal|bool|char)$/.test(plain(type).replace("boolean", "bool")) ? NUMBER_METHODS : undefined;
}

function library({ name, args, names }: ForeignType, member: string): Type | undefined {
  const [key, value] = args;
  if (/Dictionary$|^SortedList$/.test(name) && value) {
    if (member === "Values") return foreign("ICollection", [value]);
    if (member === "Keys") return foreign("ICollection", [key!]);
    if (/^(?:GetOrAdd|AddOrUpdate|GetValueOrDefault)$/.test(member)) return value;
    if (FIRST.has(member)) return foreign("KeyValuePair", args);
    if (SAME.has(member)) return foreign("IEnumerable", [foreign("KeyValuePair", args)]);
  }
  if (name === TUPLE) return args[/^Item\d$/.test(member) ? Number(member.slice(4)) - 1 : names?.indexOf(member) ?? -1];
  // What is in a group.
  if (name === "IGrouping" && value) return member === "Key" ? key : library(foreign("IEnumerable", [value]), member);
  if (name === "KeyValuePair" && value) return /^(?:Key|Item1)$/.test(member) ? key : /^(?:Value|Item2)$/.test(member) ? value : undefined;
  if (name === "PriorityQueue" && value) return library(foreign("Queue", [key!]), member);
  if (/^(?:Channel|ChannelReader)$/.test(name) && member === "Reader") return foreign("ChannelReader", args.slice(-1));
  if (name === "LinkedList" && /^(?:First|Last|Find|FindLast)$/.test(member)) return foreign("LinkedListNode", args);
  if (name === "LinkedListNode" && /^(?:Next|Previous)$/.test(member)) return foreign(name, args);
  if (key && !value) {
    const later = /^(\w+)Async$/.exec(member)?.[1];
    if (later !== undefined && !/Task$/.test(name)) {
      const given = later === "Read" ? key : FIRST.has(later) || /^To(?:List|HashSet|Array)$/.test(later) ? library({ name, args, kind: "foreign" }, later) : undefined;
      if (given) return foreign("Task", [given]);
    }
    if (name === "TaskCompletionSource" && member === "Task") return foreign("Task", args);
    if (member === "Chunk") return foreign("IEnumerable", [{ kind: "array", element: key }]);
    if (FIRST.has(member)) return key;
    if (SAME.has(member)) return foreign(/Task$/.test(name) ? name : "IEnumerable", args);
    if (/^To(?:Immutable)?(?:List|HashSet)$/.test(member)) return foreign(member.endsWith("List") ? "List" : "HashSet", args);
    if (member === "ToArray") return { kind: "array", element: key };
    if (member === "GetEnumerator") return foreign("IEnumerator", args);
    if (member === "GetAwaiter") return foreign("TaskAwaiter", args);
    if (member === "OfType" || member === "Cast") return undefined;
  }
  const part = Object.hasOwn(PARTS_OF, name) ? PARTS_OF[name]![member] : undefined;
  if (part !== undefined) return foreign(part);
  if (name === "Enumerable" && member === "Range") return foreign("IEnumerable", [foreign("int")]);
  if (name === "StringBuilder" && /^(Append|AppendLine|AppendFormat|Insert|Remove|Replace|Clear)$/.test(member)) return foreign("StringBuilder");
  if ((name === "string" || name === "String") && member === "Split") return { kind: "array", element: foreign("string") };
  if ((name === "string" || name === "String") && member === "ToCharArray") return { kind: "array", element: foreign("char") };
  if (member === "GetType") return foreign("Type");
  if (/^(M..Value|Parse)$/.test(member) && /^(int|long|short|byte|char|double|float|decimal|Int32|Int64|Double)$/.test(name)) return foreign(name);
  if (/^[cC]har$/.test(name) && /^To(?:Upper|Lower)/.test(member)) return foreign("char");
  const converted = name === "Convert" ? CONVERTED.get(member) : undefined;
  if (converted !== undefined) return foreign(converted);
  if (BYTES.has(member)) return { kind: "array", element: foreign("byte") };
  if (STRING.has(member)) return foreign("string");
  if (INT.has(member)) return foreign("int");
  if (BOOLEAN.has(member)) return foreign("bool");
  return undefined;
}

/** What the library gives that rests on what it is given: what a query selects, groups and makes tables of, and what tasks give. */
function made({ name, args }: ForeignType, member: string, given: (position: number) => Type, count: number): Type | undefined {
  const some = (type: string, ...held: Type[]): Type | undefined => (held.every(({ kind }) => kind === "unknown") ? undefined : foreign(type, held));
  if (/^(?:Value)?Task$/.test(name) && args.length === 0) {
    const result = given(0);
    if (member === "FromResult") return some("Task", result);
    if (member === "Run") return isTask(result) ? result : some("Task", result);
    if (member === "WhenAll") return some("Task", itemsOf(result));
    if (member === "WhenAny") return some("Task", count === 1 ? heldBy(result) : result);
  }
  if (name === "Enumerable" && member === "Repeat") return some("IEnumerable", given(0));
  if (/^(?:Volatile|Interlocked)$/.test(name) && /^(?:Read|Exchange|CompareExchange)$/.test(member)) return given(0);
  const each = name === "IGrouping" ? args[1] : /Dictionary$/.test(name) ? foreign("KeyValuePair", args) : args.length === 1 ? args[0] : undefined;
  if (each === undefined) return undefined;
  switch (member) {
    case "Select":
      return some("IEnumerable", given(0));
    case "SelectMany":
      return some("IEnumerable", count > 1 ? given(1) : heldBy(given(0)));
    case "ToDictionary":
    case "ToImmutableDictionary":
      return foreign("Dictionary", [given(0), count > 1 ? given(1) : each]);
    case "GroupBy":
      return foreign("IEnumerable", [foreign("IGrouping", [given(0), count > 1 ? given(1) : each])]);
    case "Zip":
      return count > 1 ? some("IEnumerable", given(1)) : foreign("IEnumerable", [foreign(TUPLE, [each, heldBy(given(0))])]);
    case "Join":
    case "GroupJoin":
      return some("IEnumerable", given(3));
    case "Aggregate":
      return count > 1 ? given(count - 1 > 1 ? 2 : 0) : undefined;
    case "ToLookup":
      return foreign("ILookup", [given(0), count > 1 ? given(1) : each]);
    case "ContinueWith":
      return some("Task", given(0));
    default:
      return undefined;
  }
}

/** What queries give to their functions that is not of what they are called on: of another list, the result so far, the place. */
function handsOn(member: string, index: number, position: number, element: Type, held: (index: number) => Type, given: (index: number) => Type): Type | undefined {
  switch (member) {
    case "Join":
    case "GroupJoin":
      if (index < 2) return undefined;
      return index === 3 && position === 0 ? element : index === 3 && member === "GroupJoin" ? foreign("IEnumerable", [held(0)]) : held(0);
    case "Zip":
    case "SelectMany":
      return index === 1 && position === 1 ? held(0) : index === 0 && position === 1 ? foreign("int") : undefined;
    case "Aggregate":
      return index > 0 && position === 0 ? given(0) : element;
    case "Select":
    case "Where":
    case "SkipWhile":
    case "TakeWhile":
      return position === 1 ? foreign("int") : undefined;
    default:
      return undefined;
  }
}

function isTask(type: Type): boolean {
  return type.kind === "foreign" && /^(?:Value)?Task$/.test(type.name);
}

/** What is in a list, or what a task gives. */
function heldBy(type: Type): Type {
  return type.kind === "array" ? type.element : type.kind === "foreign" && type.args.length === 1 ? type.args[0]! : UNKNOWN;
}

/** What all of several tasks give, from a list of them or one. */
function itemsOf(type: Type): Type {
  const held = isTask(type) ? heldBy(type) : heldBy(heldBy(type));
  return held.kind === "unknown" ? held : { kind: "array", element: held };
}

/** What a library's method puts a type into, `services.AddScoped<Store>()`, it gives itself: not the type. */
const ADDS = /^(?:Add|TryAdd|Use|With|Configure|Require|Map|Register|Replace)(?:[A-Z]|$)/;

/** `items.OfType<Item>()` gives several. */
function ofType(member: string, type: Type): Type | undefined {
  if (ADDS.test(member)) return UNKNOWN;
  if (member === "Set") return foreign("DbSet", [type]);
  if (member === "Entries") return foreign("IEnumerable", [foreign("EntityEntry", [type])]);
  if (member === "CreateLogger") return foreign("ILogger", [type]);
  if (/^Query(?:Async)?$/.test(member)) return member === "Query" ? foreign("IEnumerable", [type]) : foreign("Task", [foreign("IEnumerable", [type])]);
  if (/[a-z]Async$/.test(member)) return foreign("Task", [type]);
  return /^(?:OfType|Cast|Empty|GetServices|GetCustomAttributes|FindObjectsOfType|GetComponents\w*)$/.test(member) ? foreign("IEnumerable", [type]) : undefined;
}

function element({ name, args }: ForeignType, index: boolean): Type | undefined {
  const [key, value] = args;
  if (name === "string" || name === "String") return foreign("char");
  if (value && name === "IGrouping") return value;
  if (value && name === "PriorityQueue") return key;
  if (value && name === "ILookup") return index ? foreign("IEnumerable", [value]) : foreign("IGrouping", args);
  if (value && /Dictionary$|^SortedList$/.test(name)) return index ? value : foreign("KeyValuePair", args);
  return value ? undefined : key;
}

export const rules: Rules = {
  ignoreCase: false,
  outerNamespaces: true,
  arityCounts: true,
  nestedTypes: true,
  overloads: true,
  conversions: true,
  primitiveArguments: true,
  interfacesApart: true,
  freeFunctions: false,
  extraArguments: false,
  inheritedConstructors: false,
  narrows: false,
  methodGroups: true,
  handsOn,
  looping: /^(?:Parallel|Array)$/,
  methodsOf,
  supertypes: SUPERTYPES,
  library,
  made,
  ofType,
  element,
  functions: { interfaces: false, isFunction, runs, fills: FILLS, gives: GIVES, passes: PASSES, sends: SENDS, parts: PARTS, tuple: TUPLE, hands: true, implemented: IMPLEMENTED, calledFields: true },
};
