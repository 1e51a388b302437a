import type { Emit } from "../../language.ts";
import { Op } from "./facts.ts";
import type { ImportFact } from "./facts.ts";
import type { Program, SourceFile } from "./program.ts";
import { ofFolder } from "./questions.ts";

/** Emits the files that a file imports. */
export function resolveImports(program: Program, file: SourceFile, emit: Emit): void {
  file.facts.imports.forEach((fact, index) => {
    if (fact.isText) return;
    const target = importedFile(program, file, fact, index);
    if (target === undefined || target === file.index) return;
    emit("IMPORTS", { file: file.index, symbol: -1 }, { file: target, symbol: -1 }, 1, fact.line);
  });
}

/** The submodule that `from package import name` means, unless the package itself defines the name; else the module. */
function importedFile(program: Program, file: SourceFile, fact: ImportFact, index: number): number | undefined {
  const module = program.moduleOf(file, index);
  if (!module) return undefined;
  const isPackage = "folder" in module || program.modules.packageOf(module.file) !== undefined;
  if (fact.name !== undefined && fact.name !== "*" && isPackage) {
    program.ask("file" in module ? program.files[module.file]!.word : ofFolder(module.folder), fact.name);
    const sub = program.modules.submodule(module, fact.name);
    if (sub && "file" in sub && !("file" in module && defines(program.files[module.file]!, fact.name))) return sub.file;
  }
  return "file" in module ? module.file : undefined;
}

/** Whether a module binds a name by anything but an import. */
function defines(file: SourceFile, name: string): boolean {
  const index = file.strings.get(name);
  const definitions = index === undefined ? undefined : file.facts.scopes[0]!.names[index];
  return definitions?.some((d) => file.facts.nodes[d] !== Op.Import as number) ?? false;
}
