/**
 * Says whether the committed web/dist is what the sources build: node scripts/check-dist.mjs
 * Builds into a temporary folder and compares every byte. Exit code 1 with a list when they differ.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp, filesIn, root } from "./build.mjs";

const committed = join(root, "dist");
const fresh = mkdtempSync(join(tmpdir(), "gitnexus-dist-"));
try {
  await buildApp(fresh);
  const have = new Set(existsSync(committed) ? filesIn(committed) : []);
  const want = new Set(filesIn(fresh));
  const differences = [
    ...[...want].filter((path) => !have.has(path)).map((path) => `missing   ${path}`),
    ...[...have].filter((path) => !want.has(path)).map((path) => `left over ${path}`),
    ...[...want]
      .filter((path) => have.has(path) && !readFileSync(join(fresh, path)).equals(readFileSync(join(committed, path))))
      .map((path) => `differs   ${path}`),
  ];
  if (differences.length > 0) {
    console.error(`web/dist is not what web/ builds. Run "npm run build" in web/ and commit web/dist.\n${differences.join("\n")}`);
    process.exitCode = 1;
  } else {
    console.log(`web/dist is what web/ builds (${want.size} files).`);
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
