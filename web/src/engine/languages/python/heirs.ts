import type { Cls, Program } from "./program.ts";

/** What derives from each class, in the order of files and of classes in them. */
export class Heirs {
  /** Where each file's classes begin, and, in the heirs, each class's. */
  private readonly files: Int32Array;
  private readonly starts: Int32Array;
  /** File and class by turns. */
  private readonly heirs: Int32Array;

  /** `above`: by file triples of a class, and the file and class of what is above it. */
  constructor(private readonly program: Program, above: readonly (readonly number[])[]) {
    this.files = new Int32Array(program.files.length + 1);
    program.files.forEach(({ facts }, i) => {
      this.files[i + 1] = this.files[i]! + facts.classes.length;
    });
    const count = this.files[program.files.length]!;
    const starts = (this.starts = new Int32Array(count + 1));
    const each = (visit: (cls: number, file: number, heir: number) => void): void => {
      above.forEach((list, file) => {
        for (let i = 0; i < list.length; i += 3) visit(this.files[list[i + 1]!]! + list[i + 2]!, file, list[i]!);
      });
    };
    each((cls) => {
      starts[cls + 1]!++;
    });
    for (let cls = 0; cls < count; cls++) starts[cls + 1]! += starts[cls]!;
    this.heirs = new Int32Array(2 * starts[count]!);
    const filled = starts.slice();
    each((cls, file, heir) => {
      const at = 2 * filled[cls]!++;
      this.heirs[at] = file;
      this.heirs[at + 1] = heir;
    });
  }

  of({ file, index }: Cls): Cls[] {
    const cls = this.files[file.index]! + index;
    const found: Cls[] = [];
    for (let at = this.starts[cls]!; at < this.starts[cls + 1]!; at++) {
      found.push(this.program.cls(this.program.files[this.heirs[2 * at]!]!, this.heirs[2 * at + 1]!));
    }
    return found;
  }
}
