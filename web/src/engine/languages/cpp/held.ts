import type { Checker } from "./checker.ts";
import { Flag, type Offset, Op, type VariableFact } from "./facts.ts";
import { POSSIBLE } from "./operand.ts";
import type { Function, Source, Variable } from "./program.ts";
import type { Type } from "./types.ts";

/** The functions that fields and variables may hold, by what the code gives them. */
export class Held {
  private readonly held = new Map<VariableFact, Set<Function>>();

  constructor(private readonly checker: Checker) {}

  /** What a variable may hold; undefined when nothing is known to. */
  by({ fact }: Variable): ReadonlySet<Function> | undefined {
    return this.held.get(fact);
  }

  /** Notes what a file's assignments and initialisers give. */
  hold(source: Source): void {
    const { code, uses } = source.data;
    for (let i = 0; i < uses.length; i += 3) {
      const at = uses[i]!;
      if (code[at] !== Op.Assign && code[at] !== Op.Init) continue;
      // Most assignments are of constants: what they are assigned to need not be known.
      if (!this.givesFunction(source, code[at + 2]!)) continue;
      if (code[at] === Op.Assign) {
        const { variable } = this.checker.operand(source, code[at + 1]!);
        if (variable) this.give(source, variable, code[at + 2]!);
      } else {
        this.giveAll(source, this.checker.type(source, code[at + 1]!), code[at + 2]!);
      }
    }
  }

  /** Whether a value, or one in braces, may be a function. */
  private givesFunction(source: Source, value: Offset, depth = 0): boolean {
    const { code, strings } = source.data;
    if (code[value] === Op.Name) return this.checker.program.mayRun(strings[code[value + 1]!]!);
    if (code[value] !== Op.Braces || depth > 20) return false;
    for (let i = 0; i < code[value + 1]!; i++) if (this.givesFunction(source, code[value + 3 + 2 * i]!, depth + 1)) return true;
    return false;
  }

  private giveAll(source: Source, type: Type, braces: Offset, depth = 0): void {
    // No braces reach through a pointer.
    if (type.kind !== "class" || (depth > 0 && type.flags & Flag.Pointer) || depth > 20) return;
    const { code, strings } = source.data;
    const count = code[braces + 1]!;
    const array = (type.flags & Flag.Array) !== 0;
    let position = 0;
    for (let i = 0; i < count; i++) {
      const name = code[braces + 2 + 2 * i]!;
      const value = code[braces + 3 + 2 * i]!;
      const { fields } = type.space;
      if (array && code[value] === Op.Braces) {
        this.giveAll(source, { ...type, flags: type.flags & ~Flag.Array }, value, depth + 1);
        continue;
      }
      let field: Variable | undefined;
      if (name >= 0) {
        field = this.checker.program.inSpace(source, type.space, strings[name]!)?.variables[0];
        position = field ? fields.indexOf(field) + 1 : position;
      } else {
        field = fields[array ? position % Math.max(1, fields.length) : position];
        position++;
      }
      if (!field) continue;
      if (code[value] === Op.Braces) this.giveAll(source, this.checker.type(field.source, field.fact.type), value, depth + 1);
      else if (code[value] === Op.Name) this.give(source, field, value);
    }
  }

  private give(source: Source, { fact }: Variable, value: Offset): void {
    for (const { function: one, confidence } of this.checker.passed(source, value)) {
      if (confidence < POSSIBLE) continue;
      const held = this.held.get(fact);
      if (held) held.add(one);
      else this.held.set(fact, new Set([one]));
    }
  }
}
