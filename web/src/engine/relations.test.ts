import { expect, test } from "vitest";
import { extract } from "../../test/languages.ts";
import { cpp } from "./languages/cpp/index.ts";
import { go } from "./languages/go/index.ts";
import type { Language, SymbolRef } from "./language.ts";
import { python } from "./languages/python/index.ts";
import { typescript } from "./languages/typescript/index.ts";
import { anchored, Relations, type ParsedFile } from "./relations.ts";

/** Resolves files, changes one, or removes it, and says how many were resolved again. */
async function redone(language: Language, files: Record<string, string>, path: string, text: string | undefined): Promise<number> {
  const parsed = new Map<string, ParsedFile>();
  for (const [name, source] of Object.entries(files)) parsed.set(name, anchored(name, await extract(language, name, source)));
  const paths = new Set(Object.keys(files));
  const relations = new Relations(language);
  const update = (changed?: Parameters<Relations["update"]>[3]): void => relations.update([...parsed.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), paths, () => undefined, changed);
  update();
  expect(relations.redone).toBe(parsed.size);
  if (text === undefined) parsed.delete(path);
  else parsed.set(path, anchored(path, await extract(language, path, text), parsed.get(path)));
  update({ own: new Set([path]), paths: [], contents: [] });
  return relations.redone;
}

const TS = {
  "a.ts": "export function a(n: number): string {\n  return String(n);\n}\nexport function guess(n: number) {\n  const s = a(n);\n  return s;\n}\n",
  "b.ts": 'import { a, guess } from "./a";\nexport const b = () => guess(a(1).length);\n',
  "c.ts": 'import { b } from "./b";\nb().trim();\n',
  "d.ts": 'export const d = (s: string) => s.trim();\n',
  "drawn.ts": "export function drawn(any) {\n  any.draw();\n}\n",
  "draws.ts": "class Own {\n  draw() {}\n  show() {}\n}\nexport const own = (of: Own) => of.show();\n",
};

test.each([
  ["a comment", TS["a.ts"].replace("{\n", "{\n  // said\n"), 1],
  ["a call in a body", TS["a.ts"].replace("return String", "guess(n);\n  return String"), 1],
  ["another body behind a declared type", TS["a.ts"].replace("String(n)", "`${n}${guess(n)}`"), 1],
  ["another declared type", TS["a.ts"].replace("): string", "): number"), 3],
  ["another type that is inferred", TS["a.ts"].replace("return s;", "return [s];"), 3],
  ["a new export that nobody names", `${TS["a.ts"]}export function more() {}\n`, 1],
  ["a new export of a name that others have, and nobody asks the file for", `${TS["a.ts"]}export function trim() {}\n`, 1],
  ["a new method of a name that nobody has", TS["a.ts"].replace("return String", "class X { m() {} }\n  return String"), 1],
  ["a new method of a name that others have, and nobody guesses by", TS["a.ts"].replace("return String", "class X { show() {} }\n  return String"), 1],
  ["a new method, which makes another one not the only one of its name", TS["a.ts"].replace("return String", "class X { draw() {} }\n  return String"), 2],
])("TypeScript: %s", async (_, text, files) => {
  expect(await redone(typescript, TS, "a.ts", text)).toBe(files);
});

const C = {
  "s.h": "struct ops {\n  int (*run)(int);\n  int count;\n};\nstruct box {\n  struct ops *ops;\n  struct ops own;\n};\n",
  "placed.c": '#include "s.h"\nstatic int first(int a) { return a; }\nstruct ops placed = { first, 1 };\n',
  "named.c": '#include "s.h"\nstatic int second(int a) { return a; }\nstruct ops named = { .run = second };\n',
  "holder.c": '#include "s.h"\nstruct holder {\n  struct ops *ops;\n};\nstatic struct ops *own;\nstruct holder holder = { own };\n',
  "calls.c": '#include "s.h"\nint calls(struct box *b) { return b->own.run(1); }\n',
};

