/** Characters that end a line of JavaScript. */
const LINE_END = /[\n\r\u2028\u2029]/;
const SPACE = 32;
const SEMICOLON = 59;
/** Levels above the innermost element to which the element of an end tag is looked for: without a limit hostile text takes quadratic time. */
const MAX_SEARCHED = 60;
/** The depth to which blocks are nested; deeper ones are not written, nor the names that they declare. */
const MAX_BLOCKS = 60;

/** An element, or a block of Svelte, whose end has not been read. */
interface OpenElement {
  /** The name of the tag; `#` and perhaps a keyword for a block of Svelte. */
  name: string;
  /** Closes the block of JavaScript that was opened for this element; "" where none was. */
  close: string;
  /** Whether braces in this element are text, as Vue's `v-pre` says. */
  isVerbatim?: boolean;
}

/** The JavaScript that takes the place of a component's text: blank at first, as long as the text, and with the same line ends. */
export class Output {
  /** From the outermost to the innermost. */
  readonly open: OpenElement[] = [];
  /** Whether a script of the component was copied or imported. */
  hasScript = false;
  private readonly code: Uint16Array;
  private blocks = 0;
  private names: ReadonlySet<string> | undefined;

  constructor(readonly text: string) {
    this.code = new Uint16Array(text.length);
    for (let at = 0; at < text.length; at++) this.code[at] = LINE_END.test(text[at]!) ? text.charCodeAt(at) : SPACE;
  }

  toString(): string {
    let result = "";
    for (let at = 0; at < this.code.length; at += 8192) result += String.fromCharCode(...this.code.subarray(at, at + 8192));
    return result;
  }

  /** Names in the text that may be those of components (`MyButton`) or of Vue's directives (`vFocus`). */
  get importableNames(): ReadonlySet<string> {
    return (this.names ??= new Set(this.text.match(/\b(?:[A-Z]|v[A-Z])\w*/g) ?? []));
  }

  /** Copies a part of the text. */
  copy(from: number, to: number): void {
    for (let at = from; at < to; at++) this.code[at] = this.text.charCodeAt(at);
  }

  /** Writes the first of the choices that fits line by line over a part of the text; returns whether one does. */
  write(from: number, to: number, ...choices: readonly string[]): boolean {
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

  /** Writes a semicolon over the next character, unless an attribute or text begins there. */
  endStatement(at: number): void {
    if (/[ \t/>]/.test(this.text[at] ?? "")) this.code[at] = SEMICOLON;
  }

  /** Opens an element, with a block if one of the choices fits; returns whether one does. */
  openBlock(from: number, to: number, name: string, choices: readonly string[], close = "}"): boolean {
    const isBlock = this.blocks < MAX_BLOCKS && this.write(from, to, ...choices);
    if (isBlock) this.blocks++;
    this.open.push({ name, close: isBlock ? close : "" });
    return isBlock;
  }

  /** Closes the innermost element that matches, and all within it; returns the code that closes their blocks, undefined where none matches. */
  close(matches: (element: OpenElement) => boolean): string | undefined {
    let at = this.open.length - 1;
    const least = Math.max(0, at - MAX_SEARCHED);
    while (at >= least && !matches(this.open[at]!)) at--;
    if (at < least) return undefined;
    const closed = this.open.splice(at).reverse().map(({ close }) => close);
    this.blocks -= closed.filter((close) => close !== "").length;
    return closed.join("");
  }
}
