import type { Project, ProjectFile } from "../../language.ts";
import { symbolNames } from "../../relations.ts";
import type { PyFacts } from "./facts.ts";
import { functionNames } from "./surface.ts";

type Py = Project<PyFacts>;
type File = ProjectFile<PyFacts>;

/** The numbers that things of a changed file have now; undefined where all have those that they had. */
type Numbers = readonly (number | undefined)[] | undefined;

/** What the numbers of files, functions and classes from before a change are now. */
export class Renumbered {
  /** Changed files in which functions of one name may have taken each other's places. */
  readonly mixed: string[] = [];
  private readonly places: readonly (number | undefined)[];
  /** Of changed files, by their numbers from before. */
  private readonly functions = new Map<number, Numbers>();
  private readonly classes = new Map<number, Numbers>();
  private readonly olds: (File | undefined)[];
  /** Whether no file has another number. */
  readonly stay: boolean;

  constructor(was: Py, is: Py, changed: ReadonlySet<string>) {
    const now = new Map(is.files.map(({ path }, i) => [path, i]));
    this.places = was.files.map(({ path }) => now.get(path));
    this.olds = is.files.map(() => undefined);
    this.stay = was.files.length === is.files.length && this.places.every((place, i) => place === i);
    was.files.forEach((file, i) => {
      const place = this.places[i];
      if (place === undefined) return;
      this.olds[place] = file;
      if (!changed.has(file.path)) return;
      const [a, b] = [functionNames(file), functionNames(is.files[place]!)];
      if (again(a) !== again(b)) this.mixed.push(file.path);
      this.functions.set(i, numbersOf(a, b));
      this.classes.set(i, numbersOf(classNames(file), classNames(is.files[place]!)));
    });
  }

  /** A file, by its number of now, as it was. */
  old(file: number): File | undefined {
    return this.olds[file];
  }

  file(file: number): number | undefined {
    return this.places[file];
  }

  /** Lists by file in the order of now, empty for new files. */
  byFile<T>(lists: readonly T[], none: () => T): T[] {
    const moved = this.olds.map(none);
    lists.forEach((list, i) => {
      const place = this.places[i];
      if (place !== undefined) moved[place] = list;
    });
    return moved;
  }

  /** A list of groups of numbers, each with a file and a function of it at some place, as they are now: without those that are gone. */
  inFunctions(list: Int32Array, size: number, at: number): Int32Array {
    return this.within(list, size, at, this.functions);
  }

  /** The same with classes. */
  inClasses(list: Int32Array, size: number, at: number): Int32Array {
    return this.within(list, size, at, this.classes);
  }

  private within(list: Int32Array, size: number, at: number, changed: ReadonlyMap<number, Numbers>): Int32Array {
    if (this.stay && !this.isNamed(list, size, at, changed)) return list;
    const now: number[] = [];
    for (let i = 0; i < list.length; i += size) {
      const file = this.places[list[i + at]!];
      const numbers = changed.get(list[i + at]!);
      const number = numbers ? numbers[list[i + at + 1]!] : list[i + at + 1]!;
      if (file === undefined || number === undefined) continue;
      for (let part = 0; part < size; part++) now.push(part === at ? file : part === at + 1 ? number : list[i + part]!);
    }
    return Int32Array.from(now);
  }

  /** Whether a list has something that has another number. */
  private isNamed(list: Int32Array, size: number, at: number, changed: ReadonlyMap<number, Numbers>): boolean {
    for (const [file, numbers] of changed) if (numbers) for (let i = at; i < list.length; i += size) if (list[i] === file) return true;
    return false;
  }
}

function numbersOf(was: readonly string[], is: readonly string[]): Numbers {
  if (was.length <= is.length && was.every((name, i) => is[i] === name)) return undefined;
  const numbers = new Map(is.map((name, at) => [name, at]));
  return was.map((name) => numbers.get(name));
}

function classNames({ facts }: File): string[] {
  const symbols = symbolNames(facts);
  return facts.data.classes.map(({ symbol }) => symbols[symbol]!);
}

/** The functions whose names others in front of them have. */
function again(names: readonly string[]): string {
  return names.filter((name) => !name.endsWith("#1")).join("\n");
}
