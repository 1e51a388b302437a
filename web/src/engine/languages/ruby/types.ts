import { spend } from "../../effort.ts";
import { Sizes } from "../size.ts";
import type { Module } from "./program.ts";

/** An object of a class, or a class or module itself. */
export interface ModuleType {
  kind: "object" | "class";
  module: Module;
  /** It is what `self` is: the receiver, which may be of a class below. */
  self?: boolean;
  /** It may be an object of a subclass: it was `self` somewhere, or all that is known of it is `is_a?` or the like. */
  below?: boolean;
}

export interface CoreType {
  kind: "core";
  /** A class of Ruby's own, or of another code base ("?" when it is not known which). */
  name: string;
  /** What an array, hash or the like holds. */
  element?: Type;
  /** What a hash holds under symbols that are known. */
  entries?: ReadonlyMap<string, Type>;
  /** What a symbol or text is one of, as far as that is known, patterns (patterns.ts) among them; none where they are too many to say. */
  texts?: readonly string[];
}

export type Type =
  | ModuleType
  | CoreType
  /** A class or module of Ruby's own or of another code base. */
  | { kind: "outside"; name: string }
  | { kind: "union"; terms: readonly Type[] }
  | { kind: "unknown" };

export const UNKNOWN: Type = { kind: "unknown" };
/** A union of more says nothing any more: registries and tables of classes are written by hand. */
const MAX_TERMS = 40;
/** A symbol or text that is one of more may be any. */
const MAX_TEXTS = 40;
const sizes = new Sizes<Type>(partsOf, UNKNOWN);

function partsOf(type: Type): readonly Type[] {
  if (type.kind === "union") return type.terms;
  if (type.kind !== "core") return NO_PARTS;
  const held = type.entries ? [...type.entries.values()] : [];
  return type.element ? [type.element, ...held] : held;
}

const NO_PARTS: readonly Type[] = [];

/** What is too large to go on with is not known to be held. */
export function core(name: string, holds?: Type, under?: ReadonlyMap<string, Type>): CoreType {
  const element = holds && sizes.bounded(holds);
  const entries = under && new Map([...under].map(([key, held]) => [key, sizes.bounded(held)]));
  return { kind: "core", name, ...(element && element.kind !== "unknown" ? { element } : {}), ...(entries && entries.size > 0 ? { entries } : {}) };
}

/** A symbol, or a text, of which it is known what it is one of. */
export function textType(name: string, ...texts: readonly string[]): CoreType {
  return { kind: "core", name, texts };
}

/** What a symbol or text is one of, as far as that is known. */
export function textsOf(type: Type): readonly string[] {
  return termsOf(type).flatMap((term) => (term.kind === "core" ? term.texts ?? [] : []));
}

export function termsOf(type: Type): readonly Type[] {
  return type.kind === "union" ? type.terms : type.kind === "unknown" ? [] : [type];
}

/** One type of several; those that say nothing are left out. */
export function unionOf(all: readonly Type[]): Type {
  const terms: Type[] = [];
  for (const term of all.flatMap(termsOf)) {
    const same = terms.findIndex((other) => sameType(term, other));
    if (same < 0) terms.push(term);
    else if (term.kind === "core") terms[same] = merged(terms[same] as CoreType, term);
    else if ((term.kind === "object" || term.kind === "class") && isOpen(term)) terms[same] = orBelow(terms[same]!);
  }
  if (terms.length > 1) {
    const told = terms.filter((term) => !isNil(term));
    if (told.length < terms.length) return unionOf(told);
  }
  return terms.length === 0 || terms.length > MAX_TERMS ? UNKNOWN : terms.length === 1 ? terms[0]! : { kind: "union", terms };
}

