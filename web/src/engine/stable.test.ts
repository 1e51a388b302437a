import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { codebaseOf } from "../../test/codebase.ts";
import { dice, type Files } from "../../test/edits.ts";
import type { Codebase } from "./codebase.ts";

/** Real code in several languages: parts of this project, and the samples. */
const FOLDERS = ["web/src/bridge", "web/src/engine/tools", "web/e2e/samples", "repo", "resilience", "accuracy/python", "accuracy/score"];
const root = new URL("../../../", import.meta.url).pathname;

function filesIn(folders: readonly string[]): Files {
  const files: Files = {};
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) files[path.slice(root.length)] = readFileSync(path, "utf8");
    }
  }
  return files;
}

const files = filesIn(FOLDERS);

/** Clusters and processes, by the ids of what they hold. */
function derived({ graph, communities, processes }: Codebase): object {
  const ids = (nodes: readonly number[]): string[] => nodes.map((node) => graph.nodes[node]!.id);
  return {
    communities: communities.map(({ node, label, members, cohesion }) => ({ id: graph.nodes[node]!.id, label, cohesion, members: ids(members) })),
    processes: processes.map(({ node, label, steps, crossCommunity }) => ({ id: graph.nodes[node]!.id, label, crossCommunity, steps: ids(steps) })),
  };
}

let first: Codebase;
beforeAll(async () => {
  first = await codebaseOf(files);
});

test("clusters and processes are the same from run to run", async () => {
  expect(first.communities.length).toBeGreaterThan(5);
  expect(first.processes.length).toBeGreaterThan(10);
  expect(derived(await codebaseOf(files))).toEqual(derived(first));
});

test.each([1, 2, 3])("and in whatever order the files come (%i)", async (seed) => {
  const roll = dice(seed);
  const shuffled = Object.entries(files).map((entry) => ({ entry, at: roll(1 << 30) })).sort((a, b) => a.at - b.at).map(({ entry }) => entry);
  expect(shuffled.map(([path]) => path)).not.toEqual(Object.keys(files));
  expect(derived(await codebaseOf(Object.fromEntries(shuffled)))).toEqual(derived(first));
});

test("labels are unique, and say where or what", () => {
  for (const list of [first.communities, first.processes]) {
    const labels = list.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels.filter((label) => / \d+$/.test(label))).toEqual([]);
  }
});

test("no relation of this project's own resolvers is left out", async () => {
  const { skipped } = await codebaseOf(filesIn(["web/src/engine/languages/go", "web/src/engine/languages/typescript", "web/src/engine/languages/classes"]));
  expect(skipped.filter(({ unresolved }) => unresolved)).toEqual([]);
});
