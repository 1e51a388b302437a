import { beforeEach, describe, expect, it } from "vitest";
import { fakeRepository } from "../../test/fake-repository.ts";
import { FakeThread, type FakeEngine, type FakeLink } from "../../test/fake-workers.ts";
import type { EngineEvent, LinkState } from "../messages.ts";
import { Session } from "./session.ts";
import { initialState } from "./state.ts";
import { Store } from "./store.ts";

let engine: FakeEngine;
let engines: FakeEngine[];
let now: number;
let link: FakeLink;
let store: Store;
let session: Session;

const connected = (repo: string): LinkState => ({ state: "connected", hub: { version: "1", pid: 2, repo, key: "" } });
const state = (to: LinkState): void => link.emit({ type: "state", link: to });
const loads = (): unknown[] => engine.said.flatMap((command) => (command.type === "load" ? [command.source] : []));
const loaded = (): EngineEvent => ({ type: "loaded", context: fakeRepository(60).context, phases: [], skipped: [], syntaxErrors: 0 });

function startEngine(): FakeEngine {
  const started: FakeEngine = new FakeThread();
  engines.push(started);
  return started;
}

beforeEach(() => {
  engines = [];
  now = 77;
  link = new FakeThread();
  store = new Store(initialState());
  session = new Session({ store, engine: startEngine, link, hub: "127.0.0.1:54319", ticket: "the ticket", former: false, now: () => now });
  session.start();
  [engine] = engines as [FakeEngine];
});

it("joins the Workers by one channel and tells the link where the hub is", async () => {
  const [toEngine] = engine.said;
  const [toLink] = link.said;
  if (toEngine?.type !== "start" || toLink?.type !== "start") throw new Error("start comes first");
  expect(toLink).toMatchObject({ url: "ws://127.0.0.1:54319/", ticket: "the ticket", former: false });
  const heard = new Promise((resolve) => (toLink.engine.onmessage = (e) => resolve(e.data)));
  toEngine.link.postMessage("through the channel");
  expect(await heard).toBe("through the channel");
  toEngine.link.close();
});

it("tells the engine what the hub will probably offer, once the page is known to be paired", () => {
  state({ state: "unpaired" });
  expect(engine.said.map(({ type }) => type)).toEqual(["start"]);
  state({ state: "connecting", attempt: 0 });
  state({ state: "connecting", attempt: 1 });
  expect(engine.said.slice(1)).toEqual([{ type: "expect", source: { kind: "hub", url: "http://127.0.0.1:54319/api/repo" } }]);
});

describe("the hub's folder", () => {
  it("loads by itself, once", () => {
    state(connected("shop"));
    expect(loads()).toEqual([{ kind: "hub", url: "http://127.0.0.1:54319/api/repo" }]);
    expect(store.state.indexing).toMatchObject({ name: "shop", startedAt: 77 });
    state({ state: "waiting", attempt: 0, retryAt: 1, reason: "blip" });
    state(connected("shop"));
    expect(loads()).toHaveLength(1);
    engine.emit(loaded());
    state({ state: "waiting", attempt: 0, retryAt: 1, reason: "blip" });
    state(connected("shop"));
    expect(loads()).toHaveLength(1);
  });

  it("loads again when the link is back after a load that failed", () => {
    state(connected("shop"));
    engine.emit({ type: "failed", message: "cut off" });
    state({ state: "waiting", attempt: 0, retryAt: 1, reason: "gone" });
    state(connected("shop"));
    expect(loads()).toHaveLength(2);
  });

  it("is not asked for when there is none, or when something is loaded", () => {
    state(connected(""));
    engine.emit(loaded());
    state({ state: "connecting", attempt: 1 });
    state(connected("other"));
    expect(loads()).toEqual([]);
  });

  it("is loaded again", () => {
    state(connected("shop"));
    expect(loads()).toHaveLength(1);
    session.loadAgain();
    expect(loads()).toHaveLength(2);
  });
});

