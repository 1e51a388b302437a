import { Ignore } from "../gitignore.ts";
import { splitNames } from "./several.ts";

/**
 * Whether a path is one of those that a glob means, in the way of .gitignore and ripgrep: `*.go` at any depth,
 * `src/`, `middleware` with all in it, `*.{ts,tsx}`, several with commas between them, `!` for what is not meant.
 */
export function pathFilter(glob: string): (path: string) => boolean {
  const patterns = splitNames(glob).flatMap(expandBraces).map((pattern) => pattern.trim().replace(/^(!?)\.\//, "$1")).filter((pattern) => pattern !== "");
  const rules = (lines: readonly string[]): Ignore => new Ignore(new Map([["", lines.join("\n")]]));
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!"));
  const unwanted = rules(patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1)));
  const meant = wanted.length > 0 ? rules(wanted) : undefined;
  return (path) => (meant === undefined || meant.cause(path) !== undefined) && unwanted.cause(path) === undefined;
}

/** `a.{b,c}` is a.b and a.c; braces in braces are what they are. */
function expandBraces(pattern: string): string[] {
  const [whole, inside] = /\{([^{}]*,[^{}]*)\}/.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  return inside!.split(",").flatMap((choice) => expandBraces(pattern.replace(whole, () => choice)));
}
