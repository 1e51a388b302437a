import type { FileFacts } from "../../../facts.ts";
import { symbolNames } from "../../../relations.ts";
import { Outline } from "../../outline.ts";
import { type GoFacts, type Offset, Op } from "../facts.ts";

/**
 * The operands of each record, as facts.ts describes them: o an offset, L a counted list of offsets, s a string, t a
 * type of the file, i a plain number. Structs and interfaces are apart.
 */
const OPERANDS: Readonly<Record<number, string>> = {
  [Op.Name]: "s", [Op.Select]: "os", [Op.Index]: "oL", [Op.Star]: "o", [Op.Call]: "oL", [Op.Value]: "o", [Op.Untyped]: "i", [Op.Slice]: "o",
  [Op.Address]: "o", [Op.Receive]: "o", [Op.Binary]: "oo", [Op.Result]: "oi", [Op.Key]: "o", [Op.Element]: "o", [Op.Spread]: "o",
  [Op.Array]: "o", [Op.SliceOf]: "o", [Op.Map]: "oo", [Op.Chan]: "o", [Op.Func]: "iLL", [Op.Union]: "L", [Op.Tilde]: "o",
  [Op.Variable]: "oo", [Op.TypeParameter]: "so", [Op.LocalType]: "t",
};

/**
 * All that the resolution of other files may read of a file, as text: its package, constraint and imports, and what it
 * declares, with the initialisers of variables. Two versions of a file with the same surface make no difference to
 * others: bodies of functions are no part of it.
 */
export function surfaceOf(facts: FileFacts<GoFacts>): string {
  const { package: name, constraint, imports, functions, types, values, strings, code } = facts.data;
  const symbols = symbolNames(facts);
  const outline = new Outline();
  const symbol = (index: number): void => outline.say(symbols[index] ?? "-");
  const offset = (at: Offset): void => {
    if (at === 0) outline.say("-");
    else outline.refer("o", at);
  };
  const list = (from: number): number => {
    const count = code[from]!;
    outline.say(String(count));
    for (let i = 1; i <= count; i++) offset(code[from + i]!);
    return from + 1 + count;
  };

  outline.say(name, constraint);
  for (const { path, name: as } of imports) outline.say("import", path, as);
  for (const f of functions) {
    outline.say("func", f.owner, f.name);
    symbol(f.symbol);
    offset(f.type);
    f.receiverParameters.forEach(offset);
    outline.say("of");
    f.typeParameters.forEach(offset);
  }
  // Local types are described where something leads to them.
  types.forEach((t, i) => {
    if (t.symbol >= 0) outline.refer("t", i);
  });
  for (const v of values) {
    outline.say("value", v.name);
    symbol(v.symbol);
    offset(v.at);
  }
  return outline.text((kind, index) => {
    if (kind === "t") {
      const t = types[index]!;
      outline.say(t.name, String(t.alias));
      symbol(t.symbol);
      t.typeParameters.forEach(offset);
      outline.say("is");
      offset(t.type);
      return;
    }
    const op = code[index]!;
    outline.say(String(op));
    if (op === Op.Struct || op === Op.Interface) {
      const count = code[index + 1]!;
      for (let field = index + 2; field < index + 2 + 3 * count; field += 3) {
        outline.say(strings[code[field]!]!);
        offset(code[field + 1]!);
        if (op === Op.Struct) outline.say(String(code[field + 2]));
        else symbol(code[field + 2]!);
      }
      if (op === Op.Interface) list(index + 2 + 3 * count);
      return;
    }
    let next = index + 1;
    for (const operand of OPERANDS[op] ?? "") {
      if (operand === "L") {
        next = list(next);
        continue;
      }
      const value = code[next++]!;
      if (operand === "o") offset(value);
      else if (operand === "t") outline.refer("t", value);
      else outline.say(operand === "s" ? strings[value]! : String(value));
    }
  });
}
