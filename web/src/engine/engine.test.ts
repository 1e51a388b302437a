import { expect, test, vi } from "vitest";
import { parseHere, repositoryOf } from "../../test/codebase.ts";
import { encryptAtOnce, storage, storageKey } from "../../test/storage.ts";
import type { EngineCommand, EngineEvent, EngineReply, EngineRequest } from "../messages.ts";
import { Cache } from "./cache.ts";

import type { Codebase } from "./codebase.ts";
import { Engine, type EngineParts, type LinkPort } from "./engine.ts";
import { findClusters } from "./find-clusters.ts";
import { DeniedError, SourceError, type Origin } from "./source.ts";
import { ToolError, type Tool } from "./tools.ts";
import { Workspace } from "./workspace.ts";

const SOURCE: Extract<EngineCommand, { type: "load" }>["source"] = { kind: "hub", url: "http://x/" };

/** An engine with a link, whose events and replies are kept. */
function engineOf(parts: Partial<EngineParts> = {}): {
  engine: Engine;
  events: EngineEvent[];
  replies: EngineReply[];
  call: (name: string, more?: Partial<Extract<EngineRequest, { type: "call" }>>) => void;
  send: (request: EngineRequest) => void;
} {
  const events: EngineEvent[] = [];
  const replies: EngineReply[] = [];
  const link: LinkPort = { onmessage: null, postMessage: (reply) => void replies.push(reply) };
  const engine = new Engine({
    producer: "test", tools: {},
    admit: () => undefined,
    lost: () => undefined,
    open: () => Promise.resolve(repositoryOf({ "a.md": "one\ntwo", "docs/b.md": "" }, "sample")),
    parsers: () => ({ parse: () => Promise.resolve({ reason: "not parsed here" }), warm: () => undefined, rest: () => undefined, close: () => undefined }),
    findClusters,
    prepareSearch: ({ graph }) => {
      expect(graph.nodes.length).toBeGreaterThan(0);
      return Promise.resolve();
    },
    carrySearch: () => undefined,
    packSearch: () => undefined,
    unpackSearch: () => undefined,
    collectGarbage: () => undefined,
    database: { load: () => Promise.resolve(), query: () => Promise.resolve({ columns: ["n"], rows: [[1]], totalRows: 1 }) },
    tell: (event) => void events.push(event),
    ...parts,
  });
  void engine.handle({ type: "start", link: link as MessagePort });
  const send = (request: EngineRequest): void => link.onmessage?.({ data: request } as MessageEvent<EngineRequest>);
  return {
    engine, events, replies, send,
    call: (name, more) => send({ type: "call", id: "c1", name, arguments: {}, agent: "claude", deadlineMs: 5_000, wantsProgress: false, ...more }),
  };
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const load = (engine: Engine): Promise<void> => engine.handle({ type: "load", source: SOURCE });
const contexts = (replies: readonly EngineReply[]): string[] => replies.flatMap((r) => (r.type === "context" ? [r.context?.state ?? "none"] : []));
const answers = (replies: readonly EngineReply[]): EngineReply[] => replies.filter((r) => r.type !== "context");

encryptAtOnce();

test("a load is told phase by phase, and the link learns what is loaded", async () => {
  const { engine, events, replies } = engineOf({ tools: { read: () => ({}) } });
  expect(replies).toEqual([{ type: "context", context: null, tools: ["read", "export", "graph_picture", "graph_code", "complete"] }]);
  await load(engine);
  const phases = events.flatMap((e) => (e.type === "progress" ? [e.phase] : []));
  expect([...new Set(phases)]).toEqual(["read", "parse", "resolve", "cluster", "search"]);
  const loaded = events.find((e) => e.type === "loaded")!;
  expect(loaded.phases.map(({ phase }) => phase)).toEqual(["read", "parse", "resolve", "cluster", "search"]);
  expect(loaded.context).toMatchObject({ repo: "sample", state: "ready", stats: { files: 2, symbols: 0, nodes: 4 } });
  expect(contexts(replies)[0]).toBe("none");
  // The graph answers, and then it has its clusters.
  expect(contexts(replies).slice(-2)).toEqual(["ready", "ready"]);
  expect(new Set(contexts(replies).slice(1, -2))).toEqual(new Set(["indexing"]));
  expect(replies.at(-1)).toEqual({ type: "context", context: loaded.context, tools: ["read", "export", "graph_picture", "graph_code", "complete"] });
});

test("names are listed after a load, before the first key", async () => {
  const codebases: Codebase[] = [];
  const { engine, replies, call } = engineOf({
    prepareSearch: (codebase) => {
      codebases.push(codebase);
      return Promise.resolve();
    },
  });
  await load(engine);
  await later(20);
  const walks = vi.spyOn(codebases.at(-1)!.graph.nodes, "forEach");
  call("complete", { arguments: { kind: "file", typed: "b" } });
  await later(1);
  expect(answers(replies)).toEqual([{ type: "result", id: "c1", json: '{"values":["docs/b.md"],"total":1}' }]);
  expect(walks).not.toHaveBeenCalled();
});

test("a tool's result, its own error and a fault each reach the caller as what they are", async () => {
  const tools: Record<string, Tool> = {
    good: (args, { agent, codebase }) => ({ args, agent, name: codebase.name }),
    bad: () => { throw new ToolError("No file named x.ts.", { candidates: ["a/x.ts"] }); },
    busy: () => Promise.reject(new ToolError("Not yet.", undefined, true)),
    broken: () => { throw new TypeError("undefined is not a function"); },
    trace_flow: () => ({ steps: 2, note: "n" }),
    cyclic: () => { const o: { o?: object } = {}; o.o = o; return o; },
  };
  const { engine, replies, call } = engineOf({ tools });
  await load(engine);
  for (const name of [...Object.keys(tools), "toString"]) call(name, { id: name, arguments: { a: 1 } });
  await later(5);
  const byId = new Map(answers(replies).map((r) => ["id" in r ? r.id : "", r]));
  expect(byId.get("good")).toEqual({ type: "result", id: "good", json: '{"args":{"a":1},"agent":"claude","name":"sample"}' });
  expect(byId.get("trace_flow")).toEqual({ type: "result", id: "trace_flow", json: '"steps: 2\\nnote: n"', object: '{"steps":2,"note":"n"}' });
  expect(byId.get("bad")).toEqual({ type: "error", id: "bad", message: "No file named x.ts.", retryable: false, details: { candidates: ["a/x.ts"] } });
  expect(byId.get("busy")).toEqual({ type: "error", id: "busy", message: "Not yet.", retryable: true });
  expect(byId.get("broken")).toMatchObject({ type: "error", retryable: false, message: "broken failed because of a fault in the graph app: TypeError: undefined is not a function" });
  expect(byId.get("cyclic")).toMatchObject({ type: "error", retryable: false });
  expect(byId.get("toString")).toMatchObject({ type: "error", retryable: false, message: "The graph app has no tool named toString. It has good, bad, busy, broken, trace_flow, cyclic." });
});

test("calls run side by side: a slow one holds up no other", async () => {
  let release: () => void = () => undefined;
  const slow = new Promise<object>((resolve) => { release = () => resolve({}); });
  const { engine, replies, call } = engineOf({ tools: { slow: () => slow, quick: () => ({}) } });
  await load(engine);
  call("slow", { id: "1" });
  call("quick", { id: "2" });
  await later(1);
  expect(answers(replies)).toEqual([{ type: "result", id: "2", json: "{}" }]);
  release();
  await later(1);
  expect(answers(replies)).toHaveLength(2);
});

test("an agent's call goes before what the view asks at the same time", async () => {
  const order: string[] = [];
  const { engine, call } = engineOf({ tools: { look: (_, { agent }) => ({ n: order.push(agent) }) } });
  await load(engine);
  void engine.handle({ type: "ask", id: 1, name: "look", arguments: {} });
  call("look");
  await vi.waitFor(() => expect(order).toHaveLength(2));
  expect(order).toEqual(["claude", ""]);
});

test("a call is stopped at its deadline, replied to once, and its tool is told", async () => {
  let seen: AbortSignal | undefined;
  const deaf: Tool = async (_, { signal, deadline }) => {
    seen = signal;
    expect(deadline - Date.now()).toBeGreaterThan(10);
    await later(80);
    return { late: true };
  };
  const { engine, replies, call } = engineOf({ tools: { deaf } });
  await load(engine);
  call("deaf", { deadlineMs: 30 });
  await later(45);
  expect(answers(replies)).toEqual([{ type: "error", id: "c1", retryable: true, message: expect.stringContaining("was stopped") as string }]);
  expect(seen?.aborted).toBe(true);
  await later(60);
  expect(answers(replies)).toHaveLength(1);
});

test("a cancelled call is stopped and gets no reply; cancelling what is over does nothing", async () => {
  const signals: AbortSignal[] = [];
  const wait: Tool = async (_, { signal }) => { signals.push(signal); await later(20); return {}; };
  const { engine, replies, call, send } = engineOf({ tools: { wait } });
  await load(engine);
  call("wait", { id: "x" });
  await later(1);
  send({ type: "cancel", id: "x", reason: "the agent left" });
  send({ type: "cancel", id: "unknown", reason: "" });
  await later(40);
  expect(signals[0]?.aborted).toBe(true);
  expect(answers(replies)).toEqual([]);
});

test("the same call sent again while it runs is joined, not run twice", async () => {
  let runs = 0;
  const { engine, replies, call } = engineOf({ tools: { once: async () => { runs++; await later(5); return {}; } } });
  await load(engine);
  call("once");
  call("once");
  await later(20);
  expect(runs).toBe(1);
  expect(answers(replies)).toHaveLength(1);
});

test("progress goes to those who asked for it", async () => {
  const work: Tool = (_, context) => { context.progress(3, 10, "files"); context.progress(4, undefined, "more"); return {}; };
  const { engine, replies, call } = engineOf({ tools: { work } });
  await load(engine);
  call("work", { id: "1" });
  call("work", { id: "2", wantsProgress: true });
  await later(1);
  expect(answers(replies).filter((r) => r.type === "progress")).toEqual([
    { type: "progress", id: "2", progress: 3, total: 10, message: "files" }, { type: "progress", id: "2", progress: 4, message: "more" },
  ]);
});

test("a tool reaches the database and the view", async () => {
  const point: Tool = async (_, context) => {
    context.view({ type: "highlight", nodeIds: ["Function:a.ts:x"], color: "red" });
    return context.cypher("MATCH (n) RETURN n", 10, context.signal, context.deadline);
  };
  const { engine, events, replies, call } = engineOf({ tools: { point } });
  await load(engine);
  call("point");
  await later(1);
  expect(answers(replies)).toEqual([{ type: "result", id: "c1", json: '{"columns":["n"],"rows":[[1]],"totalRows":1}' }]);
  expect(events).toContainEqual({ type: "highlight", nodeIds: ["Function:a.ts:x"], color: "red", agent: "claude" });
});

test("before anything is loaded and when loading failed, a call says so and whether to retry", async () => {
  let fail: (error: Error) => void = () => undefined;
  const { engine, events, replies, call } = engineOf({
    tools: { search: () => ({}) },
    open: () => new Promise((_, reject) => { fail = reject; }),
  });
  call("search", { id: "1" });
  await later(1);
  const loading = load(engine);
  call("search", { id: "2" });
  await later(1);
  fail(new SourceError("The server's stream of the repository was cut off after 3 files. Load it again."));
  await loading;
  call("search", { id: "3" });
  await later(1);
  expect(answers(replies)).toEqual([
    { type: "error", id: "1", retryable: false, message: "No repository is loaded in the graph app. Ask the user to open one there." },
    // It waited for what was being made.
    { type: "error", id: "2", retryable: false, message: expect.stringContaining("cut off after 3 files") as string },
    { type: "error", id: "3", retryable: false, message: expect.stringContaining("cut off after 3 files") as string },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "failed", message: expect.stringContaining("cut off") as string });
  expect(contexts(replies).at(-1)).toBe("error");
});

test("a folder that may not be read is a missing permission", async () => {
  const { engine, replies, call } = engineOf({ tools: { search: () => ({}) }, open: () => Promise.reject(new DeniedError("The folder shop cannot be read: permission denied")) });
  await load(engine);
  call("search", { id: "1" });
  await later(1);
  expect(answers(replies)).toEqual([{
    type: "error", id: "1", retryable: false, denied: true,
    message: "The graph app could not index the repository: The folder shop cannot be read: permission denied. Ask the user to load it again in the app.",
  }]);
});

test("while parsing, a call waits for the graph, and after some seconds says how far it is", async () => {
  vi.useFakeTimers();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => { release = resolve; });
  const repo = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`f${i}.ts`, ""]));
  const { engine, replies, call } = engineOf({
    tools: { search: () => ({}) },
    open: () => Promise.resolve(repositoryOf(repo, "sample")),
    parsers: () => ({ parse: async (path) => { if (path !== "f0.ts") await held; return { reason: "x" }; }, warm: () => undefined, rest: () => undefined, close: () => undefined }),
  });
  void load(engine);
  await vi.advanceTimersByTimeAsync(60);
  call("search", { id: "1", deadlineMs: 60_000 });
  await vi.advanceTimersByTimeAsync(4_900);
  expect(answers(replies)).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  const busy = { type: "error", id: "1", retryable: true, message: "The graph app is busy indexing: parsing, 1 of 4 files. Retry in a few seconds." };
  expect(answers(replies)).toEqual([busy]);
  call("search", { id: "2", deadlineMs: 60_000 });
  call("search", { id: "hasty", deadlineMs: 2_000 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answers(replies)).toEqual([busy, { ...busy, id: "hasty" }]);
  release();
  await vi.advanceTimersByTimeAsync(100);
  expect(answers(replies).slice(2)).toEqual([{ type: "result", id: "2", json: "{}" }]);
  vi.useRealTimers();
});

