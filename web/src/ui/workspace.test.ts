import { beforeEach, expect, it, vi } from "vitest";
import { fakeRepository } from "../../test/fake-repository.ts";
import { FakeThread, type FakeEngine, type FakeLink } from "../../test/fake-workers.ts";
import { FakeWindow } from "../../test/fake-window.ts";
import { HOME, placeOf } from "./address.ts";
import { KEPT_FOR } from "./folders.ts";
import { Session } from "./session.ts";
import { initialState } from "./state.ts";
import { Store } from "./store.ts";
import { Workspace } from "./workspace.ts";

let host: FakeWindow;
let kept: Map<string, string>;
let threads: { engine: FakeEngine; link: FakeLink }[];
let workspace: Workspace;

const select = (name: string): void => workspace.active.session.store.dispatch({ type: "select", node: { id: `Function:a.ts:${name}`, name, kind: "Function", file: "a.ts", line: 0 } });
const selected = (): string | undefined => workspace.active.session.store.state.place.node?.name;
const said = (tab: number, type: string): number => threads[tab]!.link.said.filter((command) => command.type === type).length;

function open(): Workspace {
  threads = [];
  return new Workspace({
    host, storage: () => ({ getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) }),
    session: (first, { kept, behind = false }) => {
      const pair: { engine: FakeEngine; link: FakeLink } = { engine: new FakeThread(), link: new FakeThread() };
      threads.push(pair);
      const session = new Session({ store: new Store({ ...initialState(), place: first ? placeOf(host.location.hash) : HOME }), engine: () => pair.engine, link: pair.link, hub: "127.0.0.1:1", ticket: "", former: false, takesHubFolder: first, kept, behind });
      session.start();
      return session;
    },
  });
}

beforeEach(() => {
  host = new FakeWindow();
  kept = new Map();
  workspace = open();
});

const connected = { type: "state", link: { state: "connected", hub: { version: "1", pid: 2, repo: "shop", key: "" } } } as const;
const loads = (): unknown[][] => threads.map(({ engine }) => engine.said.flatMap((command) => (command.type === "load" ? [command.source] : [])));
const pick = (name: string): void => {
  workspace.active.session.load({ kind: "zip", file: new File([], name) });
  threads[workspace.tabs.indexOf(workspace.active)]!.engine.emit({ type: "loaded", context: fakeRepository(40).context, phases: [], skipped: [], syntaxErrors: 0 });
};

it("a reload opens again what was picked in each tab, and the one that was in front", () => {
  pick("a.zip");
  workspace.open();
  workspace.open();
  pick("c.zip");
  select("c");
  const [a, , c] = loads().map(([source]) => (source as { keep: string } | undefined)?.keep);
  expect(new Set([a, c, undefined]).size).toBe(3);

  workspace = open();
  expect([workspace.tabs.length, workspace.tabs.indexOf(workspace.active), selected()]).toEqual([2, 1, "c"]);
  expect(loads()).toEqual([[], []]);
  // So that agents are answered from the one in front, whichever connects last.
  expect(threads.map(({ link }) => link.said[0])).toMatchObject([{ type: "start", behind: true }, { type: "start" }]);
  expect(threads[1]!.link.said[0]).not.toHaveProperty("behind");
  for (const { link } of threads) link.emit(connected);
  expect(loads()).toEqual([[{ kind: "kept", keep: a }], [{ kind: "kept", keep: c }]]);
  // One that is gone from the storage stays, and is not asked for again.
  threads[1]!.engine.emit({ type: "failed", message: "gone" });
  threads[1]!.link.emit({ type: "state", link: { state: "connecting", attempt: 1 } });
  threads[1]!.link.emit(connected);
  expect(loads()[1]).toHaveLength(1);

  workspace = open();
  workspace.close(workspace.active.id);
  workspace = open();
  expect([workspace.tabs.length, selected()]).toEqual([1, undefined]);
  // What the hub has takes the place of a pick, and is no pick itself.
  workspace.active.session.loadFromHub();
  threads[0]!.engine.emit({ type: "loaded", context: fakeRepository(40).context, phases: [], skipped: [], syntaxErrors: 0 });
  workspace = open();
  for (const { link } of threads) link.emit(connected);
  expect(loads()).toMatchObject([[{ kind: "hub" }]]);
});

it("each tab has its own repository and place, and back leads from one to the other", () => {
  select("a");
  const { id: second } = workspace.open();
  expect([workspace.tabs.length, workspace.active.id, selected(), host.location.hash]).toEqual([2, second, undefined, ""]);
  select("b");
  workspace.show(workspace.tabs[0]!.id);
  expect([selected(), host.location.hash]).toEqual(["a", "#node=Function%3Aa.ts%3Aa"]);
  host.move(-1);
  expect([workspace.active.id, selected()]).toEqual([second, "b"]);
  host.move(-1);
  expect([workspace.active.id, selected()]).toEqual([second, undefined]);
  host.move(-1);
  expect([workspace.active.id, selected()]).toEqual([workspace.tabs[0]!.id, "a"]);
  host.move(-1);
  expect([workspace.active.id, selected()]).toEqual([workspace.tabs[0]!.id, undefined]);
  // Going there has made no steps of its own.
  expect(host.length).toBe(5);
});

it("only the first loads what the hub has, and the one that is shown is told to be in front", () => {
  workspace.open();
  for (const { link } of threads) link.emit({ type: "state", link: { state: "connected", hub: { version: "1", pid: 2, repo: "shop", key: "" } } });
  expect(threads.map(({ engine }) => engine.said.filter(({ type }) => type === "load").length)).toEqual([1, 0]);
  const before = said(0, "front");
  workspace.next();
  expect(said(0, "front")).toBe(before + 1);
  expect(said(1, "front")).toBe(1);
});

it("choices hold in every tab", () => {
  workspace.active.session.store.dispatch({ type: "theme", theme: "light" });
  workspace.open();
  expect(workspace.active.session.store.state.theme).toBe("light");
  workspace.active.session.store.dispatch({ type: "density", density: "dense" });
  workspace.next();
  expect(workspace.active.session.store.state).toMatchObject({ theme: "light", density: "dense" });
});

it("a closed tab ends its threads, and the last one stays", async () => {
  const [first] = workspace.tabs;
  const second = workspace.open();
  threads[1]!.engine.emit({ type: "loaded", context: fakeRepository(60).context, phases: [], skipped: [], syntaxErrors: 0 });
  const asked = second.session.ask("search", { query: "x" });
  workspace.close(second.id);
  await expect(asked).rejects.toThrow("closed");
  expect([threads[1]!.engine.ended, threads[1]!.link.ended, workspace.active]).toEqual([true, true, first]);
  workspace.close(first!.id);
  expect([workspace.tabs.length, threads[0]!.engine.ended]).toEqual([1, false]);
  // Its steps in the history are the shown tab's, then.
  host.move(-1);
  expect(workspace.active).toBe(first);
});

it("opens a tab behind the shown one for a folder that an agent asks about, and closes it when none does", () => {
  vi.useFakeTimers();
  const shown = workspace.active.id;
  workspace.follow([{ id: "1", name: "shop", open: true }, { id: "2", name: "till", open: false }]);
  expect([workspace.tabs.length, workspace.active.id]).toEqual([2, shown]);
  workspace.follow([]);
  vi.advanceTimersByTime(KEPT_FOR);
  expect(workspace.tabs.length).toBe(1);
  vi.useRealTimers();
});
