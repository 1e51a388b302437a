import type { SkippedFile } from "./codebase.ts";

/** One file of a repository as a source delivers it, or why it does not. */
export type SourceEntry = { path: string; bytes: Uint8Array } | SkippedFile;

/** A repository that is being read. */
export interface Repository {
  /** For people: the folder's or the zip's. */
  name: string;
  /** Files that will come, as far as known; 0 when it is not. */
  expected: number;
  /** Can be iterated once. Throws SourceError when the source breaks off. */
  entries: AsyncIterable<SourceEntry>;
  /** Where it can be asked for again. */
  origin?: Origin;
}

/** A folder that tells what in it differs from what somebody has of it. */
export interface Origin {
  /** Stands for the folder. */
  id: string;
  /** Once `entries` have ended: the versions of the files that came, by path. */
  versions: Record<string, string>;
  /** Once `entries` have ended: the files that were said to be there and are not. */
  removed: readonly string[];
  /** The commit, where a revision was asked for. */
  commit?: string;
}

/** The source as a whole cannot be read, in words for the user. */
export class SourceError extends Error {
  override readonly name = "SourceError";
}

/** The repository may not be read, which only the user can change. */
export class DeniedError extends SourceError {}

/** Larger files are data or bundles: parsing them costs seconds and tells little. */
export const MAX_FILE_BYTES = 1 << 20;
/** Text of a whole repository. Past it a tab runs out of memory in the middle of the work. */
export const MAX_TOTAL_BYTES = 1 << 30;

/** What is parsed of it: a graph takes some 14 bytes for each of them, and a browser gives a tab at most some 4 GB. */
export const MAX_SOURCE_BYTES = 250 << 20;

export const TOO_LARGE = "larger than 1 MB";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The text of a file, or why it has none. A byte order mark is not part of the text. */
export function decode(bytes: Uint8Array): { text: string } | { reason: string } {
  if (bytes.length > MAX_FILE_BYTES) return { reason: TOO_LARGE };
  if (bytes.subarray(0, 8192).includes(0)) return { reason: "binary" };
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { reason: "not UTF-8" };
  }
}

/** Forward slashes, no empty or "." elements; undefined for a path that leads out of the root or names nothing. */
export function cleanPath(path: string): string | undefined {
  const parts = path.replaceAll("\\", "/").split("/").filter((part) => part !== "" && part !== ".");
  return parts.length === 0 || parts.includes("..") || path.includes("\0") ? undefined : parts.join("/");
}
