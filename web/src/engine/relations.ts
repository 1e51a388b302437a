import { Collector, type Resolved } from "./collector.ts";
import { TooLong, within } from "./effort.ts";
import type { FileFacts } from "./facts.ts";
import type { Ask, Language, Project, ResolvedEdgeType } from "./language.ts";
import { isAmong } from "./languages/words.ts";
import { addHandlers } from "./handlers.ts";
import { Around, type Failure } from "./resolve-around.ts";
import { sameCalls, storedCallsWithin, withStored } from "./stored.ts";

/**
 * A symbol, or a file, by identity: the same object as long as the file has a symbol of that kind and name, however
 * often the file is parsed again.
 */
export interface Anchor {
  readonly path: string;
  /** Tells anchors apart; grows with each that is made. */
  readonly id: number;
  /** Index in the file's symbols at present, -1 for the file itself, GONE when the file has no such symbol any more. */
  symbol: number;
  /** Its node while a graph is put together. */
  node: number;
}

export const GONE = -2;

/** One resolved relation. */
export interface Relation {
  type: ResolvedEdgeType;
  from: Anchor;
  to: Anchor;
  confidence: number;
  line: number;
  moreLines?: number[];
}

/** A parsed file with its anchors. */
export interface ParsedFile {
  path: string;
  facts: FileFacts;
  self: Anchor;
  /** In the order of the facts' symbols. */
  symbols: readonly Anchor[];
}

let anchors = 0;

/** Anchors of a file's facts. Those of `before` live on where the symbol does; the others become GONE. */
export function anchored(path: string, facts: FileFacts, before?: ParsedFile): ParsedFile {
  const known = new Map<string, Anchor>();
  if (before) {
    const names = symbolNames(before.facts);
    before.symbols.forEach((anchor, i) => {
      known.set(names[i]!, anchor);
      anchor.symbol = GONE;
    });
  }
  const symbols = symbolNames(facts).map((name, symbol): Anchor => {
    const anchor = known.get(name);
    if (!anchor) return { path, id: anchors++, symbol, node: -1 };
    anchor.symbol = symbol;
    return anchor;
  });
  return { path, facts, self: before?.self ?? { path, id: anchors++, symbol: -1, node: -1 }, symbols };
}

/** What tells a file's symbols apart, as their node ids do: kind, owner and name, and a number from the second one on. */
export function symbolNames(facts: FileFacts): string[] {
  const counts = new Map<string, number>();
  return facts.symbols.map(({ kind, owner, name }) => {
    const plain = `${kind}:${owner ?? ""}.${name}`;
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    return count === 1 ? plain : `${plain}#${count}`;
  });
}

/** What a change of the repository is, for one language. */
export interface Changed {
  /** Files of the language that were added, removed, or have other facts now. */
  own: ReadonlySet<string>;
  /** Other paths that were added or removed. */
  paths: readonly string[];
  /** Other paths whose content is another. */
  contents: readonly string[];
}

/** The relations of one language's files, kept by the file that they leave, so that a change redoes only what it touches. */
export class Relations {
  /** Which relations are missing, since the resolver failed. */
  private unresolved: readonly Failure[] = [];
  /** Of which files the calls of stored functions are, since they take too long. */
  private unjoined: "all" | "generated" | undefined;
  /** Files whose relations were worked out the last time. */
  redone = 0;
  /** Their paths; undefined for all. */
  redonePaths: ReadonlySet<string> | undefined;
  /** What files say, by path. */
  private resolved: ReadonlyMap<string, Resolved> = new Map();
  /** What follows from that: calls of stored functions, and all relations. */
  private stored: ReadonlyMap<string, readonly Relation[]> = new Map();
  private byFile = new Map<string, readonly Relation[]>();
  /** What files have asked, by path. */
  private asked = new Map<string, Uint32Array>();
  private project: Project<unknown> | undefined;
  /** They were kept, and not all was resolved since. */
  private kept = false;
  /** Other files' texts that the resolver has asked for. */
  private readonly read = new Set<string>();
  private readonly around: Around<Resolved>;

  constructor(private readonly language: Language) {
    this.around = new Around(language, (files) => {
      const { emit, stores, byFile } = new Collector(files as readonly ParsedFile[]);
      return { emit, stores, byFile, ask: this.askIn(files) };
    });
  }

  /** Which relations are missing. */
  get failures(): readonly Failure[] {
    if (!this.unjoined) return this.unresolved;
    const files = this.unjoined === "generated" ? `the generated files of ${this.language.id}` : this.language.id;
    return [...this.unresolved, { reason: `calls of functions that were stored are missing in ${files}, since working them out takes too long` }];
  }

  /** The relations that leave a file, each once. */
  of(path: string): readonly Relation[] {
    return this.byFile.get(path) ?? [];
  }

  /** What files say, with what they have asked and the texts that the resolver has read, to be kept. */
  keep(): { read: string[]; failures: readonly Failure[]; resolved: ReadonlyMap<string, Resolved>; asked: ReadonlyMap<string, Uint32Array> } {
    return { read: [...this.read], resolved: this.resolved, asked: new Map(this.asked), failures: this.unresolved };
  }

