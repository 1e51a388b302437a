import type { Checker } from "./checker.ts";
import { type Offset, Op } from "./facts.ts";
import type { Found } from "./hierarchy.ts";
import { DECLARED, GUESS, INFERRED, isNull, NO_CALL, type Operand, type Resolution, rounded, type Target } from "./operand.ts";
import { type Argument, choose, Fit, fitOf } from "./overloads.ts";
import { isStruct, type Source } from "./program.ts";
import { substitute, type Type, unionOf } from "./types.ts";

/** Operators that several types could declare for the same operands say nothing. */
const MAX_OPERATORS = 4;

/** What may be an extension method, too. */
const EXTENDED = /^(?:Get(?:Async)?Enumerator|GetAwaiter|Deconstruct:\d+)$/;

/** What runs without being called by its name: methods of what a loop or a `using` is about, texts of objects, and operators. */
export class Implied {
  /** The names of properties that methods stand for. */
  private properties: ReadonlySet<string> | undefined;
  private readonly answered = new Map<string, boolean>();

  /** `overloads`: of several methods of one name the one is meant that takes nothing. */
  constructor(private readonly checker: Checker, private readonly overloads: boolean) {}

  /** The methods that a Runs means: the first of the operand, the others of what that gives. In PHP what has no `getIterator` may be an iterator itself. */
  methods(source: Source, at: Offset): readonly Target[] {
    const { code, strings } = source.data;
    const [first = "", ...others] = strings[code[at + 2]!]!.split(" ");
    if (first.startsWith(".")) return this.ofProperty(source, code[at + 1]!, first.slice(1));
    const { type, certainty } = this.checker.operand(source, code[at + 1]!);
    const own = this.plain(source, type, first);
    const begun = own.length > 0 || !EXTENDED.test(first) ? own : this.extended(source, type, first);
    const through = begun.length > 0 ? begun.map((found) => this.given(found)) : first === "getIterator" ? [type] : [];
    const next = through.flatMap((one) => others.flatMap((name) => this.plain(source, one, name)));
    return [...begun, ...next].map(({ member, receiver }) => ({ member, confidence: Math.min(certainty, DECLARED), receiver }));
  }

  /** The methods that stand for a property, or answer for it where none declares it: few do (PHP). */
  private ofProperty(source: Source, of: Offset, name: string): readonly Target[] {
    const answer = this.checker.rules.answerOf?.(name) ?? "";
    const stands = this.isOfMethod(name);
    if (!this.isAnswered(answer) && !stands) return [];
    const { type, certainty } = this.checker.operand(source, of);
    const { hierarchy } = this.checker;
    return this.checker.termsOf(type).flatMap((term): Target[] => {
      if (term.kind !== "class") return [];
      const found = stands ? hierarchy.field(term, name, source) : undefined;
      if (found) return [{ member: found.member, confidence: Math.min(certainty, DECLARED), receiver: found.receiver }];
      const [by] = hierarchy.methods(term, answer);
      const declared = by && hierarchy.field(term, name.replace(/^\W/, ""), source);
      return by && (!declared || declared.member.fact.said) ? [{ member: by.member, confidence: Math.min(certainty, INFERRED), receiver: by.receiver }] : [];
    });
  }

  /** Whether any type has a method that answers for properties. */
  private isAnswered(answer: string): boolean {
    const { checker: { lookups, program } } = this;
    lookups.askAny(answer);
    let known = this.answered.get(answer);
    if (known === undefined) this.answered.set(answer, (known = program.declarations.some(({ methods }) => methods.has(program.fold(answer)))));
    return known;
  }

  /** An extension method that stands for one of them, of a type that has none of the library (C#). */
  private extended(source: Source, type: Type, said: string): readonly Found[] {
    const [name = "", given = "0"] = said.split(":");
    return this.checker.termsOf(type).flatMap((term) => {
      if (term.kind === "class" ? this.checker.hierarchy.hasForeignAncestor(term.declaration) : term.kind !== "foreign" || given === "0") return [];
      return this.checker.calls.extensions(source, term, name).filter(({ member: { fact } }) => fact.required === Number(given)).slice(0, 1);
    });
  }

  /** Whether there is a method that stands for a property of a name. */
  private isOfMethod(name: string): boolean {
    this.checker.lookups.askAny(name);
    this.properties ??= new Set(this.checker.program.declarations.flatMap(({ fields }) => [...fields.values()].flatMap((members) => members.flatMap(({ fact }) => (fact.symbol >= 0 && !fact.variable ? [fact.name] : [])))));
    return this.properties.has(name);
  }

  /** Methods of a name, one of each type; behind a colon stands how many arguments they are given, before the name of a property a dot. */
  private plain(source: Source, type: Type, said: string): Found[] {
    const [name = "", given = "0"] = said.split(":");
    return this.checker.termsOf(type).flatMap((term) => {
      if (name.startsWith(".")) return term.kind === "class" ? (this.checker.hierarchy.field(term, name.slice(1), source) ?? []) : [];
      // A loop over what is no iterator, and `count` of what cannot be counted, run nothing of the object's.
      const isOther = term.kind === "class" && this.checker.rules.byInterface === true && !name.startsWith("__") && !this.checker.hierarchy.hasForeignAncestor(term.declaration);
      if (term.kind !== "class" || isOther) return [];
      const takes = ({ member: { fact } }: Found): boolean => !this.overloads || (fact.required <= Number(given) && fact.parameters.length >= Number(given));
      const own = this.checker.hierarchy.methods(term, name).filter(takes);
      // `void IDisposable.Dispose()`: `using` goes through the interface. A loop does so only where nothing else gives it an iterator.
      return (own.length > 0 || !/^Dispose(?:Async)?$/.test(name) ? own : this.checker.hierarchy.methods(term, name, true).filter(takes)).slice(0, 1);
    });
  }

