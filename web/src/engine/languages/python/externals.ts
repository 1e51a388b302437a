import { attributeOfRecords, callOfRecords, methodOfRecords } from "./records.ts";
import type { Type } from "./types.ts";
import { BOOL, EXTERNAL, INT, NONE, STR, UNKNOWN, ext, itemsOf, shortName, union } from "./types.ts";

/** What the table of known functions may ask of the evaluator. */
export interface Arguments {
  /** Type of the i-th positional argument; UNKNOWN when it isn't there. */
  at(index: number): Type;
  keyword(name: string): Type | undefined;
  count: number;
  /** What a call of a value gives. */
  call(callee: Type): Type;
  /** An item of an iterable. */
  item(iterable: Type, isAsync?: boolean): Type;
  awaited(type: Type): Type;
  entered(manager: Type): Type;
  instance(type: Type): Type;
  classOf(type: Type): Type;
}

/** Classes from elsewhere that hold values, by their short name: the name we keep them under. */
const CONTAINERS = new Map<string, string>(Object.entries({
  List: "list", Dict: "dict", Set: "set", FrozenSet: "frozenset", Deque: "deque", DefaultDict: "defaultdict",
  list: "list", dict: "dict", set: "set", frozenset: "frozenset", deque: "deque", defaultdict: "defaultdict",
  OrderedDict: "OrderedDict", Mapping: "Mapping", MutableMapping: "MutableMapping", ChainMap: "ChainMap", Counter: "Counter",
  WeakValueDictionary: "WeakValueDictionary", WeakKeyDictionary: "WeakKeyDictionary", WeakSet: "WeakSet", MappingProxyType: "MappingProxyType",
}));

const MAPPINGS = new Set(["dict", "defaultdict", "OrderedDict", "Mapping", "MutableMapping", "ChainMap", "Counter", "WeakValueDictionary", "WeakKeyDictionary", "MappingProxyType"]);

export function isMapping(type: Type & { k: "ext" }): boolean {
  return MAPPINGS.has(type.name);
}

export function isContainer(type: Type & { k: "ext" }): boolean {
  return CONTAINERS.has(type.name);
}

/** The name under which an external class is kept: `typing.List` and `list` are the same. */
export function classNameOf(dotted: string): string {
  const short = shortName(dotted);
  return CONTAINERS.get(short) ?? short;
}

/**
 * What a method of an external base gives that is called on a class of the project (`Order.load(1)`, `Order.select().where(…)`): an object of
 * the class, which is its argument, or several, or what leads to them.
 */
export const MADE = "made";

/** Whether an object from elsewhere is a container or a plain value. */
export function isValue(type: Type & { k: "ext" }): boolean {
  return isContainer(type) || /^(?:str|bytes|int|float|complex|tuple|property|type)$/.test(type.name);
}

/** Item of what is iterated, for a class from elsewhere. A container may hold anything where it does not say what. */
export function itemOfExternal(type: Type & { k: "ext" }): Type {
  if (type.name === "str" || type.name === "bytes" || type.name === MADE) return type;
  return type.args[0] ?? (holdsAny(type) ? UNKNOWN : EXTERNAL);
}

/** Whether what an object holds may be of the code base, where its type does not say what that is. */
function holdsAny(type: Type & { k: "ext" }): boolean {
  return isContainer(type) || HOLDERS.test(type.name);
}

const HOLDERS = /^(?:tuple|Iterable|Iterator|Collection|Sequence|MutableSequence|Set|AbstractSet|MutableSet|Generator)$|Queue$/;

const ITERATOR_LIKE = new Set(["reversed", "sorted", "list", "set", "tuple", "frozenset", "iter", "itertools.islice", "itertools.cycle", "itertools.dropwhile", "itertools.takewhile", "collections.deque", "random.sample", "random.choices"]);

