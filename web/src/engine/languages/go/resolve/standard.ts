import { LIBRARY } from "./library.ts";
import { type Operand, typeOperand, valueOf } from "./operand.ts";
import { placeIn, placeOf } from "./asks.ts";
import { methodNames, underlying } from "./members.ts";
import { ANY, type Entity, FOREIGN, type Func, type InterfaceMethod, type Method, type Named, type Type, type TypeParameter } from "./types.ts";

/** Declarations by path and name, unread: `io.Reader` -> `type Reader interface{...}`. */
const declarations = new Map<string, string>();
{
  let path = "";
  for (const line of LIBRARY.split("\n")) {
    const [word, name] = line.split(/[ [(]/);
    if (word === "package") path = line.slice("package ".length);
    else if (name) declarations.set(`${path}.${name}`, line);
  }
}

const BASIC = new Set(["bool", "string", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "byte", "rune", "uint16", "uint32", "uint64", "uintptr", "float32", "float64"]);

const types = new Map<string, Named>();
const aliases = new Map<string, Type>();
const functions = new Map<string, Operand>();
let ids = 0;

/** The type of that path and name outside the repository: known from the library, or opaque. */
export function foreignType(name: string, args: readonly Type[]): Type {
  const known = aliases.get(name) ?? types.get(name) ?? declare(name);
  return args.length > 0 && known.kind === "named" ? { kind: "named", entity: known.entity, args } : known;
}

/** The names of the methods of a type of the library, by its path and name; undefined for what is not known as one. */
export function standardMethods(name: string): readonly string[] | undefined {
  if (!declarations.get(name)?.startsWith("type ")) return undefined;
  const type = foreignType(name, []);
  return type.kind === "named" ? [...methodNames(type)] : [];
}

let interfaces: { home: string; name: string; asks: readonly string[] }[] | undefined;

/** The interfaces of the library that ask for something. */
export function standardInterfaces(): NonNullable<typeof interfaces> {
  return (interfaces ??= [...declarations.keys()].flatMap((key) => {
    const home = pathOf(key);
    const name = key.slice(home.length + 1);
    const asks = underlying(foreignType(key, [])).kind === "interface" ? standardMethods(key) ?? [] : [];
    return asks.length > 0 ? [{ home, name, asks }] : [];
  }));
}

/** A function or type of the library by path and name; undefined when it is not in it. */
export function lookupStandard(name: string): Operand | undefined {
  const text = declarations.get(name);
  if (text === undefined) return undefined;
  if (!text.startsWith("func ")) return typeOperand(foreignType(name, []));
  let operand = functions.get(name);
  if (!operand) {
    const notation = new Notation(text.slice("func ".length), pathOf(name));
    notation.word();
    const typeParameters = notation.parameters();
    operand = valueOf({ ...notation.signature(), ...(typeParameters.length > 0 ? { typeParameters } : {}) });
    functions.set(name, operand);
  }
  return operand;
}

function pathOf(name: string): string {
  return name.slice(0, name.lastIndexOf("."));
}

function declare(name: string): Type {
  const text = declarations.get(name);
  const entity: Entity = {
    id: -++ids, name: name.slice(name.lastIndexOf(".") + 1), home: pathOf(name), place: undefined, ref: undefined, parameters: [],
    underlying: () => FOREIGN, method: () => undefined, methodNames: () => [],
  };
  const named: Named = { kind: "named", entity, args: [] };
  types.set(name, named);
  if (text === undefined) return named;
  const notation = new Notation(text.slice("type ".length), pathOf(name));
  notation.word();
  if (notation.take("=")) {
    const target = notation.type();
    aliases.set(name, target);
    return target;
  }
  entity.parameters = notation.parameters();
  if (notation.take("struct")) {
    const methods = new Map<string, Method>(
      notation.methods().map((m) => [m.name, { name: m.name, refs: [], type: m.type, receiverParameters: entity.parameters }]),
    );
    entity.method = (wanted) => methods.get(wanted);
    entity.methodNames = () => methods.keys();
  } else {
    const type = notation.type();
    if (type.kind === "interface") type.of = placeIn(placeOf(pathOf(name)), entity.name);
    entity.underlying = () => underlying(type);
  }
  return named;
}

/** Reads the library's notation. It is our own text, so it is not checked. */
class Notation {
  private readonly tokens: string[];
  private at = 0;
  private readonly scope = new Map<string, TypeParameter>();

  constructor(text: string, private readonly path: string) {
    this.tokens = text.match(/[\w/]+(?:\.\w+)?|\.\.\.|[[\](){}*,;=]/g) ?? [];
  }

  word(): string {
    return this.tokens[this.at++] ?? "";
  }

  take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at++;
    return true;
  }

  /** `[S []E,E]`; a constraint is the one type underneath. */
  parameters(): TypeParameter[] {
    const list: TypeParameter[] = [];
    if (!this.take("[")) return list;
    const starts: { parameter: TypeParameter; from: number }[] = [];
    do {
      const parameter: TypeParameter = { kind: "parameter", name: this.word(), id: -++ids, constraint: () => ANY };
      this.scope.set(parameter.name, parameter);
      list.push(parameter);
      if (this.tokens[this.at] !== "," && this.tokens[this.at] !== "]") {
        starts.push({ parameter, from: this.at });
        this.type();
      }
    } while (this.take(","));
    this.take("]");
    // Read again, now that all names are known.
    const end = this.at;
    for (const { parameter, from } of starts) {
      this.at = from;
      const constraint: Type = { kind: "interface", methods: [], embedded: [{ kind: "union", terms: [this.type()] }] };
      parameter.constraint = () => constraint;
    }
    this.at = end;
    return list;
  }

  methods(): InterfaceMethod[] {
    const list: InterfaceMethod[] = [];
    this.take("{");
    while (!this.take("}") && this.at < this.tokens.length) {
      list.push({ name: this.word(), type: this.signature() });
      this.take(";");
    }
    return list;
  }

  signature(): Func {
    const parameters: Type[] = [];
    let variadic = false;
    this.take("(");
    while (!this.take(")") && this.at < this.tokens.length) {
      variadic = this.take("...");
      const type = this.type();
      parameters.push(variadic ? { kind: "slice", element: type } : type);
      this.take(",");
    }
    const results: Type[] = [];
    if (this.take("(")) {
      while (!this.take(")") && this.at < this.tokens.length) {
        results.push(this.type());
        this.take(",");
      }
    } else if (this.at < this.tokens.length && !/^[,;)}\]]$/.test(this.tokens[this.at]!)) {
      results.push(this.type());
    }
    return { kind: "func", parameters, results, variadic };
  }

  type(): Type {
    const token = this.word();
    switch (token) {
      case "*":
        return { kind: "pointer", element: this.type() };
      case "[": {
        const array = !this.take("]");
        if (array) this.at += 2;
        return { kind: array ? "array" : "slice", element: this.type() };
      }
      case "map": {
        this.take("[");
        const keys = this.type();
        this.take("]");
        return { kind: "map", keys, element: this.type() };
      }
      case "chan":
        return { kind: "chan", element: this.type() };
      case "func":
        return this.signature();
      case "struct":
        this.methods();
        return { kind: "struct", fields: [] };
      case "interface":
        return { kind: "interface", methods: this.methods(), embedded: [] };
      default:
        return this.named(token);
    }
  }

  private named(token: string): Type {
    const parameter = this.scope.get(token);
    if (parameter) return parameter;
    if (token === "any") return ANY;
    if (token === "error") return foreignType(".error", []);
    if (BASIC.has(token)) return { kind: "basic", name: token === "byte" ? "uint8" : token === "rune" ? "int32" : token };
    const args: Type[] = [];
    if (this.take("[")) {
      do args.push(this.type());
      while (this.take(","));
      this.take("]");
    }
    return foreignType(token.includes(".") ? token : `${this.path}.${token}`, args);
  }
}
