import type { SymbolFact } from "../../../facts.ts";
import { Op } from "../facts.ts";
import type { ModuleFacts, Offset } from "../facts.ts";

/** Members of members, names for names, and alternatives in alternatives. */
const MAX_DEPTH = 8;

/** The functions of a file that some object or class has as a member, where other files may get hold of that, as indexes of symbols, by the name of the member. */
export function callableMembers(facts: ModuleFacts, symbols: readonly SymbolFact[]): Map<string, number[]> {
  const members = new Map<string, number[]>();
  const inner = facts.inner && new Set(facts.inner);
  const add = (name: string, symbol: number): void => {
    if (inner?.has(symbol)) return;
    const same = members.get(name);
    if (!same) members.set(name, [symbol]);
    else if (!same.includes(symbol)) same.push(symbol);
  };
  for (const { symbol, body } of facts.functions) if (body && symbols[symbol]?.kind === "Method") add(symbols[symbol].name, symbol);
  const named = (name: string, value: Offset): void => {
    const symbol = functionAt(facts, value);
    if (symbol >= 0) add(name, symbol);
  };
  for (const { kind, members: fields } of facts.shapes) if (kind === "object") for (const { name, initialiser } of fields) named(name, initialiser);
  for (const { name, value, accessor } of facts.expandos) if (accessor === undefined) named(name, value);
  return members;
}

/** The members of a file's objects that hold something of an import, `{ decorate: decorator.add }`, by name; none that is a function of the file. */
export function importedMembers({ code, bindings, shapes, expandos }: ModuleFacts): Map<string, Offset[]> {
  const members = new Map<string, Offset[]>();
  const isImported = (at: Offset, depth: number): boolean => {
    if (at === 0 || depth > MAX_DEPTH) return false;
    if (code[at] === Op.Member) return isImported(code[at + 1]!, depth + 1);
    if (code[at] !== Op.Name) return code[at] === Op.Module;
    const declared = bindings[code[at + 1]!]!;
    return code[declared] === Op.Import || (code[declared] === Op.Variable && isImported(code[declared + 3]!, depth + 1));
  };
  const add = (name: string, value: Offset): void => {
    if (value === 0 || code[value] === Op.Module || !isImported(value, 0)) return;
    const same = members.get(name);
    if (same) same.push(value);
    else members.set(name, [value]);
  };
  for (const { kind, members: fields } of shapes) if (kind === "object") for (const { name, initialiser } of fields) add(name, initialiser);
  for (const { name, value, accessor } of expandos) if (accessor === undefined) add(name, value);
  return members;
}

/** The fields of a file's classes, constructor functions and objects that are given a new object, by name: the Op.New. */
export function madeFields({ code, shapes, expandos }: ModuleFacts): Map<string, Offset[]> {
  const fields = new Map<string, Offset[]>();
  const add = (name: string, value: Offset, depth = 0): void => {
    if (value === 0 || depth > MAX_DEPTH) return;
    if (code[value] === Op.Or) for (let i = code[value + 1]!; i > 0; i--) add(name, code[value + 1 + i]!, depth + 1);
    if (code[value] !== Op.New) return;
    const same = fields.get(name);
    if (same) same.push(value);
    else fields.set(name, [value]);
  };
  for (const { members } of shapes) for (const { name, kind, type, initialiser } of members) if (kind === "field" && type === 0) add(name, initialiser);
  for (const { name, value, accessor } of expandos) if (accessor === undefined) add(name, value);
  return fields;
}

/** The symbol of the function that an expression is, or is the name of; -1 for any other. */
function functionAt({ code, bindings, functions }: ModuleFacts, at: Offset): number {
  const declared = at !== 0 && code[at] === Op.Name ? bindings[code[at + 1]!] ?? 0 : 0;
  if (declared !== 0 && code[declared] === Op.FunctionDeclaration) return functions[code[declared + 2]!]!.symbol;
  const value = declared !== 0 && code[declared] === Op.Variable ? code[declared + 3]! : at;
  return value !== 0 && code[value] === Op.Function ? functions[code[value + 1]!]!.symbol : -1;
}
