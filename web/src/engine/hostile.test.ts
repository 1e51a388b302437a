import { describe, expect, test } from "vitest";
import { codebaseOf } from "../../test/codebase.ts";

/** How often a thing is repeated: often enough that what grows with its square takes minutes or all memory. */
const MANY = 1_000;

const each = (line: (i: number) => string, count = MANY): string => Array.from({ length: count }, (_, i) => line(i)).join("\n");
const nested = (open: string, inner: string, close: string, depth = 20_000): string => open.repeat(depth) + inner + close.repeat(depth);
const next = (i: number): number => (i + 1) % MANY;

/** For each language an honest pair of files, and texts that are none, in files of their own. */
const LANGUAGES: Record<string, { honest: Record<string, string>; call: string; ending: string; hostile: Record<string, string> }> = {
  Ruby: {
    honest: { "a.rb": "def helper\nend\n", "b.rb": "require_relative 'a'\ndef caller\n  helper\nend\n" }, call: "Function:b.rb:caller -> Function:a.rb:helper", ending: "rb",
    hostile: {
      "nesting": nested("if x\n", "f", "\nend"),
      "one name": each(() => "def same(a)\n  same(a)\nend"),
      "a tall hierarchy": `class C0\n  def m; end\nend\n${each((i) => `class C${i + 1} < C${i}\n  def n${i}; m; zz; end\nend`)}`,
      "a hierarchy in a circle": each((i) => `class C${i} < C${next(i)}\n  def n; m; end\nend`),
    },
  },
  Go: {
    honest: { "p/a.go": "package p\n\nfunc helper() {}\n", "p/b.go": "package p\n\nfunc caller() { helper() }\n" }, call: "Function:p/b.go:caller -> Function:p/a.go:helper", ending: "go",
    hostile: {
      "nesting": `package h\nfunc f() { ${nested("func() {", "f()", "}()\n")} }`,
      "one name": `package h\n${each(() => "func same(a int) int { return same(a) }")}`,
      "aliases in a circle": `package h\n${each((i) => `type T${i} = T${next(i)}`)}\nfunc f(t T0) { t.M() }`,
      "embedding in a circle": `package h\n${each((i) => `type C${i} struct { *C${next(i)} }`)}\nfunc f(c C0) { c.M() }`,
      "one interface of all": `package h\ntype I interface { M() }\n${each((i) => `type S${i} struct{}\nfunc (S${i}) M() {}\nfunc f${i}(i I) { i.M() }`)}`,
      "all interfaces of all": `package h\n${each((i) => `type I${i} interface { M() }\ntype S${i} struct{}\nfunc (S${i}) M() {}`)}`,
    },
  },
  C: {
    honest: { "a.c": "int helper(void) { return 1; }\n", "b.c": "int helper(void);\nint caller(void) { return helper(); }\n" }, call: "Function:b.c:caller -> Function:a.c:helper", ending: "c",
    hostile: {
      "nesting": `void f() { ${nested("if (1) {", "f();", "}")} }`,
      "one name": each(() => "int same(int a) { return same(a); }"),
      "macros in a circle": `${each((i) => `#define M${i}(x) M${next(i)}(x)\n#define A${i} A${next(i)}`)}\nvoid f() { M0(A0()); }`,
      "types in a circle": `${each((i) => `typedef T${next(i)} T${i};`)}\nvoid f(T0 *t) { t->x(); }`,
      "signs": "@#$%^ )( }{ ".repeat(40_000),
      "enums without bodies": "enum ".repeat(100_000),
      "texts that never end": 'R"x( '.repeat(100_000),
      "directives of one line": "; # else while [ ".repeat(30_000),
    },
  },
  "C++": {
    honest: { "a.cc": "int helper() { return 1; }\n", "b.cc": "int helper();\nint caller() { return helper(); }\n" }, call: "Function:b.cc:caller -> Function:a.cc:helper", ending: "cc",
    hostile: {
      "template arguments": `${nested("A<", "int", ">")} x;`,
      "a tall hierarchy": `struct C0 { virtual void m() {} };\n${each((i) => `struct C${i + 1} : C${i} { void n${i}() { m(); zz(); } };`)}`,
      "a hierarchy in a circle": `${each((i) => `struct C${i} : C${next(i)} { void m() {} };`)}\nvoid f(C0 *c) { c->m(); c->k(); }`,
      "a wide hierarchy": `struct B { virtual void m() {} };\n${each((i) => `struct C${i} : B { void m() {} };\nvoid f${i}(B *b) { b->m(); }`)}`,
      "overloads": `${each((i) => `struct A${i} {};\nvoid o(A${i} *a) { }`, 2_000)}\n${each((i) => `void u${i}(A${i} *a) { o(a); }`, 2_000)}`,
    },
  },
  Rust: {
    honest: { "src/lib.rs": "mod a;\nfn caller() { a::helper(); }\n", "src/a.rs": "pub fn helper() {}\n" }, call: "Function:src/lib.rs:caller -> Function:src/a.rs:helper", ending: "rs",
    hostile: {
      "nesting": `fn f() { ${nested("g(|| ", "1", ")")} }`,
      "one name": each(() => "fn same(a: i32) { same(a); }"),
      "globs in a circle": each((i) => `mod m${i} { pub use super::m${next(i)}::*; pub fn f${i}() { g(); } }`),
      "types in a circle": `${each((i) => `type T${i} = T${next(i)};`)}\nfn f(t: T0) { t.m(); }`,
      "one trait of all": `trait T { fn m(&self); }\n${each((i) => `struct S${i};\nimpl T for S${i} { fn m(&self) {} }\nfn f${i}(t: &dyn T) { t.m(); }`)}`,
      "impls of one type": `struct S;\n${each((i) => `struct A${i};\nimpl From<A${i}> for S { fn from(a: A${i}) -> S { S::from(a) } }`)}`,
    },
  },
};

describe.each(Object.entries(LANGUAGES))("%s", (_, { honest, call, ending, hostile }) => {
  test.each(Object.entries(hostile))("%s: the file costs itself at most, and no other file anything", async (_name, text) => {
    const { graph, files } = await codebaseOf({ ...honest, [`zz/hostile.${ending}`]: text });
    expect(files.paths).toHaveLength(3);
    const calls: string[] = [];
    let edges = 0;
    for (let e = 0; e < graph.edgeCount; e++) {
      const { from, to, type } = graph.edge(e);
      if (["CALLS", "IMPLEMENTS", "EXTENDS"].includes(type)) edges++;
      if (type === "CALLS" && !graph.nodes[from]!.file.startsWith("zz/")) calls.push(`${graph.nodes[from]!.id} -> ${graph.nodes[to]!.id}`);
    }
    expect(calls).toEqual([call]);
    expect(edges).toBeLessThanOrEqual(100_001);
  }, 60_000);
});
