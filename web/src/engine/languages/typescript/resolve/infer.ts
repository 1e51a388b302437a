import { CALL, CONSTRUCT, INDEX } from "../facts.ts";
import { asBase, instanceOfClass, tupleAsArray } from "./bases.ts";
import { returnOf, signaturesOf } from "./calls.ts";
import type { Checker } from "./checker.ts";
import { force, isDeferred } from "./deferred.ts";
import { elementOf, find, foundType, namesOf, parameterType } from "./members.ts";
import { predicateType } from "./narrowing.ts";
import { constraintOf, typeAt } from "./typenodes.ts";
import { compose, envOf, isNothing, same, substitute, union, UNKNOWN } from "./types.ts";
import type { Instance, Signature, Type } from "./types.ts";

/** Members of an options object that are looked at. */
const MAX_MEMBERS = 16;
const MAX_DEPTH = 5;
/** Comparisons for one call; types that are built of each other could go on for ever. */
const MAX_STEPS = 100;

/** Finds what type parameters must be for given types to fit declared ones. */
export class Inference {
  /** What was found. The first answer stays; later ones join it when they are different things. */
  readonly found = new Map<Type, Type>();
  private readonly c: Checker;
  private readonly wanted: (parameter: Type) => boolean;
  private steps = 0;

  /** `wanted` says which parameters are looked for. */
  constructor(c: Checker, wanted: (parameter: Type) => boolean) {
    this.c = c;
    this.wanted = wanted;
  }

  infer(declared: Type, given: Type, depth = 0): void {
    if (given.k === "unknown" || depth > MAX_DEPTH) return;
    if (declared.k === "parameter") {
      if (this.wanted(declared)) this.add(declared, given);
      return;
    }
    if (declared === given || ++this.steps > MAX_STEPS || !mentions(declared, this.wanted)) return;
    if (declared.k === "union") this.fromUnion(declared.of, given, depth);
    else if (declared.k === "intersection") for (const t of declared.of) this.infer(t, given, depth + 1);
    else if (isDeferred(declared)) this.fromDeferred(declared, given, depth);
    else if (isDeferred(given)) {
      const forced = force(this.c, given);
      if (!isDeferred(forced)) this.infer(declared, forced, depth + 1);
      else if (declared.k === "instance") this.fromInstance(declared, forced, depth);
    } else if (given.k === "union") for (const t of given.of) this.infer(declared, t, depth + 1);
    else if (declared.k === "instance") this.fromInstance(declared, given, depth);
    else if (declared.k === "tuple") this.fromTuple(declared, given, depth);
    else if (declared.k === "function" || declared.k === "constructor") {
      this.fromSignatures(declared.signatures, given, declared.k === "constructor", depth);
    }
  }

  private add(parameter: Type, given: Type): void {
    const known = this.found.get(parameter);
    if (!known || known.k === "unknown") this.found.set(parameter, given);
    else if (!same(known, given)) {
      // The same class with and without its arguments known is one thing.
      if (known.k === "instance" && given.k === "instance" && known.shape === given.shape) return;
      this.found.set(parameter, union([known, given]));
    }
  }

  private fromUnion(declared: Type[], given: Type, depth: number): void {
    const naked = declared.find((t) => t.k === "parameter" && this.wanted(t));
    const others = declared.filter((t) => t.k !== "parameter");
    const rest: Type[] = [];
    for (const t of given.k === "union" ? given.of : [given]) {
      if (isNothing(t) || others.some((o) => same(o, t))) continue;
      const matched = others.filter((o) => sameFamily(this.c, o, t));
      if (matched.length === 0) rest.push(t);
      for (const o of matched) this.infer(o, t, depth + 1);
    }
    if (naked && rest.length > 0) this.infer(naked, union(rest), depth + 1);
  }

  private fromDeferred(declared: Type, given: Type, depth: number): void {
    const forced = force(this.c, declared);
    if (!isDeferred(forced)) this.infer(forced, given, depth + 1);
    else if (forced.k === "awaited") this.infer(forced.of, given, depth + 1);
  }

