import type { Extraction } from "./extraction.ts";
import { K } from "./tree.ts";

/** A fixture's decorator, and what stands in front of the dot. */
const FIXTURE = /^@\s*(?:(\w+)\s*\.\s*)?(?:yield_)?fixture\s*(?:\(|$)/;
const PARAMETRIZE = /^@\s*[\w.]*\bparametrize\s*\(/;

/** The module whose fixtures pytest gives to the tests of its folder and of those below. */
export const CONFTEST = "conftest";

/** What a scope binds a fixture to that has another name than its function. No name in the code is written like this. */
export const renamed = (fixture: string): string => `@${fixture}`;

/** The name of the pytest fixture that decorators make of a function, if they do. */
export function fixtureName(x: Extraction, decorators: readonly number[], name: string): string | undefined {
  for (const decorator of decorators) {
    const match = FIXTURE.exec(x.tree.text(decorator));
    if (!match) continue;
    const isOfModule = match[1] !== undefined;
    if (!x.facts.imports.some((fact) => /^pytest(_asyncio)?$/.test(fact.module) && (fact.name === undefined) === isOfModule)) continue;
    const other = argumentsOf(x, decorator).named.get("name");
    return (other === undefined ? undefined : stringsIn(x, other)[0]) ?? name;
  }
  return undefined;
}

/** The parameters to which `@pytest.mark.parametrize` gives values itself. */
export function parametrized(x: Extraction, decorators: readonly number[]): string[] {
  return decorators.flatMap((decorator) => {
    if (!PARAMETRIZE.test(x.tree.text(decorator))) return [];
    const { first, named } = argumentsOf(x, decorator);
    const names = first ?? named.get("argnames");
    // An indirect value goes through the fixture.
    return names === undefined || named.has("indirect") ? [] : stringsIn(x, names).flatMap((text) => text.split(",")).map((text) => text.trim());
  });
}

function argumentsOf({ tree }: Extraction, decorator: number): { first: number | undefined; named: ReadonlyMap<string, number> } {
  const named = new Map<string, number>();
  const call = tree.children(decorator)[0];
  const list = call === undefined ? -1 : tree.child(call, K.Arguments);
  const all = list < 0 ? [] : tree.children(list);
  for (const argument of all) {
    if (tree.kind[argument] !== K.KeywordArgument) continue;
    const [key, , value] = tree.children(argument);
    if (key !== undefined && value !== undefined) named.set(tree.text(key), value);
  }
  return { first: all.find((argument) => tree.kind[argument] !== K.KeywordArgument), named };
}

/** The string literals in an expression. */
function stringsIn({ tree }: Extraction, expression: number): string[] {
  const found: string[] = [];
  for (let at = expression; at < tree.after[expression]!; at++) {
    if (tree.kind[at] === K.String) found.push(tree.text(at).replace(/^\w*["']+|["']+$/g, ""));
  }
  return found;
}
