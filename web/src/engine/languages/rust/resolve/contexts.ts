import type { FileFacts } from "../../../facts.ts";
import type { Project } from "../../../language.ts";
import type { MacroContext, RustFacts } from "../facts.ts";
import { around, folderOf, packagesOf, type Package } from "./cargo.ts";

/** A file is given no more text of macros than this. */
const MAX_GIVEN = 50_000;

/** A macro that is declared in a file or one of its modules. */
interface Declared {
  path: string;
  package: Package | undefined;
  exported: boolean;
  text: string;
  /** The macros that its text calls. */
  calls: readonly string[];
}

/**
 * The files that call macros of others among their declarations, and were not read with these as they are: by path, what to read them with. A name is of the
 * only macro that the package has of it, else of the only one that is exported by the packages that it depends on.
 */
export function contexts(project: Project<RustFacts>): ReadonlyMap<string, MacroContext> {
  const again = new Map<string, MacroContext>();
  let macros: Macros | undefined;
  for (const { path, facts: { data: { open, given } } } of project.files) {
    if (open.length === 0 && given.length === 0) continue;
    macros ??= new Macros(project);
    const now = macros.givenTo(path, open);
    if (now.length !== given.length || now.some((text, i) => text !== given[i])) again.set(path, { open, given: now });
  }
  return again;
}

export function contextOf({ data: { open, given } }: FileFacts<RustFacts>): MacroContext | undefined {
  return given.length > 0 ? { open, given } : undefined;
}

class Macros {
  private readonly names = new Map<string, { path: string; start: number; end: number; exported: boolean }[]>();
  private readonly declared = new Map<string, readonly Declared[]>();
  private readonly byFolder = new Map<string, Package | undefined>();
  private packages: readonly Package[] | undefined;

  constructor(private readonly project: Project<RustFacts>) {
    for (const { path, facts: { data: { macros, scopes } } } of project.files) {
      for (const { name, scope, exported, start, end } of macros) {
        let at = scope;
        while (at >= 0 && scopes[at]!.name !== undefined) at = scopes[at]!.parent;
        if (end === 0 || at >= 0) continue;
        const list = this.names.get(name);
        if (list) list.push({ path, start, end, exported });
        else this.names.set(name, [{ path, start, end, exported }]);
      }
    }
  }

  /** The texts of the macros that a file calls, and of those that these call. */
  givenTo(path: string, open: readonly string[]): string[] {
    const given: string[] = [];
    const met = new Set<string>(open);
    let room = MAX_GIVEN;
    // Grows while it is gone through.
    for (const name of met) {
      const found = this.names.has(name) ? this.seenFrom(path, name) : undefined;
      if (!found || found.text.length > room) continue;
      room -= found.text.length;
      given.push(found.text);
      for (const inner of found.calls) met.add(inner);
    }
    return given;
  }

  private seenFrom(path: string, name: string): Declared | undefined {
    const all = this.all(name);
    const own = this.packageOf(path);
    const near = all.filter((one) => one.package === own);
    if (near.length > 0) {
      const [only] = near;
      if (near.length > 1 || only!.path === path) return undefined;
      return isApart(own, path) && !isApart(own, only!.path) ? asOf(only!, own?.libraryName ?? "crate") : only;
    }
    const [far, other] = all.filter((one) => one.exported && one.package && own?.dependencies.has(one.package.name));
    return far && !other ? asOf(far, far.package!.libraryName) : undefined;
  }

  private all(name: string): readonly Declared[] {
    let all = this.declared.get(name);
    if (!all) {
      all = this.names.get(name)!.map(({ path, start, end, exported }) => {
        const text = this.project.read(path)?.slice(start, end) ?? "";
        return { path, package: this.packageOf(path), exported, text, calls: [...text.matchAll(/([\p{L}_][\p{L}\p{N}_]*)\s*!/gu)].map(([, inner]) => inner!) };
      });
      this.declared.set(name, all);
    }
    return all;
  }

  private packageOf(path: string): Package | undefined {
    this.packages ??= packagesOf(this.project);
    const folder = folderOf(path);
    if (!this.byFolder.has(folder)) this.byFolder.set(folder, around(this.packages, path));
    return this.byFolder.get(folder);
  }
}

/** Whether a file belongs to a program, a test or an example, each a crate of its own beside the package's library. */
function isApart(of: Package | undefined, path: string): boolean {
  if (!of?.library) return false;
  const within = of.folder === "" ? path : path.slice(of.folder.length + 1);
  return of.roots.includes(path) || /^(?:tests|examples|benches|src\/bin)\//.test(within);
}

/** A macro as another crate has it, to which `$crate` is the library. */
function asOf(macro: Declared, library: string): Declared {
  return { ...macro, text: macro.text.replaceAll("$crate", `::${library}`) };
}
