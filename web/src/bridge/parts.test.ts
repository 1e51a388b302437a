import { expect, test } from "vitest";
import { FakeHub, FakeLink } from "../../test/fake-hub.ts";
import { LargeFrame, Parts } from "./parts.ts";

const encoder = new TextEncoder();
const PART = 65_536;

/** A frame of `size` bytes in three pieces, cut wherever that is, and its text. */
function frameOf(size: number, seed: number): { frame: LargeFrame; text: string } {
  const text = "€uro ".repeat(size / 7 + 1);
  const bytes = encoder.encode(text).subarray(0, size);
  const cut = [0, (seed * 7919) % (size + 1), (seed * 104_729) % (size + 1), size].sort((a, b) => a - b);
  const pieces = cut.slice(1).map((end, i) => bytes.subarray(cut[i], end));
  return { frame: new LargeFrame(pieces), text: new TextDecoder().decode(bytes) };
}

function sender(ahead: number): { parts: Parts; link: FakeLink; numbers: () => number[] } {
  const link = new FakeLink(new FakeHub(), "ws://hub/", []);
  link.open();
  const parts = new Parts((part) => link.send(part), ahead);
  return { parts, link, numbers: () => link.parts.map((part) => new DataView(part.buffer).getUint32(0, true)) };
}

test.each([1, 2, PART - 1, PART, PART + 1, 3 * PART, 1_000_003])("%d bytes in pieces come out as they went in", (size) => {
  for (let seed = 0; seed < 10; seed++) {
    const { frame, text } = frameOf(size, seed);
    const { parts, link } = sender(10_000_000);
    expect(frame.bytes).toBe(size);
    parts.add(frame);
    expect(link.assembled().get(1)).toBe(text);
    expect(frame.text()).toBe(text);
    expect(Math.max(...link.parts.map((part) => part.length))).toBeLessThanOrEqual(PART + 12);
  }
});

test("messages take turns, four at a time, each no further ahead than it may be", () => {
  const { parts, numbers } = sender(2 * PART);
  for (let i = 0; i < 5; i++) parts.add(frameOf(3 * PART, i).frame);
  // Each as it was added: nothing waits while nothing is in its way.
  expect(numbers()).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  parts.taken(2, PART);
  expect(numbers().slice(8)).toEqual([2]);
  parts.taken(2, 3 * PART);
  expect(numbers().slice(9)).toEqual([5, 5]);
});

test("a message that waited sends in turn with the others", () => {
  const { parts, numbers } = sender(PART);
  for (let i = 0; i < 2; i++) parts.add(frameOf(3 * PART, i).frame);
  expect(numbers()).toEqual([1, 2]);
  parts.taken(1, PART);
  parts.taken(2, PART);
  parts.taken(2, 2 * PART);
  parts.taken(1, 2 * PART);
  expect(numbers()).toEqual([1, 2, 1, 2, 2, 1]);
});

test.each([[1, 0], [1, -1], [1, PART + 1], [2, 1]])("bytes of message %d that cannot have come: %d", (number, bytes) => {
  const { parts } = sender(PART);
  parts.add(frameOf(2 * PART, 1).frame);
  expect(() => parts.taken(number, bytes)).toThrow("bridge/taken");
});

test("the same word twice is one too many", () => {
  const { parts } = sender(PART);
  parts.add(frameOf(PART, 1).frame);
  parts.taken(1, PART);
  expect(() => parts.taken(1, PART)).toThrow("bridge/taken");
});