test("while another repository is indexed, and when that fails, the old one goes on answering", async () => {
  let fail: (error: Error) => void = () => undefined;
  let opened = 0;
  const { engine, replies, call, events } = engineOf({
    tools: { name: (_, { codebase }) => ({ name: codebase.name }) },
    open: () => (opened++ === 0 ? Promise.resolve(repositoryOf({ "a.md": "" }, "first")) : new Promise((_, reject) => { fail = reject; })),
  });
  await load(engine);
  const second = load(engine);
  call("name", { id: "1" });
  await later(1);
  fail(new SourceError("gone"));
  await second;
  call("name", { id: "2" });
  await later(1);
  expect(answers(replies)).toEqual([{ type: "result", id: "1", json: '{"name":"first"}' }, { type: "result", id: "2", json: '{"name":"first"}' }]);
  expect(contexts(replies).at(-1)).toBe("ready");
  expect(events.at(-1)).toEqual({ type: "failed", message: "gone" });
});

test("a later load takes the place of one that still runs, and closes its parsers", async () => {
  let closed = 0;
  let opened = 0;
  const { engine, events } = engineOf({
    open: (_, signal) => {
      if (opened++ > 0) return Promise.resolve(repositoryOf({ "a.md": "" }, "second"));
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    },
    parsers: () => ({ parse: () => Promise.resolve({ reason: "" }), warm: () => undefined, rest: () => undefined, close: () => { closed++; } }),
  });
  const first = load(engine);
  await vi.waitFor(() => expect(opened).toBe(1));
  await load(engine);
  await first;
  expect(events.filter((e) => e.type === "loaded").map(({ context }) => context.repo)).toEqual(["second"]);
  expect(events.some((e) => e.type === "failed")).toBe(false);
  expect(closed).toBeGreaterThanOrEqual(2);
});

