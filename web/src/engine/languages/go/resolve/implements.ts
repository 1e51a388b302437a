import { attend, spend } from "../../../effort.ts";
import type { SymbolRef } from "../../../language.ts";
import { type GoFacts, type Offset, Op } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { find, interfaceMethods, methodNames, type MethodSet, underlying } from "./members.ts";
import { isKnown, keyOf, type Named, type Type } from "./types.ts";

const UNEXPORTED = /^[^\p{Lu}]/u;

/** Made of what is no interface and embeds nothing. */
function isPlain(code: readonly number[], at: Offset): boolean {
  switch (code[at]) {
    case Op.Struct:
      for (let field = 0; field < code[at + 1]!; field++) if (code[at + 2 + 3 * field + 2] === 1) return false;
      return true;
    case Op.Func:
    case Op.Map:
    case Op.SliceOf:
    case Op.Array:
    case Op.Chan:
      return true;
    default:
      return false;
  }
}

/** The names of the methods that stand in an interface. */
function asked({ code, strings }: GoFacts, at: Offset): string[] {
  return code[at] === Op.Interface ? Array.from({ length: code[at + 1]! }, (_, i) => strings[code[at + 2 + 3 * i]!]!) : [];
}

/** What has more implementations than this says nothing about which of them runs. */
const MAX_IMPLEMENTATIONS = 100;

/** Which of the repository's types have the methods that an interface asks for. */
export class Implementations {
  /** Types by the names of their methods, promoted ones included. */
  private readonly byMethod = new Map<string, Named[]>();
  /** Interfaces with the names of the methods that stand in them. */
  private readonly interfaces: { type: Named; asks: readonly string[] }[] = [];
  private readonly known = new Map<string, Named[]>();

  constructor(private readonly checker: Checker) {
    for (const source of checker.packages.sources) {
      attend(source.index);
      for (const { type, fact } of checker.declared(source)) {
        // A generic type implements nothing before it is instantiated.
        if (type.entity.parameters.length > 0) continue;
        const plain = isPlain(source.data.code, fact.type);
        if (source.data.code[fact.type] === Op.Interface || (!plain && underlying(type).kind === "interface")) {
          this.interfaces.push({ type, asks: asked(source.data, fact.type) });
          continue;
        }
        // Of what most types are made of nothing has to be worked out: their methods are their own.
        for (const name of plain ? type.entity.methodNames() : methodNames(type)) {
          const list = this.byMethod.get(name);
          if (list) list.push(type);
          else this.byMethod.set(name, [type]);
        }
      }
    }
  }

  /** Every type that implements an interface of the repository; with `only`, those that are declared in these files. */
  *all(only?: ReadonlySet<number>): Iterable<{ type: Named; implemented: Named }> {
    attend();
    const within = (type: Named): boolean => only?.has(type.entity.ref!.file) ?? true;
    const had = only && new Set([...this.byMethod].filter(([, types]) => types.some(within)).map(([name]) => name));
    for (const { type: implemented, asks } of this.interfaces) {
      // Of most interfaces nothing has to be worked out: what stands in them is enough to tell that no type has it.
      if (had && !asks.every((name) => had.has(name))) continue;
      for (const type of only ? this.search(implemented, within) : this.of(implemented)) yield { type, implemented };
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

  /** The methods that a call of an interface's method may run; none when there are too many to tell anything. */
  methodsBehind(type: Type, name: string): SymbolRef[] {
    const implementations = this.of(type);
    if (implementations.length > MAX_IMPLEMENTATIONS) return [];
    return implementations.flatMap((implementation) => {
      const member = find(implementation, name);
      return member?.kind === "method" ? member.refs : [];
    });
  }

  private search(type: Type, within: (candidate: Named) => boolean = () => true): Named[] {
    const under = underlying(type);
    if (under.kind !== "interface") return [];
    const set = interfaceMethods(under);
    if (set.constraint || !set.complete || set.methods.size === 0) return [];
    let fewest: readonly Named[] | undefined;
    for (const name of set.methods.keys()) {
      const having = this.byMethod.get(name) ?? [];
      if (!fewest || having.length < fewest.length) fewest = having;
    }
    return (fewest ?? []).filter((candidate) => within(candidate) && this.has(candidate, set));
  }

  private has(candidate: Named, { methods }: MethodSet): boolean {
    for (const wanted of methods.values()) {
      spend();
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
