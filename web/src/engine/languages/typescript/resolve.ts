import type { Emit, Project } from "../../language.ts";
import type { ModuleFacts } from "./facts.ts";

export function resolve(_project: Project<ModuleFacts>, _emit: Emit): void {
}
