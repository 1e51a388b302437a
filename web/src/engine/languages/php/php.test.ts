import { describe, expect, it } from "vitest";
import { testFixtures } from "../../../../test/fixtures.ts";
import { edgesOf, extract } from "../../../../test/languages.ts";
import { difference, inWords, open, parse, unclustered } from "../../../../test/workspaces.ts";
import { php } from "./index.ts";

testFixtures(php, new URL("fixtures/", import.meta.url));

const symbols = async (source: string) =>
  (await extract(php, "A.php", source)).symbols.map((s) => `${s.kind} ${s.owner ? `${s.owner}.` : ""}${s.name}${s.entry ? ` (${s.entry})` : ""}`);

describe("symbols", () => {
  it("are types, methods, functions and variables outside of them, in the order of the file", async () => {
    expect(await symbols(`<?php namespace N;
class A { public $p; const C = 1; function __construct(private int $q) {} function m() { $f = function () {}; function late() {} } }
interface I { function a(); } trait T { function t() {} } enum E { case X; function e() {} }
function f() {}
if (true) { class B {} function g() {} }
$o = new class { function hidden() {} };
`)).toEqual([
      "Class A", "Variable A.C", "Method A.__construct", "Method A.m", "Function late", "Interface I", "Method I.a", "Class T", "Method T.t", "Enum E", "Variable E.X", "Method E.e",
      "Function f", "Class B", "Function g", "Variable $o",
    ]);
  });

  it("have lines, a head without attributes, and a parent", async () => {
    const { symbols: [type, method] } = await extract(php, "A.php", `<?php

/** Doc. */
#[Entity]
final class A extends B
{
    /** @return Foo[] */
    #[Pure]
    private static function all(
        int $a = 1,
    ): array {
    }
}
`);
    expect(type).toEqual({ kind: "Class", name: "A", parent: -1, line: 5, startLine: 4, endLine: 13, exported: true, signature: "final class A extends B" });
    expect(method).toEqual({
      kind: "Method", name: "all", owner: "A", parent: 0, line: 9, startLine: 8, endLine: 12, exported: false,
      signature: "private static function all( int $a = 1, ): array",
    });
  });

  it("say why control may enter", async () => {
    expect(await symbols(`<?php
class UsersController extends Controller { public function index() {} private function hidden() {} public function __construct() {} }
class Api { #[Route('/x')] function a() {} /** @Route("/y") */ function b() {} #[AsEventListener] function c() {} function d() {} }
class CartTest extends TestCase { function testTotal() {} /** @test */ function total() {} #[Test] function other() {} function helper() {} }
class SendMail implements ShouldQueue { public function handle() {} }
class SendMailJob { public function handle() {} public function retry() {} }
class ImportCommand extends Command { protected function execute($in, $out) {} }
class ShowController { public function __invoke() {} }
`)).toEqual([
      "Class UsersController", "Method UsersController.index (route)", "Method UsersController.hidden", "Method UsersController.__construct",
      "Class Api", "Method Api.a (route)", "Method Api.b (route)", "Method Api.c (handler)", "Method Api.d",
      "Class CartTest", "Method CartTest.testTotal (test)", "Method CartTest.total (test)", "Method CartTest.other (test)", "Method CartTest.helper",
      "Class SendMail", "Method SendMail.handle (handler)", "Class SendMailJob", "Method SendMailJob.handle (handler)", "Method SendMailJob.retry",
      "Class ImportCommand", "Method ImportCommand.execute (handler)", "Class ShowController", "Method ShowController.__invoke (route)",
      "Route ANY /x", "Route TASK c",
    ]);
  });

  it("know generated files", async () => {
    expect((await extract(php, "A.php", "<?php\n// This file is auto-generated.\nclass A {}\n")).generated).toBe(true);
    expect((await extract(php, "A.php", "<?php\nclass A {}\n")).generated).toBeUndefined();
  });
});

