import { EVERY } from "./asks.ts";
import { core, find, interfaceMethods, lookUp, underlying } from "./members.ts";
import { type Func, substitute, type Type, type TypeParameter } from "./types.ts";

const DEFAULTS: Record<string, string> = {
  "untyped int": "int", "untyped float": "float64", "untyped complex": "complex128",
  "untyped rune": "int32", "untyped string": "string", "untyped bool": "bool",
};

/** The type that an untyped constant takes by itself. */
export function defaultType(type: Type): Type {
  if (type.kind !== "basic" || !type.untyped) return type;
  const name = DEFAULTS[type.name];
  return name ? { kind: "basic", name } : type;
}

/** Takes what had to be asked of types' members (`asks.ts`). */
type Ask = (words: readonly number[]) => void;

/** The parameters that are not known yet, and who asks. */
interface Open {
  parameters: ReadonlySet<TypeParameter>;
  ask: Ask;
}

/** The type arguments of a call of a generic function, as far as its arguments tell them. */
export function infer(generic: Func, args: readonly Type[], spread: boolean, ask: Ask): Map<TypeParameter, Type> {
  const parameters = generic.typeParameters ?? [];
  const open: Open = { parameters: new Set(parameters), ask };
  const found = new Map<TypeParameter, Type>();
  const last = generic.parameters.length - 1;
  const expected = (i: number): Type | undefined => {
    const parameter = generic.parameters[Math.min(i, last)];
    if (!generic.variadic || i < last || spread) return parameter;
    return parameter?.kind === "slice" ? parameter.element : parameter;
  };
  const untyped: [Type, Type][] = [];
  args.forEach((arg, i) => {
    const parameter = expected(i);
    if (!parameter) return;
    if (arg.kind === "basic" && arg.untyped) untyped.push([parameter, defaultType(arg)]);
    else unify(parameter, arg, open, found, 0);
  });
  // A constant decides only what nothing else does.
  for (const [parameter, arg] of untyped) if (arg.kind === "basic" && !arg.untyped) unify(parameter, arg, open, found, 0);
  for (const parameter of parameters) {
    const constraint = parameter.constraint();
    const shape = constraint && core(parameter);
    if (!shape || shape.kind === "interface" || shape.kind === "unknown" || shape.kind === "foreign") continue;
    const bound = found.get(parameter);
    if (bound) unify(shape, underlying(bound), open, found, 0);
    else found.set(parameter, substitute(shape, found));
  }
  return found;
}

function unify(parameter: Type, arg: Type, open: Open, found: Map<TypeParameter, Type>, depth: number): void {
  if (depth > 16 || arg.kind === "unknown" || arg.kind === "foreign") return;
  const all = (a: readonly Type[], b: readonly Type[]): void => a.forEach((t, i) => b[i] && unify(t, b[i], open, found, depth + 1));
  switch (parameter.kind) {
    case "parameter":
      if (open.parameters.has(parameter) && !found.has(parameter)) found.set(parameter, arg);
      return;
    case "named":
      if (parameter.args.length === 0) return;
      if (arg.kind === "named" && arg.entity === parameter.entity) {
        all(parameter.args, arg.args);
        return;
      }
      unifyUnderlying(parameter, arg, open, found, depth);
      return;
    case "pointer":
    case "slice":
    case "array":
    case "chan": {
      const given = arg.kind === "named" ? underlying(arg) : arg;
      if (given.kind === parameter.kind) unify(parameter.element, given.element, open, found, depth + 1);
      return;
    }
    case "map": {
      const given = arg.kind === "named" ? underlying(arg) : arg;
      if (given.kind === "map") all([parameter.keys, parameter.element], [given.keys, given.element]);
      return;
    }
    case "func": {
      const given = arg.kind === "named" ? underlying(arg) : arg;
      if (given.kind !== "func" || given.typeParameters) return;
      all(parameter.parameters, given.parameters);
      all(parameter.results, given.results);
      return;
    }
    default:
  }
}

/** A generic interface or function type against something that implements it. */
function unifyUnderlying(parameter: Type, arg: Type, open: Open, found: Map<TypeParameter, Type>, depth: number): void {
  const under = underlying(parameter);
  if (under.kind !== "interface") {
    if (arg.kind !== "named" && under.kind !== "struct") unify(under, arg, open, found, depth + 1);
    else if (arg.kind === "named" && arg.args.length === 0) unify(under, underlying(arg), open, found, depth + 1);
    return;
  }
  // No name of them stands where this is asked.
  for (const type of [under, arg]) open.ask(lookUp(type, EVERY).words);
  for (const method of interfaceMethods(under).methods.values()) {
    const own = find(arg, method.name);
    if (own?.kind === "method") unify(method.type, own.type, open, found, depth + 1);
  }
}
