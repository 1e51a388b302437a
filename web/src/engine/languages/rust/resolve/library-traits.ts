/** Traits of the library by what they provide: such a method runs those that each implementation has. */
const TRAITS: Readonly<Record<string, { provided: RegExp; runs: readonly string[] }>> = {
  Write: { provided: /^write_(?:all|fmt|vectored|char|str)$/, runs: ["write", "write_str"] },
  Read: { provided: /^(?:read_(?:to_end|to_string|exact|vectored)|bytes|chain|take)$/, runs: ["read"] },
  BufRead: { provided: /^(?:read_(?:until|line)|lines|split|skip_until)$/, runs: ["fill_buf"] },
  Seek: { provided: /^(?:rewind|stream_position|stream_len|seek_relative)$/, runs: ["seek"] },
  Iterator: {
    provided: /^(?:all|any|chain|cloned|collect|copied|count|cycle|enumerate|filter|filter_map|find|find_map|flat_map|flatten|fold|for_each|fuse|inspect|last|map|map_while|(?:max|min)(?:_by|_by_key)?|nth|partition|peekable|position|product|reduce|scan|skip|skip_while|step_by|sum|take|take_while|try_fold|try_for_each|unzip|zip)$/,
    runs: ["next"],
  },
  DoubleEndedIterator: { provided: /^(?:rev|rfind|rfold|nth_back|rposition)$/, runs: ["next_back"] },
  Hasher: { provided: /^write_\w+$/, runs: ["write"] },
  AsyncRead: { provided: /^read(?:_\w+)?$/, runs: ["poll_read"] },
  AsyncWrite: { provided: /^write(?:_\w+)?$/, runs: ["poll_write"] },
};

/** Traits that most types have: what is bound by one, or has one, says nothing of who calls it. */
const COMMON = /^(?:Clone|Copy|Debug|Display|Default|(?:Partial)?Eq|(?:Partial)?Ord|Hash|Drop|From|Into|TryFrom|TryInto|FromStr|ToString|ToOwned|Deref(?:Mut)?|As(?:Ref|Mut)|Borrow(?:Mut)?|Error|Send|Sync|Sized|Unpin|(?:Add|Sub|Mul|Div|Rem|Bit\w+|Sh[lr]|Neg|Not|Index)\w*|FromIterator|Extend|Sum|Product)$/;

/** Types of the library that keep what their functions are given, and run nothing of it, but for the methods that take an iterator; and functions that do. */
const KEEPERS = /^(?:Box|Rc|Arc|Pin|Mutex|RwLock|RefCell|Cell|OnceCell|OnceLock|Cow|Vec|VecDeque|HashMap|BTreeMap|HashSet|BTreeSet|Option|Result|Wrapping|Reverse|PhantomData|ManuallyDrop|Request|Response)$/;
const ITERATES = /^(?:extend|chain|zip)$/;
const KEEPS = /^(?:Some|Ok|Err|Ready|push\w*|insert|replace|swap|set|drop|forget|take|(?:try_)?send|store|body|field|from_parts)$/;

const OPERATORS = /^(?:(?:Add|Sub|Mul|Div|Rem|Bit(?:And|Or|Xor)|Sh[lr])(?:Assign)?|Neg|Not|Index(?:Mut)?)$/;

/** A trait whose method runs nothing but what a type has for it: `Add::add(a, b)`. */
export function isOperator(name: string | undefined): boolean {
  return name !== undefined && OPERATORS.test(name);
}

export function isCommonTrait(name: string): boolean {
  return COMMON.test(name);
}

/** Whether a call of the library's only keeps its arguments; `type`: of its receiver, or the one before its name, if there is one. */
export function keeps(type: string | undefined, name: string): boolean {
  return type !== undefined && KEEPERS.test(type) ? !ITERATES.test(name) : KEEPS.test(name);
}

/** By trait, which of its own methods a provided one runs. */
export function* runBy(name: string): Iterable<readonly [trait: string, methods: readonly string[]]> {
  for (const [trait, { provided, runs }] of Object.entries(TRAITS)) if (provided.test(name)) yield [trait, runs];
}
