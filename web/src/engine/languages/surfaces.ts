import type { FileFacts } from "../facts.ts";
import type { Before, Language, Project, ProjectFile } from "../language.ts";
import { ANY } from "./patterns.ts";
import { hasAny, meet, wanted, wordOf, wordsIn, type Words } from "./words.ts";

/** One thing that the resolution of other files may read of a file. */
export interface Entry {
  /** All that it says: with the same text it is the same. */
  text: string;
  /** The names that lead to it: who reads it has one of them, or has read an entry that uses one. */
  names: readonly string[];
  /** The names in it that others decide: when what they mean is different, so may be what it means. */
  uses: ReadonlySet<string>;
  /** Names that go on meaning the same, but lead calls elsewhere when it is different: who has one is resolved again. */
  leads?: readonly string[];
  /**
   * It is a member of a type: a name more that leads to it, the same as it stands in files, and what the code of those files looked for that
   * it concerns, where that is known (`Surfaces.lookups`). `guess`: the same of those who look for the name in no type that they know, whom it
   * concerns as long as no two other members have the name (`Surfaces.only`).
   */
  member?: { name: string; lead: string; lookups: readonly number[]; guess: number };
  /**
   * Whom its names lead to it, where a language says what files import: by default those who get to the file through imports.
   * "all": whoever has the name. "only": whoever has asked for it, as long as no two
   * other files have such an entry. "bases": whoever has asked which members take the place of one of the name of anything that the file gets to
   * through imports. Calls alone are led by these two: what uses the name goes on meaning the same. "export": whoever has asked this file for the name, or
   * one that hands on all that this file has (`Surfaces.exported`).
   */
  of?: "all" | "only" | "bases" | "export";
  /**
   * A member of something, by its name if it has one: its names lead to it nobody but who has asked for it by one of these words. The
   * second one is asked with no name in the source, as where types are compared.
   */
  asked?: readonly [told: string, untold: string];
  /** Of an entry "export": what uses it says instead of the name, where it is no more than an aspect of that. */
  as?: string;
  /** What it is called among the entries of its own file, and nowhere else: what uses this may mean something else, too. */
  own?: string;
}

/** What an entry uses that may ask for members without their names. */
export const ASKS = " asks";

/**
 * Something about what a name stands for that can be another while the name goes on meaning the same, as a name of its own: only
 * who asks for this is concerned.
 */
export function aspect(name: string, of: string): string {
  return `${name} ${of}`;
}

/** The name that stands in the source. */
function plain(name: string): string {
  const end = name.indexOf(" ");
  return end < 0 ? name : name.slice(0, end);
}

/** All that the resolution of other files may read of a file. */
export interface Surface {
  /** What has no name: when it is different, everything may be. */
  frame: string;
  /** What has no name, but concerns only those who get to the file through imports; "" for what a file that is not there says, too. */
  nearFrame?: string;
  /** What the file hands on without naming it: who gets to the file may have another meaning of each name in one that is different. */
  stars?: readonly string[];
  entries: readonly Entry[];
}

/** What a language says for `affectedBySurface`. */
export interface Surfaces<D> {
  surfaceOf: (facts: FileFacts<D>, path: string) => Surface;
  /** All names and aspects that a file reacts to; without it, every string in its facts. */
  mentions?: (facts: FileFacts<D>) => Iterable<string>;
  /** Aspects that a file reacts to, beside what `mentions` says. */
  words?: (facts: FileFacts<D>) => Iterable<string>;
  /**
   * For a language where a file reads another only when its imports lead to it, through whatever files, or by entries "all" and "only":
   * the paths that a file's imports lead to. The resolver emits IMPORTS for each of them. Files may come and go then without everything
   * being resolved again.
   */
  imports?: (project: Project<D>) => (file: ProjectFile<D>) => Iterable<string>;
  /** Instead of that: a file that comes or goes is no more than its entries. */
  free?: boolean;
  /** What the code of a file looked for when it was resolved, in the numbers that entries have: members. Undefined where that is not known. */
  lookups?: (facts: FileFacts<D>) => Words | undefined;
  /** Dotted names that are there as long as one file of all says them, namespaces: they lead to who has their last part. */
  common?: (facts: FileFacts<D>) => Iterable<string>;
  /** For a language without either: what else is different when files come, go or belong elsewhere; undefined when that may be all. */
  moved?: (before: Project<D>, after: Project<D>, changed: ReadonlySet<string>) => Moved | undefined;
  /** For `stars`: the names that one of a file brings in, and what is said for them (`Entry.as`); undefined when that may be any. */
  starred?: (project: Project<D>) => (path: string, star: string) => Iterable<readonly [name: string, as: string]> | undefined;
  /** For entries "export": the words by which a file is asked for a name, as in `Entry.asked`. */
  exported?: (path: string, name: string) => readonly [told: string, untold: string];
  /** For entries "export": whether a file may hand on all that another one has. */
  handsOn?: (facts: FileFacts<D>) => boolean;
  /** For entries "bases": the members of these names that a file declares, with the words by which it is asked what takes their place. */
  declares?: (file: ProjectFile<D>, names: ReadonlySet<string>) => Iterable<readonly [name: string, word: string]>;
  /** For entries "bases": whether others get to what a file declares without an import. */
  open?: (facts: FileFacts<D>) => boolean;
  /** Names of a file's entries "only", and of members that are guessed by their names, as often as they stand there; without those that take no other's place. */
  only?: (facts: FileFacts<D>, path: string) => Iterable<string>;
  /** What rests on members that may be different, and nothing rests on it: the words by which files have asked for it. `told`: the members' words. */
  implied?: (told: Iterable<string>, before: Project<D>, after: Project<D>) => Iterable<string>;
  /** Where what a file means by a name depends on more than the entries of that name: whom a change touches by that. */
  turned?: (before: Project<D>, after: Project<D>, changed: ReadonlySet<string>) => Turned;
}

