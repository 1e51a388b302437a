/** What runs without a name: operators, loops, texts that show values, conversions. */
import { type Offset, Op } from "../facts.ts";
import type { Unit } from "./unit.ts";

const OPERATORS: Readonly<Record<string, readonly [trait: string, method: string]>> = {
  "+": ["Add", "add"], "-": ["Sub", "sub"], "*": ["Mul", "mul"], "/": ["Div", "div"], "%": ["Rem", "rem"], "&": ["BitAnd", "bitand"], "|": ["BitOr", "bitor"], "^": ["BitXor", "bitxor"],
  "<<": ["Shl", "shl"], ">>": ["Shr", "shr"], "+=": ["AddAssign", "add_assign"], "-=": ["SubAssign", "sub_assign"], "*=": ["MulAssign", "mul_assign"], "/=": ["DivAssign", "div_assign"],
  "%=": ["RemAssign", "rem_assign"], "&=": ["BitAndAssign", "bitand_assign"], "|=": ["BitOrAssign", "bitor_assign"], "^=": ["BitXorAssign", "bitxor_assign"], "<<=": ["ShlAssign", "shl_assign"],
  ">>=": ["ShrAssign", "shr_assign"], "==": ["PartialEq", "eq"], "!=": ["PartialEq", "eq"], "<": ["PartialOrd", "partial_cmp"], "<=": ["PartialOrd", "partial_cmp"],
  ">": ["PartialOrd", "partial_cmp"], ">=": ["PartialOrd", "partial_cmp"],
};

/** Methods that give what is expected of them, by a trait of that type. */
const CONVERSIONS: Readonly<Record<string, readonly [trait: string, method: string]>> = {
  parse: ["FromStr", "from_str"], into: ["From", "from"], try_into: ["TryFrom", "try_from"], collect: ["FromIterator", "from_iter"], sum: ["Sum", "sum"], product: ["Product", "product"],
};

/** Methods that give what is in a `Result` or `Option`. */
const OPENS = /^(?:unwrap|expect|unwrap_or|unwrap_or_else)$/;

/** Of these, the ones that give it in a `Result`. */
const GIVES_RESULT = /^(?:parse|try_into)$/;
const WRAPS = /^(?:Ok|Some)$/;
/** How sure it is, in percent, that a conversion runs whose kind callers decide. */
const POSSIBLE = 60;

/** Records what is run of a trait for a value; 0 where no type of the repository may be concerned. */
export function implied(u: Unit, node: number, [trait, method]: readonly [trait: string, method: string], value: Offset, other: Offset = 0): Offset {
  if (!mayBeOwn(u, value) && !mayBeOwn(u, other)) return 0;
  const at = u.emit(Op.Implied, u.str(trait), u.str(method), value, other);
  u.use(at, node);
  return at;
}

/** An operator with two operands; 0 for one that types of the repository do not decide. */
export function operator(u: Unit, node: number, sign: string, left: Offset, right: Offset): Offset {
  const run = OPERATORS[sign];
  return run ? implied(u, node, run, left, right) : 0;
}

/** Where a value of a type is expected of a conversion: `let money: Money = text.parse()?`. */
export function expected(u: Unit, node: number, type: Offset, given: Offset): void {
  if (type !== 0) expectedAs(u, node, () => u.emit(Op.Value, type), given);
}

/** The same where the type is that of a value: of a field that is given something, of what a function takes. */
export function expectedAs(u: Unit, node: number, value: () => Offset, given: Offset): void {
  const { code, strings } = u;
  let at = given;
  while (code[at] === Op.Try || (code[at] === Op.Method && OPENS.test(strings[code[at + 2]!]!))) at = code[at + 1]!;
  if (code[at] === Op.Method) {
    const name = strings[code[at + 2]!]!;
    if (name === "map") expectedOfMapped(u, node, Op.Try, value, at);
    else if (name === "collect" && code[code[at + 1]!] === Op.Method && strings[code[code[at + 1]! + 2]!] === "map") expectedOfMapped(u, node, Op.Element, value, code[at + 1]!);
    if (!Object.hasOwn(CONVERSIONS, name)) return;
    const run = convertedAs(u, node, at, at === given && GIVES_RESULT.test(name) ? u.emit(Op.Try, value()) : value());
    if (run && code[given] === Op.Try && code[given + 1] === at) raised(u, node, run);
  } else if (isDefault(u, at)) implied(u, node, ["Default", "default"], value());
  else if (at === given && code[at] === Op.Call && code[at + 2] === 1 && WRAPS.test(lastName(u, code[at + 1]!))) expectedAs(u, node, () => u.emit(Op.Try, value()), code[at + 3]!);
}

