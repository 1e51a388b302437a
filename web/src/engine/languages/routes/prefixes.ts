import type { RouterFact } from "../../facts.ts";

export const asItIs = (path: string): string => path;

/** A path, and the router that it begins at. */
export interface Prefix {
  path: string;
  router?: RouterFact;
  /** A path that a function declares, with what calls give the function in the place of its parameters. */
  filled: (path: string) => string;
  /** The call that says what it is given. */
  call?: number;
}

/** Prefixes without those that are the same again. */
export function distinct(prefixes: readonly Prefix[]): Prefix[] {
  return [...new Map(prefixes.map((one) => [`${one.path} ${one.router?.line ?? 0} ${one.call ?? 0}`, one])).values()];
}

/** Two parts of a path, with one slash between them; before nothing, the slash at the end of a prefix stays. "…" stands for a part that nobody knows. */
export function joined(prefix: string, path: string): string {
  const [a, b] = [prefix.replace(/\/+$/, ""), path.replace(/^\/+/, "")];
  if (a === "") return `/${b}`;
  return b === "" ? prefix.replace(/\/+$/, "/") : `${a}/${b}`;
}
