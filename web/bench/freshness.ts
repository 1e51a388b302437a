/**
 * Times how soon answers follow the folder, in a real Chromium, through the real server and a real agent: from the end
 * of writing a file until `impact` tells of it, for edits of a function's body and of what others see of a file; and from reloading the
 * tab until it answers again. The folder is one that bench/generate.ts made of this repository, and is left as it was:
 *   npx tsx bench/freshness.ts BINARY DIR [ROUNDS]
 */
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Page } from "playwright-core";
import { appState, launch } from "../e2e/browser.ts";
import { freePort } from "../e2e/ports.ts";

/** An edit of a file after which one function more, or none any more, depends on another one. */
interface Edit {
  language: string;
  kind: string;
  path: string;
  edit(text: string): string;
  /** The function that `impact` is asked for, and what the id of the new dependant ends in. */
  target: string;
  dependant: string;
}

const after = (line: string, ...more: string[]) => (text: string): string => text.replace(line, [line, ...more].join("\n"));
const instead = (line: string, ...other: string[]) => (text: string): string => text.replace(line, other.join("\n"));
const atEnd = (...lines: string[]) => (text: string): string => `${text}\n${lines.join("\n")}\n`;

function edits(language: string, path: string, target: string, of: Record<string, [edit: Edit["edit"], dependant: string]>): Edit[] {
  return Object.entries(of).map(([kind, [edit, dependant]]) => ({ language, kind, path: `part-001/accuracy/${path}`, edit, target, dependant }));
}

const EDITS: Edit[] = [
  ...edits("Go", "score/score.go", "share", {
    "a body": [after("func (f Figures) Empty() bool {", "\tshare(1, 2)"), ":Figures.Empty"],
    "a new export": [atEnd("func Fresh() float64 { return share(1, 2) }"), ":Fresh"],
    "another signature": [instead("func newScope(truth *codegraph.Graph) scope {", "func newScope(truth *codegraph.Graph, more ...int) scope {", "\tshare(1, 2)"), ":newScope"],
    "another name": [instead("func (f Figures) Recall() float64", "func (f Figures) Recalled() float64"), ":Figures.Recalled"],
  }),
  ...edits("JavaScript", "typescript/names.mjs", "bare", {
    "a body": [after("export function ownerOf(member) {", "  bare(member);"), ":ownerOf"],
    "a new export": [atEnd("export function fresh(node) {", "  return bare(node);", "}"), ":fresh"],
    "another signature": [instead("export function textOf(name) {", "export function textOf(name, other) {", "  bare(other);"), ":textOf"],
    "another name": [instead("export function functionAssignment(node) {", "export function assignmentOf(node) {"), ":assignmentOf"],
  }),
  ...edits("Python", "python/declarations.py", "_last_name", {
    "a body": [after("def _python_files(root: str) -> list[str]:", "    _last_name(root)"), ":_python_files"],
    "a new export": [atEnd("def fresh(node):", "    return _last_name(node)"), ":fresh"],
    "another signature": [instead("def _python_files(root: str) -> list[str]:", "def _python_files(root: str, other=None) -> list[str]:", "    _last_name(other)"), ":_python_files"],
  }),
];
/** Between two edits: clusters and processes have been found anew by then, and the database is not yet filled. */
const PAUSE = 2_500;

const [binary, dir, rounds = "3"] = process.argv.slice(2);
if (!binary || !dir) throw new Error("usage: tsx bench/freshness.ts BINARY DIR [ROUNDS]");
const port = await freePort();
const token = randomBytes(32).toString("base64url");
const client = new Client({ name: "bench", version: "1.0.0" });
await client.connect(new StdioClientTransport({
  command: binary, args: ["serve", "--port", String(port), "--repo", dir], env: { ...(process.env as Record<string, string>), GITNEXUS_TOKEN: token }, stderr: "ignore",
}));
const browser = await launch();
const page = await browser.newPage();
const address = `http://127.0.0.1:${port}/`;
await page.goto(`${address}#token=${token}`);
await loaded(page);

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function loaded(of: Page): Promise<void> {
  while (!(await appState(of)).loaded) await rest(10);
}

/** Whether a function is said to depend on the target. */
async function depends({ path, target, dependant }: Edit): Promise<boolean> {
  const result = await client.callTool({ name: "impact", arguments: { target: `${path}:${target}`, direction: "upstream", maxDepth: 1 } });
  const { byDepth = [] } = result.structuredContent as { byDepth?: object[] };
  // By its id or, further down the list, by its name and lines beside its file.
  const told = JSON.stringify(byDepth);
  return told.includes(`${dependant}"`) || told.includes(`"${dependant.slice(1)}:`);
}

/** Writes a file, and asks again and again until the answer is the new one. Milliseconds since the file was written. */
async function fresh(edit: Edit, text: string, expected: boolean): Promise<number> {
  writeFileSync(join(dir!, edit.path), text);
  const written = performance.now();
  while ((await depends(edit)) !== expected) await rest(2);
  return performance.now() - written;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

/** When the graph was last kept for the next visit. */
const kept = (): Promise<number> => page.evaluate(async () => {
  const root = await navigator.storage.getDirectory();
  try {
    const folder = await root.getDirectoryHandle("repositories");
    for await (const handle of folder.values()) if (handle.kind === "file") return (await handle.getFile()).lastModified;
  } catch {
    // not yet
  }
  return 0;
});

const { totalNodes } = (await appState(page)).loaded!;
console.log(`freshness of ${basename(dir)}, ${totalNodes} nodes; median and worst of ${2 * Number(rounds)} edits of each kind`);
for (const edit of EDITS) {
  const original = readFileSync(join(dir, edit.path), "utf8");
  const edited = edit.edit(original);
  if (edited === original) throw new Error(`${edit.path} is not what it was: change the edits`);
  const times: number[] = [];
  try {
    for (let i = 0; i < Number(rounds); i++) {
      for (const [text, expected] of [[edited, true], [original, false]] as const) {
        await rest(PAUSE);
        times.push(await fresh(edit, text, expected));
      }
    }
  } finally {
    writeFileSync(join(dir, edit.path), original);
  }
  console.log(`  ${edit.language}, ${edit.kind}: ${median(times).toFixed(0)} ms, ${Math.max(...times).toFixed(0)} ms`);
}

const before = await kept();
const [first] = EDITS;
const text = readFileSync(join(dir, first!.path), "utf8");
await fresh(first!, first!.edit(text), true);
await fresh(first!, text, false);
while ((await kept()) <= before) await rest(100);
const opened: number[] = [];
const answered: number[] = [];
for (let i = 0; i < Number(rounds); i++) {
  await page.goto("about:blank");
  const started = performance.now();
  await page.goto(address);
  await loaded(page);
  opened.push(performance.now() - started);
  await depends(first!);
  answered.push(performance.now() - started);
  await rest(PAUSE);
}
console.log(`  opened again: ${median(opened).toFixed(0)} ms until it is there, ${median(answered).toFixed(0)} ms until the first answer (worst ${Math.max(...answered).toFixed(0)} ms)`);
await browser.close();
await client.close();
