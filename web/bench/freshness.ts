/**
 * Times how soon answers follow the folder, in a real Chromium, through the real server and a real agent: from the end
 * of writing a file until `impact` tells of it, for edits of a function's body and of what others see of a file; and from reloading the
 * tab until it answers again. The folder is one that bench/generate.ts made of this repository, and is left as it was:
 *   npx tsx bench/freshness.ts BINARY DIR [ROUNDS]
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { appState } from "../e2e/browser.ts";
import { kept, loaded, median, open, rest } from "./served.ts";

/** An edit of a file after which one function more, or none any more, depends on another one. */
interface Edit {
  language: string;
  kind: string;
  /** The file that is written; "" is what one says that is not there. */
  path: string;
  edit(text: string): string;
  /** The function that `impact` is asked for, and what the id of the new dependant ends in. */
  target: string;
  dependant: string;
}

const NEW_FILE = "a new file";

const after = (line: string, ...more: string[]) => (text: string): string => text.replace(line, [line, ...more].join("\n"));
const instead = (line: string, ...other: string[]) => (text: string): string => text.replace(line, other.join("\n"));
const alone = (...lines: string[]) => (): string => `${lines.join("\n")}\n`;
const atEnd = (...lines: string[]) => (text: string): string => `${text}\n${lines.join("\n")}\n`;

function edits(language: string, path: string, target: string, of: Record<string, [edit: Edit["edit"], dependant: string]>): Edit[] {
  const declared = `part-001/accuracy/${path}`;
  return Object.entries(of).map(([kind, [edit, dependant]]) => (
    { language, kind, path: kind === NEW_FILE ? declared.replace(/\w+(?=\.\w+$)/u, "fresh") : declared, edit, target: `${declared}:${target}`, dependant }
  ));
}

const EDITS: Edit[] = [
  ...edits("Go", "score/score.go", "share", {
    "a body": [after("func (f Figures) Empty() bool {", "\tshare(1, 2)"), ":Figures.Empty"],
    "a new export": [atEnd("func Fresh() float64 { return share(1, 2) }"), ":Fresh"],
    "another signature": [instead("func newScope(truth *codegraph.Graph) scope {", "func newScope(truth *codegraph.Graph, more ...int) scope {", "\tshare(1, 2)"), ":newScope"],
    [NEW_FILE]: [alone("package score", "", "func Fresh() float64 { return share(1, 2) }"), ":Fresh"],
    "another name": [instead("func (f Figures) Recall() float64", "func (f Figures) Recalled() float64"), ":Figures.Recalled"],
  }),
  ...edits("JavaScript", "typescript/names.mjs", "bare", {
    "a body": [after("export function ownerOf(member) {", "  bare(member);"), ":ownerOf"],
    "a new export": [atEnd("export function fresh(node) {", "  return bare(node);", "}"), ":fresh"],
    "another signature": [instead("export function textOf(name) {", "export function textOf(name, other) {", "  bare(other);"), ":textOf"],
    [NEW_FILE]: [alone('import { bare } from "./names.mjs";', "export function fresh(node) {", "  return bare(node);", "}"), ":fresh"],
    "another name": [instead("export function functionAssignment(node) {", "export function assignmentOf(node) {"), ":assignmentOf"],
  }),
  ...edits("Python", "python/declarations.py", "_last_name", {
    "a body": [after("def _python_files(root: str) -> list[str]:", "    _last_name(root)"), ":_python_files"],
    "a new export": [atEnd("def fresh(node):", "    return _last_name(node)"), ":fresh"],
    [NEW_FILE]: [alone("from declarations import _last_name", "", "", "def fresh(node):", "    return _last_name(node)"), ":fresh"],
    "another signature": [instead("def _python_files(root: str) -> list[str]:", "def _python_files(root: str, other=None) -> list[str]:", "    _last_name(other)"), ":_python_files"],
  }),
];
/** Between two edits: clusters and processes have been found anew by then, and the database is not yet filled. */
const PAUSE = 2_500;

const [binary, dir, rounds = "3"] = process.argv.slice(2);
if (!binary || !dir) throw new Error("usage: tsx bench/freshness.ts BINARY DIR [ROUNDS]");
const { client, page, address, close } = await open(binary, dir);

/** The longest that an answer took since this was 0, in milliseconds. */
let longest = 0;

async function ask(name: string, args: Record<string, unknown>): Promise<unknown> {
  const asked = performance.now();
  const { content } = await client.callTool({ name, arguments: args });
  longest = Math.max(longest, performance.now() - asked);
  const [first] = content as { text: string }[];
  return JSON.parse(first?.text ?? "null");
}

/** Whether a function is said to depend on the target. */
async function depends({ target, dependant }: Edit): Promise<boolean> {
  const answer = await ask("impact", { target, direction: "upstream", maxDepth: 1 });
  const { byDepth = [] } = answer as { byDepth?: object[] };
  // By its id or, further down the list, by its name and lines beside its file.
  const told = JSON.stringify(byDepth);
  return told.includes(`${dependant}"`) || told.includes(`"${dependant.slice(1)}:`);
}

function write({ path }: Edit, text: string): void {
  if (text === "") rmSync(join(dir!, path), { force: true });
  else writeFileSync(join(dir!, path), text);
}

/** Writes a file, and asks again and again until the answer is the new one. Milliseconds since the file was written. */
async function fresh(edit: Edit, text: string, expected: boolean): Promise<number> {
  write(edit, text);
  const written = performance.now();
  while ((await depends(edit)) !== expected) await rest(2);
  return performance.now() - written;
}

/** Rests between two edits, asking something small all the while. */
async function pause(): Promise<void> {
  const until = performance.now() + PAUSE;
  while (performance.now() < until) {
    await ask("search", { query: "share", limit: 1 });
    await rest(20);
  }
}

const { nodes: totalNodes } = (await appState(page)).loaded!;
console.log(`freshness of ${basename(dir)}, ${totalNodes} nodes; median and worst of ${2 * Number(rounds)} edits of each kind; longest that any call waited until then, and behind it`);
for (const edit of EDITS) {
  const at = join(dir, edit.path);
  const original = existsSync(at) ? readFileSync(at, "utf8") : "";
  const edited = edit.edit(original);
  if (edited === original) throw new Error(`${edit.path} is not what it was: change the edits`);
  const times: number[] = [];
  let [before, behind] = [0, 0];
  try {
    for (let i = 0; i < Number(rounds); i++) {
      for (const [text, expected] of [[edited, true], [original, false]] as const) {
        await rest(PAUSE);
        longest = 0;
        times.push(await fresh(edit, text, expected));
        before = Math.max(before, longest);
        longest = 0;
        await pause();
        behind = Math.max(behind, longest);
      }
    }
  } finally {
    write(edit, original);
  }
  console.log(`  ${edit.language}, ${edit.kind}: ${median(times).toFixed(0)} ms, ${Math.max(...times).toFixed(0)} ms; ${before.toFixed(0)} ms, ${behind.toFixed(0)} ms`);
}

const { at: before } = await kept(page);
const [first] = EDITS;
const text = readFileSync(join(dir, first!.path), "utf8");
await fresh(first!, first!.edit(text), true);
await fresh(first!, text, false);
while ((await kept(page)).at <= before) await rest(100);
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
await close();