/** `rows.map(|row| row.into()).collect()`, `row.map(Into::into)`: what is expected of all is expected of each, as `each` takes it. */
function expectedOfMapped(u: Unit, node: number, each: typeof Op.Try | typeof Op.Element, value: () => Offset, map: Offset): void {
  const { code } = u;
  const args = map + 4 + code[map + 3]!;
  const given = code[args] === 1 ? code[args + 1]! : 0;
  const one = (): Offset => u.emit(each, value());
  if (code[given] === Op.Closure) expectedAs(u, node, one, code[given + 3]!);
  else if (/^(?:into|from)$/.test(lastName(u, given)) && /^(?:Into|From)$/.test(lastName(u, code[given + 1]!))) implied(u, node, CONVERSIONS.into!, one(), u.emit(each, code[map + 1]!));
}

function lastName({ code, strings }: Unit, at: Offset): string {
  return code[at] === Op.Path ? strings[code[at + 2]!]! : "";
}

/** What a call is given, of which it may expect conversions. */
export function expectedOfArguments(u: Unit, node: number, call: Offset, args: readonly Offset[]): void {
  // What these take is known where they are expected themselves.
  if (u.code[call] === Op.Call && WRAPS.test(lastName(u, u.code[call + 1]!))) return;
  for (const [i, argument] of args.entries()) expectedAs(u, node, () => u.emit(Op.Taken, call, i), argument);
}

/** A method that gives a type that stands with it, `text.parse::<Money>()`, or that is expected of it. */
export function converted(u: Unit, node: number, method: Offset, type: Offset): Offset {
  return convertedAs(u, node, method, u.emit(Op.Value, type));
}

function convertedAs(u: Unit, node: number, method: Offset, value: Offset): Offset {
  const run = CONVERSIONS[u.strings[u.code[method + 2]!]!];
  const at = run ? implied(u, node, run, value, u.code[method + 1]) : 0;
  if (at) u.conversions.set(method, at);
  return at;
}

/** `given.into()` where its type says no more than `impl Into<Money>`: the conversion may be any there is. */
export function convertedByBound(u: Unit, node: number, method: Offset): void {
  const { code, strings } = u;
  const name = strings[code[method + 2]!]!;
  const trait = name === "into" ? "Into" : "TryInto";
  let given = code[method + 1]!;
  // A parameter's name stands for what it is given.
  if (code[given] === Op.Variable && code[given + 1] === 0) given = code[given + 2]!;
  const type = code[given] === Op.Variable || code[given] === Op.Value ? code[given + 1]! : 0;
  const bounds = code[type] === Op.Parameter ? code[type + 2]! : type;
  if (code[bounds] !== Op.Bounds) return;
  const bound = code.slice(bounds + 2, bounds + 2 + code[bounds + 1]!).find((one) => lastName(u, one) === trait && code[one + 4] === 1);
  if (bound === undefined) return;
  const { sure } = u;
  u.sure = Math.min(sure, POSSIBLE);
  implied(u, node, CONVERSIONS[name]!, u.emit(Op.Value, code[bound + 5]!));
  u.sure = sure;
}

/** `?`, which makes the function's error of the one that it meets. */
export function raised(u: Unit, node: number, operand: Offset): void {
  if (u.result && operand) u.use(u.emit(Op.Raised, u.result, u.conversions.get(operand) ?? operand), node);
}

/** `Default::default()` */
export function isDefault({ code, strings }: Unit, at: Offset): boolean {
  const callee = code[at] === Op.Call ? code[at + 1]! : 0;
  const trait = code[callee] === Op.Path && strings[code[callee + 2]!] === "default" ? code[callee + 1]! : 0;
  return code[trait] === Op.Path && strings[code[trait + 2]!] === "Default";
}

/** The values that a text shows in its holes, `{}`, `{name}` and `{0:?}`, by `Display` or by `Debug`. */
export function shown(u: Unit, node: number, text: string, args: readonly Offset[], named: ReadonlyMap<string, Offset>): void {
  let next = 0;
  for (const { 1: name = "", 2: how = "" } of text.matchAll(/(?<!\{)(?:\{\{)*\{([\w.]*)(?::[^{}]*?([?xXbeo])?)?\}/g)) {
    const value = name === "" ? args[next++] : /^\d+$/.test(name) ? args[Number(name)] : named.get(name) ?? u.lookup(name);
    if (value && /^\??$/.test(how)) implied(u, node, [how === "?" ? "Debug" : "Display", "fmt"], value);
  }
}

const PRIMITIVE = /^(?:[iu](?:8|16|32|64|128|size)|f32|f64|bool|char|str|String)$/;

/** Whether a value may be of a type of the repository, by its record alone. */
function mayBeOwn(u: Unit, at: Offset): boolean {
  const { code, strings } = u;
  switch (at === 0 ? undefined : code[at]) {
    case undefined:
    case Op.Tuple:
    case Op.Array:
    case Op.Closure:
      return false;
    case Op.Borrow:
      return mayBeOwn(u, code[at + 2]!);
    case Op.Value:
    case Op.Variable: {
      let type = code[at + 1]!;
      if (type === 0) return mayBeOwn(u, code[at + 2]!);
      if (code[type] === Op.Reference) type = code[type + 2]!;
      return code[type] !== Op.Built && !(code[type] === Op.Path && PRIMITIVE.test(strings[code[type + 2]!]!));
    }
    default:
      return true;
  }
}
