import { inflateSync } from "fflate";
import { SourceError } from "./source.ts";

/** A file in a zip, from the archive's directory at its end. */
export interface ZipEntry {
  path: string;
  /** Bytes when unpacked, as the archive says. */
  size: number;
  packedSize: number;
  /** 0 stored, 8 deflated; nothing else can be read. */
  method: number;
  encrypted: boolean;
  /** Where its local header begins. */
  offset: number;
}

const END_SIGNATURE = 0x06054b50;
const END64_LOCATOR = 0x07064b50;
const END64_SIGNATURE = 0x06064b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_HEADER = 30;
const MAX_ENTRIES = 500_000;
const MAX_DIRECTORY = 256 << 20;
/** Bytes read from the disk at once; files in a zip mostly stand in the order of its directory. */
const WINDOW = 4 << 20;

/** Reads a zip where it lies: its directory first, then single files in any order, without holding the whole. */
export class Zip {
  private window = { start: 0, bytes: new Uint8Array(0) };

  private constructor(private readonly blob: Blob, readonly entries: readonly ZipEntry[]) {}

  /** Reads the directory. Throws SourceError for what is no zip. */
  static async open(blob: Blob): Promise<Zip> {
    return new Zip(blob, await readDirectory(blob));
  }

  /** Unpacks one file. Rejects when it is damaged, encrypted or larger than its entry says. */
  async read(entry: ZipEntry): Promise<Uint8Array> {
    if (entry.encrypted) throw new Error("encrypted");
    if (entry.method !== 0 && entry.method !== 8) throw new Error(`packed with method ${entry.method}, which is unknown here`);
    // Deflate adds some bytes to what it cannot pack. An entry that claims far more wants to be read, not unpacked.
    if (entry.packedSize > entry.size + (64 << 10)) throw new Error(`damaged: ${entry.packedSize} bytes packed for ${entry.size} unpacked`);
    const header = view(await this.bytes(entry.offset, LOCAL_HEADER));
    if (header.getUint32(0, true) !== LOCAL_SIGNATURE) throw new Error("damaged: its header is not where the directory says");
    const start = entry.offset + LOCAL_HEADER + header.getUint16(26, true) + header.getUint16(28, true);
    const packed = await this.bytes(start, entry.packedSize);
    // The room is what the entry says and one byte more, which shows that there would be more to come.
    const content = entry.method === 0 ? packed.slice() : inflate(packed, entry.size + 1);
    if (content.length > entry.size) throw new Error(`damaged: more than the ${entry.size} bytes that it should have`);
    if (content.length < entry.size) throw new Error(`damaged: ${content.length} bytes instead of ${entry.size}`);
    return content;
  }

  private async bytes(start: number, length: number): Promise<Uint8Array> {
    let at = start - this.window.start;
    if (at < 0 || at + length > this.window.bytes.length) {
      this.window = { start, bytes: await slice(this.blob, start, Math.max(length, WINDOW)) };
      at = 0;
    }
    if (at + length > this.window.bytes.length) throw new Error("damaged: it ends behind the archive's end");
    return this.window.bytes.subarray(at, at + length);
  }
}

/** What is inflated, cut off at `room` bytes. */
function inflate(packed: Uint8Array, room: number): Uint8Array {
  try {
    return inflateSync(packed, { out: new Uint8Array(room) });
  } catch (error) {
    throw new Error(`damaged: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function readDirectory(blob: Blob): Promise<ZipEntry[]> {
  // The end record is the last thing in the file, but for a comment of up to 64 KB.
  const tailStart = Math.max(0, blob.size - 22 - 0xffff);
  const tail = view(await slice(blob, tailStart, blob.size - tailStart));
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END_SIGNATURE) end--;
  if (end < 0) throw new SourceError("This is not a zip file, or its end is missing.");
  let count = tail.getUint16(end + 10, true);
  let size = tail.getUint32(end + 12, true);
  let offset = tail.getUint32(end + 16, true);
  if (end >= 20 && tail.getUint32(end - 20, true) === END64_LOCATOR) {
    const record = view(await slice(blob, Number(tail.getBigUint64(end - 12, true)), 56));
    if (record.byteLength < 56 || record.getUint32(0, true) !== END64_SIGNATURE) throw new SourceError("The zip file is damaged: its large directory is missing.");
    count = Number(record.getBigUint64(32, true));
    size = Number(record.getBigUint64(40, true));
    offset = Number(record.getBigUint64(48, true));
  }
  if (count > MAX_ENTRIES || size > MAX_DIRECTORY) throw new SourceError(`The zip file lists ${count} files, and ${MAX_ENTRIES} are allowed. Load a part of it.`);
  if (offset + size > blob.size) throw new SourceError("The zip file is damaged: its directory ends behind the file's end.");
  const entries = [...parseDirectory(await slice(blob, offset, size), count)];
  refuseOverlaps(entries);
  return entries;
}

/** In a bomb the same bytes are many files. No packer writes that. */
function refuseOverlaps(entries: readonly ZipEntry[]): void {
  let before: ZipEntry | undefined;
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    if (before && before.offset + LOCAL_HEADER + before.packedSize > entry.offset) {
      throw new SourceError(`The zip file is damaged or made to do harm: ${shown(before.path)} and ${shown(entry.path)} overlap in it.`);
    }
    before = entry;
  }
}

function shown(path: string): string {
  return JSON.stringify(path.slice(0, 100));
}

function* parseDirectory(bytes: Uint8Array, count: number): Generator<ZipEntry> {
  const directory = view(bytes);
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || directory.getUint32(at, true) !== ENTRY_SIGNATURE) throw new SourceError(`The zip file is damaged: entry ${i + 1} of its directory is broken.`);
    const flags = directory.getUint16(at + 8, true);
    const method = directory.getUint16(at + 10, true);
    let packedSize = directory.getUint32(at + 20, true);
    let size = directory.getUint32(at + 24, true);
    let offset = directory.getUint32(at + 42, true);
    const nameEnd = at + 46 + directory.getUint16(at + 28, true);
    const extraEnd = nameEnd + directory.getUint16(at + 30, true);
    if (extraEnd > bytes.length) throw new SourceError(`The zip file is damaged: entry ${i + 1} of its directory is broken.`);
    for (let extra = nameEnd; extra + 4 <= extraEnd; extra += 4 + directory.getUint16(extra + 2, true)) {
      if (directory.getUint16(extra, true) !== 1) continue;
      // Zip64: only the fields that did not fit stand here, in this order.
      let field = extra + 4;
      const next = (): number => {
        if (field + 8 > extraEnd) throw new SourceError(`The zip file is damaged: entry ${i + 1} of its directory is broken.`);
        field += 8;
        return Number(directory.getBigUint64(field - 8, true));
      };
      if (size === 0xffffffff) size = next();
      if (packedSize === 0xffffffff) packedSize = next();
      if (offset === 0xffffffff) offset = next();
    }
    // Without the UTF-8 flag the encoding is whatever the packer's system had; UTF-8 is the likeliest by far today,
    // and what is none shows as replacement characters.
    const path = new TextDecoder().decode(bytes.subarray(at + 46, nameEnd));
    at = extraEnd + directory.getUint16(at + 32, true);
    if (!path.endsWith("/") && !path.endsWith("\\")) yield { path, size, packedSize, method, encrypted: (flags & 1) !== 0, offset };
  }
}

async function slice(blob: Blob, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.slice(start, start + length).arrayBuffer());
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
