import { describe, expect, it } from "vitest";
import { answer, fakeRepository } from "../../../test/fake-repository.ts";
import type { Picture } from "./picture.ts";

const repository = fakeRepository(8_000);
const picture = (args: Record<string, unknown>): Promise<Picture> => answer(repository, "graph_picture", args) as Promise<Picture>;
const { graph } = repository.codebase;
/** The best connected function. */
const target = graph.nodes.reduce((best, { kind, test }, i) => ((kind === "Function" || kind === "Method") && !test && graph.in(i, "CALLS").length > graph.in(best, "CALLS").length ? i : best), 0);
const { id } = graph.nodes[target]!;

describe("a picture", () => {
  it.each([
    ["impact", { target: id, direction: "upstream", maxDepth: 10 }], ["impact", { target: id, direction: "downstream" }], ["overview", {}],
    ["explore", { name: id, type: "symbol" }], ["explore", { name: "validate token" }], ["explore", { name: "Community:0" }], ["trace_flow", { from: id }],
  ] as const)("of %s %j fits a chat, and nothing stands on anything else", async (tool, args) => {
    const { layout, nodes, edges } = await picture({ tool, ...args });
    expect(nodes.length).toBeGreaterThan(0);
    expect(nodes.length).toBeLessThanOrEqual(200);
    expect(JSON.stringify({ nodes, edges }).length).toBeLessThan(60_000);
    expect(edges.length % 3).toBe(0);
    for (let e = 0; e < edges.length; e += 3) {
      expect(nodes[edges[e]!]).toBeDefined();
      expect(nodes[edges[e + 1]!]).toBeDefined();
    }
    nodes.forEach((a, i) => nodes.slice(i + 1).forEach((b) => {
      if (layout === "map") expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(a.r! + b.r!);
      else expect(a.x === b.x && Math.abs(a.y - b.y) < 1).toBe(false);
    }));
  });

  it("of impact has the direct callers next to the target, or their files", async () => {
    const { nodes } = await picture({ tool: "impact", target: id, direction: "upstream", maxDepth: 1, minConfidence: 0, includeTests: true });
    const main = nodes.find((node) => node.main)!;
    expect(main.id).toBe(id);
    const callers = nodes.filter(({ x }) => x === main.x - 1).reduce((sum, { count = 1 }) => sum + count, 0);
    const { byDepth } = await answer(repository, "impact", { target: id, direction: "upstream", maxDepth: 1, minConfidence: 0, includeTests: true }) as { byDepth: { total: number }[] };
    expect(callers).toBe(byDepth[0]!.total);
  });

  it("is the same each time", async () => {
    expect(await picture({ tool: "overview" })).toEqual(await picture({ tool: "overview" }));
  });

  it("comes with the code of a node", async () => {
    const { startLine, file } = graph.nodes[target]!;
    expect(await answer(repository, "graph_code", { id })).toMatchObject({ id, file, start: startLine, code: repository.codebase.files.text(file)!.split("\n").slice(startLine - 1, graph.nodes[target]!.endLine).join("\n").slice(0, 12_000) });
  });
});
