import { CLOSE, FrameError, PART_BYTES, PARTS_AHEAD } from "./protocol.ts";

/** An answer of more bytes than this is sent in parts, where the hub takes them. */
export const WHOLE_BYTES = 60 * 1024;
/** The largest call that is taken in parts: far above what the hub takes of an agent. */
const MAX_CALL = 64 * 1024 * 1024;
/** How many messages may be begun and not yet taken to their end. */
const MAX_UNFINISHED = 4;
const HEADER_BYTES = 12;

/** A large message as UTF-8, in pieces: it is never copied as a whole. */
export class LargeFrame {
  readonly bytes: number;

  constructor(private readonly pieces: readonly Uint8Array[]) {
    this.bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  /** Fills `into` with what begins at `offset`. */
  copy(offset: number, into: Uint8Array): void {
    let filled = 0;
    for (const piece of this.pieces) {
      if (offset < piece.length) {
        const some = piece.subarray(offset, offset + into.length - filled);
        into.set(some, filled);
        filled += some.length;
        if (filled === into.length) return;
      }
      offset = Math.max(0, offset - piece.length);
    }
  }

  /** As one text, for a hub that takes no parts. */
  text(): string {
    const decoder = new TextDecoder();
    return this.pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
  }
}

interface Incoming {
  pieces: Uint8Array[];
  size: number;
  have: number;
  /** How far the hub has been told that this is. */
  said: number;
}

/** Puts large calls together again, which the hub sends in parts. */
export class Inbox {
  private readonly open = new Map<number, Incoming>();

  /** `taken` tells the hub how many bytes of a message have come. */
  constructor(private readonly taken: (number: number, bytes: number) => void) {}

  /** Takes one part. `handle` gets the message with its last part, before the hub hears that it is taken. */
  take(part: ArrayBuffer, handle: (message: string) => void): void {
    if (part.byteLength <= HEADER_BYTES || part.byteLength > HEADER_BYTES + PART_BYTES) throw misfit(`${part.byteLength} bytes`);
    const header = new DataView(part);
    const [number, size, offset] = [header.getUint32(0, true), header.getUint32(4, true), header.getUint32(8, true)];
    const bytes = new Uint8Array(part, HEADER_BYTES);
    let message = this.open.get(number);
    if (!message) {
      if (size > MAX_CALL || this.open.size === MAX_UNFINISHED) throw misfit(`${size} bytes after ${this.open.size} messages`);
      message = { pieces: [], size, have: 0, said: 0 };
      this.open.set(number, message);
    }
    if (size !== message.size || offset !== message.have || bytes.length > size - offset) {
      throw misfit(`${offset} of ${size}, of message ${number} that has ${message.have} of ${message.size}`);
    }
    message.pieces.push(bytes);
    message.have += bytes.length;
    if (message.have === size) {
      this.open.delete(number);
      handle(textOf(message.pieces));
      this.taken(number, size);
    } else if (message.have - message.said >= PARTS_AHEAD / 4) {
      message.said = message.have;
      this.taken(number, message.have);
    }
  }
}

function misfit(what: string): FrameError {
  return new FrameError(CLOSE.pageFoundBroken, `a part that does not fit: ${what}`);
}

function textOf(pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
  } catch {
    throw misfit("no UTF-8");
  }
}

interface Message {
  number: number;
  frame: LargeFrame;
  sent: number;
  taken: number;
}

/**
 * Sends large messages in parts, as docs/protocol.md has it: in turns, and no further ahead than the hub allows. So what
 * is in buffers on the way stays little, and a small message that is sent meanwhile soon gets through.
 */
export class Parts {
  private readonly open: Message[] = [];
  private readonly waiting: Message[] = [];
  private numbers = 0;

  /** `ahead` is the number of bytes of a message that may be sent before the hub says that it has them. */
  constructor(
    private readonly send: (part: Uint8Array<ArrayBuffer>) => void,
    private readonly ahead: number,
  ) {}

  add(frame: LargeFrame): void {
    this.waiting.push({ number: ++this.numbers, frame, sent: 0, taken: 0 });
    this.pump();
  }

  /** The hub has so many bytes of a message, in all. */
  taken(number: number, bytes: number): void {
    const index = this.open.findIndex((message) => message.number === number);
    const message = this.open[index];
    if (!message || bytes <= message.taken || bytes > message.sent) {
      throw new FrameError(CLOSE.pageFoundForbidden, `bridge/taken: ${bytes} bytes of message ${number}`);
    }
    message.taken = bytes;
    if (bytes === message.frame.bytes) this.open.splice(index, 1);
    this.pump();
  }

  private pump(): void {
    while (this.open.length < MAX_UNFINISHED && this.waiting.length > 0) this.open.push(this.waiting.shift()!);
    for (;;) {
      const index = this.open.findIndex(({ frame, sent, taken }) => sent < frame.bytes && Math.min(sent + PART_BYTES, frame.bytes) - taken <= this.ahead);
      if (index < 0) return;
      // The next turn is the next one's.
      const [message] = this.open.splice(index, 1) as [Message];
      this.open.push(message);
      this.sendPart(message);
    }
  }

  private sendPart(message: Message): void {
    const { number, frame, sent } = message;
    const part = new Uint8Array(HEADER_BYTES + Math.min(PART_BYTES, frame.bytes - sent));
    const header = new DataView(part.buffer);
    header.setUint32(0, number, true);
    header.setUint32(4, frame.bytes, true);
    header.setUint32(8, sent, true);
    frame.copy(sent, part.subarray(HEADER_BYTES));
    message.sent += part.length - HEADER_BYTES;
    this.send(part);
  }
}
