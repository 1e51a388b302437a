import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FileStore } from "../codebase.ts";
import { GrepRunner, runHere, type GrepQuery, type GrepRequest, type GrepWorker } from "./runner.ts";
import { compile, scan, type ScanResult } from "./scan.ts";

/** Answers like the real one when told to. */
class FakeWorker implements GrepWorker {
  onmessage: GrepWorker["onmessage"] = null;
  onerror: GrepWorker["onerror"] = null;
  readonly requests: GrepRequest[] = [];
  terminated = false;

  constructor(private readonly stuck = false) {}

  postMessage(request: GrepRequest): void {
    this.requests.push(request);
    if (this.stuck) return;
    queueMicrotask(() => {
      const { files, pattern, caseSensitive, room } = request;
      this.onmessage?.({ data: scan(files, compile(pattern, caseSensitive), room) } as MessageEvent<ScanResult>);
    });
  }

  terminate(): void {
    this.terminated = true;
  }
}

function store(files: Record<string, string>): FileStore {
  return { paths: Object.keys(files), text: (path) => files[path] };
}

const BIG = "needle\n".padEnd(1 << 20, "hay ");
const FILES = store(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, BIG])));

function query(changes: Partial<GrepQuery> = {}): GrepQuery {
  return { pattern: "needle", caseSensitive: true, maxResults: 50, signal: new AbortController().signal, deadline: Date.now() + 60_000, ...changes };
}

describe("a search in a Worker", () => {
  it("hands over batches and adds up what comes back, in order", async () => {
    const worker = new FakeWorker();
    const result = await new GrepRunner(() => worker).run(FILES, query());
    expect(result.matches.map(({ file, line }) => `${file}:${line}`)).toEqual(FILES.paths.map((path) => `${path}:1`));
    expect(result).toMatchObject({ total: 9, files: FILES.paths.map((path) => [path, 1]) });
    expect(worker.requests.map(({ files }) => files.length)).toEqual([2, 2, 2, 2, 1]);
    expect(result).toEqual(runHere(FILES, query()));
  });

  it("keeps to the limit over several batches, and counts the rest", async () => {
    const result = await new GrepRunner(() => new FakeWorker()).run(FILES, query({ maxResults: 3 }));
    expect(result.matches.map(({ file }) => file)).toEqual(["f0", "f1", "f2"]);
    expect(result.total).toBe(9);
  });

  it("has an answer for no files", async () => {
    expect(await new GrepRunner(() => new FakeWorker()).run(store({}), query())).toEqual({ matches: [], total: 0, files: [] });
  });

  it("uses an idle Worker again, and another for a second search at the same time", async () => {
    const workers: FakeWorker[] = [];
    const runner = new GrepRunner(() => {
      workers.push(new FakeWorker());
      return workers.at(-1)!;
    });
    await runner.run(FILES, query());
    await runner.run(FILES, query());
    expect(workers.length).toBe(1);
    await Promise.all([runner.run(FILES, query()), runner.run(FILES, query())]);
    expect(workers.map(({ terminated }) => terminated).sort()).toEqual([false, true]);
  });

  it("fails when the Worker does, and ends it", async () => {
    const worker = new FakeWorker(true);
    const running = new GrepRunner(() => worker).run(FILES, query());
    worker.onerror?.({ message: "out of memory" } as ErrorEvent);
    await expect(running).rejects.toThrow("The search Worker failed: out of memory");
    expect(worker.terminated).toBe(true);
  });
});

describe("a search that does not end", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is stopped after 5 s a batch with words that help, and the next search works", async () => {
    const workers = [new FakeWorker(true), new FakeWorker()];
    let started = 0;
    const runner = new GrepRunner(() => workers[started++]!);
    const running = runner.run(FILES, query()).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(workers[0]!.terminated).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await running).toMatchObject({ name: "ToolError", message: expect.stringContaining("The pattern was stopped after 5.0 s") as string });
    expect(workers[0]!.terminated).toBe(true);
    expect((await runner.run(FILES, query())).total).toBe(9);
    expect(started).toBe(2);
  });

  it("leaves room for one other, and those behind it wait their turn", async () => {
    const workers: FakeWorker[] = [];
    const runner = new GrepRunner(() => {
      workers.push(new FakeWorker(workers.length < 2));
      return workers.at(-1)!;
    });
    const stuck = [runner.run(FILES, query()), runner.run(FILES, query())].map((running) => running.catch(() => "stopped"));
    const cancel = new AbortController();
    const cancelled = runner.run(FILES, query({ signal: cancel.signal }));
    const third = runner.run(FILES, query());
    const fourth = runner.run(FILES, query());
    await vi.advanceTimersByTimeAsync(1_000);
    cancel.abort(new Error("cancelled"));
    await expect(cancelled).rejects.toThrow("cancelled");
    expect(workers.length).toBe(2);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(await Promise.all(stuck)).toEqual(["stopped", "stopped"]);
    expect((await third).total).toBe(9);
    expect((await fourth).total).toBe(9);
    expect((await runner.run(FILES, query())).total).toBe(9);
  });

  it("is stopped in time for the deadline", async () => {
    const worker = new FakeWorker(true);
    const running = new GrepRunner(() => worker).run(FILES, query({ deadline: Date.now() + 1_100 })).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await running).toMatchObject({ message: expect.stringContaining("after 1.0 s") as string });
  });

  it("is stopped when the call is cancelled", async () => {
    const worker = new FakeWorker(true);
    const cancel = new AbortController();
    const running = new GrepRunner(() => worker).run(FILES, query({ signal: cancel.signal }));
    cancel.abort(new Error("cancelled"));
    await expect(running).rejects.toThrow("cancelled");
    expect(worker.terminated).toBe(true);
  });
});
