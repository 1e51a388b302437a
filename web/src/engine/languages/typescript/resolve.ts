import { attend } from "../../effort.ts";
import type { Ask, Emit, Project } from "../../language.ts";
import type { ModuleFacts } from "./facts.ts";
import { Checker } from "./resolve/checker.ts";
import { Edges } from "./resolve/edges.ts";
import { Program } from "./resolve/program.ts";

/** Joins all files: follows imports to declarations, works out the types of receivers, and emits every relation. */
export function resolve(project: Project<ModuleFacts>, emit: Emit, only?: ReadonlySet<number>, ask?: Ask): void {
  const program = new Program(project);
  const edges = new Edges(new Checker(program), emit);
  const units = only ? program.units.filter(({ index }) => only.has(index)) : program.units;
  attend();
  edges.imports(units);
  edges.calls(units);
  if (ask) for (const { index, asked } of program.units) if (asked.some) ask(index, asked.words());
}
