/** What may run a symbol though no line names it: the language, a base that is not in the graph, a call of what it overrides, a macro. */
import type { Codebase } from "../codebase.ts";
import type { Graph, GraphNode } from "../graph.ts";
import { isComponent } from "../languages/typescript/files.ts";
import { qualifiedName } from "./answers.ts";
import { indexOf } from "./codebase-index.ts";
import { linesWithWord } from "./words-in-text.ts";

/** The kinds of nodes that are types, or hold members as these do. */
export const TYPES: ReadonlySet<string> = new Set(["Class", "Interface", "Struct", "Enum", "TypeAlias", "Module"]);

/** By language, the functions that the language or its library runs by their names. */
const RUN_BY_NAME: Readonly<Record<string, RegExp>> = {
  typescript: /^(?:\[Symbol\.\w+\]|toString|toJSON|valueOf|then)$/,
  javascript: /^(?:\[Symbol\.\w+\]|toString|toJSON|valueOf|then)$/,
  python: /^_\w*_$/,
  php: /^__[a-z]/,
  ruby: alternatives("initialize initialize_(?:copy|dup|clone) respond_to(?:_missing)?[?] method_missing inherited included extended prepended \\w*method_(?:added|removed|undefined) const_(?:missing|added) "
    + "coerce to_\\w+ inspect hash eql[?] each call as_json (?:marshal|_)?_?(?:dump|load) encode_with init_with deconstruct(?:_keys)? \\W+"),
  go: /^init$/,
  java: alternatives("(?:read|write)Object readObjectNoData readResolve writeReplace finalize serialVersionUID serialPersistentFields main premain agentmain toString equals hashCode compareTo close iterator"),
  csharp: alternatives("Deconstruct GetEnumerator GetAsyncEnumerator GetAwaiter IsCompleted GetResult OnCompleted Dispose DisposeAsync Add MoveNext MoveNextAsync Current Slice GetPinnableReference Finalize "
    + "Main ToString Equals GetHashCode ShouldSerialize\\w+ Reset[A-Z]\\w+ this (?:operator|op_|implicit|explicit).* ~.*"),
  cpp: alternatives("operator.* ~.* c?r?(?:begin|end) size empty data swap (?:try_)?(?:un)?lock push_(?:back|front) insert emplace (?:de)?allocate await_\\w+ get_return_object (?:initial|final)_suspend return_(?:value|void) "
    + "unhandled_exception yield_value to_json from_json hash_value PrintTo AbslHashValue parse format"),
};

/** What makes objects: it is run by its class' name, and those of a base make no objects of what derives from it. */
const CONSTRUCTOR: Readonly<Record<string, RegExp>> = {
  python: /^__(?:init|new)__$/, php: /^__construct$/, ruby: /^initialize$/, typescript: /^constructor$/, javascript: /^constructor$/,
};

/** Bases that call nothing of what derives from them. */
const INERT_BASES: ReadonlySet<string> = new Set(["object", "Object", "BasicObject", "ABC", "Generic", "Protocol", "Serializable", "Cloneable"]);

/** Members that nothing but their class can call, also where the language has dynamic calls. */
const CLOSED: Readonly<Record<string, RegExp>> = {
  typescript: /(?:^|\s)private\s|#/, javascript: /#/, php: /(?:^|\s)private\s/, java: /(?:^|\s)private\s/, python: /\s__\w*[^\W_]_?\(/,
};

