import type { Ask, Emit, Project, Stores, SymbolRef } from "../../language.ts";
import { attend } from "../../effort.ts";
import { emitPassed } from "../passed.ts";
import { folderOf, isType } from "../../structure.ts";
import { Checker } from "./checker.ts";
import { expanded, writtenIn } from "./expanded.ts";
import { DECLARED, INFERRED, type Target, UNSEEN } from "./operand.ts";
import { type CppFacts, type FunctionFact, type MacroFact, Flag, type Offset, Op, type VariableFact } from "./facts.ts";
import { uncast } from "./functions.ts";
import type { Initialised } from "./lifetimes.ts";
import { type Of, Program, type Source, type Space } from "./program.ts";
import { Stored } from "./stored.ts";
import { UNKNOWN } from "./types.ts";

/** Joins all files of C and C++; see Language.resolve. */
export function resolve(project: Project<CppFacts>, emit: Emit, only?: ReadonlySet<number>, _ask?: Ask, stores?: Stores): void {
  if (project.files.length === 0) return;
  const program = new Program(project.files);
  const checker = new Checker(program);
  for (const source of program.sources) {
    if (only && !only.has(source.index)) continue;
    attend(source.index);
    for (const { file, line, confidence } of program.included[source.index]!) {
      if (file !== source.index) emit("IMPORTS", { file: source.index, symbol: -1 }, { file, symbol: -1 }, confidence, line);
    }
    calls(program, project, source, checker, emit, stores);
  }
  attend();
  for (const space of program.classes) {
    const from = symbolOf(space);
    if (!from || !space.type) continue;
    const { source, fact } = space.type;
    if (only && !only.has(source.index)) continue;
    for (const { type, line } of fact.bases) {
      const base = checker.type(source, type);
      const to = base.kind === "class" ? symbolOf(base.space) : undefined;
      if (to) emit("EXTENDS", from, to, program.sees(source, to.file) ? 1 : 0.8, line);
    }
    for (const member of outsiders(space)) {
      const { index } = member.source;
      if (program.sees(member.source, source.index) && !joined(project, index, member.fact)) emit("DEFINES", from, { file: index, symbol: member.fact.symbol }, 1, 0);
    }
  }
}

/** Members of a class that are defined outside of it. */
function* outsiders({ functions, variables }: Space): Iterable<Of<FunctionFact> | Of<VariableFact>> {
  for (const members of [functions, variables]) {
    for (const all of members.values()) for (const member of all) if (member.fact.qualifier !== "" && member.fact.symbol >= 0) yield member;
  }
}

const NO_WRITERS: ReadonlyMap<string, Of<MacroFact>> = new Map();

const typesIn = new WeakMap<Project<CppFacts>, ReadonlySet<string>>();

/** Whether the structure has joined a member to a type of its folder. */
function joined(project: Project<CppFacts>, file: number, { symbol }: FunctionFact | VariableFact): boolean {
  let types = typesIn.get(project);
  if (!types) {
    types = new Set(project.files.flatMap(({ path, facts }) => facts.symbols.filter((one) => one.parent < 0 && isType(one)).map(({ name }) => `${folderOf(path)}/${name}`)));
    typesIn.set(project, types);
  }
  const { path, facts } = project.files[file]!;
  const { parent, owner } = facts.symbols[symbol]!;
  return parent >= 0 || owner === undefined || types.has(`${folderOf(path)}/${owner}`);
}

/** The function in whose body a symbol of a file is declared; -1 for none. */
function bodyAround(project: Project<CppFacts>, file: number, symbol: number): number {
  const { symbols } = project.files[file]!.facts;
  for (let at = symbols[symbol]!.parent; at >= 0; at = symbols[at]!.parent) if (/^(?:Function|Method)$/.test(symbols[at]!.kind)) return at;
  return -1;
}

/** Whether a file sees where a variable is declared; the text of a header's macro sees what the files see that include it. */
function isDeclared(program: Program, source: Source, { source: home }: Of<VariableFact>): boolean {
  return program.sees(source, home.index) || program.sees(home, source.index);
}

/** The variable that a name means in the code of a symbol. Enumerators that functions declare in their bodies are theirs alone, and several have such of one name. */
function declaredFor(program: Program, project: Project<CppFacts>, source: Source, variable: Of<VariableFact> | undefined, named: number, symbol: number): Of<VariableFact> | undefined {
  if (!variable?.fact.shared || variable.fact.symbol < 0) return variable;
  const { code, strings } = source.data;
  const all = program.lookup(source, code[named + 2]!, strings[code[named + 1]!]!)?.variables ?? [];
  const body = ({ source: home, fact }: Of<VariableFact>): number => (fact.symbol < 0 ? -1 : bodyAround(project, home.index, fact.symbol));
  const inBodies = all.filter((one) => one.fact.shared && body(one) >= 0);
  if (inBodies.length === 0) return variable;
  const { symbols } = project.files[source.index]!.facts;
  for (let at = symbol; at >= 0; at = symbols[at]!.parent) {
    const own = inBodies.find((one) => one.source === source && body(one) === at);
    if (own) return own;
  }
  return inBodies.includes(variable) ? program.nearest(source, all.filter((one) => one.fact.symbol >= 0 && !inBodies.includes(one)))[0] : variable;
}

