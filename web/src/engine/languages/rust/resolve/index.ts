import { attend } from "../../../effort.ts";
import type { Ask, Emit, Project, Stores, SymbolRef } from "../../../language.ts";
import { emitPassed, MAY_CALL } from "../../passed.ts";
import { wordOf } from "../../words.ts";
import { Op, type RustFacts } from "../facts.ts";
import { ALTERNATIVE } from "./alternatives.ts";
import { leaving, placeOf } from "./asks.ts";
import type { Checker, Target } from "./checker.ts";
import type { Declaration, Func, Impl, Program, Source } from "./program.ts";
import { Stored } from "./stored.ts";
import { checkerOf } from "./world.ts";

/** A trait's method may run any of its implementations. */
const IMPLEMENTATION = 0.6;
/** What has more implementations than this says nothing about which of them runs. */
const MAX_IMPLEMENTATIONS = 100;

/** Joins the files of a repository; see Language.resolve. */
export function resolve(project: Project<RustFacts>, emit: Emit, only?: ReadonlySet<number>, ask?: Ask, stores?: Stores): void {
  const checker = checkerOf(project);
  const { program } = checker.types;
  const { asks } = program;
  for (const source of program.sources) {
    if (only && !only.has(source.index)) continue;
    attend(source.index);
    asks.asker = source;
    for (const word of [placeOf, leaving]) asks.one(wordOf(word(source.path)));
    emitUses(source, checker, emit, stores);
    emitImports(source, program, emit);
  }
  attend();
  asks.asker = undefined;
  const leaves = ({ index }: Source): boolean => only?.has(index) ?? true;
  for (const { from, to, line } of program.files) if (leaves(from)) emit("IMPORTS", fileOf(from), fileOf(to), 1, line);
  emitHeritage(program, checker, leaves, emit);
  if (ask) for (const [file, words] of asks.taken(only)) ask(file, words);
}

/** CALLS: what calls, struct literals and macros lead to, and functions that are handed on. */
function emitUses(source: Source, checker: Checker, emit: Emit, stores?: Stores): void {
  const { code, uses } = source.data;
  const around = new Map(source.impls.flatMap((impl) => impl.fact.functions.map(({ symbol }): [number, Impl] => [symbol, impl])));
  const stored = stores && new Stored(source, checker, stores, (target) => {
    const all: SymbolRef[] = [];
    reach(checker, target, (to) => to && all.push(to));
    return all;
  });
  for (let i = 0; i < uses.length; i += 4) {
    const at = uses[i]!;
    const from: SymbolRef = { file: source.index, symbol: uses[i + 1]! };
    const line = uses[i + 2]!;
    const sure = uses[i + 3]! / 100;
    const refer = (to: SymbolRef | undefined, confidence = 1): void => {
      if (to && to.symbol >= 0) emit("REFERENCES", from, to, Math.min(confidence, sure), line);
    };
    const call = (to: SymbolRef | undefined, confidence: number): void => {
      if (to) emit("CALLS", from, to, Math.min(confidence, sure), line);
    };
    switch (code[at]) {
      case Op.Macro: {
        const named = checker.types.named(source, code[at + 1]!, "macros");
        if (named?.kind === "macro") emit("CALLS", from, named.ref, 1, line);
        break;
      }
      case Op.Implied:
      case Op.Raised:
        for (const { func, confidence } of checker.runs(source, at)) call(functionRef(func), confidence);
        break;
      case Op.Literal: {
        const made = checker.literal(source, at);
        for (const one of made) call(refOf(one), chanceOf(made));
        if (made[0]?.fact.kind === "enum") refer(checker.matched(source, code[at + 1]!));
        break;
      }
      case Op.Matched:
        refer(checker.matched(source, code[at + 1]!));
        break;
      case Op.Path: {
        const constants = checker.constants(source, at);
        for (const one of constants) refer(one, chanceOf(constants));
        const made = checker.made(source, at);
        for (const one of made) {
          const to = refOf(one);
          // A unit struct is a constant; so is a variant, which has its own name.
          if (to && checker.makesFromArguments(source, at)) emitPassed(emit, from, to, Math.min(chanceOf(made), sure), line);
          else if (one.fact.kind === "struct") refer(to, chanceOf(made));
        }
        for (const target of checker.targets(source, at)) {
          reach(checker, target, (to, confidence) => call(to, Math.min(confidence, MAY_CALL)));
          const to = functionRef(target.func);
          if (to) emitPassed(emit, from, to, Math.min(target.confidence, sure), line);
        }
        break;
      }
      default: {
        const made = checker.made(source, at);
        for (const one of made) call(refOf(one), chanceOf(made));
        if (made[0]?.fact.kind === "enum") refer(checker.constant(source, at));
        for (const target of checker.targets(source, at, around.get(from.symbol))) reach(checker, target, call);
        for (const { func, confidence } of checker.through(source, at)) call(functionRef(func), confidence);
        for (const { func, confidence } of checker.throughLibrary(source, at)) call(functionRef(func), confidence);
        stored?.call(at, from, line, around.get(from.symbol));
      }
    }
  }
  stored?.all();
}

