import { cleanPath, MAX_FILE_BYTES, MAX_TOTAL_BYTES, SourceError, type Repository } from "./source.ts";
import { select } from "./source-rules.ts";
import { Zip } from "./zip.ts";

/** Source code packs to a third to a tenth. What is small may be anything. */
const MAX_RATIO = 100;
const FREE_BYTES = 50 << 20;

/**
 * A zip of a repository. A folder around everything, as hosts put there, is taken off. Throws SourceError for what is no
 * zip, and for one that would unpack to more than 1 GB, or to far more than it has.
 */
export async function openZip(file: File): Promise<Repository> {
  const zip = await Zip.open(file);
  let total = 0;
  for (const { size } of zip.entries) if (size <= MAX_FILE_BYTES) total += size;
  if (total > MAX_TOTAL_BYTES) {
    throw new SourceError(`The zip file would unpack to ${(total / MAX_TOTAL_BYTES).toFixed(1)} GB, and 1 GB is allowed. Load a part of it.`);
  }
  if (total > FREE_BYTES && total > MAX_RATIO * file.size) {
    throw new SourceError(`The zip file would unpack to ${Math.round(total / file.size)} times its size, and ${MAX_RATIO} times is allowed: it is made to do harm, or holds data. Load the folder itself.`);
  }
  const root = commonFolder(zip.entries.map(({ path }) => path));
  const name = root === "" ? file.name.replace(/\.zip$/i, "") : root;
  const entries = select(zip.entries.map((entry) => {
    const path = cleanPath(entry.path);
    return {
      // A path that is not clean goes on as it is, to be refused by name.
      path: root !== "" && path?.startsWith(`${root}/`) ? path.slice(root.length + 1) : entry.path,
      size: entry.size,
      read: () => zip.read(entry),
    };
  }));
  return { name: name || "repository", expected: 0, entries };
}

/** The first path element when all share it and something is below; "" otherwise. Apple's copies of metadata don't count. */
function commonFolder(paths: readonly string[]): string {
  let common: string | undefined;
  for (const path of paths) {
    const clean = cleanPath(path);
    if (clean === undefined || clean.startsWith("__MACOSX/")) continue;
    const slash = clean.indexOf("/");
    if (slash < 0) return "";
    const first = clean.slice(0, slash);
    if (common !== undefined && common !== first) return "";
    common = first;
  }
  return common ?? "";
}
