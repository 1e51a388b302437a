import { foreign, type ForeignType, type Type, UNIT, UNKNOWN } from "./types.ts";

/**
 * What the standard library's types give, for chains that lead through them. Not all of it: what calls in Rust code pass on
 * their way from one declared type to another.
 */

/** Types that give their argument's methods as their own. */
const POINTERS = new Set([
  "Box", "Rc", "Arc", "Ref", "RefMut", "MutexGuard", "RwLockReadGuard", "RwLockWriteGuard", "Cow", "Pin", "ManuallyDrop", "LazyLock", "Lazy", "AssertUnwindSafe",
  "CachePadded",
]);

const BORROWED = new Map([["String", "str"], ["PathBuf", "Path"], ["OsString", "OsStr"], ["CString", "CStr"]]);

/** What `*x` is, and where methods are looked for next; undefined when there is no more. */
export function pointee({ name, args }: ForeignType): Type | undefined {
  if (POINTERS.has(name)) return args[name === "Cow" ? args.length - 1 : 0];
  if (name === "Vec") return foreign("[]", args[0] ?? UNKNOWN);
  const borrowed = BORROWED.get(name);
  return borrowed === undefined ? undefined : foreign(borrowed);
}

/** Methods of the pointers themselves, which hide those of what they point to. */
const POINTER_OWN = new Map(Object.entries({
  Rc: ["clone"], Arc: ["clone"], Cow: ["into_owned", "to_mut", "is_borrowed"], Pin: ["as_mut", "get_mut", "set", "as_ref", "get_ref", "get_unchecked_mut"], Box: ["as_ref", "as_mut"],
}));

/** Names that so many library types have that they say nothing about a receiver of unknown type. */
const COMMON = new Set(
  `abs add all and and_then any append args as_bytes as_deref as_deref_mut as_mut as_mut_ptr as_mut_slice as_os_str as_path as_ptr as_ref as_slice as_str begin borrow
  borrow_mut build by_ref bytes capacity ceil chain chars checked_add checked_mul checked_sub chunks clear clone clone_from cloned cmp collect compare_exchange concat connect
  contains contains_key context copied copy_from_slice count cycle decode default deref deref_mut description display drain drop elapsed encode end ends_with entry enumerate eq
  err exists expect expect_err extend extend_from_slice fetch_add fetch_sub field file_name fill filter filter_map finalize find finish first first_mut flat_map flatten flush fmt
  fold for_each from from_str ge get get_mut get_or_insert_with get_unchecked get_unchecked_mut gt hash id index index_mut insert inspect into into_boxed_slice into_inner
  into_iter into_string is_alphabetic is_alphanumeric is_ascii is_char_boundary is_digit is_dir is_empty is_err is_file is_none is_null is_numeric is_ok is_some is_whitespace iter
  iter_mut join keys kind last last_mut le leading_zeros len lines load lock lt map map_err map_or map_or_else match_indices max max_by max_by_key metadata min min_by min_by_key
  mul name ne neg new next next_back not notify_all notify_one nth ok ok_or ok_or_else open or or_default or_else or_insert or_insert_with parent parse partial_cmp partition path
  peek peekable poll poll_next pop pop_back pop_front position pow product push push_back push_front push_str range read read_exact read_line read_to_end read_to_string recv
  remove rem repeat replace reserve resize retain rev rfind rsplit run saturating_add saturating_sub scan send set set_len shrink_to_fit size_hint skip skip_while sort sort_by
  sort_by_key sort_unstable source spawn split split_at split_off split_whitespace sqrt start starts_with status step_by store sub sum swap take take_while tell then then_some
  to_ascii_lowercase to_ascii_uppercase to_le_bytes to_lowercase to_owned to_path_buf to_str to_string to_uppercase to_vec trailing_zeros trim trim_end trim_matches trim_start
  truncate try_from try_into unlock unwrap unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked update upgrade value values values_mut wait wake wake_by_ref windows
  with_capacity wrapping_add wrapping_mul wrapping_sub write write_all write_char write_fmt write_str zip`.split(/\s+/),
);

export function isCommon(method: string): boolean {
  return COMMON.has(method);
}

