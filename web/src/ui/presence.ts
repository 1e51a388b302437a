import type { LinkCommand } from "../messages.ts";

/**
 * Tells the link when a try is worth while at once (network back, tab shown, woken from a freeze) and when this page
 * comes to the front. Returns what ends the watch.
 */
export function watchPresence(window: Window, document: Document, send: (command: LinkCommand) => void): () => void {
  const retry = (why: string) => (): void => send({ type: "retry", why });
  const online = retry("the network is back");
  const resumed = retry("the tab was woken");
  const front = (): void => send({ type: "front" });
  const visibility = (): void => {
    if (document.visibilityState !== "visible") return;
    send({ type: "retry", why: "the tab was shown" });
    front();
  };
  window.addEventListener("online", online);
  window.addEventListener("focus", front);
  document.addEventListener("visibilitychange", visibility);
  document.addEventListener("resume", resumed);
  return () => {
    window.removeEventListener("online", online);
    window.removeEventListener("focus", front);
    document.removeEventListener("visibilitychange", visibility);
    document.removeEventListener("resume", resumed);
  };
}
