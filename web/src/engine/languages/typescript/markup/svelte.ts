/** Reads a component of Svelte: its directives, expressions in braces, and blocks. */
import { readContent } from "./elements.ts";
import type { Dialect } from "./elements.ts";
import { declarationOf, isExpression, isPath, scan, scanWhole } from "./javascript.ts";
import type { Scan } from "./javascript.ts";
import type { Output } from "./output.ts";
import { closingBrace, MarkupError } from "./tags.ts";
import type { Attribute } from "./tags.ts";

const svelte: Dialect = {
  hasBracesInTags: true,
  componentOf: () => "",
  isVerbatim: () => false,
  isDeclaration: ({ name }) => name.startsWith("let:"),
  writeAttribute,
  readBrace,
};

/** Reads a file, all of which is markup except for scripts and styles. */
export function readSvelte(output: Output): void {
  readContent(output, svelte, 0);
  if (output.open.some(({ close }) => close !== "")) throw new MarkupError();
}

function writeAttribute(output: Output, attribute: Attribute): void {
  const { name, value, from, nameEnd } = attribute;
  if (name === "") {
    readBrace(output, from);
    return;
  }
  const [, directive = "", subject = ""] = /^(\w+):([^|]*)/.exec(name) ?? [];
  if (directive === "let") {
    writeLet(output, attribute, value === undefined ? subject : value.replace(/^\{/, "").replace(/\}$/, ""));
    return;
  }
  const isAction = /^(?:use|transition|in|out|animate)$/.test(directive);
  const isShort = value === undefined && /^(?:bind|class|style)$/.test(directive);
  if ((isAction || isShort) && /^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(subject) && output.write(from, nameEnd, `;${subject}`)) output.endStatement(nameEnd);
  writeValue(output, attribute);
}

/** `let:item` and `let:item={name}`: the declaration extends over a space on either side. */
function writeLet(output: Output, { from, end }: Attribute, pattern: string): void {
  const { text } = output;
  const start = /[ \t]/.test(text[from - 1]!) ? from - 1 : from;
  const stop = /[ \t]/.test(text[end]!) ? end + 1 : end;
  output.write(start, stop, `;let ${pattern};`, `;let ${pattern}`, `let ${pattern};`, `let ${pattern}`);
}

