/**
 * What is code in a component of Vue or Svelte: its scripts, and what of its markup names something of them. A piece of markup becomes a
 * statement on its line; what declares names becomes a block around the element that they hold for, so that nothing outside is meant by them.
 */

/** The characters of a line's end stay as they are. */
const LINE_END = /[\n\r\u2028\u2029]/;
const SPACE = /\s/;
/** Elements without an end tag. */
const VOID = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]);
/** Elements whose text is none of the markup. */
const RAW = new Set(["script", "style"]);
/** How far up an end tag is looked for its element: hostile text opens a million. */
const MAX_UP = 60;
/** Blocks within blocks beyond this are told without their own names. */
const MAX_BLOCKS = 60;
/** Statements, and no expression. */
const STATEMENT = /^\s*(?:if|for|while|do|const|let|var|return|switch|try|throw)\b/;
/** A function by its name: as the handler of an event, markup calls it. */
const PATH = /^\s*[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*\s*$/u;
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const OPENING = "([{";
const CLOSING = ")]}";
/** What a slash is a division behind. */
const OPERAND = /[\p{L}\p{N}_$)\]}"'`]/u;
const WORD_BEFORE_REGEX = /(?:^|[^\p{L}\p{N}_$.])(?:return|typeof|in|of|case|void|delete|new)\s*$/u;

interface Scan {
  /** Where a bracket closes that is not opened within, or the end. */
  end: number;
  /** Commas, semicolons and blanks outside of all brackets and texts. */
  commas: number[];
  semicolons: number;
  blanks: number[];
  /** Ends within a comment that goes to the end of its line. */
  commented: boolean;
}

/** Reads an expression up to a bracket that it does not open; undefined where a text, a comment or a bracket is not closed. */
function scan(text: string, from: number, to: number): Scan | undefined {
  const found: Scan = { end: to, commas: [], semicolons: 0, blanks: [], commented: false };
  const open: string[] = [];
  /** The last character that is neither blank nor of a comment. */
  let before = -1;
  for (let at = from; at < to; at++) {
    const c = text[at]!;
    if (SPACE.test(c)) {
      if (open.length === 0) found.blanks.push(at);
      continue;
    }
    if (c === "/" && (text[at + 1] === "/" || text[at + 1] === "*")) {
      const isLine = text[at + 1] === "/";
      const end = text.indexOf(isLine ? "\n" : "*/", at + 2);
      if (end < 0 || end >= to) {
        if (!isLine) return undefined;
        found.commented = true;
        break;
      }
      at = isLine ? end : end + 1;
      continue;
    }
    if (c === '"' || c === "'") {
      for (at++; at < to && text[at] !== c; at++) if (text[at] === "\\") at++;
      if (at >= to) return undefined;
    } else if (c === "`" || (c === "}" && open.at(-1) === "`")) {
      if (c === "}") open.pop();
      for (at++; at < to && text[at] !== "`" && !(text[at] === "$" && text[at + 1] === "{"); at++) if (text[at] === "\\") at++;
      if (at >= to) return undefined;
      if (text[at] === "$") {
        open.push("`");
        at++;
      }
    } else if (c === "/" && (before < 0 || !OPERAND.test(text[before]!) || WORD_BEFORE_REGEX.test(text.slice(Math.max(from, before - 9), before + 1)))) {
      let inClass = false;
      for (at++; at < to && (inClass || text[at] !== "/"); at++) {
        if (text[at] === "\\") at++;
        else if (text[at] === "[") inClass = true;
        else if (text[at] === "]") inClass = false;
        else if (text[at] === "\n") return undefined;
      }
      if (at >= to) return undefined;
    } else if (OPENING.includes(c)) {
      open.push(CLOSING[OPENING.indexOf(c)]!);
    } else if (CLOSING.includes(c)) {
      if (open.length === 0) {
        found.end = at;
        return found;
      }
      if (open.pop() !== c) return undefined;
    } else if (open.length === 0 && c === ",") {
      found.commas.push(at);
    } else if (open.length === 0 && c === ";") {
      found.semicolons++;
    }
    before = at;
  }
  return open.length === 0 ? found : undefined;
}

