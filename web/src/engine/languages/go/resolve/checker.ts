import { spend } from "../../../effort.ts";
import type { SymbolFact } from "../../../facts.ts";
import type { SymbolRef } from "../../../language.ts";
import { type FunctionFact, type Offset, Op, type TypeFact } from "../facts.ts";
import { wordAfter } from "../../words.ts";
import { Asks, homeOf, placeIn } from "./asks.ts";
import { expressionOperand } from "./expressions.ts";
import { CIRCULAR_VALUE, type Operand, typeOperand, UNKNOWN_VALUE } from "./operand.ts";
import { type Declaration, type Package, type Packages, type Source, visibleFrom } from "./packages.ts";
import { foreignType, lookupStandard } from "./standard.ts";
import { ANY, type Entity, type Func, type Method, type Named, substitute, type Type, type TypeParameter, UNEXPORTED, UNKNOWN } from "./types.ts";
import { underlying } from "./members.ts";
import { universe } from "./universe.ts";

/** Expressions nested deeper (a chain through that many initialisers) are given up. */
const MAX_DEPTH = 400;
/** One name that more files declare than there are platforms is told by the first of them. */
const MAX_DECLARATIONS = 100;

/** An operand that is being worked out, or that waits for the rest of its cycle; `circular` is what it stands for then. */
class Open {
  circular = CIRCULAR_VALUE;
  constructor(readonly index: number, readonly memo: Map<Offset, Operand | Open>, readonly at: Offset) {}
}

/**
 * Answers what the records of all files stand for, lazily and once each. What cannot be known is UNKNOWN, what
 * comes from outside the repository FOREIGN; nothing throws.
 */
export class Checker {
  readonly asks = new Asks();
  private readonly operands: (Map<Offset, Operand | Open> | undefined)[] = [];
  private readonly open: Open[] = [];
  /** The lowest index in `open` that what is being worked out has led to. */
  private reached = Infinity;
  private readonly importNames: (Map<string, { path: string; package: Package | undefined }> | undefined)[] = [];
  private readonly entities: (Map<number, Named> | undefined)[] = [];
  private readonly locals = new Map<TypeFact, Named>();
  private readonly parameters = new Map<string, TypeParameter>();
  private readonly receivers = new Map<Source, Map<Offset, { owner: string; position: number; all: readonly Offset[] }>>();
  private depth = 0;
  private ids = 0;

  constructor(readonly packages: Packages) {}

  /** The kind of what a reference leads to; undefined for a file. */
  kindOf({ file, symbol }: SymbolRef): SymbolFact["kind"] | undefined {
    return this.packages.sources[file]!.facts.symbols[symbol]?.kind;
  }

  isFunction(to: SymbolRef): boolean {
    const kind = this.kindOf(to);
    return kind === "Function" || kind === "Method";
  }

  /** What a record stands for. */
  operand(source: Source, at: Offset): Operand {
    if (at === 0) return UNKNOWN_VALUE;
    spend();
    const memo = (this.operands[source.index] ??= new Map<Offset, Operand | Open>());
    const known = memo.get(at);
    if (known instanceof Open) {
      this.reached = Math.min(this.reached, known.index);
      return CIRCULAR_VALUE;
    }
    if (known) return known;
    if (this.depth >= MAX_DEPTH) return UNKNOWN_VALUE;
    this.depth++;
    const operand = this.workOut(source, at, memo);
    this.depth--;
    return operand;
  }

  /**
   * Of every part of a cycle only the name is known, whichever part is asked for first: cycles are Tarjan's strongly connected
   * components.
   */
  private workOut(source: Source, at: Offset, memo: Map<Offset, Operand | Open>): Operand {
    const before = this.reached;
    const own = new Open(this.open.length, memo, at);
    this.open.push(own);
    memo.set(at, own);
    this.reached = Infinity;
    const operand = this.typeRecord(source, at) ?? expressionOperand(this, source, at);
    if (this.reached > own.index) {
      this.open.pop();
      this.reached = before;
      memo.set(at, operand);
      return operand;
    }
    if (source.data.code[at] === Op.Name && operand.refs) own.circular = { ...CIRCULAR_VALUE, refs: operand.refs };
    if (this.reached < own.index) this.reached = Math.min(this.reached, before);
    else {
      for (const part of this.open.splice(own.index)) part.memo.set(part.at, part.circular);
      this.reached = before;
    }
    return own.circular;
  }