/** What the same names may mean otherwise for some files, and why is no business of `bySurface`. */
export interface Turned {
  /** Files whose relations may be others in any case. */
  files: readonly string[];
  /** Names that may mean something else for some files alone. */
  names: readonly { all: ReadonlySet<string>; of: ReadonlySet<string> }[];
}

/** What other files may mean to those who have asked by these words. */
export interface Moved {
  /** Their imports mean something else, and with these what any of their entries uses. */
  turned: readonly string[];
  /** Nothing rests on it. */
  asked: readonly string[];
  /** What else they asked for by name: entries that use the name mean something else with it. */
  told?: readonly (readonly [word: string, name: string])[];
}

/** `affected` alone of what `bySurface` gives. */
export function affectedBySurface<D>(surfaces: Surfaces<D>): NonNullable<Language<D>["affected"]> {
  return bySurface(surfaces).affected;
}

/**
 * Language.affected for a resolver that reads of other files no more than their surfaces say, and gets to it by names. A change
 * behind the same surface touches no other file. With other entries, their names may mean something else, and
 * with them the names of the entries that use those, in whatever file, and so on; a file in whose facts none of
 * all these names stands has the relations that it had. With another frame it may be all, and with a file more or less, unless
 * the language says what files import, or what else is different then.
 */
export function bySurface<D>(language: Surfaces<D>): Required<Pick<Language<D>, "affected" | "prepare">> {
  const surfaces = new WeakMap<object, Surface>();
  const known = new WeakMap<object, Words>();
  const parts: Parts<D> = {
    ...language,
    surface: ({ facts, path }) => {
      let found = surfaces.get(facts);
      if (!found) surfaces.set(facts, (found = language.surfaceOf(facts, path)));
      return found;
    },
    wordsOf: (facts) => {
      let found = known.get(facts);
      if (!found) known.set(facts, (found = language.mentions ? wordsIn(undefined, language.mentions(facts)) : wordsIn(facts.data, language.words?.(facts))));
      return found;
    },
  };
  return {
    affected: (before, after, changed) => new Change(parts, before, after, changed).affected(),
    prepare: (facts) => void parts.wordsOf(facts),
  };
}

interface Parts<D> extends Surfaces<D> {
  surface: (file: ProjectFile<D>) => Surface;
  wordsOf: (facts: FileFacts<D>) => Words;
}

/** Names, and the hashes of what is written for them. */
class Names {
  readonly all = new Set<string>();
  private seen = new Set<string>();

  add(name: string): void {
    if (this.all.has(name)) return;
    this.all.add(name);
    this.seen.add(name);
  }

  get written(): Words {
    return wanted([...this.all].map(wordOf));
  }

  /** Those since the last time, and the words of which a file that uses one has one. */
  fresh(): { all: ReadonlySet<string>; written: Words } {
    const all = this.seen;
    this.seen = new Set();
    return { all, written: wanted([...all].flatMap((name) => [wordOf(name), wordOf(plain(name))])) };
  }
}

