import type { Evaluator } from "./evaluate.ts";
import { classNameOf } from "./externals.ts";
import { Const, Op } from "./facts.ts";
import type { Meaning, SourceFile } from "./program.ts";
import { attributeOfRecords } from "./records.ts";
import type { Type } from "./types.ts";
import { BOOL, EXTERNAL, NONE, STR, UNKNOWN, bounded, classOf, ext, isOpen, shortName, substitute, union } from "./types.ts";

/** What an expression means where a type is expected: the type of a value that fits it. */
export function annotated(e: Evaluator, file: SourceFile, id: number): Type {
  const known = e.known(file, id, file.annotations.get(id));
  if (known) return known.found;
  return e.apart<Type>(file, id, UNKNOWN, () => bounded(e.readBy(file, () => read(e, file, id))), (found) => {
    file.annotations.set(id, { ...found, next: e.others(file.annotations.get(id)) });
  });
}

function read(e: Evaluator, file: SourceFile, id: number): Type {
  const { nodes } = file.facts;
  switch (nodes[id] as unknown as Op) {
    case Op.Name: return meaningAsType(e, e.program.lookup(file, nodes[id + 1]!, nodes[id + 2]!));
    case Op.Local: {
      const definitions = nodes.slice(id + 4, id + 4 + nodes[id + 3]!);
      return union(definitions.map((d) => definitionAsType(e, file, d)));
    }
    case Op.Attr: case Op.FlowAttr: return attributeAsType(e, file, id);
    case Op.Sub: return generic(e, file, id);
    case Op.Binary: return union([annotated(e, file, nodes[id + 2]!), annotated(e, file, nodes[id + 3]!)]);
    case Op.Either: return union([annotated(e, file, nodes[id + 1]!), annotated(e, file, nodes[id + 2]!)]);
    case Op.Quoted: return annotated(e, file, nodes[id + 2]!);
    case Op.Const: return nodes[id + 1] === Const.None as number ? NONE : UNKNOWN;
    case Op.Star: return annotated(e, file, nodes[id + 1]!);
    case Op.Call: {
      const value = e.value(file, id);
      return value.k === "var" ? value : value.k === "class" ? { k: "inst", cls: value.cls, args: value.args } : UNKNOWN;
    }
    default: return UNKNOWN;
  }
}

function meaningAsType(e: Evaluator, meaning: Meaning): Type {
  if (!meaning) return UNKNOWN;
  if (meaning.k === "external") return externalAsType(meaning.name);
  if (meaning.k === "module") return UNKNOWN;
  const { file, definitions } = meaning.binding;
  return union(definitions.map((d) => definitionAsType(e, file, d)));
}

/** What a binding's name means as a type: a class, an alias, a type variable. */
export function definitionAsType(e: Evaluator, file: SourceFile, definition: number): Type {
  const { nodes } = file.facts;
  switch (nodes[definition] as unknown as Op) {
    case Op.Class: return { k: "inst", cls: e.program.cls(file, nodes[definition + 1]!), args: [] };
    case Op.Import: return union(e.program.follow(file, nodes[definition + 1]!).map((m) => meaningAsType(e, m)));
    case Op.Declared: {
      // `X: TypeAlias = ...`; any other annotation says that the name is a value.
      const value = nodes[definition + 2]!;
      const type = annotated(e, file, nodes[definition + 1]!);
      if (value < 0) return type.k === "var" && type.meta ? { ...type, meta: false } : UNKNOWN;
      return annotated(e, file, value);
    }
    case Op.TypeAlias: return annotated(e, file, nodes[definition + 1]!);
    case Op.TypeVar: return e.value(file, definition);
    case Op.Call: {
      const value = e.value(file, definition);
      switch (value.k) {
        case "var": return value;
        case "class": return { k: "inst", cls: value.cls, args: value.args };
        case "ext": case "extobj": return EXTERNAL;
        default: return UNKNOWN;
      }
    }
    default: return annotated(e, file, definition);
  }
}

function attributeAsType(e: Evaluator, file: SourceFile, id: number): Type {
  const { nodes, strings } = file.facts;
  const name = strings[nodes[id + 2]!]!;
  const object = e.value(file, nodes[id + 1]!);
  switch (object.k) {
    case "module": return meaningAsType(e, e.program.member({ file: object.file }, name));
    case "folder": return meaningAsType(e, e.program.member({ folder: object.folder }, name));
    case "extobj": return externalAsType(`${object.name}.${name}`);
    case "class": {
      const member = e.member(object, name);
      return member && "definitions" in member ? union(member.definitions.map((d) => definitionAsType(e, member.cls.file, d))) : UNKNOWN;
    }
    // P.args and P.kwargs of a parameter specification, and attributes of external classes.
    case "ext": {
      const known = attributeOfRecords(object, name);
      return known?.k === "extobj" ? externalAsType(known.name) : EXTERNAL;
    }
    default: return UNKNOWN;
  }
}

