/** Folders and zips that the user picks or drops, as a source for the engine. */
import type { Source } from "../messages.ts";
import { strings } from "./strings.ts";

/** Not walked into: large, and never the user's own code. The engine decides on everything else. */
const LEFT_OUT = new Set([".git", ".hg", ".svn", "node_modules"]);

/** What was picked or dropped is nothing that can be loaded; the message says what can. */
export class PickError extends Error {
  override readonly name = "PickError";
}

/** The folder chosen in an `<input webkitdirectory>`. */
export function fromPicked(picked: Iterable<File>): Source {
  const files: { path: string; file: File }[] = [];
  let name = "";
  for (const file of picked) {
    const [root = "", ...rest] = file.webkitRelativePath.split("/");
    name ||= root;
    if (rest.length > 0 && !rest.slice(0, -1).some((part) => LEFT_OUT.has(part))) files.push({ path: rest.join("/"), file });
  }
  if (files.length === 0) throw new PickError(strings.intake.thatFolderHasNo);
  return { kind: "files", name, files };
}

/** What a drop carries, taken out of the event while it may be read. */
export function dropped(transfer: DataTransfer): FileSystemEntry[] {
  return [...transfer.items].flatMap((item) => (item.kind === "file" ? (item.webkitGetAsEntry() ?? []) : []));
}

/** One zip, one folder, or several files and folders as one. `onCount` hears how many files were found so far. */
export async function fromDropped(entries: readonly FileSystemEntry[], onCount: (files: number) => void): Promise<Source> {
  const [first] = entries;
  if (!first) throw new PickError(strings.intake.nothingThatCanBe);
  if (entries.length === 1 && first.isFile) {
    const file = await fileOf(first as FileSystemFileEntry);
    if (/\.zip$/i.test(file.name)) return { kind: "zip", file };
    throw new PickError(strings.intake.isASingleFile(file.name));
  }
  const files: { path: string; file: File }[] = [];
  const single = entries.length === 1 ? first : undefined;
  for (const entry of single ? await children(single as FileSystemDirectoryEntry) : entries) await walk(entry, "", files, onCount);
  if (files.length === 0) throw new PickError(strings.intake.thatFolderHasNo);
  return { kind: "files", name: single?.name ?? strings.intake.droppedFiles, files };
}

async function walk(entry: FileSystemEntry, base: string, files: { path: string; file: File }[], onCount: (files: number) => void): Promise<void> {
  const path = base === "" ? entry.name : `${base}/${entry.name}`;
  if (entry.isFile) {
    try {
      files.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
    } catch {
      // A file that vanished or may not be read is as if it were not there: the rest still loads.
      return;
    }
    if (files.length % 100 === 0) onCount(files.length);
    return;
  }
  if (LEFT_OUT.has(entry.name)) return;
  for (const child of await children(entry as FileSystemDirectoryEntry)) await walk(child, path, files, onCount);
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** All entries of a folder; the API gives them a hundred at a time, and an empty list at the end. */
async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    entries.push(...some);
  }
}
