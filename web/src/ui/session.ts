/** The view's side of the two Workers: joins them, turns their events into actions, sends them commands. */
import type { Alive, EngineCommand, EngineEvent, FolderOrder, LinkCommand, LinkEvent, Source } from "../messages.ts";
import { readRecent, type Recent } from "./activity.ts";
import type { Store } from "./store.ts";
import { strings } from "./strings.ts";

/** A Worker as the session sees it; tests put a scripted one in its place. */
export interface Thread<Command, Event> {
  post(command: Command, transfer?: Transferable[]): void;
  /** Called once, before the first post. */
  listen(onEvent: (event: Event) => void, onCrash: (message: string) => void): void;
  /** Ends the thread, if it still lives. */
  end(): void;
}

export function threadOf<Command, Event>(worker: Worker): Thread<Command, Event> {
  return {
    post: (command, transfer = []) => worker.postMessage(command, transfer),
    listen: (onEvent, onCrash) => {
      worker.onmessage = ({ data }: MessageEvent<Event | Alive>) => {
        if (isAlive(data)) void navigator.locks.request(data.lock, () => onCrash(strings.session.itsThreadEnded));
        else onEvent(data);
      };
      worker.onerror = (e) => onCrash(e.message || strings.session.itsScriptCouldNot);
    },
    end: () => worker.terminate(),
  };
}

/** Whether the browser loaded this page because the tab was reloaded. */
function wasReloaded(): boolean {
  const [load] = performance.getEntriesByType("navigation");
  return load !== undefined && (load as PerformanceNavigationTiming).type === "reload";
}

function isAlive(data: unknown): data is Alive {
  return (data as { type: unknown }).type === "alive";
}

/** An engine that dies is started again, but no more than so many times within so many milliseconds: it would die of the same again. */
export const RESTARTS = 3;
const RESTARTS_WITHIN = 10 * 60_000;

export interface SessionOptions {
  store: Store;
  /** Starts an engine. */
  engine: () => Thread<EngineCommand, EngineEvent>;
  link: Thread<LinkCommand, LinkEvent>;
  /** `host:port` of the hub. */
  hub: string;
  /** What the address brought to pair this page; "" when it brought nothing. */
  ticket: string;
  /** The page was paired by a version that kept no key. */
  former: boolean;
  /** Loads what the hub has, without being asked. Default: true. */
  takesHubFolder?: boolean;
  /** The folder that it is opened for, which is all that it loads; absent for what the user opened. */
  background?: string;
  /** What was picked here before the page was reloaded: under this id the engine has kept it. It is loaded instead of what the hub has. */
  kept?: string | undefined;
  /** Another tab was in front of it when the page was reloaded. */
  behind?: boolean;
  /** Whether its tab is the one that is shown. Default: it is. */
  isShown?: () => boolean;
  /** Hears which folders agents ask about. */
  onFolders?: (orders: readonly FolderOrder[]) => void;
  /** Hears the key that encrypts what the page keeps. */
  onStorageKey?: (key: string) => void;
  now?: () => number;
}

/** The answer to a question of the view's own was an error; the message is the engine's. */
export class AskError extends Error {
  override readonly name = "AskError";
}

export class Session {
  readonly store: Store;
  private readonly options: SessionOptions;
  private readonly now: () => number;
  private engine: Thread<EngineCommand, EngineEvent> | undefined;
  /** When engines died, in milliseconds since the epoch. */
  private deaths: number[] = [];
  private lastSource: Source | null = null;
  /** The id under which the engine keeps the loaded repository for a reload of the page; undefined for what is none of the user's picks. */
  private keptAs: string | undefined;
  private expected = false;
  private nextId = 1;
  private readonly asked = new Map<number, { resolve: (json: string) => void; reject: (why: Error) => void }>();

  constructor(options: SessionOptions) {
    this.options = options;
    this.store = options.store;
    this.now = options.now ?? Date.now;
    this.keptAs = options.kept;
  }

  /** Joins the Workers and starts both. Called once. */
  start(): void {
    const { link, hub, ticket, former } = this.options;
    link.listen((event) => this.onLink(event), (message) => this.onLinkCrash(message));
    const port = this.startEngine();
    const { background } = this.options;
    // Before the first call can come.
    if (background !== undefined) this.loadFromHub();
    const loads = background === undefined ? !this.takesHubFolder ? { loads: "nothing" as const } : {} : { background };
    const behind = this.options.behind ? { behind: true as const } : {};
    link.post({ type: "start", url: `ws://${hub}/`, ticket, former, engine: port, reloaded: background === undefined && wasReloaded(), ...loads, ...behind }, [port]);
  }

  /** Ends both Workers. What was asked and is not answered is refused. */
  stop(): void {
    this.engine?.end();
    this.engine = undefined;
    this.options.link.end();
    this.refuse(strings.session.thisRepositoryWasClosed);
  }

  private refuse(why: string): void {
    for (const { reject } of this.asked.values()) reject(new AskError(why));
    this.asked.clear();
  }

  /** Returns the link's end of the channel to it. */
  private startEngine(): MessagePort {
    const engine = this.options.engine();
    this.engine = engine;
    engine.listen(
      (event) => {
        if (this.engine === engine) this.onEngine(event);
      },
      (message) => {
        if (this.engine === engine) this.onEngineCrash(engine, message);
      },
    );
    const channel = new MessageChannel();
    engine.post({ type: "start", link: channel.port1 }, [channel.port1]);
    return channel.port2;
  }

