import type { Node } from "web-tree-sitter";
import { type Call, callOf, entriesOf, type Grammar } from "./calls.ts";
import type { Texts } from "./texts.ts";

/** Loops that are statements. */
const LOOPS: readonly string[] = ["for_statement", "for_in_statement", "foreach_statement"];
/** Methods of lists that call a function for each element. */
const EACH = /^(?:forEach|map|each)$/;
/** What a value is wrapped in without being another one. */
const WRAPPED = /^(?:parenthesized_expression|as_expression|satisfies_expression|expression_list|literal_element|unary_expression|array_element_initializer)$/;
/** More loops that routes stand in no file has, nor more rounds that somebody writes out. */
const MAX_LOOPS = 200;
const MAX_ROUNDS = 500;

/** One round of a loop: the element, and the expressions that stand for it and its parts there, by their texts. */
export interface Round {
  element: Node;
  values: ReadonlyMap<string, Node>;
  /** It is a call of a function: the values are written in other code than the names are. */
  isCall?: true;
}

/** The pattern that each element is bound to, the list, and the code that runs with it. */
interface Parts {
  pattern: Node;
  list: Node;
  body: Node;
}

interface Loop {
  from: number;
  to: number;
  rounds: readonly Round[];
}

/** Loops through lists that the file writes out: `for (const { path, handler } of [{ path: "/a", handler: a }, …]) app.get(path, handler)`. */
export class Loops {
  private readonly loops: readonly Loop[];

  /** Go: the types that the file declares, found when they are first asked for. */
  private types: ReadonlyMap<string, Node> | undefined;

  /** `calls`: all of the file. */
  constructor(private readonly root: Node, source: string, private readonly grammar: Grammar, private readonly texts: Texts, calls: readonly Call[]) {
    const statements = /\bfor(?:each)?\b/.test(source) ? root.descendantsOfType([...LOOPS]).map((node) => this.statement(node)) : [];
    this.loops = [...statements, ...calls.map((call) => this.each(call))].flatMap((parts) => (parts && this.loopOf(parts)) ?? []).slice(0, MAX_LOOPS);
  }

  /** The rounds of the loops around a call; none where there are no loops, the file does not say what they go through, or the call is the same in all. */
  around(call: Node): readonly Round[] {
    const rounds = this.loops.length === 0 ? [] : this.roundsAt(call.startIndex);
    const [first] = rounds;
    const { text } = call;
    return first && [...first.values.keys()].some((name) => text.includes(name)) ? rounds : [];
  }

  private roundsAt(startIndex: number): readonly Round[] {
    return this.loops.filter(({ from, to }) => from <= startIndex && startIndex < to).reduce<readonly Round[]>((outer, { rounds }) => (
      outer.length === 0 ? rounds : outer.flatMap((one) => rounds.map((inner) => ({ ...inner, values: new Map([...one.values, ...inner.values]) }))).slice(0, MAX_ROUNDS)
    ), []);
  }

  private loopOf(parts: Parts): Loop | undefined {
    const elements = this.elementsOf(parts.list);
    if (!elements || elements.length === 0) return undefined;
    const rounds = elements.slice(0, MAX_ROUNDS).map((element) => {
      const values = new Map<string, Node>();
      this.bind(parts.pattern, element, values);
      return { element: Array.isArray(element) ? element[1]! : element, values };
    });
    return { from: parts.body.startIndex, to: parts.body.endIndex, rounds };
  }

  /** A call of a function for each element. */
  private each({ name, receiver, args }: Call): Parts | undefined {
    if (!EACH.test(name) || !receiver) return undefined;
    const run = args.find((one) => this.grammar.functions.test(one.node.type))?.node;
    const list = run?.childForFieldName("parameters") ?? run?.childForFieldName("parameter");
    const first = list && (list.type === "identifier" ? list : list.namedChildren[0]);
    const body = run?.childForFieldName("body") ?? run;
    return first && body ? { pattern: first.childForFieldName("pattern") ?? first, list: receiver, body } : undefined;
  }

  private statement(node: Node): Parts | undefined {
    const clause = node.namedChildren.find(({ type }) => type === "range_clause") ?? node;
    const [left, right, body] = node.type === "foreach_statement" ? [node.namedChildren[1], node.namedChildren[0], node.childForFieldName("body")]
      : [clause.childForFieldName("left"), clause.childForFieldName("right"), node.childForFieldName("body")];
    // Go counts first, or has the keys of a map there.
    const isMap = clause !== node && right !== undefined && right !== null && this.valueOf(right).childForFieldName("type")?.type === "map_type";
    const pattern = clause === node || isMap ? left : left?.namedChildren[1];
    return pattern && right && body ? { pattern: pattern.type === "by_ref" ? pattern.namedChildren[0]! : pattern, list: right, body } : undefined;
  }

