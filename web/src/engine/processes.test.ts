import { expect, test } from "vitest";
import { graphOf } from "../../test/graph.ts";
import type { GraphNode } from "./graph.ts";
import { findProcesses } from "./processes.ts";

function flows(edges: readonly string[], nodes: Record<string, Partial<GraphNode>> = {}): string[] {
  const graph = graphOf(edges, nodes);
  return findProcesses(graph).map(({ steps }) => steps.map((step) => graph.nodes[step]!.name).join(" "));
}

test("a flow goes from main as far as it leads, and is named by its ends", () => {
  const graph = graphOf(["main > load", "load > parse", "parse > write"], { parse: { kind: "Method", owner: "Parser" }, write: { owner: "Report" } });
  expect(findProcesses(graph)).toEqual([{ label: "main → Report.write", steps: [2, 3, 0, 1], crossCommunity: false }]);
});

test("a guessed call, a test and a short chain make no flow", () => {
  expect(flows(["main > a", "a > b 0.4"])).toEqual([]);
  expect(flows(["main > a"])).toEqual([]);
  expect(flows(["t > a", "a > b", "b > c"], { t: { entry: "test", test: true } })).toEqual([]);
  expect(flows(["main > a", "a > t", "t > b"], { t: { test: true } })).toEqual([]);
});

test("entries are main, routes and handlers, and what nobody calls when it is exported or called on load", () => {
  const nodes: Record<string, Partial<GraphNode>> = {
    route: { entry: "route" }, exported: { exported: true }, called: { exported: true }, hidden: {}, onLoad: {}, file: { kind: "File" },
  };
  const chain = (from: string): string[] => [`${from} > ${from}1`, `${from}1 > ${from}2`];
  const edges = [...["main", "route", "exported", "called", "hidden", "onLoad"].flatMap(chain), "hidden > called", "file > onLoad"];
  expect(flows(edges, nodes)).toEqual([
    "main main1 main2", "route route1 route2", "onLoad onLoad1 onLoad2", "exported exported1 exported2",
  ]);
});

test("flows from known entries come before longer ones from what is merely exported", () => {
  const nodes: Record<string, Partial<GraphNode>> = { api: { exported: true }, show: { entry: "route" } };
  expect(flows(["api > a1", "a1 > a2", "a2 > a3", "a3 > a4", "a4 > a5", "show > s1", "s1 > s2", "main > m1", "m1 > m2"], nodes)).toEqual([
    "main m1 m2", "show s1 s2", "api a1 a2 a3 a4 a5",
  ]);
});

test("a cycle ends, and no step comes twice", () => {
  const [flow] = flows(["main > a", "a > b", "b > c", "c > a", "c > main", "a > a"]);
  expect(flow).toBe("main a b c");
});

test("a long chain is cut at twelve steps", () => {
  const edges = Array.from({ length: 40 }, (_, i) => `${i === 0 ? "main" : `f${i}`} > f${i + 1}`);
  expect(flows(edges).map((flow) => flow.split(" ").length)).toEqual([12]);
});

test("the branches of an entry are flows of their own, longest first", () => {
  expect(flows(["main > a", "a > b", "b > c", "main > x", "x > y"])).toEqual(["main a b c", "main x y"]);
});

test("a flow goes the shortest way, and on a detour only where there is no other", () => {
  expect(flows(["main > a", "a > b", "b > c", "main > b", "c > d"])).toEqual(["main b c d"]);
  expect(flows(["main > a", "main > b", "a > b"])).toEqual(["main a b"]);
});

test("a flow goes as far as it is likely enough, by the surest calls first", () => {
  expect(flows(["main > a 0.6", "a > b 0.6", "b > c 0.6", "c > d 0.6"])).toEqual(["main a b"]);
  expect(flows(["main > x 0.6", "main > a 0.9", "x > end", "a > end"])[0]).toBe("main a end");
});

test("a flow ends at what everybody uses", () => {
  const users = Array.from({ length: 20 }, (_, i) => `user${i} > join`);
  const found = (endLine: number): string[] => flows(["main > a", "a > b", "b > join", "join > write", "write > flush", ...users], { write: { startLine: 1, endLine } });
  // Where much code stands behind it, it is told.
  expect(found(200)).toEqual(["main a b join"]);
  expect(found(20)).toEqual(["main a b"]);
});

