import { describe, expect, it } from "vitest";
import { handmade } from "../../../test/graphs.ts";
import { Graph } from "../graph.ts";
import { createTables, csvRow, tableLoads, type TableLoad } from "./csv.ts";

describe("a row", () => {
  it.each([
    [["a", 1, true], "\"a\",1,true\n"],
    [["say \"hi\"", "a,b", "two\nlines", "back\\slash"], "\"say \"\"hi\"\"\",\"a,b\",\"two\nlines\",\"back\\slash\"\n"],
    [["", null, 0, false], ",,0,false\n"],
    [["nul\0here"], "\"nul\uFFFDhere\"\n"],
  ])("of %j", (cells, row) => {
    expect(csvRow(cells)).toBe(row);
  });
});

async function loadsOf(codebase: Parameters<typeof tableLoads>[0]): Promise<{ loads: TableLoad[]; rests: number }> {
  const loads: TableLoad[] = [];
  let rests = 0;
  for await (const load of tableLoads(codebase, () => {
    rests++;
    return Promise.resolve();
  })) loads.push(load);
  return { loads, rests };
}

function textOf({ csv }: TableLoad): string {
  return csv.map((chunk) => new TextDecoder().decode(chunk)).join("");
}

describe("a codebase's loads", () => {
  it("are a file for each kind of node, then one for each pair of kinds that is related", async () => {
    const codebase = handmade(["f", "g", "Class:C"], [
      { from: "f", to: "g", line: 4 }, { from: "C", to: "f", type: "DEFINES" }, { from: "g", to: "Class:C", confidence: 0.9 },
    ].map((edge) => ({ ...edge, from: edge.from === "C" ? "Class:C" : edge.from })) as never);
    const { loads } = await loadsOf(codebase);
    expect(loads.map(({ statement }) => statement.replace(/, HEADER.*| \(HEADER.*/, ""))).toEqual([
      "COPY Function FROM '/load.csv'", "COPY Class FROM '/load.csv'",
      "COPY CodeRelation FROM '/load.csv' (from='Function', to='Function'",
      "COPY CodeRelation FROM '/load.csv' (from='Function', to='Class'",
      "COPY CodeRelation FROM '/load.csv' (from='Class', to='Function'",
    ]);
    expect(textOf(loads[0]!)).toBe(
      "\"Function:f.ts:f\",\"f\",\"f.ts\",1,1,1,,false,\"function f()\",,\"typescript\",false,false,\n"
      + "\"Function:f.ts:g\",\"g\",\"f.ts\",2,2,2,,false,\"function g()\",,\"typescript\",false,false,\n");
    expect(textOf(loads[2]!)).toBe("\"Function:f.ts:f\",\"Function:f.ts:g\",\"CALLS\",1,4,\n");
    expect(textOf(loads[3]!)).toBe("\"Function:f.ts:g\",\"Class:f.ts:C\",\"CALLS\",0.9,,\n");
    const { statements, pairs } = createTables(codebase);
    expect(statements.at(-1)).toContain("CodeRelation(FROM Function TO Function, FROM Function TO Class, FROM Class TO Function, type STRING");
    expect(pairs).toBe(3);
  });

  it("leave out a second node of the same id and its edges, which would fail the whole load", async () => {
    const codebase = handmade(["a", "b", "c"], [{ from: "a", to: "c" }, { from: "b", to: "c" }]);
    const nodes = codebase.graph.nodes.map((node, i) => (i === 0 ? { ...node, id: codebase.graph.nodes[1]!.id } : node));
    const twice = { ...codebase, graph: new Graph(nodes, [codebase.graph.edge(0), codebase.graph.edge(1)]) };
    const { loads } = await loadsOf(twice);
    expect(loads.map((load) => textOf(load).split("\n").length - 1)).toEqual([2, 1]);
  });

  it("rest while they are written", async () => {
    const names = Array.from({ length: 9000 }, (_, i) => `n${i}`);
    const { rests, loads } = await loadsOf(handmade(names, []));
    expect(rests).toBe(9);
    expect(loads[0]!.csv.length).toBe(9);
  });
});
