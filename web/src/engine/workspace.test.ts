import { describe, expect, test, vi } from "vitest";
import { parseHere, repositoryOf } from "../../test/codebase.ts";
import { dice, edit, type Files } from "../../test/edits.ts";
import { storage, storageKey } from "../../test/storage.ts";
import { beside, difference, EDITS, indexed, inWords, open, order, parse, parseBeside, relationsOf, repositories, SEED, unclustered, withoutRests } from "../../test/workspaces.ts";
import { Cache } from "./cache.ts";
import type { Codebase } from "./codebase.ts";
import { findClusters } from "./find-clusters.ts";
import { openWorkspace } from "./pipeline.ts";
import { readSnapshot } from "./snapshot.ts";
import { Workspace } from "./workspace.ts";

/** Edits of a workspace that is not opened again, for each of EDITS. */
const IN_A_ROW = 8;

withoutRests();

/** Written down, read again. */
async function reopened(workspace: Workspace): Promise<Workspace> {
  const cache = new Cache(storage(), "test", storageKey);
  await cache.keep("folder", workspace.snapshot({}));
  return Workspace.restore(await readSnapshot((await cache.find("folder"))!));
}

describe("after any edit the graph is that of an index from the start", () => {
  for (const [name, original] of repositories()) {
    test(name, async () => {
      const roll = dice(SEED);
      const files = { ...original };
      let workspace = await open(files);
      const log: string[] = [];
      for (let i = 0; i < EDITS; i++) {
        const before = { ...files };
        log.push(edit(files, original, roll));
        const updated = await workspace.update(difference(before, files), parse);
        const full = (await beside(files)).codebase!;
        expect(inWords(updated, false), log.join("\n")).toEqual(inWords(full, false));
        expect(order(updated), log.join("\n")).toEqual(order(full));
        if (i % 2 === 1) continue;
        expect(inWords((await workspace.refine(findClusters))!, true), log.join("\n")).toEqual(inWords(full, true));
        // One that was kept and opened again is the same, and goes on the same way.
        workspace = await reopened(workspace);
        await (i % 4 === 0 ? workspace.warm() : workspace.recall());
        expect(inWords(workspace.codebase!, true), log.join("\n")).toEqual(inWords(full, true));
      }
    });
  }
});

describe("after many edits in place, which are resolved in part, the graph is that of an index from the start", () => {
  for (const [name, original] of repositories()) {
    if (Object.keys(original).length < 3) continue;
    test(name, async () => {
      const roll = dice(SEED);
      let files = { ...original };
      const workspace = await open(files);
      const log: string[] = [];
      for (let i = 0; i < IN_A_ROW * EDITS; i++) {
        const before = { ...files };
        // Or little would be left that means anything.
        if (i % 12 === 11) files = { ...original };
        log.push(i % 12 === 11 ? "restore" : edit(files, original, roll, true));
        const updated = await workspace.update(difference(before, files), parse);
        expect(inWords(updated, false), log.join("\n")).toEqual(await indexed(files));
        // Or both would lack the same.
        expect(updated.skipped.filter(({ unresolved }) => unresolved), log.join("\n")).toEqual([]);
      }
    });
  }
});

test("an edit while a workspace is written down ends that, and what was kept before stays", async () => {
  const files: Files = { "a.ts": "export function a(): void {}\n", "b.ts": 'import { a } from "./a";\na();\n' };
  const workspace = await open(files);
  const store = storage();
  const cache = new Cache(store, "test", storageKey);
  await cache.keep("folder", workspace.snapshot({ "a.ts": "1" }));
  let update: (() => Promise<unknown>) | undefined;
  const meanwhile = new Cache({ ...store, write: (key, fill) => store.write(key, (sink) => fill(async (chunk) => {
    await update?.();
    update = undefined;
    await sink(chunk);
  })) }, "test", storageKey);
  update = () => workspace.update(difference(files, { ...files, "a.ts": "\nexport function b(): void {}\nexport function a(): void {}\n" }), parse);
  await meanwhile.keep("folder", workspace.snapshot({ "a.ts": "2" }));
  expect(update).toBeUndefined();
  const kept = await readSnapshot((await cache.find("folder"))!);
  expect(kept.versions).toEqual({ "a.ts": "1" });
  expect(inWords(Workspace.restore(kept).codebase!, false)).toEqual(await indexed(files));
});