const SIZES = new Set(["len", "count", "capacity", "leading_zeros", "trailing_zeros"]);
const NUMBER = /^(?:[iu](?:8|16|32|64|128|size)|f(?:32|64))$/;
const SEQUENCES = /^(?:\[\]|Vec|VecDeque|BinaryHeap|LinkedList|HashSet|BTreeSet|IndexSet|SmallVec|ArrayVec|Iterator|IntoIterator|DoubleEndedIterator|ExactSizeIterator|Peekable|Option)$/;
const MAP = /Map$/;

/** What a loop over a type gives. */
export function elementOf(type: ForeignType): Type {
  if (MAP.test(type.name)) return type.args.length >= 2 ? foreign("()", type.args[0]!, type.args[1]!) : UNKNOWN;
  const item = type.bindings?.get("Item");
  if (item) return item;
  return SEQUENCES.test(type.name) ? type.args[0] ?? UNKNOWN : UNKNOWN;
}

/** What an index gives. */
export function indexed(type: ForeignType): Type {
  if (MAP.test(type.name)) return type.args[1] ?? UNKNOWN;
  return /^(?:\[\]|Vec|VecDeque|SmallVec|ArrayVec|IndexSet)$/.test(type.name) ? type.args[0] ?? UNKNOWN : UNKNOWN;
}

/** What a `?` gives, or `.await` of what is no future of the repository. */
export function tried(type: ForeignType): Type {
  const [first = UNKNOWN] = type.args;
  if (type.name === "Option" || type.name === "Result") return first;
  // `Poll<Result<T, E>>` gives `Poll<T>`, `Poll<Option<Result<T, E>>>` `Poll<Option<T>>`.
  if (type.name !== "Poll" || first.kind !== "foreign") return UNKNOWN;
  const [inner = UNKNOWN] = first.args;
  return foreign("Poll", first.name === "Option" && inner.kind === "foreign" ? option(inner.args[0] ?? UNKNOWN) : inner);
}

export function awaited(type: ForeignType): Type {
  return type.bindings?.get("Output") ?? (type.name === "Pin" || type.name === "Box" ? UNKNOWN : type);
}

const iterator = (item: Type): ForeignType => foreign("Iterator", item);
const option = (item: Type): ForeignType => foreign("Option", item);
const pair = (a: Type, b: Type): ForeignType => foreign("()", a, b);

