import { Op } from "../facts.ts";
import type { ModuleFacts, Offset } from "../facts.ts";

/**
 * What a file's surface calls the declarations that have entries of their own, by binding: those that are symbols, by `symbols`, the
 * symbols' names. What refers to one says no more than this, so that a file's entries are together as long as the file, however much leads
 * from each to the others. No name that stands in a source looks like these.
 */
export function ownNames(facts: ModuleFacts, symbols: readonly string[]): ReadonlyMap<number, string> {
  const owners = new Map<number, string>();
  const taken = new Set<number>();
  facts.bindings.forEach((first, binding) => {
    const symbol = symbolOf(facts, first);
    if (symbol === undefined || taken.has(symbol)) return;
    taken.add(symbol);
    owners.set(binding, ` ${symbols[symbol]!}`);
  });
  return owners;
}

/** The first symbol among declarations of one name. */
export function symbolOf(facts: ModuleFacts, first: Offset): number | undefined {
  const { code } = facts;
  for (let at = first; at !== 0; at = code[at + 1]!) {
    const symbol = declared(facts, at);
    if (symbol >= 0) return symbol;
  }
  return undefined;
}

function declared({ code, functions, shapes, aliases, enums, namespaces }: ModuleFacts, at: Offset): number {
  const index = code[at + 2]!;
  switch (code[at]) {
    case Op.Variable:
      return code[at + 4]!;
    case Op.FunctionDeclaration:
      return functions[index]!.symbol;
    case Op.ShapeDeclaration:
      return shapes[index]!.symbol;
    case Op.Alias:
      return aliases[index]!.symbol;
    case Op.Enum:
      return enums[index]!.symbol;
    case Op.Namespace:
      return namespaces[index]!.symbol;
    default:
      return -1;
  }
}
