import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeWindow } from "../../test/fake-window.ts";
import { followAddress, fragmentOf, HOME, placeOf, type Place } from "./address.ts";
import { initialState } from "./state.ts";
import { Store } from "./store.ts";

const node = (name: string): NonNullable<Place["node"]> => ({ id: `Function:src/a.ts:${name}`, name, kind: "Function", file: "src/a.ts", line: 0 });

let host: FakeWindow;
let store: Store;
beforeEach(() => {
  vi.useFakeTimers();
  host = new FakeWindow();
  store = new Store(initialState());
});
afterEach(() => vi.useRealTimers());

it("a place survives its address", () => {
  const place: Place = {
    view: "read", node: node("run, & go"), to: "Function:b.ts:x", tab: "tests", depth: 4, call: "c:1", query: "MATCH (n) WHERE n.name = 'a#b' RETURN n", base: "main~3", by: "cluster",
    open: ["Folder:src", "File:src/a,b.ts"], camera: { x: -1.5, y: 2e-7, span: 1234.25 }, hiddenKinds: new Set(["File"]), hiddenTypes: new Set(["CALLS", "IMPORTS"]), minConfidence: 0.7, tests: false,
    arrange: "layers", within: "src/a & b", changed: true,
  };
  expect(placeOf(fragmentOf(place))).toEqual(place);
  expect(fragmentOf(HOME)).toBe("");
  expect(placeOf("")).toEqual(HOME);
});

it("what is not understood is as at the beginning", () => {
  expect(placeOf("#view=secret&node=nonsense&depth=900&at=1,two,3&sure=9&by=x")).toEqual(HOME);
});

it("a step is written at once, a moved camera soon and into the same step", () => {
  const end = followAddress(store, host);
  store.dispatch({ type: "select", node: node("a") });
  expect([host.length, placeOf(host.location.hash).node?.id]).toEqual([2, "Function:src/a.ts:a"]);
  const writes = host.writes;
  for (let i = 1; i <= 20; i++) store.dispatch({ type: "go", to: { camera: { x: i, y: 0, span: 9 } } });
  expect(host.writes).toBe(writes);
  vi.advanceTimersByTime(300);
  expect([host.writes - writes, host.length, placeOf(host.location.hash).camera?.x]).toEqual([1, 2, 20]);
  end();
});

it("a camera that was moved belongs to the step that is left, and back brings it back", () => {
  const end = followAddress(store, host);
  store.dispatch({ type: "select", node: node("a") });
  store.dispatch({ type: "go", to: { camera: { x: 7, y: 0, span: 9 } } });
  store.dispatch({ type: "select", node: node("b") });
  store.dispatch({ type: "go", to: { view: "read" } });
  expect([store.state.steps, store.state.place.camera]).toEqual([3, null]);
  host.move(-2);
  expect(store.state).toMatchObject({ steps: 1, place: { view: "map", node: { name: "a" }, camera: { x: 7 } } });
  host.move(1);
  expect(store.state.place).toMatchObject({ node: { name: "b" }, camera: { x: 7 } });
  expect(host.length).toBe(4);
  end();
});

it("a ticket in the address is no place", () => {
  const end = followAddress(store, host);
  store.dispatch({ type: "select", node: node("a") });
  host.history.pushState(null, "", "/#ticket=0123456789abcdef.secret");
  host.move(0);
  expect(store.state.place.node?.name).toBe("a");
  end();
});
