import type { Repository } from "./source.ts";
import { select } from "./source-rules.ts";

/** Files at once on their way from the disk: one after the other, the waiting would take longer than the reading. */
const AHEAD = 32;

/** Files that the user picked or dropped, with their paths from the root. */
export function openFiles(name: string, files: readonly { path: string; file: Blob }[]): Repository {
  const entries = select(files.map(({ path, file }) => ({
    path,
    size: file.size,
    read: async () => new Uint8Array(await file.arrayBuffer()),
  })), AHEAD);
  return { name, expected: 0, entries };
}
