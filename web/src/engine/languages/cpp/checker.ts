import { Depth, Memo } from "../memo.ts";
import { Calls } from "./calls.ts";
import { type AliasFact, Flag, isIterator, type Offset, Op, pointedFlags, pointerTo, type ScopeId } from "./facts.ts";
import { elementOf, foreign, indexedIn, memberOf, pointedBy } from "./library.ts";
import { DECLARED, INFERRED, NOTHING, type Operand } from "./operand.ts";
import type { Found, Of, Program, Source, Space, Variable } from "./program.ts";
import { sizes, substitute, type Type, UNKNOWN } from "./types.ts";

const MAX_DEPTH = 300;
/** Classes above a class that are gone through for the arguments of a template. */
const MAX_BASES = 20;

/** Answers what the records of all files stand for, lazily and once each. What cannot be known is UNKNOWN; nothing throws. */
export class Checker {
  private readonly operands: Memo<Source, Operand>;
  private readonly types: Memo<Source, Type>;
  readonly calls: Calls;

  constructor(readonly program: Program) {
    const { sources } = program;
    const depth = new Depth(MAX_DEPTH);
    this.operands = new Memo<Source, Operand>(sources, NOTHING, (source, at) => sizes.boundedIn(this.evaluate(source, at)), depth);
    this.types = new Memo<Source, Type>(sources, UNKNOWN, (source, at) => this.readType(source, at), depth);
    this.calls = new Calls(program, this);
  }

  // Types

  type(source: Source, at: Offset): Type {
    return this.types.get(source, at);
  }

  private readType(source: Source, at: Offset): Type {
    const { code, strings } = source.data;
    if (code[at] !== Op.Named) return UNKNOWN;
    const name = strings[code[at + 1]!]!;
    const flags = code[at + 3]!;
    const args = code.slice(at + 5, at + 5 + code[at + 4]!).map((arg) => this.type(source, arg));
    if (name.startsWith("#")) {
      const space = source.spaces[Number(name.slice(1))];
      return space ? { kind: "class", space, args: [], flags } : UNKNOWN;
    }
    const found = this.program.lookup(source, code[at + 2]!, name, true);
    const type = found && this.typeOf(source, found, at);
    if (type && type.kind !== "unknown") return this.ofQualifier(source, at, name, { ...type, args: args.length > 0 ? args : type.args, flags: (flags & type.flags & Flag.Pointer ? Flag.Pointers : 0) | type.flags | flags }, found.aliases[0]);
    if (isIterator(name)) return this.iterator(source, name, at, args, flags);
    const of = this.classAt(source, code[at + 2]!);
    return { kind: "foreign", name: name.slice(name.lastIndexOf(":") + 1), args, flags, ...(of && parametersOf(of).includes(name) ? { of } : {}) };
  }

  /** What a class calls a type, with the template arguments that its name has: `Names::Iterator` where `Names` is a `List<Name>`. */
  private ofQualifier(source: Source, at: Offset, name: string, type: Type, alias: Of<AliasFact> | undefined): Type {
    const cut = name.lastIndexOf("::");
    const home = cut > 0 && alias ? this.program.spaceAt(alias.source, alias.fact.scope) : undefined;
    if (!home || parametersOf(home).length === 0) return type;
    const { code } = source.data;
    const found = this.program.lookup(source, code[at + 2]!, name.slice(0, cut), true);
    const of = found && this.typeOf(source, found, at);
    return of?.kind === "class" ? this.inObject(type, of, home) : type;
  }

  /** What a container of the library, which may go by another name here, calls its iterator. */
  private iterator(source: Source, name: string, at: Offset, args: readonly Type[], flags: number): Type {
    const container = name.slice(0, name.lastIndexOf("::"));
    const found = this.program.lookup(source, source.data.code[at + 2]!, container, true);
    const type = (found && this.typeOf(source, found, at)) ?? foreign(container.slice(container.lastIndexOf(":") + 1), args);
    return foreign(name.endsWith("reverse_iterator") ? "reverse_iterator" : "iterator", [elementOf(type)], flags);
  }

  /** The type that a name means. */
  private typeOf(source: Source, { spaces, aliases }: Found, at: Offset): Type | undefined {
    const space = this.program.oneClass(source, spaces);
    if (space) return { kind: "class", space, args: [], flags: 0 };
    const alias = this.program.first<Of<AliasFact>>(source, aliases);
    if (!alias || (alias.source === source && alias.fact.type === at)) return undefined;
    return this.type(alias.source, alias.fact.type);
  }

  // Expressions