/** What gives an enum's values without their names: in words, and as a line of code may have it. */
const ENUM_VALUES: Readonly<Record<string, { inWords: (name: string) => string; line: (name: string) => RegExp }>> = {
  java: {
    inWords: (name) => `${name}.values() and valueOf()`,
    line: (name) => new RegExp(`\\b${name}\\.(?:values|valueOf|class)\\b|\\b${name} \\w+ : values\\(`),
  },
  csharp: {
    inWords: (name) => `Enum.GetValues, Enum.Parse and casts to ${name}`,
    line: (name) => new RegExp(`\\bEnum\\.\\w+<[\\w.]*\\b${name}>|\\btypeof\\([\\w.]*\\b${name}\\)|\\([\\w.]*\\b${name}\\)\\s*[\\w(]`),
  },
  typescript: {
    inWords: (name) => `Object.values(${name}) and ${name}[…]`,
    line: (name) => new RegExp(`^(?!import\\b|export (?:type )?\\{).*(?:\\b${name}\\[(?!["'])|(?:[(,[{]|\\.\\.\\.|\\bin\\b)\\s*${name}\\s*[,)\\]}])`),
  },
  cpp: {
    inWords: (name) => `casts to ${name}`,
    line: (name) => new RegExp(`_cast<[\\w:]*\\b${name}>|\\([\\w:]*\\b${name}\\)\\s*[\\w(]|\\b${name}[({]\\s*\\w`),
  },
  python: {
    inWords: (name) => `${name}(…), ${name}[…] and loops over ${name}`,
    line: (name) => new RegExp(`^(?!class\\b).*(?:\\b${name}(?:\\(|\\[(?!["'])|\\.(?:__members__|choices|values)\\b)|\\bin (?:\\w+\\.)*${name}\\b|\\b(?:list|tuple|set|sorted|iter|map|zip|enumerate|reversed)\\((?:\\w+\\.)*${name}\\b)`),
  },
};

/** What Rust derives of itself makes no values of an enum. */
const OWN_DERIVES = /\b(?:Debug|Clone|Copy|PartialEq|Eq|PartialOrd|Ord|Hash)\b/g;

/** Lines with a type's name that are looked at. */
const LINES = 1000;

/** Languages in which whoever gets an object may call each of its methods by name, in Go the exported ones; libraries do, of objects that they are handed. */
const OPEN: ReadonlySet<string> = new Set(["typescript", "javascript", "python", "go"]);

/** What may run a symbol for which the graph has `found` dependents, in words. Empty where nothing may. */
export function unnamedCalls(codebase: Codebase, symbol: number, found: number): string[] {
  const { graph } = codebase;
  const node = graph.nodes[symbol]!;
  const type = ownerOf(graph, symbol);
  const reasons: string[] = [];
  const overridden = type === undefined || isConstructor(node) ? undefined : overriddenBy(codebase, symbol, type);
  if (overridden !== undefined) {
    const { kind } = graph.nodes[ownerOf(graph, overridden) ?? -1] ?? { kind: "Class" };
    reasons.push(kind === "Interface" ? `is what ${qualifiedName(graph.nodes[overridden]!)} asks of ${node.owner}` : `overrides ${qualifiedName(graph.nodes[overridden]!)}, whose callers may run it`);
  }
  if (RUN_BY_NAME[node.language]?.test(node.name) === true && !(isConstructor(node) && found > 0)) reasons.push(`has a name that the language or a library ${node.kind === "Variable" ? "reads" : "calls"} without a line here`);
  // Scripts of pages are rarely written in TypeScript.
  if ((found === 0 || node.file.endsWith(".js")) && isGlobal(codebase, node)) reasons.push("is global, since its file imports and exports nothing: a page or a host may use it");
  const isValue = node.kind === "Variable" && graph.nodes[type ?? -1]?.kind === "Enum";
  if (isValue) reasons.push(...othersOfEnum(codebase, graph.nodes[type!]!, found > 0));
  if (found > 0) return reasons;
  const twin = twinOf(codebase, symbol);
  if (twin !== undefined) reasons.push(`is declared once more (${graph.nodes[twin]!.file}:${graph.nodes[twin]!.line}), and what uses that may get this`);
  const macro = macroAround(codebase, node);
  if (macro !== undefined) reasons.push(`is declared with the macro ${macro}, which decides what runs it`);
  if (isValue) return reasons;
  if (type !== undefined) reasons.push(...callsOfMember(codebase, node, type));
  else if (node.owner !== "" && isOpen(node)) reasons.push(`can be called by whoever gets ${node.owner}, libraries too`);
  return reasons;
}

/** Whether a method makes objects of its type. */
export function isConstructor({ language, name, owner }: GraphNode): boolean {
  return CONSTRUCTOR[language]?.test(name) === true || name === owner;
}

