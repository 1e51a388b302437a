/**
 * Asks the engine's tools about a folder without a browser, to see what an agent reads and how large it is:
 *   npx tsx test/ask.ts DIR [TOOL 'JSON ARGUMENTS']...
 * Without a tool it only indexes. Each answer is preceded by its size in bytes.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { ToolError } from "../src/engine/tools.ts";
import { readable } from "../src/engine/tools/readable.ts";
import { codebaseOf } from "./codebase.ts";
import { call } from "./tools.ts";

const [dir, ...questions] = process.argv.slice(2);
if (!dir) throw new Error("usage: tsx test/ask.ts DIR [TOOL JSON]...");
const repo: Record<string, string> = {};
for (const path of execFileSync("git", ["-C", dir, "ls-files"], { encoding: "utf8", maxBuffer: 1 << 28 }).split("\n")) {
  const file = join(dir, path);
  const stat = path === "" ? undefined : statSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.size <= 1 << 20) repo[path] = readFileSync(file, "utf8");
}
const codebase = await codebaseOf(repo, basename(resolve(dir)));
for (let i = 0; i < questions.length; i += 2) {
  const [tool, args] = [questions[i]!, questions[i + 1] ?? "{}"];
  const started = performance.now();
  const answer = await call(tool, JSON.parse(args) as Record<string, unknown>, { codebase }).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
    return { error: error.message, details: error.details };
  });
  const form = readable(tool, answer);
  const json = typeof form === "string" ? form : JSON.stringify(form);
  console.log(`== ${tool} ${args}: ${Buffer.byteLength(json)} bytes, ${(performance.now() - started).toFixed(1)} ms`);
  console.log(json);
}
