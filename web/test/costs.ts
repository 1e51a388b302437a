/**
 * What a composite tool costs an agent, and what the single tools cost that it replaces, in calls and in bytes of
 * answers, on this engine's own sources:
 *   npx tsx test/costs.ts
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Codebase } from "../src/engine/codebase.ts";
import { findClusters } from "../src/engine/find-clusters.ts";
import { openWorkspace } from "../src/engine/pipeline.ts";
import { indexOf } from "../src/engine/tools/codebase-index.ts";
import { parseHere, repositoryOf } from "./codebase.ts";
import { call } from "./tools.ts";

export interface Cost {
  tool: string;
  /** What an agent would call without it. */
  instead: string;
  /** Questions asked of it. */
  questions: number;
  /** Of all questions together. */
  composite: Spent;
  singles: Spent;
}

interface Spent {
  calls: number;
  bytes: number;
}

type Question = [tool: string, args: Record<string, unknown>];

/** Questions of each tool. */
const SAMPLE = 12;

/** The engine without its languages. */
function sources(): Record<string, string> {
  const root = fileURLToPath(new URL("../src/engine", import.meta.url));
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts") && !path.startsWith("languages")).sort();
  return Object.fromEntries(paths.map((path) => [`engine/${path}`, readFileSync(join(root, path), "utf8")]));
}

/** Some of them, spread evenly. */
function sample<T>(all: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(all.length / SAMPLE));
  return all.filter((_, i) => i % step === 0).slice(0, SAMPLE);
}

export async function costs(): Promise<Cost[]> {
  const repo = sources();
  const workspace = await openWorkspace({ repository: { ...repositoryOf(repo, "engine"), origin: { id: "engine", versions: {}, removed: [] } }, parse: parseHere, findClusters });
  const codebase = workspace.codebase!;
  const { graph } = codebase;
  const { connections } = indexOf(codebase);
  const code = [...graph.nodes.keys()].filter((i) => !graph.nodes[i]!.test);
  const functions = sample(code.filter((i) => /^(?:Function|Method)$/.test(graph.nodes[i]!.kind) && connections[i]! >= 4));
  const files = sample(code.filter((i) => graph.nodes[i]!.kind === "File" && graph.out(i, "DEFINES").length >= 4));
  const flows = sample(codebase.processes.filter(({ steps }) => steps.length > 3));
  const id = (node: number): string => graph.nodes[node]!.id;
  const read = (node: number, to = graph.nodes[node]!.endLine): Question =>
    ["read", { filePath: graph.nodes[node]!.file, startLine: Math.max(1, graph.nodes[node]!.startLine), endLine: to }];
  const explore = (node: number): Question => ["explore", { name: id(node), type: "symbol" }];
  const impact = (node: number, maxDepth: number, includeTests = false): Question => ["impact", { target: id(node), direction: "upstream", maxDepth, includeTests }];

  const found: Cost[] = [
    await compare(codebase, "deep_dive", "explore, impact and read of the symbol", functions.map((node) => ({
      question: ["deep_dive", { name: id(node) }], singles: () => [explore(node), impact(node, 2), read(node)],
    }))),
    await compare(codebase, "review_file", "explore, impact and read of the file", files.map((node) => ({
      question: ["review_file", { filePath: graph.nodes[node]!.file }],
      singles: ({ shownTo }) => [explore(node), impact(node, 1, true), read(node, shownTo as number | undefined)],
    }))),
    await compare(codebase, "trace_flow", "explore and read of each step", flows.map(({ steps }) => ({
      question: ["trace_flow", { from: id(steps[0]!), to: id(steps.at(-1)!), maxSteps: 20 }],
      singles: ({ path }) => (path as { id: string }[]).map((step) => graph.find(step.id)!).flatMap((node, i, all) => (i + 1 < all.length ? [explore(node), read(node)] : [read(node)])),
    }))),
    await compare(codebase, "find_similar", "explore of the symbol, of what it calls and of what is alike", functions.map((node) => ({
      question: ["find_similar", { name: id(node) }],
      singles: ({ similar }) => [node, ...graph.out(node, "CALLS").map((e) => graph.to[e]!).slice(0, 5), ...(similar as { id: string }[]).map((one) => graph.find(one.id)!)].map(explore),
    }))),
    await compare(codebase, "test_impact", "impact of each of three files", files.map((_, i) => {
      const changed = [0, 1, 2].map((n) => files[(i + n) % files.length]!);
      return { question: ["test_impact", { changedFiles: changed.map((node) => graph.nodes[node]!.file) }], singles: () => changed.map((node) => impact(node, 2, true)) };
    })),
  ];
  // One line in each of three files.
  const edited = files.slice(0, 3).map((node) => graph.nodes[node]!.file);
  await workspace.update({
    files: edited.map((path) => ({ path, text: repo[path]!.replace(/^ {2}return /m, "  void 0;\n  return "), bytes: repo[path]!.length })), removed: [],
  }, parseHere);
  found.push(await compare(workspace.codebase!, "diff", "read of each of three files", [{
    question: ["diff", { includeContent: true }], singles: () => edited.map((filePath): Question => ["read", { filePath }]),
  }]));
  return found;
}

interface Asked {
  question: Question;
  /** What asks the same without it, where the answer says what that is. */
  singles: (answer: Record<string, unknown>) => Question[];
}

async function compare(codebase: Codebase, tool: string, instead: string, asked: readonly Asked[]): Promise<Cost> {
  const composite = { calls: 0, bytes: 0 };
  const singles = { calls: 0, bytes: 0 };
  const ask = async ([name, args]: Question, spent: Spent): Promise<Record<string, unknown>> => {
    const answer = await call(name, args, { codebase });
    spent.calls++;
    spent.bytes += Buffer.byteLength(JSON.stringify(answer));
    return answer;
  };
  for (const { question, singles: others } of asked) {
    for (const other of others(await ask(question, composite))) await ask(other, singles);
  }
  return { tool, instead, questions: asked.length, composite, singles };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log("| one call of | bytes | instead of | calls | bytes |\n| --- | --- | --- | --- | --- |");
  for (const { tool, instead, questions, composite, singles } of await costs()) {
    const each = (n: number): string => Math.round(n / questions).toLocaleString("en");
    console.log(`| \`${tool}\` | ${each(composite.bytes)} | ${instead} | ${Math.round((10 * singles.calls) / questions) / 10} | ${each(singles.bytes)} |`);
  }
}
