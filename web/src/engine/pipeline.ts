import type { Codebase, Phase, PhaseTime, SkippedFile } from "./codebase.ts";
import { findCommunities } from "./communities.ts";
import type { FileFacts } from "./facts.ts";
import { TextFiles } from "./files.ts";
import { GraphBuilder } from "./graph-builder.ts";
import type { Language, SymbolRef } from "./language.ts";
import { languageOf, languages } from "./languages/index.ts";
import { findProcesses } from "./processes.ts";
import { decode, MAX_TOTAL_BYTES, SourceError, type Repository } from "./source.ts";
import { addStructure, type FileNodes } from "./structure.ts";

/** Facts of a file, or why there are none. */
export type ParseResult = { facts: FileFacts } | { reason: string };

/**
 * Parses one file of a known language. Resolves to a reason for a file that cannot be parsed; rejects only when
 * nothing can be parsed any more.
 */
export type Parse = (path: string, text: string) => Promise<ParseResult>;

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
  onProgress?: (progress: Progress) => void;
  /** Ends the work: the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Progress of one phase is told at most this often, in milliseconds, and at its beginning and end. */
const PROGRESS_EVERY = 100;

/**
 * Reads, parses, resolves and clusters a repository. Parsing begins while files still arrive; the time of the phase
 * "parse" is what it takes after the last one. A file that cannot be read or parsed is in `skipped` with its reason and
 * stops nothing. Rejects with SourceError when the source breaks off.
 */
export async function buildCodebase(options: BuildOptions): Promise<Codebase> {
  const clock = new Clock(options);
  const { texts, facts, skipped, bytes } = await readAndParse(options, clock);

  await clock.begin("resolve");
  const files = new TextFiles(texts);
  const builder = new GraphBuilder();
  const nodes = addStructure(builder, options.repository.name, files.paths.map((path) => {
    const known = facts.get(path);
    return { path, lines: lineCount(texts.get(path)!), language: languageOf(path)?.id ?? "", ...(known ? { facts: known } : {}) };
  }));
  const paths = new Set(files.paths);
  for (const [done, language] of languages.entries()) {
    await clock.tell(done, languages.length, `resolving ${language.id}`);
    resolve(builder, language, files, paths, facts, nodes, skipped);
  }
  await clock.tell(languages.length, languages.length, `${builder.edges.length} relations`);

  await clock.begin("cluster");
  const communities = findCommunities(builder.build()).map(({ label, members, cohesion }, i) => {
    const node = builder.node({ id: `Community:${i}`, kind: "Community", name: label });
    for (const member of members) {
      builder.nodes[member]!.community = node;
      builder.edge(member, node, "MEMBER_OF");
    }
    return { node, label, members, cohesion };
  });
  await clock.tell(1, 2, `${communities.length} clusters`);
  const processes = findProcesses(builder.build()).map(({ label, steps, crossCommunity }, i) => {
    const node = builder.node({ id: `Process:${i}`, kind: "Process", name: label });
    steps.forEach((step, at) => builder.edge(step, node, "STEP_IN_PROCESS", 1, at + 1));
    return { node, label, steps, crossCommunity };
  });
  const graph = builder.build();
  await clock.tell(2, 2, `${processes.length} processes`);

  const syntaxErrors = files.paths.flatMap((path) => {
    const count = facts.get(path)?.syntaxErrors ?? 0;
    return count > 0 ? [{ path, count }] : [];
  });
  skipped.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return {
    name: options.repository.name, files, graph, communities, processes, skipped, syntaxErrors,
    indexedAt: Date.now(), phases: clock.end(), bytes,
  };
}

interface ReadFiles {
  texts: Map<string, string>;
  facts: Map<string, FileFacts>;
  skipped: SkippedFile[];
  bytes: number;
}

async function readAndParse({ repository, parse, signal }: BuildOptions, clock: Clock): Promise<ReadFiles> {
  const texts = new Map<string, string>();
  const facts = new Map<string, FileFacts>();
  const skipped: SkippedFile[] = [];
  const parsing: Promise<void>[] = [];
  let bytes = 0;
  let parsed = 0;

  const parseOne = async (path: string, text: string): Promise<void> => {
    const result = await parse(path, text);
    if ("facts" in result) facts.set(path, result.facts);
    else skipped.push({ path, reason: result.reason });
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
    } else if (texts.has(path)) {
      skipped.push({ path, reason: "a second file of the same name" });
    } else {
      texts.set(path, decoded.text);
      bytes += entry.bytes.length;
      if (bytes > MAX_TOTAL_BYTES) throw new SourceError("The repository has more than 1 GB of text, which does not fit into a tab. Load a part of it.");
      if (languageOf(path)) {
        const task = parseOne(path, decoded.text);
        // Looked at below, when all are under way; a rejection before that is not lost, nor unhandled.
        task.catch(() => undefined);
        parsing.push(task);
      }
    }
    await clock.tell(texts.size + skipped.length, repository.expected, path);
  }

  await clock.begin("parse", parsed, parsing.length);
  await abortable(Promise.all(parsing), signal);
  return { texts, facts, skipped, bytes };
}

/** Joins the files of one language and adds the relations. A resolver that fails costs its remaining relations and is named. */
function resolve(
  builder: GraphBuilder, language: Language, store: TextFiles, paths: ReadonlySet<string>,
  facts: ReadonlyMap<string, FileFacts>, nodes: ReadonlyMap<string, FileNodes>, skipped: SkippedFile[],
): void {
  const files = store.paths.flatMap((path) => {
    const known = facts.get(path);
    return known && languageOf(path) === language ? [{ path, facts: known }] : [];
  });
  if (files.length === 0) return;
  const nodeOf = ({ file, symbol }: SymbolRef): number => {
    const known = nodes.get(files[file]?.path ?? "");
    const node = symbol < 0 ? known?.file : known?.symbols[symbol];
    if (node === undefined) throw new Error(`file ${file} has no symbol ${symbol}`);
    return node;
  };
  try {
    language.resolve({ files, paths, read: (path) => store.text(path) }, (type, from, to, confidence, line) => {
      builder.edge(nodeOf(from), nodeOf(to), type, Math.min(1, Math.max(0, confidence)), line);
    });
  } catch (error) {
    skipped.push({ path: `*${language.extensions[0] ?? ""}`, reason: `relations of ${language.id} are incomplete: ${messageOf(error)}` });
  }
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

/** Lets the thread handle its other events. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
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

function lineCount(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
