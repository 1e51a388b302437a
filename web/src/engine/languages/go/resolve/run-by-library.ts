import type { SymbolRef } from "../../../language.ts";
import { wordAfter } from "../../words.ts";
import { Op } from "../facts.ts";
import { EVERY } from "./asks.ts";
import type { Checker } from "./checker.ts";
import type { Implementations } from "./implements.ts";
import { interfaceMethods, lookUp, underlying } from "./members.ts";
import type { Operand } from "./operand.ts";
import type { Source } from "./packages.ts";
import { foreignType, lookupStandard } from "./standard.ts";
import type { Func, InterfaceMethod, Type } from "./types.ts";
import { Unification } from "./unify.ts";

/** Fields of fields, and elements of elements, are looked at so far. */
const MAX_DEPTH = 6;

const PRINTED = "fmt.Stringer fmt.GoStringer fmt.Formatter .error";

/**
 * What functions of the library, and methods of its types, may call on arguments of which their parameters ask nothing, or less: methods of these
 * interfaces. `deep`: of the fields of structs, too.
 */
const BEYOND_PARAMETERS: readonly { of: RegExp; interfaces: string; deep?: true }[] = [
  { of: /^fmt\.(?:[FS]?[Pp]rint|Append|Errorf)/, interfaces: PRINTED },
  { of: /^fmt\.[FS]?[Ss]can/, interfaces: "fmt.Scanner" },
  { of: /^(?:log\.(?:Logger\.)?(?:Print|Fatal|Panic)|testing\.\w+\.(?:Error|Fatal|Log|Skip))/, interfaces: PRINTED },
  { of: /^log\/slog\.(?:Logger\.)?(?:Any|Debug|Info|Warn|Error|Log|With)/, interfaces: `log/slog.LogValuer encoding/json.Marshaler encoding.TextMarshaler ${PRINTED}` },
  { of: /^encoding\/json\.(?:Marshal|Encoder\.Encode)/, interfaces: "encoding/json.Marshaler encoding.TextMarshaler", deep: true },
  { of: /^encoding\/json\.(?:Unmarshal|Decoder\.Decode)/, interfaces: "encoding/json.Unmarshaler encoding.TextUnmarshaler", deep: true },
  { of: /^encoding\/xml\.(?:Marshal|Encoder\.Encode)/, interfaces: "encoding/xml.Marshaler encoding/xml.MarshalerAttr encoding.TextMarshaler", deep: true },
  { of: /^encoding\/xml\.(?:Unmarshal|Decoder\.Decode)/, interfaces: "encoding/xml.Unmarshaler encoding/xml.UnmarshalerAttr encoding.TextUnmarshaler", deep: true },
  { of: /^encoding\/gob\.Encoder\.Encode/, interfaces: "encoding/gob.GobEncoder encoding.BinaryMarshaler", deep: true },
  { of: /^encoding\/gob\.Decoder\.Decode/, interfaces: "encoding/gob.GobDecoder encoding.BinaryUnmarshaler", deep: true },
  { of: /^database\/sql\.\w+\.(?:Exec|Query)/, interfaces: "database/sql/driver.Valuer" },
  { of: /^database\/sql\.Rows?\.Scan$/, interfaces: "database/sql.Scanner" },
  { of: /^io\.Copy/, interfaces: "io.WriterTo io.ReaderFrom" },
  { of: /^io\.WriteString$/, interfaces: "io.StringWriter" },
];

interface Asked {
  methods: readonly InterfaceMethod[];
  deep: boolean;
}

/** The methods that an interface asks for; none of what is no interface. */
function methodsOf(type: Type): readonly InterfaceMethod[] {
  const under = underlying(type);
  return under.kind === "interface" ? [...interfaceMethods(under).methods.values()] : NONE;
}

const NONE: readonly never[] = [];

/** Finds the methods of the repository's types that the standard library may run since a call hands it objects of them: `sort.Sort(byAge(list))`, `heap.Push(queue, item)`. */
export class RunByLibrary {
  /** By the name of a function of the library. */
  private readonly beyond = new Map<string, Asked | undefined>();

  constructor(private readonly checker: Checker, private readonly implementations: Implementations) {}

