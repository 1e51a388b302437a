import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Folders, KEPT_FOR } from "./folders.ts";

let opened: string[];
let closed: number[];
let folders: Folders;
const order = (id: string, open: boolean): { id: string; name: string; open: boolean } => ({ id, name: `name of ${id}`, open });

beforeEach(() => {
  vi.useFakeTimers();
  opened = [];
  closed = [];
  folders = new Folders((id) => opened.push(id), (tab) => {
    closed.push(tab);
    folders.closed(tab);
  });
});
afterEach(() => vi.useRealTimers());

it("opens what it is asked to, once", () => {
  folders.follow([order("a", false), order("b", true)]);
  folders.follow([order("a", false), order("b", true)]);
  expect(opened).toEqual(["b"]);
});

it("keeps what it has opened as long as agents ask about it, whoever is asked to open it", () => {
  folders.follow([order("b", true)]);
  folders.follow([order("b", false)]);
  vi.advanceTimersByTime(2 * KEPT_FOR);
  expect(closed).toEqual([]);
});

it("closes what no agent asks about, when none has come back for a while", () => {
  folders.follow([order("b", true)]);
  folders.follow([]);
  vi.advanceTimersByTime(KEPT_FOR - 1);
  folders.follow([order("b", false)]);
  vi.advanceTimersByTime(2 * KEPT_FOR);
  expect(closed).toEqual([]);

  folders.follow([]);
  vi.advanceTimersByTime(KEPT_FOR / 2);
  folders.follow([]);
  vi.advanceTimersByTime(KEPT_FOR / 2);
  expect(closed).toEqual([1]);
  folders.follow([order("b", true)]);
  expect(opened).toEqual(["b", "b"]);
});

it("opens again what the user closed, when an agent still asks about it", () => {
  folders.follow([order("b", true)]);
  folders.closed(1);
  folders.follow([order("b", false)]);
  expect(opened).toEqual(["b"]);
  folders.follow([order("b", true)]);
  expect(opened).toEqual(["b", "b"]);
});