  /** A record read as a type. */
  type(source: Source, at: Offset): Type {
    if (!this.mayBeType(source, at)) return UNKNOWN;
    const { code, strings } = source.data;
    switch (code[at]) {
      // A name of a foreign package can be anything until it is used as a type; so can what is made of it.
      case Op.Star:
        return { kind: "pointer", element: this.type(source, code[at + 1]!) };
      case Op.Index: {
        const generic = this.operand(source, code[at + 1]!);
        if (generic.mode !== "foreign") break;
        const args = code.slice(at + 3, at + 3 + code[at + 2]!).map((a) => this.type(source, a));
        return foreignType(generic.name!, args);
      }
      default:
    }
    const operand = this.operand(source, at);
    if (operand.mode === "type") return operand.type;
    if (operand.mode === "foreign") return foreignType(operand.name!, []);
    // A name that a dot import of a foreign package may bring.
    if (code[at] === Op.Name && operand === UNKNOWN_VALUE) return foreignType(`?.${strings[code[at + 1]!]!}`, []);
    return UNKNOWN;
  }

  /** A value is not worked out: it may rest on the very type that is asked for. So a type rests on other types alone. */
  private mayBeType(source: Source, at: Offset): boolean {
    const { code, strings } = source.data;
    switch (code[at]) {
      case Op.Name:
        return !this.isValue(source, strings[code[at + 1]!]!);
      case Op.Select: {
        const from = code[at + 1]!;
        return code[from] === Op.Name && this.mayBeType(source, from) && this.operand(source, from).mode === "package";
      }
      case Op.Index:
      case Op.Star:
        return this.mayBeType(source, code[at + 1]!);
      default:
        return at !== 0 && code[at]! >= Op.Array && code[at] !== Op.Variable;
    }
  }

  types(source: Source, first: Offset, count: number): Type[] {
    return source.data.code.slice(first, first + count).map((at) => this.type(source, at));
  }

  private typeRecord(source: Source, at: Offset): Operand | undefined {
    const { code, strings } = source.data;
    const type = (index: number): Type => this.type(source, code[at + index]!);
    switch (code[at]) {
      case Op.Array:
        return typeOperand({ kind: "array", element: type(1) });
      case Op.SliceOf:
        return typeOperand({ kind: "slice", element: type(1) });
      case Op.Map:
        return typeOperand({ kind: "map", keys: type(1), element: type(2) });
      case Op.Chan:
        return typeOperand({ kind: "chan", element: type(1) });
      case Op.Func:
        return typeOperand(this.func(source, at));
      case Op.Struct: {
        const fields = Array.from({ length: code[at + 1]! }, (_, i) => {
          const field = at + 2 + 3 * i;
          return { name: strings[code[field]!]!, type: this.type(source, code[field + 1]!), embedded: code[field + 2] === 1 };
        });
        return typeOperand({ kind: "struct", fields });
      }
      case Op.Interface: {
        const count = code[at + 1]!;
        const methods = Array.from({ length: count }, (_, i) => {
          const method = at + 2 + 3 * i;
          const symbol = code[method + 2]!;
          const name = strings[code[method]!]!;
          return {
            name, type: this.func(source, code[method + 1]!),
            ...(symbol >= 0 ? { ref: { file: source.index, symbol } } : UNEXPORTED.test(name) ? { home: source.package.place } : {}),
          };
        });
        const embedded = at + 2 + 3 * count;
        return typeOperand({ kind: "interface", methods, embedded: this.types(source, embedded + 1, code[embedded]!) });
      }
      case Op.Union:
        return typeOperand({ kind: "union", terms: this.types(source, at + 2, code[at + 1]!) });
      case Op.Tilde:
        // ~T allows what has T underneath; a union of one keeps it apart from an embedded T.
        return typeOperand({ kind: "union", terms: [type(1)] });
      case Op.TypeParameter:
        return typeOperand(this.parameter(source, at));
      case Op.LocalType:
        return typeOperand(this.localType(source, code[at + 1]!));
      case Op.Name:
        return this.name(source, strings[code[at + 1]!]!);
      default:
        return undefined;
    }
  }

