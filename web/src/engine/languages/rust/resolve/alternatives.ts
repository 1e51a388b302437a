/**
 * Names with several meanings. In one module the language allows a name once, so two declarations or uses of it stand under conditions
 * (`#[cfg(unix)]`, `#[cfg(windows)]`) that exclude each other, and each is meant in its own build.
 */
import type { TypeFact } from "../facts.ts";
import type { Declaration, Module, Named, Source, Space, Value } from "./program.ts";

/** The chance that one of several alternatives is meant. */
export const ALTERNATIVE = 0.8;
/** Of more than these the first ones stand for all. */
export const MAX_ALTERNATIVES = 10;

/** What a name means of which each of these is a meaning. What is not of the repository counts where nothing else does. */
export function joined(all: readonly (Named | undefined)[]): Named | undefined {
  const found: Named[] = [];
  for (const one of all) {
    if (!one || one.kind === "foreign") continue;
    for (const meaning of one.others ? [one, ...one.others] : [one]) if (found.length < MAX_ALTERNATIVES && !found.some((known) => isSame(known, meaning))) found.push(meaning);
  }
  const [first, ...others] = found;
  if (!first) return all.find((one) => one !== undefined);
  if (others.length === 0) return first.others ? { ...first, others: NONE } : first;
  if (first.kind !== "values") return { ...first, others };
  const values = new Set<Value>(found.flatMap((one) => (one.kind === "values" ? one.values : [])));
  return { kind: "values", values: [...values] };
}

const NONE: readonly Named[] = [];

function isSame(a: Named, b: Named): boolean {
  if (a.kind === "module") return b.kind === "module" && a.module === b.module;
  if (a.kind === "values") return b.kind === "values" && a.values[0] === b.values[0];
  if (a.kind === "variant") return b.kind === "variant" && a.declaration === b.declaration && a.name === b.name;
  return a.kind === "type" && b.kind === "type" && a.declaration === b.declaration;
}

/** Adds one of several types or modules of a name, each under its own condition. */
export function addType(module: Module, name: string, one: Module | Declaration): void {
  const first = module.types.get(name);
  if (!first) module.types.set(name, one);
  else if (first !== one) {
    module.more ??= new Map<string, (Module | Declaration)[]>();
    module.more.set(name, [...module.more.get(name) ?? [], one].slice(0, MAX_ALTERNATIVES));
  }
}

/** What a declaration is in the namespace of types, or in that of values: a tuple struct is a function, too. */
export function declaredAs(one: Module | Declaration, space: Space): Named | undefined {
  if (!isDeclaration(one)) return space === "types" ? { kind: "module", module: one } : undefined;
  return space === "types" || mayBeValue(one.fact) ? { kind: "type", declaration: one } : undefined;
}

/** Whether a module may take a name from another one: what that exports, and all of a module around it. */
export function isSeen(from: Module, name: string, by: Module): boolean {
  for (let at: Module | undefined = by; at; at = at.parent) if (at === from) return true;
  const isExported = (source: Source, symbol: number): boolean => source.symbols[symbol]?.exported ?? false;
  const type = from.types.get(name);
  return (type !== undefined && isDeclaration(type) && isExported(type.source, type.fact.symbol))
    || (from.uses?.get(name) ?? []).some(({ exported }) => exported)
    || (from.values.get(name) ?? []).some((value) => (value.kind === "function" ? isExported(value.func.source, value.func.fact.symbol) : isExported(value.source, value.fact.symbol)));
}

/** A struct without named fields is a function or a constant, too. */
function mayBeValue({ kind, fields: [first] }: TypeFact): boolean {
  return kind === "struct" && (!first || first.name === "0");
}

export function isDeclaration(one: Module | Declaration): one is Declaration {
  return "module" in one;
}
