import { sharedFolders } from "../../folders.ts";
import type { ProjectFile } from "../../language.ts";
import type { CppFacts, IncludeFact } from "./facts.ts";

/** What the compiler brings along; a file of the repository is meant by none of these unless it stands beside. */
const STANDARD = new Set(
  ("assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib " +
    "stdnoreturn string tgmath threads time uchar wchar wctype unistd fcntl dirent dlfcn grp pwd poll pthread sched semaphore strings syslog termios utime netdb windows winsock2 ws2tcpip io process malloc memory alloca")
    .split(" ").map((name) => `${name}.h`),
);
const ROOTS = /(?:^|\/)(?:include|inc|includes|src|source|lib)$/;

/** A file that another includes, in which line, and how sure that is. */
export interface Included {
  file: number;
  line: number;
  confidence: number;
}

/** What a file's facts include, as it was found the last time, among files of these paths. */
const known = new WeakMap<CppFacts, { among: string; files: readonly Included[] }>();

/** By file: the files that it includes. */
export function includedBy(files: readonly ProjectFile<CppFacts>[]): (readonly Included[])[] {
  const paths = files.map(({ path }) => path);
  const among = paths.join("\n");
  let includes: Includes | undefined;
  return files.map(({ path, facts: { data } }) => {
    const before = known.get(data);
    if (before?.among === among) return before.files;
    includes ??= new Includes(paths);
    const found: Included[] = [];
    for (const fact of data.includes) {
      const file = includes.resolve(path, fact);
      if (file) found.push({ ...file, line: fact.line });
    }
    known.set(data, { among, files: found });
    return found;
  });
}

/** What each file sees: those that it includes, what these include, and so on; found when it is first asked for. */
export class Seen {
  private readonly closures: (Uint32Array | undefined)[] = [];

  constructor(private readonly included: readonly (readonly Included[])[]) {}

  /** Whether a file includes another, itself or by what it includes. */
  has(from: number, file: number): boolean {
    return (this.of(from)[file >> 5]! & (1 << (file & 31))) !== 0;
  }

  /** All files that one sees, a bit for each. */
  of(from: number): Uint32Array {
    return this.closures[from] ??= this.closure(from);
  }

  private closure(from: number): Uint32Array {
    const bits = new Uint32Array((this.included.length >> 5) + 1);
    const queue = [from];
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      const found = at === from ? undefined : this.closures[at];
      if (found) {
        for (let i = 0; i < bits.length; i++) bits[i]! |= found[i]!;
        continue;
      }
      for (const { file } of this.included[at]!) {
        if (bits[file >> 5]! & (1 << (file & 31))) continue;
        bits[file >> 5]! |= 1 << (file & 31);
        queue.push(file);
      }
    }
    return bits;
  }
}

/** Which file of the repository an include means, and how sure that is. */
export class Includes {
  private readonly byName = new Map<string, number[]>();
  private readonly byPath = new Map<string, number>();

  constructor(private readonly paths: readonly string[]) {
    for (const [index, path] of paths.entries()) {
      this.byPath.set(path, index);
      const name = lastOf(path);
      const same = this.byName.get(name);
      if (same) same.push(index);
      else this.byName.set(name, [index]);
    }
  }

  resolve(from: string, { path, system }: IncludeFact): { file: number; confidence: number } | undefined {
    const clean = path.replaceAll("\\", "/");
    const beside = system ? undefined : this.byPath.get(join(folderOf(from), clean));
    if (beside !== undefined) return { file: beside, confidence: 1 };
    if (system && STANDARD.has(clean)) return undefined;
    const wanted = join("", clean.replace(/^(?:\.\.?\/)+/, ""));
    const candidates = (this.byName.get(lastOf(wanted)) ?? []).filter((index) => this.paths[index] === wanted || this.paths[index]!.endsWith(`/${wanted}`));
    if (candidates.length === 0) return undefined;
    if (candidates.length === 1) {
      const folder = folderOf(this.paths[candidates[0]!]!.slice(0, -wanted.length));
      // `<x.h>` without a folder may as well be another package's.
      return { file: candidates[0]!, confidence: system && !wanted.includes("/") && !ROOTS.test(folder) && folder !== "" ? 0.7 : 0.9 };
    }
    const ranked = candidates.map((file) => ({ file, rank: this.rank(from, this.paths[file]!, wanted) })).sort((a, b) => b.rank - a.rank || a.file - b.file);
    return { file: ranked[0]!.file, confidence: ranked[0]!.rank > ranked[1]!.rank ? 0.8 : 0.5 };
  }

  /** A folder that holds headers is likelier than another, then the nearest. */
  private rank(from: string, path: string, wanted: string): number {
    const root = path.slice(0, Math.max(0, path.length - wanted.length - 1));
    return (root === "" || ROOTS.test(root) ? 0.5 : 0) + sharedFolders(from, path);
  }
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function join(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
