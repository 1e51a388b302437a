/** What code finds by names that it puts together. */
import type { Callees, Target } from "./callees.ts";
import { mroOf, opOf } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import { Op } from "./facts.ts";
import type { Callable, Cls, SourceFile } from "./program.ts";
import { MEMBERS } from "./questions.ts";
import { classBehind, isOpaque, itemsOf } from "./types.ts";

/** Texts that are looked at for what they name. */
const MAX_TEXTS = 100;
const LOADS_MODULE = /(?:^|\.)(?:import_module|__import__)$/;

/** Whether an expression is a module whose name code puts together. */
export function isLoaded(e: Evaluator, file: SourceFile, id: number): boolean {
  const { nodes } = file.facts;
  const at = opOf(file, id) === Op.Local && nodes[id + 3] === 1 ? nodes[id + 4]! : id;
  return opOf(file, at) === Op.Call && itemsOf(e.value(file, nodes[at + 1]!)).some((type) => type.k === "extobj" && LOADS_MODULE.test(type.name));
}

/** What the texts of a file name in modules: `PLUGINS = {"table": "project.plugins.table"}`. Where it is much, that says nothing. */
export function namedByTexts(callees: Callees, file: SourceFile): Target[] {
  const { texts } = file.facts;
  if (texts.length > 3 * MAX_TEXTS) return [];
  return texts.flatMap((id, i) => (i % 3 === 0 ? callees.named(file, id) : []));
}

/** The methods of an object, and of what derives from its class, whose names begin with a text. */
export function methodsLike(e: Evaluator, file: SourceFile, object: number, start: string, heirsOf: (cls: Cls) => readonly Cls[]): Callable[] {
  const found: Callable[] = [];
  const own = e.value(file, object);
  for (const item of itemsOf(isOpaque(own) ? e.informedly(() => e.value(file, object)) : own)) {
    const cls = classBehind(item);
    if (!cls) continue;
    e.ask(cls, MEMBERS);
    for (const one of new Set([...mroOf(e, cls).flatMap(({ cls: above }) => above ?? []), ...heirsOf(cls)])) {
      for (const [name, definitions] of Object.entries(one.file.facts.scopes[one.fact.scope]!.names)) {
        if (!one.file.facts.strings[Number(name)]!.startsWith(start)) continue;
        for (const definition of definitions) if (opOf(one.file, definition) === Op.Function) found.push(e.program.fn(one.file, one.file.facts.nodes[definition + 1]!));
      }
    }
  }
  return found;
}