function isOpen({ language, kind, name }: GraphNode): boolean {
  return OPEN.has(language) && kind === "Method" && (language === "go" ? /^\p{Lu}/u.test(name) : !name.startsWith("_"));
}

/** What may have an enum's value without its name. `isNamed`: something names it, so that a line has to show that others have it. */
function othersOfEnum(codebase: Codebase, owner: GraphNode, isNamed: boolean): string[] {
  const derived = derivedMeans(codebase, owner);
  if (derived !== undefined) return [`is had by ${derived} too`];
  const values = ENUM_VALUES[owner.language];
  if (!values) return [];
  if (!isNamed) return [`is had by ${values.inWords(owner.name)} too`];
  const { graph, files } = codebase;
  const pattern = values.line(owner.name.replaceAll("$", "\\$"));
  const isCode = (path: string): boolean => graph.nodes[graph.find(`File:${path}`) ?? -1]?.language === owner.language;
  const [shown] = linesWithWord(files, owner.name, 1, (path, _, text) => pattern.test(text) && isCode(path));
  return shown ? [`is had without its name too (${shown.path}:${shown.line})`] : [];
}

/** What may call a member of a type that nothing in the graph calls. */
function callsOfMember(codebase: Codebase, node: GraphNode, type: number): string[] {
  const { graph, files } = codebase;
  const { language, signature } = node;
  const owner = graph.nodes[type]!;
  if (language === "cpp") {
    if (isConstructor(node)) return ["is a constructor: declarations of objects run it"];
    const argument = new RegExp(`<[^;{}<]{0,200}\\b${owner.name}\\b`);
    const given = linesWithWord(files, owner.name, LINES, () => true).find(({ text }) => argument.test(text));
    if (given) return [`is a member of ${owner.name}, which is given to a template (${given.path}:${given.line})`];
    const parameter = memberOfParameter(codebase, node.name);
    if (parameter !== undefined) return [`may be what ${parameter} names of a template's parameter`];
  }
  if (language === "csharp" && /(?:^|\s)partial\s/.test(signature)) return ["is partial: code that a tool makes may call it"];
  const isMixedIn = /^(?:trait|module)\b/.test(owner.signature);
  if (!isMixedIn && CLOSED[language]?.test(signature) === true) return [];
  const base = outsideBase(codebase, type);
  if (base !== undefined) return [`is a member of ${owner.name}, whose base ${base} is not in the graph and may call it`];
  if (owner.exported && (isMixedIn || /(?:^|\s)protected\s/.test(signature))) return [`is open to what uses ${owner.name} outside of this repository`];
  if (isOpen(node)) return [`can be called by whoever gets ${owner.kind === "Class" ? `an object of ${owner.name}` : owner.name}, libraries too`];
  return [];
}

