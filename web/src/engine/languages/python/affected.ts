import type { Ask, Before, Emit, Project, Stores } from "../../language.ts";
import { symbolNames } from "../../relations.ts";
import { ALL, Change, Side } from "./change.ts";
import { Evaluator } from "./evaluate.ts";
import type { PyFacts } from "./facts.ts";
import { Heirs } from "./heirs.ts";
import { methodsIn, methodsOf } from "./methods.ts";
import { isBuildFile } from "./modules.ts";
import { movedIn } from "./moved.ts";
import { Notes, printed, type Passed, type Site } from "./passed.ts";
import { Program } from "./program.ts";
import { model, only, related } from "./questions.ts";
import { modelsIn, relationsIn } from "./relations.ts";
import { Renumbered } from "./renumbered.ts";
import { Resolver, type Work } from "./resolve.ts";
import { Sites } from "./sites.ts";
import { passedTo } from "./surface.ts";

type Py = Project<PyFacts>;

/** Where a change touches more than this part of the files, and more than a few, all is resolved again. */
const MAX_PART = 0.5;
const FEW = 20;
/** Where comparing takes more than this part of what finding everything took, and more than a few evaluations, all is resolved again. */
const MAX_COMPARING = 0.3;
const FEW_EVALUATIONS = 5_000;

/** Where more types than this were found since all was resolved, they are not kept for the next change: they take some 250 MB in Chromium. */
const MAX_KEPT = 1_500_000;

/** The newest work on a project that begins with these facts, the files that it was about, and what knows the types found in them. */
const works = new WeakMap<object, Kept>();
/** What `affected` has begun and `resolve` goes on with. */
const begun = new WeakMap<Py["files"], Begun>();

/** What is known since everything was found from the start. */
interface Known {
  /** All that was asked. */
  questions: Set<number>;
  /** How many evaluations it took to find everything. */
  evaluations: number;
}

interface Kept extends Known {
  work: Work;
  files: Py["files"];
  evaluator: Evaluator | undefined;
}

interface Begun extends Known {
  resolver: Resolver;
}

function keep({ files }: Py, known: Known, { notes, sites, above, properties, methods, evaluator }: Resolver): void {
  if (files.length === 0) return;
  works.set(files[0]!.facts, { ...known, work: { notes, sites, above, properties, methods }, files, evaluator: evaluator.program.memory.size > MAX_KEPT ? undefined : evaluator });
}

/** The work on the very files of a project, whatever else has changed since. */
function workOn({ files }: Py): Kept | undefined {
  const kept = files.length > 0 ? works.get(files[0]!.facts) : undefined;
  if (kept?.files.length !== files.length) return undefined;
  return files.every(({ path, facts }, i) => kept.files[i]!.path === path && kept.files[i]!.facts === facts) ? kept : undefined;
}

/** Joins the facts of all Python files, or of some: emits calls, imports and base classes, and tells what is stored. */
export function resolve(project: Py, emit: Emit, only?: ReadonlySet<number>, ask: Ask = () => undefined, stores?: Stores): void {
  const part = only && begun.get(project.files);
  begun.delete(project.files);
  const { resolver, questions, evaluations } = part ?? { resolver: new Resolver(project), questions: new Set<number>(), evaluations: undefined };
  const { files } = resolver.program;
  resolver.run(part ? files.filter(({ index }) => only.has(index)) : files, emit, stores);
  keep(project, { questions, evaluations: evaluations ?? resolver.evaluator.evaluations }, resolver);
  resolver.program.tell((file, words) => {
    for (const word of words) questions.add(word);
    ask(file, words);
  });
}

/**
 * The files whose relations may be others after a change: those of which something was asked for that means something else now. What
 * calls pass to a function is such a thing, too: which calls these are is known once the calls in those files are resolved.
 */
