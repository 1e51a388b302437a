/** The system's notifications, for what the user should hear of while the tab is hidden. */
import type { AlertInfo } from "../messages.ts";
import { counted } from "./words.ts";
import type { AppState } from "./state.ts";
import type { Store } from "./store.ts";
import { strings } from "./strings.ts";

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

/** An alert that is known comes again with each connection. */
const nameOf = ({ graph, code, since }: AlertInfo): string => `${since} ${code} ${graph}`;

/** What to tell of a change of the state; undefined for nothing. `known`: names of alerts that were there before. */
function tellingOf(before: AppState, after: AppState, known: ReadonlySet<string>): Telling | undefined {
  const alert = after.alerts.find((each) => !known.has(nameOf(each)));
  if (alert) return { title: alert.message, body: alert.advice, tag: strings.notifications.gitnexusAlert(alert.graph, alert.code) };
  if (after.highlight !== null && after.highlight !== before.highlight) {
    const { agent, nodeIds } = after.highlight;
    return { title: strings.notifications.pointsAt(agent === "" ? strings.notifications.anAgent : agent, counted(nodeIds.length, "node")), body: strings.notifications.showThemOnThe, tag: "gitnexus highlight" };
  }
  const note = after.annotations.find((each) => !before.annotations.includes(each));
  if (note) return { title: strings.notifications.wroteOnTheMap(note.agent === "" ? strings.notifications.anAgent : note.agent), body: note.label, tag: "gitnexus note" };
  return undefined;
}

/** Tells of changes while the tab is hidden and the user has asked for it. A click brings the tab to the front. Returns what ends it. */
export function watchTellings(store: Store, hidden: () => boolean, show: (telling: Telling) => void): () => void {
  let before = store.state;
  const known = new Set<string>();
  return store.subscribe(() => {
    const after = store.state;
    const telling = after.notify && hidden() ? tellingOf(before, after, known) : undefined;
    for (const alert of after.alerts) known.add(nameOf(alert));
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
