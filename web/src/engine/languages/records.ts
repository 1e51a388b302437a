import type { EntryKind, SymbolFact, SymbolKind } from "../facts.ts";
import type { FlatTree } from "./flat-tree.ts";

const MAX_SIGNATURE = 200;

/** Where a record begins in a file's code; 0 is none. */
type Offset = number;

/** A declaration, as the nodes of a tree that it stands in. */
export interface Declared {
  kind: SymbolKind;
  name: string;
  /** Nodes: where the name stands, and the whole declaration. */
  at: number;
  whole: number;
  owner?: string;
  exported: boolean;
  signature?: string;
  entry?: EntryKind | undefined;
}

/** The facts of one file in the making: its symbols, and its code as flat records, which each language's facts.ts describes. */
export class FileRecords {
  readonly symbols: SymbolFact[] = [];
  readonly code: number[] = [0];
  readonly strings: string[] = [];
  /** The symbol that code belongs to now; -1 for the file. */
  owner = -1;
  private readonly stringIndex = new Map<string, number>();

  str(text: string): number {
    let index = this.stringIndex.get(text);
    if (index === undefined) {
      index = this.strings.push(text) - 1;
      this.stringIndex.set(text, index);
    }
    return index;
  }

  emit(...record: number[]): Offset {
    const at = this.code.length;
    for (const operand of record) this.code.push(operand);
    return at;
  }

  /** Adds a symbol inside of the one that code belongs to now, or of another; returns its index. */
  add(syntax: FlatTree, { kind, name, at, whole, owner, exported, signature, entry }: Declared, parent = this.owner): number {
    return this.symbols.push({
      kind,
      name,
      ...(owner ? { owner } : {}),
      parent,
      line: syntax.line(at),
      startLine: syntax.line(whole),
      endLine: syntax.endLine(whole),
      exported,
      ...(signature ? { signature } : {}),
      ...(entry ? { entry } : {}),
    }) - 1;
  }
}

/** The same of a language whose local names are bound from their declaration to the end of their block. */
export class ScopedRecords extends FileRecords {
  protected readonly bound = new Map<string, Offset>();
  protected readonly undo: [name: string, before: Offset | undefined][] = [];

  /** Runs `inside` in a scope of its own. */
  scoped<T>(inside: () => T): T {
    const mark = this.undo.length;
    const result = inside();
    while (this.undo.length > mark) {
      const [name, before] = this.undo.pop()!;
      if (before !== undefined) this.bound.set(name, before);
      else this.bound.delete(name);
    }
    return result;
  }

  /** Runs `inside` without the names around it, for what sees none of them. */
  apart(inside: () => void): void {
    const kept = new Map(this.bound);
    this.bound.clear();
    this.scoped(inside);
    this.bound.clear();
    for (const [name, at] of kept) this.bound.set(name, at);
  }

  declare(name: string, at: Offset): void {
    if (name === "") return;
    this.undo.push([name, this.bound.get(name)]);
    this.bound.set(name, at);
  }

  /** The declaration that a local name is bound to, or 0. */
  lookup(name: string): Offset {
    return this.bound.get(name) ?? 0;
  }

  /** Runs `inside` as the code of a symbol, in a scope of its own. */
  inSymbol(symbol: number, inside: () => void): void {
    const { owner } = this;
    if (symbol >= 0) this.owner = symbol;
    this.scoped(inside);
    this.owner = owner;
  }
}

/** A declaration's head on one line, from its first character to its body: `trailing` is what is left away at its end. */
export function headOf(text: string, trailing = /\s+$/): string {
  const line = text.slice(0, 4 * MAX_SIGNATURE).replace(/\s+/g, " ").replace(trailing, "").trim();
  return line.length > MAX_SIGNATURE ? `${line.slice(0, MAX_SIGNATURE - 1)}…` : line;
}

/** The source of that head: from an offset to the body, or to the end of the whole where there is none. */
export function textOfHead(syntax: FlatTree, from: number, whole: number, body: number): string {
  return syntax.source.slice(from, Math.min(body ? syntax.start(body) : syntax.end(whole), from + 4 * MAX_SIGNATURE));
}
