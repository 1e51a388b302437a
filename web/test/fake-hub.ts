/**
 * A scriptable hub for tests of the page's link: sensible by default, with switches for everything that can go wrong,
 * and a record of what it was sent. It has no delays of its own; fake timers that run microtasks drive it.
 */
import { createHash, createHmac } from "node:crypto";
import type { Fetch } from "../src/bridge/check.ts";
import type { Socket } from "../src/bridge/link.ts";
import type { PageKey } from "../src/bridge/pairing.ts";
import type { Crypt } from "../src/bridge/proof.ts";

export interface Frame {
  jsonrpc: "2.0";
  id?: string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

/** WebCrypto without a wait that fake timers do not know of. A key is its own bytes. */
export const fakeCrypt: Crypt = {
  mac: (key, message) => Promise.resolve(createHmac("sha256", bytesOf(key)).update(message).digest("hex")),
  read: (secret) => Promise.resolve(Buffer.from(secret, "base64url") as unknown as CryptoKey),
  derive: (key, message) => Promise.resolve(createHmac("sha256", bytesOf(key)).update(message).digest() as unknown as CryptoKey),
};

export const bytesOf = (key: CryptoKey): Buffer => key as unknown as Buffer;

/** The key that a secret stands for. */
export function keyOf(secret: string): PageKey {
  return { id: createHash("sha256").update(secret).digest("hex").slice(0, 16), key: Buffer.from(secret) as unknown as CryptoKey };
}

export class FakeHub {
  /** What the page's key has to be. */
  token = "secret";
  /** What a connection meets: it opens, it fails, or nothing happens. */
  admits: "yes" | "no" | "silent" = "yes";
  /** What the question for a proof meets: the proof, or something else. */
  check: { status: number; body?: string } | "proof" | "down" | "silent" = "proof";
  /** Whether a hello is answered. */
  greets = true;
  /** Whether a ping is answered. */
  pongs = true;
  welcome: Record<string, unknown> = { version: "1.2.3", pid: 4711, heartbeatMs: 15_000, repo: "sample", key: "session-key", storageKey: "storage-key" };
  /** The subprotocol that is selected. */
  protocol = "gitnexus.v2";
  /** All that was tried, in order. */
  readonly links: FakeLink[] = [];
  readonly checks: string[] = [];
  /** How often a page said that it is not paired. */
  knocks = 0;

  readonly connect = (url: string, protocols: string[]): Socket => {
    // As a browser does it with what is not a token of HTTP.
    if (protocols.some((p) => !/^[!#$%&'*+.^_`|~\w-]+$/.test(p))) throw new SyntaxError("bad subprotocol");
    const link = new FakeLink(this, url, protocols);
    this.links.push(link);
    const { admits } = this;
    if (admits !== "silent") queueMicrotask(() => (admits === "yes" ? link.open() : link.end(1006, "")));
    return link;
  };

  readonly fetch: Fetch = (url, { signal, method }) => {
    if (url.endsWith("/api/unpaired") && method === "POST") {
      this.knocks++;
      return Promise.resolve({ status: 204, text: () => Promise.resolve("") });
    }
    this.checks.push(url);
    const { check, token } = this;
    if (check === "proof") {
      const { port, searchParams } = new URL(url);
      const proof = createHmac("sha256", token).update(`gitnexus-mcp hub\n${port}\n${searchParams.get("nonce")}`).digest("hex");
      return Promise.resolve({ status: 200, text: () => Promise.resolve(JSON.stringify({ version: "3", proof, nonce: `hub-nonce-number-${this.checks.length}` })) });
    }
    if (check === "down") return Promise.reject(new TypeError("Failed to fetch"));
    if (check === "silent") {
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))));
    }
    return Promise.resolve({ status: check.status, text: () => Promise.resolve(check.body ?? "") });
  };

  /** The latest try. */
  get link(): FakeLink {
    const link = this.links.at(-1);
    if (!link) throw new Error("nobody has connected");
    return link;
  }
}

