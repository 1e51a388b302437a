import type { FileFacts } from "../../facts.ts";
import { ANY as PATTERN } from "../patterns.ts";
import { wordOf, type Words } from "../words.ts";
import type { ClassFacts } from "./facts.ts";
import type { Declaration, Program, Source } from "./program.ts";

/** The members that the code of each file looked for, the last time that it was resolved. */
const known = new WeakMap<object, Words>();

/** What a file's code looked for; undefined for one that was not resolved since it was read. */
export function lookupsOf(facts: FileFacts<ClassFacts>): Words | undefined {
  return known.get(facts.data);
}

/** Stand for the type where a member is looked for by its name alone: in any type, or among extension methods. */
const ANY = wordOf(" ");
const EXTENSION = wordOf("  ");

/** Of a member of types of one name, what those look for whom it concerns. Both names are folded. */
export function lookupsFor(name: string, type: string, extension: boolean): { lookups: number[]; guess: number } {
  const word = wordOf(name);
  // Code that calls a name known in part depends on every member of the type.
  return { lookups: [memberWord(word, wordOf(type)), memberWord(wordOf(PATTERN), wordOf(type)), ...(extension ? [memberWord(word, EXTENSION)] : [])], guess: memberWord(word, ANY) };
}

/** Takes down in which types the code of a file looks for which members: a member more or less elsewhere is nothing to it. */
export class Lookups {
  private readonly bySource: Set<number>[];
  private readonly names = new Map<string, number>();
  private readonly types: number[] = [];
  private now: Set<number> | undefined;

  constructor(private readonly program: Program) {
    this.bySource = program.sources.map(() => new Set<number>());
  }

  /** From here on it is this file's code that asks. Returns who asked before, for `back`. */
  by(source: Source): Set<number> | undefined {
    const before = this.now;
    this.now = this.bySource[source.index];
    return before;
  }

  back(before: Set<number> | undefined): void {
    this.now = before;
  }

  /** A member is looked for in a type and all that it inherits from. */
  ask({ id }: Declaration, name: string): void {
    this.add(id, name);
  }

  /** A member is looked for by its name alone. */
  askAny(name: string): void {
    this.add(this.program.declarations.length, name);
  }

  /** So is an extension method. */
  askExtension(name: string): void {
    this.add(this.program.declarations.length + 1, name);
  }

  private add(type: number, name: string): void {
    let number = this.names.get(name);
    if (number === undefined) this.names.set(name, (number = this.names.size));
    this.now?.add(type * 2 ** 24 + number);
  }

  /** What is asked for meanwhile, to be asked for `again` by others. */
  during(work: () => void): ReadonlySet<number> {
    const before = this.now;
    const asked = new Set<number>();
    this.now = asked;
    work();
    this.now = before;
    return asked;
  }

  again(asked: ReadonlySet<number>): void {
    for (const one of asked) this.now?.add(one);
  }

  /** Keeps what the code of a file asked for. */
  keep({ index, data }: Source, inherited: (declaration: Declaration) => readonly Declaration[]): void {
    const { program } = this;
    const names = [...this.names.keys()].map((name) => wordOf(program.fold(name)));
    const words = new Set<number>();
    for (const asked of this.bySource[index]!) {
      const name = names[asked % 2 ** 24]!;
      const type = Math.floor(asked / 2 ** 24);
      const declaration = program.declarations[type];
      if (!declaration) words.add(memberWord(name, type === program.declarations.length ? ANY : EXTENSION));
      else for (const one of [declaration, ...inherited(declaration)]) words.add(memberWord(name, this.wordOf(one)));
    }
    known.set(data, Uint32Array.from(words).sort());
  }

  private wordOf(declaration: Declaration): number {
    return (this.types[declaration.id] ??= wordOf(this.program.fold(declaration.name)));
  }
}

function memberWord(name: number, type: number): number {
  return (Math.imul(name ^ 0x9e3779b9, 0x85ebca6b) ^ type) >>> 0;
}
