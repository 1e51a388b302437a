import { expect, it } from "vitest";
import { eventWords, FILTERS, newestByDay, readRecent } from "./activity.ts";

const row = { id: 7, timestamp: "2026-11-24T09:30:00.123Z", category: "call", event_type: "outcome" };
const read = (fields: object) => readRecent({ log: { file: "/f" }, events: [{ ...row, ...fields }] }).events[0]!;

it("reads the hub's answer, and what is missing is empty", () => {
  expect(readRecent({ log: { file: "/log", error: "disk full", dropped: 3 }, events: [{ ...row, tool: "impact", duration_ms: 12.5, metadata: { arguments: { target: "A" } } }] })).toEqual({
    file: "/log", error: "disk full", dropped: 3,
    events: [{ id: 7, at: Date.UTC(2026, 10, 24, 9, 30, 0, 123), category: "call", type: "outcome", agent: "", graph: "", call: "", tool: "impact", code: "", attempts: 0, ms: 12.5, message: "", metadata: { arguments: { target: "A" } }, weight: 0 }],
  });
  for (const wrong of [null, "text", {}, { events: {} }]) expect(() => readRecent(wrong)).toThrow("something else");
});

it("says what happened in words", () => {
  const words = (fields: object) => eventWords(read(fields));
  expect(words({ tool: "impact" })).toEqual({ title: "impact answered", detail: "", tone: "good" });
  expect(words({ tool: "grep", weight: 10 }).title).toBe("grep answered, one of 10 like it");
  expect(words({ tool: "impact", code: "TIMEOUT", message: "no answer within 60 s" })).toEqual({ title: "impact TIMEOUT", detail: "No answer within 60 s.", tone: "bad" });
  expect(words({ tool: "impact", code: "CANCELLED" }).tone).toBe("quiet");
  expect(words({ category: "hook", event_type: "refused", metadata: { hook: "PreToolUse" } }).title).toBe("A hook refused a call (PreToolUse)");
  expect(words({ category: "link", event_type: "of_a_later_version" })).toMatchObject({ title: "link: of a later version", tone: "quiet" });
});

it("puts the newest first, by day", () => {
  const days = newestByDay([1, 2, 3].map((id) => ({ ...read({ id }), at: new Date(2026, 10, id < 3 ? 23 : 24, 12, id).getTime() })));
  expect(days.map(({ day, list }) => [day, list.map(({ id }) => id)])).toEqual([["2026-11-24", [3]], ["2026-11-23", [2, 1]]]);
});

it("asks for every category that is documented", () => {
  expect(FILTERS.flatMap(({ parameters }) => ("category" in parameters ? [parameters.category] : [])).sort()).toEqual(
    ["alert", "breaker", "call", "client", "hook", "index", "link", "panic", "process"]);
});
