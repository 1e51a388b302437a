import { describe, expect, test } from "vitest";
import {
  contextFrame, errorFrame, FRONT_FRAME, FrameError, helloFrame, parseFrame, pingFrame, pongFrame, progressFrame, resultFrame,
} from "./protocol.ts";

const frame = (members: object): string => JSON.stringify({ jsonrpc: "2.0", ...members });

describe("what the hub sends", () => {
  test("a call", () => {
    const params = { name: "search", arguments: { query: "auth" }, _meta: { agent: "claude-ai", deadlineMs: 59_800, progressToken: "c1" } };
    expect(parseFrame(frame({ id: "c1", method: "tools/call", params }))).toEqual({
      kind: "call",
      call: { id: "c1", name: "search", arguments: { query: "auth" }, agent: "claude-ai", deadlineMs: 59_800, progressToken: "c1" },
    });
  });

  test("a call without agent, arguments and progress, and with members of a later version", () => {
    const params = { name: "overview", later: 1, _meta: { deadlineMs: 1, readOnly: true } };
    expect(parseFrame(frame({ id: "c", method: "tools/call", params, later: [] }))).toEqual({
      kind: "call",
      call: { id: "c", name: "overview", arguments: {}, agent: "", deadlineMs: 1 },
    });
  });

  test.each([
    [{ method: "notifications/cancelled", params: { requestId: "c1", reason: "enough" } }, { kind: "cancel", id: "c1", reason: "enough" }],
    [{ method: "notifications/cancelled", params: { requestId: "c1" } }, { kind: "cancel", id: "c1", reason: "" }],
    [{ method: "bridge/agents", params: { agents: [{ name: "a", pid: 7 }] } }, { kind: "agents", agents: [{ name: "a", pid: 7 }], unproven: 0 }],
    [{ method: "bridge/agents", params: { agents: null, unproven: 2 } }, { kind: "agents", agents: [], unproven: 2 }],
    [{ method: "bridge/alerts", params: { alerts: [] } }, { kind: "alerts", alerts: [] }],
    [
      { method: "bridge/alerts", params: { alerts: [{ graph: "", code: "TIMEOUT", since: 5, message: "m", advice: "a", later: 1 }] } },
      { kind: "alerts", alerts: [{ graph: "", code: "TIMEOUT", since: 5, message: "m", advice: "a" }] },
    ],
    [{ method: "bridge/repo" }, { kind: "repo" }],
    [{ method: "bridge/folders", params: { folders: [{ id: "1", name: "shop", open: true }, { id: "2", name: "till" }] } }, { kind: "folders", folders: [{ id: "1", name: "shop", open: true }, { id: "2", name: "till", open: false }] }],
    [{ id: "p", method: "ping" }, { kind: "ping", id: "p" }],
    [{ id: "ping-3", result: {} }, { kind: "pong" }],
    [{ id: "ping-3", error: { code: -32601, message: "no" } }, { kind: "pong" }],
    [
      { id: "hello", result: { version: "1", pid: 2, heartbeatMs: 3, repo: "", key: "k", storageKey: "s" } },
      { kind: "welcome", welcome: { version: "1", pid: 2, heartbeatMs: 3, repo: "", key: "k", storageKey: "s", parts: 0 } },
    ],
    [
      { id: "hello", result: { version: "1", pid: 2, heartbeatMs: 3, repo: "", key: "k", storageKey: "s", backoff: { baseMs: 20, capMs: 3000, jitter: "15%" } } },
      { kind: "welcome", welcome: { version: "1", pid: 2, heartbeatMs: 3, repo: "", key: "k", storageKey: "s", parts: 0, backoff: { base: 20, cap: 3000, jitter: "15%" } } },
    ],
    [
      { id: "hello", result: { version: "1", pid: 2, heartbeatMs: 3, repo: "", key: "k", storageKey: "s", parts: 65_536 } },
      { kind: "welcome", welcome: { version: "1", pid: 2, heartbeatMs: 3, repo: "", key: "k", storageKey: "s", parts: 65_536 } },
    ],
    [{ method: "bridge/taken", params: { message: 1, bytes: 65_536 } }, { kind: "taken", message: 1, bytes: 65_536 }],
    [{ id: "hello", error: { code: 1, message: "too old" } }, { kind: "refusal", message: "too old" }],
  ])("%j", (members, want) => expect(parseFrame(frame(members))).toEqual(want));
});

