import type { Extraction } from "./extraction.ts";
import { Op } from "./facts.ts";

/** Types that are everywhere, and modules that have no variables of the code base. */
const BUILTIN = /^(?:int|str|bool|float|bytes|object|None|list|dict|set|tuple|type|complex|frozenset|bytearray|Exception|BaseException)$/;
const STANDARD = /^(?:__future__|abc|asyncio|collections|collections\.abc|contextlib|dataclasses|datetime|decimal|enum|io|logging|numpy|os|pathlib|re|types|typing|typing_extensions|uuid)$/;

/** Notes what an annotation names, if it may be a variable of a module, as `Handler = Callable[[int], None]` is. `name` is what it begins with. */
export function mayBeAlias(x: Extraction, name: number, id: number, n: number): void {
  const { nodes, strings, scopes, imports, annotated } = x.facts;
  if (nodes[name] !== (Op.Name as number) || BUILTIN.test(strings[nodes[name + 1]!]!)) return;
  const known = scopes[0]!.names[nodes[name + 1]!] ?? [];
  const isNone = known.some((at) => nodes[at] === (Op.Class as number) || nodes[at] === (Op.Function as number) || (nodes[at] === (Op.Import as number) && STANDARD.test(imports[nodes[at + 1]!]!.module)));
  if (!isNone) annotated.push(id, x.place.symbol, x.tree.line(n));
}
