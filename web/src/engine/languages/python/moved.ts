import type { Change, Side } from "./change.ts";
import type { SourceFile } from "./program.ts";
import { ofFolder } from "./questions.ts";
import { wordAfter } from "../words.ts";

/** Tells a change what files that come and go mean for what others import. */
export function movedIn(was: Side, is: Side, changed: ReadonlySet<string>, change: Change): void {
  const moved = [...changed].filter((path) => !was.has(path) || !is.has(path));
  if (moved.length === 0) return;
  for (const path of moved) {
    const parts = path.replace(/\.pyi?w?$/, "").split("/");
    for (let at = parts.length - 1; at >= 0; at--) {
      const folder = parts.slice(0, at).join("/");
      const name = parts[at]!;
      change.touch(wordAfter(ofFolder(folder), name), { name });
      for (const side of [was, is]) for (const of of ["__init__.py", "__init__.pyi"]) {
        const file = side.at(folder === "" ? of : `${folder}/${of}`);
        if (file) change.touch(wordAfter(file.word, name), { name });
      }
    }
  }
  for (const file of is.evaluator.program.files) {
    const before = was.at(file.path);
    if (before && leadsTo(was, before) !== leadsTo(is, file)) change.turn(file.path);
  }
}

/** The modules that a file's imports lead to. */
function leadsTo({ evaluator: { program } }: Side, file: SourceFile): string {
  const told = (module: ReturnType<typeof program.moduleOf>): string => (!module ? "-" : "file" in module ? program.files[module.file]!.path : `${module.folder}/`);
  return file.facts.imports.map((fact, i) => {
    const top = fact.name === undefined && fact.aliased !== true ? told(program.modules.absolute(fact.module.split(".", 1)[0]!, file.path)) : "";
    return `${told(program.moduleOf(file, i))} ${top}`;
  }).join("\n");
}
