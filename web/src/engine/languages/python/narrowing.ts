import { inherits } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import { SURE } from "./evaluate.ts";
import { classNameOf } from "./externals.ts";
import type { Type } from "./types.ts";
import { classOf, ext, instanceOf, itemsOf, union, UNKNOWN } from "./types.ts";

/** What `isinstance(x, classes)` leaves of a type; mode 1: it holds, 0: it doesn't, 2: `issubclass` holds. */
export function narrowed(e: Evaluator, type: Type, classes: Type, mode: number): Type {
  const wanted = instancesOf(classes);
  if (wanted.length === 0) return type;
  if (mode === 0) {
    const left = itemsOf(type).filter((t) => !wanted.some((w) => fits(e, t, w) === "is"));
    return left.length > 0 ? union(left) : UNKNOWN;
  }
  e.weaken(SURE.declared);
  if (mode === 2) return union(wanted.map(classOf));
  const kept: Type[] = [];
  for (const item of itemsOf(type)) {
    for (const want of wanted) {
      const fit = fits(e, item, want);
      if (fit === "is") kept.push(item);
      else if (fit === "may") kept.push(want.k === "ext" && CALLED.has(want.name) ? item : want);
    }
  }
  return kept.length > 0 ? union(kept) : union(wanted);
}

function instancesOf(classes: Type): Type[] {
  switch (classes.k) {
    case "tuple": return [...classes.items, ...(classes.rest ? [classes.rest] : [])].flatMap(instancesOf);
    case "union": return classes.items.flatMap(instancesOf);
    case "class": case "var": return [instanceOf(classes)];
    case "extobj": return [ext(classNameOf(classes.name))];
    default: return [];
  }
}

/** Whether an item is an instance of what is wanted: it is, it may be (then it is the wanted), or it can't be. */
function fits(e: Evaluator, item: Type, want: Type): "is" | "may" | "not" {
  if (item.k === "var") return item.bound.k === "unknown" ? "may" : fits(e, item.bound, want);
  if (item.k === "unknown") return "may";
  if (item.k === "none") return "not";
  if (item.k === "inst") {
    if (want.k === "inst") return inherits(e, item.cls, want.cls) ? "is" : inherits(e, want.cls, item.cls) ? "may" : "not";
    return want.k === "ext" && inherits(e, item.cls, want.name) ? "is" : "not";
  }
  if (item.k === "tuple") return want.k === "ext" && want.name === "tuple" ? "is" : "not";
  if (item.k === "ext") {
    if (want.k === "ext") return item.name === want.name ? "is" : item.name === "?" || item.name === "object" ? "may" : BROAD.has(item.name) && item.args.length > 0 ? "is" : "not";
    // A class of the repository may inherit from anything but the plain builtin values.
    return /^(str|int|float|bool|bytes|list|dict|set|tuple)$/.test(item.name) ? "not" : "may";
  }
  return want.k === "ext" && item.k === "class" && want.name === "type" ? "is" : "not";
}

/** What is an instance of these is called: what that runs is as open as it was. */
const CALLED = new Set(["type", "Callable"]);

/** External classes that lists, dicts and sets are instances of. */
const BROAD = new Set(["Iterable", "Sequence", "Collection", "Mapping", "MutableMapping", "MutableSequence", "Iterator", "Set", "AbstractSet", "MutableSet"]);
