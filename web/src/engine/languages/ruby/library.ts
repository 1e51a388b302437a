import { core, type CoreType, marksOf, termsOf, textType, type Type, UNKNOWN, unionOf } from "./types.ts";

/** A hash that holds more kinds of things says nothing about one of them. */
const MAX_KINDS = 2;

/** Ruby's own classes that an object can be made of with `new`. */
const CLASSES = new Set(("Object BasicObject String Array Hash Set Struct Range Regexp Proc Thread Mutex Queue Time Date DateTime File Dir IO StringIO Pathname Tempfile "
  + "Logger OptionParser OpenStruct StringScanner Enumerator Random Exception StandardError RuntimeError ArgumentError TypeError KeyError IndexError RangeError "
  + "NotImplementedError NameError NoMethodError IOError EOFError StopIteration SecurityError LoadError ScriptError SyntaxError ZeroDivisionError FrozenError "
  + "Comparable Enumerable Kernel Delegator SimpleDelegator Module Class Integer Float Symbol Rational Complex Numeric Data Errno Encoding Monitor Fiber").split(" "));

/** Classes of which code is made by inheriting and that do not hide methods of a code base: their methods have core names. */
export function isCoreClass(name: string): boolean {
  return CLASSES.has(name) || /^(?:[A-Z]\w*Error|Errno)$/.test(name);
}

/** Whether an object may be known to be one of a class of Ruby's own that is called so. */
export function isCoreType(name: string): boolean {
  return isCoreClass(name) || /^(?:True|False|Nil)Class$|^MatchData$/.test(name);
}

/** What methods give whatever they are called on. */
const ALWAYS = new Map(Object.entries({
  to_s: "String", to_str: "String", inspect: "String", to_sym: "Symbol", to_i: "Integer", to_f: "Float", to_a: "Array", to_ary: "Array", to_h: "Hash", to_hash: "Hash",
  to_proc: "Proc", hash: "Integer", object_id: "Integer", size: "Integer", length: "Integer", count: "Integer", methods: "Array", instance_variables: "Array",
  "=~": "Integer", "<=>": "Integer", "==": "TrueClass", "===": "TrueClass", "!": "TrueClass", "equal?": "TrueClass", "nil?": "TrueClass", "is_a?": "TrueClass",
  "kind_of?": "TrueClass", "instance_of?": "TrueClass", "respond_to?": "TrueClass", "eql?": "TrueClass", "frozen?": "TrueClass", "empty?": "TrueClass",
}));
const SELF = new Set(["freeze", "dup", "clone", "tap", "itself", "extend", "untaint", "taint", "force_encoding", "each", "each_with_index", "each_pair", "each_value", "each_key", "reverse_each", "each_entry"]);

/** Methods that give what a symbol or text says as another one. */
const SAME_TEXT = new Map(Object.entries({ to_sym: "Symbol", intern: "Symbol", to_s: "String", name: "String", to_str: "String", "+@": "String", "-@": "String" }));

/** What methods of collections do with what these hold. */
const SAME = new Set((
  "select filter reject sort sort_by reverse uniq compact take drop take_while drop_while rotate shuffle flatten concat push append unshift prepend insert << + - | & "
  + "select! reject! filter! sort! sort_by! reverse! uniq! compact! keep_if delete_if merge merge! update except slice lazy compare_by_identity add add? union difference intersection"
).split(" "));
const ONE = new Set("first last find detect min max min_by max_by sample pop shift fetch at dig delete delete_at []".split(" "));
const LISTS = new Set("to_a entries values sort select sort_by reject each_entry values_at partition fetch_values".split(" "));

/** The same class for each of several names. */
function all(name: string, methods: string): Record<string, string> {
  return Object.fromEntries(methods.split(" ").map((method) => [method, name]));
}

const BY_CLASS = new Map(Object.entries<Record<string, string>>({
  String: {
    ...all("String", "+ * % [] +@ -@ capitalize center chomp chop delete downcase dump encode gsub gsub! sub sub! strip strip! lstrip rstrip ljust rjust next succ"
      + " reverse scrub slice squeeze swapcase tr tr_s unpack1 upcase upcase! unicode_normalize delete_prefix delete_suffix prepend replace concat << byteslice b"),
    ...all("Array", "split lines chars bytes scan partition rpartition unpack each_line each_char codepoints"),
    ...all("Integer", "index rindex ord bytesize hex oct getbyte"),
    match: "MatchData", intern: "Symbol", encoding: "Encoding",
  },
  Symbol: { to_proc: "Proc", name: "String", upcase: "Symbol", downcase: "Symbol" },
  Array: { join: "String", index: "Integer", pack: "String", keys: "Array", each_slice: "Array", each_cons: "Array", zip: "Array", product: "Array" },
  Hash: { keys: "Array", key: "?", sum: "Integer" },
  Integer: { times: "Integer", "+": "Integer", "-": "Integer", "*": "Integer", "/": "Integer", "%": "Integer", chr: "String", succ: "Integer", abs: "Integer" },
  Regexp: { match: "MatchData", source: "String" },
  MatchData: { "[]": "String", pre_match: "String", post_match: "String", captures: "Array", named_captures: "Hash" },
  Time: { strftime: "String", "-": "Float", "+": "Time", utc: "Time", year: "Integer" },
}).map(([name, methods]) => [name, new Map(Object.entries(methods))]));

