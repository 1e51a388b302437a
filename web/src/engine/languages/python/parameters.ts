import { annotation, expression } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import type { ParamFact } from "./facts.ts";
import { ParamKind } from "./facts.ts";
import { commented } from "./strings.ts";
import { K } from "./tree.ts";
import { commentOfVariable } from "./typetext.ts";

/** Reads the parameters of a function or lambda; defaults are evaluated where it is defined. */
export function parameters(x: Extraction, list: number): ParamFact[] {
  const { tree } = x;
  const params: ParamFact[] = [];
  let kind = ParamKind.Positional;
  const add = (of: number, name: number | undefined, as: ParamKind, type: number, value: number): void => {
    if (name === undefined || tree.kind[name] !== K.Identifier) return;
    const comment = type < 0 ? commentOfVariable(tree.source, tree.end[value < 0 ? name : of]!) : undefined;
    params.push({
      name: x.string(tree.text(name)), kind: as,
      type: type >= 0 ? annotation(x, type) : comment === undefined ? -1 : commented(x, comment, name), value: value < 0 ? -1 : expression(x, value),
    });
  };
  for (const c of tree.children(list)) {
    const parts = tree.children(c);
    switch (tree.kind[c]) {
      case K.Identifier:
        add(c, c, kind, -1, -1);
        break;
      case K.DefaultParameter:
        add(c, parts[0], kind, -1, parts.at(-1) ?? -1);
        break;
      case K.TypedParameter: {
        const name = parts[0];
        if (name === undefined) break;
        const splat = tree.kind[name] === K.ListSplatPattern ? ParamKind.Args : tree.kind[name] === K.DictSplatPattern ? ParamKind.Keywords : kind;
        add(c, tree.kind[name] === K.Identifier ? name : tree.child(name, K.Identifier), splat, tree.child(c, K.Type), -1);
        if (splat === ParamKind.Args) kind = ParamKind.KeywordOnly;
        break;
      }
      case K.TypedDefaultParameter:
        add(c, parts[0], kind, tree.child(c, K.Type), parts.at(-1) ?? -1);
        break;
      case K.ListSplatPattern:
        add(c, tree.child(c, K.Identifier), ParamKind.Args, -1, -1);
        kind = ParamKind.KeywordOnly;
        break;
      case K.DictSplatPattern:
        add(c, tree.child(c, K.Identifier), ParamKind.Keywords, -1, -1);
        break;
      case K.KeywordSeparator:
        kind = ParamKind.KeywordOnly;
        break;
      case K.PositionalSeparator:
        for (const param of params) param.kind = ParamKind.PositionalOnly;
        break;
      default:
    }
  }
  return params;
}
