import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Language } from "../src/engine/language.ts";
import { analyse, edgesOf, extract } from "./languages.ts";

/**
 * Tests a language by its fixtures. A fixture is a text file: what it shows, then `-- path --` and the file's text for each
 * file, then `-- expected --` and every edge. Set UPDATE=1 to write down the edges as they are now, and read the difference.
 * Every fixture is also cut and torn in many places: whatever is left must be read without an error.
 */
export function testFixtures(language: Language, folder: URL): void {
  const all = readdirSync(folder).sort().map((name) => ({ name, ...read(new URL(name, folder)) }));
  const sources = all.flatMap(({ files }) => Object.entries(files).filter(([path]) => language.extensions.some((end) => path.endsWith(end))));

  describe("edges", () => {
    it.each(all)("$name: $title", async ({ name, files, expected, head }) => {
      const edges = await edgesOf(files);
      if (process.env["UPDATE"]) writeFileSync(new URL(name, folder), `${head}-- expected --\n${edges.join("\n")}\n`);
      else expect(edges).toEqual(expected);
    });

    it.skipIf(process.env["UPDATE"])("are the same in whatever order the files come", async () => {
      for (const { files, expected } of all) expect(await edgesOf(Object.fromEntries(Object.entries(files).reverse()))).toEqual(expected);
    });
  });

  describe("hostile input", () => {
    it("never throws, wherever a file is cut or what is torn out of it", async () => {
      const repo: Record<string, string> = {};
      let seed = 7;
      const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
      for (const [path, source] of sources) {
        for (let n = 0; n < 4; n++) {
          const from = random(source.length);
          repo[`${n}/${path}`] = source.slice(0, from) + (n % 2 ? source.slice(from + random(20)) : "");
        }
      }
      await expect(analyse(repo)).resolves.toHaveLength(1);
    });

    it("keeps facts that survive JSON, and parents before their children", async () => {
      for (const [path, source] of sources) {
        const facts = await extract(language, path, source);
        expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
        facts.symbols.forEach((symbol, i) => expect(symbol.parent).toBeLessThan(i));
      }
    });
  });
}

function read(url: URL): { title: string; files: Record<string, string>; expected: string[]; head: string } {
  const text = readFileSync(url, "utf8");
  const [title = "", ...sections] = text.split(/^-- (.+) --\n/m);
  const files: Record<string, string> = {};
  let expected: string[] = [];
  for (let i = 0; i < sections.length; i += 2) {
    if (sections[i] === "expected") expected = sections[i + 1]!.split("\n").filter((line) => line !== "");
    else files[sections[i]!] = sections[i + 1]!;
  }
  return { title: title.trim(), files, expected, head: text.split("-- expected --\n")[0]! };
}
