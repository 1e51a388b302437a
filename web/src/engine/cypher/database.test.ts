/** The real graph database, in this thread; then what is done about Workers that are late or broken. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { handmade } from "../../../test/graphs.ts";
import { InThreadWorker } from "../../../test/kuzu.ts";
import { codebaseOf } from "../../../test/codebase.ts";
import { call, shopCodebase } from "../../../test/tools.ts";
import type { Codebase } from "../codebase.ts";
import { Graph } from "../graph.ts";
import type { CypherResult, ToolError } from "../tools.ts";
import { createDatabase, QUERY_LIMIT_MS, type Database } from "./database.ts";
import type { CypherWorker, WorkerReply, WorkerRequest } from "./messages.ts";
import type { PackedFile } from "./packed-file.ts";
import { EXAMPLE_QUERIES } from "./schema.ts";

const never = new AbortController().signal;

function ask(database: Database, query: string, { maxRows = 100, signal = never, deadline = Date.now() + 60_000 } = {}): Promise<CypherResult> {
  return database.query(query, maxRows, signal, deadline);
}

async function errorOf(promise: Promise<unknown>): Promise<ToolError> {
  const error = await promise.then(() => undefined, (e: unknown) => e);
  expect(error).toMatchObject({ name: "ToolError" });
  return error as ToolError;
}

describe("the shop in the real database", () => {
  const database = createDatabase(() => new InThreadWorker());
  beforeAll(async () => database.load(await shopCodebase()));
  afterAll(() => database.close());

  it("has every node and edge", async () => {
    const { graph } = await shopCodebase();
    expect((await ask(database, "MATCH (n) RETURN count(n)")).rows).toEqual([[graph.nodes.length]]);
    expect((await ask(database, "MATCH ()-[r:CodeRelation]->() RETURN count(r)")).rows).toEqual([[graph.edgeCount]]);
  });

  it("answers with columns and plain rows", async () => {
    expect(await ask(database, "MATCH (a)-[r:CodeRelation {type: 'CALLS'}]->(f:Function {name: 'priceOf'}) RETURN a.id, label(a) AS kind, r.line, r.confidence, r.step, a.owner")).toEqual({
      columns: ["a.id", "kind", "r.line", "r.confidence", "r.step", "a.owner"],
      rows: [["Function:src/checkout/checkout.ts:placeOrder", "Function", 5, 1, null, null]],
      totalRows: 1,
    });
    const { rows } = await ask(database, "MATCH (a:Class {name: 'LoggingStore'})-[r:CodeRelation {type: 'EXTENDS'}]->(b) RETURN a, r, b.name");
    expect(rows).toEqual([[
      {
        label: "Class", id: "Class:src/store/store.ts:LoggingStore", name: "LoggingStore", filePath: "src/store/store.ts", line: 18, startLine: 18,
        endLine: 23, exported: true, signature: "class LoggingStore extends MemoryStore", language: "typescript", test: false, generated: false,
        entry: expect.anything() as unknown,
      },
      { label: "CodeRelation", type: "EXTENDS", confidence: 1, line: 18 },
      "MemoryStore",
    ]].map(([a, ...rest]) => [expect.objectContaining(withoutEntry(a as object)) as unknown, ...rest]));
    expect(() => JSON.stringify(rows)).not.toThrow();
  });

  it("knows processes with their steps, communities with their figures, and paths", async () => {
    const { rows } = await ask(database, "MATCH (s)-[r:CodeRelation {type: 'STEP_IN_PROCESS'}]->(p:Process {name: 'main → roundUp'}) RETURN s.name, r.step, r.line, p.stepCount, p.crossCommunity ORDER BY r.step");
    expect(rows).toEqual(["main", "checkOut", "placeOrder", "priceOf", "roundUp"].map((name, i) => [name, i + 1, null, 5, true]));
    const { communities } = await shopCodebase();
    expect((await ask(database, "MATCH (c:Community) RETURN c.name, c.symbolCount ORDER BY c.id")).rows).toEqual(communities.map(({ label, members }) => [label, members.length]));
    expect((await ask(database, "MATCH (a:Function {name: 'main'})-[r:CodeRelation*1..3 (r, n | WHERE r.type = 'CALLS')]->(b:Function) RETURN DISTINCT b.name ORDER BY b.name")).rows)
      .toEqual([["checkOut"], ["log"], ["placeOrder"], ["priceOf"]]);
  });

  it.each(EXAMPLE_QUERIES)("runs the example: $about", async ({ query }) => {
    expect((await ask(database, query)).rows.length).toBeGreaterThan(0);
  });

  it("finds nothing, and no error, between tables that nothing joins", async () => {
    expect((await ask(database, "MATCH (a:Struct)-[:CodeRelation]->(b:Folder) RETURN a.name")).rows).toEqual([]);
  });

  it("reads no more rows than wanted, and says how many there are", async () => {
    const { graph } = await shopCodebase();
    const { rows, totalRows } = await ask(database, "MATCH (n) RETURN n.id", { maxRows: 3 });
    expect([rows.length, totalRows]).toEqual([3, graph.nodes.length]);
    expect((await ask(database, "UNWIND range(1, 300000) AS x RETURN x", { maxRows: 2 })).totalRows).toBe(300_000);
  });

  it("stops reading when the answer gets too large, and refuses a single row that is", async () => {
    const wide = await ask(database, "UNWIND range(1, 100) AS x RETURN repeat('y', 100000)", { maxRows: 1000 });
    expect(wide.rows.length).toBe(42);
    expect(wide.totalRows).toBe(100);
    expect((await errorOf(ask(database, "RETURN repeat('y', 17000000)"))).message).toContain("One row of the answer has 17 MB.");
  });

  it("is for reading only", async () => {
    for (const query of ["CREATE (:Function {id: 'x'})", "MATCH (n:Function) SET n.name = 'x'", "MATCH (n:Function) DETACH DELETE n", "DROP TABLE CodeRelation"]) {
      expect((await errorOf(ask(database, query))).message).toMatch(/read-only/i);
    }
    expect((await ask(database, "MATCH (n:Function {name: 'priceOf'}) RETURN n.name")).rows).toEqual([["priceOf"]]);
  });

  it("takes one statement at a time", async () => {
    expect((await errorOf(ask(database, "RETURN 1; RETURN 2"))).message).toContain("The query failed: ");
  });

  it("passes its words on, with the schema when a name is wrong", async () => {
    const table = await errorOf(ask(database, "MATCH (n:Foo) RETURN n"));
    expect(table.message).toBe("The query failed: Binder exception: Table Foo does not exist.");
    expect(table.details?.schema).toContain("Node tables: File, Folder, Function");
    const property = await errorOf(ask(database, "MATCH (n:Function) RETURN n.file"));
    expect(property.message).toContain("Cannot find property file for n.");
    expect(property.details?.schema).toContain("filePath");
    const syntax = await errorOf(ask(database, "MATCH (n RETURN n"));
    expect(syntax.message).toContain("Parser exception");
    expect(syntax.details).toBeUndefined();
  });

  it("answers the tool", async () => {
    const answer = await call("cypher", { query: "MATCH (c:Class) RETURN c.name ORDER BY c.name" }, { cypher: (query, maxRows) => ask(database, query, { maxRows }) });
    expect(answer).toEqual({ columns: ["c.name"], rows: [["LoggingStore"], ["MemoryStore"], ["Report"]], totalRows: 3 });
  });

  it("stays usable through many queries", async () => {
    for (let i = 0; i < 1200; i++) await ask(database, "RETURN 1");
    for (let i = 0; i < 50; i++) await errorOf(ask(database, "MATCH (n:Nope) RETURN n"));
    expect((await ask(database, "MATCH (n:Class) RETURN count(n)")).rows).toEqual([[3]]);
  });
});

/** Entries depend on what a language says of a class; not of interest here. */
function withoutEntry(node: object): object {
  return Object.fromEntries(Object.entries(node).filter(([key]) => key !== "entry"));
}

