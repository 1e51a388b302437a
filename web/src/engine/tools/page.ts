/** Which part of its lists an answer has: `path`, `offset` and `limit` mean the same in every tool that takes them. */
import { optionalNumber, optionalText, type Arguments } from "./arguments.ts";
import type { CutList } from "./answers.ts";
import { pathFilter } from "./glob.ts";

export class Page {
  readonly offset: number;
  /** Undefined: as many as the tool thinks right for each list. */
  readonly limit: number | undefined;
  private readonly wanted: ((path: string) => boolean) | undefined;

  constructor(args: Arguments) {
    this.offset = optionalNumber(args, "offset") ?? 0;
    this.limit = optionalNumber(args, "limit");
    const path = optionalText(args, "path");
    this.wanted = path === undefined ? undefined : pathFilter(path);
  }

  /** The first page tells what the thing is; the others go on with its lists. */
  get isFirst(): boolean {
    return this.offset === 0;
  }

  /** Whether some files alone are asked for. */
  get isFiltered(): boolean {
    return this.wanted !== undefined;
  }

  /** Whether a file is wanted; what is in no file, "", always is. */
  wants(path: string): boolean {
    return path === "" || this.wanted === undefined || this.wanted(path);
  }

  /** The items whose files are wanted. */
  filter<T>(items: readonly T[], fileOf: (item: T) => string): readonly T[] {
    return this.isFiltered ? items.filter((item) => this.wants(fileOf(item))) : items;
  }

  /** A list's part, or undefined where it has nothing. */
  list<T, U>(all: readonly T[], max: number, fileOf: (item: T) => string, form: (item: T, at: number) => U): CutList<U> | undefined {
    const part = this.part(all, this.filter(all, fileOf), form, max);
    return part.items.length > 0 ? part : undefined;
  }

  /** The part of those items of a list that match. */
  part<T, U>(all: readonly unknown[], matching: readonly T[], form: (item: T, at: number) => U, max = Infinity): CutList<U> {
    const { offset, limit = max } = this;
    const items = matching.slice(offset, offset + limit).map(form);
    const end = offset + items.length;
    return {
      total: all.length, ...(matching.length < all.length ? { matching: matching.length } : {}), items,
      ...(items.length > 0 && end < matching.length ? { more: matching.length - end, rest: `offset ${end}` } : {}),
    };
  }
}
