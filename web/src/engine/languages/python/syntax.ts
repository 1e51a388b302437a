import { opOf } from "./classes.ts";
import { Op, ScopeKind } from "./facts.ts";
import type { SourceFile } from "./program.ts";

/** The scope of the file that binds a name, as far as it is not through a star import; -1 for what only the flow knows. */
export function scopeOf(file: SourceFile, id: number): number {
  const { nodes, scopes } = file.facts;
  const [name, from] = [nodes[id + 1]!, nodes[id + 2]!];
  if (opOf(file, id) === Op.Local) {
    const at = scopes[from]!.globals?.includes(name) ? 0 : from;
    return scopes[at]!.names[name] ? at : -1;
  }
  for (let at = from; at >= 0; at = scopes[at]!.parent) {
    const { kind, names, globals, stars } = scopes[at]!;
    if ((kind === ScopeKind.Class && at !== from) || (at !== 0 && globals?.includes(name))) continue;
    if (names[name]) return at;
    if (stars && at !== 0) return -1;
  }
  return -1;
}

export const isDeclaration = (op: Op): boolean => op === Op.Function || op === Op.Class;

/** The values of a call's arguments, by place and then by name. */
export function argumentsOf(file: SourceFile, call: number): number[] {
  const { nodes } = file.facts;
  const keywords = call + 3 + nodes[call + 2]!;
  const values = nodes.slice(call + 3, keywords);
  for (let at = keywords + 2; at <= keywords + 2 * nodes[keywords]!; at += 2) values.push(nodes[at]!);
  return values;
}

/** What stands beside a type, as in `Annotated[int, Depends(f)]`. */
export function besideType(file: SourceFile, type: number): readonly number[] {
  const { nodes } = file.facts;
  const all = type >= 0 && opOf(file, type) === Op.Sub ? nodes[type + 2]! : -1;
  return all >= 0 && opOf(file, all) === Op.Tuple ? nodes.slice(all + 3, all + 2 + nodes[all + 1]!) : [];
}
