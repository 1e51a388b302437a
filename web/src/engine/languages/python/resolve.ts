import type { Emit, Project } from "../../language.ts";
import type { PyFacts } from "./facts.ts";
export function resolve(_p: Project<PyFacts>, _e: Emit): void { return; }