/** The result of calling a function or class from elsewhere. */
export function callExternal(name: string, args: Arguments): Type {
  const ofRecords = callOfRecords(name, args);
  if (ofRecords) return ofRecords;
  switch (name) {
    case "iter": case "reversed": return ext("Iterator", args.item(args.at(0)));
    case "aiter": return ext("AsyncIterator", args.item(args.at(0), true));
    case "next": case "min": case "max": case "random.choice": {
      if (name !== "next" && args.count > 1) return union(Array.from({ length: args.count }, (_, i) => args.at(i)));
      const fallback = name === "next" && args.count > 1 ? [args.at(1)] : [];
      return union([args.item(args.at(0)), ...fallback]);
    }
    case "anext": return ext("Coroutine", args.item(args.at(0), true));
    case "enumerate": return ext("Iterator", { k: "tuple", items: [INT, args.item(args.at(0))], rest: undefined });
    case "zip": case "itertools.zip_longest":
      return ext("Iterator", { k: "tuple", items: Array.from({ length: args.count }, (_, i) => args.item(args.at(i))), rest: undefined });
    case "map": return ext("Iterator", args.call(args.at(0)));
    case "filter": return ext("Iterator", args.item(args.at(1)));
    case "itertools.chain": return ext("Iterator", union(Array.from({ length: args.count }, (_, i) => args.item(args.at(i)))));
    case "itertools.chain.from_iterable": return ext("Iterator", args.item(args.item(args.at(0))));
    case "dict": case "collections.OrderedDict": case "collections.defaultdict": {
      const className = classNameOf(name);
      if (className === "defaultdict") return ext(className, UNKNOWN, args.call(args.at(0)));
      for (const given of itemsOf(args.at(0))) {
        if (given.k === "ext" && isMapping(given)) return ext(className, ...given.args);
        const item = args.item(given);
        if (item.k === "tuple" && item.items.length === 2) return ext(className, ...item.items);
      }
      return ext(className);
    }
    case "object.__new__": return args.instance(args.at(0));
    case "type": return args.count === 1 ? args.classOf(args.at(0)) : EXTERNAL;
    case "copy.copy": case "copy.deepcopy": case "dataclasses.replace": case "attr.evolve": case "attrs.evolve": case "weakref.proxy":
    case "contextlib.aclosing": case "contextlib.closing": case "contextlib.nullcontext": case "typing.no_type_check": case "typing.final":
    case "functools.cache": case "functools.total_ordering": case "abs": case "asyncio.shield": case "inspect.unwrap":
    case "atexit.register": case "typing.overload": case "abc.abstractmethod": case "dataclasses.dataclass":
      return /closing|nullcontext/.test(name) ? ext("ContextManager", args.at(0)) : args.at(0);
    case "property": case "functools.cached_property": {
      const [get, set, drop] = ["fget", "fset", "fdel"].map((part, i) => (i < args.count ? args.at(i) : args.keyword(part) ?? UNKNOWN)) as [Type, Type, Type];
      return ext("property", args.call(get), get, set, drop);
    }
    case "functools.lru_cache": return args.count > 0 ? args.at(0) : EXTERNAL;
    case "functools.partial": return { k: "callable", result: args.call(args.at(0)), runs: args.at(0) };
    case "weakref.ref": return { k: "callable", result: args.at(0) };
    case "asyncio.create_task": case "asyncio.ensure_future": case "asyncio.wait_for": case "asyncio.run_coroutine_threadsafe":
      return ext("Task", args.awaited(args.at(0)));
    case "asyncio.run": case "anyio.run": case "trio.run": return args.awaited(args.at(0));
    case "asyncio.gather":
      return ext("Future", { k: "tuple", items: Array.from({ length: args.count }, (_, i) => args.awaited(args.at(i))), rest: undefined });
    case "str": case "repr": case "input": case "chr": case "hex": case "bin": case "format": case "ascii": case "oct": return STR;
    case "int": case "len": case "ord": case "hash": case "id": return INT;
    case "bool": case "isinstance": case "issubclass": case "callable": case "hasattr": case "any": case "all": return BOOL;
    case "print": case "setattr": case "delattr": return NONE;
    case "sum": return args.count > 1 ? args.at(1) : EXTERNAL;
    case "dataclasses.field": {
      const factory = args.keyword("default_factory");
      return factory ? args.call(factory) : (args.keyword("default") ?? EXTERNAL);
    }
    case "attr.ib": case "attr.attrib": case "attrs.field": case "attr.field": {
      const factory = args.keyword("factory");
      const type = args.keyword("type");
      if (type ?? factory) return type ? args.instance(type) : args.call(factory!);
      // The constructor that is made takes anything for it.
      const fallback = args.keyword("default");
      return fallback && fallback.k !== "none" ? fallback : UNKNOWN;
    }
    case "pytest.raises": return raised(args);
    case "contextvars.ContextVar": {
      const fallback = args.keyword("default");
      return fallback ? ext("ContextVar", fallback) : ext("ContextVar");
    }
    default:
  }
  if (ITERATOR_LIKE.has(name)) {
    return args.count === 0 ? ext(classNameOf(name)) : ext(name === "sorted" || name.startsWith("random") ? "list" : classNameOf(name), args.item(args.at(0)));
  }
  const short = shortName(name);
  return /^[A-Z]/.test(short) || CONTAINERS.has(short) || name === "object" ? ext(classNameOf(name)) : EXTERNAL;
}

