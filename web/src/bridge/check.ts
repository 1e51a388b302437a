import { hubProof, newNonce, pageProof, type Mac } from "./proof.ts";
import { isObject } from "./protocol.ts";

/**
 * What asking the hub for its proof led to: the subprotocol to connect with, or why there is none. Only the user can help
 * when `final`; when `unproven`, whoever answers does not know this page's token.
 */
export type Challenge =
  | { ok: true; protocol: string }
  | { ok: false; final: boolean; unproven: boolean; reason: string };

/** What is used of fetch. */
export type Fetch = (url: string, init: { cache: "no-store"; signal: AbortSignal; method?: "POST" }) => Promise<Pick<Response, "status" | "text">>;

/**
 * Has whoever holds the port prove that it knows the token, and makes this page's own proof: the token itself is sent to
 * nobody. `url` is the WebSocket's. Never rejects.
 */
export async function challenge(url: string, token: string, mac: Mac, fetch: Fetch, signal: AbortSignal, timeoutMs = 5000): Promise<Challenge> {
  const nonce = newNonce();
  const ask = new URL(`/api/challenge?nonce=${nonce}`, url.replace(/^ws/, "http"));
  const port = ask.port || "80";
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), timeoutMs);
  const failed = (reason: string): Challenge => ({ ok: false, final: false, unproven: false, reason });
  try {
    const response = await fetch(ask.href, { cache: "no-store", signal: AbortSignal.any([giveUp.signal, signal]) });
    const body = parse(await response.text());
    if (response.status === 403 && typeof body.error === "string" && typeof body.reason === "string") {
      return { ok: false, final: true, unproven: false, reason: body.error };
    }
    if (response.status !== 200 || typeof body.proof !== "string") {
      return failed(`Something else than gitnexus-mcp answers at ${ask.host} (status ${response.status}).`);
    }
    if (typeof body.nonce !== "string" || !/^[\w-]{16,200}$/.test(body.nonce)) {
      return { ok: false, final: true, unproven: false, reason: "This page and gitnexus-mcp are of versions that cannot talk to each other. Reload the page." };
    }
    if (body.proof !== await hubProof(mac, token, port, nonce)) return { ok: false, final: true, unproven: true, reason: WRONG_TOKEN };
    return { ok: true, protocol: await pageProof(mac, token, port, nonce, body.nonce) };
  } catch {
    return failed(giveUp.signal.aborted ? `The server at ${ask.host} does not answer.` : `No gitnexus-mcp is running at ${ask.host}.`);
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

const WRONG_TOKEN = "This page's token is not the server's. Run `gitnexus-mcp open` and open the address that it prints.";
