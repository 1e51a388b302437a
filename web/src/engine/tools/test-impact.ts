import type { Codebase } from "../codebase.ts";
import { noteOf, stillClustering } from "../summary.ts";
import { isTestPath } from "../test-paths.ts";
import { ToolError, type Tool } from "../tools.ts";
import { count, cutSome, present, qualifiedName } from "./answers.ts";
import { flag, number, texts } from "./arguments.ts";
import { DEPENDENCE, indexOf } from "./codebase-index.ts";
import { enclosing } from "./enclosing.ts";
import { checkpointOf } from "./impact.ts";
import { ANY, mentionsOf, mentionTexts } from "./mentions.ts";
import { Page } from "./page.ts";
import { resolvePath } from "./read.ts";
import { partsOf, reach, type Omitted, type Reach, type Reached } from "./reach.ts";
import { scoreOf } from "./risk.ts";
import { testCommands } from "./test-commands.ts";
import { touchedBy, touchedLists } from "./touched.ts";
import { unknownsOf, type Unknowns } from "./unknowns.ts";
import { TYPES } from "./unnamed-calls.ts";
import type { WordLine } from "./words-in-text.ts";

/** Files told at each depth. */
const FILES = [25, 15, 10];
const TESTS = 30;
/** Tests of one file that are named. */
const NAMES = 6;
/** Reasons why LOW is not known. */
const REASONS = 5;
/** As impact has it by itself. */
const MIN_CONFIDENCE = 0.7;
/** Tests of a file that none reaches within the depth are looked for so many steps away. */
const FAR = 20;
/** Files of which such tests are looked for: each is a walk through the graph. */
const FAR_FILES = 30;
/** Types whose names are looked for: each is a walk through all texts. */
const NAMED_TYPES = 24;
/** Places that name them. */
const NAMERS = 8;
/** Calls through interfaces and stored functions are this sure: a way of them may lead to the file. */
const POSSIBLE = 0.5;

/**
 * What a change of some files reaches, and the tests that would notice: those whose code reaches the changed files
 * within the depth, and those that their names make the tests of a changed file. Of a file that has neither, the nearest
 * tests farther away, and where no way is sure, those that may reach it, also by what declares something of its types.
 */