/** `Head[arguments]` */
function generic(e: Evaluator, file: SourceFile, id: number): Type {
  const { nodes } = file.facts;
  const head = nodes[id + 1]!;
  const index = nodes[id + 2]!;
  const operands = nodes[index] === Op.Tuple as number ? nodes.slice(index + 2, index + 2 + nodes[index + 1]!) : [index];
  const external = externalName(e, file, head);
  if (external !== undefined) return externalGeneric(e, file, shortName(external), operands);
  const base = annotated(e, file, head);
  const args = operands.map((o) => annotated(e, file, o));
  if (base.k === "inst") return { k: "inst", cls: base.cls, args };
  if (isOpen(base)) {
    // A generic alias: its variables in the order in which they stand.
    const keys: string[] = [];
    collect(base, keys);
    return substitute(base, new Map(keys.map((key, i) => [key, args[i] ?? UNKNOWN])));
  }
  return base.k === "ext" && base.args.length === 0 ? { ...base, args } : base;
}

function collect(type: Type, keys: string[]): void {
  if (type.k === "var" && !keys.includes(type.key)) keys.push(type.key);
  else if (type.k === "inst" || type.k === "ext" || type.k === "class") for (const a of type.args) collect(a, keys);
  else if (type.k === "tuple" || type.k === "union") for (const a of type.items) collect(a, keys);
  else if (type.k === "callable") collect(type.result, keys);
}

/** The dotted name of an external thing that an expression names, or undefined. */
function externalName(e: Evaluator, file: SourceFile, id: number): string | undefined {
  const { nodes } = file.facts;
  const op = nodes[id] as unknown as Op;
  if (op !== Op.Name && op !== Op.Attr && op !== Op.Local) return undefined;
  const value = e.value(file, id);
  if (value.k === "extobj") return value.name;
  return value.k === "union" ? value.items.find((t) => t.k === "extobj")?.name : undefined;
}

function externalGeneric(e: Evaluator, file: SourceFile, name: string, operands: readonly number[]): Type {
  const { nodes } = file.facts;
  const first = operands[0]!;
  switch (name) {
    case "Optional": return union([annotated(e, file, first), NONE]);
    case "Union": return union(operands.map((o) => annotated(e, file, o)));
    case "Annotated": case "ClassVar": case "Final": case "Required": case "NotRequired": case "InitVar": case "ReadOnly": case "TypeGuard":
    case "TypeIs": case "Unpack": case "Mapped": case "proxy": case "CallableProxyType": case "ProxyType":
      return name === "TypeGuard" || name === "TypeIs" ? BOOL : annotated(e, file, first);
    case "Type": case "type": return classOf(annotated(e, file, first));
    case "Literal": {
      const ops = operands.map((o) => nodes[o] as unknown as Op);
      return ops.every((op) => op === Op.Str || op === Op.Quoted) ? STR : ops.includes(Op.Attr) ? enumLiteral(e, file, first) : EXTERNAL;
    }
    case "Tuple": case "tuple": {
      const ellipsis = operands.at(-1)!;
      if (operands.length === 2 && nodes[ellipsis] === Op.Const as number && nodes[ellipsis + 1] === Const.Ellipsis as number) {
        return { k: "tuple", items: [], rest: annotated(e, file, first) };
      }
      return { k: "tuple", items: operands.map((o) => annotated(e, file, o)), rest: undefined };
    }
    case "Callable": {
      const params = nodes[first] === Op.List as number ? nodes.slice(first + 2, first + 2 + nodes[first + 1]!) : undefined;
      return {
        k: "callable", result: annotated(e, file, operands.at(-1)!), ...(params ? { params: params.map((p) => annotated(e, file, p)) } : {}),
      };
    }
    case "Concatenate": return UNKNOWN;
    case "ReferenceType": return { k: "callable", result: annotated(e, file, first) };
    case "Generator": case "AsyncGenerator": case "Coroutine": {
      const args = operands.map((o) => annotated(e, file, o));
      // What awaiting a coroutine gives is its last argument.
      return name === "Coroutine" ? ext(name, args[2] ?? UNKNOWN) : ext(name, ...args);
    }
    default: return ext(classNameOf(name), ...operands.map((o) => annotated(e, file, o)));
  }
}

function enumLiteral(e: Evaluator, file: SourceFile, id: number): Type {
  const value = e.value(file, id);
  return value.k === "inst" ? value : UNKNOWN;
}

/** A class or special form from elsewhere, without arguments. */
function externalAsType(name: string): Type {
  const short = shortName(name);
  switch (short) {
    case "Any": case "TypeAlias": case "Final": case "ClassVar": case "Incomplete": return UNKNOWN;
    case "Self": return SELF;
    case "None": return NONE;
    case "Tuple": case "tuple": return { k: "tuple", items: [], rest: UNKNOWN };
    case "Callable": return { k: "callable", result: UNKNOWN };
    case "LiteralString": case "Text": case "AnyStr": return STR;
    case "Type": return UNKNOWN;
    default: return ext(classNameOf(short));
  }
}

/** `typing.Self`: takes the type of the receiver. */
const SELF: Type = { k: "var", key: "self", bound: UNKNOWN, meta: false };