  operand(source: Source, at: Offset): Operand {
    return this.operands.get(source, at);
  }

  private evaluate(source: Source, at: Offset): Operand {
    const { code, strings } = source.data;
    switch (code[at]) {
      case Op.Name:
        return this.name(source, at);
      case Op.Select:
        return this.select(source, code[at + 1]!, strings[code[at + 2]!]!, code[at + 3] === 1);
      case Op.Call:
      case Op.New:
      case Op.Operator: {
        const { type, certainty } = this.calls.of(source, at);
        return { type, certainty };
      }
      case Op.This: {
        const space = this.classAt(source, code[at + 1]!);
        return space ? { type: { kind: "class", space, args: [], flags: isInConst(source, at) ? Flag.Pointer | Flag.Const : Flag.Pointer }, certainty: 1 } : NOTHING;
      }
      case Op.Value:
      case Op.Cast:
        return { type: this.type(source, code[at + 1]!), certainty: DECLARED };
      case Op.Deref:
      case Op.Index: {
        const inner = this.operand(source, code[at + 1]!);
        if (inner.functions) return inner;
        const type = code[at] === Op.Deref ? this.pointed(inner.type) : this.indexed(inner.type);
        return { type, certainty: Math.min(inner.certainty, DECLARED), ...(inner.variable ? { variable: inner.variable } : {}) };
      }
      case Op.Element: {
        const { type, certainty } = this.operand(source, code[at + 1]!);
        return { type: this.looped(type), certainty: Math.min(certainty, DECLARED) };
      }
      case Op.Address: {
        const inner = this.operand(source, code[at + 1]!);
        return inner.functions || inner.type.kind === "unknown" ? inner : { ...inner, type: { ...inner.type, flags: pointerTo(inner.type.flags) } };
      }
      case Op.Either: {
        const first = this.operand(source, code[at + 1]!);
        const second = this.operand(source, code[at + 2]!);
        if (first.functions && second.functions) return { ...first, functions: [...first.functions, ...second.functions] };
        return first.type.kind === "class" || second.type.kind === "unknown" ? first : second;
      }
      case Op.Variable: {
        const declared = code[at + 1]!;
        const given = this.operand(source, code[at + 2]!);
        if (!declared) return { ...given, certainty: Math.min(given.certainty, DECLARED) };
        return { type: this.type(source, declared), certainty: DECLARED, ...(given.functions ? { functions: given.functions } : given.variable ? { variable: given.variable } : {}) };
      }
      default:
        return NOTHING;
    }
  }

  private name(source: Source, at: Offset): Operand {
    const { code, strings } = source.data;
    const name = strings[code[at + 1]!]!;
    const scope = code[at + 2]!;
    const macro = this.program.macro(source, name);
    let found = this.program.lookup(source, scope, name);
    if (macro && macro.fact.alias !== "" && !found?.functions.some(({ fact }) => fact.symbol >= 0)) found = this.program.lookup(source, scope, macro.fact.alias) ?? found;
    if (!found) return NOTHING;
    const args = code[at + 3]! > 0 ? code.slice(at + 4, at + 4 + code[at + 3]!).map((arg) => this.type(source, arg)) : undefined;
    const variable = this.seen(source, found.variables);
    if (variable) return this.variableValue(variable);
    if (found.functions.length > 0) return { type: UNKNOWN, certainty: 0, functions: found.functions, ...(args ? { args } : {}) };
    const type = this.typeOf(source, found, at);
    if (type?.kind === "class") return { type: { ...type, ...(args ? { args } : {}) }, certainty: 1, made: type.space };
    return NOTHING;
  }

  /** The global variable, or static member, that a name stands for, where it is defined. */
  variable(source: Source, at: Offset): Variable | undefined {
    const { variable } = this.operand(source, at);
    if (!variable || variable.fact.symbol >= 0) return variable;
    const { code, strings } = source.data;
    const all = this.program.lookup(source, code[at + 2]!, strings[code[at + 1]!]!)?.variables ?? [];
    return this.program.nearest(source, all.filter(({ fact }) => fact.symbol >= 0 && !fact.local))[0];
  }

  private variableValue(variable: Variable): Operand {
    const { source, fact } = variable;
    if (fact.type) return { type: this.type(source, fact.type), certainty: DECLARED, variable };
    const { type, certainty } = this.operand(source, fact.initialiser);
    return { type, certainty, variable };
  }

  /** Globals that are the file's own, or no other's. */
  private seen(source: Source, all: readonly Variable[]): Variable | undefined {
    return this.program.once(source, all, () => this.program.nearest(source, all.filter(({ source: home, fact }) => !fact.local || this.program.sees(source, home.index)))[0]);
  }

