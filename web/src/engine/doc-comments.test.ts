import { expect, it } from "vitest";
import { codebaseOf } from "../../test/codebase.ts";
import { call } from "../../test/tools.ts";
import { docOf, docOfFile } from "./doc-comments.ts";

it.each<[string, string, string, string]>([
  ["line comments", "go", "var x = 1\n\n// Open checks a folder,\n// and reads it.\nfunc Open() {}", "Open checks a folder,\nand reads it."],
  ["a block, up to its tags", "typescript", "/**\n * Splits text.\n * Fast.\n *\n * @param text what\n */\nexport function split(text) {}", "Splits text.\n Fast."],
  ["a block on one line", "java", "/** The <b>name</b> of {@link User}. */\nString name;", "The  name  of   User ."],
  ["a comment above decorators", "typescript", "// Shows users.\n@Get()\n@Auth(\"x\")\nusers() {}", "Shows users."],
  ["a comment above attributes", "rust", "/// Renders it.\n#[get(\"/\")]\nfn index() {}", "Renders it."],
  ["a comment with a hash", "ruby", "# Finds users.\ndef find; end", "Finds users."],
  ["a doc string that begins behind a line's end", "python", "def kill():\n    \"\"\"\\\n    Kill idle workers.\n    \"\"\"", "Kill idle workers."],
  ["a doc string below a head of several lines", "python", "def find(\n    a,\n):\n    \"\"\"Find users\n    by name.\"\"\"\n    return a", "Find users\n    by name."],
  ["the beginning of a long one", "go", `// Open checks a folder.\n${"// And more.\n".repeat(30)}func Open() {}`, `Open checks a folder.${"\nAnd more.".repeat(14)}`],
  ["the beginning of a long block", "java", `/**\n * Opens it.\n${" * And more.\n".repeat(30)} */\nString name;`, `Opens it.${"\n And more.".repeat(13)}`],
  ["nothing behind an empty line", "go", "// Of something else.\n\nfunc Open() {}", ""],
  ["no preprocessor line, no code", "cpp", "#include <a.h>\nint open();", ""],
])("the comment at a declaration: %s", (_, language, text, doc) => {
  const lines = text.split("\n");
  expect(docOf(lines, 1 + lines.findIndex((line) => /^(?:func|export|String|users|fn|def|int)/.test(line)), language).trim()).toBe(doc);
});

it("the comment at the top of a file is its own, a licence is not", () => {
  expect(docOfFile(["/** Reads zips. */", "import x from \"y\";"], "typescript")).toBe("Reads zips.");
  expect(docOfFile(["#!/usr/bin/env python", "\"\"\"Reads zips.\"\"\""], "python")).toBe("Reads zips.");
  expect(docOfFile(["// Copyright 2026 Somebody", "// All rights reserved.", "package a"], "go")).toBe("");
  expect(docOfFile(["package a", "// Reads", "func f() {}"], "go")).toBe("");
});

it("search finds what is said in a comment alone, after what is named so", async () => {
  const codebase = await codebaseOf({
    "a.go": "package a\n\n// spread waits a random while, so that not all dial at once: jitter.\nfunc spread() {}\n",
    "b.py": "def wait():\n    \"\"\"Sleep with exponential backoff.\"\"\"\n",
    "c.ts": "/** Nothing to see. */\nexport function jitter(): void {}\n",
  });
  const names = async (query: string): Promise<string[]> => ((await call("search", { query }, { codebase })).results as { id: string }[]).map(({ id }) => id.slice(id.lastIndexOf(":") + 1));
  expect(await names("exponential backoff")).toEqual(["wait"]);
  expect(await names("jitter")).toEqual(["jitter", "spread"]);
  expect((await names("random dial"))[0]).toBe("spread");
});