  /** Takes what was kept of these files, as if it had just been worked out. */
  restore(files: readonly ParsedFile[], paths: ReadonlySet<string>, kept: ReturnType<Relations["keep"]>): void {
    this.project = { files, paths, read: () => undefined };
    this.kept = true;
    this.unresolved = kept.failures;
    this.asked = new Map(kept.asked);
    for (const path of kept.read) this.read.add(path);
    this.resolved = kept.resolved;
    this.join(files);
  }

  /** Brings the relations up to date. `files` are sorted by path; without `changed` all is new. */
  update(files: readonly ParsedFile[], paths: ReadonlySet<string>, read: (path: string) => string | undefined, changed?: Changed): void {
    const before = this.project;
    const project: Project<unknown> = {
      files, paths,
      read: (path) => {
        this.read.add(path);
        return read(path);
      },
    };
    this.project = project;
    const affected = before && changed && this.unresolved.length === 0 ? this.affected(before, project, changed) : undefined;
    if (affected && this.redo(files, project, affected)) return;
    this.redoAll(files, project);
  }

  /** After `restore`, for a language that remembers: resolves what was kept once more. */
  recall(files: readonly ParsedFile[], paths: ReadonlySet<string>, read: (path: string) => string | undefined): void {
    if (this.kept && this.language.remembers) this.update(files, paths, read);
  }

  /** Files of the new project whose relations may be others now; undefined when that may be all. */
  private affected(before: Project<unknown>, after: Project<unknown>, changed: Changed): ReadonlySet<string> | undefined {
    if (changed.contents.some((path) => this.read.has(path))) return undefined;
    if (changed.paths.some((path) => this.read.has(path) || (this.language.looksAt?.(path) ?? true))) return undefined;
    if (changed.own.size === 0) return changed.own;
    let importers: Map<string, string[]> | undefined;
    try {
      return within(after.files.length, () =>
        this.language.affected?.({ ...before, importers: (path) => (importers ??= this.importers()).get(path) ?? [], asked: (path) => this.asked.get(path) ?? NOTHING }, after, changed.own));
    } catch (error) {
      if (error instanceof TooLong) return undefined;
      throw error;
    }
  }

  /** By path the files that import it. */
  private importers(): Map<string, string[]> {
    const importers = new Map<string, string[]>();
    for (const [path, relations] of this.byFile) {
      for (const { type, to } of relations) {
        if (type !== "IMPORTS") continue;
        const list = importers.get(to.path);
        if (list) list.push(path);
        else importers.set(to.path, [path]);
      }
    }
    return importers;
  }

  private redo(files: readonly ParsedFile[], project: Project<unknown>, affected: ReadonlySet<string>): boolean {
    const collected = new Collector(files);
    const only = new Set<number>();
    files.forEach(({ path }, i) => {
      if (affected.has(path)) only.add(i);
    });
    try {
      if (only.size > 0) {
        within(files.length, () => {
          this.language.resolve(project, collected.emit, only, this.askIn(files), collected.stores);
        });
      }
    } catch {
      return false;
    }
    const resolved = new Map<string, Resolved>();
    for (const { path } of files) {
      const own = (affected.has(path) ? collected.byFile : this.resolved).get(path);
      if (own) resolved.set(path, own);
    }
    this.resolved = resolved;
    this.redone = only.size;
    this.redonePaths = this.join(files, affected);
    return true;
  }

  /**
   * Works out what follows from what all files say. Where these alone say other things than before, returns the files whose relations may
   * be others.
   */
  private join(files: readonly ParsedFile[], affected?: ReadonlySet<string>): ReadonlySet<string> {
    const before = this.stored;
    const { calls: stored, missing } = storedCallsWithin(files, this.resolved);
    this.unjoined = missing;
    const again = new Set(affected);
    const byFile = new Map<string, readonly Relation[]>();
    for (const { path } of files) {
      const isSame = affected && !affected.has(path) && sameCalls(before.get(path), stored.get(path));
      if (!isSame) again.add(path);
      const relations = isSame ? this.byFile.get(path) : withStored(this.resolved.get(path)?.relations ?? [], stored.get(path) ?? []);
      if (relations) byFile.set(path, relations);
    }
    for (const path of addHandlers(files, byFile, affected && again)) again.add(path);
    this.stored = stored;
    this.byFile = byFile;
    return again;
  }

  private askIn(files: Project<unknown>["files"]): Ask {
    return (file, words) => {
      const { path } = files[file]!;
      const before = this.asked.get(path) ?? NOTHING;
      const fresh = words.filter((word) => !isAmong(before, word));
      if (fresh.length > 0) this.asked.set(path, Uint32Array.from(new Set([...before, ...fresh])).sort());
    };
  }

  private redoAll(files: readonly ParsedFile[], project: Project<unknown>): void {
    this.kept = false;
    this.read.clear();
    this.asked = new Map();
    const { byFile, failures } = this.around.resolve(project);
    this.resolved = byFile;
    this.join(files);
    this.unresolved = failures;
    this.redone = files.length;
    this.redonePaths = undefined;
  }
}

const NOTHING = new Uint32Array(0);
