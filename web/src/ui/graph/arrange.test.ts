import { describe, expect, it, vi } from "vitest";
import { answer, fakeRepository } from "../../../test/fake-repository.ts";
import { toggledOpen, type MapAnswer } from "../../engine/view/map.ts";
import { arrange } from "./arrange.ts";
import { groupKey, mapScene, treeScene, unarranged } from "./map-scene.ts";
import { arrangerOf, Places, type Arrangement, type ArrangeWorker, type Task } from "./places.ts";
import type { Child, Disc } from "./pack.ts";
import type { Palette } from "./palette.ts";
import type { Scene } from "./scene.ts";

const palette = { kind: () => "#123456", cluster: () => "#654321" } as unknown as Palette;
const look = { palette, colourBy: "cluster", hiddenKinds: new Set<string>() } as const;

async function mapOf(nodes: number, args: object = {}, added = 0): Promise<MapAnswer> {
  return answer(fakeRepository(nodes, added), "view_map", { by: "folder", ...args }) as Promise<MapAnswer>;
}

function picture(map: MapAnswer, places = new Places(), arrangement: Arrangement = "near"): Scene {
  for (const task of unarranged(map, "folder", arrangement, places)) places.set(task, arrange(task));
  return mapScene(map, "folder", arrangement, places, look);
}