  /** The elements of a list that is written out; of a table by name, what it goes by and what it has there. */
  private elementsOf(list: Node): (Node | Node[])[] | undefined {
    const node = this.valueOf(list);
    // `Object.entries(table)`, `table.items()`
    const call = callOf(node, this.grammar);
    const table = call?.callee === "Object.entries" ? call.args[0]?.node : call?.name === "items" && call.args.length === 0 ? call.receiver : undefined;
    if (call) {
      const object = table && this.valueOf(table);
      return object && /^(?:object|dictionary)$/.test(object.type) ? object.namedChildren.flatMap((pair) => {
        const [key, value] = [pair.childForFieldName("key"), pair.childForFieldName("value")];
        return key && value ? [[key, value]] : [];
      }) : undefined;
    }
    if (node.type === "composite_literal" && node.childForFieldName("type")?.type === "map_type") {
      return bodyOf(node).map((one) => one.namedChildren.map((part) => (part.type === "literal_element" ? part.namedChildren[0]! : part)));
    }
    if (node.type === "composite_literal") return bodyOf(node);
    return /^(?:array|list|tuple|set|string_array|symbol_array|array_creation_expression)$/.test(node.type) ? node.namedChildren.filter(({ type }) => type !== "comment").map((one) => (one.type === "array_element_initializer" ? one.namedChildren.at(-1)! : one)) : undefined;
  }

  /** A value without what is put around it; that of a name that gets one once. */
  private valueOf(node: Node): Node {
    for (let at = node, depth = 0; ; depth++) {
      const inner = WRAPPED.test(at.type) ? at.namedChildren.at(at.type === "array_element_initializer" ? -1 : 0) : at.type === "identifier" || at.type === "constant" ? this.texts.constant(at.text) : undefined;
      if (!inner || depth > 10) return at;
      at = inner;
    }
  }

  private bind(pattern: Node, element: Node | Node[], values: Map<string, Node>): void {
    if (/^(?:array_pattern|tuple_pattern|pattern_list|list_literal|pair)$/.test(pattern.type) || (pattern.type === "expression_list" && Array.isArray(element))) {
      const parts = Array.isArray(element) ? element : this.partsAt(this.valueOf(element)).map(({ node }) => node);
      pattern.namedChildren.forEach((child, i) => {
        if (parts[i]) this.bind(child, parts[i], values);
      });
      return;
    }
    if (Array.isArray(element)) return;
    if (pattern.type === "object_pattern") {
      const parts = this.partsAt(this.valueOf(element));
      for (const child of pattern.namedChildren) {
        const name = child.childForFieldName("key") ?? child;
        const local = child.childForFieldName("value") ?? child;
        const part = parts.find((one) => one.name === name.text);
        if (part) values.set(local.text, part.node);
      }
      return;
    }
    const name = pattern.text;
    values.set(name, element);
    this.partsAt(this.valueOf(element)).forEach((part, i) => {
      for (const text of part.name === "" ? [`${name}[${i}]`] : [`${name}.${part.name}`, `${name}["${part.name}"]`, `${name}['${part.name}']`]) values.set(text, part.node);
    });
  }

  /** The parts of an element, by name where they have one. */
  private partsAt(element: Node): { name: string; node: Node }[] {
    if (element.type === "object" || element.type === "dictionary") return entriesOf(element);
    if (/^(?:array|list|tuple)$/.test(element.type)) return element.namedChildren.filter(({ type }) => type !== "comment").map((node) => ({ name: "", node }));
    if (element.type === "array_creation_expression") return element.namedChildren.map((one) => ({ name: one.namedChildren.length > 1 ? one.namedChildren[0]!.text.replace(/^["']|["']$/g, "") : "", node: one.namedChildren.at(-1) ?? one }));
    if (element.type !== "literal_value" && element.type !== "composite_literal") return [];
    const names = this.fieldsOf(element);
    return bodyOf(element).map((one, i) => {
      if (one.type !== "keyed_element") return { name: names[i] ?? "", node: this.valueOf(one) };
      const [key, value] = one.namedChildren;
      return { name: key?.text ?? "", node: value?.namedChildren[0] ?? value ?? one };
    });
  }

  /** Go: the names of the fields of the struct that a literal is of, in their order, where the file declares it. */
  private fieldsOf(literal: Node): string[] {
    let type = literal.childForFieldName("type");
    for (let at = literal.parent; !type && at; at = at.parent) if (at.type === "composite_literal") type = at.childForFieldName("type");
    for (let depth = 0; type && depth < 5; depth++) {
      if (type.type === "struct_type") {
        const list: Node | undefined = type.namedChildren[0];
        return (list?.namedChildren ?? []).flatMap((field) => field.childrenForFieldName("name").map(({ text }) => text));
      }
      const name: string = type.text;
      type = type.childForFieldName("element") ?? (type.type === "pointer_type" ? type.namedChildren[0] ?? null : this.typeNamed(name)?.childForFieldName("type") ?? null);
    }
    return [];
  }

  private typeNamed(name: string): Node | undefined {
    this.types ??= new Map(this.root.descendantsOfType("type_spec").map((one) => [one.childForFieldName("name")?.text ?? "", one]));
    return this.types.get(name);
  }
}

/** What stands in the braces of a literal of Go. */
function bodyOf(literal: Node): Node[] {
  const body = literal.childForFieldName("body") ?? literal;
  return body.namedChildren.filter(({ type }) => type !== "comment").map((one) => (one.type === "literal_element" ? one.namedChildren[0] ?? one : one));
}