interface Attribute {
  /** Where its name begins and ends; of Svelte's `{…}` without a name both are where that begins. */
  from: number;
  nameEnd: number;
  /** Its value, without quotes; 0 and 0 where it has none. */
  value: number;
  valueEnd: number;
  /** Behind its last character. */
  end: number;
}

interface Tag {
  name: string;
  from: number;
  nameEnd: number;
  attributes: Attribute[];
  closesItself: boolean;
  /** Behind its `>`. */
  end: number;
}

interface Open {
  name: string;
  /** What ends the block that it is, "" where it is none. */
  close: string;
  /** Text in braces is no code: `v-pre`. */
  isPlain?: boolean;
}

/** Thrown where the markup cannot be read; the scripts still can. */
class Unreadable extends Error {}

/** Reads the markup and writes the code. */
class Markup {
  private readonly open: Open[] = [];
  private readonly code: Uint16Array;
  private blocks = 0;
  /** Whether a script was found where scripts of components are. */
  hasScript = false;

  constructor(private readonly text: string, private readonly isVue: boolean) {
    this.code = new Uint16Array(text.length);
    for (let at = 0; at < text.length; at++) this.code[at] = LINE_END.test(text[at]!) ? text.charCodeAt(at) : 32;
  }

  result(): string {
    let result = "";
    for (let at = 0; at < this.code.length; at += 8192) result += String.fromCharCode(...this.code.subarray(at, at + 8192));
    return result;
  }

