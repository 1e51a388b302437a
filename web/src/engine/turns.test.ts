import { expect, it } from "vitest";
import { Pieces, Turns } from "./turns.ts";

function threePieces(): { made: number[]; pieces: Pieces<string> } {
  const made: number[] = [];
  return {
    made,
    pieces: new Pieces((function* () {
      for (let i = 1; i <= 3; i++) {
        made.push(i);
        yield;
      }
      return "whole";
    })()),
  };
}

it("gives others a turn between its pieces, and makes the rest at once for whoever needs it", async () => {
  const { made, pieces } = threePieces();
  const seen: string[] = [];
  const turns = {
    next: () => {
      if (made.length === 2 && pieces.whole === undefined) seen.push(pieces.now);
      return Promise.resolve();
    },
  };
  await pieces.prepare(turns);
  expect(seen).toEqual(["whole"]);
  expect(made).toEqual([1, 2, 3]);
  expect(pieces.whole).toBe("whole");
});

it("stops when it is not wanted any more, and goes on from there when it is", async () => {
  const { made, pieces } = threePieces();
  await expect(pieces.prepare(new Turns(() => made.length < 2))).rejects.toThrow("not wanted any more");
  expect(made).toEqual([1, 2]);
  expect(pieces.whole).toBeUndefined();
  expect(pieces.now).toBe("whole");
  expect(made).toEqual([1, 2, 3]);
});

it("is there at once when it was made elsewhere", () => {
  expect(Pieces.of(7).whole).toBe(7);
});
