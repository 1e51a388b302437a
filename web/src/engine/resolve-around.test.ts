import { afterEach, expect, test, vi } from "vitest";
import { codebaseOf, parseHere, repositoryOf } from "../../test/codebase.ts";
import { call } from "../../test/tools.ts";
import type { Codebase } from "./codebase.ts";
import { attend, spend } from "./effort.ts";
import { findClusters } from "./find-clusters.ts";
import { java } from "./languages/java/index.ts";
import { python } from "./languages/python/index.ts";
import type { Language } from "./language.ts";
import { openWorkspace } from "./pipeline.ts";
import { contextOf } from "./summary.ts";

/** A chain of calls: A.one -> B.two -> C.three -> D.four, and further files without any. */
const JAVA: Record<string, string> = Object.fromEntries([
  ...[["A", "one", "B.two()"], ["B", "two", "C.three()"], ["C", "three", "D.four()"], ["D", "four", ""]].map(([type, method, body]) =>
    [`${type!}.java`, `class ${type!} { static void ${method!}() { ${body!}; } }\n`]),
  ...Array.from({ length: 9 }, (_, i) => [`E${i}.java`, `class E${i} {}\n`]),
]) as Record<string, string>;

afterEach(() => {
  vi.restoreAllMocks();
});

/** The resolver throws when the project has such files, whatever is asked for of it. */
function brokenWith(language: Language<never>, bad: (paths: readonly string[]) => boolean): { mock: { calls: unknown[] } } {
  const resolve = language.resolve.bind(language);
  return vi.spyOn(language, "resolve").mockImplementation((project, emit, only) => {
    if (bad(project.files.map(({ path }) => path))) throw new Error("no such thing");
    resolve(project, emit, only);
  });
}

/** The resolver never ends with a file as long as it says so; `asked`: only if what leaves the file is asked for. Time runs by the steps. */
function endlessWith(language: Language<never>, endless: string, asked: boolean): { mock: { calls: unknown[] } } {
  const resolve = language.resolve.bind(language);
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 1));
  return vi.spyOn(language, "resolve").mockImplementation((project, emit, only) => {
    const at = project.files.findIndex(({ path, facts }) => path === endless && facts.symbols.length < 3);
    if (at >= 0 && (!asked || (only?.has(at) ?? true))) {
      attend(at);
      for (;;) spend();
    }
    attend();
    resolve(project, emit, only);
  });
}

function calls({ graph }: Codebase): string[] {
  return [...graph.type.keys()].map((e) => graph.edge(e)).filter(({ type }) => type === "CALLS").map(({ from, to }) => `${graph.nodes[from]!.name} ${graph.nodes[to]!.name}`).sort();
}

test("a file on which the resolver throws has no relations of its own, not even those found before it threw; all others do", async () => {
  const resolve = java.resolve.bind(java);
  vi.spyOn(java, "resolve").mockImplementation((project, emit, only) => {
    const at = project.files.findIndex(({ path }) => path === "B.java");
    resolve(project, emit, only);
    if (only?.has(at) ?? true) throw new Error("no such thing");
  });
  const codebase = await codebaseOf(JAVA);
  expect(calls(codebase)).toEqual(["one two", "three four"]);
  expect(codebase.skipped).toEqual([{ path: "B.java", unresolved: true, reason: "what it calls, imports and extends is missing, since the resolver failed on it: no such thing" }]);
});

test("a file that nothing can be resolved beside costs its own relations; several do, too", async () => {
  brokenWith(java, (paths) => paths.includes("A.java") || paths.includes("E4.java"));
  const codebase = await codebaseOf(JAVA);
  expect(calls(codebase)).toEqual(["three four", "two three"]);
  expect(codebase.skipped.map(({ path }) => path)).toEqual(["A.java", "E4.java"]);
});

test("a resolver that throws whatever it is given costs its language, and no other", async () => {
  brokenWith(java, () => true);
  const codebase = await codebaseOf({ ...JAVA, "a.py": "def f():\n    return g()\n\ndef g():\n    return 1\n" });
  expect(calls(codebase)).toEqual(["f g"]);
  expect(codebase.skipped).toEqual([{ path: "*.java", unresolved: true, reason: "relations of java are missing, since its resolver failed: no such thing" }]);
});

test("a resolver that does not resolve in part finds the file, too", async () => {
  brokenWith(python, (paths) => paths.includes("b.py"));
  const codebase = await codebaseOf({ "a.py": "def f():\n    return g()\n\ndef g():\n    return 1\n", "b.py": "from a import f\nf()\n", "c.py": "from a import g\n\ndef h():\n    return g()\n" });
  expect(calls(codebase)).toEqual(["f g", "h g"]);
});

test("it is remembered as long as the file says the same, and looked for again when it does not", async () => {
  let bad = "E4.java";
  const { mock } = brokenWith(java, (paths) => paths.includes(bad));
  const workspace = await openWorkspace({ repository: repositoryOf(JAVA), parse: parseHere, findClusters });
  const update = async (path: string, text: string): Promise<Codebase> => workspace.update({ files: [{ path, text, bytes: text.length }], removed: [] }, parseHere);
  const count = mock.calls.length;
  expect(calls(await update("A.java", "class A { static void one() { D.four(); } }\n"))).toEqual(["one four", "three four", "two three"]);
  expect(mock.calls.length).toBe(count + 1);
  bad = "none";
  const repaired = await update("E4.java", "class E4 { void five() { A.one(); } }\n");
  expect(calls(repaired)).toEqual(["five one", "one four", "three four", "two three"]);
  expect(repaired.skipped).toEqual([]);
});

