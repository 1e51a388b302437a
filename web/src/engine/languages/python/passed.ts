import type { Project, ProjectFile } from "../../language.ts";
import type { PyFacts } from "./facts.ts";
import { MAX_SITES, type Work } from "./resolve.ts";
import { functionNames, Printer } from "./surface.ts";

type Py = Project<PyFacts>;

/** A function to which other expressions are passed than before. */
export interface Passed {
  path: string;
  name: string;
}

/** An expression that a call passes to a function. */
export interface Site {
  passed: Passed;
  was: number;
  is: number;
  /** The names in it, once they were asked for. */
  uses?: ReadonlySet<string>;
}

/** What calls pass, before a change and after it, by the files and functions as they are now. */
export class Notes {
  /** Of files that are gone. */
  private readonly gone: number[] = [];
  /** The notes from before in the numbers of now, but for the expressions. */
  readonly before: readonly (readonly number[])[];
  /** Changed files in which functions of one name may have taken each other's places. */
  readonly mixed: readonly string[];
  private readonly olds: readonly (ProjectFile<PyFacts> | undefined)[];

  constructor(was: Py, private readonly is: Py, { notes }: Pick<Work, "notes">, private readonly changed: ReadonlySet<string>) {
    const now = new Map(is.files.map(({ path }, i) => [path, i]));
    const places = was.files.map(({ path }) => now.get(path));
    const functions = was.files.map((file, i) => {
      const place = places[i];
      if (place === undefined || !changed.has(file.path)) return undefined;
      const numbers = new Map(functionNames(is.files[place]!).map((name, at) => [name, at]));
      return functionNames(file).map((name) => numbers.get(name));
    });
    this.mixed = was.files.filter((file, i) => {
      const place = places[i];
      return place !== undefined && changed.has(file.path) && again(file) !== again(is.files[place]!);
    }).map(({ path }) => path);
    const before: number[][] = is.files.map(() => []);
    const olds: (ProjectFile<PyFacts> | undefined)[] = is.files.map(() => undefined);
    notes.forEach((list, i) => {
      const place = places[i];
      if (place !== undefined) olds[place] = was.files[i]!;
      const own = place === undefined ? this.gone : before[place]!;
      for (let at = 0; at < list.length; at += 4) {
        const file = places[list[at]!];
        const fn = functions[list[at]!] ? functions[list[at]!]![list[at + 1]!] : list[at + 1]!;
        if (file !== undefined && fn !== undefined) own.push(file, fn, list[at + 2]!, list[at + 3]!);
      }
    });
    this.before = before;
    this.olds = olds;
  }

  /** The functions to which these files pass something else than before. */
  different(now: readonly (readonly number[])[], files: ReadonlySet<string>): Passed[] {
    const functions = new Map<string, Passed>();
    this.is.files.forEach(({ path }, file) => {
      if (files.has(path)) for (const notes of [this.before[file]!, now[file]!]) for (let i = 0; i < notes.length; i += 4) functions.set(keyOf(notes, i), this.functionOf(notes, i));
    });
    const sure = new Set<string>();
    for (let i = 0; i < this.gone.length; i += 4) {
      const key = keyOf(this.gone, i);
      functions.set(key, this.functionOf(this.gone, i));
      sure.add(key);
    }
    if (functions.size === 0) return [];
    const [old, fresh] = [this.sites(this.before, this.olds, functions), this.sites(now, this.is.files, functions)];
    return [...functions].filter(([key]) => sure.has(key) || old.get(key)?.join("\n") !== fresh.get(key)?.join("\n")).map(([, passed]) => passed);
  }

  /** By file the expressions that it passes and that count, as they were and as they are, where functions are passed as many as before. */
  counted(now: readonly (readonly number[])[]): Map<number, Site[]> {
    const sides = [this.before, now].map((notes) => {
      const sites = new Map<string, { passed: Passed; at: [file: number, id: number][] }>();
      notes.forEach((list, file) => {
        for (let i = 0; i < list.length; i += 4) {
          const key = keyOf(list, i);
          let known = sites.get(key);
          if (!known) sites.set(key, (known = { passed: this.functionOf(list, i), at: [] }));
          if (known.at.length < MAX_SITES) known.at.push([file, list[i + 3]!]);
        }
      });
      return sites;
    });
    const counted = new Map<number, Site[]>();
    for (const [key, { passed, at }] of sides[1]!) {
      const before = sides[0]!.get(key)?.at;
      at.forEach(([file, id], i) => {
        if (before?.[i]?.[0] !== file) return;
        const site = { passed, was: before[i][1], is: id };
        const own = counted.get(file);
        if (own) own.push(site);
        else counted.set(file, [site]);
      });
    }
    return counted;
  }

  private functionOf(notes: readonly number[], at: number): Passed {
    const { path, facts: { data } } = this.is.files[notes[at]!]!;
    return { path, name: data.strings[data.functions[notes[at + 1]!]!.name]! };
  }

  private sites(notes: readonly (readonly number[])[], files: readonly (ProjectFile<PyFacts> | undefined)[], wanted: ReadonlyMap<string, Passed>): Map<string, string[]> {
    const sites = new Map<string, string[]>();
    notes.forEach((list, file) => {
      for (let i = 0; i < list.length; i += 4) {
        const key = keyOf(list, i);
        if (!wanted.has(key)) continue;
        let found = sites.get(key);
        if (!found) sites.set(key, (found = []));
        if (found.length >= MAX_SITES) continue;
        const { path, facts } = files[file]!;
        found.push(`${file} ${this.changed.has(path) ? printed(facts.data, list[i + 3]!).text : list[i + 3]!}`);
      }
    });
    return sites;
  }
}

/** What an expression says, and what it uses. */
export function printed(facts: PyFacts, id: number): Printer {
  const print = new Printer(facts);
  print.node(id);
  return print;
}

/** The functions of a file whose names others in front of them have. */
function again(file: ProjectFile<PyFacts>): string {
  return functionNames(file).filter((name) => !name.endsWith("#1")).join("\n");
}

function keyOf(notes: readonly number[], at: number): string {
  return `${notes[at]!}.${notes[at + 1]!}.${notes[at + 2]!}`;
}
