import { expect, it } from "vitest";
import type { LinkCommand } from "../messages.ts";
import { watchPresence } from "./presence.ts";

it("tries at once when the network, the tab or the machine is back, and says when it is in front", () => {
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: "hidden" });
  const sent: string[] = [];
  const end = watchPresence(window as Window, document as unknown as Document, (command: LinkCommand) => sent.push(command.type));
  const after = (act: () => void): string[] => {
    sent.length = 0;
    act();
    return [...sent];
  };
  expect(after(() => window.dispatchEvent(new Event("online")))).toEqual(["retry"]);
  expect(after(() => window.dispatchEvent(new Event("focus")))).toEqual(["front"]);
  expect(after(() => document.dispatchEvent(new Event("resume")))).toEqual(["retry"]);
  expect(after(() => document.dispatchEvent(new Event("visibilitychange")))).toEqual([]);
  document.visibilityState = "visible";
  expect(after(() => document.dispatchEvent(new Event("visibilitychange")))).toEqual(["retry", "front"]);
  end();
  expect(after(() => window.dispatchEvent(new Event("online")))).toEqual([]);
});
