/** Input that is made to take time or memory, and the tests of what it may cost. */
import { getHeapStatistics } from "node:v8";
import { describe, expect, test } from "vitest";
import { codebaseOf } from "./codebase.ts";

/** How often a thing is repeated: often enough that what grows with its square takes minutes or all memory. */
const MANY = 1_000;
/** Of what is cheap to parse. */
const COPIES = 5_000;

export const each = (line: (i: number) => string, count = MANY): string => Array.from({ length: count }, (_, i) => line(i)).join("\n");
const nested = (open: string, inner: string, close: string, depth = 20_000): string => open.repeat(depth) + inner + close.repeat(depth);
const next = (i: number): number => (i + 1) % MANY;

/** How often a type is put into itself, and how often that is done to what comes of it. */
const WIDE = 12;
const LONG = 60;
const wide = (of: string | ((i: number) => string)): string => Array.from({ length: WIDE }, (_, i) => (typeof of === "string" ? of : of(i))).join(", ");
const long = (line: (i: number) => string): string => each(line, LONG);

/** So many files, each with its text. */
export const files = (count: number, file: (i: number) => [path: string, text: string]): Record<string, string> => Object.fromEntries(Array.from({ length: count }, (_, i) => file(i)));

/** For each language an honest pair of files, and texts that are none, in files of their own; of several files by their paths. */
export const LANGUAGES: Record<string, { honest: Record<string, string>; call: string; ending: string; hostile: Record<string, string | Record<string, string>> }> = {
  Python: {
    honest: { "a.py": "def helper():\n  pass\n", "b.py": "from a import helper\n\ndef caller():\n  helper()\n" }, call: "Function:b.py:caller -> Function:a.py:helper", ending: "py",
    hostile: {
      "functions that call each other twice": `a0 = lambda x: x\n${long((i) => `a${i + 1} = lambda x: (a${i}(x), a${i}(a${i}(x)), x)`)}\na${LONG}(1)[0].x()`,
      "results that multiply": `from typing import TypeVar\nT = TypeVar("T")\ndef m(t: T) -> tuple[${wide("T")}]: ...\na0 = 1\n${long((i) => `a${i + 1} = m(a${i})`)}\na${LONG}[0][0].x()`,
      "one name": each(() => "def same(a):\n  same(a)", 4_000),
      "one property": `class A:\n${each(() => "  @property\n  def p(self): return self.p", 4_000)}`,
      "a tall hierarchy": `class C0:\n  def m(self): pass\n${each((i) => `class C${i + 1}(C${i}):\n  def n${i}(self):\n    self.m(); self.zz()`, 4_000)}`,
      "a tall hierarchy, upside down": each((i) => `class C${i}(C${i + 1}):\n  def n${i}(self):\n    self.m(); self.zz()`, 4_000),
      "a hierarchy that forks": `class A0: pass\nclass B0: pass\n${each((i) => `class A${i + 1}(A${i}, B${i}): pass\nclass B${i + 1}(A${i}, B${i}): pass`, 2_000)}`,
      "copies of a class": each(() => "class Same(Same):\n  def m(self):\n    Same().m()", 2_000),
      "conditions in a row": `if ${Array.from({ length: 20_000 }, (_, i) => `isinstance(y, A${i})`).join(" and ")}: pass\n`,
      "types that double": `${each((i) => `a${i + 1} = {a${i}: a${i}}`, 60)}\na60[0].x()`,
      "results that double": `${each((i) => `def f${i + 1}(a): return (f${i}(a), f${i}(a), a)`, 60)}\nf60(1)[0].x()`,
      "star imports in a circle": files(20, (i) => [`m${i}.py`, `${each((j) => `from zz.m${j} import *`, 20)}\nfoo()`]),
    },
  },
  TypeScript: {
    honest: { "a.ts": "export function helper() {}\n", "b.ts": "import { helper } from './a';\nexport function caller() { helper(); }\n" }, call: "Function:b.ts:caller -> Function:a.ts:helper", ending: "ts",
    hostile: {
      "results that multiply": `interface P<${wide((i) => `T${i}`)}> { a: T0; f(): void }\nfunction m<T>(t: T): P<${wide("T")}> { return null!; }\nconst a0 = 1;\n${long((i) => `const a${i + 1} = m(a${i});`)}\na${LONG}.a.a.f();`,
      "aliases that double": `type A0<T> = { v: T; w: T };\n${long((i) => `type A${i + 1}<T> = A${i}<A${i}<T>>;`)}\nfunction f(a: A${LONG}<Date>) { a.v.w.v.z(); }`,
      "type functions that double": `type A0<T> = T;\n${long((i) => `type A${i + 1}<T> = T extends string ? A${i}<T | 1> : A${i}<[T, T]> | A${i}<{ a: T }>;`)}\nfunction f(a: A${LONG}<Date>) { a.a.a.z(); }`,
      "made of what waits for its parameters": `function f<T extends U, U extends T>(t: T, K: { [P in keyof T]: new () => U }[keyof T]) { class A extends K { m() { super.m(); new K().x(); } } new t(); }`,
      "copies of a class": each(() => "class Same { m(a: Same) { new Same().m(a); this.q.r(); } }", 8_000),
      "copies of a class that extend it": each(() => "class Same extends Same { m() { new Same().m(); } }", 3_000),
      "overloads": `${each((i) => `interface A${i} { x${i}: number }\nfunction o(a: A${i}): A${i};`, 6_000)}\nfunction o(a: any): any {}\n${each((i) => `function u${i}(a: A${i}) { o(a).x(); }`, 6_000)}`,
      "a hierarchy that forks": `interface A0 {}\ninterface B0 {}\n${each((i) => `interface A${i + 1} extends A${i}, B${i} {}\ninterface B${i + 1} extends A${i}, B${i} {}`)}\nfunction f(a: A${MANY}) { ${each((i) => `a.x${i}();`, 50)} }`,
      "spreads that double": `const a0 = { m() {} };\n${each((i) => `const a${i + 1} = { ...a${i}, ...a${i}, x${i}() { a${i}.zz(); } };`, 500)}`,
      "types that double": `function p<T>(a: T, b: T): [T, T] { return [a, b]; }\nconst a0 = 1;\n${each((i) => `const a${i + 1} = p(a${i}, a${i});`, 200)}\na200.x();`,
      "markup of components": {
        "zz/open.vue": `<script setup>\nimport { x } from "./x";\n</script>\n<template>${'<a v-for="x in x">{{ x('.repeat(20_000)}</template>`, "zz/blocks.svelte": "{#if x}{#each x as x}".repeat(20_000),
        "zz/rows.vue": `<script>\nexport default { methods: { f() { this.f(); } } };\n</script>\n<template><div>${each(() => '<a v-for="x in f" @click="f">{{ f(x) }}</a>', COPIES)}</div></template>`,
        "zz/rows.svelte": `<script>\nlet f = () => f;\n</script>\n${each(() => "{#each f as x}<a on:click={f}>{f(x)}</a>{/each}", COPIES)}`,
      },
      "methods that are handed on for all that take their place": `interface I { m(): void }\n${each((i) => `class C${i} implements I { m() { h(this.m); } }`, 90)}\nfunction h(f) { f(); }\n${each((i) => `function f${i}(i: I, c: C1) { h(i.m); h(c.m); i.m = i.m; }`, 500)}`,
      "functions that are put into all others": each((i) => `function f${i}(a, b) { f${next(i)}(f${i}, a); f${(i * 7 + 3) % MANY}(b, a); a(); b(); return [a, b]; }`),
      "lists of functions that double": `function f() {}\nfunction g() {\nlet a0 = [f];\n${each((i) => `let a${i + 1} = [a${i}, a${i}]; a${i + 1}.push(a${i}, f); a${i} = a${i + 1}; a${i + 1}[0]();`)}\n}`,
      "a variable that is given everything": `let x;\n${each((i) => `function f${i}() { x(); x = f${i}; x = x; y(x); }`, 4_000)}\nfunction y(z) { z(); x = z; }`,
      "fields in a hierarchy that forks": `interface A0 { h: () => void }\ninterface B0 { h: () => void }\n${each((i) => `interface A${i + 1} extends A${i}, B${i} { h: () => void }\ninterface B${i + 1} extends A${i}, B${i} { h: () => void }`)}\nfunction z() {}\nfunction f(a: A${MANY}) { ${each(() => "a.h(); a.h = z;", 500)} }`,
      "literals of functions that give each other": `interface N { next: N; run(): void }\n${each((i) => `function f${i}(): N { return { next: f${(i + 1) % LONG}(), run() {}, ${Array.from({ length: LONG }, (_, j) => `a${j}: f${j}()`).join(", ")} }; }`, LONG)}\nf0().run();`,
      "type functions of each other": `${each((i) => `type A${i}<T> = T extends A${(i + 1) % 100}<T> ? A${(i + 1) % 100}<T[]> : A${(i + 1) % 100}<[T, T]>;`, 100)}\nfunction f(a: A0<number>) { a.x(); }`,
      "star exports in a circle": files(20, (i) => [`f${i}.ts`, `${each((j) => `export * from "./f${j}";`, 20)}\nimport { zz } from "./f${(i + 1) % 20}";\nzz();`]),
    },
  },
  Ruby: {
    honest: { "a.rb": "def helper\nend\n", "b.rb": "require_relative 'a'\ndef caller\n  helper\nend\n" }, call: "Function:b.rb:caller -> Function:a.rb:helper", ending: "rb",
    hostile: {
      "templates": {
        "zz/open.html.erb": "<% if x %>".repeat(20_000), "zz/tags.html.erb": "<%".repeat(200_000), "zz/rows.html.erb": each(() => "<% x.each do |x| %><%= f x # x %><% end %>", COPIES),
        "app/views/zz/rows.html.erb": each((i) => `<%= render "zz/a${i}" %><%= f${i} @a %>`, COPIES),
      },
      "hashes that double": `def f(c)\n  a0 = 1\n${long((i) => `  a${i + 1} = { l: a${i}, r: a${i} }`)}\n  a${LONG}[:l][:r].x\nend`,
      "results that double": `def f0(a) = a\n${long((i) => `def f${i + 1}(a) = { l: f${i}(a), r: f${i}([a]), m: a }`)}\nf${LONG}(self)[:l][:r].x`,
      "arguments that grow": long((i) => `class K${i}; end\ndef f${i}(a, b)\n  f${(i + 1) % LONG}([a, b], [b, a])\n  f${(i * 7 + 3) % LONG}(K${i}.new, { a => b })\n  a.first.x\n  [a, b, f${(i + 1) % LONG}(b, a)]\nend\nf0(1, 2)`),
      "nesting": nested("if x\n", "f", "\nend"),
      "one name": each(() => "def same(a)\n  same(a)\nend", COPIES),
      "one method": `class A\n${each(() => "def same(a)\n  same(a)\nend", COPIES)}\nend`,
      "copies of a class": each(() => "class Same < Same\n  def m; Same.new.m; end\nend", COPIES),
      "a tall hierarchy": `class C0\n  def m; end\nend\n${each((i) => `class C${i + 1} < C${i}\n  def n${i}; m; zz; end\nend`, COPIES)}`,
      "a tall hierarchy, upside down": each((i) => `class C${i} < C${i + 1}\n  def n${i}; m; zz; end\nend`, COPIES),
      "a hierarchy in a circle": each((i) => `class C${i} < C${next(i)}\n  def n; m; end\nend`),
    },
  },
  Go: {
    honest: { "p/a.go": "package p\n\nfunc helper() {}\n", "p/b.go": "package p\n\nfunc caller() { helper() }\n" }, call: "Function:p/b.go:caller -> Function:p/a.go:helper", ending: "go",
    hostile: {
      "results that multiply": `package h\ntype P[${wide((i) => `T${i} any`)}] struct { a T0 }\nfunc (p P[${wide((i) => `T${i}`)}]) F() {}\nfunc m[T any](t T) P[${wide("T")}] { panic(1) }\nfunc f() { a0 := 1; ${long((i) => `a${i + 1} := m(a${i})`)}\na${LONG}.a.a.F() }`,
      "aliases that double": `package h\ntype P[A, B any] struct { a A }\nfunc (p P[A, B]) F() {}\ntype A0[T any] = P[T, T]\n${long((i) => `type A${i + 1}[T any] = A${i}[A${i}[T]]`)}\nfunc f(a A${LONG}[int]) { a.a.a.F() }`,
      "structs that double": `package h\ntype A0[T any] struct { a, b T }\n${long((i) => `type A${i + 1}[T any] = struct { a A${i}[T]; b A${i}[*T] }`)}\nfunc f(a A${LONG}[int]) { a.a.a.F() }`,
      "nesting": `package h\nfunc f() { ${nested("func() {", "f()", "}()\n")} }`,
      "one name": `package h\n${each(() => "func same(a int) int { return same(a) }")}`,
      "aliases in a circle": `package h\n${each((i) => `type T${i} = T${next(i)}`)}\nfunc f(t T0) { t.M() }`,
      "embedding in a circle": `package h\n${each((i) => `type C${i} struct { *C${next(i)} }`)}\nfunc f(c C0) { c.M() }`,
      "methods that are handed on for all that implement them": `package h\ntype I interface { M() }\nfunc h(f func()) { f() }\n${each((i) => `type S${i} struct{}\nfunc (s S${i}) M() { h(s.M) }`, 90)}\n${each((i) => `func f${i}(i I) { h(i.M); x := []func(){i.M, i.M}; h(x[0]) }`, 2_000)}`,
      "one interface of all": `package h\ntype I interface { M() }\n${each((i) => `type S${i} struct{}\nfunc (S${i}) M() {}\nfunc f${i}(i I) { i.M() }`)}`,
      "all interfaces of all": `package h\n${each((i) => `type I${i} interface { M() }\ntype S${i} struct{}\nfunc (S${i}) M() {}`)}`,
      "hundreds of interfaces of hundreds": files(20, (i) => [`h/f${i}.go`, `package h\n${each((j) => `type I${i}x${j} interface { M() }\ntype S${i}x${j} struct{}\nfunc (S${i}x${j}) M() {}`, 20)}`]),
      "methods of one by all": `package h\ntype B struct{}\n${each((i) => `func (B) M${i}() {}\ntype S${i} struct { *B }\ntype I${i} interface { M${i}() }`, 2_000)}`,
    },
  },
  C: {
    honest: { "a.c": "int helper(void) { return 1; }\n", "b.c": "int helper(void);\nint caller(void) { return helper(); }\n" }, call: "Function:b.c:caller -> Function:a.c:helper", ending: "c",
    hostile: {
      "nesting": `void f() { ${nested("if (1) {", "f();", "}")} }`,
      "one name": each(() => "int same(int a) { return same(a); }", COPIES),
      "one struct": each(() => "struct same { struct same *n; };\nvoid f(struct same *a) { a->n->f(); }", COPIES),
      "one macro": each(() => "#define SAME same\nint same(int a) { return SAME(a); }", COPIES),
      "macros in a circle": `${each((i) => `#define M${i}(x) M${next(i)}(x)\n#define A${i} A${next(i)}`)}\nvoid f() { M0(A0()); }`,
      "types in a circle": `${each((i) => `typedef T${next(i)} T${i};`)}\nvoid f(T0 *t) { t->x(); }`,
      "fields that hold all": `struct s { void (*a)(void); void (*b)(void); };\n${each((i) => `void f${i}(struct s *p) { p->a = p->b; p->b = f${i}; p->a(); p->b(); }`, COPIES)}`,
      "a local that holds all": `${each((i) => `void f${i}(void) {}`)}\nvoid f(void) { void (*a)(void), (*b)(void); ${each((i) => `a = f${i}; b = a; a = b; a(); b();`)} }`,
      "locals of locals": `void f(void (*a0)(void)) { ${each((i) => `void (*a${i + 1})(void) = a${i} ? a${i} : a${i >> 1}; a${i + 1}();`)} }`,
      "parameters in a circle": each((i) => `void f${i}(void (*a)(void), void (*b)(void)) { f${next(i)}(b, a); f${(i * 7) % 100}(a, f${i}); a(); }`),
      "tables in tables": `struct t { struct t *n; void (*a)(void); };\nvoid f(void) {}\nstruct t all[] = { ${nested("{", "f", "}")} };`,
      "signs": "@#$%^ )( }{ ".repeat(40_000),
      "enums without bodies": "enum ".repeat(100_000),
      "texts that never end": 'R"x( '.repeat(100_000),
      "directives of one line": "; # else while [ ".repeat(30_000),
    },
  },
  "C++": {
    honest: { "a.cc": "int helper() { return 1; }\n", "b.cc": "int helper();\nint caller() { return helper(); }\n" }, call: "Function:b.cc:caller -> Function:a.cc:helper", ending: "cc",
    hostile: {
      "results that multiply": `template<${wide((i) => `class T${i}`)}> struct P { T0 a; void f() {} };\ntemplate<class T> P<${wide("T")}> m(T t) { return {}; }\nvoid f() { auto a0 = 1; ${long((i) => `auto a${i + 1} = m(a${i});`)} a${LONG}.a.a.f(); }`,
      "bases that double": `template<class T> struct C0 { T get() {} };\n${long((i) => `template<class T> struct C${i + 1} : C${i}<P<T, P<T, T>>> { void f() { this->get().x().f(); } };`)}`,
      "copies of a class": each(() => "struct Same : Same { void m() { Same().m(); } };", COPIES),
      "declarations": each(() => "int same(int a);\nint user() { return same(1); }", COPIES),
      "template arguments": `${nested("A<", "int", ">")} x;`,
      "a tall hierarchy": `struct C0 { virtual void m() {} };\n${each((i) => `struct C${i + 1} : C${i} { void n${i}() { m(); zz(); } };`)}`,
      "a hierarchy in a circle": `${each((i) => `struct C${i} : C${next(i)} { void m() {} };`)}\nvoid f(C0 *c) { c->m(); c->k(); }`,
      "objects of a hierarchy that forks": files(6, (file) => [`m${file}.cpp`, `namespace n${file} {\nstruct A0 {};\nstruct B0 {};\n${long((i) => `struct A${i + 1} : A${i}, B${i} {};\nstruct B${i + 1} : A${i}, B${i} {};`)}\n${each((i) => `void f${i}() { A${LONG} a; B${LONG} b; }`)}\n}`]),
      "a wide hierarchy": `struct B { virtual void m() {} };\n${each((i) => `struct C${i} : B { void m() {} };\nvoid f${i}(B *b) { b->m(); }`, COPIES)}`,
      "overloads": `${each((i) => `struct A${i} {};\nvoid o(A${i} *a) { }`, 2_000)}\n${each((i) => `void u${i}(A${i} *a) { o(a); }`, 2_000)}`,
    },
  },
  Rust: {
    honest: { "src/lib.rs": "mod a;\nfn caller() { a::helper(); }\n", "src/a.rs": "pub fn helper() {}\n" }, call: "Function:src/lib.rs:caller -> Function:src/a.rs:helper", ending: "rs",
    hostile: {
      "results that multiply": `fn m<T>(t: T) -> (${wide("T")}) { todo!() }\nfn f() { let a0 = 1; ${long((i) => `let a${i + 1} = m(a${i});`)} a${LONG}.0.x(); }`,
      "aliases that double": `struct P<A, B>(A, B);\ntype A0<T> = P<T, T>;\n${long((i) => `type A${i + 1}<T> = A${i}<A${i}<T>>;`)}\nfn f(a: A${LONG}<i32>) { a.x(); a.0.y(); }`,
      "tuples that double": `fn id<T>(t: T) -> T { t }\nfn f() { let a0 = 1; ${long((i) => `let a${i + 1} = id((a${i}, a${i}, [a${i}, a${i}]));`)} a${LONG}.0.x(); }`,
      "nesting": `fn f() { ${nested("g(|| ", "1", ")")} }`,
      "one name": each(() => "fn same(a: i32) { same(a); }", COPIES),
      "copies of a struct": each(() => "struct Same;\nimpl Same { fn m(&self) { Same.m(); } }", COPIES),
      "copies of a trait": each(() => "trait Same: Same { fn m(&self) { self.m(); } }\nfn f<T: Same>(t: T) { t.m(); }", COPIES),
      "a tall hierarchy": `trait T0 {}\n${each((i) => `trait T${i + 1}: T${i} { fn n${i}(&self) { self.m(); self.zz(); } }`)}`,
      "globs in a circle": each((i) => `mod m${i} { pub use super::m${next(i)}::*; pub fn f${i}() { g(); } }`),
      "types in a circle": `${each((i) => `type T${i} = T${next(i)};`)}\nfn f(t: T0) { t.m(); }`,
      "one trait of all": `trait T { fn m(&self); }\n${each((i) => `struct S${i};\nimpl T for S${i} { fn m(&self) {} }\nfn f${i}(t: &dyn T) { t.m(); }`, COPIES)}`,
      "impls of one type": `struct S;\n${each((i) => `struct A${i};\nimpl From<A${i}> for S { fn from(a: A${i}) -> S { S::from(a) } }`, COPIES)}`,
    },
  },
  Java: {
    honest: { "A.java": "class A { static void helper() {} }\n", "B.java": "class B { static void caller() { A.helper(); } }\n" }, call: "Method:B.java:B.caller -> Method:A.java:A.helper", ending: "java",
    hostile: {
      "results that multiply": `class P<${wide((i) => `T${i}`)}> { T0 a; <T> P<${wide("T")}> m(T t) { return null; }\nvoid f() { var a0 = new P<${wide("String")}>(); ${long((i) => `var a${i + 1} = m(a${i});`)} a${LONG}.a.a.f(); } }`,
      "supertypes that double": `class C0<T> { T get() { return null; } }\n${long((i) => `class C${i + 1}<T> extends C${i}<Map<T, Map<T, T>>> { void f() { get().x().f(); } }`)}`,
      "copies of a class": each(() => "class Same extends Same { void m() { new Same().m(); } }", COPIES),
      "one method": `class C {\n${each(() => "void same(int a) { same(a); }", COPIES)}\n}`,
      "overloads": `class O {\n${each((i) => `void o(A${i} a) { o(zz()); }`, COPIES)}\n}`,
      "a tall hierarchy": `class C0 { void m() {} }\n${each((i) => `class C${i + 1} extends C${i} { void n${i}() { m(); zz(); } }`, COPIES)}`,
      "a tall hierarchy, upside down": each((i) => `class C${i} extends C${i + 1} { void n${i}() { m(); zz(); } }`, COPIES),
      "a hierarchy that forks": `interface A0 {}\ninterface B0 {}\n${each((i) => `interface A${i + 1} extends A${i}, B${i} {}\ninterface B${i + 1} extends A${i}, B${i} { default void f() { zz(); } }`)}`,
      "a wide hierarchy": `interface I { void m(); }\n${each((i) => `class C${i} implements I { public void m() {} void f(I i) { i.m(); } }`, COPIES)}`,
    },
  },
  "C#": {
    honest: { "A.cs": "class A { public static void Helper() {} }\n", "B.cs": "class B { static void Caller() { A.Helper(); } }\n" }, call: "Method:B.cs:B.Caller -> Method:A.cs:A.Helper", ending: "cs",
    hostile: {
      "results that multiply": `class P { (${wide("T")}) M<T>(T t) { return default; }\nvoid F() { var a0 = 1; ${long((i) => `var a${i + 1} = M(a${i});`)} a${LONG}.Item1.Item1.F(); } }`,
      "copies of a class": each(() => "class Same : Same { void M() { new Same().M(); } }", COPIES),
      "one extension method": `static class E {\n${each(() => "static void Same(this int a) { a.Same(); }")}\n}`,
      "one namespace": each(() => "using System;\nnamespace Same;\nclass A : I<B> { Task<B> M(C c) => null; }"),
      "one constructor": `class C {\n${each(() => "C(int a) { new C(a); }", COPIES)}\n}`,
      "a hierarchy in a circle": each((i) => `class C${i} : C${next(i)} { void N() { M(); } }`),
    },
  },
  PHP: {
    honest: { "a.php": "<?php\nfunction helper() {}\n", "b.php": "<?php\nfunction caller() { helper(); }\n" }, call: "Function:b.php:caller -> Function:a.php:helper", ending: "php",
    hostile: {
      "one name": `<?php\n${each(() => "function same($a) { same($a); }", COPIES)}`,
      "copies of a class": `<?php\n${each(() => "class Same extends Same { function m() { (new Same())->m(); } }", COPIES)}`,
      "copies of a trait": `<?php\n${each(() => "trait Same { use Same; function m() { $this->m(); } }", COPIES)}`,
      "a hierarchy in a circle": `<?php\n${each((i) => `class C${i} extends C${next(i)} { function n() { $this->m(); } }`)}`,
    },
  },
};

/** The languages that are not compiled. They take as long as the others: each half is a file of tests, so that two run side by side. */
export const SCRIPTS: readonly string[] = ["Python", "TypeScript", "Ruby", "PHP"];

/** What the whole of the engine may have here, in MB; the first hundred are what it needs before it has read anything. */
const HEAP = 400;

/** The tests of some languages. */
export function testHostile(names: readonly string[]): void {
  test("memory is bounded here, so that what takes too much of it fails", () => {
    expect(getHeapStatistics().heap_size_limit / 2 ** 20).toBeLessThan(HEAP);
  });

  describe.each(names.map((name) => [name, LANGUAGES[name]!] as const))("%s", (_, { honest, call, ending, hostile }) => {
    test.each(Object.entries(hostile))("%s: the file costs itself at most, and no other file anything", async (_name, texts) => {
      const apart = typeof texts === "string" ? { [`hostile.${ending}`]: texts } : texts;
      const { graph, files } = await codebaseOf({ ...honest, ...Object.fromEntries(Object.entries(apart).map(([path, text]) => [`zz/${path}`, text])) });
      expect(files.paths).toHaveLength(2 + Object.keys(apart).length);
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
}
