import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Ignore } from "./gitignore.ts";

const PATHS = [
  "a.log", "keep.log", "b/a.log", "b/keep.log", "b/c/d.txt", "build/x.js", "b/build/x.js", "b/building/x.js", "build.js", "src/main.ts",
  "src/gen/a.pb.go", "src/gen/deep/b.pb.go", "src/gen/keep.go", "doc/a.txt", "doc/x/a.txt", "doc/x/y/a.txt", "foo/bar", "foo/x/bar", "foo/x/y/bar",
  "x/foo/bar", "file1", "file2", "fileA", "file-", "file]", "trail ", "trail", "#hash", "!bang", "a[b]", "star*", "starry", "q?", "qq", "über.txt", "tmp/a", "tmp/keep/a",
  "tmp/keep/b", "s/tmp/a", "a/b/c", "deep/one/two/three.ts", "back\\slash", "a.b.c", "Makefile", "dist/index.js", "pkg/dist/index.js", "pkg/src/dist.ts",
  "vendor/a/b.go", "cmd/vendor/a.go", "tab\tname", "z", "-", "a-b",
];

const CASES: Record<string, Record<string, string>> = {
  "names, folders, negation": { "": "*.log\n!keep.log\nbuild/\n# comment\n\\#hash\n\\!bang\ntrail\\ \n" },
  "anchored and with slashes": { "": "/build\ndoc/*.txt\nfoo/bar\nsrc/gen/\n!src/gen/keep.go\n" },
  "two stars": { "": "foo/**/bar\n**/three.ts\ndoc/**\n!doc/x/\nvendor/**\n" },
  "two stars inside a name": { "": "a**c\n*d**/x.js\n/?o**/b?r\n" },
  "sets and ranges": { "": "file[0-9]\nfile[!0-9-]\na\\[b\\]\n[z-a]\n[\n[]]\nfile[]-]\n" },
  "escapes": { "": "star\\*\nq\\?\nback\\\\slash\n\\\n" },
  "named sets": { "": "file[[:digit:]]\n[[:upper:]]akefile\ntab[[:space:]]name\n" },
  "deeper files first": { "": "*.log\ndist/\ntmp/\n", b: "!a.log\nc/\n", pkg: "!dist/\n", "tmp": "!keep/\n" },
  "all but": { "": "/*\n!/src\n/src/*\n!/src/main.ts\n" },
  "white space and line ends": { "": "a.log   \r\n  z\n\tz\n\r\nqq\r\n" },
  "question marks and letters": { "": "file?\n?\nüb*\n*.b.c\n-\n[a-b]-[!c-z]*\n" },
  "slash only": { "": "/\n//\n**\n" },
  "slash and two stars": { "": "/**\n!/**/\n!*.ts\n" },
  "spaces beyond all bounds": { "": `a.log${" ".repeat(5_000)}\ntrail\\   \n` },
};

/** The paths of PATHS that git ignores under these .gitignore files. */
function ignoredByGit(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), "gitignore-"));
  try {
    spawnSync("git", ["init", "-q", root]);
    for (const path of PATHS) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), "");
    }
    for (const [folder, text] of Object.entries(files)) writeFileSync(join(root, folder, ".gitignore"), text);
    const { stdout } = spawnSync("git", ["-C", root, "-c", "core.excludesFile=/dev/null", "ls-files", "-z", "--others", "--exclude-standard"], { encoding: "utf8" });
    const kept = new Set(stdout.split("\0"));
    return PATHS.filter((path) => !kept.has(path));
  } finally {
    rmSync(root, { recursive: true });
  }
}

for (const [name, files] of Object.entries(CASES)) {
  test(`ignores what git ignores: ${name}`, () => {
    const ignore = new Ignore(new Map(Object.entries(files)));
    const expected = ignoredByGit(files);
    expect(PATHS.filter((path) => ignore.cause(path) !== undefined)).toEqual(expected);
  });
}

test("the cause is the highest ignored folder", () => {
  const ignore = new Ignore(new Map([["", "out\n*.log"]]));
  expect(ignore.cause("a/out/b/c.ts")).toBe("a/out");
  expect(ignore.cause("a/x.log")).toBe("a/x.log");
  expect(ignore.cause("a/x.ts")).toBeUndefined();
});

test("a hostile pattern ends in time", () => {
  const ignore = new Ignore(new Map([["", `${"*a".repeat(30)}b\n${"**/".repeat(40)}x\n`]]));
  const started = performance.now();
  expect(ignore.cause("a".repeat(200))).toBeUndefined();
  expect(ignore.cause(`${"a/".repeat(100)}y`)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(2_000);
});

test("a folder whose .gitignore is beyond the bounds is ignored as a whole, and the others are not", () => {
  const many = "x\n".repeat(10_001);
  const large = `${"#".repeat(2 << 20)}\nsecret`;
  const ignore = new Ignore(new Map([["a", many], ["b", "x"], ["c", large], ["d", large], ["e", "secret"]]));
  expect(["a/f", "a/g/f", "b/f", "b/x", "c/f", "c/secret", "d/f", "e/f", "f"].map((path) => ignore.cause(path))).toEqual(
    ["a", "a", undefined, "b/x", undefined, "c/secret", "d", "e", undefined],
  );
  expect(new Ignore(new Map([["", many]])).cause("f")).toBe(".");
});

test("a rule after a line of any length holds", () => {
  const ignore = new Ignore(new Map([["", `#${"x".repeat(200_000)}\n${"y".repeat(200_000)}\nsecret\n`]]));
  expect(ignore.cause("secret")).toBe("secret");
});

test("a folder is ignored whose .gitignore cannot be read, or has a rule that is too long to be looked at", () => {
  const ignore = new Ignore(new Map([["a", undefined], ["b", `${"*".repeat(5_000)}t\n`], ["c", "x".repeat(5_000)]]));
  expect(["a/f", "b/f", "c/f", "f"].map((path) => ignore.cause(path))).toEqual(["a", "b", undefined, undefined]);
});