function calls(program: Program, project: Project<CppFacts>, source: Source, checker: Checker, emit: Emit, stores?: Stores): void {
  const { code, uses } = source.data;
  const stored = stores && new Stored(source, checker, stores);
  stored?.variables();
  const called = new Set<Offset>();
  for (let i = 0; i < uses.length; i += 3) if (code[uses[i]!] === Op.Call) called.add(code[uses[i]! + 1]!);
  // Names that macros put together are those of the file's own declarations: of others nothing would tell that they concern it.
  let names: Set<string> | undefined;
  let written: ReadonlyMap<string, Of<MacroFact>> | undefined;
  /** The macros that write a function of a name into the file. */
  const writers = (name: string): { to: SymbolRef }[] => symbolsOf((written ??= program.writes ? writtenIn(program, source) : NO_WRITERS).get(name), "symbol");
  const declared = (): Set<string> => (names ??= new Set([...source.data.functions, ...source.data.variables].map(({ name }) => name)));
  const certainty = (macro: Of<MacroFact>): number => (macro.source === source ? 1 : program.sees(source, macro.source.index) ? 0.9 : 0.7);
  const symbolsOf = (macro: Of<MacroFact> | undefined, what: "symbol" | "constant"): { to: SymbolRef; confidence: number }[] =>
    (macro ? program.builds(macro) : []).flatMap((one) => (one.fact[what] >= 0 ? [{ to: { file: one.source.index, symbol: one.fact[what] }, confidence: certainty(one) }] : []));
  const initialised = new Map<number, Set<Initialised>>();
  for (let i = 0; i < uses.length; i += 3) {
    const at = uses[i]!;
    const from: SymbolRef = { file: source.index, symbol: uses[i + 1]! };
    const line = uses[i + 2]!;
    const reach = (targets: readonly Target[]): void => {
      for (const { function: { source: home, fact }, confidence } of targets) emit("CALLS", from, { file: home.index, symbol: fact.symbol }, confidence, line);
    };
    const pass = (targets: readonly Target[]): void => {
      for (const { function: { source: home, fact }, confidence } of targets) {
        emitPassed(emit, from, { file: home.index, symbol: fact.symbol }, confidence, line);
      }
    };
    const expand = (macro: Of<MacroFact>): void => {
      const { called: run, names } = expanded(program, source, at, macro);
      for (const argument of run) reach(checker.calls.passed(source, argument).map((target) => ({ ...target, confidence: Math.min(target.confidence, DECLARED) })));
      for (const { name, called: runs } of names) {
        for (const { to } of writers(name)) emit(runs ? "CALLS" : "REFERENCES", from, to, INFERRED, line);
        if (!declared().has(name)) continue;
        const { functions = [], variables = [] } = program.lookup(source, code[code[at + 1]! + 2]!, name) ?? {};
        const meant = checker.calls.chosen(source, functions);
        if (runs) reach(meant);
        else pass(meant);
        const [variable] = program.nearest(source, variables.filter(({ fact }) => fact.symbol >= 0));
        if (variable) emit("REFERENCES", from, { file: variable.source.index, symbol: variable.fact.symbol }, DECLARED, line);
      }
    };
    switch (code[at]) {
      case Op.Call:
      case Op.New: {
        const resolution = checker.calls.of(source, at);
        const { targets, macro, made } = resolution;
        reach(targets);
        reach(checker.calls.conversions.ofArguments(source, at, resolution));
        const among = targets.length > 0 ? INFERRED : 1;
        for (const { to, confidence } of symbolsOf(macro, "symbol")) emit("CALLS", from, to, Math.min(confidence, among), line);
        if (macro) expand(macro);
        else if (targets.length === 0 && code[code[at + 1]!] === Op.Name) for (const { to } of writers(source.data.strings[code[code[at + 1]! + 1]!]!)) emit("CALLS", from, to, INFERRED, line);
        const initialises = code[at] === Op.New ? initialisedBy(source, checker, code[at + 1]!) : undefined;
        if (initialises) initialised.set(from.symbol, (initialised.get(from.symbol) ?? new Set()).add(initialises));
        const type = made && symbolOf(made);
        if (type) emit("CALLS", from, type, 1, line);
        stored?.call(at, from, line, resolution);
        break;
      }
      case Op.Operator:
        if (program.mayRun(source.data.strings[code[at + 1]!]!)) {
          const resolution = checker.calls.of(source, at);
          reach(resolution.targets);
          reach(checker.calls.conversions.ofArguments(source, at, resolution));
        }
        break;
      case Op.Converted:
        reach(checker.calls.conversions.ofValue(source, at));
        break;
      case Op.Element:
        reach(checker.calls.looping(source, at));
        break;
      case Op.Passed: {
        const named = code[at + 1]!;
        const functions = checker.calls.passed(source, named);
        pass(functions);
        if (functions.length === 0 && code[named] === Op.Name && from.symbol >= 0) for (const { to } of writers(source.data.strings[code[named + 1]!]!)) emit("REFERENCES", from, to, INFERRED, line);
        const macro = code[named] === Op.Name ? program.macro(source, source.data.strings[code[named + 1]!]!) : undefined;
        for (const { to, confidence } of symbolsOf(macro, "symbol")) emitPassed(emit, from, to, confidence, line);
        break;
      }
      case Op.Assign:
        if (code[uncast(code, code[at + 2]!)] === Op.Name) pass(checker.calls.passed(source, uncast(code, code[at + 2]!)));
        stored?.assign(at);
        break;
      case Op.Return:
        stored?.returned(at, from.symbol);
        break;
      case Op.Init:
        stored?.init(at);
        break;
      case Op.Name:
      case Op.Asked: {
        const named = code[at] === Op.Asked ? code[at + 1]! : at;
        const variable = declaredFor(program, project, source, checker.variable(source, named), named, from.symbol);
        const macro = program.macro(source, source.data.strings[code[named + 1]!]!);
        const isSeen = variable !== undefined && isDeclared(program, source, checker.operand(source, named).variable ?? variable);
        // What no header of the file declares gives way to a macro of its name.
        if (variable && (isSeen || !macro)) emit("REFERENCES", from, { file: variable.source.index, symbol: variable.fact.symbol }, isSeen ? 1 : UNSEEN, line);
        for (const { to } of symbolsOf(macro, "constant")) emit("REFERENCES", from, to, 1, line);
        // One with parameters is called by its own name, and asked for by a condition.
        if (named !== at) for (const { to } of symbolsOf(macro, "symbol")) emit("REFERENCES", from, to, 1, line);
        // What is compared, thrown or chosen is handed to nobody.
        if (!variable && !macro && !called.has(named)) for (const { function: { source: home, fact }, confidence } of checker.calls.passed(source, named)) emit("REFERENCES", from, { file: home.index, symbol: fact.symbol }, confidence, line);
        break;
      }
      case Op.Delete:
        reach(checker.calls.lifetimes.ofDelete(source, code[at + 1]!));
        break;
      case Op.Ended:
        reach(checker.calls.lifetimes.ofLocal(source, code[at + 1]!));
        break;
    }
  }
  if (source.data.cpp) parts(project, source, checker, initialised, emit);
}

