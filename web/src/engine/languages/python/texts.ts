import { opOf } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import { Op } from "./facts.ts";
import { scopeOf } from "./syntax.ts";
import type { SourceFile } from "./program.ts";

/** Expressions that are looked at. */
const MAX_EXPRESSIONS = 20;

/** A text, or what it begins with. */
export interface Text {
  text: string;
  isWhole: boolean;
}

/** The texts that an expression may be, as far as the code around says it, or what calls pass: for `getattr(self, f"visit_{name}")`. */
export function textsOf(e: Evaluator, file: SourceFile, id: number, seen = new Set<number>(), isPassed = false): Text[] {
  if (seen.has(id) || seen.size >= MAX_EXPRESSIONS) return [];
  seen.add(id);
  const { nodes, strings, scopes, phis } = file.facts;
  const [a, b] = [nodes[id + 1]!, nodes[id + 2]!];
  const all = (ids: readonly number[]): Text[] => ids.flatMap((one) => textsOf(e, file, one, seen, isPassed));
  switch (opOf(file, id)) {
    case Op.Str: case Op.Quoted: return [{ text: strings[a]!, isWhole: true }];
    case Op.Local: return all(nodes.slice(id + 4, id + 4 + nodes[id + 3]!));
    case Op.Name: {
      const scope = scopeOf(file, id);
      return scope < 0 ? [] : all(scopes[scope]!.names[a]!);
    }
    case Op.Phi: return all(phis[a]!);
    case Op.Declared: return b < 0 ? [] : textsOf(e, file, b, seen, isPassed);
    case Op.Either: return all([a, b]);
    case Op.Binary: {
      // "visit_" + name, "visit_%s" % name
      const first = textsOf(e, file, b, seen, isPassed)[0];
      if (!first?.isWhole || (strings[a] !== "+" && strings[a] !== "%")) return [];
      return [{ text: strings[a] === "%" ? first.text.split("%")[0]! : first.text, isWhole: false }];
    }
    case Op.Call: {
      // "visit_{}".format(name)
      if (opOf(file, a) !== Op.Attr || strings[nodes[a + 2]!] !== "format") return [];
      return textsOf(e, file, nodes[a + 1]!, seen, isPassed).map(({ text }) => ({ text: text.split("{")[0]!, isWhole: false }));
    }
    case Op.Param: {
      if (isPassed) return [];
      e.informs();
      return e.program.informed ? e.program.passed(e.program.fn(file, a), b).flatMap((site) => textsOf(e, site.file, site.id, new Set(), true)) : [];
    }
    // for name in ("one", "two")
    case Op.Item: return opOf(file, a) === Op.Tuple || opOf(file, a) === Op.List ? all(nodes.slice(a + 2, a + 2 + nodes[a + 1]!)) : [];
    default: return [];
  }
}