describe("what is refused", () => {
  const call = (params: unknown): object => ({ id: "c", method: "tools/call", params });
  const meta = { deadlineMs: 1 };
  test.each<[string, unknown, number]>([
    ["a binary frame", new ArrayBuffer(3), 4007],
    ["no JSON", "{", 4007],
    ["a batch", "[]", 4007],
    ["null", "null", 4007],
    ["another version", JSON.stringify({ jsonrpc: "1.0", method: "ping", id: "1" }), 4007],
    ["a number as id", frame({ id: 1, method: "ping" }), 4007],
    ["null as id", frame({ id: null, method: "ping" }), 4007],
    ["a number as method", frame({ id: "1", method: 5 }), 4007],
    ["nothing", frame({}), 4007],
    ["a response without id", frame({ result: {} }), 4007],
    ["a response with neither result nor error", frame({ id: "hello" }), 4007],
    ["a response with both", frame({ id: "hello", result: {}, error: { code: 1, message: "" } }), 4007],
    ["request and response", frame({ id: "1", method: "ping", result: {} }), 4007],
    ["an error without a message", frame({ id: "hello", error: {} }), 4007],
    ["an answer to nothing", frame({ id: "x", result: {} }), 4008],
    ["an unknown request", frame({ id: "1", method: "tools/list" }), 4008],
    ["an unknown notification", frame({ method: "bridge/pages", params: {} }), 4008],
    ["an inherited name as method", frame({ method: "constructor" }), 4008],
    ["a ping without id", frame({ method: "ping" }), 4007],
    ["a cancel with id", frame({ id: "1", method: "notifications/cancelled", params: { requestId: "c" } }), 4007],
    ["a cancel of nothing", frame({ method: "notifications/cancelled", params: {} }), 4007],
    ["a cancel whose reason is a number", frame({ method: "notifications/cancelled", params: { requestId: "c", reason: 1 } }), 4007],
    ["agents that are no list", frame({ method: "bridge/agents", params: { agents: {} } }), 4007],
    ["unproven that is no number", frame({ method: "bridge/agents", params: { agents: [], unproven: "2" } }), 4007],
    ["an agent that is a string", frame({ method: "bridge/agents", params: { agents: ["a"] } }), 4007],
    ["an agent without pid", frame({ method: "bridge/agents", params: { agents: [{ name: "a" }] } }), 4007],
    ["alerts that are no list", frame({ method: "bridge/alerts", params: {} }), 4007],
    ["an alert that is a string", frame({ method: "bridge/alerts", params: { alerts: ["a"] } }), 4007],
    ["an alert without advice", frame({ method: "bridge/alerts", params: { alerts: [{ graph: "", code: "TIMEOUT", since: 5, message: "m" }] } }), 4007],
    ["params that are a list", frame(call([])), 4007],
    ["a call without id", frame({ method: "tools/call", params: { name: "a", _meta: meta } }), 4007],
    ["a call without name", frame(call({ _meta: meta })), 4007],
    ["a call without _meta", frame(call({ name: "a" })), 4007],
    ["a call without a deadline", frame(call({ name: "a", _meta: {} })), 4007],
    ["a deadline in words", frame(call({ name: "a", _meta: { deadlineMs: "1" } })), 4007],
    ["arguments that are a list", frame(call({ name: "a", arguments: [], _meta: meta })), 4007],
    ["a progress token that is a number", frame(call({ name: "a", _meta: { ...meta, progressToken: 1 } })), 4007],
    ["a hello without heartbeat", frame({ id: "hello", result: { version: "1", pid: 2, repo: "" } }), 4007],
    ["parts of no use", frame({ id: "hello", result: { version: "1", pid: 2, heartbeatMs: 3, repo: "", key: "k", storageKey: "s", parts: 1 } }), 4007],
    ["taken with id", frame({ id: "1", method: "bridge/taken", params: { message: 1, bytes: 1 } }), 4007],
    ["taken of nothing", frame({ method: "bridge/taken", params: { bytes: 1 } }), 4007],
    ...[{ baseMs: 0, capMs: 1, jitter: "full" }, { baseMs: 2, capMs: 1, jitter: "full" }, { baseMs: 1, capMs: 1e9, jitter: "none" },
      { baseMs: 1, capMs: 1, jitter: "some" }, { baseMs: 1, capMs: 1 }, "full"].map((backoff): [string, string, number] =>
      [`the schedule ${JSON.stringify(backoff)}`, frame({ id: "hello", result: { version: "1", pid: 2, heartbeatMs: 3, repo: "", key: "k", storageKey: "s", backoff } }), 4007]),
    ["a heartbeat of 0", frame({ id: "hello", result: { version: "1", pid: 2, heartbeatMs: 0, repo: "" } }), 4007],
    ["a hello answered by a string", frame({ id: "hello", result: "hi" }), 4007],
  ])("%s", (_, data, status) => {
    let error: unknown;
    try {
      parseFrame(data);
    } catch (e) {
      error = e;
    }
    expect(error).toBeInstanceOf(FrameError);
    expect((error as FrameError).status).toBe(status);
    expect((error as FrameError).message).not.toBe("");
  });

  test("any cut of a good frame", () => {
    const whole = frame({ id: "c", method: "tools/call", params: { name: "a", arguments: { q: "ä" }, _meta: meta } });
    for (let end = 0; end < whole.length; end++) expect(() => parseFrame(whole.slice(0, end))).toThrow(FrameError);
  });
});