/** What an initialiser of a constructor names: a base, a field, or its own class. */
function initialisedBy(source: Source, checker: Checker, named: Offset): Initialised | undefined {
  const { code } = source.data;
  if (code[named] === Op.Name) {
    const { made, variable } = checker.operand(source, named);
    return made ?? variable?.fact;
  }
  const type = (code[named + 3]! & Flag.Reference) !== 0 ? checker.type(source, named) : UNKNOWN;
  return type.kind === "class" ? type.space : undefined;
}

/** What the constructors and destructors of a file run of bases and fields, and classes without such. `initialised`: by symbol, what initialisers name. */
function parts(project: Project<CppFacts>, source: Source, checker: Checker, initialised: ReadonlyMap<number, ReadonlySet<Initialised>>, emit: Emit): void {
  const { symbols } = project.files[source.index]!.facts;
  const { lifetimes } = checker.calls;
  const none = new Set<Initialised>();
  const reach = (symbol: number, targets: readonly Target[]): void => {
    for (const { function: { source: home, fact }, confidence } of targets) emit("CALLS", { file: source.index, symbol }, { file: home.index, symbol: fact.symbol }, confidence, symbols[symbol]!.line);
  };
  for (const fact of source.data.functions) {
    const { owner } = symbols[fact.symbol] ?? {};
    if (owner !== undefined && (fact.name === owner || fact.name === `~${owner}`)) reach(fact.symbol, lifetimes.ofParts(source, fact, initialised.get(fact.symbol) ?? none));
  }
  for (const fact of source.data.types) if (fact.symbol >= 0) reach(fact.symbol, lifetimes.ofUndeclared(source, fact));
}

function symbolOf({ type }: Space): SymbolRef | undefined {
  return type && type.fact.symbol >= 0 ? { file: type.source.index, symbol: type.fact.symbol } : undefined;
}
