import type { FindClusters } from "./clusters.ts";
import type { Codebase, Phase, PhaseTime, SkippedFile } from "./codebase.ts";
import type { FileFacts } from "./facts.ts";
import { languageOf } from "./languages/index.ts";
import { decode, MAX_SOURCE_BYTES, MAX_TOTAL_BYTES, SourceError, type Repository } from "./source.ts";
import { turn } from "./turns.ts";
import { Workspace } from "./workspace.ts";

/** Facts of a file, or why there are none. */
export type ParseResult = { facts: FileFacts } | { reason: string };

/**
 * Parses one file of a known language. Resolves to a reason for a file that cannot be parsed; rejects only when
 * nothing can be parsed any more. `context`: see Language.contexts.
 */
export type Parse = (path: string, text: string, context?: unknown) => Promise<ParseResult>;

export interface Progress {
  phase: Phase;
  done: number;
  /** 0 when it is not known. */
  total: number;
  /** Since the work began. */
  elapsedMs: number;
  /** In words, for people. */
  detail: string;
}

export interface BuildOptions {
  repository: Repository;
  parse: Parse;
  findClusters: FindClusters;
  /** Called when nothing is left to parse. */
  onParsed?: () => void;
  /** Called with the graph as it is before it has clusters, while these may be found in another thread. Waited for. */
  onGraph?: (codebase: Codebase) => Promise<void>;
  onProgress?: (progress: Progress) => void;
  /** Ends the work: the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Progress of one phase is told at most this often, in milliseconds, and at its beginning and end. */
const PROGRESS_EVERY = 250;

/**
 * Reads, parses, resolves and clusters a repository. Parsing begins while files still arrive; the time of the phase
 * "parse" is what it takes after the last one. A file that cannot be read or parsed is in `skipped` with its reason and
 * stops nothing. Rejects with SourceError when the source breaks off.
 */
export async function buildCodebase(options: BuildOptions): Promise<Codebase> {
  return (await openWorkspace(options)).codebase!;
}

/** The same, with all that is needed to keep the codebase up to date. */
export async function openWorkspace(options: BuildOptions): Promise<Workspace> {
  const clock = new Clock(options);
  const workspace = new Workspace(options.repository.name, options.repository.origin !== undefined);
  await readAndParse(workspace, options, clock);
  options.onParsed?.();
  await clock.begin("resolve");
  await workspace.resolveAll((done, total, language) => clock.tell(done, total, `resolving ${language}`));
  const graph = workspace.graphAlone();
  await clock.begin("cluster");
  await abortable(Promise.all([workspace.refine(options.findClusters), options.onGraph?.(graph)]), options.signal);
  const { communities, processes } = workspace.codebase!;
  await clock.tell(1, 1, `${communities.length} clusters, ${processes.length} processes`);
  workspace.codebase = { ...workspace.codebase!, phases: clock.end() };
  return workspace;
}

async function readAndParse(workspace: Workspace, { repository, parse, signal }: BuildOptions, clock: Clock): Promise<void> {
  const skipped: SkippedFile[] = [];
  const parsing: Promise<void>[] = [];
  let files = 0;
  let bytes = 0;
  let source = 0;
  let parsed = 0;

  const parseOne = async (path: string, text: string): Promise<void> => {
    workspace.took(path, await parse(path, text));
    parsed++;
    if (clock.phase === "parse") await clock.tell(parsed, parsing.length, path);
  };

  await clock.begin("read", 0, repository.expected);
  for await (const entry of repository.entries) {
    signal?.throwIfAborted();
    const { path } = entry;
    if ("reason" in entry) {
      skipped.push({ path, reason: entry.reason });
      continue;
    }
    const decoded = decode(entry.bytes);
    if ("reason" in decoded) {
      skipped.push({ path, reason: decoded.reason });
    } else if (workspace.has(path)) {
      skipped.push({ path, reason: "a second file of the same name" });
    } else {
      workspace.put(path, decoded.text, entry.bytes.length);
      files++;
      bytes += entry.bytes.length;
      if (bytes > MAX_TOTAL_BYTES) throw new SourceError("The repository has more than 1 GB of text, which does not fit into a tab. Load a part of it.");
      if (languageOf(path, decoded.text)) {
        source += entry.bytes.length;
        if (source > MAX_SOURCE_BYTES) throw new SourceError("The repository has more than 250 MB of source, and its graph would not fit into a tab's memory. Load a part of it.");
        const task = parseOne(path, decoded.text);
        // Looked at below, when all are under way; a rejection before that is not lost, nor unhandled.
        task.catch(() => undefined);
        parsing.push(task);
      }
    }
    await clock.tell(files + skipped.length, repository.expected, path);
  }
  workspace.leaveOut(skipped);

  await clock.begin("parse", parsed, parsing.length);
  await abortable(Promise.all(parsing).then(() => workspace.parseAgain(parse)), signal);
}

/** Knows the phase, measures it and tells of it, and gives the thread's events a turn. */
class Clock {
  phase: Phase | undefined;
  private readonly started = performance.now();
  private readonly times: PhaseTime[] = [];
  private phaseStarted = this.started;
  private told = 0;

  constructor(private readonly options: BuildOptions) {}

  async begin(phase: Phase, done = 0, total = 0): Promise<void> {
    this.end();
    this.phase = phase;
    this.phaseStarted = performance.now();
    this.told = -Infinity;
    await this.tell(done, total, "");
  }

  /** Every PROGRESS_EVERY it passes the figures on and lets other events of this thread run; throws when aborted. */
  async tell(done: number, total: number, detail: string): Promise<void> {
    const now = performance.now();
    const last = total > 0 && done === total;
    if (!last && now - this.told < PROGRESS_EVERY) return;
    this.told = now;
    this.options.onProgress?.({ phase: this.phase!, done, total, elapsedMs: now - this.started, detail });
    await turn();
    this.options.signal?.throwIfAborted();
  }

  end(): PhaseTime[] {
    if (this.phase) this.times.push({ phase: this.phase, ms: performance.now() - this.phaseStarted });
    return this.times;
  }
}

/** `promise`, or a rejection with the signal's reason as soon as it fires. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop) signal.removeEventListener("abort", stop);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
