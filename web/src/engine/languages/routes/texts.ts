import type { Node } from "web-tree-sitter";
import { argumentOf, entriesOf, type Grammar, literal } from "./calls.ts";
import { Imports } from "./imports.ts";
import type { Round } from "./loops.ts";
import { namedElsewhere } from "../../path-names.ts";
import { isDeclaredFor } from "./parameters.ts";

/** What gives a name its value, where it is declared and later. */
const VALUES = ["const_spec", "variable_declarator", "assignment", "assignment_expression", "augmented_assignment_expression", "const_item", "const_element", "var_spec", "short_var_declaration", "assignment_statement", "public_field_definition", "field_definition"];
/** Constants that are made of constants that are made of constants … */
const MAX_DEPTH = 10;

/** What the expressions of a file say as texts: paths, and methods. */
export class Texts {
  /** The values of names that get one once. */
  private constants: ReadonlyMap<string, Node | undefined> | undefined;

  private enums: ReadonlyMap<string, Node> | undefined;

  /** What expressions stand for in the round of a loop that is looked at. */
  round: Round | undefined;

  private readonly imports: Imports;

  constructor(private readonly root: Node, private readonly grammar: Grammar) {
    this.imports = new Imports(root);
  }

  /** The part of a path for an expression whose text this file does not say: the name of a constant that another file may declare (`namedElsewhere`), else `…`. Of a name with a `member`, that of what the name stands for. */
  hole(node: Node, member?: string): string {
    const [, owner, name] = /^(?:[\w$.:\\]*?([A-Za-z_$][\w$]*)(?:\.|::))?([A-Za-z_$][\w$]*)$/.exec(node.text) ?? [];
    if (name === undefined) return "…";
    const whole = member !== undefined ? `${name}.${member}` : owner === undefined ? name : `${owner}.${name}`;
    return namedElsewhere(whole, node.startPosition.row + 1, this.imports.lineOf(/^[\w$]+/.exec(node.text)?.[0] ?? ""));
  }

  /** A text, put together of constants of the file, too; `…` and names of constants of other files stand for what is not known. Undefined for what is no text. */
  one(node: Node | undefined, depth = 0): string | undefined {
    if (!node || depth > MAX_DEPTH) return undefined;
    const value = this.round?.values.get(node.text);
    if (value) return this.inRound(() => this.one(value, depth + 1));
    if (this.grammar.strings.test(node.type)) return this.withConstants(node, depth);
    // Ruby: `%r{/articles/(\d+)}`, `/\/articles/`
    if (node.type === "regex" && this.grammar.calls.includes("call")) return node.text.startsWith("%r") ? node.text.slice(3, -1) : node.text.slice(1, -1).replaceAll("\\/", "/");
    // JavaScript: `/^\/commits\/(\w+)$/`
    const [, pattern] = node.type === "regex" ? /^\/\^?(.*?)\$?\/\w*$/s.exec(node.text) ?? [] : [];
    if (pattern !== undefined) return pattern.replaceAll("\\/", "/");
    if (/^parenthesized_expression$|^expression_list$/.test(node.type) && node.namedChildren.length === 1) return this.one(node.namedChildren[0], depth + 1);
    // Python: `_("about/")` is the text in the usual language.
    if (node.type === "call" && /^(?:_|gettext(?:_lazy)?)$/.test(node.childForFieldName("function")?.text ?? "")) return this.one(node.childForFieldName("arguments")?.namedChildren[0], depth + 1);
    if (node.type === "concatenated_string") return node.namedChildren.map((part) => this.one(part, depth + 1) ?? "…").join("");
    // Python: `"{base}/x".format(base=BASE)`, `"%s/x" % BASE`
    const filled = node.type === "call" || node.type === "binary_operator" ? this.filled(node, depth) : undefined;
    if (filled !== undefined) return filled;
    // Rust: `&format!("{PREFIX}/x")`
    if (node.type === "reference_expression") return this.one(node.namedChildren.at(-1), depth + 1);
    if (node.type === "macro_invocation") return this.written(node, depth);
    // Go: `http.MethodGet + " /x"`, `fmt.Sprintf("/%s/x", version)`
    const [, method] = /^http\.Method([A-Z][a-z]+)$/.exec(node.text) ?? [];
    if (method !== undefined) return method.toUpperCase();
    if (node.type === "call_expression" && node.childForFieldName("function")?.text === "fmt.Sprintf") return this.formatted(node, depth);
    if (/^binary(?:_expression|_operator)?$/.test(node.type)) {
      if (!/^[+.]$/.test(node.childForFieldName("operator")?.text ?? node.children[1]?.text ?? "")) return undefined;
      const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")].map((side) => this.one(side ?? undefined, depth + 1));
      if (left === undefined && right === undefined) return undefined;
      return `${left ?? this.hole(node.childForFieldName("left")!)}${right ?? this.hole(node.childForFieldName("right")!)}`;
    }
    // `PREFIX`, `Paths.PREFIX`, `self::PREFIX`, `paths.list`
    const [, owner, name] = /^(?:(\w+)(?:\.|::))?(\w+)$/.exec(node.text) ?? [];
    const entry = owner === undefined ? undefined : this.entry(owner, name!);
    if (entry) return this.one(entry, depth + 1);
    if (name === undefined || (owner !== undefined && !/^(?:self|static|this|[A-Z]\w*)$/.test(owner))) return undefined;
    const own = owner === "this" ? this.constant(`this.${name}`) : undefined;
    const constant = own ?? this.constant(name);
    return constant && (owner !== undefined || isDeclaredFor(node, name, constant)) ? this.one(constant, depth + 1) : undefined;
  }

