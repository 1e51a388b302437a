import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { analyse, edgesOf, extract } from "../../../../test/languages.ts";
import { buildTogether, constraintOf, isUsual } from "./resolve/constraints.ts";
import type { GoFacts } from "./facts.ts";
import { go } from "./index.ts";

const fixtures = new URL("fixtures/", import.meta.url);

/** A fixture: a line that says what it shows, then files as `-- path --`; the last, `want`, has every edge. */
function read(name: string): { title: string; repo: Record<string, string>; want: string[] } {
  const [title = "", ...parts] = readFileSync(new URL(name, fixtures), "utf8").split(/^-- (.+) --\n/m);
  const repo: Record<string, string> = {};
  for (let i = 0; i < parts.length; i += 2) repo[parts[i]!] = parts[i + 1]!;
  const { want = "", ...files } = repo;
  return { title: title.trim(), repo: files, want: want.split("\n").filter((line) => line !== "") };
}

describe("edges", () => {
  for (const name of readdirSync(fixtures)) {
    const { title, repo, want } = read(name);
    it(`${name}: ${title}`, async () => {
      const edges = await edgesOf(repo);
      if (process.env["UPDATE"]) {
        const url = new URL(name, fixtures);
        writeFileSync(url, `${readFileSync(url, "utf8").split("-- want --\n")[0]!}-- want --\n${edges.join("\n")}\n`);
      } else expect(edges).toEqual(want);
    });
  }
});

const facts = (source: string, path = "a.go") => extract(go, path, source);
const symbols = async (source: string, path?: string) =>
  (await facts(source, path)).symbols.map((s) => `${s.kind} ${s.owner ? `${s.owner}.` : ""}${s.name}`);

describe("symbols", () => {
  it("are functions, methods with their receiver's type, structs, interfaces with their methods, and other types", async () => {
    expect(await symbols(`package p
type ( S struct{ a int }
 I interface{ M(); N() int; Other }
 F func()
 A = S
 G[T any] struct{} )
func f() { type local struct{}; g := func() {}; g() }
func (s *S) m() {}
func (g G[T]) m() {}
func (_ *G[_]) n() {}
func _() {}
var v = func() {}
var w, c = 1, 2
`)).toEqual([
      "Struct S", "Interface I", "Method I.M", "Method I.N", "TypeAlias F", "TypeAlias A", "Struct G",
      "Function f", "Method S.m", "Method G.m", "Method G.n", "Variable v", "Variable w", "Variable c",
    ]);
  });

  it("have lines, a head and a parent", async () => {
    const { symbols: [type, method, fn] } = await facts(`package p

// Doc.
type Shape interface {
	Area(
		unit string,
	) float64
}

func Sum[T any](
	all []T,
) (total T, err error) {
	return
}
`);
    expect(type).toEqual({ kind: "Interface", name: "Shape", parent: -1, line: 4, startLine: 4, endLine: 8, exported: true, signature: "type Shape interface" });
    expect(method).toEqual({
      kind: "Method", name: "Area", owner: "Shape", parent: 0, line: 5, startLine: 5, endLine: 7, exported: true, signature: "Area( unit string, ) float64",
    });
    expect(fn).toEqual({
      kind: "Function", name: "Sum", parent: -1, line: 10, startLine: 10, endLine: 14, exported: true,
      signature: "func Sum[T any]( all []T, ) (total T, err error)",
    });
  });

  it("cuts a long head", async () => {
    const { symbols: [fn] } = await facts(`package p\nfunc f(${"a int, ".repeat(100)}) {}\n`);
    expect(fn!.signature).toHaveLength(200);
  });

  it("says why control may enter", async () => {
    const entries = async (source: string, path?: string) =>
      (await facts(source, path)).symbols.filter((s) => s.entry).map((s) => `${s.entry!} ${s.name}`);
    expect(await entries("package main\nfunc main() {}\nfunc (T) main() {}\n")).toEqual(["main main"]);
    expect(await entries("package p\nfunc main() {}\nfunc TestX() {}\n")).toEqual([]);
    expect(await entries("package p\nfunc TestX() {}\nfunc Test() {}\nfunc Testify() {}\nfunc BenchmarkX() {}\nfunc FuzzX() {}\nfunc Example_x() {}\n", "a_test.go"))
      .toEqual(["test TestX", "test Test", "test BenchmarkX", "test FuzzX", "test Example_x"]);
    expect(await entries("package p\nfunc (s S) ServeHTTP(w http.ResponseWriter, r *http.Request) {}\nfunc f(w http.ResponseWriter) {}\n")).toEqual(["handler ServeHTTP"]);
    expect(await entries(`package p
func runServe(cmd *cobra.Command, args []string) error { return nil }
func list(c *cli.Context) error { return nil }
func users(c echo.Context) error { return nil }
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) { return m, nil }
func (s *server) SayHello(ctx context.Context, in *hellopb.Request) (*hellopb.Reply, error) { return nil, nil }
func handle(ctx context.Context, e events.APIGatewayProxyRequest) error { return nil }
func load(ctx context.Context, path string) error { return nil }
func copyTo(c echo.Context, to string) {}
`)).toEqual(["handler runServe", "handler list", "handler users", "handler Update", "handler SayHello", "handler handle"]);
  });

  it("knows generated files by the standard line", async () => {
    expect((await facts("// Code generated by x. DO NOT EDIT.\n\npackage p\n")).generated).toBe(true);
    expect((await facts("package p\n\n// Code generated by x. DO NOT EDIT.\n")).generated).toBeUndefined();
    expect((await facts("// Code generated by x. Do not edit!\n\npackage p\n")).generated).toBeUndefined();
  });
});

