import type { CacheStore } from "./cache.ts";

const FOLDER = "snapshots";
/** Where versions before this one kept theirs, open to whoever serves this origin. */
const FORMER_FOLDER = "repositories";
/** As many repositories are kept, and as many bytes of them, the newest ones. */
const MAX_FILES = 8;
const MAX_TOTAL = 512 << 20;

/** Snapshots in the browser's own storage for this origin. Its methods reject where there is none (a private window). */
export const opfsStore: CacheStore = {
  async read(key) {
    const folder = await folderOf();
    try {
      const handle = await folder.getFileHandle(key);
      return await handle.getFile();
    } catch (error) {
      if (error instanceof DOMException && error.name === "NotFoundError") return undefined;
      throw error;
    }
  },

  async write(key, fill) {
    const folder = await folderOf();
    const handle = await folder.getFileHandle(key, { create: true });
    // What is written takes the old one's place when it is closed, so a page that dies in between leaves that.
    const writable = await handle.createWritable();
    try {
      await fill((chunk) => writable.write(chunk));
      await writable.close();
    } catch (error) {
      await writable.abort().catch(() => undefined);
      throw error;
    }
    await prune(folder);
  },
};

/** Whether anything is kept here. */
export async function keepsAny(): Promise<boolean> {
  try {
    for await (const _ of (await folderOf()).keys()) return true;
  } catch {
    // a private window
  }
  return false;
}

async function folderOf(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  // Mostly there is none.
  void root.removeEntry(FORMER_FOLDER, { recursive: true }).catch(() => undefined);
  return root.getDirectoryHandle(FOLDER, { create: true });
}

async function prune(folder: FileSystemDirectoryHandle): Promise<void> {
  const kept: { name: string; size: number; at: number }[] = [];
  for await (const handle of folder.values()) {
    if (handle.kind !== "file") continue;
    const { size, lastModified } = await (handle).getFile();
    kept.push({ name: handle.name, size, at: lastModified });
  }
  kept.sort((a, b) => b.at - a.at);
  let total = 0;
  for (const [i, { name, size }] of kept.entries()) {
    total += size;
    if (i >= MAX_FILES || (i > 0 && total > MAX_TOTAL)) await folder.removeEntry(name);
  }
}
