/**
 * Times completion of symbol names while they are typed, from the agent's client through the server to the page and back:
 *   npx tsx bench/complete.ts BINARY DIR [NAMES]
 */
import { basename } from "node:path";
import { appState } from "../e2e/browser.ts";
import { kept, median, open } from "./served.ts";

const [binary, dir, names = "20"] = process.argv.slice(2);
if (!binary || !dir) throw new Error("usage: tsx bench/complete.ts BINARY DIR [NAMES]");

const { client, page, close } = await open(binary, dir);
const { nodes, edges } = (await appState(page)).loaded!;

async function typed(value: string): Promise<{ ms: number; values: string[] }> {
  const began = performance.now();
  const { completion } = await client.complete({ ref: { type: "ref/prompt", name: "plan_rename" }, argument: { name: "symbol", value } });
  return { ms: performance.now() - began, values: completion.values };
}

const first = await typed("");
console.log(`completion on ${basename(dir)}, ${nodes} nodes, ${edges} edges; the first one ${first.ms.toFixed(1)} ms`);
const chosen = first.values.filter((name) => name.length >= 6).slice(0, Number(names));

if (chosen.length === 0) throw new Error("the first one was not answered in time: the machine is busy");

/** `ways` are what a user has typed of a name, by then. */
async function time(label: string, ways: (name: string) => string[]): Promise<void> {
  const took: number[] = [];
  for (const name of chosen) {
    for (const value of ways(name)) {
      const { ms, values } = await typed(value);
      if (values.length === 0) throw new Error(`nothing for ${value}`);
      took.push(ms);
    }
  }
  print(label, took);
}

function print(label: string, took: number[]): void {
  took.sort((a, b) => a - b);
  console.log(`  ${label.padEnd(24)} ${took.length} keys: median ${median(took).toFixed(1)} ms, p95 ${took[Math.floor(took.length * 0.95)]!.toFixed(1)} ms, slowest ${took.at(-1)!.toFixed(1)} ms`);
}

const meanwhile: number[] = [];
for (let written = false; !written; written = (await kept(page)).bytes > 0) {
  for (const name of chosen.slice(0, 5)) {
    for (const value of [name.slice(0, 2), name.slice(0, 5)]) meanwhile.push((await typed(value)).ms);
  }
}
print("while the graph is kept", meanwhile);
await time("letter by letter", (name) => Array.from(name, (_, i) => name.slice(0, i + 1)));
await time("letters left out", (name) => [Array.from(name).filter((_, i) => i % 3 !== 1).join("")]);
await time("two letters swapped", (name) => [name.slice(0, 2) + name[3]! + name[2]! + name.slice(4)]);
await close();