/** A member that may be another. */
interface Question {
  name: string | undefined;
  told: number;
  untold: number;
}

/** Works out what one change touches. */
class Change<D> {
  /** Members that may be others, and how many of them were followed. */
  private readonly questions = new Map<string, Question>();
  private followed = 0;
  /** What may be different among the entries of one file, by its path, and was not followed yet. */
  private own = new Map<string, Set<string>>();
  /** Names of entries "bases", by their files. */
  private readonly below = new Map<string, Set<string>>();
  /** Names that may mean something else, for whom they lead there: who gets to a changed file through imports, all. */
  private readonly near = new Names();
  private readonly wide = new Names();
  private readonly nearLeads = new Names();
  private readonly wideLeads = new Names();
  /** Members that may be different: names that entries use, as they stand in files, and what is looked for. */
  private readonly members = new Names();
  private readonly memberLeads = new Names();
  private readonly lookups = new Set<number>();
  /** What is asked of entries "only". */
  private readonly led = new Set<number>();
  /** Names that may mean something else for some files alone. */
  private readonly apart: { names: Names; of: ReadonlySet<string> }[] = [];
  /** Files that have what a file exports: that one, and who hands on all of it. */
  private readonly handers = new Map<string, ReadonlySet<string>>();
  private filesByPath: ReadonlyMap<string, ProjectFile<D>> | undefined;
  /** Who imports a file that has come, by that file's path. */
  private readonly arrivals = new Map<string, string[]>();

  constructor(private readonly language: Parts<D>, private readonly before: Before<D>, private readonly after: Project<D>, private readonly changed: ReadonlySet<string>) {}

  affected(): ReadonlySet<string> | undefined {
    const { language, changed } = this;
    const old = byPath(this.before.files, changed);
    const now = byPath(this.after.files, changed);
    const moved = [...changed].filter((path) => !old.has(path) || !now.has(path));
    const elsewhere = language.moved?.(this.before, this.after, changed);
    if (!elsewhere && (language.moved || (moved.length > 0 && !language.imports && !language.free))) return undefined;
    this.arrive(moved.filter((path) => now.has(path)));

    const different: [entry: Entry, path: string][] = [];
    /** Files that say something else without a name. */
    const open: string[] = [];
    for (const path of changed) {
      const [a, b] = [old.get(path), now.get(path)];
      const [was, is] = [a && language.surface(a), b && language.surface(b)];
      if ((was?.frame ?? "") !== (is?.frame ?? "")) return undefined;
      if ((was?.nearFrame ?? "") !== (is?.nearFrame ?? "") || !this.starred(path, was?.stars, is?.stars)) open.push(path);
      for (const entry of difference(was?.entries ?? [], is?.entries ?? [])) different.push([entry, path]);
    }
    // Whoever imported what has gone, or imports what has come, imports something else by the same words.
    const turned = new Set([...moved.flatMap((path) => this.importersOf(path)), ...this.askersOf(elsewhere?.turned)]);
    for (const file of this.after.files) {
      if (!turned.has(file.path)) continue;
      const { nearFrame = "", stars = [], entries } = language.surface(file);
      if (nearFrame !== "" || stars.length > 0) open.push(file.path);
      for (const entry of entries) if (entry.uses.size > 0) different.push([entry, file.path]);
    }
    this.take(different);
    for (const [word, name] of elsewhere?.told ?? []) this.ask(name, [word, ""]);
    this.compare([...old.values()], [...now.values()]);

    const affected = new Set([...changed, ...turned, ...this.askersOf(elsewhere?.asked), ...this.turned()]);
    const opened = this.reachOf(open);
    for (const path of opened) affected.add(path);
    if (open.length === 0 && this.nothing) return affected;
    const { questions } = this;
    const reach = language.imports && this.reachOf(affected);
    this.follow(reach, opened);
    const asked = wanted([...[...questions.values()].flatMap(({ told, untold }) => [told, untold]), ...this.led, ...this.ledFromBases(), ...this.implied()]);
    const lookups = wanted(this.lookups);
    const leads = this.memberLeads.written;
    const wide = [this.wide.written, this.wideLeads.written];
    const near = [this.near.written, this.nearLeads.written];
    const apart = this.apart.map(({ names, of }) => ({ written: names.written, of }));
    for (const { facts, path } of this.after.files) {
      if (affected.has(path)) continue;
      if (lookups.length > 0 && this.looksFor(facts, lookups, leads)) affected.add(path);
      const words = language.wordsOf(facts);
      const names = [...wide];
      if (reach?.has(path) ?? true) names.push(...near);
      for (const one of apart) if (one.of.has(path)) names.push(one.written);
      if (names.some((written) => hasAny(words, written)) || hasAny(this.before.asked(path), asked)) affected.add(path);
    }
    return affected;
  }

