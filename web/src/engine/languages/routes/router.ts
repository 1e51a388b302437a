import type { NamedCode } from "../../facts.ts";
import type { Call } from "./calls.ts";
import type { Framework } from "./frameworks.ts";
import type { Parameters } from "./parameters.ts";
import { joined } from "./prefixes.ts";

/** Routers above routers above routers … */
const MAX_DEPTH = 20;
/** No router has more that runs before its routes. */
export const MAX_BEFORE = 50;

/** A router, an application, or a part of one under a path of its own. */
export interface Router {
  /** The framework that it is of, where the file says it. */
  row?: Framework;
  prefix: string;
  /** Its prefixes in the rounds of a loop that makes it, by the id of the element's node. */
  rounds?: { element: number; prefix: string }[];
  /** HTTP's methods that its routes answer, where they say none: gorilla's `r.Methods("POST").Subrouter()`. */
  methods?: readonly string[];
  /** What it is a part of. */
  base?: Router;
  /** Where it is put. */
  mounts: Mount[];
  /** Its paths are whole where nobody puts it anywhere. */
  whole: boolean;
  /** What runs before its routes: those that are added, or put there, from one place in the order on and before another, under a path of its own. */
  before: { code: NamedCode; from: number; until?: number; under?: string; depends?: true }[];
  /** Laravel: the class whose methods its routes name. */
  controller?: string;
  /** Sinatra: the class that its class inherits from. */
  above?: string;
  /** Django REST framework: no path of its routes ends with a slash. */
  slashless?: true;
  /** The function that makes it, or is given it. */
  made: string;
  /** That function's parameters. */
  parameters?: Parameters | undefined;
  /** Where it is made, or first used. */
  line: number;
}

export interface Mount {
  base: Router;
  prefix: string;
  /** The prefix takes the place of the router's own. */
  overrides: boolean;
  /** Where in the order it is put: what is used there already runs before it. */
  at: number;
  /** It is put there by its own name, not as what a function makes. */
  named?: boolean;
  /** The call of the function that makes it, or is given it. */
  call?: Call | undefined;
  /** FastAPI: it is an application of its own, for which the dependencies above do not hold. */
  apart?: boolean;
}

/** Whether a router is a part of one of others, or of a part of it. */
export function isWithin(router: Router, others: readonly Router[]): boolean {
  for (let at = router.base; at; at = at.base) if (others.includes(at)) return true;
  return false;
}

/** What a router is a part of, which is no part itself. */
export function rootmost(router: Router): Router {
  let at = router;
  while (at.base) at = at.base;
  return at;
}

/** The methods that the routes of a router answer, where they say none. */
export function methodsAbove(router: Router | undefined): string[] | undefined {
  for (let at = router; at; at = at.base) if (at.methods) return [...at.methods];
  return undefined;
}

/** Laravel: the class whose methods the routes of a router name. */
export function controllerOf(router: Router | undefined): string | undefined {
  for (let at = router; at; at = at.base) if (at.controller !== undefined) return at.controller;
  return undefined;
}

/** What runs before a route of a router that is added at a place in the order under a path. `apart`: the dependencies do not hold for it. `seen`: each router above counts once, whatever ways lead to it. */
export function beforeOf(router: Router, at: number, path: string, apart = false, seen = new Set<Router>()): NamedCode[] {
  if (seen.size > MAX_DEPTH || seen.has(router)) return [];
  seen.add(router);
  const [mount] = router.mounts;
  const own = joined(router.prefix, path);
  const outer = mount ? beforeOf(mount.base, mount.at, joined(mount.prefix, own), apart || mount.apart === true, seen) : [];
  const around = router.base ? beforeOf(router.base, at, own, apart, seen) : [];
  const runs = router.before.filter(({ from, until = Infinity, under = "", depends }) => !(apart && depends) && from < at && at < until && `${joined("", path)}/`.startsWith(`${under}/`)).sort((a, b) => a.from - b.from);
  return [...outer, ...around, ...runs.map(({ code }) => code)].slice(0, MAX_BEFORE);
}
