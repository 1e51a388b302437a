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

test("the parser's Worker carries extractors and nothing that resolves", async () => {
  const entry = new URL("../parser.worker.ts", import.meta.url).pathname;
  const built = await build({ configFile: false, logLevel: "silent", build: { write: false, minify: false, rolldownOptions: { input: entry } } });
  if (!("output" in built)) throw new Error("not one bundle");
  const ours = built.output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []))
    .map((path) => /\/languages\/(.+)\.ts$/.exec(path)?.[1]).filter((path) => path !== undefined);
  expect(ours).toEqual(expect.arrayContaining(languages.map(({ id }) => `${id}/reader`)));
  expect(ours.filter((path) => /^index$|^surfaces$|^\w+\/(?:index|library|checker|program|hierarchy|resolve(?:\/.+)?)$/.test(path))).toEqual([]);
});
