import { type Hierarchy, MAX_HEIRS, type Place, placeOf, type Side } from "./hierarchy.ts";
import { isCoreType } from "./library.ts";
import { type Given, isModule, mainParts, type Method, type Module, type Program, type Source, type Tables } from "./program.ts";

/** All that decides what is found in a module, and in what is below it. */
interface View extends Tables {
  /** Where methods are looked for. */
  order: Record<Side, readonly Place[]>;
  below: readonly Module[];
  /** The class that all comes from which is inherited, if there is only one. */
  base: Module | undefined;
  /** Something above is of another code base. */
  outsiders: boolean;
  /** The class of lists or tables that it inherits from. */
  list: string | undefined;
  /** What classes have themselves that include it. */
  handedOn: readonly Module[];
  /** Where it is known to stand. */
  stands: string;
}

/** What every module is at one time. */
export type Views = ReadonlyMap<Module, View>;

/** `nameOf` tells a symbol of a file from the others. */
export function viewsOf({ root, modules }: Program, hierarchy: Hierarchy, nameOf: (source: Source, symbol: number) => string): Views {
  return new Map([root, ...modules].map((module): [Module, View] => {
    const { kind, parts, constants, methods, fields, mixins } = module;
    const above = hierarchy.above(module);
    const [first] = above;
    return [module, {
      kind, parts, constants, methods, fields, mixins,
      order: { instance: hierarchy.order(module, "instance"), singleton: hierarchy.order(module, "singleton") },
      below: [...hierarchy.allBelow(module)],
      base: mixins.length === 0 && above.length === 1 && first!.how === "superclass" ? first!.module : undefined,
      outsiders: hierarchy.hasOutsiders(module),
      list: hierarchy.listAbove(module),
      handedOn: hierarchy.ofClasses(module),
      stands: mainParts(module).map(({ source, fact }) => nameOf(source, fact.symbol)).join(" "),
    }];
  }));
}

/** What is found otherwise at another time. */
export class Otherwise {
  /** Methods of these names. */
  readonly methods = new Set<string>();
  /** Constants of these names. */
  readonly constants = new Set<string>();
  /** Modules whose objects have other variables, or whose methods go on elsewhere with `super`. */
  readonly inherited = new Set<Module>();
  /** Modules above which something of another code base comes or goes. */
  readonly outsiders = new Set<Module>();
  /** Modules that stand elsewhere. */
  readonly moved = new Set<Module>();
  /** A module has become a class, or a class a module. */
  turned = false;
  /** A class has become one of lists or tables, or is none any more. */
  lists = false;
  private readonly modules: ReadonlyMap<number, Module>;

  /** `same` tells whether a constant is given the same. */
  constructor(private readonly before: Views, private readonly after: Views, root: Module, same: (old: Given, now: Given) => boolean) {
    const modules = new Set([...before.keys(), ...after.keys()]);
    this.modules = new Map([...modules].map((module) => [module.id, module]));
    for (const module of modules) {
      const [old, now] = [before.get(module) ?? NOTHING, after.get(module) ?? NOTHING];
      for (const side of ["instance", "singleton"] as const) {
        for (const name of differing(old.methods[side], now.methods[side], sameList)) this.methods.add(name);
      }
      for (const name of differing(old.constants, now.constants, (a, b) => a === b || (!isModule(a) && !isModule(b) && same(a, b)))) {
        this.constants.add(name);
        if (module === root && isCoreType(name)) for (const constant of [old.constants.get(name), now.constants.get(name)]) if (isModule(constant)) this.addOrder(constant);
      }
      if (before.has(module) && after.has(module)) this.compare(module, old, now);
      // A guess may lead to the classes that share one above them: where that comes or goes, guesses below it change.
      else for (const one of [...old.below, ...now.below]) this.addOrder(one);
    }
  }

