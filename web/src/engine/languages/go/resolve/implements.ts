import { attend, spend } from "../../../effort.ts";
import type { SymbolRef } from "../../../language.ts";
import { wordOf } from "../../words.ts";
import { behindAt, EMBEDDED, embeddingOf, implementedAt, namelessOf, placeIn } from "./asks.ts";
import type { Checker } from "./checker.ts";
import { find, interfaceMethods, methodNames, type MethodSet, underlying } from "./members.ts";
import type { Source } from "./packages.ts";
import type { Shape, Shapes } from "./shapes.ts";
import { type Entity, type InterfaceMethod, keyOf, type Named, type Type, type TypeParameter, UNEXPORTED } from "./types.ts";
import { Unification } from "./unify.ts";

/** What has more implementations than this says nothing about which of them runs. */
const MAX_IMPLEMENTATIONS = 100;
/** A type that implements more interfaces than this is told by the first of them. Of honest code bases hugo has one with 88. */
const MAX_IMPLEMENTED = 250;

/** A type embeds another through so many. */
const MAX_EMBEDDED = 4;

/** What an interface asks for. */
interface Demand extends MethodSet {
  /** The type parameter that the interface constrains, if it does: what implements the interface is an argument for it. */
  of: TypeParameter | undefined;
}

/**
 * Which of the repository's types have the methods that an interface asks for. A call may run the methods of a generic type when one of its
 * instances implements the interface, or an instance of it; IMPLEMENTS says that all of its instances do.
 */
export class Implementations {
  private readonly known = new Map<string, readonly Named[]>();
  private readonly heirs = new Map<Entity, readonly Named[]>();
  private readonly implementers = new Map<Shape, Named | undefined>();

  constructor(private readonly checker: Checker, private readonly shapes: Shapes) {}

  /** Every type of these files that implements an interface of the repository; `some` when they are not all. */
  *all(sources: readonly Source[], some: boolean): Iterable<{ type: Named; implemented: Named }> {
    attend();
    for (const source of sources) for (const { name } of source.data.types) this.checker.asks.one(source, implementedAt(placeIn(source.package.place, name)));
    const files = some ? new Set(sources.map(({ index }) => index)) : undefined;
    const had = files && this.had(files);
    const counts = new Map<Named, number>();
    let at = -1;
    for (const shape of this.shapes.all) {
      if (shape.file !== at) attend((at = shape.file));
      // Of most interfaces nothing has to be worked out: what stands in them is enough to tell that no type has it.
      if (!this.shapes.mayAsk(shape) || (had && !this.shapes.certain(shape).every((name) => had.has(name)))) continue;
      const implemented = this.declared(shape);
      const demand = implemented && this.asked(implemented);
      // No type implements a constraint, nor, for certain, an interface that is not known as a whole.
      if (!implemented || !demand?.complete || demand.lists.length > 0) continue;
      for (const type of this.candidates(demand, files)) {
        const count = counts.get(type) ?? 0;
        if (count >= MAX_IMPLEMENTED || !this.surelyHas(type, demand)) continue;
        counts.set(type, count + 1);
        yield { type, implemented };
      }
    }
  }

  /** The names of all methods of these files' types. */
  private had(files: ReadonlySet<number>): ReadonlySet<string> {
    const names = new Set<string>();
    for (const shape of this.shapes.all) {
      const type = files.has(shape.file) ? this.implementer(shape) : undefined;
      if (type) for (const name of methodNames(type)) names.add(name);
    }
    return names;
  }

  /** The methods that a call of an interface's method may run; none when there are too many to tell anything. */
  methodsBehind(source: Source, type: Type, name: string): SymbolRef[] {
    this.checker.asks.all(source, this.asks(type));
    const implementations = this.of(type);
    if (implementations.length > MAX_IMPLEMENTATIONS) return [];
    return implementations.flatMap((implementation) => {
      const member = find(implementation, name);
      return member?.kind === "method" ? member.refs : [];
    });
  }

  /** The methods of the types that embed one from outside the repository, and so implement it where that is an interface. */
  methodsEmbedding(source: Source, type: Named, name: string): SymbolRef[] {
    this.checker.asks.one(source, wordOf(embeddingOf(type.entity.name)));
    const heirs = this.embedding(type);
    if (heirs.length > 0) this.checker.asks.one(source, wordOf(namelessOf(name)));
    return heirs.flatMap((heir) => {
      const member = find(heir, name);
      return member?.kind === "method" ? member.refs : [];
    });
  }

  /** None where there are too many to tell anything. */
  private embedding({ entity }: Named): readonly Named[] {
    let list = this.heirs.get(entity);
    if (!list) {
      const found = this.shapes.heirsOf(entity.name).flatMap((shape) => this.implementer(shape) ?? []).filter((heir) => embeds(heir, entity, 0));
      this.heirs.set(entity, (list = found.length > MAX_IMPLEMENTATIONS ? [] : found));
    }
    return list;
  }

