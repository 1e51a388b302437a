/**
 * Arrays in one file: groups of them, each read in one go and checked by a sum; at the end of the file a table that says
 * where they are, and what else is known of them. Written from the front to the back, so that it is never in memory as a whole.
 */

/** Something that was read is not what was written. */
export class DamagedError extends Error {
  override readonly name = "DamagedError";
}

type View = Uint8Array | Uint32Array | Float32Array | Float64Array;
const TYPES = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array } as const;
type TypeName = keyof typeof TYPES;

interface Group {
  at: number;
  bytes: number;
  sum: number;
  /** Type, offset in the group, and length in elements. */
  arrays: Record<string, [type: TypeName, at: number, length: number]>;
}

interface Table {
  head: unknown;
  groups: Record<string, Group>;
}

/** Where arrays begin, so that each may be of any type. */
const ALIGNED = 8;
const CHUNK = 1 << 20;
/** The file's last bytes: the length of the table, its sum, and what makes the file one of these. */
const TRAILER = 12;
const MAGIC = 0x474e5831;

/** Takes the next bytes of the file; they are its own only until the promise resolves. */
export type Sink = (chunk: Uint8Array<ArrayBuffer>) => Promise<void>;

/** Writes a file: `begin` a group, its arrays, the next group, `end`. */
export class Packer {
  private readonly chunk = new Uint8Array(CHUNK);
  private filled = 0;
  private written = 0;
  private readonly groups: Record<string, Group> = {};
  private group: Group | undefined;

  constructor(private readonly sink: Sink) {}

  async begin(name: string): Promise<void> {
    await this.close();
    this.group = { at: this.written, bytes: 0, sum: SEED, arrays: {} };
    this.groups[name] = this.group;
  }

  /** An array, as a whole or in pieces that follow each other. */
  async array(name: string, type: TypeName, pieces: View | Iterable<View> | AsyncIterable<View>): Promise<void> {
    const group = this.group!;
    const at = this.written + this.filled - group.at;
    let bytes = 0;
    for await (const piece of ArrayBuffer.isView(pieces) ? [pieces] : pieces) {
      bytes += piece.byteLength;
      await this.add(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
    }
    group.arrays[name] = [type, at, bytes / TYPES[type].BYTES_PER_ELEMENT];
    await this.align();
  }

  /** `head` is what is known without reading a group: anything that JSON can hold. */
  async end(head: unknown): Promise<void> {
    await this.close();
    const table = new TextEncoder().encode(JSON.stringify({ head, groups: this.groups } satisfies Table));
    await this.add(table);
    const trailer = new DataView(new ArrayBuffer(TRAILER));
    [table.length, sumOf(SEED, table), MAGIC].forEach((number, i) => trailer.setUint32(4 * i, number, true));
    await this.add(new Uint8Array(trailer.buffer));
    await this.flush();
  }

  private async add(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      const some = bytes.subarray(from, from + CHUNK - this.filled);
      this.chunk.set(some, this.filled);
      this.filled += some.length;
      from += some.length;
      if (this.filled === CHUNK) await this.flush();
    }
  }

  private async align(): Promise<void> {
    await this.add(new Uint8Array(-this.filled & (ALIGNED - 1)));
  }

  private async close(): Promise<void> {
    await this.align();
    await this.flush();
    if (this.group) this.group.bytes = this.written - this.group.at;
    this.group = undefined;
  }

  private async flush(): Promise<void> {
    if (this.filled === 0) return;
    const chunk = this.chunk.subarray(0, this.filled);
    if (this.group) this.group.sum = sumOf(this.group.sum, chunk);
    this.written += this.filled;
    this.filled = 0;
    await this.sink(chunk);
  }
}

/** A file that a Packer wrote. */
export class Packed {
  private constructor(private readonly file: Blob, readonly head: unknown, private readonly groups: Record<string, Group>) {}

  /** Reads the table. Rejects with DamagedError when the file is none of these or not whole. */
  static async open(file: Blob): Promise<Packed> {
    const trailer = new DataView(await file.slice(-TRAILER).arrayBuffer());
    if (trailer.byteLength < TRAILER || trailer.getUint32(8, true) !== MAGIC) throw new DamagedError("no trailer");
    const end = file.size - TRAILER;
    const length = trailer.getUint32(0, true);
    const bytes = new Uint8Array(await file.slice(Math.max(0, end - length), end).arrayBuffer());
    if (bytes.length !== length || sumOf(SEED, bytes) !== trailer.getUint32(4, true)) throw new DamagedError("no table");
    const { head, groups } = JSON.parse(new TextDecoder().decode(bytes)) as Table;
    return new Packed(file, head, groups);
  }

  /** Reads a group. Rejects with DamagedError when it is not what was written. */
  async group(name: string): Promise<Arrays> {
    const group = this.groups[name];
    if (!group) throw new DamagedError(`no ${name}`);
    const buffer = await this.file.slice(group.at, group.at + group.bytes).arrayBuffer();
    if (buffer.byteLength !== group.bytes || sumOf(SEED, new Uint8Array(buffer)) !== group.sum) throw new DamagedError(`${name} is damaged`);
    return new Arrays(buffer, group.arrays);
  }
}

/** The arrays of a group, views of one buffer. */
export class Arrays {
  constructor(private readonly buffer: ArrayBuffer, private readonly arrays: Group["arrays"]) {}

  /** Throws DamagedError when there is no such array. */
  get<T extends TypeName>(name: string, type: T): InstanceType<(typeof TYPES)[T]> & View {
    const array = this.arrays[name];
    if (array?.[0] !== type) throw new DamagedError(`no ${name}`);
    return new TYPES[type](this.buffer, array[1], array[2]) as InstanceType<(typeof TYPES)[T]> & View;
  }
}

const SEED = 0x811c9dc5;

/** FNV-1a, by words of four bytes; the bytes begin at a multiple of four. */
function sumOf(seed: number, bytes: Uint8Array): number {
  let sum = seed;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  for (let i = 0; i < words.length; i++) sum = Math.imul(sum ^ words[i]!, 0x01000193);
  for (let i = words.length << 2; i < bytes.length; i++) sum = Math.imul(sum ^ bytes[i]!, 0x01000193);
  return sum >>> 0;
}
