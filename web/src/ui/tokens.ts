/** A light colouring of code: comments, strings, keywords, numbers, called names. Not a parser, and never wrong about the text. */

export type TokenKind = "plain" | "comment" | "string" | "keyword" | "number" | "call";

export interface Token {
  kind: TokenKind;
  text: string;
}

interface Syntax {
  lineComment: string;
  blockComment?: [open: string, close: string];
  /** Longest first. Those in `multiline` go on over line ends. */
  quotes: readonly string[];
  multiline: readonly string[];
  keywords: ReadonlySet<string>;
  /** Keywords may be written large or small; they stand here large, but for true, false and null. */
  anyCase?: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const SCRIPT: Syntax = {
  lineComment: "//", blockComment: ["/*", "*/"], quotes: ['"', "'", "`"], multiline: ["`"],
  keywords: words("abstract any as async await boolean break case catch class const continue declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace never new null number of override private protected public readonly return satisfies set static string super switch this throw true try type typeof undefined unknown using var void while with yield"),
};
const GO: Syntax = {
  lineComment: "//", blockComment: ["/*", "*/"], quotes: ['"', "'", "`"], multiline: ["`"],
  keywords: words("any bool break byte case chan const continue default defer else error fallthrough false float64 for func go goto if import int int64 interface iota map nil package range return rune select string struct switch true type uint8 uint32 uint64 var"),
};
const PYTHON: Syntax = {
  lineComment: "#", quotes: ['"""', "'''", '"', "'"], multiline: ['"""', "'''"],
  keywords: words("False None True and as assert async await break case class cls continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield"),
};
const RUBY: Syntax = {
  lineComment: "#", quotes: ['"', "'"], multiline: ['"'],
  keywords: words("BEGIN END alias and attr_accessor attr_reader attr_writer begin break case class def defined do else elsif end ensure extend false for if in include module next nil not or prepend private protected public raise redo require require_relative rescue retry return self super then true undef unless until when while yield"),
};
const CYPHER: Syntax = {
  lineComment: "//", blockComment: ["/*", "*/"], quotes: ['"', "'"], multiline: ['"', "'"],
  keywords: words("MATCH OPTIONAL WHERE RETURN DISTINCT ORDER BY DESC ASC LIMIT SKIP WITH UNWIND UNION ALL AS AND OR XOR NOT IN IS NULL STARTS ENDS CONTAINS CASE WHEN THEN ELSE END EXISTS true false null"),
  anyCase: true,
};
const OTHER: Syntax = {
  lineComment: "//", blockComment: ["/*", "*/"], quotes: ['"', "'"], multiline: [],
  keywords: words("abstract auto bool boolean break case catch char class const continue default do double else enum export extends extern false final finally float fn for func function if impl import in int interface let long loop match mod mut namespace new nil null override package private protected pub public return self short static string struct super switch this throw trait true try type typedef unsafe unsigned use using var virtual void volatile where while"),
};

function syntaxOf(language: string): Syntax | undefined {
  switch (language.toLowerCase()) {
    case "typescript": case "tsx": case "javascript": case "jsx":
      return SCRIPT;
    case "go":
      return GO;
    case "python":
      return PYTHON;
    case "ruby":
      return RUBY;
    case "cypher":
      return CYPHER;
    case "java": case "rust": case "c": case "cpp": case "c++": case "csharp": case "c#": case "php": case "kotlin": case "swift":
      return OTHER;
    default:
      return undefined;
  }
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /\d[\w.]*/y;
const SPACE = /\s+/y;

/** Tokens line by line: joined, they are the line. Text of an unknown language stays plain. */
export function tokenLines(lines: readonly string[], language: string): Token[][] {
  const syntax = syntaxOf(language);
  if (!syntax) return lines.map((text) => (text === "" ? [] : [{ kind: "plain", text }]));
  /** What ends the comment or string that a line begins in; "" for none. */
  let open = "";
  return lines.map((line) => {
    const tokens: Token[] = [];
    open = scan(line, syntax, open, (kind, text) => {
      const last = tokens.at(-1);
      if (last?.kind === kind) last.text += text;
      else if (text !== "") tokens.push({ kind, text });
    });
    return tokens;
  });
}

function scan(line: string, syntax: Syntax, open: string, emit: (kind: TokenKind, text: string) => void): string {
  let at = 0;
  const closeFrom = (from: number, end: string, kind: TokenKind): boolean => {
    const close = kind === "comment" ? line.indexOf(end, from) : stringEnd(line, from, end);
    const stop = close < 0 ? line.length : close + end.length;
    emit(kind, line.slice(at, stop));
    at = stop;
    return close >= 0;
  };
  if (open !== "" && !closeFrom(0, open, open === syntax.blockComment?.[1] ? "comment" : "string")) return open;
  while (at < line.length) {
    if (line.startsWith(syntax.lineComment, at)) {
      emit("comment", line.slice(at));
      return "";
    }
    if (syntax.blockComment && line.startsWith(syntax.blockComment[0], at)) {
      if (!closeFrom(at + 2, syntax.blockComment[1], "comment")) return syntax.blockComment[1];
      continue;
    }
    const quote = syntax.quotes.find((q) => line.startsWith(q, at));
    if (quote !== undefined) {
      if (!closeFrom(at + quote.length, quote, "string") && syntax.multiline.includes(quote)) return quote;
      continue;
    }
    const word = match(WORD, line, at);
    if (word !== "") {
      const called = line.charAt(at + word.length) === "(";
      emit(syntax.keywords.has(word) || (syntax.anyCase === true && syntax.keywords.has(word.toUpperCase())) ? "keyword" : called ? "call" : "plain", word);
      at += word.length;
      continue;
    }
    const number = match(NUMBER, line, at);
    const plain = number === "" ? match(SPACE, line, at) || line.charAt(at) : "";
    emit(number === "" ? "plain" : "number", number || plain);
    at += (number || plain).length;
  }
  return "";
}

function match(pattern: RegExp, line: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0] ?? "";
}

function stringEnd(line: string, from: number, quote: string): number {
  for (let at = from; at < line.length; at++) {
    if (line.charAt(at) === "\\") at++;
    else if (line.startsWith(quote, at)) return at;
  }
  return -1;
}
