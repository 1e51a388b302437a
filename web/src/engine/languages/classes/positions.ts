import type { MemberFact, Offset } from "./facts.ts";
import type { Member, Source } from "./program.ts";
import { shiftOf } from "./slots.ts";

/** What is written before an argument: the name of its parameter, and its Mode (C#). */
export interface Said {
  name?: string;
  mode?: string;
}

/** Tells which parameters arguments are for, where these may go by their names, and how they are passed (C#). */
export class Positions {
  private readonly all = new Map<Source, ReadonlyMap<Offset, ReadonlyMap<number, Said>>>();

  /** The place of the parameter that an argument is for; -1 where it has none of that name. */
  of(source: Source, call: Offset, argument: number, { fact }: Member): number {
    return placeOf(fact, this.saidOf(source, call)?.get(argument)?.name, argument);
  }

  /** What is written before the arguments of a call, by their places. */
  saidOf(source: Source, call: Offset): ReadonlyMap<number, Said> | undefined {
    let known = this.all.get(source);
    if (!known) this.all.set(source, (known = readAll(source)));
    return known.get(call);
  }
}

/** The place of the parameter that an argument is for, by its name if it has one; -1 where there is none of that name. */
export function placeOf(fact: MemberFact, name: string | undefined, argument: number): number {
  return name === undefined || !fact.names ? argument : fact.names.indexOf(name) - shiftOf(fact);
}

function readAll({ data: { named, modes, strings } }: Source): ReadonlyMap<Offset, ReadonlyMap<number, Said>> {
  const all = new Map<Offset, Map<number, Said>>();
  const at = (call: Offset, position: number): Said => {
    let ofCall = all.get(call);
    if (!ofCall) all.set(call, (ofCall = new Map<number, Said>()));
    let said = ofCall.get(position);
    if (!said) ofCall.set(position, (said = {}));
    return said;
  };
  for (let i = 0; i < named.length; i += 3) at(named[i]!, named[i + 1]!).name = strings[named[i + 2]!]!;
  for (let i = 0; i < modes.length; i += 3) at(modes[i]!, modes[i + 1]!).mode = strings[modes[i + 2]!]!;
  return all;
}
