import { wordAfter, wordOf } from "../../words.ts";
import { type ImplFact, Op, type RustFacts, type ScopeFact } from "../facts.ts";
import type { Source } from "./program.ts";

/** Types of the library have no module; what is for all types has no name either. */
const FOREIGN = "~";

/** The modules and blocks of a file, as they are asked for names. Blocks of one module count as one: nobody else gets there. */
export function homesOf(path: string, scopes: readonly ScopeFact[]): string[] {
  const homes: string[] = [];
  const seen = new Map<string, number>();
  for (const { name, parent } of scopes) {
    const plain = parent < 0 ? path : `${homes[parent]!}#${name ?? "{}"}`;
    const before = seen.get(plain) ?? 0;
    seen.set(plain, before + 1);
    homes.push(before === 0 || name === undefined ? plain : `${plain}#${before}`);
  }
  return homes;
}

/** A name of a module, as something to ask for; for a type what it is called itself. */
export function nameIn(home: string, name: string): string {
  return `${home}.${name}`;
}

/** A type of the library, as it is asked for members. */
export function foreignKey(name: string): string {
  return `${FOREIGN}${name}`;
}

/** What impls for all types are asked by. */
export const BLANKET = FOREIGN;

/** What a type has by its own declaration or by its impls, as something to ask for: a method, a variant, an associated type. */
export function memberOf(key: string, member: string): string {
  return `${key} ${member}`;
}

export function fieldOf(key: string, field: string): string {
  return memberOf(key, `.${field}`);
}

/** An impl of a trait of the library. */
export function implOf(key: string, trait: string): string {
  return memberOf(key, `:${trait}`);
}

/** In the place of a trait's name: all traits of the library. */
export const ANY_TRAIT = "*";

/** What implements a trait with a function of this name. */
export function behind(key: string, name: string): string {
  return memberOf(key, `>${name}`);
}

/** What a trait requires. */
export function supersOf(key: string): string {
  return memberOf(key, "<");
}

/** What stands in an impl; those of one trait for one type, as they are written, count as one. */
export function inImpl(home: string, { code, strings }: RustFacts, { trait, self }: ImplFact): string {
  return `${home}!${lastName(code, strings, trait)}!${lastName(code, strings, self)}`;
}

/** The last name of a type, as it is written; "" for none. */
function lastName(code: readonly number[], strings: readonly string[], at: number): string {
  const inner = code[at] === Op.Reference ? code[at + 2]! : at;
  return code[inner] === Op.Path ? strings[code[inner + 2]!]! : "";
}

/** From where a module takes all names: asked for names that stand in it, and for those that a path leads to. */
export function starsOf(home: string): readonly [own: string, other: string] {
  return [`${home} *`, `${home} **`];
}

export function macro(name: string): string {
  return `! ${name}`;
}

/** The only method of a name. */
export function guessOf(name: string): string {
  return `? ${name}`;
}

/** Where a file stands among the modules. */
export function placeOf(path: string): string {
  return `@ ${path}`;
}

/** Which relations leave a file that others decide. */
export function leaving(path: string): string {
  return `- ${path}`;
}

/** The number of all words that begin with a key and go on with a member. */
export function membersAt(key: string): number {
  return wordOf(memberOf(key, ""));
}

export const fieldAt = (place: number, name: string): number => wordAfter(place, `.${name}`);
export const implAt = (place: number, trait: string): number => wordAfter(place, `:${trait}`);
export const behindAt = (place: number, name: string): number => wordAfter(place, `>${name}`);
export const supersAt = (place: number): number => wordAfter(place, "<");

/** What a file's modules, types and impls are asked by, and numbers that words begin with. */
export interface Places {
  path: string;
  /** By scope: its home; names in it; from where it takes all names, as in `starsOf`. */
  homes: readonly string[];
  modules: readonly number[];
  stars: readonly (readonly [own: number, other: number])[];
  /** By declared type: its key; members of it. */
  keys: readonly string[];
  types: readonly number[];
  /** By impl: what stands in it. */
  impls: readonly number[];
}

const known = new WeakMap<RustFacts, Places>();

/** They are kept as long as the facts are: an edit would work them out for all files again. */
export function placesOf(path: string, data: RustFacts): Places {
  const before = known.get(data);
  if (before?.path === path) return before;
  const homes = homesOf(path, data.scopes);
  const keys = data.types.map(({ scope, name }) => nameIn(homes[scope]!, name));
  const places: Places = {
    path, homes, keys,
    modules: homes.map((home) => wordOf(nameIn(home, ""))),
    stars: homes.map((home) => {
      const [own, other] = starsOf(home);
      return [wordOf(own), wordOf(other)];
    }),
    types: keys.map(membersAt),
    impls: data.impls.map((fact) => membersAt(inImpl(homes[fact.scope]!, data, fact))),
  };
  known.set(data, places);
  return places;
}

/** What the code of each file has asked of others, found or not. */
export class Asks {
  /** The file that asks, where it is not said. */
  asker: Source | undefined;
  private words: (Set<number> | undefined)[] = [];
  private first: (Set<number> | undefined)[] = [];

  by(source: Source, word: number): void {
    (this.words[source.index] ??= new Set()).add(word);
  }

  one(word: number): void {
    if (this.asker) this.by(this.asker, word);
  }

  /** What was asked so far is asked whatever is resolved. */
  begin(): void {
    this.first = this.words;
    this.words = [];
  }

  /** By file. Of those that are not resolved themselves, what was asked on the way. */
  *taken(resolved?: ReadonlySet<number>): Iterable<[file: number, words: readonly number[]]> {
    for (const [file, words] of this.words.entries()) if (words) yield [file, [...words]];
    for (const [file, words] of this.first.entries()) if (words && (resolved?.has(file) ?? true)) yield [file, [...words]];
  }
}
