import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EngineRequest, LinkEvent } from "../messages.ts";
import { Answers, type Frame } from "./answers.ts";
import { Calls } from "./calls.ts";
import type { Call } from "./protocol.ts";

let engine: EngineRequest[];
let events: LinkEvent[];
let sent: { id?: string; method?: string; params?: object; result?: object; error?: { code: number; message: string; data?: object } }[];
let calls: Calls;

beforeEach(() => {
  vi.useFakeTimers({ now: 5_000_000 });
  engine = [];
  events = [];
  sent = [];
  calls = make();
});
afterEach(() => void vi.useRealTimers());

function make(maxFrame?: number, answers?: Answers): Calls {
  return new Calls({
    toEngine: (r) => engine.push(r),
    emit: (e) => events.push(e),
    ...(maxFrame === undefined ? {} : { maxFrame }),
    ...(answers === undefined ? {} : { answers }),
  });
}
const text = (frame: Frame): string => (typeof frame === "string" ? frame : frame.text());
const send = (frame: Frame): void => void sent.push(JSON.parse(text(frame)) as (typeof sent)[number]);
const aCall = (id: string, more: Partial<Call> = {}): Call => ({ id, name: "search", arguments: { q: 1 }, agent: "a", deadlineMs: 1000, ...more });
const settled = (): LinkEvent[] => events.filter((e) => e.type === "settled");

test("the view hears of a call and of its end", () => {
  calls.call(aCall("c"), send);
  vi.advanceTimersByTime(40);
  calls.reply({ type: "result", id: "c", json: '{"t":"ä€😀"}' });
  expect(events).toEqual([
    { type: "call", id: "c", name: "search", agent: "a", arguments: { q: 1 }, startedAt: 5_000_000 },
    { type: "settled", id: "c", outcome: "ok", ms: 40, bytes: 17, answer: '{"t":"ä€😀"}' },
  ]);
  expect(sent).toEqual([{ jsonrpc: "2.0", id: "c", result: { structuredContent: { t: "ä€😀" } } }]);
});

test("the view gets what was told as a text as an object, too, and the hub does not", () => {
  calls.call(aCall("c"), send);
  calls.reply({ type: "result", id: "c", json: '"a\\nb"', object: '{"a":"b"}' });
  expect(settled()).toMatchObject([{ answer: '"a\\nb"', object: '{"a":"b"}' }]);
  expect(sent).toEqual([{ jsonrpc: "2.0", id: "c", result: { structuredContent: "a\nb" } }]);
});

test("a tool's failure keeps its words and what an agent can do", () => {
  calls.call(aCall("c"), send);
  calls.reply({ type: "error", id: "c", message: "No such file.", retryable: true, details: { candidates: ["a.ts"] } });
  expect(sent).toEqual([
    { jsonrpc: "2.0", id: "c", error: { code: -32000, message: "No such file.", data: { retryable: true, details: { candidates: ["a.ts"] } } } },
  ]);
  expect(settled()).toEqual([{ type: "settled", id: "c", outcome: "error", ms: 0, bytes: 0, message: "No such file." }]);
});

test("a tool that the page does not have never reaches the engine", () => {
  calls.setTools(["search"]);
  calls.call(aCall("c", { name: "diff" }), send);
  expect(engine).toEqual([]);
  expect(sent[0]?.error).toEqual({ code: -32601, message: 'This page has no tool named "diff".' });
  expect(settled()).toMatchObject([{ outcome: "error" }]);
});

test("progress goes to a call that wants it, in the hub's token", () => {
  calls.call(aCall("quiet"), send);
  calls.call(aCall("loud", { progressToken: "t" }), send);
  expect(engine.map((r) => r.type === "call" && r.wantsProgress)).toEqual([false, true]);
  for (const id of ["quiet", "loud", "nobody"]) calls.reply({ type: "progress", id, progress: 1, total: 3, message: "depth 1" });
  expect(sent).toEqual([
    { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: "t", progress: 1, total: 3, message: "depth 1" } },
  ]);
});

