import type { Slot } from "../../language.ts";
import { type MemberFact, Op } from "./facts.ts";
import { type Declaration, type Member, refOf } from "./program.ts";

/** What handles objects of a class that are sent somewhere; or those of classes below an interface, where only that is known of them. */
export function sentAs({ parts: [part] }: Declaration, name: ":sent" | ":below" = ":sent"): Slot | undefined {
  return part && part.fact.symbol >= 0 ? { owner: { file: part.source.index, symbol: part.fact.symbol }, name } : undefined;
}

/** What tables have under a name: they are told apart by that alone. */
export function entryOf(name: string): Slot {
  return { name: `[${name}]` };
}

/** A record that stands for a variable, a field or an element. */
export function isRead(op: number): boolean {
  return op === Op.Name || op === Op.Select || op === Op.Variable || op === Op.Element || op === Op.Index || op === Op.Entry || op === Op.Argument;
}

/** A field; of a property with code, what it gives or what it is given. */
export function fieldOf(member: Member, written: boolean): Slot | undefined {
  const { fact, owner } = member;
  const ref = refOf(member);
  if (ref && !fact.variable) return { owner: ref, name: written ? "0" : "()" };
  const [part] = owner?.parts ?? [];
  return part && part.fact.symbol >= 0 ? { owner: { file: part.source.index, symbol: part.fact.symbol }, name: fact.name } : undefined;
}

/** An extension method's first parameter is what it is called on. */
export function shiftOf({ variables, parameters }: MemberFact): number {
  return variables ? Math.max(0, variables.length - parameters.length) : 0;
}

/** A parameter; of the constructor that a record has without declaring it, its field. */
export function parameterOf(member: Member, position: number): Slot | undefined {
  const { fact, owner } = member;
  const ref = refOf(member);
  if (ref) return { owner: ref, name: String(position + shiftOf(fact)) };
  if (fact.kind !== "constructor") return undefined;
  const part = owner?.parts.find((one) => one.fact.members.includes(fact));
  const field = part?.fact.members.filter(({ kind }) => kind === "field")[position];
  return field && fieldOf({ ...member, fact: field }, true);
}

/** What a function returns; of a record's accessor that nobody declares, its field. */
export function returnedBy(member: Member): Slot | undefined {
  const { fact, owner } = member;
  const ref = refOf(member);
  if (ref) return { owner: ref, name: "()" };
  const field = fact.parameters.length === 0 ? owner?.fields.get(fact.name)?.[0] : undefined;
  return field && fieldOf(field, false);
}
