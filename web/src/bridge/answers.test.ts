import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Answers } from "./answers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an answer is kept for its time and not longer, without anybody asking", () => {
  const answers = new Answers({ ms: 1000, count: 10, bytes: 100 });
  answers.add("a", "A", 1);
  vi.advanceTimersByTime(600);
  answers.add("b", "B", 2);
  vi.advanceTimersByTime(399);
  expect(answers.get("a")?.frame).toBe("A");
  vi.advanceTimersByTime(1);
  expect(answers.get("a")).toBeUndefined();
  expect([answers.size, answers.bytes]).toEqual([1, 2]);
  vi.advanceTimersByTime(600);
  expect([answers.size, answers.bytes]).toEqual([0, 0]);
  expect(vi.getTimerCount()).toBe(0);
  answers.add("c", "C", 1);
  vi.advanceTimersByTime(1000);
  expect(answers.size).toBe(0);
});

test("the oldest go when there are too many", () => {
  const answers = new Answers({ ms: 1000, count: 2, bytes: 100 });
  for (const id of ["a", "b", "c"]) answers.add(id, id, 1);
  expect(["a", "b", "c"].map((id) => answers.get(id)?.frame)).toEqual([undefined, "b", "c"]);
});

test("the oldest go when they are too large together", () => {
  const answers = new Answers({ ms: 1000, count: 10, bytes: 100 });
  answers.add("a", "A", 50);
  answers.add("b", "B", 50);
  answers.add("c", "C", 60);
  expect(answers.get("a")).toBeUndefined();
  expect(answers.get("b")).toBeUndefined();
  expect(answers.bytes).toBe(60);
});

test("one that is too large by itself drives no other out", () => {
  const answers = new Answers({ ms: 1000, count: 10, bytes: 100 });
  answers.add("a", "A", 100);
  answers.add("b", "B", 101);
  expect(answers.get("a")?.frame).toBe("A");
  expect(answers.get("b")).toBeUndefined();
});

test("the same id counts once, with its last answer", () => {
  const answers = new Answers({ ms: 1000, count: 10, bytes: 100 });
  answers.add("a", "A", 60);
  answers.add("a", "AA", 70);
  expect(answers.get("a")?.frame).toBe("AA");
  expect([answers.size, answers.bytes]).toEqual([1, 70]);
});
