import type { Rules } from "../classes/rules.ts";
import { foreign, type ForeignType, type Type } from "../classes/types.ts";
import { answerOf, calls, FILLS, isFunction, KEEPS, mayHold, PASSES, runs, SENDS, SENDS_ITSELF } from "./functions.ts";

/** Methods of collections that give one of what they hold. */
const ELEMENT = new Set([
  "current", "first", "last", "get", "find", "findOneBy", "offsetGet", "pop", "shift", "dequeue", "top", "bottom", "extract", "next", "fetch", "getReturn", "firstOrFail", "sole",
]);
const SAME = new Set(["filter", "slice", "where", "getIterator", "reverse", "values", "take", "unique", "sortBy", "each", "matching"]);

/** What Eloquent hands on from a class of records, or a relation, to a query: methods that give one record, and those that give the query. */
const RECORD = /^(?:create|find|findOr\w+|first|first\w+|forceCreate|make|sole|updateOrCreate)$/;
const QUERY = /^(?:doesntHave|has|inRandomOrder|join|latest|limit|newQuery|oldest|onlyTrashed|or[A-Z]\w*|order\w*|query|select|skip|take|when|where\w*|with\w*)$/;
const QUERIES = /^(?:Builder|(?:Belongs|Has|Morph)[A-Z]\w*)$/;

/** What PSR-7's messages inherit from, and what they and their addresses give that is of its types, too. */
const ABOVE: ReadonlyMap<string, readonly string[]> = new Map([
  ["RequestInterface", ["MessageInterface"]], ["ResponseInterface", ["MessageInterface"]], ["ServerRequestInterface", ["RequestInterface", "MessageInterface"]],
]);
const MESSAGE = /^(?:Message|(?:Server)?Request|Response)Interface$/;
const PARTS: ReadonlyMap<string, string> = new Map([["getBody", "StreamInterface"], ["getUri", "UriInterface"]]);

function library({ name, args }: ForeignType, member: string): Type | undefined {
  if (MESSAGE.test(name) && PARTS.has(member)) return foreign(PARTS.get(member)!);
  if (/^with[A-Z]/.test(member) && (MESSAGE.test(name) || name === "UriInterface")) return foreign(name);
  const held = args.at(-1);
  if (!held) return undefined;
  if (QUERIES.test(name)) {
    if (RECORD.test(member)) return held;
    if (QUERY.test(member)) return query(held);
    if (/^(?:get|paginate|cursor|lazy)$/.test(member)) return foreign("Collection", [held]);
  }
  if (ELEMENT.has(member)) return held;
  if (SAME.has(member)) return foreign(name, args);
  return member === "all" || member === "toArray" || member === "getArrayCopy" ? { kind: "array", element: held } : undefined;
}

function query(type: Type): Type {
  return foreign("Builder", [type]);
}

/** A scope of Laravel, by its name without the prefix; and what PHP runs where there is no such method. */
function standIns(name: string, of?: { isStatic: boolean; hasForeign: boolean }): readonly string[] {
  if (name.startsWith("__")) return [];
  const scope = of?.hasForeign === false ? [] : [`scope${name}`];
  return of ? [...scope, of.isStatic ? "__callStatic" : "__call"] : [...scope, "__callStatic", "__call"];
}

export const rules: Rules = {
  standIns,
  answerOf,
  query,
  inheritedStatic: (type, member) => (RECORD.test(member) ? type : QUERY.test(member) ? query(type) : /^(?:all|get)$/.test(member) ? foreign("Collection", [type]) : undefined),
  ignoreCase: true,
  outerNamespaces: false,
  arityCounts: false,
  nestedTypes: false,
  overloads: false,
  conversions: false,
  primitiveArguments: false,
  interfacesApart: false,
  freeFunctions: true,
  extraArguments: true,
  inheritedConstructors: true,
  narrows: true,
  // Those of containers, and of PHPUnit.
  makes: /(?:^|\.)(?:app|createMock|createPartialMock|createStub|createConfiguredMock|getMockForAbstractClass|make|resolve)$/,
  foreignAbove: ABOVE,
  indexMethod: "offsetGet",
  currentMethod: "current",
  byInterface: true,
  methodGroups: false,
  texts: 0.7,
  library,
  element: ({ args }) => args.at(-1),
  functions: { interfaces: false, isFunction, runs, fills: FILLS, passes: PASSES, sends: SENDS, sendsItself: SENDS_ITSELF, keeps: KEEPS, calledFields: false, calls, mayHold, testsApart: true },
};
