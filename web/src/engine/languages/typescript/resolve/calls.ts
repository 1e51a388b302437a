import { CALL, CONSTRUCT, Op } from "../facts.ts";
import type { FunctionFact, Offset, ShapeFact } from "../facts.ts";
import { supertypes } from "./bases.ts";
import { VOID } from "./checker.ts";
import type { Checker } from "./checker.ts";
import { expected } from "./context.ts";
import { force, isDeferred } from "./deferred.ts";
import { Inference } from "./infer.ts";
import { awaited, elementOf, find, foundAt, parameterType } from "./members.ts";
import { related } from "./relation.ts";
import { constraintOf, typeAt } from "./typenodes.ts";
import { bindArguments, compose, envOf, substitute, union, UNKNOWN } from "./types.ts";
import type { Env, Signature, Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** What a call comes to: which signature it is of, with which type arguments, and what it gives. */
export interface ResolvedCall {
  signature: Signature | undefined;
  /** For what the signature's types mean in this call. */
  env: Env | undefined;
  result: Type;
}

/** One thing that a callee's type offers to be called as. */
interface Candidate {
  signature: Signature | undefined;
  /** Type parameters that the call settles. */
  wanted: Type[];
  result: () => Type;
}

/** A call on the way: arguments that are functions are looked at last, from left to right. */
export interface PartialCall {
  candidate: Candidate;
  inference: Inference;
  /** What type parameters have to be for the result to be what it is expected to be, for those of which arguments say nothing. */
  expected: ReadonlyMap<Type, Type>;
  later: { index: number; declared: Type; value: Offset }[];
  /** How many of them have been looked at. */
  done: number;
}

const NONE: ReadonlyMap<Type, Type> = new Map();
const NO_CALL: ResolvedCall = { signature: undefined, env: undefined, result: UNKNOWN };

/** Resolves a Call or New record. */
export function resolveCall(c: Checker, unit: Unit, at: Offset): ResolvedCall {
  const known = unit.calls.get(at);
  if (known !== undefined) return known ?? NO_CALL;
  unit.calls.set(at, null);
  let call = NO_CALL;
  c.within(unit.asked, () => c.deeper(() => {
    const partial = partialCall(c, unit, at);
    if (!partial) return UNKNOWN;
    advance(c, unit, partial, Infinity);
    call = { ...soFar(c, partial), result: UNKNOWN };
    // What a recursive function asks of itself is known but for its result.
    unit.calls.set(at, call);
    call = { ...call, result: resultOfFunction(c, unit, at) ?? substitute(partial.candidate.result(), settled(c, partial)) };
    return UNKNOWN;
  }));
  unit.calls.set(at, call);
  unit.partialCalls.delete(at);
  return call;
}

/** What `f.call(…)`, `f.apply(…)` and `f.bind(…)` give, where it is known what f is. */
function resultOfFunction(c: Checker, unit: Unit, at: Offset): Type | undefined {
  const callee = unit.at(at, 1);
  const name = unit.op(callee) === Op.Member ? unit.text(callee, 2) : "";
  if ((name !== "call" && name !== "apply" && name !== "bind") || foundAt(c, unit, callee).some((one) => one.unit !== c.program.lib)) return undefined;
  const called = valueOf(c, unit, unit.at(callee, 1));
  if (called.k !== "function") return undefined;
  if (name !== "bind") return union(called.signatures.map((signature) => returnOf(c, signature)));
  const given = unit.list(at, 3 + unit.at(at, 2)).length - 1;
  return { ...called, signatures: called.signatures.map((signature) => (given > 0 ? { ...signature, bound: (signature.bound ?? 0) + given } : signature)) };
}

/** What a call is known to be before its argument `index` is looked at: what tells that argument's functions their parameters. */
export function callBefore(c: Checker, unit: Unit, at: Offset, index: number): Pick<ResolvedCall, "signature" | "env"> {
  const whole = unit.calls.get(at);
  if (whole && whole !== NO_CALL) return whole;
  let call: Pick<ResolvedCall, "signature" | "env"> = NO_CALL;
  c.within(unit.asked, () => c.deeper(() => {
    const partial = partialCall(c, unit, at);
    if (partial) {
      advance(c, unit, partial, index);
      call = soFar(c, partial);
    }
    return UNKNOWN;
  }));
  return call;
}

function soFar(c: Checker, partial: PartialCall): Pick<ResolvedCall, "signature" | "env"> {
  const { signature } = partial.candidate;
  const env = settled(c, partial);
  return { signature, env: signature ? compose(env, signature.env, true) ?? signature.env : env };
}

/** Looks at the arguments that were left for later, up to one. */
function advance(c: Checker, unit: Unit, partial: PartialCall, index: number): void {
  for (let next = partial.later[partial.done]; next && next.index < index; next = partial.later[partial.done]) {
    partial.done++;
    partial.inference.infer(next.declared, valueOf(c, unit, next.value));
  }
}

function partialCall(c: Checker, unit: Unit, at: Offset): PartialCall | undefined {
  const known = unit.partialCalls.get(at);
  if (known !== undefined) return known ?? undefined;
  unit.partialCalls.set(at, null);
  const partial = begin(c, unit, at);
  if (partial) unit.partialCalls.set(at, partial);
  return partial;
}

function begin(c: Checker, unit: Unit, at: Offset): PartialCall | undefined {
  const typeArguments = unit.list(at, 2).map((t) => typeAt(c, unit, t));
  const values = unit.list(at, 3 + unit.at(at, 2));
  const candidates = candidatesOf(c, valueOf(c, unit, unit.at(at, 1)), unit.op(at) === Op.New);
  if (candidates.length === 0) return undefined;
  const candidate = choose(c, unit, candidates, values, typeArguments.length);
  const { signature, wanted } = candidate;
  const inference = new Inference(c, (t) => wanted.includes(t));
  const later: PartialCall["later"] = [];
  if (typeArguments.length > 0) typeArguments.slice(0, wanted.length).forEach((type, i) => inference.found.set(wanted[i]!, type));
  else if (signature && wanted.length > 0) {
    values.forEach((value, index) => {
      if (value === 0) return;
      const declared = parameterType(c, signature, index);
      if (unit.op(value) === Op.Spread) inference.infer(declared, elementOf(c, valueOf(c, unit, unit.at(value, 1))));
      else if (holdsFunctions(unit, value)) later.push({ index, declared, value });
      else inference.infer(declared, valueOf(c, unit, value));
    });
    inferRest(c, unit, signature, values, inference);
  }
  const context = unit.callContext(at);
  return { candidate, inference, expected: context === 0 || wanted.length === 0 || typeArguments.length > 0 ? NONE : fromResult(c, candidate, expected(c, unit, context)), later, done: 0 };
}

/** What a call's type parameters have to be for it to give what is expected. */
function fromResult(c: Checker, { wanted, result }: Candidate, type: Type): ReadonlyMap<Type, Type> {
  const inference = new Inference(c, (t) => wanted.includes(t));
  inference.infer(result(), type);
  return inference.found;
}

/** Whether an argument is a function, or an object or array with functions in it. */
function holdsFunctions(unit: Unit, value: Offset, depth = 0): boolean {
  if (value === 0) return false;
  switch (unit.op(value)) {
    case Op.Function:
      return true;
    case Op.Object: {
      if (depth > 4) return true;
      const { members } = unit.facts.shapes[unit.at(value, 1)]!;
      return members.some((m) => m.functions.length > 0 || holdsFunctions(unit, m.initialiser, depth + 1));
    }
    case Op.Array:
      return unit.list(value, 1).some((e) => holdsFunctions(unit, e, depth + 1));
    default:
      return false;
  }
}

/** `...args: A` takes all arguments that are left as one tuple. */
function inferRest(c: Checker, unit: Unit, signature: Signature, values: Offset[], inference: Inference): void {
  const { parameters } = signature.fact;
  const last = parameters.at(-1);
  if (!last?.rest || last.type === 0) return;
  const type = substitute(typeAt(c, signature.unit, last.type), signature.env);
  if (type.k !== "parameter") return;
  const rest = values.slice(parameters.length - 1 - (signature.bound ?? 0)).filter((v) => v !== 0);
  inference.infer(type, { k: "tuple", of: rest.map((v) => valueOf(c, unit, v)), rest: undefined });
}

/** What was inferred; for the rest what is expected, their defaults, or what they extend. */
function settled(c: Checker, { candidate: { wanted }, inference, expected: byResult }: PartialCall): Env | undefined {
  if (wanted.length === 0) return undefined;
  const env = new Map<Type, Type>([...byResult, ...inference.found]);
  for (const p of wanted) {
    if (env.has(p) || p.k !== "parameter") continue;
    const fallback = p.unit.at(p.at, 3);
    const type = fallback !== 0 ? typeAt(c, p.unit, fallback) : constraintOf(c, p);
    env.set(p, substitute(type, envOf(env)));
  }
  return envOf(env);
}

function candidatesOf(c: Checker, type: Type, isNew: boolean): Candidate[] {
  if (type.k === "union") return type.of.flatMap((t) => candidatesOf(c, t, isNew));
  if (type.k === "class" && isNew) {
    const { unit, shape, env } = type;
    const wanted = shape.typeParameters.map((p) => unit.parameter(p));
    const own = bindArguments(unit, shape.typeParameters, wanted, env);
    const result = (): Type => ({ k: "instance", unit, shape, env: own });
    // How it is constructed decides nothing of what it is.
    if (wanted.length === 0) c.tell("constructor");
    const signatures = constructorsOf(c, unit, shape, env, 0);
    return signatures.length === 0 ? [{ signature: undefined, wanted, result }] : signatures.map((signature) => ({ signature, wanted, result }));
  }
  if (type.k === "this" && isNew) return [{ signature: undefined, wanted: [], result: () => type }];
  if (isNew && type.k === "function" && type.home) {
    const { home } = type;
    const [signature] = type.signatures;
    return [{ signature, wanted: [], result: () => madeBy(c, signature) ?? { k: "constructed", ...home } }];
  }
  return signaturesOf(c, type, isNew).map((signature) => ({
    signature,
    wanted: signature.fact.typeParameters.map((p) => signature.unit.parameter(p)),
    result: () => returnOf(c, signature),
  }));
}

/** The object that a function used with `new` returns instead of a new one. */
function madeBy(c: Checker, signature: Signature | undefined): Type | undefined {
  const given = signature && returnOf(c, signature);
  return given && (given.k === "function" || given.k === "instance") ? given : undefined;
}

function constructorsOf(c: Checker, unit: Unit, shape: ShapeFact, env: Env | undefined, depth: number): Signature[] {
  c.ask(unit, shape, "constructor");
  const index = unit.member(shape, "constructor", false);
  if (index !== undefined) {
    const functions = shape.members[index]!.functions.map((f) => unit.facts.functions[f]!);
    const overloads = functions.filter((f) => !f.body);
    return (overloads.length > 0 ? overloads : functions).map((fact) => ({ unit, fact, env }));
  }
  if (shape.superclass === 0 || depth > 20) return [];
  const [base] = supertypes(c, unit, shape);
  return base?.k === "instance" ? constructorsOf(c, base.unit, base.shape, compose(base.env, env, false), depth + 1) : [];
}

/** The ways to call a value of a type, or to use it with `new`. */
export function signaturesOf(c: Checker, type: Type, isNew: boolean, depth = 0): Signature[] {
  if (depth > 8) return [];
  switch (type.k) {
    case "function":
      return isNew ? [] : type.signatures;
    case "constructor":
      return isNew ? type.signatures : [];
    case "class":
      return isNew ? constructorsOf(c, type.unit, type.shape, type.env, 0) : [];
    case "instance":
    case "this":
      return find(c, type, isNew ? CONSTRUCT : CALL).flatMap((f) => (f.member?.functions ?? []).map((i): Signature => ({ unit: f.unit, fact: f.unit.facts.functions[i]!, env: f.env })));
    case "union":
    case "intersection":
      return type.of.flatMap((t) => signaturesOf(c, t, isNew, depth + 1));
    case "parameter":
      return signaturesOf(c, constraintOf(c, type), isNew, depth + 1);
    case "deferred":
    case "awaited": {
      const forced = force(c, type);
      return isDeferred(forced) ? [] : signaturesOf(c, forced, isNew, depth + 1);
    }
    default:
      return [];
  }
}

/** The overload that arguments fit: by their number, then by their types. */
function choose(c: Checker, unit: Unit, candidates: Candidate[], values: Offset[], typeArguments: number): Candidate {
  if (candidates.length === 1) return candidates[0]!;
  const fitting = candidates.filter(({ signature, wanted }) => takes(signature, values.length) && (typeArguments === 0 || wanted.length >= typeArguments));
  const spread = values.some((v) => v !== 0 && unit.op(v) === Op.Spread);
  if (fitting.length === 0 || spread) return fitting[0] ?? candidates[0]!;
  if (fitting.length === 1) return fitting[0]!;
  const types = values.map((v) => valueOf(c, unit, v));
  return fitting.find(({ signature }) => signature === undefined || types.every((type, i) => related(c, type, parameterType(c, signature, i)) !== "no")) ?? fitting[0]!;
}

function takes(signature: Signature | undefined, count: number): boolean {
  if (!signature) return true;
  const parameters = signature.fact.parameters.slice(signature.bound);
  const required = parameters.filter((p) => !p.optional && !p.rest && p.initialiser === 0).length;
  return count >= required && (count <= parameters.length || (parameters.at(-1)?.rest ?? false));
}

/** What a signature returns, its own type parameters left open. */
export function returnOf(c: Checker, signature: Signature): Type {
  const { unit, fact, env } = signature;
  return substitute(c.once(unit, unit.returnTypes, fact, declaredReturn), env);
}

function declaredReturn(c: Checker, unit: Unit, fact: FunctionFact): Type {
  if (fact.returns !== 0) return typeAt(c, unit, fact.returns);
  if (!fact.body) return UNKNOWN;
  const result = fact.results.length === 0 ? VOID : union(fact.results.map((at) => valueOf(c, unit, at)));
  if (fact.generator) {
    return c.builtin(fact.async ? "AsyncGenerator" : "Generator", union(fact.yields.map((at) => valueOf(c, unit, at))), result, UNKNOWN);
  }
  return fact.async ? c.promiseOf(awaited(c, result)) : result;
}