  private fromTuple(declared: Extract<Type, { k: "tuple" }>, given: Type, depth: number): void {
    if (given.k === "tuple") {
      declared.of.forEach((t, i) => {
        const own = given.of[i] ?? given.rest;
        if (own) this.infer(t, own, depth + 1);
      });
    }
    if (!declared.rest) return;
    const rest = given.k === "tuple" ? given.of.slice(declared.of.length) : [];
    this.infer(declared.rest, rest.length > 0 ? union(rest) : elementOf(this.c, given), depth + 1);
  }

  private fromInstance(declared: Instance, given: Type, depth: number): void {
    const { c } = this;
    if (given.k === "parameter") {
      const bound = constraintOf(c, given);
      if (bound.k !== "unknown") this.infer(declared, bound, depth + 1);
      return;
    }
    const base = asBase(c, given, declared.unit, declared.shape);
    if (base) {
      declared.env?.keys.forEach((key, i) => {
        const own = base.env?.get(key);
        if (own) this.infer(declared.env!.values[i]!, own, depth + 1);
      });
      return;
    }
    if (declared.shape.kind !== "class") this.fromMembers(declared, given.k === "tuple" ? tupleAsArray(c, given) : given, depth);
  }

  /** By structure: what the members of one say of the other's. */
  private fromMembers(declared: Instance, given: Type, depth: number): void {
    const { c } = this;
    for (const name of namesOf(c, declared).slice(0, MAX_MEMBERS)) {
      if (name === CALL || name === CONSTRUCT) {
        this.fromSignatures(signaturesOf(c, declared, name === CONSTRUCT), given, name === CONSTRUCT, depth);
        continue;
      }
      const [want] = find(c, declared, name);
      if (!want) continue;
      const names = name !== INDEX ? [name] : isLiteral(given) ? [INDEX, ...namesOf(c, given).slice(0, MAX_MEMBERS)] : [INDEX];
      for (const key of names) {
        const [own] = find(c, given, key);
        if (own) this.infer(foundType(c, want), foundType(c, own), depth + 1);
      }
    }
  }

  private fromSignatures(declared: Signature[], given: Type, isNew: boolean, depth: number): void {
    const { c } = this;
    const want = declared[0];
    const generic = signaturesOf(c, given, isNew).at(-1);
    const own = want && generic ? this.applied(generic, want, depth) : generic;
    if (isNew && want) this.infer(returnOf(c, want), instanceOfClass(c, given, []), depth + 1);
    if (!want || !own) return;
    const count = Math.min(want.fact.parameters.length, own.fact.parameters.length);
    for (let i = 0; i < count; i++) {
      if (own.fact.parameters[i]!.type !== 0) this.infer(parameterType(c, want, i), parameterType(c, own, i), depth + 1);
    }
    this.fromRest(want, own, depth);
    const predicate = predicateType(c, want);
    const ownPredicate = predicate && predicateType(c, own);
    if (ownPredicate) this.infer(substitute(predicate, want.env), substitute(ownPredicate, own.env), depth + 1);
    if (isNew) return;
    const result = returnOf(c, want);
    // What a function returns may take long to find out: only where something depends on it.
    if (mentions(result, this.wanted)) this.infer(result, returnOf(c, own), depth + 1);
  }

  /** A generic function, for what it will be given: in `lines.filter(isDefined)` its type parameter is a line. */
  private applied(own: Signature, want: Signature, depth: number): Signature {
    const { c } = this;
    const { unit, fact } = own;
    if (fact.typeParameters.length === 0) return own;
    const parameters = fact.typeParameters.map((p) => unit.parameter(p));
    const inference = new Inference(c, (t) => parameters.includes(t));
    inference.steps = this.steps;
    for (let i = 0; i < Math.min(want.fact.parameters.length, fact.parameters.length); i++) {
      const given = fact.parameters[i]!.type === 0 ? UNKNOWN : parameterType(c, want, i);
      // What is looked for here says nothing yet.
      if (!mentions(given, this.wanted)) inference.infer(parameterType(c, own, i), given, depth + 1);
    }
    this.steps = inference.steps;
    const found = envOf(inference.found);
    return found ? { ...own, env: compose(found, own.env, true) } : own;
  }

