/** The ticket that `gitnexus-mcp open` puts into the address, by which this page gets a key. */

/** Where versions before this one kept the server's token. */
const FORMER_KEY = "gitnexus.token";

/** What of `window` the pairing touches. */
export interface PairingHost {
  location: { hash: string; pathname: string; search: string };
  history: { replaceState(data: unknown, unused: string, url: string): void };
  localStorage: Pick<Storage, "getItem" | "removeItem">;
}

/** Whether a fragment is for pairing, and no place in the app. `token` is what versions before this one put there. */
export function isPairing(fragment: string): boolean {
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  return words.has("ticket") || words.has("token");
}

/** The ticket from the address's fragment (`#ticket=…`), which is taken out of the address; "" when there is none. */
export function takeTicket(host: PairingHost): string {
  if (!isPairing(host.location.hash)) return "";
  const fragment = new URLSearchParams(host.location.hash.replace(/^#/, ""));
  const ticket = fragment.get("ticket")?.trim() ?? "";
  fragment.delete("ticket");
  fragment.delete("token");
  const rest = fragment.toString();
  // The server put a query there that no other address has.
  const search = /^\?[0-9a-f]{16}$/.test(host.location.search) ? "" : host.location.search;
  host.history.replaceState(null, "", `${host.location.pathname}${search}${rest ? `#${rest}` : ""}`);
  return ticket;
}

/** Removes the token that a version before this one kept here. Returns whether there was one. */
export function dropFormerToken(host: Pick<PairingHost, "localStorage">): boolean {
  try {
    const there = host.localStorage.getItem(FORMER_KEY) !== null;
    host.localStorage.removeItem(FORMER_KEY);
    return there;
  } catch {
    return false;
  }
}

/** Tells when a ticket comes by a new fragment in this tab, which `gitnexus-mcp open` may reuse. Returns what ends the watch. */
export function watchTicket(target: Window, onTicket: (ticket: string) => void): () => void {
  const check = (): void => {
    const ticket = takeTicket(target);
    if (ticket !== "") onTicket(ticket);
  };
  target.addEventListener("hashchange", check);
  return () => target.removeEventListener("hashchange", check);
}
