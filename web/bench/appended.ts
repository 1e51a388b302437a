/**
 * Times, as bench/freshness.ts does, edits of any code base: a function more at the end of a file, which calls one of that file, and
 * without it again. The files are as many as wanted, at equal distances among all that declare a function; the folder is left as it was:
 *   npx tsx bench/appended.ts BINARY DIR [EXTENSION] [FILES] [SECONDS]     the last: between two edits
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { appState } from "../e2e/browser.ts";
import { median, open, rest } from "./served.ts";

/** By a file's extension: where it declares a function, and another function that calls that one. */
const FUNCTIONS: Record<string, [declared: RegExp, caller: (callee: string) => string]> = {
  ".py": [/^def (\w+)\(/gmu, (callee) => `def appended(value):\n    return ${callee}(value)\n`],
  ".go": [/^func (\w+)\(/gmu, (callee) => `func appended() { ${callee}() }\n`],
  ".ts": [/^(?:export )?function (\w+)\(/gmu, (callee) => `export function appended() { return ${callee}(); }\n`],
  ".js": [/^(?:export )?function (\w+)\(/gmu, (callee) => `export function appended() { return ${callee}(); }\n`],
};

const [binary, dir, extension = ".py", files = "8", seconds = "5"] = process.argv.slice(2);
if (!binary || !dir) throw new Error("usage: tsx bench/appended.ts BINARY DIR [EXTENSION] [FILES] [SECONDS]");
const [declared, caller] = FUNCTIONS[extension] ?? [];
if (!declared || !caller) throw new Error(`${extension}: one of ${Object.keys(FUNCTIONS).join(" ")} is meant`);

/** The first function that a file declares once. */
function functionOf(text: string): string | undefined {
  const names = [...text.matchAll(declared!)].map(([, name]) => name!);
  return names.find((name) => names.indexOf(name) === names.lastIndexOf(name));
}

const candidates = readdirSync(dir, { recursive: true, encoding: "utf8" })
  .filter((path) => extname(path) === extension && !/(^|[/_.])tests?([/_.]|$)/u.test(path)).sort()
  .map((path) => ({ path, text: readFileSync(join(dir, path), "utf8") }))
  .flatMap(({ path, text }) => {
    const callee = functionOf(text);
    return callee === undefined ? [] : [{ path, text, callee }];
  });
const count = Math.min(Number(files), candidates.length);
const chosen = Array.from({ length: count }, (_, i) => candidates[Math.floor(((i + 0.5) * candidates.length) / count)]!);

const { client, page, close } = await open(binary, dir);
const { nodes: totalNodes, edges: totalEdges } = (await appState(page)).loaded!;
console.log(`${basename(dir)}, ${totalNodes} nodes, ${totalEdges} edges; an appended function, and without it again, ${seconds} s apart`);

/** Whether the file's new function is there. */
async function isThere(path: string): Promise<boolean> {
  const { isError } = await client.callTool({ name: "impact", arguments: { target: `${path}:appended`, direction: "downstream", maxDepth: 1 } });
  return isError !== true;
}

async function fresh(path: string, text: string, expected: boolean): Promise<number> {
  await rest(1_000 * Number(seconds));
  writeFileSync(join(dir!, path), text);
  const written = performance.now();
  while ((await isThere(path)) !== expected) await rest(2);
  return performance.now() - written;
}

const times: number[] = [];
for (const { path, text, callee } of chosen) {
  try {
    const both = [await fresh(path, `${text}\n${caller(callee)}`, true), await fresh(path, text, false)];
    times.push(...both);
    console.log(`  ${path}, ${(text.length / 1000).toFixed(0)} kB: ${both.map((ms) => ms.toFixed(0)).join(", ")} ms`);
  } finally {
    writeFileSync(join(dir, path), text);
  }
}
console.log(`  median ${median(times).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms`);
await close();