  /** `(...all: P) => void`: what the parameters are from there on. */
  private fromRest(want: Signature, own: Signature, depth: number): void {
    const { c } = this;
    const last = want.fact.parameters.at(-1);
    if (!last?.rest || last.type === 0) return;
    const all = substitute(typeAt(c, want.unit, last.type), want.env);
    if (all.k !== "parameter" || !this.wanted(all)) return;
    const from = want.fact.parameters.length - 1;
    const given = own.fact.parameters.slice(from);
    const rest = given.at(-1)?.rest ? own.fact.parameters.length - 1 : undefined;
    const of = given.filter((p) => !p.rest).map((p, i) => (p.type === 0 ? UNKNOWN : parameterType(c, own, from + i)));
    this.infer(all, { k: "tuple", of, rest: rest === undefined ? undefined : parameterType(c, own, rest) }, depth + 1);
  }
}

/** Whether a type speaks of a parameter that is looked for; true where that would take long to find out. */
function mentions(type: Type, wanted: (parameter: Type) => boolean, depth = 0): boolean {
  if (depth > 4) return true;
  switch (type.k) {
    case "parameter":
      return wanted(type);
    case "instance":
    case "class":
      if (type.shape.open && (!type.env || type.shape.kind === "type" || type.shape.kind === "object")) return true;
      for (const value of type.env?.values ?? []) if (mentions(value, wanted, depth + 1)) return true;
      return false;
    case "function":
    case "constructor":
      return type.signatures.some((s) => s.fact.open ?? false);
    case "union":
    case "intersection":
      return type.of.some((t) => mentions(t, wanted, depth + 1));
    case "tuple":
      return type.of.some((t) => mentions(t, wanted, depth + 1)) || (type.rest !== undefined && mentions(type.rest, wanted, depth + 1));
    case "deferred":
      return true;
    case "awaited":
      return mentions(type.of, wanted, depth + 1);
    default:
      return false;
  }
}

/** Whether a type says what it has by its members, which a type with an index signature takes as well: no interface or class. */
function isLiteral(type: Type): boolean {
  return type.k === "instance" && (type.shape.kind === "object" || type.shape.kind === "type");
}

/** Whether a type fits one with an index signature: `Record<string, Line>` and `{ [key: string]: T }`. */
function isTable(c: Checker, declared: Type, given: Type): boolean {
  if (find(c, declared, INDEX).length === 0) return false;
  return isLiteral(given) || find(c, given, INDEX).length > 0;
}

/** Whether two types are made the same way, so that one tells something of the other's arguments. */
function sameFamily(c: Checker, declared: Type, given: Type): boolean {
  switch (declared.k) {
    case "instance":
      if (given.k === "deferred") return declared.shape.kind === "type" && isTable(c, declared, given);
      return (given.k === "instance" || given.k === "tuple" || given.k === "this" || given.k === "parameter" || given.k === "intersection")
        && (asBase(c, given, declared.unit, declared.shape) !== undefined
          || (declared.shape.kind === "type" && given.k === "instance" && (given.shape.kind === "object" || isTable(c, declared, given))));
    case "function":
      return given.k === "function" || (given.k === "instance" && find(c, given, CALL).length > 0);
    case "constructor":
      return given.k === "class" || given.k === "constructor";
    case "tuple":
      return given.k === "tuple";
    case "primitive":
      return given.k === "primitive" && given.name === declared.name;
    case "deferred":
    case "awaited":
    case "intersection":
      return true;
    default:
      return false;
  }
}
