import { describe, expect, it } from "vitest";
import { answer, fakeRepository } from "../../../test/fake-repository.ts";
import { EDGE_TYPES } from "../graph.ts";
import type { GroupAnswer } from "./group.ts";

const repository = fakeRepository(600);
const { graph, communities } = repository.codebase;
const group = (id: string): Promise<GroupAnswer> => answer(repository, "view_group", { id }) as Promise<GroupAnswer>;

/** Relations across the border of a set of nodes, counted one by one. */
function crossing(isIn: (node: number) => boolean): { inwards: number; outwards: number } {
  const sum = { inwards: 0, outwards: 0 };
  for (let e = 0; e < graph.edgeCount; e++) {
    const [from, to] = [isIn(graph.from[e]!), isIn(graph.to[e]!)];
    if (from === to || ["CONTAINS", "DEFINES", "MEMBER_OF", "STEP_IN_PROCESS"].includes(EDGE_TYPES[graph.type[e]!]!) || graph.confidence[e]! < 0.699) continue;
    if (to) sum.inwards++;
    else sum.outwards++;
  }
  return sum;
}

const added = ({ neighbours }: GroupAnswer): { inwards: number; outwards: number } =>
  neighbours.reduce((sum, { inwards, outwards }) => ({ inwards: sum.inwards + inwards, outwards: sum.outwards + outwards }), { inwards: 0, outwards: 0 });

describe("a group", () => {
  it("that is a folder has its files, and every relation that crosses its border", async () => {
    const told = await group("Folder:src/auth");
    const files = graph.nodes.filter(({ kind, file }) => kind === "File" && file.startsWith("src/auth/"));
    expect(told.members.map(({ id }) => id).sort()).toEqual(files.map(({ id }) => id).sort());
    expect(added(told)).toEqual(crossing((node) => graph.nodes[node]!.file.startsWith("src/auth/")));
    expect(told.neighbours.every(({ id }) => id.startsWith("Folder:src/") && id !== "Folder:src/auth")).toBe(true);
  });

  it("that is a cluster has its symbols, and what is used from outside comes first", async () => {
    const [community] = communities;
    const told = await group(graph.nodes[community!.node]!.id);
    expect(told.total.members).toBe(community!.members.length);
    const members = new Set(community!.members);
    const first = graph.find(told.entries[0]!.id)!;
    const users = new Set<number>();
    for (const e of graph.in(first)) {
      if (!members.has(graph.from[e]!) && graph.confidence[e]! >= 0.7 && EDGE_TYPES[graph.type[e]!] === "CALLS") users.add(graph.from[e]!);
    }
    expect(told.entries[0]!.users).toBeGreaterThanOrEqual(users.size);
    expect(users.size).toBeGreaterThan(0);
    expect(told.entries.map((entry) => entry.users)).toEqual(told.entries.map((entry) => entry.users).sort((a, b) => b - a));
  });
});
