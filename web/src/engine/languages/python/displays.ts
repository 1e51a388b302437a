/** Types of literals and displays. */
import { opOf } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import { Const, Op } from "./facts.ts";
import type { SourceFile } from "./program.ts";
import type { Type } from "./types.ts";
import { BOOL, ext, INT, NONE, STR, union } from "./types.ts";

/** Items of a display that are looked at for the type of its elements. */
const DISPLAY = 24;

/** What all items of a list or set may be; `count` is where their number stands. */
export function elements(e: Evaluator, file: SourceFile, count: number): Type {
  const { nodes } = file.facts;
  const types: Type[] = [];
  for (let i = count + 1; i <= count + Math.min(nodes[count]!, DISPLAY); i++) types.push(e.value(file, nodes[i]!));
  return union(types);
}

/** A tuple of as many items. */
export function tuple(e: Evaluator, file: SourceFile, id: number): Type {
  const { nodes } = file.facts;
  const items: Type[] = [];
  const count = nodes[id + 1]!;
  for (let i = id + 2; i < id + 2 + Math.min(count, DISPLAY); i++) {
    if (opOf(file, nodes[i]!) === Op.Star) return { k: "tuple", items: [], rest: union(nodes.slice(id + 2, id + 2 + count).map((item) => e.value(file, item))) };
    items.push(e.value(file, nodes[i]!));
  }
  return { k: "tuple", items, rest: undefined };
}

/** A dict by its keys and values. */
export function dict(e: Evaluator, file: SourceFile, id: number): Type {
  const { nodes } = file.facts;
  const keys: Type[] = [];
  const values: Type[] = [];
  for (let i = 0; i < Math.min(nodes[id + 1]!, DISPLAY); i++) {
    if (opOf(file, nodes[id + 3 + 2 * i]!) === Op.Star) continue;
    keys.push(e.value(file, nodes[id + 2 + 2 * i]!));
    values.push(e.value(file, nodes[id + 3 + 2 * i]!));
  }
  return ext("dict", union(keys), union(values));
}

/** A constant by what it is. */
export function constant(kind: number): Type {
  switch (kind as unknown as Const) {
    case Const.None: return NONE;
    case Const.Bool: return BOOL;
    case Const.Int: return INT;
    case Const.Float: return ext("float");
    case Const.Str: return STR;
    case Const.Bytes: return ext("bytes");
    case Const.Ellipsis: return ext("ellipsis");
  }
}