test("while a workspace is written down, others have their turn", async () => {
  const files = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}.ts`, `export function f${i}(): void {}\n`]));
  const workspace = await open(files);
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => (now += 11));
  const turns = vi.spyOn(globalThis, "setTimeout");
  const opened = await reopened(workspace);
  const { length } = turns.mock.calls;
  vi.restoreAllMocks();
  // One after the text, the symbols, the facts and the questions of each file.
  expect(length).toBeGreaterThan(400);
  expect(inWords(opened.codebase!, false)).toEqual(await indexed(files));
});

test("modules that hand on all of each other, and stop in one change, lead nowhere any more", async () => {
  const files: Files = { "fits.ts": "export const fitting = 1;\n", "names.ts": 'export * from "./fits";\n', "all.ts": 'export * from "./names";\n', "far.ts": 'import { fitting } from "./all";\nconst fit = fitting;\n' };
  const workspace = await open(files);
  expect(inWords(workspace.codebase!, false).join("\n")).toContain("REFERENCES Variable:far.ts:fit -> Variable:fits.ts:fitting");
  const after = { ...files, "names.ts": "export {};\n", "all.ts": "export {};\n" };
  expect(inWords(await workspace.update(difference(files, after), parse), false)).toEqual(await indexed(after));
});

test("a program's first line says what it is written in, and may say another thing", async () => {
  const files: Files = { "bin/tool": "", "lib.py": "def helper():\n    pass\n", "lib.rb": "def helper\nend\n" };
  const programs: [text: string, language: string][] = [
    ["#!/usr/bin/env python3\nfrom lib import helper\n\ndef main():\n    helper()\n", "python"],
    ["#!/usr/bin/env ruby\nrequire_relative '../lib'\ndef main\n  helper()\nend\n", "ruby"],
    ["#!/bin/sh\nhelper\n", ""],
  ];
  const workspace = await openWorkspace({ repository: repositoryOf(files), parse: parseHere, findClusters });
  for (const [text, language] of [...programs, ...programs]) {
    const after = await workspace.update({ files: [{ path: "bin/tool", text, bytes: text.length }], removed: [] }, parseHere);
    const full = (await openWorkspace({ repository: repositoryOf({ ...files, "bin/tool": text }), parse: parseHere, findClusters })).codebase!;
    expect(inWords(after, false)).toEqual(inWords(full, false));
    expect(after.graph.nodes[after.graph.find("File:bin/tool")!]!.language).toBe(language);
    const main = after.graph.find("Function:bin/tool:main");
    expect(main === undefined ? [] : after.graph.out(main, "CALLS").map((e) => after.graph.nodes[after.graph.to[e]!]!.file)).toEqual(language === "" ? [] : [language === "ruby" ? "lib.rb" : "lib.py"]);
  }
});

const TURNED = "def turned():\n    return low()\n\n\ndef low():\n    return lowest()\n\n\ndef lowest():\n    return up.Thing()";
const NESTED = "    def inner():\n        return middle()\n\n    def middle():\n        return innermost()\n\n    def innermost():\n        return up.Thing()";

describe("what no name in the other file tells of", () => {
  test.each([
    ["a base less: calls of its methods lead here no more", "chains/typescript.txt", "vault.ts", "extends Keeper", "", "CALLS Function:far.ts:far -> Method:vault.ts:Vault.drop"],
    ["another base, of an alias: calls of the old one's methods lead here no more", "chains/modules.txt", "branch.ts", "Leaf", "Other", "CALLS Function:wind.ts:wind -> Method:green.ts:Green.bend"],
    ["an export more, for who takes the module as a whole", "chains/modules.txt", "shapes.ts", "export function name", "export function size() { return 1; }\nexport function name", "!CALLS Function:whole.ts:whole -> Method:pick.ts:First.first"],
    ["an export more, for who takes what exports all of the module", "chains/modules.txt", "shapes.ts", "export function name", "export function size() { return 1; }\nexport function name", "!CALLS Function:star.ts:star -> Method:pick.ts:First.first"],
    ["an export more, for who requires the module", "chains/modules.txt", "shapes.ts", "export function name", "export function size() { return 1; }\nexport function name", "!CALLS Function:required.js:required -> Method:pick.ts:First.first"],
    ["an export more, for who imports the module later", "chains/modules.txt", "shapes.ts", "export function name", "export function size() { return 1; }\nexport function name", "!CALLS Function:later.ts:later -> Method:pick.ts:First.first"],
    ["an export more, for who gets the module from another file", "chains/modules.txt", "shapes.ts", "export function name", "export function size() { return 1; }\nexport function name", "!CALLS Function:far.ts:far -> Method:pick.ts:First.first"],
    ["an export more, for who gets a CommonJS module by another name", "chains/modules.txt", "old.js", "exports.name", "exports.size = function () {};\nexports.name", "!CALLS Function:over.ts:over -> Method:pick.ts:First.first"],
    ["a member less of what an overload is chosen by", "chains/members.txt", "point.ts", "  draw() {}\n", "", "CALLS Function:near.ts:near -> Method:point.ts:One.only"],
    ["a member less of what an overload was chosen by in another file", "chains/members.txt", "point.ts", "  draw() {}\n", "", "CALLS Function:far.ts:far -> Method:point.ts:One.only"],
    ["a member less that a condition on types asks for", "chains/members.txt", "point.ts", "  draw() {}\n", "", "CALLS Function:fitted.ts:fitted -> Method:point.ts:One.only"],
    ["a member less that a condition on types asks for, for who gets the same type after another one", "chains/members.txt", "point.ts", "  draw() {}\n", "", "CALLS Function:again.ts:again -> Method:point.ts:One.only"],
    ["a member more of the interface that an overload asks for", "chains/members.txt", "point.ts", "Drawn { draw(): void;", "Drawn { draw(): void; more(): void;", "CALLS Function:near.ts:near -> Method:point.ts:One.only"],
    ["a member more of the interface that an overload asked for in another file", "chains/members.txt", "point.ts", "Drawn { draw(): void;", "Drawn { draw(): void; more(): void;", "CALLS Function:far.ts:far -> Method:point.ts:One.only"],
    ["a member more of what all members are taken of", "chains/members.txt", "point.ts", "Held { one: One;", "Held { one: One; two: Two;", "!CALLS Function:every.ts:every -> Method:point.ts:Two.show"],
    ["a member more that await asks for", "chains/members.txt", "point.ts", "Task { run() {}", "Task { run() {} then(done: (of: Two) => void) {}", "CALLS Function:wait.ts:wait -> Method:point.ts:Task.run"],
    ["another type of what loops ask for", "chains/members.txt", "point.ts", "Iterator<One>", "Iterator<Two>", "CALLS Function:loop.ts:loop -> Method:point.ts:One.only"],
    ["another type of what a loop in another file asked for", "chains/members.txt", "point.ts", "Iterator<One>", "Iterator<Two>", "CALLS Function:further.ts:further -> Method:point.ts:One.only"],
    ["another type of a member that another file names", "chains/members.txt", "point.ts", "return new Two()", "return new One()", "CALLS Function:further.ts:further -> Method:point.ts:Two.show"],
    ["another parameter of what is constructed with a function", "chains/members.txt", "point.ts", "(run: (of: One)", "(run: (of: Two)", "CALLS Variable:jobs.ts:job -> Method:point.ts:One.only"],
    ["another parameter of a constructor, for who gets from another file what it decided", "chains/members.txt", "point.ts", "constructor(of: T)", "constructor(from: number, of: T)", "CALLS Function:unbox.ts:unbox -> Method:point.ts:One.only"],
    ["another parameter of a constructor, for who hands the class on", "chains/members.txt", "point.ts", "Taker {\n  constructor(of: One)", "Taker {\n  constructor(of: Two)", "CALLS Function:build.ts:built -> Method:point.ts:One.only"],
    ["a member more that an asynchronous function of another file asks for", "chains/members.txt", "point.ts", "Task { run() {}", "Task { run() {} then(done: (of: Two) => void) {}", "CALLS Function:later.ts:later -> Method:point.ts:Task.run"],
    ["another type of a static member that another file names", "chains/members.txt", "point.ts", "return one;", "return new Two();", "CALLS Function:further.ts:furthest -> Method:point.ts:One.only"],
    ["a member less of an enum", "chains/members.txt", "point.ts", "Mode { Fast, Slow }", "Mode { Slow }", "CALLS Function:modes.ts:modes -> Method:point.ts:One.only"],
    ["another name for a type: calls of its methods lead here no more", "chains/modules.txt", "reed.ts", "implements Bends", "", "CALLS Function:sway.ts:sway -> Method:reed.ts:Reed.bend"],
    ["a base less that no import leads to: calls of its methods lead here no more", "chains/modules.txt", "ruled.ts", "extends Rule", "", "CALLS Function:rules.ts:rules -> Method:ruled.ts:Ruled.apply"],
    ["a base more, with its import: calls of its methods lead here, too", "chains/modules.txt", "lone.ts", "export class Lone", 'import { Leaf } from "./tree";\nexport class Lone extends Leaf', "!CALLS Function:wind.ts:wind -> Method:lone.ts:Lone.bend"],
    ["what another module exports comes before, for who gets it through a third one", "chains/modules.txt", "hub.ts", "export *", 'export * from "./more";\nexport *', "CALLS Function:counts.ts:counts -> Method:few.ts:Few.count"],
    ["all exports of a module more, with all of one that it hands on", "chains/modules.txt", "hub.ts", 'few";', 'few";\nexport * from "./more";', "!CALLS Function:counted.ts:counted -> Method:most.ts:Most.count"],
    ["what two modules export in another order", "chains/modules.txt", "both.ts", 'few";\nexport * from "./more', 'more";\nexport * from "./few', "CALLS Function:first.ts:first -> Method:few.ts:Few.count"],
    ["all exports of a module more, for who takes them as a whole", "chains/modules.txt", "index.ts", 'shapes";', 'shapes";\nexport * from "./sizes";', "!CALLS Function:star.ts:star -> Method:pick.ts:First.first"],
    ["another type behind what a declared module exports", "chains/modules.txt", "shapes.ts", "return this", "return null", "CALLS Function:outside.ts:outside -> Method:shapes.ts:Round.area"],
    ["another type behind a global", "chains/modules.txt", "shapes.ts", "return this", "return null", "CALLS Function:inside.ts:inside -> Method:shapes.ts:Round.area"],
    ["another result of what a function of the same file gives on", "chains/modules.txt", "inner.ts", "new Few()", "new Most()", "CALLS Function:outer.ts:outer -> Method:few.ts:Few.count"],
    ["another result of what a function of a file between gives on", "chains/modules.txt", "few.ts", "return new Few()", "return null", "CALLS Function:outer.ts:outest -> Method:few.ts:Few.count"],
    ["another base of a class that is a base in its file alone", "chains/modules.txt", "tall.ts", "Hidden extends Leaf", "Hidden extends Other", "CALLS Function:wind.ts:wind -> Method:tall.ts:Tall.bend"],
    ["another result of what two modules hand on", "chains/modules.txt", "few.ts", "return new Few()", "return null", "CALLS Function:counts.ts:counts -> Method:few.ts:Few.count"],
    ["a second method of a name: it is not guessed any more", "chains/typescript.txt", "vault.ts", "keep(): void {}", "keep(): void {}\n  rename() {}", "CALLS Function:far.ts:far -> Method:model.ts:Person.rename"],
    ["another function in a table that `module.exports` is, for who requires what hands it on", "chains/commonjs.txt", "table.js", "load: read", "load: deep.write", "REFERENCES Function:use.js:names -> Function:deep.js:read"],
    ["a function less beside the one that `module.exports` is", "chains/commonjs.txt", "whole.js", "module.exports.plain = () => {};\n", "", "CALLS Function:use.js:beside -> Function:whole.js:plain"],
    ["a method more that is assigned to `this` below", "chains/commonjs.txt", "deep.js", "close()", "shut()", "!REFERENCES Method:cache.js:Cache.swap -> Method:deep.js:Store.shut"],
    ["another result of what goes by a name of two words", "chains/modules.txt", "few.ts", "return new Few()", "return null", "CALLS Function:gifted.ts:gifted -> Method:few.ts:Few.count"],
    ["an export more, for who takes every name of the module", "chains/modules.txt", "rooms.ts", "const second", "export const second", "!CALLS Function:every.ts:every -> Method:most.ts:Most.count"],
    ["another type of what `declare module` says", "chains/modules.txt", "outer.d.ts", "round: Round", "round: string", "CALLS Function:outside.ts:outside -> Method:shapes.ts:Round.grow"],
    ["what `declare module` says goes by another name", "chains/modules.txt", "outer.d.ts", "const round", "const other", "CALLS Function:outside.ts:outside -> Method:shapes.ts:Round.grow"],
    ["another result of what `declare module` hands on", "chains/modules.txt", "few.ts", "return new Few()", "return null", "CALLS Function:lent.ts:lent -> Method:few.ts:Few.count"],
    ["another result of what `declare module` hands on by another name", "chains/modules.txt", "few.ts", "return new Few()", "return null", "CALLS Function:lesser.ts:lesser -> Method:few.ts:Few.count"],
    ["another result of what is a module's only export", "chains/modules.txt", "few.ts", "return new Few()", "return null", "CALLS Function:equals.ts:equals -> Method:few.ts:Few.count"],
    ["another result of what is a module's only export, by another name", "chains/modules.txt", "few.ts", "return new Few()", "return null", "CALLS Function:equals.ts:renamed -> Method:few.ts:Few.count"],
    ["another result of what a module is", "chains/modules.txt", "few.ts", "return new Few()", "return null", "CALLS Function:making.ts:making -> Method:few.ts:Few.count"],
    ["another result of what a module is, for who takes it for a default export", "chains/modules.txt", "few.ts", "return new Few()", "return null", "CALLS Function:making.ts:taking -> Method:few.ts:Few.count"],
    ["another result of what a module is, for who takes a member of it", "chains/modules.txt", "few.ts", "return new Few()", "return null", "CALLS Function:making.ts:holding -> Method:few.ts:Few.count"],
    ["another result of what a module is, through a global", "chains/modules.txt", "few.ts", "return new Few()", "return null", "CALLS Function:sky.ts:sky -> Method:few.ts:Few.count"],
    ["another result of what a module of CommonJS is", "chains/modules.txt", "spare.js", "return new Spare()", "return null", "CALLS Function:use.js:use -> Method:spare.js:Spare.last"],
    ["another result of what is in what a module of CommonJS is", "chains/modules.txt", "spare.js", "return new Spare()", "return null", "CALLS Function:use.js:used -> Method:spare.js:Spare.last"],
    ["another result of what a module that is taken as a whole exports", "chains/modules.txt", "few.ts", "return new Few()", "return null", "CALLS Function:entities.ts:called -> Method:few.ts:Few.count"],
    ["a type less that a module which is taken as a whole exports", "chains/modules.txt", "few.ts", "export class", "class", "CALLS Function:entities.ts:typed -> Method:few.ts:Few.count"],
    ["a class less that a module which is taken as a whole exports, for what extends it", "chains/modules.txt", "tree.ts", "export class Leaf", "class Leaf", "EXTENDS Class:entities.ts:Entity -> Class:tree.ts:Leaf"],
    ["a method less: calls of the interface's other methods lead here no more", "chains/go.txt", "store/store.go", "func (b *Base) Flush() {}", "", "CALLS Function:run/shut.go:shut -> Method:store/store.go:Base.Close"],
    ["a type less: calls of an interface's methods lead to its methods no more", "go/interfaces.txt", "other/other.go", "type remote struct{}", "", "CALLS Function:store.go:load -> Method:other/other.go:remote.Get"],
    ["a method less that an interface asks for through a standard library's: its calls lead here no more", "go/interfaces.txt", "other/other.go", "Close() error               { return nil }\n\ntype private", "Shut() error { return nil }\n\ntype private", "CALLS Function:store_test.go:check -> Method:other/other.go:remote.Get"],
    ["another demand: who has all but that implements it no more", "chains/go.txt", "api/api.go", "var Any", "type More interface{ Flusher }\n\nvar Any", "!IMPLEMENTS Struct:store/store.go:Base -> Interface:api/api.go:More"],
    ["C#, namespaces in another order", "chains/csharp-usings.txt", "Hold/Holder.cs", "using Chain.Far;\nusing Chain.Near;", "using Chain.Near;\nusing Chain.Far;", "CALLS Method:Use/User.cs:User.Through -> Method:Far/Thing.cs:Thing.Run"],
    ["C#, a namespace less", "chains/csharp-usings.txt", "Hold/Holder.cs", "    using Chain.Near.Deep;\n", "", "CALLS Method:Use/User.cs:User.Through -> Method:Near/Deep/Well.cs:Well.Fall"],
    ["C#, a namespace less whose name goes on from one around", "chains/csharp-usings.txt", "Hold/Short.cs", "    using Near.Deep;\n", "", "CALLS Method:Use/User.cs:User.Short -> Method:Near/Deep/Well.cs:Well.Fall"],
    ["C#, a namespace less that has another one", "chains/csharp-usings.txt", "Hold/Child.cs", "using Chain.Near;\n", "", "CALLS Method:Use/User.cs:User.Inside -> Method:Near/Deep/Well.cs:Well.Fall"],
    ["C#, a namespace further in", "chains/csharp-usings.txt", "Hold/Heir.cs", "using Chain.Near;\nusing Chain.Far;\n\nnamespace Hold\n{", "using Chain.Near;\n\nnamespace Hold\n{\n    using Chain.Far;", "CALLS Method:Use/User.cs:User.Below -> Method:Near/Thing.cs:Thing.Run"],
    ["Java, packages in another order", "chains/java-wildcards.txt", "hold/Holder.java", "import far.*;\nimport near.*;", "import near.*;\nimport far.*;", "CALLS Method:use/User.java:User.through -> Method:far/Thing.java:Thing.run"],
    ["Java, what is in a type less", "chains/java-wildcards.txt", "hold/Heir.java", "import far.Thing.*;\n", "", "CALLS Method:use/User.java:User.below -> Method:far/Thing.java:Part.turn"],
    ["Go, another function is stored: a call of the variable in another file leads there", "go/stored-elsewhere.txt", "set.go", "onExit = last", "onExit = first", "CALLS Function:call.go:Exit -> Function:set.go:last"],
    ["Go, an embedded field less: what a type got by it is no method of what embeds that", "chains/go.txt", "disk/disk.go", "\t*store.Base\n", "", "CALLS Function:run/copied.go:copied -> Method:store/store.go:Base.Flush"],
    ["Go, a variable that has the name of a built-in type, and rests on a type that names that: it is no type, whichever is asked for first", "chains/go.txt", "store/owner.go", "var Default", "var string", 'CALLS Function:run/run.go:Run -> Method:store/owner.go:Log.Line {"confidence":0.8'],
    ["Go, a method less: calls of an interface without a name lead here no more", "chains/go.txt", "store/store.go", "func (b *Base) Close() error { return nil }", "", "CALLS Function:run/any.go:whichever -> Method:store/store.go:Base.Flush"],
    ["Go, a method more: calls of the library's interface lead here, too", "chains/go.txt", "disk/feed.go", "var Feeds", "func (Feed) Close() error { return nil }\n\nvar Feeds", "!CALLS Function:run/library.go:end -> Method:disk/feed.go:Feed.Close"],
    ["Go, a second method of a name: it is not guessed any more", "chains/go.txt", "disk/feed.go", "var Feeds", "func (Feed) Line() {}\n\nvar Feeds", "CALLS Function:run/guess.go:guess -> Method:store/owner.go:Log.Line"],
    ["Go, the only method of a name is another type's in the same file", "chains/go.txt", "store/owner.go", "func (Log) Line", "func (Owner) Line", "CALLS Function:run/guess.go:guess -> Method:store/owner.go:Log.Line"],
    ["Go, another result of a method by which a type argument is found", "chains/go.txt", "disk/feed.go", "Next() store.Item { return store.Item{} }", "Next() store.Owner { return store.Owner{} }", "CALLS Function:run/take.go:take -> Method:store/store.go:Item.Show"],
    ["Go, the same, behind a variable of another file", "chains/go.txt", "disk/feed.go", "Next() store.Item { return store.Item{} }", "Next() store.Owner { return store.Owner{} }", "CALLS Function:run/took.go:took -> Method:store/store.go:Item.Show"],
    ["Go, an embedded field less: calls of an interface without a name lead here no more", "chains/go.txt", "disk/over.go", "{ Feed }", "{}", "CALLS Function:run/skip.go:skip -> Method:disk/over.go:Over.Skip"],
    ["Go, another demand: what an interface without a name asks for by embedding", "chains/go.txt", "api/api.go", "Show() string }", "Show() string; Hide() }", "CALLS Function:run/show.go:show -> Method:store/owner.go:Owner.Show"],
    ["Go, a method of two types of one name: what the second one is made of does not depend on who asks first", "chains/go.txt", "disk/twice.go", "type Twice struct{ io.Closer }", "type Twice struct{ io.Closer }\n\nfunc (Twice) Flush() {}", "!IMPLEMENTS Struct:disk/twice.go:Twice#2 -> Interface:api/api.go:Flusher"],
    ["Go, the first of two types of one name is the other one", "chains/go.txt", "disk/twice.go", "type Twice struct{ Feed }\n\ntype Twice struct{ io.Closer }", "type Twice struct{ io.Closer }\n\ntype Twice struct{ Feed }", "CALLS Function:run/twice.go:twice -> Method:disk/feed.go:Feed.Next"],
    ["Go, a method less of what embeds a library's interface by its bare name", "chains/go.txt", "disk/dot.go", "func (Dot) Clear() {}", "", "CALLS Function:run/clear.go:clearAll -> Method:disk/dot.go:Dot.Clear"],
    ["Go, another demand: what an interface asks for by embedding", "chains/go.txt", "api/api.go", "type Closer interface{ Close() error }", "type Closer interface{ Shut() error }", "IMPLEMENTS Struct:store/store.go:Base -> Interface:api/api.go:Flusher"],
    ["Go, an init more: an import for nothing else leads to it", "chains/go-imports.txt", "side/side.go", "func unused", "func init() {}\n\nfunc unused", "!IMPORTS File:use/side.go -> File:side/side.go"],
    ["Go, a receiver's parameters in another order: a result is another's", "chains/go-generics.txt", "pair/methods.go", "Pair[A, B]) First", "Pair[B, A]) First", "CALLS Function:run/method.go:method -> Method:pair/pair.go:One.Run"],
    ["Go, a type's parameters in another order: a field is another's", "chains/go-generics.txt", "pair/pair.go", "Pair[A, B any]", "Pair[B, A any]", "CALLS Function:run/part.go:part -> Method:pair/pair.go:One.Run"],
    ["Go, a function's type parameters in another order: a result is another's", "chains/go-generics.txt", "pair/methods.go", "Pick[A, B any]", "Pick[B, A any]", "CALLS Function:run/function.go:function -> Method:pair/pair.go:One.Run"],
    ["Go, two fields of one name in another order: the first one counts", "chains/go-generics.txt", "pair/pair.go", "\tOne One\n\tOne Two", "\tOne Two\n\tOne One", "CALLS Function:run/field.go:field -> Method:pair/pair.go:One.Run"],
    ["Go, a method less of what a generic type embeds: calls of a generic interface lead to the others no more", "chains/go-instances.txt", "boxes/base.go", "func (*base[T]) Drop(T) {}", "", "CALLS Method:run/generic.go:Held.generic -> Method:boxes/box.go:Box.Keep"],
    ["Go, another instance is embedded: calls of an interface's instance lead here no more", "chains/go-instances.txt", "boxes/over.go", "base[kinds.Age]", "base[kinds.Name]", "CALLS Function:run/run.go:run -> Method:boxes/over.go:Over.Keep"],
    ["Go, another instance of an interface, behind a variable", "chains/go-instances.txt", "keep/any.go", "var Any Keeper[string, kinds.Age]", "var Any Keeper[string, kinds.Name]", "CALLS Function:run/any.go:whichever -> Method:boxes/over.go:Over.Keep"],
    ["Go, another instance of an interface, by embedding", "chains/go-instances.txt", "keep/any.go", "Ages interface{ Keeper[string, kinds.Age] }", "Ages interface{ Keeper[string, kinds.Name] }", "CALLS Function:run/ages.go:ages -> Method:boxes/over.go:Over.Keep"],
    ["Go, another type underneath: a constraint does not list it any more", "chains/go-instances.txt", "kinds/kinds.go", "type Age int", "type Age string", "CALLS Function:run/total.go:total -> Method:boxes/added.go:added.Sum"],
    ["Go, another type behind an alias: a constraint does not list it any more", "chains/go-instances.txt", "kinds/kinds.go", "type Size = int", "type Size = string", "CALLS Function:run/total.go:total -> Method:boxes/added.go:added2.Sum"],
    ["Go, another list of a constraint", "chains/go-instances.txt", "keep/number.go", "~int |", "", "CALLS Function:run/total.go:total -> Method:boxes/added.go:added.Sum"],
    ["Go, another type underneath: a constraint without a name does not list it any more", "chains/go-instances.txt", "boxes/year.go", "type year int", "type year string", "CALLS Function:run/kind.go:kind -> Method:boxes/year.go:year.Kind"],
    ["Go, what is compared is another type", "chains/go-instances.txt", "boxes/year.go", "other *year", "other string", "CALLS Function:run/least.go:least -> Method:boxes/year.go:year.Less"],
    ["Go, a demand more beside what an interface embeds of a package that is not there", "chains/go-instances.txt", "keep/conn.go", "Ping() error", "Ping() error\n\tPong() error", "CALLS Function:run/ping.go:ping -> Method:boxes/wire.go:wire.Ping"],
    ["Go, a parameter's constraint is another: a generic type implements no instance for certain any more", "chains/go-instances.txt", "keep/keep.go", "Dropper[V any]", "Dropper[V comparable]", "IMPLEMENTS Struct:boxes/base.go:base -> Interface:keep/keep.go:Dropper"],
    ["Go, a function is used as a value no more: calls of its signature lead here no more", "chains/go-signatures.txt", "app/clear.go", "take(screen.Clear)", "take()", "CALLS Function:tea/loop.go:loop -> Function:screen/screen.go:Clear"],
    ["Go, another function is used as a value: calls of its signature lead here, too", "chains/go-signatures.txt", "app/clear.go", "take(screen.Clear)", "take(screen.Clear, screen.Hide)", "!CALLS Function:tea/each.go:each -> Function:screen/screen.go:Hide"],
    ["Go, a method has another signature: calls of the one before lead here no more", "chains/go-signatures.txt", "screen/screen.go", "Show() msg.Msg", "Show() msg.Size", "CALLS Function:tea/each.go:each -> Method:screen/screen.go:Screen.Show"],
    ["Go, another signature of a declared function type", "chains/go-signatures.txt", "tea/types.go", "Cmd func() msg.Msg", "Cmd func() msg.Size", "CALLS Function:tea/each.go:each -> Method:screen/screen.go:Screen.Show"],
    ["Go, a type in a signature is an alias no more", "chains/go-signatures.txt", "msg/msg.go", "type Wide = Size", "type Wide struct{}", "CALLS Function:tea/step.go:step -> Function:screen/grow.go:Grow"],
    ["Go, what is named of a package where nothing is called", "chains/go-imports.txt", "dot/more.go", "func More", "type Thing struct{}\n\nfunc More", "!IMPORTS File:use/quiet.go -> File:dot/more.go"],
    ["Go, another package clause: an import gives what the directory has left", "chains/go-imports.txt", "mixed/tool.go", "package tool", "package main", "!CALLS Function:use/program.go:program -> Function:mixed/main.go:Run"],
    ["Go, a build constraint: an import gives what is always built", "chains/go-imports.txt", "mixed/tool.go", "package tool", "//go:build ignore\n\npackage tool", "!CALLS Function:use/program.go:program -> Function:mixed/main.go:Run"],
    ["Go, another build constraint: what is built together", "chains/go-imports.txt", "build/always.go", "build linux", "build !linux", "!CALLS Function:use/build.go:built -> Method:build/other.go:Disk.Open"],
    ["what an initialiser puts into a field by its place", "chains/c.txt", "disk.c", "{ disk_open, disk_close }", "{ disk_open, 0 }", "CALLS Function:run.c:stop -> Function:disk.c:disk_close"],
    ["what an initialiser puts into the fields of a field, by a name of the type's name", "chains/c.txt", "net.c", "{ opened, net_close }", "{ opened, 0 }", "CALLS Function:run.c:stop -> Function:net.c:net_close"],
    ["another order of a struct's fields, where initialisers are of types that stand for one that has it in it", "chains/c.txt", "pair.h", "  int (*left)(int);\n  int (*right)(int);", "  int (*right)(int);\n  int (*left)(int);", "CALLS Function:turn.c:turn -> Function:pair.c:second"],
    ["another order of a struct's fields: what initialisers put by place is in others", "chains/c-stored.txt", "inner.h", "  int (*first)(int);\n  int (*second)(int);", "  int (*second)(int);\n  int (*first)(int);", "CALLS Function:run.c:run -> Function:make.c:one"],
    ["a field more in front: what initialisers put by place is in others", "chains/c-stored.txt", "outer.h", "  int count;", "  int more;\n  int count;", "CALLS Function:run.c:alone -> Function:make.c:three"],
    ["a parameter more in front: what is passed goes into others", "chains/c-stored.txt", "take.c", "take(int a, step_t step)", "take(int a, int b, step_t step)", "CALLS Function:run.c:alone -> Function:make.c:four"],
    ["another function in a variable, which other files call", "chains/c-stored.txt", "make.c", "shared = chosen", "shared = two", "CALLS Function:run.c:share -> Function:make.c:picked"],
    ["a function is returned no more, which other files call", "chains/c-stored.txt", "make.c", "a ? two : shared", "shared", "CALLS Function:run.c:chosen_one -> Function:make.c:two"],
    ["a base less: what is put into an heir's field is none of the base's any more", "chains/c-stored.txt", "heir.hh", "Heir : Base", "Heir : Lone", "CALLS Method:heir.hh:Heir.go -> Function:heir.cc:tick"],
    ["the members of a struct in another order, for what is made of values", "chains/c-stored.txt", "base.hh", "void (*left)(); void (*right)();", "void (*right)(); void (*left)();", "CALLS Function:heir.cc:left -> Function:heir.cc:end"],
    ["another include of a header that one includes: a name is another's", "chains/c.txt", "mid.h", "one.h", "two.h", "CALLS Function:user.c:user -> Function:one.h:pick"],
    ["an include less: the header has the macros of who includes it no more", "chains/c.txt", "around.c", '#include "body.h"', "", "CALLS Function:body.h:body -> Function:around.c:TWICE"],
    ["another base of a class, for calls of a virtual method", "chains/cpp.txt", "circle.h", "Circle : geo::Shape", "Circle : geo::Point", "CALLS Function:paint.cc:paint -> Method:circle.cc:Circle.draw"],
    ["another result of what a global without a type is made by", "chains/cpp.txt", "shape.cc", "Point Shape::center", "Shape Shape::center", "CALLS Function:use.cc:use -> Method:shape.cc:Point.x"],
    ["a member more that is defined in another folder than its class, which does not name it", "chains/cpp.txt", "src/gate.cc", "int Gate::bar", "int Gate::shut() { return 0; }\nint Gate::bar", "!DEFINES Struct:include/gate/gate.h:Gate -> Method:src/gate.cc:Gate.shut"],
    ["a type of the name in the folder where a member is defined", "chains/cpp.txt", "src/lock.cc", "int lock", "struct Gate { int other; };\nint lock", "DEFINES Struct:include/gate/gate.h:Gate -> Method:src/gate.cc:Gate.bar"],
    ["a trait less of a type that another file declares", "chains/rust.txt", "src/draw.rs", "impl Named for Circle", "impl Named for Missing", "IMPLEMENTS Struct:src/shape.rs:Circle -> Interface:src/draw.rs:Named"],
    ["a trait less: what it provides is no method any more", "chains/rust.txt", "src/draw.rs", "impl Draw for Circle", "impl Draw for Missing", "CALLS Function:src/far.rs:far -> Method:src/draw.rs:Draw.twice"],
    ["a trait less, by a name that stands for the type", "chains/rust.txt", "src/draw.rs", "impl Named for Span", "impl Named for Missing", "IMPLEMENTS Struct:src/shape.rs:Length -> Interface:src/draw.rs:Named"],
    ["a trait less, by a name that the type was imported as", "chains/rust.txt", "src/draw.rs", "impl Named for Dot", "impl Named for Missing", "IMPLEMENTS Struct:src/shape.rs:Point -> Interface:src/draw.rs:Named"],
    ["another name for the type in an import: a trait is implemented for the old one", "chains/rust.txt", "src/draw.rs", "Point as Dot", "Point as Spot", "IMPLEMENTS Struct:src/shape.rs:Point -> Interface:src/draw.rs:Named"],
    ["Rust, another type of a constant that another file names", "chains/rust-traits.txt", "src/types.rs", "DRY: Twig", "DRY: Missing", 'CALLS Function:src/call/dry.rs:dry -> Method:src/names.rs:Branch.bend {"confidence":0.8999'],
    ["Rust, a trait provides a method more, for who has asked a type that implements it in another file", "chains/rust-traits.txt", "src/traits.rs", "pub trait Bark { ", "pub trait Bark { fn more(&self) {} ", "!CALLS Function:src/call/lacking.rs:lacking -> Method:src/traits.rs:Bark.more"],
    ["Rust, a variant goes by another name, for who gets to it by an alias", "chains/rust-traits.txt", "src/types.rs", "Full(T), Named", "Fuller(T), Named", 'CALLS Function:src/call/by_variant.rs:by_variant -> Method:src/types.rs:Leaf.fall {"confidence":0.8999'],
    ["Python, a base less: calls of its method run what overrode it no more", "chains/python.txt", "saving.py", "class Saving(Account)", "class Saving", "CALLS Function:keep.py:keep -> Method:saving.py:Saving.open"],
    ["Python, what is found in fewer steps: it is no stored call any more", "chains/python-circles.txt", "z.py", "return help()", "return up.Thing()", 'CALLS Function:work.py:first -> Method:up.py:Thing.work {"confidence":0.5'],
    ["Python, functions in another order: what they lead to is found in fewer steps, and no stored call any more", "chains/python-circles.txt", "z.py", TURNED, TURNED.split("\n\n\n").reverse().join("\n\n\n"), 'CALLS Function:work.py:second -> Method:up.py:Thing.work {"confidence":0.5'],
    ["Python, functions in a function in another order", "chains/python-circles.txt", "z.py", NESTED, NESTED.split("\n\n").reverse().join("\n\n"), 'CALLS Function:work.py:third -> Method:up.py:Thing.work {"confidence":0.5'],
    ["Python, a method more in an heir: calls of the base's run it, too", "chains/python.txt", "kin.py", "class Fresh(Saving):\n    pass", "class Fresh(Saving):\n    def open(self):\n        return 1", "!CALLS Function:keep.py:keep -> Method:kin.py:Fresh.open"],
    ["Python, a base less of a base: what is above that one is not found any more", "chains/python.txt", "saving.py", "class Saving(Account)", "class Saving", "CALLS Function:heirs.py:heirs -> Method:model.py:Account.balance"],
    ["Python, a constructor more: making an instance runs it", "chains/python.txt", "saving.py", "class Saving(Account):", "class Saving(Account):\n    def __init__(self):\n        return None\n", "!CALLS Function:aliased.py:aliased -> Method:saving.py:Saving.__init__"],
    ["Python, an attribute of a base is something else: so is what an heir gives", "chains/python.txt", "model.py", "self.owner = Person()", "self.owner = Sum()", "CALLS Function:heirs.py:heirs -> Method:model.py:Person.greet"],
    ["Python, an attribute less of a base", "chains/python.txt", "model.py", "        self.owner = Person()", "        pass", "CALLS Function:use.py:use -> Method:model.py:Person.title"],
    ["Python, a base from elsewhere: what a class has not is not guessed any more", "chains/python.txt", "kinds.py", "class Lock:", "class Lock(other.Lock):", "CALLS Function:kinds_used.py:outside -> Method:model.py:Person.greet"],
    ["Python, another order of bases: a member is another's", "chains/python.txt", "kinds.py", "Both(Left, Right)", "Both(Right, Left)", "CALLS Function:kinds_used.py:narrowed -> Method:kinds.py:Left.side"],
    ["Python, another order of bases: what stands behind one is another's", "chains/python.txt", "kinds.py", "Both(Left, Right)", "Both(Right, Left)", "CALLS Function:kinds_used.py:behind -> Method:kinds.py:Right.side"],
    ["Python, a base more: an instance is one of that, too", "chains/python.txt", "kinds.py", "class Lock:", "class Lock(Left):", "!CALLS Function:sorted.py:apart -> Method:kinds.py:Lock.unlocked"],
    ["Python, no enumeration any more: to go through it gives nothing", "chains/python.txt", "kinds.py", "Colour(Enum)", "Colour", "CALLS Function:kinds_used.py:listed -> Method:kinds.py:Colour.light"],
    ["Python, no enumeration any more: it has no members that are nodes", "python/enumerations.txtar", "colors.py", "class Access(enum.Flag)", "class Access", "REFERENCES Function:use.py:names -> Variable:colors.py:Access.BOTH"],
    ["Python, a member becomes a method", "python/enumerations.txtar", "colors.py", "    WRITE = auto()", "    def WRITE(self): ...", "REFERENCES Function:use.py:uses -> Variable:colors.py:Access.WRITE"],
    ["Python, a class becomes an enumeration", "python/enumerations.txtar", "colors.py", "class Plain:", "class Plain(Enum):", "!REFERENCES Function:use.py:names -> Variable:colors.py:Plain.LIMIT"],
    ["Python, an attribute of a class becomes its member", "python/enumerations.txtar", "colors.py", "    size: int", "    size: int = 1", "!REFERENCES Function:use.py:uses -> Variable:colors.py:Color.size"],
    ["Python, a metaclass less of a base", "chains/python.txt", "kinds.py", "Metal(metaclass=Meta)", "Metal", "CALLS Function:kinds_used.py:met -> Method:kinds.py:Meta.sum"],
    ["Python, a tuple's fields in another order", "chains/python.txt", "kinds.py", "    person: Person\n    sum: Sum", "    sum: Sum\n    person: Person", 'CALLS Function:kinds_used.py:picked -> Method:model.py:Sum.total {"confidence":0.89'],
    ["Python, a type variable less of a base", "chains/python.txt", "kinds.py", "Shelf(Generic[V])", "Shelf", 'CALLS Function:kinds_used.py:taken -> Method:model.py:Person.greet {"confidence":0.8'],
    ["Python, a second method of a name: it is not guessed any more", "chains/python.txt", "kinds.py", "class Right:", "class Right:\n    def unlocked(self):\n        return 1\n", "CALLS Function:kinds_used.py:guessed -> Method:kinds.py:Lock.unlocked"],
    ["Python, no property any more: reading it runs nothing", "chains/python.txt", "kinds.py", "    @property\n", "", "CALLS Function:kinds_used.py:bolted -> Method:kinds.py:Lock.bolt"],
    ["Python, a property more: code reads it that had not to ask for it", "chains/python.txt", "kinds.py", "    def unlocked", "    @property\n    def unlocked", "!CALLS Function:peeked.py:peeked -> Method:kinds.py:Lock.unlocked"],
    ["Python, a class in front of another one: what derives from that one does still", "chains/python.txt", "model.py", "class Account:", "class First:\n    pass\n\n\ndef opened(account: \"Account\"):\n    account.open()\n\n\nclass Account:", "!CALLS Function:model.py:opened -> Method:saving.py:Saving.open"],
    ["Python, something else is passed", "chains/python.txt", "build.py", "Car(Engine())", "Car(Missing())", "CALLS Method:parts.py:Car.drive -> Method:parts.py:Engine.start"],
    ["Python, something else is passed, to what a module hands on of another", "chains/python.txt", "calls.py", "latest(Account())", "latest(other)", 'CALLS Function:use.py:sold -> Method:model.py:Account.open {"confidence":0.69'],
    ["Python, a parameter more of what nobody calls: what is passed to the functions behind it is passed to them still", "chains/python.txt", "shop/make.py", "unused(one):\n", "unused(one, two):\n    make()\n", "!CALLS Function:shop/make.py:unused -> Function:shop/make.py:make"],
    ["Python, what is passed is something else", "chains/python.txt", "shop/__init__.py", "from saving import Saving", "from model import Person", 'CALLS Function:shop/make.py:visit -> Method:saving.py:Saving.open {"confidence":0.6999'],
    ["Python, all is handed on that has no underscore, where nothing says what is", "chains/python.txt", "listed/__init__.py", '__all__ = ["shared"]', "", "!CALLS File:whole.py -> Method:model.py:Sum.total"],
    ["Python, one name more is handed on", "chains/python.txt", "listed/__init__.py", '["shared"]', '["shared", "hidden"]', "!CALLS File:whole.py -> Method:model.py:Sum.total"],
    ["Python, a module hands on nothing of another any more", "chains/python.txt", "shop/__init__.py", "from .make import *", "", "CALLS Function:use.py:use -> Function:shop/make.py:make"],
    ["JavaScript, another name of a method of what stored functions are given", "chains/javascript-stored.txt", "reply.js", "prototype.finish ", "prototype.finished ", "CALLS Function:app.js:named -> Method:reply.js:Reply.finish"],
    ["JavaScript, stored functions are given another thing", "chains/javascript-stored.txt", "server.js", "hook(reply, next)", "hook(next, reply)", "CALLS Function:app.js:named -> Function:server.js:next"],
    ["JavaScript, another base of what stored functions are given", "chains/javascript-stored.txt", "server.js", "extend(Reply)", "extend(Context)", "CALLS Function:app.js:named -> Method:reply.js:Reply.finish"],
    ["JavaScript, a field has another class", "chains/javascript-stored.txt", "context.js", "server[kReply]", "server[handler]", "CALLS Function:app.js:named -> Method:reply.js:Reply.finish"],
    ["JavaScript, an accessor of what stored functions are given has another name", "chains/javascript-stored.txt", "reply.js", "  end:", "  over:", "CALLS Function:app.js:named -> Method:reply.js:value"],
    ["Python, the fields of a data class in another order: what is passed goes into others", "chains/python-stored.txt", "kept.py", "    first: Callable\n    second: Callable", "    second: Callable\n    first: Callable", "!CALLS Method:kept.py:Step.start -> Function:use.py:second"],
    ["Python, a field of a data class has another name", "chains/python-stored.txt", "kept.py", "    first: Callable", "    third: Callable", "CALLS Method:kept.py:Step.start -> Function:use.py:first"],
    ["Python, a field of a data class has the name by which something was passed before", "chains/python-stored.txt", "kept.py", "    second: Callable", "    fourth: Callable", "!CALLS Method:kept.py:Step.end -> Function:use.py:picked"],
    ["Python, a function hands back no more what it is given", "chains/python-stored.txt", "kept.py", "return function", "return print", "CALLS Function:use.py:later -> Function:use.py:picked"],
    ["Python, a parameter more in front: what is passed goes into others", "chains/python-stored.txt", "kept.py", "take(one, two=None)", "take(zero, one, two=None)", "CALLS Function:kept.py:take -> Function:use.py:second"],
    ["Python, a base has a field, too: what is put into an heir's is in that", "chains/python-stored.txt", "kept.py", "class Base:\n    pass", "class Base:\n    on_done = None\n\n    def go(self):\n        self.on_done()", "!CALLS Method:kept.py:Base.go -> Function:use.py:done"],
    ["Python, methods of the name: a call of what has no known type is not taken to be of a field", "chains/python-stored.txt", "kept.py", "class Lone:\n    pass", "class Lone:\n    def on_fire(self):\n        pass\n\n\nclass Lane:\n    def on_fire(self):\n        pass", "CALLS Function:use.py:fire -> Function:burning.py:burn"],
    ["Python, another function in a field, which other files call", "chains/python-stored.txt", "use.py", "job.on_done = done", "job.on_done = picked", "CALLS Function:far.py:far -> Function:use.py:done"],
    ["Python, a fixture gives something else", "chains/python-pytest.txt", "tests/deep/conftest.py", "return Person()", "return 1", "CALLS Function:tests/deep/test_deep.py:test_deep -> Method:model.py:Person.greet"],
    ["Python, a fixture gives what a function of another file makes", "chains/python-pytest.txt", "app.py", "return App()", "return None", "CALLS Function:tests/test_near.py:test_near -> Method:app.py:Client.put"],
    ["Python, a fixture has another name", "chains/python-pytest.txt", "tests/conftest.py", 'name="client"', 'name="other"', "CALLS Function:tests/test_near.py:test_near -> Function:tests/conftest.py:make_client"],
    ["Python, a fixture is none any more: the next one counts", "chains/python-pytest.txt", "tests/deep/conftest.py", "@pytest.fixture\n", "", "!CALLS Function:tests/deep/test_deep.py:test_deep -> Function:tests/conftest.py:make_client"],
    ["Python, a fixture more in a nearer file", "chains/python-pytest.txt", "tests/deep/conftest.py", "def client(", "def maker():\n    return Person\n\n\n@pytest.fixture\ndef client(", "!CALLS Function:tests/deep/test_deep.py:test_far -> Function:tests/deep/conftest.py:maker"],
    ["Python, a fixture less that a file hands on", "chains/python-pytest.txt", "conftest.py", "import late, taken", "import late", "CALLS Method:tests/deep/test_deep.py:TestBase.test_app -> Function:tests/plugins.py:taken"],
    ["Python, another fixture in a base", "chains/python-pytest.txt", "tests/deep/test_deep.py", "        return client", "        return 1", "CALLS Method:tests/test_near.py:TestHeir.test_heir -> Method:model.py:Person.greet"],
    ["Python, a fixture is none of all tests any more", "chains/python-pytest.txt", "conftest.py", "(autouse=True)", "", "CALLS Function:tests/test_near.py:test_near -> Function:conftest.py:always"],
    ["Python, a nearer fixture for all tests", "chains/python-pytest.txt", "tests/deep/conftest.py", "def client(", "def always():\n    return 2\n\n\n@pytest.fixture\ndef client(", "CALLS Function:tests/deep/test_deep.py:test_deep -> Function:conftest.py:always"],
    ["Python, a fixture that a mark names is called otherwise", "chains/python-pytest.txt", "tests/plugins.py", "def late", "def later", "CALLS Function:tests/test_near.py:test_near -> Function:tests/plugins.py:late"],
    ["Python, a parameter of a fixture has another name", "chains/python-pytest.txt", "tests/plugins.py", "def late(account):\n    return account", "def late(taken):\n    return taken", "CALLS Function:tests/deep/test_deep.py:test_far -> Method:model.py:Account.close"],
    ["Python, what a partial makes is another class", "chains/python-runs.txt", "made.py", "Person, 1", "Account", "CALLS Function:tests/test_use.py:test_make -> Method:kinds.py:Person.__init__"],
    ["Python, a decorator is made no more", "chains/python-runs.txt", "made.py", "return decorate", "return other", "CALLS File:tests/test_use.py -> Function:made.py:decorate"],
    ["Python, a function that says it gives anything gives something else", "chains/python-runs.txt", "made.py", "return other(Person())", "return None", "CALLS Function:tests/test_use.py:test_run -> Method:kinds.py:Base.greet"],
    ["Python, what a decorator gives that another function makes", "chains/python-runs.txt", "made.py", "return putter(name)", "return other", "CALLS File:tests/test_use.py -> Function:made.py:put"],
    ["Python, an heir more of a class that makes its own objects", "chains/python-runs.txt", "tests/test_use.py", "@grouped", "class Heir(Base):\n    def __init__(self):\n        pass\n\n\n@grouped", "!CALLS Method:kinds.py:Base.again -> Method:tests/test_use.py:Heir.__init__"],
    ["Python, what a declared decorator runs", "chains/python-runs.txt", "made.py", "return add", "return other", "CALLS File:tests/test_use.py -> Function:made.py:add"],
    ["Python, what an operation is done with is of another class", "chains/python-operations.txt", "make.py", "return Box()", "return Bag()", "CALLS Function:use.py:use -> Method:base.py:Base.__enter__"],
    ["Python, a special method less", "chains/python-operations.txt", "base.py", "__len__", "length", "CALLS Function:use.py:bags -> Method:base.py:Sized.__len__"],
    ["Python, a special method more, which comes first", "chains/python-operations.txt", "kinds.py", "def __getitem__(self, at):", "def __bool__(self):\n        return True\n\n    def __getitem__(self, at):", "!CALLS Function:use.py:bags -> Method:kinds.py:Bag.__bool__"],
    ["Python, the only special method of a name is called otherwise", "chains/python-operations.txt", "far.py", "__str__", "text", "CALLS Function:use.py:bags -> Method:far.py:Far.__str__"],
    ["Python, a setter less", "chains/python-operations.txt", "kinds.py", "@name.setter", "@other", "CALLS Function:use.py:use -> Method:kinds.py:Box.name#2"],
    ["Python, an attribute is there: nothing is asked for it", "chains/python-operations.txt", "kinds.py", "self.rows = Rows()", "self.rows = Rows()\n        self.missing = 1", "CALLS Function:use.py:use -> Method:base.py:Base.__getattr__"],
    ["Python, an iterator of another class", "chains/python-operations.txt", "kinds.py", "self.rows = Rows()", "self.rows = Bag()", "CALLS Function:use.py:use -> Method:kinds.py:Rows.__next__"],
    ["Python, an heir has no operator of its own", "chains/python-operations.txt", "kinds.py", "Heir(Box)", "Heir", "CALLS Function:use.py:use -> Method:kinds.py:Heir.__eq__"],
    ["Python, an heir's method is called otherwise than a name that is put together", "chains/python-operations.txt", "heirs.py", "visit_bag", "leave_bag", "CALLS Method:visits.py:Visits.visit -> Method:heirs.py:Last.visit_bag"],
    ["Python, a class is an heir, too: its methods may be found by a name", "chains/python-operations.txt", "heirs.py", "class Apart", "class Apart(Visits)", "!CALLS Method:visits.py:Visits.visit -> Method:heirs.py:Apart.visit_other"],
    ["Python, an heir of an heir is none any more", "chains/python-operations.txt", "heirs.py", "Last(Middle)", "Last", "CALLS Method:visits.py:Visits.visit -> Method:heirs.py:Last.visit_bag"],
    ["TypeScript, another function in a field, which other files call", "chains/typescript-stored.txt", "use.ts", "job.handler = second", "job.handler = third", "CALLS Function:far.ts:far -> Function:use.ts:second"],
    ["TypeScript, a base has a field, too: what is put into an heir's is in that", "chains/typescript-stored.txt", "kept.ts", "class Base { start() {} }", "class Base { handler?: () => void; start() { this.handler?.(); } }", "!CALLS Method:kept.ts:Base.start -> Function:use.ts:second"],
    ["TypeScript, a parameter more in front: what is passed goes into others", "chains/typescript-stored.txt", "kept.ts", "take(one: () => void", "take(zero: () => void, one: () => void", "!CALLS Function:kept.ts:keep -> Function:use.ts:second"],
    ["TypeScript, a field of an interface has another name", "chains/typescript-stored.txt", "kept.ts", "onOpen?: () => void; onClose", "onShown?: () => void; onClose", "CALLS Method:kept.ts:Job.open -> Function:use.ts:first"],
    ["Ruby, a method gives something else: so do those that give it on, and what these are passed to", "chains/ruby.txt", "lib/person.rb", "Saving.new(self)", "Account.new(self)", "CALLS File:run.rb -> Method:lib/saving.rb:Saving.open"],
    ["Ruby, a parameter more in front: what is passed goes into others", "chains/ruby-stored.txt", "lib/bus.rb", "on(name, handler", "on(name, more, handler", "CALLS Method:lib/bus.rb:Bus.fire -> Method:run.rb:Run.heard"],
    ["Ruby, a base less: what is put into an heir's variable is none of the base's", "chains/ruby-stored.txt", "lib/bus.rb", " < Base", "", "CALLS Method:lib/base.rb:Base.otherwise -> Method:lib/make.rb:Make.third"],
    ["Ruby, a module less: it does not share the variables of the class any more", "chains/ruby-stored.txt", "lib/bus.rb", "include Hooks", "", "CALLS Method:lib/hooks.rb:Hooks.first -> Method:lib/make.rb:Make.second"],
    ["Ruby, a block does more than a call: it is no other name for that", "chains/ruby-stored.txt", "run.rb", "{ |x| stepped(x) }", "{ |x| stepped(x); 1 }", "CALLS Method:lib/base.rb:Base.each_step -> Method:run.rb:Run.stepped"],
    ["Ruby, an option of another name", "chains/ruby-stored.txt", "lib/bus.rb", "options[:late]", "options[:later]", "CALLS Method:lib/bus.rb:Bus.late -> Method:run.rb:Run.late"],
    ["Ruby, a method gives something else than a variable: what is put into that is in none", "chains/ruby-stored.txt", "lib/bus.rb", "attr_reader :handlers", "def handlers = {}", "CALLS Method:lib/bus.rb:Bus.fire -> Method:run.rb:Run.added"],
    ["Java, a base less of what implements an interface: calls of its method lead here no more", "chains/java.txt", "store/Item.java", " extends Shown", "", "CALLS Method:run/More.java:More.end -> Method:store/Root.java:Root.end"],
    ["Java, a method more in a base: a call that finds one farther up finds it", "chains/java.txt", "store/Shown.java", "public void close", "public void end() {}\n    public void close", "CALLS Method:run/Run.java:Run.generic -> Method:store/Root.java:Root.end"],
    ["Java, a second method of a name: what only the name spoke for is not guessed any more", "chains/java.txt", "store/Item.java", "public Item next", "public void pick() {}\n    public Item next", "CALLS Method:run/More.java:More.wild -> Method:disk/Disk.java:Disk.pick"],
    ["Java, an interface less: calls of its method lead here no more", "chains/java.txt", "disk/Disk.java", " implements Closer", "", "CALLS Method:run/More.java:More.end -> Method:store/Root.java:Root.end"],
    ["Java, another interface of one method: lambdas are given something else", "chains/java.txt", "store/Visits.java", "Item item", "Runnable item", "CALLS Method:run/Run.java:Run.lambda -> Method:store/Shown.java:Shown.show"],
    ["Java, a class of a library less above a class: a library that is handed an object of it calls nothing of it", "java/handed-chain.txt", "Base.java", " extends TimerTask", "", "CALLS Method:Main.java:Main.later -> Method:Nightly.java:Nightly.run"],
    ["C#, a class that cannot be taken apart any more", "csharp/tuples.txt", "b.cs", "void Deconstruct(", "void Split(", "CALLS Method:a.cs:Commands.Apart -> Method:b.cs:Order.Deconstruct"],
    ["C#, a class that can be taken apart now", "csharp/tuples.txt", "b.cs", "Split(", "Deconstruct(", "!CALLS Method:a.cs:Commands.Later -> Method:b.cs:Pair.Deconstruct"],
    ["C#, another name of what a loop that waits begins with", "csharp/tuples.txt", "b.cs", "GetAsyncEnumerator", "Begin", "CALLS Method:a.cs:Commands.Await -> Method:b.cs:Orders.GetAsyncEnumerator"],
    ["Rust, another text of a macro that is called in another file", "rust/macros-of-other-files.txt", "src/macros.rs", "log(at); ", "", "CALLS Method:src/tables.rs:Feets.row -> Function:src/tables.rs:log"],
    ["Rust, another text of a macro that one calls which is called in another file", "rust/macros-of-other-files.txt", "src/macros.rs", "checked(n)", "n", "CALLS Method:src/units.rs:Feet.from -> Function:src/units.rs:checked"],
    ["Rust, only one macro of a name is left", "rust/macros-of-other-files.txt", "src/twice.rs", "macro_rules! ambiguous", "macro_rules! clear", "!CALLS Function:src/checks.rs:use_none -> Function:src/checks.rs:first"],
    ["Rust, a manifest that makes a file part of another package", "rust/macros-of-other-files.txt", "other/Cargo.toml", "measures = { path = \"..\" }", "", "CALLS Function:other/src/lib.rs:use_depth -> Function:other/src/lib.rs:depth"],
    ["Rust, an impl of another crate's trait less", "rust/through-library.txt", "src/sink.rs", "impl Write for Sink", "impl Other for Sink", "CALLS Function:src/lib.rs:show -> Method:src/sink.rs:Sink.write"],
    ["Rust, another method of what is handed to another crate", "rust/through-library.txt", "src/sink.rs", "fn read(", "fn other(", "CALLS Function:src/lib.rs:copy -> Method:src/sink.rs:Source.read"],
    ["C++, a signal that is none any more: it runs nothing", "cpp/qt-connected.txt", "model.h", "signals:\n    void changed", "public:\n    void changed", "CALLS Method:model.h:Model.changed -> Method:view.cpp:View.show"],
    ["PHP, a trait's method gives something else: so does its other name", "chains/php.txt", "src/Counts.php", "count(): Item", "count(): Items", "CALLS Function:src/run.php:aliased -> Method:src/Shown.php:Shown.show"],
    ["PHP, a parameter more in front: what is passed goes into others", "chains/php-stored.txt", "src/Kept.php", "take(callable $one)", "take($zero, callable $one)", "CALLS Method:src/Kept.php:Kept.take -> Function:src/run.php:chain_done"],
    ["PHP, a property less of a base: what an heir puts there is in none", "chains/php-stored.txt", "src/Base.php", "protected $else;", "", "CALLS Method:src/Base.php:Base.otherwise -> Function:src/run.php:chain_done"],
    ["PHP, a class whose objects can be called no more", "chains/php-stored.txt", "src/Make.php", "public function __invoke() {}", "", "CALLS Method:src/Hooks.php:Hooks.start -> Method:src/Make.php:Make.__invoke"],
    ["PHP, a function less that a text in another file names", "chains/php-stored.txt", "src/run.php", "function chain_step", "function other_step", "CALLS Function:src/ask.php:chain_ask -> Function:src/run.php:chain_step"],
    ["PHP, another type of a parameter: a text is no function any more", "chains/php-stored.txt", "src/Bus.php", "callable $handler", "string $handler", "CALLS Method:src/Bus.php:Bus.fire -> Method:src/Make.php:Make.third"],
    ["PHP, a constructor less: `new` of what inherits it runs another", "chains/php.txt", "src/Item.php", "__construct()", "setUp()", "CALLS Function:src/run.php:shut -> Method:src/Item.php:Item.__construct"],
  ])("%s", async (_, name, path, from, to, relation) => {
    const files = { ...repositories().get(name)! };
    const workspace = await open(files);
    const appears = relation.startsWith("!");
    const has = (codebase: Codebase): boolean => inWords(codebase, false).some((words) => words.startsWith(relation.replace("!", "")));
    expect(has(workspace.codebase!)).toBe(!appears);
    const before = { ...files };
    files[path] = files[path]!.replace(from, to);
    const updated = await workspace.update(difference(before, files), parse);
    expect(has(updated)).toBe(appears);
    expect(inWords(updated, false)).toEqual(await indexed(files));
  });
});

test.each([
  ["python", "model.py", "Person()", "Sum()"],
  ["ruby", "lib/person.rb", "Saving.new(self)", "Account.new(self)"],
])("what is remembered of %s is recalled after a reload, so that the first edit touches no more than a later one", async (language, path, from, to) => {
  const files = repositories().get(`chains/${language}.txt`)!;
  const edited = { ...files, [path]: files[path]!.replace(from, to) };
  const redone = async (workspace: Workspace): Promise<number> => {
    await workspace.update(difference(files, edited), parse);
    return Math.max(...[...relationsOf(workspace)].map((of) => of.redone));
  };
  const first = await redone(await open(files));
  const again = await reopened(await open(files));
  const forgetful = await redone(await reopened(await open(files)));
  await again.recall();
  expect(inWords(again.codebase!, false)).toEqual(await indexed(files));
  expect([first < forgetful, await redone(again)]).toEqual([true, first]);
  expect(inWords(again.codebase!, false)).toEqual(await indexed(edited));
});

test("routes have the paths that other files put them under, also after these are edited, and after a reload", async () => {
  const files = {
    "app.ts": 'import express from "express";\nimport users from "./users";\nconst app = express();\napp.use("/api/users", users);\n',
    "users.ts": 'import { Router } from "express";\nconst users = Router();\nusers.get("/:id", one);\nfunction one() {}\nexport default users;\n',
  };
  const edited = { ...files, "app.ts": files["app.ts"].replace("/api/users", "/v2/people") };
  const routes = ({ graph }: Codebase): string[] => graph.nodes.filter(({ kind }) => kind === "Route").map(({ id, name, signature }) => `${id} | ${name} | ${signature}`);
  const workspace = await open(files);
  const id = "Route:users.ts:GET …/:id";
  expect(routes(workspace.codebase!)).toEqual([`${id} | GET /api/users/:id | GET /api/users/:id → one`]);
  const again = await reopened(await open(files));
  for (const one of [workspace, again]) {
    expect(routes(await one.update(difference(files, edited), parse))).toEqual([`${id} | GET /v2/people/:id | GET /v2/people/:id → one`]);
    expect(routes((await one.refine(findClusters))!)).toEqual([`${id} | GET /v2/people/:id | GET /v2/people/:id → one`]);
    expect(routes(await one.update({ files: [], removed: ["app.ts"] }, parse))).toEqual([`${id} | GET …/:id | GET …/:id → one`]);
  }
});

test("routes have the paths that files of configuration put them under, also after these are edited, and after a reload", async () => {
  const files = {
    "shop/src/main/java/a/Orders.java": "package a;\nimport org.springframework.web.bind.annotation.*;\n@RestController\n@RequestMapping(\"/orders\")\nclass Orders {\n  @GetMapping String all() { return null; }\n}\n",
    "shop/src/main/resources/application.yml": "server:\n  port: 80\n  servlet:\n    context-path: ${BASE:/shop} # all of it\n",
    "other/src/main/java/a/Others.java": "package a;\nimport org.springframework.web.bind.annotation.*;\n@RestController\nclass Others {\n  @GetMapping(\"/others\") String all() { return null; }\n}\n",
    "web/package.json": '{ "dependencies": { "next": "15" } }',
    "web/pages/about.tsx": "export default function About() { return null; }\n",
    "web/docs/package.json": '{ "dependencies": { "vite": "6" } }',
    "web/docs/src/pages/usage.tsx": "export default function Usage() { return null; }\n",
    "config/routes/pages.yaml": "pages:\n  resource: ../../src/Page/\n  prefix: '/pages'\n  type: attribute\n",
    "src/Page/Show.php": "<?php\nuse Symfony\\Component\\Routing\\Attribute\\Route;\nclass Show {\n  #[Route('/{id}', methods: ['GET'])]\n  public function show() {}\n}\n",
  };
  const edited = { ...files, "shop/src/main/resources/application.yml": "server.servlet.context-path: /v2/\n", "web/package.json": "{}", "config/routes/pages.yaml": files["config/routes/pages.yaml"].replace("'/pages'", "/p") };
  const routes = ({ graph }: Codebase): string[] => graph.nodes.filter(({ kind }) => kind === "Route").map(({ signature }) => signature);
  const workspace = await open(files);
  expect(routes(workspace.codebase!)).toEqual(["GET /others → all", "GET /shop/orders → all", "GET /pages/{id} → show", "PAGE …/usage → Usage", "PAGE /about → About"]);
  const again = await reopened(await open(files));
  for (const one of [workspace, again]) {
    expect(routes(await one.update(difference(files, edited), parse))).toEqual(["GET /others → all", "GET /v2/orders → all", "GET /p/{id} → show", "PAGE …/usage → Usage", "PAGE …/about → About"]);
    expect(routes(await one.update({ files: [], removed: ["shop/src/main/resources/application.yml", "config/routes/pages.yaml"] }, parse))).toEqual(["GET /others → all", "GET /orders → all", "GET /{id} → show", "PAGE …/usage → Usage", "PAGE …/about → About"]);
  }
});

describe("files that come and go", () => {
  test.each([
    ["Python, a module that another hands on", "python", "pack/inside.py", 'CALLS File:packed.py -> Method:model.py:Person.greet {"confidence":0.8'],
    ["Python, a package", "python", "pack/__init__.py", "IMPORTS File:packed.py -> File:pack/__init__.py"],
    ["Python, what passes something", "python", "use.py", 'CALLS Function:shop/make.py:visit -> Method:saving.py:Saving.open {"confidence":0.6999'],
    ["Python, an heir's method", "python", "saving.py", "CALLS Function:keep.py:keep -> Method:saving.py:Saving.open"],
    ["Python, the nearer fixtures", "python-pytest", "tests/deep/conftest.py", "CALLS Function:tests/deep/test_deep.py:test_deep -> Method:model.py:Person.greet"],
    ["Python, the farther fixtures", "python-pytest", "tests/conftest.py", "CALLS Function:tests/test_near.py:test_near -> Method:app.py:Client.put"],
    ["Python, the fixtures above all", "python-pytest", "conftest.py", "CALLS Function:tests/deep/test_deep.py:test_far -> Method:model.py:Account.close"],
    ["Go, what a module is replaced by", "go-imports", "gear/gear.go", "CALLS Function:far/far.go:far -> Method:gear/gear.go:Wheel.Turn"],
    ["Go, what a module is replaced by, for a variable", "go-imports", "gear/gear.go", "CALLS Function:far/far.go:further -> Method:gear/gear.go:Wheel.Turn"],
    ["Go, what is run for an import's side effects", "go-imports", "side/start.go", "IMPORTS File:use/side.go -> File:side/start.go"],
    ["Go, the file that stands for a package", "go-imports", "idle/doc.go", "IMPORTS File:use/nothing.go -> File:idle/doc.go"],
    ["Go, one file more of a package that is imported by a dot", "go-imports", "dot/more.go", "IMPORTS File:use/dot.go -> File:dot/more.go"],
    ["Go, a package beside a program", "go-imports", "mixed/tool.go", "CALLS Function:use/mixed.go:mixed -> Function:mixed/tool.go:Run"],
    ["Go, a variant of what is declared", "go-imports", "build/linux.go", "CALLS Function:use/build.go:built -> Method:build/linux.go:Disk.Open"],
    ["Go, the first of a package's tests, where it has nothing else", "go-imports", "tests/a_test.go", "IMPORTS File:use/tests.go -> File:tests/a_test.go"],
    ["Go, all that is vendored", "go-imports", "vendor/example.org/lib/lib.go", "CALLS Function:use/vendored.go:vendored -> Function:vendor/example.org/lib/lib.go:Lib"],
    ["Go, a directory without a module", "go-path", "far/gear/gear.go", "CALLS Function:run/run.go:run -> Method:far/gear/gear.go:Wheel.Turn"],
    ["Go, a directory without a module, for who gets there by another", "go-path", "far/gear/gear.go", "CALLS Function:run/use/use.go:use -> Method:far/gear/gear.go:Wheel.Turn"],
  ])("%s", async (_, chain, path, relation) => {
    const files = repositories().get(`chains/${chain}.txt`)!;
    const without = Object.fromEntries(Object.entries(files).filter(([name]) => name !== path));
    const [whole, less] = await Promise.all([files, without].map(indexed));
    const has = (words: readonly string[]): boolean => words.some((word) => word.startsWith(relation));
    expect([whole, less].map((words) => has(words!))).toEqual([true, false]);
    const workspace = await open(files);
    expect(inWords(await workspace.update(difference(files, without), parse), false)).toEqual(less);
    expect(inWords(await workspace.update(difference(without, files), parse), false)).toEqual(whole);
    expect(inWords(await (await unclustered(without)).update(difference(without, files), parseBeside), false)).toEqual(whole);
  });
});

test.each([
  ["taking apart", "var (left, right) = pair;", "Deconstruct", "public void Deconstruct(out int left, out int right) { left = right = 0; }"],
  ["a loop", "foreach (var one in pair) { }", "GetEnumerator", "public IEnumerator<int> GetEnumerator() => null;"],
  ["a loop that waits", "await foreach (var one in pair) { }", "GetAsyncEnumerator", "public IAsyncEnumerator<int> GetAsyncEnumerator() => null;"],
])("C#, a method that %s runs without naming it comes after a reload", async (_, code, name, method) => {
  const files: Files = { "a.cs": `class Use { public async void Run(Pair pair) { ${code} } }\n`, "b.cs": "public class Pair { }\n" };
  const after = { ...files, "b.cs": `public class Pair { ${method} }\n` };
  const words = inWords(await (await reopened(await open(files))).update(difference(files, after), parse), false);
  expect(words.join("\n")).toContain(`CALLS Method:a.cs:Use.Run -> Method:b.cs:Pair.${name}`);
  expect(words).toEqual(await indexed(after));
});

test("Python, what was found before an edit of a body holds after it, wherever things stand now", async () => {
  let files: Files = {
    "far.py": "from near import Base, make\n\n\nclass Heir(Base):\n    pass\n\n\ndef one() -> Base:\n    pass\n\n\ndef two() -> Base:\n    pass\n\n\ndef made():\n    return make()\n",
    "near.py": "import far\n\n\ndef body():\n    pass\n\n\nclass Base:\n    def work(self):\n        pass\n\n\nclass Other:\n    def work(self):\n        pass\n\n\ndef make():\n    return Base()\n",
    "use.py": "import far\n\n\ndef use():\n    pass\n",
  };
  const workspace = await open(files);
  const become = async (path: string, body: string): Promise<void> => {
    const before = files;
    files = { ...files, [path]: files[path]!.replace(/(def (?:use|body)\(\):\n)(?: {4}.*\n)+/, `$1${body}`) };
    expect(inWords(await workspace.update(difference(before, files), parse), false), body).toEqual(await indexed(files));
  };
  await become("use.py", "    far.one().work()\n    far.Heir().work()\n    far.made().work()\n");
  await become("near.py", "    far.two().work()\n    far.Heir().work()\n    far.made().work()\n");
  await become("near.py", "    far.Heir().work()\n");
  await become("use.py", "    far.made().work()\n    far.two().work()\n");
});

test("Python, classes on classes for longer than anybody follows: what the last one inherits is found where the first ones are known", async () => {
  const name = (i: number): string => `c${String(i).padStart(2, "0")}`;
  const files: Record<string, string> = { [`${name(0)}.py`]: "class C0:\n    def start(self):\n        return 1\n\n\nclass Other:\n    def start(self):\n        return 2\n" };
  for (let i = 1; i <= 60; i++) files[`${name(i)}.py`] = `from ${name(i - 1)} import C${i - 1}\n\n\nclass C${i}(C${i - 1}):\n    pass\n`;
  const workspace = await open(files);
  const before = { ...files };
  files["c60.py"] = `${files["c60.py"]!}\n\ndef use():\n    C60().start()\n`;
  const updated = inWords(await workspace.update(difference(before, files), parse), false);
  expect(updated.some((words) => words.startsWith("CALLS Function:c60.py:use -> Method:c00.py:C0.start"))).toBe(true);
  expect(updated).toEqual(await indexed(files));
});

test("Python, a build file says that modules are elsewhere: what was found in those that it meant is of no use", async () => {
  const build = (folder: string): string => `setup(package_dir={"": "${folder}"})\n`;
  const lib = "class Thing:\n    def work(self):\n        pass\n\n\ndef make():\n    return Thing()\n";
  const files: Files = { "setup.py": build("old"), "old/lib.py": lib, "new/lib.py": lib, "use.py": "import lib\n\n\ndef use():\n    lib.make().work()\n" };
  const workspace = await open(files);
  const moved = { ...files, "setup.py": build("new") };
  const updated = inWords(await workspace.update(difference(files, moved), parse), false);
  expect(updated.filter((words) => words.startsWith("CALLS Function:use.py:use")).map((words) => words.split(" ")[3]).sort()).toEqual(["Function:new/lib.py:make", "Method:new/lib.py:Thing.work"]);
  expect(updated).toEqual(await indexed(moved));
});

test("Rust, a manifest gives a package another name after an edit for which all was resolved", async () => {
  const manifest = (name: string): string => `[package]\nname = "${name}"\n`;
  const { "b/src/lib.rs": library, ...rest }: Files = {
    "a/Cargo.toml": manifest("b"), "a/src/lib.rs": "pub fn open() {}\n", "a/n.rs": "fn run() { a::open(); }\n", "b/Cargo.toml": manifest("b"), "b/src/lib.rs": "",
  };
  const [files, moved] = [{ ...rest, "b/src/lib.rs": library }, { ...rest, "b/tests/n.rs": library }];
  const renamed = { ...moved, "a/Cargo.toml": manifest("a") };
  const workspace = await open(files);
  await workspace.update(difference(files, moved), parse);
  const updated = inWords(await workspace.update(difference(moved, renamed), parse), false);
  expect(updated.filter((words) => words.startsWith("CALLS Function:a/n.rs:run")).map((words) => words.split(" ")[3])).toEqual(["Function:a/src/lib.rs:open"]);
  expect(updated).toEqual(await indexed(renamed));
});

test("Java, a type comes to stand in a block: it is one of its own, and what was guessed of all of its name is no more", async () => {
  const type = "interface Sink { void drain(String text); }";
  const files: Files = { "A.java": `${type}\n`, "B.java": `${type}\n`, "Use.java": "class Use { void use() { unknown().drain(\"x\"); } }\n" };
  const workspace = await open(files);
  const edited = { ...files, "B.java": `{ ${type} }\n` };
  expect((await indexed(files)).filter((words) => words.startsWith("CALLS Method:Use.java:Use.use"))).toHaveLength(2);
  const updated = inWords(await workspace.update(difference(files, edited), parse), false);
  expect(updated.filter((words) => words.startsWith("CALLS Method:Use.java:Use.use"))).toEqual([]);
  expect(updated).toEqual(await indexed(edited));
});

test("a field beside accessors of its name hides them, though another class has a field like it", async () => {
  const files: Files = {
    "shapes.ts": "export interface Shape { width: number }\nexport class Square implements Shape {\n  get width() { return 1; }\n  set width(value: number) {}\n}\nexport class Line implements Shape { width = 2; }\n",
    "use.ts": 'import type { Shape } from "./shapes";\nexport function widen(shape: Shape) { shape.width = 5; }\n',
  };
  const workspace = await open(files);
  expect(inWords(workspace.codebase!, false).join("\n")).toContain("CALLS Function:use.ts:widen -> Method:shapes.ts:Square.width");
  const after = { ...files, "shapes.ts": files["shapes.ts"]!.replace("  set", "  width = 2;\n  set") };
  expect(inWords(await workspace.update(difference(files, after), parse), false)).toEqual(await indexed(after));
});
