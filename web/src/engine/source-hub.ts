import { importStorageKey, seal } from "../sealing.ts";
import { cleanPath, DeniedError, SourceError, type Origin, type Repository, type SourceEntry } from "./source.ts";

/** What the last frame of the repository stream says. */
interface Trailer {
  files: number;
  bytes: number;
  skipped: { path: string; reason: string }[];
  versions: Record<string, string>;
  removed: string[];
}

/** The hub cuts files at 1 MB. A frame far beyond it is not one of ours. */
const MAX_PATH = 64 << 10;
const MAX_CONTENT = 64 << 20;

/**
 * The key that opens the hub's folder, which the hub gives to the link, with each connection another one; and the one that
 * opens what is kept of folders. Both are in memory alone.
 */
export class HubKeys {
  private give: ((key: string) => void) | undefined;
  private key!: Promise<string>;
  private connection = new AbortController();
  private storageKey: { text: string; imported: Promise<CryptoKey> } | undefined;

  constructor() {
    this.end();
  }

  /** The connection has ended: whoever has the port by now must not get its key. The next one is waited for. */
  end(): void {
    this.connection.abort(new SourceError("The connection to the server broke."));
    if (!this.give) this.key = new Promise<string>((resolve) => { this.give = resolve; });
  }

  /** Fires when the connection of the present key ends: what comes then may be another program's. */
  get ended(): AbortSignal {
    return this.connection.signal;
  }

  set(key: string, storageKey: string): void {
    if (this.ended.aborted) this.connection = new AbortController();
    this.give?.(key);
    this.give = undefined;
    this.key = Promise.resolve(key);
    if (storageKey === this.storageKey?.text) return;
    const imported = importStorageKey(storageKey);
    imported.catch(() => undefined); // whoever uses it is told
    this.storageKey = { text: storageKey, imported };
  }

  /** What encrypts the files that are kept. Rejects before a hub has given it. */
  async storage(): Promise<CryptoKey> {
    if (!this.storageKey) throw new Error("no hub has given a key for the storage");
    return this.storageKey.imported;
  }

  /** The present key; waits for one. Rejects when `signal` ends. */
  async get(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    let stop: () => void = () => undefined;
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener("abort", stop, { once: true });
    });
    try {
      return await Promise.race([this.key, aborted]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

/**
 * The folder that the hub was given with --repo, streamed (docs/protocol.md, "The repository stream"): the files whose
 * versions are not those in `have`. `signal` ends the request. Throws SourceError when the hub refuses or cannot be
 * reached. With a revision the files of that commit of git, where the versions are git's ids of their content.
 */
export async function openHub(url: string, keys: HubKeys, signal: AbortSignal, have: Record<string, string> = {}, revision?: string): Promise<Repository> {
  const key = await keys.get(signal);
  const { ended } = keys;
  // Only the hub can read it: the port may have gone to another program in the moment of the request.
  const body = await seal(JSON.stringify({ have, revision }), await keys.storage());
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST", body, signal: AbortSignal.any([signal, ended]), cache: "no-store",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/octet-stream" },
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new SourceError(`The server cannot be reached at ${url}. Is gitnexus-mcp still running?`, { cause: error });
  }
  if (!response.ok || !response.body) {
    const said = await response.json().catch(() => null) as { error?: unknown } | null;
    const why = typeof said?.error === "string" ? said.error : `status ${response.status}`;
    if (revision !== undefined && response.status === 404) throw new SourceError(`${why}.`);
    const message = `The server does not hand out the repository: ${why}`;
    // The hub's own refusals, unlike those of the folder, have a reason: the page's key has ended, and a new one comes.
    if (response.status === 403 && said !== null && !("reason" in said)) throw new DeniedError(message);
    throw new SourceError(message);
  }
  const origin: Origin = { id: response.headers.get("gitnexus-id") ?? "", versions: {}, removed: [] };
  const commit = response.headers.get("gitnexus-revision");
  if (commit !== null) origin.commit = commit;
  return {
    name: nameIn(response.headers),
    expected: Number(response.headers.get("gitnexus-files")) || 0,
    entries: readFrames(response.body, origin),
    origin,
  };
}