/** The context manager of a test that expects an exception: it binds what knows the exception. */
function raised(args: Arguments): Type {
  return ext("ContextManager", ext("ExceptionInfo", args.instance(args.at(0))));
}

/** An attribute of an instance from elsewhere. */
export function externalAttribute(of: Type & { k: "ext" }, name: string): Type {
  const ofRecords = attributeOfRecords(of, name);
  if (ofRecords) return ofRecords;
  return of.name === "ExceptionInfo" && /^(?:value|exception)$/.test(name) ? itemOfExternal(of) : { k: "extmethod", of, name };
}

/** The result of calling a method of an instance from elsewhere. */
export function callExternalMethod(of: Type & { k: "ext" }, method: string, args: Arguments): Type {
  if (of.name === MADE) return of;
  const ofRecords = methodOfRecords(of, method, args);
  if (ofRecords) return ofRecords;
  const [first = UNKNOWN, second = UNKNOWN] = of.args;
  if (isMapping(of)) {
    switch (method) {
      case "get": case "pop": return args.count > 1 ? union([second, args.at(1)]) : second;
      case "setdefault": return second.k === "unknown" ? args.at(1) : second;
      case "values": return ext("Iterable", second);
      case "keys": return ext("Iterable", first);
      case "items": return ext("Iterable", { k: "tuple", items: [first, second], rest: undefined });
      case "popitem": return { k: "tuple", items: [first, second], rest: undefined };
      case "copy": return of;
      default: return EXTERNAL;
    }
  }
  if (of.name === "str") {
    switch (method) {
      case "split": case "rsplit": case "splitlines": return ext("list", STR);
      case "partition": case "rpartition": return { k: "tuple", items: [STR, STR, STR], rest: undefined };
      default: return STR;
    }
  }
  switch (method) {
    case "pop": case "popleft": case "get_nowait": case "result": case "__next__": case "__enter__": case "__getitem__": case "send":
    // Of a queue, a context variable, a lazy value.
    case "get": return of.args.length > 0 || holdsAny(of) ? first : EXTERNAL;
    case "copy": case "union": case "difference": case "intersection": case "symmetric_difference": case "__iter__": case "__aenter__": return of;
    case "enter_context": case "push": return args.entered(args.at(0));
    case "enter_async_context": return ext("Coroutine", args.entered(args.at(0)));
    case "create_task": case "ensure_future": return ext("Task", args.awaited(args.at(0)));
    case "assertRaises": case "assertRaisesRegex": return raised(args);
    case "run_until_complete": return args.awaited(args.at(0));
    case "submit": case "run_in_executor": return ext("Future", args.call(args.at(method === "submit" ? 0 : 1)));
    case "map": return ext("Iterator", args.call(args.at(0)));
    default: return EXTERNAL;
  }
}

