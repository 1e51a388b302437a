import type { SymbolRef } from "../../../language.ts";
import type { Checker } from "./checker.ts";
import { find, interfaceMethods, methodNames, type MethodSet, underlying } from "./members.ts";
import { isKnown, keyOf, type Named, type Type } from "./types.ts";

/** What has more implementations than this says nothing about which of them runs. */
const MAX_IMPLEMENTATIONS = 500;
const UNEXPORTED = /^[^\p{Lu}]/u;

/** Which of the repository's types have the methods that an interface asks for. */
export class Implementations {
  /** Types by the names of their methods, promoted ones included. */
  private readonly byMethod = new Map<string, Named[]>();
  private readonly interfaces: Named[] = [];
  private readonly known = new Map<string, Named[]>();

  constructor(private readonly checker: Checker) {
    for (const source of checker.packages.sources) {
      for (const { type } of checker.declared(source)) {
        // A generic type implements nothing before it is instantiated.
        if (type.entity.parameters.length > 0) continue;
        if (underlying(type).kind === "interface") {
          this.interfaces.push(type);
          continue;
        }
        for (const name of methodNames(type)) {
          const list = this.byMethod.get(name);
          if (list) list.push(type);
          else this.byMethod.set(name, [type]);
        }
      }
    }
  }

  /** Every type that implements an interface of the repository. */
  *all(): Iterable<{ type: Named; implemented: Named }> {
    for (const implemented of this.interfaces) {
      for (const type of this.of(implemented)) yield { type, implemented };
    }
  }

  /** The types that implement an interface, named or not. */
  of(type: Type): readonly Named[] {
    const key = keyOf(type);
    let list = this.known.get(key);
    if (!list) {
      list = this.search(type);
      this.known.set(key, list);
    }
    return list;
  }

  /** The methods that a call of an interface's method may run. */
  methodsBehind(type: Type, name: string): SymbolRef[] {
    const all = this.of(type);
    if (all.length > MAX_IMPLEMENTATIONS) return [];
    return all.flatMap((implementation) => {
      const member = find(implementation, name);
      return member?.kind === "method" ? member.refs : [];
    });
  }

  private search(type: Type): Named[] {
    const under = underlying(type);
    if (under.kind !== "interface") return [];
    const set = interfaceMethods(under);
    if (set.constraint || !set.complete || set.methods.size === 0) return [];
    let fewest: readonly Named[] | undefined;
    for (const name of set.methods.keys()) {
      const having = this.byMethod.get(name) ?? [];
      if (!fewest || having.length < fewest.length) fewest = having;
    }
    return (fewest ?? []).filter((candidate) => this.has(candidate, set));
  }

  private has(candidate: Named, { methods }: MethodSet): boolean {
    for (const wanted of methods.values()) {
      const member = find(candidate, wanted.name);
      if (member?.kind !== "method" || !this.sameType(member.type, wanted.type)) return false;
      if (UNEXPORTED.test(wanted.name) && !this.samePackage(member.refs[0], wanted.ref)) return false;
    }
    return true;
  }

  /** Identical, or at least of one shape where a part is not known. */
  private sameType(a: Type, b: Type): boolean {
    if (isKnown(a) && isKnown(b)) return keyOf(a) === keyOf(b);
    return a.kind === "func" && b.kind === "func" && a.parameters.length === b.parameters.length &&
      a.results.length === b.results.length && a.variadic === b.variadic;
  }

  private samePackage(a: SymbolRef | undefined, b: SymbolRef | undefined): boolean {
    const { sources } = this.checker.packages;
    return a !== undefined && b !== undefined && sources[a.file]!.package === sources[b.file]!.package;
  }
}
