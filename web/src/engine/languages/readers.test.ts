import { build } from "vite";
import { expect, test } from "vitest";
import { languages } from "./index.ts";
import { readerOf, readers } from "./readers.ts";

test("every language has its reader in the list", () => {
  expect(readers.map(({ id }) => id)).toEqual(languages.map(({ id }) => id));
  for (const { id, extensions } of languages) expect(extensions.map((ending) => readerOf(`a${ending}`, "")?.id)).toEqual(extensions.map(() => id));
});

test.each([
  ["bin/tool", "#!/usr/bin/env python3\n", "python"],
  ["bin/tool", "#! /usr/local/bin/python3.12 -u\r\n", "python"],
  ["exe/jekyll", "#!/usr/bin/env ruby\n# more", "ruby"],
  ["cli", "#!/usr/bin/env -S NODE_ENV=test node --flag\n", "typescript"],
  ["cli", "#!/usr/bin/php\n<?php\n", "php"],
  ["configure", "#!/bin/sh\n", undefined],
  ["README", "#!python is how it begins\n", "python"],
  ["notes", "# python\n", undefined],
  ["LICENSE", "", undefined],
  ["tool.in", "#!/usr/bin/env python3\n", undefined],
  ["a.rb", "#!/usr/bin/env python3\n", "ruby"],
])("%s that begins with %j is read as %s", (path, text, id) => {
  expect(readerOf(path, text)?.id).toBe(id);
});

/** The modules of a Worker as it is bundled, by their paths from the source folder or from node_modules. */
async function modulesOf(worker: string): Promise<string[]> {
  const entry = new URL(`../${worker}.worker.ts`, import.meta.url).pathname;
  const built = await build({ configFile: false, logLevel: "silent", build: { write: false, minify: false, rolldownOptions: { input: entry } } });
  if (!("output" in built)) throw new Error("not one bundle");
  return built.output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : [])).map((path) => path.replace(/^.*\/(?:node_modules|src\/engine)\//, ""));
}

test("the parser's Worker carries extractors and nothing that resolves", async () => {
  const modules = await modulesOf("parser");
  expect(modules).toEqual(expect.arrayContaining(languages.map(({ id }) => `languages/${id}/reader.ts`)));
  expect(modules.filter((path) => /^languages\/(?:index|surfaces|\w+\/(?:index|library|checker|program|hierarchy|resolve(?:\/.+)?))\.ts$/.test(path))).toEqual([]);
});

test("the engine's Worker carries resolvers and nothing that parses or finds clusters", async () => {
  const modules = await modulesOf("engine");
  expect(modules).toEqual(expect.arrayContaining(languages.map(({ id }) => `languages/${id}/index.ts`)));
  expect(modules.filter((path) => /^(?:web-tree-sitter|graphology)|^tree-walk|^(?:find-clusters|communities)\.ts$|^languages\/\w+\/(?:reader|extract(?:ion)?(?:\/.+)?)\.ts$/.test(path))).toEqual([]);
});
