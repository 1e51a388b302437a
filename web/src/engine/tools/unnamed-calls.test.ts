/** What nothing calls by its name in the repository, and what runs it all the same. */
import { expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";

async function riskOf(path: string, text: string, target: string): Promise<{ level: string; reasons: string[] }> {
  const codebase = await codebaseOf({ [path]: text });
  return (await call("impact", { target, direction: "upstream" }, { codebase })).risk as { level: string; reasons: string[] };
}

const BY_LANGUAGE: [string, string, string, string][] = [
  ["a.py", "class _D:\n    def __enter__(self): pass\n", "_D.__enter__", "has a name that the language or a library calls"],
  ["a.py", "class _D:\n    def _repr_html_(self): pass\n", "_D._repr_html_", "has a name that"],
  ["a.rb", "class A\n  private\n  def respond_to_missing?(n, p) = true\n  def method_missing(n) = 1\nend\n", "A.method_missing", "has a name that"],
  ["A.php", "<?php\nclass A { private function __clone() {} }\n", "A.__clone", "has a name that"],
  ["A.java", "class A { private void writeObject(java.io.ObjectOutputStream o) {} }\n", "A.writeObject", "has a name that"],
  ["A.java", "class A implements java.io.Serializable { private static final long serialVersionUID = 1L; }\n", "A.serialVersionUID", "has a name that the language or a library reads"],
  ["a.go", "package a\n\nfunc init() {}\n", "init", "has a name that"],
  ["a.ts", "class A { *[Symbol.iterator]() {} }\n", "A[Symbol.iterator]", "has a name that"],
  ["a.js", "class A { toJSON() { return 1; } }\n", "A.toJSON", "has a name that"],
  ["A.cs", "internal class A { internal void Deconstruct(out int a) { a = 1; } }\n", "A.Deconstruct", "has a name that"],
  ["a.cpp", "namespace { struct P { ~P() {} }; }\n", "P.~P", "has a name that"],
  ["a.cpp", "namespace { struct P { P() {} }; }\n", "P.P", "declarations of objects run it"],
  ["A.java", "enum E { ONE, TWO }\n", "E.ONE", "values()"],
  ["A.cs", "internal class A { private enum E { One, Two } }\n", "E.One", "Enum.GetValues"],
  ["a.ts", "enum E { One, Two }\n", "E.One", "Object.values(E)"],
  ["a.cpp", "namespace { enum E { ONE, TWO }; }\n", "E.ONE", "casts to E"],
  ["a.py", "from enum import Enum\nclass _E(Enum):\n    ONE = 1\n", "_E.ONE", "_E(…), _E[…] and loops over _E"],
  ["a.rs", "#[derive(Debug, Clone, serde::Deserialize)]\n#[serde(rename_all = \"lowercase\")]\nenum E { One, Two }\n", "E.One", "derives serde::Deserialize"],
  ["A.cs", "internal partial class A { partial void OnReady(); }\n", "A.OnReady", "is partial"],
];

it.each(BY_LANGUAGE)("%s: what the language runs by its name (%#)", async (path, text, target, words) => {
  const { level, reasons } = await riskOf(path, text, target);
  expect(level).toBe("unknown");
  expect(reasons.join()).toContain(words);
});

it("what Rust derives for an enum has values that something else names, too", async () => {
  const text = "#[derive(Subcommand)]\nenum E { One, Two }\nfn main() {\n    match e() { E::One => {} E::Two => {} }\n}\nfn e() -> E { E::Two }\n";
  expect(await riskOf("src/main.rs", text, "E.One")).toMatchObject({ level: "unknown", reasons: expect.arrayContaining(["it is had by what derives Subcommand too"]) as string[] });
});

it("what Rust derives of itself makes no values of an enum", async () => {
  expect(await riskOf("a.rs", "#[derive(Debug, Clone, PartialEq)]\nenum E { One, Two }\n", "E.One")).toMatchObject({ level: "LOW" });
});

const NAMED_AND_NOT: [string, string, string, string][] = [
  ["A.java", "class A { private enum E { ONE, TWO } E a = E.ONE;\n private E of(String s) { return E.valueOf(s); } }\n", "private E of(String s) { return E.valueOf(s); }", "E.ONE"],
  ["A.cs", "internal class A { private enum E { One, Two }\n private object a = E.One;\n private object b = (E)1; }\n", "private object b = (E)1;", "E.One"],
  ["a.ts", "enum E { One, Two }\nfunction f() { return E.One; }\nfunction g() { return Object.values(E); }\n", "function g() { return Object.values(E); }", "E.One"],
  ["a.ts", "enum E { One, Two }\nfunction f() { return E.One; }\nexport const all = list(E);\n", "export const all = list(E);", "E.One"],
  ["a.cpp", "namespace { enum E { ONE, TWO };\nint f() { return ONE; }\nE g() { return static_cast<E>(1); } }\n", "E g() { return static_cast<E>(1); }", "E.ONE"],
  ["a.py", "from enum import Enum\nclass _E(Enum):\n    ONE = 1\ndef _f():\n    return _E.ONE\ndef _g(n):\n    return _E(n)\n", "    return _E(n)\n", "_E.ONE"],
  ["b.py", "from django.db import models\nclass _E(models.TextChoices):\n    ONE = '1'\ndef _f():\n    return _E.ONE\n_FIELD = models.TextField(choices=_E.choices)\n", "_FIELD = models.TextField(choices=_E.choices)\n", "_E.ONE"],
];

it.each(NAMED_AND_NOT)("%s: a value of an enum that something names, and something has without its name (%#)", async (path, text, line, target) => {
  const at = text.slice(0, text.indexOf(line)).split("\n").length;
  expect((await riskOf(path, text, target)).reasons.join()).toContain(`is had without its name too (${path}:${at})`);
  expect((await riskOf(path, text.replace(line, ""), target)).reasons.join()).toMatch(/^1 direct dependent (?!.*is had)/);
});

it.each([
  ["a.ts", "enum E { One, Two }\nfunction f() { return E['One']; }\n", "E.One"],
  ["a.py", "from enum import Enum\nclass _E(Enum):\n    ONE = 1\ndef _f():\n    return _E[\"ONE\"]\n", "_E.ONE"],
])("%s: an index that is a text names the value of an enum", async (path, text, target) => {
  expect((await riskOf(path, text, target)).reasons.join()).toMatch(/^1 direct dependent (?!.*is had)/);
});

const OF_BASES: [string, string, string, string][] = [
  ["a.py", "import ast\nclass _V(ast.NodeVisitor):\n    def visit_Name(self, node): pass\n", "_V.visit_Name", "ast.NodeVisitor"],
  ["a.py", "from outside import Base\nclass _A(Base, metaclass=M): pass\nclass _B(_A):\n    def _hook(self): pass\n", "_B._hook", "Base"],
  ["a.js", "class E extends Component { _go() {} }\n", "E._go", "Component"],
  ["a.ts", "class E extends Component<Map<string, A>> implements B { protected go() {} }\n", "E.go", "Component"],
  ["A.java", "class E extends Thread { void go() {} }\n", "E.go", "Thread"],
  ["A.cs", "internal class Player : MonoBehaviour { private void Update() {} }\n", "Player.Update", "MonoBehaviour"],
  ["a.rb", "class Job < ApplicationJob\n  private\n  def hook; end\nend\n", "Job.hook", "ApplicationJob"],
  ["a.rb", "class Job\n  include Sidekiq::Worker\n  private\n  def hook; end\nend\n", "Job.hook", "Sidekiq::Worker"],
  ["A.php", "<?php\nclass User extends \\Base\\Model { protected function scopeActive($q) {} }\n", "User.scopeActive", "\\Base\\Model"],
  ["A.php", "<?php\nclass User { use Notifiable; protected function hook() {} }\n", "User.hook", "Notifiable"],
  ["a.cpp", "namespace { class E : public outside::Component<int> { void go() override {} }; }\n", "E.go", "outside::Component"],
];

it.each(OF_BASES)("%s: what a base that is not there may call (%#)", async (path, text, target, base) => {
  const { level, reasons } = await riskOf(path, text, target);
  expect(level).toBe("unknown");
  expect(reasons.join()).toContain(`whose base ${base} is not in the graph`);
});

const OVERRIDING: [string, string, string][] = [
  ["A.php", "<?php\nabstract class C { protected static $name = ''; public function run() { return static::$name; } }\nclass D extends C { protected static $name = 'd'; }\n", "D.$name"],
  ["a.ts", "class C { run() { return this.label; } protected get label() { return ''; } }\nclass D extends C { protected get label() { return 'd'; } }\nnew D().run();\n", "D.label"],
  ["a.rb", "class C\n  def run; kind.new; end\n  private\n  def kind; Array; end\nend\nclass D < C\n  private\n  def kind; Hash; end\nend\n", "D.kind"],
];

it.each(OVERRIDING)("%s: what overrides something that is called (%#)", async (path, text, target) => {
  expect((await riskOf(path, text, target)).level).toBe("unknown");
});

it("says whose declaration a method is there for, and what is declared once more", async () => {
  const marker = await riskOf("a.go", "package a\n\ntype event interface{ isEvent() }\n\ntype hello struct{}\n\nfunc (hello) isEvent() {}\n", "hello.isEvent");
  expect(marker).toEqual({ level: "unknown", reasons: ["no sure dependent outside of tests", "it is what event.isEvent asks of hello"] });
  expect((await riskOf("lib.rs", "#[cfg(unix)]\nconst SIZE: usize = 4;\n#[cfg(not(unix))]\nconst SIZE: usize = 8;\nfn go() -> usize { SIZE * 2 }\n", "Variable:lib.rs:SIZE#2")).reasons[0]).toBe("1 direct dependent (below 4)");
  const traits = "struct Small { static constexpr int SIZE = 4; };\nstruct Wide { static constexpr int SIZE = 8; };\nstatic int wide() { return Wide::SIZE; }\n";
  expect((await riskOf("a.cc", `${traits}template <class Traits> static int size() { return Traits::SIZE; }\n`, "Small.SIZE")).reasons.join()).toContain("Traits::SIZE (a.cc:4)");
  expect((await riskOf("a.cc", "#ifdef WIDE\nstatic constexpr int SIZE = 8;\n#else\nstatic constexpr int SIZE = 4;\n#endif\nint main() { return SIZE; }\n", "Variable:a.cc:SIZE#2")).level).toBe("unknown");
});

it.each(["bin/run.py", "theme.js", "jobs/nightly.rb", "autoload.php"])("%s: a file that nothing imports may be run by itself", async (path) => {
  const { level, reasons } = await riskOf(path, path.endsWith("php") ? "<?php\nstart();\n" : "start();\n".replace(";", path.endsWith("js") ? ";" : ""), path);
  expect(level).toBe("unknown");
  expect(reasons.join()).toContain("loaded by its path");
});

it("a template may be rendered by a name that is put together", async () => {
  const codebase = await codebaseOf({ "app/views/posts/show.html.erb": "<%= render 'posts/line' %>\n", "app/views/posts/_line.html.erb": "<p><%= 1 %></p>\n" });
  const { risk } = await call("impact", { target: "app/views/posts/_line.html.erb", direction: "upstream" }, { codebase }) as { risk: { level: string; reasons: string[] } };
  expect(risk.level).toBe("unknown");
  expect(risk.reasons).toContain("it is a template, which code may render by a name that it puts together");
});

it("knows the members of a class that is opened again", async () => {
  const codebase = await codebaseOf({
    "lib/base.rb": "module S\n  class Database\n    def initialize\n      adapter\n    end\n  end\nend\n",
    "lib/more.rb": "module S\n  class Database\n    private\n    def adapter; end\n  end\nend\n",
    ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`lib/a${i}.rb`, `module S\n  module A${i}\n    class Database < S::Database\n      private\n      def adapter; end\n    end\n  end\nend\n`])),
  });
  const { risk } = await call("impact", { target: "lib/a3.rb:Database.adapter", direction: "upstream" }, { codebase }) as { risk: { level: string; reasons: string[] } };
  expect(risk.level).toBe("unknown");
});

