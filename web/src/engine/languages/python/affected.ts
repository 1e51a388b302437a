import type { Ask, Before, Emit, Project } from "../../language.ts";
import { symbolNames } from "../../relations.ts";
import { ALL, Change, Side } from "./change.ts";
import { Evaluator } from "./evaluate.ts";
import type { PyFacts } from "./facts.ts";
import { movedIn } from "./moved.ts";
import { HeldBack } from "./held-back.ts";
import { Notes, printed, type Site } from "./passed.ts";
import { Program } from "./program.ts";
import { only } from "./questions.ts";
import { Renumbered } from "./renumbered.ts";
import { methodsOf, Resolver, type Work } from "./resolve.ts";
import { Sites } from "./sites.ts";
import { passedTo } from "./surface.ts";

type Py = Project<PyFacts>;

/** Where a change touches more than this part of the files, and more than a few, all is resolved again. */
const MAX_PART = 0.35;
const FEW = 20;
/** Where comparing takes more than this part of what finding everything took, and more than a few evaluations, all is resolved again. */
const MAX_COMPARING = 0.7;
const FEW_EVALUATIONS = 5_000;

/** The newest work on a project that begins with these facts, and the files that it was about. */
const works = new WeakMap<object, { work: Work; files: Py["files"] }>();
/** What `affected` has begun and `resolve` goes on with. */
const begun = new WeakMap<Py["files"], Resolver>();

function keep({ files }: Py, { notes, sites, circles, above, properties, methods, evaluations, evaluator }: Resolver): void {
  if (files.length > 0 && !evaluator.gaveUp) works.set(files[0]!.facts, { work: { notes, sites, circles, above, properties, methods, evaluations }, files });
}

/** The work on the very files of a project, whatever else has changed since. */
function workOn({ files }: Py): Work | undefined {
  const kept = files.length > 0 ? works.get(files[0]!.facts) : undefined;
  if (kept?.files.length !== files.length) return undefined;
  return files.every(({ path, facts }, i) => kept.files[i]!.path === path && kept.files[i]!.facts === facts) ? kept.work : undefined;
}

/** Joins the facts of all Python files, or of some: emits calls, imports and base classes. */
export function resolve(project: Py, emit: Emit, only?: ReadonlySet<number>, ask: Ask = () => undefined): void {
  const partial = only && begun.get(project.files);
  begun.delete(project.files);
  if (partial) {
    if (!partial.run(partial.program.files.filter(({ index }) => only.has(index)), emit)) throw new Error("too much lies on circles");
    if (partial.evaluator.gaveUp) throw new Error("classes lead too far");
    keep(project, partial);
    partial.program.tell(ask);
    return;
  }
  const relations = new HeldBack();
  const apart = new Resolver(project, true);
  if (apart.run(apart.program.files, relations.take)) {
    relations.give(emit);
    keep(project, apart);
    apart.program.tell(ask);
    return;
  }
  const together = new Resolver(project, false);
  together.run(together.program.files, emit);
}

/**
 * The files whose relations may be others after a change: those of which something was asked for that means something else now. What
 * calls pass to a function is such a thing, too: which calls these are is known once the calls in those files are resolved.
 */
