import { expect, it } from "vitest";
import { removeServiceWorkers } from "./service-workers.ts";

function workers(controller: unknown) {
  const calls: string[] = [];
  return {
    calls, controller,
    reload: () => void calls.push("reload"),
    getRegistrations: () => Promise.resolve(["a", "b"].map((name) => ({
      unregister: () => {
        calls.push(name);
        return Promise.resolve(true);
      },
    }))),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it("unregisters each, and goes on meanwhile where none controls the page", async () => {
  const all = workers(null);
  await removeServiceWorkers(all, all.reload);
  await turn();
  expect(all.calls).toEqual(["a", "b"]);
});

it("loads a controlled page again once they are gone, and does not go on", async () => {
  const all = workers({});
  let wentOn = false;
  void removeServiceWorkers(all, all.reload).then(() => { wentOn = true; });
  await turn();
  expect(all.calls).toEqual(["a", "b", "reload"]);
  expect(wentOn).toBe(false);
});

it("goes on where the browser has none or forbids them", async () => {
  const reload = (): never => { throw new Error("reloaded"); };
  await removeServiceWorkers(undefined, reload);
  await removeServiceWorkers({ controller: null, getRegistrations: () => Promise.reject(new Error("SecurityError")) }, reload);
});