describe.each(["near", "layers"] as const)("arranged %s", (arrangement) => {
  it("everything stands in its group, and apart from what else does", async () => {
    const { nodes } = picture(await mapOf(900, { open: ["*"] }), new Places(), arrangement);
    expect(nodes.length).toBeGreaterThan(800);
    for (let parent = -1; parent < nodes.length; parent++) {
      const children = nodes.filter((node) => node.parent === parent);
      const ground = nodes[parent] ?? { x: 0, y: 0, r: 1000 };
      children.forEach((a, i) => {
        expect(Math.hypot(a.x - ground.x, a.y - ground.y) + a.r).toBeLessThanOrEqual(ground.r * 1.001);
        for (const b of children.slice(i + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan((a.r + b.r) * 0.97);
      });
    }
  });

  it("is the same for the same graph, and in what order groups are opened changes nothing", async () => {
    const whole = picture(await mapOf(900, { open: ["*"] }), new Places(), arrangement);
    expect(picture(await mapOf(900, { open: ["*"] }), new Places(), arrangement)).toEqual(whole);
    const places = new Places();
    picture(await mapOf(900, { open: [] }), places, arrangement);
    picture(await mapOf(900, { open: ["Folder:src", "Folder:src/billing"] }), places, arrangement);
    expect(picture(await mapOf(900, { open: ["*"] }), places, arrangement).nodes.map(({ id }) => id)).toEqual(whole.nodes.map(({ id }) => id));
  });
});

it("ten more nodes leave nearly everything where it is, also for who comes tomorrow", async () => {
  const before = picture(await mapOf(900, { open: ["*"] }));
  const after = new Map(picture(await mapOf(900, { open: ["*"] }, 10)).nodes.map((node) => [node.id, node]));
  expect(after.size).toBe(before.nodes.length + 10);
  const moved = before.nodes.map(({ id, x, y }) => Math.hypot(after.get(id)!.x - x, after.get(id)!.y - y)).sort((a, b) => a - b);
  // In a world that is 2,000 wide.
  expect(moved[Math.floor(moved.length / 2)]).toBeLessThan(60);
  expect(moved[Math.floor(moved.length * 0.9)]).toBeLessThan(130);
});

it("an edit leaves all places, those that were dragged too, and what is new stands in its file", async () => {
  const places = new Places();
  const before = picture(await mapOf(600, { open: ["*"] }), places);
  const some = before.nodes.find(({ shape }) => shape === "dot")!;
  places.drag(groupKey("folder", "near", before.nodes[some.parent]), some.id, 0.1, 0.2);
  const dragged = picture(await mapOf(600, { open: ["*"] }), places);
  const after = new Map(picture(await mapOf(600, { open: ["*"] }, 3), places).nodes.map((node) => [node.id, node]));
  for (const { id, x, y, r } of dragged.nodes) expect(after.get(id)).toMatchObject({ x, y, r });
  expect([...after.keys()].filter((id) => id.includes("addedLater"))).toHaveLength(3);
});

it("layers lead from the caller to what it calls", () => {
  const children: Child[] = ["c", "a", "b", "alone"].map((id) => ({ id, weight: 10 }));
  const ties = [1, 2, 5, 2, 0, 5, 0, 1, 1];
  const [c, a, b, alone] = arrange({ group: "", arrangement: "layers", children, ties, kept: children.map(() => undefined) }) as [Disc, Disc, Disc, Disc];
  expect(a.x).toBeLessThan(b.x);
  expect(b.x).toBeLessThan(c.x);
  expect(alone.y).toBeGreaterThan(Math.max(a.y, b.y, c.y));
});

it("the tree has a row for each leaf, groups beside what is in them, and everything below one root", async () => {
  const map = await mapOf(300, { open: ["*"] });
  const { nodes, edges } = treeScene(map, "shop", look);
  const at = new Map(nodes.map(({ id }, i) => [id, i]));
  const trunk = edges.filter(({ trunk }) => trunk);
  expect(trunk).toHaveLength(nodes.length - 1);
  for (const { from, to } of trunk) expect(nodes[to]!.x).toBeGreaterThan(nodes[from]!.x);
  map.nodes.forEach(({ id, parent }) => expect(trunk.some(({ from, to }) => to === at.get(id) && from === (parent < 0 ? nodes.length - 1 : at.get(map.nodes[parent]!.id)))).toBe(true));
  const leaves = nodes.filter((_, i) => !trunk.some(({ from }) => from === i)).map(({ y }) => y).sort((a, b) => a - b);
  leaves.slice(1).forEach((y, i) => expect(y - leaves[i]!).toBeGreaterThanOrEqual(24));
});

it("what a filter leaves out is not drawn, and nothing moves", async () => {
  const all = new Map(picture(await mapOf(600, { open: ["*"] })).nodes.map((node) => [node.id, node]));
  const part = picture(await mapOf(600, { open: ["*"], within: "src/billing" })).nodes;
  expect(part.length).toBeGreaterThan(10);
  expect(part.length).toBeLessThan(all.size / 2);
  for (const { id, x, y } of part) {
    expect(id).toMatch(/^Folder:src$|:src\/billing/);
    expect(all.get(id)).toMatchObject({ x, y });
  }
});

describe("a Worker that arranges", () => {
  const task: Task = { group: "g", arrangement: "near", children: [{ id: "a", weight: 1 }], ties: [], kept: [undefined] };

  it("answers each question with its own answer", async () => {
    const worker: ArrangeWorker = { postMessage: vi.fn(), onmessage: null, onerror: null };
    const ask = arrangerOf(worker);
    const [first, second] = [ask([task]), ask([task, task])];
    worker.onmessage!({ data: { id: 2, discs: [[], []] } } as unknown as MessageEvent<{ id: number; discs: Disc[][] }>);
    worker.onmessage!({ data: { id: 1, discs: [[]] } } as unknown as MessageEvent<{ id: number; discs: Disc[][] }>);
    expect([await first, await second]).toEqual([[[]], [[], []]]);
  });

  it("says so when it has died", async () => {
    const worker: ArrangeWorker = { postMessage: vi.fn(), onmessage: null, onerror: null };
    const ask = arrangerOf(worker);
    const asked = ask([task]);
    worker.onerror!({ preventDefault: vi.fn() } as unknown as ErrorEvent);
    await expect(asked).rejects.toThrow("Reload");
    await expect(ask([task])).rejects.toThrow("Reload");
  });
});

it("all groups but some are open in few words", () => {
  expect(toggledOpen(["a"], "b", true)).toEqual(["a", "b"]);
  expect(toggledOpen(["a", "b"], "a", false)).toEqual(["b"]);
  expect(toggledOpen(["*"], "a", false)).toEqual(["*", "-a"]);
  expect(toggledOpen(["*", "-a"], "a", true)).toEqual(["*"]);
});
