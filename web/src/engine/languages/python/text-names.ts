import type { Extraction } from "./extraction.ts";
import { Op } from "./facts.ts";

/** A module, and what is in it: `package.module.Class.method`, `package.module:function`. */
const PATH = /^[^\W\d]\w*(?:[.:]\w+)+$/u;

/** Notes what a text may name in a module of the code base, as those that are given to `mock.patch`, or that settings hold. */
export function namedIn(x: Extraction, text: string, line: number): void {
  if (x.annotating || !PATH.test(text)) return;
  const parts = text.split(/[.:]/);
  const name = parts.pop()!;
  const named = (module: readonly string[], of: string): number => x.node(Op.Import, x.facts.imports.push({ level: 0, module: module.join("."), name: of, line, isText: true }) - 1);
  const note = (id: number): void => void x.facts.texts.push(id, x.place.symbol, line);
  note(named(parts, name));
  const cls = parts.pop()!;
  if (parts.length > 0) note(x.node(Op.Attr, named(parts, cls), x.string(name)));
}

/** Calls that give a member of their first argument another value, by its name. */
const NAMES_MEMBER = /(?:^|\.)(?:set|del)attr$|\bpatch\.object$/;

/** Notes the member that a call names by a text, as `setattr(client, "send", f)` and `patch.object(Client, "send")` do. */
export function memberNamedIn(x: Extraction, callee: string, positional: readonly number[], line: number): void {
  const { nodes, texts } = x.facts;
  const [object, name] = positional;
  if (object === undefined || name === undefined || nodes[name] !== (Op.Str as number) || !NAMES_MEMBER.test(callee)) return;
  texts.push(x.node(Op.Attr, object, nodes[name + 1]!), x.place.symbol, line);
}