  private compare(module: Module, old: View, now: View): void {
    if (old.kind !== now.kind) this.turned = true;
    for (const side of ["instance", "singleton"] as const) {
      const [less, more] = apart(old.order[side].map(placeOf), now.order[side].map(placeOf));
      if (less.length + more.length > 0) this.inherited.add(module);
      for (const place of less) this.addTables(this.before.get(this.modules.get(place >> 1)!)!);
      for (const place of more) this.addTables(this.after.get(this.modules.get(place >> 1)!)!);
      // What a module's method calls may be what a class has itself, or its objects have, by how that mixes it in.
      if (side === "singleton" && [...less, ...more].some((place) => place % 2 === 0)) this.addOrder(module);
    }
    const [less, more] = apart(old.below, now.below);
    if (less.length + more.length > 0) this.inherited.add(module);
    for (const [views, list] of [[this.before, less], [this.after, more]] as const) {
      for (const one of list) {
        const view = views.get(one)!;
        this.addTables(view);
        // A method of the module may call what such a class mixes in or inherits beside it.
        if (!view.base) this.addOrder(one);
      }
    }
    if ((old.below.length > MAX_HEIRS) !== (now.below.length > MAX_HEIRS)) for (const one of [module, ...old.below, ...now.below]) this.addOrder(one);
    if (old.outsiders !== now.outsiders) this.outsiders.add(module);
    if (old.list !== now.list) this.lists = true;
    if (!sameList(old.handedOn, now.handedOn)) for (const one of [...old.handedOn, ...now.handedOn]) this.addOrder(one);
    if (old.stands !== now.stands) this.moved.add(module);
  }

  /** All that is found in what a module says itself. */
  private addTables({ methods, constants }: Tables): void {
    for (const side of [methods.instance, methods.singleton]) for (const name of side.keys()) this.methods.add(name);
    for (const name of constants.keys()) this.constants.add(name);
  }

  /** All that is found in a module. */
  addOrder(module: Module): void {
    for (const views of [this.before, this.after]) {
      const order = views.get(module)?.order;
      for (const place of [...order?.instance ?? [], ...order?.singleton ?? []]) this.addTables(views.get(place.module)!);
    }
  }
}

const none = <V>(): Record<Side, Map<string, V>> => ({ instance: new Map(), singleton: new Map() });
/** A module that there is not. */
const NOTHING: View = {
  kind: "module", parts: [], constants: new Map(), methods: none<Method[]>(), fields: none<Given[]>(), mixins: [],
  order: { instance: [], singleton: [] }, below: [], base: undefined, outsiders: false, list: undefined, handedOn: [], stands: "",
};

function* differing<V>(old: ReadonlyMap<string, V>, now: ReadonlyMap<string, V>, same: (old: V, now: V) => boolean): Generator<string> {
  for (const [name, value] of old) {
    const other = now.get(name);
    if (other === undefined || !same(value, other)) yield name;
  }
  for (const name of now.keys()) if (!old.has(name)) yield name;
}

function sameList<T>(old: readonly T[], now: readonly T[]): boolean {
  return old.length === now.length && old.every((one, i) => one === now[i]);
}

/** What has to be left out of two lists without anything twice for them to be the same. */
export function apart<T>(old: readonly T[], now: readonly T[]): [old: T[], now: T[]] {
  const [was, is] = [places(old), places(now)];
  const less: T[] = [];
  const more: T[] = [];
  for (let i = 0, k = 0; i < old.length || k < now.length;) {
    const [a, b] = [old[i], now[k]];
    if (i < old.length && a === b) {
      i++;
      k++;
    } else if (i < old.length && (is.get(a!) ?? -1) < k) {
      // It has gone, or is said to stand elsewhere already.
      if (!is.has(a!)) less.push(a!);
      i++;
    } else if (k < now.length && (was.get(b!) ?? -1) < i) {
      if (!was.has(b!)) more.push(b!);
      k++;
    } else if (is.get(a!)! - k > was.get(b!)! - i) {
      less.push(a!);
      i++;
    } else {
      more.push(b!);
      k++;
    }
  }
  return [less, more];
}

function places<T>(list: readonly T[]): Map<T, number> {
  return new Map(list.map((one, i) => [one, i]));
}
