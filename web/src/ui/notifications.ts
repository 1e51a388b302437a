/** The system's notifications, for what the user should hear of while the tab is hidden. */
import { counted } from "./words.ts";
import type { AppState } from "./state.ts";
import type { Store } from "./store.ts";

export function permission(): NotificationPermission | "missing" {
  return "Notification" in globalThis ? Notification.permission : "missing";
}

export async function askPermission(): Promise<NotificationPermission | "missing"> {
  return "Notification" in globalThis ? Notification.requestPermission() : "missing";
}

export interface Telling {
  title: string;
  body: string;
  /** A later one with the same tag takes its place. */
  tag: string;
}

/** What to tell of a change of the state; undefined for nothing. */
export function tellingOf(before: AppState, after: AppState): Telling | undefined {
  if (after.highlight !== null && after.highlight !== before.highlight) {
    const { agent, nodeIds } = after.highlight;
    return { title: `${agent === "" ? "An agent" : agent} points at ${counted(nodeIds.length, "node")}`, body: "Show them on the map.", tag: "gitnexus highlight" };
  }
  const note = after.annotations.find((each) => !before.annotations.includes(each));
  if (note) return { title: `${note.agent === "" ? "An agent" : note.agent} wrote on the map`, body: note.label, tag: "gitnexus note" };
  return undefined;
}

/** Tells of changes while the tab is hidden and the user has asked for it. A click brings the tab to the front. Returns what ends it. */
export function watchTellings(store: Store, hidden: () => boolean, show: (telling: Telling) => void): () => void {
  let before = store.state;
  return store.subscribe(() => {
    const after = store.state;
    const telling = after.notify && hidden() ? tellingOf(before, after) : undefined;
    before = after;
    if (telling) show(telling);
  });
}

export function notify({ title, body, tag }: Telling): void {
  if (permission() !== "granted") return;
  const shown = new Notification(title, { body, tag });
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}
