import { expect, test } from "vitest";
import { graphOf } from "../../test/graph.ts";
import { findCommunities } from "./communities.ts";
import type { GraphNode } from "./graph.ts";

/** Everybody calls everybody. */
function clique(names: readonly string[]): string[] {
  return names.flatMap((from) => names.filter((to) => to !== from).map((to) => `${from} > ${to}`));
}

function inFolder(folder: string, names: readonly string[]): Record<string, Partial<GraphNode>> {
  return Object.fromEntries(names.map((name) => [name, { file: `${folder}/${name}.ts` }]));
}

const PARSE = ["parseFile", "parseLine", "parseWord", "parseAll"];
const STORE = ["openStore", "readStore", "writeStore", "closeStore", "flush"];

test("two groups that hardly talk are two communities, named by their folders", () => {
  const graph = graphOf([...clique(PARSE), ...clique(STORE), "parseAll > openStore", "alone > alone", "x > y"], {
    ...inFolder("src/parser", PARSE), ...inFolder("lib/db", STORE),
  });
  const groups = findCommunities(graph);
  expect(groups.map(({ label, members }) => [label, members.map((m) => graph.nodes[m]!.name).sort()])).toEqual([
    ["lib/db", [...STORE].sort()],
    ["src/parser", [...PARSE].sort()],
  ]);
  // 20 calls among five, one from outside.
  expect(groups[0]!.cohesion).toBeCloseTo(20 / 21);
  expect(graph.nodes[groups[0]!.members[0]!]!.name).toBe("openStore");
});

test("groups of one folder are told apart by the words of their names", () => {
  const graph = graphOf([...clique(PARSE), ...clique(STORE)], inFolder("src", [...PARSE, ...STORE]));
  expect(findCommunities(graph).map(({ label }) => label)).toEqual(["src: store", "src: parse"]);
});

test("what is generated comes last, among groups and in a group, however large or connected it is", () => {
  const generated = Object.fromEntries([...STORE, "parseWord"].map((name) => [name, { file: `gen/${name}.ts`, generated: true }]));
  const graph = graphOf([...clique(PARSE), ...clique(STORE), "parseAll > parseWord"], { ...inFolder("src", PARSE), ...generated });
  const groups = findCommunities(graph);
  expect(groups.map(({ label }) => label)).toEqual(["src", "gen"]);
  expect(graph.nodes[groups[0]!.members.at(-1)!]!.name).toBe("parseWord");
});

test("a scattered group is named by the place that holds the most of it, and a word", () => {
  const gates = ["openGate", "closeGate", "gateKeeper", "gateOf", "paint"];
  const files = ["cmd/app/a.go", "cmd/app/b.go", "web/c.go", "lib/d.go", "tools/e.go"];
  const graph = graphOf(clique(gates), Object.fromEntries(gates.map((name, i) => [name, { file: files[i]! }])));
  expect(findCommunities(graph).map(({ label }) => label)).toEqual(["cmd/app: gate"]);
});

test("an index file names its folder, and the same thing in other words adds nothing", () => {
  const nodes = { ...inFolder("src/router", PARSE), ...inFolder("src/responses", STORE) };
  for (const name of PARSE) nodes[name] = { file: "src/router/index.ts" };
  for (const name of STORE) nodes[name] = { file: "src/responses.ts", owner: "resp", kind: "Method" };
  const more = ["sendStatus", "sendBody", "sendFile"];
  for (const name of more) nodes[name] = { file: "src/responses.ts", owner: "resp", kind: "Method" };
  expect(findCommunities(graphOf([...clique(PARSE), ...clique(STORE), ...clique(more)], nodes)).map(({ label }) => label)).toEqual([
    "src/responses: store", "src/router", "src/responses: send",
  ]);
});

test("two words where one is true of few, in the singular", () => {
  const names = ["readPolicies", "joinPolicies", "policyOf", "loadIssuer", "saveIssuer", "issuers", "hash", "sign", "check"];
  const files = Object.fromEntries([...names, ...STORE].map((name) => [name, { file: "src/tls.ts" }]));
  expect(findCommunities(graphOf([...clique(names), ...clique(STORE)], files)).map(({ label }) => label)).toEqual([
    "src/tls: issuer, policy", "src/tls: store",
  ]);
});

test("what stands in one file goes together where calls do not decide", () => {
  const nodes: Record<string, Partial<GraphNode>> = {};
  const edges: string[] = [];
  for (const side of ["left", "right"]) {
    nodes[side] = { kind: "File", file: `src/${side}.ts` };
    edges.push(...clique(["A", "B", "C"].map((name) => side + name)));
    for (const helper of ["One", "Two", "Three"]) edges.push(`leftA > ${side}${helper}`, `rightA > ${side}${helper}`);
    for (const name of ["A", "B", "C", "One", "Two", "Three"]) {
      nodes[side + name] = { file: `src/${side}.ts` };
      edges.push(`${side} DEFINES ${side}${name}`);
    }
  }
  const graph = graphOf(edges, nodes);
  const files = findCommunities(graph).map(({ members }) => new Set(members.map((m) => graph.nodes[m]!.file)));
  expect(files).toEqual([new Set(["src/left.ts"]), new Set(["src/right.ts"])]);
});

