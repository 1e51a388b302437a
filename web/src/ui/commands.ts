/** Everything that can be done by a key or from the palette, in one table. */
import type { ViewName } from "./address.ts";
import type { App } from "./hooks.ts";

export const GROUPS = ["Views", "Picture", "Find", "Page"] as const;

export interface Command {
  title: string;
  group: (typeof GROUPS)[number];
  /** As `e.key`, with "Ctrl " before it for Ctrl or ⌘; "" for none. */
  key: string;
  /** Whether it makes sense now. */
  can?: (app: App) => boolean;
  run: (app: App) => void;
}

const view = (to: ViewName) => ({ store }: App): void => store.dispatch({ type: "go", to: { view: to } });
const ofNode = ({ store }: App): boolean => store.state.place.node !== null && store.state.loaded !== null;
const loaded = ({ store }: App): boolean => store.state.loaded !== null;
const drawn = ({ picture }: App): boolean => picture.current !== null;

export const COMMANDS: readonly Command[] = [
  { title: "Find a symbol, a file or a command", group: "Find", key: "Ctrl k", run: ({ store }) => store.dispatch({ type: "panel", panel: "palette" }) },
  { title: "Search symbols", group: "Find", key: "/", run: () => document.querySelector<HTMLInputElement>(".search input")?.focus() },
  { title: "Map of the code base", group: "Views", key: "m", can: loaded, run: view("map") },
  { title: "Read the symbol", group: "Views", key: "r", can: ofNode, run: view("read") },
  { title: "Surroundings of the symbol", group: "Views", key: "s", can: ofNode, run: view("local") },
  { title: "Impact of the symbol", group: "Views", key: "i", can: ofNode, run: view("impact") },
  { title: "Path from the symbol to another", group: "Views", key: "p", can: ofNode, run: view("path") },
  { title: "Changes since the load or a commit", group: "Views", key: "c", can: loaded, run: view("changes") },
  { title: "Trail of what was looked at", group: "Views", key: "t", can: loaded, run: view("trail") },
  { title: "Query console", group: "Views", key: "q", can: loaded, run: view("query") },
  { title: "Activity: what happened lately", group: "Views", key: "a", run: view("activity") },
  { title: "Follow the agent", group: "Page", key: "f", run: ({ store }) => store.dispatch({ type: "follow", follow: !store.state.follow }) },
  { title: "Group the map by folders or clusters", group: "Picture", key: "g", can: loaded, run: ({ store }) => store.dispatch({ type: "go", to: { by: store.state.place.by === "folder" ? "cluster" : "folder" } }) },
  { title: "Fit the picture", group: "Picture", key: "0", can: drawn, run: ({ picture }) => picture.current?.fit() },
  { title: "Zoom in", group: "Picture", key: "+", can: drawn, run: ({ picture }) => picture.current?.zoom(1.5) },
  { title: "Zoom out", group: "Picture", key: "-", can: drawn, run: ({ picture }) => picture.current?.zoom(1 / 1.5) },
  { title: "Back", group: "Find", key: "[", run: () => history.back() },
  { title: "Forward", group: "Find", key: "]", run: () => history.forward() },
  { title: "Settings", group: "Page", key: ",", run: ({ store }) => store.dispatch({ type: "panel", panel: "settings" }) },
  { title: "Shortcuts", group: "Page", key: "?", run: ({ store }) => store.dispatch({ type: "panel", panel: "help" }) },
  { title: "Open another repository", group: "Page", key: "o", run: ({ workspace }) => void workspace.open() },
  { title: "Show the next repository", group: "Page", key: "n", can: ({ workspace }) => workspace.tabs.length > 1, run: ({ workspace }) => workspace.next() },
  { title: "Pick a folder to load", group: "Page", key: "", run: ({ pick }) => pick.folder() },
  { title: "Pick a .zip to load", group: "Page", key: "", run: ({ pick }) => pick.zip() },
];

/** The command of a key press; a modifier that it does not ask for is somebody else's. */
export function commandOf(e: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">): Command | undefined {
  if (e.altKey) return undefined;
  const key = `${e.ctrlKey || e.metaKey ? "Ctrl " : ""}${e.key.length === 1 && (e.ctrlKey || e.metaKey) ? e.key.toLowerCase() : e.key}`;
  return COMMANDS.find((command) => command.key === key);
}

/** Whether the letters of a query stand in a text in their order. */
export function matches(text: string, query: string): boolean {
  let at = 0;
  for (const letter of query.toLowerCase().replace(/\s/gu, "")) {
    at = text.toLowerCase().indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
