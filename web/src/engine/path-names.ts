/** Names in the paths of routes that other files, or calls in other files, give a text. */

/** A name in a path that another file gives a text, with what it is a member of, the line that it stands in, and that of its import. */
export const NAMED = /«([\w$.]+):(\d+)(?:,(\d+))?»/g;

export function namedElsewhere(name: string, line: number, imported?: number): string {
  return `«${name}:${line}${imported === undefined ? "" : `,${imported}`}»`;
}

/** A parameter in a path, by its index and its name: calls in other files say what it is given. */
const GIVEN = /«#(\d+)=([\w$]+)»/g;

export function givenElsewhere(index: number, name: string): string {
  return `«#${index}=${name}»`;
}

/** A path with what a call gives a function for the parameters in it. */
export function withGiven(path: string, given: Readonly<Record<string, string>> | undefined): string {
  return path.includes("«#") ? path.replace(GIVEN, (_, index: string, name: string) => given?.[name] ?? given?.[index] ?? "…") : path;
}

/** A path as it reads where nothing fills the names in it. */
export function withoutNames(path: string): string {
  return path.replace(NAMED, "…").replace(GIVEN, "…");
}

/** The handler of a route whose file exports all that another has: Next.js' `export * from "./handlers"`. */
export const WHOLE = "*";

/** What is a member of what a file of JavaScript exports as a whole. */
export const DEFAULT = "default";
