/** Everything that can be done by a key or from the palette, in one table. */
import type { ViewName } from "./address.ts";
import type { App } from "./hooks.ts";
import { strings } from "./strings.ts";

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
  { title: strings.commands.findASymbolA, group: "Find", key: "Ctrl k", run: ({ store }) => store.dispatch({ type: "panel", panel: "palette" }) },
  { title: strings.commands.searchSymbols, group: "Find", key: "/", run: () => document.querySelector<HTMLInputElement>(".search input")?.focus() },
  { title: strings.commands.mapOfTheCode, group: "Views", key: "m", can: loaded, run: view("map") },
  { title: strings.commands.readTheSymbol, group: "Views", key: "r", can: ofNode, run: view("read") },
  { title: strings.commands.surroundingsOfTheSymbol, group: "Views", key: "s", can: ofNode, run: view("local") },
  { title: strings.commands.impactOfTheSymbol, group: "Views", key: "i", can: ofNode, run: view("impact") },
  { title: strings.commands.pathFromTheSymbol, group: "Views", key: "p", can: ofNode, run: view("path") },
  { title: strings.commands.changesSinceTheLoad, group: "Views", key: "c", can: loaded, run: view("changes") },
  { title: strings.commands.trailOfWhatWas, group: "Views", key: "t", can: loaded, run: view("trail") },
  { title: strings.commands.queryConsole, group: "Views", key: "q", can: loaded, run: view("query") },
  { title: strings.commands.activityWhatHappenedLately, group: "Views", key: "a", run: view("activity") },
  { title: strings.commands.followTheAgent, group: "Page", key: "f", run: ({ store }) => store.dispatch({ type: "follow", follow: !store.state.follow }) },
  { title: strings.commands.groupTheMapBy, group: "Picture", key: "g", can: loaded, run: ({ store }) => store.dispatch({ type: "go", to: { by: store.state.place.by === "folder" ? "cluster" : "folder" } }) },
  { title: strings.commands.fitThePicture, group: "Picture", key: "0", can: drawn, run: ({ picture }) => picture.current?.fit() },
  { title: strings.commands.zoomIn, group: "Picture", key: "+", can: drawn, run: ({ picture }) => picture.current?.zoom(1.5) },
  { title: strings.commands.zoomOut, group: "Picture", key: "-", can: drawn, run: ({ picture }) => picture.current?.zoom(1 / 1.5) },
  { title: strings.commands.back, group: "Find", key: "[", run: () => history.back() },
  { title: strings.commands.forward, group: "Find", key: "]", run: () => history.forward() },
  { title: strings.commands.settings, group: "Page", key: ",", run: ({ store }) => store.dispatch({ type: "panel", panel: "settings" }) },
  { title: strings.commands.shortcuts, group: "Page", key: "?", run: ({ store }) => store.dispatch({ type: "panel", panel: "help" }) },
  { title: strings.commands.openAnotherRepository, group: "Page", key: "o", run: ({ workspace }) => void workspace.open() },
  { title: strings.commands.showTheNextRepository, group: "Page", key: "n", can: ({ workspace }) => workspace.tabs.length > 1, run: ({ workspace }) => workspace.next() },
  { title: strings.commands.pickAFolderTo, group: "Page", key: "", run: ({ pick }) => pick.folder() },
  { title: strings.commands.pickAZipTo, group: "Page", key: "", run: ({ pick }) => pick.zip() },
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