  /** The scripts alone. */
  scripts(): void {
    try {
      this.eachScript();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
  }

  private eachScript(): void {
    for (let at = this.text.indexOf("<script"); at >= 0; at = this.text.indexOf("<script", at)) {
      const tag = this.tag(at);
      if (!tag) return;
      at = tag.name === "script" ? this.raw(tag, true) : tag.end;
    }
  }

  /** Svelte: all is markup but scripts and styles. */
  svelte(): void {
    this.markup(0);
    if (this.open.some(({ close }) => close !== "")) throw new Unreadable();
  }

  /** Vue: what is in `<template>` is markup, and other blocks are texts of their own kinds. */
  vue(): void {
    for (let at = this.text.indexOf("<"); at >= 0; at = this.text.indexOf("<", at)) {
      if (this.text.startsWith("<!--", at)) {
        at = this.behind("-->", at);
        continue;
      }
      const tag = this.tag(at);
      if (!tag) {
        at++;
        continue;
      }
      const isMarkup = tag.name === "template" && !tag.closesItself && ["", "html"].includes(this.named(tag, "lang"));
      if (!isMarkup) at = tag.closesItself ? tag.end : this.raw(tag, tag.name === "script");
      else {
        // The names of a component's options are meant in its markup alone.
        this.block(tag.from, tag.end, "template", ["template:{"]);
        at = this.markup(tag.end);
        if (this.open.length > 0) throw new Unreadable();
      }
    }
  }

  /** Writes code over a part of the text, line over line: the first that fits. */
  private write(from: number, to: number, ...choices: readonly string[]): boolean {
    const room = this.text.slice(from, to).split("\n");
    for (const choice of choices) {
      const lines = choice.split("\n");
      if (lines.length > room.length || lines.some((line, i) => line.length > room[i]!.length)) continue;
      let at = from;
      lines.forEach((line, i) => {
        for (let k = 0; k < line.length; k++) if (!LINE_END.test(this.text[at + k]!)) this.code[at + k] = line.charCodeAt(k);
        at += room[i]!.length + 1;
      });
      return true;
    }
    return false;
  }

  /** Ends a statement, where the character behind it is of no use. */
  private end(at: number): void {
    if (/[ \t/>]/.test(this.text[at] ?? "")) this.code[at] = 59;
  }

  /** Opens a block over a part of the text. */
  private block(from: number, to: number, name: string, choices: readonly string[], close = "}"): void {
    const isBlock = this.blocks < MAX_BLOCKS && this.write(from, to, ...choices);
    if (isBlock) this.blocks++;
    this.open.push({ name, close: isBlock ? close : "" });
  }

  /** Closes what is open down to and with the last that `is`; what ends the blocks among it is returned, undefined where there is none. */
  private close(is: (open: Open) => boolean): string | undefined {
    let at = this.open.length - 1;
    const least = Math.max(0, at - MAX_UP);
    while (at >= least && !is(this.open[at]!)) at--;
    if (at < least) return undefined;
    const closed = this.open.splice(at).reverse().map(({ close }) => close);
    this.blocks -= closed.filter((close) => close !== "").length;
    return closed.join("");
  }

  private behind(what: string, from: number): number {
    const at = this.text.indexOf(what, from);
    if (at < 0) throw new Unreadable();
    return at + what.length;
  }

  private skipSpace(at: number): number {
    while (at < this.text.length && SPACE.test(this.text[at]!)) at++;
    return at;
  }

  /** The tag that begins at a `<`, undefined where none does. */
  private tag(from: number): Tag | undefined {
    const { text } = this;
    if (!/[A-Za-z]/.test(text[from + 1] ?? "")) return undefined;
    let at = from + 1;
    while (at < text.length && !/[\s/><]/.test(text[at]!)) at++;
    const tag: Tag = { name: text.slice(from + 1, at), from, nameEnd: at, attributes: [], closesItself: false, end: at };
    for (;;) {
      at = this.skipSpace(at);
      if (at >= text.length) throw new Unreadable();
      if (text[at] === ">") break;
      if (text[at] === "/") {
        tag.closesItself = text[at + 1] === ">";
        at++;
        continue;
      }
      const attribute = this.attribute(at);
      tag.attributes.push(attribute);
      at = attribute.end;
    }
    tag.end = at + 1;
    return tag;
  }

  private attribute(from: number): Attribute {
    const { text } = this;
    if (!this.isVue && text[from] === "{") return { from, nameEnd: from, value: 0, valueEnd: 0, end: this.braces(from) + 1 };
    let at = from;
    while (at < text.length && !/[\s=>]/.test(text[at]!) && !(text[at] === "/" && text[at + 1] === ">")) at++;
    if (at === from) at++;
    const nameEnd = at;
    const equals = this.skipSpace(at);
    if (text[equals] !== "=") return { from, nameEnd, value: 0, valueEnd: 0, end: nameEnd };
    at = this.skipSpace(equals + 1);
    const quote = text[at] === '"' || text[at] === "'" ? text[at]! : "";
    const value = at + quote.length;
    for (at = value; at < text.length; at++) {
      if (quote !== "" ? text[at] === quote : /[\s>]/.test(text[at]!) || (text[at] === "/" && text[at + 1] === ">")) break;
      if (!this.isVue && text[at] === "{") at = this.braces(at);
    }
    if (at >= text.length) throw new Unreadable();
    return { from, nameEnd, value, valueEnd: at, end: at + quote.length };
  }

  /** Where braces close. */
  private braces(at: number): number {
    // What ends a block looks like a regular expression.
    if (this.text[at + 1] === "/" && /\w/.test(this.text[at + 2] ?? "")) return this.behind("}", at) - 1;
    const end = scan(this.text, at + 1, this.text.length)?.end ?? this.text.length;
    if (this.text[end] !== "}") throw new Unreadable();
    return end;
  }

  private nameOf({ from, nameEnd }: Attribute): string {
    return this.text.slice(from, nameEnd);
  }

  private valueOf({ value, valueEnd }: Attribute): string {
    return this.text.slice(value, valueEnd);
  }

  /** The value of a tag's attribute, "" where it has none. */
  private named(tag: Tag, name: string): string {
    const found = tag.attributes.find((attribute) => this.nameOf(attribute) === name);
    return found ? this.valueOf(found) : "";
  }

  /** Goes on behind an element of text, which is code where it is a script of the component. */
  private raw(tag: Tag, isCode: boolean): number {
    const { text } = this;
    const end = text.indexOf(`</${tag.name}`, tag.end);
    if (end < 0) throw new Unreadable();
    const type = this.named(tag, "type");
    if (isCode && (type === "" || /script|module|babel|[jt]sx$/i.test(type))) {
      this.hasScript = true;
      const source = this.named(tag, "src");
      const isEmpty = text.slice(tag.end, end).trim() === "";
      if (source !== "" && isEmpty) this.write(tag.from, end + tag.name.length + 2, `;export{default}from${JSON.stringify(source)};`, `;import${JSON.stringify(source)};`);
      else {
        this.write(tag.from, tag.from + 1, ";");
        for (let at = tag.end; at < end; at++) this.code[at] = text.charCodeAt(at);
        this.write(end, end + 1, ";");
      }
    }
    return end + tag.name.length + 2;
  }

  /** Reads markup, of Vue to the end tag of the template. */
  private markup(from: number): number {
    const { text, isVue } = this;
    const depth = this.open.length;
    let at = from;
    while (at < text.length) {
      const c = text[at]!;
      if (c === "<") {
        if (text.startsWith("<!--", at)) at = this.behind("-->", at);
        else if (text[at + 1] === "/") {
          at = this.endTag(at);
          if (isVue && this.open.length < depth) return at;
        } else {
          const tag = this.tag(at);
          at = tag ? this.element(tag) : at + 1;
        }
      } else if (c === "{" && this.open.at(-1)?.isPlain !== true) {
        at = isVue ? this.mustache(at) : this.inBraces(at);
      } else {
        at++;
      }
    }
    return at;
  }

  private endTag(at: number): number {
    const end = this.behind(">", at);
    const name = this.text.slice(at + 2, end - 1).trim();
    const close = this.close((open) => open.name === name);
    if (close !== undefined && !this.write(at, end, close)) throw new Unreadable();
    return end;
  }

  private element(tag: Tag): number {
    if (RAW.has(tag.name)) return tag.closesItself ? tag.end : this.raw(tag, !this.isVue && tag.name === "script" && this.open.length === 0);
    const isOver = tag.closesItself || VOID.has(tag.name.toLowerCase());
    const isPlain = this.open.at(-1)?.isPlain === true || (this.isVue && tag.attributes.some((attribute) => this.nameOf(attribute) === "v-pre"));
    const used = isPlain ? "" : this.component(tag.name);
    const declares = !isPlain && tag.attributes.some((attribute) => (this.isVue ? isVueDeclaration(this.nameOf(attribute)) && attribute.value > 0 : this.nameOf(attribute).startsWith("let:")));
    if (declares) this.block(tag.from, tag.nameEnd, tag.name, [`{${used}`, "{"]);
    else {
      if (used !== "") this.write(tag.from, tag.nameEnd, `;${used}`);
      this.open.push({ name: tag.name, close: "" });
    }
    if (isPlain) this.open.at(-1)!.isPlain = true;
    if (used !== "") this.end(tag.nameEnd);
    if (!isPlain) {
      for (const attribute of tag.attributes) {
        if (this.isVue) this.vueAttribute(attribute);
        else this.svelteAttribute(attribute);
      }
    }
    if (isOver) {
      const close = this.close(() => true)!;
      if (close !== "" && !this.write(tag.end - 1, tag.end, close)) throw new Unreadable();
    }
    return tag.end;
  }

  /** What a tag refers to, "" where it is an element of HTML. */
  private component(name: string): string {
    if (name.includes(":")) return "";
    if (/^[A-Z][\w$.]*$/.test(name) || /^[a-z_$][\w$]*(?:\.[\w$]+)+$/.test(name)) return name;
    if (!this.isVue || !name.includes("-")) return "";
    const pascal = pascalOf(name);
    return this.words.has(pascal) ? pascal : "";
  }

  private scriptWords: ReadonlySet<string> | undefined;

  /** The names in the text that begin with a capital letter, or, of directives, with a `v`. */
  private get words(): ReadonlySet<string> {
    return (this.scriptWords ??= new Set(this.text.match(/\b(?:[A-Z]|v[A-Z])\w*/g) ?? []));
  }

  /** `{{ expression }}` */
  private mustache(at: number): number {
    if (this.text[at + 1] !== "{") return at + 1;
    const end = this.text.indexOf("}}", at + 2);
    if (end < 0) throw new Unreadable();
    const found = scan(this.text, at + 2, end);
    if (found?.end === end && !found.commented && this.text.slice(at + 2, end).trim() !== "") this.write(at, end + 2, `;(${this.text.slice(at + 2, end)});`);
    return end + 2;
  }

  private vueAttribute(attribute: Attribute): void {
    const name = this.nameOf(attribute);
    if (attribute.value === 0) {
      // `:id` stands for `:id="id"`.
      if (/^(?::|v-bind:)[a-z][\w-]*$/.test(name)) {
        if (this.write(attribute.from, attribute.nameEnd, `;${camelOf(name.slice(name.indexOf(":") + 1))}`)) this.end(attribute.nameEnd);
      } else this.directive(attribute);
      return;
    }
    const value = decoded(this.valueOf(attribute));
    if (name === "v-for") this.loop(attribute, value);
    else if (isVueDeclaration(name)) this.declare(attribute, value);
    else if (name === "ref") {
      if (IDENTIFIER.test(value)) this.expression(attribute, value, false);
    } else if (/^(?:[:@]|v-)/.test(name)) {
      const isNamed = this.directive(attribute);
      this.expression(isNamed ? { ...attribute, from: attribute.nameEnd } : attribute, value, /^(?:@|v-on:)/.test(name));
    }
  }

  /** `v-focus` of `<script setup>` is `vFocus` there. */
  private directive({ from, nameEnd }: Attribute): boolean {
    const name = /^v-[a-z][a-z\d-]*/.exec(this.text.slice(from, nameEnd))?.[0];
    if (name === undefined) return false;
    const variable = camelOf(name);
    if (!this.words.has(variable) || !this.write(from, from + name.length, `;${variable}`)) return false;
    this.end(nameEnd);
    return true;
  }

  /** The value of an attribute is an expression, or the statements of a handler. */
  private expression({ from, value, valueEnd, end }: Attribute, text: string, mayBeStatements: boolean): void {
    const found = scan(text, 0, text.length);
    if (found?.end !== text.length || found.commented || text.trim() === "") return;
    const isBlock = mayBeStatements && (found.semicolons > 0 || STATEMENT.test(text));
    if (!isBlock && found.semicolons > 0) return;
    const [open, close] = isBlock ? [";{", "}"] : mayBeStatements && PATH.test(text) ? [";", "()"] : [";(", ")"];
    const written = end > valueEnd ? this.write(from, end, open.padStart(value - from) + text + close, open + text + close) : this.write(from, end, open + text + close, `;${text}`);
    if (written) this.end(end);
  }

  /** `v-for="(item, index) in list"` */
  private loop({ from, end }: Attribute, text: string): void {
    const found = scan(text, 0, text.length);
    const at = found?.blanks.find((blank) => /^\s(?:in|of)\s/.test(text.slice(blank, blank + 4)));
    if (found?.end !== text.length || found.commented || at === undefined) return;
    const list = text.slice(at + 3);
    const names = text.slice(0, at).trim();
    const [first, ...others] = parted(names.startsWith("(") && names.endsWith(")") ? names.slice(1, -1) : names);
    const more = others.filter((other) => other !== "").map((other) => `,${other}`).join("");
    // The names come first: on one line that is nothing to see.
    this.write(from, end, `;let[${first!}]=${list}${more};`, `;let[${first!}]=${list}${more}`, `;let[${first!}]=${list}`, `;(${list})`);
  }

  /** What an attribute's value declares: `v-slot="{ item }"`. */
  private declare({ from, end }: Attribute, text: string): void {
    if (scan(text, 0, text.length)?.end !== text.length || text.trim() === "") return;
    this.write(from, end, ...(/^\s*[{[]/.test(text) ? [`;let${text};`, `;let${text}`] : [`;let ${text};`, `;let ${text}`]));
  }

  private svelteAttribute(attribute: Attribute): void {
    const { from, nameEnd, value, valueEnd, end } = attribute;
    const name = this.nameOf(attribute);
    if (name === "") {
      this.inBraces(from);
      return;
    }
    const [, kind = "", subject = ""] = /^(\w+):([^|]*)/.exec(name) ?? [];
    if (kind === "let") {
      const pattern = value === 0 ? subject : this.valueOf(attribute).replace(/^\{/, "").replace(/\}$/, "");
      // Takes the characters around it where these are blank.
      const start = /[ \t]/.test(this.text[from - 1]!) ? from - 1 : from;
      const stop = /[ \t]/.test(this.text[end]!) ? end + 1 : end;
      this.write(start, stop, `;let ${pattern};`, `;let ${pattern}`, `let ${pattern};`, `let ${pattern}`);
      return;
    }
    const isAction = /^(?:use|transition|in|out|animate)$/.test(kind);
    const isShort = value === 0 && /^(?:bind|class|style)$/.test(kind);
    if ((isAction || isShort) && /^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(subject) && this.write(from, nameEnd, `;${subject}`)) this.end(nameEnd);
    for (let at = value; at < valueEnd; at++) {
      if (this.text[at] !== "{") continue;
      const close = this.braces(at);
      const text = this.text.slice(at + 1, close);
      const isFree = at === value && /[ \t="']/.test(this.text[at - 1]!);
      if (isWhole(text)) {
        const isHandler = at === value && close + 1 === valueEnd && /^on(?::|(?!line$)[a-z]{3,}$)/.test(name) && PATH.test(text);
        if (isFree) this.write(at - 1, close + 1, ...(isHandler ? [`;${text}()`] : []), `;(${text})`);
        else this.write(at, close + 1, `;${text};`);
        if (isFree) this.end(close + 1);
        // A quote stands behind.
        if (isFree && close + 1 < end && close + 1 === valueEnd) this.code[valueEnd] = 59;
      }
      at = close;
    }
  }

  /** Svelte's `{…}`: an expression, or what begins, goes on with or ends a block. */
  private inBraces(at: number): number {
    const close = this.braces(at);
    const end = close + 1;
    const text = this.text.slice(at + 1, close);
    const [, sign = "", word = "", rest = ""] = /^([#:/@])(\w+(?:[ \t]+if\b)?)([\s\S]*)$/.exec(text) ?? [];
    const lines = (blank: string): string => blank.replace(/[^\n]/g, "");
    switch (sign) {
      case "#":
        this.begin(at, end, word, rest, lines);
        break;
      case ":": {
        const ended = this.close((open) => open.name.startsWith("#"));
        if (ended === undefined) throw new Unreadable();
        const name = rest.trim();
        const declared = /^[{[]/.test(name) ? `let${name}` : `let ${name}`;
        const opened = word.startsWith("then") || word.startsWith("catch") ? (name === "" ? "" : `${declared};`) : isWhole(rest) ? `;${rest};` : "";
        this.block(at, end, "#", [`${ended}{${opened}`, `${ended}{`]);
        if (ended !== "" && this.open.at(-1)!.close === "") throw new Unreadable();
        break;
      }
      case "/": {
        const ended = this.close((open) => open.name.startsWith("#"));
        if (ended === undefined || !this.write(at, end, ended)) throw new Unreadable();
        break;
      }
      case "@":
        if (isWhole(rest)) this.write(at, end, word === "const" ? `;const${rest};` : `;${rest};`);
        break;
      default: {
        const value = text.replace(/^(\s*)\.\.\./, "$1   ");
        // What would be a block or a declaration needs brackets, for which there is no room.
        if (isWhole(text) && !/^\s*(?:\{|function\b|class\b|let\b)/.test(value)) this.write(at, end, `;${value};`);
      }
    }
    return end;
  }

  /** `{#each list as item, index (key)}` and its like. */
  private begin(at: number, end: number, word: string, rest: string, lines: (blank: string) => string): void {
    const name = `#${word}`;
    if (word === "snippet") {
      // A snippet in the element of a component is passed to that component, and is no function of the file.
      const isGiven = /^[A-Z]|\./.test(this.open.at(-1)?.name ?? "");
      const parameters = rest.indexOf("(");
      if (isGiven && parameters >= 0) this.block(at, end, name, [`;(${lines(rest.slice(0, parameters))}${rest.slice(parameters)}=>{`], "});");
      else this.block(at, end, name, [`;function${rest}{`]);
      return;
    }
    const found = scan(rest, 0, rest.length);
    const whole = found?.end === rest.length && !found.commented;
    const plain = whole ? [`{;${rest};`, "{"] : ["{"];
    const between = word === "each" ? /^\sas\s/ : /^\s(?:then|catch)\s/;
    const middle = whole && (word === "each" || word === "await") ? found.blanks.findLast((blank) => between.test(rest.slice(blank, blank + 7))) : undefined;
    if (!whole || middle === undefined) {
      const comma = word === "each" && whole ? found.commas[0] : undefined;
      this.block(at, end, name, comma === undefined ? plain : [`{;(${rest.slice(0, comma).trim()});let ${rest.slice(comma + 1).trim()};`, `{;(${rest.slice(0, comma)});`, "{"]);
      return;
    }
    const second = rest.slice(middle).search(/\S/) + middle;
    const after = second + rest.slice(second).search(/\s/);
    const list = rest.slice(0, middle);
    const tail = rest.slice(after);
    const gap = lines(rest.slice(middle, after));
    if (word === "await") {
      const result = tail.trim();
      const isThen = rest.startsWith("then", second);
      const declared = /^[{[]/.test(result) ? `let${result}` : `let ${result}`;
      this.block(at, end, name, [...(isThen ? [`{${declared}=await ${list.trimStart()};`] : []), `{;${list}${gap};${declared};`, `{;${list}${gap};`, "{"]);
      return;
    }
    const { pattern, index, key } = each(tail);
    const more = index === "" ? "" : `,${index}`;
    const keyed = key === "" ? "" : `(${key});`;
    const declared = /^[{[]/.test(pattern) ? `let${pattern}` : `let ${pattern}`;
    const before = lines(list.slice(0, list.length - list.trimStart().length));
    this.block(at, end, name, [
      `{let[${pattern}]=${before}${list.trimStart()}${gap}${more};${keyed}`, `{let[${pattern}]=${before}${list.trimStart()}${gap};`,
      `{;${list}${gap};${declared}${more};${keyed}`, `{;${list}${gap};${declared}${more}`, `{;${list}${gap};`, "{",
    ]);
  }
}

/** Whether a text is an expression as far as its brackets tell. */
function isWhole(text: string): boolean {
  const found = scan(text, 0, text.length);
  return found?.end === text.length && !found.commented && found.semicolons === 0 && text.trim() !== "";
}

/** The pattern, index and key of `{ id, name }, i (id)`. */
function each(text: string): { pattern: string; index: string; key: string } {
  const trimmed = text.trim();
  const end = /^[{[]/.test(trimmed) ? (scan(trimmed, 1, trimmed.length)?.end ?? 0) + 1 : /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(trimmed)?.[0].length ?? 0;
  const behind = trimmed.slice(end);
  const bracket = behind.indexOf("(");
  const index = (bracket < 0 ? behind : behind.slice(0, bracket)).replace(/^\s*,/, "").trim();
  return { pattern: trimmed.slice(0, end), index, key: bracket < 0 ? "" : behind.slice(bracket + 1, behind.lastIndexOf(")")) };
}

/** The parts of a text between commas that are in no brackets. */
function parted(text: string): string[] {
  const commas = scan(text, 0, text.length)?.commas ?? [];
  return [...commas, text.length].map((comma, i) => text.slice(i === 0 ? 0 : commas[i - 1]! + 1, comma).trim());
}

/** Whether an attribute of Vue declares names for its element. */
function isVueDeclaration(name: string): boolean {
  return name === "v-for" || name === "slot-scope" || /^(?:#|v-slot\b)/.test(name);
}

const ENTITIES: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&apos;": "'" };

/** An attribute's value with the characters that it stands for, each line not longer than it is written. */
function decoded(value: string): string {
  return value.includes("&") ? value.replace(/&(?:amp|lt|gt|quot|apos|#39);/g, (entity) => ENTITIES[entity]!) : value;
}

/** `my-button` as it is written as a name: `MyButton`. */
function pascalOf(name: string): string {
  const camel = camelOf(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

function camelOf(name: string): string {
  return name.replace(/-+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** What the scripts of a component are written in: "ts", "tsx", "jsx", or "" for JavaScript. */
export function scriptLanguage(text: string): string {
  return /<script\b[^>]{0,300}?\b(?:lang|type)\s*=\s*["']?(?:text\/)?(tsx?|jsx|typescript)\b/.exec(text)?.[1]?.replace("typescript", "ts") ?? "";
}

/** What is code in a component, as long as its text and with lines of the same length. */
export function codeOf(path: string, text: string): string {
  const isVue = /\.vue$/i.test(path);
  const attempts: ((markup: Markup) => void)[] = [(markup) => {
    if (isVue) markup.vue();
    else markup.svelte();
    if (!markup.hasScript && text.includes("<script")) throw new Unreadable();
  }, (markup) => markup.scripts()];
  for (const read of attempts) {
    const markup = new Markup(text, isVue);
    try {
      read(markup);
      return markup.result();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
  }
  return text.replace(/[^\n\r\u2028\u2029]/g, " ");
}
