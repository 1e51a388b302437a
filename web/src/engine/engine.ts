import type { EngineCommand, EngineEvent, EngineReply, EngineRequest, GraphContext, Source } from "../messages.ts";
import { Calls } from "./calls.ts";
import type { ClusterInput, Clusters } from "./clusters.ts";
import type { Codebase, PhaseTime } from "./codebase.ts";
import { codeGraphOf } from "./codegraph.ts";
import { DatabaseFiller } from "./database-filler.ts";
import { deltaOf, Follower, type Behind } from "./follower.ts";
import { openKept, snapshotOf, type Kept, type KeptFolders } from "./kept.ts";
import { messageOf, openWorkspace, type Parse, type Progress } from "./pipeline.ts";
import { howFar, ProgressReports } from "./progress-reports.ts";
import { DeniedError, SourceError, type Origin, type Repository } from "./source.ts";
import { contextOf, emptyContext } from "./summary.ts";
import { readable } from "./tools/readable.ts";
import { ToolError, type Revision, type Tool, type ToolContext } from "./tools.ts";
import { turn, Turns } from "./turns.ts";
import { carryNames, prepareNames } from "./view/complete.ts";
import { viewTools } from "./view/index.ts";
import type { Workspace } from "./workspace.ts";

/** What the engine is made of. In the app these are Workers; tests bring their own. */
export interface EngineParts {
  /** Names this engine in exports: program and version. */
  producer: string;
  tools: Readonly<Record<string, Tool>>;
  /** Begins to read a source: of the hub's folder, or a revision of it, what differs from the versions in `have`. `signal` ends the reading. */
  open(source: Source, signal: AbortSignal, have?: Record<string, string>, revision?: string): Promise<Repository>;
  /** The key that opens the hub's folder from now on. */
  admit(key: string, storageKey: string): void;
  /** That key has ended. */
  lost(): void;
  /** Parsers for one codebase, which start when they are needed. `rest` keeps what the next file needs, `close` nothing. */
  parsers(): Parsers;
  /** Finds clusters and processes; `signal` fires when they are not wanted any more. */
  findClusters(input: ClusterInput, signal: AbortSignal): Clusters | Promise<Clusters>;
  /** Makes a codebase ready for searching. */
  prepareSearch(codebase: Codebase, turns: Turns): Promise<void>;
  /** The same, from what was made ready for the codebase before it, from which it differs in these files. */
  carrySearch(before: Codebase, codebase: Codebase, changed: ReadonlySet<string>): void;
  /** The index for searching as it is kept with a snapshot: out of a codebase that may have one, and into one that was restored. */
  packSearch(codebase: Codebase): Iterable<Uint8Array> | undefined;
  unpackSearch(codebase: Codebase, index: Uint8Array): void;
  cache?: KeptFolders;
  database: { load(codebase: Codebase): Promise<void>; query: ToolContext["cypher"] };
  collectGarbage(): void;
  /** Tells the view. */
  tell(event: EngineEvent, transfer?: Transferable[]): void;
}

interface Parsers {
  parse: Parse;
  /** Many files will come soon. */
  warm(): void;
  rest(): void;
  close(): void;
}

/** A load under way. */
interface Loading {
  source: Source;
  parsers: Parsers;
  ended: AbortController;
  /** Never rejects. */
  kept: Promise<Kept | undefined>;
  /** Ends when calls need not wait any more, and `tell` ends it. */
  told: Promise<void>;
  tell(): void;
}

/** The end of the channel to the link Worker. */
export interface LinkPort {
  postMessage(reply: EngineReply, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<EngineRequest>) => void) | null;
}

/** Who waits for the first codebase to be made waits this long, in milliseconds, before it is told so: who tries again later comes later. */
const PATIENCE = 5_000;
/** The hub is told of progress this often at most, in milliseconds. */
const CONTEXT_EVERY = 1_000;
/** When nothing has changed for this long, in milliseconds, the graph is kept for the next visit. */
const KEEP_AFTER = 5_000;
/** A call of the view's own may take this long, in milliseconds. */
const ASK_LIMIT = 60_000;
/** A result of more characters than this goes to the link as bytes. */
const LARGE = 256 * 1024;
/** Ids of the view's own calls; no process that an agent started makes one that begins like this. */
const ASK = "view:";

