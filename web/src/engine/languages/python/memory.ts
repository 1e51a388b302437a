/**
 * The files that something was found in: what they say, and what calls pass to their functions. There is one object for the same files.
 */
export interface Read {
  /** In order: of the file with number n, 2n is what it says, and 2n + 1 what is passed to its functions. */
  readonly of: readonly number[];
  readonly number: number;
  /** With others, by their numbers. */
  readonly unions: Map<number, Read>;
  /** When it changed, as it was known at the last look. */
  changes: Changes;
  /** The number of that look. */
  seen: number;
}

/** The last edit that changed something, and the last one before that. */
interface Changes {
  last: number;
  before: number;
}

const NEVER: Changes = { last: 0, before: 0 };

/** What was found at an edit. */
export interface Remembered {
  edit: number;
  read: Read;
}

/** One of what was found of the same at several edits, or in several ways. */
export interface Listed<T> extends Remembered {
  next: T | undefined;
}

/** What has read more than this counts as having read everything. */
const MAX_READ = 300;
/** And so does what has read yet another set of files. */
const MAX_SETS = 100_000;

/**
 * Tells what was found at one edit and holds at another. What is found follows from the files that were read to find it, so it holds until
 * one of them changes: for the program before an edit and the one after it alike.
 */
export class Memory {
  /** The number of the newest edit. */
  edit = 0;
  /** How much was found so far, at all edits. */
  size = 0;
  private count = 0;
  readonly nothing = this.made([]);
  private readonly everything = this.made([]);
  /** When each of the files changed, by its number in what was read. */
  private readonly changes = new Map<number, Changes>();
  /** Counts the times at which anything changed. */
  private looks = 0;
  private readonly singles = new Map<number, Read>();
  /** By a hash. */
  private readonly sets = new Map<number, Read[]>();
  /** What was read to find what is being found; undefined where nobody wants to know. */
  private reading: Read | undefined;

  /** From here on something is being found, for which this is read at least. Gives what `end` takes. */
  begin(read: Read): Read | undefined {
    const outer = this.reading;
    this.reading = read;
    return outer;
  }

  /** What was read since `begin`; that was read for what was going on outside, too. */
  end(outer: Read | undefined): Read {
    const read = this.reading!;
    this.reading = outer;
    this.take(read);
    return read;
  }

  /** Takes down what is read. */
  take(read: Read): void {
    if (this.reading) this.reading = this.union(this.reading, read);
  }

  /** What a file says. */
  file(index: number): Read {
    return this.single(2 * index);
  }

  /** What calls pass to the functions of a file. */
  passed(index: number): Read {
    return this.single(2 * index + 1);
  }

  /** Which models there are and which relations they declare. */
  models(): Read {
    return this.single(-1);
  }

  /** Whether what was found holds at an edit: at the newest one, or at the one before. */
  holds({ edit: found, read }: Remembered, edit: number): boolean {
    if (found === edit) return true;
    const { last, before } = this.changesOf(read);
    const first = Math.min(found, edit);
    return last <= first || (last > Math.max(found, edit) && before <= first);
  }

  /** The first that holds. */
  first<T extends Listed<T>>(found: T | undefined, edit: number): T | undefined {
    let at = found;
    while (at && !this.holds(at, edit)) at = at.next;
    return at;
  }

  /** What is kept beside what is found now: not what an earlier edit has made of no use. */
  others<T extends Listed<T>>(found: T | undefined, edit: number): T | undefined {
    let at = found;
    while (at && at.edit < edit && !this.holds(at, edit)) at = at.next;
    return at;
  }

  /** Begins the next edit. */
  next(): void {
    this.edit++;
  }

  /** Something is another since the newest edit. */
  change(reads: readonly Read[]): void {
    this.looks++;
    for (const read of reads) {
      for (const one of read.of) {
        const known = this.changes.get(one) ?? NEVER;
        if (known.last < this.edit) this.changes.set(one, { last: this.edit, before: known.last });
      }
    }
  }

  private changesOf(read: Read): Changes {
    if (read === this.everything) return { last: this.edit, before: this.edit - 1 };
    if (read.seen === this.looks) return read.changes;
    let [last, before] = [0, 0];
    for (const one of read.of) {
      const known = this.changes.get(one);
      if (!known) continue;
      if (known.last > last) {
        before = Math.max(last, known.before);
        last = known.last;
      } else before = Math.max(before, known.last < last ? known.last : known.before);
    }
    read.seen = this.looks;
    return (read.changes = last === 0 ? NEVER : { last, before });
  }

  private single(one: number): Read {
    let read = this.singles.get(one);
    if (!read) this.singles.set(one, (read = this.interned([one])));
    return read;
  }

  private union(a: Read, b: Read): Read {
    if (a === b || b === this.nothing || a === this.everything) return a;
    if (a === this.nothing || b === this.everything) return b;
    const { unions } = a.number < b.number ? a : b;
    const number = Math.max(a.number, b.number);
    let both = unions.get(number);
    if (!both) unions.set(number, (both = this.interned(merged(a.of, b.of))));
    return both;
  }

  private interned(of: readonly number[]): Read {
    if (of.length > MAX_READ) return this.everything;
    const hash = of.reduce((sum, one) => (Math.imul(sum, 31) + one) | 0, of.length);
    const list = this.sets.get(hash);
    const known = list?.find((read) => read.of.length === of.length && read.of.every((one, i) => one === of[i]));
    if (known) return known;
    if (this.count >= MAX_SETS) return this.everything;
    const read = this.made(of);
    if (list) list.push(read);
    else this.sets.set(hash, [read]);
    return read;
  }

  private made(of: readonly number[]): Read {
    return { of, number: this.count++, unions: new Map(), changes: NEVER, seen: -1 };
  }
}

/** Both lists in order, each number once. */
function merged(a: readonly number[], b: readonly number[]): number[] {
  const both: number[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const one = i === a.length ? b[j]! : j === b.length ? a[i]! : Math.min(a[i]!, b[j]!);
    both.push(one);
    if (a[i] === one) i++;
    if (b[j] === one) j++;
  }
  return both;
}
