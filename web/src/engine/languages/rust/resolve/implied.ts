import { FEW, ONE_OF_MANY, STORED } from "../../../language.ts";
import { wordAfter } from "../../words.ts";
import { type Offset, Op } from "../facts.ts";
import { ALTERNATIVE } from "./alternatives.ts";
import { DECLARED, heldAs, INFERRED, type Operand, referenceOf } from "./callees.ts";
import type { Func, Impl, Source } from "./program.ts";
import { builds, mayBe, substitute, type Type } from "./types.ts";
import type { Typing } from "./typing.ts";

/** One of a pair of traits, of which the other one changes its object: which of them runs, the code around tells. */
const EITHER = 0.6;
const CHANGING: Readonly<Record<string, string>> = { Index: "IndexMut", Deref: "DerefMut" };
/** Traits whose argument is what the second operand is, and the type itself where they have none. */
const BY_ARGUMENT = /^(?:(?:Add|Sub|Mul|Div|Rem|BitAnd|BitOr|BitXor|Shl|Shr)(?:Assign)?|PartialEq|PartialOrd|Index|From|TryFrom)$/;

/** Methods that are given the error. */
const MADE_ERROR = /^(?:map_err|ok_or|ok_or_else|or|or_else)$/;
const THROUGH = /^(?:Display|Debug|Index)$/;
const NUMBER = /^(?:[iu](?:8|16|32|64|128|size)|f32|f64)$/;

/** What the language and its library run of the traits that a type implements: operators, loops, texts, conversions. */
export class Implied {
  constructor(private readonly types: Typing, private readonly operand: (source: Source, at: Offset) => Operand) {}

  /** What an Implied or a Raised runs. */
  targets(source: Source, at: Offset): readonly { func: Func; confidence: number }[] {
    const { code, strings } = source.data;
    if (code[at] === Op.Raised) {
      const into = errorOf(this.types.type(source, code[at + 1]!));
      const { type, certainty } = this.operand(source, code[at + 2]!);
      const error = errorOf(type);
      // What a function of another library meets may be any that there is a conversion for.
      if (into?.kind === "own" && !(code[code[at + 2]!] === Op.Method && MADE_ERROR.test(strings[code[code[at + 2]! + 2]!]!)) && (error?.kind ?? type.kind) === "unknown") return this.some(into, "From", "from");
      return !into || !error || (into.kind === error.kind && mayBe(into, error)) ? [] : this.of(into, "From", "from", certainty, error);
    }
    const [trait, method] = [strings[code[at + 1]!]!, strings[code[at + 2]!]!];
    const { type, certainty } = this.operand(source, code[at + 3]!);
    if (trait === "IntoFuture") return this.awaits(type, certainty);
    if (trait === "IntoIterator") return this.loop(type, certainty, heldAs(source, code[at + 3]!));
    const other = BY_ARGUMENT.test(trait) && code[at + 4]! > 0 ? this.operand(source, code[at + 4]!).type : undefined;
    const held = [heldAs(source, code[at + 3]!), heldAs(source, code[at + 4]!)] as const;
    // A text shows what a box holds; an index is looked for as a method is.
    for (const one of THROUGH.test(trait) ? this.types.derefs(type) : [type]) {
      const found = this.of(one, trait, method, certainty, other, held);
      if (found.length > 0 || (one.kind !== "foreign" && trait !== "Index")) return found;
    }
    return [];
  }

  private loop(type: Type, certainty: number, held: string): readonly { func: Func; confidence: number }[] {
    const next = this.of(type, "Iterator", "next", certainty);
    if (next.length > 0) return next;
    return this.andThen(type, this.of(type, "IntoIterator", "into_iter", certainty, undefined, [held, ""]), "Iterator", "next");
  }

  /** `Deref` or `DerefMut` of a pointer. */
  pointedBy(type: Type, certainty: number): readonly { func: Func; confidence: number }[] {
    return this.of(type, "Deref", "deref", certainty);
  }

