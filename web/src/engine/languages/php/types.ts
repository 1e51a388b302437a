import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";

/** A name as it is written, dotted: `\A\B` begins with a dot; `namespace\B` is made whole. */
export function nameOf(u: Unit, node: number): string {
  const text = u.syntax.text(node).replace(/\s+/g, "");
  if (/^namespace\\/i.test(text)) {
    const scope = scopeOf(u);
    return `.${scope === "" ? "" : `${scope}.`}${text.slice(10).replaceAll("\\", ".")}`;
  }
  return text.replaceAll("\\", ".");
}

/** The namespace that is open. */
export function scopeOf(u: Unit): string {
  let at = u.within;
  while (at >= 0) at = u.types[at]!.outer;
  return u.scopes[-1 - at]!.namespace;
}

/** Records a class by its name, `self`, `static` and `parent` among them. */
export function classNamed(u: Unit, name: string): Offset {
  switch (name.toLowerCase()) {
    case "self":
    case "static":
    case "$this":
      return u.emit(Op.Self, u.within);
    case "parent":
      return u.emit(Op.Super, u.within);
    default:
      return u.named(name);
  }
}

/** Records a declared type; 0 for none. */
export function typeOf(u: Unit, node: number): Offset {
  const { syntax } = u;
  if (node === 0) return 0;
  switch (syntax.kind(node)) {
    case "named_type":
    case "optional_type": {
      const [inner] = syntax.children(node);
      return inner === undefined ? 0 : typeOf(u, inner);
    }
    case "name":
    case "qualified_name":
    case "relative_name":
      return classNamed(u, nameOf(u, node));
    case "primitive_type":
      return /^(?:null|void|never|mixed|false)$/i.test(syntax.text(node)) ? 0 : u.named(`.${syntax.text(node).toLowerCase()}`);
    case "union_type":
    case "intersection_type":
    case "disjunctive_normal_form_type":
    case "type_list": {
      const terms = syntax.children(node).map((term) => typeOf(u, term)).filter((term) => term > 0);
      return terms.length < 2 ? (terms[0] ?? 0) : u.emit(Op.Union, terms.length, ...terms);
    }
    default:
      return 0;
  }
}

/** What is declared and what a comment says: a vague type gives way to the comment, another one to a class that is named there. */
export function saidType(u: Unit, native: Offset, text: string): Offset {
  if (text === "") return native;
  if (isVague(u, native) || /^\s*class-string</i.test(text)) return docType(u, text) || native;
  const named = /^\??\\?(?:\w+\\)*(\w+)(?:<.*>)?(?:\|null)?$/s.exec(text.trim())?.[1];
  const declared = u.code[native] === Op.Named ? u.stringAt(u.code[native + 1]!) : undefined;
  if (named === undefined || declared === undefined || declared.slice(declared.lastIndexOf(".") + 1) === named) return native;
  const said = docType(u, text);
  return u.code[said] === Op.Named || u.code[said] === Op.Parameter ? u.emit(Op.Said, said, native) : native;
}

/** A declared type that a doc comment may say more about. */
export function isVague(u: Unit, type: Offset): boolean {
  if (type === 0) return true;
  if (u.code[type] !== Op.Named) return false;
  return /^(?:\.?(?:array|iterable|object|callable)|(?:.*\.)?(?:Traversable|Iterator|IteratorAggregate|Generator|Collection|ArrayAccess))$/.test(u.stringAt(u.code[type + 1]!));
}

const MAX_DOC_TYPE = 300;

/** Records a type as doc comments write it: `Foo[]|null`, `array<string, Foo>`, `?Foo`, `static`. */
export function docType(u: Unit, text: string): Offset {
  if (text.length > MAX_DOC_TYPE) return 0;
  const terms = split(text.trim().replace(/^\?/, ""), /[|&]/).map((term) => docTerm(u, term.trim())).filter((term) => term > 0);
  return terms.length < 2 ? (terms[0] ?? 0) : u.emit(Op.Union, terms.length, ...terms);
}

