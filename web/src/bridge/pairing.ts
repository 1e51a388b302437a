/** How this page gets its key: from the browser's storage, or for a ticket (docs/protocol.md, "Pairing"). */
import { ask, challenge, type Failure, type Fetch } from "./check.ts";
import { clientProof, pageKey, type Crypt } from "./proof.ts";

/** What the hub knows this browser by. */
export interface PageKey {
  id: string;
  key: CryptoKey;
}

/** Where the key is kept. Its methods reject where the browser forbids storage. */
export interface KeyStore {
  load(): Promise<PageKey | undefined>;
  save(key: PageKey): Promise<void>;
}

/** A ticket lives so long. Until then a hub may come, in milliseconds. */
const TICKET_LIFE = 60_000;
const AGAIN = 1000;

/** The form of a ticket in the address. */
const TICKET = /^([0-9a-f]{16})\.([\w-]{43})$/;

/**
 * Exchanges a ticket for a key. Without a new key, the hub knows the page's own one, `has`, which it goes on with. The key that
 * is returned is one that the hub has proved to know. Never rejects.
 */
export async function exchange(
  url: string, ticket: string, has: string | undefined, crypt: Crypt, fetch: Fetch, signal: AbortSignal,
): Promise<{ ok: true; key?: PageKey } | Failure> {
  const [, id, secret] = TICKET.exec(ticket) ?? [];
  if (id === undefined || secret === undefined) {
    return { ok: false, final: true, unproven: false, reason: "This address does not pair the page: it is no address of `gitnexus-mcp open`. Run that again." };
  }
  const who = { role: "ticket", id, key: await crypt.read(secret) } as const;
  const end = Date.now() + TICKET_LIFE;
  for (;;) {
    const answer = await exchangeOnce(url, who, has, crypt, fetch, signal);
    if (answer.ok || answer.final || signal.aborted || Date.now() + AGAIN >= end) return answer;
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

async function exchangeOnce(
  url: string, who: { role: "ticket"; id: string; key: CryptoKey }, has: string | undefined, crypt: Crypt, fetch: Fetch, signal: AbortSignal,
): Promise<{ ok: true; key?: PageKey } | Failure> {
  const answer = await challenge(url, who, crypt, fetch, signal);
  if (!answer.ok) return answer;
  const { port, nonce, hubNonce } = answer;
  const query = new URLSearchParams({ id: who.id, nonce, hubNonce, proof: await clientProof(crypt, who, port, nonce, hubNonce), page: has ?? "" });
  const paired = await ask(url, `/api/pair?${query.toString()}`, fetch, { signal, method: "POST" });
  if (!paired.ok) return paired;
  const { page } = paired.body;
  if (page === has && has !== undefined) return { ok: true };
  if (page !== who.id) return { ok: false, final: true, unproven: false, reason: "The server did not pair this page. Run `gitnexus-mcp open` again." };
  const key = { id: who.id, key: await pageKey(crypt, who.key, port, nonce, hubNonce) };
  // Whoever has the port by now may have said that.
  const proof = await challenge(url, { role: "page", ...key }, crypt, fetch, signal);
  return proof.ok ? { ok: true, key } : proof;
}

const DATABASE = "gitnexus";
const STORE = "pairing";

/** The browser's own storage for this origin. The key in it can be used, and not read. */
export const browserKeys: KeyStore = {
  async load() {
    const found: unknown = await withStore("readonly", (store) => store.get(STORE));
    const { id, key } = (found ?? {}) as Partial<PageKey>;
    return typeof id === "string" && key instanceof CryptoKey ? { id, key } : undefined;
  },
  async save(key) {
    await withStore("readwrite", (store) => store.put(key, STORE));
  },
};

async function withStore<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await done(opening);
  try {
    return await done(use(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no storage"));
  });
}