test("the database is filled when nothing has happened for 25 seconds, and told as a phase of its own", async () => {
  vi.useFakeTimers();
  const loads: Codebase[] = [];
  const { engine, events } = engineOf({
    database: {
      load: (codebase) => {
        loads.push(codebase);
        return Promise.resolve();
      },
      query: () => Promise.reject(new ToolError("no")),
    },
  });
  const loading = load(engine);
  await vi.advanceTimersByTimeAsync(100);
  await loading;
  await vi.advanceTimersByTimeAsync(24_800);
  expect(loads).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(200);
  expect(loads).toHaveLength(1);
  expect(events.at(-2)).toMatchObject({ type: "progress", phase: "database", done: 0, total: 1 });
  expect(events.at(-1)).toMatchObject({ type: "progress", phase: "database", done: 1, total: 1, detail: "" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loads).toHaveLength(1);
  vi.useRealTimers();
});

test("the database is not filled while the user looks around: that wants a core for itself", async () => {
  vi.useFakeTimers();
  let loads = 0;
  const { engine } = engineOf({
    database: {
      load: () => {
        loads++;
        return Promise.resolve();
      },
      query: () => Promise.reject(new ToolError("no")),
    },
  });
  const loading = load(engine);
  await vi.advanceTimersByTimeAsync(100);
  await loading;
  for (let i = 0; i < 4; i++) {
    await vi.advanceTimersByTimeAsync(20_000);
    void engine.handle({ type: "ask", id: i, name: "look", arguments: {} });
  }
  await vi.advanceTimersByTimeAsync(24_900);
  expect(loads).toBe(0);
  await vi.advanceTimersByTimeAsync(200);
  expect(loads).toBe(1);
  // Afterwards nothing fills it again.
  void engine.handle({ type: "ask", id: 9, name: "look", arguments: {} });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loads).toBe(1);
  vi.useRealTimers();
});

