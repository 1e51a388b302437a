/**
 * Arrays in one file, encrypted: groups of them, each read in one go; at the end of the file a table that says where they
 * are, and what else is known of them. Written from the front to the back, so that no more than a group is in memory.
 */

/** Something that was read is not what was written, or is for another key. */
export class DamagedError extends Error {
  override readonly name = "DamagedError";
}

type View = Uint8Array | Uint32Array | Float32Array | Float64Array;
const TYPES = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array } as const;
type TypeName = keyof typeof TYPES;

interface Group {
  /** Where its bytes begin in the file, and their number there. */
  at: number;
  bytes: number;
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
/** The place of the table among what is encrypted; groups count from 0. */
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

  async decrypt(place: number, bytes: ArrayBuffer): Promise<ArrayBuffer> {
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
  private readonly groups: Record<string, Group> = {};
  private group: Group | undefined;
  /** Of the group that is being written. */
  private pieces: Uint8Array<ArrayBuffer>[] = [];
  private length = 0;

  /** `name` is the file's. */
  constructor(private readonly sink: Sink, key: CryptoKey, name: string) {
    this.cipher = new Cipher(key, this.salt, name);
  }

  async begin(name: string): Promise<void> {
    await this.close();
    this.group = { at: 0, bytes: 0, arrays: {} };
    this.groups[name] = this.group;
  }

  /** An array, as a whole or in pieces that follow each other. */
  async array(name: string, type: TypeName, pieces: View | Iterable<View> | AsyncIterable<View>): Promise<void> {
    const at = this.length;
    for await (const piece of ArrayBuffer.isView(pieces) ? [pieces] : pieces) {
      this.add(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength) as Uint8Array<ArrayBuffer>);
    }
    this.group!.arrays[name] = [type, at, (this.length - at) / TYPES[type].BYTES_PER_ELEMENT];
    this.add(new Uint8Array(-this.length & (ALIGNED - 1)));
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

  private add(piece: Uint8Array<ArrayBuffer>): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }

  /** Encrypts and writes the group. */
  private async close(): Promise<void> {
    if (this.written === 0) await this.write(this.salt);
    if (!this.group) return;
    const bytes = new Uint8Array(this.length);
    let at = 0;
    for (const piece of this.pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    this.pieces = [];
    this.length = 0;
    const place = Object.keys(this.groups).length - 1;
    const encrypted = await this.cipher.encrypt(place, bytes);
    this.group.at = this.written;
    this.group.bytes = encrypted.length;
    this.group = undefined;
    await this.write(encrypted);
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
    const place = Object.keys(this.groups).indexOf(name);
    const encrypted = await this.file.slice(group.at, group.at + group.bytes).arrayBuffer();
    return new Arrays(await this.cipher.decrypt(place, encrypted), group.arrays);
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