export const testImpact: Tool = async (args, { codebase, signal }) => {
  const { graph } = codebase;
  const { changed, unknown } = resolveAll(codebase, texts(args, "changedFiles"));
  if (changed.length === 0) {
    throw new ToolError(`None of ${unknown.length === 1 ? `"${unknown[0]!.path}"` : `the ${unknown.length} paths`} names a file of this repository. ${unknown.some(({ candidates }) => candidates !== undefined) ? "The candidates are what was probably meant." : "Use search or context with focus structure to find them."}`, { unknown });
  }
  const maxDepth = number(args, "maxDepth", 2);
  const targets = changed.map((path) => graph.find(`File:${path}`)!);
  const { seeds, levels, omitted } = await reach(codebase, targets, {
    direction: "upstream", maxDepth, relationTypes: DEPENDENCE, minConfidence: MIN_CONFIDENCE, includeTests: true, checkpoint: checkpointOf(signal),
  });
  const isTest = ({ node }: Reached): boolean => graph.nodes[node]!.test;
  const affected = affectedFiles(codebase, levels.map((level) => level.filter((r) => !isTest(r))), new Set(changed));
  const reached = levels.flat().filter((r) => !isTest(r)).map(({ node }) => node);
  const touched = touchedBy(codebase, [...seeds, ...reached].filter((node) => !graph.nodes[node]!.test));
  const near = testsFor(codebase, changed, levels);
  const page = new Page(args);
  const code = targets.filter((file) => graph.nodes[file]!.language !== "" && !graph.nodes[file]!.test);
  const isTested = (file: number, by: readonly Suggested[]): boolean => by.some(({ of }) => of.has(graph.nodes[file]!.file));
  const missing = code.filter((file) => !isTested(file, near));
  const looked = missing.slice(0, FAR_FILES);
  const far: Suggested[] = [];
  const namers = namersOf(codebase, [...missing, ...code.filter((file) => !missing.includes(file))]);
  for (const file of looked) far.push(...await testsFartherAway(codebase, file, namers.filter(({ of }) => of === file), signal));
  const tests = merged([...near, ...far]);
  const untested = looked.filter((file) => !isTested(file, tests));
  const { connections } = indexOf(codebase);
  const hottest = Math.max(0, ...[...seeds].filter((node) => graph.nodes[node]!.line > 0 && !graph.nodes[node]!.test).map((node) => connections[node]!));
  const outside = changed.filter((path) => graph.nodes[graph.find(`File:${path}`)!]!.language === "");
  const spread = {
    direct: affected[0]?.length ?? 0, further: affected.slice(1).reduce((sum, files) => sum + files.length, 0),
    entries: touched.entries, clusters: touched.clusters.length, hottest, untested: untested.length, code: code.length,
    tests: new Set(levels.flat().filter(isTest).map(({ node }) => graph.nodes[node]!.file)).size,
  };
  const unknowns = unknownsOfAll(codebase, code, omitted, scoreOf(spread).level === "LOW");
  const seen = new Set([...changed, ...affected.flat().map(({ file }) => file)]);
  const mentioned = cutSome(mentionTexts(codebase, namers.filter(({ path, node }) => !seen.has(path) && !graph.nodes[node]!.test)), NAMERS, (place) => place, "impact of the types");
  if (outside.length > 0) unknowns.reasons.push(`${count(outside.length, "changed file")} in no language of the graph`);
  return present({
    risk: scoreOf(spread, unknowns.reasons),
    changed,
    unknown: unknown.length > 0 ? unknown : undefined,
    affected: affected.flatMap((files, i) => {
      const part = page.list(files, FILES[i] ?? FILES.at(-1)!, ({ file }) => file, ({ file, symbols }) => (symbols > 0 ? `${file}: ${symbols}` : file));
      return part ? [{ depth: i + 1, ...part }] : [];
    }),
    ...touchedLists(touched, page),
    leftOut: page.isFirst ? leftOutOf(unknowns, mentioned) : undefined,
    tests: flag(args, "suggestTests", true) ? byReason(tests, page) : undefined,
    run: flag(args, "suggestTests", true) ? some(testCommands(codebase, tests.map(({ file, names }) => ({ file, names: [...names] })))) : undefined,
    untested: untested.length > 0 ? untested.map((file) => graph.nodes[file]!.file) : undefined,
    note: noteOf(stillClustering(codebase), missing.length > looked.length ? `Of ${count(missing.length - looked.length, "more changed file")} no test in ${count(maxDepth, "step")} is known, and none farther away was looked for: ask for fewer files.` : undefined, outside.length > 0 ? `${outside.join(", ")} ${outside.length === 1 ? "is in no language" : "are in no language"} of the graph, so what depends on ${outside.length === 1 ? "it" : "them"} is unknown: grep for the name.` : undefined),
  });
};

/** Why more may depend on the files than the graph has, of each file where there are several. */
function unknownsOfAll(codebase: Codebase, files: readonly number[], omitted: Omitted, isLow: boolean): Unknowns {
  const { graph } = codebase;
  const reasons: string[] = omitted.unsure.length > 0 ? [`${count(omitted.unsure.length, "dependent")} below the confidence left out`] : [];
  for (const file of files) {
    const of = unknownsOf(codebase, file, partsOf(graph, file), { unsure: [], tests: [] }, 1, isLow && reasons.length === 0).reasons;
    reasons.push(...(files.length > 1 ? of.map((reason) => `${graph.nodes[file]!.file}: ${reason}`) : of));
  }
  const first = files[0];
  const leftOut = first === undefined ? undefined : unknownsOf(codebase, first, new Set(), { unsure: omitted.unsure, tests: [] }, 1, false).leftOut;
  return { reasons: reasons.length > REASONS ? [...reasons.slice(0, REASONS), `and ${reasons.length - REASONS} more of the kind`] : reasons, ...(leftOut ? { leftOut } : {}) };
}

function leftOutOf({ leftOut }: Unknowns, mentions: NonNullable<Unknowns["leftOut"]>["mentions"]): Unknowns["leftOut"] {
  return mentions ? { ...leftOut, mentions } : leftOut;
}