describe("hostile input", () => {
  it("survives nesting without end", async () => {
    for (const source of [
      `<?php $x = ${"(".repeat(20_000)}f()${")".repeat(20_000)};`,
      `<?php class A { function m(): A { return $this${"->m()".repeat(20_000)}; } }`,
      `<?php $x = ${"1 . ".repeat(20_000)}1;`,
      `<?php $x = ${"[".repeat(20_000)}${"]".repeat(20_000)};`,
      `<?php ${"if ($a) { $b = f($b); ".repeat(5_000)}${"}".repeat(5_000)}`,
      `<?php class A { function m(): A {} } function f() { $x0 = new A; ${Array.from({ length: 5_000 }, (_, i) => `$x${i + 1} = $x${i}->m();`).join("\n")} }`,
      `<?php /** @var ${"array<".repeat(100)}A${">".repeat(100)} $x */ $x = 1; /** @param ${"(".repeat(50_000)} $y */ function f($y) {}`,
    ]) {
      await expect(edgesOf({ "A.php": source })).resolves.toBeDefined();
    }
  });
});

describe("after an edit the graph is that of an index from the start", () => {
  const limit = "<?php\nfunction f() { return LIMIT; }\n";
  const shared = "<?php\nfunction f() { global $x; return $x; }\n";
  it.each<[string, user: string, before: string | undefined, after: string | undefined]>([
    ["a constant comes", limit, "<?php\n", "<?php\nconst LIMIT = 1;\n"],
    ["a constant goes", limit, "<?php\nconst LIMIT = 1;\n", "<?php\n"],
    ["a file with a constant comes", limit, undefined, "<?php\ndefine('LIMIT', 1);\n"],
    ["an imported constant comes", "<?php\nnamespace A; use const B\\LIMIT;\nfunction f() { return LIMIT; }\n", "<?php\n", "<?php\nnamespace B;\nconst LIMIT = 1;\n"],
    ["a global variable comes", shared, "<?php\n", "<?php\n$x = 1;\n"],
    ["a file with a global variable comes", shared, undefined, "<?php\n$x = 1;\n"],
    ["a global variable is one of a function now", shared, "<?php\n$x = 1;\n", "<?php\nfunction g() { $x = 1; }\n"],
  ])("%s", async (_, user, before, after) => {
    const files = (other: string | undefined): Record<string, string> => ({ "a.php": user, ...(other === undefined ? {} : { "b.php": other }) });
    const workspace = await open(files(before));
    const had = inWords(workspace.codebase!, false);
    const now = inWords(await workspace.update(difference(files(before), files(after)), parse), false);
    expect(now).toEqual(inWords((await unclustered(files(after))).codebase!, false));
    const uses = (edges: readonly string[]): number => edges.filter((edge) => edge.startsWith("REFERENCES Function:a.php:f")).length;
    expect([uses(had), uses(now)].sort()).toEqual([0, 1]);
  });

  it("gives what calls a global variable's methods another class with the variable", async () => {
    const files = (made: string): Record<string, string> => ({
      "a.php": "<?php\nfunction f() { global $x; return $x->run(); }\n", "b.php": `<?php\n$x = ${made};\n`,
      "c.php": "<?php\nclass A { function run() {} static function one(): B {} }\nclass B { function run() {} }\n",
    });
    const steps = ["new A()", "new B()", "1", "A::one()", "new A()"];
    const workspace = await open(files(steps[0]!));
    const runs: string[] = [];
    for (const [i, made] of steps.entries()) {
      const edges = inWords(i === 0 ? workspace.codebase! : await workspace.update(difference(files(steps[i - 1]!), files(made)), parse), false);
      expect(edges).toEqual(inWords((await unclustered(files(made))).codebase!, false));
      runs.push(edges.filter((edge) => edge.startsWith("CALLS Function:a.php:f")).map((edge) => /c\.php:(\w)\.run/.exec(edge)?.[1] ?? "").join());
    }
    expect(runs).toEqual(["A", "B", "", "B", "A"]);
  });
});
