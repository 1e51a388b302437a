import type { Extraction } from "./extraction.ts";
import { Const, Op } from "./facts.ts";

/** Whether a string literal reads as a type, such as `list["Foo"] | None`. */
export function looksLikeType(text: string): boolean {
  return text.length <= 300 && /^\s*[A-Za-z_][\w.]*\s*([[|].*)?$/s.test(text);
}

/** `x = []  # type: list[Item]`, `item,  # type: Item` among parameters, but not `# type: ignore` (PEP 484). */
const OF_VARIABLE = /(?:[ \t]*,)?[ \t]*#[ \t]*type:(?![ \t]*ignore\b)([^#\n]+)/y;
/** The same of a function, between its head and its body: `# type: (int, str) -> Item`. */
const OF_FUNCTION = /[ \t]*:[ \t]*(?:(?:#[^\n]*)?\n[ \t]*)?#[ \t]*type:[ \t]*\(([^\n]*)\)[ \t]*->[ \t]*([^#\n]+)/y;

/** What the comment behind an assignment or a parameter, which ends at an offset, says of the type of what is assigned or given. */
export function commentOfVariable(source: string, end: number): string | undefined {
  OF_VARIABLE.lastIndex = end;
  return OF_VARIABLE.exec(source)?.[1]!.trim();
}

/** What the comment behind a function's parameters, which end at an offset, says of their types and of that of the result. */
export function commentOfFunction(source: string, end: number): { parameters: string; result: string } | undefined {
  OF_FUNCTION.lastIndex = end;
  const said = OF_FUNCTION.exec(source);
  return said ? { parameters: said[1]!.trim(), result: said[2]!.trim() } : undefined;
}

/** Adds the type that a string literal spells to the pool; Unknown for what it can't read. `named` gets its names, dotted ones whole. */
export function parseType(x: Extraction, text: string, named: (id: number) => void): number {
  const tokens = text.match(/[^\W\d]\w*|\.\.\.|'[^']*'|"[^"]*"|[\d]+|\S/gu) ?? [];
  let at = 0;
  const accept = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at++;
    return true;
  };
  const list = (close: string): number[] => {
    const items: number[] = [];
    while (at < tokens.length && !accept(close)) {
      items.push(union());
      if (!accept(",") && tokens[at] !== close) at++;
    }
    return items;
  };
  const union = (): number => {
    if (!x.enter()) return 0;
    let left = primary();
    while (accept("|")) left = x.node(Op.Binary, x.string("|"), left, primary());
    x.leave();
    return left;
  };
  const primary = (): number => {
    const token = tokens[at++];
    if (token === undefined) return x.node(Op.Unknown);
    if (token === "[") return x.listNode([Op.List], list("]"));
    if (token === "None") return x.node(Op.Const, Const.None);
    if (token === "...") return x.node(Op.Const, Const.Ellipsis);
    if (/^['"]/.test(token)) {
      const inner = token.slice(1, -1);
      return x.node(Op.Quoted, x.string(inner), looksLikeType(inner) ? parseType(x, inner, named) : x.node(Op.Unknown));
    }
    if (!/^[^\W\d]/u.test(token)) return x.node(Op.Unknown);
    let id = x.node(Op.Name, x.string(token), x.place.scope);
    while (accept(".")) {
      const name = tokens[at++];
      if (name === undefined) return x.node(Op.Unknown);
      id = x.node(Op.Attr, id, x.string(name));
    }
    named(id);
    while (accept("[")) {
      const items = list("]");
      id = x.node(Op.Sub, id, items.length === 1 ? items[0]! : x.listNode([Op.Tuple], items));
    }
    return id;
  };
  return union();
}
