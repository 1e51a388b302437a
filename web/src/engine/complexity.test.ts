import { describe, expect, it } from "vitest";
import { branchesByLine } from "./complexity.ts";

const total = (text: string, language: string): number => branchesByLine(text, language).reduce((a, b) => a + b, 0);

describe("branches", () => {
  it("are counted where they stand", () => {
    const text = "function f(a, b) {\n  if (a && b) return 1;\n  for (const x of a) {\n    x ? g() : h();\n  }\n}\n";
    expect([...branchesByLine(text, "typescript")]).toEqual([0, 2, 1, 1, 0, 0, 0]);
  });

  it.each([
    ["typescript", "switch (x) { case 1: case 2: break; default: }\ntry {} catch {}\nwhile (x) {}\na ?? b || c", 6],
    ["typescript", "function f(a?: string, b = c?.d): void {}", 0],
    ["go", "if err != nil { }\nfor range x { }\nselect {\ncase <-c:\ncase <-d:\n}", 4],
    ["python", "if a and b:\n  pass\nelif c or d:\n  pass\nx = [y for y in z if y]\ntry:\n  pass\nexcept E:\n  pass", 7],
    ["ruby", "x = 1 unless y\nwhen 3\nrescue E", 3],
    ["rust", "match x { 1 => a, _ => b }\nif a || b {}", 4],
    ["java", "for (var x : y) if (x) continue;", 2],
  ])("of %s: %s", (language, text, branches) => {
    expect(total(text, language)).toBe(branches);
  });

  it("are none in comments and texts", () => {
    expect(total("// if a && b\n/* while (x) {\n for */ const s = \"if ? :\" + 'a || b' + `case ${\n}`;", "typescript")).toBe(0);
    expect(total("# if a\ns = 'if' + \"for\"\n\"\"\"\nwhile\n\"\"\"\n", "python")).toBe(0);
  });

  it("ends on a text that never ends", () => {
    expect(total(`const s = "if${" if".repeat(5)}`, "typescript")).toBe(6);
    expect(branchesByLine("", "go").length).toBe(1);
  });
});