  private select(source: Source, of: Offset, name: string, arrow: boolean): Operand {
    const operand = this.operand(source, of);
    return this.selected(source, arrow ? { ...operand, type: this.pointed(operand.type) } : operand, name);
  }

  private selected(source: Source, operand: Operand, name: string, byMacro = true): Operand {
    const { type } = operand;
    if (type.kind === "class") {
      const found = this.program.inSpace(source, type.space, name);
      const path = found || !byMacro ? [] : this.memberPath(source, name);
      if (path.length > 0) return path.reduce((at, part) => this.selected(source, at, part, false), operand);
      if (found?.variables[0]) {
        const value = this.variableValue(found.variables[0]);
        const [{ source: home, fact: { scope } }] = found.variables as [Variable];
        return { ...value, type: this.inObject(value.type, type, this.program.spaceAt(home, scope)), certainty: Math.min(value.certainty, operand.certainty) };
      }
      if (found && found.functions.length > 0) return { type: UNKNOWN, certainty: operand.certainty, functions: found.functions };
      return { type: UNKNOWN, certainty: operand.certainty };
    }
    const given = memberOf(type, name);
    return { type: given, certainty: given.kind === "unknown" ? 0 : Math.min(operand.certainty, INFERRED) };
  }

  /** The members that a macro for a member of a member names: `#define done head.done`. */
  memberPath(source: Source, name: string): readonly string[] {
    const alias = this.program.macro(source, name)?.fact.alias ?? "";
    const path = alias.split(".");
    return path.length > 1 ? path : [];
  }

  pointed(type: Type): Type {
    if (type.kind !== "unknown" && type.flags & (Flag.Pointer | Flag.Array)) return { ...type, flags: pointedFlags(type.flags) | Flag.Reference };
    if (type.kind === "class") return this.operator(type, "operator->") ?? this.operator(type, "operator*") ?? type;
    const inner = pointedBy(type);
    return inner.kind === "unknown" ? type : inner;
  }

  private indexed(type: Type): Type {
    if (type.kind === "unknown") return type;
    if (type.flags & (Flag.Array | Flag.Pointer)) return { ...type, flags: pointedFlags(type.flags) };
    if (type.kind === "class") return this.operator(type, "operator[]") ?? UNKNOWN;
    return indexedIn(type);
  }

  private looped(type: Type): Type {
    if (type.kind !== "unknown" && type.flags & Flag.Array) return { ...type, flags: type.flags & ~Flag.Array };
    if (type.kind !== "class") return elementOf(type);
    const begin = this.operator(type, "begin");
    return begin ? this.pointed(begin) : UNKNOWN;
  }

  /** What an operator of a class gives. */
  operator(type: Type & { kind: "class" }, name: string): Type | undefined {
    const [method] = this.program.inSpace(this.program.sources[0]!, type.space, name)?.functions ?? [];
    return method && this.inObject(this.type(method.source, method.fact.returns), type, method.space);
  }

  /** The type that a member of an object has, with the template arguments of its class for the parameters: `T` of `List<T>` in a `Names : List<Name>`. */
  inObject(type: Type, of: Type & { kind: "class" }, home: Space | undefined, depth = 0): Type {
    if (type.kind === "unknown" || !home || home === of.space || depth > MAX_BASES) return substitute(type, parametersOf(of.space), of.args);
    if (parametersOf(home).length === 0) return type;
    for (const { type: at } of of.space.type?.fact.bases ?? []) {
      const base = this.type(of.space.type!.source, at);
      if (base.kind !== "class" || (base.space !== home && !this.program.ancestors(base.space).has(home))) continue;
      const args = base.args.map((arg) => substitute(arg, parametersOf(of.space), of.args));
      return this.inObject(type, { ...base, args }, home, depth + 1);
    }
    return type;
  }

  /** The class that code of a scope is a member of. */
  classAt(source: Source, scope: ScopeId): Space | undefined {
    for (let at = scope; at > 0; at = source.data.scopes[at]!.parent) {
      const space = this.program.spaceAt(source, at);
      if (space?.isClass) return space;
    }
    return undefined;
  }
}

export function parametersOf({ type }: Space): readonly string[] {
  return type?.fact.parameters ?? [];
}

/** Whether a record stands in a const method, whose own object may not change. */
export function isInConst({ data: { constants } }: Source, at: Offset): boolean {
  for (let i = 0; i < constants.length; i += 2) if (at >= constants[i]! && at < constants[i + 1]!) return true;
  return false;
}
