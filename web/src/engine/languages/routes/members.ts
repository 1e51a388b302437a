import type { Node } from "web-tree-sitter";
import { DEFAULT } from "../../path-names.ts";
import { entriesOf, GRAMMARS, literal } from "./calls.ts";
import { Texts } from "./texts.ts";

/** A table of paths, by what it is called: its texts need no slash. */
const PATHS = /(?:[pP]ath|[rR]oute|[pP]refix|[eE]ndpoint|PATH|ROUTE|PREFIX|ENDPOINT)(?:e?s|ES|S)?$/;

/** A member that is given a text which begins with a slash, in the code of a language, or a table of paths. */
const MARKS: Readonly<Record<string, RegExp>> = {
  typescript: new RegExp(`["'\`]\\/(?<=[{,\\n]\\s*(?:exports\\.)?["']?\\w+["']?\\s*[:=]\\s*["'\`]\\/)|\\b(?:enum|class)\\s+\\w*${PATHS.source.slice(0, -1)}\\b|\\bconst\\s+\\w*${PATHS.source.slice(0, -1)}\\s*(?::[^;]{0,300}?)?=\\s*\\{`),
  python: /^[ \t]+\w+\s*(?::\s*\w+\s*)?=\s*["']\//m,
  java: /\bString\s+\w+\s*=[^;"]*"\//,
  csharp: /\bconst\s+string\s+\w+\s*=[^;\n]*"[^;\n]*\//,
};
/** What makes a route of Hono that another file gives a handler: all of its texts count. */
const ROUTE = "createRoute";
/** Objects in objects in objects … */
const MAX_DEPTH = 5;
/** More of them than this are no paths that a person wrote. */
const MAX_MEMBERS = 200;

/** The members of objects, enums and classes whose values are texts that begin with a slash, in Java and C# that have one, in TypeScript any in a table of paths, as `Paths.users`: what paths of routes in other files may be made of. */
export function memberTexts(language: string, root: Node, source: string): Record<string, string> | undefined {
  if (MARKS[language]?.test(source) !== true) return undefined;
  const grammar = GRAMMARS[language]!;
  const found: Record<string, string> = {};
  const several = new Set<string>();
  if (language === "java" || language === "csharp") {
    const texts = new Texts(root, grammar);
    for (const { owner, name, value } of constantsIn(root)) {
      const text = texts.one(value);
      if (text !== undefined && text.includes("/") && !/[…«]/.test(text)) found[`${owner}.${name}`] = text;
    }
  }
  for (const node of root.namedChildren) {
    for (const { owner, name, value, table = owner } of membersIn(node.type === "export_statement" ? node.childForFieldName("declaration") ?? node : node, root)) {
      const text = literal(value ?? undefined, grammar);
      if (text !== undefined && (text.startsWith("/") || (language === "typescript" && PATHS.test(table))) && !text.includes("…")) {
        const key = `${owner}.${name}`;
        if (found[key] !== undefined && found[key] !== text) several.add(key);
        found[key] = text;
      }
    }
  }
  // Objects of one name in two tables say nothing.
  const all = Object.entries(found).filter(([key]) => !several.has(key));
  return all.length > 0 && all.length <= MAX_MEMBERS ? Object.fromEntries(all) : undefined;
}

/** The fields of types with a value. */
function* constantsIn(root: Node): Generator<{ owner: string; name: string; value: Node }> {
  for (const node of root.descendantsOfType(["field_declaration", "constant_declaration"])) {
    for (const one of node.descendantsOfType("variable_declarator")) {
      const [name, value] = [one.childForFieldName("name") ?? one.namedChildren[0], one.childForFieldName("value") ?? one.namedChildren.at(-1)];
      const owner = node.parent?.parent?.childForFieldName("name")?.text;
      if (name && value && value.id !== name.id && owner !== undefined) yield { owner, name: name.text, value };
    }
  }
}

interface Member {
  owner: string;
  /** The name of the whole object that it is in. */
  table?: string;
  name: string;
  value: Node | null;
}

function* membersIn(node: Node, root: Node): Generator<Member> {
  const owner = node.childForFieldName("name")?.text ?? "";
  const body = node.childForFieldName("body")?.namedChildren ?? [];
  if (node.type === "enum_declaration") {
    for (const member of body) yield { owner, name: member.childForFieldName("name")?.text ?? "", value: member.childForFieldName("value") };
  } else if (node.type === "class_declaration") {
    for (const field of body) if (field.type === "public_field_definition" && /^[^=]*\bstatic\b/.test(field.text)) yield { owner, name: field.childForFieldName("name")?.text ?? "", value: field.childForFieldName("value") };
  } else if (node.type === "class_definition") {
    for (const { namedChildren: [assignment] } of body) {
      if (assignment?.type === "assignment") yield { owner, name: assignment.childForFieldName("left")?.text ?? "", value: assignment.childForFieldName("right") };
    }
  } else if (node.type === "lexical_declaration") {
    for (const declarator of node.namedChildren) {
      const [name, value] = [declarator.childForFieldName("name")?.text ?? "", declarator.childForFieldName("value")];
      const route = routeIn(value);
      if (route) yield* entriesIn(route, name, ROUTE);
      else yield* entriesIn(value, name);
    }
  } else if (node.type === "export_statement") {
    yield* exported(node.childForFieldName("value"), root);
  } else if (node.type === "expression_statement" && node.namedChildren[0]?.type === "assignment_expression") {
    const [left, right] = [node.namedChildren[0].childForFieldName("left")?.text ?? "", node.namedChildren[0].childForFieldName("right")];
    if (left === "module.exports") yield* exported(right, root);
    else if (/^(?:module\.)?exports\.\w+$/.test(left)) yield { owner: DEFAULT, name: left.split(".").at(-1)!, value: right };
  }
}

/** Hono: the object of `createRoute({ method: "get", path: "/x" })`. */
function routeIn(value: Node | null): Node | undefined {
  return value?.type === "call_expression" && value.childForFieldName("function")?.text === ROUTE ? value.childForFieldName("arguments")?.namedChildren[0] : undefined;
}

/** The entries of an object by its name, and of the objects in it by theirs. */
function* entriesIn(node: Node | null, owner: string, table = owner, depth = 0): Generator<Member> {
  let object = node;
  while (object && /^(?:as|satisfies)_expression$/.test(object.type)) object = object.namedChildren[0] ?? null;
  if (object?.type !== "object" || depth > MAX_DEPTH) return;
  for (const { name, node: value } of entriesOf(object)) {
    if (value.type === "object") yield* entriesIn(value, name, table, depth + 1);
    else yield { owner, name, value, table };
  }
}

/** The entries of what a file exports as a whole. */
function* exported(value: Node | null, root: Node): Generator<Member> {
  if (value?.type !== "identifier") yield* entriesIn(value, DEFAULT);
  else for (const declarator of root.namedChildren.filter(({ type }) => type === "lexical_declaration").flatMap((one) => one.namedChildren)) {
    if (declarator.childForFieldName("name")?.text === value.text) yield* entriesIn(declarator.childForFieldName("value"), DEFAULT);
  }
}
