import type { Emit, Project } from "../../language.ts";
import type { ModuleFacts } from "./facts.ts";
import { Checker } from "./resolve/checker.ts";
import { Edges } from "./resolve/edges.ts";
import { Program } from "./resolve/program.ts";
import { surfaceOf } from "./resolve/surface.ts";

/** Joins all files: follows imports to declarations, works out the types of receivers, and emits every relation. */
export function resolve(project: Project<ModuleFacts>, emit: Emit, only?: ReadonlySet<number>): void {
  const program = new Program(project);
  const edges = new Edges(new Checker(program), emit);
  const units = only ? program.units.filter(({ index }) => only.has(index)) : program.units;
  edges.imports(units);
  edges.calls(units);
}

/** A change behind the same surface touches no other file. */
export function affected(before: Project<ModuleFacts>, after: Project<ModuleFacts>, changed: ReadonlySet<string>): ReadonlySet<string> | undefined {
  const surfaces = ({ files }: Project<ModuleFacts>): Map<string, string> =>
    new Map(files.filter(({ path }) => changed.has(path)).map(({ path, facts }) => [path, surfaceOf(facts)]));
  const old = surfaces(before);
  const now = surfaces(after);
  for (const path of changed) {
    const surface = now.get(path);
    if (surface === undefined || old.get(path) !== surface) return undefined;
  }
  return changed;
}
