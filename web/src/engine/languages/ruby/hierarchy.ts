import { spend } from "../../effort.ts";
import { type Offset, Op } from "./facts.ts";
import { isCoreClass } from "./library.ts";
import { isModule, type Given, type Method, type Mixin, type Module, type Part, type Program, type Source } from "./program.ts";
import { core, type Type } from "./types.ts";

/** Ancestors beyond so many are not asked, nor such that so many stand between: each class keeps a list of its own. */
const MAX_PLACES = 200;
/** What is so many steps below is not looked at: each class keeps what is below it. */
const MAX_STEPS_BELOW = 100;
/** Methods that may run where any below may: of more each is only a guess. */
export const MAX_BELOW = 8;
/** Ruby's own classes of lists and tables. */
const LISTS = new Set(["Array", "Hash", "Set"]);
/** What is called on an object tells its class, unless more than so many are below that. */
export const MAX_HEIRS = 24;
/** More than this say nothing. */
const MAX_GUESSED = 100;

export type Side = "instance" | "singleton";

/** Where methods are looked for, in order. */
export interface Place {
  module: Module;
  side: Side;
}

/** A number for a place. */
export function placeOf({ module, side }: Place): number {
  return 2 * module.id + (side === "instance" ? 0 : 1);
}

/** Methods by the name that they are looked for by. */
type Named = Map<string, readonly Method[]>;

/** What is above a module, or mixed into it: a superclass or module of the code base, with what says so. */
export interface Above {
  module: Module;
  how: "superclass" | "include" | "prepend" | "extend";
  /** What says so; undefined where it comes with what another one says. */
  said: Part | Mixin | undefined;
}

/** Ancestors, by Ruby's order, and what constants mean. */
export class Hierarchy {
  private readonly aboves = new Map<Module, Above[]>();
  private readonly places = new Map<Module, Record<Side, Place[] | undefined>>();
  private readonly found = new Map<Module, Record<Side, Named>>();
  private readonly declaredBelow = new Map<Module, Record<Side, Named>>();
  private readonly inheritedBelow = new Map<Module, Record<Side, Named>>();
  private readonly outsiders = new Set<Module>();
  private readonly withOutsiders = new Map<Module, boolean>();
  /** All is known that is above modules: what is looked for from here on is always answered alike, and kept. */
  private settled = false;
  private users: Map<Module, Module[]> | undefined;
  /** Modules that hooks include, with those that these hooks extend the class with. */
  private together: Map<Module, Module[]> | undefined;
  private readonly descendants = new Map<Module, ReadonlySet<Module>>();
  private readonly constants: Map<string, Module | Given | undefined>[];
  private readonly working = new Set<Module>();
  /** Orders that are being worked out, each for the one before. */
  private readonly ordering = new Set<readonly Place[]>();
  /** Something is above itself, or too much above one thing: what is looked for where depends on which of those was asked for first. */
  circular = false;

  constructor(private readonly program: Program, public typeAt: (source: Source, at: Offset) => Type) {
    this.constants = program.sources.map(() => new Map<string, Module | Given | undefined>());
  }

  /** Gives modules what is done to them from elsewhere: `def Name.method`, `Name.include Other`. Once, before any question. */
  settle(): void {
    for (const method of this.program.methodsOfOthers) {
      const type = this.typeAt(method.source, method.fact.of!);
      if (type.kind === "class") this.program.own(method, type.module);
    }
    for (const source of this.program.sources) {
      for (const fact of source.data.mixins) {
        if (fact.target === 0) continue;
        const target = this.typeAt(source, fact.target);
        if (target.kind === "class") target.module.mixins.push({ source, fact });
      }
    }
    this.below(this.program.root);
    // From here on nothing that code does decides where methods are looked for.
    for (const module of this.program.modules) {
      this.handedOn(module);
      this.includedWith(module);
    }
    this.settled = true;
  }

  /** What a name means in a scope: what is around it, then what the innermost class inherits, then the top level. */
  constant(source: Source, scope: number, name: string): Module | Given | undefined {
    const memo = this.constants[source.index]!;
    const key = `${scope} ${name}`;
    if (memo.has(key)) return memo.get(key);
    let found: Module | Given | undefined;
    for (let at = scope; at > 0 && !found; at = source.data.scopes[at]!.parent) found = this.program.moduleOf(source, at).constants.get(name);
    const inner = this.program.moduleOf(source, scope);
    if (!found && inner !== this.program.root) {
      // Superclasses are looked for while ancestors are not known yet: such an answer is not kept.
      if (this.working.size > 0) return this.inheritedSoFar(inner, name) ?? this.program.root.constants.get(name);
      found = this.inherited(inner, name);
    }
    // A file may include a module at the top level, for all of them.
    found ??= this.program.root.constants.get(name) ?? (this.working.size > 0 ? undefined : this.inherited(this.program.root, name));
    if (!found && this.working.size > 0) return undefined;
    memo.set(key, found);
    return found;
  }

