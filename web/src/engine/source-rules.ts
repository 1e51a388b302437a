import { Ignore, type IgnoreFiles } from "./gitignore.ts";
import { holdsSecrets, SECRET_REASON } from "./secret-files.ts";
import { cleanPath, MAX_FILE_BYTES, TOO_LARGE, type SourceEntry } from "./source.ts";

/** A file that is there and could be read. */
export interface Candidate {
  path: string;
  /** Bytes. */
  size: number;
  /** Its content. Rejects when it cannot be read. */
  read: () => Promise<Uint8Array>;
}

/** Folders that are never a part of the code base itself, and what they are. */
const FOREIGN: Record<string, string> = {
  ".git": "history of version control", ".hg": "history of version control", ".svn": "history of version control",
  node_modules: "installed packages", __MACOSX: "metadata of macOS",
};
const IGNORE_FILE = ".gitignore";

/**
 * Delivers what belongs to the repository among the files of a folder or an archive: not .git and node_modules, not what
 * a .gitignore at any level names, no files that are there to hold secrets, nothing over 1 MB. What is left out is delivered with the reason: a folder that is
 * left out as a whole once, with the number of its files. Up to `ahead` files are read at once.
 */
export async function* select(candidates: readonly Candidate[], ahead = 1): AsyncGenerator<SourceEntry> {
  const leftOut = new Counts();
  const own: Candidate[] = [];
  for (const candidate of candidates) {
    const path = cleanPath(candidate.path);
    if (path === undefined) yield { path: candidate.path, reason: "a path that leads out of the repository" };
    else if (!leftOut.addForeign(path)) own.push({ path, size: candidate.size, read: candidate.read });
  }
  const ignore = new Ignore(await ignoreFiles(own));
  const wanted: Candidate[] = [];
  for (const candidate of own) {
    const cause = ignore.cause(candidate.path);
    if (cause !== undefined) leftOut.add(cause, ignore.beyond.has(cause === "." ? "" : cause) ? "a .gitignore that is too large or cannot be read" : "ignored by .gitignore", cause !== candidate.path);
    else if (holdsSecrets(candidate.path)) yield { path: candidate.path, reason: SECRET_REASON };
    else if (candidate.size > MAX_FILE_BYTES) yield { path: candidate.path, reason: TOO_LARGE };
    else wanted.push(candidate);
  }
  yield* leftOut.entries();

  const reading: Promise<SourceEntry>[] = [];
  for (const candidate of wanted) {
    reading.push(readOne(candidate));
    if (reading.length >= ahead) yield await reading.shift()!;
  }
  for (const entry of reading) yield await entry;
}

async function readOne({ path, read }: Candidate): Promise<SourceEntry> {
  try {
    return { path, bytes: await read() };
  } catch (error) {
    return { path, reason: `cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function ignoreFiles(candidates: readonly Candidate[]): Promise<IgnoreFiles> {
  const files = new Map<string, string | undefined>();
  for (const candidate of candidates) {
    const { path, size } = candidate;
    if (!(path === IGNORE_FILE || path.endsWith(`/${IGNORE_FILE}`))) continue;
    const entry = size > MAX_FILE_BYTES ? undefined : await readOne(candidate);
    files.set(path.slice(0, -IGNORE_FILE.length - 1), entry && "bytes" in entry ? new TextDecoder().decode(entry.bytes) : undefined);
  }
  return files;
}

/** What was left out, by path. */
class Counts {
  private readonly known = new Map<string, { what: string; folder: boolean; files: number }>();

  /** Whether the path is in a foreign folder, and if so counts it there. */
  addForeign(path: string): boolean {
    const parts = path.split("/");
    const at = parts.slice(0, -1).findIndex((part) => Object.hasOwn(FOREIGN, part));
    if (at < 0) return false;
    this.add(parts.slice(0, at + 1).join("/"), FOREIGN[parts[at]!]!, true);
    return true;
  }

  add(path: string, what: string, folder: boolean): void {
    const known = this.known.get(path);
    if (known) known.files++;
    else this.known.set(path, { what, folder, files: 1 });
  }

  *entries(): Generator<SourceEntry> {
    for (const [path, { what, folder, files }] of this.known) {
      yield { path, reason: folder ? `${what}, ${files} ${files === 1 ? "file" : "files"}` : what };
    }
  }
}
