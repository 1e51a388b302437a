import { describe, expect, it } from "vitest";
import { ago, briefArguments, counted, cut, duration, linkWords, roughly, secondsLeft, size } from "./words.ts";

it("says durations in the unit that fits", () => {
  expect([0, 840, 999, 1000, 2449, 9949, 9950, 34_200, 59_600, 125_000].map(duration)).toEqual(
    ["0 ms", "840 ms", "999 ms", "1.0 s", "2.4 s", "9.9 s", "10 s", "34 s", "1 min", "2 min 5 s"]);
});

it("says roughly what is a guess", () => {
  expect([200, 3100, 9000, 9100, 42_000, 60_000, 61_000, 150_000].map(roughly)).toEqual(
    ["about 1 s", "about 4 s", "about 9 s", "about 10 s", "about 50 s", "about 60 s", "about 2 min", "about 3 min"]);
});

it("says sizes and counts", () => {
  expect([512, 3400, 41_233, 1_240_000].map(size)).toEqual(["512 B", "3.4 KB", "41 KB", "1.2 MB"]);
  expect([counted(1, "node"), counted(1234, "node"), counted(1_234_567, "node"), counted(2, "entry")]).toEqual(["1 node", "1,234 nodes", "1,234,567 nodes", "2 entries"]);
});

it("counts the seconds to a try down to none", () => {
  expect([10_000, 9001, 9000, 8000, 500].map((at) => secondsLeft(at, 8000))).toEqual([2, 2, 1, 0, 0]);
});

it("says how long ago", () => {
  const minute = 60_000;
  expect([0, 59_000, 4 * minute, 180 * minute, 72 * 60 * minute].map((age) => ago(0, age))).toEqual(["just now", "just now", "4 min ago", "3 h ago", "3 days ago"]);
});

describe("arguments", () => {
  it("begins with what is asked", () => {
    expect(briefArguments({ limit: 10, groupByProcess: true, query: "auth" })).toBe("auth limit=10 groupByProcess=true");
    expect(briefArguments({ direction: "upstream", target: "A.b", debug: true, includeTests: false })).toBe("A.b direction=upstream");
  });

  it("shortens lists and long values to one line", () => {
    expect(briefArguments({ nodeIds: ["a", "b", "c", "d"] })).toBe("a, b +2");
    expect(briefArguments({ query: "MATCH (n)\n  RETURN n" }, 12)).toBe("MATCH (n) R…");
    expect(cut("short", 5)).toBe("short");
  });
});

describe("the link", () => {
  it("has words for each state", () => {
    expect(linkWords({ state: "connected", hub: { version: "0.1.0", pid: 7, repo: "", key: "" } })).toEqual(
      { title: "Connected", detail: "Linked to gitnexus-mcp 0.1.0, process 7.", tone: "good" });
    expect(linkWords({ state: "waiting", attempt: 2, retryAt: 0, reason: "the server stops" })).toMatchObject({ title: "Disconnected", detail: "The server stops." });
    expect(linkWords({ state: "connecting", attempt: 0 }).title).toBe("Connecting");
    expect(linkWords({ state: "connecting", attempt: 3 })).toMatchObject({ title: "Reconnecting", detail: "Attempt 4 to reach gitnexus-mcp." });
    expect(linkWords({ state: "unpaired" }).title).toBe("Not paired");
    expect(linkWords({ state: "refused", reason: "wrong token!" })).toMatchObject({ detail: "Wrong token!", tone: "bad" });
  });
});