/** A line that declares something of a type, which no edge says. */
interface Namer extends WordLine {
  /** The symbol that it stands in, or its file. */
  node: number;
  /** The file that declares the type. */
  of: number;
}

function namersOf(codebase: Codebase, files: readonly number[]): Namer[] {
  const { graph } = codebase;
  const types = files.flatMap((of) => [...partsOf(graph, of)].filter((type) => TYPES.has(graph.nodes[type]!.kind)).map((type) => ({ of, type })));
  const lines = types.slice(0, NAMED_TYPES).flatMap(({ of, type }) => mentionsOf(codebase, type, partsOf(graph, type), ANY).map((line) => ({ ...line, of })));
  const around = enclosing(graph, lines.map(({ path, line }) => ({ file: path, line })));
  return lines.map((line, i) => ({ ...line, node: graph.find(around[i]?.id ?? `File:${line.path}`)! }));
}

interface Unknown {
  path: string;
  /** Paths that may be meant or, where there are none, what is wrong. */
  candidates?: unknown;
  why?: string;
}

function resolveAll(codebase: Codebase, paths: readonly string[]): { changed: string[]; unknown: Unknown[] } {
  const changed = new Set<string>();
  const unknown: Unknown[] = [];
  for (const path of paths) {
    try {
      changed.add(resolvePath(codebase, path));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      unknown.push({ path, ...(error.details?.candidates === undefined ? { why: error.message } : { candidates: error.details.candidates }) });
    }
  }
  return { changed: [...changed], unknown };
}

/** At each depth the files that are not nearer, with the number of their symbols that depend on the change; 0: only the file itself does. */
function affectedFiles({ graph }: Codebase, levels: readonly Reached[][], changed: ReadonlySet<string>): { file: string; symbols: number }[][] {
  const seen = new Set(changed);
  return levels.map((level) => {
    const files = new Map<string, number>();
    for (const { node } of level) {
      const { file, line } = graph.nodes[node]!;
      if (!seen.has(file)) files.set(file, (files.get(file) ?? 0) + (line > 0 ? 1 : 0));
    }
    for (const file of files.keys()) seen.add(file);
    return [...files].map(([file, symbols]) => ({ file, symbols })).sort((a, b) => b.symbols - a.symbols || (a.file < b.file ? -1 : 1));
  });
}

interface Suggested {
  file: string;
  why: string;
  /** The changed files that it tests. */
  of: Set<string>;
  /** The tests in it that reach them, as `Type.name` or `name`; empty where that is not known. */
  names: Set<string>;
  /** What the runner itself calls, such as a fixture, reaches them: which tests are meant is not known. */
  whole: boolean;
}

/** The nearest tests of one file, however far away; where nothing leads to a test for sure, those that may reach it, or what names its types. */
async function testsFartherAway(codebase: Codebase, file: number, namers: readonly Namer[], signal: AbortSignal): Promise<Suggested[]> {
  const { nodes } = codebase.graph;
  const path = nodes[file]!.file;
  const until = (node: number): boolean => nodes[node]!.test && isRunnable(codebase, nodes[node]!.file);
  const walk = (from: readonly number[], minConfidence: number): Promise<Reach> => reach(codebase, from, { direction: "upstream", maxDepth: FAR, relationTypes: DEPENDENCE, minConfidence, includeTests: true, checkpoint: checkpointOf(signal), until });
  for (const [minConfidence, reaches] of [[MIN_CONFIDENCE, "reaches"], [POSSIBLE, "may reach"]] as const) {
    const { levels } = await walk([file], minConfidence);
    if (levels.at(-1)?.some(({ node }) => until(node))) return testsFor(codebase, [path], levels, reaches);
  }
  const naming = namers.filter((namer) => namer.path !== path).map(({ node }) => node);
  const isTested = naming.some(until);
  const { seeds, levels } = isTested ? { seeds: new Set(naming), levels: [] } : await walk(naming, POSSIBLE);
  return testsFor(codebase, [path], [[...seeds].map((node) => ({ node, via: file })), ...levels], "may reach");
}

