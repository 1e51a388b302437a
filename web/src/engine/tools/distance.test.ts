import { expect, it } from "vitest";
import { editDistance, nearest } from "./distance.ts";

it.each([
  ["abc", "abc", 0], ["abc", "abd", 1], ["abc", "acb", 1], ["abc", "ab", 1], ["abc", "xabc", 1], ["", "ab", 2], ["kitten", "sitting", 3],
])("%j to %j is %d edits", (a, b, distance) => {
  expect(editDistance(a, b, 5)).toBe(distance);
  expect(editDistance(b, a, 5)).toBe(distance);
});

it("stops beyond the maximum", () => {
  expect(editDistance("kitten", "sitting", 2)).toBe(3);
  expect(editDistance("a", "abcdefgh", 2)).toBe(3);
});

it("puts misspellings and beginnings first, and leaves out what is far away", () => {
  expect(nearest("serch", ["search", "searchAll", "sketch", "church"], 3)).toEqual(["search"]);
  expect(nearest("search", ["searchAll", "research", "Search", "other"], 5)).toEqual(["Search", "searchAll", "research"]);
  expect(nearest("a", ["b", "bcd"], 5)).toEqual(["b"]);
});
