/** A repository with a hostile file of each language: it is indexed, what was left out is said, and the next call is answered. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Agent, PATIENCE, until } from "./agent.ts";
import { closePages, expect, test } from "./fixtures.ts";

const MANY = 5_000;
const each = (text: string, count = MANY): string => `${text}\n`.repeat(count);

/** For each language: an honest file, copies of one declaration, brackets that nest 100,000 deep. */
const LANGUAGES: Record<string, [honest: string, copies: string, nested: string]> = {
  go: ["package p\nfunc helperGo() {}\nfunc callerGo() { helperGo() }\n", `package copies\n${each("func same(a int) int { return same(a) }")}`, `package nested\nvar x = ${"(".repeat(100_000)}`],
  ts: ["function helperTs() {}\nfunction callerTs() { helperTs(); }\n", each("class Same extends Same { m() { new Same().m(); } }"), `x = ${"(".repeat(100_000)}`],
  js: ["function helperJs() {}\nfunction callerJs() { helperJs(); }\n", each("function same(a) { return same(a); }"), `x = ${"[".repeat(100_000)}`],
  py: ["def helperPy(): pass\ndef callerPy(): helperPy()\n", each("class Same(Same):\n  def m(self): Same().m()"), `x = ${"(".repeat(100_000)}`],
  java: ["class A { static void helperJava() {} static void callerJava() { helperJava(); } }\n", each("class Same extends Same { void m() { new Same().m(); } }"), `class N { int x = ${"(".repeat(100_000)}`],
  rs: ["fn helperRs() {}\nfn callerRs() { helperRs(); }\n", each("fn same(a: i32) { same(a); }"), `fn n() { ${"(".repeat(100_000)}`],
  cs: ["class A { static void HelperCs() {} static void CallerCs() { HelperCs(); } }\n", each("class Same : Same { void M() { new Same().M(); } }"), `class N { int x = ${"(".repeat(100_000)}`],
  c: ["static int helperC(void) { return 1; }\nint callerC(void) { return helperC(); }\n", each("int same(int a) { return same(a); }"), `int n(void) { return ${"(".repeat(100_000)}`],
  cc: ["static int helperCc() { return 1; }\nint callerCc() { return helperCc(); }\n", each("struct Same : Same { void m() { Same().m(); } };"), `int n() { return ${"(".repeat(100_000)}`],
  php: ["<?php\nfunction helperPhp() {}\nfunction callerPhp() { helperPhp(); }\n", `<?php\n${each("class Same extends Same { function m() { (new Same())->m(); } }")}`, `<?php\n$x = ${"(".repeat(100_000)}`],
  rb: ["def helperRb\nend\ndef callerRb\n  helperRb\nend\n", each("class Same < Same\n  def m; Same.new.m; end\nend"), `x = ${"(".repeat(100_000)}`],
};

const long = (line: (i: number) => string): string => Array.from({ length: 60 }, (_, i) => line(i)).join("\n");
const twelve = Array.from({ length: 12 }, () => "T").join(", ");

/** Types that, written out, are larger than memory. */
const MULTIPLYING: Record<string, string> = {
  go: `package p\ntype P[A, B any] struct { a A }\ntype A0[T any] = P[T, T]\n${long((i) => `type A${i + 1}[T any] = A${i}[A${i}[T]]`)}\nfunc f(a A60[int]) { a.a.a.F() }`,
  rs: `fn m<T>(t: T) -> (${twelve}) { todo!() }\nfn f() { let a0 = 1; ${long((i) => `let a${i + 1} = m(a${i});`)} a60.0.x(); }`,
  java: `class C0<T> { T get() { return null; } }\n${long((i) => `class C${i + 1}<T> extends C${i}<Map<T, Map<T, T>>> { void f() { get().x().f(); } }`)}`,
  rb: `def f(c)\n  a0 = 1\n${long((i) => `  a${i + 1} = { l: a${i}, r: a${i} }`)}\n  a60[:l][:r].x\nend`,
};

let folder: string;
let agent: Agent;