test("a cancelled call settles once, and a late answer is dropped", () => {
  calls.call(aCall("c"), send);
  calls.cancel("c", "enough");
  calls.cancel("c", "enough");
  calls.cancel("unknown", "enough");
  calls.reply({ type: "result", id: "c", json: "{}" });
  expect(engine.slice(1)).toEqual([{ type: "cancel", id: "c", reason: "enough" }]);
  expect(settled()).toEqual([{ type: "settled", id: "c", outcome: "cancelled", ms: 0, bytes: 0, message: "enough" }]);
  expect(sent).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test("the deadline stops the engine and answers nothing: the hub has its own clock", () => {
  calls.call(aCall("c", { deadlineMs: 1000 }), send);
  vi.advanceTimersByTime(999);
  expect(engine).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(engine[1]).toEqual({ type: "cancel", id: "c", reason: "its time is over" });
  expect(settled()).toMatchObject([{ outcome: "timeout", ms: 1000 }]);
  calls.reply({ type: "result", id: "c", json: "{}" });
  expect(sent).toEqual([]);
});

test("an engine that gives up at the deadline is late, not wrong", () => {
  calls.call(aCall("c", { deadlineMs: 1000 }), send);
  vi.setSystemTime(Date.now() + 1000);
  calls.reply({ type: "error", id: "c", message: "stopped", retryable: false });
  expect(settled()).toMatchObject([{ outcome: "timeout" }]);
  expect(sent).toEqual([]);
});

test.each([2 ** 40, 0, -5])("a deadline of %d ms is understood", (deadlineMs) => {
  calls.call(aCall("c", { deadlineMs }), send);
  vi.advanceTimersByTime(1);
  expect(settled()).toHaveLength(deadlineMs > 0 ? 0 : 1);
});

test("a call that is sent again takes the new deadline, way and progress token", () => {
  calls.call(aCall("c", { deadlineMs: 1000 }), () => expect.unreachable());
  calls.detach();
  vi.advanceTimersByTime(900);
  calls.reply({ type: "progress", id: "c", progress: 1 });
  calls.call(aCall("c", { deadlineMs: 2000, progressToken: "t2" }), send);
  vi.advanceTimersByTime(1900);
  calls.reply({ type: "progress", id: "c", progress: 2 });
  calls.reply({ type: "result", id: "c", json: "{}" });
  expect(sent.map((f) => f.method ?? f.id)).toEqual(["notifications/progress", "c"]);
  expect(engine.filter((r) => r.type === "call")).toHaveLength(1);
  expect(events.filter((e) => e.type === "call")).toHaveLength(1);
});

test.each(["result", "error"] as const)("an answered %s is remembered for two minutes, then forgotten", (kind) => {
  calls.call(aCall("c"), send);
  calls.reply(kind === "result" ? { type: "result", id: "c", json: "{}" } : { type: "error", id: "c", message: "no", retryable: false });
  calls.detach();
  vi.advanceTimersByTime(119_999);
  calls.call(aCall("c"), send);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(engine).toHaveLength(1);
  expect(settled()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  calls.call(aCall("c"), send);
  expect(engine).toHaveLength(2);
});

test("10,000 answers are remembered: more than busy agents are given while a hub is replaced", () => {
  for (let i = 0; i <= 10_000; i++) {
    calls.call(aCall(`c${i}`), send);
    calls.reply({ type: "result", id: `c${i}`, json: "{}" });
  }
  engine = [];
  calls.call(aCall("c1"), send);
  expect(engine).toHaveLength(0);
  calls.call(aCall("c0"), send);
  expect(engine).toHaveLength(1);
});

test("50 MB are remembered", () => {
  const json = JSON.stringify("x".repeat(20_000_000));
  for (const id of ["a", "b", "c"]) {
    calls.call(aCall(id), () => undefined);
    calls.reply({ type: "result", id, json });
  }
  engine = [];
  calls.call(aCall("c"), () => undefined);
  calls.call(aCall("b"), () => undefined);
  expect(engine).toHaveLength(0);
  calls.call(aCall("a"), () => undefined);
  expect(engine).toHaveLength(1);
});

test("an answer over the limit becomes an error that says so, before it breaks the link", () => {
  calls = make(1000);
  calls.call(aCall("c"), send);
  calls.reply({ type: "result", id: "c", json: JSON.stringify("x".repeat(1_200_000)) });
  expect(sent[0]?.error?.message).toContain("1.2 MB");
  expect(settled()).toMatchObject([{ outcome: "error" }]);
});

test("a hub that takes less than that teaches the page its limit", () => {
  calls.call(aCall("large"), send);
  calls.reply({ type: "result", id: "large", json: JSON.stringify("x".repeat(3000)) });
  calls.refuseLargest();
  calls.detach();
  for (const id of ["large", "next"]) calls.call(aCall(id), send);
  calls.reply({ type: "result", id: "next", json: JSON.stringify("x".repeat(2999)) });
  expect(sent[1]?.error?.data).toEqual({ retryable: false });
  expect(sent[2]?.result).toBeDefined();
  calls.detach();
  calls.refuseLargest(); // Nothing was sent on this link: nothing to learn.
  calls.call(aCall("next"), send);
  expect(sent[3]?.result).toBeDefined();
});

test("a large answer is not looked into", () => {
  const frames: Frame[] = [];
  calls.call(aCall("c"), (frame) => frames.push(frame));
  calls.reply({ type: "result", id: "c", json: "{not even JSON}" });
  expect(frames).toEqual(['{"jsonrpc":"2.0","id":"c","result":{"structuredContent":{not even JSON}}}']);
});

test("what is large is handed on as bytes, remembered, and bounded as any other", () => {
  calls = make(400_000);
  const frames: Frame[] = [];
  const keep = (frame: Frame): void => void frames.push(frame);
  const json = JSON.stringify({ text: "ä".repeat(140_000) });
  for (const id of ["text", "bytes"]) calls.call(aCall(id), keep);
  calls.reply({ type: "result", id: "text", json });
  calls.reply({ type: "large", id: "bytes", json: new TextEncoder().encode(json) });
  calls.call(aCall("bytes"), keep);
  expect(frames.map((frame) => typeof frame)).toEqual(["object", "object", "object"]);
  const [first, ...others] = frames.map(text);
  expect(first).toBe(`{"jsonrpc":"2.0","id":"text","result":{"structuredContent":${json}}}`);
  for (const other of others) expect(other).toBe(first!.replace("text", "bytes"));
  expect(settled()).toMatchObject([{ outcome: "ok", bytes: 280_011 }, { outcome: "ok", bytes: 280_011 }]);

  calls.call(aCall("more"), send);
  calls.reply({ type: "large", id: "more", json: new Uint8Array(400_000) });
  expect(sent.at(-1)?.error?.message).toMatch(/0\.4 MB/);
});

test("an engine that dies answers none of its calls, and the next one is asked", () => {
  calls.call(aCall("a"), send);
  calls.call(aCall("b"), send);
  calls.engineDied("The engine has stopped: x", true);
  expect(sent.map(({ id, error }) => [id, error?.code, error?.data])).toEqual([["a", -32000, { retryable: true }], ["b", -32000, { retryable: true }]]);
  expect(sent[0]!.error!.message).toContain("The engine has stopped: x while it worked on this.");
  expect(settled()).toMatchObject([{ id: "a", outcome: "error" }, { id: "b", outcome: "error" }]);
  calls.reply({ type: "result", id: "a", json: "1" });
  expect(sent).toHaveLength(2);
  calls.call(aCall("c"), send);
  expect(engine.at(-1)).toMatchObject({ type: "call", id: "c" });
  calls.reply({ type: "result", id: "c", json: "1" });
  expect(sent.at(-1)).toEqual({ jsonrpc: "2.0", id: "c", result: { structuredContent: 1 } });
});

test("without an engine every call is told so at once", () => {
  calls.call(aCall("a"), send);
  calls.engineDied("The engine has stopped: x", false);
  calls.call(aCall("b"), send);
  expect(engine.filter(({ type }) => type === "call")).toHaveLength(1);
  expect(sent.map(({ id, error }) => [id, error?.data])).toEqual([["a", { retryable: false }], ["b", { retryable: false }]]);
  expect(sent[1]!.error!.message).toContain("Ask the user to reload the graph app's page.");
});
