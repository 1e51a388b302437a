import { type Offset, Op, type TypeFact } from "../facts.ts";
import { entryOf } from "./entries.ts";
import { literal } from "./expressions.ts";
import { block, constants, declareParameters, variables, visit } from "./statements.ts";
import { headOf, textOfHead } from "../../records.ts";
import { addSymbol } from "./symbols.ts";
import { interfaceOf, isType, type Signature, signature, typeChild, typeOf, typeParameters } from "./types.ts";
import type { Unit } from "./unit.ts";

/** Declarations at the top of a file. Nodes that the parser could not place are walked too: what it skipped may hold whole functions. */
export function declarations(u: Unit, parent: number): void {
  const { syntax } = u;
  for (const node of syntax.children(parent)) {
    switch (syntax.kind(node)) {
      case "package_clause":
        break;
      case "import_declaration":
        imports(u, node);
        break;
      case "function_declaration":
        functionDeclaration(u, node);
        break;
      case "method_declaration":
        methodDeclaration(u, node);
        break;
      case "type_declaration":
        for (const spec of syntax.children(node)) packageType(u, spec);
        break;
      case "var_declaration":
        packageVariables(u, node);
        break;
      case "const_declaration":
        packageConstants(u, node);
        break;
      case "ERROR":
        declarations(u, node);
        break;
      default:
        u.scoped(() => visit(u, node));
    }
  }
}

function imports(u: Unit, node: number): void {
  const { syntax } = u;
  if (syntax.kind(node) !== "import_spec") {
    for (const child of syntax.children(node)) imports(u, child);
    return;
  }
  let name = "";
  for (const child of syntax.children(node)) {
    switch (syntax.kind(child)) {
      case "dot":
        name = ".";
        break;
      case "blank_identifier":
        name = "_";
        break;
      case "package_identifier":
        name = syntax.text(child);
        break;
      case "interpreted_string_literal":
      case "raw_string_literal":
        u.imports.push({ path: syntax.text(child).slice(1, -1), name, line: syntax.line(child) });
        break;
      default:
    }
  }
}

/** The declaration's text up to its body. */
function head(u: Unit, node: number, body: number): string {
  const { syntax } = u;
  return headOf(textOfHead(syntax, syntax.start(node), node, body));
}

function functionDeclaration(u: Unit, node: number): void {
  const { syntax } = u;
  const name = syntax.childOf(node, "identifier");
  if (name === 0) {
    visit(u, node);
    return;
  }
  u.scoped(() => {
    const own = typeParameters(u, syntax.childOf(node, "type_parameter_list"));
    const declared = signature(u, node);
    const text = syntax.text(name);
    const body = syntax.childOf(node, "block");
    const symbol = text === "_" ? -1 : addSymbol(u, {
      kind: "Function", name, whole: node, signature: head(u, node, body), entry: entryOf(u, text, "", declared),
    });
    const variables = declareParameters(u, declared.parameters, declared.results);
    if (symbol >= 0) u.functions.push({ symbol, name: text, owner: "", type: declared.type, variables, receiver: 0, receiverParameters: [], typeParameters: own });
    functionBody(u, body, symbol, declared);
  });
}

/** What a function does, which belongs to its symbol. */
function functionBody(u: Unit, body: number, symbol: number, { results }: Signature): void {
  u.owner = symbol;
  u.givesFunctions = results.some(({ type }) => !u.isPlain(type));
  block(u, body);
  u.givesFunctions = false;
  u.owner = -1;
}

function methodDeclaration(u: Unit, node: number): void {
  const { syntax } = u;
  const name = syntax.childOf(node, "field_identifier");
  const receiver = syntax.childOf(node, "parameter_list");
  const declaration = receiver ? syntax.childOf(receiver, "parameter_declaration") : 0;
  if (name === 0 || declaration === 0) {
    visit(u, node);
    return;
  }
  u.scoped(() => {
    const { owner, parameters: receiverParameters } = receiverOf(u, typeChild(u, declaration));
    const receiverType = typeOf(u, typeChild(u, declaration));
    const parameters = typeParameters(u, syntax.childOf(node, "type_parameter_list"));
    const declared = signature(u, node, receiver);
    const text = syntax.text(name);
    const body = syntax.childOf(node, "block");
    const symbol = text === "_" ? -1 : addSymbol(u, {
      kind: "Method", name, whole: node, owner, signature: head(u, node, body), entry: entryOf(u, text, owner, declared),
    });
    const self = syntax.childOf(declaration, "identifier");
    const own = self ? u.variable(receiverType, 0) : 0;
    if (self) u.declare(syntax.text(self), own);
    const variables = declareParameters(u, declared.parameters, declared.results);
    if (symbol >= 0) u.functions.push({ symbol, name: text, owner, type: declared.type, variables, receiver: own, receiverParameters, typeParameters: parameters });
    functionBody(u, body, symbol, declared);
  });
}

/** `(r *List[T])`: the base type's name; T is declared here, by its place in List's own parameters. */
function receiverOf(u: Unit, node: number): { owner: string; parameters: Offset[] } {
  const { syntax } = u;
  let type = node;
  while (type && (syntax.kind(type) === "pointer_type" || syntax.kind(type) === "parenthesized_type")) type = typeChild(u, type);
  if (type === 0) return { owner: "", parameters: [] };
  if (syntax.kind(type) !== "generic_type") return { owner: syntax.text(syntax.lastName(type)), parameters: [] };
  const base = typeChild(u, type);
  const list = syntax.childOf(type, "type_arguments");
  const parameters = (list ? syntax.children(list) : []).map((argument) => {
    const text = syntax.text(syntax.lastName(argument));
    const record = u.emit(Op.TypeParameter, u.str(text), 0);
    u.declare(text, record);
    return record;
  });
  return { owner: syntax.text(syntax.lastName(base)), parameters };
}

