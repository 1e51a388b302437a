import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { holdsSecrets, SECRET_REASON } from "./secret-files.ts";
import { select } from "./source-rules.ts";

const { secret, kept } = JSON.parse(readFileSync(new URL("../../../repo/testdata/secret-files.json", import.meta.url), "utf8")) as Record<"secret" | "kept", string[]>;

test("the hub and the page leave out the same files", () => {
  expect(secret.filter((path) => !holdsSecrets(path))).toEqual([]);
  expect(kept.filter((path) => holdsSecrets(path))).toEqual([]);
});

test("a folder and an archive go without them, and say so", async () => {
  const files = [".env", ".env.example", "a/server.key", "a.ts"].map((path) => ({ path, size: 1, read: () => Promise.resolve(new Uint8Array(1)) }));
  const found: string[] = [];
  const left: string[] = [];
  for await (const entry of select(files)) {
    if (!("reason" in entry)) found.push(entry.path);
    else if (entry.reason === SECRET_REASON) left.push(entry.path);
  }
  expect(found).toEqual([".env.example", "a.ts"]);
  expect(left).toEqual([".env", "a/server.key"]);
});
