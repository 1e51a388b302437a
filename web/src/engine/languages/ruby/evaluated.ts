import { statements } from "./expressions.ts";
import type { Offset } from "./facts.ts";
import { OPEN, wholeSymbolsOf } from "./names.ts";
import type { Unit } from "./unit.ts";

/** Texts of one file that are read as code have so many characters together, with the lines before each, and no more are read. */
const MAX_READ = 1_000_000;

/** A part of a text: what is written out, or a variable, with the symbols that it is one of; none where only the run tells. */
type Piece = string | { variable: string; symbols: readonly string[] };

/**
 * Reads the text that `class_eval` is given as a part of the class's body: in a loop over names that are written out once for each of them, and
 * without those that only the run tells. Whatever it says stands in its own lines. A text that is no Ruby by itself is left out.
 */
export function evaluated(u: Unit, call: number, argument: number): Offset {
  const found = piecesOf(u, call, argument);
  if (!found) return 0;
  const { line, pieces } = found;
  const looped = pieces.find((piece) => typeof piece !== "string" && piece.symbols.length > 1);
  const { variable, symbols } = typeof looped === "object" ? looped : { variable: "", symbols: [OPEN] };
  for (const symbol of symbols) {
    const said = pieces.map((piece) => {
      if (typeof piece === "string") return piece;
      return piece.variable === variable ? symbol : piece.symbols.length === 1 ? piece.symbols[0]! : OPEN;
    });
    const text = "\n".repeat(line - 1) + said.join("");
    u.readAsCode += text.length;
    if (u.readAsCode > MAX_READ) return 0;
    const syntax = u.parse(text);
    if (!syntax || syntax.errors > 0) return 0;
    u.reading(syntax, () => u.within(u.addContext({ singleton: true, method: -1 }), -1, (): Offset => statements(u, 0)));
  }
  return 0;
}

/** What a text says, and the line where it begins; undefined for what is no text that is written out. */
function piecesOf(u: Unit, call: number, argument: number): { line: number; pieces: Piece[] } | undefined {
  const { syntax } = u;
  const line = syntax.line(argument);
  if (syntax.kind(argument) === "heredoc_beginning") {
    const body = bodyBehind(u, call);
    if (!body) return undefined;
    const end = syntax.source.lastIndexOf("\n", syntax.end(body) - 1);
    return { line, pieces: piecesIn(u, body, syntax.start(body), end, syntax.text(argument).includes("'")) };
  }
  if (syntax.kind(argument) !== "string") return undefined;
  const opening = /^(?:%[qQ]?.|["'])/.exec(syntax.text(argument))![0];
  return { line, pieces: piecesIn(u, argument, syntax.start(argument) + opening.length, syntax.end(argument) - 1, opening === "'" || opening.startsWith("%q")) };
}

/** The text of a heredoc that begins in a call, or 0: it stands behind the call's line. */
function bodyBehind({ syntax }: Unit, call: number): number {
  const line = syntax.endLine(call);
  const behind = syntax.next(call);
  return syntax.kind(behind) === "heredoc_body" && syntax.line(behind) === line ? behind : 0;
}

function piecesIn(u: Unit, node: number, from: number, to: number, raw: boolean): Piece[] {
  const { syntax } = u;
  const plain = (start: number, end: number): string => {
    const text = syntax.source.slice(start, end);
    return raw ? text : text.replace(/\\n/g, ";").replace(/\\(["#\\])/g, "$1");
  };
  const pieces: Piece[] = [];
  let at = from;
  for (const part of syntax.children(node)) {
    if (syntax.kind(part) !== "interpolation") continue;
    const [value, more] = syntax.children(part);
    const variable = value !== undefined && more === undefined && syntax.kind(value) === "identifier" ? syntax.text(value) : "";
    pieces.push(plain(at, syntax.start(part)), { variable, symbols: u.lookup(variable) === undefined ? [] : wholeSymbolsOf(u, value!) });
    at = syntax.end(part);
  }
  return [...pieces, plain(at, Math.max(at, to))];
}
