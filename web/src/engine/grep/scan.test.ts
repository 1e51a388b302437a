import { describe, expect, it } from "vitest";
import { compile, scan, staysInLine, type TextFile } from "./scan.ts";

function lines(text: string, pattern: string, caseSensitive = true): [number, string, string][] {
  return scan([["f", text]], compile(pattern, caseSensitive), 100).matches.map(({ line, text: t, match }) => [line, t, match]);
}

describe("scan", () => {
  it("finds each matching line once, with what matched first in it", () => {
    expect(lines("one two two\nthree\n  two\n", "two")).toEqual([[1, "one two two", "two"], [3, "two", "two"]]);
  });

  it("takes ^ and $ for the ends of a line, with any line end", () => {
    expect(lines("ab\nb\nba", "^b$")).toEqual([[2, "b", "b"]]);
    expect(lines("ab\r\nb\r\nba\r\n", "^b$")).toEqual([[2, "b", "b"]]);
  });

  it("never matches across lines", () => {
    expect(lines("foo(\nbar)\n", "foo\\(\\s*bar")).toEqual([]);
    expect(lines("a\nb\nab\n", "a[^x]*b")).toEqual([[3, "ab", "ab"]]);
    expect(lines("a b\nc\n", "a[^]*")).toEqual([[1, "a b", "a b"]]);
    expect(lines("foo\nbar", "foo(?!\\s)")).toEqual([[1, "foo", "foo"]]);
  });

  it("finds empty lines and empty matches, and no line after the last line end", () => {
    expect(lines("a\n\nb\n", "^$")).toEqual([[2, "", ""]]);
    expect(lines("\na\n", "^$")).toEqual([[1, "", ""]]);
    expect(lines("a\nb\n", "x*").length).toBe(2);
    expect(lines("", "^")).toEqual([]);
    expect(lines("a", "$")).toEqual([[1, "a", ""]]);
  });

  it("minds case only when asked to", () => {
    expect(lines("TODO todo", "todo")[0]![2]).toBe("todo");
    expect(lines("TODO todo", "todo", false)[0]![2]).toBe("TODO");
  });

  it("knows classes of characters by their Unicode names", () => {
    expect(lines("abc\nÄrger", "\\p{Lu}")).toEqual([[2, "Ärger", "Ä"]]);
    expect(lines("a-b", "a\\-b")).toEqual([[1, "a-b", "a-b"]]);
  });

  it("cuts a long line around the match", () => {
    const [[, text, match]] = lines(`${"x".repeat(5000)}needle${"y".repeat(5000)}`, "needle") as [[number, string, string]];
    expect(match).toBe("needle");
    expect(text).toMatch(/^…x{147}needley{147}…$/);
    expect(lines(`needle${"y".repeat(5000)}`, "needle")[0]![1]).toMatch(/^needley{294}…$/);
    expect(lines(`${"y".repeat(5000)}needle`, "needle")[0]![1]).toMatch(/^…y{294}needle$/);
    expect(lines("z".repeat(5000), "z+")[0]![2]).toBe(`${"z".repeat(120)}…`);
  });

  it("counts beyond the room, by line and by file", () => {
    const files: TextFile[] = [["a", "x\nx\n"], ["b", "y\n"], ["c", "x\nx\nx"]];
    expect(scan(files, compile("x", true), 3)).toEqual({
      matches: [
        { file: "a", line: 1, text: "x", match: "x" }, { file: "a", line: 2, text: "x", match: "x" }, { file: "c", line: 1, text: "x", match: "x" },
      ],
      total: 5, files: [["a", 2], ["c", 3]],
    });
  });

  it("finds the same in the whole text as line by line", () => {
    const random = generator(7);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const atoms = ["a", "b", ".", "[ab]", "\\w", "\\d", "(?:a|b)", "^", "$", "\\b", "\\B", "(a)"];
    const repeats = ["", "", "", "*", "+", "?", "{1,2}"];
    const pieces = ["a", "b", "1", " ", "\n", "\n", "\u2028", "ab"];
    let compared = 0;
    for (let i = 0; i < 3000; i++) {
      let pattern = "";
      for (let n = 1 + Math.floor(random() * 4); n > 0; n--) {
        const atom = pick(atoms);
        pattern += atom + (/^[\^$\\][bB]?$/.test(atom) ? "" : pick(repeats));
      }
      const text = Array.from({ length: Math.floor(random() * 12) }, () => pick(pieces)).join("");
      const whole = compile(pattern, true);
      if (!staysInLine(whole.source)) continue;
      compared++;
      // Looking at nothing behind it changes no match, but makes it go line by line.
      const slow = compile(`(?=)(?:${pattern})`, true);
      expect(staysInLine(slow.source)).toBe(false);
      expect([pattern, text, scan([["f", text]], whole, 100)]).toEqual([pattern, text, scan([["f", text]], slow, 100)]);
    }
    expect(compared).toBeGreaterThan(2500);
  });
});

describe("staysInLine", () => {
  it.each(["abc", "a.*b", "\\bfoo\\(", "[a-z]+\\d", "(?:a|b)c", "^import\\b", "\\$x"])("%s stays", (pattern) => {
    expect(staysInLine(pattern)).toBe(true);
  });
  it.each(["[^a]", "\\s", "\\W", "\\D", "(?=a)", "(?<!a)", "\\n", "a\nb", "\\x0a", "\\u000a", "[\\b- ]", "(a)\\1", "\\cJ", "\\P{L}"])("%s may not", (pattern) => {
    expect(staysInLine(pattern)).toBe(false);
  });
});

/** Numbers from 0 to 1 that are the same on every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
