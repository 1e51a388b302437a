import { visit } from "./expressions.ts";
import { Flag, isIterator, type Offset, pointerTo } from "./facts.ts";
import type { Unit } from "./unit.ts";

/** What a declarator says: `*(*name[3])(int)`. Nodes are 0 where there is none. */
export interface Declared {
  /** The node of the name without what qualifies it. */
  at: number;
  name: string;
  /** `A::B` of `A::B::name`. */
  qualifier: string;
  /** The function_declarator of a function, not of a pointer to one. */
  function: number;
  /** Of a pointer to a function. */
  pointed: number;
  flags: number;
  /** Of what a function gives: `T *f()`, `T &f()`. */
  given: number;
  /** It is a function that gives a pointer to one. */
  gives: boolean;
  /** The names of a structured binding. */
  names?: string[];
}

const NAMES = new Set(["identifier", "field_identifier", "type_identifier", "destructor_name", "operator_name", "operator_cast", "primitive_type"]);

export function declared(u: Unit, node: number): Declared {
  const { syntax } = u;
  const way: number[] = [];
  const result: Declared = { at: 0, name: "", qualifier: "", function: 0, pointed: 0, flags: 0, given: 0, gives: false };
  for (let at = node; at;) {
    const kind = syntax.kind(at);
    if (NAMES.has(kind)) {
      result.at = at;
      result.name = operatorName(u, at);
      if (kind === "operator_cast") result.function = syntax.part(at, "declarator");
      break;
    }
    if (kind === "qualified_identifier") {
      // `(View::*show)(int)`
      const member = pointedMember(u, at);
      if (member) {
        at = member;
        continue;
      }
      const path = qualified(u, at);
      const cut = path.name.lastIndexOf("::");
      result.at = path.at;
      result.name = path.name.slice(cut + 2);
      result.qualifier = cut < 0 ? "" : path.name.slice(0, cut);
      break;
    }
    if (kind === "template_function" || kind === "template_type") {
      at = syntax.part(at, "name");
      continue;
    }
    if (kind === "structured_binding_declarator") {
      result.at = at;
      result.names = syntax.children(at).map((child) => syntax.text(child));
      break;
    }
    way.push(at);
    at = syntax.part(at, "declarator") || syntax.children(at).find((child) => /declarator$|identifier$|^operator_name$|^destructor_name$/.test(syntax.kind(child))) || 0;
  }
  // From the name outwards: what comes first is what it is.
  let first = true;
  for (const at of way.reverse()) {
    const kind = syntax.kind(at);
    if (/function_declarator$/.test(kind)) {
      if (first) result.function = at;
      else if (!result.function) result.pointed ||= at;
      else result.gives = true;
      first = false;
    } else if (/pointer_(?:type_)?declarator$/.test(kind)) {
      if (result.function) result.given = pointerTo(result.given);
      else result.flags = pointerTo(result.flags);
      first = false;
    } else if (/reference_declarator$/.test(kind)) {
      if (result.function) result.given |= Flag.Reference;
      else result.flags |= Flag.Reference;
      first = false;
    } else if (/array_declarator$/.test(kind)) {
      if (!result.function) result.flags |= Flag.Array;
      first = false;
    }
  }
  if (result.pointed) result.flags |= Flag.Function;
  return result;
}

/** The `*name` of a pointer to a member; 0 for a name. */
function pointedMember({ syntax }: Unit, node: number): number {
  let at = node;
  while (at && syntax.kind(at) === "qualified_identifier") at = syntax.part(at, "name");
  return at && syntax.kind(at) === "pointer_type_declarator" ? at : 0;
}

