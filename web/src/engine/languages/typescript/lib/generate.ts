/** Writes builtins.ts from es.d.ts: npx tsx src/engine/languages/typescript/lib/generate.ts */
import { readFileSync, writeFileSync } from "node:fs";
import { extract } from "../../../../../test/languages.ts";
import type { ModuleFacts } from "../facts.ts";
import { typescript } from "../index.ts";

/** The facts of es.d.ts, as builtins.ts should have them. */
export async function generate(): Promise<string> {
  const source = readFileSync(new URL("es.d.ts.txt", import.meta.url), "utf8");
  const facts = (await extract(typescript, "es.d.ts", source)).data as ModuleFacts;
  // There is nothing to draw here: no symbols.
  for (const list of [facts.functions, facts.shapes, facts.aliases, facts.enums, facts.shapes.flatMap((s) => s.members)]) {
    for (const fact of list) fact.symbol = -1;
  }
  for (const head of facts.bindings) {
    for (let at = head; at !== 0; at = facts.code[at + 1]!) if (facts.code[at] === 100) facts.code[at + 4] = -1;
  }
  return [
    "// Made from es.d.ts.txt by generate.ts. Do not edit.",
    'import type { ModuleFacts } from "../facts.ts";',
    "",
    "/** The built-in declarations, read anew each time: resolvers do not share them. */",
    "export function builtins(): ModuleFacts {",
    "  return JSON.parse(FACTS) as ModuleFacts;",
    "}",
    "",
    `const FACTS = ${JSON.stringify(JSON.stringify(facts))};`,
    "",
  ].join("\n");
}

if (process.argv[1]?.endsWith("generate.ts")) {
  writeFileSync(new URL("builtins.ts", import.meta.url), await generate());
}
