import { expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { linesWithWord } from "./words-in-text.ts";

it("whether a line is wanted is asked once, however often it has the word", async () => {
  const { files } = await codebaseOf({ "a.py": `${"Level = Level; ".repeat(1000)}\nLevelled = 1\nprint(Level)\n`, "b.py": "Level\n" });
  const asked: string[] = [];
  const found = linesWithWord(files, "Level", 10, (path, line) => {
    asked.push(`${path}:${line}`);
    return line > 1;
  });
  expect(asked).toEqual(["a.py:1", "a.py:3", "b.py:1"]);
  expect(found).toEqual([{ path: "a.py", line: 3, text: "print(Level)" }]);
});
