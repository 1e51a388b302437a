import type { Checker } from "./checker.ts";
import type { Offset } from "./facts.ts";
import type { Found } from "./hierarchy.ts";
import { DECLARED, isNull, NO_CALL, type Resolution, type Target } from "./operand.ts";
import { accepts, type Argument, choose, Fit } from "./overloads.ts";
import { isStruct, type Source } from "./program.ts";
import { substitute, type Type, unionOf } from "./types.ts";

/** Operators that several types could declare for the same operands say nothing. */
const MAX_OPERATORS = 4;

/** What runs without being called by its name: methods of what a loop or a `using` is about, texts of objects, and operators. */
export class Implied {
  /** The names of properties that methods stand for. */
  private properties: ReadonlySet<string> | undefined;

  /** `overloads`: of several methods of one name the one is meant that takes nothing. */
  constructor(private readonly checker: Checker, private readonly overloads: boolean) {}

  /** The methods that a Runs means: the first of the operand, the others of what that gives. In PHP what has no `getIterator` may be an iterator itself. */
  methods(source: Source, at: Offset): readonly Target[] {
    const { code, strings } = source.data;
    const [first = "", ...others] = strings[code[at + 2]!]!.split(" ");
    // A method stands for few of the properties that are read or given something (PHP).
    if (first.startsWith(".") && !this.isOfMethod(first.slice(1))) return [];
    const { type, certainty } = this.checker.operand(source, code[at + 1]!);
    const begun = this.plain(type, first);
    const through = begun.length > 0 ? begun.map((found) => this.given(found)) : first === "getIterator" ? [type] : [];
    const next = through.flatMap((one) => others.flatMap((name) => this.plain(one, name)));
    return [...begun, ...next].map(({ member, receiver }) => ({ member, confidence: Math.min(certainty, DECLARED), receiver }));
  }

  /** Whether there is a method that stands for a property of a name. */
  private isOfMethod(name: string): boolean {
    this.checker.lookups.askAny(name);
    this.properties ??= new Set(this.checker.program.declarations.flatMap(({ fields }) => [...fields.values()].flatMap((members) => members.flatMap(({ fact }) => (fact.symbol >= 0 && !fact.variable ? [fact.name] : [])))));
    return this.properties.has(name);
  }

  /** Methods of a name, one of each type; behind a colon stands how many arguments they are given, before the name of a property a dot. */
  private plain(type: Type, said: string): Found[] {
    const [name = "", given = "0"] = said.split(":");
    return this.checker.termsOf(type).flatMap((term) => {
      if (name.startsWith(".")) return term.kind === "class" ? (this.checker.hierarchy.field(term, name.slice(1)) ?? []) : [];
      const all = term.kind === "class" ? this.checker.hierarchy.methods(term, name).filter(({ member: { fact } }) => !this.overloads || (fact.required <= Number(given) && fact.parameters.length >= Number(given))) : [];
      return all.slice(0, 1);
    });
  }

  private given({ member: { source, fact }, bindings }: Found): Type {
    return substitute(this.checker.type(source, fact.type), bindings);
  }

  /** What an Operator runs and gives: one that the type of an operand declares, as far as it takes the operands. */
  operator(source: Source, at: Offset): Resolution {
    const { code, strings } = source.data;
    const name = strings[code[at + 1]!]!;
    const operands = code.slice(at + 3, at + 3 + code[at + 2]!).map((operand) => this.checker.operand(source, operand));
    const args: Argument[] = operands.map(({ type }) => ({ type, lambda: -1, spread: false }));
    // A conversion may be declared by the type that it gives, which is the last operand.
    if (name.includes(" operator ")) {
      args.pop();
      // What may be any object is only looked at.
      if (args.some(({ type }) => this.checker.termsOf(type).every((term) => (term.kind === "class" ? term.declaration.kind === "interface" : term.kind === "foreign" && /^(?:[Oo]bject|dynamic)$/.test(term.name))))) return NO_CALL;
    }
    // Whether an optional value is there is asked of it without its operators.
    if (args.some(({ type }) => isNull(type)) && args.some(({ type }) => isStruct(type))) return NO_CALL;
    const { hierarchy } = this.checker;
    const declared = new Map(operands.flatMap(({ type }) => this.checker.termsOf(type).flatMap((term) => (term.kind === "class" ? hierarchy.methods(term, name).map((found) => [found.member.fact, found] as const) : []))));
    const fitting = [...declared.values()].filter((found) => found.member.fact.parameters.length === args.length && args.every(({ type }, i) => accepts(hierarchy, hierarchy.parameters(found)[i]!, type) > Fit.Never));
    const { chosen } = choose(hierarchy, fitting, args, false);
    const certainty = Math.min(DECLARED, ...operands.filter(({ type }) => type.kind === "class").map((operand) => operand.certainty));
    if (chosen.length === 0 || chosen.length > MAX_OPERATORS) return NO_CALL;
    const confidence = Math.round(certainty * 100 / chosen.length) / 100;
    return { targets: chosen.map(({ member, receiver }) => ({ member, confidence, receiver })), type: unionOf(chosen.map((found) => this.given(found))), certainty };
  }
}
