import { isTestPath } from "../../../test-paths.ts";
import type { Surfaces } from "../../surfaces.ts";
import { GLOBAL_OBJECTS, WINDOW } from "../facts.ts";
import type { ModuleFacts } from "../facts.ts";
import { ambientNames, lineage } from "./aspects.ts";
import { exportQuestion, heirsQuestion } from "./asked.ts";
import { turned } from "./augmentations.ts";
import { callableMembers } from "./callable.ts";
import { ModuleResolver } from "./modules.ts";
import { surfaceOf } from "./surface.ts";

/** How TypeScript's files concern each other. */
export const surfaces: Surfaces<ModuleFacts> = {
  surfaceOf,
  words: ({ data }) => [...ambientNames(data), ...(data.strings.some((name) => GLOBAL_OBJECTS.has(name)) ? [WINDOW] : [])],
  imports: (project) => {
    const modules = new ModuleResolver(new Set(project.files.map(({ path }) => path)), project);
    return ({ path, facts }) => facts.data.specifiers.flatMap(({ text }) => modules.resolve(text, path, facts.data.amd) ?? []);
  },
  starred: (project) => {
    const files = new Map(project.files.map(({ path, facts }) => [path, facts.data]));
    const modules = new ModuleResolver(new Set(files.keys()), project);
    return (from, star) => {
      const first = modules.resolve(star, from, files.get(from)?.amd);
      if (first === undefined) return [];
      const names: [name: string, as: string][] = [];
      const seen = new Set([first]);
      // It grows while it is gone through.
      for (const path of seen) {
        const { exports, specifiers, amd } = files.get(path)!;
        if (exports.equals !== 0) return undefined;
        for (const [name] of [...exports.names, ...exports.from]) names.push([name, name], [name, lineage(name)]);
        for (const each of exports.all) {
          const next = modules.resolve(specifiers[each]!.text, path, amd);
          if (next !== undefined) seen.add(next);
        }
      }
      return names;
    };
  },
  exported: (path, name) => [exportQuestion(path, name, true), exportQuestion(path, name, false)],
  handsOn: ({ data: { exports: { all, equals } } }) => all.length > 0 || equals !== 0,
  declares: ({ path, facts: { data: { shapes } } }, names) => shapes.flatMap((shape) => shape.members.flatMap(({ name }) => (
    names.has(name) ? [[name, heirsQuestion(path, shape, name)] as const] : []
  ))),
  turned,
  open: ({ data: { globals, globalMembers = [], ambient } }) => globals.length + globalMembers.length + ambient.length > 0,
  // What tests put in the place of a method is no other one of its name.
  only: ({ data, symbols }, path) => (isTestPath(path) ? [] : [...callableMembers(data, symbols)].flatMap(([name, same]) => same.map(() => name))),
};
