import { attend } from "../../effort.ts";
import type { Ask, Emit, Project, Stores } from "../../language.ts";
import type { ModuleFacts } from "./facts.ts";
import { Checker } from "./resolve/checker.ts";
import { Edges } from "./resolve/edges.ts";
import { Program } from "./resolve/program.ts";

/** Joins all files: follows imports to declarations, works out the types of receivers, emits every relation, and tells what is stored. */
export function resolve(project: Project<ModuleFacts>, emit: Emit, only?: ReadonlySet<number>, ask?: Ask, stores?: Stores): void {
  const program = new Program(project);
  const edges = new Edges(new Checker(program), emit, stores);
  const units = only ? program.units.filter(({ index }) => only.has(index)) : program.units;
  attend();
  edges.imports(units);
  edges.calls(units);
  if (ask) for (const { index, asked } of program.units) if (asked.some) ask(index, asked.words());
}
