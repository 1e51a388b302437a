// States TypeScript or JavaScript sources as the TypeScript checker sees them (code-graph/1):
//   node truth.mjs DIR OUT.json [--js]
// --js reads plain JavaScript too. Types of packages come from a node_modules in DIR or above it.
import fs from "node:fs";
import { callsOf } from "./calls.mjs";
import { importsOf } from "./imports.mjs";
import { openProject } from "./project.mjs";
import { Symbols } from "./symbols.mjs";

const [dir, out, mode] = process.argv.slice(2);
if (!dir || !out || (mode !== undefined && mode !== "--js")) throw new Error("usage: node truth.mjs DIR OUT.json [--js]");
const project = openProject(dir, mode === "--js");
const symbols = new Symbols(project);
for (const source of project.sources) symbols.read(source);
const calls = callsOf(project, symbols);
fs.writeFileSync(out, JSON.stringify({
  schema: "code-graph/1", producer: `TypeScript checker ${project.version}`, language: "typescript", options: { importTarget: "file" },
  files: project.files, symbols: symbols.list, calls: calls.calls, unresolved: calls.unresolved, around: calls.around, imports: importsOf(project),
  extends: symbols.extends, implements: symbols.implements,
}));
