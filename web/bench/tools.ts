/**
 * Times the tools on a graph of 20,000 functions and 80,000 calls, to the JSON of their answers, in this process:
 *   npx tsx bench/tools.ts
 *
 * The functions stand in 25 layers. Each calls three of the layer below and one of its own, so that a path of 20 calls
 * is one among billions.
 */
import { prepareSearch } from "../src/engine/search.ts";
import { Turns } from "../src/engine/turns.ts";
import { codebaseOf } from "../test/codebase.ts";
import { call } from "../test/tools.ts";

const LAYERS = 25;
const WIDTH = 800;
const IN_A_FILE = 50;
const ROUNDS = 200;

/** Numbers below `below` without a pattern, the same in each run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const nameOf = (layer: number, i: number): string => `step${layer}x${i}`;
const fileOf = (layer: number, i: number): string => `layer${layer}/part${Math.floor(i / IN_A_FILE)}`;

function sources(): Record<string, string> {
  const pick = random(1);
  // The first so that every function is called.
  const below = (i: number): number[] => [(i * 7) % WIDTH, pick(WIDTH), pick(WIDTH)];
  const repo: Record<string, string> = {};
  for (let layer = 0; layer < LAYERS; layer++) {
    for (let part = 0; part < WIDTH; part += IN_A_FILE) {
      const imports = new Map<string, Set<string>>();
      const bodies: string[] = [];
      for (let i = part; i < part + IN_A_FILE; i++) {
        const called = [[layer, pick(WIDTH)], ...(layer + 1 < LAYERS ? below(i) : []).map((j) => [layer + 1, j])] as [number, number][];
        for (const [l, j] of called) {
          const from = fileOf(l, j);
          if (from !== fileOf(layer, i)) imports.set(from, (imports.get(from) ?? new Set<string>()).add(nameOf(l, j)));
        }
        bodies.push(`export function ${nameOf(layer, i)}(input) {\n${called.map(([l, j]) => `  ${nameOf(l, j)}(input);`).join("\n")}\n}`);
      }
      const heads = [...imports].map(([from, names]) => `import { ${[...names].join(", ")} } from "../${from}";`);
      repo[`${fileOf(layer, part)}.ts`] = `${[...heads, ...bodies].join("\n")}\n`;
    }
  }
  return repo;
}

const codebase = await codebaseOf(sources());
await prepareSearch(codebase, new Turns());
console.log(`tools on ${codebase.graph.nodes.length} nodes, ${codebase.graph.edgeCount} edges; ${ROUNDS} calls each, every one with other arguments`);

/** A bench of wrong answers would be worth nothing: `check` looks at each. */
async function time(
  label: string, name: string, args: (pick: (below: number) => number) => Record<string, unknown>,
  check = (answer: Record<string, unknown>): boolean => Object.keys(answer).length > 0,
): Promise<void> {
  const pick = random(7);
  const took: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const given = args(pick);
    const started = performance.now();
    const answer = await call(name, given, { codebase });
    took.push(performance.now() - started);
    if (!check(answer)) throw new Error(`${label}: ${JSON.stringify(given)} was answered by ${JSON.stringify(answer).slice(0, 500)}`);
  }
  took.sort((a, b) => a - b);
  const at = (share: number): string => took[Math.min(took.length - 1, Math.floor(took.length * share))]!.toFixed(2);
  console.log(`  ${label.padEnd(34)} median ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${at(1)} ms`);
}

const path = (from: number, to: number) => (pick: (below: number) => number) => ({ from: nameOf(from, pick(WIDTH)), to: nameOf(to, pick(WIDTH)), maxSteps: 20 });
const one = (layer: number) => (pick: (below: number) => number) => ({ name: nameOf(layer, pick(WIDTH)) });
await time("trace_flow, a path of 20 calls", "trace_flow", path(2, 22), ({ steps }) => steps === 20);
await time("trace_flow, no path either way", "trace_flow", path(0, 24), ({ found }) => found === false);
const upstream = (maxDepth: number) => (pick: (below: number) => number) => (
  { target: nameOf(20, pick(WIDTH)), direction: "upstream", maxDepth, includeTests: false, minConfidence: 0.7 }
);
await time("impact, 3 calls upstream", "impact", upstream(3), ({ risk }) => risk !== undefined);
await time("impact, 10 calls upstream", "impact", upstream(10), ({ risk }) => risk !== undefined);
await time("context", "context", () => ({}));
await time("search", "search", (pick) => ({ query: `step ${pick(LAYERS)} x ${pick(WIDTH)}`, limit: 10, groupByProcess: true }));
await time("explore", "explore", (pick) => ({ ...one(12)(pick), type: "symbol" }));
await time("deep_dive", "deep_dive", one(12));
await time("find_similar", "find_similar", (pick) => ({ ...one(12)(pick), limit: 5 }));
await time("overview", "overview", () => ({ showProcesses: true, showClusters: true, limit: 20 }));
