/** Texts, and the types that some of them spell. */
import { mayBeAlias } from "./aliases.ts";
import { all } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import { Const, Op, Operation } from "./facts.ts";
import { namedIn } from "./text-names.ts";
import { K } from "./tree.ts";
import { looksLikeType, parseType } from "./typetext.ts";

/** The text of a string without interpolations, or undefined. */
export function literal(x: Extraction, n: number): string | undefined {
  const text = x.tree.text(n);
  const open = /^([a-zA-Z]*)("""|'''|"|')/.exec(text);
  if (!open || /[fFbBtT]/.test(open[1]!)) return undefined;
  const content = text.slice(open[0].length, -open[2]!.length);
  return content.includes("\\") && !/[rR]/.test(open[1]!) ? undefined : content;
}

export function stringExpression(x: Extraction, n: number): number {
  const { tree } = x;
  if (x.annotating && tree.kind[n] === K.String) return quoted(x, n);
  // Interpolations hold calls.
  for (let c = n + 1; c < tree.after[n]!; ) {
    if (tree.kind[c] === K.Interpolation) {
      interpolation(x, c);
      c = tree.after[c]!;
    } else c++;
  }
  if (tree.kind[n] === K.String) {
    if (/^[rRuU]?[bB]/.test(tree.text(n).slice(0, 2))) return x.node(Op.Const, Const.Bytes);
    const text = tree.end[n]! - tree.start[n]! <= 80 ? literal(x, n) : undefined;
    if (text !== undefined && !text.includes("\n")) {
      namedIn(x, text, tree.line(n));
      return x.node(Op.Str, x.string(text));
    }
  }
  const start = tree.kind[n] === K.String ? /^[fF]["']([A-Za-z_]\w*)\{/.exec(tree.text(n))?.[1] : undefined;
  // Text and more of it, as by `+`.
  if (start !== undefined) return x.node(Op.Binary, x.string("+"), x.node(Op.Str, x.string(start)), 0);
  return x.node(Op.Const, Const.Str);
}

function interpolation(x: Extraction, n: number): void {
  const { tree } = x;
  const [id] = all(x, n);
  const isRepresented = tree.children(n).some((c) => tree.kind[c] === K.Other && tree.source.startsWith("!r", tree.start[c]));
  if (id !== undefined) x.operation(isRepresented ? Operation.Represent : Operation.Format, id, tree.line(n));
}

export function quoted(x: Extraction, n: number): number {
  const text = literal(x, n);
  if (text === undefined || !looksLikeType(text)) return text === undefined ? x.node(Op.Const, Const.Str) : x.node(Op.Str, x.string(text));
  return x.node(Op.Quoted, x.string(text), spelled(x, text, n));
}

/** A type that a text spells. */
function spelled(x: Extraction, text: string, n: number): number {
  return parseType(x, text, (id) => {
    if (x.annotating) mayBeAlias(x, x.facts.nodes[id] === (Op.Attr as number) ? x.facts.nodes[id + 1]! : id, id, n);
  });
}

/** A type that a comment spells; -1 where it doesn't read as one. */
export function commented(x: Extraction, text: string, n: number): number {
  if (!looksLikeType(text)) return -1;
  const outer = x.annotating;
  x.annotating = true;
  const type = spelled(x, text, n);
  x.annotating = outer;
  return type;
}

/** The types that a comment lists. */
export function commentedList(x: Extraction, text: string, n: number): number[] {
  const list = commented(x, `list[[${text}]]`, n);
  const { nodes } = x.facts;
  const items = list < 0 ? 0 : nodes[list + 2]!;
  return items === 0 ? [] : nodes.slice(items + 2, items + 2 + nodes[items + 1]!);
}
