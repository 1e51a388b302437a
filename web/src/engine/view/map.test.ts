import { describe, expect, it } from "vitest";
import { answer, fakeRepository } from "../../../test/fake-repository.ts";
import type { MapAnswer } from "./map.ts";

const repository = fakeRepository(900);
const map = (args: Record<string, unknown>, of = repository): Promise<MapAnswer> => answer(of, "view_map", { by: "folder", ...args }) as Promise<MapAnswer>;

/** Relations in all and those that pass, added up. */
function sums({ edges }: MapAnswer): { all: number; shown: number } {
  let [all, shown] = [0, 0];
  for (let e = 0; e < edges.length; e += 6) [all, shown] = [all + edges[e + 2]!, shown + edges[e + 3]!];
  return { all, shown };
}

describe("the map", () => {
  it("begins small, whatever the size", async () => {
    for (const n of [900, 8_000, 50_000]) {
      const { nodes, total } = await map({}, n === 900 ? repository : fakeRepository(n));
      expect(nodes.length).toBeLessThan(180);
      expect(total).toBeGreaterThan(0.9 * n);
    }
  });

  it("is open as a whole when it is small", async () => {
    const { nodes } = await map({}, fakeRepository(30));
    expect(nodes.filter(({ group, open }) => group && !open)).toEqual([]);
  });

  it("reaches every node by opening groups", async () => {
    const everything = new Set(repository.codebase.graph.nodes.filter(({ kind, id }) => kind !== "Community" && kind !== "Process" && id !== "Folder:").map(({ id }) => id));
    for (const by of ["folder", "cluster"]) {
      let open: string[] = [];
      let answered = await map({ by, open });
      for (let round = 0; round < 9 && answered.nodes.some((node) => node.group && !node.open); round++) {
        open = answered.nodes.filter(({ group }) => group).map(({ id }) => id);
        answered = await map({ by, open });
      }
      const seen = new Set(answered.nodes.map(({ id }) => id));
      const symbols = [...everything].filter((id) => by === "folder" || !/^(Folder|File):/.test(id));
      expect(symbols.filter((id) => !seen.has(id))).toEqual([]);
    }
  });

  it("adds up the relations between what is seen, and opening a group takes none away", async () => {
    const folded = await map({ open: ["Folder:src"] });
    const opened = await map({ open: ["Folder:src", "Folder:src/auth"] });
    const auth = folded.nodes.findIndex(({ id }) => id === "Folder:src/auth");
    const without = ({ edges }: MapAnswer, touches: (node: number) => boolean): number => {
      let sum = 0;
      for (let e = 0; e < edges.length; e += 6) if (touches(edges[e]!) !== touches(edges[e + 1]!)) sum += edges[e + 2]!;
      return sum;
    };
    const inside = opened.nodes.findIndex(({ id }) => id === "Folder:src/auth");
    expect(without(folded, (node) => node === auth)).toBeGreaterThan(10);
    expect(without(opened, (node) => node === inside || opened.nodes[node]!.parent === inside)).toBe(without(folded, (node) => node === auth));
  });

  it("filters what is shown, and not what the layout goes by", async () => {
    const all = sums(await map({}));
    const sure = sums(await map({ minConfidence: 0.7 }));
    const calls = sums(await map({ hiddenTypes: ["IMPORTS"], tests: false }));
    expect([sure.all, calls.all]).toEqual([all.all, all.all]);
    expect(sure.shown).toBeLessThan(all.shown);
    expect(calls.shown).toBeLessThan(all.shown);
  });

  it("leaves out what is not in a folder or not changed, and says so of each node", async () => {
    const all = await map({ open: ["*"] });
    const part = await map({ open: ["*"], within: "src/billing" });
    expect(part.nodes.map(({ id }) => id)).toEqual(all.nodes.map(({ id }) => id));
    for (const { id, file, out } of part.nodes) expect(out, id).toBe(id !== "Folder:src" && file !== "src/billing" && !file.startsWith("src/billing/"));
    expect(sums(part).shown).toBeLessThan(sums(all).shown);
    const edited = await map({ open: ["*"], changed: true }, fakeRepository(900, 2));
    const kept = edited.nodes.filter(({ out }) => !out);
    expect(kept.filter(({ id }) => id.includes("addedLater"))).toHaveLength(2);
    expect(new Set(kept.filter(({ kind }) => kind === "File").map(({ file }) => file)).size).toBe(1);
    expect((await map({ open: ["*"], changed: true })).nodes.every(({ out }) => out)).toBe(true);
  });

  it("opens all groups, and all but some", async () => {
    const all = await map({ open: ["*"] });
    expect(all.nodes.filter(({ group, open }) => group && !open)).toEqual([]);
    expect(all.open).toEqual(["*"]);
    const but = await map({ open: ["*", "-Folder:src/auth"] });
    expect(but.nodes.filter(({ group, open }) => group && !open).map(({ id }) => id)).toEqual(["Folder:src/auth"]);
    const inside = all.nodes.find(({ file, kind }) => kind === "File" && file.startsWith("src/auth/"))!;
    expect((await map({ open: but.open, reveal: [inside.id] })).open).toEqual(["*"]);
  });

  it("finds marked nodes in closed groups, and opens the groups of what is revealed", async () => {
    const { id, file } = repository.codebase.graph.nodes.find(({ kind, file }) => kind === "Method" && file.startsWith("src/billing/"))!;
    const marked = await map({ open: ["Folder:src"], mark: [id, "no such"] });
    expect(marked.marks.map((at) => marked.nodes[at]?.id)).toEqual(["Folder:src/billing", undefined]);
    expect(marked.revealed).toBe(false);
    const revealed = await map({ open: ["Folder:src"], reveal: [id], mark: [id] });
    expect(revealed.revealed).toBe(true);
    expect(revealed.nodes[revealed.marks[0]!]!.id).toBe(id);
    expect(revealed.open).toContain(`File:${file}`);
  });
});
