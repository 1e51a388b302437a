import { attend } from "../../../effort.ts";
import type { Ask, Emit, Project, Stores, SymbolRef } from "../../../language.ts";
import { type GoFacts, type Offset, Op } from "../facts.ts";
import { emitPassed } from "../../passed.ts";
import { wordOf } from "../../words.ts";
import { guessOf } from "./asks.ts";
import { Checker } from "./checker.ts";
import { Handed } from "./handed.ts";
import { Implementations } from "./implements.ts";
import { emitImports } from "./imports.ts";
import { underlying } from "./members.ts";
import { CERTAIN, DECLARED, GUESSED, POSSIBLE } from "./operand.ts";
import { packagesOf, type Source } from "./packages.ts";
import { RunByLibrary } from "./run-by-library.ts";
import { Shapes, shapesOf } from "./shapes.ts";
import type { Type } from "./types.ts";

/** Joins the files of a repository; see Language.resolve. */
export function resolve(project: Project<GoFacts>, emit: Emit, only?: ReadonlySet<number>, ask?: Ask, stores?: Stores): void {
  const packages = packagesOf(project);
  const checker = new Checker(packages);
  const shapes = only ? shapesOf(project.files) : new Shapes(project.files);
  const implementations = new Implementations(checker, shapes);
  const sources = only ? packages.sources.filter(({ index }) => only.has(index)) : packages.sources;
  emitImports(checker, sources, emit);
  emitEmbedding(checker, sources, emit);
  for (const { type, implemented } of implementations.all(sources, only !== undefined)) {
    emit("IMPLEMENTS", type.entity.ref!, implemented.entity.ref!, DECLARED, 0);
  }
  const runByLibrary = new RunByLibrary(checker, implementations);
  for (const source of sources) {
    const behind = (callee: Offset): SymbolRef[] => methodsBehind(source, callee, checker, implementations);
    const handed = stores && new Handed(source, checker, stores, behind);
    emitUses(source, checker, behind, shapes, runByLibrary, handed, emit);
    handed?.tell();
  }
  if (ask) for (const [file, words] of checker.asks.taken()) ask(file, words);
}

/** EXTENDS: a struct embeds a type, an interface another. */
function emitEmbedding(checker: Checker, sources: readonly Source[], emit: Emit): void {
  for (const source of sources) {
    attend(source.index);
    const { code, types } = source.data;
    for (const { symbol, type } of types) {
      if (symbol < 0) continue;
      for (const embedded of embeddedIn(code, type)) {
        let target = checker.type(source, embedded);
        if (target.kind === "pointer") target = target.element;
        const to = target.kind === "named" ? target.entity.ref : undefined;
        if (to) emit("EXTENDS", { file: source.index, symbol }, to, CERTAIN, 0);
      }
    }
  }
}

function embeddedIn(code: readonly number[], at: number): number[] {
  const count = code[at + 1]!;
  if (code[at] === Op.Struct) {
    return Array.from({ length: count }, (_, i) => at + 2 + 3 * i).filter((field) => code[field + 2] === 1).map((field) => code[field + 1]!);
  }
  if (code[at] !== Op.Interface) return [];
  const list = at + 2 + 3 * count;
  return code.slice(list + 1, list + 1 + code[list]!);
}

