import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { analyse, extract } from "../../../../test/languages.ts";
import type { FileFacts, SymbolFact } from "../../facts.ts";
import type { ModuleFacts } from "./facts.ts";
import { typescript } from "./index.ts";
import { generate } from "./lib/generate.ts";

async function facts(source: string, path = "src/a.ts"): Promise<FileFacts<ModuleFacts>> {
  return await extract(typescript, path, source) as FileFacts<ModuleFacts>;
}

/** Symbols as `Kind Owner.name < parent`. */
async function symbols(source: string, path?: string): Promise<string[]> {
  const list = (await facts(source, path)).symbols;
  return list.map((s) => `${s.kind} ${s.owner ? `${s.owner}.` : ""}${s.name}${s.parent >= 0 ? ` < ${list[s.parent]!.name}` : ""}`);
}

async function symbol(source: string, name: string, path?: string): Promise<SymbolFact> {
  const found = (await facts(source, path)).symbols.find((s) => s.name === name);
  if (!found) throw new Error(`no symbol ${name}`);
  return found;
}

async function entries(source: string, path: string): Promise<string[]> {
  return (await facts(source, path)).symbols.filter((s) => s.entry).map((s) => `${s.name} ${s.entry!}`);
}

describe("symbols", () => {
  it("has every kind of declaration", async () => {
    expect(await symbols(`
      function f() {} const arrow = () => 1; const x = 1;
      class C { static s() {} field = () => 1; plain = 2; get g() { return 1; } constructor() {} ["lit"]() {} [Symbol.iterator]() {} }
      interface I { m(): void; p: () => void; q: string }
      type T = { m(): void }; enum E { A }
      namespace N { export function inner() {} }
      const K = class Named { m() {} };
    `)).toEqual([
      "Function f", "Function arrow", "Variable x",
      "Class C", "Method C.s < C", "Method C.field < C", "Method C.g < C", "Method C.constructor < C", "Method C.lit < C", "Method C.[Symbol.iterator] < C",
      "Interface I", "Method I.m < I", "Method I.p < I",
      "TypeAlias T", "Method T.m < T", "Enum E", "Variable E.A < E", "Function inner", "Class Named", "Method Named.m < Named",
    ]);
  });

  it("knows functions in functions, in tables and in options", async () => {
    expect(await symbols(`
      function outer() { const inner = () => { function deep() {} }; call({ option() {} }); return { made() {} }; }
      export const table = { a() {}, nested: { b: () => 1 } };
    `)).toEqual(["Function outer", "Function inner < outer", "Function deep < inner", "Method outer.option < outer", "Method outer.made < outer", "Variable table", "Method table.a", "Method table.b"]);
  });

  it("is one symbol for all overloads, on the line of the implementation", async () => {
    const source = "function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: any) {\n}\nclass C {\n m(): void;\n m(a?: any) {}\n}";
    expect(await symbols(source)).toEqual(["Function f", "Class C", "Method C.m < C"]);
    expect(await symbol(source, "f")).toMatchObject({ line: 3, startLine: 3, endLine: 4 });
    expect(await symbol(source, "m")).toMatchObject({ line: 7 });
  });

  it("gives lines from the declaration, decorators excluded", async () => {
    const source = "/** doc */\n@Dec({\n a: 1 })\nexport class C {\n  @Log()\n  run(\n    a: string,\n  ) {\n  }\n}\n";
    expect(await symbol(source, "C")).toMatchObject({ line: 4, startLine: 4, endLine: 10 });
    expect(await symbol(source, "run")).toMatchObject({ line: 6, endLine: 9 });
  });

  it("shows the head of a declaration on one line", async () => {
    const source = "export async function load<T>(\n  a: string,\n): Promise<T> { return 1; }\nconst go = (x: number): void => {};\nclass A<T>\n  extends B<T> {}";
    expect((await symbol(source, "load")).signature).toBe("async function load<T>( a: string, ): Promise<T>");
    expect((await symbol(source, "go")).signature).toBe("const go = (x: number): void");
    expect((await symbol(source, "A")).signature).toBe("class A<T> extends B<T>");
  });

  it("knows what is exported, directly, by a list, by CommonJS, and of a class what is not private", async () => {
    const list = (await facts("export function a() {}\nfunction b() {}\nfunction c() {}\nexport { c as d };\nexport class K { m() {} private p() {} #q() {} }")).symbols;
    expect(list.filter((s) => s.exported).map((s) => s.name)).toEqual(["a", "c", "K", "m"]);
    expect(await symbol("exports.go = function () {};", "go", "a.js")).toMatchObject({ kind: "Function", exported: true });
  });

  it.each([
    ["a table", "function a() {} const b = () => 1; function hidden() {} module.exports = { a, c: b, d() {}, e: function () {} };", ["a", "b", "d", "e"]],
    ["a name", "function a() {} function hidden() {} exports.b = a;", ["a"]],
    ["a class", "class A { m() {} } class Hidden { n() {} } module.exports = A;", ["A", "m"]],
    ["an object of a class", "class A { m() {} } module.exports = new A();", ["A", "m"]],
    ["what is hung on the exports", "var app = exports = module.exports = {}; var own = {}; app.use = function () {}; own.hidden = function () {};", ["use"]],
    ["a constructor and its methods", "function View() {} View.prototype.render = function () {}; function Hidden() {} Hidden.prototype.m = function () {}; module.exports = View;", ["View", "render"]],
    ["the same under two names", "function a() {} module.exports = a; module.exports.a = a; module.exports.default = a;", ["a"]],
    ["a circle", "var a = b; var b = a; module.exports = a; function hidden() {}", []],
  ])("knows that CommonJS exports %s", async (_, source, names) => {
    expect((await facts(source, "lib/a.js")).symbols.filter((s) => s.exported && s.kind !== "Variable").map((s) => s.name)).toEqual(names);
  });
});

