import { wordOf } from "../../words.ts";
import type { EnumFact, ShapeFact } from "../facts.ts";

/** Something whose members other files learn of one at a time. */
export type Whole = ShapeFact | EnumFact;

/** Asked for all names of members, and their order. */
export const EVERY = "*";

/** Asked for what a module is by `export =`. */
export const EQUALS = "=";

/** What a thing with members is called among those of its file; undefined for one without a name, which is a part of what holds it. */
export function calledIn(whole: Whole | { name: string }): string | undefined {
  return whole.name !== "" && (!("kind" in whole) || whole.kind === "class" || whole.kind === "interface") ? whole.name : undefined;
}

/** A member of a thing, as something to ask for. `told`: by a name that stands in the source that asks. */
export function question(path: string, whole: Whole | { name: string }, name: string, told: boolean): string {
  return `${path}#${calledIn(whole) ?? ""}${told ? "." : "?"}${name}`;
}

/** The members that take the place of one where something derives from what has it, as something to ask for. */
export function heirsQuestion(path: string, whole: Whole, name: string): string {
  return `${path}#${calledIn(whole) ?? ""}<${name}`;
}

/** What a module exports, as something to ask for. */
export function exportQuestion(path: string, name: string, told: boolean): string {
  return question(path, EXPORTS, name, told);
}

/** The only method of a name, as something to ask for. */
export function guesses(name: string): readonly [told: string, untold: string] {
  return [exportQuestion(ANYWHERE, name, true), exportQuestion(ANYWHERE, name, false)];
}

/** In the place of a path: what may stand in any file. */
export const ANYWHERE = "";

const EXPORTS = { name: "export" };

/** Which members a file's expressions and types have asked of what things, and which names of what modules, found or not. */
export class Asked {
  private readonly told = new Map<Whole | string, Questions>();
  private readonly untold = new Map<Whole | string, Questions>();
  private readonly heirs = new Set<string>();

  /** `whole` is the path for what the module exports. */
  ask(path: string, whole: Whole | string, name: string, told: boolean): void {
    const questions = told ? this.told : this.untold;
    let known = questions.get(whole);
    if (!known) questions.set(whole, (known = { path, names: new Set() }));
    known.names.add(name);
  }

  /** A call is led to what takes the place of a member. */
  askHeirs(path: string, whole: Whole, name: string): void {
    this.heirs.add(heirsQuestion(path, whole, name));
  }

  get some(): boolean {
    return this.told.size + this.untold.size + this.heirs.size > 0;
  }

  /** Asks what another one has asked. */
  again(other: Asked): void {
    for (const [told, all] of [[true, other.told], [false, other.untold]] as const) {
      for (const [whole, { path, names }] of all) for (const name of names) this.ask(path, whole, name, told);
    }
  }

  /** The hashes of all questions. */
  words(): number[] {
    const words = [...this.heirs].map((question) => wordOf(question));
    for (const [told, all] of [[true, this.told], [false, this.untold]] as const) {
      for (const [whole, { path, names }] of all) for (const name of names) words.push(wordOf(typeof whole === "string" ? exportQuestion(path, name, told) : question(path, whole, name, told)));
    }
    return words;
  }
}

interface Questions {
  path: string;
  names: Set<string>;
}
