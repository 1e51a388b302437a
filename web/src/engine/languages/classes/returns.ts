import type { Checker } from "./checker.ts";
import { Op } from "./facts.ts";
import { isNull } from "./operand.ts";
import type { Member } from "./program.ts";
import { type Type, UNKNOWN, unionOf } from "./types.ts";

/** What may be of more types is of none in particular. */
const MAX_TYPES = 4;
const MAX_IMPLEMENTATIONS = 8;

/** Whether a method's code tells what it gives, since no type is declared (PHP). */
export function isByCode({ fact }: Member): boolean {
  return fact.type === 0 && fact.initialiser > 0;
}

/** What a method without a declared type gives by the values that it returns, and by those of what takes its place below: unknown unless all of them are known. */
export function typeByCode(checker: Checker, member: Member): Type {
  const below = member.fact.virtual && member.owner ? checker.hierarchy.implementations(member, member.owner) : [];
  if (below.length > MAX_IMPLEMENTATIONS) return UNKNOWN;
  const types = [member, ...below].map((one) => (isByCode(one) ? ofValues(checker, one) : checker.type(one.source, one.fact.type)));
  if (types.some(({ kind }) => kind === "unknown")) return UNKNOWN;
  const type = unionOf(types);
  return checker.termsOf(type).length > MAX_TYPES ? UNKNOWN : type;
}

function ofValues(checker: Checker, { source, fact: { initialiser: at } }: Member): Type {
  const { code } = source.data;
  const values = code[at] === Op.Either ? code.slice(at + 2, at + 2 + code[at + 1]!) : [at];
  const types = values.map((value) => checker.operand(source, value).type).filter((type) => !isNull(type));
  return types.some(({ kind }) => kind === "unknown") ? UNKNOWN : unionOf(types);
}