/** What stands for the hub's folder; undefined when it cannot be had. */
export async function identifyHub(url: string, key: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(url, { method: "HEAD", headers: { authorization: `Bearer ${key}` }, signal, cache: "no-store" });
    return response.ok ? response.headers.get("gitnexus-id") ?? undefined : undefined;
  } catch {
    return undefined;
  }
}

function nameIn(headers: Headers): string {
  const name = headers.get("gitnexus-name") ?? "";
  try {
    return decodeURIComponent(name) || "repository";
  } catch {
    return name;
  }
}

/**
 * Reads the frames of a repository stream as they arrive. Throws SourceError when it ends without its last frame. What
 * that says of versions goes into `origin`.
 */
export async function* readFrames(stream: ReadableStream<Uint8Array>, origin?: Origin): AsyncGenerator<SourceEntry> {
  const reader = stream.getReader();
  const bytes = new ByteQueue();
  const utf8 = new TextDecoder();
  /** Whether there are that many bytes now. */
  const fill = async (count: number): Promise<boolean> => {
    while (bytes.length < count) {
      const { done, value } = await read(reader);
      if (done) return false;
      bytes.push(value);
    }
    return true;
  };
  let files = 0;
  try {
    for (;;) {
      if (!await fill(8)) throw cutOff(files);
      const head = bytes.take(8);
      const view = new DataView(head.buffer, head.byteOffset, 8);
      const pathLength = view.getUint32(0, true);
      const size = view.getUint32(4, true);
      if (pathLength > MAX_PATH || size > MAX_CONTENT) {
        throw new SourceError(`The server's stream is broken after ${files} files: a frame of ${pathLength} and ${size} bytes. Are the app and the server of the same version?`);
      }
      if (!await fill(pathLength + size)) throw cutOff(files);
      const path = utf8.decode(bytes.take(pathLength));
      const content = bytes.take(size);
      if (pathLength === 0) {
        const { skipped, versions, removed } = parseTrailer(utf8.decode(content), files);
        if (origin) Object.assign(origin, { versions, removed });
        yield* skipped;
        return;
      }
      files++;
      const clean = cleanPath(path);
      yield clean === undefined ? { path, reason: "a path that leads out of the repository" } : { path: clean, bytes: content };
    }
  } finally {
    // Ends the request when the reader stops early; after the end it does nothing.
    await reader.cancel().catch(() => undefined);
  }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<ReadableStreamReadResult<Uint8Array>> {
  try {
    return await reader.read();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new SourceError("The connection to the server broke while it sent the repository.", { cause: error });
  }
}

function cutOff(files: number): SourceError {
  return new SourceError(`The server's stream of the repository was cut off after ${files} files. Load it again.`);
}

function parseTrailer(json: string, files: number): Trailer {
  let trailer: Partial<Trailer>;
  try {
    trailer = JSON.parse(json) as Partial<Trailer>;
  } catch (error) {
    throw new SourceError("The last frame of the server's stream is not JSON. Are the app and the server of the same version?", { cause: error });
  }
  if (trailer.files !== files) {
    throw new SourceError(`The server says that it sent ${String(trailer.files)} files, but ${files} arrived. Load it again.`);
  }
  return { files, bytes: trailer.bytes ?? 0, skipped: trailer.skipped ?? [], versions: trailer.versions ?? {}, removed: trailer.removed ?? [] };
}

/** Bytes in the order of arrival, taken in other pieces than they came. */
class ByteQueue {
  length = 0;
  private chunks: Uint8Array[] = [];

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.chunks.push(chunk);
    this.length += chunk.length;
  }

  /** The next `count` bytes, which must be there. The result may share memory with a chunk. */
  take(count: number): Uint8Array {
    this.length -= count;
    const first = this.chunks[0];
    if (count === 0) return new Uint8Array(0);
    if (first && first.length > count) {
      this.chunks[0] = first.subarray(count);
      return first.subarray(0, count);
    }
    const out = new Uint8Array(count);
    let filled = 0;
    let used = 0;
    while (filled < count) {
      const chunk = this.chunks[used]!;
      const part = chunk.subarray(0, count - filled);
      out.set(part, filled);
      filled += part.length;
      if (part.length < chunk.length) this.chunks[used] = chunk.subarray(part.length);
      else used++;
    }
    this.chunks.splice(0, used);
    return out;
  }
}
