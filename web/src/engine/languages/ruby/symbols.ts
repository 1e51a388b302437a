import { type Offset, Op } from "./facts.ts";
import type { Unit } from "./unit.ts";

/** Lists in constants in lists … */
const MAX_DEPTH = 5;
/** More names than this are no choice that a person wrote. */
const MAX_SYMBOLS = 20;
/** Methods that give what they are called on, as far as its elements go. */
const SAME = /^(?:freeze|dup|to_a|values|compact|uniq|sort|reverse|shuffle|deep_dup)$/;
/** Methods that give an element. */
const PICKS = /^(?:\[\]|fetch|dig|first|last|sample|find|detect)$/;

/** The symbols, or texts in lists, of which a value is one, as far as the file says it; none where it may be something else. */
export function symbolsOf(u: Unit, at: Offset, depth = 0): string[] {
  const { code } = u;
  if (at === 0 || depth > MAX_DEPTH) return [];
  switch (code[at]) {
    case Op.Symbol:
    case Op.Text:
      return [u.strings[code[at + 1]!]!];
    case Op.Either: {
      const each = Array.from({ length: code[at + 1]! }, (_, i) => symbolsOf(u, code[at + 2 + i]!, depth + 1));
      return each.every((symbols) => symbols.length > 0) ? few(each.flat()) : [];
    }
    case Op.Element:
      return elementsOf(u, code[at + 1]!, depth + 1);
    case Op.Call:
      return PICKS.test(u.strings[code[at + 2]!]!) ? elementsOf(u, code[at + 1]!, depth + 1) : [];
    default:
      return [];
  }
}

/** The symbols and texts that are the elements of a list, or the values of a hash. */
export function elementsOf(u: Unit, at: Offset, depth = 0): string[] {
  const { code } = u;
  if (at === 0 || depth > MAX_DEPTH) return [];
  switch (code[at]) {
    case Op.List:
    case Op.Table: {
      const all = Array.from({ length: code[at + 1]! }, (_, i) => {
        const one = code[at + 2 + i]!;
        return code[one] === Op.Keyword ? code[one + 2]! : one;
      });
      // Functions among them name nothing.
      const each = all.filter((one) => code[one] !== Op.Closure && code[one] !== Op.Reference).map((one) => symbolsOf(u, one, depth + 1));
      return each.every((symbols) => symbols.length > 0) ? few(each.flat()) : [];
    }
    case Op.Constant: {
      const name = u.strings[code[at + 1]!]!;
      const [known, ...others] = u.constants.filter((one) => one.name === name);
      return known && others.length === 0 ? elementsOf(u, known.value, depth + 1) : [];
    }
    case Op.Call:
      return SAME.test(u.strings[code[at + 2]!]!) ? elementsOf(u, code[at + 1]!, depth + 1) : [];
    default:
      return [];
  }
}

function few(symbols: string[]): string[] {
  return symbols.length > MAX_SYMBOLS ? [] : [...new Set(symbols)];
}
