import type { FileSystem } from "../../../build/kuzu/kuzu.js";

/** A database file while nobody has it open: its pages are mostly empty, and take a fortieth when packed. */
export interface PackedFile {
  /** gzip. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Of the file itself. */
  size: number;
}

/** A file is read and written by this many bytes, so that there is no second copy of it. */
const AT_ONCE = 1 << 20;

export async function pack(fs: FileSystem, path: string): Promise<PackedFile> {
  const { size } = fs.stat(path);
  const file = fs.open(path, "r");
  const gzip = new CompressionStream("gzip");
  const packed = new Response(gzip.readable).arrayBuffer();
  const content = gzip.writable.getWriter();
  try {
    // What is written has been read when the promise resolves: one piece of memory serves for all.
    const chunk = new Uint8Array(AT_ONCE);
    for (let length = fs.read(file, chunk, 0, AT_ONCE); length > 0; length = fs.read(file, chunk, 0, AT_ONCE)) await content.write(chunk.subarray(0, length));
    await content.close();
    return { bytes: new Uint8Array(await packed), size };
  } finally {
    fs.close(file);
  }
}

export async function unpack({ bytes, size }: PackedFile, fs: FileSystem, path: string): Promise<void> {
  const file = fs.open(path, "w");
  try {
    fs.truncate(path, size); // or it would be copied each time that it has grown by an eighth
    const content = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    for (let next = await content.read(); !next.done; next = await content.read()) fs.write(file, next.value, 0, next.value.length);
  } finally {
    fs.close(file);
  }
}