function docTerm(u: Unit, text: string): Offset {
  if (/^\(.*\)$/.test(text)) return docType(u, text.slice(1, -1));
  if (text.endsWith("[]")) return u.emit(Op.Array, docType(u, text.slice(0, -2)));
  const generic = /^([\\\w-]+)<(.*)>$/s.exec(text);
  if (generic) {
    const args = split(generic[2]!, /,/).map((argument) => docType(u, argument));
    const name = generic[1]!;
    if (/^(?:non-empty-)?(?:array|list)$/i.test(name)) return u.emit(Op.Array, args.at(-1) ?? 0);
    return /^class-string$/i.test(name) ? u.named(CLASS_STRING, args) : u.named(name.replaceAll("\\", "."), args);
  }
  if (!/^\$?[\\\w]+$/.test(text) || /^(?:null|void|mixed|never|false|true|resource|scalar|numeric)$/i.test(text)) return 0;
  if (/^(?:int|integer|string|bool|boolean|float|double|array|iterable|callable|object)$/i.test(text)) return u.named(`.${text.toLowerCase()}`);
  return classNamed(u, text.replaceAll("\\", "."));
}

/** Splits at what is in no brackets. */
function split(text: string, at: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if ("<({[".includes(c)) depth++;
    else if (">)}]".includes(c)) depth--;
    else if (depth === 0 && at.test(c)) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, text.slice(from)];
}

/** The type of a class's name as a text, with the class as its argument. */
export const CLASS_STRING = ".class-string";

/** What a doc comment says: the types behind its tags, as they are written. */
export interface Doc {
  returns: string;
  /** Of a property, or of the variable that comes next. */
  variable: string;
  /** With the `$`. */
  named: Map<string, string>;
  /** Those that a class answers by `__get`, with the `$`. */
  properties: Map<string, string>;
  /** What methods give that a class answers by `__call`. */
  methods: Map<string, string>;
  tags: Set<string>;
  /** The methods that give a test its arguments (PHPUnit). */
  providers: string[];
  /** Type parameters, and what they are at least, "" if that is not said. */
  templates: [name: string, bound: string][];
}

const TAG = /@(?:phpstan-|psalm-)?(param|property(?:-read|-write)?|method|return|var|template|test|Route|dataProvider)\b\s*([^\r\n]*)/g;

/** `static Foo name(…)`: the type and the name. */
const METHOD = /^(?:static\s+(?=\S+\s+\w+\s*\())?(?:([^\s(]+)\s+)?(\w+)\s*\(/;

export function readDoc(text: string): Doc {
  const doc: Doc = { returns: "", variable: "", named: new Map(), properties: new Map(), methods: new Map(), tags: new Set(), providers: [], templates: [] };
  if (!/^\/\*(?:\*|\s*@var\b)/.test(text)) return doc;
  for (const [, tag = "", rest = ""] of text.matchAll(TAG)) {
    doc.tags.add(tag);
    if (tag === "dataProvider") doc.providers.push(/^\w*/.exec(rest)![0]);
    if (tag === "method") {
      const [, type, name] = METHOD.exec(rest) ?? [];
      if (name !== undefined) doc.methods.set(name, type ?? "");
      continue;
    }
    // `@var $x Foo`
    const [, first, behind = rest] = (tag === "var" ? /^(\$\w+)\s+(?=[\\\p{Lu}])(.*)/u.exec(rest) : null) ?? [];
    const type = typeText(behind);
    const name = first ?? /^\s*(?:&|\.\.\.)*(\$\w+)/.exec(rest.slice(type.length))?.[1];
    if (tag === "template") doc.templates.push([type, /^\s+of\s+(\S+)/.exec(rest.slice(type.length))?.[1] ?? ""]);
    else if (tag === "return") doc.returns = type;
    else if (tag === "var" && !name) doc.variable = type;
    else if (name) (tag.startsWith("property") ? doc.properties : doc.named).set(name, type);
  }
  return doc;
}

/** The type at the beginning of a text: up to a space that is in no brackets. */
function typeText(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if ("<({[".includes(c)) depth++;
    else if (">)}]".includes(c)) depth--;
    else if (depth <= 0 && /\s/.test(c)) return text.slice(0, i);
  }
  return text.replace(/\*\/$/, "");
}
