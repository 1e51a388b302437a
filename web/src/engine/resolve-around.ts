import { TooLong, within } from "./effort.ts";
import type { Ask, Emit, Language, Project, Stores } from "./language.ts";

/** Relations that are missing, since the resolver failed. */
export interface Failure {
  /** The file that it failed on; without one it is the whole language. */
  path?: string;
  /** In words: what is missing, and the error. */
  reason: string;
}

/** A language that fails on more files than this is given up. */
const MAX_FAILURES = 8;
/** Resolutions that take too long may take so many steps together, or for what takes long in few so many milliseconds; then the language is given up. */
const MAX_WASTED = { steps: 70_000_000, milliseconds: 30_000 };

type Files = Project<unknown>["files"];
/** Takes what a resolver says, and gives it by file. */
interface Collected<R> {
  emit: Emit;
  ask: Ask;
  stores: Stores;
  byFile: ReadonlyMap<string, R>;
}

/** What resolving some files gave; with the error when it failed. */
interface Attempt<R> {
  error?: string;
  byFile: ReadonlyMap<string, R>;
}

/**
 * Resolves a language around the files on which its resolver throws, so that a bug of ours, or a file that nobody thought of, costs
 * the relations of one file and not those of all. Which files these are is found by resolving parts; they are remembered as long as
 * they say the same, since every change of such a language resolves it as a whole. A file that takes too long tells itself (`effort.ts`).
 */
export class Around<R> {
  /** Facts that cannot be resolved with others beside them, and those of which only the file's own relations cannot be; with the error. */
  private absent = new Map<object, string>();
  private silent = new Map<object, string>();
  /** Of those, the ones that take too long. */
  private slow = new Set<object>();
  /** The share of what may be wasted that has been. */
  private wasted = 0;
  /** Resolutions that took too long. */
  private ended = 0;

  constructor(private readonly language: Language, private readonly collectorFor: (files: Files) => Collected<R>) {}

  resolve(project: Project<unknown>): { byFile: Map<string, R>; failures: Failure[] } {
    this.wasted = 0;
    this.ended = 0;
    let why: string | undefined;
    try {
      const byFile = new Map<string, R>();
      const cause = this.resolveInto(byFile, project);
      if (cause === undefined) return { byFile, failures: this.failures(project.files) };
      why = `since its resolver failed: ${cause}`;
    } catch (error) {
      if (!(error instanceof TooLong)) throw error;
      why = "since working them out takes too long";
    }
    this.forget();
    return { byFile: new Map(), failures: [{ reason: `relations of ${this.language.id} are missing, ${why}` }] };
  }

  /** The error when the language is to be given up. */
  private resolveInto(byFile: Map<string, R>, project: Project<unknown>): string | undefined {
    const { files } = project;
    if (files.length === 0 || this.retry(project, byFile)) return undefined;
    this.forget();
    const whole = this.attempt(project, files);
    if (whole.error !== undefined) return this.part(project) ?? this.each(project, files, byFile);
    for (const [path, own] of whole.byFile) byFile.set(path, own);
    return undefined;
  }

  private forget(): void {
    this.absent = new Map();
    this.silent = new Map();
    this.slow = new Set();
  }

  /** What was found the last time, if all these files are as they were and it does. */
  private retry(project: Project<unknown>, byFile: Map<string, R>): boolean {
    const known = project.files.filter(({ facts }) => this.absent.has(facts) || this.silent.has(facts));
    if (known.length === 0 || known.length < this.absent.size + this.silent.size) return false;
    const { error, byFile: found } = this.attempt(project, project.files.filter(({ facts }) => !this.silent.has(facts)));
    if (error === undefined) for (const [path, own] of found) byFile.set(path, own);
    return error === undefined;
  }

