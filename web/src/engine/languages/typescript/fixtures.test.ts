import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { edgesOf } from "../../../../test/languages.ts";

/**
 * A fixture is a text file: what it shows, then `-- path --` and the file's text for each file,
 * then `-- expected --` and every edge. Set UPDATE=1 to write down the edges as they are now, and read the difference.
 */
const folder = new URL("fixtures/", import.meta.url);

function parts(text: string): { files: Record<string, string>; expected: string[]; head: string } {
  const [, ...sections] = text.split(/^-- (.+) --\n/m);
  const files: Record<string, string> = {};
  let expected: string[] = [];
  for (let i = 0; i < sections.length; i += 2) {
    if (sections[i] === "expected") expected = sections[i + 1]!.split("\n").filter((l) => l !== "");
    else files[sections[i]!] = sections[i + 1]!;
  }
  return { files, expected, head: text.split("-- expected --\n")[0]! };
}

describe("edges", () => {
  for (const name of readdirSync(folder).sort()) {
    it(name.replace(/\.txt$/, "").replaceAll("-", " "), async () => {
      const url = new URL(name, folder);
      const { files, expected, head } = parts(readFileSync(url, "utf8"));
      const edges = await edgesOf(files);
      if (process.env["UPDATE"]) writeFileSync(url, `${head}-- expected --\n${edges.join("\n")}\n`);
      else expect(edges).toEqual(expected);
    });
  }
});
