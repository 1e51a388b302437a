import { type MemberFact, type Offset, Op, type TypeFact } from "../classes/facts.ts";
import { newMember, type Unit } from "../classes/unit.ts";
import { expression } from "./expressions.ts";
import { headStart } from "./extract.ts";
import { accessors, entryOf, provided, relation, subscribed } from "./frameworks.ts";
import { givenType, givenValues, leavesOpen } from "./given.ts";
import { parameters, signature } from "./signatures.ts";
import { attributes, visit } from "./statements.ts";
import { type Doc, saidType, typeOf } from "./types.ts";

/** `later`: what is done when all members are read. */
export function memberOf(u: Unit, node: number, type: TypeFact, doc: Doc, later: (() => void)[]): void {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "use_declaration":
      for (const child of syntax.children(node)) {
        const inner = u.within;
        u.within = type.outer;
        const record = typeOf(u, child);
        u.within = inner;
        if (record) type.supers.push({ type: record, how: "mixes", line: syntax.line(child) });
        if (syntax.kind(child) === "use_list") aliases(u, child, type);
      }
      break;
    case "property_declaration": {
      attributes(u, syntax.part(node, "attributes"));
      const native = typeOf(u, syntax.part(node, "type"));
      let said = 0;
      for (const element of syntax.children(node)) {
        if (syntax.kind(element) === "property_hook_list") hooks(u, element, said);
        if (syntax.kind(element) !== "property_element") continue;
        const name = syntax.part(element, "name");
        // `@var Foo` or `@var Foo $x`
        said = saidType(u, native, doc.variable || (name ? doc.named.get(syntax.text(name)) : undefined) || "");
        const value = syntax.part(element, "default_value");
        const plain = name ? syntax.text(name).slice(1) : "";
        if (name && syntax.child(node, "static_modifier")) type.members.push({ ...variable(u, name, plain, node, type), type: said });
        else if (name) field(type, plain, said);
        const given = value ? expression(u, value) : 0;
        if (u.code[given] === Op.Several) type.members.at(-1)!.initialiser = given;
        u.store(u.select(u.emit(Op.Self, u.within), plain), given);
      }
      break;
    }
    case "const_declaration":
      attributes(u, syntax.part(node, "attributes"));
      for (const element of syntax.children(node)) {
        const [name, value] = syntax.children(element);
        if (syntax.kind(element) !== "const_element" || name === undefined || value === undefined) continue;
        const given = expression(u, value);
        type.members.push({ ...variable(u, name, constant(syntax.text(name)), node, type), initialiser: given });
        u.store(u.select(u.emit(Op.Self, u.within), constant(syntax.text(name))), given);
      }
      break;
    case "enum_case": {
      attributes(u, syntax.part(node, "attributes"));
      const name = syntax.part(node, "name");
      const value = syntax.children(node).at(-1);
      if (name && value !== undefined && value !== name) expression(u, value);
      if (name) type.members.push({ ...variable(u, name, constant(syntax.text(name)), node, type), type: u.named(type.name) });
      break;
    }
    case "method_declaration":
      method(u, node, type, doc, later);
      break;
    case "ERROR":
      for (const child of syntax.children(node)) memberOf(u, child, type, doc, later);
      break;
    default:
  }
}

/** `{ get => …; set(Foo $value) { … } }`: what it runs belongs to the class. */
function hooks(u: Unit, list: number, type: Offset): void {
  const { syntax } = u;
  for (const hook of syntax.children(list)) {
    const body = syntax.part(hook, "body");
    if (!body) continue;
    u.apart(() => {
      u.variable("$value", type, 0);
      for (const { name, type: at } of parameters(u, syntax.part(hook, "parameters"), undefined).names) u.variable(name, at || type, 0);
      visit(u, body);
    });
  }
}

/** A constant or static property, as a member called `member` and a symbol. */
function variable(u: Unit, name: number, member: string, node: number, type: TypeFact): MemberFact {
  if (type.symbol < 0) return newMember(member, "field", -1);
  const { syntax } = u;
  const visibility = syntax.child(node, "visibility_modifier");
  const exported = !visibility || syntax.text(visibility) === "public";
  const symbol = u.symbol({ kind: "Variable", name, whole: node, body: 0, owner: type.name, exported });
  return { ...newMember(member, "field", symbol), variable: true };
}