describe("what the page sends, as docs/protocol.md has it", () => {
  test.each<[string, object]>([
    [helloFrame("0.1.0", "s", true), { id: "hello", method: "bridge/hello", params: { role: "page", version: "0.1.0", session: "s", follows: true, alerts: true, opens: true, parts: 524_288, reloaded: true } }],
    [helloFrame("0.1.0", "s", false, { background: "1" }), { id: "hello", method: "bridge/hello", params: { role: "page", version: "0.1.0", session: "s", follows: true, alerts: true, background: "1", parts: 524_288 } }],
    [helloFrame("0.1.0", "s", false, { behind: true }), { id: "hello", method: "bridge/hello", params: { role: "page", version: "0.1.0", session: "s", follows: true, alerts: true, opens: true, parts: 524_288, behind: true } }],
    [helloFrame("0.1.0", "s"), { id: "hello", method: "bridge/hello", params: { role: "page", version: "0.1.0", session: "s", follows: true, alerts: true, opens: true, parts: 524_288 } }],
    [contextFrame(null, ["search"]), { method: "bridge/context", params: { context: null, methods: ["search"] } }],
    [FRONT_FRAME, { method: "bridge/front" }],
    [pingFrame(4), { id: "ping-4", method: "ping" }],
    [pongFrame("x"), { id: "x", result: {} }],
    [resultFrame('a"b', '{"n":[1]}'), { id: 'a"b', result: { structuredContent: { n: [1] } } }],
    [errorFrame("c", -32601, "no"), { id: "c", error: { code: -32601, message: "no" } }],
    [
      errorFrame("c", -32000, "no", { retryable: true, details: { a: 1 } }),
      { id: "c", error: { code: -32000, message: "no", data: { retryable: true, details: { a: 1 } } } },
    ],
    [progressFrame("t", 1), { method: "notifications/progress", params: { progressToken: "t", progress: 1 } }],
    [progressFrame("t", 1, 2, "m"), { method: "notifications/progress", params: { progressToken: "t", progress: 1, total: 2, message: "m" } }],
  ])("%s", (text, want) => expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", ...want }));
});
