import type { Offset } from "./facts.ts";
import type { Member, Source } from "./program.ts";
import { shiftOf } from "./slots.ts";

/** Tells which parameters arguments are for, where these may go by their names (C#). */
export class Positions {
  private readonly names = new Map<Source, ReadonlyMap<string, string>>();

  /** The place of the parameter that an argument is for; -1 where it has none of that name. */
  of(source: Source, call: Offset, argument: number, { fact }: Member): number {
    const name = this.namesOf(source).get(`${call} ${argument}`);
    return name === undefined || !fact.names ? argument : fact.names.indexOf(name) - shiftOf(fact);
  }

  private namesOf(source: Source): ReadonlyMap<string, string> {
    const known = this.names.get(source);
    if (known) return known;
    const { named, strings } = source.data;
    const names = new Map<string, string>();
    for (let i = 0; i < named.length; i += 3) names.set(`${named[i]!} ${named[i + 1]!}`, strings[named[i + 2]!]!);
    this.names.set(source, names);
    return names;
  }
}