function packageType(u: Unit, spec: number): void {
  const { syntax } = u;
  if (syntax.kind(spec) !== "type_spec" && syntax.kind(spec) !== "type_alias") {
    if (syntax.kind(spec) === "ERROR") for (const child of syntax.children(spec)) packageType(u, child);
    return;
  }
  const parts = typeParts(u, spec);
  if (!parts) return;
  const { name, type } = parts;
  const text = syntax.text(name);
  const of = type ? syntax.kind(type) : "";
  const whole = syntax.text(spec);
  const brace = of === "struct_type" || of === "interface_type" ? whole.indexOf("{") : -1;
  const symbol = text === "_" ? -1 : addSymbol(u, {
    kind: of === "struct_type" ? "Struct" : of === "interface_type" ? "Interface" : "TypeAlias",
    name, whole: spec, signature: headOf(`type ${brace > 0 ? whole.slice(0, brace) : whole}`),
  });
  u.scoped(() => {
    u.owner = symbol;
    u.types.push(typeFact(u, spec, symbol, () => (of === "interface_type" ? interfaceOf(u, type, symbol) : typeOf(u, type))));
    u.owner = -1;
  });
}

/** Types declared in a function: bound in the current scope, no symbols. */
export function localTypes(u: Unit, declaration: number): void {
  const { syntax } = u;
  for (const spec of syntax.children(declaration)) {
    const parts = typeParts(u, spec);
    if (!parts) continue;
    const index = u.types.push({ symbol: -1, name: syntax.text(parts.name), typeParameters: [], type: 0, alias: false }) - 1;
    // Bound first: it may name itself.
    u.declare(syntax.text(parts.name), u.emit(Op.LocalType, index));
    u.scoped(() => {
      u.types[index] = typeFact(u, spec, -1, () => typeOf(u, parts.type));
    });
  }
}

function typeParts(u: Unit, spec: number): { name: number; type: number } | undefined {
  const { syntax } = u;
  const [name, ...rest] = syntax.children(spec);
  if (name === undefined || syntax.kind(name) !== "type_identifier") return undefined;
  return { name, type: rest.find((child) => isType(syntax.kind(child))) ?? 0 };
}

function typeFact(u: Unit, spec: number, symbol: number, type: () => Offset): TypeFact {
  const { syntax } = u;
  const parameters = typeParameters(u, syntax.childOf(spec, "type_parameter_list"));
  return { symbol, name: syntax.text(typeParts(u, spec)!.name), typeParameters: parameters, type: type(), alias: syntax.kind(spec) === "type_alias" };
}

function packageVariables(u: Unit, node: number): void {
  const { syntax } = u;
  for (const spec of syntax.children(node)) {
    if (syntax.kind(spec) !== "var_spec") {
      packageVariables(u, spec);
      continue;
    }
    const names = syntax.children(spec).filter((child) => syntax.kind(child) === "identifier");
    const list = syntax.childOf(spec, "expression_list");
    const only = list && syntax.next(list + 1) === syntax.next(list) ? list + 1 : 0;
    if (names.length === 1 && only && syntax.kind(only) === "func_literal" && syntax.text(names[0]!) !== "_") {
      // var f = func() { ... } is a function in all but name.
      const symbol = addSymbol(u, { kind: "Variable", name: names[0]!, whole: spec, signature: headOf(`var ${head(u, spec, syntax.childOf(only, "block"))}`) });
      const type = typeChild(u, spec);
      const declared = type ? typeOf(u, type) : 0;
      u.values.push({ name: syntax.text(names[0]!), at: u.variable(declared, literal(u, only, symbol)), symbol });
      continue;
    }
    const symbols = valueSymbols(u, "var", names, spec);
    u.owner = symbols.find((symbol) => symbol >= 0) ?? -1;
    u.holder = names.length === 1 ? u.name(syntax.text(names[0]!)) : 0;
    // The scope keeps the names from being bound: at package level order means nothing.
    u.scoped(() => {
      variables(u, spec).forEach(({ name, record }, i) => {
        addValue(u, name, record, symbols[i] ?? -1);
        u.store(u.holder, u.code[record + 2]!);
      });
    });
    u.owner = -1;
    u.holder = 0;
  }
}

function packageConstants(u: Unit, node: number): void {
  const symbols = new Map<number, number>();
  constants(
    u, node,
    (name, record) => addValue(u, name, record, symbols.get(name) ?? -1),
    (names, spec) => {
      const own = valueSymbols(u, "const", names, spec);
      names.forEach((name, i) => symbols.set(name, own[i]!));
      u.owner = own.find((symbol) => symbol >= 0) ?? -1;
    },
  );
  u.owner = -1;
}

function addValue(u: Unit, name: number, at: Offset, symbol: number): void {
  if (symbol >= 0) u.values.push({ name: u.syntax.text(name), at, symbol });
}

/** Adds a symbol for each name of one line of `var` or `const`; -1 for `_`. */
function valueSymbols(u: Unit, keyword: string, names: readonly number[], spec: number): number[] {
  const { syntax } = u;
  const [text = ""] = syntax.text(spec).slice(0, 400).split(/\n|(?<=\{)/, 1);
  const signature = headOf(`${keyword} ${text}`);
  return names.map((name) => (syntax.text(name) === "_" ? -1 : addSymbol(u, { kind: "Variable", name, whole: spec, signature })));
}
