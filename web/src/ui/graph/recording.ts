/** What is painted, written down by the page's thread and played by the Worker that paints it. */
import type { Pen, TextLook } from "./pens.ts";
import { widthOf } from "./pens.ts";

export interface Recording {
  /** For each step its number in STEPS and what it is called with. */
  numbers: Float32Array<ArrayBuffer>;
  /** Texts and colours, by the indexes that stand in `numbers`. */
  words: string[];
}

const ALPHA = 0;
const DISC = 1;
const SQUARE = 2;
const CURVE = 3;
const BOX = 4;
const TEXT = 5;

const ALIGNS = ["start", "center", "end"] as const;
/** In place of a word's index. */
const NONE = -1;

export class Recorder implements Pen {
  /** As long as the longest picture needed; the first `length` count. */
  private numbers = new Float32Array(4_096);
  private length = 0;
  private opacity = NaN;
  private words: string[] = [];
  private readonly indexes = new Map<string, number>();

  constructor(private readonly family: string) {}

  /** What was painted since the last time. */
  take(): Recording {
    const recording = { numbers: this.numbers.slice(0, this.length), words: this.words };
    this.length = 0;
    this.opacity = NaN;
    this.words = [];
    this.indexes.clear();
    return recording;
  }

  alpha(value: number): void {
    if (value === this.opacity) return;
    this.opacity = value;
    this.write(ALPHA, value);
  }

  disc(x: number, y: number, r: number, fill: string | null, stroke: string | null, width: number): void {
    this.write(DISC, x, y, r, this.word(fill), this.word(stroke), width);
  }

  square(x: number, y: number, r: number, fill: string): void {
    this.write(SQUARE, x, y, r, this.word(fill));
  }

  curve(x1: number, y1: number, cx: number, cy: number, x2: number, y2: number, colour: string, width: number, dashed: boolean, head: number): void {
    this.write(CURVE, x1, y1, cx, cy, x2, y2, this.word(colour), width, Number(dashed), head);
  }

  box(x: number, y: number, width: number, height: number, fill: string, stroke: string): void {
    this.write(BOX, x, y, width, height, this.word(fill), this.word(stroke));
  }

  text(x: number, y: number, text: string, { size, weight, colour, align, halo }: TextLook): void {
    this.write(TEXT, x, y, this.word(text), size, weight, this.word(colour), ALIGNS.indexOf(align), this.word(halo ?? null));
  }

  width(text: string, look: Pick<TextLook, "size" | "weight">): number {
    return widthOf(text, look, this.family);
  }

  private write(...values: number[]): void {
    if (this.length + values.length > this.numbers.length) {
      const { numbers } = this;
      this.numbers = new Float32Array(2 * numbers.length);
      this.numbers.set(numbers);
    }
    for (const value of values) this.numbers[this.length++] = value;
  }

  private word(word: string | null): number {
    if (word === null) return NONE;
    let index = this.indexes.get(word);
    if (index === undefined) this.indexes.set(word, (index = this.words.push(word) - 1));
    return index;
  }
}

/** Paints with a pen what was written down. */
export function play({ numbers, words }: Recording, pen: Pen): void {
  let at = 0;
  const number = (): number => numbers[at++]!;
  const maybe = (): string | null => words[number()] ?? null;
  const word = (): string => words[number()]!;
  while (at < numbers.length) {
    // Arguments are read in their order.
    switch (number()) {
      case ALPHA: pen.alpha(number()); break;
      case DISC: pen.disc(number(), number(), number(), maybe(), maybe(), number()); break;
      case SQUARE: pen.square(number(), number(), number(), word()); break;
      case CURVE: pen.curve(number(), number(), number(), number(), number(), number(), word(), number(), number() === 1, number()); break;
      case BOX: pen.box(number(), number(), number(), number(), word(), word()); break;
      case TEXT: {
        const [x, y, text] = [number(), number(), word()];
        const [size, weight, colour, align, halo] = [number(), number(), word(), ALIGNS[number()]!, maybe()];
        pen.text(x, y, text, { size, weight, colour, align, ...(halo === null ? {} : { halo }) });
      }
    }
  }
}