describe("hostile input", () => {
  const valid = readdirSync(fixtures).flatMap((name) => Object.entries(read(name).repo).filter(([path]) => path.endsWith(".go")));

  it("counts syntax errors, and none in clean files", async () => {
    expect((await facts("package p\nfunc f() {}\n")).syntaxErrors).toBe(0);
    expect((await facts("package p\nfunc f( {}\n")).syntaxErrors).toBeGreaterThan(0);
    expect((await facts("package p\nfunc f() {\n")).syntaxErrors).toBeGreaterThan(0);
  });

  it("never throws, wherever a file is cut or what is torn out of it", async () => {
    const repo: Record<string, string> = { "go.mod": "module example.com/m\n" };
    let seed = 7;
    const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
    for (const [path, source] of valid) {
      for (let n = 0; n < 4; n++) {
        const from = random(source.length);
        repo[`${n}/${path}`] = source.slice(0, from) + (n % 2 ? source.slice(from + random(20)) : "");
      }
    }
    await expect(analyse(repo)).resolves.toHaveLength(1);
  });

  it("survives nesting without end", async () => {
    for (const source of [
      `package p\nvar x = ${"(".repeat(20_000)}f()${")".repeat(20_000)}\n`,
      `package p\nfunc f() { x${".y()".repeat(20_000)} }\n`,
      `package p\nvar x = ${"1 + ".repeat(20_000)}1\n`,
      `package p\ntype T ${"[]".repeat(20_000)}int\n`,
      `package p\nfunc f(x0 T) {\n${Array.from({ length: 20_000 }, (_, i) => `x${i + 1} := x${i}.M()`).join("\n")}\n}\ntype T struct{}\nfunc (T) M() T { return T{} }\n`,
    ]) {
      await expect(edgesOf({ "a.go": source })).resolves.toBeDefined();
    }
  });

  it("survives circles of types, aliases, constraints, embedding and initialisers", async () => {
    await expect(edgesOf({ "a.go": `package p
type A = B
type B = A
type C D
type D C
type E struct{ *F }
type F struct{ *E }
type I interface{ J }
type J interface{ I }
type G[T G[T]] interface{ m() T }
var x = y
var y = x
func f[T interface{ ~[]T }](e E, i I, c C, t T) { e.m(); i.m(); c.m(); x.m(); t[0][0].m() }
func g[T T, U V, V U](t T, u U) { t.m(); u.m(); h(t); h(u) }
func h[T any](t T) {}
` })).resolves.toEqual([
      "CALLS a.go:g -> a.go:h 1",
      "EXTENDS a.go:E -> a.go:F 1", "EXTENDS a.go:F -> a.go:E 1", "EXTENDS a.go:I -> a.go:J 1", "EXTENDS a.go:J -> a.go:I 1",
      "REFERENCES a.go:f -> a.go:x 1", "REFERENCES a.go:x -> a.go:y 1", "REFERENCES a.go:y -> a.go:x 1",
    ]);
  });

  it("survives types that grow with each argument, and constraints that list themselves", async () => {
    const names = Array.from({ length: 40 }, (_, i) => `T${i}`);
    const twice = names.slice(1).map((name, i) => `M${i}(${names[i]!}) func(${name}, ${name})`).reverse();
    await expect(edgesOf({ "a.go": `package p
type Wide[${names.join(", ")} any] interface{ ${twice.join("; ")} }
type wide[${names.join(", ")} any] struct{}
${names.slice(1).map((name, i) => `func (wide[${names.join(", ")}]) M${i}(func(${name}, ${name})) ${names[i]!} { panic(0) }`).join("\n")}
func run[${names.join(", ")} any](w Wide[${names.join(", ")}]) { w.M0(nil) }
type Self interface { Self | Self | Self }
type Get[T Self] interface{ Get() T }
type got struct{}
func (got) Get() int { return 0 }
func get[T Self](g Get[T]) { g.Get() }
` })).resolves.toEqual(["CALLS a.go:get -> a.go:Get.Get 0.9", "CALLS a.go:get -> a.go:got.Get 0.6", "CALLS a.go:run -> a.go:Wide.M0 0.9"]);
  });

  it("gives facts that survive JSON", async () => {
    for (const [path, source] of valid) {
      const made = await extract(go, path, source);
      expect(JSON.parse(JSON.stringify(made))).toEqual(made);
    }
  });
});

