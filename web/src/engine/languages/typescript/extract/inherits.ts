import { Op } from "../facts.ts";
import type { Offset } from "../facts.ts";
import { isMade, prototypeAt } from "./assignments.ts";
import type { Extraction } from "./extraction.ts";
import { Space } from "./scope.ts";

/** Gives what the first argument is the members of the second, by habit. */
const MIXES = /^(?:assign|extend|mixin|mergeDescriptors)$/;

/** No prototype is given the members of more than that by one call. */
const MAX_MIXED = 10;

/** Makes the first argument inherit from the second: Node's, and what Babel and TypeScript write for `extends`. */
const INHERITS = /^(?:_?inherits(?:Loose)?|__extends)$/;

/** `Object.setPrototypeOf(a, b)`, `inherits(A, B)`, `Object.assign(A.prototype, b)`, and of what is made in the file `Object.assign(a, b)`; `record` is that of the call. */
export function inherited(x: Extraction, callee: number, heir: number, record: Offset): void {
  const { syntax, facts: { code } } = x;
  const named = syntax.kind(callee) === "member_expression" ? syntax.child(callee, "property") : syntax.kind(callee) === "identifier" ? callee : 0;
  const name = named === 0 ? "" : syntax.text(named);
  const mixes = MIXES.test(name);
  const inherits = INHERITS.test(name);
  if (name !== "setPrototypeOf" && !inherits && !mixes) return;
  const list = record + 3 + code[record + 2]!;
  const base = code[list]! >= 2 ? code[list + 2]! : 0;
  if (heir === 0 || base === 0) return;
  const prototype = prototypeAt(x, heir);
  const isPrototype = prototype !== 0;
  const holder = isPrototype ? syntax.child(prototype, "object") : heir;
  const binding = syntax.kind(holder) === "identifier" ? x.scope.find(syntax.text(holder), Space.Value) : undefined;
  if (binding === undefined) return;
  if (mixes && isPrototype) {
    for (let i = 2; i <= Math.min(code[list]!, MAX_MIXED); i++) if (code[list + i] !== 0) x.facts.expandos.push({ binding, name: "__proto__", prototype: true, symbol: -1, value: code[list + i]! });
    return;
  }
  if (mixes && (code[base] === Op.Object || !isMade(x, binding))) return;
  x.facts.expandos.push({
    binding, name: "__proto__", prototype: isPrototype || inherits, symbol: -1,
    value: inherits ? x.emit(Op.Member, base, x.str("prototype")) : base,
  });
}
