import { expect, it } from "vitest";
import { Revealed, type Shown } from "./revealed.ts";

const shown = (drawn: string[], asked: string[] | null, opened: string[] = asked ?? []): Shown => ({ drawn: new Set(drawn), asked, opened });

it("reveals what is wanted and not drawn, and not again once it was", () => {
  const revealed = new Revealed();
  expect(revealed.left(["a"], undefined, null)).toEqual(["a"]);
  expect(revealed.left(["a", "b"], shown(["b"], null), null)).toEqual(["a"]);
  revealed.add(["a"]);
  // Its group may be folded again.
  expect(revealed.left(["a", "b"], shown(["b"], []), [])).toEqual([]);
});

it("reveals again what was not wanted meanwhile", () => {
  const revealed = new Revealed();
  revealed.add(["a"]);
  revealed.left([], undefined, null);
  expect(revealed.left(["a"], shown([], null), null)).toEqual(["a"]);
});

it("does not take for revealed what a map shows whose groups are not those that are to be open", () => {
  const revealed = new Revealed();
  // It was asked for before another group was opened: the next map lacks a's group if a is not revealed in it.
  expect(revealed.left(["a"], shown(["a"], ["g"], ["g", "of a"]), ["g", "h"])).toEqual(["a"]);
  expect(revealed.left(["a"], shown(["a"], ["g"], ["g", "of a"]), ["g", "of a"])).toEqual([]);
});