/** Each file once, for the first of its reasons, with all of its tests that are meant. */
function merged(tests: readonly Suggested[]): Suggested[] {
  const byFile = new Map<string, Suggested>();
  for (const test of tests) {
    const known = byFile.get(test.file);
    if (!known) {
      byFile.set(test.file, test);
      continue;
    }
    // No names are all of them.
    const isWhole = known.names.size === 0 || test.names.size === 0;
    for (const path of test.of) known.of.add(path);
    for (const name of test.names) known.names.add(name);
    if (isWhole) known.names.clear();
  }
  return [...byFile.values()];
}

/** Changed tests first, then those that are made for a changed file, then those that reach it, the nearest first. */
function testsFor(codebase: Codebase, changed: readonly string[], levels: readonly (readonly Pick<Reached, "node" | "via">[])[], reaches = "reaches"): Suggested[] {
  const { graph } = codebase;
  const tests = new Map<string, Suggested & { rank: number; uses: number }>();
  const runnable = new Map<string, boolean>();
  const isRun = (path: string): boolean => {
    const known = runnable.get(path) ?? isRunnable(codebase, path);
    runnable.set(path, known);
    return known;
  };
  const suggest = (file: string, why: string, rank: number, of?: string, name?: string): void => {
    let known = tests.get(file);
    if (!known) tests.set(file, (known = { file, why, rank, uses: 0, of: new Set(), names: new Set(), whole: why === "changed" }));
    known.uses++;
    if (of !== undefined) known.of.add(of);
    if (name !== undefined) known.names.add(name);
  };
  for (const path of changed) if (isRun(path)) suggest(path, "changed", 0);
  const named = new Map<string, string[]>();
  for (const path of codebase.files.paths) {
    if (!isRun(path)) continue;
    const subject = subjectOf(path);
    const known = named.get(subject);
    if (known) known.push(path);
    else named.set(subject, [path]);
  }
  for (const path of changed) {
    if (graph.nodes[graph.find(`File:${path}`)!]!.test) continue;
    const folder = folderOf(path);
    const candidates = named.get(subjectOf(path)) ?? [];
    // A name may be that of many files: only tests nearby are meant. Go's stand in the package that they test.
    for (const test of candidates.filter((other) => (path.endsWith(".go") ? folder === folderOf(other) : isNear(folder, folderOf(other))))) suggest(test, `named after ${lastOf(path)}`, 1, path);
  }
  // The changed file that each node came from, through all that lies between.
  const origin = new Map<number, string>();
  for (const path of changed) for (const part of partsOf(graph, graph.find(`File:${path}`)!)) origin.set(part, path);
  levels.forEach((level, i) => {
    for (const { node, via } of level) {
      const path = origin.get(via)!;
      if (!origin.has(node)) origin.set(node, path);
      const { test, file, entry, language, name } = graph.nodes[node]!;
      if (test && isRun(file)) {
        suggest(file, i === 0 && reaches === "reaches" ? `uses ${lastOf(path)}` : `${reaches} ${lastOf(path)} in ${count(i + 1, "step")}`, 2 + i, path, entry === "test" ? qualifiedName(graph.nodes[node]!) : undefined);
      }
      const isSetUp = test && SET_UP.test(headOf(codebase, node));
      if (!test || (entry === "test" && !isSetUp) || graph.nodes[node]!.line === 0 || TYPES.has(graph.nodes[node]!.kind) || graph.nodes[node]!.kind === "Variable") continue;
      // The runner calls it, or nobody looked who does.
      const isOpen = isSetUp || graph.in(node, "CALLS").length === 0 || i === levels.length - 1;
      if (isOpen && isRun(file)) tests.get(file)!.whole = true;
      if (language !== "python") continue;
      for (const user of usersOf(codebase, node, isOpen)) {
        suggest(user, `may use the fixture ${name}`, 2 + i, path);
        tests.get(user)!.whole = true;
      }
    }
  });
  for (const one of tests.values()) if (one.whole) one.names.clear();
  return [...tests.values()].sort((a, b) => a.rank - b.rank || b.uses - a.uses || (a.file < b.file ? -1 : 1));
}

