/** A call that may lead to very many methods tells of the declared one alone: edges must not grow with the square of a file. */
import { expect, test } from "vitest";
import { extract } from "../../../test/languages.ts";
import type { Language } from "../language.ts";
import { go } from "./go/index.ts";
import { typescript } from "./typescript/index.ts";

/** How many calls are emitted for a file: those from methods, and those from functions. */
async function calls(language: Language, path: string, source: string): Promise<{ ofMethods: number; ofFunctions: number }> {
  const facts = await extract(language, path, source);
  const count = { ofMethods: 0, ofFunctions: 0 };
  language.resolve({ files: [{ path, facts }], paths: new Set([path]), read: () => undefined }, (type, from) => {
    if (type === "CALLS") count[facts.symbols[from.symbol]?.kind === "Method" ? "ofMethods" : "ofFunctions"]++;
  });
  return count;
}

const list = (count: number, item: (i: number) => string, between = "\n"): string => Array.from({ length: count }, (_, i) => item(i)).join(between);

const chain = (count: number): string => list(count, (i) => `class A${i} extends A${i - 1} { run() { this.run(); } }`).replace(" extends A-1", "");
const wide = (count: number): string => `class Base { run() { this.run(); } }\n${list(count, (i) => `class A${i} extends Base { run() {} }`)}`;
const promised = (count: number): string => `interface Runs { run(): void }\nfunction go(r: Runs) { r.run(); }\n${list(count, (i) => `class A${i} implements Runs { run() {} }`)}`;

test.each([
  // Each but the last hundred has too many below it; of these each has one less than the one before.
  ["classes that each override the one before", chain(1_000), { ofMethods: 1_000 + (100 * 101) / 2, ofFunctions: 0 }],
  ["a class with a hundred overriding ones", wide(100), { ofMethods: 101, ofFunctions: 0 }],
  ["one more", wide(101), { ofMethods: 1, ofFunctions: 0 }],
  ["an interface with a hundred classes", promised(100), { ofMethods: 0, ofFunctions: 101 }],
  ["one more", promised(101), { ofMethods: 0, ofFunctions: 1 }],
])("TypeScript: %s", async (_, source, expected) => {
  expect(await calls(typescript, "a.ts", source)).toEqual(expected);
});

const implementing = (count: number): string => `package p\ntype Runs interface { Run() }\nfunc start(r Runs) { r.Run() }\n${list(count, (i) => `type A${i} struct{}\nfunc (a A${i}) Run() {}`)}`;

test.each([
  ["an interface with a hundred types", implementing(100), { ofMethods: 0, ofFunctions: 101 }],
  ["one more", implementing(101), { ofMethods: 0, ofFunctions: 1 }],
])("Go: %s", async (_, source, expected) => {
  expect(await calls(go, "a.go", source)).toEqual(expected);
});