test.each([
  ["a field more, for initialisers by place, and not for calls of what they put there", "struct ops {\n", "struct ops {\n  int more;\n", 2],
  ["a field more of what nobody initialises by place", "struct box {\n", "struct box {\n  int more;\n", 1],
])("C: %s", async (_, from, to, files) => {
  expect(await redone(cpp, C, "s.h", C["s.h"].replace(from, to))).toBe(files);
});

const WHOLE = {
  "lib/part.js": "exports.one = () => 1;\n",
  "lib/index.js": "exports.two = () => 2;\n",
  "names.js": 'const { one } = require("./lib/part");\nexports.names = () => one();\n',
  "some.mjs": 'import { one } from "./lib/part.js";\none();\n',
  "all.mjs": 'import * as part from "./lib/part.js";\npart.one();\n',
  "default.mjs": 'import part from "./lib/part.js";\npart.one();\n',
  "later.mjs": 'const found = await import("./lib/part.js");\nexport const later = found.one();\n',
  "lib.mjs": 'import * as lib from "./lib/index.js";\nlib.two();\n',
  "part.mjs": "export const one = () => 1;\n",
  "other.mjs": 'import * as part from "./part.mjs";\npart.one();\n',
  "every.ts": 'import * as part from "./lib/part.js";\ndeclare const each: (typeof part)[keyof typeof part];\neach.call();\n',
};

test.each([
  ["a module of which one takes every name, and others some", "lib/part.js", "exports.more = () => 3;\n", 2],
  ["one of which nobody takes every name", "lib/index.js", "exports.more = () => 3;\n", 1],
  ["another of the same name", "part.mjs", "export const more = () => 3;\n", 1],
])("JavaScript: a new export of %s", async (_, path, line, files) => {
  expect(await redone(typescript, WHOLE, path, WHOLE[path as keyof typeof WHOLE] + line)).toBe(files);
});

const OUTER = {
  "outer.d.ts": 'declare module "outer" {\n  export function one(): string;\n  export function two(): string;\n}\n',
  "one.ts": 'import { one } from "outer";\none().trim();\n',
  "two.ts": 'import { two } from "outer";\nexport const told = two();\n',
  "told.ts": 'import { told } from "./two";\ntold.trim();\n',
};

test.each([
  ["says of one name", "one(): string", "one(): number", 2],
  ["says of another", "two(): string", "two(): number", 3],
  ["says of one more", "  export", "  export function three(): string;\n  export", 1],
])("TypeScript: other things that `declare module` %s", async (_, from, to, files) => {
  expect(await redone(typescript, OUTER, "outer.d.ts", OUTER["outer.d.ts"].replace(from, to))).toBe(files);
});

test("TypeScript: another base concerns who calls or hands on what it overrides, not who names its type", async () => {
  const files = {
    "base.ts": "export class Base {\n  act() {}\n}\n",
    "heir.ts": 'import { Base } from "./base";\nexport class Heir extends Base {\n  act() {}\n}\n',
    "calls.ts": 'import type { Base } from "./base";\nexport const calls = (of: Base) => of.act();\n',
    "hands.ts": 'import type { Base } from "./base";\nfunction take(f: unknown) {}\nexport const hands = (of: Base) => take(of.act);\n',
    "names.ts": 'import type { Base } from "./base";\nexport const names = (of: Base) => of;\n',
  };
  expect(await redone(typescript, files, "heir.ts", files["heir.ts"].replace(" extends Base", ""))).toBe(3);
});

test.each([
  ["a file that nobody imports", "e.ts", "export const e = () => 1;\n", 1],
  ["a file that an import waited for, and who names what comes through it", "late.ts", "export const late = () => 1;\n", 3],
  ["a file less that nobody imports", "d.ts", undefined, 0],
  ["a file less, and who names what came through it", "a.ts", undefined, 2],
])("TypeScript: %s", async (_, path, text, files) => {
  const more = { "waits.ts": 'export { late } from "./late";\n', "on.ts": 'import { late } from "./waits";\nlate();\n' };
  expect(await redone(typescript, { ...TS, ...more }, path, text)).toBe(files);
});

