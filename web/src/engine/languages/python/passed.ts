import type { Project } from "../../language.ts";
import type { PyFacts } from "./facts.ts";
import type { Renumbered } from "./renumbered.ts";
import { Sites } from "./sites.ts";
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
  private readonly old: Sites;
  private readonly now: Sites;

  /** `before`: the notes from before in the numbers of now, but for the expressions; `gone`: those of files that are gone. */
  constructor(
    private readonly renumbered: Renumbered, private readonly is: Py, private readonly before: readonly (readonly number[])[], private readonly gone: readonly number[],
    private readonly notes: readonly (readonly number[])[], private readonly changed: ReadonlySet<string>,
  ) {
    const facts = is.files.map((file) => file.facts.data);
    this.old = new Sites(facts, before);
    this.now = new Sites(facts, notes);
  }

  /** The functions to which these files pass, or passed, something, and that are passed something else. */
  different(files: ReadonlySet<string>): Passed[] {
    const functions = new Map<number, Passed>();
    const add = (notes: readonly number[]): void => {
      for (let i = 0; i < notes.length; i += 4) {
        const slot = this.now.slot(notes[i]!, notes[i + 1]!, notes[i + 2]!);
        if (slot >= 0 && !functions.has(slot)) functions.set(slot, this.functionOf(notes[i]!, notes[i + 1]!));
      }
    };
    add(this.gone);
    const sure = functions.size;
    this.is.files.forEach(({ path }, file) => {
      if (!files.has(path)) return;
      add(this.before[file]!);
      add(this.notes[file]!);
    });
    return [...functions].filter(([slot], i) => i < sure || this.differs(slot)).map(([, passed]) => passed);
  }

  /** The expressions that a file passes and that count, as they were and as they are, where functions are passed as many as before. */
  counted(file: number): Site[] {
    const counted: Site[] = [];
    const seen = new Set<number>();
    const notes = this.notes[file]!;
    for (let at = 0; at < notes.length; at += 4) {
      const slot = this.now.slot(notes[at]!, notes[at + 1]!, notes[at + 2]!);
      if (slot < 0 || seen.has(slot)) continue;
      seen.add(slot);
      const both = Math.min(this.old.count(slot), this.now.count(slot));
      for (let i = 0; i < both; i++) {
        if (this.now.file(slot, i) !== file || this.old.file(slot, i) !== file) continue;
        counted.push({ passed: this.functionOf(notes[at]!, notes[at + 1]!), was: this.old.id(slot, i), is: this.now.id(slot, i) });
      }
    }
    return counted;
  }

  private differs(slot: number): boolean {
    const { old, now } = this;
    const count = now.count(slot);
    if (count !== old.count(slot)) return true;
    for (let i = 0; i < count; i++) {
      const file = now.file(slot, i);
      if (file !== old.file(slot, i)) return true;
      const { path, facts } = this.is.files[file]!;
      const [was, is] = [old.id(slot, i), now.id(slot, i)];
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
