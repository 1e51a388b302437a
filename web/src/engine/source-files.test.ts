import { expect, test } from "vitest";
import { openFiles } from "./source-files.ts";

async function read(files: { path: string; file: Blob }[]): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of openFiles("repo", files).entries) found.push("reason" in entry ? `${entry.path}: ${entry.reason}` : entry.path);
  return found;
}

test("picked files go through the rules of every level", async () => {
  const blob = (content = ""): Blob => new Blob([content]);
  expect(await read([
    { path: "a.ts", file: blob() },
    { path: ".gitignore", file: blob("/out\n") },
    { path: "out/a.js", file: blob() },
    { path: "pkg/out/a.js", file: blob() },
    { path: "pkg/.gitignore", file: blob("*.tmp") },
    { path: "pkg/x.tmp", file: blob() },
    { path: "x.tmp", file: blob() },
    { path: "pkg/node_modules/y/index.js", file: blob() },
    { path: "pkg/node_modules/z/index.js", file: blob() },
    { path: "/lead/./b.ts", file: blob() },
    { path: "../c.ts", file: blob() },
  ])).toEqual([
    "../c.ts: a path that leads out of the repository",
    "pkg/node_modules: installed packages, 2 files", "out: ignored by .gitignore, 1 file", "pkg/x.tmp: ignored by .gitignore",
    "a.ts", ".gitignore", "pkg/out/a.js", "pkg/.gitignore", "x.tmp", "lead/b.ts",
  ]);
});

test("a folder whose .gitignore is too large, or cannot be read, is left out", async () => {
  const gone = new Blob(["x"]);
  gone.arrayBuffer = () => Promise.reject(new DOMException("denied", "NotReadableError"));
  expect(await read([
    { path: "a/.gitignore", file: new Blob([`${"#".repeat(1 << 20)}\nsecret\n`]) }, { path: "a/secret", file: new Blob() },
    { path: "b/.gitignore", file: gone }, { path: "b/c/d.ts", file: new Blob() }, { path: "e.ts", file: new Blob() },
  ])).toEqual([
    "a: a .gitignore that is too large or cannot be read, 2 files", "b: a .gitignore that is too large or cannot be read, 2 files", "e.ts",
  ]);
});

test("one file that cannot be read, as when it was deleted meanwhile, is named and stops nothing", async () => {
  const gone = new Blob(["x"]);
  gone.arrayBuffer = () => Promise.reject(new DOMException("A requested file could not be found", "NotFoundError"));
  expect(await read([{ path: "gone.ts", file: gone }, { path: "b.ts", file: new Blob() }])).toEqual([
    "gone.ts: cannot be read: A requested file could not be found", "b.ts",
  ]);
});

test("reads ahead, and keeps the order and the number of open files bounded", async () => {
  let open = 0;
  let most = 0;
  const files = Array.from({ length: 200 }, (_, i) => {
    const file = new Blob([String(i)]);
    file.arrayBuffer = async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, i % 7));
      open--;
      return new ArrayBuffer(0);
    };
    return { path: `f${i}.ts`, file };
  });
  expect(await read(files)).toEqual(files.map(({ path }) => path));
  expect(most).toBeGreaterThan(4);
  expect(most).toBeLessThanOrEqual(32);
});