test("a call that waits hears how far the work is, when it asked for progress and four times a second at most", async () => {
  vi.useFakeTimers();
  let release: () => void = () => undefined;
  const filled = new Promise<void>((resolve) => { release = resolve; });
  const repo = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}.ts`, ""]));
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  let last = Promise.resolve();
  const { engine, replies, call } = engineOf({
    tools: { search: () => ({}), query: (_, ctx) => ctx.cypher("", 1, ctx.signal, ctx.deadline) },
    open: () => Promise.resolve(repositoryOf(repo, "sample")),
    // One file every 20 ms.
    parsers: () => ({ parse: async () => { last = last.then(() => pause(20)); await last; return { reason: "x" }; }, warm: () => undefined, rest: () => undefined, close: () => undefined }),
    database: { load: () => filled, query: () => filled.then(() => ({ columns: ["n"], rows: [[1]], totalRows: 1 })) },
  });
  void load(engine);
  await vi.advanceTimersByTimeAsync(10);
  call("search", { id: "quiet", deadlineMs: 60_000 });
  call("search", { id: "told", deadlineMs: 60_000, wantsProgress: true });
  await vi.advanceTimersByTimeAsync(1_000);
  const heard = answers(replies).filter((r) => r.type === "progress");
  expect(heard.length).toBeGreaterThan(2);
  expect(heard.length).toBeLessThanOrEqual(5);
  expect(heard.every((r) => r.id === "told" && r.total === 100 && r.message?.startsWith("parsing, "))).toBe(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(answers(replies).filter((r) => r.type === "result")).toHaveLength(2);
  replies.length = 0;
  call("query", { id: "query", deadlineMs: 60_000, wantsProgress: true });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answers(replies)).toEqual([{ type: "progress", id: "query", progress: 0, message: "filling the graph database" }]);
  release();
  await vi.advanceTimersByTimeAsync(10);
  expect(answers(replies).at(-1)).toMatchObject({ type: "result", id: "query" });
  vi.useRealTimers();
});

test("a database that cannot be filled is no failed load", async () => {
  const { engine, events, call } = engineOf({
    tools: { query: (_, ctx) => ctx.cypher("", 1, ctx.signal, ctx.deadline) },
    database: { load: () => Promise.reject(new Error("no memory")), query: () => Promise.reject(new ToolError("no")) },
  });
  await load(engine);
  expect(events.map(({ type }) => type)).toContain("loaded");
  call("query");
  await later(1);
  expect(events.at(-1)).toMatchObject({ type: "progress", phase: "database", done: 1, total: 1, detail: "no memory" });
});

test("the command that exports gets the graph over the link", async () => {
  const { engine, replies, call } = engineOf();
  await load(engine);
  call("export");
  await later(0);
  const [reply] = answers(replies);
  expect(reply?.type === "result" && JSON.parse(reply.json)).toMatchObject({ schema: "code-graph/1", producer: "test", repo: "sample" });
});

test("a large result is handed to the link as bytes", async () => {
  const text = "ä".repeat(300_000);
  const { engine, replies, call } = engineOf({ tools: { large: () => ({ text }) } });
  await load(engine);
  call("large");
  await later(5);
  const [reply] = answers(replies);
  expect(reply?.type === "large" && JSON.parse(new TextDecoder().decode(reply.json))).toEqual({ text });
});

test("the view's own calls and exports are answered to the view alone", async () => {
  const { engine, events, replies } = engineOf({ tools: { ok: () => ({ a: 1 }), no: () => { throw new ToolError("no such thing"); } } });
  await engine.handle({ type: "export", id: 0 });
  await load(engine);
  await engine.handle({ type: "ask", id: 1, name: "ok", arguments: {} });
  await engine.handle({ type: "ask", id: 2, name: "no", arguments: {} });
  await engine.handle({ type: "export", id: 3 });
  await later(1);
  const told = events.filter((e) => e.type === "answer");
  expect(told.find(({ id }) => id === 0)).toMatchObject({ ok: false, message: expect.stringContaining("No repository is loaded") as string });
  expect(told.find(({ id }) => id === 1)).toEqual({ type: "answer", id: 1, ok: true, json: '{"a":1}' });
  expect(told.find(({ id }) => id === 2)).toEqual({ type: "answer", id: 2, ok: false, message: "no such thing" });
  const exported = told.find(({ id }) => id === 3)!;
  expect(exported.ok && JSON.parse(exported.json)).toMatchObject({ schema: "code-graph/1", producer: "test", repo: "sample" });
  expect(answers(replies)).toEqual([]);
});

/** A folder that a hub would watch: what is asked for is the difference. */
function folderOf(files: Record<string, string>): { files: Record<string, string>; id: string; fails: Error | undefined; asked: Record<string, string>[]; open: EngineParts["open"] } {
  const folder = {
    files, id: "folder-1", fails: undefined as Error | undefined, asked: [] as Record<string, string>[],
    open: (async (_, __, have = {}) => {
      await Promise.resolve();
      folder.asked.push(have);
      if (folder.fails) throw folder.fails;
      const now = Object.entries(folder.files);
      const different = Object.fromEntries(now.filter(([path, text]) => have[path] !== `v:${text}`));
      const origin: Origin = {
        id: folder.id, versions: Object.fromEntries(Object.entries(different).map(([path, text]) => [path, `v:${text}`])),
        removed: Object.keys(have).filter((path) => !(path in folder.files)),
      };
      return { ...repositoryOf(different, "sample"), origin };
    }) as EngineParts["open"],
  };
  return folder;
}

test("the graph follows the folder: a call after a change sees it, the database and the view follow", async () => {
  vi.useFakeTimers();
  const recalled = vi.spyOn(Workspace.prototype, "recall");
  const folder = folderOf({ "a.md": "one", "b.md": "two" });
  const loads: Codebase[] = [];
  const { engine, events, replies, call, send } = engineOf({
    open: folder.open,
    tools: { list: (_, { codebase }) => ({ files: codebase.files.paths, a: codebase.files.text("a.md") }), query: (_, ctx) => ctx.cypher("", 1, ctx.signal, ctx.deadline) },
    database: { load: (codebase) => { loads.push(codebase); return Promise.resolve(); }, query: () => Promise.resolve({ columns: [], rows: [], totalRows: 0 }) },
  });
  const loading = load(engine);
  await vi.advanceTimersByTimeAsync(100);
  await loading;
  // What changed while it was loaded is asked for at once.
  expect(folder.asked).toEqual([{}, { "a.md": "v:one", "b.md": "v:two" }]);
  expect(events.filter((e) => e.type === "freshness").at(-1)).toMatchObject({ freshness: { state: "watching" } });
  folder.files = { "a.md": "three", "c.md": "" };
  send({ type: "folder", there: true, key: "k", storageKey: "" });
  await vi.advanceTimersByTimeAsync(50);
  call("list", { id: "1" });
  await vi.advanceTimersByTimeAsync(0);
  expect(answers(replies).at(-1)).toEqual({ type: "result", id: "1", json: '{"files":["a.md","c.md"],"a":"three"}' });
  expect(events.some((e) => e.type === "updated")).toBe(false);
  expect(loads).toHaveLength(0);
  // A query does not wait for the folder to come to rest.
  call("query", { id: "2" });
  await vi.advanceTimersByTimeAsync(0);
  expect(loads.map(({ files }) => files.paths)).toEqual([["a.md", "c.md"]]);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(events.findLast((e) => e.type === "updated")?.context.stats).toMatchObject({ files: 2, nodes: 3 });
  expect(replies.findLast((r) => r.type === "context")?.context?.stats.files).toBe(2);
  expect(recalled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(recalled).toHaveBeenCalledTimes(1);
  expect(loads).toHaveLength(2);
  vi.useRealTimers();
});

test("a new graph answers before its clusters are found; who wants these waits, a query does, and nobody is left waiting", async () => {
  vi.useFakeTimers();
  let found: () => void = () => undefined;
  const loads: Codebase[] = [];
  let collected = 0;
  const { engine, events, replies, call } = engineOf({
    tools: {
      list: (_, { codebase }) => ({ files: codebase.files.paths, clustering: codebase.clustering ?? false }),
      clusters: async (_, { clustered }) => ({ clustering: (await clustered()).clustering ?? false }),
      query: (_, ctx) => ctx.cypher("", 1, ctx.signal, ctx.deadline),
      reset: (_, ctx) => {
        ctx.view({ type: "reset" });
        return {};
      },
    },
    collectGarbage: () => { collected++; },
    findClusters: (input) => new Promise((resolve) => { found = () => resolve(findClusters(input)); }),
    database: { load: (codebase) => { loads.push(codebase); return Promise.resolve(); }, query: () => Promise.resolve({ columns: [], rows: [], totalRows: 0 }) },
  });
  void load(engine);
  await vi.advanceTimersByTimeAsync(100);
  expect(replies.at(-1)).toMatchObject({ context: { state: "ready", detail: "Clusters and processes are still being found: for some seconds none are told or counted." } });
  for (const name of ["list", "clusters", "query", "reset"]) call(name, { id: name });
  await vi.advanceTimersByTimeAsync(100);
  expect(answers(replies)).toEqual([{ type: "result", id: "list", json: '{"files":["a.md","docs/b.md"],"clustering":true}' }, { type: "result", id: "reset", json: "{}" }]);
  expect(loads).toHaveLength(0);
  // Before the query has the database filled, and while others are at work.
  expect(collected).toBe(1);
  found();
  await vi.advanceTimersByTimeAsync(100);
  expect(answers(replies).slice(2)).toEqual([
    { type: "result", id: "clusters", json: '{"clustering":false}' }, { type: "result", id: "query", json: '{"columns":[],"rows":[],"totalRows":0}' },
  ]);
  expect(loads.map(({ clustering }) => clustering)).toEqual([undefined]);
  expect(replies.filter((r) => r.type === "context").at(-1)!.context).not.toHaveProperty("detail");
  // What was done to the view before it had the graph is done then.
  expect(events.map(({ type }) => type).filter((type) => type === "loaded" || type === "reset")).toEqual(["loaded", "reset"]);
  vi.useRealTimers();
});

test.each([
  ["they cannot be found", (fail: () => void) => { fail(); return undefined; }, { message: "The graph app could not index the repository: no memory. Ask the user to load it again in the app." }],
  ["another folder is loaded", (_: () => void, engine: Engine) => load(engine), { retryable: true, message: "The graph app is busy indexing: opening the repository. Retry in a few seconds." }],
])("who waits for clusters hears it when %s", async (_name, end, expected) => {
  let fail: (error: Error) => void = () => undefined;
  let opened = 0;
  const { engine, replies, call } = engineOf({
    tools: { clusters: async (_, { clustered }) => ({ clustering: (await clustered()).clustering ?? false }) },
    open: () => (opened++ === 0 ? Promise.resolve(repositoryOf({ "a.md": "" }, "first")) : new Promise(() => undefined)),
    findClusters: () => new Promise((_, reject) => { fail = reject; }),
  });
  void load(engine);
  await vi.waitFor(() => expect(contexts(replies).at(-1)).toBe("ready"));
  call("clusters", { deadlineMs: 60_000 });
  await later(1);
  expect(answers(replies)).toEqual([]);
  vi.useFakeTimers();
  void end(() => fail(new SourceError("no memory")), engine);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(answers(replies)).toEqual([expect.objectContaining({ type: "error", ...expected })]);
  vi.useRealTimers();
});

test("while clusters are found calls are answered, and of a graph that has changed meanwhile they are found again", async () => {
  vi.useFakeTimers();
  const folder = folderOf({ "a.md": "one" });
  const searches: { signal: AbortSignal; finish: () => void }[] = [];
  const { engine, events, replies, call, send } = engineOf({
    open: folder.open,
    tools: { list: (_, { codebase }) => ({ files: codebase.files.paths }) },
    findClusters: (input, signal) => new Promise((resolve, reject) => {
      searches.push({ signal, finish: () => resolve(findClusters(input)) });
      signal.addEventListener("abort", () => reject(signal.reason as Error));
      if (searches.length === 1) resolve(findClusters(input)); // of the load
    }),
  });
  const loading = load(engine);
  await vi.advanceTimersByTimeAsync(100);
  await loading;
  const change = async (files: Record<string, string>): Promise<void> => {
    folder.files = files;
    send({ type: "folder", there: true, key: "k", storageKey: "" });
    await vi.advanceTimersByTimeAsync(1_100);
  };
  await change({ "a.md": "one", "b.md": "" });
  expect(searches).toHaveLength(2);
  call("list", { id: "1" });
  await vi.advanceTimersByTimeAsync(0);
  expect(answers(replies).at(-1)).toMatchObject({ id: "1", json: '{"files":["a.md","b.md"]}' });
  await change({ "a.md": "one", "b.md": "", "c.md": "" });
  expect(searches.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
  searches[1]!.finish(); // nobody waits for it
  await vi.advanceTimersByTimeAsync(0);
  expect(events.filter((e) => e.type === "updated")).toHaveLength(0);
  searches[2]!.finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(events.filter((e) => e.type === "updated")).toHaveLength(1);
  call("list", { id: "2" });
  await vi.advanceTimersByTimeAsync(0);
  expect(answers(replies).at(-1)).toMatchObject({ id: "2", json: '{"files":["a.md","b.md","c.md"]}' });
  vi.useRealTimers();
});

test("when nobody can tell of changes any more, the graph stays and says so, and catches up later", async () => {
  vi.useFakeTimers();
  const folder = folderOf({ "a.md": "one" });
  const { engine, events, replies, call, send } = engineOf({ open: folder.open, tools: { list: (_, { codebase }) => ({ files: codebase.files.paths }) } });
  const loading = load(engine);
  await vi.advanceTimersByTimeAsync(100);
  await loading;
  const freshness = (): unknown => events.findLast((e) => e.type === "freshness")?.freshness;
  send({ type: "folder", there: false, key: "k", storageKey: "" });
  expect(freshness()).toMatchObject({ state: "unknown", why: expect.stringContaining("--repo") as string });
  folder.fails = new SourceError("The server cannot be reached.");
  folder.files = { "a.md": "one", "b.md": "" };
  send({ type: "folder", there: true, key: "k", storageKey: "" });
  await vi.advanceTimersByTimeAsync(100);
  expect(freshness()).toEqual({ state: "unknown", why: "The server cannot be reached." });
  call("list", { id: "1" });
  await vi.advanceTimersByTimeAsync(0);
  expect(answers(replies).at(-1)).toMatchObject({ json: expect.stringMatching(/"asOf":{.*"The server cannot be reached."},"files":\["a.md"\]}$/) as string });
  folder.fails = undefined;
  await vi.advanceTimersByTimeAsync(5_100);
  expect(freshness()).toMatchObject({ state: "watching" });
  call("list", { id: "2" });
  await vi.advanceTimersByTimeAsync(0);
  expect(answers(replies).at(-1)).toMatchObject({ json: '{"files":["a.md","b.md"]}' });
  // Another hub on the port, with another folder: its files are none of this graph's.
  folder.id = "folder-2";
  folder.files = { "z.md": "" };
  send({ type: "folder", there: true, key: "k", storageKey: "" });
  await vi.advanceTimersByTimeAsync(100);
  expect(freshness()).toMatchObject({ state: "unknown", why: expect.stringContaining("another folder") as string });
  call("list", { id: "3" });
  await vi.advanceTimersByTimeAsync(0);
  expect(answers(replies).at(-1)).toMatchObject({ json: expect.stringMatching(/"asOf":{.*another folder.*},"files":\["a.md","b.md"\]}$/) as string });
  vi.useRealTimers();
});

test("an answer says that it is older than the folder, and which files are not in it yet", async () => {
  vi.useFakeTimers();
  const folder = folderOf({ "a.md": "one", "b.md": "two" });
  let hubAnswers: () => void = () => undefined;
  let waits = false;
  let slowEnds: () => void = () => undefined;
  let parsed: () => void = () => undefined;
  const tools: Record<string, Tool> = {
    list: (_, { codebase }) => ({ files: codebase.files.paths }),
    slow: () => new Promise((resolve) => { slowEnds = () => resolve({}); }),
    missing: () => { throw new ToolError("No file named c.ts."); },
    graph_action: () => ({}),
  };
  const { engine, replies, call, send } = engineOf({
    open: async (...args) => {
      if (waits) await new Promise<void>((resolve) => { hubAnswers = resolve; });
      return folder.open(...args);
    },
    parsers: () => ({
      parse: (path) => path === "c.ts" ? new Promise((resolve) => { parsed = () => resolve({ reason: "not parsed here" }); }) : Promise.resolve({ reason: "not parsed here" }),
      warm: () => undefined, rest: () => undefined, close: () => undefined,
    }),
    tools,
  });
  const ask = async (name: string): Promise<Record<string, unknown>> => {
    call(name, { id: name });
    await vi.advanceTimersByTimeAsync(0);
    const reply = answers(replies).at(-1)!;
    return reply.type === "result" ? JSON.parse(reply.json) as Record<string, unknown> : { error: true, ...(reply.type === "error" ? reply.details : {}) };
  };
  const loading = load(engine);
  await vi.advanceTimersByTimeAsync(100);
  await loading;
  expect(await ask("list")).toEqual({ files: ["a.md", "b.md"] });
  call("slow", { id: "slow" });
  await vi.advanceTimersByTimeAsync(0);
  // Told of, and nobody knows yet what it is.
  const current = new Date().toISOString();
  await vi.advanceTimersByTimeAsync(2_000);
  waits = true;
  folder.files = { "a.md": "one", "b.md": "three", "c.ts": "" };
  send({ type: "folder", there: true, key: "k", storageKey: "" });
  expect(await ask("list")).toEqual({ asOf: { time: expect.any(String) as string, why: "the folder has changed since, and the graph does not have the change yet" }, files: ["a.md", "b.md"] });
  expect(((await ask("list")).asOf as { time: string }).time <= current).toBe(true);
  expect(await ask("graph_action")).toEqual({});
  // Known, and being resolved.
  hubAnswers();
  await vi.advanceTimersByTimeAsync(10);
  expect(await ask("list")).toMatchObject({ asOf: { files: ["b.md", "c.ts"] }, files: ["a.md", "b.md"] });
  expect(await ask("missing")).toMatchObject({ error: true, asOf: { files: ["b.md", "c.ts"] } });
  parsed();
  await vi.advanceTimersByTimeAsync(10);
  expect(await ask("list")).toEqual({ files: ["a.md", "b.md", "c.ts"] });
  // One that began before.
  slowEnds();
  await vi.advanceTimersByTimeAsync(0);
  expect(answers(replies).at(-1)).toMatchObject({ id: "slow", json: expect.stringContaining("changed while this was answered") as string });
  send({ type: "folder", there: false, key: "k", storageKey: "" });
  expect(await ask("list")).toMatchObject({ asOf: { why: expect.stringContaining("--repo") as string } });
  vi.useRealTimers();
});

test("every answer from a copy says how old it is", async () => {
  const { engine, replies, call } = engineOf({ tools: { list: (_, { codebase }) => ({ files: codebase.files.paths }) } });
  await engine.handle({ type: "load", source: { kind: "files", name: "picked", files: [] } });
  call("list");
  await later(1);
  const reply = answers(replies).at(-1)!;
  expect(JSON.parse((reply as { json: string }).json)).toEqual({ asOf: { time: expect.any(String) as string, why: expect.stringContaining("copy") as string }, files: ["a.md", "docs/b.md"] });
  await load(engine);
  call("list");
  await later(1);
  expect((answers(replies).at(-1) as { json: string }).json).not.toContain("asOf");
});

test("a folder that was kept opens again without parsing what is as it was", async () => {
  vi.useFakeTimers();
  const store = storage();
  const folder = folderOf({ "a.ts": "export function a() {}", "b.ts": 'import { a } from "./a";\na();' });
  const visit = async (build: string): Promise<{ parsed: string[]; searched: number[][]; loaded: Extract<EngineEvent, { type: "loaded" }>; edges: number; asked: number; parsers: number }> => {
    const parsed: string[] = [];
    let parsers = 0;
    const searched: number[][] = [];
    const asked = folder.asked.length;
    const { engine, events, replies, call } = engineOf({
      open: folder.open,
      parsers: () => {
        parsers++;
        return { parse: (path, text) => { parsed.push(path); return parseHere(path, text); }, warm: () => undefined, rest: () => undefined, close: () => { parsers--; } };
      },
      cache: { of: new Cache(store, build, storageKey), key: () => Promise.resolve(folder.id) },
      packSearch: ({ files }) => [Uint8Array.of(7), Uint8Array.of(files.paths.length)],
      unpackSearch: (_, index) => searched.push([...index]),
      tools: { calls: (_, { codebase: { graph } }) => ({ calls: graph.in(graph.find("Function:a.ts:a")!, "CALLS").length }) },
    });
    const loading = load(engine);
    // Parsing is real, and takes real time.
    await vi.waitFor(() => expect(events.some((e) => e.type === "loaded" || e.type === "failed")).toBe(true), { interval: 5, timeout: 10_000 });
    await vi.advanceTimersByTimeAsync(10);
    await loading;
    await vi.advanceTimersByTimeAsync(20_000);
    call("calls");
    await vi.advanceTimersByTimeAsync(1);
    const [answer] = answers(replies) as [Extract<EngineReply, { type: "result" }>];
    return { parsed, searched, loaded: events.find((e) => e.type === "loaded")!, edges: (JSON.parse(answer.json) as { calls: number }).calls, asked: folder.asked.length - asked, parsers };
  };
  // Parsers stay open for the edits that follow.
  expect(await visit("one")).toMatchObject({ parsed: ["a.ts", "b.ts"], searched: [], edges: 1, parsers: 1 });
  expect([...store.kept.keys()]).toEqual(["folder-1"]);
  const again = await visit("one");
  expect(again).toMatchObject({ parsed: [], searched: [[7, 2]], edges: 1, parsers: 1 });
  expect(again.loaded.phases.map(({ phase }) => phase)).toEqual(["read"]);
  // What changed meanwhile, and only that.
  folder.files = { ...folder.files, "c.ts": 'import { a } from "./a";\nexport const c = () => a();' };
  expect(await visit("one")).toMatchObject({ parsed: ["c.ts"], searched: [], edges: 2 });
  expect(await visit("one")).toMatchObject({ parsed: [], searched: [[7, 3]], edges: 2 });
  // Another build of the app, and bytes that are no snapshot: as if nothing had been kept.
  expect((await visit("two")).parsed).toHaveLength(3);
  const whole = store.kept.get("folder-1")!;
  const bytes = new Uint8Array(await whole.arrayBuffer());
  const other = (at: number): Blob => new Blob([bytes.slice(0, at), new Uint8Array([bytes[at]! ^ 4]), bytes.slice(at + 1)]);
  for (const damaged of [new Blob([]), new Blob(["{"]), whole.slice(0, -1), whole.slice(1), whole.slice(0, whole.size >> 1), ...[0.01, 0.2, 0.4, 0.6, 0.8].map((part) => other(Math.floor(part * bytes.length))), other(bytes.length - 40)]) {
    store.kept.set("folder-1", damaged);
    expect(await visit("two")).toMatchObject({ parsed: { length: 3 }, edges: 2 });
  }
  store.read = () => Promise.reject(new Error("private window"));
  store.write = () => Promise.reject(new Error("private window"));
  expect(await visit("two")).toMatchObject({ parsed: { length: 3 }, edges: 2 });
  vi.useRealTimers();
});

test("a load that is replaced while it restores a kept graph closes its parsers", async () => {
  vi.useFakeTimers();
  const folder = folderOf({ "a.md": "one" });
  const cache = { of: new Cache(storage(), "one", storageKey), key: () => Promise.resolve(folder.id) };
  const first = engineOf({ open: folder.open, cache });
  const kept = load(first.engine);
  await vi.advanceTimersByTimeAsync(20_000);
  await kept;

  const open = new Set<number>();
  let made = 0;
  const { engine, replies } = engineOf({
    open: folder.open, cache,
    parsers: () => {
      const id = made++;
      open.add(id);
      return { parse: () => Promise.resolve({ reason: "" }), warm: () => undefined, rest: () => undefined, close: () => void open.delete(id) };
    },
  });
  let second: Promise<void> | undefined;
  const push = replies.push.bind(replies);
  replies.push = (reply) => {
    if (reply.type === "context" && reply.context?.state === "ready") second ??= engine.handle({ type: "load", source: { kind: "hub", url: "http://y/" } });
    return push(reply);
  };
  const replaced = load(engine);
  await vi.advanceTimersByTimeAsync(1_000);
  await replaced;
  await second;
  expect([...open]).toEqual([1]);
  vi.useRealTimers();
});

test("a folder that is left while it is being kept is not recalled", async () => {
  vi.useFakeTimers();
  const recalled = vi.spyOn(Workspace.prototype, "recall").mockClear();
  const store = storage();
  let written: () => void = () => undefined;
  store.write = () => new Promise((resolve) => { written = resolve; });
  const folder = folderOf({ "a.md": "one" });
  let opened = 0;
  const { engine } = engineOf({
    open: (...args) => (opened++ < 2 ? folder.open(...args) : Promise.resolve(repositoryOf({ "z.md": "" }, "other"))),
    cache: { of: new Cache(store, "one", storageKey), key: () => Promise.resolve(folder.id) },
  });
  const loading = load(engine);
  await vi.advanceTimersByTimeAsync(100);
  await loading;
  await vi.advanceTimersByTimeAsync(8_000);
  const next = load(engine);
  await vi.advanceTimersByTimeAsync(100);
  await next;
  written();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(opened).toBe(3);
  expect(recalled).not.toHaveBeenCalled();
  vi.useRealTimers();
});

test("a call that comes while a kept graph is opened waits for it, and where none is kept for the one that is made", async () => {
  vi.useFakeTimers();
  const store = storage();
  const folder = folderOf({ "a.md": "one" });
  const visit = async (kept: boolean): Promise<EngineReply[]> => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => { open = resolve; });
    const { engine, events, replies, call } = engineOf({
      open: async (...args) => {
        if (!kept) await gate;
        return folder.open(...args);
      },
      cache: { of: new Cache(store, "one", storageKey), key: async () => { if (kept) await gate; return folder.id; } },
      tools: { list: (_, { codebase }) => ({ files: codebase.files.paths }) },
    });
    // The page says what it will load before the server has greeted it.
    await engine.handle({ type: "expect", source: SOURCE });
    call("list");
    // The view hears of the server by a longer way than its first call takes.
    await vi.advanceTimersByTimeAsync(1_000);
    const loading = load(engine);
    await vi.advanceTimersByTimeAsync(20);
    expect(answers(replies)).toEqual([]);
    open();
    await vi.waitFor(() => expect(events.some((e) => e.type === "loaded" || e.type === "failed")).toBe(true), { interval: 5, timeout: 10_000 });
    await loading;
    await vi.advanceTimersByTimeAsync(20_000);
    return answers(replies);
  };
  expect(await visit(false)).toEqual([{ type: "result", id: "c1", json: '{"files":["a.md"]}' }]);
  expect(store.kept.size).toBe(1);
  const asked = folder.asked.length;
  expect(await visit(true)).toEqual([{ type: "result", id: "c1", json: '{"files":["a.md"]}' }]);
  expect(folder.asked[asked]).toEqual({ "a.md": "v:one" });
  vi.useRealTimers();
});

test("a call that waits for the folder of a server which has none is told that nothing is loaded", async () => {
  const { engine, replies, call, send } = engineOf({ tools: { list: () => ({}) } });
  await engine.handle({ type: "expect", source: SOURCE });
  call("list");
  await later(20);
  expect(answers(replies)).toEqual([]);
  send({ type: "folder", there: false, key: "", storageKey: "" });
  await later(1);
  expect(answers(replies)).toEqual([{ type: "error", id: "c1", retryable: false, message: "No repository is loaded in the graph app. Ask the user to open one there." }]);
});