/** What a query is told that waits for the database: how far that is, nobody knows. */
const DATABASE_FILLS: Progress = { phase: "database", done: 0, total: 0, elapsedMs: 0, detail: "" };

const encoder = new TextEncoder();

/** What the server asks for, beside the tools: views for the page in a chat, and completions at each key. */
const SERVER_TOOLS = ["graph_picture", "graph_code", "complete"];

/**
 * Holds one codebase and answers for it. While another is indexed the old one goes on answering; before the first there
 * is an error that says how far the work is.
 */
export class Engine {
  private readonly calls: Calls;
  private link: LinkPort | undefined;
  private codebase: Codebase | undefined;
  /** What calls do to the view before it has the codebase that answers them; undefined when it has it. */
  private unshown: EngineEvent[] | undefined;
  private context: GraphContext | null = null;
  /** The folder of the hub's that the context is of; undefined for what the user picked. */
  private folder: string | undefined;
  private contextTold = 0;
  private progress: Progress | undefined;
  private failed: { why: string; denied: boolean } | undefined;
  private loading: AbortController | undefined;
  /** The load that will be wanted, unless the hub has no folder; the view asks for it a little later than the hub's first call may come. */
  private expected: Loading | undefined;
  /** Ends when what is kept of a source answers, or it is known that nothing is: calls wait for it, since it takes no time. */
  private opening: Promise<void> | undefined;
  /** Calls that wait for the codebase that is being made: each is told when it answers, or when nothing is being made any more. */
  private readonly waiting = new Set<() => void>();
  private readonly reports = new ProgressReports();
  /** Ends with the load that is under way, or was the last. */
  private underWay = Promise.resolve();
  /** Keeps the codebase up to date, when it is that of the hub's folder. */
  private following: { source: Source; follower: Follower; parsers: Parsers; workspace: Workspace; origin: Origin } | undefined;
  /** Counts the changes of the folder that the graph has taken. */
  private edits = 0;
  /** What is loaded is a copy, of whose changes nobody tells. */
  private copied: Behind | undefined;
  /** A copy that is to be kept for when the page is reloaded. */
  private copy: { source: Source; workspace: Workspace; ended: AbortController } | undefined;
  /** What is in the cache. */
  private kept: Codebase | undefined;
  private readonly database: DatabaseFiller;
  private restTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: EngineParts) {
    this.database = new DatabaseFiller((codebase) => parts.database.load(codebase), () => this.codebase);
    this.calls = new Calls({
      tools: parts.tools,
      viewTools,
      form: ({ id, name }, result) => (id.startsWith(ASK) ? result : readable(name, result)),
      exportGraph: (codebase, minConfidence) => codeGraphOf(codebase, parts.producer, minConfidence),
      codebase: (limit, report) => this.codebase ?? this.reports.during(report, this.awaited(Math.min(limit, PATIENCE)), this.progress),
      freshness: () => this.freshness(),
      clustered: (report) => this.codebase && !this.codebase.clustering ? Promise.resolve(this.codebase) : this.reports.during(report, this.clustered(), this.progress),
      cypher: async (report, ...query) => {
        await (this.codebase?.clustering ? this.reports.during(report, this.clustered(), this.progress) : this.clustered()); // or it would be filled twice
        await this.database.refill();
        if (report && this.database.underWay) await this.reports.during(report, this.database.underWay, DATABASE_FILLS);
        return parts.database.query(...query);
      },
      revision: (name, have, signal) => this.revision(name, have, signal),
      view: (action, agent) => {
        const event: EngineEvent = { ...action, agent };
        if (this.unshown) this.unshown.push(event);
        else parts.tell(event);
      },
      reply: (reply) => this.reply(reply),
    });
  }

  /** Does what the view says. Returns when it is done; failures are told as events. */
  async handle(command: EngineCommand): Promise<void> {
    switch (command.type) {
      case "start":
        this.connect(command.link);
        break;
      case "expect":
        this.expected ??= this.begin(command.source);
        break;
      case "load":
        await this.load(command.source);
        break;
      case "ask":
        this.database.defer();
        await turn(); // agents that wait go first
        this.calls.handle({
          type: "call", id: `${ASK}${command.id}`, name: command.name, arguments: command.arguments, agent: "",
          deadlineMs: ASK_LIMIT, wantsProgress: false,
        });
        break;
      case "export":
        this.answer(command.id, () => JSON.stringify(codeGraphOf(this.present(), this.parts.producer)));
    }
  }

  private connect(link: LinkPort): void {
    this.link = link;
    link.onmessage = ({ data }) => {
      if (data.type === "lost") {
        this.parts.lost();
        return;
      }
      if (data.type !== "folder") {
        this.calls.handle(data);
        return;
      }
      this.parts.admit(data.key, data.storageKey);
      if (data.there) {
        this.following?.follower.changed();
        return;
      }
      this.dropExpected();
      this.wake();
      this.following?.follower.lost("The server was started without --repo: this graph stays as it was.");
    };
    this.sendContext();
  }

  /** Begins a load with what is kept of the source. */
  private begin(source: Source, fromCache = true): Loading {
    const ended = new AbortController();
    const parsers = this.parts.parsers();
    const kept = this.parts.cache && fromCache && (source.kind === "hub" || source.kind === "kept") ? openKept(this.parts.cache, source, parsers.parse, this.parts, ended.signal).catch(() => undefined) : Promise.resolve(undefined);
    let tell: () => void = () => undefined;
    const told = new Promise<void>((resolve) => { tell = resolve; });
    const loading: Loading = {
      source, ended, parsers, kept, told,
      tell: () => {
        if (this.opening === told) this.opening = undefined;
        tell();
      },
    };
    this.opening = told;
    void kept.then((found) => {
      if (!found) loading.tell();
    });
    return loading;
  }

  private dropExpected(): void {
    this.expected?.ended.abort(new Error("Something else is loaded, or nothing."));
    this.expected?.parsers.close();
    this.expected = undefined;
  }

  private load(source: Source, fromCache = true): Promise<void> {
    return (this.underWay = this.index(source, fromCache));
  }

  private async index(source: Source, fromCache: boolean): Promise<void> {
    this.loading?.abort(new Error("Another repository is loaded."));
    this.dropUnfinished();
    const expected = this.expected && isSame(this.expected.source, source) ? this.expected : undefined;
    if (expected) this.expected = undefined;
    else this.dropExpected();
    const load = expected ?? this.begin(source, fromCache);
    const { parsers, ended } = load;
    this.loading = ended;
    this.progress = undefined;
    this.failed = undefined;
    try {
      const started = performance.now();
      if (!this.codebase) this.setContext(emptyContext("", "indexing", "opening the repository"));
      const kept = await load.kept;
      ended.signal.throwIfAborted();
      await (kept ? this.restore(load, kept, started) : this.indexAnew(load, started));
    } catch (error) {
      // A later load took over, and tells of itself.
      if (ended.signal.aborted) return;
      const why = messageOf(error);
      this.failed = { why, denied: error instanceof DeniedError };
      this.dropUnfinished();
      if (!this.codebase) this.setContext(emptyContext(this.context?.repo ?? "", "error", why));
      this.parts.tell({ type: "failed", message: why });
    } finally {
      load.tell();
      if (this.following?.parsers !== parsers) parsers.close();
      if (this.loading === ended) {
        this.loading = undefined;
        this.wake();
      }
    }
  }

  /** Answers with the graph that was kept in an earlier visit, and follows its folder from there. `started` as of performance.now(). */
  private async restore(load: Loading, { workspace, origin, coarse }: Kept, started: number): Promise<void> {
    const { source, parsers, ended: { signal } } = load;
    const codebase = workspace.codebase!;
    const turns = new Turns(() => !signal.aborted);
    if (origin && !coarse) this.kept = codebase;
    this.folder = origin?.id;
    const context = this.take(codebase);
    load.tell();
    await turn(); // calls that wait go first
    signal.throwIfAborted();
    this.show(codebase, context, [{ phase: "read", ms: performance.now() - started }]);
    this.unfollow();
    this.copied = origin ? undefined : copyOf(codebase);
    if (!origin) {
      await this.parts.prepareSearch(codebase, turns);
      this.later();
      return;
    }
    this.follow(source, origin, workspace, parsers, coarse);
    workspace.warm().then(() => {
      parsers.rest();
      // The next edit reuses the search index.
      if (this.codebase === codebase) this.parts.prepareSearch(codebase, turns).catch(() => undefined);
    }, () => {
      // A damaged workspace answers, but cannot change.
      if (this.following?.workspace === workspace) void this.load(source, false);
    });
  }

  /** Reads and indexes a source from the start. `started` as of performance.now(). */
  private async indexAnew({ source, parsers, ended: { signal } }: Loading, started: number): Promise<void> {
    const turns = new Turns(() => !signal.aborted);
    parsers.warm();
    const repository = await this.parts.open(source, signal);
    const { origin } = repository;
    if (!this.codebase) this.folder = origin?.id;
    const opening = performance.now() - started;
    let plain: Codebase | undefined;
    const workspace = await openWorkspace({
      repository, parse: parsers.parse, signal,
      findClusters: async (input) => {
        const finding = this.parts.findClusters(input, signal);
        // Now, while others work: what fills the database wants as much memory as what the load leaves behind.
        this.parts.collectGarbage();
        return finding;
      },
      onParsed: () => parsers.rest(),
      onGraph: async (graph) => {
        plain = graph;
        if (!this.codebase) {
          this.folder = origin?.id;
          this.take(graph);
        }
        await turn(); // calls that wait go first
        await prepareNames(graph, turns);
        await this.parts.prepareSearch(graph, turns);
      },
      onProgress: (progress) => this.advance(progress, repository.name),
    });
    const codebase = workspace.codebase!;
    this.folder = origin?.id;
    if (plain) {
      carryNames(plain, codebase);
      this.parts.carrySearch(plain, codebase, new Set());
    }
    const searchStarted = performance.now();
    this.advance({ phase: "search", done: 0, total: 1, elapsedMs: searchStarted - started, detail: "" }, codebase.name);
    await this.parts.prepareSearch(codebase, turns);
    const searchEnded = performance.now();
    this.advance({ phase: "search", done: 1, total: 1, elapsedMs: searchEnded - started, detail: "" }, codebase.name);
    // The time before the first file counts as reading.
    const [read, ...rest] = codebase.phases;
    this.show(codebase, this.take(codebase), [{ phase: "read", ms: opening + read!.ms }, ...rest, { phase: "search", ms: searchEnded - searchStarted }]);
    this.unfollow();
    this.copied = source.kind === "hub" ? undefined : copyOf(codebase);
    if (source.kind !== "hub" && source.keep !== undefined) this.copy = { source, workspace, ended: new AbortController() };
    if (origin) {
      this.follow(source, origin, workspace, parsers);
      void workspace.warm();
    }
    this.database.tellFirst((done, elapsedMs, detail) => {
      if (!signal.aborted) this.parts.tell({ type: "progress", phase: "database", done, total: 1, elapsedMs, detail });
    });
    this.later();
  }

  /** Keeps the folder's graph for the next visit, unless it is kept already. */
  private async keep({ follower, workspace, origin }: NonNullable<Engine["following"]>): Promise<void> {
    const { codebase } = workspace;
    const versions = follower.settled;
    if (!versions || !codebase || this.kept === codebase) return;
    this.kept = codebase;
    await workspace.whole().catch(() => undefined);
    if (workspace.codebase !== codebase) return;
    await this.parts.cache?.of.keep(origin.id, snapshotOf(workspace, versions, this.parts));
  }

  /** The same for what the user picked, once: as soon as a hub is there, whose key encrypts it. */
  private async keepCopy({ source, workspace, ended }: NonNullable<Engine["copy"]>): Promise<void> {
    const { cache } = this.parts;
    const key = await cache?.key(source, ended.signal).catch(() => undefined);
    if (key === undefined || ended.signal.aborted) return;
    this.copy = undefined;
    await cache?.of.keep(key, snapshotOf(workspace, {}, this.parts));
  }

  private follow(source: Source, origin: Origin, workspace: Workspace, parsers: Parsers, coarse = false): void {
    const follower = new Follower({
      workspace, origin, parsers,
      findClusters: (input, signal) => this.parts.findClusters(input, signal),
      open: (have, signal) => this.parts.open(source, signal, have),
      adopt: (codebase, before, changed) => {
        this.codebase = codebase;
        if (changed.size > 0) this.edits++;
        this.parts.carrySearch(before, codebase, changed);
      },
      refined: (codebase) => {
        const context = contextOf(codebase);
        this.setContext(context);
        this.parts.tell({ type: "updated", context, skipped: [...codebase.skipped], syntaxErrors: codebase.syntaxErrors.length });
        this.listNames(codebase);
        this.later();
      },
      tell: (freshness) => this.parts.tell({ type: "freshness", freshness }),
    }, coarse);
    this.following = { source, follower, parsers, workspace, origin };
    this.later();
    // What has changed since the files were sent is asked for now.
    follower.check();
  }

  private async revision(name: string, have: Record<string, string>, signal: AbortSignal): Promise<Revision> {
    if (!this.following) await this.underWay; // a graph answers before its load has ended
    if (!this.following) throw new ToolError("The app was given a copy of the files, not the folder itself with --repo: their history in git is not known.");
    const { source, parsers, workspace } = this.following;
    try {
      const repository = await this.parts.open(source, signal, have, name);
      const { files, removed } = await deltaOf(repository);
      return {
        commit: repository.origin?.commit ?? name, files: new Map(files.map(({ path, text }) => [path, text])), absent: repository.origin?.removed ?? removed,
        symbols: async (path, text) => {
          const parsed = await parsers.parse(path, text, workspace.contextOf(path));
          return "facts" in parsed ? parsed.facts.symbols : [];
        },
      };
    } catch (error) {
      throw error instanceof SourceError ? new ToolError(error.message) : error;
    }
  }

  private freshness(): () => Behind | undefined {
    const { edits } = this;
    const at = this.codebase!.indexedAt;
    const before = this.behind();
    return () => before ?? this.behind()
      ?? (this.edits === edits ? undefined : { at, why: "files have changed while this was answered: ask again for what is true now" });
  }

  private behind(): Behind | undefined {
    return this.copied ?? this.following?.follower.behind;
  }

  /** When the folder has come to rest: the graph is kept, what the next edit wants is recalled, and later the database filled. */
  private later(): void {
    clearTimeout(this.restTimer);
    this.database.later();
    this.restTimer = setTimeout(() => {
      if (this.following) void this.rest(this.following);
      else if (this.copy) void this.keepCopy(this.copy);
    }, KEEP_AFTER);
  }

  private async rest(following: NonNullable<Engine["following"]>): Promise<void> {
    await this.keep(following);
    // It takes the thread: not for a folder that has been left meanwhile.
    if (this.following === following) await following.workspace.recall().catch(() => undefined); // damaged: who warmed it knows
  }

  private unfollow(): void {
    this.following?.follower.stop();
    this.following?.parsers.close();
    this.following = undefined;
    this.copy?.ended.abort();
    this.copy = undefined;
    clearTimeout(this.restTimer);
    this.database.stop();
  }

  /** From here on the codebase answers. */
  private take(codebase: Codebase): GraphContext {
    this.codebase = codebase;
    this.unshown ??= [];
    this.progress = undefined;
    this.wake();
    const context = contextOf(codebase);
    this.setContext(context);
    return context;
  }

  /** Gives the view the codebase. */
  private show(codebase: Codebase, context: GraphContext, phases: PhaseTime[]): void {
    this.parts.tell({ type: "loaded", context, phases, skipped: [...codebase.skipped], syntaxErrors: codebase.syntaxErrors.length });
    for (const event of this.unshown ?? []) this.parts.tell(event);
    this.unshown = undefined;
    this.listNames(codebase);
  }

  /** So that the first key does not wait for it. */
  private listNames(codebase: Codebase): void {
    prepareNames(codebase, new Turns(() => this.codebase === codebase)).catch(() => undefined); // another one is loaded
  }

  private advance(progress: Progress, repo: string): void {
    const entered = this.progress?.phase !== progress.phase;
    this.progress = progress;
    this.parts.tell({ type: "progress", ...progress });
    this.reports.tell(progress);
    if (this.codebase) return;
    const now = performance.now();
    if (entered || now - this.contextTold >= CONTEXT_EVERY) this.setContext(emptyContext(repo, "indexing", howFar(progress)));
  }

  private async awaited(patience: number): Promise<Codebase> {
    await this.opening;
    if (!this.codebase && (this.loading ?? this.expected)) {
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          this.waiting.delete(end);
          resolve();
        };
        const timer = setTimeout(end, patience);
        this.waiting.add(end);
      });
    }
    return this.present();
  }

  private wake(): void {
    for (const end of this.waiting) end();
  }

  /** The codebase with its clusters and processes, which are found after its graph. */
  private async clustered(): Promise<Codebase> {
    for (;;) {
      const codebase = this.codebase ?? await this.awaited(PATIENCE);
      if (!codebase.clustering) return codebase;
      await this.underWay;
    }
  }

  /** Forgets a graph whose clusters and processes nobody finds any more. */
  private dropUnfinished(): void {
    if (!this.codebase?.clustering) return;
    this.codebase = undefined;
    this.unshown = undefined;
  }

  private present(): Codebase {
    if (this.codebase) return this.codebase;
    if (this.loading ?? this.expected) {
      throw new ToolError(`The graph app is busy indexing: ${this.progress ? howFar(this.progress) : "opening the repository"}. Retry in a few seconds.`, undefined, true);
    }
    if (this.failed !== undefined) {
      throw new ToolError(`The graph app could not index the repository: ${this.failed.why}${/[.!?]$/.test(this.failed.why) ? "" : "."} Ask the user to load it again in the app.`, undefined, false, this.failed.denied);
    }
    throw new ToolError("No repository is loaded in the graph app. Ask the user to open one there.");
  }

  private reply(reply: EngineReply): void {
    if (reply.type !== "context" && reply.id.startsWith(ASK)) {
      const id = Number(reply.id.slice(ASK.length));
      if (reply.type === "result") this.parts.tell({ type: "answer", id, ok: true, json: reply.json });
      else if (reply.type === "error") this.parts.tell({ type: "answer", id, ok: false, message: reply.message });
      return;
    }
    if (reply.type === "result" && reply.json.length > LARGE) {
      // Made bytes here: the link's thread has small answers to send meanwhile.
      const json = encoder.encode(reply.json);
      this.link?.postMessage({ type: "large", id: reply.id, json }, [json.buffer]);
      return;
    }
    this.link?.postMessage(reply);
  }

  private answer(id: number, make: () => string): void {
    try {
      this.parts.tell({ type: "answer", id, ok: true, json: make() });
    } catch (error) {
      this.parts.tell({ type: "answer", id, ok: false, message: messageOf(error) });
    }
  }

  private setContext(context: GraphContext): void {
    this.context = this.folder === undefined ? context : { ...context, folder: this.folder };
    this.contextTold = performance.now();
    this.sendContext();
  }

  private sendContext(): void {
    this.link?.postMessage({ type: "context", context: this.context, tools: [...Object.keys(this.parts.tools), "export", ...SERVER_TOOLS] });
  }
}

/** What is said of what does not follow its folder. */
function copyOf({ indexedAt }: Codebase): Behind {
  return { at: indexedAt, why: "the app was given a copy of the files, which does not follow later edits" };
}

function isSame(a: Source, b: Source): boolean {
  return a === b || (a.kind === "hub" && b.kind === "hub" && a.url === b.url);
}
