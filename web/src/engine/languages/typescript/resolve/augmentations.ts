import type { Project } from "../../../language.ts";
import type { Turned } from "../../surfaces.ts";
import { Op } from "../facts.ts";
import type { ModuleFacts, ShapeFact } from "../facts.ts";
import { Program } from "./program.ts";
import type { Unit } from "./unit.ts";

/** A declaration of an interface or a class, with the file that it stands in. */
export interface Part {
  readonly unit: Unit;
  readonly shape: ShapeFact;
}

/** What a module adds to an interface or a class of another file of the project: `declare module "./cart" { interface Cart { total: number } }`. */
export class Augmentations {
  private readonly added = new Map<ShapeFact, { parts: Part[]; byMember: Map<string, Part> }>();
  private readonly mains = new Map<ShapeFact, Part>();

  constructor(program: Program) {
    for (const unit of program.units) {
      // In a script it declares a module that no file of the project is.
      if (!unit.facts.module) continue;
      for (const [text, index] of unit.facts.ambient) {
        const target = program.moduleNamed(text, unit);
        if (target) for (const [name, binding] of unit.facts.namespaces[index]!.exports.names) this.add(unit, binding, mainOf(program, unit, target, name));
      }
    }
  }

  private add(unit: Unit, binding: number, main: Part | undefined): void {
    if (!main) return;
    for (const shape of shapesOf(unit, binding)) {
      let added = this.added.get(main.shape);
      if (!added) this.added.set(main.shape, (added = { parts: [], byMember: new Map() }));
      const part = { unit, shape };
      added.parts.push(part);
      for (const { name } of shape.members) if (!added.byMember.has(name)) added.byMember.set(name, part);
      this.mains.set(shape, main);
    }
  }

  /** What other files add to a declaration. */
  partsOf(shape: ShapeFact): readonly Part[] {
    return this.added.get(shape)?.parts ?? [];
  }

  /** The first one that adds a member of a name. */
  partWith(shape: ShapeFact, name: string): Part | undefined {
    return this.added.get(shape)?.byMember.get(name);
  }

  membersOf(shape: ShapeFact): Iterable<string> {
    return this.added.get(shape)?.byMember.keys() ?? [];
  }

  /** The declaration that one adds to. */
  mainOf(shape: ShapeFact): Part | undefined {
    return this.mains.get(shape);
  }

  /** Which members are added to what by which files. */
  get told(): string {
    return JSON.stringify([...this.mains].map(([shape, main]) => [
      this.partsOf(main.shape).find((part) => part.shape === shape)?.unit.path, main.unit.path, main.unit.facts.shapes.indexOf(main.shape), shape.name, shape.bases.length,
      shape.members.map(({ name }) => name),
    ]));
  }
}

function mainOf(program: Program, unit: Unit, module: Unit, name: string): Part | undefined {
  const target = program.export(module, name);
  if (target?.k !== "binding" || target.unit === unit) return undefined;
  const [shape] = shapesOf(target.unit, target.binding);
  return shape && { unit: target.unit, shape };
}

function shapesOf(unit: Unit, binding: number): ShapeFact[] {
  return unit.declarations(binding).filter((d) => unit.op(d) === Op.ShapeDeclaration).map((d) => unit.facts.shapes[unit.at(d, 2)]!);
}

/** Who asks an interface for a member does not ask the files that may add one: where these add other ones, all files may mean something else. */
export function turned(before: Project<ModuleFacts>, after: Project<ModuleFacts>): Turned {
  return { files: told(before) === told(after) ? [] : after.files.map(({ path }) => path), names: [] };
}

function told(project: Project<ModuleFacts>): string {
  const may = project.files.some(({ facts: { data: { module, ambient } } }) => module && ambient.length > 0);
  return may ? new Program(project).augmentations.told : "[]";
}