describe("questions", () => {
  it("get their own answers, in whatever order", async () => {
    const first = session.ask("search", { query: "a" });
    const second = session.ask("read", { filePath: "b" });
    const ids = engine.said.flatMap((command) => (command.type === "ask" ? [command.id] : []));
    engine.emit({ type: "answer", id: ids[1]!, ok: false, message: "No file named b." });
    engine.emit({ type: "answer", id: ids[0]!, ok: true, json: '{"results":[]}' });
    expect(await first).toEqual({ results: [] });
    await expect(second).rejects.toThrow("No file named b.");
  });

  it("fail when the engine dies, and the next one answers", async () => {
    const asked = session.ask("search", { query: "a" });
    engine.crash("out of memory");
    await expect(asked).rejects.toThrow("The engine has stopped: out of memory");
    const again = session.ask("search", { query: "a" });
    const { id } = engines[1]!.said.find((command) => command.type === "ask")!;
    // What the dead one had still said is nobody's answer.
    engine.emit({ type: "answer", id, ok: true, json: '"old"' });
    engines[1]!.emit({ type: "answer", id, ok: true, json: '"new"' });
    expect(await again).toBe("new");
  });
});

describe("an engine that dies", () => {
  it("is replaced by one that opens what was open, and the link is told", () => {
    state(connected("shop"));
    engine.emit(loaded());
    engine.crash("its thread ended");
    expect(engine.ended).toBe(true);
    expect(engines).toHaveLength(2);
    expect(engines[1]!.said).toMatchObject([{ type: "start" }, { type: "load", source: { kind: "hub" } }]);
    expect(link.said.at(-1)).toMatchObject({ type: "engine", why: "The engine has stopped: its thread ended", engine: expect.any(MessagePort) as MessagePort });
    expect(store.state).toMatchObject({ crashed: null, indexing: { name: "shop" }, notice: { text: "The engine has stopped: its thread ended. It was started again." } });
    // The lock of one that was ended is let go of, too.
    engine.crash("its thread ended");
    expect(engines).toHaveLength(2);
  });

  it("of files that were picked opens these again", () => {
    const source = { kind: "zip", file: new File([], "a.zip") } as const;
    session.load(source);
    engine.crash("x");
    expect(engines[1]!.said.at(-1)).toMatchObject({ type: "load", source });
  });

  it("again and again is not started a fourth time within ten minutes, and everybody is told", async () => {
    for (let i = 0; i < 3; i++) engines[i]!.crash("x");
    now += 11 * 60_000;
    for (let i = 3; i < 6; i++) engines[i]!.crash("x");
    expect(store.state.crashed).toBeNull();
    const asked = session.ask("search", { query: "a" });
    engines[6]!.crash("y");
    await expect(asked).rejects.toThrow("The engine has stopped: y");
    expect(engines).toHaveLength(7);
    expect(link.said.at(-1)).toEqual({ type: "engine", engine: null, why: "The engine has stopped: y" });
    expect(store.state.crashed).toBe("The engine has stopped: y");
    await expect(session.exportGraph()).rejects.toThrow("Reload the page");
  });
});

it("a session for a folder that an agent asks about loads it at once, and does not come to the front", () => {
  const behind: FakeLink = new FakeThread();
  const started = startEngine();
  const told: unknown[] = [];
  new Session({
    store: new Store(initialState()), engine: () => started, link: behind, hub: "127.0.0.1:54319", ticket: "", former: false, background: "1",
    onFolders: (orders) => told.push(...orders),
  }).start();
  expect(started.said.map(({ type }) => type)).toEqual(["start", "load"]);
  expect(behind.said[0]).toMatchObject({ type: "start", background: "1", reloaded: false });
  behind.emit({ type: "state", link: connected("shop") });
  expect(started.said).toHaveLength(2);
  expect(behind.said).toHaveLength(1);
  behind.emit({ type: "folders", folders: [{ id: "1", name: "shop", open: true }] });
  expect(told).toEqual([{ id: "1", name: "shop", open: true }]);
});
