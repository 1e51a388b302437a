/**
 * The graph in an embedded graph database, for Cypher.
 *
 * A Worker of its own builds a database file and ends; the file stays here, packed. With the first query a second Worker opens
 * it for reading and answers one query at a time. A query that is late or cancelled costs that Worker its life, since
 * nothing else stops it; the next query gets a new one from the same file. So does the first one after a while without queries,
 * for an open database takes some 150 MB and more.
 */
import { startWorker } from "../../code.ts";
import type { Codebase } from "../codebase.ts";
import { ToolError, type CypherResult } from "../tools.ts";
import { WorkerClient, WorkerRefusal } from "./client.ts";
import { createTables, tableLoads } from "./csv.ts";
import type { StartWorker } from "./messages.ts";
import type { PackedFile } from "./packed-file.ts";
import { schemaHint } from "./schema.ts";

export interface Database {
  /**
   * Builds the database of a codebase, in the background; queries wait for it. Resolves when it can be queried,
   * rejects when it cannot be built. A later load takes the place of one that still runs; both then end as the later.
   */
  load(codebase: Codebase): Promise<void>;
  /**
   * Runs one read-only statement. `deadline` in milliseconds since the epoch.
   * Rejects with ToolError, or with the signal's reason when it fires.
   */
  query(query: string, maxRows: number, signal: AbortSignal, deadline: number): Promise<CypherResult>;
  /** Ends the Workers. Queries after it fail. */
  close(): void;
}

/** A query that takes longer than this on a graph that fits into a tab will not end by itself. */
export const QUERY_LIMIT_MS = 30_000;
/** Taken off the deadline, so that the reason reaches the caller before the call is given up, in milliseconds. */
const MARGIN_MS = 250;
/** A query that looks at the clock gets this much less, so that it ends by itself and the Worker lives on. */
const POLITE_SHARE = 0.9;
/** Memory that a query may use: every pair of tables in the relation takes some 2 MB of a variable-length query. */
const POOL_BYTES = 128 << 20;
const POOL_BYTES_A_PAIR = 2 << 20;

/** After this time without a query the database is closed until the next one, in milliseconds. */
const IDLE_MS = 60_000;

const CLOSED = "The graph database is closed.";

/** `start` makes a Worker; the default is cypher.worker.ts. */
export function createDatabase(start: StartWorker = () => startWorker("cypher")): Database {
  return new WorkerDatabase(start);
}

interface DatabaseFile {
  packed: PackedFile;
  poolBytes: number;
}

class WorkerDatabase implements Database {
  /** The newest load's file. */
  private file: Promise<DatabaseFile> | undefined;
  private builder: WorkerClient | undefined;
  /** Has `opened` open. */
  private reader: WorkerClient | undefined;
  private opened: DatabaseFile | undefined;
  private opening: Promise<unknown> = Promise.resolve();
  /** Ends when the queries before it have. */
  private queue: Promise<unknown> = Promise.resolve();
  /** Queries that have no answer yet. */
  private waiting = 0;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(private readonly start: StartWorker) {}

  async load(codebase: Codebase): Promise<void> {
    this.builder?.end("another codebase was loaded");
    this.file = this.build(codebase);
    await this.newest(this.file);
  }