/** Writes the expressions in the braces of an attribute's value. */
function writeValue(output: Output, { name, valueFrom, valueEnd, end }: Attribute): void {
  const { text } = output;
  for (let at = valueFrom; at < valueEnd; at++) {
    if (text[at] !== "{") continue;
    const close = closingBrace(text, at);
    const expression = text.slice(at + 1, close);
    if (isExpression(expression)) {
      const isStart = at === valueFrom && /[ \t="']/.test(text[at - 1]!);
      const isHandler = isStart && close + 1 === valueEnd && /^on(?::|(?!line$)[a-z]{3,}$)/.test(name) && isPath(expression);
      if (isStart) {
        output.write(at - 1, close + 1, ...(isHandler ? [`;${expression}()`] : []), `;(${expression})`);
        output.endStatement(close + 1);
        // The closing quote follows.
        if (close + 1 === valueEnd && valueEnd < end) output.write(valueEnd, end, ";");
      } else output.write(at, close + 1, `;${expression};`);
    }
    at = close;
  }
}

/** `{…}`: an expression, a tag such as `{@const …}`, or the beginning, continuation or end of a block. */
function readBrace(output: Output, at: number): number {
  const close = closingBrace(output.text, at);
  const end = close + 1;
  const content = output.text.slice(at + 1, close);
  const [, sign = "", word = "", rest = ""] = /^([#:/@])(\w+(?:[ \t]+if\b)?)([\s\S]*)$/.exec(content) ?? [];
  if (sign === "#") beginBlock(output, at, end, word, rest);
  else if (sign === ":") continueBlock(output, at, end, word, rest);
  else if (sign === "/") {
    if (!output.write(at, end, closeBlock(output))) throw new MarkupError();
  } else if (sign === "@") {
    if (isExpression(rest)) output.write(at, end, word === "const" ? `;const${rest};` : `;${rest};`);
  } else {
    const expression = content.replace(/^(\s*)\.\.\./, "$1   ");
    // A statement that begins like a block or a declaration needs parentheses, for which there is no room.
    if (isExpression(content) && !/^\s*(?:\{|function\b|class\b|let\b)/.test(expression)) output.write(at, end, `;${expression};`);
  }
  return end;
}

/** `{#if condition}`, `{#each list as item}` and the like. */
function beginBlock(output: Output, at: number, end: number, word: string, rest: string): void {
  const name = `#${word}`;
  if (word !== "snippet") {
    output.openBlock(at, end, name, choicesOf(word, rest));
    return;
  }
  const parameters = rest.indexOf("(");
  // A snippet in the element of a component is an argument of that component, and no function of the file.
  const isArgument = /^[A-Z]|\./.test(output.open.at(-1)?.name ?? "");
  if (isArgument && parameters >= 0) output.openBlock(at, end, name, [`;(${lineBreaks(rest.slice(0, parameters))}${rest.slice(parameters)}=>{`], "});");
  else output.openBlock(at, end, name, [`;function${rest}{`]);
}

/** `{:else}`, `{:else if condition}`, `{:then result}`, `{:catch error}` */
function continueBlock(output: Output, at: number, end: number, word: string, rest: string): void {
  const close = closeBlock(output);
  const pattern = rest.trim();
  let code = "";
  if (/^(?:then|catch)/.test(word)) code = pattern === "" ? "" : `${declarationOf(pattern)};`;
  else if (isExpression(rest)) code = `;${rest};`;
  const isWritten = output.openBlock(at, end, "#", [`${close}{${code}`, `${close}{`]);
  if (close !== "" && !isWritten) throw new MarkupError();
}

/** Closes the innermost block of Svelte and all within it; returns the code that closes their blocks of JavaScript. */
function closeBlock(output: Output): string {
  const close = output.close(({ name }) => name.startsWith("#"));
  if (close === undefined) throw new MarkupError();
  return close;
}

/** Code for the beginning of a block, the most detailed choice first. */
function choicesOf(word: string, rest: string): string[] {
  const found = scanWhole(rest);
  if (!found) return ["{"];
  const choices = word === "each" ? choicesOfEach(rest, found) : word === "await" ? choicesOfAwait(rest, found) : undefined;
  return choices ?? [`{;${rest};`, "{"];
}

/** `{#each list as item, index (key)}` or `{#each list, index}` */
function choicesOfEach(rest: string, found: Scan): string[] | undefined {
  const parts = splitAtKeyword(rest, found, /^\s(as)\s/);
  if (!parts) {
    const comma = found.commas[0];
    return comma === undefined ? undefined : [`{;(${rest.slice(0, comma).trim()});let ${rest.slice(comma + 1).trim()};`, `{;(${rest.slice(0, comma)});`, "{"];
  }
  const { before: list, breaks } = parts;
  const { pattern, index, key } = readItem(parts.after.trim());
  const more = index === "" ? "" : `,${index}`;
  const keyed = key === "" ? "" : `(${key});`;
  const item = declarationOf(pattern);
  const trimmed = list.trimStart();
  const indent = lineBreaks(list.slice(0, list.length - trimmed.length));
  return [
    `{let[${pattern}]=${indent}${trimmed}${breaks}${more};${keyed}`, `{let[${pattern}]=${indent}${trimmed}${breaks};`,
    `{;${list}${breaks};${item}${more};${keyed}`, `{;${list}${breaks};${item}${more}`, `{;${list}${breaks};`, "{",
  ];
}

/** `{#await promise then result}` or `{#await promise catch error}` */
function choicesOfAwait(rest: string, found: Scan): string[] | undefined {
  const parts = splitAtKeyword(rest, found, /^\s(then|catch)\s/);
  if (!parts) return undefined;
  const { before: promise, keyword, breaks } = parts;
  const declaration = declarationOf(parts.after.trim());
  const choices = [`{;${promise}${breaks};${declaration};`, `{;${promise}${breaks};`, "{"];
  return keyword === "then" ? [`{${declaration}=await ${promise.trimStart()};`, ...choices] : choices;
}

interface Parts {
  before: string;
  keyword: string;
  after: string;
  /** The line break before the keyword, if any. */
  breaks: string;
}

/** Splits a text at the last keyword that a pattern matches together with a blank on either side. */
function splitAtKeyword(text: string, { blanks }: Scan, pattern: RegExp): Parts | undefined {
  const match = (blank: number): RegExpExecArray | null => pattern.exec(text.slice(blank, blank + 7));
  const at = blanks.findLast((blank) => match(blank) !== null);
  if (at === undefined) return undefined;
  const keyword = match(at)![1]!;
  return { before: text.slice(0, at), keyword, after: text.slice(at + 1 + keyword.length), breaks: lineBreaks(text[at]!) };
}

/** The parts of `{ id, name }, index (id)`. */
function readItem(text: string): { pattern: string; index: string; key: string } {
  const end = /^[{[]/.test(text) ? (scan(text, 1)?.end ?? 0) + 1 : /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(text)?.[0].length ?? 0;
  const rest = text.slice(end);
  const bracket = rest.indexOf("(");
  const index = (bracket < 0 ? rest : rest.slice(0, bracket)).replace(/^\s*,/, "").trim();
  return { pattern: text.slice(0, end), index, key: bracket < 0 ? "" : rest.slice(bracket + 1, rest.lastIndexOf(")")) };
}

function lineBreaks(text: string): string {
  return text.replace(/[^\n]/g, "");
}
