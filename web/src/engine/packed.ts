/**
 * Arrays in one file, encrypted: groups of them, each read in one go; at the end of the file a table that says where they
 * are, and what else is known of them. Written from the front to the back in blocks, so that no more than one is in memory.
 */

/** Something that was read is not what was written, or is for another key. */
export class DamagedError extends Error {
  override readonly name = "DamagedError";
}

type View = Uint8Array | Uint32Array | Float32Array | Float64Array;
export const TYPES = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array } as const;
type TypeName = keyof typeof TYPES;

interface Group {
  /** Where its blocks begin in the file, their bytes there, and the number of the first. */
  at: number;
  bytes: number;
  block: number;
  /** Type, offset in the group, and length in elements. */
  arrays: Record<string, [type: TypeName, at: number, length: number]>;
}

interface Table {
  head: unknown;
  groups: Record<string, Group>;
}

/** Where arrays begin, so that each may be of any type. */
const ALIGNED = 8;
/** The file's first bytes, which are never the same twice: the beginning of its nonces. */
const SALT = 8;
/** The file's last bytes: the length of the table, and what makes the file one of these. */
const TRAILER = 8;
const MAGIC = 0x474e5832;
/** Bytes of a group that are encrypted at once; its last block may have fewer. */
const BLOCK = 1 << 20;
/** What encrypting adds to them. */
const TAG = 16;
/** The place of the table among what is encrypted; the blocks of all groups count from 0. */
const TABLE = 0xffffffff;

/**
 * AES-GCM under a key of the user. Each message is bound to its file's name and to its place in it, so that neither can be
 * another's.
 */
class Cipher {
  private readonly bound: Uint8Array<ArrayBuffer>;

  constructor(private readonly key: CryptoKey, private readonly salt: Uint8Array, name: string) {
    this.bound = new TextEncoder().encode(name);
  }

  async encrypt(place: number, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await crypto.subtle.encrypt(this.parameters(place), this.key, bytes));
  }

  async decrypt(place: number, bytes: BufferSource): Promise<ArrayBuffer> {
    try {
      return await crypto.subtle.decrypt(this.parameters(place), this.key, bytes);
    } catch (error) {
      throw new DamagedError("not what was written, or for another key", { cause: error });
    }
  }

  private parameters(place: number): AesGcmParams {
    const iv = new Uint8Array(SALT + 4);
    iv.set(this.salt);
    new DataView(iv.buffer).setUint32(SALT, place);
    return { name: "AES-GCM", iv, additionalData: this.bound };
  }
}

/** Takes the next bytes of the file; they are its own only until the promise resolves. */
export type Sink = (chunk: Uint8Array<ArrayBuffer>) => Promise<void>;

/** Writes a file: `begin` a group, its arrays, the next group, `end`. */
export class Packer {
  private readonly cipher: Cipher;
  private readonly salt = crypto.getRandomValues(new Uint8Array(SALT));
  private written = 0;
  private blocks = 0;
  private readonly groups: Record<string, Group> = {};
  private group: Group | undefined;
  /** The bytes of the group that is being written. */
  private length = 0;
  /** Its newest, which are not written yet: the first `length % BLOCK` of these. */
  private readonly block = new Uint8Array(BLOCK);

  /** `name` is the file's. */
  constructor(private readonly sink: Sink, key: CryptoKey, name: string) {
    this.cipher = new Cipher(key, this.salt, name);
  }

  async begin(name: string): Promise<void> {
    await this.close();
    this.group = { at: this.written, bytes: 0, block: this.blocks, arrays: {} };
    this.groups[name] = this.group;
  }

  /** An array, as a whole or in pieces that follow each other. */
  async array(name: string, type: TypeName, pieces: View | Iterable<View> | AsyncIterable<View>): Promise<void> {
    const at = this.length;
    for await (const piece of ArrayBuffer.isView(pieces) ? [pieces] : pieces) await this.add(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
    this.group!.arrays[name] = [type, at, (this.length - at) / TYPES[type].BYTES_PER_ELEMENT];
    await this.add(new Uint8Array(-this.length & (ALIGNED - 1)));
  }

  /** `head` is what is known without reading a group: anything that JSON can hold. */
  async end(head: unknown): Promise<void> {
    await this.close();
    const table = await this.cipher.encrypt(TABLE, new TextEncoder().encode(JSON.stringify({ head, groups: this.groups } satisfies Table)));
    await this.write(table);
    const trailer = new DataView(new ArrayBuffer(TRAILER));
    [table.length, MAGIC].forEach((number, i) => trailer.setUint32(4 * i, number, true));
    await this.write(new Uint8Array(trailer.buffer));
  }

  private async add(piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.length;) {
      const some = piece.subarray(at, at + BLOCK - this.length % BLOCK);
      this.block.set(some, this.length % BLOCK);
      this.length += some.length;
      at += some.length;
      if (this.length % BLOCK === 0) await this.writeBlock(BLOCK);
    }
  }

  private async close(): Promise<void> {
    if (this.written === 0) await this.write(this.salt);
    if (!this.group) return;
    if (this.length % BLOCK > 0) await this.writeBlock(this.length % BLOCK);
    this.group.bytes = this.written - this.group.at;
    this.length = 0;
  }

  private async writeBlock(length: number): Promise<void> {
    await this.write(await this.cipher.encrypt(this.blocks++, this.block.subarray(0, length)));
  }

  private async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.written += bytes.length;
    await this.sink(bytes);
  }
}

/** A file that a Packer wrote. */
export class Packed {
  private constructor(private readonly file: Blob, private readonly cipher: Cipher, readonly head: unknown, private readonly groups: Record<string, Group>) {}

  /** Reads the table. Rejects with DamagedError when the file is none of these, not whole, or for another key or name. */
  static async open(file: Blob, key: CryptoKey, name: string): Promise<Packed> {
    const end = file.size - TRAILER;
    const trailer = new DataView(await file.slice(Math.max(0, end)).arrayBuffer());
    if (trailer.byteLength < TRAILER || trailer.getUint32(4, true) !== MAGIC) throw new DamagedError("no trailer");
    const cipher = new Cipher(key, new Uint8Array(await file.slice(0, SALT).arrayBuffer()), name);
    const table = await cipher.decrypt(TABLE, await file.slice(Math.max(0, end - trailer.getUint32(0, true)), end).arrayBuffer());
    const { head, groups } = JSON.parse(new TextDecoder().decode(table)) as Table;
    return new Packed(file, cipher, head, groups);
  }

  /** Reads a group. Rejects with DamagedError when it is not what was written. */
  async group(name: string): Promise<Arrays> {
    const group = this.groups[name];
    if (!group) throw new DamagedError(`no ${name}`);
    const encrypted = new Uint8Array(await this.file.slice(group.at, group.at + group.bytes).arrayBuffer());
    if (encrypted.length !== group.bytes) throw new DamagedError(`not all of ${name}`);
    const blocks = Array.from({ length: Math.ceil(encrypted.length / (BLOCK + TAG)) }, (_, i) => encrypted.subarray(i * (BLOCK + TAG), (i + 1) * (BLOCK + TAG)));
    const bytes = new Uint8Array(encrypted.length - TAG * blocks.length);
    await Promise.all(blocks.map(async (block, i) => {
      bytes.set(new Uint8Array(await this.cipher.decrypt(group.block + i, block)), i * BLOCK);
    }));
    return new Arrays(bytes.buffer, group.arrays);
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
