import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ParseBatch, ParserReport } from "./parser-messages.ts";
import { ParserPool, poolSize, type ParserWorker } from "./parsers.ts";
import type { ParseResult } from "./pipeline.ts";

/** What a fake Worker does with a file; "hang" says nothing any more, "die" is an error event, "break" a broken memory. */
type Behaviour = "parse" | "skip" | "hang" | "die" | "break";

class FakeWorker implements ParserWorker {
  onmessage: ((event: MessageEvent<ParserReport>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  terminated = false;
  readonly batches: ParseBatch[] = [];
  private last = Promise.resolve();
  private stopped = false;

  constructor(private readonly behaviour: (path: string) => Behaviour, private readonly ms: number) {
    setTimeout(() => this.say({ type: "ready" }), 0);
  }

  postMessage(batch: ParseBatch): void {
    this.batches.push(batch);
    this.last = this.last.then(async () => {
      for (const { id, path } of batch.files) {
        await new Promise((resolve) => setTimeout(resolve, this.ms));
        if (this.stopped || this.terminated) return;
        this.act(id, path);
      }
    });
  }

  terminate(): void {
    this.terminated = true;
  }

  private act(id: number, path: string): void {
    const what = this.behaviour(path);
    if (what === "parse") this.say({ type: "parsed", id, facts: { symbols: [], data: path, syntaxErrors: 0 } });
    else if (what === "skip") this.say({ type: "skipped", id, reason: "no grammar", broken: false });
    else this.stopped = true;
    if (what === "break") this.say({ type: "skipped", id, reason: "out of bounds", broken: true });
    if (what === "die") this.onerror?.({ message: "out of memory", preventDefault: () => undefined } as ErrorEvent);
  }

  private say(report: ParserReport): void {
    this.onmessage?.({ data: report } as MessageEvent<ParserReport>);
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function poolOf(size: number, behaviour: (path: string) => Behaviour, ms = 1, warm = 0): { pool: ParserPool; workers: FakeWorker[] } {
  const workers: FakeWorker[] = [];
  const spawn = (): FakeWorker => {
    const worker = new FakeWorker(behaviour, ms);
    workers.push(worker);
    return worker;
  };
  const pool = new ParserPool({ size, spawn, warm, limit: 1_000 });
  if (warm > 0) pool.warm();
  return { pool, workers };
}

async function parseAll(pool: ParserPool, paths: readonly string[]): Promise<Record<string, string>> {
  const results = Promise.all(paths.map(async (path): Promise<[string, ParseResult]> => [path, await pool.parse(path, "text")]));
  await vi.runAllTimersAsync();
  return Object.fromEntries((await results).map(([path, result]) => [path, "facts" in result ? result.facts.data as string : result.reason]));
}

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `f${i}`);
const identity = (paths: readonly string[]): Record<string, string> => Object.fromEntries(paths.map((path) => [path, path]));

test("what a file is to be read with goes along", async () => {
  const { pool, workers } = poolOf(1, () => "parse");
  void pool.parse("a", "", ["given"]);
  void pool.parse("b", "");
  await vi.runAllTimersAsync();
  expect(workers[0]!.batches.flatMap(({ files }) => files)).toEqual([{ id: 0, path: "a", text: "", context: ["given"] }, { id: 1, path: "b", text: "" }]);
});

test("every file gets its own facts, and the work is shared", async () => {
  const { pool, workers } = poolOf(3, () => "parse");
  expect(await parseAll(pool, names(200))).toEqual(identity(names(200)));
  expect(workers).toHaveLength(3);
  for (const { batches } of workers) expect(batches.flatMap(({ files }) => files).length).toBeGreaterThan(40);
});

test("one file starts one Worker", async () => {
  const { pool, workers } = poolOf(8, () => "parse");
  await parseAll(pool, ["a"]);
  expect(workers).toHaveLength(1);
});

test("Workers that are started ahead take the first files", async () => {
  const { pool, workers } = poolOf(8, () => "parse", 1, 2);
  expect(workers).toHaveLength(2);
  expect(await parseAll(pool, names(20))).toEqual(identity(names(20)));
  expect(workers).toHaveLength(2);
  expect(poolOf(1, () => "parse", 1, 2).workers).toHaveLength(1);
});

test("Workers that die before the first file are replaced when it comes", async () => {
  const { pool, workers } = poolOf(2, () => "parse", 1, 2);
  for (const worker of workers) worker.onerror?.({ message: "404", preventDefault: () => undefined } as ErrorEvent);
  expect(workers.map(({ terminated }) => terminated)).toEqual([true, true]);
  expect(await parseAll(pool, ["a"])).toEqual({ a: "a" });
  expect(workers).toHaveLength(3);
});

test("no Worker is given more than it soon needs", async () => {
  const { pool, workers } = poolOf(2, () => "hang");
  for (let i = 0; i < 5_000; i++) void pool.parse(`f${i}`, "x".repeat(1_000)).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(100);
  for (const { batches } of workers) expect(batches.flatMap(({ files }) => files).length).toBeLessThanOrEqual(32);
  pool.close();
});

test("large files go one by one, so that no Worker sits on all of them", async () => {
  const { pool, workers } = poolOf(2, () => "hang");
  for (let i = 0; i < 20; i++) void pool.parse(`f${i}`, "x".repeat(1 << 20)).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(100);
  expect(workers.map(({ batches }) => batches.flatMap(({ files }) => files).length)).toEqual([1, 1]);
  pool.close();
});

test("a file that hangs is skipped by name, and those behind it are parsed by a new Worker", async () => {
  const { pool, workers } = poolOf(1, (path) => (path === "f3" ? "hang" : "parse"));
  expect(await parseAll(pool, names(50))).toEqual({ ...identity(names(50)), f3: "cannot be parsed: it takes longer than 1 s" });
  expect(workers.map(({ terminated }) => terminated)).toEqual([true, false]);
});

test("a file that kills its Worker is skipped by name, and nothing else is", async () => {
  const bad = new Set(["f0", "f7", "f8", "f49"]);
  const { pool } = poolOf(2, (path) => (bad.has(path) ? "die" : "parse"));
  const expected = identity(names(50));
  for (const path of bad) expected[path] = "cannot be parsed: out of memory";
  expect(await parseAll(pool, names(50))).toEqual(expected);
});

test("a Worker with broken memory gets no further file", async () => {
  const { pool, workers } = poolOf(1, (path) => (path === "f1" ? "break" : path === "f2" ? "skip" : "parse"));
  expect(await parseAll(pool, names(5))).toEqual({ ...identity(names(5)), f1: "out of bounds", f2: "no grammar" });
  expect(workers).toHaveLength(2);
});

test("slow files are no hanging ones: the time counts from the last sign of life", async () => {
  const { pool, workers } = poolOf(1, () => "parse", 900);
  expect(await parseAll(pool, names(40))).toEqual(identity(names(40)));
  expect(workers).toHaveLength(1);
});

test("an idle Worker is left alone", async () => {
  const { pool, workers } = poolOf(1, () => "parse");
  await parseAll(pool, ["a"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await parseAll(pool, ["b"])).toEqual({ b: "b" });
  expect(workers).toHaveLength(1);
});

test("Workers that cannot start are an error, not a row of skipped files", async () => {
  let spawned = 0;
  const spawn = (): ParserWorker => {
    spawned++;
    const worker: ParserWorker = { postMessage: () => undefined, terminate: () => undefined, onmessage: null, onerror: null };
    setTimeout(() => worker.onerror?.({ message: "404", preventDefault: () => undefined } as ErrorEvent), 1);
    return worker;
  };
  const pool = new ParserPool({ size: 2, spawn });
  const results = Promise.allSettled(names(100).map((path) => pool.parse(path, "")));
  await vi.runAllTimersAsync();
  const outcomes = (await results).map((r) => (r.status === "rejected" ? String(r.reason) : "parsed"));
  expect(new Set(outcomes)).toEqual(new Set(["Error: The parsers cannot be started: 404"]));
  expect(spawned).toBeLessThan(6);
  await expect(pool.parse("later", "")).rejects.toThrow("404");
});

test("after close the open files reject, and all Workers are ended", async () => {
  const { pool, workers } = poolOf(2, () => "hang");
  const results = Promise.allSettled(names(100).map((path) => pool.parse(path, "")));
  pool.close();
  expect((await results).every(({ status }) => status === "rejected")).toBe(true);
  expect(workers.every(({ terminated }) => terminated)).toBe(true);
  expect(vi.getTimerCount()).toBeLessThanOrEqual(workers.length * 2);
});

test("the pool has the size of the machine, within bounds", () => {
  expect([1, 2, 4, 9, 64].map(poolSize)).toEqual([1, 2, 4, 8, 8]);
});
