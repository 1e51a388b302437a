import { Op } from "../facts.ts";
import type { FunctionFact, ModuleFacts, Offset, ShapeFact } from "../facts.ts";

/** Types in types. */
const MAX_DEPTH = 8;

/**
 * Where a type without a name stands: in the declaration of a symbol, and there in the part that `path` tells, as parts of slots are
 * called. `run` of `function make(): { run(): void }` has the path "().run", with that of its type, "()", before its name.
 */
export interface Place {
  readonly symbol: number;
  readonly path: string;
}

/** The places of a file's function types and object types without a name. */
export function placesIn(facts: ModuleFacts): ReadonlyMap<FunctionFact | ShapeFact, Place> {
  const { aliases, bindings, code, functions, shapes } = facts;
  const places = new Map<FunctionFact | ShapeFact, Place>();

  const visit = (at: Offset, symbol: number, path: string, depth: number): void => {
    if (at === 0 || depth > MAX_DEPTH) return;
    const all = (list: Offset): void => {
      for (let i = code[list]!; i > 0; i--) visit(code[list + i]!, symbol, path, depth + 1);
    };
    switch (code[at]) {
      case Op.TypeFunction: {
        const fact = functions[code[at + 1]!]!;
        if (!places.has(fact)) places.set(fact, { symbol, path });
        given(fact, symbol, path, depth);
        break;
      }
      case Op.TypeShape:
        shape(shapes[code[at + 1]!]!, symbol, path, depth);
        break;
      case Op.TypeArray:
        visit(code[at + 1]!, symbol, path, depth + 1);
        break;
      case Op.TypeUnion:
      case Op.TypeIntersection:
      case Op.TypeTuple:
        all(at + 1);
        break;
      case Op.TypeName:
      case Op.TypeGlobal:
        all(at + 2);
        break;
      case Op.TypeConditional:
        visit(code[at + 3]!, symbol, path, depth + 1);
        visit(code[at + 4]!, symbol, path, depth + 1);
        break;
    }
  };
  const shape = (fact: ShapeFact, symbol: number, path: string, depth: number): void => {
    if (fact.symbol < 0) {
      if (places.has(fact)) return;
      places.set(fact, { symbol, path });
    }
    for (const { name, type, initialiser, functions: all } of fact.members) {
      const member = partOfPath(path, name);
      visit(type, symbol, member, depth + 1);
      made(initialiser, symbol, member, depth);
      for (const f of all) given(functions[f]!, symbol, member, depth);
    }
  };
  /** `new Map<string, { run(): void }>()` */
  const made = (at: Offset, symbol: number, path: string, depth: number): void => {
    if (at !== 0 && code[at] === Op.New) for (let i = code[at + 2]!; i > 0; i--) visit(code[at + 2 + i]!, symbol, path, depth + 1);
  };
  const given = ({ returns, parameters, typeParameters }: FunctionFact, symbol: number, path: string, depth: number): void => {
    visit(returns, symbol, partOfPath(path, "()"), depth + 1);
    typeParameters.forEach((at, i) => { visit(code[at + 2]!, symbol, partOfPath(path, `<${i}>`), depth + 1); });
    parameters.forEach(({ type }, i) => { visit(type, symbol, partOfPath(path, String(i)), depth + 1); });
  };

  for (const { symbol, type } of aliases) if (symbol >= 0) visit(type, symbol, "", 0);
  for (const one of functions) if (one.symbol >= 0) given(one, one.symbol, "", 0);
  for (const one of shapes) if (one.symbol >= 0) shape(one, one.symbol, "", 0);
  for (const first of bindings) {
    for (let at = first; at !== 0; at = code[at + 1]!) {
      if (code[at] !== Op.Variable || code[at + 4]! < 0) continue;
      visit(code[at + 2]!, code[at + 4]!, ".", 0);
      made(code[at + 3]!, code[at + 4]!, ".", 0);
    }
  }
  return places;
}

/** What a part of a place is called. */
export function partOfPath(path: string, part: string): string {
  return path === "" || path === "." ? `${path}${part}` : `${path}.${part}`;
}
