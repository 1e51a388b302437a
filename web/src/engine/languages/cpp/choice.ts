import { spend } from "../../effort.ts";
import { isLibrary } from "./library.ts";
import { GUESS, INFERRED, MAX_POSSIBLE, POSSIBLE, SURE, type Target, UNSEEN } from "./operand.ts";
import type { Function, Program, Source, Space } from "./program.ts";
import { fit, type Type } from "./types.ts";

/** What is defined in more places than there are platforms is no one function. */
const MAX_PLATFORMS = 10;
/** Overloads and definitions beyond so many say nothing about which of them runs. */
const MAX_DEFINITIONS = 200;
/** How well an argument fits that a class makes an object of: less than what the language converts. */
const CONVERTED = 1.5;
/** Of declarations and definitions so many are looked at. */
const MAX_DECLARATIONS = 1_000;

/**
 * Definitions in other files of what a header both declares and defines, as in `#ifdef HAS_LOG void log(); #else inline void log() {} #endif`:
 * one of them is built. What these files include is not asked: they are others than the one that is resolved.
 */
function elsewhere(near: readonly Function[], set: readonly Function[], all: readonly Function[]): Function[] {
  const [first] = near;
  if (!first || first.space.isClass || set.length === near.length || set.length > MAX_PLATFORMS || near.some(({ source }) => source !== first.source)) return [];
  if (!all.some(({ source, fact }) => source === first.source && fact.symbol < 0 && !fact.local && fact.key === first.fact.key)) return [];
  return set.filter((one) => one.source !== first.source && !one.fact.local);
}

/** Which of the functions that a name may mean a call runs. */
export class Choice {
  private readonly derived = new Map<Space, Space[]>();
  /** By class and name: the first methods that classes below have. */
  private readonly below = new Map<Space, Map<string, readonly Function[]>>();

  /** `converts`: whether a class has a constructor that makes an object of a value. */
  constructor(private readonly program: Program, private readonly type: (source: Source, at: number) => Type, private readonly converts: (from: Type, to: Type) => boolean) {
    for (const space of program.classes) {
      for (const base of program.basesOf(space)) {
        const list = this.derived.get(base);
        if (list) list.push(space);
        else this.derived.set(base, [space]);
      }
    }
  }

  /**
   * The definitions that a call means: those that take its arguments, and of several that are the same function the
   * file's own, those that it includes, or the nearest.
   */
  choose(source: Source, functions: readonly Function[], args?: readonly Type[], constant?: boolean): Target[] {
    const { program } = this;
    const reachable: Function[] = [];
    let defined: Function[] = [];
    for (const one of functions) {
      const { source: home, fact } = one;
      spend();
      if (fact.local && !program.sees(source, home.index)) continue;
      if (fact.symbol >= 0 && defined.push(one) > MAX_DEFINITIONS) return [];
      if (fact.symbol >= 0 || reachable.length < MAX_DECLARATIONS) reachable.push(one);
    }
    if (defined.length === 0) return [];
    const overloaded = defined.some(({ source: { data } }) => data.cpp) && defined.length > 1;
    if (overloaded && args) defined = this.fitting(reachable, defined, args);
    const kinds = new Map<string, Function[]>();
    for (const one of defined) {
      const key = overloaded ? one.fact.key : "";
      const same = kinds.get(key);
      if (same) same.push(one);
      else kinds.set(key, [one]);
    }
    // What is declared without a body may have one all the same.
    let sets = [...kinds.values()].map((set) => (set.some(({ fact }) => !fact.pure) ? set.filter(({ fact }) => !fact.pure) : set));
    if (sets.length === 2 && sets[0]![0]!.fact.const !== sets[1]![0]!.fact.const) {
      // One for what may change, one for what may not.
      const [one] = sets.filter(([first]) => first!.fact.const === (constant ?? false));
      if (one) sets = [one];
    }
    const placed = sets.map((set) => this.placed(source, set, reachable));
    if (sets.length === 1) return placed[0]!;
    // Which of the overloads it is, is not known.
    return placed.flat().map((target) => ({ ...target, confidence: Math.min(GUESS, target.confidence) }));
  }

