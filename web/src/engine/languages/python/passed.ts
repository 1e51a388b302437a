import type { Project } from "../../language.ts";
import type { PyFacts } from "./facts.ts";
import type { Renumbered } from "./renumbered.ts";
import type { Work } from "./resolve.ts";
import { Printer } from "./surface.ts";

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
  /** `before`: the notes from before in the numbers of now, but for the expressions; `gone`: those of files that are gone. */
  constructor(
    private readonly renumbered: Renumbered, private readonly is: Py, private readonly before: Pick<Work, "notes" | "sites">, private readonly gone: readonly Int32Array[],
    private readonly now: Pick<Work, "notes" | "sites">, private readonly changed: ReadonlySet<string>,
  ) {}

  /** The functions to which these files pass, or passed, something, and that are passed something else. */
  different(files: ReadonlySet<string>): Passed[] {
    const functions = new Map<number, Passed & { other: boolean }>();
    const { sites } = this.now;
    const add = (notes: Int32Array, sure: boolean): void => {
      for (let i = 0; i < notes.length; i += 4) {
        const [file, fn, param] = [notes[i]!, notes[i + 1]!, notes[i + 2]!];
        const slot = sites.slot(file, fn, param);
        if (slot >= 0 && !functions.has(slot)) functions.set(slot, { ...this.functionOf(file, fn), other: sure || this.differs(slot, this.before.sites.slot(file, fn, param)) });
      }
    };
    for (const notes of this.gone) add(notes, true);
    this.is.files.forEach(({ path }, file) => {
      if (!files.has(path)) return;
      add(this.before.notes[file]!, false);
      add(this.now.notes[file]!, false);
    });
    return [...functions.values()].filter(({ other }) => other);
  }

  /** The expressions that a file passes and that count, as they were and as they are, where functions are passed as many as before. */
  counted(file: number): Site[] {
    const counted: Site[] = [];
    const seen = new Set<number>();
    const [old, now] = [this.before.sites, this.now.sites];
    const notes = this.now.notes[file]!;
    for (let at = 0; at < notes.length; at += 4) {
      const slot = now.slot(notes[at]!, notes[at + 1]!, notes[at + 2]!);
      if (slot < 0 || seen.has(slot)) continue;
      seen.add(slot);
      const was = old.slot(notes[at]!, notes[at + 1]!, notes[at + 2]!);
      const both = Math.min(old.count(was), now.count(slot));
      for (let i = 0; i < both; i++) {
        if (now.file(slot, i) !== file || old.file(was, i) !== file) continue;
        counted.push({ passed: this.functionOf(notes[at]!, notes[at + 1]!), was: old.id(was, i), is: now.id(slot, i) });
      }
    }
    return counted;
  }

  /** Whether a parameter is passed something else, by its numbers of now and before. */
  private differs(slot: number, before: number): boolean {
    const [old, now] = [this.before.sites, this.now.sites];
    const count = now.count(slot);
    if (count !== old.count(before)) return true;
    for (let i = 0; i < count; i++) {
      const file = now.file(slot, i);
      if (file !== old.file(before, i)) return true;
      const { path, facts } = this.is.files[file]!;
      const [was, is] = [old.id(before, i), now.id(slot, i)];
      if (this.changed.has(path) ? printed(this.renumbered.old(file)!.facts.data, was).text !== printed(facts.data, is).text : was !== is) return true;
    }
    return false;
  }

  private functionOf(file: number, fn: number): Passed {
    const { path, facts: { data } } = this.is.files[file]!;
    return { path, name: data.strings[data.functions[fn]!.name]! };
  }
}

/** What an expression says, and what it uses. */
export function printed(facts: PyFacts, id: number): Printer {
  const print = new Printer(facts);
  print.node(id);
  return print;
}
