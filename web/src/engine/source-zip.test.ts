import { zipSync, type Zippable } from "fflate";
import { expect, test } from "vitest";
import { openZip } from "./source-zip.ts";
import type { Repository } from "./source.ts";

const text = (s: string): Uint8Array => new TextEncoder().encode(s);

function zipFile(files: Zippable, name = "my-repo.zip"): File {
  return fileOf(zipSync(files), name);
}

function fileOf(bytes: Uint8Array, name = "my-repo.zip"): File {
  return new File([Uint8Array.from(bytes)], name);
}

async function collect(repository: Repository): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const entry of repository.entries) found[entry.path] = "reason" in entry ? `skipped: ${entry.reason}` : new TextDecoder().decode(entry.bytes);
  return found;
}

/** Finds a little-endian number in the archive's directory and changes it. */
function patch(bytes: Uint8Array, offset: number, value: number): void {
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(offset, value, true);
}

function directoryOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 6, true);
}

test("takes off the one folder around everything and is named after it", async () => {
  const repository = await openZip(zipFile({
    "repo-main/": new Uint8Array(0), "repo-main/a.ts": text("a"), "repo-main/src/ü.go": [text("b"), { level: 0 }], "__MACOSX/repo-main/._a.ts": text("x"),
  }));
  expect(repository.name).toBe("repo-main");
  expect(await collect(repository)).toEqual({ "a.ts": "a", "src/ü.go": "b", __MACOSX: "skipped: metadata of macOS, 1 file" });
});

test("keeps folders when there are several, and is named after the file", async () => {
  const repository = await openZip(zipFile({ "a/x.ts": text("1"), "b/y.ts": text("2") }));
  expect(repository.name).toBe("my-repo");
  expect(await collect(repository)).toEqual({ "a/x.ts": "1", "b/y.ts": "2" });
});

test("leaves out what does not belong to the repository, by name", async () => {
  const repository = await openZip(zipFile({
    "r/.gitignore": text("dist/\n*.log\n"), "r/dist/a.js": text("1"), "r/dist/b.js": text("2"), "r/x.log": text("3"), "r/node_modules/a/b.js": text("4"),
    "r/.git/config": text("5"), "r/src/.gitignore": text("!keep.log"), "r/src/keep.log": text("6"), "r/big.json": new Uint8Array((1 << 20) + 1),
  }));
  expect(await collect(repository)).toEqual({
    ".gitignore": "dist/\n*.log\n", "src/.gitignore": "!keep.log", "src/keep.log": "6",
    dist: "skipped: ignored by .gitignore, 2 files", "x.log": "skipped: ignored by .gitignore",
    node_modules: "skipped: installed packages, 1 file", ".git": "skipped: history of version control, 1 file", "big.json": "skipped: larger than 1 MB",
  });
});

test("a path out of the root is refused by name", async () => {
  const found = await collect(await openZip(zipFile({ "r/../../etc/passwd": text("x"), "r/ok.ts": text("y"), "r\\win.ts": text("z") })));
  expect(found).toEqual({ "r/../../etc/passwd": "skipped: a path that leads out of the repository", "ok.ts": "y", "win.ts": "z" });
});

test("a bomb by its own figures is refused before anything is unpacked", async () => {
  const files: Zippable = {};
  for (let i = 0; i < 1025; i++) files[`f${String(i).padStart(4, "0")}`] = [text("x"), { level: 0 }];
  const bytes = zipSync(files);
  let entry = directoryOf(bytes);
  for (let i = 0; i < 1025; i++, entry += 46 + 5) patch(bytes, entry + 24, 1 << 20);
  await expect(openZip(fileOf(bytes))).rejects.toThrow(/would unpack to 1\.0 GB, and 1 GB is allowed/);
});

test("a bomb of many small files is refused before anything is unpacked", async () => {
  const bytes = zipSync(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`z${10 + i}`, [text("x"), { level: 0 }]] as const)));
  let entry = directoryOf(bytes);
  for (let i = 0; i < 60; i++, entry += 46 + 3) patch(bytes, entry + 24, 1 << 20);
  await expect(openZip(fileOf(bytes))).rejects.toThrow(/would unpack to \d+ times its size, and 100 times is allowed/);
});

test("entries that overlap are refused before anything is unpacked", async () => {
  const bytes = zipSync({ "a.txt": [text("a".repeat(100)), { level: 0 }], "b.txt": [text("b".repeat(100)), { level: 0 }], "c.txt": text("c") });
  const first = directoryOf(bytes);
  const second = first + 46 + "a.txt".length;
  // The same file twice, and one that begins inside of the other.
  for (const offset of [0, 40]) {
    patch(bytes, second + 42, offset);
    await expect(openZip(fileOf(bytes))).rejects.toThrow(/"a\.txt" and "b\.txt" overlap/);
  }
});

test("a bomb that lies about its size gets no more room than it said", async () => {
  const bytes = zipSync({ "bomb.txt": new Uint8Array(50 << 20), "ok.txt": text("fine") });
  patch(bytes, directoryOf(bytes) + 24, 100);
  const found = await collect(await openZip(fileOf(bytes)));
  expect(found["bomb.txt"]).toMatch(/^skipped: cannot be read: damaged/);
  expect(found["ok.txt"]).toBe("fine");
});

test("an entry that is shorter than it said, or elsewhere, is damaged and costs no other", async () => {
  const bytes = zipSync({ "a.txt": text("short"), "b.txt": text("gone"), "ok.txt": text("fine") });
  const first = directoryOf(bytes);
  patch(bytes, first + 24, 500);
  const second = first + 46 + "a.txt".length;
  patch(bytes, second + 42, new DataView(bytes.buffer).getUint32(second + 42, true) + 2);
  const found = await collect(await openZip(fileOf(bytes)));
  expect(found["a.txt"]).toMatch(/damaged: 5 bytes instead of 500/);
  expect(found["b.txt"]).toMatch(/damaged: its header is not where/);
  expect(found["ok.txt"]).toBe("fine");
});

test.each([
  ["nothing", new Uint8Array(0)],
  ["no zip", text("#!/bin/sh\n".repeat(100))],
  ["a zip whose end is missing", zipSync({ "a.txt": text("a") }).slice(0, -10)],
])("%s is refused in words", async (_, bytes) => {
  await expect(openZip(fileOf(bytes))).rejects.toThrow("not a zip file");
});

test("a cut directory is refused in words", async () => {
  const bytes = zipSync({ "a.txt": text("a"), "b.txt": text("b") });
  patch(bytes, bytes.length - 10, 20);
  await expect(openZip(fileOf(bytes))).rejects.toThrow("The zip file is damaged");
});

test("an empty zip is an empty repository", async () => {
  expect(await collect(await openZip(zipFile({})))).toEqual({});
});
