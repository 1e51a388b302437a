import { describe, expect, it } from "vitest";
import { answer, fakeRepository } from "../../test/fake-repository.ts";
import { readable } from "../engine/tools/readable.ts";
import { toldTo, type Told } from "./told.ts";

const repository = fakeRepository(900);
/** In the form in which an agent gets it: some answers are texts. */
const tell = async (name: string, args: Record<string, unknown>): Promise<Told> => {
  const object = await answer(repository, name, args);
  const told = readable(name, object);
  return toldTo({ name, answer: JSON.stringify(told), object: typeof told === "string" ? JSON.stringify(object) : "" });
};
const [target] = repository.context.hotspots;

describe("what an agent was told", () => {
  it("an impact is rings with exactly the nodes that the answer names", async () => {
    const args = { target: target!.id, direction: "upstream", maxDepth: 3, includeTests: false, minConfidence: 0.7 };
    const raw = JSON.stringify(await answer(repository, "impact", args));
    const told = toldTo({ name: "impact", answer: raw });
    if (told.form !== "rings") throw new Error(told.form);
    expect(told.target.id).toBe(target!.id);
    const { byDepth } = JSON.parse(raw) as { byDepth: { total: number; items?: { id: string }[]; others?: Record<string, string[]>; files?: string[] }[] };
    expect(told.totals).toEqual(byDepth.map(({ total }) => total));
    byDepth.forEach((level, i) => {
      const named = (level.items ?? []).length + Object.values(level.others ?? {}).flat().length + (level.files ?? []).length;
      expect(told.nodes.filter(({ depth }) => depth === i + 1)).toHaveLength(named);
    });
    for (const { id } of byDepth[0]!.items!) expect(told.nodes.find((node) => node.id === id)).toMatchObject({ depth: 1, via: target!.id });
  });

  it("a path and a process are steps with their code", async () => {
    const process = await tell("explore", { name: "Process:0", type: "process" });
    if (process.form !== "steps") throw new Error(process.form);
    const steps = repository.codebase.processes[0]!.steps.map((node) => repository.codebase.graph.nodes[node]!.id);
    expect(process.flows[0]!.steps.map(({ node }) => node.id)).toEqual(steps);
    const path = await tell("trace_flow", { from: steps[0]!, to: steps.at(-1)!, maxSteps: 10 });
    if (path.form !== "steps") throw new Error(path.form);
    expect(path.flows[0]!.steps[0]).toMatchObject({ node: { id: steps[0] } });
    expect(path.flows[0]!.steps[0]!.code).toContain("(");
    expect([path.ends, process.ends]).toEqual([true, undefined]);
  });

  it("what is told as a text is a list of what it names, with the text, and code is the text itself", async () => {
    const { id } = target!;
    const dive = await tell("deep_dive", { name: id });
    if (dive.form !== "list") throw new Error(dive.form);
    expect(dive.groups.flatMap(({ nodes }) => nodes.map((node) => node.id))).toContain(id);
    expect(dive.text).toBe(readable("deep_dive", await answer(repository, "deep_dive", { name: id })));
    const args = { filePath: id.split(":")[1]! };
    expect(await tell("read", args)).toEqual({ form: "text", text: readable("read", await answer(repository, "read", args)) });
  });

  it("other answers are lists of what they name, tables, or text", async () => {
    const found = await tell("search", { query: "invoice", limit: 5, groupByProcess: false });
    if (found.form !== "list") throw new Error(found.form);
    expect(found.groups.find(({ title }) => title === "results")!.nodes).toHaveLength(5);
    expect(toldTo({ name: "cypher", answer: '{"columns":["a"],"rows":[[1],[2]],"totalRows":9}' })).toEqual({ form: "table", columns: ["a"], rows: [[1], [2]], total: 9 });
    for (const text of ["plain words", '"a text that stands for it"', "null", "[1]", "{}", '{"byDepth":7}', '{"path":[{"no":1}]}', '{"byDepth":[{"items":[{"id":"x"}]}],"target":{}}']) {
      expect(["text", "list", "steps"]).toContain(toldTo({ name: "impact", answer: text }).form);
    }
  });
});