export class FakeLink implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  protocol = "";
  /** What the page sent as text, and as parts. */
  readonly raw: string[] = [];
  readonly parts: Uint8Array[] = [];
  /** What the page sent when it was over, which a browser drops in silence. */
  readonly lost: string[] = [];
  /** How the page closed it; null when it did not. */
  closed: { code: number | undefined; reason: string | undefined } | null = null;
  private state: "connecting" | "open" | "over" = "connecting";

  constructor(
    private readonly hub: FakeHub,
    readonly url: string,
    readonly protocols: readonly string[],
  ) {}

  /** What the page sent, read. */
  get frames(): Frame[] {
    return this.raw.map((text) => JSON.parse(text) as Frame);
  }

  /** The frames of one method, or the answers to one id. */
  sent(methodOrId: string): Frame[] {
    return this.frames.filter((f) => f.method === methodOrId || (f.method === undefined && f.id === methodOrId));
  }

  /** The messages whose parts have all come, by number. */
  assembled(): Map<number, string> {
    const messages = new Map<number, { bytes: Uint8Array; have: number }>();
    for (const part of this.parts) {
      const [number, size, offset] = [0, 4, 8].map((at) => new DataView(part.buffer, part.byteOffset).getUint32(at, true)) as [number, number, number];
      const message = messages.get(number) ?? { bytes: new Uint8Array(size), have: 0 };
      messages.set(number, message);
      if (size !== message.bytes.length || offset !== message.have) throw new Error(`a part at ${offset} of ${size} after ${message.have} bytes`);
      message.bytes.set(part.subarray(12), offset);
      message.have += part.length - 12;
    }
    const whole = [...messages].filter(([, { bytes, have }]) => have === bytes.length);
    return new Map(whole.map(([number, { bytes }]) => [number, new TextDecoder().decode(bytes)]));
  }

  open(): void {
    if (this.state !== "connecting") return;
    this.state = "open";
    this.protocol = this.hub.protocol;
    this.onopen?.();
  }

  /** The hub's side, or the network, ends it. */
  end(code: number, reason: string): void {
    if (this.state === "over") return;
    this.state = "over";
    this.onclose?.({ code, reason });
  }

  /** The hub sends a frame. */
  say(frame: Omit<Frame, "jsonrpc">): void {
    this.sayRaw(JSON.stringify({ jsonrpc: "2.0", ...frame }));
  }

  sayRaw(data: unknown): void {
    if (this.state === "open") this.onmessage?.({ data });
  }

  callTool(id: string, name: string, args: Record<string, unknown> = {}, meta: Record<string, unknown> = {}): void {
    this.say({ id, method: "tools/call", params: { name, arguments: args, _meta: { agent: "tester", deadlineMs: 60_000, ...meta } } });
  }

  send(text: string | Uint8Array): void {
    if (this.state === "connecting") throw new DOMException("still connecting", "InvalidStateError");
    if (this.state === "over") {
      this.lost.push(String(text));
      return;
    }
    if (typeof text !== "string") {
      this.parts.push(text);
      return;
    }
    this.raw.push(text);
    const { id, method } = JSON.parse(text) as Frame;
    if (this.hub.greets && method === "bridge/hello") queueMicrotask(() => this.say({ id: "hello", result: this.hub.welcome }));
    if (this.hub.pongs && method === "ping" && id !== undefined) queueMicrotask(() => this.say({ id, result: {} }));
  }

  close(code?: number, reason?: string): void {
    // As strict as a browser.
    if (code !== undefined && code !== 1000 && (code < 3000 || code > 4999)) throw new DOMException("bad code", "InvalidAccessError");
    if (new TextEncoder().encode(reason ?? "").length > 123) throw new DOMException("long reason", "SyntaxError");
    this.closed ??= { code, reason };
    if (this.state === "over") return;
    this.state = "over";
    queueMicrotask(() => this.onclose?.({ code: code ?? 1005, reason: reason ?? "" }));
  }
}