/** The nodes in a declarator whose values it uses: sizes of arrays, also of parameters, and what these are without an argument. */
export function valuesIn(u: Unit, node: number): number[] {
  const { syntax } = u;
  const found: number[] = [];
  for (let at = node; at; at = syntax.part(at, "declarator")) {
    const size = syntax.part(at, "size");
    if (size) found.push(size);
    const list = syntax.part(at, "parameters");
    for (const parameter of list ? syntax.children(list) : []) {
      const value = syntax.part(parameter, "default_value");
      if (value) found.push(value);
      const own = syntax.part(parameter, "declarator");
      if (own) found.push(...valuesIn(u, own));
    }
  }
  return found;
}

function operatorName(u: Unit, node: number): string {
  const kind = u.syntax.kind(node);
  const text = u.syntax.text(node);
  if (kind === "operator_cast") return text.replace(/\(.*$/s, "").replace(/\s+/g, " ").trim();
  return kind === "operator_name" || kind === "destructor_name" ? text.replace(/\s+/g, "") : text;
}

/** A name with what qualifies it, without template arguments, and the node of its last part. */
export function qualified(u: Unit, node: number): { name: string; at: number; args: number; outer: number } {
  const { syntax } = u;
  let args = 0;
  let outer = 0;
  const read = (at: number): { text: string; last: number } => {
    switch (syntax.kind(at)) {
      case "qualified_identifier": {
        const scope = syntax.part(at, "scope");
        const name = syntax.part(at, "name");
        const before = scope ? read(scope).text : "";
        outer = args;
        const rest = name ? read(name) : { text: "", last: at };
        return { text: `${before}::${rest.text}`, last: rest.last };
      }
      case "nested_namespace_specifier":
        return { text: syntax.children(at).map((child) => read(child).text).join("::"), last: at };
      case "template_type":
      case "template_function":
      case "template_method": {
        const name = syntax.part(at, "name");
        const inner = name ? read(name) : { text: "", last: at };
        args = syntax.part(at, "arguments");
        return inner;
      }
      case "dependent_name":
      case "dependent_type": {
        const [inner] = syntax.children(at);
        return inner ? read(inner) : { text: "", last: at };
      }
      default:
        args = 0;
        return { text: operatorName(u, at), last: at };
    }
  };
  const { text, last } = read(node);
  return { name: text, at: last, args, outer };
}

/** Records a type; 0 for what is none, `auto` among it. `flags` come from the declarator. */
export function typeOf(u: Unit, node: number, flags = 0, isConst = false): Offset {
  const { syntax } = u;
  if (!node) return 0;
  const all = flags | (isConst ? Flag.Const : 0);
  switch (syntax.kind(node)) {
    case "primitive_type":
    case "sized_type_specifier":
      return u.named(syntax.text(node).replace(/\s+/g, " "), all);
    case "type_identifier":
    case "identifier":
    case "namespace_identifier":
      return u.named(syntax.text(node), all);
    case "qualified_identifier":
    case "template_type": {
      const { name, args, outer } = qualified(u, node);
      // `vector<Node*>::iterator`
      return u.named(name, all, templateArguments(u, args || (isIterator(name) ? outer : 0)));
    }
    case "struct_specifier":
    case "class_specifier":
    case "union_specifier":
    case "enum_specifier": {
      const name = syntax.part(node, "name");
      return name ? typeOf(u, name, all) : 0;
    }
    case "type_descriptor": {
      const inner = syntax.part(node, "declarator");
      return typeOf(u, syntax.part(node, "type"), all | (inner ? abstractFlags(u, inner) : 0), isConstant(u, node));
    }
    case "dependent_type": {
      const [inner] = syntax.children(node);
      return inner ? typeOf(u, inner, all) : 0;
    }
    default:
      return 0;
  }
}

function abstractFlags(u: Unit, node: number): number {
  const kind = u.syntax.kind(node);
  const own = /reference/.test(kind) ? Flag.Reference : /array/.test(kind) ? Flag.Array : /function/.test(kind) ? Flag.Function : 0;
  const inner = u.syntax.part(node, "declarator");
  const flags = own | (inner ? abstractFlags(u, inner) : 0);
  return /pointer/.test(kind) ? pointerTo(flags) : flags;
}

/** What may be the name of a constant or a function. */
const VALUE = /^(?!std::)[\w:]+$/;

/** A name of a constant or a function is a type to the grammar. */
export function templateArguments(u: Unit, list: number): Offset[] {
  const { syntax } = u;
  if (!list) return [];
  return syntax.children(list).map((argument) => {
    if (syntax.kind(argument) !== "type_descriptor") {
      visit(u, argument);
      return 0;
    }
    const text = syntax.text(argument);
    if (VALUE.test(text)) u.use(u.name(text), argument);
    return typeOf(u, argument);
  });
}

/** Reads what the parameters of the template use that is being declared: `enable_if_t<N == LIMIT, int> = 0`. */
export function templateParameters(u: Unit): void {
  const { syntax, templateList } = u;
  u.templateList = 0;
  for (const parameter of templateList ? syntax.children(templateList) : []) {
    for (const part of ["type", "default_type"]) typeOf(u, syntax.part(parameter, part));
    const value = syntax.part(parameter, "default_value");
    if (value) visit(u, value);
  }
}

export function isConstant(u: Unit, node: number): boolean {
  return u.syntax.children(node).some((child) => u.syntax.kind(child) === "type_qualifier" && u.syntax.text(child) === "const");
}

export interface Signature {
  names: { name: string; type: Offset; node: number }[];
  parameters: Offset[];
  required: number;
  variadic: boolean;
  key: string;
}

/** The parameters of a function_declarator. */
export function signatureOf(u: Unit, declarator: number): Signature {
  const { syntax } = u;
  const list = syntax.part(declarator, "parameters");
  const result: Signature = { names: [], parameters: [], required: 0, variadic: false, key: "" };
  const keys: string[] = [];
  let known = 0;
  for (const node of list ? syntax.children(list) : []) {
    const kind = syntax.kind(node);
    if (kind === "variadic_parameter" || kind === "variadic_parameter_declaration") result.variadic = true;
    if (kind === "variadic_parameter") continue;
    if (kind === "identifier") {
      // As C was first written: the types follow the parentheses.
      result.names.push({ name: syntax.text(node), type: 0, node });
      known++;
      continue;
    }
    if (!/parameter_declaration$/.test(kind)) continue;
    const type = syntax.part(node, "type");
    const declarator = syntax.part(node, "declarator");
    const what = declarator ? declared(u, declarator) : undefined;
    if (!declarator && type && syntax.text(type) === "void") continue;
    const flags = what ? what.flags | (what.function ? Flag.Function : 0) | (what.at ? 0 : abstractFlags(u, declarator)) : 0;
    const at = typeOf(u, type, flags, isConstant(u, node));
    if (!/^variadic/.test(kind)) {
      result.names.push({ name: what?.name ?? "", type: at, node });
      result.parameters.push(at);
      known++;
      if (kind === "parameter_declaration") result.required = known;
    } else {
      result.names.push({ name: what?.name ?? "", type: 0, node });
    }
    keys.push(keyOf(syntax.text(node), what?.name ?? "", declarator ? syntax.text(declarator) : ""));
  }
  if (result.required === 0 && result.parameters.length === 0) result.required = known;
  result.key = keys.join(",") + (syntax.children(declarator).some((child) => syntax.kind(child) === "type_qualifier" && syntax.text(child) === "const") ? " const" : "");
  return result;
}

/** A parameter's type in words that are the same wherever it is declared. */
function keyOf(text: string, name: string, declarator: string): string {
  let plain = text.replace(/=.*$/s, "");
  if (name && declarator) {
    const at = plain.lastIndexOf(name);
    if (at >= 0) plain = plain.slice(0, at) + plain.slice(at + name.length);
  }
  return plain.replace(/\b(?:struct|class|enum|union|typename|const|volatile)\b/g, "").replace(/\w+\s*::\s*/g, "").replace(/\s+/g, "").replace(/\[\d*\]$/, "*");
}