  /** A constant that a module inherits, asked for while superclasses and mixins are still being resolved. */
  private inheritedSoFar(module: Module, name: string): Module | Given | undefined {
    // What a class names for itself is looked for around it.
    if (module === [...this.working].at(-1)) return undefined;
    const seen = new Set<Module>();
    const open = [module];
    for (let next = open.pop(); next && seen.size < MAX_PLACES; next = open.pop()) {
      spend();
      if (seen.has(next)) continue;
      seen.add(next);
      if (this.working.has(next)) {
        this.circular = true;
        return undefined;
      }
      const found = next.constants.get(name);
      if (found) return found;
      // The superclass last, so that modules come first.
      const above = this.above(next).filter(({ how }) => how !== "extend");
      open.push(...above.filter(({ how }) => how === "superclass").slice(0, 1).map((one) => one.module), ...above.filter(({ how }) => how !== "superclass").map((one) => one.module));
    }
    return undefined;
  }

  /** A constant of the top level. */
  top(name: string): Module | Given | undefined {
    return this.program.root.constants.get(name);
  }

  /** A constant of a module itself or of what it inherits. */
  inherited(module: Module, name: string): Module | Given | undefined {
    for (const place of this.order(module, "instance")) {
      const found = place.module.constants.get(name);
      if (found) return found;
    }
    return undefined;
  }

  /** What a module says that it inherits and mixes in. */
  above(module: Module): readonly Above[] {
    const known = this.aboves.get(module);
    if (known) return known;
    const list: Above[] = [];
    this.aboves.set(module, list);
    this.working.add(module);
    const addAbove = (how: Above["how"], said: Part | Mixin, value: Offset): void => {
      const type = this.typeAt(said.source, value);
      if (type.kind === "class" && type.module !== module) list.push({ module: type.module, how, said });
      else if (type.kind !== "class" && !(type.kind === "outside" && isCoreClass(type.name))) this.outsiders.add(module);
    };
    for (const part of module.parts) {
      if (part.fact.superclass) addAbove("superclass", part, part.fact.superclass);
    }
    for (const mixin of module.mixins) {
      const { fact } = mixin;
      if (fact.hooked) continue;
      const before = list.length;
      addAbove(fact.how, mixin, fact.value);
      if (fact.how === "extend") continue;
      for (const { module: mixed } of list.slice(before)) {
        this.addHandedOn(mixed, list, new Set([module]));
      }
    }
    this.working.delete(module);
    return list;
  }

  /** Adds what comes with a module to the classes that include it, and in turn with what is included so. */
  private addHandedOn(mixed: Module, list: Above[], seen: Set<Module>): void {
    for (const one of this.handedOn(mixed)) list.push({ module: one, how: "extend", said: undefined });
    for (const one of this.includedWith(mixed)) {
      if (seen.has(one) || list.length > MAX_PLACES) continue;
      seen.add(one);
      list.push({ module: one, how: "include", said: undefined });
      this.addHandedOn(one, list, seen);
    }
  }

  /** Modules that extend the classes which include a module: by its hook, or by the habit to call one ClassMethods. */
  handedOn(module: Module): Module[] {
    const own = module.constants.get("ClassMethods");
    const all = [...(isModule(own) ? [own] : []), ...this.hooked(module, true)];
    return [...new Set(all)].filter((one) => one !== module);
  }

  /** Modules that the hook of a module includes in the classes which include it. */
  includedWith(module: Module): Module[] {
    return [...new Set(this.hooked(module, false))].filter((one) => one !== module);
  }

  /** Modules of the classes themselves whose objects have a module: what that brings, and what a hook that includes it extends them with. */
  ofClasses(module: Module): Module[] {
    const together = this.together ?? this.broughtTogether();
    if (this.settled) this.together = together;
    return [...new Set([...this.handedOn(module), ...together.get(module) ?? []])].filter((one) => one !== module);
  }

  private broughtTogether(): Map<Module, Module[]> {
    const together = new Map<Module, Module[]>();
    for (const one of this.program.modules) {
      const extending = this.handedOn(one);
      for (const included of extending.length > 0 ? this.includedWith(one) : []) together.set(included, [...together.get(included) ?? [], ...extending]);
    }
    return together;
  }

