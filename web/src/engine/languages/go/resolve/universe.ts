import { type Operand, typeOperand } from "./operand.ts";
import { foreignType } from "./standard.ts";
import { ANY, COMPARABLE, type Type, UNKNOWN } from "./types.ts";

const ALIASES: Record<string, string> = { byte: "uint8", rune: "int32" };
const BASIC = "bool string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 complex64 complex128".split(" ");
const BUILTINS = "append cap clear close complex copy delete imag len make max min new panic print println real recover".split(" ");

export const UNTYPED: readonly Type[] = ["int", "float", "complex", "rune", "string", "bool", "nil"].map((name) => ({
  kind: "basic", name: `untyped ${name}`, untyped: true,
}));

const names = new Map<string, Operand>([
  ...BASIC.map((name) => [name, typeOperand({ kind: "basic", name })] as const),
  ...Object.entries(ALIASES).map(([name, of]) => [name, typeOperand({ kind: "basic", name: of })] as const),
  ...BUILTINS.map((name) => [name, { mode: "builtin", type: UNKNOWN, certainty: 1, name }] as const),
  ["any", typeOperand(ANY)],
  ["comparable", typeOperand(COMPARABLE)],
]);

/** What every Go file knows without declaring it. */
export function universe(name: string): Operand | undefined {
  if (name === "error") return typeOperand(foreignType(".error", []));
  return names.get(name);
}