export function affected(before: Before<PyFacts>, after: Py, changed: ReadonlySet<string>): ReadonlySet<string> | undefined {
  const last = workOn(before);
  if (!last || [...changed].some(isBuildFile)) return undefined;
  const { work, questions, evaluations, evaluator } = last;
  // Where this is broken off, it is of no more use.
  last.evaluator = undefined;
  const numbers = new Renumbered(before, after, changed);
  const kept = renumbered(work, numbers, before, after, changed);
  const old = evaluator ?? new Evaluator(new Program(before));
  old.program.link(work.sites, new Heirs(old.program, work.above));
  const was = new Side(before, old);
  const is = new Side(after, old.after(after));
  const change: Change = new Change(before, after, changed, was, is, (cls) => resolver.heirs.of(cls), {
    files: Math.max(FEW, after.files.length * MAX_PART), evaluations: Math.max(FEW_EVALUATIONS, evaluations * MAX_COMPARING),
  }, (question) => questions.has(question));
  for (const name of guessedOtherwise(before, after, changed, kept)) change.touchCalls(only(name));
  for (const { name, question } of modelledOtherwise(before, after, changed)) change.touch(question, name === "" ? ALL : { name });
  const resolver: Resolver = new Resolver(after, kept, is.evaluator);
  const { files } = resolver.program;
  resolver.survey(files.filter(({ path }) => changed.has(path)));

  // All files are resolved again, with what is known of them.
  const all = (): ReadonlySet<string> => {
    begun.set(after.files, { resolver: new Resolver(after, undefined, is.evaluator), questions, evaluations });
    return new Set(after.files.map(({ path }) => path));
  };
  movedIn(was, is, changed, change);
  if (!change.follow()) return all();
  resolver.survey(files.filter(({ path }) => change.affected.has(path) && !changed.has(path)));
  change.mentioned(exchanged(work.properties, resolver.properties));

  resolver.prepare(files.filter(({ path }) => change.affected.has(path)));
  const gone = work.notes.filter((_, i) => numbers.file(i) === undefined).map((list) => numbers.inFunctions(list, 4, 0));
  const notes = new Notes(numbers, after, kept, gone, resolver, changed);
  const passed = notes.different(change.affected);
  if (passed.length > 0 || change.some) {
    resolver.link();
    const sites = new Map<string, Site[]>();
    const sitesIn = (path: string): Site[] => {
      const file = is.at(path);
      if (file && !sites.has(path)) sites.set(path, notes.counted(file.index));
      return sites.get(path) ?? [];
    };
    /** What a method is passed, those that override it may be. */
    const leadTo = ({ path, name }: Passed): void => {
      for (const at of new Set([path, ...resolver.filesOverriding(path, name)])) change.lead(at, { name: passedTo(name) });
    };
    const usesOf = (path: string, site: Site): ReadonlySet<string> => (site.uses ??= printed(is.at(path)!.facts, site.is).uses);
    change.informed((path) => sitesIn(path).flatMap((site) => [...usesOf(path, site)]));
    for (const one of passed) leadTo(one);
    for (const path of numbers.mixed) change.lead(path, ALL);
    const visit = (path: string, usesAny: ((uses: ReadonlySet<string>) => boolean) | undefined): void => {
      const [a, b] = [was.at(path), is.at(path)!];
      sites.set(path, sitesIn(path).filter((site) => {
        if (usesAny && !usesAny(usesOf(path, site))) return true;
        if (change.isOther([a!, site.was], [b, site.is])) leadTo(site.passed);
        return false;
      }));
    };
    if (!was.evaluator.informedly(() => resolver.evaluator.informedly(() => change.follow(visit)))) return all();
  }
  begun.set(after.files, { resolver, questions, evaluations });
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
    sites: numbers.stay && notes.every((list, i) => list === work.notes[i]) ? work.sites : new Sites(is.files.map(({ facts }) => facts.data), notes, numbers.stay ? work.sites : undefined),
    above: numbers.byFile(work.above.map((list) => numbers.inClasses(list, 3, 1)), () => new Int32Array(0)),
    properties: numbers.byFile(work.properties, () => []),
    methods: methodsOf(changedIn(is), others),
  };
}

/** The names that one has and the other one has not. */
function exchanged(was: Work["properties"], is: Work["properties"]): string[] {
  const [old, now] = [new Set(was.flat()), new Set(is.flat())];
  return [...[...old].filter((name) => !now.has(name)), ...[...now].filter((name) => !old.has(name))];
}

/** The names of methods of which there were none or one, or are, and not the same. */
function guessedOtherwise(before: Py, after: Py, changed: ReadonlySet<string>, { methods }: Work): string[] {
  const declared = (project: Py): Map<string, string[]> => {
    const found = new Map<string, string[]>();
    for (const { path, facts } of project.files) {
      if (!changed.has(path)) continue;
      const symbols = symbolNames(facts);
      for (const [name, fn] of methodsIn(facts.data)) {
        const method = `${path} ${symbols[facts.data.functions[fn]!.symbol]!}`;
        const same = found.get(name);
        if (same) same.push(method);
        else found.set(name, [method]);
      }
    }
    return found;
  };
  const [was, is] = [declared(before), declared(after)];
  return [...new Set([...was.keys(), ...is.keys()])].filter((name) => {
    const [old = [], now = []] = [was.get(name), is.get(name)];
    const count = methods.get(name)?.length ?? 0;
    return (count <= 1 || count - now.length + old.length <= 1) && old.join("\n") !== now.join("\n");
  });
}

/** What is asked of models and their relations, backwards, that is another one: by the name that it is asked by, "" for whether there are any. */
function modelledOtherwise(before: Py, after: Py, changed: ReadonlySet<string>): { name: string; question: number }[] {
  const declared = (project: Py): Map<number, { name: string; told: string }> => {
    const found = new Map<number, { name: string; told: string }>();
    const add = (name: string, question: number, told: string): void => {
      found.set(question, { name, told: `${found.get(question)?.told ?? ""}${told}\n` });
    };
    for (const { path, facts } of project.files) {
      if (!changed.has(path)) continue;
      const symbols = symbolNames(facts);
      for (const name of modelsIn(facts.data)) add(name, model(name), path);
      for (const { name, cls, field, isOne } of relationsIn(facts.data)) add(name, related(name), `${path} ${symbols[facts.data.classes[cls]!.symbol]!} ${field} ${isOne}`);
    }
    if (project.files.some(({ facts }) => relationsIn(facts.data).length > 0)) add("", related(""), "");
    return found;
  };
  const [was, is] = [declared(before), declared(after)];
  return [...new Set([...was.keys(), ...is.keys()])].filter((question) => was.get(question)?.told !== is.get(question)?.told)
    .map((question) => ({ name: (was.get(question) ?? is.get(question))!.name, question }));
}
