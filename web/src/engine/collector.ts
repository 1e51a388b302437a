import { RELATION, spend } from "./effort.ts";
import { RESOLVED_EDGE_TYPES, type Emit, type Slot, type Stores, type SymbolRef } from "./language.ts";
import type { Anchor, ParsedFile, Relation } from "./relations.ts";

/** A slot by its owner's identity, which lives on when files are parsed again. */
export interface AnchoredSlot {
  readonly owner: Anchor | undefined;
  readonly name: string;
}

/** One object for each slot, since the same ones are named again and again. */
export class SlotTable {
  private readonly slots = new Map<Anchor | undefined, Map<string, AnchoredSlot>>();

  get(owner: Anchor | undefined, name: string): AnchoredSlot {
    let named = this.slots.get(owner);
    if (!named) this.slots.set(owner, (named = new Map<string, AnchoredSlot>()));
    let slot = named.get(name);
    if (!slot) named.set(name, (slot = { owner, name }));
    return slot;
  }
}

/** A function, or whatever another slot holds, is put into a slot. */
export interface Put {
  readonly into: AnchoredSlot;
  readonly what: Anchor | AnchoredSlot;
}

/** A call of whatever a slot holds; `otherwise`: see Stores. */
export interface SlotCall {
  readonly by: Anchor;
  readonly from: AnchoredSlot;
  readonly line: number;
  readonly otherwise: AnchoredSlot | undefined;
}

/** What the resolution of a file says. */
export interface Resolved {
  /** Each once. */
  relations: Relation[];
  puts: Put[];
  calls: SlotCall[];
}

/**
 * A file that has more relations than this is told by the first of them, and so is what it puts and calls. Large honest files have some ten
 * thousand; thousands of functions of one name that call that name would have the square of it.
 */
export const MAX_RELATIONS = 100_000;

/** Takes what a resolver emits: of equal relations the surest. */
export class Collector {
  readonly byFile = new Map<string, Resolved>();
  private readonly known = new Map<number, Relation>();
  private readonly slots = new SlotTable();

  constructor(private readonly files: readonly ParsedFile[]) {}

  readonly emit: Emit = (type, from, to, confidence, line) => {
    spend();
    const a = this.anchor(from);
    const b = this.anchor(to);
    const sure = Math.min(1, Math.max(0, confidence));
    // One exact number while there are fewer than 2^24 anchors.
    const key = (a.id * 2 ** 26 + b.id) * RESOLVED_EDGE_TYPES.length + RESOLVED_EDGE_TYPES.indexOf(type);
    const known = this.known.get(key);
    if (known) {
      addSite(known, sure, line);
      return;
    }
    const { relations } = this.of(a.path);
    if (relations.length >= MAX_RELATIONS) return;
    spend(RELATION);
    const relation: Relation = { type, from: a, to: b, confidence: sure, line };
    this.known.set(key, relation);
    relations.push(relation);
  };

  readonly stores: Stores = {
    put: (file, into, what) => {
      spend();
      const { puts } = this.of(this.files[file]!.path);
      if (puts.length >= MAX_RELATIONS) return;
      spend(RELATION);
      puts.push({ into: this.slot(into), what: "name" in what ? this.slot(what) : this.anchor(what) });
    },
    call: (by, from, line, otherwise) => {
      spend();
      const anchor = this.anchor(by);
      const { calls } = this.of(anchor.path);
      if (calls.length >= MAX_RELATIONS) return;
      spend(RELATION);
      calls.push({ by: anchor, from: this.slot(from), line, otherwise: otherwise && this.slot(otherwise) });
    },
  };

  private of(path: string): Resolved {
    let resolved = this.byFile.get(path);
    if (!resolved) this.byFile.set(path, (resolved = { relations: [], puts: [], calls: [] }));
    return resolved;
  }

  private anchor({ file, symbol }: SymbolRef): Anchor {
    const of = this.files[file];
    const anchor = symbol < 0 ? of?.self : of?.symbols[symbol];
    if (!anchor) throw new Error(`file ${file} has no symbol ${symbol}`);
    return anchor;
  }

  private slot({ owner, name }: Slot): AnchoredSlot {
    return this.slots.get(owner && this.anchor(owner), name);
  }
}

/** The same relation once more: the surest site's line comes first, the others after it. */
export function addSite(known: Relation, confidence: number, line: number): void {
  let other = line;
  if (line > 0 && (confidence > known.confidence || known.line === 0)) {
    other = known.line;
    known.line = line;
  }
  known.confidence = Math.max(known.confidence, confidence);
  if (other > 0 && other !== known.line && !known.moreLines?.includes(other)) (known.moreLines ??= []).push(other);
}