/** CALLS and REFERENCES: what every call, composite literal, function value and name of a variable leads to. */
function emitUses(
  source: Source, checker: Checker, behind: (callee: Offset) => readonly SymbolRef[], shapes: Shapes, runByLibrary: RunByLibrary, handed: Handed | undefined, emit: Emit,
): void {
  const { code, uses } = source.data;
  attend(source.index);
  for (let i = 0; i < uses.length; i += 3) {
    const at = uses[i]!;
    const line = uses[i + 2]!;
    const from: SymbolRef = { file: source.index, symbol: uses[i + 1]! };
    // An initialiser runs when the package is loaded, unless it is a function.
    const caller = isData(source, from.symbol) ? { file: source.index, symbol: -1 } : from;
    if (code[at] === Op.Value) {
      emitConstruction(caller, checker.type(source, code[at + 1]!), line, emit);
      continue;
    }
    const looped = code[at] === Op.Key;
    const called = code[at] === Op.Call || looped;
    const callee = checker.operand(source, called ? code[at + 1]! : at);
    if (looped && (callee.mode !== "value" || underlying(callee.type).kind !== "func")) continue;
    if (called && callee.mode === "type") {
      emitConstruction(caller, callee.type, line, emit);
      handed?.convert(at, callee.type);
    } else if (called && callee.mode === "builtin" && callee.name === "new" && code[at + 2]! > 0) {
      const made = checker.operand(source, code[at + 3]!);
      if (made.mode === "type") emitConstruction(caller, made.type, line, emit);
    }
    if (called) {
      if (callee.mode === "value") handed?.call(at, callee, caller, line);
      emitTable(source, checker, code[at + 1]!, from, line, emit);
    }
    if (code[at] === Op.Call) {
      for (const to of runByLibrary.methods(source, at, callee)) if (mayRun(source, checker.packages.sources[to.file]!)) emit("CALLS", caller, to, POSSIBLE, line);
    }
    if (callee.mode !== "value") continue;
    const possible = behind(called ? code[at + 1]! : at);
    if (!called && callee.refs) handed?.use([...callee.refs, ...possible], callee.type);
    for (const to of callee.refs ?? []) {
      const isVariable = checker.kindOf(to) === "Variable";
      if (called && !isData(checker.packages.sources[to.file]!, to.symbol)) {
        emit("CALLS", caller, to, callee.certainty, line);
        continue;
      }
      // To read a function variable, as to set and restore it, is no call of what it holds.
      if (called || isVariable) emit("REFERENCES", from, to, isVariable ? CERTAIN : callee.certainty, line);
      else emitPassed(emit, from, to, callee.certainty, line, caller);
    }
    for (const to of possible) emit("CALLS", caller, to, callee.outside ? GUESSED : POSSIBLE, line);
    if (!called || callee.guess === undefined) continue;
    checker.asks.one(source, wordOf(guessOf(callee.guess)));
    const guess = shapes.only(callee.guess);
    if (guess) emit("CALLS", caller, guess, GUESSED, line);
  }
}

/** CALLS: a value of a declared type is made. */
function emitConstruction(by: SymbolRef, type: Type, line: number, emit: Emit): void {
  if (type.kind === "named" && type.entity.ref) emit("CALLS", by, type.entity.ref, CERTAIN, line);
}

/** Whether a symbol is a variable or constant that is not declared as a function literal. */
function isData({ facts, data: { code, values } }: Source, symbol: number): boolean {
  if (facts.symbols[symbol]?.kind !== "Variable") return false;
  let low = 0;
  for (let high = values.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (values[middle]!.symbol < symbol) low = middle + 1;
    else high = middle;
  }
  const at = values[low]?.at;
  const initialiser = at === undefined ? 0 : code[at + 2]!;
  return code[initialiser] !== Op.Value || code[code[initialiser + 1]!] !== Op.Func;
}

/** `table[key]()` reads a variable, while `generic[T]()` names what it calls. */
function emitTable(source: Source, checker: Checker, callee: number, from: SymbolRef, line: number, emit: Emit): void {
  const { code } = source.data;
  if (code[callee] !== Op.Index) return;
  for (const to of checker.operand(source, code[callee + 1]!).refs ?? []) {
    if (checker.kindOf(to) === "Variable") emit("REFERENCES", from, to, CERTAIN, line);
  }
}

/** What a test file declares runs in the tests of its own directory, and no program calls it. */
function mayRun(caller: Source, callee: Source): boolean {
  return !callee.test || (caller.test && caller.dir === callee.dir);
}

/** The methods that a method of an interface may stand for where it is called or handed on. */
function methodsBehind(source: Source, callee: Offset, checker: Checker, implementations: Implementations): SymbolRef[] {
  const { through, outside } = checker.operand(source, callee);
  if (!through && !outside) return [];
  const { code, strings } = source.data;
  while (code[callee] === Op.Index) callee = code[callee + 1]!;
  const name = code[callee] === Op.Select ? strings[code[callee + 2]!]! : "";
  const methods = through ? implementations.methodsBehind(source, through, name) : implementations.methodsEmbedding(source, outside!, name);
  return methods.filter(({ file }) => mayRun(source, checker.packages.sources[file]!));
}