it("a constant has its own lines and its text", async () => {
  const { symbols } = await facts("package p\n\nconst A = 1\n\nconst (\n\tB = 2\n\tC\n)\n");
  expect(symbols.map(({ name, startLine, endLine, signature }) => [name, startLine, endLine, signature])).toEqual([["A", 3, 3, "const A = 1"], ["B", 6, 6, "const B = 2"], ["C", 7, 7, "const C"]]);
});

describe("build constraints", () => {
  it("come from the name and the go:build line", () => {
    const usual = (path: string, line = "") => isUsual(constraintOf(path, line));
    expect(usual("a.go")).toBe(true);
    expect(usual("x/a_linux_amd64_test.go")).toBe(true);
    expect(usual("a_windows.go")).toBe(false);
    expect(usual("linux.go")).toBe(true);
    expect(usual("windows.go")).toBe(true);
    expect(usual("a_unix.go", "unix")).toBe(true);
    expect(usual("a.go", "!linux || (arm64 && !cgo)")).toBe(false);
    expect(usual("a.go", "go1.22")).toBe(true);
    expect(usual("a.go", "&& ((")).toBe(true);
  });

  it("tell which files are built together", () => {
    const together = (a: string, b: string) => buildTogether(constraintOf("a.go", a), constraintOf("b.go", b));
    expect(together("linux", "windows")).toBe(false);
    expect(together("linux", "unix")).toBe(true);
    expect(together("darwin", "!linux")).toBe(true);
    expect(together("debug", "!debug")).toBe(false);
    expect(together("debug && linux", "trace")).toBe(true);
    expect(together("wasm", "amd64")).toBe(false);
  });

  it("reads the older form too", async () => {
    const constraint = async (head: string) => ((await facts(`${head}\n\npackage p\n`)).data as GoFacts).constraint;
    expect(await constraint("// +build linux,386 darwin\n// +build !cgo")).toBe("((linux && 386) || (darwin)) && ((!cgo))");
    expect(await constraint("//go:build linux\n// +build windows")).toBe("linux");
  });
});
