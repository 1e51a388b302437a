import { expect, it } from "vitest";
import { watchTellings, type Telling } from "./notifications.ts";
import { initialState, type Action } from "./state.ts";
import { Store } from "./store.ts";

function watched(hidden: () => boolean): { store: Store; told: Telling[] } {
  const store = new Store(initialState());
  const told: Telling[] = [];
  watchTellings(store, hidden, (telling) => told.push(telling));
  return { store, told };
}

const points = (agent: string): Action => ({ type: "engine", at: 0, event: { type: "highlight", nodeIds: ["a", "b"], color: "red", agent } });

it("tells what an agent points at and writes, only in a hidden tab and only when asked for", () => {
  let hidden = true;
  const { store, told } = watched(() => hidden);
  store.dispatch(points("claude"));
  expect(told).toEqual([]);
  store.dispatch({ type: "notify", notify: true });
  expect(told).toEqual([]);
  store.dispatch(points("claude"));
  store.dispatch({ type: "engine", at: 0, event: { type: "annotate", nodeIds: ["a"], label: "Is this still used?", color: "red", agent: "" } });
  expect(told.map(({ title, body }) => [title, body])).toEqual([
    ["claude points at 2 nodes", "Show them on the map."], ["An agent wrote on the map", "Is this still used?"],
  ]);
  hidden = false;
  store.dispatch(points("claude"));
  expect(told.length).toBe(2);
});

it("tells of an alert once, however often the link comes back", () => {
  const { store, told } = watched(() => true);
  store.dispatch({ type: "notify", notify: true });
  const alert = { graph: "shop", code: "TIMEOUT", since: 5, message: "Calls of shop take too long", advice: "Ask for less at once" };
  const alerts = (...all: typeof alert[]): void => store.dispatch({ type: "link", event: { type: "alerts", alerts: all } });
  alerts(alert);
  store.dispatch({ type: "link", event: { type: "state", link: { state: "waiting", attempt: 1, retryAt: 0, reason: "" } } });
  alerts(alert);
  alerts(alert, { ...alert, since: 9 });
  expect(told.map(({ title, body }) => `${title}: ${body}`)).toEqual(Array(2).fill("Calls of shop take too long: Ask for less at once"));
});
