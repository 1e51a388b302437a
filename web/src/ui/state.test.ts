import { describe, expect, it } from "vitest";
import { fakeRepository } from "../../test/fake-repository.ts";
import type { EngineEvent, LinkEvent } from "../messages.ts";
import { CALLS_KEPT, initialState, phaseLeft, reduce, shown, type Action, type AppState, type NodeRef } from "./state.ts";

const start = initialState();
const graph = fakeRepository(120);
const loaded: EngineEvent = { type: "loaded", context: graph.context, phases: [], skipped: [], syntaxErrors: 0 };

const engine = (event: EngineEvent, at = 1000): Action => ({ type: "engine", event, at });
const link = (event: LinkEvent): Action => ({ type: "link", event });
const after = (...actions: Action[]): AppState => actions.reduce(reduce, start);
const progress = (phase: "read" | "parse" | "resolve" | "database", done: number, total: number, elapsedMs: number): Action =>
  engine({ type: "progress", phase, done, total, elapsedMs, detail: "" });
const node = (id: string): NodeRef => ({ id, name: id, kind: "Function", file: "a.ts", line: 1 });
const call = (id: string): Action => link({ type: "call", id, name: "search", agent: "a", arguments: {}, startedAt: 5 });

describe("calls", () => {
  it("runs until it is settled, newest first", () => {
    const state = after(call("1"), call("2"), link({ type: "settled", id: "1", outcome: "error", ms: 12, bytes: 3, message: "no such file" }));
    expect(state.calls.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(["2 running", "1 error"]);
    expect(state.calls[1]).toMatchObject({ ms: 12, bytes: 3, message: "no such file" });
  });

  it("has a call that was sent again once", () => {
    expect(after(call("1"), call("2"), call("1")).calls.map(({ id }) => id)).toEqual(["1", "2"]);
  });

  it("forgets the oldest, but none that still runs", () => {
    const settled = Array.from({ length: CALLS_KEPT + 5 }, (_, i) => [call(`s${i}`), link({ type: "settled", id: `s${i}`, outcome: "ok", ms: 1, bytes: 1 })]).flat();
    const { calls } = after(call("slow"), ...settled, call("last"));
    expect(calls).toHaveLength(CALLS_KEPT + 1);
    expect(calls.at(-1)?.id).toBe("slow");
    expect(calls[0]?.id).toBe("last");
  });
});

describe("the link", () => {
  it("knows no agents and no alerts once it is down", () => {
    const up = link({ type: "state", link: { state: "connected", hub: { version: "1", pid: 2, repo: "", key: "" } } });
    const agents = link({ type: "agents", agents: [{ name: "claude-ai", pid: 3 }], unproven: 0 });
    const alerts = link({ type: "alerts", alerts: [{ graph: "shop", code: "TIMEOUT", since: 5, message: "calls of shop failed", advice: "Reload." }] });
    expect(after(up, alerts).alerts).toHaveLength(1);
    expect(after(up, alerts, link({ type: "state", link: { state: "connecting", attempt: 0 } })).alerts).toEqual([]);
    expect(after(up, agents).agents).toHaveLength(1);
    expect(after(up, agents, link({ type: "state", link: { state: "waiting", attempt: 0, retryAt: 9, reason: "gone" } })).agents).toEqual([]);
  });
});

describe("indexing", () => {
  const loading: Action = { type: "loading", name: "shop", at: 100 };

  it("collects phases with their times", () => {
    const { indexing } = after(loading, progress("read", 0, 10, 4), progress("read", 10, 10, 60), progress("parse", 3, 10, 80));
    expect(indexing).toMatchObject({ name: "shop", phase: "parse" });
    expect(indexing?.phases).toEqual({ read: { done: 10, total: 10, from: 4, to: 60 }, parse: { done: 3, total: 10, from: 80, to: 80 } });
  });

  it("ends with a graph or with a reason", () => {
    expect(after(loading, engine(loaded))).toMatchObject({ indexing: null, failure: null });
    expect(after(loading, engine({ type: "failed", message: "cut off" }))).toMatchObject({ indexing: null, failure: "cut off", loaded: null });
    expect(after(engine({ type: "failed", message: "cut off" }), loading).failure).toBeNull();
  });

  it("says how long the running phase will still take, once its pace is known", () => {
    const left = (done: number, now: number): number | null => phaseLeft(after(loading, progress("parse", 0, 100, 500), progress("parse", done, 100, now)).indexing!, now);
    expect([left(50, 2500), left(4, 2500), left(50, 1400), left(100, 4500)]).toEqual([2000, null, null, 0]);
    expect(phaseLeft(after(loading, progress("resolve", 0, 0, 500)).indexing!, 9000)).toBeNull();
  });

  it("shows work behind a loaded graph, until its last count", () => {
    const busy = after(engine(loaded), progress("database", 1, 9, 700));
    expect(busy.indexing).toMatchObject({ phase: "database", startedAt: 300, behind: true });
    expect(reduce(busy, progress("database", 9, 9, 900)).indexing).toBeNull();
    expect(after(engine(loaded), progress("database", 9, 9, 900)).indexing).toBeNull();
  });

  it("is not over with the last count of a phase while a load runs", () => {
    expect(after(engine(loaded), loading, progress("read", 9, 9, 40)).indexing).toMatchObject({ phase: "read", behind: false });
  });

  it("keeps the graph from before when another load fails", () => {
    expect(after(engine(loaded), loading, engine({ type: "failed", message: "no" })).loaded).not.toBeNull();
  });
});

describe("selection", () => {
  it("counts the steps that back takes back, and the same node is no step", () => {
    const state = after({ type: "select", node: node("Function:a.ts:a") }, { type: "select", node: node("Function:a.ts:b") }, { type: "select", node: node("Function:a.ts:b") });
    expect([shown(state)?.id, state.steps]).toEqual(["Function:a.ts:b", 2]);
    expect(reduce(state, { type: "go", to: { camera: { x: 1, y: 2, span: 3 } } }).steps).toBe(2);
    expect(shown(reduce(state, { type: "deselect" }))).toBeUndefined();
  });

  it("stays in the view that shows a node, and leaves one that does not", () => {
    expect(after({ type: "go", to: { view: "read" } }, { type: "select", node: node("Function:a.ts:a") }).place.view).toBe("read");
    expect(after({ type: "go", to: { view: "query" } }, { type: "select", node: node("Function:a.ts:a") }).place.view).toBe("map");
  });

  it("survives a new index of the same repository, and not another repository", () => {
    const kept: NodeRef = node("Function:a.ts:a");
    const state = after(engine(loaded), { type: "select", node: kept }, { type: "go", to: { camera: { x: 1, y: 2, span: 3 } } });
    expect(reduce(state, engine(loaded)).place).toBe(state.place);
    const other: EngineEvent = { ...loaded, context: { ...graph.context, repo: "other" } };
    expect(reduce(state, engine(other)).place).toMatchObject({ node: null, camera: null });
  });

  it("an edit changes the graph and nothing of the place", () => {
    const state = after(engine(loaded), { type: "select", node: node("Function:a.ts:a") }, { type: "go", to: { camera: { x: 1, y: 2, span: 3 } } });
    const next = reduce(state, engine({ type: "updated", context: graph.context, skipped: [], syntaxErrors: 0 }));
    expect(next.place).toBe(state.place);
    expect(next.loaded!.version).toBe(state.loaded!.version + 1);
  });
});

describe("what agents do to the view", () => {
  const node = { id: "Function:a.ts:x", name: "x", kind: "Function", file: "a.ts", line: 3 };
  const note = (label: string, ...nodeIds: string[]): Action => engine({ type: "annotate", nodeIds, label, color: "red", agent: "claude-ai" });

  it("keeps one label a node, the last", () => {
    const { annotations } = after(note("one", "a", "b"), note("two", "b"));
    expect(annotations.map(({ nodeId, label }) => [nodeId, label])).toEqual([["a", "one"], ["b", "two"]]);
    // The same again is the same.
    expect(after(note("one", "a"), note("one", "a")).annotations).toEqual(after(note("one", "a")).annotations);
    expect(after(note("one", "a"), { type: "clearHighlight" }).annotations).toEqual([]);
    expect(after(note("one", "a"), engine(loaded)).annotations).toEqual([]);
  });

  it("brings nodes into view, and selects one alone", () => {
    const one = after(engine({ type: "focus", nodes: [node], agent: "claude-ai" }));
    expect(one.sight).toEqual({ nodeIds: [node.id] });
    expect(one.place.node).toEqual(node);
    const two = after(engine({ type: "focus", nodes: [node, { ...node, id: "y" }], agent: "claude-ai" }));
    expect([two.sight?.nodeIds, two.place.node]).toEqual([[node.id, "y"], null]);
  });

  it("resets", () => {
    const state = after(note("one", "a"), engine({ type: "highlight", nodeIds: ["a"], color: "red", agent: "" }), { type: "select", node }, engine({ type: "reset", agent: "claude-ai" }));
    expect(state).toMatchObject({ annotations: [], highlight: null, place: { node: null, camera: null }, sight: { nodeIds: [] } });
  });
});

describe("highlight", () => {
  const point = engine({ type: "highlight", nodeIds: ["x"], color: "red", agent: "claude-ai" });

  it("is cleared by the user, by the agent, and by another graph", () => {
    expect(after(point).highlight).toEqual({ nodeIds: ["x"], color: "red", agent: "claude-ai" });
    expect(after(point, { type: "clearHighlight" }).highlight).toBeNull();
    expect(after(point, engine({ type: "highlight", nodeIds: [], color: "", agent: "" })).highlight).toBeNull();
    expect(after(point, engine(loaded)).highlight).toBeNull();
  });
});

it("filters kinds and relations on and off", () => {
  const off = after({ type: "toggleKind", kind: "File" }, { type: "toggleType", edge: "CALLS" });
  expect([...off.place.hiddenKinds, ...off.place.hiddenTypes]).toEqual(["File", "CALLS"]);
  expect(reduce(off, { type: "toggleKind", kind: "File" }).place.hiddenKinds.size).toBe(0);
});
