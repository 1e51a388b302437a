/** A token of Rust's, as macros by example see it. */
export interface Token {
  text: string;
  /** Its offset in the file. */
  at: number;
  /** The expansion whose macro has it in its text; 0 where it stands as it was written. */
  mark: number;
  /** Whether something blank stands before it. */
  spaced: boolean;
}

const TOKEN = new RegExp(
  [
    String.raw`\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)`,
    String.raw`(?:br|cr|r)(?<hashes>#*)"[\s\S]*?(?:"\k<hashes>|$)|[bc]?"(?:\\[\s\S]|[^"\\])*(?:"|$)`,
    String.raw`b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^\\'\n]{1,2})'|'(?:r#)?[\p{L}_][\p{L}\p{N}_]*`,
    String.raw`0[xob][\da-fA-F_]+\w*|\d[\d_]*(?:\.\d[\d_]*|\.(?![.\p{L}_]))?(?:[eE][+-]?\d[\d_]*)?\w*`,
    String.raw`(?:r#)?[\p{L}_][\p{L}\p{N}_]*`,
    String.raw`<<=|>>=|\.\.\.|\.\.=|::|->|=>|==|!=|<=|>=|&&|\|\||[-+*/%^&|]=|<<|>>|\.\.|[^\s]`,
  ].join("|"),
  "gu",
);

const DOC = /^\/\/(?:\/(?!\/)|!)|^\/\*(?:\*(?![*/])|!)/;

/** The tokens of a part of a text, those of comments left out; a doc comment is the attribute that it stands for. */
export function tokensOf(source: string, from: number, to: number): Token[] {
  const tokens: Token[] = [];
  const part = source.slice(from, to);
  let end = 0;
  let blank = false;
  for (const { 0: text, index } of part.matchAll(TOKEN)) {
    const at = from + index;
    const spaced = blank || index > end;
    end = index + text.length;
    blank = /^\/[/*]/.test(text);
    if (!blank) tokens.push({ text, at, mark: 0, spaced });
    else if (DOC.test(text)) for (const sign of ["#", ...(text[2] === "!" ? ["!"] : []), "[", "doc", "=", '""', "]"]) tokens.push({ text: sign, at, mark: 0, spaced: false });
  }
  return tokens;
}

/** Brackets that stand deeper in each other are not read. */
const MAX_DEPTH = 200;
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** By the index of each opening bracket that of the closing one; undefined where they do not match, or are too deep. */
export function bracketsOf(tokens: readonly Token[]): Map<number, number> | undefined {
  const brackets = new Map<number, number>();
  const open: number[] = [];
  for (const [i, { text }] of tokens.entries()) {
    if (text in CLOSING) {
      if (open.push(i) > MAX_DEPTH) return undefined;
    } else if (text === ")" || text === "]" || text === "}") {
      const from = open.pop();
      if (from === undefined || CLOSING[tokens[from]!.text] !== text) return undefined;
      brackets.set(from, i);
    }
  }
  return open.length === 0 ? brackets : undefined;
}

const WORD = /^(?:r#)?[\p{L}_]/u;

export function isName(text: string): boolean {
  return WORD.test(text) && text !== "_" && !text.endsWith('"') && !text.endsWith("'");
}

/** A number, a character or a text. */
export function isLiteral(text: string): boolean {
  return /^\d|["']$|^(?:true|false)$/.test(text);
}

/** Whether two tokens would be one without something between them. */
export function wouldJoin(before: string, after: string): boolean {
  return /[\p{L}\p{N}_]$/u.test(before) ? /^[\p{L}\p{N}_"'#]/u.test(after) : !/^[\p{L}\p{N}_"'(){}[\];,]/u.test(after) && !/[(){}[\];,]$/.test(before);
}