  private failures(files: Files): Failure[] {
    return files.flatMap(({ path, facts }): Failure[] => {
      const silent = this.silent.get(facts);
      const error = silent ?? this.absent.get(facts);
      if (error === undefined) return [];
      const missing = silent !== undefined ? "what it calls, imports and extends is missing" : "its relations in both directions are missing";
      return [{ path, reason: `${missing}, ${this.slow.has(facts) ? "since working it out takes too long" : `since the resolver failed on it: ${error}`}` }];
    });
  }

  /** Leaves out the files without which the resolver gets as far as to look at single files; the error when there are none. */
  private part(project: Project<unknown>): string | undefined {
    for (;;) {
      const files = project.files.filter(({ facts }) => !this.absent.has(facts));
      const { error } = this.attempt(project, []);
      if (error === undefined) return undefined;
      if (this.absent.size >= MAX_FAILURES || files.length === 0) return error;
      // The shortest beginning that fails ends with a file that it fails on.
      let good = 0;
      let bad = files.length;
      let cause = error;
      while (bad - good > 1) {
        const middle = (good + bad) >>> 1;
        const { error: own } = this.attempt({ ...project, files: files.slice(0, middle) }, []);
        if (own === undefined) good = middle;
        else [bad, cause] = [middle, own];
      }
      this.absent.set(files[bad - 1]!.facts, cause);
    }
  }

  /** Resolves some files, and where that fails, each half; the error when it fails on too many. */
  private each(project: Project<unknown>, some: Files, byFile: Map<string, R>): string | undefined {
    const own = some.filter(({ facts }) => !this.absent.has(facts));
    const { error, byFile: found } = this.attempt(project, own);
    if (error === undefined) {
      for (const { path } of own) if (found.has(path)) byFile.set(path, found.get(path)!);
      return undefined;
    }
    if (own.length === 1) {
      // Not what it had said before it failed: the next time it is not even asked.
      this.silent.set(own[0]!.facts, error);
      return this.silent.size > MAX_FAILURES ? error : undefined;
    }
    const half = own.length >>> 1;
    return this.each(project, own.slice(0, half), byFile) ?? this.each(project, own.slice(half), byFile);
  }

  /** Resolves a project without its absent files, emitting what leaves some but for those that take too long; throws TooLong when all do. */
  private attempt(project: Project<unknown>, some: Files): Attempt<R> {
    let attempt = this.once(project, some);
    while (attempt === undefined) attempt = this.once(project, some);
    return attempt;
  }

  /** Undefined when it took too long with a file that is left out from now on; nothing of it stays in memory then. */
  private once(project: Project<unknown>, some: Files): Attempt<R> | undefined {
    const files = this.absent.size === 0 ? project.files : project.files.filter(({ facts }) => !this.absent.has(facts));
    const collected = this.collectorFor(files);
    const wanted = new Set(some);
    const only = new Set(files.flatMap((file, i) => (wanted.has(file) && !this.slow.has(file.facts) ? [i] : [])));
    try {
      within(files.length, () => {
        this.language.resolve({ ...project, files }, collected.emit, only.size === files.length ? undefined : only, collected.ask, collected.stores);
        // Half of it the first time, since few files may be to blame, and more of it each time after.
      }, 1 - 2 ** -(this.ended + 1));
      return { byFile: collected.byFile };
    } catch (error) {
      if (error instanceof TooLong) {
        this.without(files, error);
        return undefined;
      }
      return { error: error instanceof Error ? error.message : String(error), byFile: collected.byFile };
    }
  }

  /** Leaves out the relations of files that take too long, and such a file itself when it does nevertheless. */
  private without(files: Files, error: TooLong): void {
    const { taken } = error;
    this.ended++;
    this.wasted += "steps" in taken ? taken.steps / MAX_WASTED.steps : taken.milliseconds / MAX_WASTED.milliseconds;
    if (error.files.length === 0 || this.wasted > 1) throw error;
    for (const file of error.files) {
      const { facts } = files[file]!;
      if (this.slow.has(facts)) {
        this.silent.delete(facts);
        this.absent.set(facts, error.message);
      } else {
        this.slow.add(facts);
        this.silent.set(facts, error.message);
      }
    }
  }
}