test("a file with which the resolver never ends has no relations of its own; all others do, and a change goes on", async () => {
  const { mock } = endlessWith(java, "B.java", true);
  const workspace = await openWorkspace({ repository: repositoryOf({ ...JAVA, "a.py": "def f():\n    return g()\n\ndef g():\n    return 1\n" }), parse: parseHere, findClusters });
  const codebase = workspace.codebase!;
  expect(calls(codebase)).toEqual(["f g", "one two", "three four"]);
  expect(codebase.skipped).toEqual([{ path: "B.java", unresolved: true, reason: "what it calls, imports and extends is missing, since working it out takes too long" }]);
  expect(mock.calls).toHaveLength(2);
  const update = async (path: string, text: string): Promise<Codebase> => workspace.update({ files: [{ path, text, bytes: text.length }], removed: [] }, parseHere);
  expect(calls(await update("A.java", "class A { static void one() { D.four(); } }\n"))).toEqual(["f g", "one four", "three four"]);
  expect(mock.calls).toHaveLength(3);
  const repaired = await update("B.java", "class B { static void two() { C.three(); } void more() {} }\n");
  expect(calls(repaired)).toEqual(["f g", "one four", "three four", "two three"]);
  expect(repaired.skipped).toEqual([]);
});

test("a file with which it never ends, whatever is asked for, is left out", async () => {
  endlessWith(java, "B.java", false);
  const codebase = await codebaseOf(JAVA);
  expect(calls(codebase)).toEqual(["three four"]);
  expect(codebase.skipped).toEqual([{ path: "B.java", unresolved: true, reason: "its relations in both directions are missing, since working it out takes too long" }]);
});

test("a resolver that never ends, whatever it is given, costs its language, and no other", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 1));
  const { mock } = vi.spyOn(java as Language<never>, "resolve").mockImplementation(() => {
    for (;;) spend();
  });
  const codebase = await codebaseOf({ ...JAVA, "a.py": "def f():\n    return g()\n\ndef g():\n    return 1\n" });
  expect(calls(codebase)).toEqual(["f g"]);
  expect(codebase.skipped).toEqual([{ path: "*.java", unresolved: true, reason: "relations of java are missing, since working them out takes too long" }]);
  expect(mock.calls).toHaveLength(1);
});

test("files with which it never ends cost no more than a few of them", async () => {
  let steps = 0;
  vi.spyOn(java as Language<never>, "resolve").mockImplementation((project, _, only) => {
    for (const i of only ?? project.files.keys()) {
      attend(i);
      for (;; steps++) spend();
    }
  });
  const { skipped } = await codebaseOf(Object.fromEntries(Array.from({ length: 30 }, (__, i) => [`E${i}.java`, `class E${i} {}\n`])));
  expect(skipped).toEqual([{ path: "*.java", unresolved: true, reason: "relations of java are missing, since working them out takes too long" }]);
  expect(steps).toBeLessThan(80_000_000);
});

test("where all together take too much, those that take most of it go first", async () => {
  const takes = new Map([["B.java", 1_000_000], ["C.java", 3_900_000], ["D.java", 1_000_000]]);
  const resolve = java.resolve.bind(java);
  vi.spyOn(java as Language<never>, "resolve").mockImplementation((project, emit, only, ask) => {
    project.files.forEach(({ path }, i) => {
      attend(i);
      if (only?.has(i) ?? true) for (let left = takes.get(path) ?? 0; left > 0; left--) spend();
    });
    attend();
    resolve(project, emit, only, ask);
  });
  const codebase = await codebaseOf(JAVA);
  expect(calls(codebase)).toEqual(["one two", "two three"]);
  expect(codebase.skipped.map(({ path }) => path)).toEqual(["C.java"]);
});

test("an edit after which a file never ends costs that file", async () => {
  const workspace = await openWorkspace({ repository: repositoryOf(JAVA), parse: parseHere, findClusters });
  endlessWith(java, "B.java", true);
  const text = "class B { static void two() { } }\n";
  const codebase = await workspace.update({ files: [{ path: "B.java", text, bytes: text.length }], removed: [] }, parseHere);
  expect(calls(codebase)).toEqual(["one two", "three four"]);
  expect(codebase.skipped.map(({ path }) => path)).toEqual(["B.java"]);
});

test("agents are told in words: with what is loaded, with the overview and with what a change reaches", async () => {
  brokenWith(java, (paths) => paths.includes("A.java"));
  const codebase = await codebaseOf(JAVA);
  const words = "Callers and callees may be missing: A.java (its relations in both directions are missing, since the resolver failed on it: no such thing). grep for names there.";
  expect(contextOf(codebase)).toMatchObject({ state: "ready", detail: words });
  expect(await call("overview", {}, { codebase })).toMatchObject({ note: words });
  expect(await call("impact", { target: "two", direction: "upstream" }, { codebase })).toMatchObject({ note: expect.stringContaining(words) as string });
  vi.restoreAllMocks();
  const whole = await codebaseOf(JAVA);
  expect(contextOf(whole)).not.toHaveProperty("detail");
  expect(await call("overview", {}, { codebase: whole })).not.toHaveProperty("note");
});
