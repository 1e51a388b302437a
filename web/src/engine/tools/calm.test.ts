/** LOW is said only where it is known, in every language: not of what others may use, what enters, or what tests reach. */
import { expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";

interface Case {
  /** A private function that runs where the program begins, and is called nowhere else: known. */
  known: string;
  /** What code outside of the repository may use. */
  exported: string;
  /** A private function that only an exported one calls, which nothing here uses. */
  behind: string;
  /** A private function that is only passed or stored. */
  passed?: string;
  /** Where control enters. */
  entry?: string;
  files: Record<string, string>;
}

const CASES: Record<string, Case> = {
  go: {
    known: "known", exported: "Exported", behind: "behind", passed: "passed", entry: "main",
    files: { "go.mod": "module m\n\ngo 1.26\n", "a.go": "package main\n\nfunc known() {}\n\nfunc behind() {}\n\nfunc Exported() { behind() }\n\nfunc passed() {}\n\nfunc take(f func()) { f() }\n\nfunc main() {\n\tknown()\n\ttake(passed)\n}\n" },
  },
  typescript: {
    known: "known", exported: "exported", behind: "behind", passed: "passed",
    files: { "a.ts": "function known(): void {}\n\nfunction behind(): void {}\n\nexport function exported(): void { behind(); }\n\nfunction passed(): void {}\n\nexport const table = { run: passed };\n\nknown();\n" },
  },
  javascript: {
    known: "known", exported: "exported", behind: "behind", passed: "passed",
    files: { "a.js": "function known() {}\n\nfunction behind() {}\n\nexport function exported() { behind(); }\n\nfunction passed() {}\n\nsetTimeout(passed, 1);\n\nknown();\n" },
  },
  python: {
    known: "_known", exported: "exported", behind: "_behind", passed: "_passed",
    files: { "a.py": "def _known():\n    pass\n\n\ndef _behind():\n    pass\n\n\ndef exported():\n    _behind()\n\n\ndef _passed():\n    pass\n\n\nTABLE = {'run': _passed}\n_known()\n" },
  },
  java: {
    known: "A.known", exported: "A.exported", behind: "A.behind", entry: "A.main",
    files: { "A.java": "public class A {\n  private static void known() {}\n  private void behind() {}\n  public void exported() { behind(); }\n  public static void main(String[] args) { known(); }\n}\n" },
  },
  csharp: {
    known: "A.Known", exported: "A.Exported", behind: "A.Behind",
    files: { "A.cs": "public class A {\n  private static void Known() {}\n  private void Behind() {}\n  public void Exported() { Behind(); }\n  static void Main() { Known(); }\n}\n" },
  },
  rust: {
    known: "known", exported: "exported", behind: "behind", passed: "passed", entry: "main",
    files: { "Cargo.toml": "[package]\nname = \"m\"\n", "src/main.rs": "fn known() {}\n\nfn behind() {}\n\npub fn exported() { behind(); }\n\nfn passed() {}\n\nfn main() {\n    let f = passed;\n    f();\n    known();\n}\n" },
  },
  c: {
    known: "known", exported: "exported", behind: "behind", passed: "passed", entry: "main",
    files: { "a.c": "static void known(void) {}\n\nstatic void behind(void) {}\n\nvoid exported(void) { behind(); }\n\nstatic void passed(void) {}\n\nstatic void (*table[])(void) = { passed };\n\nint main(void) { table[0](); known(); return 0; }\n" },
  },
  php: {
    known: "A::known", exported: "A::exported", behind: "A::behind",
    files: { "A.php": "<?php\nclass A {\n  private static function known() {}\n  private function behind() {}\n  public static function start() { self::known(); }\n  public function exported() { $this->behind(); }\n}\nA::start();\n" },
  },
  ruby: {
    known: "A#known", exported: "A#exported", behind: "A#behind",
    files: { "a.rb": "class A\n  def start\n    known\n  end\n\n  def exported\n    behind\n  end\n\n  private\n\n  def known\n  end\n\n  def behind\n  end\nend\n\nA.new.start\n" },
  },
};

it.each(Object.entries(CASES))("%s", async (_, { known, exported, behind, passed, entry, files }) => {
  const codebase = await codebaseOf(files);
  const impact = (target: string): Promise<{ risk: { level: string; reasons: string[] }; total: number; leftOut?: object }> =>
    call("impact", { target, direction: "upstream" }, { codebase }) as never;
  const sure = await impact(known);
  expect(sure.total).toBeGreaterThan(0);
  expect(sure.risk.level).toBe("LOW");
  const open = await impact(exported);
  expect(open.risk).toMatchObject({ level: "unknown" });
  expect(open.risk.reasons.join()).toMatch(/exported|entry/);
  expect((await impact(behind)).risk).toMatchObject({ level: "unknown", reasons: expect.arrayContaining([expect.stringMatching(/^it is reached from .*\b[Ee]xported, which code outside/)]) as string[] });
  if (entry !== undefined) expect((await impact(entry)).risk.level).toBe("unknown");
  if (passed !== undefined) {
    // A dependent, or the lines where its name stands: never nothing at all, and never LOW.
    const { risk, total, leftOut } = await impact(passed);
    expect(risk.level).toBe("unknown");
    expect(total > 0 || leftOut !== undefined).toBe(true);
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

it("looks for lines with names of Ruby that end in ?, ! or =, and with private ones of JavaScript", async () => {
  const codebase = await codebaseOf({
    "a.rb": "class Cart\n  private\n  def empty_now?\n    true\n  end\n  def clear_now!\n  end\n  def limit=(value)\n  end\n  def gone?\n    false\n  end\n  def rate=(value)\n  end\nend\n",
    "b.rb": "module Steps\n  def go\n    stop unless empty_now?\n    clear_now!\n    cart.limit ||= 3\n    rate == 3\n  end\nend\n\nclass Other\n  def limit=(value)\n  end\nend\n",
    "a.js": "export class Box {\n  #open() {}\n  #shut() {}\n  has(other) { return #open in other; }\n}\n",
  });
  const of = async (target: string): Promise<unknown> => {
    const { risk, leftOut } = await call("impact", { target, direction: "upstream" }, { codebase }) as unknown as { risk: { level: string }; leftOut?: { mentions?: { items: string[] } } };
    return risk.level === "LOW" ? "LOW" : leftOut?.mentions?.items;
  };
  expect(await of("Cart.empty_now?")).toEqual(["b.rb:3 Steps.go"]);
  expect(await of("Cart.clear_now!")).toEqual(["b.rb:4 Steps.go"]);
  expect(await of("Cart.limit=")).toEqual(["b.rb:5 Steps.go"]);
  expect(await of("Box.#open")).toEqual(["a.js:4 Box.has"]);
  expect(await Promise.all(["Cart.gone?", "Cart.rate=", "Box.#shut"].map(of))).toEqual(["LOW", "LOW", "LOW"]);
});
