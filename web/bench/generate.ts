/**
 * Makes a code base of a given size out of a real one, by copying its source files into part-001, part-002, …:
 *   npx tsx bench/generate.ts FROM OUT FILES
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { languageOf } from "../src/engine/languages/index.ts";

const [from, out, files] = process.argv.slice(2);
if (!from || !out || !files) throw new Error("usage: tsx bench/generate.ts FROM OUT FILES");
const wanted = Number(files);
// What is committed, but for the built app: that is no source.
const listed = execFileSync("git", ["-C", from, "ls-files", "-z"], { encoding: "utf8" }).split("\0");
const sources = listed.filter((path) => languageOf(path, "") && !path.startsWith("web/dist/"));
const configuration = listed.filter((path) => /(^|\/)(go\.mod|package\.json|tsconfig\.json)$/u.test(path));
for (let part = 1, left = wanted; left > 0; part++) {
  const taken = sources.slice(0, left);
  left -= taken.length;
  for (const path of [...taken, ...configuration]) {
    const to = join(out, `part-${String(part).padStart(3, "0")}`, path);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(from, path), to);
  }
}