describe("a database of difficult texts", () => {
  it("keeps every character that a name or a signature may have", async () => {
    const nasty = ["quote \" and ''", "comma, semicolon; | pipe", "two\nlines\r\nthree", "tab\tand \\ back\\n", "ünïcödé 漢字 🙂", "{a: 1}", "[1,2]", "NULL", " spaces ", "#{x}`y`"];
    const codebase = handmade(nasty.map((name) => `Function:${name}`), [{ from: `Function:${nasty[0]!}`, to: `Function:${nasty[2]!}` }]);
    const odd = handmade(["Function:nul\0name", "Function:half \ud800 pair"], []);
    const nodes = [...codebase.graph.nodes, ...odd.graph.nodes];
    const all: Codebase = { ...codebase, graph: new Graph(nodes, [codebase.graph.edge(0)]) };
    const database = createDatabase(() => new InThreadWorker());
    await database.load(all);
    expect((await ask(database, "MATCH (f:Function) RETURN f.name, f.signature")).rows.slice(0, nasty.length)).toEqual(nasty.map((name) => [name, `function ${name}()`]));
    expect((await ask(database, "MATCH (f:Function) WHERE f.name STARTS WITH 'nul' OR f.name STARTS WITH 'half' RETURN f.name")).rows).toEqual([["nul\uFFFDname"], ["half \uFFFD pair"]]);
    expect((await ask(database, "MATCH (a)-[:CodeRelation]->(b) RETURN b.name")).rows).toEqual([[nasty[2]!]]);
    database.close();
  });

  it("may be empty", async () => {
    const database = createDatabase(() => new InThreadWorker());
    await database.load(await codebaseOf({}));
    expect((await ask(database, "MATCH (a)-[r:CodeRelation]->(b) RETURN count(r)")).rows).toEqual([[0]]);
    for (const { query } of EXAMPLE_QUERIES) expect((await ask(database, query)).rows).toEqual([]);
    database.close();
  });

  it("is replaced by the next load", async () => {
    const database = createDatabase(() => new InThreadWorker());
    const first = database.load(handmade(["a"], []));
    const second = database.load(handmade(["a", "b"], []));
    const count = ask(database, "MATCH (n) RETURN count(n)");
    await Promise.all([first, second]);
    expect((await count).rows).toEqual([[2]]);
    await database.load(handmade(["a", "b", "c"], []));
    expect((await ask(database, "MATCH (n) RETURN count(n)")).rows).toEqual([[3]]);
    database.close();
  });
});

