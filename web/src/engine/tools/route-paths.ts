/** Routes by a request, `GET /articles/17`, or by a path in the spelling of any framework: `/articles/:id`, `/articles/{id}`, `/articles/<int:id>`. */
import type { Graph } from "../graph.ts";
import { routeNames } from "./answers.ts";
import { literal } from "./literal.ts";

/** How well a route fits what is asked for: 1 by its own text, less by other names of its parameters, or by values for them. */
export interface RouteMatch {
  node: number;
  fit: number;
}

/** Parameters with other names, or in the spelling of another framework. */
export const SAME_PATH = 0.9;
/** Values in the place of parameters; by each parameter that stands for several parts of a path, or for nobody knows what, less. */
const VALUES = 0.8;
const OPEN = 0.1;
/** The weight of one part of a path that is no parameter: `/users/:id/edit` fits better than `/users/:id/:what`. */
const LITERAL = 0.005;

const METHODS = "GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|CONNECT|TRACE|SEARCH|PURGE|ANY|WEBSOCKET|PAGE";
const ASKED = new RegExp(`^(?:(${METHODS})\\s+)?(?:\\w+://[^/\\s]+)?(/\\S*)$`, "i");
const ROUTE = /^(\S+) ([/…].*)$/s;

/** Any one part of a path, one or none, any parts, and what only a run of the program knows. */
const [ONE, OPTIONAL, REST, UNKNOWN] = ["{}", "{?}", "{*}", "…"];
/** What stands for a part of a path: in braces, angle brackets, brackets or parentheses, behind a colon or an asterisk, or as a regular expression. */
const PARAMETER = /\{(?:[^{}]|\{[^{}]*\})*\}|<[^<>/]*>|\[[^[\]]*\]\]?[+*?]?|\((?:[^()]|\([^()]*\))*\)[+*?]?|:\w+(?:\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\})?[?*+]?|\*\w*|\\[dwS][+*]?/g;
/** A parameter for several parts: `{path:path}`, `{rest...}`, `{*rest}`, `<path:rest>`, `[...rest]`, `:rest*`, `(.*)`. */
const SEVERAL = /^\*|^[{[]+\*|\.\.\.|\.[*+]|:path\}|^<path:|^:\w+[*+]$/;

/** The routes that answer what is asked for, best first; none for what is neither a request nor a path. */
export function routesFor({ nodes }: Graph, asked: string): RouteMatch[] {
  const [, method = "", said] = ASKED.exec(asked.trim()) ?? [];
  if (said === undefined) return [];
  const path = trimmed(said.replace(/\?\w+=.*$|#.*$/s, ""));
  const plain = plainPath(path);
  const found: RouteMatch[] = [];
  nodes.forEach((node, i) => {
    const fit = Math.max(0, ...routeNames(node).map((name) => {
      const [, verb = "", own] = ROUTE.exec(name) ?? [];
      return own !== undefined && answers(verb, method.toUpperCase()) ? fitOf(trimmed(own), path, plain) : 0;
    }));
    if (fit > 0) found.push({ node: i, fit });
  });
  return found.sort((a, b) => b.fit - a.fit || a.node - b.node);
}

/** Whether a route of one method, or of all, answers a request; a page is got. */
function answers(verb: string, method: string): boolean {
  if (method === "") return new RegExp(`^(?:${METHODS}|…)$`).test(verb);
  return verb === method || verb === "ANY" || verb === UNKNOWN || (method === "GET" && verb === "PAGE");
}

function fitOf(own: string, path: string, plain: string): number {
  if (own === path) return 1;
  const pattern = plainPath(own);
  if (pattern.replaceAll(OPTIONAL, ONE) === plain.replaceAll(OPTIONAL, ONE)) return SAME_PATH;
  const parts = pattern.split("/").filter((part) => part !== "");
  const literals = parts.filter((part) => !/[{…]/.test(part)).length;
  const open = parts.filter((part) => part.includes(REST) || part.includes(UNKNOWN)).length;
  // A pattern without a literal part fits every path, so that it says nothing of this one.
  if (literals === parts.length || literals === 0 || !patternOf(pattern).test(plain)) return 0;
  return Math.max(VALUES - OPEN * open + LITERAL * Math.min(literals, 10), 0.1);
}

/** Parts that a path may have or not: `(/:id)`, `(:locale)`, `{/:id}`; those of several. */
const GIVEN_OR_NOT = /\/?(?:\(\/?:\w+\)|\{\/:\w+\})|(\/?\(\/?\*\w+\))/g;

/** A path with all of its parameters spelt alike, in lower case. */
function plainPath(path: string): string {
  const whole = path.replace(GIVEN_OR_NOT, (_, several: string | undefined) => `/${several === undefined ? OPTIONAL : REST}`);
  return whole.replace(PARAMETER, (one) => (SEVERAL.test(one) ? REST : /\?\}?$/.test(one) ? OPTIONAL : ONE)).toLowerCase();
}

function patternOf(pattern: string): RegExp {
  const parts = pattern.split(/(\/?\{[*?]\}|\{\}|…)/).map((part, i) => {
    if (i % 2 === 0) return literal(part);
    const own = part.endsWith(ONE) || part.endsWith(OPTIONAL) ? "[^/]+" : ".*";
    return part.startsWith("/") ? `(?:/${own})?` : own;
  });
  return new RegExp(`^${parts.join("")}$`);
}

/** A slash at the end says nothing. */
function trimmed(path: string): string {
  return path.replace(/(?<=.)\/$/, "");
}
