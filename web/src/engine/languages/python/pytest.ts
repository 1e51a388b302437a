import type { Extraction } from "./extraction.ts";
import { Op } from "./facts.ts";
import { K } from "./tree.ts";

/** A decorator's name, and what stands in front of the dot. */
const DECORATOR = /^@\s*(?:(\w+)\s*\.\s*)?(\w+)\s*(?:[(#]|$)/;
const FIXTURE = /^(?:yield_)?fixture$/;
const PYTEST = /^pytest(?:_asyncio)?$/;
const USES = /^@\s*[\w.]*\busefixtures\s*\(/;
const PARAMETRIZE = /^@\s*[\w.]*\bparametrize\s*\(/;

const CONSTANTS: ReadonlySet<Op> = new Set([Op.Unknown, Op.Const, Op.Str, Op.Quoted]);

/** The name of the pytest fixture that decorators make of a function, if they do. */
export function fixtureName(x: Extraction, decorators: readonly number[], name: string): string | undefined {
  for (const decorator of decorators) {
    if (!isFixture(x, decorator)) continue;
    const other = argumentsOf(x, decorator).named.get("name");
    return (other === undefined ? undefined : stringsIn(x, other)[0]) ?? name;
  }
  return undefined;
}

/** Whether a decorator makes a fixture, by whatever name pytest or its decorator was imported. */
function isFixture(x: Extraction, decorator: number): boolean {
  const { nodes, scopes, imports } = x.facts;
  const [, module, name = ""] = DECORATOR.exec(x.tree.text(decorator)) ?? [];
  if (module !== undefined && !FIXTURE.test(name)) return false;
  return (scopes[0]!.names[x.string(module ?? name)] ?? []).some((definition) => {
    const fact = nodes[definition] === (Op.Import as number) ? imports[nodes[definition + 1]!] : undefined;
    return fact !== undefined && PYTEST.test(fact.module) && (module === undefined ? FIXTURE.test(fact.name ?? "") : fact.name === undefined);
  });
}

/** Whether pytest runs a fixture for tests that do not name it. */
export function isAutomatic(x: Extraction, decorators: readonly number[]): boolean {
  return decorators.some((decorator) => {
    const value = isFixture(x, decorator) ? argumentsOf(x, decorator).named.get("autouse") : undefined;
    return value !== undefined && x.tree.kind[value] === K.True;
  });
}

/** The fixtures that `@pytest.mark.usefixtures` names. */
export function usedFixtures(x: Extraction, decorators: readonly number[]): string[] {
  return decorators.flatMap((decorator) => {
    const call = USES.test(x.tree.text(decorator)) ? x.tree.children(decorator)[0] : undefined;
    const list = call === undefined ? -1 : x.tree.child(call, K.Arguments);
    return list < 0 ? [] : stringsIn(x, list);
  });
}

/** Notes the fixture that code asks for while it runs, as `request.getfixturevalue("client")` does. */
export function usesFixture(x: Extraction, callee: string, argument: number | undefined): void {
  const { nodes, functions } = x.facts;
  const fn = functions[x.place.fn];
  if (callee !== "getfixturevalue" || argument === undefined || nodes[argument] !== (Op.Str as number) || !fn || fn.symbol < 0) return;
  const name = nodes[argument + 1]!;
  if (!fn.uses?.includes(name)) (fn.uses ??= []).push(name);
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

/** The values that `@pytest.mark.parametrize` gives to parameters, by their names: those of decorators that are expressions now, as far as they are no plain constants. */
export function valuesOf({ facts: { nodes, strings } }: Extraction, decorators: readonly number[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  const opOf = (id: number): Op => nodes[id] as unknown as Op;
  const isDisplay = (id: number): boolean => opOf(id) === Op.List || opOf(id) === Op.Tuple;
  const itemsOf = (id: number): number[] => nodes.slice(id + 2, id + 2 + nodes[id + 1]!);
  const nameOf = (id: number): string => (opOf(id) === Op.Attr ? strings[nodes[id + 2]!]! : opOf(id) === Op.Name ? strings[nodes[id + 1]!]! : "");
  for (const decorator of decorators) {
    if (opOf(decorator) !== Op.Call || nameOf(nodes[decorator + 1]!) !== "parametrize" || nodes[decorator + 2]! < 2) continue;
    const [first, second] = [nodes[decorator + 3]!, nodes[decorator + 4]!];
    if (!isDisplay(second)) continue;
    const names = (isDisplay(first) ? itemsOf(first) : [first]).filter((id) => opOf(id) === Op.Str).flatMap((id) => strings[nodes[id + 1]!]!.split(",")).map((name) => name.trim());
    for (const item of itemsOf(second)) {
      const isParam = opOf(item) === Op.Call && nameOf(nodes[item + 1]!) === "param";
      const values = isParam ? nodes.slice(item + 3, item + 3 + nodes[item + 2]!) : names.length > 1 && isDisplay(item) ? itemsOf(item) : [item];
      names.forEach((name, i) => {
        const value = values[i];
        if (value === undefined || CONSTANTS.has(opOf(value))) return;
        const known = found.get(name);
        if (known) known.push(value);
        else found.set(name, [value]);
      });
    }
  }
  return found;
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