const OPEN: [string, string, string, string][] = [
  ["a.ts", "class P { toJSON() { return {}; } }\nJSON.stringify(new P());\n", "P.toJSON", "whoever gets an object of P"],
  ["a.ts", "const target = { handleEvent(e: Event) {} };\naddEventListener('x', target);\n", "target.handleEvent", "whoever gets target"],
  ["a.js", "sandbox(function (require) {\n  var page = {\n    forget: function (event) {},\n  };\n  return page;\n});\n", "page.forget", "whoever gets page"],
  ["a.js", "define(function (require) {\n  var page = {\n    forget: function (event) {},\n  };\n  return page;\n});\n", "page.forget", "exported"],
  ["a.py", "class _Store:\n    def fetch(self): pass\nconnect(_Store())\n", "_Store.fetch", "whoever gets an object of _Store"],
  ["Code.js", "function doGet(e) {\n  return 1;\n}\n", "doGet", "is global"],
  ["page.js", "if (typeof path !== 'string') {\n  var path = '/';\n}\nfunction f() { return path; }\n", "path", "is global"],
  ["page.js", "function click() {\n  return 1;\n}\nclick();\n", "click", "is global"],
  ["A.php", "<?php\ntrait T { private function made() {} }\n", "T.made", "is open to what uses T"],
  ["A.php", "<?php\nclass A { protected function hook() {} }\n", "A.hook", "is open to what uses A"],
  ["a.cpp", "#include <set>\nnamespace { struct Less { bool compare(int a, int b) const { return a < b; } }; }\nstd::set<int, Less> all;\n", "Less.compare", "given to a template (a.cpp:3)"],
];