  private func(source: Source, at: Offset): Func {
    const { code } = source.data;
    const count = code[at + 2]!;
    return {
      kind: "func", variadic: code[at + 1] === 1,
      parameters: this.types(source, at + 3, count),
      results: this.types(source, at + 4 + count, code[at + 3 + count]!),
    };
  }

  /** The type of a declared function, generic if it is. */
  functionType(source: Source, fact: FunctionFact): Func {
    const known = this.type(source, fact.type);
    const type = known.kind === "func" ? known : this.func(source, fact.type);
    return fact.typeParameters.length === 0 ? type : { ...type, typeParameters: fact.typeParameters.map((at) => this.parameter(source, at)) };
  }

  // Names

  private name(source: Source, name: string): Operand {
    return this.packageName(source, name, source.package) ?? this.importName(source, name) ?? this.dotName(source, name) ?? universe(name) ?? UNKNOWN_VALUE;
  }

  /** A name of a package, as a file of the repository sees it. */
  packageName(source: Source, name: string, from: Package): Operand | undefined {
    this.asks.one(source, wordAfter(from.place, name));
    const all = from.declared.scope.get(name);
    if (!all) return undefined;
    const declarations = visibleFrom(source, all);
    const first = declarations[0]!;
    const { data, index: file } = first.source;
    if (first.kind === "function") {
      return {
        mode: "value", certainty: 1, type: this.functionType(first.source, data.functions[first.index]!),
        refs: declarations.filter((d) => d.kind === "function").slice(0, MAX_DECLARATIONS).map(refOfFunction),
      };
    }
    if (first.kind === "value") {
      const { at, symbol } = data.values[first.index]!;
      return { ...this.operand(first.source, at), refs: [{ file, symbol }] };
    }
    const fact = data.types[first.index]!;
    if (!fact.alias) return typeOperand(this.declaredType(first.source, first.index));
    const type = this.type(first.source, fact.type);
    const parameters = fact.typeParameters.map((at) => this.parameter(first.source, at));
    return parameters.length > 0 ? { ...typeOperand(type), parameters } : typeOperand(type);
  }

  /** Whether a name stands for a variable, a constant or a function of the package. */
  private isValue(source: Source, name: string): boolean {
    const all = source.package.declared.scope.get(name);
    if (!all || visibleFrom(source, all)[0]!.kind === "type") return false;
    this.asks.one(source, wordAfter(source.package.place, name));
    return true;
  }

  private importName(source: Source, name: string): Operand | undefined {
    let imports = this.importNames[source.index];
    if (!imports) {
      imports = new Map();
      for (const fact of source.data.imports) {
        const known = this.packages.nameOf(source, fact);
        if (known !== "." && known !== "_") imports.set(known, { path: fact.path, package: this.packages.imported(source, fact.path) });
      }
      this.importNames[source.index] = imports;
    }
    const found = imports.get(name);
    if (!found) return undefined;
    return { mode: "package", type: UNKNOWN, certainty: 1, name: found.path, ...(found.package ? { package: found.package } : {}) };
  }

  private dotName(source: Source, name: string): Operand | undefined {
    for (const { path, name: how } of source.data.imports) {
      const from = how === "." ? this.packages.imported(source, path) : undefined;
      const operand = from ? this.packageName(source, name, from) : how === "." ? lookupStandard(`${path}.${name}`) : undefined;
      if (operand) return operand;
    }
    return undefined;
  }

  // Declared types

