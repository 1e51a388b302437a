import { Flag, type Offset, Op } from "./facts.ts";

/** Types that hold no function, whatever points to them. */
const NUMBERS = /^(?:(?:unsigned|signed|long|short|int|char|bool|float|double|size_t|ssize_t|u?int\d+(?:_t)?|u?int(?:ptr|max)_t|ptrdiff_t|off_t|wchar_t|char\d+_t)\s*)+$/;
/** Names of types that are no functions, unless they say so. */
const DATA = /(?:_t|string|view)$/i;
const NAMED = /fn|func|call|handler|hook|proc|cb/i;
/** Types of the library, and of others that are written like these, whose values are functions. */
const FUNCTIONS = /^(?:function|move_only_function|copyable_function|packaged_task|function_ref|FunctionRef|Function|Callback|OnceCallback|RepeatingCallback|mem_fn)$/;
/** What runs the function that it is made with. */
const THREADS = /^j?thread$/;
/** Members of containers that put what they are given into them. */
const STORES = /^(?:push_back|push_front|emplace_back|emplace_front|push|emplace|try_emplace|insert|insert_or_assign|assign|store|exchange|append|add|connect)$/;
/** Functions that give what they are given. */
const PASSES = /^(?:move|forward|ref|cref|make_pair|make_tuple|pair|tuple|function|mem_fn|bind|bind_front|make_optional|make_unique|make_shared|optional|exchange|of|qOverload|mem_fun|ptr_fun)$/;
/** Members of containers and iterators that give what is in them. */
const TAKES = /^(?:at|front|back|top|begin|end|cbegin|cend|rbegin|rend|find|lower_bound|upper_bound|equal_range|get|value|load|lock|release|data)$/;

export function isFunctionType(name: string): boolean {
  return FUNCTIONS.test(name);
}

export function isNumber(name: string): boolean {
  return NUMBERS.test(name);
}

/** Whether what has a type of the name, which nothing declares, is no function by all that it says. */
export function isData(name: string): boolean {
  return NUMBERS.test(name) || (DATA.test(name) && !NAMED.test(name));
}

/** Whether what a type of the library is made with is run. */
export function isThread(name: string): boolean {
  return THREADS.test(name);
}

/** Whether a member of a container puts its arguments into it. */
export function stores(name: string): boolean {
  return STORES.test(name);
}

/** Whether a function of the library gives what it is given. */
export function passes(name: string): boolean {
  return PASSES.test(name);
}

/** Whether a member of a library's type gives what is in its object. */
export function takes(name: string): boolean {
  return TAKES.test(name);
}

const HOLDERS = new Set<number>([Op.Name, Op.Variable, Op.Select, Op.Index, Op.Deref, Op.Element, Op.Either, Op.Cast, Op.Call, Op.New, Op.Braces, Op.Code]);

/** Whether an expression may give a function, by its record alone. */
export function mayGive({ code, strings }: { readonly code: readonly number[]; readonly strings: readonly string[] }, at: Offset): boolean {
  if (code[at] === Op.Address) return mayGive({ code, strings }, code[at + 1]!);
  if (at === 0 || !HOLDERS.has(code[at]!)) return false;
  const type = code[at] === Op.Variable || code[at] === Op.Cast ? code[at + 1]! : 0;
  return type === 0 || mayName({ code, strings }, type);
}

/** Whether values of a type may be functions, or have some in them, by its record alone. */
export function mayName({ code, strings }: { readonly code: readonly number[]; readonly strings: readonly string[] }, type: Offset): boolean {
  return code[type] !== Op.Named || (code[type + 3]! & Flag.Function) !== 0 || !NUMBERS.test(strings[code[type + 1]!]!);
}

/** Whether what has a type is an object, or refers to one that does not change, by its record alone. */
export function isObjectType({ code, strings }: { readonly code: readonly number[]; readonly strings: readonly string[] }, type: Offset): boolean {
  if (code[type] !== Op.Named) return false;
  const flags = code[type + 3]!;
  if ((flags & (Flag.Pointer | Flag.Array | Flag.Function)) !== 0 || ((flags & Flag.Reference) !== 0 && (flags & Flag.Const) === 0)) return false;
  return !NUMBERS.test(strings[code[type + 1]!]!);
}

/** Whether an object may be made of a value that something of a type gets. What is made of the type itself is the object. */
export function mayConvert(facts: { readonly code: readonly number[]; readonly strings: readonly string[] }, type: Offset, value: Offset): boolean {
  const { code } = facts;
  return value > 0 && isObjectType(facts, type) && (code[value] !== Op.New || code[code[value + 1]!] !== Op.Named || code[code[value + 1]! + 1] !== code[type + 1]);
}

/** An expression without casts around it, and of an address what that is of. */
export function uncast(code: readonly number[], at: Offset): Offset {
  let inner = at;
  while (code[inner] === Op.Cast || code[inner] === Op.Address) inner = code[inner + (code[inner] === Op.Cast ? 2 : 1)]!;
  return inner;
}
