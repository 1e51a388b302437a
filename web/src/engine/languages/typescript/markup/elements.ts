/** Reads the elements, comments, scripts and styles of markup, which Vue and Svelte have in common. */
import type { Output } from "./output.ts";
import { MarkupError, offsetAfter, readTag, valueOf } from "./tags.ts";
import type { Attribute, Tag } from "./tags.ts";

/** Elements without an end tag. */
const VOID = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]);
/** Elements that contain text and no markup. */
const RAW_TEXT = new Set(["script", "style"]);

/** The syntax that a framework adds to HTML. */
export interface Dialect {
  /** Whether braces in a tag hold expressions. */
  readonly hasBracesInTags: boolean;
  /** The variable of the component behind a tag whose name is no identifier, "" where there is none. */
  componentOf(output: Output, tagName: string): string;
  /** Whether the attributes and content of a tag's element are plain HTML. */
  isVerbatim(tag: Tag): boolean;
  /** Whether an attribute declares variables whose scope is its element. */
  isDeclaration(attribute: Attribute): boolean;
  writeAttribute(output: Output, attribute: Attribute): void;
  /** Reads an interpolation or block that may begin at a `{`; returns the offset to continue at. */
  readBrace(output: Output, at: number): number;
}

/** Reads up to the end of the innermost open element, or to the end of the text; returns the offset after it. */
export function readContent(output: Output, dialect: Dialect, from: number): number {
  const { text } = output;
  const depth = output.open.length;
  let at = from;
  while (at < text.length) {
    const c = text[at]!;
    if (c === "<") {
      if (text.startsWith("<!--", at)) at = offsetAfter(text, "-->", at);
      else if (text[at + 1] === "/") {
        at = readEndTag(output, at);
        if (output.open.length < depth) return at;
      } else {
        const tag = readTag(text, at, dialect.hasBracesInTags);
        at = tag ? readElement(output, dialect, tag) : at + 1;
      }
    } else if (c === "{" && output.open.at(-1)?.isVerbatim !== true) {
      at = dialect.readBrace(output, at);
    } else {
      at++;
    }
  }
  return at;
}

function readEndTag(output: Output, at: number): number {
  const end = offsetAfter(output.text, ">", at);
  const name = output.text.slice(at + 2, end - 1).trim();
  const close = output.close((element) => element.name === name);
  if (close !== undefined && !output.write(at, end, close)) throw new MarkupError();
  return end;
}

/** Opens the element of a tag, or reads a script or style to its end; returns the offset to continue at. */
function readElement(output: Output, dialect: Dialect, tag: Tag): number {
  if (RAW_TEXT.has(tag.name)) return tag.isSelfClosing ? tag.end : readRawText(output, tag, tag.name === "script" && output.open.length === 0);
  if (output.open.at(-1)?.isVerbatim === true || dialect.isVerbatim(tag)) output.open.push({ name: tag.name, close: "", isVerbatim: true });
  else writeTag(output, dialect, tag);
  if (tag.isSelfClosing || VOID.has(tag.name.toLowerCase())) {
    const close = output.close(() => true)!;
    if (close !== "" && !output.write(tag.end - 1, tag.end, close)) throw new MarkupError();
  }
  return tag.end;
}

/** Writes the component and the attributes of a tag, and opens its element. */
function writeTag(output: Output, dialect: Dialect, tag: Tag): void {
  const component = isReference(tag.name) ? tag.name : dialect.componentOf(output, tag.name);
  if (tag.attributes.some((attribute) => dialect.isDeclaration(attribute))) output.openBlock(tag.from, tag.nameEnd, tag.name, [`{${component}`, "{"]);
  else {
    if (component !== "") output.write(tag.from, tag.nameEnd, `;${component}`);
    output.open.push({ name: tag.name, close: "" });
  }
  if (component !== "") output.endStatement(tag.nameEnd);
  for (const attribute of tag.attributes) dialect.writeAttribute(output, attribute);
}

/** Whether the name of a tag refers to a variable or a member, not to an element of HTML. */
function isReference(name: string): boolean {
  return /^[A-Z][\w$.]*$/.test(name) || /^[a-z_$][\w$]*(?:\.[\w$]+)+$/.test(name);
}

/** Reads an element whose content is not markup, and copies the content if it is a script of the component; returns the offset to continue at. */
export function readRawText(output: Output, tag: Tag, isComponentScript: boolean): number {
  const { text } = output;
  const close = `</${tag.name}`;
  const end = text.indexOf(close, tag.end);
  if (end < 0) throw new MarkupError();
  const type = valueOf(tag, "type");
  if (isComponentScript && (type === "" || /script|module|babel|[jt]sx$/i.test(type))) {
    output.hasScript = true;
    const source = valueOf(tag, "src");
    if (source !== "" && text.slice(tag.end, end).trim() === "") {
      output.write(tag.from, end + close.length, `;export{default}from${JSON.stringify(source)};`, `;import${JSON.stringify(source)};`);
    } else {
      output.write(tag.from, tag.from + 1, ";");
      output.copy(tag.end, end);
      output.write(end, end + 1, ";");
    }
  }
  return end + close.length;
}
