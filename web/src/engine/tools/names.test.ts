import { describe, expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { shopCodebase } from "../../../test/tools.ts";
import { ToolError } from "../tools.ts";
import { candidatesFor, resolveCommunity, resolveNode, resolveProcess } from "./names.ts";

async function idOf(name: string): Promise<string> {
  const codebase = await shopCodebase();
  return codebase.graph.nodes[resolveNode(codebase, name)]!.id;
}

async function errorOf(name: string, files?: Record<string, string>): Promise<ToolError> {
  const codebase = files ? await codebaseOf(files) : await shopCodebase();
  try {
    resolveNode(codebase, name);
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError);
    return error as ToolError;
  }
  throw new Error(`${name} was found`);
}

describe("a symbol's name", () => {
  it("behind its package is what stands by itself there, and no member of that name", async () => {
    const codebase = await codebaseOf({ "bridge/call.go": "package bridge\n\ntype Call struct{}\n", "bridge/node.go": "package bridge\n\ntype Node struct{}\n\nfunc (n *Node) Call() {}\n\nfunc (n *Node) End() {}\n" });
    expect(["bridge.Call", "bridge.End"].map((name) => codebase.graph.nodes[resolveNode(codebase, name)]!.id)).toEqual(["Struct:bridge/call.go:Call", "Method:bridge/node.go:Node.End"]);
  });

  it("behind its file is of that file, though others have one by itself", async () => {
    const codebase = await codebaseOf({ "a.py": "def save(): ...\n", "b.ts": "class Store { save() {} }\n" });
    expect(codebase.graph.nodes[resolveNode(codebase, "b.ts:save")]!.id).toBe("Method:b.ts:Store.save");
  });

  it.each([
    ["placeOrder", "Function:src/checkout/checkout.ts:placeOrder"],
    ["placeOrder()", "Function:src/checkout/checkout.ts:placeOrder"],
    ["LoggingStore.save", "Method:src/store/store.ts:LoggingStore.save"],
    ["LoggingStore#save", "Method:src/store/store.ts:LoggingStore.save"],
    ["LoggingStore::save", "Method:src/store/store.ts:LoggingStore.save"],
    ["store.LoggingStore.save", "Method:src/store/store.ts:LoggingStore.save"],
    ["report.py:log", "Function:tools/report.py:log"],
    ["tools/report.py:log", "Function:tools/report.py:log"],
    ["store/store.ts:log", "Function:src/store/store.ts:log"],
    ["store.ts:Store.find", "Method:src/store/store.ts:Store.find"],
    ["Function:tools/report.py:log", "Function:tools/report.py:log"],
    ["  roundUp ", "Function:src/checkout/price.ts:roundUp"],
  ])("%s is %s", async (name, id) => {
    expect(await idOf(name)).toBe(id);
  });

  it("may be qualified by the module, package or namespace that it is in", async () => {
    const codebase = await codebaseOf({
      "starlette/routing.py": "class Router:\n    def run(self):\n        pass\n\n\ndef compile():\n    pass\n", "other.py": "class Router:\n    pass\n\n\ndef compile():\n    pass\n",
      "src/main/java/org/jsoup/Jsoup.java": "package org.jsoup;\n\npublic class Jsoup {\n  public static void parse() {}\n}\n",
      "pkg/tools/server.go": "package tools\n\nfunc NewServer() {}\n", "server.go": "package shop\n\nfunc NewServer() {}\n",
      "src/net.rs": "pub mod tcp { pub mod v4 { pub fn bind() {} }  pub struct Port; impl Port { pub fn open() {} } }\nfn bind() {}\n",
      "app/Models/User.php": "<?php\nnamespace App\\Models;\n\nclass User {}\n",
    }, "shop");
    const found = (name: string): string => codebase.graph.nodes[resolveNode(codebase, name)]!.id;
    expect(found("starlette.routing.Router")).toBe("Class:starlette/routing.py:Router");
    expect(found("starlette.routing.Router.run")).toBe("Method:starlette/routing.py:Router.run");
    expect(found("routing.compile()")).toBe("Function:starlette/routing.py:compile");
    expect(found("org.jsoup.Jsoup")).toBe("Class:src/main/java/org/jsoup/Jsoup.java:Jsoup");
    expect(found("org.jsoup.Jsoup.parse")).toBe("Method:src/main/java/org/jsoup/Jsoup.java:Jsoup.parse");
    expect(found("tools.NewServer")).toBe("Function:pkg/tools/server.go:NewServer");
    expect(found("shop.NewServer")).toBe("Function:server.go:NewServer");
    expect(found("App\\Models\\User")).toBe("Class:app/Models/User.php:User");
    expect(found("crate::routing::compile")).toBe("Function:starlette/routing.py:compile");
    expect(found("tcp::v4::bind")).toBe("Function:src/net.rs:bind");
    expect(found("crate::net::tcp::Port")).toBe("Struct:src/net.rs:Port");
    expect(found("tcp::Port::open")).toBe("Method:src/net.rs:Port.open");
    // A folder that only ends in the module's name is another.
    expect(() => found("outing.compile")).toThrow("Nothing here is called");
  });

  it("may be an operator of C++, whose signs are its name", async () => {
    const codebase = await codebaseOf({ "vec.cpp": "namespace geo {\nstruct Vec {\n  bool operator()(int a) const { return a > 0; }\n  Vec* operator->() { return this; }\n  Vec operator/(int by) { return *this; }\n  void size() {}\n};\n}\n" }, "geo");
    const found = (name: string): string => codebase.graph.nodes[resolveNode(codebase, name)]!.id;
    expect(found("Vec::operator()")).toBe("Method:vec.cpp:Vec.operator()");
    expect(found("geo::Vec::operator->")).toBe("Method:vec.cpp:Vec.operator->");
    expect(found("Vec.operator/")).toBe("Method:vec.cpp:Vec.operator/");
    expect(found("Vec::operator ()")).toBe("Method:vec.cpp:Vec.operator()");
    expect(found("Vec::size()")).toBe("Method:vec.cpp:Vec.size");
  });

  it("may be a member of JavaScript under a symbol, as code and stack traces write it", async () => {
    const codebase = await codebaseOf({
      "bag.js": "const kShut = Symbol();\nclass Bag {\n  *[Symbol.iterator]() { yield 1; }\n  [kShut]() {}\n}\nclass Sack extends Bag {}\n", "bag.py": "class Bag:\n    def __iter__(self): ...\n",
    });
    const found = (name: string): string => codebase.graph.nodes[resolveNode(codebase, name)]!.id;
    for (const name of ["Bag.[Symbol.iterator]", "Bag[Symbol.iterator]", "Bag#[Symbol.iterator]", "bag.js:Bag[Symbol.iterator]", "Sack[Symbol.iterator]", "[Symbol.iterator]", "    at Bag.[Symbol.iterator] (/srv/bag.js:3:12)"]) {
      expect(found(name)).toBe("Method:bag.js:Bag.[Symbol.iterator]");
    }
    expect(found("Bag[kShut]")).toBe("Method:bag.js:Bag.[kShut]");
    expect(found("bag.py:Bag[str]")).toBe("Class:bag.py:Bag");
  });

  it("does not mean a function within another alone where there are members of the name", async () => {
    const codebase = await codebaseOf({ "a.js": "class App {\n  handle() { const handle = () => this.handle(); return handle; }\n  start() { const begin = () => 1; return begin; }\n}\n" });
    expect(candidatesFor(codebase, "handle").map((node) => codebase.graph.nodes[node]!.id).sort()).toEqual(["Function:a.js:handle", "Method:a.js:App.handle"]);
    expect(codebase.graph.nodes[resolveNode(codebase, "begin")]!.id).toBe("Function:a.js:begin");
    // Of several in a file the one at the line, or of the type, that a stack trace says.
    expect(codebase.graph.nodes[resolveNode(codebase, "    at App.handle (/srv/a.js:2:12)")]!.id).toBe("Method:a.js:App.handle");
  });

  it("may be that of a type which has the member from another", async () => {
    const codebase = await codebaseOf({
      "a.py": "class Base:\n    def run(self): ...\n    def stop(self): ...\n\nclass Middle(Base):\n    def run(self): ...\n\nclass Last(Middle):\n    pass\n",
      "b.ts": "class Other { run() {} }\ninterface Task { begin(): void }\nclass Job implements Task { }\n",
    });
    for (const [name, id] of [["Last.run", "Middle.run"], ["a.py:Last#stop", "Base.stop"], ["Job.begin", "Task.begin"]]) {
      expect(codebase.graph.nodes[resolveNode(codebase, name!)]!.id).toMatch(new RegExp(`:${id!.replace(".", "\\.")}$`));
    }
    expect(candidatesFor(codebase, "Last.begin")).toEqual([]);
  });

  it("means no file of types where the code is here, too", async () => {
    const codebase = await codebaseOf({ "lib/client.js": "class Client { run() {} }\nmodule.exports = Client;\n", "types/index.d.ts": "export class Client { run(): void; }\nexport interface Options { run(): void }\n" });
    expect(codebase.graph.nodes[resolveNode(codebase, "Client.run")]!.id).toBe("Method:lib/client.js:Client.run");
    expect(codebase.graph.nodes[resolveNode(codebase, "Options")]!.id).toBe("Interface:types/index.d.ts:Options");
  });

  it("may be a line: the innermost symbol around it", async () => {
    expect(await idOf("store.ts:10")).toBe("Method:src/store/store.ts:MemoryStore.save");
    expect(await idOf("store.ts:7")).toBe("Class:src/store/store.ts:MemoryStore");
  });

  it("may be a file, by its path or the end of it, written in any way", async () => {
    for (const path of ["src/checkout/price.ts", "checkout/price.ts", "price.ts", "./src/checkout/price.ts", "/src/checkout/price.ts", "src\\checkout\\price.ts", "Price.ts", "/home/me/shop/src/checkout/price.ts", "C:\\work\\shop\\src\\checkout\\price.ts"]) {
      expect(await idOf(path)).toBe("File:src/checkout/price.ts");
    }
  });

  it("does not match in the middle of a path element", async () => {
    const { message } = await errorOf("rice.ts");
    expect(message).toContain("Nothing here is called \"rice.ts\"");
  });

  it("is answered with the candidates when it is ambiguous", async () => {
    const error = await errorOf("log");
    expect(error.message).toBe("\"log\" is ambiguous: 2 match. Call again with the id of one of the candidates.");
    expect(error.details).toEqual({
      name: "log", candidates: [{ id: "Function:src/store/store.ts:log", line: 25 }, { id: "Function:tools/report.py:log", line: 10 }],
      total: 2,
    });
  });

  it("names code before tests and generated code among the candidates", async () => {
    const codebase = await codebaseOf({
      "a.test.ts": "export function run(): void {}\n", "b.pb.go": "// Code generated by protoc. DO NOT EDIT.\n\npackage b\n\nfunc run() {}\n", "c.ts": "export function run(): void {}\n",
    });
    try {
      resolveNode(codebase, "run");
      expect.unreachable();
    } catch (error) {
      expect(((error as ToolError).details?.candidates as { id: string }[]).map(({ id }) => id.split(":")[1])).toEqual(["c.ts", "b.pb.go", "a.test.ts"]);
    }
  });

  it("is answered with few words when very many match", async () => {
    const repo = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}.ts`, "export function same(): void {}\n"]));
    const codebase = await codebaseOf(repo);
    expect(() => resolveNode(codebase, "same")).toThrow("30 match.");
    try {
      resolveNode(codebase, "same");
    } catch (error) {
      expect((error as ToolError).details).toMatchObject({ total: 30 });
      expect(((error as ToolError).details?.candidates as unknown[]).length).toBe(20);
    }
  });

  it("is answered with the nearest when nothing has it", async () => {
    const error = await errorOf("plceOrder");
    expect(error.message).toBe("Nothing here is called \"plceOrder\". Did you mean one of the candidates? If not, grep it: not every variable and field is in the graph.");
    const placeOrder = { id: "Function:src/checkout/checkout.ts:placeOrder", line: 4 };
    expect(error.details).toEqual({ candidates: [placeOrder] });
    // Case is no reason to guess.
    expect((await errorOf("PLACEORDER")).details?.candidates).toEqual([placeOrder]);
    // What a type or a file has is nearer than what is elsewhere.
    expect((await errorOf("MemoryStore.sav")).details?.candidates).toEqual([{ id: "Method:src/store/store.ts:MemoryStore.save", line: 9 }]);
    expect((await errorOf("tools/report.py:logg")).details?.candidates).toEqual([{ id: "Function:tools/report.py:log", line: 10 }]);
    // An id whose file has another name now.
    expect((await errorOf("Function:src/old.ts:placeOrder")).details?.candidates).toEqual([placeOrder]);
    // A file is meant without its ending, too, and one of nearly its ending alone is not.
    expect((await errorOf("checkout")).details?.candidates).toContainEqual({ id: "File:src/checkout/checkout.ts" });
    expect((await errorOf("nope.ts")).details).toBeUndefined();
  });

  it("is answered with advice when nothing is near", async () => {
    const error = await errorOf("xyzzyqwfp");
    expect(error.message).toBe("Nothing here is called \"xyzzyqwfp\". Use search to find it by topic, or grep to find text.");
    expect(error.details).toBeUndefined();
  });
});

describe("a cluster's or a process's name", () => {
  it("is its id, its label, its label in another case, or the only part of one", async () => {
    const codebase = await shopCodebase();
    const [first] = codebase.communities;
    expect(resolveCommunity(codebase, "Community:0")).toBe(first);
    expect(resolveCommunity(codebase, first!.label)).toBe(first);
    expect(resolveCommunity(codebase, first!.label.toUpperCase())).toBe(first);
    const report = codebase.communities.find(({ label }) => label.includes("report"))!;
    expect(resolveCommunity(codebase, "report")).toBe(report);
    const flow = codebase.processes[0]!;
    expect(resolveProcess(codebase, flow.label.replace("→", "->"))).toBe(flow);
  });

  it("is answered with candidates when it is ambiguous", async () => {
    const codebase = await shopCodebase();
    expect(codebase.processes.length).toBeGreaterThan(1);
    expect(() => resolveProcess(codebase, "main")).toThrow(/"main" is ambiguous: \d+ processes match\. Call again with the id of one of the candidates\./);
  });

  it("is answered with what there is when nothing has it", async () => {
    const codebase = await shopCodebase();
    expect(() => resolveCommunity(codebase, "billing")).toThrow("No cluster is called \"billing\". The candidates are the largest. overview lists them all.");
    const empty = await codebaseOf({ "a.md": "text" });
    expect(() => resolveCommunity(empty, "x")).toThrow("This repository has no clusters.");
  });
});

describe("a field's name", () => {
  it("is answered with its declaration and the lines that a text search finds, and says so", async () => {
    const codebase = await codebaseOf({
      "mux.go": "package m\n\ntype Mux struct {\n\thandler int\n\ttree *node\n}\n\nfunc (m *Mux) run() int {\n\treturn m.handler\n}\n", "notes.md": "handler\n",
    });
    for (const name of ["Mux.handler", "handler", "(*Mux).handler", "m.Mux.handler", "Mux#handler", "mux.go:Mux.handler", "mux.go:handler"]) {
      try {
        resolveNode(codebase, name);
        expect.unreachable();
      } catch (error) {
        const { message, details } = error as ToolError;
        expect(message).toContain("is no node of the graph");
        expect(details).toMatchObject({ declared: ["mux.go:4: handler int"], lines: { total: 1, items: ["mux.go:9: return m.handler"] } });
      }
    }
  });
});

it("a field is its type's, whatever else is called so", async () => {
  const files = {
    "a_test.go": `package m\n\nfunc TestAll(t *testing.T) {\n${"\twait++\n".repeat(300)}}\n`,
    "main.go": "package m\n\nfunc main() { wait() }\n",
    "options.go": "package m\n\n// wait is how long.\ntype Other struct {\n\tsize int\n}\n\ntype Options struct {\n\tname string\n\twait int\n}\n\nfunc wait() int { return 1 }\n",
    "sub/options.go": "package sub\n\ntype Options struct {\n\twait float64\n}\n\nfunc (o Options) late() bool {\n\treturn o.wait > 1\n}\n",
  };
  const { message, details } = await errorOf("Options.wait", files);
  expect(message).toContain("is no node of the graph");
  expect(details?.declared).toEqual(["options.go:10: wait int", "sub/options.go:4: wait float64"]);
  expect(details?.candidates).toMatchObject([{ id: "Function:options.go:wait" }]);
  // What stands in the type's own files comes first, tests come last, and all are counted.
  expect(details?.lines).toMatchObject({ total: 304, items: ["options.go:3: // wait is how long.", "options.go:13: func wait() int { return 1 }", "sub/options.go:8: return o.wait > 1", "main.go:3: func main() { wait() }"].concat(Array(16).fill(expect.stringContaining("a_test.go")) as string[]) });
  expect((await errorOf("sub/options.go:Options.wait", files)).details).toMatchObject({ declared: ["sub/options.go:4: wait float64"], lines: { total: 1 } });
  // What is no field of the type before it is not said to be one.
  expect((await errorOf("Other.wait", files)).message).toContain("Nothing here is called");
});

describe("a field of every language", () => {
  const files = {
    "Cart.php": "<?php\nclass Cart {\n    private int $total = 0;\n    public function __construct(private string $owner) {}\n    public function add(int $n): void { $this->total += $n; }\n}\n",
    "basket.rb": "class Basket\n  def initialize(weight)\n    @weight = weight\n  end\n  def heavy? = @weight > 10\nend\n",
    "bag.c": "struct bag {\n\tint straps;\n};\nint count(struct bag *b) { return b->straps; }\n",
    "jar.ts": "export class Pot {\n  constructor(private readonly maker: string) {}\n  lift() { return this.maker; }\n}\nexport const options = {\n  retry: { delay: 5 },\n};\n",
    "pan.py": "class Pan:\n    def volume(self):\n        return self.width\n",
    "dollar.js": "export class Sum {\n  $owner = 1;\n}\n",
  };
  const php = { declared: ["Cart.php:3: private int $total = 0;"], lines: ["Cart.php:5: public function add(int $n): void { $this->total += $n; }"] };
  const ruby = ["basket.rb:2: def initialize(weight)", "basket.rb:5: def heavy? = @weight > 10"];

  it.each([
    ["Cart.total", php], ["Cart->total", php], ["Cart::$total", php], ["$total", php],
    ["Cart.owner", { declared: ["Cart.php:4: public function __construct(private string $owner) {}"], lines: [] }],
    // A dollar is a part of JavaScript's names.
    ["owner", { declared: undefined, lines: ["Cart.php:4: public function __construct(private string $owner) {}"] }],
    ["Basket#weight", { declared: ["basket.rb:3: @weight = weight"], lines: ruby }],
    ["@weight", { declared: undefined, lines: [ruby[0], "basket.rb:3: @weight = weight", ruby[1]] }],
    ["struct bag.straps", { declared: ["bag.c:2: int straps;"], lines: ["bag.c:4: int count(struct bag *b) { return b->straps; }"] }],
    ["Pot.maker", { declared: ["jar.ts:2: constructor(private readonly maker: string) {}"], lines: ["jar.ts:3: lift() { return this.maker; }"] }],
    ["options.retry", { declared: ["jar.ts:6: retry: { delay: 5 },"], lines: [] }],
    ["options.retry.delay", { declared: ["jar.ts:6: retry: { delay: 5 },"], lines: [] }],
    // Who reads it does not declare it.
    ["Pan.width", { declared: undefined, lines: ["pan.py:3: return self.width"] }],
  ])("%s", async (name, { declared, lines }) => {
    const details = (await errorOf(name, files)).details as { declared?: string[]; lines: { items: string[] } };
    expect([details.declared, details.lines.items]).toEqual([declared, lines]);
  });
});

it("a field as it stands in code is told by the lines that have it so", async () => {
  const { details } = await errorOf("this.sold", { "a.ts": "class A {\n  sold = 0;\n  add() { this.sold++; }\n}\nexport function price(a: A) { return a.sold + hisx.sold; }\n" });
  expect(details).toMatchObject({ lines: { total: 1, items: ["a.ts:3: add() { this.sold++; }"] } });
});

it("a member that only types below declare is answered with theirs", async () => {
  const codebase = await codebaseOf({
    "limits.py": "class Base:\n    def start(self): self.expire()\n\nclass Clock(Base):\n    def expire(self): ...\n\nclass Alarm(Clock): ...\n\nclass Timer(Base):\n    def expire(self): ...\n\nclass Other:\n    def expire(self): ...\n",
  });
  try {
    resolveNode(codebase, "Base.expire");
    expect.unreachable();
  } catch (error) {
    const { message, details } = error as ToolError;
    expect(message).toContain("but types that inherit from Base have one of that name");
    expect(details).toMatchObject({ candidates: [{ id: "Method:limits.py:Clock.expire" }, { id: "Method:limits.py:Timer.expire" }], total: 2 });
  }
});

it("an attribute of a class is declared where none of its methods stands, and a field of an object where one gives it a value", async () => {
  const codebase = await codebaseOf({ "color.py": "class Color:\n    RED = 1\n\n    def warm(self):\n        return self.hue == Color.RED\n\nclass Box:\n    def __init__(self):\n        self.size = 1\n" });
  const detailsOf = (name: string): unknown => {
    try {
      return resolveNode(codebase, name);
    } catch (error) {
      return (error as ToolError).details;
    }
  };
  expect(detailsOf("Color.RED")).toMatchObject({ declared: ["color.py:2: RED = 1"], lines: { items: ["color.py:5: return self.hue == Color.RED"] } });
  expect(detailsOf("Box.size")).toMatchObject({ declared: ["color.py:9: self.size = 1"] });
});

describe("what names no symbol", () => {
  it.each([
    ["src/checkout/price.ts:4", "No symbol stands in line 4 of src/checkout/price.ts: name one, or the file itself."],
    ["price.ts:900:3", "src/checkout/price.ts has 7 lines, and no line 900."],
    ["src/checkout", "src/checkout is a folder with 3 files. Name one of them, or a symbol."],
  ])("%s is told for what it is", async (name, message) => {
    expect((await errorOf(name)).message).toBe(message);
  });
});

it("a route is meant by its path alone, where one has it", async () => {
  const codebase = await codebaseOf({
    "go.mod": "module m\n", "main.go": "package main\n\nimport \"net/http\"\n\nfunc list(w http.ResponseWriter, r *http.Request) {}\n\nfunc main() {\n\thttp.HandleFunc(\"GET /users\", list)\n\thttp.HandleFunc(\"POST /items\", list)\n\thttp.HandleFunc(\"PUT /items\", list)\n}\n",
  });
  const named = (name: string): string[] => candidatesFor(codebase, name).map((node) => codebase.graph.nodes[node]!.name);
  expect(named("/users")).toEqual(["GET /users"]);
  expect(named("/items").sort()).toEqual(["POST /items", "PUT /items"]);
  expect(named("POST /items")).toEqual(["POST /items"]);
});

it("a member that a type does not have is told by the type", async () => {
  const error = await errorOf("MemoryStore.xyzzyqwfp");
  expect(error.message).toBe("Nothing here is called \"MemoryStore.xyzzyqwfp\". The type before it is here, without such a member: read with outline tells those that it has.");
  expect(error.details).toEqual({ candidates: [{ id: "Class:src/store/store.ts:MemoryStore", line: 6 }] });
});

it("a component of Vue or Svelte goes by its name", async () => {
  const codebase = await codebaseOf({ "src/CartLine.vue": "<script setup>\nconst n = 1;\n</script>\n<template>{{ n }}</template>\n", "src/Price.svelte": "{1}\n", "src/price.ts": "export class Price2 {}\n" });
  const named = (name: string): string[] => candidatesFor(codebase, name).map((node) => codebase.graph.nodes[node]!.id);
  expect(["CartLine", "Price", "Price2"].map(named)).toEqual([["File:src/CartLine.vue"], ["File:src/Price.svelte"], ["Class:src/price.ts:Price2"]]);
});

it("a module of Python is its file", async () => {
  const codebase = await codebaseOf({ "shop/cart.py": "def total(): ...\n", "shop/pay/__init__.py": "def pay(): ...\n", "shop/__init__.py": "" });
  const named = (name: string): string[] => candidatesFor(codebase, name).map((node) => codebase.graph.nodes[node]!.id);
  expect(["shop.cart", "shop.pay", "shop.cart.total"].map(named)).toEqual([["File:shop/cart.py"], ["File:shop/pay/__init__.py"], ["Function:shop/cart.py:total"]]);
});

it("what differs in case alone is a candidate, and no field", async () => {
  const codebase = await codebaseOf({ "a.go": "package m\n\ntype T struct{}\n\nfunc (t *T) Render() {}\n\nfunc use(t *T) {\n\trender := t.Render\n\trender()\n}\n" });
  try {
    resolveNode(codebase, "T.render");
    expect.unreachable();
  } catch (error) {
    expect((error as ToolError).message).toContain("Did you mean one of the candidates?");
    expect((error as ToolError).details).toEqual({ candidates: [{ id: "Method:a.go:T.Render", line: 5 }] });
  }
});
