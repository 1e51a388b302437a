import { attend, RELATION, spend } from "../../effort.ts";
import { symbolNames } from "../../relations.ts";
import { RESOLVED_EDGE_TYPES, type Emit, type Project, type ProjectFile } from "../../language.ts";
import type { Entry } from "../surfaces.ts";
import type { PyFacts } from "./facts.ts";
import { MAX_SITES, Resolver, type Work } from "./resolve.ts";
import { difference, mentioning, spread } from "./reach.ts";
import { passedTo, Printer } from "./surface.ts";

type Py = Project<PyFacts>;

/** Where a change touches more than this part of the files, and more than a few, all is resolved again. */
const MAX_PART = 0.3;
const FEW = 20;

/** The newest work on a project that begins with these facts, and the files that it was about. */
const works = new WeakMap<object, { work: Work; files: Py["files"] }>();
/** What `affected` has begun and `resolve` goes on with. */
const begun = new WeakMap<Py["files"], Resolver>();

function keep({ files }: Py, { notes, circles }: Work): void {
  if (files.length > 0) works.set(files[0]!.facts, { work: { notes, circles }, files });
}

/** The work on the very files of a project, whatever else has changed since. */
function workOn({ files }: Py): Work | undefined {
  const kept = files.length > 0 ? works.get(files[0]!.facts) : undefined;
  if (kept?.files.length !== files.length) return undefined;
  return files.every(({ path, facts }, i) => kept.files[i]!.path === path && kept.files[i]!.facts === facts) ? kept.work : undefined;
}

/** Joins the facts of all Python files, or of some: emits calls, imports and base classes. */
export function resolve(project: Py, emit: Emit, only?: ReadonlySet<number>): void {
  const partial = only && begun.get(project.files);
  begun.delete(project.files);
  if (partial) {
    if (!partial.run(partial.program.files.filter(({ index }) => only.has(index)), emit)) throw new Error("too much lies on circles");
    keep(project, partial);
    return;
  }
  const relations = new Relations();
  const apart = new Resolver(project, true);
  if (apart.run(apart.program.files, relations.take)) {
    relations.give(emit);
    keep(project, apart);
    return;
  }
  const together = new Resolver(project, false);
  together.run(together.program.files, emit);
}


/** Relations that are held back until it is known that they count. */
class Relations {
  private readonly ends: number[] = [];
  private readonly sure: number[] = [];

  readonly take: Emit = (type, from, to, confidence, line) => {
    spend(RELATION);
    this.ends.push(RESOLVED_EDGE_TYPES.indexOf(type), from.file, from.symbol, to.file, to.symbol, line);
    this.sure.push(confidence);
  };

  give(emit: Emit): void {
    const { ends, sure } = this;
    attend();
    for (let i = 0, at = 0; i < sure.length; i++, at += 6) {
      emit(RESOLVED_EDGE_TYPES[ends[at]!]!, { file: ends[at + 1]!, symbol: ends[at + 2]! }, { file: ends[at + 3]!, symbol: ends[at + 4]! }, sure[i]!, ends[at + 5]!);
    }
  }
}

/**
 * The files whose relations may be others after a change: in which names stand that may mean something else, as the surfaces say. What
 * calls pass to a function is such a thing, too: which calls these are is known once the calls in those files are resolved.
 */
export function affected(before: Py, after: Py, changed: ReadonlySet<string>): ReadonlySet<string> | undefined {
  const known = workOn(before);
  if (!known || before.files.length !== after.files.length) return undefined;
  const touched = difference(before, after, changed);
  if (!touched) return undefined;
  const work = renumbered(known, before, after, changed);
  if (!spread(after, touched, passing(after, work, changed))) return undefined;
  const limit = Math.max(FEW, after.files.length * MAX_PART);
  const first = new Set([...changed, ...mentioning(after, touched)]);
  if (first.size > limit) return undefined;

  const resolver = new Resolver(after, true, work);
  if (!resolver.targets(resolver.program.files.filter(({ path }) => first.has(path)))) return undefined;
  for (const name of passedOtherwise(before, after, work, resolver, first, changed)) touched.add(passedTo(name));
  if (!spread(after, touched, passing(after, resolver, new Set()))) return undefined;
  const all = new Set([...first, ...mentioning(after, touched)]);
  if (all.size > limit) return undefined;
  begun.set(after.files, resolver);
  return all;
}

