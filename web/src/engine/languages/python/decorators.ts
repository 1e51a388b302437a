import type { Target } from "./callees.ts";
import { callsOf } from "./classes.ts";
import { constructorsOf } from "./constructors.ts";
import type { Evaluator } from "./evaluate.ts";
import { FunctionFlag } from "./facts.ts";
import type { Callable } from "./program.ts";
import { itemsOf } from "./types.ts";

/** The functions of the code base that decorate one: what they return stands in its place, and is what a call of it runs. */
export function decoratorsOf(e: Evaluator, { file, fact: { decorators, flags } }: Callable): Callable[] {
  if ((flags & FunctionFlag.Decorated) === 0) return [];
  return decorators.flatMap((decorator) => itemsOf(e.value(file, decorator)).flatMap((type) => (type.k === "fn" ? type.fn : type.k === "inst" ? callsOf(e, type.cls) : []))).filter(({ fact }) => fact.symbol >= 0);
}

/** The same of what a call runs: a function, or the constructors of a class. */
export function decoratorsAt(e: Evaluator, { fn, cls }: Target): Callable[] {
  return [...fn ? [fn] : [], ...cls ? constructorsOf(e, cls) : []].flatMap((run) => decoratorsOf(e, run));
}