/** What a method of Ruby's own gives; undefined when that is not known. `block` is what its block gives. */
export function libraryResult(receiver: Type, name: string, block: Type): Type | undefined {
  if (SELF.has(name)) return receiver;
  if (receiver.kind === "core") {
    const { element, texts } = receiver;
    const same = texts && SAME_TEXT.get(name);
    if (same) return textType(same, ...texts);
    const known = BY_CLASS.get(receiver.name)?.get(name);
    if (known !== undefined) return core(known);
    if (isCollection(receiver)) {
      if (name === "map" || name === "collect" || name === "filter_map" || name === "map!") return core("Array", block);
      if (name === "flat_map" || name === "collect_concat") return core("Array", block.kind === "core" && block.name === "Array" ? block.element : block);
      if (name === "group_by") return core("Hash", core("Array", element));
      if (name === "transform_values" || name === "to_h" && block.kind !== "unknown") return core("Hash", block);
      if (name === "index_by") return core("Hash", element);
      if (receiver.name === "Hash" ? name === "values" : LISTS.has(name) && name !== "values_at") return core("Array", element);
      if (SAME.has(name)) return receiver;
      if (ONE.has(name)) return element;
      if (name === "values_at") return core("Array", element);
    }
  }
  const always = ALWAYS.get(name);
  return always === undefined ? undefined : core(always);
}

function isCollection({ name }: CoreType): boolean {
  return name === "Array" || name === "Hash" || name === "Set" || name === "Enumerator";
}

/** What a method of a collection gives to its block, by position among `count` parameters; undefined for what is not known. */
export function givenToBlock(receiver: CoreType, name: string, position: number, count: number, first: Type): Type | undefined {
  if (!isCollection(receiver) || !receiver.element) return undefined;
  const { name: of, element } = receiver;
  if (name === "inject" || name === "reduce") return position === 1 ? element : first.kind === "unknown" ? element : first;
  if (name === "each_with_object") return position === 1 ? first : of === "Hash" ? undefined : element;
  if (of === "Hash") {
    if (name === "each_key") return UNKNOWN;
    if (name === "each_value" || name === "transform_values") return element;
    return count > 1 && position === 1 ? element : undefined;
  }
  if (name === "each_slice" || name === "each_cons") return core("Array", element);
  if (/^(?:sort|min|max|sort!)$/.test(name)) return element;
  return position === 0 ? element : undefined;
}

/** The type that an element of a collection has. */
export function elementOf(type: Type): Type {
  return type.kind === "core" && type.element ? type.element : UNKNOWN;
}

/** What a collection holds, by what is put into it. */
export function heldBy(name: string, types: readonly Type[]): Type {
  const held = unionOf(types);
  // Where all that is known of what a Hash is given are things of the code base, the rest most likely are, too. Any other Hash may hold options, of which one tells nothing of the next.
  const own = termsOf(held).filter(({ kind }) => kind === "class" || kind === "object");
  if (name === "Hash" && own.length > 0 && termsOf(held).every((term) => own.includes(term) || (term.kind === "core" && term.name === "?"))) return unionOf(own);
  return name === "Hash" && (types.some(({ kind }) => kind === "unknown") || termsOf(held).length > MAX_KINDS) ? UNKNOWN : held;
}

/** What `new` makes of a class. */
export function instanceOf(type: Type): Type {
  if (type.kind === "class") return { kind: "object", module: type.module, ...marksOf(type) };
  if (type.kind === "outside") return core(isCoreClass(type.name) ? type.name : "?");
  return UNKNOWN;
}

/** Whether a type is one of objects of a class of Ruby's own. */
export function isOfCore(type: Type, name: string): boolean {
  return name === "Class" || name === "Module" ? type.kind === "class" : type.kind === "core" && type.name === name;
}

/** Whether a type is one of lists or tables of which it is not known what they hold. */
export function isEmpty(type: Type): type is CoreType {
  return type.kind === "core" && isCollection(type) && !type.element;
}