/** What a method of a library's type gives; undefined when that is not known. `args` are the arguments' types. */
export function methodResult(receiver: ForeignType, method: string, args: readonly Type[]): Type | undefined {
  const { name } = receiver;
  const [first = UNKNOWN, second = UNKNOWN] = receiver.args;
  const given = args[0] ?? UNKNOWN;
  const result = given.kind === "function" ? given.result : UNKNOWN;
  if (POINTERS.has(name)) {
    if (!POINTER_OWN.get(name)?.includes(method)) return undefined;
    return method === "clone" || (name === "Pin" && !method.startsWith("get")) ? receiver : first;
  }
  if (/^(?:to_owned|clone|by_ref|as_slice|as_mut_slice)$/.test(method)) return name === "str" ? foreign("String") : receiver;
  if (SIZES.has(method)) return foreign("usize");
  if (/^(?:is_|contains|starts_with|ends_with|eq$|ne$|lt$|gt$|le$|ge$|any$|all$)/.test(method)) return foreign("bool");
  if (method === "to_string") return foreign("String");
  if (method === "cmp") return foreign("Ordering");
  if (method === "partial_cmp") return option(foreign("Ordering"));
  switch (name) {
    case "Option":
    case "Result":
      return wrapped(receiver, method, args);
    case "RefCell":
    case "Mutex":
    case "RwLock":
    case "Cell":
    case "OnceCell":
    case "OnceLock":
    case "AtomicCell":
      if (method === "borrow") return foreign("Ref", first);
      if (method === "borrow_mut") return foreign("RefMut", first);
      if (/^(?:lock|read|write|try_lock|try_borrow|try_borrow_mut|into_inner|get_mut)$/.test(method)) {
        if (name === "RefCell" && method === "into_inner") return first;
        return name === "RefCell" && method === "get_mut" ? first : foreign("Result", foreign("MutexGuard", first));
      }
      if (method === "get" && name === "Cell") return first;
      if (method === "get") return option(first);
      if (/^(?:get_or_init|replace|take)$/.test(method)) return first;
      return undefined;
    case "NonNull":
      return /^as_(?:ref|mut)$/.test(method) ? first : method === "as_ptr" ? foreign("*", first) : undefined;
    case "Weak":
      return method === "upgrade" ? option(foreign("Rc", first)) : undefined;
    case "Into":
    case "TryInto":
    case "AsRef":
    case "AsMut":
    case "Borrow":
      return /^(?:into|as_ref|as_mut|borrow)$/.test(method) ? first : undefined;
    case "Entry":
      if (/^or_(?:insert|default)/.test(method)) return second;
      return method === "and_modify" ? receiver : undefined;
    case "VacantEntry":
      return method === "insert" ? second : undefined;
    case "OccupiedEntry":
      return /^(?:get|get_mut|into_mut|remove)$/.test(method) ? second : undefined;
    case "str":
    case "String":
    case "OsStr":
    case "Path":
    case "PathBuf":
      return text(name, method);
    case "bool":
      return method === "then" ? option(result) : method === "then_some" ? option(given) : undefined;
    case "Poll":
      return method === "map" ? foreign("Poll", result) : undefined;
    case "Ordering":
      return /^(?:then|then_with|reverse)$/.test(method) ? receiver : undefined;
    default:
  }
  if (NUMBER.test(name)) {
    if (/^checked_/.test(method)) return option(receiver);
    return /^(?:wrapping|saturating|rotate|overflowing)_|^(?:min|max|abs|pow|swap_bytes|clamp|count_ones)$/.test(method) ? receiver : undefined;
  }
  if (name === "char") {
    if (/^to_ascii_/.test(method)) return receiver;
    return method === "len_utf8" ? foreign("usize") : undefined;
  }
  if (MAP.test(name)) {
    if (/^(?:get|get_mut|remove|insert|swap_remove|shift_remove)$/.test(method)) return option(second);
    if (/^(?:values|values_mut|into_values)$/.test(method)) return iterator(second);
    if (/^(?:keys|into_keys)$/.test(method)) return iterator(first);
    if (/^(?:iter|iter_mut|into_iter|drain|range)$/.test(method)) return iterator(pair(first, second));
    if (method === "entry") return foreign("Entry", first, second);
    if (/^(?:first|last)_key_value$|^pop_/.test(method)) return option(pair(first, second));
    return undefined;
  }
  const item = elementOf(receiver);
  if (SEQUENCES.test(name)) return sequence(receiver, item, method, args);
  return undefined;
}

function wrapped(receiver: ForeignType, method: string, args: readonly Type[]): Type | undefined {
  const { name } = receiver;
  const [first = UNKNOWN, second = UNKNOWN] = receiver.args;
  const given = args[0] ?? UNKNOWN;
  const result = given.kind === "function" ? given.result : UNKNOWN;
  if (/^(?:unwrap|expect|unwrap_or.*|unwrap_unchecked|get_or_insert.*|insert)$/.test(method)) return first;
  if (/^(?:as_ref|as_mut|cloned|copied|as_pin_mut|filter|or|or_else|take|replace|inspect.*|xor|as_deref|as_deref_mut|transpose)$/.test(method)) {
    if (/^as_deref/.test(method) && first.kind === "foreign") return foreign(name, pointee(first) ?? first, ...receiver.args.slice(1));
    return receiver;
  }
  switch (method) {
    case "map":
      return foreign(name, result, ...receiver.args.slice(1));
    case "and_then":
      return result.kind === "unknown" ? foreign(name, UNKNOWN) : result;
    case "and":
      return given;
    case "map_err":
      return foreign(name, first, result);
    case "map_or":
      return given.kind === "unknown" && args[1]?.kind === "function" ? args[1].result : given;
    case "map_or_else":
      return args[1]?.kind === "function" ? args[1].result : UNKNOWN;
    case "ok_or":
    case "ok_or_else":
      return foreign("Result", first);
    case "ok":
      return option(first);
    case "err":
      return option(second);
    case "unwrap_err":
    case "expect_err":
      return second;
    case "iter":
    case "iter_mut":
    case "into_iter":
      return iterator(first);
    case "zip":
      return option(pair(first, given.kind === "foreign" ? given.args[0] ?? UNKNOWN : UNKNOWN));
    case "flatten":
      return first;
    default:
      return undefined;
  }
}