test("a flow does not end in a log entry, an object made, a failure, or a small helper", () => {
  const body = { startLine: 1, endLine: 20 };
  const nodes: Record<string, Partial<GraphNode>> = {
    c: body, warn: body, write: { ...body, owner: "Logger", kind: "Method" }, Failure: { ...body, kind: "Class" }, size: { startLine: 3, endLine: 5 },
    log_entry: body, raise_for_status: body, ReadError: { ...body, kind: "Method", owner: "ReadError" },
  };
  for (const end of ["warn", "write", "Failure", "size", "log_entry", "raise_for_status", "ReadError"]) expect(flows(["main > a", "a > b", "b > c", `c > ${end}`, `other > ${end}`], nodes)).toEqual(["main a b c"]);
  // Several such ends are one flow, and a short flow keeps its own.
  expect(flows(["main > a", "a > b", "b > c", "c > warn", "c > size", "c > Failure", "other > size"], nodes)).toEqual(["main a b c"]);
  expect(flows(["main > a", "a > size", "other > size"], nodes)).toEqual(["main a size"]);
  // What makes an object leads on.
  const made = { NewList: { ...body, name: "New" }, Cart: { ...body, kind: "Method", owner: "Cart" }, init: { ...body, name: "__init__", kind: "Method", owner: "Cart" } } as const;
  for (const end of Object.keys(made)) {
    expect(flows(["main > a", "a > b", "b > c", `c > ${end}`], made)).toEqual(["main a b c"]);
    expect(flows(["main > a", "a > b", "b > c", `c > ${end}`, `${end} > fill`], made)[0]).toMatch(/ fill$/);
  }
  // Helpers lead nowhere either.
  expect(flows(["main > a", "a > b", "b > c", "c > warn", "warn > open", "open > flush"], nodes)).toEqual(["main a b c"]);
});

test("programs that are examples come after those of the code itself", () => {
  const nodes: Record<string, Partial<GraphNode>> = {
    show: { file: "examples/show/main.go", entry: "main" }, serve: { file: "cmd/main.go", entry: "main" }, api: { file: "lib/api.go", exported: true },
  };
  const found = flows(["show > s1", "s1 > s2", "s2 > s3", "s3 > s4", "serve > m1", "m1 > m2", "api > x1", "x1 > x2"], nodes);
  expect(found).toEqual(["serve m1 m2", "api x1 x2", "show s1 s2 s3 s4"]);
});

test("many ways to one end do not crowd out the ways to others", () => {
  const nodes: Record<string, Partial<GraphNode>> = {};
  const edges = ["x1 > x2", "x2 > other"];
  nodes.x1 = { exported: true };
  for (let i = 0; i < 100; i++) {
    nodes[`r${i}`] = { entry: "route" };
    // Each end is too large to be a detail of ten.
    nodes[`end${i % 10}`] = { startLine: 1, endLine: 200 };
    edges.push(`r${i} > m${i}`, `m${i} > n${i}`, `n${i} > end${i % 10}`);
  }
  const found = flows(edges, nodes);
  expect(found).toHaveLength(75);
  expect(found.indexOf("x1 x2 other")).toBeGreaterThan(-1);
  expect(found.indexOf("x1 x2 other")).toBeLessThan(60);
});

test("what calls hundreds of others leaves room for the rest", () => {
  const edges = ["main > search", "search > match", "main > parse", "parse > flags"];
  for (let i = 0; i < 200; i++) edges.push(`flags > flag${i}`);
  expect(flows(edges)).toContain("main search match");
});

test("the entry that drives most of the code comes first, and what only builds it last", () => {
  const entries = { serve: { file: "src/serve.rs", entry: "main" }, check: { file: "src/check.rs", entry: "main" }, build: { file: "build.rs", entry: "main" } } as const;
  const edges = ["check > c1", "c1 > c2", "serve > s1", "s1 > s2", "build > b1", "b1 > b2"];
  const large = { startLine: 1, endLine: 200 };
  expect(flows(edges, { ...entries, c2: { startLine: 1, endLine: 30 }, s2: large, b2: large })).toEqual(["serve s1 s2", "check c1 c2", "build b1 b2"]);
});

test("what the code base's ordinary function is too small for is told where all are small", () => {
  const small = { startLine: 1, endLine: 3 };
  const names = ["main", "a", "b", "c", "d", "e"];
  const nodes = Object.fromEntries(names.map((name) => [name, small]));
  expect(flows(["main > a", "a > b", "b > c", "c > d"], nodes)).toEqual(["main a b c d"]);
});

test("a flow inside of another one is left out", () => {
  expect(flows(["main > run", "run > a", "a > b"], { run: { entry: "handler" } })).toEqual(["main run a b"]);
});