test.beforeAll(async ({ browser }) => {
  folder = await mkdtemp(join(tmpdir(), "gitnexus-hostile-"));
  const files: [path: string | Buffer, text: string][] = [
    ["long/line.js", `x = "${"a".repeat(10_000_000)}";`], ["honest/explodes.js", `// ${"a".repeat(60)}!\n`],
  ];
  for (const [ending, [honest, copies, nested]] of Object.entries(LANGUAGES)) {
    files.push([`honest/${ending}/a.${ending}`, honest], [`copies/${ending}/a.${ending}`, copies], [`nested/${ending}/a.${ending}`, nested]);
  }
  for (const [ending, text] of Object.entries(MULTIPLYING)) files.push([`multiplying/${ending}/a.${ending}`, text]);
  for (const [path, text] of files) {
    const file = join(folder, String(path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await symlink("..", join(folder, "honest/circle"));
  // A name that is no UTF-8, where the system has such names.
  if (process.platform === "linux") await writeFile(Buffer.concat([Buffer.from(`${folder}/name`), Buffer.from([0xff, 0xfe]), Buffer.from(".py")]), "def named(): pass\n");
  agent = await Agent.start(["--repo", folder]);
  await (await browser.newPage()).goto(agent.pairingUrl);
  await agent.ready();
});
test.afterAll(async ({ browser }) => {
  await closePages(browser);
  await agent.stop();
  await rm(folder, { recursive: true, force: true });
});

test("what was left out is said by name, with the reason", async () => {
  const { stats } = (await agent.ask("context", { focus: "stats" })) as { stats: { skipped: { reasons: { reason: string; files: { items: string[] } }[] } } };
  const leftOut = new Map(stats.skipped.reasons.map(({ reason, files }) => [reason, files.items]));
  expect(leftOut.get("larger than 1024 KB")).toEqual(["long/line.js"]);
  expect(leftOut.get("a symbolic link")).toEqual(["honest/circle"]);
  const { body } = await agent.call("read", { filePath: "long/line.js" });
  expect(body).toMatchObject({ error: true, message: "read: long/line.js is in the repository but was not read: larger than 1024 KB." });
});

for (const [ending, [honest]] of Object.entries(LANGUAGES)) {
  test(`${ending}: what is honest is found beside it`, async () => {
    const helper = /\b(helper\w+)/i.exec(honest)![1]!;
    const { byDepth } = (await agent.ask("impact", { target: `honest/${ending}/a.${ending}:${helper}`, direction: "upstream" })) as { byDepth: { items: { id: string }[] }[] };
    expect(byDepth[0]!.items.map(({ id }) => id.split(":").at(-1)!.split(".").at(-1)!.toLowerCase())).toEqual([helper.toLowerCase().replace("helper", "caller")]);
  });
}

test("20,000 small files: all are there, calls are answered, and an edit of one is seen", async ({ browser }) => {
  test.slow();
  // docs/benchmarks.md has 50,000.
  const files = 20_000;
  const path = (i: number): string => `d${Math.floor(i / 100)}/m${i}.${["ts", "py"][i % 2]!}`;
  const text = (i: number): string => (i % 2 === 0 ? `export function f${i}() { return g${i}(); }\nfunction g${i}() {}\n` : `def f${i}():\n    g${i}()\n\ndef g${i}(): pass\n`);
  const folder = await mkdtemp(join(tmpdir(), "gitnexus-many-"));
  for (let i = 0; i < files; i += 100) {
    await mkdir(join(folder, dirname(path(i))));
    await Promise.all(Array.from({ length: 100 }, (_, k) => writeFile(join(folder, path(i + k)), text(i + k))));
  }
  const agent = await Agent.start(["--repo", folder]);
  const page = await browser.newPage();
  try {
    await page.goto(agent.pairingUrl);
    await agent.ready();
    const { stats } = (await agent.ask("context", { focus: "stats" })) as { stats: { files: number; symbols: number } };
    expect(stats).toMatchObject({ files, symbols: 2 * files });
    const callers = async (name: string): Promise<string[]> => {
      const { byDepth } = (await agent.ask("impact", { target: name, direction: "upstream", maxDepth: 1 })) as { byDepth: { items: { id: string }[] }[] };
      return byDepth.flatMap(({ items }) => items.map(({ id }) => id)).sort();
    };
    expect(await callers("g19999")).toEqual(["Function:d199/m19999.py:f19999"]);
    await writeFile(join(folder, path(19_999)), `${text(19_999)}\ndef more(): g19999()\n`);
    // It is looked at once clusters and the index for search are there, which take as long as the machine is busy.
    await until(async () => (await callers("g19999")).length === 2, "the edit", PATIENCE);
    expect(await callers("g19998")).toEqual(["Function:d199/m19998.ts:f19998"]);
  } finally {
    await page.close();
    await agent.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test("a pattern that explodes, and a query that never ends, end in words; the next call is answered", async () => {
  const grep = await agent.call("grep", { pattern: "(a+)+$" });
  expect(String(grep.body.message)).toMatch(/^grep: The pattern was stopped after \d+\.\d s: it backtracks too much\./);
  const cypher = await agent.call("cypher", { query: "UNWIND range(1, 1000000000) AS i RETURN count(i)" });
  expect(String(cypher.body.message)).toMatch(/^cypher: The query .*Ask for less at once/);
  const { results } = (await agent.ask("search", { query: "helperGo" })) as { results: { id: string }[] };
  expect(results[0]!.id).toBe("Function:honest/go/a.go:helperGo");
});
