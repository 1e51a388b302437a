import { Op } from "./facts.ts";
import { KEYWORDS } from "./macros.ts";
import type { Taken } from "./repair.ts";
import type { Unit } from "./unit.ts";

/** What is longer is not read. */
const MAX_LIST = 300;

/** Reads the macros that were taken out of the text for the grammar: the macro, and the names that it is given. */
export function takenOut(u: Unit, taken: readonly Taken[]): void {
  if (taken.length === 0) return;
  const { syntax, symbols, owner } = u;
  const { source } = syntax;
  // By line: the innermost symbol that it stands in, from its name on.
  const around = new Int32Array(syntax.lineAt(source.length) + 2).fill(-1);
  for (const [symbol, { line, endLine }] of symbols.entries()) around.fill(symbol, line, endLine + 1);
  const inside = new Map(u.types.map(({ symbol, inner }) => [symbol, inner]));
  for (const { from, to } of taken) {
    if (/^\s*(?:#|__has_include\b)/.test(source.slice(from, to))) continue;
    for (const { 0: word, index } of source.slice(from, to).matchAll(/(?<![\w.>"])[A-Za-z_]\w*(?!\w*")/g)) {
      if (KEYWORDS.has(word)) continue;
      const at = from + index;
      const line = syntax.lineAt(at);
      u.owner = around[line]!;
      // `Q_PROPERTY(int size READ size)` names members of the class around.
      const named = u.emit(Op.Name, u.str(word), inside.get(u.owner) ?? 0, 0);
      if (/^\s*\(/.test(source.slice(at + word.length, at + word.length + 20))) {
        const args = argumentsAt(u, at + word.length);
        u.useAt(args ? u.emit(Op.Call, named, args.length, ...args) : u.emit(Op.Call, named, -1), line);
      } else {
        u.useAt(named, line);
        u.useAt(u.emit(Op.Passed, named), line);
      }
    }
  }
  u.owner = owner;
}

/** What a macro is given behind its name: names, and 0 for anything else. Undefined where parentheses stand in it. */
function argumentsAt(u: Unit, from: number): number[] | undefined {
  const [, list] = /^\s*\(([^()]*)\)/.exec(u.syntax.source.slice(from, from + MAX_LIST)) ?? [];
  return list?.split(",").map((arg) => (/^\s*[A-Za-z_]\w*\s*$/.test(arg) ? u.emit(Op.Name, u.str(arg.trim()), 0, 0) : 0));
}
