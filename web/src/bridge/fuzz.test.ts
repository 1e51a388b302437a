import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeCrypt, FakeHub, keyOf } from "../../test/fake-hub.ts";
import type { EngineRequest } from "../messages.ts";
import { challenge, type Fetch } from "./check.ts";
import { Link } from "./link.ts";
import { exchange } from "./pairing.ts";
import { FrameError, parseFrame } from "./protocol.ts";

/**
 * The page before a hub that may say anything, well-formed or not. Seeded: a failure names its seed, and
 * GITNEXUS_FUZZ_SEED runs that one alone. GITNEXUS_FUZZ_CASES says how many; the Go side has `make fuzz`.
 */
const only = process.env.GITNEXUS_FUZZ_SEED;
const cases = Number(process.env.GITNEXUS_FUZZ_CASES ?? 100);
const seeds = only === undefined ? Array.from({ length: cases }, (_, i) => i + 1) : [Number(only)];

beforeEach(() => void vi.useFakeTimers({ now: 1_790_000_000_000 }));
afterEach(() => void vi.useRealTimers());

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Chance {
  readonly random: () => number;
  constructor(seed: number) {
    this.random = numbers(seed);
  }
  below(n: number): number {
    return Math.floor(this.random() * n);
  }
  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** Any JSON value. */
  value(depth = 0): unknown {
    switch (this.below(depth > 2 ? 7 : 9)) {
      case 0: return null;
      case 1: return this.random() < 0.5;
      case 2: return this.one([0, -1, 1.5, 2 ** 53, 1e308, -0]);
      case 3: return this.one(["", "c1", "hello", "ping-1", "tools/call", "\u0000", "\ud800", "é😀", "__proto__"]);
      case 4: return "x".repeat(this.below(500));
      case 5: return this.below(100_000);
      case 6: return {};
      case 7: return Array.from({ length: this.below(4) }, () => this.value(depth + 1));
      default: return this.object(depth + 1);
    }
  }
  private object(depth: number): Record<string, unknown> {
    const keys = ["jsonrpc", "id", "method", "params", "result", "error", "message", "_meta", "deadlineMs", "__proto__", "constructor"];
    return Object.fromEntries(Array.from({ length: this.below(4) }, () => [this.one(keys), this.value(depth)]));
  }

  /** A frame of the protocol, to a page that knows a few calls. */
  good(): Record<string, unknown> {
    const id = `c${this.below(6)}`;
    const call = {
      id, method: "tools/call",
      params: { name: this.one(["search", "diff"]), arguments: { q: this.value(2) }, _meta: { agent: "a", deadlineMs: this.one([0, 1, 50, 60_000]), progressToken: id } },
    };
    return this.one<Record<string, unknown>>([
      call, call, call,
      { method: "notifications/cancelled", params: { requestId: id, reason: "enough" } },
      { method: "bridge/agents", params: { agents: [{ name: "a", pid: 7 }] } },
      { method: "bridge/alerts", params: { alerts: [{ graph: "shop", code: "TIMEOUT", since: 5, message: "m", advice: "a" }] } },
      { id: "p", method: "ping" },
      { id: "ping-1", result: {} },
      { id: "hello", result: { version: "1", pid: 2, heartbeatMs: 15_000, repo: "", key: "k", storageKey: "s", backoff: { baseMs: 500, capMs: 60_000, jitter: "full" } } },
      { id: "hello", error: { code: 1, message: "too old" } },
    ]);
  }

  /** What a hub might say: often right, sometimes nearly, sometimes not at all. */
  frame(): unknown {
    const frame: Record<string, unknown> = { jsonrpc: "2.0", ...this.good() };
    const text = (): string => JSON.stringify(frame);
    switch (this.below(10)) {
      case 0: {
        const holder = this.one([frame, frame.params, (frame.params as { _meta?: unknown } | undefined)?._meta]);
        if (typeof holder !== "object" || holder === null) return text();
        const keys = Object.keys(holder);
        (holder as Record<string, unknown>)[this.one(keys.length > 0 ? keys : ["x"])] = this.value();
        return text();
      }
      case 1: {
        const whole = text();
        const at = this.below(whole.length);
        return whole.slice(0, at) + this.one(["", "\u0000", '"', "}", "9", "\ud800"]) + whole.slice(at + this.below(3));
      }
      case 2: return this.one<unknown>([new ArrayBuffer(4), "", "{", JSON.stringify(this.value()), JSON.stringify({ jsonrpc: "2.0", ...(this.value() as object | null) })]);
      default: return text();
    }
  }
}

/** The id of the call that a frame is, if it is one. */
function callIn(data: unknown): string | undefined {
  try {
    const frame = parseFrame(data);
    return frame.kind === "call" ? frame.call.id : undefined;
  } catch {
    return undefined;
  }
}