  private given({ member: { source, fact }, bindings }: Found): Type {
    return substitute(this.checker.type(source, fact.type), bindings);
  }

  /** The index operators that `a[i]` may run; of several overloads, those that take `i`. */
  indexers(source: Source, at: Offset): { found: Found; confidence: number }[] {
    const { code } = source.data;
    const { type, certainty } = this.checker.operand(source, code[at + 1]!);
    const { hierarchy, calls } = this.checker;
    return this.checker.termsOf(type).flatMap((term) => {
      const declared = term.kind === "class" ? hierarchy.indexers(term) : [];
      if (declared.length < 2) return declared.map((found) => ({ found, confidence: certainty }));
      const { chosen, fits } = choose(hierarchy, declared, code.slice(at + 3, at + 3 + code[at + 2]!).map((one) => calls.argument(source, one)), false);
      return chosen.map((found) => ({ found, confidence: rounded(Math.min(certainty, fits ? 1 : GUESS) / chosen.length) }));
    });
  }

  /** What an Operator runs and gives: one that the type of an operand declares, as far as it takes the operands. */
  operator(source: Source, at: Offset): Resolution {
    const { code, strings } = source.data;
    const name = strings[code[at + 1]!]!;
    if (name.endsWith(" operator")) return this.conversion(source, code[at + 3]!, this.checker.operand(source, code[at + 4]!), name.startsWith("explicit"));
    const operands = code.slice(at + 3, at + 3 + code[at + 2]!).map((operand) => this.checker.operand(source, operand));
    const args: Argument[] = operands.map(({ type }) => ({ type, lambda: -1, spread: false }));
    // Whether an optional value is there is asked of it without its operators.
    if (args.some(({ type }) => isNull(type)) && args.some(({ type }) => isStruct(type))) return NO_CALL;
    const { hierarchy } = this.checker;
    const declared = new Map(operands.flatMap(({ type }) => this.checker.termsOf(type).flatMap((term) => (term.kind === "class" ? hierarchy.methods(term, name).map((found) => [found.member.fact, found] as const) : []))));
    const fitting = [...declared.values()].filter((found) => found.member.fact.parameters.length === args.length && args.every((argument, i) => fitOf(hierarchy, hierarchy.parameters(found)[i]!, argument) > Fit.Never));
    const { chosen } = choose(hierarchy, fitting, args, false);
    const certainty = Math.min(DECLARED, ...operands.filter(({ type }) => type.kind === "class").map((operand) => operand.certainty));
    if (chosen.length === 0 || chosen.length > MAX_OPERATORS) return NO_CALL;
    const confidence = Math.round(certainty * 100 / chosen.length) / 100;
    const [only, other] = chosen;
    const converted = only && !other ? hierarchy.parameters(only).flatMap((type, i) => this.conversion(source, code[at + 3 + i]!, { type, certainty }, false).targets) : [];
    return { targets: [...chosen.map(({ member, receiver }) => ({ member, confidence, receiver })), ...converted], type: unionOf(chosen.map((found) => this.given(found))), certainty };
  }

  /** The conversion that runs when a value is put into something of another type, or is cast to that type. */
  private conversion(source: Source, value: Offset, into: Operand, cast: boolean): Resolution {
    const { conversions } = this.checker.hierarchy;
    if (!conversions || conversions.declared.size === 0) return NO_CALL;
    const given = this.checker.operand(source, value);
    const certainty = Math.min(DECLARED, given.certainty, into.certainty);
    const found = conversions.between(given.type, into.type, cast);
    const confidence = rounded(certainty / found.length);
    return found.length === 0 ? NO_CALL : { targets: found.map(({ member, receiver }) => ({ member, confidence, receiver })), type: unionOf(found.map((one) => conversions.result(one))), certainty };
  }

  /** The conversions that the arguments of a Call or a New go through. */
  converted(source: Source, at: Offset, targets: readonly Target[]): readonly Target[] {
    const { conversions } = this.checker.hierarchy;
    if (!conversions || conversions.declared.size === 0) return [];
    const { code } = source.data;
    const given = code.slice(at + 3, at + 3 + code[at + 2]!);
    return targets.filter(({ confidence }) => confidence >= INFERRED).flatMap(({ member, confidence }) => given.flatMap((argument, i): readonly Target[] => {
      if (code[argument] === Op.Lambda || code[argument] === Op.New) return [];
      const { parameters, variadic } = member.fact;
      const position = this.checker.positions.of(source, at, i, member);
      const last = parameters.length - 1;
      const record = parameters[variadic ? Math.min(position, last) : position];
      if (record === undefined) return [];
      const type = this.checker.type(member.source, record);
      const given = this.checker.operand(source, argument).type;
      const into = variadic && position >= last && type.kind === "array" && given.kind !== "array" ? type.element : type;
      return this.conversion(source, argument, { type: into, certainty: confidence }, false).targets;
    }));
  }
}