/** In Rust, the derived traits that may make an enum's values without naming them, as of serde or clap. */
function derivedMeans({ files }: Codebase, { language, file, line }: GraphNode): string | undefined {
  if (language !== "rust") return undefined;
  const before = (files.text(file) ?? "").split("\n", line - 1);
  const attributes: string[] = [];
  while (/^\s*(?:#\[|\/\/|[^;{}]*\)\]\s*$)/.test(before.at(-1) ?? "-")) attributes.push(before.pop()!);
  const derived = attributes.flatMap((text) => [...text.matchAll(/\bderive\(([^)]*)\)/g)].map((match) => match[1]!.replace(OWN_DERIVES, ""))).join();
  const traits = derived.match(/\w+(?:::\w+)*/g);
  return traits ? `what derives ${traits.join(", ")}` : undefined;
}

/** Where C++ names a member of something that is no type or namespace of the graph, as `Traits::SIZE` in a template, as `Traits::SIZE (file:line)`. */
function memberOfParameter(codebase: Codebase, name: string): string | undefined {
  if (!/^\w+$/.test(name)) return undefined;
  const { graph, files } = codebase;
  const qualified = new RegExp(`(?<!::)\\b(\\w+)::${name}\\b`, "g");
  for (const { path, line, text } of linesWithWord(files, name, LINES, () => true)) {
    for (const [whole, of] of text.matchAll(qualified)) {
      const isKnown = of === "std" || (indexOf(codebase).symbolsByName.get(of!) ?? []).some((one) => TYPES.has(graph.nodes[one]!.kind)) || files.text(path)!.includes(`namespace ${of}`);
      if (!isKnown) return `${whole} (${path}:${line})`;
    }
  }
  return undefined;
}

/** Whether a symbol of JavaScript stands at the top of a script: of a file that is no module. */
function isGlobal({ files }: Codebase, { language, kind, owner, file, line }: GraphNode): boolean {
  if ((language !== "javascript" && language !== "typescript") || owner !== "" || isComponent(file)) return false;
  const text = files.text(file) ?? "";
  return !/^[ \t]*(?:import|export)\b|\brequire\s*\(|\bmodule\.exports\b|(?<![.\w$])exports\./m.test(text)
    // A variable that is a node is the file's, whatever block it stands in.
    && (kind === "Variable" || /^(?:async\s+)?(?:function|class|var|let|const)\b/.test(text.split("\n", line).at(-1) ?? ""));
}

/** The type or object that a symbol is a member of. */
export function ownerOf(graph: Graph, symbol: number): number | undefined {
  const { owner, file } = graph.nodes[symbol]!;
  if (owner === "") return undefined;
  const type = graph.in(symbol, "DEFINES").map((e) => graph.from[e]!).find((from) => graph.nodes[from]!.kind !== "File");
  if (type !== undefined) return graph.nodes[type]!.kind === "Module" ? undefined : type;
  // Members of an object are its file's.
  return graph.find(`Variable:${file}:${owner}`);
}

/** The types that a type derives from, itself first, with all their parts. */
export function ancestors(codebase: Codebase, type: number): Set<number> {
  const { graph } = codebase;
  const found = new Set(partsOfType(codebase, type));
  for (const one of found) {
    for (const relation of ["EXTENDS", "IMPLEMENTS"] as const) for (const e of graph.out(one, relation)) for (const part of partsOfType(codebase, graph.to[e]!)) found.add(part);
  }
  return found;
}

/** A type and where else it is declared: classes of Ruby are opened again, those of C# may have several files. */
function partsOfType(codebase: Codebase, type: number): number[] {
  const { nodes } = codebase.graph;
  const { id, file, kind, name, language } = nodes[type]!;
  if (language !== "ruby" && language !== "csharp") return [type];
  const whole = (node: GraphNode): string => node.id.slice(`${node.kind}:${node.file}:`.length);
  const own = id.slice(`${kind}:${file}:`.length);
  return [type, ...(indexOf(codebase).symbolsByName.get(name) ?? []).filter((other) => other !== type && nodes[other]!.kind === kind && nodes[other]!.language === language && whole(nodes[other]!) === own)];
}

function usersOf(graph: Graph, symbol: number): number[] {
  return (["CALLS", "REFERENCES"] as const).flatMap((relation) => graph.in(symbol, relation).map((e) => graph.from[e]!));
}

/** A member that a symbol overrides and that an interface asks for, or that something may call without an edge to the symbol itself. */
function overriddenBy(codebase: Codebase, symbol: number, type: number): number | undefined {
  const { graph } = codebase;
  const { name } = graph.nodes[symbol]!;
  const known = new Set(usersOf(graph, symbol));
  const own = new Set(partsOfType(codebase, type));
  for (const ancestor of ancestors(codebase, type)) {
    if (own.has(ancestor)) continue;
    for (const e of graph.out(ancestor, "DEFINES")) {
      const member = graph.to[e]!;
      const { name: other, exported } = graph.nodes[member]!;
      if (other !== name) continue;
      if (exported || graph.nodes[ancestor]!.kind === "Interface" || usersOf(graph, member).some((user) => !known.has(user) && user !== symbol)) return member;
    }
  }
  return undefined;
}

/** Languages in which several functions of one name stand beside each other and are told apart by their parameters. */
const OVERLOADED: ReadonlySet<string> = new Set(["java", "csharp", "cpp", "typescript"]);

/** The same once more, as for another system (build tags, #ifdef, cfg, the two ways of an if), where that is used. */
function twinOf(codebase: Codebase, symbol: number): number | undefined {
  const { graph } = codebase;
  const { kind, name, owner, language, file, signature } = graph.nodes[symbol]!;
  const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
  return (indexOf(codebase).symbolsByName.get(name) ?? []).find((other) => {
    const twin = graph.nodes[other]!;
    if (other === symbol || twin.kind !== kind || twin.owner !== owner || twin.language !== language || usersOf(graph, other).length === 0) return false;
    if (language === "go" ? folderOf(twin.file) !== folderOf(file) : language !== "c" && twin.file !== file) return false;
    return kind === "Variable" || !OVERLOADED.has(language) || twin.signature === signature;
  });
}

/** A base of a type or of one that it derives from, as it is written, that the graph does not have. */
function outsideBase(codebase: Codebase, type: number): string | undefined {
  const { graph, files } = codebase;
  for (const one of ancestors(codebase, type)) {
    const node = graph.nodes[one]!;
    const known = new Set([...ancestors(codebase, one)].map((ancestor) => graph.nodes[ancestor]!.name));
    const outside = basesOf(node, files.text(node.file) ?? "").find((base) => {
      const name = base.split(/\.|::|\\/).at(-1)!;
      return !known.has(name) && !INERT_BASES.has(name);
    });
    if (outside !== undefined) return outside;
  }
  return undefined;
}

/** The bases, interfaces and mixed-in modules that a type's declaration names. */
function basesOf({ language, signature, startLine, endLine }: GraphNode, text: string): string[] {
  let head = signature;
  for (let before = ""; before !== head;) [before, head] = [head, head.replace(/<[^<>]*>/g, "")];
  const names = (list: string | undefined): string[] =>
    (list ?? "").split(",").map((base) => base.replace(/\b(?:public|protected|private|virtual|new)\b/g, "").trim()).filter((base) => base !== "" && !base.includes("=")).map((base) => /^\\?[\w.$:\\]+/.exec(base)?.[0] ?? base);
  const mixed = (pattern: RegExp): string[] => [...text.split("\n").slice(startLine - 1, endLine).join("\n").matchAll(pattern)].flatMap(([, list]) => names(list));
  switch (language) {
    case "python":
      return names(/\((.*)\)/s.exec(head.replace(/\[[^\]]*\]/g, ""))?.[1]);
    case "ruby":
      return [...names(/<\s*([^<].*)/.exec(signature)?.[1]), ...mixed(/^[ \t]*(?:include|extend|prepend)\s+(.+)$/gm)];
    case "csharp":
    case "cpp":
      return names(/[^:]:(?!:)([^{]*)/.exec(head.replace(/\bwhere\b.*/s, ""))?.[1]);
    case "php":
    case "java":
    case "typescript":
    case "javascript":
      return [...head.matchAll(/\b(?:extends|implements)\s+(.*?)(?=\b(?:extends|implements|permits)\b|\{|$)/gs)].flatMap(([, list]) => names(list)).concat(language === "php" ? mixed(/(?:^|[{;])[ \t]*use\s+([^;{]+)/gm) : []);
    default:
      return [];
  }
}

/** The macro in whose call a function is declared. */
function macroAround({ files }: Codebase, { language, file, kind, name, signature, startLine }: GraphNode): string | undefined {
  if (language === "c" || language === "cpp") return kind === "Function" && !signature.includes(`${name}(`) ? /^(\w+)\(/.exec(signature)?.[1] : undefined;
  if (language !== "rust") return undefined;
  const lines = (files.text(file) ?? "").split("\n").slice(0, startLine);
  const before = [...lines.slice(0, -1), lines.at(-1)!.split(name, 1)[0]!].join("\n");
  let closed = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    if ("})]".includes(before[at]!)) closed++;
    else if ("{([".includes(before[at]!) && closed-- === 0) {
      closed = 0;
      const opened = /(\w+!)\s*\w*\s*$/.exec(before.slice(Math.max(0, at - 80), at));
      if (opened) return opened[1];
    }
  }
  return undefined;
}

/** Names that are one of some patterns, between spaces. */
function alternatives(patterns: string): RegExp {
  return new RegExp(`^(?:${patterns.split(" ").join("|")})$`);
}
