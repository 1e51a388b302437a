import { RELATION, spend } from "./effort.ts";
import type { Resolved } from "./collector.ts";
import type { Anchor, ParsedFile } from "./relations.ts";

const CLASSES: ReadonlySet<string> = new Set(["Class", "Struct"]);
/** Classes above a class that are looked at. */
const MAX_ABOVE = 100;

/** What a file declares in its classes, and what these extend. */
interface Declared {
  methods: ReadonlyMap<Anchor, ReadonlyMap<string, readonly Anchor[]>>;
  bases: ReadonlyMap<Anchor, readonly Anchor[]>;
}

/** The methods of objects by their class, as files declare them and as EXTENDS relations say. */
export class Members {
  private readonly files: ReadonlyMap<string, ParsedFile>;
  private readonly declared = new Map<string, Declared>();
  private readonly orders = new Map<Anchor, readonly Anchor[]>();
  /** The names of all methods. */
  private readonly names = new Set<string>();

  constructor(files: readonly ParsedFile[], private readonly resolved: ReadonlyMap<string, Resolved>) {
    this.files = new Map(files.map((file) => [file.path, file]));
    for (const { facts } of files) for (const { kind, name } of facts.symbols) if (kind === "Method") this.names.add(name);
  }

  /** Whether any class declares a method of a name. */
  isMethod(name: string): boolean {
    return this.names.has(name);
  }

  isClass({ path, symbol }: Anchor): boolean {
    return CLASSES.has(this.files.get(path)?.facts.symbols[symbol]?.kind ?? "");
  }

  /** A class and all above it, in the order in which a member is looked for: a class comes before what it extends. */
  order(cls: Anchor): readonly Anchor[] {
    const known = this.orders.get(cls);
    if (known) return known;
    const all: Anchor[] = [];
    const visit = (one: Anchor, below: readonly Anchor[]): void => {
      if (all.length >= MAX_ABOVE || below.includes(one)) return;
      all.push(one);
      for (const base of this.of(one).bases.get(one) ?? []) visit(base, [...below, one]);
    };
    visit(cls, []);
    spend(all.length * RELATION);
    const order = all.filter((one, i) => all.lastIndexOf(one) === i);
    this.orders.set(cls, order);
    return order;
  }

  /** The methods of a name that a class declares itself, and that reading the name gives or runs. */
  own(cls: Anchor, name: string): readonly Anchor[] {
    return this.of(cls).methods.get(cls)?.get(name) ?? [];
  }

  private of({ path }: Anchor): Declared {
    let declared = this.declared.get(path);
    if (!declared) this.declared.set(path, (declared = this.read(path)));
    return declared;
  }

  private read(path: string): Declared {
    const methods = new Map<Anchor, Map<string, Anchor[]>>();
    const bases = new Map<Anchor, Anchor[]>();
    const file = this.files.get(path);
    file?.facts.symbols.forEach(({ kind, name, parent, isSetter }, i) => {
      if (kind === "Method" && parent >= 0 && !isSetter) listIn(mapIn(methods, file.symbols[parent]!), name).push(file.symbols[i]!);
    });
    for (const { type, from, to } of this.resolved.get(path)?.relations ?? []) if (type === "EXTENDS") listIn(bases, from).push(to);
    return { methods, bases };
  }
}

function mapIn<K, V>(maps: Map<K, Map<string, V>>, key: K): Map<string, V> {
  let map = maps.get(key);
  if (!map) maps.set(key, (map = new Map<string, V>()));
  return map;
}

function listIn<K, V>(lists: Map<K, V[]>, key: K): V[] {
  let list = lists.get(key);
  if (!list) lists.set(key, (list = []));
  return list;
}
