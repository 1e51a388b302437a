import type { EntryKind, SymbolKind } from "../../../facts.ts";
import type { Unit } from "./unit.ts";

export interface NewSymbol {
  kind: SymbolKind;
  /** Nodes: the name, and the whole declaration. */
  name: number;
  whole: number;
  owner?: string;
  parent?: number;
  signature?: string;
  entry?: EntryKind | undefined;
}

/** Adds a symbol and returns its index. */
export function addSymbol(u: Unit, { kind, name, whole, owner, parent = -1, signature, entry }: NewSymbol): number {
  const text = u.syntax.text(name);
  return u.add(u.syntax, { kind, name: text, at: name, whole, exported: isExported(text), entry, ...(owner ? { owner } : {}), ...(signature ? { signature } : {}) }, parent);
}

/** Go's rule: the name begins with an upper case letter. */
export function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}