  /** Rust: a text with constants in the places that it has for them. */
  private written(macro: Node, depth: number): string | undefined {
    const [, format, rest = ""] = /^format!\(\s*"((?:[^"\\]|\\.)*)"\s*(?:,(.*))?\)$/s.exec(macro.text) ?? [];
    const values = rest.split(",").map((one) => one.trim());
    return format?.replace(/\{\{|\}\}|\{(\w*)\}/g, (place, name: string | undefined) => {
      if (name === undefined) return place[0]!;
      const said = name === "" ? values.shift() : name;
      if (said === undefined || !/^[A-Za-z_]\w*$/.test(said)) return "…";
      const constant = this.constant(said);
      const value = constant && isDeclaredFor(macro, said, constant) ? this.one(constant, depth + 1) : undefined;
      return value ?? this.one(this.round?.values.get(said), depth + 1) ?? namedElsewhere(said, macro.startPosition.row + 1);
    });
  }

  /** Python: a text with values in the places that it has for them. */
  private filled(node: Node, depth: number): string | undefined {
    const callee = node.childForFieldName("function");
    const isFormat = callee?.childForFieldName("attribute")?.text === "format";
    const text = isFormat ? callee.childForFieldName("object") : node.childForFieldName("operator")?.text === "%" ? node.childForFieldName("left") : null;
    if (!text || !this.grammar.strings.test(text.type)) return undefined;
    const right = node.childForFieldName("right");
    const values = isFormat ? node.childForFieldName("arguments")!.namedChildren.map(argumentOf) : (right?.type === "tuple" ? right.namedChildren : right ? [right] : []).map(argumentOf);
    const said = (value: Node | undefined): string => (value ? this.one(value, depth + 1) ?? this.hole(value) : "…");
    let next = 0;
    return this.one(text, depth + 1)?.replace(isFormat ? /\{(\w*)\}/g : /%(?:\((\w+)\))?[sd]/g, (_, key: string | undefined = "") => (
      said((/^\d+$/.test(key) ? values[Number(key)] : key === "" ? values[next++] : values.find(({ name }) => name === key))?.node)
    ));
  }

  private formatted(call: Node, depth: number): string | undefined {
    const [format, ...values] = call.childForFieldName("arguments")?.namedChildren ?? [];
    return this.one(format, depth + 1)?.replace(/%(?:%|[+#]?\d*[a-z])/g, (verb) => {
      if (verb === "%%") return "%";
      const value = values.shift();
      return value ? this.one(value, depth + 1) ?? this.hole(value) : "…";
    });
  }

  /** The texts that an expression says: one, or those of a list. */
  all(node: Node): string[] {
    const value = this.round?.values.get(node.text);
    if (value && value.id !== node.id) return this.inRound(() => this.all(value));
    // PHP: `["en" => "/about"]`
    if (node.type === "array_element_initializer") return this.all(node.namedChildren.at(-1)!);
    const own = this.one(node);
    if (own !== undefined) return [own];
    if (!/array|list|tuple|set|composite|literal_value|literal_element|initializer|collection/.test(node.type)) return [];
    return node.namedChildren.flatMap((child) => this.all(/_type$/.test(child.type) ? child : argumentOf(child).node));
  }

  /** What a value says that names of the round stand for: the code of a call's arguments does not have these names. */
  private inRound<T>(said: () => T): T {
    const { round } = this;
    if (round?.isCall) this.round = undefined;
    try {
      return said();
    } finally {
      this.round = round;
    }
  }

  private withConstants(node: Node, depth: number): string | undefined {
    const parts = node.namedChildren.filter(({ type }) => /^(?:template_substitution|interpolation|variable_name)$/.test(type));
    const said = parts.map((part) => (part.type === "variable_name" ? part : part.namedChildren.find(({ type }) => type !== "interpolation_brace"))).map((part) => this.one(part, depth + 1) ?? (part ? this.hole(part) : "…"));
    return literal(node, this.grammar)?.replaceAll("…", (gap) => said.shift() ?? gap);
  }

  /** Of an object that a name is given once, or of an enum: `const paths = { list: "/list" } as const`. */
  private entry(owner: string, name: string): Node | undefined {
    this.enums ??= new Map(this.root.descendantsOfType("enum_declaration").map((one) => [one.childForFieldName("name")?.text ?? "", one]));
    const member = this.enums.get(owner)?.childForFieldName("body")?.namedChildren.find((one) => one.childForFieldName("name")?.text === name)?.childForFieldName("value");
    if (member) return member;
    let object = this.constant(owner);
    while (object && /^(?:as|satisfies)_expression$/.test(object.type)) object = object.namedChildren[0];
    return object?.type === "object" ? entriesOf(object).find((one) => one.name === name)?.node : undefined;
  }

  /** The value of a name that gets one once. */
  constant(name: string): Node | undefined {
    if (!this.constants) {
      const found = new Map<string, Node | undefined>();
      for (const declaration of this.root.descendantsOfType(VALUES)) {
        const named = declaration.childForFieldName("name") ?? declaration.childForFieldName("left") ?? declaration.namedChildren[0];
        const value = declaration.childForFieldName("value") ?? declaration.childForFieldName("right") ?? declaration.namedChildren.at(-1);
        const name = /field_definition$/.test(declaration.type) ? `this.${named?.text}` : named?.text;
        // `path += "*"` is no value of its own.
        const isAdded = /^[^:=]+=$/.test(declaration.childForFieldName("operator")?.text ?? "");
        if (name !== undefined && value) found.set(name, found.has(name) || isAdded ? undefined : value);
      }
      this.constants = found;
    }
    return this.constants.get(name);
  }
}

/** Spring: a text with the usual values of the properties that it names; `${BASE:/shop}` is "/shop" where the environment says nothing else. */
export function withUsualValues(text: string, unknown: string): string {
  return text.replace(/\$\{[^}:]*(?::([^}]*))?\}/g, (_, usual: string | undefined) => usual ?? unknown);
}

/** What is typed for a command that says more: `serve [port]`, `|list`. */
export function firstWord(words: string): string {
  return /[^\s|]+/.exec(words)?.[0] ?? words;
}
