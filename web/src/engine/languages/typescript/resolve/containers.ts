/** Functions and methods of the language that put values into lists, sets and maps, or take them out. */

/** Classes whose objects hold the elements of what their constructor takes. */
export const COLLECTIONS: ReadonlySet<string> = new Set(["Array", "Map", "Set", "WeakMap", "WeakSet"]);

/** Methods that add their arguments to an array, a set or a map: from which argument on. */
export const FILLS: ReadonlyMap<string, number> = new Map([["push", 0], ["unshift", 0], ["add", 0], ["set", 1], ["splice", 2]]);

/** Methods that return elements of an array, a set or a map. */
export const GIVES: ReadonlySet<string> = new Set([
  "get", "values", "entries", "at", "pop", "shift", "slice", "splice", "filter", "concat", "reverse", "toReversed", "find", "findLast", "flat", "sort", "toSorted",
]);

/** Functions that return their arguments or elements of these. */
export const LISTS: ReadonlySet<string> = new Set(["values", "entries", "from", "of", "assign", "freeze", "seal", "fromEntries"]);

/** Methods that call a function with the elements of an array, a set or a map. */
export const ITERATES: ReadonlySet<string> = new Set(["forEach", "map", "filter", "some", "every", "find", "findLast", "findIndex", "flatMap", "reduce", "reduceRight"]);

/** Those of them that give what the function gives. */
export const MAKES: ReadonlySet<string> = new Set(["map", "flatMap", "reduce", "reduceRight"]);
