/**
 * Writes down things that refer to each other, so that two texts are equal when the things are, whatever their numbers:
 * a thing is called by the order in which it was first met, and described once.
 */
export class Outline {
  /** The names that were said to be used. */
  readonly uses = new Set<string>();
  private readonly out: string[] = [];
  private readonly known = new Map<string, number>();
  private readonly met: { kind: string; index: number }[] = [];

  say(...words: string[]): void {
    this.out.push(...words);
  }

  /** A name whose meaning others decide. */
  use(name: string): void {
    this.out.push(name);
    this.uses.add(name);
  }

  /** Refers to a thing; it is described later. */
  refer(kind: string, index: number): void {
    const key = `${kind}${index}`;
    let number = this.known.get(key);
    if (number === undefined) {
      number = this.known.size;
      this.known.set(key, number);
      this.met.push({ kind, index });
    }
    this.out.push(`#${number}`);
  }

  /** A record of a file's code, where 0 is none. */
  offset(at: number): void {
    if (at === 0) this.say("-");
    else this.refer("o", at);
  }

  offsets(list: readonly number[]): void {
    this.say(String(list.length));
    for (const at of list) this.offset(at);
  }

  /**
   * Describes a record: its operation, and operands as `shapes` has them for it, a letter each: o an offset, L a counted list
   * of offsets, i a plain number; `other` tells what any other letter stands for.
   */
  record(code: readonly number[], at: number, shapes: Readonly<Record<number, string>>, other: (letter: string, value: number, op: number) => void): void {
    const op = code[at]!;
    this.say(String(op));
    let next = at + 1;
    for (const letter of shapes[op] ?? "") {
      const value = code[next++]!;
      if (letter === "o") this.offset(value);
      else if (letter === "i") this.say(String(value));
      else if (letter === "L") {
        this.offsets(code.slice(next, next + value));
        next += value;
      } else other(letter, value, op);
    }
  }

  /** Describes all that was referred to, and what the descriptions refer to. */
  text(describe: (kind: string, index: number) => void): string {
    // It grows while it is gone through.
    for (let at = 0; at < this.met.length; at++) {
      const { kind, index } = this.met[at]!;
      this.out.push(`= ${kind}`);
      describe(kind, index);
    }
    // No word can look like two.
    return JSON.stringify(this.out);
  }
}