/** Functions that runners call around each test, by name or annotation. */
const SET_UP = /@(?:Before|After)(?:Each|All|Class)?\b|\[(?:OneTime)?(?:SetUp|TearDown)\b|\[(?:Test|Class)(?:Initialize|Cleanup)\b|\b(?:set_?up|tear_?down)(?:_?class|_method|_module|BeforeClass|AfterClass)?\b/i;
/** Lines above a function that may have its decorators. */
const ABOVE = 6;

/** A function's decorators or annotations, and its first line. */
function headOf({ graph, files }: Codebase, node: number): string {
  const { file, startLine, line } = graph.nodes[node]!;
  const lines = (files.text(file) ?? "").split("\n");
  let from = startLine - 1;
  while (from > 0 && startLine - 1 - from < ABOVE && /^\s*[@[)]/.test(lines[from - 1]!)) from--;
  return lines.slice(from, line).join("\n");
}

/**
 * The test files below a conftest.py that use a fixture of it in ways that are no edges: all of them where it is for all, those that ask
 * for it by `usefixtures`. With `byName` those that have its name at all.
 */
function usersOf(codebase: Codebase, fixture: number, byName: boolean): string[] {
  const { graph, files } = codebase;
  const { name, file } = graph.nodes[fixture]!;
  const decorators = headOf(codebase, fixture);
  if (!/\bfixture\b/.test(decorators) || lastOf(file) !== "conftest.py") return [];
  const given = /name\s*=\s*["'](\w+)/.exec(decorators)?.[1] ?? name;
  const use = new RegExp(byName ? `\\b${given}\\b` : `\\busefixtures\\s*\\([^)]*["']${given}["']`);
  const isForAll = /autouse\s*=\s*True/.test(decorators);
  const folder = folderOf(file);
  return files.paths.filter((path) => path.endsWith(".py") && (folder === "" || path.startsWith(`${folder}/`)) && isRunnable(codebase, path) && (isForAll || use.test(files.text(path)!)));
}

function some<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}

/** The files by why they are suggested, so that a reason is told once; each with the names of its tests that are meant. */
function byReason(tests: readonly Suggested[], page: Page): object {
  const groups = new Map<string, string[]>();
  const inWords = ({ file, names }: Suggested): string => {
    const told = page.isFiltered ? names.size : NAMES;
    return names.size === 0 ? file : `${file}: ${[...names].slice(0, told).join(", ")}${names.size > told ? ` and ${names.size - told} more: path ${file}` : ""}`;
  };
  const { items, ...counts } = page.part(tests, page.filter(tests, ({ file }) => file), (test) => test, TESTS);
  for (const test of items) groups.set(test.why, [...groups.get(test.why) ?? [], inWords(test)]);
  return { ...counts, groups: [...groups].map(([why, files]) => ({ why, items: files })) };
}

/** A line of JavaScript that declares a test or a group of tests: `describe("…`, `suite("…`, `t.test("…`. */
const TEST_CALL = /^[ \t]*(?:(?:describe|context|suite|it|test|specify)(?:\.\w+)*|\w+\.test)\s*\(\s*["'`]/m;

/** A test that a runner runs, not what tests use: it has tests in it, or the name of one. */
function isRunnable({ graph, files }: Codebase, path: string): boolean {
  const file = graph.find(`File:${path}`)!;
  const { test, language } = graph.nodes[file]!;
  return isTestPath(lastOf(path)) && !/^conftest\./.test(lastOf(path)) || graph.out(file, "DEFINES").some((e) => graph.nodes[graph.to[e]!]!.entry === "test")
    || test && (language === "typescript" || language === "javascript") && TEST_CALL.test(files.text(path) ?? "");
}

/** What a file or the test of it is about: `src/price.ts` and `src/price.test.ts`, `price.go` and `price_test.go`, `test_price.py`, `PriceTest.java`. */
function subjectOf(path: string): string {
  return lastOf(path).replace(/\..*$/, "").replace(/^test_|[_-](?:test|spec)$|(?<=\p{Ll})(?:Tests?|Spec)$/u, "").toLowerCase();
}

/** In the same folder, a folder of tests in it or beside it, or a mirror of it: one's last folders are the other's. */
function isNear(folder: string, other: string): boolean {
  const own = (path: string): string[] => path.split("/").filter((part) => part !== "" && !/^(?:__tests__|tests?|specs?|unit|integration|functional|src|lib|main)$/.test(part));
  const [a, b] = [own(folder), own(other)];
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return short.every((part, i) => part === long[long.length - short.length + i]) || short.every((part, i) => part === long[i]);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
