import { callsOf } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import { FunctionFlag } from "./facts.ts";
import type { Callable } from "./program.ts";
import { itemsOf } from "./types.ts";

/** The functions of the code base that decorate one: what they return stands in its place, and is what a call of it runs. */
export function decoratorsOf(e: Evaluator, { file, fact: { decorators, flags } }: Callable): Callable[] {
  if ((flags & FunctionFlag.Decorated) === 0) return [];
  return decorators.flatMap((decorator) => itemsOf(e.value(file, decorator)).flatMap((type) => (type.k === "fn" ? type.fn : type.k === "inst" ? callsOf(e, type.cls) : []))).filter(({ fact }) => fact.symbol >= 0);
}
