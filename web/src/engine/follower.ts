import type { ClusterInput, Clusters } from "./clusters.ts";
import type { Codebase, SkippedFile } from "./codebase.ts";
import { messageOf, type Parse } from "./pipeline.ts";
import { decode, type Origin, type Repository } from "./source.ts";
import type { Delta, Workspace } from "./workspace.ts";

/** How well the graph is known to be that of the folder. */
export type Freshness =
  /** What the folder held at that time is in the graph, and its changes are told. Milliseconds since the epoch. */
  | { state: "watching"; at: number }
  /** Nobody tells of changes: the graph is that of some time ago. */
  | { state: "unknown"; why: string };

/** Why an answer may be older than the folder. */
export interface Behind {
  /** The graph is that of this time, in milliseconds since the epoch. */
  at: number;
  why: string;
  /** The files whose change is not in yet, and that are being resolved again; absent until they are known. */
  files?: readonly string[];
}

export interface FollowerParts {
  workspace: Workspace;
  /** Where the folder came from at the load. */
  origin: Origin;
  /** Asks the hub for what differs from these versions. */
  open(have: Record<string, string>, signal: AbortSignal): Promise<Repository>;
  parsers: { parse: Parse; rest(): void };
  /** `signal` fires when the result is not wanted any more. */
  findClusters(input: ClusterInput, signal: AbortSignal): Clusters | Promise<Clusters>;
  /** A codebase takes the place of another; `changed` are the paths that differ. */
  adopt(codebase: Codebase, before: Codebase, changed: ReadonlySet<string>): void;
  /** Clusters and processes are found anew: nothing else is to come for now. */
  refined(codebase: Codebase): void;
  tell(freshness: Freshness): void;
}

/** Clusters and processes are found anew when nothing has changed for this long, in milliseconds. */
const REFINE_AFTER = 1_000;
/** After an error the hub is asked again, in milliseconds. */
const AGAIN_AFTER = 5_000;

/** Keeps a workspace that of the hub's folder. One change after the other: what comes meanwhile is the next. */
export class Follower {
  private readonly versions: Map<string, string>;
  private readonly stopped = new AbortController();
  private working = false;
  private wanted = false;
  /** What the folder held at this time is in the graph, in milliseconds since the epoch. */
  private current: number;
  /** Why nobody tells of changes. */
  private unknown: string | undefined;
  /** The files whose change is being taken. */
  private taking: readonly string[] | undefined;
  /** The folder was told to have changed, and the change is not in yet. */
  private told = false;
  /** Clusters and processes are older than the graph. */
  private coarse: boolean;
  /** Ends the search for clusters of a graph that is not the newest any more. */
  private refining: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `coarse`: the workspace's clusters and processes are older than its graph. */
  constructor(private readonly parts: FollowerParts, coarse = false) {
    this.versions = new Map(Object.entries(parts.origin.versions));
    this.coarse = coarse;
    this.current = parts.workspace.codebase!.indexedAt;
  }

  /** The folder has changed, or may have. */
  changed(): void {
    this.told = true;
    this.check();
  }

  /** Asks the hub whether the folder has changed. */
  check(): void {
    this.wanted = true;
    if (!this.working) void this.work();
  }

  /** The hub has no folder any more. */
  lost(why: string): void {
    this.unknown = why;
    this.parts.tell({ state: "unknown", why });
  }

  /** Undefined where the graph has all that is known to have changed. */
  get behind(): Behind | undefined {
    if (this.taking) return { at: this.current, why: "files have changed since, and the graph does not have the changes yet", files: this.taking };
    if (this.unknown !== undefined) return { at: this.current, why: this.unknown };
    return this.told ? { at: this.current, why: "the folder has changed since, and the graph does not have the change yet" } : undefined;
  }

  /** The versions of what is in the graph; undefined while it changes, or its clusters are older than it. */
  get settled(): Record<string, string> | undefined {
    return this.working || this.wanted || this.coarse ? undefined : Object.fromEntries(this.versions);
  }

  stop(): void {
    this.stopped.abort(new Error("Another repository is loaded."));
    this.refining?.abort();
    clearTimeout(this.timer);
  }

  private async work(): Promise<void> {
    this.working = true;
    clearTimeout(this.timer);
    try {
      while (this.wanted && !this.stopped.signal.aborted) {
        this.wanted = false;
        await this.sync();
      }
      this.later(REFINE_AFTER, () => void this.refine());
    } catch (error) {
      if (this.stopped.signal.aborted) return;
      this.lost(messageOf(error));
      this.later(AGAIN_AFTER, () => this.check());
    } finally {
      this.working = false;
      this.taking = undefined;
    }
    if (this.wanted) this.check();
  }

  private later(ms: number, what: () => void): void {
    if (!this.stopped.signal.aborted) this.timer = setTimeout(what, ms);
  }

  private async sync(): Promise<void> {
    const { workspace, parsers } = this.parts;
    const asked = Date.now();
    const repository = await this.parts.open(Object.fromEntries(this.versions), this.stopped.signal);
    const { origin } = repository;
    if (!origin || origin.id !== this.parts.origin.id) {
      this.lost(`The server has another folder now, ${repository.name}; this graph stays as it was.`);
      return;
    }
    const delta = await deltaOf(repository);
    const { files, removed } = delta;
    if (files.length > 0 || removed.length > 0) {
      this.refining?.abort();
      const before = workspace.codebase!;
      this.taking = [...files.map(({ path }) => path), ...removed];
      const codebase = await workspace.update(delta, parsers.parse);
      this.stopped.signal.throwIfAborted();
      this.coarse = true;
      this.parts.adopt(codebase, before, new Set(this.taking));
      this.taking = undefined;
      parsers.rest();
    }
    for (const [path, version] of Object.entries(origin.versions)) this.versions.set(path, version);
    for (const path of origin.removed) this.versions.delete(path);
    this.current = asked;
    this.unknown = undefined;
    // One that came meanwhile is the next.
    this.told = this.wanted;
    this.parts.tell({ state: "watching", at: Date.now() });
  }

  /** Changes go on being taken meanwhile; the first one ends it, and it is done again when they have come to rest. */
  private async refine(): Promise<void> {
    if (!this.coarse || this.working || this.refining) return;
    const { workspace } = this.parts;
    const refining = new AbortController();
    this.refining = refining;
    const before = workspace.codebase!;
    let codebase: Codebase | undefined;
    try {
      codebase = await workspace.refine((input) => this.parts.findClusters(input, refining.signal));
    } catch {
      // Given up for a change, or it failed: those from before stay until the next change.
    }
    if (this.refining === refining) this.refining = undefined;
    if (!codebase || this.stopped.signal.aborted) return;
    this.coarse = false;
    this.parts.adopt(codebase, before, new Set());
    this.parts.refined(codebase);
  }
}

/** Reads what differs in a folder. */
export async function deltaOf(repository: Repository): Promise<Delta & { removed: string[] }> {
  const files: { path: string; text: string; bytes: number }[] = [];
  const skipped: SkippedFile[] = [];
  const removed: string[] = [];
  for await (const entry of repository.entries) {
    if ("reason" in entry) {
      skipped.push(entry);
      continue;
    }
    const decoded = decode(entry.bytes);
    if ("text" in decoded) {
      files.push({ path: entry.path, text: decoded.text, bytes: entry.bytes.length });
    } else {
      skipped.push({ path: entry.path, reason: decoded.reason });
      removed.push(entry.path);
    }
  }
  // Known only now that the entries have ended.
  removed.push(...repository.origin?.removed ?? []);
  return { files, removed, skipped };
}
