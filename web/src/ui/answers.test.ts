import { describe, expect, it } from "vitest";
import { hits, relations, span } from "./answers.ts";

describe("search", () => {
  it("gives nodes to show", () => {
    const answer = { results: [
      { id: "Method:a.ts:Store.save", line: 4, lines: "3-9", connections: 12 },
      { id: "Function:a.ts:save", lines: "12-14", connections: 2 },
      { id: "File:b.ts", lines: "1-9", connections: 1 },
    ], total: 2 };
    expect(hits(answer)).toEqual([
      { id: "Method:a.ts:Store.save", name: "Store.save", kind: "Method", file: "a.ts", line: 4, connections: 12 },
      { id: "Function:a.ts:save", name: "save", kind: "Function", file: "a.ts", line: 12, connections: 2 },
      { id: "File:b.ts", name: "b.ts", kind: "File", file: "b.ts", line: 0, connections: 1 },
    ]);
  });

  it("passes over what is no node", () => {
    expect(hits({ results: [null, 7, { name: "no id" }] })).toEqual([]);
    expect(hits("nothing like it")).toEqual([]);
  });
});

describe("explore", () => {
  const ref = (name: string): object => ({ id: `Function:a.ts:${name}`, name, file: "a.ts", line: 2 });

  it("gives neighbours by sort, with how many there are", () => {
    const found = relations({
      ...ref("main"), in: "Class:a.ts:App", cluster: { id: "Community:3", label: "Billing" },
      callers: { total: 9, items: [ref("a"), ref("b")], more: 7 },
      callees: { total: 2, items: [ref("c"), ref("c")] },
      members: [],
    });
    expect(found.map(({ title, nodes, total }) => [title, nodes.map(({ kind, name }) => `${kind} ${name}`), total])).toEqual([
      ["Called by", ["Function a", "Function b"], 9], ["Calls", ["Function c"], 1], ["Defined in", ["Class App"], 1], ["Cluster", ["Community Billing"], 1],
    ]);
    expect(found[2]?.nodes[0]).toEqual({ id: "Class:a.ts:App", kind: "Class", name: "App", file: "a.ts", line: 0 });
  });

  it("reads from an id what it says by itself", () => {
    const [found] = relations({ importedBy: { total: 3, items: [{ id: "File:src/a.ts", sites: [3] }, { id: "Method:src/b.ts:Store.save#2", line: 7 }, { id: "File:b.ts" }] } });
    expect(found?.nodes.map(({ name, file, line }) => [name, file, line])).toEqual([["a.ts", "src/a.ts", 0], ["Store.save", "src/b.ts", 7], ["b.ts", "b.ts", 0]]);
  });

  it("takes a process's steps in their order", () => {
    expect(relations({ id: "Process:1", trace: [{ step: 1, ...ref("x") }, { step: 2, ...ref("a") }] })[0]?.nodes.map(({ name }) => name)).toEqual(["x", "a"]);
  });

  it("tells the lines of the symbol", () => {
    expect(span({ ...ref("main"), lines: "3-8" })).toEqual({ start: 3, end: 8 });
    expect(span(ref("main"))).toBeUndefined();
  });
});