test("to fulfil common contracts ties less than a call does", () => {
  const contracts = ["Module", "Provisioner", "Unmarshaler"];
  const nodes: Record<string, Partial<GraphNode>> = Object.fromEntries(contracts.map((name) => [name, { kind: "Interface", file: "module.go" }]));
  const edges: string[] = ["load > Module", "load > Provisioner", "load > Unmarshaler"];
  for (let i = 0; i < 10; i++) {
    for (let j = 0; j < 3; j++) {
      nodes[`T${i}${j}`] = { kind: "Struct", file: `modules/${i}/${j}.go` };
      edges.push(...contracts.map((contract) => `T${i}${j} IMPLEMENTS ${contract}`), `T${i}${j} > set${i}`);
    }
    for (let j = 0; j < 12; j++) edges.push(`user${i}${j} > set${i}`);
    for (let j = 0; j < 12; j++) nodes[`user${i}${j}`] = { file: `modules/${i}/use.go` };
    nodes[`set${i}`] = { file: `modules/${i}/set.go` };
  }
  expect(findCommunities(graphOf(edges, nodes)).map(({ members }) => members.length)).toEqual([...Array<number>(10).fill(16), 4]);
});

test("examples are groups of their own, after those of the code, or join what they show", () => {
  const shop = ["openShop", "sellShop", "stockShop"];
  const graph = graphOf([...clique(PARSE), ...clique(shop), ...shop.map((name) => `${name} > parseAll`), "hello > parseAll"], {
    ...inFolder("lib", PARSE), ...inFolder("examples/shop", shop), hello: { file: "examples/hello.ts" },
  });
  const groups = findCommunities(graph);
  expect(groups.map(({ label }) => label)).toEqual(["lib", "examples/shop"]);
  expect(graph.nodes[groups[0]!.members.at(-1)!]!.name).toBe("hello");
});

test("labels are never the same twice, not even where all names are", () => {
  const nodes: Record<string, Partial<GraphNode>> = {};
  const edges: string[] = [];
  for (let group = 0; group < 5; group++) {
    const keys = ["a", "b", "c"].map((key) => `${key}${group}`);
    for (const key of keys) nodes[key] = { name: "get", file: `m${group}${key}.go`, id: key };
    edges.push(...clique(keys));
  }
  const labels = findCommunities(graphOf(edges, nodes)).map(({ label }) => label);
  expect(labels).toHaveLength(5);
  expect(new Set(labels).size).toBe(5);
});

test("tests go with what they test, and name nothing", () => {
  const tests = Array.from({ length: 12 }, (_, i) => `checkThing${i}`);
  const nodes: Record<string, Partial<GraphNode>> = inFolder("src", [...PARSE, ...STORE]);
  for (const name of [...tests, "helper"]) nodes[name] = { file: "src/all_test.ts", test: true };
  const graph = graphOf([
    ...clique(PARSE), ...clique(STORE), ...tests.flatMap((name, i) => [`${name} > helper`, `${name} > ${i % 2 === 0 ? "parseAll" : "flush"}`]),
  ], nodes);
  const groups = findCommunities(graph);
  expect(groups.map(({ label }) => label).sort()).toEqual(["src: parse", "src: store"]);
  const of = (name: string): string | undefined => groups.find(({ members }) => members.some((m) => graph.nodes[m]!.name === name))?.label;
  expect(of("checkThing0")).toBe("src: parse");
  expect(of("checkThing1")).toBe("src: store");
});

test("a type and its methods hold together without a call", () => {
  const graph = graphOf(["Server DEFINES run", "Server DEFINES stop", "Server DEFINES accept"], { Server: { kind: "Class" } });
  expect(findCommunities(graph).map(({ members }) => members.length)).toEqual([4]);
});

test("what everybody uses ties nobody together", () => {
  const edges: string[] = [];
  const nodes: Record<string, Partial<GraphNode>> = {};
  for (let i = 0; i < 6; i++) {
    edges.push(`a${i} > b${i}`, `b${i} > c${i}`, `c${i} > d${i}`);
    for (const name of ["a", "b", "c", "d"]) {
      edges.push(`${name}${i} > log`, `${name}${i} > format`);
      nodes[`${name}${i}`] = { file: `module${i}/${name}.ts` };
    }
  }
  const labels = findCommunities(graphOf(edges, nodes)).map(({ label }) => label);
  expect(labels.sort()).toEqual(Array.from({ length: 6 }, (_, i) => `module${i}`));
});

test("the same graph gives the same communities", () => {
  const edges: string[] = [];
  // A ring with chords: it can be cut in many ways that are equally good.
  for (let i = 0; i < 300; i++) edges.push(`f${i} > f${(i + 1) % 300}`, `f${i} > f${(i + 2) % 300}`);
  const first = findCommunities(graphOf(edges));
  expect(first.length).toBeGreaterThan(2);
  for (let i = 0; i < 5; i++) expect(findCommunities(graphOf(edges))).toEqual(first);
});

test("no relations, no communities", () => {
  expect(findCommunities(graphOf([], { a: {}, b: {} }))).toEqual([]);
  expect(findCommunities(graphOf(["a > a"]))).toEqual([]);
});
