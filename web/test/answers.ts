/**
 * Answers calls about a folder without a browser, for accuracy's benchmark of answers:
 *   npx tsx test/answers.ts DIR CALLS.json OUT.json
 * CALLS is a list of {tool, args}; OUT has for each the object, and the bytes of the form that an agent reads.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { ToolError } from "../src/engine/tools.ts";
import { readable } from "../src/engine/tools/readable.ts";
import { codebaseOf } from "./codebase.ts";
import { call } from "./tools.ts";

const [dir, calls, out] = process.argv.slice(2);
if (!dir || !calls || !out) throw new Error("usage: tsx test/answers.ts DIR CALLS.json OUT.json");
const repo: Record<string, string> = {};
for (const path of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
  const stat = statSync(join(dir, path), { throwIfNoEntry: false });
  if (!/(^|\/)(node_modules|\.[^/]+)(\/|$)/.test(path) && stat?.isFile() && stat.size <= 1 << 20) repo[path] = readFileSync(join(dir, path), "utf8");
}
const codebase = await codebaseOf(repo, basename(resolve(dir)));
const answers: object[] = [];
for (const { tool, args } of JSON.parse(readFileSync(calls, "utf8")) as { tool: string; args: Record<string, unknown> }[]) {
  const answer = await call(tool, args, { codebase }).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
    return { error: error.message, ...error.details };
  });
  const form = readable(tool, answer);
  answers.push({ answer, bytes: Buffer.byteLength(typeof form === "string" ? form : JSON.stringify(form)) });
}
writeFileSync(out, JSON.stringify(answers));