  /** Takes the names of the stars that are different; false when they are not known. */
  private starred(path: string, was: readonly string[] = [], is: readonly string[] = []): boolean {
    if (was.join("\n") === is.join("\n")) return true;
    const [a, b] = [new Set(was), new Set(is)];
    // The first one that has a name gives it.
    const sameOrder = was.filter((star) => b.has(star)).join("\n") === is.filter((star) => a.has(star)).join("\n");
    for (const [project, stars] of [[this.before, was], [this.after, is]] as const) {
      const namesOf = this.language.starred?.(project);
      for (const star of stars) {
        if (sameOrder && a.has(star) && b.has(star)) continue;
        // What it brought in may be gone with it, in the same change.
        const names = namesOf?.(path, star);
        if (!names) return false;
        for (const [name, as] of names) this.exported(path, name, as);
      }
    }
    return true;
  }

  /** Whether a file's code looks for a member that may be different: whether it has its name, where nothing more is known. */
  private looksFor(facts: FileFacts<D>, lookups: Words, leads: Words): boolean {
    const known = this.language.lookups?.(facts);
    return known ? hasAny(known, lookups) : hasAny(this.language.wordsOf(facts), leads);
  }

  /** Takes what the language says beside its surfaces. */
  private turned(): readonly string[] {
    const { files = [], names = [] } = this.language.turned?.(this.before, this.after, this.changed) ?? {};
    for (const { all, of } of names) {
      if (all.size === 0 || of.size === 0) continue;
      const own = new Names();
      for (const name of all) own.add(name);
      this.apart.push({ names: own, of });
    }
    return files;
  }