/** Builds at once; what a query does is up to `onQuery`: a reply, or nothing for ever. */
class ScriptedWorker implements CypherWorker {
  onmessage: CypherWorker["onmessage"] = null;
  onerror: CypherWorker["onerror"] = null;
  terminated = false;
  readonly requests: WorkerRequest[] = [];

  constructor(private readonly onRequest: (request: WorkerRequest) => WorkerReply | undefined = done) {}

  postMessage(request: WorkerRequest): void {
    this.requests.push(request);
    const reply = this.onRequest(request);
    if (reply) queueMicrotask(() => this.onmessage?.({ data: reply } as MessageEvent<WorkerReply>));
  }

  terminate(): void {
    this.terminated = true;
  }
}

const RESULT: CypherResult = { columns: ["x"], rows: [[1]], totalRows: 1 };

const FILE: PackedFile = { bytes: new Uint8Array([1, 2, 3]), size: 40 };

function done(request: WorkerRequest): WorkerReply {
  const value = request.type === "finish" ? FILE : request.type === "query" ? RESULT : null;
  return { id: request.id, ok: true, value };
}

describe("Workers", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function databaseOf(...replies: ((request: WorkerRequest) => WorkerReply | undefined)[]): { database: Database; workers: ScriptedWorker[] } {
    const workers: ScriptedWorker[] = [];
    const database = createDatabase(() => {
      workers.push(new ScriptedWorker(replies[workers.length] ?? done));
      return workers.at(-1)!;
    });
    return { database, workers };
  }

  async function loaded(...replies: Parameters<typeof databaseOf>): Promise<ReturnType<typeof databaseOf>> {
    const made = databaseOf(done, ...replies);
    const loading = made.database.load(handmade(["a", "b"], [{ from: "a", to: "b" }]));
    await vi.runAllTimersAsync();
    await loading;
    return made;
  }

  const stuckOnQuery = (request: WorkerRequest): WorkerReply | undefined => (request.type === "query" ? undefined : done(request));

  it("build in one that ends, and answer in another from the first query on", async () => {
    const { database, workers } = await loaded();
    const told = () => workers.map(({ requests, terminated }) => [requests.map(({ type }) => type), terminated]);
    expect(told()).toEqual([[["create", "load", "load", "finish"], true]]);
    expect(await ask(database, "RETURN 1")).toEqual(RESULT);
    expect(await ask(database, "RETURN 1")).toEqual(RESULT);
    expect(told()).toEqual([[["create", "load", "load", "finish"], true], [["open", "query", "query"], false]]);
    expect(workers[1]!.requests[0]).toMatchObject({ file: FILE, poolBytes: 130 << 20 });
  });

  it("give their memory back a minute after the last query, and come again with the next", async () => {
    const { database, workers } = await loaded((request) => (request.type === "query" && request.query === "slow" ? undefined : done(request)));
    expect(await ask(database, "RETURN 1")).toEqual(RESULT);
    await vi.advanceTimersByTimeAsync(59_000);
    const slow = errorOf(ask(database, "slow", { deadline: Date.now() + 20_250 }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(workers[1]!.terminated).toBe(false); // one still runs
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await slow).message).toContain("longer than 20 s");
    expect(await ask(database, "RETURN 1")).toEqual(RESULT);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(workers[2]!.terminated).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(workers[2]!.terminated).toBe(true);
    expect(await ask(database, "RETURN 1")).toEqual(RESULT);
    expect(workers.length).toBe(4);
  });

  it("are ended when a query does not, and the next query works", async () => {
    const { database, workers } = await loaded(stuckOnQuery);
    const error = errorOf(ask(database, "MATCH (a)-[*1..30]->(b) RETURN count(*)", { deadline: Date.now() + 5_250 }));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(workers[1]!.terminated).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect((await error).message).toBe("The query ran longer than 5.0 s and was stopped. Name labels and relation types, bound the length of paths, filter early, add LIMIT.");
    expect(workers[1]!.terminated).toBe(true);
    expect(await ask(database, "RETURN 1")).toEqual(RESULT);
    expect(workers.length).toBe(3);
  });

  it("are given a time that is never longer than the limit, and a little less to the database itself", async () => {
    const { database, workers } = await loaded(stuckOnQuery);
    const error = errorOf(ask(database, "RETURN 1", { deadline: Date.now() + 600_000 }));
    await vi.advanceTimersByTimeAsync(QUERY_LIMIT_MS);
    expect((await error).message).toContain("longer than 30 s");
    expect(workers[1]!.requests.at(-1)).toMatchObject({ type: "query", timeoutMs: QUERY_LIMIT_MS * 0.9 });
  });

  it("are ended when the call is cancelled", async () => {
    const { database, workers } = await loaded(stuckOnQuery);
    const cancel = new AbortController();
    const running = ask(database, "RETURN 1", { signal: cancel.signal });
    await vi.advanceTimersByTimeAsync(10);
    cancel.abort(new Error("cancelled"));
    await expect(running).rejects.toThrow("cancelled");
    expect(workers[1]!.terminated).toBe(true);
    await expect(ask(database, "RETURN 1", { signal: cancel.signal })).rejects.toThrow("cancelled");
  });

  it("answer one query at a time; one that gives up waiting holds up nobody", async () => {
    const { database, workers } = await loaded(stuckOnQuery);
    const first = errorOf(ask(database, "RETURN 'first'", { deadline: Date.now() + 10_250 }));
    const second = errorOf(ask(database, "RETURN 'second'", { deadline: Date.now() + 3_250 }));
    const third = ask(database, "RETURN 'third'");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await second).toMatchObject({ retryable: true, message: expect.stringContaining("kept the graph database busy") as string });
    expect(workers[1]!.requests.filter(({ type }) => type === "query").length).toBe(1);
    await vi.advanceTimersByTimeAsync(7_000);
    expect((await first).message).toContain("longer than 10 s");
    expect(await third).toEqual(RESULT);
  });

  it("that break are replaced, and the query's error says what happened", async () => {
    const { database, workers } = await loaded((request) =>
      request.type === "query" ? { id: request.id, ok: false, kind: "broken", message: "memory access out of bounds" } : done(request));
    expect((await errorOf(ask(database, "RETURN 1"))).message).toBe(
      "The query broke the graph database (memory access out of bounds); it starts again for the next one. Ask for less at once: bounded paths, smaller ranges, LIMIT.");
    expect(workers[1]!.terminated).toBe(true);
    expect(await ask(database, "RETURN 1")).toEqual(RESULT);
  });

  it("that the database interrupts in time live on", async () => {
    const { database, workers } = await loaded((request) =>
      request.type === "query" ? { id: request.id, ok: false, kind: "timeout", message: "Interrupted." } : done(request));
    expect((await errorOf(ask(database, "RETURN 1", { deadline: Date.now() + 1_250 }))).message).toContain("ran longer than 1.0 s and was stopped");
    expect(workers[1]!.terminated).toBe(false);
  });

  it("say what failed when the database cannot be built, and that the other tools work", async () => {
    const { database, workers } = databaseOf((request) =>
      request.type === "load" ? { id: request.id, ok: false, kind: "statement", message: "Copy exception: x" } : done(request));
    const loading = database.load(handmade(["a"], []));
    const query = errorOf(ask(database, "RETURN 1"));
    const failed = expect(loading).rejects.toThrow("The graph database could not be built: Copy exception: x");
    await vi.runAllTimersAsync();
    await failed;
    expect((await query).message).toBe("The graph database could not be built: Copy exception: x The other tools work without it: search, impact and explore answer most questions.");
    expect(workers[0]!.terminated).toBe(true);
    // A later load gets another chance.
    const again = database.load(handmade(["a"], []));
    await vi.runAllTimersAsync();
    await again;
    expect(await ask(database, "RETURN 1")).toEqual(RESULT);
  });

  it("that cannot be started are an error like any other", async () => {
    const { database, workers } = databaseOf(() => undefined);
    const loading = database.load(handmade(["a"], []));
    workers[0]!.onerror?.({ message: "" } as ErrorEvent);
    await expect(loading).rejects.toThrow("The graph database could not be built: its program could not be loaded");
    const thrown = createDatabase(() => {
      throw new Error("no Workers here");
    });
    await expect(thrown.load(handmade(["a"], []))).rejects.toThrow("no Workers here");
  });

  it("are waited for while they build, until the deadline", async () => {
    const { database } = databaseOf((request) => (request.type === "create" ? undefined : done(request)));
    void database.load(handmade(["a"], [])).catch(() => undefined);
    const error = errorOf(ask(database, "RETURN 1", { deadline: Date.now() + 2_250 }));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await error).toMatchObject({ retryable: true, message: expect.stringContaining("still being built") as string });
    database.close();
  });

  it("are not there before the first load and after the end", async () => {
    const { database } = databaseOf();
    expect(await errorOf(ask(database, "RETURN 1"))).toMatchObject({ retryable: true, message: expect.stringContaining("empty") as string });
    const made = await loaded();
    made.database.close();
    expect((await errorOf(ask(made.database, "RETURN 1"))).message).toBe("The graph database is closed.");
    expect(made.workers.every(({ terminated }) => terminated)).toBe(true);
  });
});
