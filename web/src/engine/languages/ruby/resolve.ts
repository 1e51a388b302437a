import { attend } from "../../effort.ts";
import type { Emit, Project, SymbolRef } from "../../language.ts";
import { Checker, MAX_PASSED, type Passed } from "./checker.ts";
import type { Resolution } from "./operand.ts";
import { Op, type RubyFacts } from "./facts.ts";
import { Loader } from "./imports.ts";
import { mainPart, type Method, type Module, Program, type Source } from "./program.ts";

/** Arguments tell what parameters are, which tells what further arguments are: so often this is gone through. */
const ROUNDS = 3;
/** A guess must not say what a parameter is. */
const SURE = 0.6;

/** Joins all files; see Language.resolve. */
export function resolve(project: Project<RubyFacts>, emit: Emit): void {
  const program = new Program(project.files);
  const loader = new Loader(program);
  loader.emit(emit);
  let passed: Passed = new Map();
  let checker = new Checker(program, passed);
  for (let round = 1; round < ROUNDS; round++) {
    passed = argumentsPassed(program, checker);
    checker = new Checker(program, passed, checker.hierarchy);
  }
  attend();
  emitAbove(program, checker, emit);
  for (const source of program.sources) emitUses(source, checker, loader, emit);
}

function argumentsPassed(program: Program, checker: Checker): Passed {
  const passed: Passed = new Map();
  for (const source of program.sources) {
    attend(source.index);
    const { code, uses } = source.data;
    for (let i = 0; i < uses.length; i += 3) {
      const call = uses[i]!;
      if (code[call] !== Op.Call && code[call] !== Op.Super) continue;
      for (const { method, confidence } of checker.dispatch.resolution(source, call).targets) {
        // What tests hand over are often doubles.
        if (confidence < SURE || method.fact.parameters.length === 0 || (source.test && !method.source.test)) continue;
        const list = passed.get(method);
        if (!list) passed.set(method, [{ source, call }]);
        else if (list.length < MAX_PASSED) list.push({ source, call });
      }
    }
  }
  return passed;
}

function emitAbove(program: Program, checker: Checker, emit: Emit): void {
  for (const module of program.modules) {
    for (const { module: above, source, symbol, line } of checker.hierarchy.above(module)) {
      const to = symbolOf(above);
      if (!to || line === 0) continue;
      const from = symbol >= 0 ? { file: source.index, symbol } : symbolOf(module);
      if (from) emit("EXTENDS", from, to, 1, line);
    }
  }
}

function emitUses(source: Source, checker: Checker, loader: Loader, emit: Emit): void {
  attend(source.index);
  const { code, strings, uses } = source.data;
  for (let i = 0; i < uses.length; i += 3) {
    const at = uses[i]!;
    const line = uses[i + 2]!;
    const from: SymbolRef = { file: source.index, symbol: uses[i + 1]! };
    if (code[at] === Op.Constant || code[at] === Op.Top || code[at] === Op.Scoped) {
      const { type } = checker.operand(source, at);
      const loaded = type.kind === "class" ? loader.isAutoloaded(type.module) : undefined;
      if (loaded && loaded.file !== source.index) emit("IMPORTS", { file: source.index, symbol: -1 }, { file: loaded.file, symbol: -1 }, 0.9, line);
      continue;
    }
    emitResolution(checker.dispatch.resolution(source, at), from, line, emit);
    // `raise Problem` makes one.
    if (code[at] === Op.Call && code[at + 1] === 0 && code[at + 5]! > 0 && /^(?:raise|fail)$/.test(strings[code[at + 2]!]!)) {
      const { type, certainty } = checker.operand(source, code[at + 6]!);
      if (type.kind === "class") emitResolution(checker.dispatch.made(source, type.module, certainty), from, line, emit);
    }
  }
}

function emitResolution({ targets, made }: Resolution, from: SymbolRef, line: number, emit: Emit): void {
  for (const { method, confidence } of targets) {
    const to = refOf(method);
    if (to) emit("CALLS", from, to, confidence, line);
  }
  const to = made && made.confidence > 0 ? symbolOf(made.module) : undefined;
  if (to) emit("CALLS", from, to, made!.confidence, line);
}

function refOf({ fact, source }: Method): SymbolRef | undefined {
  return fact.symbol < 0 ? undefined : { file: source.index, symbol: fact.symbol };
}

function symbolOf(module: Module): SymbolRef | undefined {
  const part = mainPart(module);
  return part && { file: part.source.index, symbol: part.fact.symbol };
}
