/** Reads a component of Vue: the blocks of its file, and the directives and interpolations of its template. */
import { readContent, readRawText } from "./elements.ts";
import type { Dialect } from "./elements.ts";
import { declarationOf, isPath, scan, scanWhole, splitAtCommas } from "./javascript.ts";
import type { Output } from "./output.ts";
import { MarkupError, offsetAfter, readTag, valueOf } from "./tags.ts";
import type { Attribute } from "./tags.ts";

/** Matches a statement that is not an expression. */
const STATEMENT = /^\s*(?:if|for|while|do|const|let|var|return|switch|try|throw)\b/;
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const ENTITIES: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&apos;": "'" };

const vue: Dialect = {
  hasBracesInTags: false,
  componentOf,
  isVerbatim: (tag) => tag.attributes.some(({ name }) => name === "v-pre"),
  isDeclaration: ({ name, value }) => value !== undefined && isDeclaration(name),
  writeAttribute,
  readBrace: readInterpolation,
};

/** Reads the blocks of a file: `<template>` contains markup, the others scripts, styles or custom text. */
export function readVue(output: Output): void {
  const { text } = output;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    if (text.startsWith("<!--", at)) {
      at = offsetAfter(text, "-->", at);
      continue;
    }
    const tag = readTag(text, at, vue.hasBracesInTags);
    if (!tag) {
      at++;
    } else if (tag.isSelfClosing) {
      at = tag.end;
    } else if (tag.name === "template" && ["", "html"].includes(valueOf(tag, "lang"))) {
      // The label marks the scope in which members of the component's options are variables.
      output.openBlock(tag.from, tag.end, "template", ["template:{"]);
      at = readContent(output, vue, tag.end);
      if (output.open.length > 0) throw new MarkupError();
    } else {
      at = readRawText(output, tag, tag.name === "script");
    }
  }
}

/** `<my-button>` is the component `MyButton`, if the text names one. */
function componentOf(output: Output, tagName: string): string {
  if (!tagName.includes("-")) return "";
  const camel = camelCase(tagName);
  const pascal = camel.charAt(0).toUpperCase() + camel.slice(1);
  return output.importableNames.has(pascal) ? pascal : "";
}

/** `{{ expression }}` */
function readInterpolation(output: Output, at: number): number {
  const { text } = output;
  if (text[at + 1] !== "{") return at + 1;
  const end = offsetAfter(text, "}}", at + 2);
  const expression = text.slice(at + 2, end - 2);
  if (scanWhole(expression) && expression.trim() !== "") output.write(at, end, `;(${expression});`);
  return end;
}

/** Whether an attribute of this name declares variables for its element. */
function isDeclaration(name: string): boolean {
  return name === "v-for" || name === "slot-scope" || /^(?:#|v-slot\b)/.test(name);
}

function writeAttribute(output: Output, attribute: Attribute): void {
  const { name, from, nameEnd } = attribute;
  if (attribute.value === undefined) {
    // `:id` is short for `:id="id"`.
    if (/^(?::|v-bind:)[a-z][\w-]*$/.test(name)) {
      if (output.write(from, nameEnd, `;${camelCase(name.slice(name.indexOf(":") + 1))}`)) output.endStatement(nameEnd);
    } else writeDirective(output, attribute);
    return;
  }
  const value = decode(attribute.value);
  if (name === "v-for") writeLoop(output, attribute, value);
  else if (isDeclaration(name)) writeDeclaration(output, attribute, value);
  else if (name === "ref") {
    if (IDENTIFIER.test(value)) writeExpression(output, from, attribute, value, false);
  } else if (/^(?:[:@]|v-)/.test(name)) {
    const isWritten = writeDirective(output, attribute);
    writeExpression(output, isWritten ? nameEnd : from, attribute, value, /^(?:@|v-on:)/.test(name));
  }
}

/** `v-focus` is the directive `vFocus`, if the text names one; returns whether its name is written. */
function writeDirective(output: Output, { name, from, nameEnd }: Attribute): boolean {
  const directive = /^v-[a-z][a-z\d-]*/.exec(name)?.[0];
  if (directive === undefined) return false;
  const variable = camelCase(directive);
  if (!output.importableNames.has(variable) || !output.write(from, from + directive.length, `;${variable}`)) return false;
  output.endStatement(nameEnd);
  return true;
}

/** Writes the value of an attribute, from an offset on. An event handler may be an expression, statements, or the path of a function to call. */
function writeExpression(output: Output, from: number, { valueFrom, valueEnd, end }: Attribute, value: string, isHandler: boolean): void {
  const found = scanWhole(value);
  if (!found || value.trim() === "") return;
  const isBlock = isHandler && (found.semicolons > 0 || STATEMENT.test(value));
  if (!isBlock && found.semicolons > 0) return;
  const [open, close] = isBlock ? [";{", "}"] : isHandler && isPath(value) ? [";", "()"] : [";(", ")"];
  const isQuoted = end > valueEnd;
  const code = open + value + close;
  // With padding, a quoted value stays in its column.
  const isWritten = isQuoted ? output.write(from, end, open.padStart(valueFrom - from) + value + close, code) : output.write(from, end, code, `;${value}`);
  if (isWritten) output.endStatement(end);
}

/** `v-for="(item, index) in list"` */
function writeLoop(output: Output, { from, end }: Attribute, value: string): void {
  const at = scanWhole(value)?.blanks.find((blank) => /^\s(?:in|of)\s/.test(value.slice(blank, blank + 4)));
  if (at === undefined) return;
  const list = value.slice(at + 3);
  const names = value.slice(0, at).trim();
  const [first, ...others] = splitAtCommas(names.startsWith("(") && names.endsWith(")") ? names.slice(1, -1) : names);
  const more = others.filter((other) => other !== "").map((other) => `,${other}`).join("");
  output.write(from, end, `;let[${first!}]=${list}${more};`, `;let[${first!}]=${list}${more}`, `;let[${first!}]=${list}`, `;(${list})`);
}

/** `v-slot="{ item }"` */
function writeDeclaration(output: Output, { from, end }: Attribute, value: string): void {
  if (scan(value)?.end !== value.length || value.trim() === "") return;
  const declaration = declarationOf(value);
  output.write(from, end, `;${declaration};`, `;${declaration}`);
}

/** Replaces character references. No line of the result is longer than that of the value. */
function decode(value: string): string {
  return value.includes("&") ? value.replace(/&(?:amp|lt|gt|quot|apos|#39);/g, (entity) => ENTITIES[entity]!) : value;
}

/** `my-button` becomes `myButton`. */
function camelCase(name: string): string {
  return name.replace(/-+(\w)/g, (_, letter: string) => letter.toUpperCase());
}
