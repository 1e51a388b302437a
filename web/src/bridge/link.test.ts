import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fakeCrypt, FakeHub, keyOf } from "../../test/fake-hub.ts";
import type { EngineRequest, GraphContext, LinkEvent, LinkState } from "../messages.ts";
import { Link } from "./link.ts";

const URL = "ws://127.0.0.1:54319/";
const CONTEXT: GraphContext = {
  repo: "sample",
  state: "ready",
  stats: { files: 1, symbols: 1, functions: 1, classes: 0, interfaces: 0, methods: 0, nodes: 1, edges: 0, communities: 0, processes: 0 },
  languages: [],
  hotspots: [],
  indexedAt: 1,
};

let hub: FakeHub;
let link: Link;
let events: LinkEvent[];
let engine: EngineRequest[];
/** What the engine was told of the hub's folder: whether there is one. */
let folders: (boolean | "lost")[];
/** What the schedule's dice show: 1 makes every wait its ceiling. */
let dice: number;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_790_000_000_000 });
  hub = new FakeHub();
  events = [];
  engine = [];
  folders = [];
  dice = 1;
  link = new Link({
    version: "0.1.0",
    session: "tab-1",
    emit: (event) => events.push(event),
    toEngine: (request) => {
      if (request.type === "folder") folders.push(request.there);
      else if (request.type === "lost") folders.push("lost");
      else engine.push(request);
    },
    connect: hub.connect,
    fetch: hub.fetch,
    crypt: fakeCrypt,
    backoff: { random: () => dice },
  });
});

