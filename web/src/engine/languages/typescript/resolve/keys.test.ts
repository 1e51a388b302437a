import { expect, test } from "vitest";
import { edgesOf } from "../../../../../test/languages.ts";

/** A class whose methods are called by a key that is one of so many texts. */
const partsOf = (count: number): Record<string, string> => {
  const names = Array.from({ length: count }, (_, i) => `part${i}`);
  return {
    "parts.js": `class Parts {\n${names.map((name) => `  ${name}() {}\n`).join("")}  run() {\n    for (const part of [${names.map((name) => `"${name}"`).join(", ")}]) this[part]();\n  }\n}\n`,
  };
};
const called = async (count: number): Promise<number> => (await edgesOf(partsOf(count), "CALLS")).filter((edge) => edge.startsWith("CALLS parts.js:Parts.run -> parts.js:Parts.part")).length;

test("a key that may be forty texts leads to the members of all of them, one of more to none", async () => {
  expect(await called(40)).toBe(40);
  expect(await called(41)).toBe(0);
});
