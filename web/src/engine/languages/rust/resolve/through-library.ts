import { FEW, ONE_OF_MANY, STORED } from "../../../language.ts";
import { isTestPath } from "../../../test-paths.ts";
import { type Offset, Op } from "../facts.ts";
import { argumentRecords, type Callee, type Callees, INFERRED, type Operand } from "./callees.ts";
import { isCommonTrait, isOperator, keeps, runBy } from "./library-traits.ts";
import type { Func, Source } from "./program.ts";
import type { Type } from "./types.ts";
import type { Typing } from "./typing.ts";

/** One of the implementations of a trait runs. */
const IMPLEMENTATION = 0.6;
/** What has more implementations than this says nothing about which of them runs. */
const MAX_IMPLEMENTATIONS = 100;

interface Run {
  func: Func;
  confidence: number;
}

/** What runs of the traits of other crates that types of the repository implement, where a call leads into such a crate. */
export class ThroughLibrary {
  constructor(private readonly types: Typing, private readonly operand: (source: Source, at: Offset) => Operand, private readonly callees: Callees) {}

  /** What a Call or a Method that leads to no function of the repository runs. */
  targets(source: Source, at: Offset): readonly Run[] {
    const { code } = source.data;
    if (code[at] !== Op.Method && code[at] !== Op.Call) return [];
    const callee = this.callees.of(source, at);
    if (callee.functions.length > 0 || callee.made || callee.value) return [];
    const found = code[at] === Op.Method ? this.onReceiver(source, at) : [];
    return found.length > 0 ? found : this.handed(source, at, callee);
  }

  /** `w.write_all(…)`: on a type of the repository, what it has for that; on a `dyn Write` or a parameter that is bound so, what all types have. */
  private onReceiver(source: Source, at: Offset): readonly Run[] {
    const { code, strings } = source.data;
    const name = strings[code[at + 2]!]!;
    const { type: receiver, certainty } = this.operand(source, code[at + 1]!);
    for (const type of this.types.derefs(receiver)) {
      if (type.kind === "unknown") return [];
      if (type.kind === "foreign" || type.kind === "function") continue;
      const found = type.kind === "own" && type.declaration.fact.kind !== "trait" ? this.ofType(type, name, Math.min(certainty, INFERRED)) : this.ofBounds(source, type, name);
      if (found.length > 0) return found;
    }
    return [];
  }

  private ofType(type: Type, name: string, confidence: number): readonly Run[] {
    const found: Run[] = [];
    for (const [trait, methods] of runBy(name)) {
      for (const impl of this.types.impls.foreignTraits(type, trait)) {
        for (const fact of impl.fact.functions) if (methods.includes(fact.name)) found.push({ func: { fact, source: impl.source, impl }, confidence });
      }
    }
    return found;
  }

  private ofBounds(source: Source, type: Type, name: string): readonly Run[] {
    const bounds = this.types.withSupers(type.kind === "own" ? [type] : this.types.boundsOf(type));
    const isTest = isTestPath(source.path);
    for (const bound of bounds) {
      if (bound.kind !== "foreign" || isCommonTrait(bound.name)) continue;
      let all = this.types.impls.libraryImplementations(bound.name, name);
      for (const [trait, methods] of all.length === 0 ? runBy(name) : []) if (trait === bound.name) all = methods.flatMap((method) => this.types.impls.libraryImplementations(trait, method));
      const funcs = all.filter((func) => isTest || !isTestPath(func.source.path));
      if (funcs.length > 0) return funcs.length > (isTest ? FEW : MAX_IMPLEMENTATIONS) ? [] : funcs.map((func) => ({ func, confidence: funcs.length > FEW ? ONE_OF_MANY : IMPLEMENTATION }));
    }
    return [];
  }

  /** `io::copy(&mut source, &mut sink)`, `Server::new(service)`: what the arguments have for traits of other crates. */
  private handed(source: Source, at: Offset, { library }: Callee): readonly Run[] {
    const { code, strings } = source.data;
    // On what is not known here a method that no type here has is another crate's.
    const name = library?.name ?? (code[at] === Op.Method && !this.callees.isMethod(strings[code[at + 2]!]!) ? strings[code[at + 2]!]! : undefined);
    if (name === undefined || (library && "owner" in library && isOperator(library.owner)) || keeps(library && ("receiver" in library ? library.receiver.name : library.owner), name)) return [];
    const found = new Map<Func["fact"], Func>();
    for (const argument of argumentRecords(source, at)) {
      const { type } = this.operand(source, argument);
      if (type.kind === "unknown" || type.kind === "function") continue;
      for (const one of this.types.derefs(type)) {
        if (one.kind !== "own") continue;
        if (one.declaration.fact.kind !== "trait") for (const { trait, func } of this.types.impls.ofLibrary(one)) if (!isCommonTrait(trait)) found.set(func.fact, func);
        break;
      }
    }
    return [...found.values()].map((func) => ({ func, confidence: found.size > FEW ? ONE_OF_MANY : STORED }));
  }
}