afterEach(() => {
  link.stop();
  // Calls end at their deadline, and answers are forgotten: nothing is left that runs for ever.
  vi.advanceTimersByTime(120_000);
  expect(hub.links.flatMap((l) => l.lost)).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const states = (): LinkState[] => events.flatMap((e) => (e.type === "state" ? [e.link] : []));
const state = (): LinkState => states().at(-1)!;
/** The state, which has to be of that kind. */
function stateIs<K extends LinkState["state"]>(kind: K): Extract<LinkState, { state: K }> {
  const now = state();
  expect(now.state).toBe(kind);
  return now as Extract<LinkState, { state: K }>;
}
async function connected(): Promise<void> {
  link.start(URL, keyOf("secret"));
  link.reply({ type: "context", context: CONTEXT, tools: ["search"] });
  await pass(0);
  stateIs("connected");
}
/** Milliseconds until the next try, from the state. */
const countdown = (): number => stateIs("waiting").retryAt - Date.now();

/** The page's proof on the hub's latest connection, as docs/protocol.md has it. */
async function proofOf(to: FakeHub, token: string): Promise<string> {
  const nonce = new globalThis.URL(to.checks.at(-1)!).searchParams.get("nonce");
  const hubNonce = `hub-nonce-number-${to.checks.length}`;
  const { id, key } = keyOf(token);
  const proof = await fakeCrypt.mac(key, ["gitnexus-mcp client", "54319", "page", nonce, hubNonce].join("\n"));
  return `gitnexus.proof.page.${id}.${nonce}.${hubNonce}.${proof}`;
}

describe("the hub's folder", () => {
  test("the engine hears of it with every hub, and when it changes", async () => {
    await connected();
    expect(folders).toEqual([true]);
    hub.link.say({ method: "bridge/repo" });
    expect(folders).toEqual([true, true]);
    hub.welcome.repo = "";
    hub.link.end(1006, "");
    await pass(500);
    stateIs("connected");
    // Between two hubs another program may have the port, and the key of the first is not for it.
    expect(folders).toEqual([true, true, "lost", false]);
  });
});

describe("getting connected", () => {
  test("hello comes first, then front and context; the view is told", async () => {
    hub.greets = false;
    link.start(URL, keyOf("secret"));
    link.command({ type: "front" });
    link.reply({ type: "context", context: CONTEXT, tools: ["search"] });
    await pass(0);
    expect(hub.link.url).toBe(URL);
    expect(hub.link.protocols).toEqual(["gitnexus.v2", await proofOf(hub, "secret")]);
    expect(JSON.stringify([hub.checks, hub.link.protocols])).not.toContain("secret");
    expect(hub.link.frames).toEqual([
      { jsonrpc: "2.0", id: "hello", method: "bridge/hello", params: { role: "page", version: "0.1.0", session: "tab-1", follows: true, alerts: true, opens: true, parts: 524_288 } },
    ]);
    expect(states()).toEqual([{ state: "connecting", attempt: 0 }]);

    hub.link.say({ id: "hello", result: hub.welcome });
    expect(hub.link.frames.slice(1)).toEqual([
      { jsonrpc: "2.0", method: "bridge/front" },
      { jsonrpc: "2.0", method: "bridge/context", params: { context: CONTEXT, methods: ["search"] } },
    ]);
    expect(state()).toEqual({ state: "connected", hub: { version: "1.2.3", pid: 4711, repo: "sample", key: "session-key" } });
    expect(events.at(-2)).toEqual({ type: "storageKey", key: "storage-key" });
  });

  test("the context goes out when it changes, also when nothing is loaded, and not before the engine has spoken", async () => {
    link.start(URL, keyOf("secret"));
    await pass(0);
    expect(hub.link.sent("bridge/context")).toEqual([]);
    link.reply({ type: "context", context: null, tools: ["search"] });
    link.reply({ type: "context", context: CONTEXT, tools: ["search", "grep"] });
    expect(hub.link.sent("bridge/context").map((f) => f.params)).toEqual([
      { context: null, methods: ["search"] },
      { context: CONTEXT, methods: ["search", "grep"] },
    ]);
  });

  test("front goes out at once on a link that stands, and only then", async () => {
    await connected();
    expect(hub.link.sent("bridge/front")).toHaveLength(0);
    link.command({ type: "front" });
    expect(hub.link.sent("bridge/front")).toHaveLength(1);
  });

  test("front that was said between two links is told to the next one, once", async () => {
    await connected();
    hub.link.end(1006, "");
    link.command({ type: "front" });
    for (const times of [1, 0]) {
      await pass(1000);
      stateIs("connected");
      expect(hub.link.sent("bridge/front")).toHaveLength(times);
      hub.link.end(1006, "");
    }
  });

  test("agents are passed on", async () => {
    await connected();
    hub.link.say({ method: "bridge/agents", params: { agents: [{ name: "claude-ai", pid: 9 }] } });
    expect(events.at(-1)).toEqual({ type: "agents", agents: [{ name: "claude-ai", pid: 9 }], unproven: 0 });
  });

  test("a reload of the tab is told to the first hub, and once", async () => {
    link.start(URL, keyOf("secret"), true);
    for (const reloaded of [true, undefined]) {
      await pass(1000);
      stateIs("connected");
      expect(hub.link.sent("bridge/hello")[0]?.params).toMatchObject({ session: "tab-1" });
      expect((hub.link.sent("bridge/hello")[0]?.params as { reloaded?: boolean }).reloaded).toBe(reloaded);
      hub.link.end(1006, "");
    }
  });

  test("alerts are passed on", async () => {
    await connected();
    const alerts = [{ graph: "sample", code: "TIMEOUT", since: 5, message: "calls of sample failed", advice: "Reload." }];
    hub.link.say({ method: "bridge/alerts", params: { alerts } });
    expect(events.at(-1)).toEqual({ type: "alerts", alerts });
  });

  test("a page without a key connects to nothing until it has one", async () => {
    link.start(URL, null);
    link.command({ type: "retry", why: "button" });
    await pass(100_000);
    expect(states()).toEqual([{ state: "unpaired" }]);
    expect(hub.links).toHaveLength(0);
    expect(hub.knocks).toBe(2); // at once, and after a minute
    hub.token = "new";
    link.useKey(keyOf("new"));
    await pass(0);
    stateIs("connected");
    expect(hub.link.protocols[1]).toBe(await proofOf(hub, "new"));
    await pass(100_000);
    expect(hub.knocks).toBe(2);
  });

  test("another key replaces the link, the same one leaves it alone", async () => {
    await connected();
    link.useKey(keyOf("secret"));
    expect(hub.links).toHaveLength(1);
    hub.token = "other";
    link.useKey(keyOf("other"));
    await pass(0);
    expect(hub.links[0]!.closed?.code).toBe(1000);
    expect(hub.link.protocols[1]).toBe(await proofOf(hub, "other"));
    stateIs("connected");
  });
});

describe("why a connection fails", () => {
  test("a key that was revoked: refused in the hub's words, which agents hear of, and tried again after a minute", async () => {
    hub.check = { status: 403, body: JSON.stringify({ error: "This key was revoked.", reason: "page" }) };
    link.start(URL, keyOf("secret"));
    await pass(0);
    expect(stateIs("refused").reason).toBe("This key was revoked.");
    expect(hub.knocks).toBe(1);
    hub.check = "proof";
    await pass(60_000);
    stateIs("connected");
  });

  test("a page that was not paired says why; one that has a key goes on with it", async () => {
    link.start(URL, null);
    link.notPaired("The ticket is used.");
    expect(stateIs("refused").reason).toBe("The ticket is used.");
    link.command({ type: "retry", why: "button" });
    await pass(0);
    expect(hub.links).toHaveLength(0);
    link.useKey(keyOf("secret"));
    await pass(0);
    stateIs("connected");
    link.notPaired("The ticket is used.");
    stateIs("connected");
  });

  test("who does not know the key is told nothing; the page tries again after a minute", async () => {
    hub.token = "another";
    link.start(URL, keyOf("secret"));
    await pass(0);
    expect(hub.links).toHaveLength(0);
    expect(hub.checks[0]).toMatch(/^http:\/\/127\.0\.0\.1:54319\/api\/challenge\?version=3&role=page&id=[0-9a-f]{16}&nonce=[0-9a-f]{32}$/);
    expect(stateIs("refused").reason).toContain("gitnexus-mcp open");
    await pass(59_999);
    expect(hub.checks).toHaveLength(1);
    expect(hub.knocks).toBe(1);
    hub.token = "secret";
    await pass(1);
    stateIs("connected");
  });

  test("a nonce serves one try", async () => {
    hub.check = "down";
    link.start(URL, keyOf("secret"));
    await pass(3000);
    expect(new Set(hub.checks).size).toBe(hub.checks.length);
    expect(hub.checks.length).toBeGreaterThan(1);
  });

  test("a foreign origin: refused in the hub's words, and no further tries", async () => {
    hub.check = { status: 403, body: JSON.stringify({ error: "Origin x may not connect.", reason: "origin" }) };
    link.start(URL, keyOf("secret"));
    await pass(600_000);
    expect(stateIs("refused").reason).toBe("Origin x may not connect.");
    expect(hub.checks).toHaveLength(1);
  });

  test("a hub of an older version: refused", async () => {
    hub.check = { status: 200, body: JSON.stringify({ proof: "00", nonce: "0123456789abcdef" }) };
    link.start(URL, keyOf("secret"));
    await pass(0);
    expect(stateIs("refused").reason).toContain("versions");
    expect(hub.links).toHaveLength(0);
  });

  test("the button tries again where it was refused", async () => {
    hub.check = { status: 403, body: JSON.stringify({ error: "no", reason: "origin" }) };
    link.start(URL, keyOf("secret"));
    await pass(2000);
    hub.check = "proof";
    link.command({ type: "retry", why: "button" });
    await pass(0);
    stateIs("connected");
  });

  test.each<[string, FakeHub["check"], string]>([
    ["nobody there", "down", "No gitnexus-mcp is running at 127.0.0.1:54319."],
    ["another server", { status: 404 }, "(status 404)"],
    ["another server's 403", { status: 403, body: "<html>" }, "(status 403)"],
    ["another JSON 403", { status: 403, body: "[]" }, "(status 403)"],
    ["a page in place of a proof", { status: 200, body: "<html>" }, "(status 200)"],
  ])("%s: waiting", async (_, check, words) => {
    hub.check = check;
    link.start(URL, keyOf("secret"));
    await pass(0);
    expect(stateIs("waiting").reason).toContain(words);
    expect(countdown()).toBe(500);
    expect(hub.links).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(2); // The wait and the clock: the check has left none behind.
  });

  test("a socket that fails after the proof: waiting", async () => {
    hub.admits = "no";
    link.start(URL, keyOf("secret"));
    await pass(0);
    expect(stateIs("waiting").reason).toContain("connection failed");
    expect(countdown()).toBe(500);
  });

  test("a check without an answer is given up after 5 s", async () => {
    hub.check = "silent";
    link.start(URL, keyOf("secret"));
    await pass(4999);
    stateIs("connecting");
    await pass(1);
    expect(stateIs("waiting").reason).toContain("does not answer");
  });

  test("a socket that never opens is given up after 10 s", async () => {
    hub.admits = "silent";
    link.start(URL, keyOf("secret"));
    await pass(9999);
    stateIs("connecting");
    await pass(1);
    stateIs("waiting");
    expect(hub.link.closed).not.toBeNull();
  });

  test("another key starts the schedule again", async () => {
    hub.check = "down";
    link.start(URL, keyOf("secret"));
    await pass(4000);
    link.useKey(keyOf("other"));
    expect(state()).toEqual({ state: "connecting", attempt: 0 });
    await pass(0);
    expect(countdown()).toBe(500);
  });

  test("a key that comes while the cause is looked for wins", async () => {
    hub.check = "silent";
    link.start(URL, keyOf("secret"));
    await pass(100);
    hub.check = "proof";
    hub.token = "right";
    link.useKey(keyOf("right"));
    await pass(6000);
    stateIs("connected");
    expect(hub.links).toHaveLength(1);
  });
});

describe("reconnecting", () => {
  test("follows the schedule", async () => {
    hub.admits = "no";
    hub.check = "down";
    link.start(URL, keyOf("secret"));
    const waits: number[] = [];
    for (let i = 0; i < 9; i++) {
      await pass(0);
      expect(stateIs("waiting").attempt).toBe(i + 1);
      waits.push(countdown());
      await pass(countdown() - 1);
      expect(hub.checks).toHaveLength(i + 1);
      await pass(1);
      expect(hub.checks).toHaveLength(i + 2);
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  test("follows the schedule that the hub's hello gives", async () => {
    hub.welcome = { ...hub.welcome, backoff: { baseMs: 50, capMs: 150, jitter: "none" } };
    await connected();
    dice = 0; // "none" ignores it
    hub.admits = "no";
    hub.check = "down";
    hub.link.end(1001, "");
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      await pass(0);
      waits.push(countdown());
      await pass(countdown());
    }
    expect(waits).toEqual([50, 100, 150, 150]);
  });

  test("waits are random up to the ceiling", async () => {
    dice = 0.25;
    hub.admits = "no";
    link.start(URL, keyOf("secret"));
    await pass(0);
    expect(countdown()).toBe(125);
  });

  test("a link that lived 10 s resets the schedule, one that lived less does not", async () => {
    hub.admits = "no";
    link.start(URL, keyOf("secret"));
    await pass(500); // Two failures, and the third try in a second.
    hub.admits = "yes";
    await pass(1000);
    stateIs("connected");
    await pass(9999);
    hub.link.end(1006, "");
    expect(countdown()).toBe(2000);
    await pass(2000);
    stateIs("connected");
    await pass(10_000);
    hub.link.end(1006, "");
    expect(countdown()).toBe(500);
    expect(stateIs("waiting").attempt).toBe(1);
  });

  test.each([
    [1000, "bye", "bye"],
    [1001, "", "has stopped"],
    [1006, "", "was lost"],
    [1007, "not JSON", "not JSON"],
    [1008, "unknown method", "unknown method"],
    [1009, "a message is over the limit", "over the limit"],
    [1013, "no hello", "no hello"],
    [1013, "", "hello"],
  ])("status %i %s: reconnects and says why", async (code, reason, words) => {
    await connected();
    hub.link.end(code, reason);
    expect(stateIs("waiting").reason).toContain(words);
    await pass(500);
    stateIs("connected");
    expect(hub.links).toHaveLength(2);
  });

  test("status 4001 stops for good, in the hub's words", async () => {
    await connected();
    hub.link.end(4001, "Reload the page.");
    expect(stateIs("refused").reason).toBe("Reload the page.");
    await pass(600_000);
    expect(hub.links).toHaveLength(1);
  });

  test("a hello that is refused stops for good", async () => {
    hub.greets = false;
    link.start(URL, keyOf("secret"));
    await pass(0);
    hub.link.say({ id: "hello", error: { code: -32000, message: "Too old." } });
    expect(stateIs("refused").reason).toBe("Too old.");
    expect(hub.link.closed).not.toBeNull();
  });

  test("a hello without an answer ends the try after 5 s", async () => {
    hub.greets = false;
    link.start(URL, keyOf("secret"));
    await pass(4999);
    stateIs("connecting");
    await pass(1);
    expect(stateIs("waiting").reason).toContain("hello");
    expect(hub.link.closed).not.toBeNull();
  });

  test("what selects another subprotocol is not spoken to", async () => {
    hub.protocol = "chat";
    link.start(URL, keyOf("secret"));
    await pass(0);
    expect(stateIs("waiting").reason).toContain("gitnexus.v2");
    expect(hub.link.raw).toEqual([]);
  });

  test.each<[string, unknown, number]>([
    ["no JSON", "{", 4007],
    ["a binary frame", new Uint8Array(2), 4007],
    ["an unknown method", `{"jsonrpc":"2.0","method":"bridge/${"x".repeat(300)}"}`, 4008],
    ["a second welcome", JSON.stringify({ jsonrpc: "2.0", id: "hello", result: { version: "", pid: 1, heartbeatMs: 1, repo: "", key: "", storageKey: "s" } }), 4008],
  ])("%s ends the link with a reason, and the next one is made", async (_, data, code) => {
    await connected();
    hub.link.sayRaw(data);
    expect(hub.links[0]!.closed?.code).toBe(code);
    expect(hub.links[0]!.closed?.reason).not.toBe("");
    stateIs("waiting");
    await pass(500);
    stateIs("connected");
  });

  test("a call before the welcome is no call", async () => {
    hub.greets = false;
    link.start(URL, keyOf("secret"));
    await pass(0);
    hub.link.callTool("c", "search");
    expect(engine).toEqual([]);
    expect(hub.link.closed?.code).toBe(4008);
  });

  test("a long reason in another alphabet still closes the socket", async () => {
    await connected();
    hub.link.sayRaw(`{"jsonrpc":"2.0","method":"${"日本語".repeat(20)}"}`);
    const reason = hub.link.closed?.reason ?? "";
    expect(new TextEncoder().encode(reason).length).toBeLessThanOrEqual(123);
    expect(reason).toMatch(/日本語/);
    expect(reason).not.toContain("\uFFFD");
  });

  test("after a hand-over the next hub is looked for within milliseconds, a few times, and then by the schedule", async () => {
    await connected();
    const old = hub.link;
    hub.admits = "no";
    hub.check = "down";
    hub.link.say({ method: "bridge/handover" });
    expect(old.closed?.code).toBe(1000);
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      waits.push(countdown());
      await pass(countdown());
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 500, 1000]);

    hub.admits = "yes";
    hub.check = "proof";
    await pass(countdown());
    stateIs("connected");
    // It was for that hand-over alone.
    hub.link.end(1006, "");
    expect(countdown()).toBe(4000);
  });
});

describe("trying at once", () => {
  test("ends the wait", async () => {
    hub.admits = "no";
    link.start(URL, keyOf("secret"));
    await pass(5000);
    expect(countdown()).toBeGreaterThan(1000);
    hub.admits = "yes";
    link.command({ type: "retry", why: "button" });
    await pass(0);
    stateIs("connected");
  });

  test("not more often than once a second, however often it is asked for", async () => {
    hub.admits = "no";
    link.start(URL, keyOf("secret"));
    await pass(3500);
    const before = hub.links.length;
    for (let i = 0; i < 100; i++) {
      link.command({ type: "retry", why: "button" });
      await pass(100);
    }
    expect(hub.links.length - before).toBeGreaterThanOrEqual(9);
    expect(hub.links.length - before).toBeLessThanOrEqual(11);
  });

  test("does not put off a try that comes sooner", async () => {
    hub.admits = "no";
    link.start(URL, keyOf("secret"));
    await pass(0);
    link.command({ type: "retry", why: "button" });
    expect(countdown()).toBe(500);
  });

  test("leaves a try under way alone", async () => {
    hub.admits = "silent";
    link.start(URL, keyOf("secret"));
    await pass(3000);
    link.command({ type: "retry", why: "button" });
    expect(hub.links).toHaveLength(1);
  });

  test("on a link that stands asks whether it lives, and replaces it when it does not", async () => {
    await connected();
    link.command({ type: "retry", why: "tab shown" });
    expect(hub.link.sent("ping")).toHaveLength(1);
    await pass(5000);
    stateIs("connected");

    hub.pongs = false;
    link.command({ type: "retry", why: "network back" });
    await pass(3000);
    link.command({ type: "retry", why: "network back" }); // Does not put the end off.
    expect(hub.link.sent("ping")).toHaveLength(2);
    await pass(1999);
    stateIs("connected");
    await pass(1);
    stateIs("waiting");
    expect(hub.links[0]!.closed).not.toBeNull();
  });

  test("the watch for silence goes on after a sign of life was asked for", async () => {
    await connected();
    link.command({ type: "retry", why: "tab shown" });
    await pass(37_499);
    stateIs("connected");
    await pass(1);
    stateIs("waiting");
  });

  test("a machine that wakes tries at once", async () => {
    hub.admits = "no";
    link.start(URL, keyOf("secret"));
    await pass(70_000);
    expect(countdown()).toBeGreaterThan(10_000);
    hub.admits = "yes";
    const tries = hub.links.length;
    // Timers stand still while it sleeps, and the clock does not.
    vi.setSystemTime(Date.now() + 3_600_000);
    await pass(5000);
    expect(hub.links.length).toBe(tries + 1);
    stateIs("connected");
  });

  test("a machine that wakes makes sure of its link", async () => {
    hub.pongs = false;
    await connected();
    await pass(1000);
    vi.setSystemTime(Date.now() + 3_600_000);
    await pass(4000);
    stateIs("connected");
    expect(hub.link.sent("ping")).toHaveLength(1);
    await pass(5000);
    stateIs("waiting");
    expect(hub.links).toHaveLength(1);
    await pass(500);
    stateIs("connected");
  });

  test("the silence of a machine that slept is no reason to give its link up", async () => {
    await connected();
    await pass(36_000); // The silence is looked at sooner after this than the clock is.
    vi.setSystemTime(Date.now() + 3_600_000);
    await pass(1500);
    stateIs("connected");
    expect(hub.link.sent("ping")).toHaveLength(1);
    await pass(10_000);
    stateIs("connected");
    expect(hub.links).toHaveLength(1);
  });
});

describe("heartbeat", () => {
  test("a ping is answered at once", async () => {
    await connected();
    hub.link.say({ id: "hb-1", method: "ping" });
    expect(hub.link.sent("hb-1")).toEqual([{ jsonrpc: "2.0", id: "hb-1", result: {} }]);
  });

  test("two and a half heartbeats of silence end the link, to the millisecond", async () => {
    await connected();
    await pass(37_499);
    stateIs("connected");
    await pass(1);
    expect(stateIs("waiting").reason).toContain("38 s");
    expect(hub.link.closed).not.toBeNull();
  });

  test("any frame counts as a sign of life", async () => {
    await connected();
    for (let i = 0; i < 10; i++) {
      await pass(30_000);
      hub.link.say({ method: "bridge/agents", params: { agents: [] } });
    }
    await pass(37_499);
    stateIs("connected");
    await pass(1);
    stateIs("waiting");
  });

  test("the hub sets the pace", async () => {
    hub.welcome.heartbeatMs = 1000;
    await connected();
    await pass(2499);
    stateIs("connected");
    await pass(1);
    stateIs("waiting");
  });
});

describe("calls over the link", () => {
  test("go to the engine and come back", async () => {
    await connected();
    hub.link.callTool("c1", "search", { query: "auth" });
    expect(engine).toEqual([
      { type: "call", id: "c1", name: "search", arguments: { query: "auth" }, agent: "tester", deadlineMs: 60_000, wantsProgress: false },
    ]);
    link.reply({ type: "result", id: "c1", json: '{"hits":[]}' });
    expect(hub.link.sent("c1")).toEqual([{ jsonrpc: "2.0", id: "c1", result: { structuredContent: { hits: [] } } }]);
  });

  test("a call that outlives its link is joined on the next, and runs once", async () => {
    await connected();
    hub.link.callTool("c1", "search");
    hub.link.end(1006, "");
    await pass(500);
    hub.link.callTool("c1", "search", {}, { deadlineMs: 50_000 });
    link.reply({ type: "result", id: "c1", json: "{}" });
    expect(hub.links[1]!.sent("c1")).toHaveLength(1);
    expect(engine.filter((r) => r.type === "call")).toHaveLength(1);
    expect(events.filter((e) => e.type === "settled")).toHaveLength(1);
  });

  test("an answer that fell between two links is given when the hub asks again, and not before", async () => {
    await connected();
    hub.link.callTool("c1", "search");
    hub.link.end(1006, "");
    link.reply({ type: "result", id: "c1", json: '{"n":1}' });
    await pass(500);
    expect(hub.link.sent("c1")).toEqual([]);
    hub.link.callTool("c1", "search");
    expect(hub.link.sent("c1")).toEqual([{ jsonrpc: "2.0", id: "c1", result: { structuredContent: { n: 1 } } }]);
    expect(engine).toHaveLength(1);
  });

  test("an answer that was too large for the hub is not sent again and again", async () => {
    await connected();
    hub.link.callTool("c1", "search");
    link.reply({ type: "result", id: "c1", json: JSON.stringify({ text: "x".repeat(2000) }) });
    hub.link.end(1009, "a message is over the limit");
    await pass(500);
    hub.link.callTool("c1", "search");
    expect(hub.link.sent("c1")[0]?.error).toMatchObject({ code: -32000, data: { retryable: false } });
    expect(engine).toHaveLength(1);
  });

  test("a cancel reaches the engine", async () => {
    await connected();
    hub.link.callTool("c1", "search");
    hub.link.say({ method: "notifications/cancelled", params: { requestId: "c1", reason: "enough" } });
    expect(engine.at(-1)).toEqual({ type: "cancel", id: "c1", reason: "enough" });
  });
});

describe("large calls", () => {
  /** The parts of a text as the hub sends it. */
  function partsOf(number: number, text: string): ArrayBuffer[] {
    const bytes = new TextEncoder().encode(text);
    const parts: ArrayBuffer[] = [];
    for (let at = 0; at < bytes.length; at += 65_536) {
      const piece = bytes.subarray(at, at + 65_536);
      const part = new Uint8Array(12 + piece.length);
      [number, bytes.length, at].forEach((value, i) => new DataView(part.buffer).setUint32(4 * i, value, true));
      part.set(piece, 12);
      parts.push(part.buffer);
    }
    return parts;
  }
  const call = (id: string, query: string): string =>
    JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "search", arguments: { query }, _meta: { agent: "tester", deadlineMs: 60_000 } } });
  const query = "é".repeat(300_000);

  test("come in parts, of several at once, with small ones between them", async () => {
    await connected();
    const [a, b] = [partsOf(7, call("a", query)), partsOf(9, call("b", `${query}!`))];
    a.forEach((part, i) => {
      hub.link.sayRaw(part);
      hub.link.sayRaw(b[i]!);
      if (i === 1) hub.link.callTool("small", "search");
    });
    const calls = engine.filter((request) => request.type === "call");
    expect(calls.map((request) => request.id)).toEqual(["small", "a", "b"]);
    expect(calls[2]).toMatchObject({ arguments: { query: `${query}!` } });
    // Every 128 KB, and at the end.
    const taken = hub.link.sent("bridge/taken").map((f) => f.params!).filter((p) => p.message === 7);
    expect(taken.map((p) => p.bytes)).toEqual([131_072, 262_144, 393_216, 524_288, 600_000 + call("a", "").length]);
  });

  test("a call that broke off is forgotten with its link", async () => {
    await connected();
    const parts = partsOf(1, call("a", query));
    hub.link.sayRaw(parts[0]);
    hub.link.end(1006, "");
    await pass(1000);
    stateIs("connected");
    parts.forEach((part) => hub.link.sayRaw(part));
    expect(engine.filter((request) => request.type === "call")).toHaveLength(1);
  });

  test.each<[string, ArrayBuffer[], number]>([
    ["out of order", partsOf(1, call("a", query)).slice(1), 4007],
    ["twice", [partsOf(1, call("a", query))[0]!, partsOf(1, call("a", query))[0]!], 4007],
    ["five at once", [1, 2, 3, 4, 5].map((n) => partsOf(n, call("a", query))[0]!), 4007],
    ["without bytes", [new ArrayBuffer(12)], 4007],
    ["no call", partsOf(1, JSON.stringify({ jsonrpc: "2.0", id: "x", method: "ping" })), 4008],
    ["no UTF-8", [new Uint8Array([1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 255]).buffer], 4007],
  ])("parts %s end the link", async (_, parts, code) => {
    await connected();
    parts.forEach((part) => hub.link.sayRaw(part));
    expect(hub.links[0]!.closed?.code).toBe(code);
  });
});

