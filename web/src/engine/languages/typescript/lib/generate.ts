/** Writes builtins.ts and libraries.ts: npx tsx src/engine/languages/typescript/lib/generate.ts */
import { readFileSync, writeFileSync } from "node:fs";
import { extract } from "../../../../../test/languages.ts";
import type { ModuleFacts } from "../facts.ts";
import { typescript } from "../index.ts";

/** The declarations that go into a module, and the function that gives their facts. */
const MADE = {
  "builtins.ts": { from: "es.d.ts.txt", gives: "builtins", of: "built-in declarations" },
  "libraries.ts": { from: "libraries.d.ts.txt", gives: "libraries", of: "declarations of libraries" },
};
export type Made = keyof typeof MADE;

/** A module with the facts of declarations, as it should be. */
export async function generate(name: Made): Promise<string> {
  const { from, gives, of } = MADE[name];
  const source = readFileSync(new URL(from, import.meta.url), "utf8");
  const facts = (await extract(typescript, from.replace(/\.txt$/, ""), source)).data as ModuleFacts;
  // There is nothing to draw here: no symbols.
  for (const list of [facts.functions, facts.shapes, facts.aliases, facts.enums, facts.namespaces, facts.shapes.flatMap((s) => s.members)]) {
    for (const fact of list) fact.symbol = -1;
  }
  for (const head of facts.bindings) {
    for (let at = head; at !== 0; at = facts.code[at + 1]!) if (facts.code[at] === 100) facts.code[at + 4] = -1;
  }
  return [
    `// Made from ${from} by generate.ts. Do not edit.`,
    'import type { ModuleFacts } from "../facts.ts";',
    "",
    "let facts: ModuleFacts | undefined;",
    "",
    `/** The ${of}, read once: nobody changes facts. */`,
    `export function ${gives}(): ModuleFacts {`,
    "  return (facts ??= JSON.parse(FACTS) as ModuleFacts);",
    "}",
    "",
    `const FACTS = ${JSON.stringify(JSON.stringify(facts))};`,
    "",
  ].join("\n");
}

if (process.argv[1]?.endsWith("generate.ts")) {
  for (const name of Object.keys(MADE) as Made[]) writeFileSync(new URL(name, import.meta.url), await generate(name));
}
