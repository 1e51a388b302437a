import type { FileFacts } from "../../../facts.ts";
import type { Project, ProjectFile } from "../../../language.ts";
import { symbolNames } from "../../../relations.ts";
import type { Moved } from "../../surfaces.ts";
import type { RustFacts } from "../facts.ts";
import { ANY_TRAIT, behind, foreignKey, guessOf, implOf, leaving, macro, memberOf, placeOf, placesOf, supersOf } from "./asks.ts";
import { type Standing, type World, worldOf } from "./world.ts";

type File = ProjectFile<RustFacts>;

/**
 * What is otherwise than before though no file says it alone: where files stand among the modules, what `mod` leads to, what impls are for, and
 * with that what types have, and which traits others require. Undefined when that may be anything.
 */
export function moved(before: Project<RustFacts>, after: Project<RustFacts>, changed: ReadonlySet<string>): Moved | undefined {
  const was = worldOf({ files: before.files, paths: before.paths, read: (path) => after.read(path) }, false);
  const is = worldOf(after, true);
  if (was.libraries !== is.libraries) return undefined;
  const comparison = new Comparison(was, is);
  comparison.places();
  comparison.modules();
  comparison.supertraits();
  comparison.impls(before.files, after.files, changed);
  comparison.guesses(before.files, after.files, changed);
  return { turned: [...comparison.turned], asked: [...comparison.asked], told: [...comparison.told] };
}

class Comparison {
  readonly turned = new Set<string>();
  readonly asked = new Set<string>();
  /** Names, by the words that ask for them. */
  readonly told = new Map<string, string>();
  private readonly paths: ReadonlySet<string>;

  constructor(private readonly was: World, private readonly is: World) {
    this.paths = new Set([...was.files.keys(), ...is.files.keys()]);
  }

  /** Files that stand elsewhere, with all below them: they mean something else by `super` and `crate`, and others see their macros. */
  places(): void {
    const known = new Map<string, boolean>();
    const isMoved = (path: string): boolean => {
      const way: string[] = [];
      let at: string | undefined = path;
      for (; at !== undefined && !known.has(at); at = this.is.files.get(at)?.above) {
        way.push(at);
        known.set(at, false);
      }
      let found = at !== undefined && known.get(at)!;
      for (const each of way.reverse()) {
        found ||= this.was.files.get(each)?.place !== this.is.files.get(each)!.place;
        known.set(each, found);
      }
      return known.get(path)!;
    };
    for (const path of this.is.files.keys()) {
      if (!isMoved(path)) continue;
      this.turned.add(placeOf(path));
      for (const name of this.is.files.get(path)!.macros) this.told.set(macro(name), name);
    }
  }

  modules(): void {
    for (const path of this.paths) {
      const [a, b] = [this.was.files.get(path)?.modules, this.is.files.get(path)?.modules];
      for (const [word, { name, files }] of [...a ?? [], ...b ?? []]) {
        if (a?.get(word)?.files === files && b?.get(word)?.files === files) continue;
        this.told.set(word, name);
        this.asked.add(leaving(path));
      }
    }
  }

  supertraits(): void {
    const words = (standing: Standing | undefined): Map<string, string> => {
      const byKey = new Map<string, string>();
      for (const { key, text } of standing?.supers ?? []) byKey.set(key, `${byKey.get(key) ?? ""}\n${text}`);
      return byKey;
    };
    for (const path of this.paths) {
      const [a, b] = [words(this.was.files.get(path)), words(this.is.files.get(path))];
      for (const key of new Set([...a.keys(), ...b.keys()])) {
        if (a.get(key) === b.get(key)) continue;
        this.turned.add(supersOf(key));
        this.asked.add(leaving(path));
      }
    }
  }

  impls(before: readonly File[], after: readonly File[], changed: ReadonlySet<string>): void {
    const olds = new Map(before.map((file) => [file.path, file.facts]));
    const news = new Map(after.map((file) => [file.path, file.facts]));
    const [renumbered, functions] = [new Set<string>(), this.functions()];
    for (const path of changed) {
      const [a, b] = [olds.get(path), news.get(path)].map((facts) => typeSymbols(path, facts));
      for (const [key, symbol] of [...a!, ...b!]) if (a!.get(key) !== symbol || b!.get(key) !== symbol) renumbered.add(key);
    }
    for (const path of this.paths) {
      if (changed.has(path)) this.changed(path, olds.get(path), news.get(path));
      else this.unchanged(path, news.get(path)!.data, functions, renumbered);
    }
  }

  /** The only method of a name is not any more, is now, or is another one. */
  guesses(before: readonly File[], after: readonly File[], changed: ReadonlySet<string>): void {
    const names = new Set<string>();
    const [was, is] = [this.methods(this.was, before), this.methods(this.is, after)];
    for (const path of this.paths) {
      if (!changed.has(path) && this.isOfSameTraits(path)) continue;
      const [a, b] = [was(path), is(path)];
      for (const name of [...a.keys(), ...b.keys()]) if (a.get(name) !== b.get(name)) names.add(name);
    }
    if (names.size === 0) return;
    const [old, now] = [was, is].map((methods) => {
      const all = new Map<string, number>();
      for (const path of this.paths) for (const [name, count] of methods(path)) if (names.has(name)) all.set(name, (all.get(name) ?? 0) + count);
      return all;
    });
    for (const name of names) if (Math.min(old!.get(name) ?? 0, now!.get(name) ?? 0) < 2) this.asked.add(guessOf(name));
  }