export function affected(before: Before<PyFacts>, after: Py, changed: ReadonlySet<string>): ReadonlySet<string> | undefined {
  const work = workOn(before);
  if (!work) return undefined;
  const numbers = new Renumbered(before, after, changed);
  const kept = renumbered(work, numbers, before, after, changed);
  const resolver = new Resolver(after, true, kept);
  const { files } = resolver.program;
  resolver.survey(files.filter(({ path }) => changed.has(path)));
  const was = new Side(before, () => new Evaluator(new Program(before), true));
  const is = new Side(after, () => resolver.evaluator);
  const change = new Change(before, after, changed, was, is, (cls) => resolver.heirs.of(cls), {
    files: Math.max(FEW, after.files.length * MAX_PART), evaluations: Math.max(FEW_EVALUATIONS, work.evaluations * MAX_COMPARING),
  });

  for (const name of guessedOtherwise(before, after, changed, resolver)) change.touchCalls(only(name));
  movedIn(was, is, changed, change);
  if (!change.follow()) return undefined;
  resolver.survey(files.filter(({ path }) => change.affected.has(path) && !changed.has(path)));
  change.mentioned(exchanged(work.properties, resolver.properties));

  resolver.evaluator.forget();
  if (!resolver.prepare(files.filter(({ path }) => change.affected.has(path)))) return undefined;
  const gone = work.notes.filter((_, i) => numbers.file(i) === undefined).map((list) => numbers.inFunctions(list, 4, 0));
  const notes = new Notes(numbers, after, kept, gone, resolver, changed);
  const passed = notes.different(change.affected);
  if (passed.length > 0 || change.some) {
    was.evaluator.program.link(work.sites);
    resolver.link();
    change.informed();
    for (const { path, name } of passed) change.lead(path, { name: passedTo(name) });
    for (const path of numbers.mixed) change.lead(path, ALL);
    const sites = new Map<string, Site[]>();
    const visit = (path: string, usesAny: ((uses: ReadonlySet<string>) => boolean) | undefined): void => {
      const [a, b] = [was.at(path), is.at(path)!];
      sites.set(path, (sites.get(path) ?? notes.counted(b.index)).filter((site) => {
        if (usesAny && !usesAny(site.uses ??= printed(b.facts, site.is).uses)) return true;
        if (change.isOther([a!, site.was], [b, site.is])) change.lead(site.passed.path, { name: passedTo(site.passed.name) });
        return false;
      }));
    };
    if (!was.evaluator.informedly(() => resolver.evaluator.informedly(() => change.follow(visit)))) return undefined;
    resolver.evaluator.forget();
  }
  begun.set(after.files, resolver);
  return change.affected;
}

/** The work on a project in the numbers of another one; what it says of changed files is to be found anew. */
function renumbered(work: Work, numbers: Renumbered, was: Py, is: Py, changed: ReadonlySet<string>): Work {
  const changedIn = ({ files }: Py): Py["files"] => files.filter(({ path }) => changed.has(path));
  const others = new Map(work.methods);
  for (const name of methodsOf(changedIn(was)).keys()) {
    const left = others.get(name)!.filter(({ path }) => !changed.has(path));
    if (left.length > 0) others.set(name, left);
    else others.delete(name);
  }
  const notes = numbers.byFile(work.notes.map((list) => numbers.inFunctions(list, 4, 0)), () => new Int32Array(0));
  return {
    notes,
    sites: notes.length === work.notes.length && notes.every((list, i) => list === work.notes[i]) ? work.sites : new Sites(is.files.map(({ facts }) => facts.data), notes),
    circles: numbers.byFile(work.circles, () => 0),
    above: numbers.byFile(work.above.map((list) => numbers.inClasses(list, 3, 1)), () => new Int32Array(0)),
    properties: numbers.byFile(work.properties, () => []),
    methods: methodsOf(changedIn(is), others),
    evaluations: work.evaluations,
  };
}

/** The names that one has and the other one has not. */
function exchanged(was: Work["properties"], is: Work["properties"]): string[] {
  const [old, now] = [new Set(was.flat()), new Set(is.flat())];
  return [...[...old].filter((name) => !now.has(name)), ...[...now].filter((name) => !old.has(name))];
}

/** The names of methods that were the only one of that name, or are, and not the same. */
function guessedOtherwise(before: Py, after: Py, changed: ReadonlySet<string>, { methods }: Resolver): string[] {
  const declared = (project: Py): Map<string, string[]> => {
    const found = new Map<string, string[]>();
    for (const { path, facts } of project.files) {
      if (!changed.has(path)) continue;
      const { functions, strings } = facts.data;
      const symbols = symbolNames(facts);
      for (const { owner, symbol, name } of functions) {
        if (owner < 0 || symbol < 0) continue;
        const method = `${path} ${symbols[symbol]!}`;
        const same = found.get(strings[name]!);
        if (same) same.push(method);
        else found.set(strings[name]!, [method]);
      }
    }
    return found;
  };
  const [was, is] = [declared(before), declared(after)];
  return [...new Set([...was.keys(), ...is.keys()])].filter((name) => {
    const [old = [], now = []] = [was.get(name), is.get(name)];
    const count = methods.get(name)?.length ?? 0;
    return (count === 1 || count - now.length + old.length === 1) && old.join("\n") !== now.join("\n");
  });
}
