import type { MemoryFile, MemoryFiles } from "../../../build/kuzu/kuzu.js";

/** A file that would be larger fails to grow: more than any database here, in bytes. */
const LIMIT = 2 ** 30;

/**
 * Lets Emscripten's files grow where they stand. By itself a file is copied whenever it has grown by an eighth, and until the
 * copies are collected, they take as much memory as the file again.
 */
export function growInPlace(files: MemoryFiles): void {
  files.expandFileStorage = (file, capacity) => {
    const room = file.contents?.length ?? 0;
    if (room < capacity) hold(file, Math.max(capacity, Math.min(LIMIT, room + (room >> 3))));
  };
  files.resizeFileStorage = (file, size) => {
    if (size === 0) file.contents = null;
    else hold(file, size);
    file.usedBytes = size;
  };
}

function hold(file: MemoryFile, bytes: number): void {
  const before = file.contents;
  if (before?.buffer.resizable) {
    before.buffer.resize(bytes);
    return;
  }
  // Without a length of its own the array is always as long as the buffer.
  file.contents = new Uint8Array(new ArrayBuffer(bytes, { maxByteLength: LIMIT }));
  if (before) file.contents.set(before.subarray(0, Math.min(bytes, file.usedBytes)));
}
