import type { Rules } from "../classes/rules.ts";
import { foreign, type ForeignType, type Type } from "../classes/types.ts";
import { FILLS, isFunction, PARTS, PASSES, runs, SENDS } from "./functions.ts";

/** What the library's types give, for chains that lead through it. */
const FIRST = new Set([
  "First", "FirstOrDefault", "Single", "SingleOrDefault", "Last", "LastOrDefault", "ElementAt", "ElementAtOrDefault", "Find", "FindLast", "Dequeue", "Pop", "Peek",
  "Current", "Value", "Result", "GetValueOrDefault", "Target", "MinBy", "MaxBy", "Min", "Max", "Aggregate", "Invoke", "GetResult",
]);
const SAME = new Set([
  "Where", "OrderBy", "OrderByDescending", "ThenBy", "ThenByDescending", "Skip", "Take", "SkipWhile", "TakeWhile", "Distinct", "Reverse", "Concat", "Union", "Except",
  "Intersect", "AsEnumerable", "AsQueryable", "DefaultIfEmpty", "Append", "Prepend", "FindAll", "AsReadOnly", "ConfigureAwait", "GetRange", "AsParallel",
]);
const STRING = new Set([
  "ToString", "Substring", "Trim", "TrimStart", "TrimEnd", "Replace", "ToLower", "ToUpper", "ToLowerInvariant", "ToUpperInvariant", "Format", "Join", "Concat", "Insert", "Remove",
  "PadLeft", "PadRight", "Name", "FullName", "Message", "ReadLine", "ReadToEnd", "Combine", "GetFileName", "ReadAllText", "Empty", "NewLine",
]);
const INT = new Set(["Length", "Count", "IndexOf", "LastIndexOf", "GetHashCode", "CompareTo", "MaxValue", "MinValue"]);
const BOOLEAN = new Set([
  "Equals", "Contains", "ContainsKey", "StartsWith", "EndsWith", "Any", "All", "IsNullOrEmpty", "IsNullOrWhiteSpace", "HasValue", "MoveNext", "TryGetValue", "Exists", "TryParse",
]);

function library({ name, args }: ForeignType, member: string): Type | undefined {
  const [key, value] = args;
  if (/Dictionary$|^SortedList$|^ILookup$/.test(name) && value) {
    if (member === "Values") return foreign("ICollection", [value]);
    if (member === "Keys") return foreign("ICollection", [key!]);
    if (FIRST.has(member)) return foreign("KeyValuePair", args);
    if (SAME.has(member)) return foreign("IEnumerable", [foreign("KeyValuePair", args)]);
  }
  if (name === "KeyValuePair" && value) return member === "Key" ? key : member === "Value" ? value : undefined;
  if (key && !value) {
    if (FIRST.has(member)) return key;
    if (SAME.has(member)) return foreign(/Task$/.test(name) ? name : "IEnumerable", args);
    if (member === "ToList") return foreign("List", args);
    if (member === "ToArray") return { kind: "array", element: key };
    if (member === "GetEnumerator") return foreign("IEnumerator", args);
    if (member === "GetAwaiter") return foreign("TaskAwaiter", args);
    if (member === "OfType" || member === "Cast") return undefined;
  }
  if (name === "StringBuilder" && /^(Append|AppendLine|AppendFormat|Insert|Remove|Replace|Clear)$/.test(member)) return foreign("StringBuilder");
  if ((name === "string" || name === "String") && member === "Split") return { kind: "array", element: foreign("string") };
  if ((name === "string" || name === "String") && member === "ToCharArray") return { kind: "array", element: foreign("char") };
  if (member === "GetType") return foreign("Type");
  if (/^(M..Value|Parse)$/.test(member) && /^(int|long|short|byte|char|double|float|decimal|Int32|Int64|Double)$/.test(name)) return foreign(name);
  if (STRING.has(member)) return foreign("string");
  if (INT.has(member)) return foreign("int");
  if (BOOLEAN.has(member)) return foreign("bool");
  return undefined;
}

function element({ name, args }: ForeignType, index: boolean): Type | undefined {
  const [key, value] = args;
  if (name === "string" || name === "String") return foreign("char");
  if (value && /Dictionary$|^SortedList$/.test(name)) return index ? value : foreign("KeyValuePair", args);
  return value ? undefined : key;
}

export const rules: Rules = {
  ignoreCase: false,
  outerNamespaces: true,
  overloads: true,
  freeFunctions: false,
  extraArguments: false,
  inheritedConstructors: false,
  narrows: false,
  methodGroups: true,
  library,
  element,
  functions: { interfaces: false, isFunction, runs, fills: FILLS, passes: PASSES, sends: SENDS, parts: PARTS, calledFields: true },
};
