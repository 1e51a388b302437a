/** Which methods take the place of one in the classes below. */
import { findMember, functionsOf, isMixing, opOf, ownMember } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import { Op } from "./facts.ts";
import type { Heirs } from "./heirs.ts";
import type { Method } from "./methods.ts";
import type { Callable, Cls } from "./program.ts";
import { overriding } from "./questions.ts";

/** With more overriding methods than this, naming them all says nothing. */
const MAX_OVERRIDES = 24;
const CONSTRUCTS = /^__(?:init|new)__$/;

/** Those of one state of the classes. */
export class Overrides {
  /** What overrides each method that was asked for, in the classes below one. */
  private readonly below = new Map<Cls, Map<Callable, readonly Callable[]>>();
  /** The same of what `super()` of a class found. */
  private readonly behind = new Map<Cls, Map<Callable, readonly Callable[]>>();
  /** What derives from each class that was asked for, and from others. */
  private readonly mixed = new Map<Cls, readonly Cls[]>();

  constructor(private readonly evaluator: Evaluator, private readonly heirs: Heirs, private readonly methods: ReadonlyMap<string, readonly Method[]>) {}

  /** `receiver`: the class of the object, where that is known. */
  of(fn: Callable, receiver: Cls | undefined): readonly Callable[] {
    return isOverridable(fn.name) && fn.owner ? this.replacing(this.below, fn, receiver ?? fn.owner) : [];
  }

  /** Of a method that `super()` of a class found: another class may stand between the two in the order of what inherits from that class. */
  between(fn: Callable, cls: Cls): readonly Callable[] {
    return fn.owner && (isOverridable(fn.name) || CONSTRUCTS.test(fn.name)) ? this.replacing(this.behind, fn, cls) : [];
  }

  /** Methods of a name in the classes that derive from one; none where they are too many. */
  named(name: string, cls: Cls): readonly Callable[] {
    this.evaluator.ask(cls, overriding(name));
    return this.own(name, cls);
  }

  /** What takes the place of a method in the classes that derive from one: their own, or one of a class that stands before in their order. */
  private replacing(all: Map<Cls, Map<Callable, readonly Callable[]>>, fn: Callable, cls: Cls): readonly Callable[] {
    this.evaluator.ask(cls, overriding(fn.name));
    let known = all.get(cls);
    if (!known) all.set(cls, (known = new Map<Callable, readonly Callable[]>()));
    let found = known.get(fn);
    if (!found) known.set(fn, (found = this.methods.get(fn.name)?.length === 1 ? [] : this.evaluator.readBy(undefined, () => this.search(fn, cls, all === this.behind))));
    return found;
  }

  private search(fn: Callable, cls: Cls, isBehind: boolean): readonly Callable[] {
    const own = isBehind ? [] : this.own(fn.name, cls);
    const all = new Set(own);
    for (const heir of this.mixing(cls)) {
      const member = findMember(this.evaluator, heir, fn.name, isBehind ? cls : undefined);
      if (member && "definitions" in member && member.cls !== fn.owner) for (const other of functionsOf(this.evaluator, member)) all.add(other);
    }
    return all.size > MAX_OVERRIDES ? own : [...all];
  }

  private own(name: string, cls: Cls): readonly Callable[] {
    const { program } = this.evaluator;
    const targets: Callable[] = [];
    const methods = this.methods.get(name) ?? [];
    const owners = methods.length < this.heirs.count(cls) ? methods.map(({ path, fn }) => program.fn(program.at(path)!, fn).owner!) : undefined;
    for (const sub of owners ? this.heirs.among(cls, owners) : this.heirs.of(cls)) {
      for (const definition of ownMember(sub, name) ?? []) {
        if (opOf(sub.file, definition) === Op.Function) targets.push(program.fn(sub.file, sub.file.facts.nodes[definition + 1]!));
      }
      if (targets.length > MAX_OVERRIDES) return [];
    }
    return targets;
  }

  private mixing(cls: Cls): readonly Cls[] {
    let known = this.mixed.get(cls);
    if (!known) this.mixed.set(cls, (known = this.heirs.of(cls).filter(isMixing)));
    return known;
  }
}

/** Not what only its own class calls, nor what makes an object. */
function isOverridable(name: string): boolean {
  return !name.startsWith("__") || (name.endsWith("__") && !CONSTRUCTS.test(name));
}