const GO = {
  "p/a.go": "package p\n\ntype T struct{ n int }\n\nfunc (t T) Get() int { return t.n }\n\nvar first = T{}.Get()\n",
  "p/b.go": "package p\n\nfunc use(t T) int { first.Show(); return t.Get() }\n",
};

test.each([
  ["a body", GO["p/a.go"].replace("return t.n", "println(t.n)\n\treturn t.n"), 1],
  ["a field that others do not name", GO["p/a.go"].replace("n int", "n int64"), 1],
  ["a new method that others do not name", `${GO["p/a.go"]}func (t T) Set() {}\n`, 1],
  ["another method's result", GO["p/a.go"].replace("Get() int", "Get() int64"), 2],
  ["another initialiser", GO["p/a.go"].replace("T{}.Get()", "T{}"), 2],
])("Go: %s", async (_, text, files) => {
  expect(await redone(go, GO, "p/a.go", text)).toBe(files);
});

test.each([
  ["a new method that it does not ask for", `${GO["p/a.go"]}func (t T) Set() {}\n`, 1],
  ["a new field", GO["p/a.go"].replace("n int", "n, m int"), 1],
  ["another result of a method that it asks for", GO["p/a.go"].replace("Get() int", "Get() int64"), 3],
])("Go, beside an interface without a name: %s", async (_, text, files) => {
  expect(await redone(go, { ...GO, "p/c.go": "package p\n\nvar some interface{ Get() int }\n\nfunc run() { some.Get() }\n" }, "p/a.go", text)).toBe(files);
});

test.each([
  ["a file more of a package", "p/z.go", "package p\n\nfunc other() {}\n", 1],
  ["one that declares what others name", "p/z.go", "package p\n\nfunc first() {}\n", 3],
  ["a file less", "p/b.go", undefined, 0],
  ["a file of another package", "p/z.go", "package q\n", 1],
  ["the file that stands for its package", "p/p.go", "package p\n", 1],
  ["one that runs on import", "p/z.go", "package p\n\nfunc init() {}\n", 1],
])("Go: %s", async (_, path, text, files) => {
  expect(await redone(go, GO, path, text)).toBe(files);
});

test("a language that does not say what a change touches is resolved as a whole", async () => {
  const files = { "a.py": "def a():\n    pass\n", "b.py": "from a import a\na()\n" };
  expect(await redone(python, files, "a.py", "def a():\n    return 1\n")).toBe(2);
});

test("a relation that is found again keeps the highest confidence with its line, and the lines of the others, each once", async () => {
  const file = anchored("a.ts", await extract(typescript, "a.ts", "function a() {}\nfunction b() {}\n"));
  const [a, b] = [0, 1].map((symbol) => ({ file: 0, symbol })) as [SymbolRef, SymbolRef];
  const relations = new Relations({
    ...typescript,
    resolve: (_, emit) => {
      for (const [confidence, line] of [[0.5, 3], [0.9, 7], [0.7, 9], [0.9, 7], [0.9, 12], [0.7, 9], [0.9, 0]] as const) emit("CALLS", a, b, confidence, line);
      emit("CALLS", b, a, 0.25, 1);
      emit("EXTENDS", a, b, 1, 0);
      emit("EXTENDS", a, b, 1, 2);
    },
  });
  relations.update([file], new Set(["a.ts"]), () => undefined);
  expect(relations.of("a.ts").map(({ type, from, to, confidence, line, moreLines }) => [type, from.symbol, to.symbol, confidence, line, moreLines])).toEqual([
    ["CALLS", 0, 1, 0.9, 7, [3, 9, 12]], ["CALLS", 1, 0, 0.25, 1, undefined], ["EXTENDS", 0, 1, 1, 2, undefined],
  ]);
});
