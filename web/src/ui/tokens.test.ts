import { describe, expect, it } from "vitest";
import { FAKE_SOURCE } from "../../test/fake-workers.ts";
import { tokenLines } from "./tokens.ts";

const of = (kind: string, language: string, ...lines: string[]): string[] =>
  tokenLines(lines, language).flat().filter((token) => token.kind === kind).map(({ text }) => text.trim());

describe("tokens", () => {
  it("never change the text", () => {
    const odd = ["'unclosed", "`over", "lines ${a}` /* c */ 0x1f 'a\\'b'", "\t# héllo \"\"\" x", "", "/* open", "still */ after()", "🙂 = `"];
    for (const language of ["typescript", "go", "python", "ruby", "rust", "toml", ""]) {
      const lines = [...FAKE_SOURCE.split("\n"), ...odd];
      expect(tokenLines(lines, language).map((tokens) => tokens.map(({ text }) => text).join(""))).toEqual(lines);
    }
  });

  it("know comments from strings", () => {
    expect(of("comment", "typescript", 'const a = "// no"; // yes', "/* one", " * two */ b()")).toEqual(["// yes", "/* one", "* two */"]);
    expect(of("string", "typescript", "x = 'it\\'s' + `a", "b` + c")).toEqual(["'it\\'s'", "`a", "b`"]);
    expect(of("string", "python", 'x = """doc', "# no comment", 'end""" # comment')).toEqual(['"""doc', "# no comment", 'end"""']);
    expect(of("comment", "python", "a = 1 # why // how")).toEqual(["# why // how"]);
    expect(of("comment", "ruby", 'x = "a#{b} # no" # yes')).toEqual(["# yes"]);
  });

  it("does not carry a simple string over its line", () => {
    expect(of("keyword", "go", 's := "open', "return nil")).toEqual(["return", "nil"]);
  });

  it("mark keywords, calls and numbers", () => {
    expect(of("keyword", "typescript", "export const constant = returned;")).toEqual(["export", "const"]);
    expect(of("call", "go", "x.Run(ctx); y := f (1)")).toEqual(["Run"]);
    expect(of("number", "go", "a1 := 0xFF + 3.14")).toEqual(["0xFF", "3.14"]);
  });

  it("leave an unknown language plain", () => {
    expect(tokenLines(["if x // y"], "toml")).toEqual([[{ kind: "plain", text: "if x // y" }]]);
  });
});