describe("large answers", () => {
  const json = JSON.stringify("x".repeat(2_000_000));

  test("go in parts with small ones between them, as far ahead as the hub says", async () => {
    hub.welcome = { ...hub.welcome, parts: 3 * 65_536 };
    await connected();
    hub.link.callTool("large", "search");
    hub.link.callTool("small", "search");
    link.reply({ type: "large", id: "large", json: new TextEncoder().encode(json) });
    expect(hub.link.parts).toHaveLength(3);
    link.reply({ type: "result", id: "small", json: "1" });
    expect(hub.link.sent("small")).toHaveLength(1);
    for (let taken = 65_536; hub.link.assembled().size === 0; taken += 65_536) {
      hub.link.say({ method: "bridge/taken", params: { message: 1, bytes: taken } });
    }
    expect(hub.link.assembled().get(1)).toBe(`{"jsonrpc":"2.0","id":"large","result":{"structuredContent":${json}}}`);
    expect(hub.link.sent("large")).toEqual([]);
    stateIs("connected");
  });

  test("go as one text to a hub that takes no parts", async () => {
    await connected();
    hub.link.callTool("large", "search");
    link.reply({ type: "large", id: "large", json: new TextEncoder().encode(json) });
    expect(hub.link.sent("large")[0]?.result).toEqual({ structuredContent: JSON.parse(json) as string });
    expect(hub.link.parts).toEqual([]);
  });

  test("are sent again from their beginning on the next link", async () => {
    hub.welcome = { ...hub.welcome, parts: 65_536 };
    await connected();
    hub.link.callTool("large", "search");
    link.reply({ type: "large", id: "large", json: new TextEncoder().encode(json) });
    hub.link.end(1006, "");
    await pass(1000);
    stateIs("connected");
    expect(hub.link.parts).toEqual([]);
    hub.link.callTool("large", "search");
    expect(hub.link.parts).toHaveLength(1);
  });

  test.each([
    ["without parts", 0, { message: 1, bytes: 1 }],
    ["of nothing", 65_536, { message: 2, bytes: 1 }],
    ["of more than was sent", 65_536, { message: 1, bytes: 65_537 }],
  ])("a word %s that they came ends the link", async (_, parts, params) => {
    hub.welcome = { ...hub.welcome, parts };
    await connected();
    hub.link.callTool("large", "search");
    link.reply({ type: "large", id: "large", json: new TextEncoder().encode(json) });
    hub.link.say({ method: "bridge/taken", params });
    expect(hub.link.closed?.code).toBe(4008);
  });
});