/** How sure each of a name's meanings is, of which there is one in each build. */
function chanceOf(all: readonly unknown[]): number {
  return all.length > 1 ? ALTERNATIVE : 1;
}

/** A target, and where it is a trait's method, what may run behind it. */
function reach(checker: Checker, { func, confidence, virtual }: Target, call: (to: SymbolRef | undefined, confidence: number) => void): void {
  call(functionRef(func), confidence);
  if (!virtual) return;
  const behind = checker.types.impls.implementations(virtual, func.fact.name);
  if (behind.length > MAX_IMPLEMENTATIONS) return;
  for (const { source, fact } of behind) call({ file: source.index, symbol: fact.symbol }, Math.min(confidence, IMPLEMENTATION));
}

/** IMPORTS: the file of the module that a `use` takes something from. */
function emitImports(source: Source, program: Program, emit: Emit): void {
  for (const module of source.modules) {
    for (const fact of module.fact.uses) {
      for (const target of program.importedModules(module, fact)) if (target.source !== source) emit("IMPORTS", fileOf(source), fileOf(target.source), 1, fact.line);
    }
  }
}

/** EXTENDS: a trait's supertraits. IMPLEMENTS: `impl Trait for Type`. */
function emitHeritage(program: Program, checker: Checker, leaves: (source: Source) => boolean, emit: Emit): void {
  for (const declaration of program.declarations) {
    if (!leaves(declaration.source)) continue;
    const from = refOf(declaration);
    checker.types.impls.supersOf(declaration).forEach((trait, i) => {
      const to = trait.kind === "own" ? refOf(trait.declaration) : undefined;
      if (from && to) emit("EXTENDS", from, to, 1, declaration.fact.supers[i]!.line);
    });
  }
  for (const impl of program.impls) {
    const trait = checker.types.impls.traitOf(impl);
    const self = checker.types.type(impl.source, impl.fact.self);
    if (self.kind === "own" && !leaves(self.declaration.source)) continue;
    if (trait?.kind !== "own" || trait.declaration.fact.kind !== "trait" || self.kind !== "own") continue;
    const from = refOf(self.declaration);
    const to = refOf(trait.declaration);
    if (from && to) emit("IMPLEMENTS", from, to, 1, from.file === impl.source.index ? impl.fact.line : 0);
  }
}

function fileOf({ index }: Source): SymbolRef {
  return { file: index, symbol: -1 };
}

function refOf({ source, fact }: Declaration): SymbolRef | undefined {
  return fact.symbol >= 0 ? { file: source.index, symbol: fact.symbol } : undefined;
}

function functionRef({ source, fact }: Func): SymbolRef | undefined {
  return fact.symbol >= 0 ? { file: source.index, symbol: fact.symbol } : undefined;
}
