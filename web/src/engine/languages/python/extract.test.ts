import { describe, expect, it } from "vitest";
import { analyse, edgesOf, extract } from "../../../../test/languages.ts";
import type { SymbolFact } from "../../facts.ts";
import { python } from "./index.ts";

async function symbolsOf(source: string, path = "m.py"): Promise<SymbolFact[]> {
  return (await extract(python, path, source)).symbols;
}

const brief = (symbols: readonly SymbolFact[]): string[] =>
  symbols.map((s) => `${s.line} ${s.kind} ${s.owner ? `${s.owner}.` : ""}${s.name}${s.parent < 0 ? "" : ` in ${symbols[s.parent]!.name}`}`);

describe("symbols", () => {
  it("have kinds, owners, parents and the line of the name", async () => {
    expect(brief(await symbolsOf(`
@decorated
def top(): ...

class Outer(Base):
    class Inner:
        def deep(self): ...

    async def method(self):
        def local():
            class Hidden: ...
        return local

class Colour(enum.Enum): ...
class Reads(Protocol[T]): ...
if True:
    def conditional(): ...
`))).toEqual([
      "3 Function top",
      "5 Class Outer", "6 Class Inner in Outer", "7 Method Inner.deep in Inner", "9 Method Outer.method in Outer",
      "10 Function local in method", "11 Class Hidden in local",
      "14 Enum Colour", "15 Interface Reads", "17 Function conditional",
    ]);
  });

  it("of enumerations are their members, without what Python takes for itself, private names and declarations", async () => {
    expect(brief(await symbolsOf(`
class Colour(enum.Enum):
    _ignore_ = ["Shade"]
    RED = 1
    GREEN = LIME = 2
    __hidden = 3
    __slots__ = ()
    size: int
    hue: int = 4
    def warm(self): ...
`))).toEqual(["2 Enum Colour", "10 Method Colour.warm in Colour", "4 Variable Colour.RED in Colour", "5 Variable Colour.LIME in Colour", "5 Variable Colour.GREEN in Colour", "9 Variable Colour.hue in Colour"]);
  });

  it("span their declaration without decorators", async () => {
    const [f] = await symbolsOf("@a\n@b(\n  1)\ndef f(\n    x: int,  # note\n    y=2,\n) -> str:\n    pass\n\n\nx = 1\n");
    expect(f).toMatchObject({ line: 4, startLine: 4, endLine: 8, signature: "def f( x: int, # note y=2, ) -> str" });
  });

  it("cut a long signature", async () => {
    const [f] = await symbolsOf(`def f(${"x, ".repeat(200)}): pass\n`);
    expect(f!.signature).toHaveLength(200);
  });

  it("are exported by convention, by __all__, and never from inside a function", async () => {
    const symbols = await symbolsOf(`
__all__ = ["_listed"]
def _listed(): ...
def _private(): ...
def public():
    def inner(): ...
class _Hidden:
    def method(self): ...
class Shown:
    def __init__(self): ...
    def _own(self): ...
`);
    expect(symbols.filter((s) => s.exported).map((s) => s.name)).toEqual(["_listed", "public", "Shown", "__init__"]);
  });

  it("make one of overloads and their implementation", async () => {
    expect(brief(await symbolsOf(`
class A:
    @overload
    def f(self, x: int): ...
    @typing.overload
    def f(self, x: str): ...
    def f(self, x): ...
    def g(self): ...
`))).toEqual(["2 Class A", "7 Method A.f in A", "8 Method A.g in A"]);
  });

  it("keep a property's setter beside its getter", async () => {
    expect(brief(await symbolsOf("class A:\n  @property\n  def x(self): ...\n  @x.setter\n  def x(self, v): ...\n"))).toEqual([
      "1 Class A", "3 Method A.x in A", "5 Method A.x in A",
    ]);
  });
});

describe("entries", () => {
  const entries = async (source: string, path?: string): Promise<Record<string, string | undefined>> =>
    Object.fromEntries((await symbolsOf(source, path)).filter((s) => s.entry).map((s) => [s.name, s.entry]));

  it("knows routes and handlers by their decorators", async () => {
    expect(await entries(`
@app.get("/users/{id}")
def user(): ...
@bp.route(f"{prefix}/x", methods=["POST"])
def posted(): ...
@cache.get(1)
def not_a_route(): ...
@click.command()
def cli_command(): ...
@shared_task
def job(): ...
@app.on_event("startup")
def started(): ...
@functools.lru_cache
def cached(): ...
`)).toEqual({ user: "route", posted: "route", cli_command: "handler", job: "handler", started: "handler" });
  });

  it("knows views, commands and other classes that a framework calls", async () => {
    expect(await entries(`
def index(request, page): ...
def helper(text): ...
class UserList(generics.ListAPIView):
  def get(self, request): ...
  def queryset(self): ...
`, "shop/views.py")).toEqual({ index: "route", get: "route" });
    expect(await entries(`
def index(request): ...
class Command(BaseCommand):
  def handle(self, *args, **options): ...
class Cache(dict):
  def get(self, key): ...
class Server(http.server.BaseHTTPRequestHandler):
  def do_GET(self): ...
`, "shop/other.py")).toEqual({ handle: "handler", do_GET: "route" });
  });

  it("knows main and what the main block calls", async () => {
    expect(await entries(`
def main(): ...
def start(): ...
def helper(): ...
if __name__ == "__main__":
    start()
`)).toEqual({ main: "main", start: "main" });
  });

  it("knows tests by file and name", async () => {
    const source = "def test_a(): ...\ndef fixture(): ...\nclass TestB:\n  def test_c(self): ...\n  def setup(self): ...\n";
    expect(await entries(source, "pkg/test_x.py")).toEqual({ test_a: "test", test_c: "test" });
    expect(await entries(source, "tests/deep/x.py")).toEqual({ test_a: "test", test_c: "test" });
    expect(await entries(source, "pkg/latest.py")).toEqual({});
  });
});