function text(name: string, method: string): Type | undefined {
  const own = foreign("str");
  if (/^(?:as_str|trim.*|as_ref|borrow|strip_.*_unchecked)$/.test(method)) return name === "str" || name === "String" ? own : foreign(name);
  if (/^(?:to_lowercase|to_uppercase|to_ascii_.*|replace|replacen|repeat|into_owned|into_string)$/.test(method)) return foreign("String");
  if (/^(?:as_bytes|into_bytes|as_bytes_mut)$/.test(method)) return foreign("[]", foreign("u8"));
  if (/^(?:chars)$/.test(method)) return iterator(foreign("char"));
  if (method === "char_indices") return iterator(pair(foreign("usize"), foreign("char")));
  if (method === "bytes") return iterator(foreign("u8"));
  if (/^(?:find|rfind)$/.test(method)) return option(foreign("usize"));
  if (/^strip_/.test(method)) return option(own);
  if (/^r?split_once$/.test(method)) return option(pair(own, own));
  if (/^split_at$/.test(method)) return pair(own, own);
  if (/^(?:lines|r?split.*|matches)$/.test(method)) return iterator(own);
  if (/^(?:get|pop)$/.test(method)) return option(method === "pop" ? foreign("char") : own);
  if (/^(?:join|to_path_buf|with_extension|with_file_name)$/.test(method)) return foreign("PathBuf");
  if (/^(?:parent)$/.test(method)) return option(foreign("Path"));
  if (/^(?:file_name|extension|file_stem)$/.test(method)) return option(foreign("OsStr"));
  if (method === "as_path") return foreign("Path");
  if (method === "to_str") return option(own);
  if (method === "to_string_lossy" || method === "display") return foreign("String");
  return undefined;
}

function sequence(receiver: ForeignType, item: Type, method: string, args: readonly Type[]): Type | undefined {
  const given = args[0] ?? UNKNOWN;
  const result = given.kind === "function" ? given.result : UNKNOWN;
  const isIterator = /^(?:Iterator|IntoIterator|DoubleEndedIterator|ExactSizeIterator|Peekable)$/.test(receiver.name);
  if (/^(?:iter|iter_mut|into_iter|drain|rev|skip|take|skip_while|take_while|step_by|filter|peekable|fuse|cycle|inspect|chain|cloned|copied|range|splice|by_ref|extract_if|union|intersection|difference)$/.test(method)) {
    if (!isIterator && /^(?:take|skip|filter|chain)$/.test(method)) return undefined;
    return iterator(item);
  }
  if (/^(?:next|next_back|nth|last|first|last_mut|first_mut|pop|pop_front|pop_back|pop_first|pop_last|peek|peek_mut|front|back|front_mut|back_mut|max|min|max_by|min_by|max_by_key|min_by_key|find|reduce|next_if|next_if_eq|get|get_mut)$/.test(method)) return option(item);
  switch (method) {
    case "collect":
      // Of a type that stands elsewhere; what it holds is known.
      return isIterator ? receiver : undefined;
    case "enumerate":
      return iterator(pair(foreign("usize"), item));
    case "map":
      return isIterator ? iterator(result) : undefined;
    case "filter_map":
    case "map_while":
      return iterator(result.kind === "foreign" ? result.args[0] ?? UNKNOWN : UNKNOWN);
    case "find_map":
      return result;
    case "flat_map":
      return iterator(result.kind === "foreign" ? elementOf(result) : UNKNOWN);
    case "flatten":
      return iterator(item.kind === "foreign" ? elementOf(item) : UNKNOWN);
    case "zip":
      return iterator(pair(item, given.kind === "foreign" ? elementOf(given) : UNKNOWN));
    case "fold":
      return given;
    case "position":
    case "rposition":
      return option(foreign("usize"));
    case "remove":
    case "swap_remove":
      return receiver.name === "Vec" ? item : receiver.name === "VecDeque" ? option(item) : foreign("bool");
    case "get_unchecked":
    case "get_unchecked_mut":
    case "index":
      return item;
    case "windows":
    case "chunks":
    case "chunks_mut":
    case "chunks_exact":
    case "split":
    case "rchunks":
      return iterator(foreign("[]", item));
    case "split_at":
    case "split_at_mut":
      return pair(receiver, receiver);
    case "split_first":
    case "split_last":
    case "split_first_mut":
    case "split_last_mut":
      return option(pair(item, foreign("[]", item)));
    case "to_vec":
    case "into_vec":
    case "split_off":
      return foreign("Vec", item);
    case "into_boxed_slice":
      return foreign("Box", foreign("[]", item));
    case "partition":
      return pair(foreign("Vec", item), foreign("Vec", item));
    case "push":
    case "extend":
    case "clear":
    case "for_each":
      return UNIT;
    default:
      return undefined;
  }
}