test("a flow through several communities says so", () => {
  const graph = graphOf(["main > a", "a > b", "a MEMBER_OF one", "b MEMBER_OF other"], { one: { kind: "Community" }, other: { kind: "Community" } });
  expect(findProcesses(graph).map(({ crossCommunity }) => crossCommunity)).toEqual([true]);
});

test("everything calling everything ends in time, within the cap", () => {
  const nodes: Record<string, Partial<GraphNode>> = {};
  const edges: string[] = [];
  for (let i = 0; i < 300; i++) {
    nodes[`f${i}`] = { entry: "route" };
    for (let j = 0; j < 300; j++) if (i !== j) edges.push(`f${i} > f${j}`);
  }
  const graph = graphOf(edges, nodes);
  const started = performance.now();
  const processes = findProcesses(graph);
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(processes.length).toBeGreaterThan(10);
  expect(processes.length).toBeLessThanOrEqual(75);
});

test("flows with the same ends are told apart by what lies between", () => {
  const graph = graphOf(["main > a", "a > b", "b > endA", "main > c", "c > d", "d > endB", "main > e", "e > endC"], {
    endA: { name: "done", id: "endA" }, endB: { name: "done", id: "endB" }, endC: { name: "finish" },
  });
  expect(findProcesses(graph).map(({ label }) => label).sort()).toEqual(["main → done via a", "main → done via c", "main → finish"]);
});

test("and by the file of the end where that is all that differs; entries of one name by theirs", () => {
  const done = (side: string): Record<string, Partial<GraphNode>> => Object.fromEntries(
    ["check", "read", "close"].map((name) => [name + side, { name, file: `src/token_${side}.go` }]));
  const graph = graphOf(["main > checkUnix", "checkUnix > readUnix", "readUnix > closeUnix", "main > checkOther", "checkOther > readOther", "readOther > closeOther"], {
    ...done("Unix"), ...done("Other"),
  });
  expect(findProcesses(graph).map(({ label }) => label).sort()).toEqual(["main → close in token_Other", "main → close in token_Unix"]);
  const entries = graphOf(["askRequest > copyRequest", "copyRequest > only", "askResponse > copyResponse", "copyResponse > only"], {
    askRequest: { name: "ask", file: "lib/request.js", exported: true }, copyRequest: { name: "copy", file: "lib/request.js" },
    askResponse: { name: "ask", file: "lib/response.js", exported: true }, copyResponse: { name: "copy", file: "lib/response.js" },
  });
  expect(findProcesses(entries).map(({ label }) => label).sort()).toEqual(["ask (request) → only", "ask (response) → only"]);
});

test("a flow does not guess which of several methods a call reaches, but goes on where there is one", () => {
  const dispatch = (count: number): string[] => {
    const nodes: Record<string, Partial<GraphNode>> = {};
    for (let i = 0; i < count; i++) nodes[`w${i}`] = { kind: "Method", name: "write", owner: `Writer${i}`, id: `w${i}` };
    return flows(["main > a", "a > send", ...Object.keys(nodes).flatMap((name, i) => [`send > ${name} 0.6`, `${name} > flush${i}`])], nodes);
  };
  expect(dispatch(1)).toEqual(["main a send write flush0"]);
  expect(dispatch(2)).toEqual(["main a send"]);
});

test("nobody enters at a constructor, or at what the language calls", () => {
  const method = (name: string, owner = "Cart"): Partial<GraphNode> => ({ kind: "Method", name, owner, exported: true });
  const nodes = { a: method("__init__"), b: method("constructor"), c: method("Cart"), d: method("__repr__"), e: method("__construct"), f: method("__call__"), g: method("pay"), h: method("toString") };
  expect(flows(Object.keys(nodes).flatMap((name) => [`${name} > ${name}1`, `${name}1 > ${name}2`]), nodes)).toEqual(["__call__ f1 f2", "pay g1 g2"]);
});

test("what is known already is not told again from another end, unless control is known to enter there", () => {
  const body = { startLine: 1, endLine: 20 };
  const nodes: Record<string, Partial<GraphNode>> = { sort: body, link: body, split: body };
  const edges = ["handle > insert", "insert > sort", "insert > link", "insert > split"];
  for (const verb of ["get", "put", "post"]) {
    nodes[verb] = { exported: true };
    edges.push(`${verb} > handle`);
  }
  expect(flows(edges, nodes)).toEqual(["get handle insert sort"]);
  for (const verb of ["get", "put", "post"]) nodes[verb] = { entry: "route" };
  expect(flows(edges, nodes).map((flow) => flow.split(" ")[0])).toEqual(["get", "put", "post"]);
});