describe("files", () => {
  it("count syntax errors, none in a clean file", async () => {
    expect((await extract(python, "a.py", "def f(): pass\n")).syntaxErrors).toBe(0);
    expect((await extract(python, "a.py", "def f(: pass\nx = = 2\n")).syntaxErrors).toBeGreaterThan(0);
  });

  it("are marked when a tool made them", async () => {
    expect((await extract(python, "a_pb2.py", "x = 1\n")).generated).toBe(true);
    expect((await extract(python, "a.py", "# Code generated by x. DO NOT EDIT.\nx = 1\n")).generated).toBe(true);
    expect((await extract(python, "a.py", "# We generated by hand\nx = 'do not edit'\n")).generated).toBeUndefined();
  });

  it("give facts that survive JSON", async () => {
    const facts = await extract(python, "a.py", "import os\nclass A:\n  def f(self, x: int = 1) -> 'A': return [y for y in x]\n");
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
  });
});

describe("hostile input", () => {
  const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + "f()" + close.repeat(depth);

  it.each([
    ["brackets", `x = ${nested("(", ")", 5000)}\n`],
    ["calls", `x = ${nested("f(", ")", 3000)}\n`],
    ["a chain of attributes", `x = a${".b".repeat(5000)}()\n`],
    ["a chain of calls", `x = a${".b()".repeat(3000)}\n`],
    ["not not not", `x = ${"not ".repeat(5000)}f()\n`],
    ["blocks", Array.from({ length: 200 }, (_, i) => `${" ".repeat(i)}if x:`).join("\n") + `\n${" ".repeat(200)}f()\n`],
    ["an own ancestor", "class A(B): pass\nclass B(A):\n  def f(self): return self.g().f()\n"],
    ["itself", "x = x\nx.f()\nfrom m import x\n"],
    ["growth", `${Array.from({ length: 300 }, (_, i) => `x${i + 1} = [x${i}, x${i}] if x${i} else x${i}.f()`).join("\n")}\nx300.f()\n`],
    ["iterators of each other", "class A:\n  def __iter__(self):\n    if x: return self\n    return B()\nclass B:\n  def __iter__(self):\n    if x: return A()\n    return iter(self)\nfor a in A(): a.f()\n"],
    ["objects that call themselves", "class A:\n  def __getattr__(self, n): return A().b.c\n  __call__ = None\nA.__call__ = A()\nclass D:\n  def __get__(self, o, t): return D()\nclass E:\n  d = D()\n  __call__ = d\nE()()()\nA()()\nE().d.d()\n"],
    ["aliases in a circle", "A = B\nB = A\ndef f(x: A, y: 'B[A]'): x.a(); y.b()\n"],
    ["NUL and half characters", "x = '\u0000\ud800'\ndef f\u0000(): f()\n"],
    ["blanks behind a value", `x = 1${" ".repeat(900_000)}\nf()\n`],
    ["blanks behind a parameter", `def g(a${" ".repeat(900_000)}\n): f()\n`],
    ["a comment behind parameters", `def g(a): ${"#: type: (".repeat(90_000)}\n  f()\n`],
    ["a comment of types", `def g(a):\n  # type: ${"() ".repeat(300_000)}\n  f()\n`],
    ["carriage returns", "def f():\r\n  pass\r\nf()\r\n"],
  ])("survives %s", async (_, source) => {
    await expect(analyse({ "m.py": source, "f.py": "def f(): pass\n" })).resolves.toHaveLength(1);
  });

  it("finds what stands behind a very long sum", async () => {
    const sum = Array.from({ length: 3000 }, (_, i) => `f(${i})`).join(" + ");
    expect(await edgesOf({ "m.py": `def f(x): pass\ndef g(): return ${sum}\n` })).toEqual(["CALLS m.py:g -> m.py:f 1"]);
  });

  it("stops at import circles", async () => {
    expect(await edgesOf({ "a.py": "from b import *\nfrom b import x\n", "b.py": "from a import *\nfrom a import x\nx()\n" })).toEqual([
      "IMPORTS a.py -> b.py 1", "IMPORTS b.py -> a.py 1",
    ]);
  });
});