describe("entries", () => {
  it("marks tests, main, routes, handlers and the package's own functions", async () => {
    expect(await entries("function helper() {}", "src/a.test.ts")).toEqual(["helper test"]);
    expect(await entries("async function main() {} main();", "src/cli.ts")).toEqual(["main main"]);
    expect(await entries("export default function Page() {}", "app/users/page.tsx")).toEqual(["Page route"]);
    expect(await entries("export async function GET() {} export const helper = () => 1;", "src/app/api/route.ts")).toEqual(["GET route"]);
    expect(await entries("function show() {} app.get('/x', auth, show); cache.get('x', show);", "src/server.js")).toEqual(["show handler"]);
    expect(await entries("function log() {} function fail() {} const app = express(); app.use(log); app.setErrorHandler(fail); set.use(log);", "src/server.js")).toEqual(["log handler", "fail handler"]);
    expect(await entries("function run() {} function other() {} program.command('x').action(run); list.map(other);", "src/cli.ts")).toEqual(["run handler"]);
    expect(await entries("function receive() {} function count() {} addEventListener('message', receive); items.on(count); function wait(s) { function drain() {} s.on('drain', drain); }", "src/w.ts")).toEqual(["receive handler"]);
    expect(await entries("export async function loader() {} export const helper = () => 1; export default function Page() {}", "app/routes/users.tsx")).toEqual(["loader route"]);
    expect(await entries("export function load() {}", "src/config.ts")).toEqual([]);
    expect(await entries("export const handler = async () => {};", "src/lambda.ts")).toEqual(["handler handler"]);
    expect(await entries("class C {\n  @Get('/a')\n  list() {}\n\n  other() {}\n}", "src/c.ts")).toEqual(["list route"]);
    expect(await entries("export function create() {} function inner() {}", "packages/core/src/index.ts")).toEqual(["create export"]);
  });
});

