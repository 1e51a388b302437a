import { isLiteral, isName, type Token } from "./tokens.ts";

/** Tokens with the closing bracket of each opening one. */
export interface Tokens {
  list: readonly Token[];
  brackets: ReadonlyMap<number, number>;
}

/** Words that begin neither an expression nor, but for some, a type. */
const RESERVED = /^(?:as|else|enum|extern|fn|impl|in|mod|mut|pub|ref|struct|trait|type|use|where|let|dyn)$/;
const BEFORE_TYPES = /^(?:mut|const|dyn|impl|for|fn|unsafe|extern)$/;
const IN_TYPES = /^(?:impl|dyn|fn|extern)$/;
/** Of an item that ends with its semicolon, whatever blocks are in it. */
const TO_SEMICOLON = /^(?:const|static|use|type|let)$/;

/** Where what a fragment of a macro's pattern (`$x:expr`) takes ends, from token `i`, before token `end`; -1 where there is no such thing. */
export function fragmentEnd(spec: string, tokens: Tokens, i: number, end: number): number {
  const { list, brackets } = tokens;
  const text = i < end ? list[i]!.text : "";
  const some = (to: number): number => (to > i ? to : -1);
  switch (spec) {
    case "vis": {
      if (text !== "pub") return i;
      const inside = list[i + 1]?.text === "(" && i + 1 < end && /^(?:crate|self|super|in)$/.test(list[i + 2]!.text);
      return inside ? brackets.get(i + 1)! + 1 : i + 1;
    }
    case "tt":
      return some(Math.min(end, treeEnd(tokens, i)));
    case "ident":
      return isName(text) ? i + 1 : -1;
    case "lifetime":
      return text.startsWith("'") && !isLiteral(text) ? i + 1 : -1;
    case "literal": {
      const at = text === "-" ? i + 1 : i;
      return at < end && isLiteral(list[at]!.text) ? at + 1 : -1;
    }
    case "block":
      return text === "{" ? treeEnd(tokens, i) : -1;
    case "ty":
    case "path":
      return beginsType(text) ? some(typeEnd(tokens, i, end)) : -1;
    case "expr":
    case "expr_2021":
      return beginsExpression(text) ? some(expressionEnd(tokens, i, end)) : -1;
    case "pat":
    case "pat_param":
      return beginsExpression(text) || /^(?:_|ref|mut|box)$/.test(text) ? some(until(tokens, i, end, spec === "pat" ? /^(?:=>|,|=|if|in)$/ : /^(?:=>|,|=|if|in|\|)$/)) : -1;
    case "stmt":
      return text === "" ? -1 : some(until(tokens, i, end, /^;$/));
    case "meta":
      return isName(text) ? until(tokens, i, end, /^,$/) : -1;
    case "item":
      return itemEnd(tokens, i, end);
    default:
      return -1;
  }
}

function treeEnd({ brackets }: Tokens, i: number): number {
  return (brackets.get(i) ?? i) + 1;
}

/** The first token at this depth that matches, or the end. */
function until(tokens: Tokens, i: number, end: number, stop: RegExp): number {
  while (i < end && !stop.test(tokens.list[i]!.text)) i = treeEnd(tokens, i);
  return i;
}

function beginsType(text: string): boolean {
  return text === "_" || (isName(text) ? !RESERVED.test(text) || IN_TYPES.test(text) : /^(?:[([!*&?<]|&&|<<|::|'\w+)$/.test(text));
}

function typeEnd(tokens: Tokens, from: number, end: number): number {
  const { list } = tokens;
  let i = from;
  // Whether the tokens before `i` are a whole type, so that a name or a bracket begins the next thing: `u8 u16`.
  let whole = false;
  while (i < end) {
    const { text } = list[i]!;
    if (/^(?:[,:=>;|{]|=>|>>|as|where)$/.test(text)) break;
    const begins = isName(text) || /^(?:[[&*]|&&)$/.test(text) || (text === "(" && !isName(list[i - 1]?.text ?? ""));
    if (whole && begins) break;
    const binder = text === "for";
    whole = isName(text) ? !BEFORE_TYPES.test(text) : /^[<([!]$/.test(text);
    i = text === "<" || text === "<<" ? angleEnd(tokens, i, end) : treeEnd(tokens, i);
    if (binder && list[i]?.text === "<") i = angleEnd(tokens, i, end);
  }
  return Math.min(i, end);
}

/** Behind the `>` of a `<`. */
function angleEnd(tokens: Tokens, i: number, end: number): number {
  let depth = 0;
  while (i < end) {
    const { text } = tokens.list[i]!;
    if (text === "<" || text === "<<") depth += text.length;
    else if (text === ">" || text === ">>") depth -= text.length;
    i = treeEnd(tokens, i);
    if (depth <= 0) break;
  }
  return i;
}

function beginsExpression(text: string): boolean {
  return isName(text) ? !RESERVED.test(text) : isLiteral(text) || /^(?:[([{!*&|<#-]|&&|\|\||<<|::|\.\.=?|'\w+)$/.test(text);
}

function expressionEnd(tokens: Tokens, from: number, end: number): number {
  const { list } = tokens;
  let i = from;
  while (i < end) {
    const { text } = list[i]!;
    if (/^(?:=>|,|;)$/.test(text)) break;
    const behind = i > from ? list[i - 1]!.text : "";
    const operand = behind === "" || !(isName(behind) && !/^(?:return|break|in|if|match|move|as|else|while)$/.test(behind) || isLiteral(behind) || /^[)\]}?]$/.test(behind));
    if (text === "|" && operand) i = until(tokens, i + 1, end, /^\|$/) + 1;
    else if (text === "<" && (operand || behind === "::")) i = angleEnd(tokens, i, end);
    else if (text === "as") i = typeEnd(tokens, i + 1, end);
    else i = treeEnd(tokens, i);
  }
  return Math.min(i, end);
}

function itemEnd(tokens: Tokens, i: number, end: number): number {
  const { list } = tokens;
  while (i < end && list[i]!.text === "#") i = treeEnd(tokens, list[i + 1]?.text === "!" ? i + 2 : i + 1);
  const head = fragmentEnd("vis", tokens, i, end);
  const text = head < end ? list[head]!.text : "";
  if (!isName(text)) return -1;
  const whole = TO_SEMICOLON.test(text) && !/^(?:fn|unsafe|async|extern)$/.test(list[head + 1]?.text ?? "");
  for (let at = head; at < end; at = treeEnd(tokens, at)) {
    const sign = list[at]!.text;
    if (sign === ";" || (sign === "{" && !whole)) return treeEnd(tokens, at);
  }
  return -1;
}
