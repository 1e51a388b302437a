/** What uses of macros make of the names that they are given: pasted together, called, handed to other macros. */
import { spend } from "../../effort.ts";
import { type MacroFact, type Offset, Op, type PartFact } from "./facts.ts";
import type { Of, Program, Source } from "./program.ts";

/** What a use of a macro puts into the code: names that are put together, and whether they are called; and the arguments that are called. */
export interface Expanded {
  names: { name: string; called: boolean }[];
  called: Set<Offset>;
  /** Names of functions that it defines, each with the macro in whose text they stand. */
  written: Map<string, Of<MacroFact>>;
}

/** What stands for a parameter: a name, and the argument that it is; 0 for one that a macro's text gives. */
interface Given {
  name: string | undefined;
  at: Offset;
}

/** Macros in macros, and names that one use makes. */
const MAX_DEPTH = 8;
const MAX_NAMES = 200;

/** What a call of a macro puts into the code. */
export function expanded(program: Program, source: Source, at: Offset, macro: Of<MacroFact>): Expanded {
  const { code, strings } = source.data;
  const found: Expanded = { names: [], called: new Set(), written: new Map() };
  let steps = 0;
  const expand = (one: Of<MacroFact>, values: readonly Given[], depth: number): void => {
    if (values.every((value) => value.name === undefined && value.at === 0)) return;
    const valueOf = (part: PartFact): Given => (typeof part === "string" ? { name: part, at: 0 } : values[part] ?? { name: undefined, at: 0 });
    for (const name of one.fact.writes ?? []) {
      spend();
      const parts = name.map(valueOf);
      if (++steps <= MAX_NAMES && parts.every((part) => part.name !== undefined)) found.written.set(parts.map((part) => part.name).join(""), one);
    }
    for (const { name, called, args } of one.fact.given ?? []) {
      spend();
      if (++steps > MAX_NAMES) return;
      const parts = name.map(valueOf);
      if (name.length === 1 && called && parts[0]!.at > 0 && !found.written.has(parts[0]!.name ?? "")) found.called.add(parts[0]!.at);
      if (parts.some((part) => part.name === undefined)) continue;
      const whole = parts.map((part) => part.name).join("");
      if (name.length > 1) found.names.push({ name: whole, called });
      const inner = args && depth < MAX_DEPTH && whole !== one.fact.name ? program.macro(source, whole) : undefined;
      if (inner) for (const build of program.builds(inner)) expand(build, args!.map(valueOf), depth + 1);
    }
  };
  const values: Given[] = code.slice(at + 3, at + 3 + Math.max(0, code[at + 2]!)).map((arg) => ({ name: code[arg] === Op.Name ? strings[code[arg + 1]!]! : undefined, at: code[arg] === Op.Name || code[arg] === Op.Select ? arg : 0 }));
  // Most uses give values alone.
  if (values.some((value) => value.at > 0)) for (const build of program.builds(macro)) expand(build, values, 0);
  return found;
}

/** The functions that a file has by its uses of macros, by name, each with the macro in whose text it stands. */
export function writtenIn(program: Program, source: Source): ReadonlyMap<string, Of<MacroFact>> {
  const { code, uses, strings } = source.data;
  const all = new Map<string, Of<MacroFact>>();
  for (let i = 0; i < uses.length; i += 3) {
    const at = uses[i]!;
    // What defines functions stands outside of functions.
    if (uses[i + 1] !== -1 || code[at] !== Op.Call || code[at + 2]! <= 0 || code[code[at + 1]!] !== Op.Name) continue;
    const macro = program.macro(source, strings[code[code[at + 1]! + 1]!]!);
    if (macro) for (const [name, by] of expanded(program, source, at, macro).written) all.set(name, by);
  }
  return all;
}
