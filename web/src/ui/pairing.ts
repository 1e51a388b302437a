/** The token that pairs this page with the hub: where it comes from and where it is kept. */

const KEY = "gitnexus.token";

/** What of `window` the pairing touches. */
export interface PairingHost {
  location: { hash: string; pathname: string; search: string };
  history: { replaceState(data: unknown, unused: string, url: string): void };
  localStorage: Pick<Storage, "getItem" | "setItem">;
}

/**
 * The token from the address's fragment (`#token=…`), which is kept and taken out of the address, else the one kept
 * before, else "". A browser that forbids storage keeps it for this load only.
 */
export function takeToken(host: PairingHost): string {
  const fragment = new URLSearchParams(host.location.hash.replace(/^#/, ""));
  const given = fragment.get("token")?.trim() ?? "";
  if (given === "") return keptToken(host);
  fragment.delete("token");
  const rest = fragment.toString();
  host.history.replaceState(null, "", `${host.location.pathname}${host.location.search}${rest ? `#${rest}` : ""}`);
  try {
    host.localStorage.setItem(KEY, given);
  } catch {
    // Storage is full or forbidden: the token still serves this load.
  }
  return given;
}

export function keptToken(host: Pick<PairingHost, "localStorage">): string {
  try {
    return host.localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/**
 * Tells when another token comes: by a new fragment in this tab (`gitnexus-mcp open` reuses it), or because another tab
 * was paired. Returns what ends the watch.
 */
export function watchToken(target: Window, onToken: (token: string) => void): () => void {
  let last = keptToken(target);
  const check = (): void => {
    const token = takeToken(target);
    if (token === "" || token === last) return;
    last = token;
    onToken(token);
  };
  target.addEventListener("hashchange", check);
  target.addEventListener("storage", check);
  return () => {
    target.removeEventListener("hashchange", check);
    target.removeEventListener("storage", check);
  };
}
