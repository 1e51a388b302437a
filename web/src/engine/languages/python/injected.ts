import { spend } from "../../effort.ts";
import { findMember, opOf } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import { AUTOMATIC, CONFTEST, FunctionFlag, Op, renamed } from "./facts.ts";
import { resultOf } from "./function-types.ts";
import type { Callable, Meaning, SourceFile } from "./program.ts";
import { ofFolder } from "./questions.ts";
import type { Type } from "./types.ts";

/**
 * The fixtures whose value pytest passes to a parameter: those of its name in the class, else in the module, else in the nearest
 * conftest.py. A fixture that asks for its own name gets the one that it overrides. More than one where a name is bound several times.
 */
export function fixturesFor(e: Evaluator, fn: Callable, param: number): readonly Callable[] {
  const { fact, file } = fn;
  return fact.injected?.includes(param) ? fixturesNamed(e, fn, file.facts.strings[fact.params[param]!.name]!) : [];
}

/** The fixtures of a name that a test or a fixture gets. */
export function fixturesNamed(e: Evaluator, fn: Callable, name: string): readonly Callable[] {
  const { file, owner } = fn;
  for (const key of owner ? [name, renamed(name)] : []) {
    const member = findMember(e, owner!, key);
    const found = member && "definitions" in member ? among(e, member.cls.file, member.definitions, name) : [];
    if (found.length > 0 && !found.includes(fn)) return found;
  }
  for (const module of modulesFor(e, file)) {
    const found = inModule(e, module, name);
    if (found.length > 0 && !found.includes(fn)) return found;
  }
  return [];
}

/** The fixtures that pytest runs for a test which does not name them: of its class, its module and all conftest.py around. One that is nearer may override them. */
export function automaticFixtures(e: Evaluator, fn: Callable): readonly Callable[] {
  const { file, owner } = fn;
  const member = owner && findMember(e, owner, AUTOMATIC);
  const found = member && "definitions" in member ? among(e, member.cls.file, member.definitions) : [];
  for (const { index } of modulesFor(e, file)) found.push(...meant(e, e.program.member({ file: index }, AUTOMATIC)));
  const names = new Set(found.map(({ file: { facts }, fact }) => facts.strings[fact.fixture!]!));
  return [...names].flatMap((name) => fixturesNamed(e, fn, name));
}

/** What pytest passes on of a fixture: what it returns or yields. */
export function fixtureValue(e: Evaluator, fixture: Callable): Type {
  const { flags } = fixture.fact;
  const isAsync = (flags & FunctionFlag.Async) !== 0;
  const result = resultOf(e, { k: "fn", fn: fixture, self: undefined, solved: undefined });
  if ((flags & FunctionFlag.Generator) !== 0) return e.item(result, isAsync);
  return isAsync ? e.awaited(result) : result;
}

/** A file, and each conftest.py of its folder and of those above, nearest first. */
function* modulesFor({ program }: Evaluator, file: SourceFile): Iterable<SourceFile> {
  yield file;
  for (let folder = file.path; folder !== "";) {
    spend();
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
    program.ask(ofFolder(folder), CONFTEST);
    const module = program.at(`${folder}${folder === "" ? "" : "/"}${CONFTEST}.py`);
    if (module && module !== file) yield module;
  }
}

/** The fixtures of a name that a module has or imports. */
function inModule(e: Evaluator, { index }: SourceFile, name: string): Callable[] {
  for (const key of [name, renamed(name)]) {
    const found = meant(e, e.program.member({ file: index }, key), name);
    if (found.length > 0) return found;
  }
  return [];
}

function meant(e: Evaluator, meaning: Meaning, name?: string): Callable[] {
  return meaning?.k === "definitions" ? among(e, meaning.binding.file, meaning.binding.definitions, name) : [];
}

/** `name`: of the fixtures; without one, any. */
function among(e: Evaluator, file: SourceFile, definitions: readonly number[], name?: string): Callable[] {
  return definitions.flatMap((definition) => {
    spend();
    const operand = file.facts.nodes[definition + 1]!;
    switch (opOf(file, definition)) {
      case Op.Import: return e.program.follow(file, operand).flatMap((meaning) => meant(e, meaning, name));
      case Op.Function: {
        const fn = e.program.fn(file, operand);
        const { fixture } = fn.fact;
        return fixture !== undefined && (name === undefined || file.facts.strings[fixture] === name) ? [fn] : [];
      }
      default: return [];
    }
  });
}

/**
 * Visits what pytest runs for the functions of a file: the fixtures that the parameters of tests and of other fixtures name, those that
 * decorators name, and those of all tests. `isNamed`: the function or a decorator of it names the fixture.
 */
export function eachFixture(e: Evaluator, file: SourceFile, visit: (fn: Callable, fixture: Callable, isNamed: boolean) => void): void {
  const { functions, strings } = file.facts;
  functions.forEach(({ injected = [], uses = [], isTest }, i) => {
    const fn = e.program.fn(file, i);
    for (const param of injected) for (const fixture of fixturesFor(e, fn, param)) visit(fn, fixture, true);
    for (const name of uses) for (const fixture of fixturesNamed(e, fn, strings[name]!)) visit(fn, fixture, true);
    if (isTest) for (const fixture of automaticFixtures(e, fn)) visit(fn, fixture, false);
  });
}