  /** A tool call of the view's own. Rejects with AskError. */
  async ask(name: string, args: Record<string, unknown>): Promise<unknown> {
    return JSON.parse(await this.request((id) => ({ type: "ask", id, name, arguments: args }))) as unknown;
  }

  /** The whole graph as code-graph/1 JSON. Rejects with AskError. */
  exportGraph(): Promise<string> {
    return this.request((id) => ({ type: "export", id }));
  }

  /**
   * What was logged lately, of all gitnexus-mcp processes of the user; the parameters are those of `/api/events`
   * (docs/protocol.md). Rejects with an error in words, also while the link is down.
   */
  async recentEvents(parameters: Record<string, string>): Promise<Recent> {
    const { link } = this.store.state;
    if (link.state !== "connected") throw new Error(strings.session.theLinkIsDown);
    const response = await fetch(`${this.hubUrl("/api/events")}?${new URLSearchParams(parameters)}`, { headers: { authorization: `Bearer ${link.hub.key}` }, cache: "no-store" });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error((answer as { error?: string }).error ?? strings.session.gitnexusMcpAnswered(response.status));
    return readRecent(answer);
  }

  load(given: Source): void {
    const source = given.kind === "files" || given.kind === "zip" ? { keep: `picked-${crypto.randomUUID()}`, ...given } : given;
    this.lastSource = source;
    const name = source.kind === "hub" ? this.hubRepo() : source.kind === "files" ? source.name : source.kind === "zip" ? source.file.name : "";
    this.store.dispatch({ type: "loading", name, at: this.now() });
    this.engine?.post({ type: "load", source });
  }

  /** Under which id this tab's repository opens again when the page is reloaded; undefined when it is not one that was picked. */
  get picked(): string | undefined {
    return this.keptAs;
  }

  /** Whether `loadAgain` can succeed where the last load failed: what is gone from the storage stays so. */
  get canLoadAgain(): boolean {
    return this.lastSource?.kind !== "kept";
  }

  private get takesHubFolder(): boolean {
    return this.options.takesHubFolder !== false && this.options.kept === undefined;
  }

  /** Loads the folder that the hub was given with --repo. */
  loadFromHub(): void {
    this.load(this.hubSource());
  }

  /** Loads again what failed to load. */
  loadAgain(): void {
    const source = this.lastSource;
    if (source?.kind === "hub") this.loadFromHub();
    else if (source) this.load(source);
  }

  tell(command: LinkCommand): void {
    this.options.link.post(command);
  }

  private hubSource(): Source {
    return { kind: "hub", url: this.hubUrl("/api/repo") };
  }

  private hubUrl(path: string): string {
    return `http://${this.options.hub}${path}`;
  }

  private hubRepo(): string {
    const { link } = this.store.state;
    return link.state === "connected" ? link.hub.repo : "";
  }

  private request(command: (id: number) => EngineCommand): Promise<string> {
    if (this.store.state.crashed) return Promise.reject(new AskError(strings.session.theEngineIsGone));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.engine?.post(command(id));
    });
  }

  private onEngine(event: EngineEvent): void {
    if (event.type === "answer") {
      const waiting = this.asked.get(event.id);
      this.asked.delete(event.id);
      if (event.ok) waiting?.resolve(event.json);
      else waiting?.reject(new AskError(event.message));
      return;
    }
    if (event.type === "loaded") this.keptAs = this.lastSource === null || this.lastSource.kind === "hub" ? undefined : this.lastSource.keep;
    this.store.dispatch({ type: "engine", event, at: this.now() });
  }

  private onLink(event: LinkEvent): void {
    if (event.type === "storageKey") {
      this.options.onStorageKey?.(event.key);
      return;
    }
    const before = this.store.state.link.state;
    // A page that is paired will probably load the hub's folder. Until the link confirms it, nobody is told.
    if (!this.expected && this.options.background === undefined && this.takesHubFolder && event.type === "state" && event.link.state === "connecting") {
      this.expected = true;
      this.engine?.post({ type: "expect", source: this.hubSource() });
    }
    this.store.dispatch({ type: "link", event });
    if (event.type === "folders") this.options.onFolders?.(event.folders);
    const { link, loaded, indexing } = this.store.state;
    if (event.type !== "state" || link.state !== "connected" || before === "connected") return;
    // A hub that is new to this page must learn that the page is in front.
    if (this.options.background === undefined && (this.options.isShown?.() ?? true) && typeof document !== "undefined" && document.hasFocus()) this.tell({ type: "front" });
    if (this.options.kept !== undefined && this.lastSource === null) this.load({ kind: "kept", keep: this.options.kept });
    if (this.takesHubFolder && link.hub.repo !== "" && !loaded && !indexing) this.loadFromHub();
  }

  private onLinkCrash(message: string): void {
    this.store.dispatch({ type: "crashed", message: strings.session.theLinkHasStopped(message) });
  }

  /** Another engine takes its place, and opens what was open. */
  private onEngineCrash(engine: Thread<EngineCommand, EngineEvent>, message: string): void {
    engine.end();
    this.engine = undefined;
    const why = strings.session.theEngineHasStopped(message);
    this.refuse(why);
    const now = this.now();
    this.deaths = [...this.deaths.filter((at) => now - at < RESTARTS_WITHIN), now];
    if (this.deaths.length > RESTARTS) {
      this.store.dispatch({ type: "crashed", message: why });
      this.tell({ type: "engine", engine: null, why });
      return;
    }
    const port = this.startEngine();
    this.options.link.post({ type: "engine", engine: port, why }, [port]);
    this.loadAgain();
    this.store.dispatch({ type: "notice", notice: { tone: "bad", text: strings.session.itWasStartedAgain(why) } });
  }
}