  /** The methods that a call may run so; `callee` is what it calls. */
  methods(source: Source, at: number, callee: Operand): Iterable<SymbolRef> {
    const { code } = source.data;
    const name = this.nameOf(source, code[at + 1]!, callee);
    if (name === undefined) return NONE;
    const more = this.askedBeyond(name);
    const type = callee.mode === "foreign" ? lookupStandard(name)?.type : callee.type;
    const found = new Set<SymbolRef>();
    for (let i = 0; i < code[at + 2]!; i++) {
      const asked = type?.kind === "func" && !type.typeParameters ? methodsOf(parameterOf(type, i)) : NONE;
      if (asked.length === 0 && !more) continue;
      const argument = this.checker.operand(source, code[at + 3 + i]!);
      if (argument.mode !== "value") continue;
      if (asked.length > 0 && this.isOwn(argument.type)) this.find(source, argument.type, asked, found);
      if (more) this.findWithin(source, argument.type, more, found, 0);
    }
    return found;
  }

  /** What is asked of the arguments of a function beyond what its parameters say; of the first row that fits. */
  private askedBeyond(name: string): Asked | undefined {
    if (!this.beyond.has(name)) {
      const row = BEYOND_PARAMETERS.find(({ of }) => of.test(name));
      this.beyond.set(name, row && { methods: row.interfaces.split(" ").flatMap((each) => methodsOf(foreignType(each, []))), deep: row.deep === true });
    }
    return this.beyond.get(name);
  }

  /** The path and name of a function of a library, or those of a type of one and its method. */
  private nameOf(source: Source, at: number, callee: Operand): string | undefined {
    if (callee.mode === "foreign") return callee.name;
    if (callee.mode !== "value" || callee.through || (callee.refs && callee.refs.length > 0)) return undefined;
    const { code, strings } = source.data;
    if (code[at] !== Op.Select) return undefined;
    const { mode, type } = this.checker.operand(source, code[at + 1]!);
    const on = type.kind === "pointer" ? type.element : type;
    return mode === "value" && on.kind === "named" && on.entity.place === undefined ? `${on.entity.home}.${on.entity.name}.${strings[code[at + 2]!]!}` : undefined;
  }

  /** Whether a type, or what it points to, is declared in the repository, if only in a function. */
  private isOwn(type: Type): boolean {
    const on = type.kind === "pointer" ? type.element : type;
    return on.kind === "named" && on.entity.place !== undefined;
  }

  /** Whether a type has any of these methods. */
  private find(source: Source, type: Type, asked: readonly InterfaceMethod[], found: Set<SymbolRef>): boolean {
    let any = false;
    for (const wanted of asked) {
      const { member, words } = lookUp(type, wanted.name);
      this.checker.asks.all(source, words);
      if (member?.kind !== "method" || !new Unification(() => false).same(member.type, wanted.type)) continue;
      any = true;
      for (const ref of member.refs) found.add(ref);
      if (member.through) for (const ref of this.implementations.methodsBehind(source, member.through, wanted.name)) found.add(ref);
    }
    return any;
  }

  /** What has none of the methods itself may have parts that do: elements, and what fields hold. */
  private findWithin(source: Source, type: Type, asked: Asked, found: Set<SymbolRef>, depth: number, seen = new Set<unknown>()): void {
    if (depth > MAX_DEPTH) return;
    const within = (part: Type): void => this.findWithin(source, part, asked, found, depth + 1, seen);
    if (type.kind === "named") {
      if (seen.has(type.entity)) return;
      seen.add(type.entity);
    }
    if (this.isOwn(type) && this.find(source, type, asked.methods, found)) return;
    const under = underlying(type);
    switch (under.kind) {
      case "pointer":
      case "slice":
      case "array":
        within(under.element);
        return;
      case "map":
        within(under.keys);
        within(under.element);
        return;
      case "struct":
        if (!asked.deep) return;
        if (under.of !== undefined) this.checker.asks.one(source, wordAfter(under.of, EVERY));
        for (const field of under.fields) within(field.type);
        return;
      default:
    }
  }
}

function parameterOf({ parameters, variadic }: Func, place: number): Type {
  const last = parameters.length - 1;
  const parameter = parameters[variadic ? Math.min(place, last) : place];
  if (!parameter) return NOTHING_ASKED;
  return variadic && place >= last && parameter.kind === "slice" ? parameter.element : parameter;
}

const NOTHING_ASKED: Type = { kind: "unknown" };
