import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CLUSTER_COLOURS, faded, KINDS, kindToken } from "../graph/palette.ts";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

/** Custom properties of one block, hexadecimal ones only. */
function colours(selector: string): Record<string, string> {
  const from = css.indexOf(`${selector} {`);
  const block = css.slice(from, css.indexOf("\n}", from));
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]));
}

const dark = colours(":root");
const themes = { dark, light: { ...dark, ...colours(':root[data-theme="light"]') } };

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [light, dim] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dim! + 0.05);
}

describe.each(Object.entries(themes))("%s", (_, theme) => {
  const ratio = (text: string, ground: string): number => contrast(theme[text]!, theme[ground]!);

  it.each([
    ...["text", "muted", "faint"].flatMap((text) => ["bg", "stage", "surface", "raised", "hover"].map((ground) => [text, ground])),
    ...["comment", "string", "keyword", "number", "call"].flatMap((kind) => ["bg", "line-mark"].map((ground) => [`code-${kind}`, ground])),
    ["faint", "line-mark"], ["accent", "surface"], ["accent", "accent-soft"], ["muted", "accent-soft"], ["text", "accent-soft"], ["on-accent", "accent"],
    ["good", "surface"], ["warn", "raised"], ["bad", "raised"], ["bad", "bg"], ["text", "bad-soft"], ["text", "mark"],
    ["good", "good-soft"], ["warn", "warn-soft"], ["bad", "bad-soft"],
  ] as [string, string][])("%s can be read on %s", (text, ground) => expect(ratio(text, ground)).toBeGreaterThanOrEqual(4.5));

  it.each([...KINDS.map(kindToken), ...Array.from({ length: CLUSTER_COLOURS }, (_, i) => `cluster-${i}`), "accent", "point"])(
    "%s stands out from the stage", (name) => expect(ratio(name, "stage")).toBeGreaterThanOrEqual(3));
});

it("fades by multiplying beforehand", () => {
  expect(faded("#ff8000", 0.5)).toBe("#80400080");
  expect(faded("#ffffff", 1)).toBe("#ffffffff");
});
