/**
 * Runs a search in a Worker, a batch of files at a time. The Worker keeps nothing: handing texts over costs some 2 ms
 * a megabyte, and in return memory is that of a few batches, a new codebase needs no care, and a Worker that had to be
 * ended costs only its start.
 */
import type { FileStore } from "../codebase.ts";
import { ToolError } from "../tools.ts";
import { compile, scan, type ScanResult, type TextFile } from "./scan.ts";

export interface GrepRequest {
  pattern: string;
  caseSensitive: boolean;
  files: TextFile[];
  /** Matches wanted at most; the others are counted. */
  room: number;
}

export interface GrepQuery {
  pattern: string;
  caseSensitive: boolean;
  maxResults: number;
  signal: AbortSignal;
  /** Milliseconds since the epoch. */
  deadline: number;
}

/** The parts of a Worker that are used. */
export interface GrepWorker {
  postMessage(message: GrepRequest): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<ScanResult>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** A good pattern goes through 50 MB in a tenth of a second; one that needs this long for a batch never ends. */
const BATCH_LIMIT_MS = 5_000;
const BATCH_CHARS = 2 << 20;
/** Handed over before the first is done, so that the Worker never waits. */
const AHEAD = 2;

/** Searches at once: a pattern that never ends takes a processor until it is stopped. */
const AT_ONCE = 2;

/** Searches in Workers made by `start`, one search at a time in each; an idle Worker is kept. */
export class GrepRunner {
  private idle: GrepWorker | undefined;
  private running = 0;
  /** Those that wait for a search to end, the oldest first. */
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly start: () => GrepWorker) {}

  /** Rejects with ToolError when the pattern takes too long, or with the signal's reason. */
  async run(store: FileStore, query: GrepQuery): Promise<ScanResult> {
    query.signal.throwIfAborted();
    if (this.running < AT_ONCE) this.running++;
    else await this.next(query.signal);
    try {
      return await this.search(store, query);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }

  /** Waits for the place of a search that ends. */
  private next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(begin), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.waiting.push(begin);
    });
  }

  private async search(store: FileStore, query: GrepQuery): Promise<ScanResult> {
    const { signal, deadline } = query;
    signal.throwIfAborted();
    const worker = this.idle ?? this.start();
    this.idle = undefined;
    const total: ScanResult = { matches: [], total: 0, files: [] };
    const batches = batchesOf(store);
    let sent = 0;
    let done = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let abort: () => void = () => undefined;
    let finished = false;
    try {
      await new Promise<void>((resolve, reject) => {
        // The time of a batch begins when the one before it is done.
        const watch = (): void => {
          clearTimeout(timer);
          const limit = Math.max(0, Math.min(BATCH_LIMIT_MS, deadline - Date.now() - 100));
          timer = setTimeout(() => reject(tooSlow(limit)), limit);
        };
        const feed = (): void => {
          while (sent - done < AHEAD) {
            const files = batches.next();
            if (files.done) break;
            sent++;
            worker.postMessage({
              pattern: query.pattern, caseSensitive: query.caseSensitive, files: files.value,
              room: query.maxResults - total.matches.length,
            });
          }
          if (sent === done) resolve();
        };
        worker.onmessage = ({ data: result }) => {
          done++;
          // A batch that was ahead did not know what the one before it found.
          total.matches.push(...result.matches.slice(0, query.maxResults - total.matches.length));
          total.total += result.total;
          total.files.push(...result.files);
          watch();
          feed();
        };
        worker.onerror = (event) => reject(new Error(`The search Worker failed: ${event.message || "its program could not be loaded"}`));
        abort = () => reject(signal.reason as Error);
        signal.addEventListener("abort", abort, { once: true });
        watch();
        feed();
      });
      finished = true;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      worker.onmessage = worker.onerror = null;
      this.release(worker, finished);
    }
    return total;
  }

  /** One idle Worker is kept; one that still searches is ended. */
  private release(worker: GrepWorker, finished: boolean): void {
    if (finished && !this.idle) this.idle = worker;
    else worker.terminate();
  }
}

/** The same in this thread, where there are no Workers: nothing stops a pattern that takes for ever. */
export function runHere(store: FileStore, { pattern, caseSensitive, maxResults }: GrepQuery): ScanResult {
  const files = [...batchesOf(store)].flat();
  return scan(files, compile(pattern, caseSensitive), maxResults);
}

function* batchesOf(store: FileStore): Generator<TextFile[], undefined> {
  let batch: TextFile[] = [];
  let chars = 0;
  for (const path of store.paths) {
    const content = store.text(path) ?? "";
    batch.push([path, content]);
    chars += content.length;
    if (chars >= BATCH_CHARS) {
      yield batch;
      batch = [];
      chars = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

function tooSlow(ms: number): ToolError {
  return new ToolError(
    `The pattern was stopped after ${(ms / 1000).toFixed(1)} s: it backtracks too much. Avoid repetition inside repetition such as (a+)+ or (.*x)*, and several .* in one pattern; search for a fixed text and read around it.`,
  );
}
