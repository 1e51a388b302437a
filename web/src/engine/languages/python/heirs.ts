import type { Cls, Program } from "./program.ts";

/** What derives from each class, in the order of files and of classes in them. */
export class Heirs {
  /** Where each file's classes begin among all. */
  private readonly files: Int32Array;
  /** Where each class's begin among the heirs, which are numbers among all classes, with the file of each. */
  private readonly starts: Int32Array;
  private readonly heirs: Int32Array;
  private readonly filesOfHeirs: Int32Array;

  /** `above`: by file triples of a class, and the file and class of what is above it. */
  constructor(private readonly program: Program, above: readonly Int32Array[]) {
    const files = (this.files = new Int32Array(program.files.length + 1));
    program.files.forEach(({ facts }, i) => {
      files[i + 1] = files[i]! + facts.classes.length;
    });
    const count = files[program.files.length]!;
    const starts = (this.starts = new Int32Array(count + 1));
    for (const list of above) for (let i = 0; i < list.length; i += 3) starts[files[list[i + 1]!]! + list[i + 2]! + 1]!++;
    for (let cls = 0; cls < count; cls++) starts[cls + 1]! += starts[cls]!;
    this.heirs = new Int32Array(starts[count]!);
    this.filesOfHeirs = new Int32Array(starts[count]!);
    const filled = starts.slice();
    above.forEach((list, file) => {
      for (let i = 0; i < list.length; i += 3) {
        const at = filled[files[list[i + 1]!]! + list[i + 2]!]!++;
        this.heirs[at] = files[file]! + list[i]!;
        this.filesOfHeirs[at] = file;
      }
    });
  }

  count(cls: Cls): number {
    const number = this.numberOf(cls);
    return this.starts[number + 1]! - this.starts[number]!;
  }

  of(cls: Cls): Cls[] {
    const number = this.numberOf(cls);
    const found: Cls[] = [];
    for (let at = this.starts[number]!; at < this.starts[number + 1]!; at++) found.push(this.at(at));
    return found;
  }

  /** Those that are among some classes. */
  among(cls: Cls, some: Iterable<Cls>): Cls[] {
    const number = this.numberOf(cls);
    const places = new Set<number>();
    for (const each of some) {
      const wanted = this.numberOf(each);
      let low = this.starts[number]!;
      for (let high = this.starts[number + 1]!; low < high;) {
        const middle = (low + high) >>> 1;
        if (this.heirs[middle]! < wanted) low = middle + 1;
        else high = middle;
      }
      if (low < this.starts[number + 1]! && this.heirs[low] === wanted) places.add(low);
    }
    return [...places].sort((a, b) => a - b).map((at) => this.at(at));
  }

  /** Whether the same derives from the classes of a file, by their places, as did in a project with the same paths. */
  isSame(file: number, other: Heirs): boolean {
    const count = this.files[file + 1]! - this.files[file]!;
    if (other.files[file + 1]! - other.files[file]! !== count) return false;
    const [from, to, otherFrom] = [this.starts[this.files[file]!]!, this.starts[this.files[file + 1]!]!, other.starts[other.files[file]!]!];
    for (let i = 0; i <= count; i++) if (this.starts[this.files[file]! + i]! - from !== other.starts[other.files[file]! + i]! - otherFrom) return false;
    for (let at = from, was = otherFrom; at < to; at++, was++) {
      const of = this.filesOfHeirs[at]!;
      if (of !== other.filesOfHeirs[was] || this.heirs[at]! - this.files[of]! !== other.heirs[was]! - other.files[of]!) return false;
    }
    return true;
  }

  private numberOf({ file, index }: Cls): number {
    return this.files[file.index]! + index;
  }

  private at(place: number): Cls {
    const file = this.filesOfHeirs[place]!;
    return this.program.cls(this.program.files[file]!, this.heirs[place]! - this.files[file]!);
  }
}
