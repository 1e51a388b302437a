import type { Callable, SourceFile } from "./program.ts";

/** More call sites than this add nothing. */
const MAX_SITES = 6;

/** What calls pass for parameters without a declared type: evidence for what the parameters are. */
export class PassedArguments {
  private readonly sites = new Map<string, { file: SourceFile; id: number }[]>();
  /** Whether the evidence counts. Off while it is being collected. */
  counts = false;

  note(fn: Callable, param: number, file: SourceFile, id: number): void {
    const key = `${fn.file.index}.${fn.index}.${param}`;
    const sites = this.sites.get(key);
    if (!sites) this.sites.set(key, [{ file, id }]);
    else if (sites.length < MAX_SITES) sites.push({ file, id });
  }

  of(fn: Callable, param: number): readonly { file: SourceFile; id: number }[] {
    return (this.counts && this.sites.get(`${fn.file.index}.${fn.index}.${param}`)) || [];
  }
}
