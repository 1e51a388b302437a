import { Op } from "./facts.ts";
import type { Space, Variable } from "./program.ts";

/** `typedef void Run(int); Run first, second;` declares functions and no variables, where these have a body in the same file: what others include would decide of more. */
export function dropFunctions({ variables, functions }: Space): void {
  for (const [name, all] of variables) {
    const defined = new Set(functions.get(name)?.flatMap(({ source, fact }) => (fact.symbol >= 0 ? [source] : [])));
    if (defined.size === 0) continue;
    const left = all.filter((one) => !defined.has(one.source) || !isOfNamedType(one));
    if (left.length === 0) variables.delete(name);
    else variables.set(name, left);
  }
}

/** Whether a variable is declared by the name of a type alone, `Type name;`. */
function isOfNamedType({ source: { data: { code } }, fact: { type, initialiser, shared } }: Variable): boolean {
  return !shared && initialiser === 0 && code[type] === Op.Named && code[type + 3] === 0;
}