/** An array of something says more than an array, and so does a hash with what is known to be in it. */
function merged(a: CoreType, b: CoreType): CoreType {
  if (a.texts && b.texts) {
    const texts = a.texts.length > 0 && b.texts.length > 0 ? [...new Set([...a.texts, ...b.texts])] : [];
    return { kind: "core", name: a.name, texts: texts.length > MAX_TEXTS ? [] : texts };
  }
  if (a.texts || b.texts) return a.texts ? a : b;
  if (!a.entries && !b.entries) return a.element ? a : b;
  const entries = new Map(a.entries);
  for (const [name, type] of b.entries ?? []) {
    const known = entries.get(name);
    entries.set(name, known ? unionOf([known, type]) : type);
  }
  return core(a.name, a.element ?? b.element, entries);
}

/** A type with what it holds changed. */
function mapHeld(type: CoreType, change: (held: Type) => Type): CoreType {
  if (!type.element && !type.entries) return type;
  spend();
  return core(type.name, type.element && change(type.element), type.entries && new Map([...type.entries].map(([name, held]) => [name, change(held)])));
}

function sameType(a: Type, b: Type): boolean {
  if ((a.kind === "object" || a.kind === "class") && a.kind === b.kind) return a.module === b.module;
  return (a.kind === "core" || a.kind === "outside") && a.kind === b.kind && a.name === b.name;
}

function isNil(type: Type): boolean {
  return type.kind === "core" && (type.name === "NilClass" || type.name === "FalseClass" || type.name === "TrueClass");
}

/** What says whether a type may be one below. */
export function marksOf({ self, below }: ModuleType): Pick<ModuleType, "self" | "below"> {
  return { ...(self ? { self } : {}), ...(below ? { below } : {}) };
}

/** Whether what is known by a type may be of a class below. */
export function isOpen({ self, below }: ModuleType): boolean {
  return self === true || below === true;
}

/** What may be of a class below as well. */
export function orBelow(type: Type): Type {
  return (type.kind !== "object" && type.kind !== "class") || isOpen(type) ? type : { ...type, below: true };
}

/** What `self` stands for in a type, once the receiver is known. */
export function withSelf(type: Type, receiver: Type): Type {
  switch (type.kind) {
    case "object":
    case "class":
      if (!type.self || (receiver.kind !== "object" && receiver.kind !== "class")) return type;
      return { kind: type.kind, module: receiver.module, ...marksOf(receiver) };
    case "core":
      return mapHeld(type, (held) => withSelf(held, receiver));
    case "union":
      return unionOf(type.terms.map((term) => withSelf(term, receiver)));
    default:
      return type;
  }
}

/** The type without the mark that it is what `self` is: seen from elsewhere. */
export function dropSelf(type: Type): Type {
  if (type.kind === "object" || type.kind === "class") return type.self ? { kind: type.kind, module: type.module, below: true } : type;
  if (type.kind === "union") return { kind: "union", terms: type.terms.map(dropSelf) };
  return type.kind === "core" ? mapHeld(type, dropSelf) : type;
}

/** Whether two types say the same in all, in the same order. */
export function identical(a: Type, b: Type): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case "object":
    case "class":
      return a.kind === b.kind && a.module === b.module && a.self === b.self && a.below === b.below;
    case "core":
      return b.kind === "core" && a.name === b.name && sameTexts(a.texts, b.texts) && identical(a.element ?? UNKNOWN, b.element ?? UNKNOWN) && sameEntries(a.entries, b.entries);
    case "outside":
      return b.kind === "outside" && a.name === b.name;
    case "union":
      return b.kind === "union" && a.terms.length === b.terms.length && a.terms.every((term, i) => identical(term, b.terms[i]!));
    case "unknown":
      return b.kind === "unknown";
  }
}

function sameTexts(a: CoreType["texts"], b: CoreType["texts"]): boolean {
  return a?.length === b?.length && (a ?? []).every((text, i) => text === b![i]);
}

function sameEntries(a: CoreType["entries"], b: CoreType["entries"]): boolean {
  if (a?.size !== b?.size) return false;
  const others = [...b ?? []];
  return [...a ?? []].every(([name, type], i) => name === others[i]![0] && identical(type, others[i]![1]));
}