  async query(query: string, maxRows: number, signal: AbortSignal, deadline: number): Promise<CypherResult> {
    const before = this.queue;
    let leave: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      leave = resolve;
    });
    // A caller that gives up leaves the queue, and those behind it still wait for those before it.
    this.queue = before.then(() => done);
    this.waiting++;
    clearTimeout(this.idle);
    try {
      if (this.closed) throw new ToolError(CLOSED);
      const budget = (): number => deadline - MARGIN_MS - Date.now();
      await within(before, signal, budget(), "Other queries kept the graph database busy until the time was over. Try again.", true);
      if (!this.file) throw new ToolError("The graph database is empty: no repository has been indexed yet. Ask again when indexing is done.", undefined, true);
      const file = await within(
        this.newest(this.file).catch((error: unknown) => {
          throw new ToolError(`${messageOf(error)} The other tools work without it: search, impact and explore answer most questions.`);
        }),
        signal, budget(), "The graph database is still being built. Ask again in a few seconds; the other tools answer already.", true,
      );
      return await this.run(file, query, maxRows, signal, budget());
    } finally {
      leave();
      this.waiting--;
      if (this.waiting === 0) this.idle = setTimeout(() => this.reader?.end("nobody has asked for a while"), IDLE_MS);
    }
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.idle);
    this.builder?.end("the graph database was closed");
    this.reader?.end("the graph database was closed");
  }

  private async build(codebase: Codebase): Promise<DatabaseFile> {
    const builder = new WorkerClient(this.start);
    this.builder = builder;
    try {
      const { statements, pairs } = createTables(codebase);
      await builder.ask({ type: "create", statements });
      for await (const load of tableLoads(codebase, turn)) {
        await builder.ask({ type: "load", load }, load.csv.map((chunk) => chunk.buffer));
      }
      const packed = await builder.ask({ type: "finish" }) as PackedFile;
      return { packed, poolBytes: POOL_BYTES + pairs * POOL_BYTES_A_PAIR };
    } catch (error) {
      throw new Error(`The graph database could not be built: ${messageOf(error)}`, { cause: error });
    } finally {
      builder.end("the graph database is built");
    }
  }

  /** What `file` or a later load that takes its place leads to. */
  private async newest(file: Promise<DatabaseFile>): Promise<DatabaseFile> {
    for (let current = file; ; current = this.file ?? current) {
      try {
        const built = await current;
        if (this.file === current) return built;
      } catch (error) {
        if (this.file === current || this.closed) throw error;
      }
    }
  }

  private async run(file: DatabaseFile, query: string, maxRows: number, signal: AbortSignal, budget: number): Promise<CypherResult> {
    const limit = Math.min(budget, QUERY_LIMIT_MS);
    const tooLate = `The query ran longer than ${seconds(limit)} s and was stopped. Name labels and relation types, bound the length of paths, filter early, add LIMIT.`;
    if (limit <= 0) throw new ToolError("No time was left to run the query.", undefined, true);
    const end = Date.now() + limit;
    const reader = this.readerOf(file);
    try {
      const answered = reader.opened.then(() =>
        reader.client.ask({ type: "query", query, maxRows, timeoutMs: Math.max(1, (end - Date.now()) * POLITE_SHARE) }));
      return await within(answered, signal, limit, tooLate, false) as CypherResult;
    } catch (error) {
      if (error instanceof WorkerRefusal && error.kind !== "broken") {
        if (error.kind === "timeout") throw new ToolError(tooLate);
        throw new ToolError(`The query failed: ${error.message}`, hintFor(error.message));
      }
      // Late, cancelled or broken: nobody knows what the Worker is doing.
      reader.client.end("the query was stopped");
      if (error instanceof WorkerRefusal) {
        if (this.closed) throw new ToolError(CLOSED);
        throw new ToolError(`The query broke the graph database (${error.message}); it starts again for the next one. Ask for less at once: bounded paths, smaller ranges, LIMIT.`);
      }
      throw error;
    }
  }

  private readerOf(file: DatabaseFile): { client: WorkerClient; opened: Promise<unknown> } {
    if (this.reader?.alive && this.opened === file) return { client: this.reader, opened: this.opening };
    this.reader?.end("a newer graph is open");
    const client = new WorkerClient(this.start);
    this.reader = client;
    this.opened = file;
    this.opening = client.ask({ type: "open", file: file.packed, poolBytes: file.poolBytes });
    this.opening.catch(() => undefined);
    return { client, opened: this.opening };
  }
}

/** What the database's words mean for somebody who writes queries for this graph. */
function hintFor(message: string): Record<string, unknown> | undefined {
  if (/Table .* does not exist|Cannot find property|not connected|function .* does not exist/i.test(message)) return { schema: schemaHint() };
  if (/buffer pool is full/i.test(message)) {
    return { hint: "The query needs more memory than it may have. Bound the length of paths, filter by name or id at one end, return counts instead of collecting." };
  }
  return undefined;
}

/** `promise`, or a rejection when the signal fires or the time is over. */
async function within<T>(promise: Promise<T>, signal: AbortSignal, ms: number, late: string, retryable: boolean): Promise<T> {
  signal.throwIfAborted();
  let release = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    const timer = setTimeout(() => reject(new ToolError(late, undefined, retryable)), Math.max(0, ms));
    signal.addEventListener("abort", abort, { once: true });
    release = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    release();
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(ms < 10_000 ? 1 : 0);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
