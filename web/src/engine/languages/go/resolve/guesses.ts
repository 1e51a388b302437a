import type { SymbolRef } from "../../../language.ts";
import type { Packages } from "./packages.ts";

/** Methods by bare name, for receivers of which nothing is known. */
export class Guesses {
  private readonly methods = new Map<string, SymbolRef | undefined>();

  constructor(packages: Packages) {
    for (const source of packages.sources) {
      for (const { name, owner, symbol } of source.data.functions) {
        if (owner !== "") this.methods.set(name, this.methods.has(name) ? undefined : { file: source.index, symbol });
      }
    }
  }

  /** The method of that name when the repository has exactly one. */
  method(name: string): SymbolRef | undefined {
    return this.methods.get(name);
  }
}