/** Gives an error the seed that found it. */
async function each(check: (chance: Chance) => unknown): Promise<void> {
  for (const seed of seeds) {
    try {
      await check(new Chance(seed));
    } catch (error) {
      throw new Error(`GITNEXUS_FUZZ_SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
}

test("any frame is understood or refused with a status that a page may send", { timeout: 600_000 }, () =>
  each((chance) => {
    for (let i = 0; i < 50; i++) {
      const data = chance.frame();
      try {
        parseFrame(data);
      } catch (error) {
        expect(error, String(data)).toBeInstanceOf(FrameError);
        expect([4007, 4008]).toContain((error as FrameError).status);
      }
    }
  }));

test("any conversation leaves the page whole", { timeout: 600_000 }, () => each(conversation));

async function conversation(chance: Chance): Promise<void> {
  const hub = new FakeHub();
  const engine: EngineRequest[] = [];
  let unsettled = 0;
  const link = new Link({
    version: "0.1.0", session: "tab-1", connect: hub.connect, fetch: hub.fetch, crypt: fakeCrypt,
    toEngine: (request) => engine.push(request),
    emit: (event) => (unsettled += event.type === "call" ? 1 : event.type === "settled" ? -1 : 0),
    backoff: { random: chance.random },
  });
  link.start("ws://127.0.0.1:54319/", keyOf("secret"));
  link.reply({ type: "context", context: null, tools: ["search"] });

  /** How often each link has brought each call. */
  const brought = new Map<object, string[]>();
  for (let step = 0; step < 60; step++) {
    await vi.advanceTimersByTimeAsync(chance.one([0, 0, 0, 10, 1000, 70_000]));
    const { id } = engine.findLast((r) => r.type === "call") ?? {};
    switch (chance.below(6)) {
      case 0:
        if (id !== undefined) link.reply({ type: "result", id, json: '{"n":1}' });
        break;
      case 1:
        if (id !== undefined) link.reply({ type: "error", id, message: "no", retryable: false });
        break;
      case 2:
        if (chance.below(4) === 0) hub.link.end(chance.one([1000, 1001, 1006, 1007, 1008, 1009, 1013]), "chance");
        break;
      default: {
        const data = chance.frame();
        const call = callIn(data);
        if (call !== undefined) brought.set(hub.link, [...(brought.get(hub.link) ?? []), call]);
        hub.link.sayRaw(data);
      }
    }
  }

  for (const l of hub.links) {
    expect(l.lost, "sent into a closed link").toEqual([]);
    expect(l.sent("bridge/hello").length).toBeLessThanOrEqual(1);
    const calls = brought.get(l) ?? [];
    for (const id of new Set(calls)) {
      expect(l.sent(id).length, `answers to ${id}`).toBeLessThanOrEqual(calls.filter((c) => c === id).length);
    }
  }
  // However it was treated, it connects again, unless it was told that it cannot.
  link.retry();
  await vi.advanceTimersByTimeAsync(130_000);
  const before = hub.links.length;
  hub.token = "another";
  link.useKey(keyOf("another"));
  await vi.advanceTimersByTimeAsync(0);
  expect(hub.links.length).toBe(before + 1);
  expect(hub.link.sent("bridge/context")).toHaveLength(1);
  hub.link.callTool("last", "search");
  link.reply({ type: "result", id: "last", json: "{}" });
  expect(hub.link.sent("last")).toHaveLength(1);
  link.stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(unsettled, "calls that the view still shows as running").toBe(0);
  expect(vi.getTimerCount(), "timers left").toBe(0);
}

test("nobody without the key passes for the hub, whatever is answered", async () => {
  for (const seed of seeds) {
    const chance = new Chance(seed);
    const page = { role: "page", ...keyOf("secret") } as const;
    const secret = `${"s".repeat(42)}A`;
    const asked: string[] = [];
    const hostile: Fetch = (url) => {
      asked.push(url);
      const body = chance.one([
        JSON.stringify({ version: "3", proof: chance.value(), nonce: chance.value() }),
        JSON.stringify({ version: "3", proof: "0".repeat(64), nonce: "0123456789abcdef" }),
        JSON.stringify({ page: chance.one(["0123456789abcdef", chance.value()]) }),
        JSON.stringify({ error: chance.value(), reason: chance.one(["page", "version", chance.value()]) }),
        JSON.stringify(chance.value()) + chance.one(["", "}"]),
      ]);
      return chance.below(10) === 0 ? Promise.reject(new Error("reset")) : Promise.resolve({ status: chance.one([200, 200, 200, 403, 404, 500]), text: () => Promise.resolve(body) });
    };
    const signal = new AbortController().signal;
    const proved = challenge("ws://127.0.0.1:54319/", page, fakeCrypt, hostile, signal);
    const paired = exchange("ws://127.0.0.1:54319/", `0123456789abcdef.${secret}`, chance.one([undefined, page.id]), fakeCrypt, hostile, signal);
    await vi.advanceTimersByTimeAsync(70_000);
    expect((await proved).ok, `seed ${seed}`).toBe(false);
    expect((await paired).ok, `seed ${seed}`).toBe(false);
    expect(asked.filter((url) => url.includes(secret) || url.includes("/api/pair")), `seed ${seed}`).toEqual([]);
  }
});