it.each(OPEN)("%s: what others may call who get it (%#)", async (path, text, target, words) => {
  const { level, reasons } = await riskOf(path, text, target);
  expect(level).toBe("unknown");
  expect(reasons.join()).toContain(words);
});

it.each([
  ["lib.rs", "ffi_fn! {\n    /// Frees it.\n    fn freed(x: i32) { }\n}\n", "freed", "ffi_fn!"],
  ["lib.rs", "cfg_if! { if #[cfg(unix)] { fn inside() {} } }\n", "inside", "cfg_if!"],
  ["a.c", "#define DEFINE_HANDLER(n) static void n(void)\nDEFINE_HANDLER(alpha) { }\n", "alpha", "DEFINE_HANDLER"],
])("%s: what is declared with a macro (%#)", async (path, text, target, macro) => {
  const { level, reasons } = await riskOf(path, text, target);
  expect(level).toBe("unknown");
  expect(reasons.join()).toContain(`declared with the macro ${macro}`);
});

it.each([
  ["a.ts", "class E extends Component { private go() {} }\n", "E.go"],
  ["a.js", "class E extends Component { #go() {} }\n", "E.#go"],
  ["b.js", "const other = require(\"other\");\nfunction dead() {}\n", "dead"],
  ["c.js", "(function () {\n  function dead() {}\n})();\n", "dead"],
  ["c.js", "define([], function () {\n  function dead() {}\n  return {};\n});\n", "dead"],
  ["A.php", "<?php\nclass E extends \\Component { private function go() {} }\n", "E.go"],
  ["A.java", "class E extends Thread { private void go() {} }\n", "E.go"],
  ["a.py", "class _E(Base):\n    def __go(self): pass\n", "_E.__go"],
  ["a.py", "class _E(object):\n    def _go(self): pass\n", "_E._go"],
  ["a.rb", "class E\n  private\n  def go; end\nend\n", "E.go"],
  ["A.cs", "internal class E { internal void Go() {} }\n", "E.Go"],
  ["a.go", "package a\ntype e struct{}\nfunc (e) go_() {}\n", "e.go_"],
  ["lib.rs", "fn other() { println!(\"{}\", 1); }\nfn dead() {}\n", "dead"],
  ["a.c", "static void dead(void) {}\n", "dead"],
  ["a.cpp", "namespace { struct E { int dead() { return 1; } }; }\n", "E.dead"],
])("%s: what nothing can call stays LOW (%#)", async (path, text, target) => {
  expect(await riskOf(path, text, target)).toEqual({ level: "LOW", reasons: ["nothing in the graph depends on it"] });
});