/** What a closure is given that a method of a library's type takes; undefined when that is not known. */
export function closureParameter(receiver: ForeignType, method: string, position: number, args: readonly Type[]): Type | undefined {
  const { name } = receiver;
  const [first, second] = receiver.args;
  if (name === "Option" || name === "Result") {
    if (/^(?:map|and_then|filter|inspect|is_some_and|is_ok_and|map_or|map_or_else|is_none_or)$/.test(method)) return first;
    return /^(?:map_err|or_else|unwrap_or_else|inspect_err|is_err_and)$/.test(method) ? second : undefined;
  }
  if (/Entry$/.test(name)) return method === "and_modify" ? second : undefined;
  if (MAP.test(name)) return method === "retain" ? (position === 0 ? first : second) : undefined;
  const item = elementOf(receiver);
  if (item.kind === "unknown" || name === "str") return undefined;
  if (/^(?:fold|try_fold|scan)$/.test(method)) return position === 1 ? item : args[0];
  if (/^(?:sort_by|sort_unstable_by|max_by|min_by|reduce|dedup_by)$/.test(method)) return item;
  if (/^(?:binary_search_by|binary_search_by_key|map|for_each|filter|filter_map|find|find_map|flat_map|any|all|position|rposition|take_while|skip_while|map_while|inspect|partition|retain|retain_mut|sort_by_key|sort_unstable_by_key|sort_by_cached_key|max_by_key|min_by_key|try_for_each|partition_point|dedup_by_key|next_if)$/.test(method)) return position === 0 ? item : undefined;
  return undefined;
}

/** What a function of a library's type gives: `Box::new(x)`, `Vec::new()`, `Some(x)`. */
export function functionResult(owner: string | undefined, ownerArgs: readonly Type[], name: string, args: readonly Type[]): Type | undefined {
  const given = args[0] ?? UNKNOWN;
  if (owner === undefined) {
    if (name === "Some") return option(given);
    if (name === "Ok") return foreign("Result", given);
    if (name === "Err") return foreign("Result", UNKNOWN, given);
    if (name === "replace" || name === "take" || name === "identity" || name === "black_box") return given;
    return undefined;
  }
  if (owner === "mem" && (name === "replace" || name === "take")) return given;
  if (owner === "cmp" && (name === "max" || name === "min")) return given;
  if (owner === "iter" && name === "once") return iterator(given);
  if (owner === "Poll" && name === "Ready") return foreign("Poll", given);
  if (/^(?:Rc|Arc)$/.test(owner) && name === "clone") return given;
  if (/^(?:Rc|Arc)$/.test(owner) && /^(?:make_mut|get_mut|try_unwrap|into_inner)$/.test(name) && given.kind === "foreign") {
    const held = pointee(given) ?? UNKNOWN;
    return name === "make_mut" ? held : name === "try_unwrap" ? foreign("Result", held, given) : option(held);
  }
  if (/^(?:Rc|Arc)$/.test(owner) && name === "downgrade") return foreign("Weak", given.kind === "foreign" ? given.args[0] ?? UNKNOWN : UNKNOWN);
  if (/^(?:Box|Rc|Arc|RefCell|Cell|Mutex|RwLock|Pin|ManuallyDrop|Reverse|Wrapping|Cow)$/.test(owner) && /^(?:new|from|pin|new_unchecked|Borrowed|Owned)$/.test(name)) {
    return owner === "Box" && name === "pin" ? foreign("Pin", foreign("Box", given)) : owner === "Pin" ? foreign("Pin", given) : foreign(owner, given);
  }
  if (/^(?:new|with_capacity|from|default|from_utf8_lossy|from_iter|from_str_radix)$/.test(name) && /^\p{Lu}/u.test(owner)) {
    return ownerArgs.length === 0 && name === "from" && given.kind === "foreign" && /^(?:Vec|HashSet|BTreeSet|VecDeque)$/.test(owner) ? foreign(owner, ...given.args) : foreign(owner, ...ownerArgs);
  }
  return undefined;
}
