import { hubProof, newNonce, type Crypt, type Identity } from "./proof.ts";
import { isObject } from "./protocol.ts";

/** That of challenge, proof and ticket: a hub of another one says so. */
const ADMISSION_VERSION = "3";

/**
 * What asking the hub for its proof led to: what this page's own proof is made of, or why there is none. Only the user can
 * help when `final`; when `unproven`, whoever answers does not know this page's key.
 */
export type Challenge =
  | { ok: true; port: string; nonce: string; hubNonce: string }
  | Failure;

export interface Failure {
  ok: false;
  final: boolean;
  unproven: boolean;
  reason: string;
}

/** What is used of fetch. */
export type Fetch = (url: string, init: { cache: "no-store"; signal: AbortSignal; method?: "POST" }) => Promise<Pick<Response, "status" | "text">>;

/** Nobody answers, or something that is no gitnexus-mcp does: that may pass. */
const passing = (reason: string): Failure => ({ ok: false, final: false, unproven: false, reason });

/**
 * Has whoever holds the port prove that it knows the key of `who`, and returns what this page's own proof is made of: the
 * key itself is sent to nobody. `url` is the WebSocket's. Never rejects.
 */
export async function challenge(url: string, who: Identity, crypt: Crypt, fetch: Fetch, signal: AbortSignal, timeoutMs = 5000): Promise<Challenge> {
  const nonce = newNonce();
  const query = new URLSearchParams({ version: ADMISSION_VERSION, role: who.role, id: who.id, nonce });
  const answer = await ask(url, `/api/challenge?${query.toString()}`, fetch, { signal }, timeoutMs);
  if (!answer.ok) return answer;
  const { body, port } = answer;
  if (body.version !== ADMISSION_VERSION || typeof body.proof !== "string" || typeof body.nonce !== "string" || !/^[\w-]{16,200}$/.test(body.nonce)) {
    return { ok: false, final: true, unproven: false, reason: "This page and gitnexus-mcp are of versions that cannot talk to each other. Reload the page." };
  }
  if (body.proof !== await hubProof(crypt, who, port, nonce)) return { ok: false, final: true, unproven: true, reason: WRONG_KEY };
  return { ok: true, port, nonce, hubNonce: body.nonce };
}

/** Asks the hub something that it answers in JSON. Never rejects. */
export async function ask(
  url: string, path: string, fetch: Fetch, init: { signal: AbortSignal; method?: "POST" }, timeoutMs = 5000,
): Promise<{ ok: true; port: string; body: Record<string, unknown> } | Failure> {
  const address = new URL(path, url.replace(/^ws/, "http"));
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), timeoutMs);
  try {
    const response = await fetch(address.href, { ...init, cache: "no-store", signal: AbortSignal.any([giveUp.signal, init.signal]) });
    const body = parse(await response.text());
    if (response.status === 403 && typeof body.error === "string" && typeof body.reason === "string") {
      return { ok: false, final: true, unproven: body.reason === "page", reason: body.error };
    }
    if (response.status !== 200) {
      return passing(typeof body.error === "string" ? body.error : `Something else than gitnexus-mcp answers at ${address.host} (status ${response.status}).`);
    }
    if (Object.keys(body).length === 0) return passing(`Something else than gitnexus-mcp answers at ${address.host} (status 200).`);
    return { ok: true, port: address.port || "80", body };
  } catch {
    return passing(giveUp.signal.aborted ? `The server at ${address.host} does not answer.` : `No gitnexus-mcp is running at ${address.host}.`);
  } finally {
    clearTimeout(timer);
  }
}

/** Tells the hub that this page is open and cannot connect, so that agents hear what is wrong. Never rejects. */
export async function tellUnpaired(url: string, fetch: Fetch): Promise<void> {
  const tell = new URL("/api/unpaired", url.replace(/^ws/, "http"));
  // Nobody waits for the answer, and there may be no hub.
  await fetch(tell.href, { method: "POST", cache: "no-store", signal: AbortSignal.timeout(5000) }).catch(() => undefined);
}

function parse(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const WRONG_KEY = "What answers here does not know this browser's key: another program, or a server of another user. Run `gitnexus-mcp open` to see which.";