  private awaits(type: Type, certainty: number): readonly { func: Func; confidence: number }[] {
    for (const one of this.types.derefs(type)) {
      if (one.kind !== "own") continue;
      const poll = this.of(one, "Future", "poll", certainty);
      return poll.length > 0 ? poll : this.andThen(one, this.of(one, "IntoFuture", "into_future", certainty), "Future", "poll");
    }
    return [];
  }

  /** What runs first, and what runs then of what that gives. */
  private andThen(type: Type, begins: readonly { func: Func; confidence: number }[], trait: string, method: string): readonly { func: Func; confidence: number }[] {
    const [first] = begins;
    const { source, fact, impl } = first?.func ?? {};
    if (!first || !source || !fact?.result) return begins;
    const given = this.types.settle(substitute(this.types.type(source, fact.result), impl ? this.types.impls.bindingsOf(impl, type) : new Map<string, Type>()));
    return [...begins, ...this.of(given, trait, method, first.confidence)];
  }

  /** What a type has of a trait, of which some may run. */
  private some(type: Type, trait: string, method: string): readonly { func: Func; confidence: number }[] {
    const found = this.of(type, trait, method, 1);
    return found.length > FEW ? [] : found.map(({ func }) => ({ func, confidence: found.length === 1 ? STORED : ONE_OF_MANY }));
  }

  /** What a type has of a trait; `held`: how both operands are held, as in `&a + b`. */
  private of(type: Type, trait: string, method: string, certainty: number, argument?: Type, held?: readonly [string, string]): readonly { func: Func; confidence: number }[] {
    if (type.kind !== "own" && type.kind !== "foreign") return [];
    if (type.kind === "own" && type.others) return builds(type).flatMap((one) => this.of(one, trait, method, Math.min(certainty, ALTERNATIVE), argument, held));
    let found = this.types.impls.foreignTraits(type, trait).flatMap((impl) => {
      this.types.program.asks.one(wordAfter(impl.place, method));
      const fact = impl.fact.functions.find(({ name }) => name === method);
      return fact && (argument === undefined || this.takes(impl, type, argument)) ? [{ impl, func: { fact, source: impl.source, impl } }] : [];
    });
    for (const [i, how] of found.length > 1 && held ? held.entries() : []) {
      const same = found.filter(({ impl }) => (i === 0 ? referenceOf(impl.source, impl.fact.self) : referenceOf(impl.source, argumentOf(impl))) === how);
      if (same.length > 0) found = same;
    }
    if (found.length === 0) return [];
    const changing = CHANGING[trait] ? this.of(type, CHANGING[trait], `${method}_mut`, EITHER) : [];
    const confidence = Math.min(certainty, changing.length > 0 ? EITHER : DECLARED, found.length === 1 ? 1 : INFERRED / found.length);
    return [...found.map(({ func }) => ({ func, confidence })), ...changing];
  }

  /** Whether an impl is for what the second operand is. */
  private takes(impl: Impl, type: Type, argument: Type): boolean {
    const trait = this.types.impls.traitOf(impl);
    const taken = trait?.kind === "foreign" ? trait.args[0] : undefined;
    // A literal may be a number of any type.
    if (taken?.kind === "foreign" && argument.kind === "foreign" && NUMBER.test(taken.name) && NUMBER.test(argument.name)) return true;
    return mayBe(taken ? substitute(taken, this.types.impls.bindingsOf(impl, type)) : type, argument);
  }
}

/** The record of what a trait is for, `&'a T` in `Add<&'a T>`; 0 for none. */
function argumentOf({ source: { data: { code } }, fact: { trait } }: Impl): Offset {
  return code[trait] === Op.Path && code[trait + 4]! > 0 ? code[trait + 5]! : 0;
}

function errorOf(type: Type): Type | undefined {
  return type.kind === "foreign" && type.name === "Result" ? type.args[1] : undefined;
}
