import type { FileStore } from "./codebase.ts";

/** A FileStore in memory. */
export class TextFiles implements FileStore {
  readonly paths: readonly string[];

  constructor(private readonly texts: ReadonlyMap<string, string>) {
    this.paths = [...texts.keys()].sort();
  }

  text(path: string): string | undefined {
    return this.texts.get(path);
  }
}
