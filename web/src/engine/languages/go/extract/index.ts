import type { Language as Grammar, Tree } from "web-tree-sitter";
import type { FileFacts } from "../../../facts.ts";
import type { GoFacts } from "../facts.ts";
import { declarations } from "./declarations.ts";
import { packageName, withoutHelpers } from "./entries.ts";
import { readHeader } from "./header.ts";
import { Syntax } from "./syntax.ts";
import { Unit } from "./unit.ts";

/** Reads one parsed file; see Language.extract. */
export function extract(tree: Tree, source: string, path: string, grammar: Grammar): FileFacts<GoFacts> {
  const syntax = new Syntax(tree, source, grammar);
  const u = new Unit(syntax, path);
  declarations(u, 0);
  withoutHelpers(u);
  const { generated, constraint } = readHeader(source);
  const { imports, functions, types, values, uses, given, literals, returns, strings, code } = u;
  return {
    symbols: u.symbols,
    data: { package: packageName(u), constraint, imports, functions, types, values, uses, given, literals, returns, strings, code, qualified: [...u.qualified] },
    syntaxErrors: syntax.errors,
    ...(generated ? { generated } : {}),
  };
}
