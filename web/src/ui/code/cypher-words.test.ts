import { expect, it } from "vitest";
import { suggest, type CypherSchema } from "./cypher-words.ts";

const schema: CypherSchema = {
  nodes: { File: 2, Function: 9, Process: 1 },
  properties: { symbols: { id: "STRING: key", name: "STRING: simple name", line: "INT32: of the name" }, Process: { id: "STRING: key", stepCount: "INT32: steps" } },
  relation: { name: "CodeRelation", properties: { type: "STRING: kind", confidence: "DOUBLE: 0 to 1" } },
  types: { CALLS: { count: 12 }, IMPORTS: { count: 3 } },
  examples: [],
};

/** Labels at the `|` of a query, and what they would take the place of; undefined for none. */
function at(query: string, asked = false): { labels: string[]; over: string } | undefined {
  const place = query.indexOf("|");
  const found = suggest(query.replace("|", ""), place, schema, asked);
  return found && { labels: found.options.map(({ label }) => label), over: query.slice(found.from, place) };
}

it("knows the tables of nodes and the relation", () => {
  expect(at("MATCH (f:Fu|")).toEqual({ labels: ["File", "Function", "Process"], over: "Fu" });
  expect(at("MATCH (f:|) RETURN f")).toEqual({ labels: ["File", "Function", "Process"], over: "" });
  expect(at("MATCH (a)-[r:Co|]->(b)")).toEqual({ labels: ["CodeRelation"], over: "Co" });
});

it("knows the types of relations, wherever a type is compared", () => {
  for (const query of ["MATCH (a)-[r:CodeRelation {type: 'CA|'}]->(b)", "MATCH (a)-[r]->(b) WHERE r.type = 'CA|", "MATCH ()-[r]->() WHERE r.type IN ['IMPORTS', \"CA|"]) {
    expect(at(query), query).toEqual({ labels: ["CALLS", "IMPORTS"], over: "CA" });
  }
});

it("knows the properties of what a name stands for", () => {
  expect(at("MATCH (f:Function) RETURN f.|")?.labels).toEqual(["id", "name", "line"]);
  expect(at("MATCH (a)-[:CodeRelation]->(p:Process) RETURN p.st|")).toEqual({ labels: ["id", "stepCount"], over: "st" });
  expect(at("MATCH (a)-[r:CodeRelation]->(b) WHERE r.|")?.labels).toEqual(["type", "confidence"]);
  expect(at("MATCH (a) RETURN a.|")?.labels.sort()).toEqual(["id", "line", "name", "stepCount"]);
  expect(at("RETURN x.|  MATCH (x:Process {id: ''})")?.labels).toEqual(["id", "stepCount"]);
});

it("knows what a map of properties takes, with its colon", () => {
  const inNode = suggest("MATCH (p:Process {", 18, schema, false)!;
  expect(inNode.options.map(({ apply }) => apply)).toEqual(["id: ", "stepCount: "]);
  expect(at("MATCH (a)-[r:CodeRelation {|")?.labels).toEqual(["type", "confidence"]);
  expect(at("MATCH (f:Function {name: 'a', li|")).toEqual({ labels: ["id", "name", "line"], over: "li" });
  expect(at("MATCH (f:Function {name: |")).toBeUndefined();
});

it("offers the query's own names, keywords and functions", () => {
  const found = at("MATCH (caller)-[r]->(f:Function) RETURN c|")!;
  expect(found.labels.slice(0, 3)).toEqual(["caller", "r", "f"]);
  expect(found.labels).toEqual(expect.arrayContaining(["ORDER BY", "count"]));
  expect(suggest("MATCH (f) RETURN co", 19, schema, false)!.options.find(({ label }) => label === "count")!.apply).toBe("count(");
});

it("leaves new names, other strings, comments and empty places alone", () => {
  for (const query of ["MATCH (fu|", "MATCH (a)-[re|", "WHERE a.name = 'CA|'", "WHERE a.name = 'it\\'s CA|", "MATCH (a) // CA|", "MATCH |", ""]) expect(at(query === "" ? "|" : query), query).toBeUndefined();
  expect(at("|", true)?.labels).toContain("MATCH");
});
