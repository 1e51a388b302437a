import { wordAfter, wordOf } from "../../words.ts";
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
export function heirsQuestion(path: string, whole: Whole | { name: string }, name: string): string {
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

/** A module that is called with what another exports, as a name to guess by: by the last part of the path that it is imported by. */
export function handedTo(path: string): string {
  return `(${path.slice(path.lastIndexOf("/") + 1).replace(/\.[cm]?js$/, "")})`;
}

/** What the objects are that fields of a name are given, as a name to guess by. */
export function madeAs(field: string): string {
  return `.${field}`;
}

/** In the place of a path: what may stand in any file. */
export const ANYWHERE = "";

const EXPORTS = { name: "export" };

/** What the hashes of the questions about one thing with members, or about what one module exports, begin with. */
export interface Questions {
  readonly told: number;
  readonly untold: number;
  readonly heirs: number;
}

/** The questions about a thing of a file; without one, about what the file exports. */
export function questionsAbout(path: string, whole: Whole | { name: string } = EXPORTS): Questions {
  return { told: wordOf(question(path, whole, "", true)), untold: wordOf(question(path, whole, "", false)), heirs: wordOf(heirsQuestion(path, whole, "")) };
}

/** Which members a file's expressions and types have asked of what things, and which names of what modules, found or not. */
export class Asked {
  /** The hashes of its own questions. */
  private readonly own = new Set<number>();
  /** What these have asked, this has asked, too. */
  private others: Set<Asked> | undefined;

  /** `isTold`: by a name that stands in the source that asks. */
  ask({ told, untold }: Questions, name: string, isTold: boolean): void {
    this.own.add(wordAfter(isTold ? told : untold, name));
  }

  /** A call is led to what takes the place of a member. */
  askHeirs({ heirs }: Questions, name: string): void {
    this.own.add(wordAfter(heirs, name));
  }

  get some(): boolean {
    return this.own.size > 0 || this.others !== undefined;
  }

  /** Asks what another one has asked, which asks no more. */
  again(other: Asked): void {
    (this.others ??= new Set()).add(other);
  }

  /** The hashes of all questions, each once. */
  words(): number[] {
    const words = new Set<number>();
    // It grows while it is gone through.
    const all = new Set<Asked>([this]);
    for (const { own, others } of all) {
      for (const word of own) words.add(word);
      for (const other of others ?? []) all.add(other);
    }
    return [...words];
  }
}
