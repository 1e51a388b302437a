import type { SymbolKind } from "../../facts.ts";
import { declared, qualified, templateParameters, typeOf, valuesIn } from "./declarators.ts";
import { visit } from "./expressions.ts";
import { declarations } from "./extract.ts";
import { Flag, Op, type TypeFact } from "./facts.ts";
import type { Unit } from "./unit.ts";

export const TYPES: Record<string, SymbolKind> = { struct_specifier: "Struct", union_specifier: "Struct", class_specifier: "Class", enum_specifier: "Enum" };

/** A struct, class, union or enum: with its body it is declared. `named` gives a name to one that has none (a typedef's). */
export function typeDeclaration(u: Unit, node: number, whole: number, named?: { name: string; at: number }): TypeFact | undefined {
  const { syntax } = u;
  const body = syntax.part(node, "body");
  if (!body) return undefined;
  const at = syntax.part(node, "name") || named?.at || 0;
  const path = syntax.part(node, "name") ? qualified(u, syntax.part(node, "name")).name : (named?.name ?? "");
  const name = path.slice(path.lastIndexOf("::") + 1).replace(/^:/, "");
  const kind = syntax.kind(node);
  const owner = u.owningClass() || path.slice(0, Math.max(0, path.lastIndexOf("::"))).replace(/^.*::/, "");
  const symbol = at ? u.symbol({ kind: TYPES[kind]!, name, at, whole, body, owner, exported: !u.isHidden() && !u.inBody }) : -1;
  const fact: TypeFact = { name, symbol, scope: u.scope, inner: 0, bases: [], parameters: kind === "enum_specifier" ? [] : u.templates, ...(kind === "union_specifier" ? { union: true } : {}) };
  u.types.push(fact);
  const clause = syntax.child(node, "base_class_clause");
  for (const base of clause ? syntax.children(clause) : []) {
    const type = typeOf(u, base);
    if (type) fact.bases.push({ type, line: syntax.line(base) });
  }
  const { inBody, templates, access, scope, deleted } = u;
  // In C what a struct declares is no member of it.
  if (!u.cpp) fact.scope = u.scope = 0;
  u.templates = [];
  u.inBody = false;
  u.deleted = [];
  u.access = kind === "class_specifier" ? "private" : "public";
  u.inSymbol(symbol, () => {
    templateParameters(u);
    if (kind === "enum_specifier") {
      enumerators(u, node, body, fact);
      return;
    }
    const inside = (): void => {
      fact.inner = u.within("class", name, () => declarations(u, body));
    };
    // `class Outer::Inner { … };`
    const cut = path.lastIndexOf("::");
    if (cut > 0) u.within("member", path.slice(0, cut), inside);
    else inside();
  });
  if (u.deleted.length > 0) fact.deleted = [...new Set(u.deleted)].filter((one) => one === name ? !inheritsConstructors(u, fact) : one === `~${name}`);
  Object.assign(u, { inBody, templates, access, scope, deleted });
  return fact;
}

/** `using Base::Base;` */
function inheritsConstructors(u: Unit, { inner }: TypeFact): boolean {
  return u.scopes[inner]!.names.some(([name, path]) => path.endsWith(`${name}::${name}`));
}

/** What a type is called where it is declared: one without a name by its scope. */
export function typeNameOf({ name, inner }: TypeFact): string {
  return name === "" && inner > 0 ? `#${inner}` : name;
}

/** The members of an enum: those of one with a scope are named by it. */
function enumerators(u: Unit, node: number, body: number, { name, symbol }: TypeFact): void {
  const { syntax } = u;
  const type = name === "" ? u.named("int") : u.named(name);
  const isScoped = /^enum\s+(?:class|struct)\b/.test(syntax.text(node).slice(0, 100));
  for (const child of syntax.children(body)) {
    const at = syntax.kind(child) === "enumerator" ? syntax.part(child, "name") : 0;
    if (!at) {
      // A macro that gives members: `ERRORS(MEMBER)`.
      for (const part of syntax.children(child)) if (syntax.kind(part) === "identifier") u.use(u.emit(Op.Passed, u.name(syntax.text(part))), part);
      continue;
    }
    const member = u.symbol({ kind: "Variable", name: syntax.text(at), at, whole: child, body: 0, owner: symbol < 0 ? "" : name, exported: !u.isHidden() });
    u.variables.push({ name: syntax.text(at), qualifier: isScoped ? name : "", scope: u.scope, symbol: member, type, initialiser: 0, local: u.isHidden(), declared: false, shared: true });
    const value = syntax.part(child, "value");
    if (value) u.inSymbol(member, () => visit(u, value));
  }
}

export function typedef(u: Unit, node: number): void {
  const { syntax } = u;
  const type = syntax.part(node, "type");
  const declarators = syntax.children(node).filter((child) => syntax.field(child) === "declarator").map((child) => ({ ...declared(u, child), child }));
  const plain = declarators.find(({ at, flags, pointed, function: f }) => at > 0 && flags === 0 && !pointed && !f);
  const own = type && TYPES[syntax.kind(type)] ? typeDeclaration(u, type, syntax.part(type, "name") ? type : node, plain) : undefined;
  for (const what of declarators) {
    if (!what.at || what.name === own?.name || (own === undefined && type > 0 && what.flags === 0 && isTagOf(u, type, what.name))) continue;
    const flags = what.flags | (what.function ? Flag.Function : 0);
    const at = own ? u.named(typeNameOf(own), flags) : typeOf(u, type, flags);
    const symbol = u.symbol({ kind: "TypeAlias", name: what.name, at: what.at, whole: node, body: own ? syntax.part(type, "body") : 0, owner: u.owningClass(), exported: !u.isHidden() && !u.inBody });
    u.aliases.push({ name: what.name, symbol, scope: u.scope, type: at });
    u.inSymbol(symbol, () => {
      for (const value of valuesIn(u, what.child)) visit(u, value);
    });
  }
}

/** `typedef struct foo foo;` */
function isTagOf(u: Unit, type: number, name: string): boolean {
  const tag = TYPES[u.syntax.kind(type)] ? u.syntax.part(type, "name") : 0;
  return tag > 0 && u.syntax.text(tag) === name;
}

export function alias(u: Unit, node: number): void {
  const { syntax } = u;
  const at = syntax.part(node, "name");
  if (!at) return;
  const name = syntax.text(at);
  const symbol = u.symbol({ kind: "TypeAlias", name, at, whole: node, body: 0, owner: u.owningClass(), exported: !u.isHidden() && !u.inBody });
  u.aliases.push({ name, symbol, scope: u.scope, type: typeOf(u, syntax.part(node, "type")) });
}
