/** LOW is said only where it is known, in every language: not of what others may use, what enters, or what tests reach. */
import { expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";

interface Case {
  /** A private function that one other calls: known. */
  known: string;
  /** What code outside of the repository may use. */
  exported: string;
  /** A private function that is only passed or stored. */
  passed?: string;
  /** Where control enters. */
  entry?: string;
  files: Record<string, string>;
}

const CASES: Record<string, Case> = {
  go: {
    known: "known", exported: "Exported", passed: "passed", entry: "main",
    files: { "go.mod": "module m\n\ngo 1.26\n", "a.go": "package main\n\nfunc known() {}\n\nfunc Exported() { known() }\n\nfunc passed() {}\n\nfunc take(f func()) { f() }\n\nfunc main() { take(passed) }\n" },
  },
  typescript: {
    known: "known", exported: "exported", passed: "passed",
    files: { "a.ts": "function known(): void {}\n\nexport function exported(): void { known(); }\n\nfunction passed(): void {}\n\nexport const table = { run: passed };\n" },
  },
  javascript: {
    known: "known", exported: "exported", passed: "passed",
    files: { "a.js": "function known() {}\n\nexport function exported() { known(); }\n\nfunction passed() {}\n\nsetTimeout(passed, 1);\n" },
  },
  python: {
    known: "_known", exported: "exported", passed: "_passed",
    files: { "a.py": "def _known():\n    pass\n\n\ndef exported():\n    _known()\n\n\ndef _passed():\n    pass\n\n\nTABLE = {'run': _passed}\n" },
  },
  java: {
    known: "A.known", exported: "A.exported", entry: "A.main",
    files: { "A.java": "public class A {\n  private void known() {}\n  public void exported() { known(); }\n  public static void main(String[] args) {}\n}\n" },
  },
  csharp: {
    known: "A.Known", exported: "A.Exported",
    files: { "A.cs": "public class A {\n  private void Known() {}\n  public void Exported() { Known(); }\n}\n" },
  },
  rust: {
    known: "known", exported: "exported", passed: "passed", entry: "main",
    files: { "Cargo.toml": "[package]\nname = \"m\"\n", "src/main.rs": "fn known() {}\n\npub fn exported() { known(); }\n\nfn passed() {}\n\nfn main() { let f = passed; f(); }\n" },
  },
  c: {
    known: "known", exported: "exported", passed: "passed", entry: "main",
    files: { "a.c": "static void known(void) {}\n\nvoid exported(void) { known(); }\n\nstatic void passed(void) {}\n\nstatic void (*table[])(void) = { passed };\n\nint main(void) { table[0](); return 0; }\n" },
  },
  php: {
    known: "A::known", exported: "A::exported",
    files: { "A.php": "<?php\nclass A {\n  private function known() {}\n  public function exported() { $this->known(); }\n}\n" },
  },
  ruby: {
    known: "A#known", exported: "A#exported",
    files: { "a.rb": "class A\n  def exported\n    known\n  end\n\n  private\n\n  def known\n  end\nend\n" },
  },
};

it.each(Object.entries(CASES))("%s", async (_, { known, exported, passed, entry, files }) => {
  const codebase = await codebaseOf(files);
  const impact = (target: string): Promise<{ risk: { level: string; reasons: string[] }; total: number; leftOut?: object }> =>
    call("impact", { target, direction: "upstream" }, { codebase }) as never;
  const sure = await impact(known);
  expect(sure.total).toBeGreaterThan(0);
  expect(sure.risk.level).toBe("LOW");
  const open = await impact(exported);
  expect(open.risk).toMatchObject({ level: "unknown" });
  expect(open.risk.reasons.join()).toMatch(/exported|entry/);
  if (entry !== undefined) expect((await impact(entry)).risk.level).toBe("unknown");
  if (passed !== undefined) {
    // A dependent, or the lines where its name stands: never nothing at all.
    const { risk, total, leftOut } = await impact(passed);
    expect(total > 0 || risk.level === "unknown" && leftOut !== undefined).toBe(true);
  }
});

it("says of what only the run tells that it depends on something, and LOW of what calls nothing", async () => {
  const codebase = await codebaseOf({
    "a.ts": "export class Bus {\n  constructor(private cb: () => void) {}\n  fire(): void {\n    this.cb();\n  }\n  plain(): number {\n    // none()\n    if (this.cb) return 1;\n    return 2;\n  }\n}\n",
    "a.py": "class Bus:\n    def fire(self):\n        self.handlers['x'](1)\n\n    def plain(self):\n        return (1)\n",
  });
  const below = async (target: string): Promise<{ level: string; reasons: string[] }> =>
    (await call("impact", { target, direction: "downstream" }, { codebase })).risk as { level: string; reasons: string[] };
  expect(await below("a.ts:Bus.fire")).toEqual({ level: "unknown", reasons: ["no sure dependency", "it calls what no edge stands for, in a library or known only when it runs (line 4)"] });
  expect((await below("a.ts:Bus.plain")).level).toBe("LOW");
  expect((await below("a.py:Bus.fire")).level).toBe("unknown");
  expect((await below("a.py:Bus.plain")).level).toBe("LOW");
});

it("never says LOW of what is only possibly called, also where that is asked for", async () => {
  const codebase = await codebaseOf({ "A.php": "<?php\nclass C { public function run() { $this->start(); } protected function start() {} }\nclass D extends C { protected function start() {} }\n" });
  const answer = await call("impact", { target: "D.start", direction: "upstream", minConfidence: 0 }, { codebase }) as unknown as { total: number; risk: { level: string; reasons: string[] } };
  expect(answer.total).toBe(1);
  expect(answer.risk).toEqual({ level: "unknown", reasons: ["no sure dependent outside of tests", "1 dependent only possible"] });
  const below = await call("impact", { target: "Method:A.php:C.run", direction: "downstream", minConfidence: 0 }, { codebase }) as unknown as { risk: { reasons: string[] } };
  expect(below.risk.reasons.join()).toContain("only possible");
});

it("takes no class of another language for a part of one", async () => {
  const codebase = await codebaseOf({ "a.cs": "class Cart { int Total => 1; }\n", "a.rb": "class Cart < ApplicationRecord\nend\n" });
  const answer = await call("impact", { target: "a.cs:Cart.Total", direction: "upstream" }, { codebase }) as unknown as { risk: { level: string } };
  expect(answer.risk.level).toBe("LOW");
});
