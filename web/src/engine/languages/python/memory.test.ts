import { expect, test } from "vitest";
import { Memory, type Remembered } from "./memory.ts";

/** What is found now, from what these files say. */
function found(memory: Memory, ...files: readonly number[]): Remembered {
  memory.begin(memory.nothing);
  for (const file of files) memory.take(memory.file(file));
  return { edit: memory.edit, read: memory.end(undefined) };
}

/** An edit of files. */
function edit(memory: Memory, ...files: readonly number[]): void {
  memory.next();
  memory.change(files.map((file) => memory.file(file)));
}

test("what was found holds until a file that was read changes, and for the program before that still", () => {
  const memory = new Memory();
  const both = found(memory, 1, 2);
  edit(memory, 3);
  expect(memory.holds(both, 1)).toBe(true);
  edit(memory, 2);
  expect(memory.holds(both, 2)).toBe(false);
  expect(memory.holds(both, 1)).toBe(true);
});

test("what is found after an edit holds before it where the edit left all that was read alone", () => {
  const memory = new Memory();
  edit(memory, 1);
  expect(memory.holds(found(memory, 2), 0)).toBe(true);
  expect(memory.holds(found(memory, 1, 2), 0)).toBe(false);
});

test("of two edits of a file the first one counts for the program between them", () => {
  const memory = new Memory();
  const first = found(memory, 1);
  edit(memory, 1);
  const second = found(memory, 1);
  edit(memory, 1);
  expect([first, second].map((each) => memory.holds(each, 1))).toEqual([false, true]);
  expect([first, second].map((each) => memory.holds(each, 2))).toEqual([false, false]);
});

test("what is read within is read outside, too", () => {
  const memory = new Memory();
  const nobody = memory.begin(memory.file(1));
  const outer = memory.begin(memory.file(2));
  expect(memory.end(outer).of).toEqual(memory.file(2).of);
  const read = memory.end(nobody);
  edit(memory, 2);
  expect(memory.holds({ edit: 0, read }, 1)).toBe(false);
  expect(memory.holds({ edit: 0, read: memory.file(1) }, 1)).toBe(true);
});

test("what calls pass to a file's functions changes on its own, also in the middle of an edit", () => {
  const memory = new Memory();
  const said: Remembered = { edit: 0, read: memory.file(1) };
  const passed: Remembered = { edit: 0, read: memory.passed(1) };
  edit(memory, 2);
  expect([said, passed].map((each) => memory.holds(each, 1))).toEqual([true, true]);
  memory.change([memory.passed(1)]);
  expect([said, passed].map((each) => memory.holds(each, 1))).toEqual([true, false]);
});

test("what has read very much holds at its own edit alone", () => {
  const memory = new Memory();
  const much = found(memory, ...Array.from({ length: 1_000 }, (_, i) => i));
  const little = found(memory, 1);
  edit(memory, 2_000);
  expect([much, little].map((each) => memory.holds(each, 0))).toEqual([true, true]);
  expect([much, little].map((each) => memory.holds(each, 1))).toEqual([false, true]);
});

test("the same files are the same set, in whatever order they were read", () => {
  const memory = new Memory();
  expect(found(memory, 3, 1, 2).read).toBe(found(memory, 2, 3, 1, 1).read);
});
