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

  /** The items whose files are wanted; what is in no file always is. */
  filter<T>(items: readonly T[], fileOf: (item: T) => string): readonly T[] {
    const { wanted } = this;
    return wanted ? items.filter((item) => fileOf(item) === "" || wanted(fileOf(item))) : items;
  }

  /** A list's part, or undefined where it has nothing. */
  list<T, U>(all: readonly T[], max: number, fileOf: (item: T) => string, form: (item: T, at: number) => U): CutList<U> | undefined {
    const { offset, limit = max } = this;
    const matching = this.filter(all, fileOf);
    const items = matching.slice(offset, offset + limit).map(form);
    if (items.length === 0) return undefined;
    const end = offset + items.length;
    return {
      total: all.length, ...(matching.length < all.length ? { matching: matching.length } : {}), items,
      ...(end < matching.length ? { more: matching.length - end, rest: `offset ${end}` } : {}),
    };
  }
}
