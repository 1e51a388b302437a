import type { EntryKind, SymbolKind } from "../../../facts.ts";
import type { Unit } from "./unit.ts";

const MAX_SIGNATURE = 200;

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
  return u.symbols.push({
    kind,
    name: text,
    ...(owner ? { owner } : {}),
    parent,
    line: u.syntax.line(name),
    startLine: u.syntax.line(whole),
    endLine: u.syntax.endLine(whole),
    exported: isExported(text),
    ...(signature ? { signature } : {}),
    ...(entry ? { entry } : {}),
  }) - 1;
}

/** Go's rule: the name begins with an upper case letter. */
export function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/** A declaration's head on one line. */
export function headOf(text: string): string {
  const line = text.slice(0, 4 * MAX_SIGNATURE).replace(/\s+/g, " ").trim();
  return line.length > MAX_SIGNATURE ? `${line.slice(0, MAX_SIGNATURE - 1)}…` : line;
}
