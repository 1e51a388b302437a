/** LOW is said only where it is known. */
import { describe, expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { handmade } from "../../../test/graphs.ts";
import { call } from "../../../test/tools.ts";
import type { Codebase } from "../codebase.ts";
import type { GraphNode } from "../graph.ts";
import { patternOf, useOf } from "./mentions.ts";
import type { Unknowns } from "./unknowns.ts";

interface Answer {
  risk: { level: string; reasons: string[] };
  leftOut?: Unknowns["leftOut"];
}

const impact = async (codebase: Codebase, target: string, args: object = {}): Promise<Answer> =>
  await call("impact", { target, direction: "upstream", ...args }, { codebase }) as unknown as Answer;

/** A codebase of functions a, b, c … that have these fields. */
function withNodes(codebase: Codebase, fields: Record<string, Partial<GraphNode>>): Codebase {
  for (const node of codebase.graph.nodes) Object.assign(node, fields[node.name]);
  return codebase;
}

describe("the risk", () => {
  it("is LOW where nothing can depend on it but what was found", async () => {
    const codebase = await codebaseOf({ "a.ts": "function a(): void {}\nfunction b(): void { a(); }\nb();\n" });
    expect((await impact(codebase, "a")).risk).toEqual({ level: "LOW", reasons: ["1 direct dependent (below 4)", "2 dependents within the depth (below 12)"] });
    for (const tool of ["deep_dive", "impact"]) {
      const answer = await call(tool, { name: "a", target: "a", direction: "upstream" }, { codebase }) as unknown as Answer;
      expect(answer.risk.level).toBe("LOW");
      expect(answer).not.toHaveProperty("leftOut");
    }
  });

  it("goes by the file alone for what a component keeps to itself", async () => {
    const component = (script: string): string => `<script setup>\nconst theme = 1;\n${script}\n</script>\n<template><p :class="theme" /></template>\n`;
    const codebase = await codebaseOf({ "A.vue": component("function unused() {}"), "B.vue": component("defineExpose({ theme });"), "c.js": "export function c(held) { return held.theme; }\n" });
    expect((await impact(codebase, "A.vue:theme")).risk.level).toBe("LOW");
    expect((await impact(codebase, "A.vue:unused")).risk.reasons.join()).not.toContain("global");
    expect((await impact(codebase, "B.vue:theme")).risk.reasons).toContain("its name stands in 1 other line of code or text, and no edge says why");
  });

  it.each<[string, Partial<GraphNode>, string]>([
    ["exported", { exported: true }, "exported: uses outside of this repository are not seen"],
    ["an entry", { entry: "handler" }, "it is an entry (handler): control comes from outside of this code"],
    ["a type", { kind: "Class" }, "what has the type without naming it is no edge"],
  ])("is unknown for what is %s, with the reason", async (_, fields, reason) => {
    const codebase = (): Codebase => withNodes(handmade(["a", "b"], [{ from: "b", to: "a" }]), { a: fields });
    const { risk } = await impact(codebase(), "a");
    expect(risk).toMatchObject({ level: "unknown", reasons: expect.arrayContaining(["1 direct dependent (below 4)", reason]) as string[] });
    expect((await call("deep_dive", { name: "a" }, { codebase: codebase() }) as unknown as Answer).risk).toEqual(risk);
  });

  it.each<[string, string, string, string]>([
    ["decorator of Python", "a.py", "import ext\n\nclass A:\n    @ext.thing('x', y=(1, 2))\n    def __f(self): pass\n\n    @property\n    def __g(self): pass\n", "ext.thing"],
    ["decorator that only has a known one's name", "a.py", "from app import registry\nimport functools\n\nclass A:\n    @registry.cache\n    def __f(self): pass\n\n    @functools.cache\n    def __g(self): pass\n", "registry.cache"],
    ["attribute of C# that says that it is used", "A.cs", "class A {\n  [UsedImplicitly] void f() {}\n  [System.Obsolete] void g() {}\n}\n", "UsedImplicitly"],
    ["decorator of TypeScript", "a.ts", "class A {\n  @OnEvent({ name: 'x' })\n  private async f() {}\n  private g() {}\n}\n", "OnEvent"],
    ["annotation of Java", "A.java", "class A { @Override public String toString() { return \"\"; } @org.x.OnThing(\"a@b\") void f() {} @SuppressWarnings(\"x\") void g() {} }\n", "org.x.OnThing"],
    ["attribute of C#", "A.cs", "class A {\n  [Obsolete(\"x\"), Consumer(Topic = \"a\")]\n  void f() {}\n  [MethodImpl(MethodImplOptions.NoInlining)] void g() {}\n}\n", "Consumer"],
    ["attribute of Rust", "a.rs", "/// Says.\n#[pyo3::pyfunction]\n#[must_use]\nfn f() -> i32 { 1 }\n\n#[inline]\nfn g() {}\n", "pyo3::pyfunction"],
    ["attribute of PHP", "a.php", "<?php\nclass A {\n  #[AsListener(event: 'x')]\n  private function f() {}\n  #[Pure] private function g() {}\n}\n", "AsListener"],
    ["attribute of C", "a.c", "__attribute__((constructor)) static void f(void) {}\nstatic __attribute__((noinline, unused)) void g(void) {}\n", "constructor"],
    ["directive of Go", "a.go", "package a\n\n//export f\nfunc f() {}\n\nfunc g() {}\n", "export"],
  ])("is unknown for what has a %s, and LOW where that says nothing", async (_, path, code, mark) => {
    const codebase = await codebaseOf({ [path]: code });
    const named = (simple: string): string => codebase.graph.nodes.find(({ name, line }) => line > 0 && name.replace(/^_+/, "") === simple)!.id;
    expect((await impact(codebase, named("f"))).risk).toEqual({ level: "unknown", reasons: ["no sure dependent outside of tests", `it is marked with ${mark}, which may hand it to what calls it`] });
    expect((await impact(codebase, named("g"))).risk).toEqual({ level: "LOW", reasons: ["nothing in the graph depends on it"] });
  });

  it("is LOW of what a package of Go keeps to itself, though others have its name", async () => {
    const inMain = (elsewhere: string): Promise<Codebase> => codebaseOf({ "go.mod": "module m\n", "main.go": "package main\n\nfunc main() { run() }\n\nfunc run() {}\n", "b/b.go": `package b\n\n${elsewhere}\n` });
    expect((await impact(await inMain("var t = \"cannot run\""), "main.go:run")).risk.level).toBe("LOW");
    expect((await impact(await inMain("//go:linkname other m.run\nfunc other()"), "main.go:run")).risk.level).toBe("unknown");
  });

  it("names what declares something of a type, whatever its level, and nothing twice", async () => {
    const makers = [1, 2, 3, 4].map((i) => `func make${i}() *Box { return &Box{} }\n`).join("");
    const codebase = await codebaseOf({
      "go.mod": "module m\n",
      "box/box.go": `package box\n\n// Box holds.\ntype Box struct{ n int }\n\nfunc (b *Box) Open() {}\n\n${makers}\ntype Lid struct{ box *Box }\n\n// Box is shut.\nfunc shut(b *Box, c Box) {\n\tvar d *Box\n}\n`,
      "use/use.go": "package use\n\nimport \"m/box\"\n\nvar all []box.Box\n\nfunc open(b *box.Box) { b.Open() }\n\nfunc use(b any) {\n\tb.(*box.Box)\n\t// Box again\n\tb.(box.Box)\n\tb.(box.Box)\n\tb.(*box.Box)\n}\n",
      "other/other.go": "package other\n\ntype Box struct{}\n\nfunc other(b Box) {}\n",
      "note.md": "A Box.\n",
    });
    const { risk, leftOut } = await impact(codebase, "box/box.go:Box");
    expect(risk).toEqual({ level: "MEDIUM", reasons: ["5 direct dependents (4 or more)", "its name stands in 8 other lines: declarations and the like are no edges"] });
    expect(leftOut?.mentions).toEqual({ total: 4, items: ["box/box.go:13 Lid", "box/box.go:16,17 shut", "use/use.go:5 all", "use/use.go:10,12,13,… use"] });
    expect(await call("explore", { name: "box/box.go:Box", type: "symbol" }, { codebase })).toMatchObject({ mentions: leftOut!.mentions });
    const shut = await codebaseOf({ "a.ts": "interface Box { n: number }\nfunction make(): Box { return { n: 1 }; }\nmake();\n", "b.ts": "interface Box { m: number }\nexport function other(box: Box): void {}\n" });
    expect((await impact(shut, "a.ts:Box")).leftOut?.mentions).toEqual({ total: 1, items: ["a.ts:2 make"] });
    const far = Object.fromEntries(Array.from({ length: 320 }, (_, i) => [`p${i}/box.go`, `package p${i}\n\nfunc take(box other.Box) {}\n`]));
    const many = await codebaseOf({ "go.mod": "module m\n", ...far, "z/box.go": "package z\n\ntype Box struct{}\n", "z/use.go": "package z\n\nfunc use(b Box) {}\n" });
    expect((await impact(many, "z.Box")).leftOut?.mentions).toEqual({ total: 1, items: ["z/use.go:3 use"] });
    const python = await codebaseOf({ "a.py": "class Box:\n    pass\n\n\nmade = Box()\n\n\ndef use(box: Box):\n    \"\"\"Takes a Box.\n\n    A Box is shut.\n\n    >>> use(Box())\n    \"\"\"\n    return 1\n" });
    expect((await impact(python, "Box")).leftOut?.mentions).toEqual({ total: 1, items: ["a.py:8,13 use"] });
    const nested = await codebaseOf({ "Heap.cs": "class Heap\n{\n    private Span[] all;\n    void Clear() { all = new Span[4]; }\n    void Push(int n) { var one = new Span(n);\n        Span other = one; }\n    struct Span { public Span(int n) { } }\n}\n" });
    expect((await impact(nested, "Struct:Heap.cs:Heap.Span")).leftOut?.mentions).toEqual({ total: 2, items: ["Heap.cs:3 Heap", "Heap.cs:4 Heap.Clear"] });
    const rust = await codebaseOf({ "src/lib.rs": "struct Kept { n: i32 }\nimpl Kept { fn put(&self) {} }\nimpl<T> From<T> for Kept { fn from(_: T) -> Self { todo!() } }\nstruct Other;\nimpl From<Kept> for Other { fn from(_: Kept) -> Self { Other } }\n" });
    expect((await impact(rust, "Kept")).leftOut?.mentions).toEqual({ total: 1, items: ["src/lib.rs:5 Other.from"] });
  });

  it("tells the types of a name apart by what declares or imports one, by languages, and by Java's packages", async () => {
    const java = (path: string, text: string): Record<string, string> => ({ [`j/${path}.java`]: text });
    const codebase = await codebaseOf({
      ...java("a/Item", "package a;\npublic class Item { Item next; }\n"), ...java("b/Item", "package b;\npublic class Item { Item next; }\n"), ...java("b/Near", "package b;\nclass Near { Item one; }\n"),
      ...java("c/UseA", "package c;\nimport a.Item;\nclass UseA { Item one; }\n"), ...java("c/UseB", "package c;\nimport b.Item;\nclass UseB { Item one; }\n"),
      ...java("b/Both", "package b;\nclass Both { a.Item one;\n  Item two; }\n"), ...java("c/Star", "package c;\nimport a.*;\nclass Star { Item one; }\n"),
      "t/a.ts": "export interface Item { x: number }\n", "t/b.ts": "export interface Item { y: number }\nexport const other = 1;\n",
      "t/index.ts": 'export * from "./a";\n', "t/useA.ts": 'import type { Item } from "./a";\nexport function useA(one: Item): void {}\n',
      "t/useB.ts": 'import type { Item } from "./b";\nexport function useB(one: Item): void {}\n',
      // It has another thing of the file that declares the other one.
      "t/both.ts": 'import { other } from "./b";\nimport type { Item } from "./index";\nexport function both(one: Item): void { other; }\n',
      "g/item.go": "package g\n\ntype Item struct{}\n\nfunc New(one *Item) {}\n\ntype Kept struct{}\n", "conf.yaml": "kind: Kept\n", "p/a.py": "class Item: pass\n", "p/b.py": "class Item: pass\n", "p/use_b.py": "from p.b import Item\ndef use_b(one: Item): ...\n",
    });
    const mentions = async (target: string): Promise<readonly string[] | undefined> => (await impact(codebase, target)).leftOut?.mentions?.items;
    expect(await mentions("j/a/Item.java:Item")).toEqual(["j/c/Star.java:3 Star", "j/c/UseA.java:3 UseA", "j/b/Both.java:2 Both"]);
    expect(await mentions("t/a.ts:Item")).toEqual(["t/useA.ts:2 useA", "t/both.ts:3 both"]);
    expect(await mentions("g/item.go:Item")).toEqual(["g/item.go:5 New"]);
    expect(await mentions("g/item.go:Kept")).toEqual(["conf.yaml:1"]);
    expect(await mentions("p/a.py:Item")).toBeUndefined();
    expect(await mentions("p/b.py:Item")).toEqual(["p/use_b.py:2 use_b"]);
  });

  it("takes an import for explained where its file has an edge that leads to the name, and nothing else for an import", async () => {
    const codebase = await codebaseOf({
      "src/utils.js": "export function omit(x) { return x; }\nexport function other() {}\n",
      "src/a.test.js": "import {\n  omit,\n  other,\n} from './utils';\nomit(1);\n", "src/b.test.js": "import { omit } from './utils';\nother(\n  omit,\n);\nregistry['omit'] = 1;\n", "c.js": "import { omit } from 'lodash';\n",
    });
    const { leftOut } = await impact(codebase, "omit");
    expect(leftOut?.mentions?.items).toEqual(["c.js:1", "src/b.test.js:5"]);
    const python = await codebaseOf({ "m.py": "def pick(x):\n    return x\n", "test_n.py": "from m import (\n    pick,\n)\n\nrun('pick')\npick(2)\n" });
    expect((await impact(python, "pick")).leftOut?.mentions?.items).toEqual(["test_n.py:5"]);
  });

  it("counts dependents at any depth, and not only those within the depth", async () => {
    const chain = Array.from({ length: 14 }, (_, i) => `function f${i}(): void { f${i + 1}(); }\n`);
    const codebase = await codebaseOf({ "a.ts": `${chain.join("")}function f14(): void {}\nf0();\n` });
    for (const maxDepth of [1, 3]) {
      expect((await impact(codebase, "f14", { maxDepth })).risk).toEqual({ level: "MEDIUM", reasons: ["at least 12 dependents at any depth (12 or more)"] });
    }
    expect((await impact(codebase, "f9", { maxDepth: 3 })).risk.level).toBe("LOW");
  });

  it("is unknown where a function that depends on it is handed on, to be called from elsewhere", async () => {
    const codebase = await codebaseOf({
      "a.ts": "declare const box: Record<string, unknown>;\nfunction respond(): void {}\nfunction start(): void {\n  const done = (): void => respond();\n  box.done = done;\n}\nstart();\n",
      "b.py": "def _answer():\n    pass\n\n\ndef _start(thing):\n    def _done():\n        _answer()\n    return thing.run(_done)\n\n\n_start(open('x'))\n",
    });
    expect((await impact(codebase, "respond")).risk.reasons).toContain("done is handed on as a value (a.ts:5): what calls it there is not seen");
    expect((await impact(codebase, "_answer")).risk).toMatchObject({ level: "unknown", reasons: expect.arrayContaining(["_done is handed on as a value (b.py:8): what calls it there is not seen"]) as string[] });
  });

  it("is LOW where a route is all that leads there", async () => {
    const codebase = await codebaseOf({ "package.json": "{}", "app.js": "const express = require(\"express\");\nconst app = express();\nfunction read() {}\nfunction show(request, response) { read(); }\napp.get(\"/shop\", show);\n" });
    expect((await impact(codebase, "read")).risk.level).toBe("LOW");
  });

  it("is unknown where what depends on it takes the place of a method that is called", async () => {
    const codebase = await codebaseOf({ "a.py": "class _Base:\n    def put(self):\n        self._put()\n\n    def _put(self):\n        pass\n\n\nclass _Own(_Base):\n    def _put(self):\n        self.__key()\n\n    def __key(self):\n        pass\n" });
    expect((await impact(codebase, "_Own.__key", { maxDepth: 1 })).risk).toMatchObject({ level: "unknown", reasons: expect.arrayContaining(["it is reached from _Own._put, and what calls that is not known for sure"]) as string[] });
  });

  it("is LOW of a test, and unknown of what stands in for something there", async () => {
    const codebase = await codebaseOf({
      "a.go": "package a\n\nimport \"net\"\n\ntype closer interface{ shut() }\n\nfunc use(c net.Conn) { c.Close() }\nfunc end(c closer) { c.shut() }\n",
      "a_test.go": "package a\n\nimport \"testing\"\n\ntype conn struct{}\n\nfunc (conn) Close() error { return nil }\nfunc (conn) shut() {}\nfunc (conn) help() {}\nfunc TestUse(t *testing.T) { use(conn{}); end(conn{}) }\n",
      "test_b.py": "class Fake:\n    def _write(self, text): pass\n\ndef test_b():\n    run(Fake())\n\ndef shared(out):\n    out._write('x')\n\nclass Other:\n    def _write(self): pass\n",
    });
    expect((await impact(codebase, "TestUse")).risk).toEqual({ level: "LOW", reasons: ["nothing in the graph depends on it"] });
    expect((await impact(codebase, "conn.help")).risk.level).toBe("LOW");
    expect((await impact(codebase, "conn.Close")).risk.reasons).toContain("it can be called by whoever gets conn, libraries too");
    expect((await impact(codebase, "conn.shut")).risk.reasons).toContain("it is what closer.shut asks of conn");
    expect((await impact(codebase, "Fake._write")).risk.reasons).toContain("its name stands in 1 other line of code or text, and no edge says why");
  });

  it("is unknown where tests reach it, and names eight of them at once", async () => {
    const tests = Array.from({ length: 10 }, (_, i) => `t${i}`);
    const codebase = withNodes(handmade(["a", ...tests], tests.map((from, i) => ({ from, to: "a", line: 100 + i }))), Object.fromEntries(tests.map((name) => [name, { test: true }])));
    const { risk, leftOut } = await impact(codebase, "a");
    expect(risk).toEqual({ level: "unknown", reasons: ["no sure dependent outside of tests", "10 dependents in tests left out"] });
    expect(leftOut!.tests).toMatchObject({ total: 10, items: tests.slice(0, 8).map((name, i) => `f.ts:${100 + i} ${name}`) });
  });

  it("is unknown where something below the confidence may depend on it, which does not count for a higher risk", async () => {
    const callers = Array.from({ length: 40 }, (_, i) => `c${i}`);
    const codebase = handmade(["a", ...callers], callers.map((from) => ({ from, to: "a", confidence: 0.6, line: 7 })));
    const { risk, leftOut } = await impact(codebase, "a");
    expect(risk).toEqual({ level: "unknown", reasons: ["no sure dependent outside of tests", "40 dependents below the confidence left out"] });
    expect(leftOut!.unsure).toMatchObject({ total: 40 });
    expect(leftOut!.unsure!.items.length).toBe(8);
    expect(leftOut!.unsure!.items[0]).toBe("f.ts:7 c0 0.6");
    expect((await impact(codebase, "a", { minConfidence: 0.5 })).risk.level).not.toBe("CRITICAL");
  });

  it("is unknown where its file, or one of its language, could not be resolved", async () => {
    const codebase = handmade(["a", "b"], [{ from: "b", to: "a" }]);
    const skipped = [{ path: "f.ts", reason: "took too long", unresolved: true as const }];
    expect((await impact({ ...codebase, skipped }, "a")).risk).toMatchObject({ level: "unknown", reasons: ["1 direct dependent (below 4)", "1 dependent within the depth (below 12)", "its file could not be resolved"] });
  });

  it("is unknown where the name stands in text that no edge explains, with the lines", async () => {
    const codebase = await codebaseOf({
      "a.py": "# _hidden is near.\ndef _hidden():\n    return _hidden_too()\n\ndef _hidden_too():\n    pass\n\n\ndef unused_():\n    pass\n",
      "conf.yaml": "plugins:\n  - a._hidden\n",
    });
    const { risk, leftOut } = await impact(codebase, "_hidden");
    expect(risk.level).toBe("unknown");
    expect(risk.reasons).toContain("its name stands in 1 other line of code or text, and no edge says why");
    expect(leftOut!.mentions).toEqual({ total: 1, items: ["conf.yaml:2"] });
  });

  it("tells no lines that an edge to something of the same name explains, nor comments above, and those of code first", async () => {
    const codebase = await codebaseOf({
      "NOTES.md": "Call match.\n",
      "a.py": "class A:\n    # match says.\n    # Whether match is so.\n    def match(self):\n        pass\n\nclass B:\n    def match(self):\n        pass\n\ndef use(thing):\n    A().match()\n    getattr(thing, 'match')()\n",
    });
    const { leftOut } = await impact(codebase, "B.match");
    expect(leftOut!.mentions).toEqual({ total: 2, items: ["a.py:13 use", "NOTES.md:1"] });
  });

  it("takes for a docstring of Python what stands alone at the beginning of something, and no code between two other texts", async () => {
    const use = (text: string): string => `class Box:\n    def _size(self):\n        return 1\n\n    def run(self):\n        return self._size()\n\n\nclass Bag:\n    def _size(self):\n        return 2\n\n\n${text}`;
    const mentions = async (text: string, before = ""): Promise<unknown> => (await impact(await codebaseOf({ "a.py": before + use(text) }), "Box._size")).leftOut?.mentions?.items;
    expect(await mentions('def other(thing):\n    """Has a ._size() of 1."""\n')).toBeUndefined();
    expect(await mentions('# It is said.\nclass Other:\n    # Here.\n    r"""Has a\n    thing._size() of 1.\n    """\n')).toBeUndefined();
    expect(await mentions("", '# First.\n"""Has a thing._size() of 1."""\n')).toBeUndefined();
    expect(await mentions('SQL = """\nselect 1\n"""\n\n\ndef other(thing):\n    return thing._size()\n\n\nTEXT = """x"""\n')).toEqual(["a.py:20 other"]);
    expect(await mentions("def other(thing):\n    return 10 // thing._size()\n")).toEqual(["a.py:15 other"]);
    expect(await mentions('def other(thing):\n    run(\n        """\n        thing._size()\n        """\n    )\n')).toEqual(["a.py:17 other"]);
    expect(await mentions('def other(thing):\n    return {"a":\n        """thing._size()"""}\n')).toEqual(["a.py:16 other"]);
    expect(await mentions('def other(thing):\n    """Says.\n\n    >>> thing._size()\n    """\n')).toEqual(["a.py:17 other"]);
  });

  it("tells of a class no lines that make its objects or call its static methods", async () => {
    const codebase = await codebaseOf({
      "builder.rb": "module Views\n  class Builder\n    def initialize(page)\n    end\n  end\nend\n",
      "use.rb": "def build\n  Views::Builder.new(self)\nend\n",
    });
    expect(await impact(codebase, "Builder")).not.toHaveProperty("leftOut");
  });

  it("takes what Ruby assigns for a call of the writer", async () => {
    const codebase = await codebaseOf({ "a.rb": "class A\n  attr_accessor :left\n  def run\n    self.left = 1\n    left\n  end\nend\n" });
    expect(await impact(codebase, "A.left")).not.toHaveProperty("leftOut");
  });

  it("takes an overload for a declaration", async () => {
    const codebase = await codebaseOf({ "a.ts": "function pick(a: string): string;\nfunction pick(a: number): number;\nfunction pick(a: unknown): unknown {\n  return a;\n}\nfunction use(): void { pick(1); }\nuse();\n" });
    expect((await impact(codebase, "pick")).risk.level).toBe("LOW");
  });

  it("takes a prototype of C for a declaration, and a call for none", async () => {
    const text = (name: string, more = ""): string => `static struct node *${name}(int);\nint main(void);\nstatic struct node *\n${name}(int a)\n{\n\treturn 0;\n}\nint main(void) { ${name}(1); return 1; }\n${more}`;
    const codebase = await codebaseOf({ "a.c": text("peek"), "b.c": text("poke", "#if 0\nvoid old(void) {\n\treturn poke(1);\n}\n#endif\n") });
    expect((await impact(codebase, "peek")).risk).toEqual({ level: "LOW", reasons: ["1 direct dependent (below 4)", "1 dependent within the depth (below 12)"] });
    expect(await impact(codebase, "poke")).toMatchObject({ risk: { level: "unknown" }, leftOut: { mentions: { total: 1, items: ["b.c:11"] } } });
  });

  it("names uses that no edge explains whatever the risk, where code need not say of what type a value is", async () => {
    const repo = (end: string, use: (body: string, i: number | string) => string): Record<string, string> => Object.fromEntries([
      [`box.${end}`, end === "py" ? "class Box:\n    def shake(self):\n        pass\n\n\nclass Bag:\n    def shake(self):\n        pass\n" : "export class Box {\n  shake(): void {}\n}\nexport class Bag {\n  shake(): void {}\n}\n"],
      ...Array.from({ length: 12 }, (_, i) => [`use${i}.${end}`, use("Box().shake()", i)]), [`any.${end}`, use("thing.shake()", "")],
    ] as [string, string][]);
    const python = await codebaseOf(repo("py", (body, i) => `from box import Box\n\n\ndef use${i}(thing):\n    """Does shake it."""\n    ${body}\n`));
    expect(await impact(python, "Box.shake")).toMatchObject({ risk: { level: "HIGH" }, leftOut: { mentions: { total: 1, items: ["any.py:6 use"] } } });
    const made = await codebaseOf({ ...repo("py", (_, i) => `from box import Bag\n\n\ndef use${i}(thing):\n    Bag()\n    super().__init__()\n`), "box.py": "class Bag:\n    def __init__(self):\n        pass\n" });
    expect((await impact(made, "Bag.__init__")).leftOut).toBeUndefined();
    const plain = repo("js", (body, i) => `import { Box } from "./box.js";\nexport function use${i}(thing) {\n  // shake it\n  ${body.replace("Box()", "new Box()")};\n}\n`);
    const script = await codebaseOf({ ...plain, "box.js": plain["box.js"]!.replaceAll(": void", "") });
    expect(await impact(script, "Box.shake")).toMatchObject({ risk: { level: "HIGH" }, leftOut: { mentions: { total: 1, items: ["any.js:4 use"] } } });
    const typed = await codebaseOf(repo("ts", (body, i) => `import { Box } from "./box.ts";\nexport function use${i}(thing: any): void {\n  ${body.replace("Box()", "new Box()")};\n}\n`));
    const answer = await impact(typed, "Box.shake");
    expect(answer.risk.level).toBe("HIGH");
    expect(answer).not.toHaveProperty("leftOut");
  });

  it("looks for operators by their signs", () => {
    expect(useOf("operator++").test("one.operator++()")).toBe(true);
    for (const name of ["+", "**", "[]", "operator()"]) expect(new RegExp(patternOf(name)).test(`a ${name} b`)).toBe(true);
  });

  it("looks for the constant of a member of JavaScript under one", async () => {
    const codebase = await codebaseOf({ "a.js": "const kShut = Symbol();\nclass Door { [kShut]() {} go() { this[kShut](); } }\nnew Door().go();\n", "b.js": "const shut = (door, { kShut }) => door[kShut]();\n" });
    expect((await impact(codebase, "Door[kShut]")).leftOut?.mentions).toEqual({ total: 1, items: ["b.js:1 shut"] });
  });

  it("looks for the class's name where it is asked about a constructor", async () => {
    const repo = (last: string): Record<string, string> => ({
      "box.ts": "class Box {\n  constructor(private size: number) {}\n}\nclass Bag {\n  constructor(private size: number) {}\n}\nfunction typeOf(thing: object) {\n  return thing.constructor;\n}\n" + last,
    });
    const answer = await impact(await codebaseOf(repo("register(Bag);\n")), "Box.constructor");
    expect(answer.risk.reasons).not.toContainEqual(expect.stringContaining("stands in"));
    expect(await impact(await codebaseOf(repo("// eslint-disable-next-line\nregister('Box');\n")), "Box.constructor")).toMatchObject({
      risk: { level: "unknown", reasons: expect.arrayContaining(["its class's name stands in 1 other line of code or text, and no edge says why"]) as string[] },
      leftOut: { mentions: { total: 1, items: ["box.ts:11"] } },
    });
  });

  it("keeps a level that is known to be higher", async () => {
    const callers = Array.from({ length: 12 }, (_, i) => `c${i}`);
    const codebase = withNodes(handmade(["a", ...callers], callers.map((from) => ({ from, to: "a" }))), { a: { exported: true } });
    expect((await impact(codebase, "a")).risk.level).toBe("HIGH");
  });
});

describe("what is only possible", () => {
  const REPO = {
    "a.ts": "export interface Store { save(): void }\nexport function use(store: Store): void {\n  store.save();\n}\n",
    "b.ts": "import type { Store } from \"./a.ts\";\nexport class Memory implements Store {\n  save(): void {}\n}\n",
    "c.ts": "import type { Store } from \"./a.ts\";\nexport class Disk implements Store {\n  save(): void {}\n}\n",
  };

  it("is one line, and no fact: not in imports, callees or connections", async () => {
    const codebase = await codebaseOf(REPO);
    const line = "Store.save at 3: 2 possible (Memory.save b.ts:3, Disk.save c.ts:3)";
    const review = await call("review_file", { filePath: "a.ts" }, { codebase });
    expect(review).not.toHaveProperty("imports");
    expect(review.possibleCallees).toEqual({ total: 1, items: [line] });
    const dive = await call("deep_dive", { name: "use" }, { codebase }) as { callees: { items: { id: string }[] }; possibleCallees: object };
    expect(dive.callees.items.map(({ id }) => id)).toEqual(["Method:a.ts:Store.save"]);
    expect(dive.possibleCallees).toEqual({ total: 1, items: [line] });
    const explored = await call("explore", { name: "Memory.save", type: "symbol" }, { codebase });
    expect(explored).not.toHaveProperty("callers");
    expect(explored.possibleCallers).toEqual({ total: 1, items: ["a.ts:3 use 0.6"] });
    const { hotspots: { items: hotspots } } = await call("context", { focus: "hotspots" }, { codebase }) as { hotspots: { items: { id: string }[] } };
    expect(hotspots.map(({ id }) => id)).not.toContain("Method:b.ts:Memory.save");
  });

  it("is no reason of find_similar", async () => {
    const codebase = handmade(["alpha", "beta", "target"], [{ from: "alpha", to: "target", confidence: 0.6 }, { from: "beta", to: "target", confidence: 0.6 }]);
    const { similar = [] } = await call("find_similar", { name: "alpha" }, { codebase }) as { similar?: { why: string }[] };
    expect(similar.map(({ why }) => why).join()).not.toContain("both call");
  });
});