  /** A package-level type of a file; of several of one name in broken code each is its own, whichever is asked for first. */
  declaredType(source: Source, index: number): Named {
    const own = (this.entities[source.index] ??= new Map<number, Named>());
    let named = own.get(index);
    if (!named) own.set(index, (named = this.newNamed(source, source.data.types[index]!, source.package)));
    return named;
  }

  private localType(source: Source, index: number): Type {
    const fact = source.data.types[index]!;
    if (fact.alias) return this.type(source, fact.type);
    let named = this.locals.get(fact);
    if (!named) {
      named = this.newNamed(source, fact, undefined);
      this.locals.set(fact, named);
    }
    return named;
  }

  private newNamed(source: Source, fact: TypeFact, home: Package | undefined): Named {
    const methods = new Map<string, Method | undefined>();
    const place = placeIn(source.package.place, fact.name);
    let under: Type | undefined;
    const entity: Entity = {
      id: ++this.ids,
      name: fact.name,
      home: homeOf(source.dir, source.package.name),
      place,
      ref: fact.symbol >= 0 ? { file: source.index, symbol: fact.symbol } : undefined,
      parameters: [],
      underlying: () => {
        if (under === undefined) {
          under = UNKNOWN; // while it is worked out: a cycle ends here
          const type = this.type(source, fact.type);
          if ((type.kind === "struct" || type.kind === "interface") && source.data.code[fact.type] === (type.kind === "struct" ? Op.Struct : Op.Interface)) type.of = place;
          under = underlying(type);
        }
        return under;
      },
      method: (name) => {
        if (!home) return undefined;
        if (!methods.has(name)) methods.set(name, this.method(source, home, fact.name, name));
        return methods.get(name);
      },
      methodNames: () => home?.declared.methodNames.get(fact.name) ?? [],
    };
    entity.parameters = fact.typeParameters.map((at) => this.parameter(source, at));
    return { kind: "named", entity, args: [] };
  }

  private method(source: Source, home: Package, owner: string, name: string): Method | undefined {
    const all = home.declared.methods.get(`${owner}.${name}`);
    if (!all) return undefined;
    const declarations = visibleFrom(source, all);
    const { source: from, index } = declarations[0]!;
    const fact = from.data.functions[index]!;
    return {
      name, refs: declarations.slice(0, MAX_DECLARATIONS).map(refOfFunction), type: this.functionType(from, fact),
      receiverParameters: fact.receiverParameters.map((at) => this.parameter(from, at)),
    };
  }

  private parameter(source: Source, at: Offset): TypeParameter {
    const key = `${source.index}:${at}`;
    let parameter = this.parameters.get(key);
    if (!parameter) {
      const { code, strings } = source.data;
      const constraint = code[at + 2]!;
      parameter = {
        kind: "parameter", name: strings[code[at + 1]!]!, id: ++this.ids,
        constraint: () => (constraint ? this.type(source, constraint) : this.receiverConstraint(source, at)),
      };
      this.parameters.set(key, parameter);
    }
    return parameter;
  }

  /** What a receiver calls T has the constraint that its type gives the parameter in that place. */
  private receiverConstraint(source: Source, at: Offset): Type | undefined {
    let known = this.receivers.get(source);
    if (!known) {
      known = new Map();
      for (const { owner, receiverParameters } of source.data.functions) {
        for (const [position, record] of receiverParameters.entries()) known.set(record, { owner, position, all: receiverParameters });
      }
      this.receivers.set(source, known);
    }
    const place = known.get(at);
    const owner = place && this.name(source, place.owner);
    if (!place || owner?.type.kind !== "named") return ANY;
    const { parameters } = owner.type.entity;
    const constraint = parameters[place.position]?.constraint();
    return constraint && substitute(constraint, new Map(parameters.map((parameter, i) => [parameter, place.all[i] ? this.parameter(source, place.all[i]) : parameter])));
  }
}

function refOfFunction({ source, index }: Declaration): SymbolRef {
  return { file: source.index, symbol: source.data.functions[index]!.symbol };
}