/** Work in which the functions of changed files have the numbers that they have now. */
function renumbered(work: Work, before: Py, after: Py, changed: ReadonlySet<string>): Work {
  const numbers = new Map<number, Map<number, number>>();
  after.files.forEach((file, i) => {
    if (!changed.has(file.path)) return;
    const now = new Map(functionNames(file).map((name, at) => [name, at]));
    const moved = new Map<number, number>();
    functionNames(before.files[i]!).forEach((name, at) => {
      const to = now.get(name);
      if (to !== undefined) moved.set(at, to);
    });
    numbers.set(i, moved);
  });
  const notes = work.notes.map((list) => {
    const own: number[] = [];
    for (let i = 0; i < list.length; i += 4) {
      const moved = numbers.get(list[i]!);
      const fn = moved ? moved.get(list[i + 1]!) : list[i + 1]!;
      if (fn !== undefined) own.push(list[i]!, fn, list[i + 2]!, list[i + 3]!);
    }
    return own;
  });
  return { notes, circles: work.circles };
}

/** What tells a file's functions apart. */
function functionNames({ facts }: ProjectFile<PyFacts>): string[] {
  const { functions, strings } = facts.data;
  const symbols = symbolNames(facts);
  const counts = new Map<string, number>();
  return functions.map((fact, i) => {
    const print = new Printer(facts.data);
    if (fact.symbol < 0) print.function(i);
    const name = fact.symbol < 0 ? print.text : `${symbols[fact.symbol]!} ${strings[fact.name]!}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `${name}#${count}`;
  });
}

/** The name of a function that a note is about. */
function noted(project: Py, notes: readonly number[], at: number): string {
  const { functions, strings } = project.files[notes[at]!]!.facts.data;
  return strings[functions[notes[at + 1]!]!.name]!;
}

/** What the calls of each file pass, as entries: what that means decides what parameters are. Of files `without` it is not known yet. */
function passing(project: Py, { notes }: Work, without: ReadonlySet<string>): (file: number) => readonly Entry[] {
  const known = new Map<number, readonly Entry[]>();
  const find = (file: number): readonly Entry[] => {
    const list = notes[file]!;
    const { path, facts } = project.files[file]!;
    if (without.has(path)) return [];
    const entries = new Map<string, Entry & { uses: Set<string> }>();
    for (let i = 0; i < list.length; i += 4) {
      const name = noted(project, list, i);
      let entry = entries.get(name);
      if (!entry) entries.set(name, (entry = { text: "", names: [passedTo(name)], uses: new Set() }));
      const print = new Printer(facts.data);
      print.node(list[i + 3]!);
      for (const use of print.uses) entry.uses.add(use);
    }
    return [...entries.values()];
  };
  return (file) => {
    let entries = known.get(file);
    if (!entries) known.set(file, (entries = find(file)));
    return entries;
  };
}

/** The names of functions to which the calls in `files` pass something else than before. */
function passedOtherwise(before: Py, after: Py, was: Work, is: Work, files: ReadonlySet<string>, changed: ReadonlySet<string>): Set<string> {
  const keyOf = (notes: readonly number[], i: number): string => `${notes[i]!}.${notes[i + 1]!}.${notes[i + 2]!}`;
  const wanted = new Map<string, string>();
  after.files.forEach(({ path }, file) => {
    if (!files.has(path)) return;
    for (const notes of [was.notes[file]!, is.notes[file]!]) {
      for (let i = 0; i < notes.length; i += 4) wanted.set(keyOf(notes, i), noted(after, notes, i));
    }
  });
  const sitesOf = (project: Py, { notes }: Work): Map<string, string[]> => {
    const sites = new Map<string, string[]>();
    notes.forEach((list, file) => {
      const { path, facts } = project.files[file]!;
      for (let i = 0; i < list.length; i += 4) {
        const key = keyOf(list, i);
        if (!wanted.has(key)) continue;
        let found = sites.get(key);
        if (!found) sites.set(key, (found = []));
        if (found.length >= MAX_SITES) continue;
        if (!changed.has(path)) found.push(`${file} ${list[i + 3]!}`);
        else {
          const print = new Printer(facts.data);
          print.node(list[i + 3]!);
          found.push(`${file} ${print.text}`);
        }
      }
    });
    return sites;
  };
  const [old, now] = [sitesOf(before, was), sitesOf(after, is)];
  const names = new Set<string>();
  for (const [key, name] of wanted) if (old.get(key)?.join("\n") !== now.get(key)?.join("\n")) names.add(name);
  return names;
}
