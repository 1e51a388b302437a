import type { Language as Grammar, Tree } from "web-tree-sitter";
import type { FileFacts } from "../../../facts.ts";
import { parseAgain } from "../../../parse.ts";
import type { GoFacts } from "../facts.ts";
import { declarations } from "./declarations.ts";
import { packageName, withoutHelpers } from "./entries.ts";
import { readHeader } from "./header.ts";
import { Syntax } from "./syntax.ts";
import { Unit } from "./unit.ts";

/** `new(f())` and its like: to the grammar `new` takes a type alone. */
const NEW_VALUE = /\bnew(?=\(\s*(?:["'`\d!+-]|&|<-|(?:true|false)\s*\)|(?!(?:chan|map|struct|interface|func)\b)[A-Za-z_][\w.]*(?:\[[^\]\n]*\])?\s*(?:[({+\-/%|^&<>=!]|\*\s*\w)))/g;

/** Reads one parsed file; see Language.extract. */
export function extract(tree: Tree, source: string, path: string, grammar: Grammar): FileFacts<GoFacts> {
  const syntax = read(tree, source, grammar);
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

/** The tree, or that of the text with another name for `new` where it takes a value. */
function read(tree: Tree, source: string, grammar: Grammar): Syntax {
  const first = new Syntax(tree, source, grammar);
  const text = first.errors === 0 ? source : source.replace(NEW_VALUE, "nEw");
  if (text === source) return first;
  const second = parseAgain(grammar, text, (again) => new Syntax(again, source, grammar));
  return second && second.errors < first.errors ? second : first;
}
