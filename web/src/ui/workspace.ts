/** The repositories that are open in this page, each in a tab with an engine, a link and a state of its own. Agents see each as a page. */
import { fragmentOf, followAddress, HOME, type AddressHost, type Place } from "./address.ts";
import type { FolderOrder } from "../messages.ts";
import { Folders } from "./folders.ts";
import { notify, watchTellings } from "./notifications.ts";
import type { Session } from "./session.ts";
import { choicesOf } from "./state.ts";

export interface Tab {
  readonly id: number;
  readonly session: Session;
}

export interface WorkspaceOptions {
  /**
   * Makes a tab's session and starts it. `first`: the tab that takes what the hub has to load; `background`: the folder that
   * the tab is for; `kept`: what was picked in it before the page was reloaded; `behind`: another one was in front of it.
   */
  session: (first: boolean, more: { background?: string | undefined; kept?: string | undefined; behind?: boolean }) => Session;
  host: AddressHost;
  /** Of this tab of the browser. Without it a reload forgets what was picked. */
  storage?: () => Pick<Storage, "getItem" | "setItem">;
}

const KEY = "gitnexus.tabs";

/** What a reload of the page has to know: of each tab the id of what was picked there, "" for what the first one loads by itself, and which is in front. */
interface Remembered {
  picked: string[];
  front: number;
}

function readRemembered(storage: WorkspaceOptions["storage"]): Remembered {
  try {
    const { picked, front } = JSON.parse(storage?.().getItem(KEY) ?? "{}") as Partial<Record<keyof Remembered, unknown>>;
    if (Array.isArray(picked) && picked.length > 0 && picked.every((id) => typeof id === "string")) return { picked, front: Number(front) || 0 };
  } catch {
    // Forbidden, or not ours.
  }
  return { picked: [""], front: 0 };
}

export class Workspace {
  private all: readonly Tab[] = [];
  private shown!: Tab;
  private readonly options: WorkspaceOptions;
  private readonly listeners = new Set<() => void>();
  private nextId = 0;
  private remembered = "";
  private endAddress: () => void = () => undefined;
  /** The tabs that agents need, by folder. */
  private readonly folders = new Folders((id) => {
    const tab = this.add(false, id);
    this.tell();
    return tab.id;
  }, (tab) => this.close(tab));

  constructor(options: WorkspaceOptions) {
    this.options = options;
    const { picked, front } = readRemembered(options.storage);
    const inFront = front < picked.length ? front : 0;
    const all = picked.map((kept, i) => this.make(i === 0, { kept: kept === "" ? undefined : kept, behind: i !== inFront }));
    this.all = all;
    const tab = all[inFront]!;
    const { location, history } = options.host;
    if (tab !== all[0]) {
      // The address is about the tab that was in front.
      const { store } = all[0]!.session;
      tab.session.store.dispatch({ type: "went", place: store.state.place, steps: 0 });
      store.dispatch({ type: "went", place: HOME, steps: 0 });
    }
    // After a reload the address may be one of a tab that is gone.
    history.replaceState({ ...(history.state ?? {}), tab: tab.id }, "", `${location.pathname}${location.search}${location.hash}`);
    this.attach(tab);
  }

  get tabs(): readonly Tab[] {
    return this.all;
  }

  get active(): Tab {
    return this.shown;
  }

  /** Opens an empty tab, in which another repository can be loaded. */
  open(): Tab {
    const tab = this.add(false);
    this.show(tab.id);
    return tab;
  }

  /** Opens tabs, behind the shown one, for the folders that agents ask about, and closes those that none needs any more. */
  follow(orders: readonly FolderOrder[]): void {
    this.folders.follow(orders);
  }

  private add(first: boolean, background?: string): Tab {
    const tab = this.make(first, { background });
    tab.session.store.dispatch({ type: "choices", choices: choicesOf(this.shown.session.store.state) });
    this.all = [...this.all, tab];
    return tab;
  }

  /** Brings a tab to the front: a step in the history. */
  show(id: number): void {
    const tab = this.tab(id);
    if (!tab || tab === this.shown) return;
    const { store } = tab.session;
    const fragment = fragmentOf(store.state.place);
    const { location, history } = this.options.host;
    this.turnTo(tab);
    history.pushState({ steps: store.state.steps, tab: id }, "", `${location.pathname}${location.search}${fragment === "" ? "" : `#${fragment}`}`);
    this.tell();
  }

  /** The last tab stays. */
  close(id: number): void {
    const tab = this.tab(id);
    if (!tab || this.all.length === 1) return;
    const at = this.all.indexOf(tab);
    if (tab === this.shown) this.show((this.all[at + 1] ?? this.all[at - 1])!.id);
    this.all = this.all.filter((each) => each !== tab);
    this.folders.closed(tab.id);
    tab.session.stop();
    this.tell();
  }

  /** The one after the shown one, round and round. */
  next(): void {
    this.show(this.all[(this.all.indexOf(this.shown) + 1) % this.all.length]!.id);
  }

  /** Returns what ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private tab(id: number): Tab | undefined {
    return this.all.find((each) => each.id === id);
  }

  private make(first: boolean, more: { background?: string | undefined; kept?: string | undefined; behind?: boolean }): Tab {
    const session = this.options.session(first, more);
    session.store.subscribe(() => this.remember());
    watchTellings(session.store, () => document.hidden, notify); // a tab that is not shown has news, too
    return { id: this.nextId++, session };
  }

  /** Choices are the user's, whichever tab they are made in. `went`: where the history leads. */
  private turnTo(tab: Tab, went?: { place: Place; steps: number }): void {
    tab.session.store.dispatch({ type: "choices", choices: choicesOf(this.shown.session.store.state) });
    this.endAddress();
    if (went) tab.session.store.dispatch({ type: "went", ...went });
    this.attach(tab);
    tab.session.tell({ type: "front" });
  }

  private attach(tab: Tab): void {
    this.shown = tab;
    this.endAddress = followAddress(tab.session.store, this.options.host, tab.id, (id, went) => {
      const other = this.tab(id);
      // One that was closed, or that was there before a reload.
      if (!other) return false;
      this.turnTo(other, went);
      this.tell();
      return true;
    });
  }

  /** Writes down what a reload of the page has to open again. */
  private remember(): void {
    const kept = this.all.filter(({ session }, i) => i === 0 || session.picked !== undefined);
    const remembered = JSON.stringify({ picked: kept.map(({ session }) => session.picked ?? ""), front: Math.max(0, kept.indexOf(this.shown)) } satisfies Remembered);
    if (remembered === this.remembered) return;
    this.remembered = remembered;
    try {
      this.options.storage?.().setItem(KEY, remembered);
    } catch {
      // Storage is full or forbidden: a reload forgets.
    }
  }

  private tell(): void {
    this.remember();
    for (const listener of [...this.listeners]) listener();
  }
}
