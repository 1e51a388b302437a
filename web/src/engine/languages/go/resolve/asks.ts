import { wordAfter, wordOf } from "../../words.ts";
import type { Source } from "./packages.ts";

/** Asked for all members of a type. */
export const EVERY = "*";
/** Asked for a member that a type may get by embedding. */
export const EMBEDDED = "+";
/** Asked which fields a struct has in which places. */
export const PLACES = "#";
/** Asked which interfaces a type implements. */
const IMPLEMENTED = "<";
/** Asked which types implement an interface. */
const BEHIND = ">";

/** A package, as it is asked for names; a directory's files may be of several. */
export function homeOf(dir: string, name: string): string {
  return `${dir}\n${name}`;
}

/** A name of a package, as something to ask for. */
export function nameIn(home: string, name: string): string {
  return `${home}.${name}`;
}

/** A member of a type, as something to ask for. */
export function memberOf(home: string, type: string, member: string): string {
  return `${nameIn(home, type)} ${member}`;
}

export function implementedBy(home: string, type: string): string {
  return memberOf(home, type, IMPLEMENTED);
}

export function behind(home: string, type: string): string {
  return memberOf(home, type, BEHIND);
}

/** Which types implement interfaces without a name that ask for a method, as something to ask for; with EMBEDDED, what may give types any method. */
export function namelessOf(method: string): string {
  return `${BEHIND} ${method}`;
}

/** Which types embed one of that name from outside the repository, as something to ask for. */
export function embeddingOf(type: string): string {
  return `${EMBEDDED} ${type}`;
}

/** The only method of a name, as something to ask for. */
export function guessOf(method: string): string {
  return `? ${method}`;
}

/** The package that a directory gives to importers, as something to ask for. */
export function givenBy(dir: string): string {
  return `import ${dir}`;
}

/** The files of that package. */
export function filesOf(dir: string): string {
  return `files ${dir}`;
}

/** The directories of a name, for imports that are found by the ends of paths. */
export function called(name: string): string {
  return `called ${name}`;
}

/** What `nameIn` and `memberOf` were given. */
export function partsOf(told: string): { home: string; name: string; member: string | undefined } {
  const dot = told.indexOf(".", told.lastIndexOf("\n"));
  const [name = "", member] = told.slice(dot + 1).split(" ");
  return { home: told.slice(0, dot), name, member };
}

/** The number of all words for names of a package begins with this one. */
export function placeOf(home: string): number {
  return wordOf(nameIn(home, ""));
}

/** The same for members of a type, `place` being its package's. */
export function placeIn(place: number, type: string): number {
  return wordAfter(place, `${type} `);
}

/** Asked which interfaces the type in this place implements, and which types implement it. */
export const implementedAt = (place: number): number => wordAfter(place, IMPLEMENTED);
export const behindAt = (place: number): number => wordAfter(place, BEHIND);

/** What the code of each file has asked of others: names of packages and members of types, found or not. */
export class Asks {
  private readonly words: (Set<number> | undefined)[] = [];

  one(source: Source, word: number): void {
    (this.words[source.index] ??= new Set()).add(word);
  }

  all(source: Source, words: readonly number[]): void {
    if (words.length === 0) return;
    const own = (this.words[source.index] ??= new Set());
    for (const word of words) own.add(word);
  }

  /** By file. */
  *taken(): Iterable<[file: number, words: readonly number[]]> {
    for (const [file, words] of this.words.entries()) if (words) yield [file, [...words]];
  }
}
