import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { namespaceScope } from "./extract.ts";
import { CLASS_STRING, classNamed } from "./types.ts";

/** Of more classes a value says nothing. */
const MAX_CLASSES = 20;
/** Records that tell what a value is are not followed further. */
const MAX_RECORDS = 200;

/** Records one of the classes whose names a value may be, by `Foo::class`: `new $class()`, `$class::make()`; 0 where there is none. */
export function classNames(u: Unit, value: Offset): Offset {
  const seen = new Set<Offset>();
  const types = new Map<string, Offset>();
  const { code } = u;
  /** `inside`: how many arrays the names are in. */
  const follow = (at: Offset, inside: number): void => {
    if (at === 0 || seen.has(at) || seen.size >= MAX_RECORDS) return;
    seen.add(at);
    switch (code[at]) {
      case Op.Value: {
        const type = code[at + 1]!;
        const name = inside === 0 && code[type] === Op.Named && u.stringAt(code[type + 1]!) === CLASS_STRING ? code[type + 4]! : 0;
        if (code[name] === Op.Named) types.set(u.stringAt(code[name + 1]!), name);
        break;
      }
      case Op.Variable:
        follow(code[at + 2]!, inside);
        break;
      case Op.Either:
        for (const one of code.slice(at + 2, at + 2 + code[at + 1]!)) follow(one, inside);
        break;
      case Op.Several:
        if (inside > 0) for (const one of code.slice(at + 2, at + 2 + code[at + 1]!)) follow(one, inside - 1);
        break;
      case Op.Keyed:
        follow(code[at + 2]!, inside);
        break;
      case Op.Element:
      case Op.Index:
      case Op.Entry:
        follow(code[at + 1]!, inside + 1);
        break;
      case Op.Select: {
        const own = code[code[at + 1]!] === Op.Self && u.within >= 0 ? u.types[u.within] : undefined;
        follow(own?.members.find(({ kind, name }) => kind === "field" && name === u.stringAt(code[at + 2]!))?.initialiser ?? 0, inside);
        break;
      }
      default:
    }
  };
  follow(value, 0);
  return types.size === 0 || types.size > MAX_CLASSES ? 0 : u.emit(Op.OneOf, types.size, ...types.values());
}

/** `class_alias('A\\B', 'C')`: another name for a class. */
export function aliased(u: Unit, list: number): void {
  const { syntax } = u;
  const [of, name] = syntax.children(list).map((argument) => syntax.text(argument).replace(/\s+/g, ""));
  const path = (text = ""): string | undefined => /^(['"])\\*(\w+(?:\\+\w+)*)\1$/.exec(text)?.[2]?.replace(/\\+/g, ".");
  const [, written] = /^([\w\\]+)::class$/i.exec(of ?? "") ?? [];
  const real = path(of);
  const other = path(name);
  if (other === undefined || (real === undefined && written === undefined)) return;
  const type = real === undefined ? classNamed(u, written!.replaceAll("\\", ".")) : u.named(`.${real}`);
  u.useType(type, list);
  const { within } = u;
  const cut = other.lastIndexOf(".");
  // What the class is called here, the imports around decide.
  u.scopes.push({ namespace: other.slice(0, Math.max(0, cut)), parent: namespaceScope(u), imports: [] });
  u.within = -u.scopes.length;
  u.type({ name: other.slice(cut + 1), symbol: -1, kind: "class", local: false }, (fact) => {
    fact.alias = true;
    fact.supers.push({ type, how: "base", line: syntax.line(list) });
  });
  u.within = within;
}
