import { afterEach, describe, expect, test, vi } from "vitest";
import { dice, type Files } from "../../test/edits.ts";
import { difference, EDITS, indexed, inWords, open, parse, parseBeside, relationsOf, repositories, SEED, unclustered, withoutRests } from "../../test/workspaces.ts";
import { Change } from "./languages/python/change.ts";

/** Of so many words of a chain, EDITS are replaced one at a time. */
const WORDS_APART = 60;

withoutRests();

/** A text without each of its lines, and with each of its words that is taken called something else, one at a time. */
function* smallEdits(text: string, takes: () => boolean): Iterable<[edited: string, log: string]> {
  const lines = text.split("\n");
  for (const [i, line] of lines.entries()) {
    if (line.trim() === "") continue;
    yield [lines.toSpliced(i, 1).join("\n"), `without line ${i + 1}`];
    for (const { 0: word, index } of line.matchAll(/[A-Za-z_]\w*/g)) {
      if (!takes()) continue;
      yield [lines.with(i, `${line.slice(0, index)}Missing${line.slice(index + word.length)}`).join("\n"), `with Missing for ${word} in line ${i + 1}`];
    }
  }
}

describe("after each small edit of a chain, and after its undoing, the graph is that of an index from the start", () => {
  for (const [name, original] of repositories()) {
    if (!name.startsWith("chains/")) continue;
    for (const [path, text] of Object.entries(original)) {
      test(`${name}, ${path}`, async () => {
        const roll = dice(SEED);
        const workspace = await open(original);
        const whole = inWords(workspace.codebase!, false);
        for (const [edited, log] of smallEdits(text, () => roll(WORDS_APART) < EDITS)) {
          const files = { ...original, [path]: edited };
          const updated = await workspace.update(difference(original, files), parse);
          const fresh = await unclustered(files);
          expect(inWords(updated, false), log).toEqual(inWords(fresh.codebase!, false));
          expect(inWords(await workspace.update(difference(files, original), parse), false), `${log}, undone`).toEqual(whole);
          // What was asked before the edit is not known here.
          expect(inWords(await fresh.update(difference(files, original), parseBeside), false), `${log}, undone at once`).toEqual(whole);
        }
      });
    }
  }
});

describe("Python, where an edit leads to too much, and all is resolved again with what is known of it, the graph is that of an index from the start", () => {
  type Follow = (this: Change, ...visit: Parameters<Change["follow"]>) => boolean;
  const follow: Follow = Reflect.get(Change.prototype, "follow");
  afterEach(() => {
    vi.restoreAllMocks();
  });
  for (const name of ["chains/python.txt", "chains/python-circles.txt"]) {
    const original = repositories().get(name)!;
    test.each<[string, Follow]>([
      ["without what calls pass", () => false],
      ["with what calls pass", function (visit): boolean {
        return follow.call(this, visit) && !visit;
      }],
    ])(`${name}, %s`, async (_, tooMuch) => {
      const roll = dice(SEED);
      const workspace = await open(original);
      const whole = inWords(workspace.codebase!, false);
      let broken = 0;
      for (const [path, text] of Object.entries(original)) {
        for (const [edited, log] of smallEdits(text, () => roll(WORDS_APART) < EDITS)) {
          const files = { ...original, [path]: edited };
          const become = async (before: Files, after: Files): Promise<string[]> => {
            if (roll(3) > 0) vi.spyOn(Change.prototype, "follow").mockImplementation(tooMuch);
            const updated = await workspace.update(difference(before, after), parse);
            vi.restoreAllMocks();
            for (const { redonePaths } of relationsOf(workspace)) if (redonePaths?.size === Object.keys(original).length) broken++;
            return inWords(updated, false);
          };
          expect(await become(original, files), `${path} ${log}`).toEqual(await indexed(files));
          expect(await become(files, original), `${path} ${log}, undone`).toEqual(whole);
        }
      }
      expect(broken).toBeGreaterThan(20);
    });
  }
});

describe("after each file of a chain has gone, and come back, the graph is that of an index from the start", () => {
  for (const [name, original] of repositories()) {
    if (!name.startsWith("chains/")) continue;
    test(name, async () => {
      const workspace = await open(original);
      const whole = inWords(workspace.codebase!, false);
      for (const path of Object.keys(original)) {
        const files = Object.fromEntries(Object.entries(original).filter(([other]) => other !== path));
        const without = await indexed(files);
        expect(inWords(await workspace.update(difference(original, files), parse), false), path).toEqual(without);
        expect(inWords(await workspace.update(difference(files, original), parse), false), `${path}, come back`).toEqual(whole);
        expect(inWords(await (await unclustered(files)).update(difference(files, original), parseBeside), false), `${path}, come`).toEqual(whole);
      }
    });
  }
});
