/**
 * Makes a code base of one release that of another, a file at a time, in the engine alone: real edits, and how long each takes until the graph
 * is the new one. At the end it compares with an index from the start, or with EACH=1 after each file.
 *   npx tsx bench/releases.ts FROM TO     in web/
 */
import { languageOf } from "../src/engine/languages/index.ts";
import { filesOf, opened, take, told } from "./folder.ts";

const [from, to] = process.argv.slice(2);
if (!from || !to) throw new Error("usage: tsx bench/releases.ts FROM TO");
const [before, after] = [filesOf(from), filesOf(to)];
const workspace = await opened(before);

interface Edit {
  path: string;
  ms: number;
  redone: number;
  /** The first of its language in the session. */
  first: boolean;
}
const edits: Record<"changed" | "come or gone", Edit[]> = { changed: [], "come or gone": [] };
const begun = new Set<unknown>();
const wrong: string[] = [];

const check = async (what: string): Promise<void> => {
  const partly = told(workspace);
  await workspace.resolveAll(() => Promise.resolve());
  const whole = told(workspace);
  if (partly.join("\n") === whole.join("\n")) return;
  wrong.push(what);
  const [a, b] = [new Set(partly), new Set(whole)];
  console.log([`after ${what} the graph is not that of an index from the start:`, ...partly.filter((w) => !b.has(w)).map((w) => `- ${w}`), ...whole.filter((w) => !a.has(w)).map((w) => `+ ${w}`)].slice(0, 11).join("\n"));
};

for (const path of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
  if (before[path] === after[path]) continue;
  const language = languageOf(path, after[path] ?? before[path]!);
  if (!language) continue;
  const taken = await take(workspace, path, after[path]);
  edits[path in before && path in after ? "changed" : "come or gone"].push({ path, ...taken, first: !begun.has(language) });
  begun.add(language);
  if (process.env["EACH"]) await check(path);
}
await check("all of it");

console.log(`${Object.keys(before).length} files`);
for (const [what, list] of Object.entries(edits)) {
  if (list.length === 0) continue;
  const slowest = [...list].sort((a, b) => b.ms - a.ms);
  const at = (share: number): string => slowest[Math.floor((1 - share) * (slowest.length - 1))]!.ms.toFixed(0);
  console.log(`  ${list.length} ${what}: median ${at(0.5)} ms, nine in ten ${at(0.9)} ms, 99 in 100 ${at(0.99)} ms; ${list.filter(({ ms }) => ms > 200).length} took more than 200 ms`);
  for (const { path, ms, redone, first } of slowest.slice(0, Number(process.env["SLOWEST"] ?? 5))) console.log(`    ${ms.toFixed(0)} ms, ${redone} files${first ? ", the first" : ""}: ${path}`);
}