/** Constants and properties have names apart. */
export function constant(name: string): string {
  return `::${name}`;
}

/** What names of methods mean of the traits that a class uses: `T::m as n;`, `m as n;`, `T::m insteadof U, V;`. */
function aliases(u: Unit, list: number, type: TypeFact): void {
  const { syntax } = u;
  for (const clause of syntax.children(list)) {
    const [, trait, of, word, rest] = /^(?:([\w\\]+)\s*::\s*)?(\w+)\s+(as|insteadof)\s+([\w\\,\s]+)/i.exec(syntax.text(clause)) ?? [];
    if (of === undefined || word === undefined || rest === undefined) continue;
    if (/^insteadof$/i.test(word)) (type.aliases ??= []).push({ name: of, of, not: rest.split(",").map(simpleName) });
    const name = /^(?:(?:public|protected|private)\s+)?(\w+)\s*$/i.exec(rest)?.[1];
    const isName = /^as$/i.test(word) && name !== undefined && !/^(?:public|protected|private)$/i.test(name);
    if (isName) (type.aliases ??= []).push({ name, of, ...(trait === undefined ? {} : { in: simpleName(trait) }) });
  }
}

/** The name of a class without its namespace. */
function simpleName(written: string): string {
  return written.slice(written.lastIndexOf("\\") + 1).trim();
}

export function field(type: TypeFact, name: string, at: Offset): void {
  type.members.push({ ...newMember(name, "field", -1), type: at });
}

/** `$this->name = value` in a class's code: what a property without a type is. */
export function assigned(u: Unit, name: string, value: Offset): void {
  const type = u.within >= 0 ? u.types[u.within] : undefined;
  if (!type || value === 0) return;
  const known = type.members.find((member) => member.kind === "field" && member.name === name);
  if (!known) {
    // What is not declared here may be declared above, or answered for.
    type.members.push({ ...newMember(name, "field", -1), initialiser: value, ...(type.supers.length > 0 || u.answering.has(u.within) ? { said: true } : {}) });
  } else if (known.type === 0) known.initialiser = known.initialiser ? u.emit(Op.Either, 2, known.initialiser, value) : value;
}

function method(u: Unit, node: number, type: TypeFact, doc: Doc, later: (() => void)[]): void {
  const { syntax } = u;
  const name = syntax.part(node, "name");
  if (!name) return;
  const text = syntax.text(name);
  const body = syntax.part(node, "body");
  const constructor = text.toLowerCase() === "__construct";
  const visibility = syntax.child(node, "visibility_modifier");
  const symbol = type.symbol < 0 ? -1 : u.symbol({
    kind: "Method", name, whole: node, body, head: headStart(u, node), owner: type.name,
    exported: !visibility || /^public$/i.test(syntax.text(visibility)), entry: entryOf(u, node, text, type, doc),
  });
  const fact = { ...newMember(text, constructor ? "constructor" : "method", symbol), ...u.around(symbol) };
  fact.abstract = !body;
  if (body && !constructor && !/^private$/i.test(visibility ? syntax.text(visibility) : "") && !syntax.child(node, "final_modifier")) fact.virtual = true;
  // A constructor can be called by its name, too: `parent::__construct()`.
  type.members.push(fact, ...(constructor ? [{ ...fact, kind: "method" as const }] : []));
  u.inSymbol(symbol, () => {
    u.apart(() => {
      signature(u, node, fact, doc, type);
      const related = body && !constructor ? relation(u, type, text, symbol, body) : 0;
      accessors(u, type, fact);
      if (related) fact.type = related;
      if (constructor) Object.assign(type.members.find((member) => member.kind === "method" && member.name === text)!, { ...fact, kind: "method" });
      const list = syntax.part(node, "attributes");
      provided(u, doc, list ? syntax.text(list) : "", name);
      if (body && /^(?:getSubscribedEvents|subscribe)$/.test(text)) subscribed(u, body);
      if (body) visit(u, body);
      const { given, yields } = u;
      // What the properties hold is known when all methods are read.
      if (body && !constructor && leavesOpen(u, fact.type)) {
        later.push(() => {
          fact.type = givenType(u, { given, yields }, fact.type, type) || fact.type;
          if (fact.type === 0) fact.initialiser = givenValues(u, { given, yields });
        });
      }
    });
  });
}
