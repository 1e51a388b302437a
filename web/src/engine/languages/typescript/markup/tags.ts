/** Reads the tags of HTML and their attributes. */
import { scan } from "./javascript.ts";

/** Thrown where markup cannot be read: a tag, a comment, an element or a block does not end. */
export class MarkupError extends Error {}

/** An attribute, with offsets in the text. */
export interface Attribute {
  /** Empty for Svelte's `{name}` and `{...props}`. */
  name: string;
  /** Without quotes; undefined where there is only a name. */
  value: string | undefined;
  from: number;
  nameEnd: number;
  valueFrom: number;
  valueEnd: number;
  /** After the closing quote. */
  end: number;
}

/** A start tag, with offsets in the text. */
export interface Tag {
  name: string;
  attributes: Attribute[];
  isSelfClosing: boolean;
  from: number;
  nameEnd: number;
  /** After the `>`. */
  end: number;
}

/** The start tag at a `<`, undefined where none begins. In Svelte braces in a tag hold expressions, in which `>` and quotes are not HTML's. */
export function readTag(text: string, from: number, hasBraces: boolean): Tag | undefined {
  if (!/[A-Za-z]/.test(text[from + 1] ?? "")) return undefined;
  let at = from + 1;
  while (at < text.length && !/[\s/><]/.test(text[at]!)) at++;
  const tag: Tag = { name: text.slice(from + 1, at), attributes: [], isSelfClosing: false, from, nameEnd: at, end: at };
  for (;;) {
    at = skipSpace(text, at);
    if (at >= text.length) throw new MarkupError();
    if (text[at] === ">") break;
    if (text[at] === "/") {
      tag.isSelfClosing = text[at + 1] === ">";
      at++;
      continue;
    }
    const attribute = readAttribute(text, at, hasBraces);
    tag.attributes.push(attribute);
    at = attribute.end;
  }
  tag.end = at + 1;
  return tag;
}

function readAttribute(text: string, from: number, hasBraces: boolean): Attribute {
  if (hasBraces && text[from] === "{") return withoutValue("", from, from, closingBrace(text, from) + 1);
  let at = from;
  while (at < text.length && !/[\s=>]/.test(text[at]!) && !(text[at] === "/" && text[at + 1] === ">")) at++;
  if (at === from) at++;
  const nameEnd = at;
  const name = text.slice(from, nameEnd);
  const equals = skipSpace(text, at);
  if (text[equals] !== "=") return withoutValue(name, from, nameEnd, nameEnd);
  at = skipSpace(text, equals + 1);
  const quote = text[at] === '"' || text[at] === "'" ? text[at]! : "";
  const valueFrom = at + quote.length;
  for (at = valueFrom; at < text.length; at++) {
    if (quote !== "" ? text[at] === quote : /[\s>]/.test(text[at]!) || (text[at] === "/" && text[at + 1] === ">")) break;
    if (hasBraces && text[at] === "{") at = closingBrace(text, at);
  }
  if (at >= text.length) throw new MarkupError();
  return { name, value: text.slice(valueFrom, at), from, nameEnd, valueFrom, valueEnd: at, end: at + quote.length };
}

function withoutValue(name: string, from: number, nameEnd: number, end: number): Attribute {
  return { name, value: undefined, from, nameEnd, valueFrom: end, valueEnd: end, end };
}

/** The value of a tag's attribute, "" where there is none. */
export function valueOf(tag: Tag, name: string): string {
  return tag.attributes.find((attribute) => attribute.name === name)?.value ?? "";
}

/** The offset of the brace that closes the one at `at`. */
export function closingBrace(text: string, at: number): number {
  // The slash of `{/if}` would begin a regular expression.
  if (text[at + 1] === "/" && /\w/.test(text[at + 2] ?? "")) return offsetAfter(text, "}", at) - 1;
  const end = scan(text, at + 1)?.end ?? text.length;
  if (text[end] !== "}") throw new MarkupError();
  return end;
}

/** The offset after the next occurrence of a delimiter. */
export function offsetAfter(text: string, delimiter: string, from: number): number {
  const at = text.indexOf(delimiter, from);
  if (at < 0) throw new MarkupError();
  return at + delimiter.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}
