import { isObject } from "./protocol.ts";

/** Why a connection did not come about. Only another token, another origin or another address helps when `final`. */
export interface Diagnosis {
  final: boolean;
  reason: string;
}

/** What is used of fetch. */
export type Fetch = (url: string, init: { headers: Record<string, string>; cache: "no-store"; signal: AbortSignal }) => Promise<Pick<Response, "status" | "text">>;

/**
 * Asks the hub whether it would admit this page. A browser says nothing of why a WebSocket failed, and this is how the
 * page finds out. `url` is the WebSocket's. Never rejects.
 */
export async function diagnose(url: string, token: string, fetch: Fetch, timeoutMs = 5000): Promise<Diagnosis> {
  const check = new URL("/api/check", url.replace(/^ws/, "http"));
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), timeoutMs);
  try {
    const response = await fetch(check.href, { headers: { authorization: `Bearer ${token}` }, cache: "no-store", signal: giveUp.signal });
    if (response.status === 204) return { final: false, reason: "The server is there and would admit this page, but the connection failed." };
    const refusal = response.status === 403 ? parseRefusal(await response.text()) : null;
    if (refusal) return refusal;
    return { final: false, reason: `Something else than gitnexus-mcp answers at ${check.host} (status ${response.status}).` };
  } catch {
    return giveUp.signal.aborted
      ? { final: false, reason: `The server at ${check.host} does not answer.` }
      : { final: false, reason: `No gitnexus-mcp is running at ${check.host}.` };
  } finally {
    clearTimeout(timer);
  }
}

function parseRefusal(body: string): Diagnosis | null {
  let refusal: unknown;
  try {
    refusal = JSON.parse(body);
  } catch {
    return null;
  }
  if (!isObject(refusal) || typeof refusal.error !== "string" || typeof refusal.reason !== "string") return null;
  return { final: true, reason: refusal.reason === "token" ? WRONG_TOKEN : refusal.error };
}

export const WRONG_TOKEN = "This page's token is not the server's. Run `gitnexus-mcp open` and open the address that it prints.";
