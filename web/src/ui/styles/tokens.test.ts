import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CLUSTER_COLOURS, KINDS, kindToken } from "../graph/palette.ts";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

/** Custom properties of one block, hexadecimal ones only. */
function colours(selector: string): Record<string, string> {
  const from = css.indexOf(`${selector} {`);
  const block = css.slice(from, css.indexOf("}", from));
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]));
}

const dark = colours(":root");
const light = { ...dark, ...colours(':root[data-theme="light"]') };
const themes = {
  dark, light, "dark, safe": { ...dark, ...colours('\n:root[data-colours="safe"]') }, "light, safe": { ...light, ...colours(':root[data-theme="light"][data-colours="safe"]') },
  "dark, more contrast": { ...dark, ...colours("\n  :root") }, "light, more contrast": { ...light, ...colours('\n  :root[data-theme="light"]') },
};

type Vector = readonly [number, number, number];

/** How a colour reaches eyes, of linear red, green and blue: usual ones, without the receptor for red, and without that for green (Machado 2009). */
const EYES: Record<string, readonly [Vector, Vector, Vector]> = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  "no red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  "no green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
};

/** In Oklab, where distance is difference. */
function seen(hex: string, eyes: readonly [Vector, Vector, Vector]): Vector {
  const by = (rows: readonly [Vector, Vector, Vector], v: Vector): Vector => rows.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as unknown as Vector;
  const linear = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as unknown as Vector;
  const light = by(eyes, linear).map((c) => Math.min(1, Math.max(0, c))) as unknown as Vector;
  const cones = by([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]], light);
  return by([[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]], cones.map(Math.cbrt) as unknown as Vector);
}

/** Of the colours that a legend has side by side, the difference of the two that differ least. */
function leastDifference(theme: Record<string, string>, eyes: readonly [Vector, Vector, Vector]): number {
  const shown = Array.from({ length: 7 }, (_, i) => seen(theme[`cluster-${i}`]!, eyes));
  return Math.min(...shown.flatMap((a, i) => shown.slice(i + 1).map((b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]))));
}

describe.each(Object.keys(EYES))("to eyes with receptors: %s", (eyes) => {
  it.each(["dark, safe", "light, safe"] as const)("the first clusters differ (%s)", (theme) => expect(leastDifference(themes[theme], EYES[eyes]!)).toBeGreaterThan(0.11));
});

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
    ["good", "good-soft"], ["text", "ground"], ["muted", "ground"], ["warn", "warn-soft"], ["bad", "bad-soft"],
  ] as [string, string][])("%s can be read on %s", (text, ground) => expect(ratio(text, ground)).toBeGreaterThanOrEqual(4.5));

  it.each([...KINDS.map(kindToken), ...Array.from({ length: CLUSTER_COLOURS }, (_, i) => `cluster-${i}`), "accent", "point"])(
    "%s stands out from the stage", (name) => expect(ratio(name, "stage")).toBeGreaterThanOrEqual(3));
});
