import { likeOf } from "../patterns.ts";
import type { Callees } from "./callees.ts";
import type { Checker } from "./checker.ts";
import { type Offset, Op } from "./facts.ts";
import type { Found } from "./hierarchy.ts";
import { DECLARED, INFERRED, rounded, type Target } from "./operand.ts";
import { MAX_CHOSEN } from "./overloads.ts";
import { add, type Member, type Source } from "./program.ts";
import type { Rules } from "./rules.ts";

/** Tells what runs, or is handed on, where code names a member without calling it. */
export class Mentions {
  private constants: ReadonlyMap<string, readonly Member[]> | undefined;

  constructor(private readonly checker: Checker, private readonly rules: Rules, private readonly callees: Callees) {}

  /** What is run or handed on where a member is named without being called; `isStatic`: by code that belongs to no object. */
  of(source: Source, at: Offset, isStatic = false): readonly Target[] {
    const { code, strings } = source.data;
    if (code[at] === Op.Index) return this.checker.implied.indexers(source, at).map(({ found, confidence }) => ({ member: found.member, confidence }));
    if (code[at] === Op.Function) return this.handedOn(this.callees.of(source, at).groups.flat(), 1);
    const name = strings[code[at + (code[at] === Op.Name ? 1 : 2)]!]!;
    if (code[at] === Op.Name) {
      if (this.rules.freeFunctions) return this.handedOn(this.callees.of(source, at).groups.flat(), 1);
      const { types } = source.data;
      for (let within = code[at + 2]!; within >= 0; within = types[within]!.outer) {
        const own = this.checker.hierarchy.own(this.checker.program.declaration(source, within));
        const field = this.checker.hierarchy.field(own, name, source);
        const certainty = field && this.rules.methodGroups ? this.checker.readsField(source, at, field, isStatic) : 1;
        if (field) return certainty > 0 ? [{ member: field.member, confidence: certainty, receiver: own.declaration }] : [];
        const methods = this.rules.methodGroups ? this.checker.hierarchy.methods(own, name) : [];
        if (methods.length > 0) return this.handedOn(methods, 1);
      }
      for (const { owner } of this.checker.staticImports(source, code[at + 2]!, name)) {
        const field = this.checker.hierarchy.field(this.checker.hierarchy.own(owner), name, source);
        if (field) return [{ member: field.member, confidence: 1 }];
      }
      return [];
    }
    const operand = this.checker.operand(source, code[at + 1]!);
    const like = code[at] === Op.Reference ? likeOf(name) : undefined;
    if (like) {
      const { groups, certainty } = this.callees.like(operand, like);
      return groups.flatMap((methods) => this.handedOn(methods, certainty));
    }
    if (code[at] === Op.Select) {
      const fields = this.checker.fieldsOf(operand, source, code[at + 1]!, name);
      if (fields.length === 0 && operand.type.kind === "unknown" && this.rules.narrows && isConstant(name)) return this.guessedConstant(name);
      if (fields.length > 0) return fields.map(({ member }) => ({ member, confidence: rounded(Math.min(operand.certainty || DECLARED, fields.length > 1 ? INFERRED : 1)) }));
      if (!this.rules.methodGroups) return [];
    }
    const terms = this.checker.termsOf(operand.type);
    const behind = code[at] === Op.Select ? this.checker.typeBehind(source, code[at + 1]!) : undefined;
    const methods = [...terms, ...(behind ? [behind] : [])].map((term) => (term.kind === "class" ? this.checker.hierarchy.methods(term, name) : [])).find((list) => list.length > 0);
    return methods ? this.handedOn(methods, operand.certainty) : [];
  }

  /** The only constant of a name, of a class that is known when it runs: `$host::HOOK`. */
  private guessedConstant(name: string): readonly Target[] {
    this.checker.lookups.askAny(name);
    const all = this.constants ??= this.constantsByName();
    const [only, other] = all.get(name) ?? [];
    return only && !other ? [{ member: only, confidence: INFERRED }] : [];
  }

  private constantsByName(): ReadonlyMap<string, readonly Member[]> {
    const all = new Map<string, Member[]>();
    for (const { fields } of this.checker.program.declarations) for (const [name, members] of fields) if (isConstant(name)) for (const member of members) add(all, name, member);
    return all;
  }

  private handedOn(methods: readonly Found[], certainty: number): Target[] {
    return methods.length > MAX_CHOSEN ? [] : methods.map(({ member }) => ({ member, confidence: rounded(Math.min(certainty, member.fact.variable ? 1 : DECLARED) / methods.length), named: true }));
  }
}

/** PHP's constants have names apart. */
function isConstant(name: string): boolean {
  return name.startsWith("::");
}