  /** Takes the names that all files together have on one side only. */
  private compare(old: readonly ProjectFile<D>[], now: readonly ProjectFile<D>[]): void {
    const { common } = this.language;
    if (!common) return;
    const said = (files: readonly ProjectFile<D>[]): Set<string> => new Set(files.flatMap(({ facts }) => [...common(facts)]));
    const onOneSide = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] => [...[...a].filter((name) => !b.has(name)), ...[...b].filter((name) => !a.has(name))];
    if (onOneSide(said(old), said(now)).length === 0) return;
    for (const name of onOneSide(said(this.before.files), said(this.after.files))) this.wide.add(name.slice(name.lastIndexOf(".") + 1));
  }

  private get nothing(): boolean {
    return this.questions.size + this.led.size + this.below.size + this.own.size + this.apart.length === 0 && [this.near, this.wide, this.nearLeads, this.wideLeads, this.members].every(({ all }) => all.size === 0);
  }

  /** Finds out who imports files that have come. */
  private arrive(came: readonly string[]): void {
    const importsOf = came.length === 0 ? undefined : this.language.imports?.(this.after);
    if (!importsOf) return;
    for (const path of came) this.arrivals.set(path, []);
    for (const file of this.after.files) for (const path of new Set(importsOf(file))) this.arrivals.get(path)?.push(file.path);
  }

  private importersOf(path: string): string[] {
    return this.language.imports ? [...this.before.importers(path), ...this.arrivals.get(path) ?? []] : [];
  }

  /** All files that get to one of these through imports, these with them. */
  private reachOf(paths: Iterable<string>): ReadonlySet<string> {
    const reach = new Set(paths);
    // It grows while it is gone through.
    for (const path of reach) for (const importer of this.importersOf(path)) reach.add(importer);
    return reach;
  }

  /** Takes the names of entries that are different. */
  private take(different: readonly (readonly [entry: Entry, path: string])[]): void {
    const others = new Map<string, number>();
    for (const [{ of, names, member }] of different) {
      if (of === "only") for (const name of names) others.set(name, 0);
      if (member) others.set(member.lead, 0);
    }
    if (others.size > 0) {
      for (const { facts, path } of this.after.files) {
        if (this.changed.has(path)) continue;
        for (const name of this.language.only?.(facts, path) ?? []) {
          const count = others.get(name);
          if (count !== undefined) others.set(name, count + 1);
        }
      }
    }
    for (const [entry, path] of different) {
      if (entry.of !== "only") this.reached(entry, path, false, (others.get(entry.member?.lead ?? "") ?? 0) < 2);
      else if (others.get(entry.names[0]!)! < 2) for (const word of entry.asked ?? []) this.led.add(wordOf(word));
    }
  }

  /** What an entry leads to may be different. `far`: nobody is known to get there through imports alone. `guessed`: nor by more than its name. */
  private reached({ names, leads = [], of, asked, member, as, own }: Entry, path: string, far: boolean, guessed = true): void {
    if (own !== undefined) {
      const before = this.own.get(path);
      if (before) before.add(own);
      else this.own.set(path, new Set([own]));
    }
    if (member) {
      this.members.add(member.name);
      this.memberLeads.add(member.lead);
      this.memberLeads.add(ANY);
      for (const word of guessed ? [...member.lookups, member.guess] : member.lookups) this.lookups.add(word);
    }
    if (of === "bases") {
      const below = this.below.get(path);
      this.below.set(path, below ? new Set([...below, ...names]) : new Set(names));
      return;
    }
    if (of === "export") {
      for (const name of names) this.exported(path, name, as);
      return;
    }
    if (asked) {
      this.ask(names[0], asked);
      return;
    }
    const wide = far || of === "all";
    for (const name of names) (wide ? this.wide : this.near).add(name);
    for (const name of leads) (wide ? this.wideLeads : this.nearLeads).add(name);
  }

  private implied(): readonly number[] {
    return [...this.language.implied?.(this.questions.keys(), this.before, this.after) ?? []].map((word) => wordOf(word));
  }

  /** The files that have asked by one of these words. */
  private askersOf(words: readonly string[] = []): string[] {
    if (words.length === 0) return [];
    const numbers = wanted(words.map(wordOf));
    return this.after.files.filter(({ path }) => hasAny(this.before.asked(path), numbers)).map(({ path }) => path);
  }

  private ask(name: string | undefined, [told, untold]: readonly [told: string, untold: string], key = told): void {
    this.questions.set(key, { name, told: wordOf(told), untold: wordOf(untold) });
  }

  /** What a file exports under a name, or what is said for that, may be different. */
  private exported(path: string, name: string, as = name): void {
    for (const each of this.handersOf(path)) {
      const words = this.language.exported!(each, name);
      this.ask(as, words, as === name ? undefined : `${words[0]} ${as}`);
    }
  }

  private handersOf(path: string): ReadonlySet<string> {
    const known = this.handers.get(path);
    if (known) return known;
    const files = this.filesByPath ??= new Map(this.after.files.map((file) => [file.path, file]));
    const handers = new Set([path]);
    // It grows while it is gone through.
    for (const each of handers) {
      for (const importer of this.importersOf(each)) {
        const file = files.get(importer);
        if (file && this.language.handsOn?.(file.facts)) handers.add(importer);
      }
    }
    this.handers.set(path, handers);
    return handers;
  }

  /** What is asked of members whose place others may take, in the files to which entries "bases" get. */
  private ledFromBases(): ReadonlySet<number> {
    const led = new Set<number>();
    const { declares, open, imports } = this.language;
    if (!declares || this.below.size === 0) return led;
    const { files } = this.after;
    const numbers = new Map<string, number>();
    const targets: number[][] = [];
    const numberOf = (path: string): number => {
      let number = numbers.get(path);
      if (number === undefined) numbers.set(path, (number = targets.push([]) - 1));
      return number;
    };
    // As it was, and as it is.
    for (const path of new Set([...this.before.files, ...files].map((file) => file.path))) for (const importer of this.importersOf(path)) targets[numberOf(importer)]!.push(numberOf(path));
    const importsOf = imports?.(this.after);
    if (importsOf) for (const file of files) if (this.changed.has(file.path)) for (const path of importsOf(file)) targets[numberOf(file.path)]!.push(numberOf(path));
    // Hundreds of files may have such entries: what is declared is looked through once for all of them.
    const all = new Set([...this.below.values()].flatMap((names) => [...names]));
    const declared = new Map<number, (readonly [name: string, word: number])[]>();
    for (const file of files) {
      const own = [...declares(file, all)];
      if (own.length > 0) declared.set(numberOf(file.path), own.map(([name, word]) => [name, wordOf(word)]));
    }
    const everywhere = files.filter(({ facts }) => open?.(facts)).map(({ path }) => numberOf(path));
    for (const [origin, names] of this.below) {
      const reach = new Set([numberOf(origin), ...everywhere]);
      for (const at of reach) {
        for (const [name, word] of declared.get(at) ?? []) if (names.has(name)) led.add(word);
        for (const target of targets[at]!) reach.add(target);
      }
    }
    return led;
  }

  /** What a file has asked of these questions, whose words are sorted: by which names, and whether any without a name. */
  private askedBy(path: string, words: Words, questions: readonly { question: Question; untold: boolean }[]): { some: boolean; names: ReadonlySet<string>; untold: boolean } {
    const asked = { some: false, names: new Set<string>(), untold: false };
    meet(this.before.asked(path), words, (at) => {
      const { question: { name }, untold } = questions[at]!;
      asked.some = true;
      asked.untold ||= untold;
      if (name !== undefined) asked.names.add(name);
      return false;
    });
    return asked;
  }

  /** What may be different among the entries of a file since it was last asked for; undefined for nothing. */
  private ownOf(path: string): ReadonlySet<string> | undefined {
    const own = this.own.get(path);
    this.own.delete(path);
    return own;
  }

  /** Goes from names to the entries that use them, and on with theirs. `opened`: files of which every entry may be different. */
  private follow(reach: ReadonlySet<string> | undefined, opened: ReadonlySet<string>): void {
    const { language } = this;
    const done = new Set<Entry>();
    const reached = (entry: Entry, { path }: ProjectFile<D>, far: boolean): void => {
      done.add(entry);
      this.reached(entry, path, far);
    };
    for (const file of this.after.files) {
      if (!opened.has(file.path)) continue;
      for (const entry of language.surface(file).entries) if (entry.of !== "only" && entry.of !== "export" && (entry.asked || entry.of !== undefined)) reached(entry, file, false);
    }
    for (;;) {
      const [near, wide, members] = [this.near.fresh(), this.wide.fresh(), this.members.fresh()];
      const apart = this.apart.map(({ names, of }) => ({ ...names.fresh(), of }));
      const questions = [...this.questions.values()].slice(this.followed);
      this.followed += questions.length;
      // What is of files that have gone is taken off with the others.
      const { own } = this;
      this.own = new Map();
      if (questions.length + own.size === 0 && [near, wide, members, ...apart].every(({ all }) => all.size === 0)) return;
      const words = questions.flatMap((question) => [{ word: question.told, question, untold: false }, { word: question.untold, question, untold: true }]).sort((a, b) => a.word - b.word);
      const put = Uint32Array.from(words, ({ word }) => word);
      for (const file of this.after.files) {
        const inReach = reach?.has(file.path) ?? true;
        const led = [wide, members, ...(inReach ? [near] : []), ...apart.filter(({ of }) => of.has(file.path))];
        const asked = this.askedBy(file.path, put, words);
        if (asked.some || led.some(({ written }) => hasAny(language.wordsOf(file.facts), written))) {
          const uses = (entry: Entry): boolean => led.some(({ all }) => haveCommon(all, entry.uses)) || haveCommon(asked.names, entry.uses) || (asked.untold && entry.uses.has(ASKS));
          for (const entry of language.surface(file).entries) if (!done.has(entry) && uses(entry)) reached(entry, file, !inReach);
        }
        for (let names = own.get(file.path) ?? this.ownOf(file.path); names; names = this.ownOf(file.path)) {
          for (const entry of language.surface(file).entries) if (!done.has(entry) && haveCommon(names, entry.uses)) reached(entry, file, !inReach);
        }
      }
    }
  }
}

/** Whether one is in both. */
function haveCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [fewer, more] = a.size < b.size ? [a, b] : [b, a];
  for (const one of fewer) if (more.has(one)) return true;
  return false;
}

function byPath<D>(files: readonly ProjectFile<D>[], paths: ReadonlySet<string>): Map<string, ProjectFile<D>> {
  return new Map(files.filter(({ path }) => paths.has(path)).map((file) => [file.path, file]));
}

/** The entries of either list that the other one has not. */
function difference(a: readonly Entry[], b: readonly Entry[]): Entry[] {
  // What says nothing of its own but leads on, a name that stands for another, differs in what it uses alone.
  const key = ({ text, names, uses, leads, of, asked, member, as, own }: Entry): string => `${JSON.stringify([names, [...uses], leads, of, asked, member?.name, member?.lookups, as, own])}\n${text}`;
  const [was, is] = [a.map(key), b.map(key)];
  const without = (list: readonly Entry[], own: readonly string[], others: ReadonlySet<string>): Entry[] => list.filter((_, i) => !others.has(own[i]!));
  return [...without(a, was, new Set(is)), ...without(b, is, new Set(was))];
}