  /** How many methods of each name a file has; what implements a trait of the repository counts with that one. */
  private methods(world: World, files: readonly File[]): (path: string) => Map<string, number> {
    const byPath = new Map(files.map(({ path, facts }) => [path, facts.data]));
    return (path) => {
      const all = new Map<string, number>();
      const data = byPath.get(path);
      const heads = world.files.get(path)?.heads;
      const own = data?.impls.filter((_, i) => heads?.[i]?.trait === undefined) ?? [];
      for (const { functions } of [...own, ...data?.types ?? []]) for (const { name, method } of functions) if (method) all.set(name, (all.get(name) ?? 0) + 1);
      return all;
    };
  }

  /** Whether the impls of a file that is the same are of traits of the repository where they were. */
  private isOfSameTraits(path: string): boolean {
    const [a, b] = [this.was, this.is].map(({ files }) => files.get(path)?.heads ?? []);
    return a!.length === b!.length && a!.every(({ trait }, i) => (trait === undefined) === (b![i]!.trait === undefined));
  }

  /** The functions that traits have on one side only. */
  private functions(): Map<string, readonly string[]> {
    const differ = new Map<string, readonly string[]>();
    for (const key of new Set([...this.was.traits.keys(), ...this.is.traits.keys()])) {
      const [a, b] = [this.was.traits.get(key), this.is.traits.get(key)];
      const names = [...[...a ?? []].filter((name) => !b?.has(name)), ...[...b ?? []].filter((name) => !a?.has(name))];
      if (names.length > 0) differ.set(key, names);
    }
    return differ;
  }

  /** The impls of a file that is the same: they may be for something else, and their traits may have other functions. */
  private unchanged(path: string, data: RustFacts, functions: ReadonlyMap<string, readonly string[]>, renumbered: ReadonlySet<string>): void {
    const [a, b] = [this.was, this.is].map(({ files }) => files.get(path)!);
    for (const [i, head] of b!.heads.entries()) {
      const { keys, trait, from, text } = head;
      if (a!.heads[i]!.text !== text) {
        this.takeAll(this.wordsOf(this.was, a!, i, data));
        this.takeAll(this.wordsOf(this.is, b!, i, data));
      }
      if (trait === undefined) continue;
      for (const name of functions.get(trait) ?? []) for (const key of keys) this.asked.add(memberOf(key, name));
      if (from !== undefined && renumbered.has(trait)) this.asked.add(leaving(from));
    }
    if (b!.supers.some(({ keys }) => keys.some((key) => renumbered.has(key)))) this.asked.add(leaving(path));
  }

  private changed(path: string, old: FileFacts<RustFacts> | undefined, now: FileFacts<RustFacts> | undefined): void {
    const [a, b] = [this.byWord(this.was, path, old), this.byWord(this.is, path, now)];
    for (const [word, { name, text }] of [...a, ...b]) if (a.get(word)?.text !== text || b.get(word)?.text !== text) this.take(word, name);
  }

  /** What the impls of a file are asked for, in order. */
  private byWord(world: World, path: string, facts: FileFacts<RustFacts> | undefined): Map<string, { name: string | undefined; text: string }> {
    const words = new Map<string, { name: string | undefined; text: string }>();
    const standing = world.files.get(path);
    if (!facts || !standing) return words;
    const symbols = symbolNames(facts);
    for (const i of standing.heads.keys()) {
      for (const { word, name, symbol } of this.wordsOf(world, standing, i, facts.data)) {
        const known = words.get(word);
        words.set(word, { name: known?.name ?? name, text: `${known?.text ?? ""}\n${standing.heads[i]!.text} ${symbols[symbol ?? -1] ?? "-"}` });
      }
    }
    return words;
  }

  /** By which words others ask for what an impl gives. `name`: types may rest on it. */
  private *wordsOf({ traits }: World, { heads }: Standing, i: number, { impls }: RustFacts): Iterable<{ word: string; name?: string; symbol?: number }> {
    const { keys, trait, foreign, from } = heads[i]!;
    const { functions, types, constants } = impls[i]!;
    for (const { name, symbol } of functions) {
      for (const key of keys) yield { word: memberOf(key, name), symbol };
      if (trait !== undefined) yield { word: behind(trait, name), symbol };
    }
    for (const { name } of [...types, ...constants]) for (const key of keys) yield { word: memberOf(key, name), name };
    for (const name of traits.get(trait ?? "") ?? []) for (const key of keys) yield { word: memberOf(key, name) };
    if (foreign !== undefined) {
      for (const key of keys) yield { word: implOf(key, foreign) };
      for (const { name, symbol } of functions) {
        yield { word: behind(foreignKey(foreign), name), symbol };
        for (const key of keys) yield { word: implOf(key, ANY_TRAIT), symbol };
      }
    }
    if (trait !== undefined && from !== undefined) yield { word: leaving(from) };
  }

  private takeAll(words: Iterable<{ word: string; name?: string }>): void {
    for (const { word, name } of words) this.take(word, name);
  }

  private take(word: string, name: string | undefined): void {
    if (name === undefined) this.asked.add(word);
    else this.told.set(word, name);
  }
}

/** What the symbols of a file's types are called. */
function typeSymbols(path: string, facts: FileFacts<RustFacts> | undefined): Map<string, string> {
  const found = new Map<string, string>();
  if (!facts) return found;
  const symbols = symbolNames(facts);
  const { keys } = placesOf(path, facts.data);
  for (const [i, { symbol }] of facts.data.types.entries()) {
    const key = keys[i]!;
    if (!found.has(key)) found.set(key, symbols[symbol] ?? "-");
  }
  return found;
}
