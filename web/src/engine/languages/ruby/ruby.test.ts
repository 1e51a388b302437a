import { describe, expect, it } from "vitest";
import { testFixtures } from "../../../../test/fixtures.ts";
import { edgesOf, extract } from "../../../../test/languages.ts";
import { languageOf } from "../index.ts";
import { ruby } from "./index.ts";
import { libraryResult } from "./library.ts";
import { core, UNKNOWN } from "./types.ts";

testFixtures(ruby, new URL("fixtures/", import.meta.url));

const symbols = async (source: string, path = "a.rb") =>
  (await extract(ruby, path, source)).symbols.map((s) => `${s.exported ? "" : "private "}${s.kind} ${s.owner ? `${s.owner}.` : ""}${s.name}${s.entry ? ` (${s.entry})` : ""}`);

describe("symbols", () => {
  it("are modules, classes, methods, attributes and constants, in the order of the file", async () => {
    expect(await symbols(`
module M
  LIMIT = 1
  class A < B
    attr_accessor :a
    attr_reader :b, :c
    def m; end
    def self.s; end
    class << self; def t; end; attr_writer :w; end
    def set=(v); end
    def ==(other); end
    private
    def hidden; end
    attr_reader :d
    public def open; end
    def late; end
    private :late
  end
  class C::D; end
end
P = Struct.new(:x)
E = Class.new(StandardError)
def f; end
`)).toEqual([
      "Class M", "Variable M.LIMIT", "Class M.A", "Method A.a", "Method A.a=", "Method A.b", "Method A.c", "Method A.m", "Method A.s", "Method A.t", "Method A.w=",
      "Method A.set=", "Method A.==", "private Method A.hidden", "private Method A.d", "Method A.open", "private Method A.late", "Class M.D",
      "Class P", "Method P.x", "Method P.x=", "Class E", "Function f",
    ]);
  });

  it("have lines, a head and a parent", async () => {
    const { symbols: [type, method, reader] } = await extract(ruby, "a.rb", `
# A cart.
class Cart < Base # really
  def total(a,
            b: 2)
    a
  end
  attr_reader :one, :two
end
`);
    expect(type).toEqual({ kind: "Class", name: "Cart", parent: -1, line: 3, startLine: 3, endLine: 9, exported: true, signature: "class Cart < Base" });
    expect(method).toEqual({
      kind: "Method", name: "total", owner: "Cart", parent: 0, line: 4, startLine: 4, endLine: 7, exported: true, signature: "def total(a, b: 2)",
    });
    expect(reader).toMatchObject({ name: "one", line: 8, signature: "attr_reader :one" });
  });

  it("say why control may enter", async () => {
    expect(await symbols("class UsersController\n def index; end\n private\n def load; end\nend\n", "app/controllers/users_controller.rb"))
      .toEqual(["Class UsersController", "Method UsersController.index (route)", "private Method UsersController.load"]);
    expect(await symbols("class CartTest < Minitest::Test\n def test_total; end\n def helper; end\nend\n", "test/cart_test.rb"))
      .toEqual(["Class CartTest", "Method CartTest.test_total (test)", "Method CartTest.helper"]);
    expect(await symbols("task(:build) { run }\nnamespace(:db) { task(:load => :build) { run } }\n", "Rakefile")).toEqual(["Function build (main)", "Function db:load (main)", "Route COMMAND build", "Route COMMAND db:load"]);
    expect(await symbols("class MailJob\n def perform; end\nend\n")).toEqual(["Class MailJob", "Method MailJob.perform (handler)"]);
  });

  it("know generated files", async () => {
    expect((await extract(ruby, "db/schema.rb", "# This file is auto-generated from the current state of the database.\nA = 1\n")).generated).toBe(true);
    expect((await extract(ruby, "a.rb", "A = 1\n")).generated).toBeUndefined();
  });
});

describe("files", () => {
  it("are known by their endings, and those without by their names", () => {
    for (const path of ["a.rb", "lib/tasks/a.rake", "x.gemspec", "config.ru", "Rakefile", "one/Gemfile"]) expect(languageOf(path, ""), path).toBe(ruby);
    expect(languageOf("Rakefile.md", "")).toBeUndefined();
  });
});

describe("hostile input", () => {
  it("survives nesting without end", async () => {
    for (const source of [
      `x = ${"(".repeat(20_000)}f${")".repeat(20_000)}`,
      `class A; def m; self; end; end; A.new${".m".repeat(20_000)}`,
      `x = ${"1 + ".repeat(20_000)}1`,
      `x = ${"[".repeat(20_000)}${"]".repeat(20_000)}`,
      `${"module A; ".repeat(5_000)}${"end; ".repeat(5_000)}`,
      `${"if a; b = f(b); ".repeat(5_000)}${"end; ".repeat(5_000)}`,
      `class A; def m; self; end; end; x0 = A.new; ${Array.from({ length: 5_000 }, (_, i) => `x${i + 1} = x${i}.m`).join("\n")}`,
      "class A < A; include A; extend A; def x; super; x; end; end; module B; include C; end; module C; include B; def x; y; end; end",
      Array.from({ length: 1_500 }, (_, i) => `module M${i}; def self.included(base); base.include M${(i + 1) % 1_500}; base.extend M${(i * 7) % 1_500}; end; end; class C${i}; include M${i}; end`).join("\n"),
      "class A < B; end; class B < A; end; A.new.x; A = B; B = A; A::B::C.x",
      `A = [${"f, ".repeat(30_000)}f]; g(${"f, ".repeat(30_000)}f); def h; super(${"1, ".repeat(30_000)}f); end`,
      "def f(x) = f(f(x)); f(f(1)); @a = @b; @b = @a; @a.x",
    ]) {
      await expect(edgesOf({ "a.rb": source })).resolves.toBeDefined();
    }
  });
});

describe("Ruby's library", () => {
  it("has no class or method that only JavaScript has", () => {
    expect(libraryResult(core("String"), "upcase", UNKNOWN)).toEqual(core("String"));
    for (const name of ["constructor", "toString", "__proto__"]) {
      expect(libraryResult(core(name), "name", UNKNOWN)).toBeUndefined();
      expect(libraryResult(core("String"), name, UNKNOWN)).toBeUndefined();
    }
  });
});