  /** Of one function's definitions those that are meant. */
  private placed(source: Source, set: readonly Function[], all: readonly Function[]): Target[] {
    const { program } = this;
    const near = program.nearest(source, set);
    const [first] = near;
    if (!first) return [];
    const others = first.source === source ? [] : elsewhere(near, set, all);
    if (others.length > 0) return [...near, ...others].map((one) => ({ function: one, confidence: INFERRED }));
    const declared = all.some((one) => program.sees(source, one.source.index)) || first.space.isClass;
    if (near.length === 1) {
      if (declared) return [{ function: first, confidence: SURE }];
      if (isLibrary(first.fact.name)) return [];
      return [{ function: first, confidence: set.length === 1 ? UNSEEN : INFERRED }];
    }
    if (!declared && isLibrary(first.fact.name)) return [];
    // Branches of a condition, or one for each platform: one of them is built.
    const same = near.every((one) => one.source === first.source);
    const confidence = same ? INFERRED : near.length <= MAX_PLATFORMS && declared ? POSSIBLE : GUESS;
    return near.slice(0, MAX_POSSIBLE).map((one) => ({ function: one, confidence }));
  }

  private fitting(all: readonly Function[], defined: Function[], args: readonly Type[]): Function[] {
    // Default values are said where it is declared: how many arguments one of a key has to have, and a declaration of so many parameters.
    const byKey = new Map<string, number>();
    const declared = new Map<number, number>();
    for (const { fact: { key, parameters, required, symbol } } of all) {
      spend();
      byKey.set(key, Math.min(required, byKey.get(key) ?? required));
      if (symbol < 0) declared.set(parameters.length, Math.min(required, declared.get(parameters.length) ?? required));
    }
    const takes = ({ fact: { key, parameters, required, variadic } }: Function): boolean =>
      args.length >= Math.min(required, byKey.get(key) ?? required, declared.get(parameters.length) ?? required) && (variadic || args.length <= parameters.length);
    const byNumber = defined.filter(takes);
    if (byNumber.length === 0) return defined;
    if (byNumber.length === 1) return byNumber;
    const scores = byNumber.map((one) => {
      const fits = args.slice(0, one.fact.parameters.length).map((arg, i) => {
        const parameter = this.type(one.source, one.fact.parameters[i]!);
        const fits = fit(arg, parameter, (space, base) => this.derives(space, base));
        return fits < 1 && this.converts(arg, parameter) ? CONVERTED : fits;
      });
      return fits.includes(0) ? -1 : fits.reduce((sum, each) => sum + each, 0);
    });
    const best = Math.max(...scores);
    return best < 0 ? byNumber : byNumber.filter((_, i) => scores[i] === best);
  }

  private derives(space: Space, base: Space): boolean {
    return this.program.ancestors(space).has(base);
  }

  /** The classes that derive directly from one. */
  heirs(space: Space): readonly Space[] {
    return this.derived.get(space) ?? [];
  }

  // Methods that override

  withOverriding(targets: readonly Target[], functions: readonly Function[], receiver: Space, args: readonly Type[] | undefined): readonly Target[] {
    const [first] = functions;
    if (!first || !this.isVirtual(first)) return targets;
    const { name } = first.fact;
    const known = new Set(targets.map((target) => target.function));
    const overriding: Target[] = [];
    const count = (targets[0]?.function ?? first).fact.parameters.length;
    for (const one of this.methodsBelow(receiver, name)) {
      if (known.has(one) || (args && one.fact.parameters.length !== count)) continue;
      if (overriding.push({ function: one, confidence: POSSIBLE }) > MAX_POSSIBLE) return targets;
    }
    return [...targets, ...overriding];
  }

  private methodsBelow(receiver: Space, name: string): readonly Function[] {
    let byName = this.below.get(receiver);
    if (!byName) this.below.set(receiver, (byName = new Map<string, readonly Function[]>()));
    let methods = byName.get(name);
    if (!methods) byName.set(name, (methods = this.searchBelow(receiver, name)));
    return methods;
  }

  private searchBelow(receiver: Space, name: string): Function[] {
    const methods: Function[] = [];
    const queue = [...(this.derived.get(receiver) ?? [])];
    const met = new Set(queue);
    for (let space = queue.pop(); space; space = queue.pop()) {
      spend();
      for (const one of space.functions.get(name) ?? []) {
        if (one.fact.symbol >= 0 && methods.push(one) === MAX_DECLARATIONS) return methods;
      }
      for (const next of this.derived.get(space) ?? []) {
        if (met.has(next)) continue;
        met.add(next);
        queue.push(next);
      }
    }
    return methods;
  }

  /** Whether a method, or one that it overrides, is declared as virtual. */
  private isVirtual({ fact: { name }, space }: Function): boolean {
    return [space, ...this.program.ancestors(space)].some(({ functions }) => functions.get(name)?.some(({ fact }) => fact.virtual || fact.pure));
  }
}