  private hooked(module: Module, extending: boolean): Module[] {
    return module.mixins.flatMap(({ source, fact }) => {
      const type = fact.hooked && (fact.how === "extend") === extending ? this.typeAt(source, fact.value) : undefined;
      return type?.kind === "class" ? [type.module] : [];
    });
  }

  /** `extend self`: the module's methods are its own, too. */
  private extendsItself(module: Module): boolean {
    return module.mixins.some(({ source, fact }) => {
      if (fact.how !== "extend" || fact.hooked) return false;
      const type = this.typeAt(source, fact.value);
      return type.kind === "class" && type.module === module;
    });
  }

  /** Where methods of its objects, or its own, are looked for. */
  order(module: Module, side: Side): readonly Place[] {
    let known = this.places.get(module);
    if (!known) this.places.set(module, (known = { instance: undefined, singleton: undefined }));
    const done = known[side];
    if (done) {
      if (this.ordering.has(done)) this.circular = true;
      return done;
    }
    const own: Place = { module, side };
    const alone = [own];
    if (this.ordering.size >= MAX_PLACES) {
      this.circular = true;
      return alone;
    }
    known[side] = alone; // while it is worked out: a cycle ends here
    this.ordering.add(alone);
    const all = this.above(module);
    const of = (how: Above["how"]): Module[] => all.filter((one) => one.how === how).map((one) => one.module);
    const places: Place[] = [];
    if (side === "instance") {
      for (const one of of("prepend").reverse()) places.push(...this.order(one, "instance"));
      places.push(own);
      for (const one of of("include").reverse()) places.push(...this.order(one, "instance"));
      for (const one of of("superclass").slice(0, 1)) places.push(...this.order(one, "instance"));
    } else {
      places.push(own);
      if (this.extendsItself(module)) places.push(...this.order(module, "instance"));
      for (const one of of("extend").reverse()) places.push(...this.order(one, "instance"));
      for (const one of all) {
        if ((one.how === "include" || one.how === "prepend") && one.module.parts.some(({ fact }) => fact.classMethods)) places.push({ module: one.module, side: "singleton" });
      }
      for (const one of of("superclass").slice(0, 1)) places.push(...this.order(one, "singleton"));
    }
    const seen = new Set<number>();
    spend(places.length);
    const unique = places.filter((place) => {
      const key = placeOf(place);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
    this.ordering.delete(alone);
    known[side] = unique.slice(0, MAX_PLACES);
    return known[side];
  }

  /** Whether something above is of another code base, so that methods may come from there. */
  hasOutsiders(module: Module): boolean {
    const known = this.withOutsiders.get(module);
    if (known !== undefined) return known;
    const found = this.order(module, "instance").some((place) => {
      this.above(place.module);
      return this.outsiders.has(place.module);
    });
    if (this.settled) this.withOutsiders.set(module, found);
    return found;
  }

  /** The name of Ruby's own class of lists or tables that a class inherits from, if it does. */
  listAbove(module: Module): string | undefined {
    for (const { module: above } of this.order(module, "instance")) {
      for (const { source: { data: { code, strings } }, fact: { superclass } } of above.parts) {
        const name = code[superclass] === Op.Constant || code[superclass] === Op.Top ? strings[code[superclass + 1]!]! : "";
        if (LISTS.has(name)) return name;
      }
    }
    return undefined;
  }

  /** Other methods have these names now. */
  forget(names: ReadonlySet<string>): void {
    for (const memo of [this.found, this.declaredBelow, this.inheritedBelow]) {
      for (const { instance, singleton } of memo.values()) {
        for (const name of names) {
          instance.delete(name);
          singleton.delete(name);
        }
      }
    }
  }

  /** The methods that a name means: all definitions in the first place that has one. */
  find(module: Module, side: Side, name: string): readonly Method[] {
    // Most names that are called are those of methods outside.
    return this.program.methodNames.has(name) ? this.kept(this.found, module, side, name, () => this.search(module, side, name)) : [];
  }

  /** Like `find`, from the place after `after` on if it is given; keeps nothing. */
  search(module: Module, side: Side, name: string, after?: Module): readonly Method[] {
    if (!this.program.methodNames.has(name)) return [];
    let open = after === undefined;
    for (const place of this.order(module, side)) {
      spend();
      if (open) {
        const found = place.module.methods[place.side].get(name);
        if (found) return found;
      } else if (place.module === after) {
        open = true;
      }
    }
    return [];
  }

  /** The answer to a question about a name, worked out once. */
  private kept(memo: Map<Module, Record<Side, Named>>, module: Module, side: Side, name: string, work: () => readonly Method[]): readonly Method[] {
    if (!this.settled) return work();
    let sides = memo.get(module);
    if (!sides) memo.set(module, (sides = { instance: new Map(), singleton: new Map() }));
    const known = sides[side].get(name);
    if (known) return known;
    const methods = work();
    sides[side].set(name, methods);
    return methods;
  }

  /** Methods of that name, none of them a test's, that what is below declares or mixes in; undefined when they are more than MAX_GUESSED. */
  declaredIn(module: Module, side: Side, name: string): readonly Method[] | undefined {
    const inherited = this.search(module, side, name);
    return this.ofBelow(this.declaredBelow, module, side, name, (one) => this.sidesOf(one, module, side).flatMap((which) => {
      const declared = one.methods[which].get(name);
      if (declared || one.mixins.length === 0) return declared ?? [];
      return this.search(one, which, name).filter((method) => !inherited.includes(method) && method.owner?.kind === "module");
    }));
  }

  /** Methods of that name, none of them a test's, that what is below declares or inherits; undefined when they are more than MAX_GUESSED. */
  inheritedIn(module: Module, side: Side, name: string): readonly Method[] | undefined {
    const below = this.allBelow(module);
    return this.ofBelow(this.inheritedBelow, module, side, name, (one) => {
      return this.sidesOf(one, module, side).flatMap((which) => (!one.methods[which].has(name) && this.inheritsOnlyFrom(one, below) ? [] : this.search(one, which, name)));
    });
  }

  /** The sides of what is below on which it has what a module has on one: its own, too, where it is extended with that. */
  sidesOf(one: Module, module: Module, side: Side): readonly Side[] {
    return side === "instance" && this.isExtendedBy(one, module) ? ["instance", "singleton"] : [side];
  }

  /** Whether a class has itself what a module gives to objects. */
  isExtendedBy(one: Module, module: Module): boolean {
    return module.kind === "module" && this.order(one, "singleton").some((place) => place.module === module && place.side === "instance");
  }

  /** Whether all that a class inherits comes from a superclass in `those`: it has nothing more to tell than that one. */
  inheritsOnlyFrom(module: Module, those: ReadonlySet<Module>): boolean {
    const [first, ...more] = module.mixins.length > 0 ? [] : this.above(module);
    return first !== undefined && more.length === 0 && first.how === "superclass" && those.has(first.module);
  }

  private ofBelow(memo: Map<Module, Record<Side, Named>>, module: Module, side: Side, name: string, of: (one: Module) => readonly Method[]): readonly Method[] | undefined {
    if (!this.program.methodNames.get(name)) return [];
    const methods = this.kept(memo, module, side, name, () => {
      const found = new Set<Method>();
      for (const one of this.allBelow(module)) {
        for (const method of of(one)) if (!method.source.test) found.add(method);
        if (found.size > MAX_GUESSED) break;
      }
      return [...found];
    });
    return methods.length > MAX_GUESSED ? undefined : methods;
  }

  /** Classes and modules directly below: subclasses, and those that mix it in. */
  below(module: Module): readonly Module[] {
    if (!this.users) {
      this.users = new Map();
      for (const one of this.program.modules) {
        for (const { module: above } of this.above(one)) {
          const list = this.users.get(above);
          if (!list) this.users.set(above, [one]);
          else if (list.at(-1) !== one) list.push(one);
        }
      }
    }
    return this.users.get(module) ?? [];
  }

  /** All that is below, at any depth. */
  allBelow(module: Module): ReadonlySet<Module> {
    const known = this.descendants.get(module);
    if (known) return known;
    const all = new Set<Module>();
    this.descendants.set(module, all);
    const open = [{ at: module, steps: 0 }];
    for (let next = open.pop(); next; next = open.pop()) {
      spend();
      if (next.steps >= MAX_STEPS_BELOW) continue;
      for (const one of this.below(next.at)) {
        if (one === module || all.has(one)) continue;
        all.add(one);
        open.push({ at: one, steps: next.steps + 1 });
      }
    }
    return all;
  }

  /** The class that the code base opens of Ruby's own, where it does (`class String`). */
  reopened(name: string): Module[] {
    return [name, "Object", "Kernel", "Comparable", "Enumerable"].flatMap((one) => {
      const module = this.program.root.constants.get(one);
      return isModule(module) ? [module] : [];
    });
  }
}

/** What `self` is in a file. */
export const MAIN = core("main");
