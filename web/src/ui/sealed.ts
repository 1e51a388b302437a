/**
 * What the page remembers and has names, paths or text of a repository in it. It lies in localStorage, encrypted under the
 * key that the hub gives after its proof; until that has come, and where there is no storage, it is in memory alone.
 */
import { importStorageKey, seal, unseal } from "../sealing.ts";
import { isWalk, type Walk } from "./trail.ts";

/** What is used of the browser. */
export interface SealedHost {
  /** Throws where the browser forbids storage. */
  storage(): Pick<Storage, "getItem" | "setItem" | "removeItem">;
  /** Runs work while no other tab does. */
  alone(work: () => Promise<void>): Promise<unknown>;
}

/** One value. */
export class Sealed<T> {
  private current: T;
  private key: CryptoKey | undefined;
  /** What was done to the value since it was stored, in order. */
  private changes: ((value: T) => T)[] = [];
  private readonly listeners = new Set<() => void>();

  /** `read` understands what was stored, undefined where nothing is. */
  constructor(private readonly host: SealedHost, private readonly name: string, private readonly read: (stored: unknown) => T) {
    const former = this.former();
    this.current = read(former);
    if (former !== undefined) this.changes.push(same);
  }

  get value(): T {
    return this.current;
  }

  /** `to` makes the next value of the present one, and again of the one that another tab has stored meanwhile. */
  change(to: (value: T) => T): void {
    this.changes.push(to);
    this.become(to(this.current));
    void this.sync();
  }

  /** Returns what ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A hub has given the key. What was stored under another one cannot be decrypted, and is overwritten with what is in memory. */
  open(key: CryptoKey): void {
    if (this.key) this.changes.push(same);
    this.key = key;
    void this.sync();
  }

  /** Another tab has changed the storage. */
  heard(item: string | null): void {
    if (item === this.item) void this.sync();
  }

  private get item(): string {
    return `gitnexus.sealed.${this.name}`;
  }

  /** What a version before this one has left open. */
  private former(): unknown {
    try {
      return JSON.parse(this.host.storage().getItem(`gitnexus.${this.name}`) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  }

  private async sync(): Promise<void> {
    const { key } = this;
    if (!key) return;
    await this.host.alone(() => this.exchange(key)).catch(() => undefined); // no storage, or no room: the next change tries again
  }

  /** Takes over what is stored, and stores what was changed. */
  private async exchange(key: CryptoKey): Promise<void> {
    const storage = this.host.storage();
    const stored = await opened(storage.getItem(this.item), key, this.name);
    const { changes } = this;
    if (stored !== undefined) this.become(changes.reduce((value, change) => change(value), this.read(stored)));
    if (changes.length > 0) {
      this.changes = [];
      try {
        storage.setItem(this.item, toBase64(await seal(JSON.stringify(this.current), key, this.name)));
      } catch (error) {
        this.changes = [...changes, ...this.changes];
        throw error;
      }
    }
    storage.removeItem(`gitnexus.${this.name}`);
  }

  private become(value: T): void {
    this.current = value;
    for (const listener of [...this.listeners]) listener();
  }
}

/** What one page remembers, of all repositories. */
export interface Memories {
  /** The walks of the Trail, newest first. */
  walks: Sealed<readonly Walk[]>;
  /** The queries of the console, newest first. */
  queries: Sealed<readonly string[]>;
  /** Folders on disk by the repository's name, for links into the editor. */
  roots: Sealed<Readonly<Record<string, string>>>;
  /** `key` is the hub's, in base64url. */
  open(key: string): Promise<void>;
  /** Another tab has changed an item of the storage. */
  heard(item: string | null): void;
}

export function memories(host: SealedHost): Memories {
  const walks = new Sealed<readonly Walk[]>(host, "walks", (stored) => (Array.isArray(stored) ? stored.filter(isWalk) : []));
  const queries = new Sealed<readonly string[]>(host, "queries", (stored) => (Array.isArray(stored) ? stored.filter((each) => typeof each === "string") : []));
  const roots = new Sealed<Readonly<Record<string, string>>>(host, "roots", (stored) =>
    Object.fromEntries(Object.entries(typeof stored === "object" && stored !== null ? stored : {}).filter(([, root]) => typeof root === "string")));
  const all = [walks, queries, roots];
  let last = "";
  return {
    walks, queries, roots,
    heard: (item) => all.forEach((each) => each.heard(item)),
    async open(text) {
      // Each connection brings it.
      if (text === last) return;
      last = text;
      const key = await importStorageKey(text).catch(() => undefined);
      if (key) all.forEach((each) => each.open(key));
    },
  };
}

const same = <T>(value: T): T => value;

async function opened(text: string | null, key: CryptoKey, name: string): Promise<unknown> {
  try {
    return text === null ? undefined : JSON.parse(await unseal(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)), key, name)) as unknown;
  } catch {
    return undefined; // for another key, or not ours
  }
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
