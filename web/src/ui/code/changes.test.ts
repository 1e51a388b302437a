import { describe, expect, it, vi } from "vitest";
import { ChangeSet, Text } from "@codemirror/state";
import { changesBetween } from "./changes.ts";

function apply(before: string, after: string): string {
  const changes = ChangeSet.of(changesBetween(before, after), before.length);
  return changes.apply(Text.of(before.split("\n"))).toString();
}

describe("the changes between two texts", () => {
  const lines = Array.from({ length: 60 }, (_, i) => `line ${i}`);
  const text = lines.join("\n");

  it("make the new text of the old one, also without a newline at the end", () => {
    const others = ["", "\n", text, `${text}\n`, `first\n${text}`, lines.slice(20).join("\n"), [...lines, "last"].join("\n"), lines.map((line, i) => (i % 7 === 0 ? `${line}!` : line)).join("\n"), lines.toReversed().join("\n")];
    for (const before of others) for (const after of others) expect(apply(before, after)).toBe(after);
  });

  it("leave alone what stands between two edits", () => {
    const after = ["new", ...lines.slice(0, 30), "line thirty", ...lines.slice(31)].join("\n");
    const changes = changesBetween(text, after);
    expect(changes).toEqual([
      { from: 0, to: 0, insert: "new\n" },
      { from: text.indexOf("line 30") + 5, to: text.indexOf("line 30") + 7, insert: "thirty" },
    ]);
  });

  it("are nothing for the same text", () => {
    expect(changesBetween(text, text)).toEqual([]);
  });

  it("are found on a busy machine, too", () => {
    let now = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => (now += 1_000));
    const inserted = Array.from({ length: 400 }, (_, i) => `inserted ${i}`);
    const changes = changesBetween(text, [...lines.slice(0, 10), ...inserted, ...lines.slice(10), "last"].join("\n"));
    clock.mockRestore();
    // Two changes, the lines that came; the old lines between them are no part of either.
    expect(changes.map(({ from, to, insert }) => [from, to, insert.length])).toEqual([[text.indexOf("line 10"), text.indexOf("line 10"), inserted.join("\n").length + 1], [text.length, text.length, "\nlast".length]]);
  });

  it("are found soon where nothing is the same", () => {
    const many = (of: string): string => Array.from({ length: 30_000 }, (_, i) => `${of} ${i}`).join("\n");
    const started = performance.now();
    expect(apply(many("one"), many("other"))).toBe(many("other"));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
