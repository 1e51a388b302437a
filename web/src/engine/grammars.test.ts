import { expect, test } from "vitest";
import { grammarUrls } from "./grammars.ts";
import { readers } from "./languages/readers.ts";

test("the app carries exactly the grammars that its languages ask for", () => {
  const wanted = new Set(readers.flatMap((reader) => reader.extensions.map((extension) => reader.grammar(`a${extension}`, ""))));
  for (const name of wanted) expect(grammarUrls[name], name).toContain(`tree-sitter-${name}`);
  // Each is up to 2 MB, so one that nobody asks for has no place.
  expect(Object.keys(grammarUrls).filter((name) => !wanted.has(name as never))).toEqual([]);
});