  /** What is asked for with the types that implement an interface. */
  private asks(type: Type): readonly number[] {
    const under = underlying(type);
    if (under.kind !== "interface") return [];
    if (under.of !== undefined) return [behindAt(under.of)];
    const { methods, places } = interfaceMethods(under);
    return [...[...places].map(behindAt), ...[...methods.keys(), EMBEDDED].map((method) => wordOf(namelessOf(method)))];
  }

  /** The types that implement an interface, named or not; of too many the first. */
  private of(type: Type): readonly Named[] {
    const key = keyOf(type);
    let list = this.known.get(key);
    if (!list) this.known.set(key, (list = this.search(type)));
    return list;
  }

  private search(type: Type): readonly Named[] {
    const found: Named[] = [];
    const demand = this.asked(type);
    if (!demand) return found;
    for (const candidate of this.candidates(demand)) {
      if (this.mayHave(candidate, demand)) found.push(candidate);
      if (found.length > MAX_IMPLEMENTATIONS) break;
    }
    return found;
  }

  private asked(type: Type): Demand | undefined {
    const under = underlying(type);
    if (under.kind !== "interface") return undefined;
    const set = interfaceMethods(under);
    return set.methods.size === 0 ? undefined : { ...set, of: type.kind === "parameter" ? type : undefined };
  }

  /** The types of these files, or of all, that may have all of these methods, in the order in which they are declared. */
  private *candidates({ methods }: Demand, files?: ReadonlySet<number>): Iterable<Named> {
    let fewest: ReadonlySet<Shape> | undefined;
    for (const name of methods.keys()) {
      const having = this.shapes.having(name);
      if (!fewest || having.size < fewest.size) fewest = having;
    }
    if (!fewest) return;
    // Most are passed over, which costs little.
    spend(fewest.size / 100);
    for (const shape of fewest) {
      if (files && !files.has(shape.file)) continue;
      const type = this.implementer(shape);
      if (type) yield type;
    }
  }

  private implementer(shape: Shape): Named | undefined {
    if (!this.implementers.has(shape)) {
      const type = this.declared(shape);
      const kind = type && underlying(type).kind;
      // An interface is asked for, and a type made of a pointer has no methods.
      this.implementers.set(shape, kind === "interface" || kind === "pointer" ? undefined : type);
    }
    return this.implementers.get(shape);
  }

  /** A type of a package; a generic one with its own parameters as arguments. */
  private declared({ file, index }: Shape): Named | undefined {
    const source = this.checker.packages.sources[file]!;
    const { symbol, alias } = source.data.types[index]!;
    if (symbol < 0 || alias) return undefined;
    const type = this.checker.declaredType(source, index);
    const { entity } = type;
    return entity.parameters.length === 0 ? type : { kind: "named", entity, args: entity.parameters };
  }

  /** Whether some instance of a type has what some instance of an interface asks for. */
  private mayHave(candidate: Named, demand: Demand): boolean {
    const fits = (argument: Type): boolean => {
      const unification = new Unification(() => false);
      return (!demand.of || unification.same(demand.of, argument)) && this.has(candidate, demand, unification) && unification.isAllowed();
    };
    if (!demand.of) return demand.lists.length === 0 && fits(candidate);
    return fits(candidate) || fits({ kind: "pointer", element: candidate });
  }

  /** Whether every instance of a type has what some instance of an interface asks for. */
  private surelyHas(candidate: Named, demand: Demand): boolean {
    const unification = new Unification((parameter) => candidate.args.includes(parameter));
    return this.has(candidate, demand, unification) && unification.isSatisfied();
  }

  private has(candidate: Named, { methods }: Demand, unification: Unification): boolean {
    for (const wanted of methods.values()) {
      spend();
      const member = find(candidate, wanted.name);
      if (member?.kind !== "method" || !unification.same(member.type, wanted.type)) return false;
      if (UNEXPORTED.test(wanted.name) && !this.samePackage(member.refs[0], wanted)) return false;
    }
    return true;
  }

  private samePackage(method: SymbolRef | undefined, { ref, home }: InterfaceMethod): boolean {
    const { sources } = this.checker.packages;
    if (!method) return false;
    const own = sources[method.file]!.package;
    return ref ? own === sources[ref.file]!.package : own.place === home;
  }
}

/** Whether a struct has a type's methods by embedding: not a pointer to it, which no interface has. */
function embeds(heir: Type, entity: Entity, depth: number): boolean {
  const under = depth < MAX_EMBEDDED ? underlying(heir) : undefined;
  if (under?.kind !== "struct") return false;
  return under.fields.some(({ type, embedded }) => {
    if (!embedded) return false;
    spend();
    return type.kind === "named" && type.entity === entity || embeds(type.kind === "pointer" ? type.element : type, entity, depth + 1);
  });
}
