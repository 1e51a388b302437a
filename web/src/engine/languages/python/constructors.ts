import { metaMember } from "./attributes.ts";
import { findMember, functionsOf } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import type { Callable, Cls } from "./program.ts";
import { running } from "./questions.ts";

/** What takes the arguments of making an instance, wherever it is inherited from; the several variants where there are any. */
export function constructorsOf(e: Evaluator, cls: Cls): Callable[] {
  return madeBy(e, cls, ["__init__", "__new__"]);
}

/**
 * What making an instance runs: `__call__` of the metaclass, `__new__`, and `__init__`, or what one that a decorator or a base class
 * generates calls at its end.
 */
export function runsOf(e: Evaluator, cls: Cls): Callable[] {
  const called = metaMember(e, cls, "__call__");
  return [
    ...called && "definitions" in called ? functionsOf(e, called) : [],
    ...madeBy(e, cls, ["__new__"]),
    ...madeBy(e, cls, ["__init__", "__post_init__", "__attrs_post_init__", "model_post_init"]),
  ];
}

/** The methods of the first of some names that a class has. */
function madeBy(e: Evaluator, cls: Cls, names: readonly string[]): Callable[] {
  for (const name of names) {
    e.ask(cls, running(name));
    const member = e.readBy(undefined, () => findMember(e, cls, name));
    if (member && !("k" in member)) return functionsOf(e, member);
  }
  return [];
}