describe("any input", () => {
  it("marks what no one wrote by hand", async () => {
    expect((await facts("// @generated by protoc\nexport const a = 1;")).generated).toBe(true);
    expect((await facts(`var a=1;${"a=a+1;".repeat(1000)}`)).generated).toBe(true);
    expect((await facts("export const a = 1;")).generated).toBeUndefined();
  });

  it("reads what it can of a broken file and counts the errors", async () => {
    const broken = await facts("export function a() { return ((1; }\nexport class B { m() {} }\nfunction c( {");
    expect(broken.syntaxErrors).toBeGreaterThan(0);
    expect(broken.symbols.map((s) => s.name)).toEqual(expect.arrayContaining(["a", "B", "m"]));
    expect((await facts("export const a = 1;")).syntaxErrors).toBe(0);
  });

  it("survives a file cut off anywhere", async () => {
    const whole = readFileSync(new URL("fixtures/narrowing.txt", import.meta.url), "utf8").split("-- expected --")[0]!;
    for (let end = 0; end < whole.length; end += 7) {
      const source = whole.slice(0, end);
      await expect(analyse({ "a.tsx": source, "b.ts": source })).resolves.toBeDefined();
    }
  });

  it("survives deep nesting and long chains", async () => {
    const n = 5000;
    for (const source of [
      `x = ${"(".repeat(n)}1${")".repeat(n)};`, `x = ${"a + ".repeat(n)}1;`, `x${".y()".repeat(n)};`, `x = ${"[".repeat(n)}`,
      `type T = ${"A<".repeat(n)}`, "{".repeat(n), `${"if (a) ".repeat(n)}b();`,
    ]) {
      await expect(analyse({ "a.ts": `${source}\n` })).resolves.toBeDefined();
    }
  });

  it("reads what cannot be parsed as fast behind thousands of blanks", async () => {
    const started = performance.now();
    await facts(`x = = ;${" ".repeat(300_000)}\n${"\n".repeat(300_000)}`);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("keeps operators before calls with type arguments in order", async () => {
    const n = 2000;
    for (const source of [`${"await f<A>(".repeat(n)}${")".repeat(n)}`, `a ${"+ f<A>(1) ".repeat(n)}`, `${"!".repeat(n)}f<A>(1)`, `await f<A>(1)${".b<A>(2)".repeat(n)}`]) {
      await expect(analyse({ "a.ts": `async function g() { ${source} }\n` })).resolves.toBeDefined();
    }
  });

  it("ends on circles", async () => {
    const [found] = await analyse({
      "a.ts": 'export * from "./b"; export { x } from "./b"; import { y } from "./b"; y.z();',
      "b.ts": `export * from "./a"; export { x } from "./a"; export { x as y } from "./a";
        class A extends B { m() { return this.n(); } } class B extends A { n() { return this.m(); } }
        interface I extends J {} interface J extends I {} type T = T[]; type U<X> = U<U<X>>; type V<X> = { [K in keyof V<X>]: V<K> };
        function f() { return g(); } function g() { return f(); }
        export function run(a: A, i: I, t: T, u: U<string>, v: V<string>) { a.m(); i.none(); t.m(); u.m(); v.a.b.c(); f().x(); const q = q.r(); }`,
    });
    expect(found!.edges.some((e) => e.type === "CALLS")).toBe(true);
  });

  it("gives facts that can be stored as JSON", async () => {
    const [file] = (await analyse({ "a.ts": "class A { m() {} } export const run = (a: A) => a.m();" }))[0]!.files;
    const copy = JSON.parse(JSON.stringify(file)) as { path: string; facts: FileFacts<ModuleFacts> };
    const edges: string[] = [];
    typescript.resolve({ files: [copy], paths: new Set(["a.ts"]), read: () => undefined }, (type, from, to) => edges.push(`${type} ${from.symbol} ${to.symbol}`));
    expect(edges).toContain("CALLS 2 1");
  });
});

it.each(["builtins.ts", "libraries.ts"] as const)("has in %s what the declarations say that it is made from", async (name) => {
  expect(readFileSync(new URL(`lib/${name}`, import.meta.url), "utf8"), "run npx tsx src/engine/languages/typescript/lib/generate.ts").toBe(await generate(name));
});
