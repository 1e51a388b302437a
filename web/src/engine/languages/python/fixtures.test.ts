import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { edgesOf, extract } from "../../../../test/languages.ts";
import { python } from "./index.ts";

const folder = new URL("fixtures/", import.meta.url);

/** A fixture: a sentence, files as `-- path --` and their text, and at the end `-- edges --`. */
function read(name: string): { title: string; repo: Record<string, string>; edges: string[] } {
  const [title = "", ...sections] = readFileSync(new URL(name, folder), "utf8").split(/^-- (.+) --\n/m);
  const repo: Record<string, string> = {};
  let edges: string[] | undefined;
  for (let i = 0; i < sections.length; i += 2) {
    if (sections[i] === "edges") edges = sections[i + 1]!.split("\n").filter(Boolean);
    else repo[sections[i]!] = sections[i + 1]!;
  }
  if (!edges) throw new Error(`${name} has no edges`);
  return { title: title.trim(), repo, edges };
}

const names = readdirSync(folder).filter((name) => name.endsWith(".txtar"));

describe("Python fixtures", () => {
  it.each(names)("%s", async (name) => {
    const { repo, edges } = read(name);
    const found = await edgesOf(repo);
    if (process.env["UPDATE"]) {
      const url = new URL(name, folder);
      writeFileSync(url, `${readFileSync(url, "utf8").split("-- edges --\n")[0]!}-- edges --\n${found.join("\n")}\n`);
    } else expect(found).toEqual(edges);
  });

  it("gives the same edges in whatever order the files come", async () => {
    for (const name of names) {
      const { repo, edges } = read(name);
      const reversed = Object.fromEntries(Object.entries(repo).reverse());
      expect(await edgesOf(reversed), name).toEqual(edges);
    }
  });

  it("reads every beginning of every fixture", async () => {
    for (const name of names) {
      const text = Object.values(read(name).repo).join("\n");
      for (let end = 0; end < text.length; end += 17) {
        const { symbols } = await extract(python, "cut.py", text.slice(0, end));
        symbols.forEach((symbol, i) => expect(symbol.parent).toBeLessThan(i));
      }
    }
  });
});
