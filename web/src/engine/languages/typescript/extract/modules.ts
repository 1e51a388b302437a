import { Op } from "../facts.ts";
import { classDeclaration, declaration, functionDeclaration } from "./declarations.ts";
import { expression } from "./expressions.ts";
import { noExports } from "./extraction.ts";
import type { Extraction } from "./extraction.ts";
import { decorator } from "./functions.ts";
import { stringValue } from "./names.ts";
import { Scope, Space } from "./scope.ts";
import { statements } from "./statements.ts";

/** Reads imports, exports and namespaces; false for any other node. */
export function moduleStatement(x: Extraction, node: number): boolean {
  const { syntax } = x;
  switch (syntax.kind(node)) {
    case "import_statement":
      x.facts.module ||= isOfFile(x);
      importStatement(x, node);
      return true;
    case "export_statement":
      x.facts.module ||= isOfFile(x);
      exportStatement(x, node);
      return true;
    case "import_alias":
      importAlias(x, node, false);
      return true;
    case "ambient_declaration":
      ambient(x, node, x.ambient);
      return true;
    case "internal_module":
    case "module":
      namespace(x, node, x.ambient, false);
      return true;
    case "expression_statement": {
      const inner = syntax.inner(node);
      if (syntax.kind(inner) !== "internal_module") return false;
      namespace(x, inner, x.ambient, false);
      return true;
    }
    default:
      return false;
  }
}

/** Whether what is read now stands in no namespace and no `declare module`: what these import and export makes no module of their file. */
function isOfFile(x: Extraction): boolean {
  return x.exports === x.facts.exports;
}

function importStatement(x: Extraction, node: number): void {
  const { syntax } = x;
  const bindName = (name: number, specifier: number, imported: string): void => {
    x.declare(x.scope, syntax.text(name), Space.Both, x.emit(Op.Import, 0, specifier, x.str(imported)));
  };
  const required = syntax.childOf(node, "import_require_clause");
  if (required !== 0) {
    const source = syntax.child(required, "source");
    bindName(syntax.childOf(required, "identifier"), x.specifier(stringValue(syntax.text(source)), node), "=");
    return;
  }
  const source = syntax.child(node, "source");
  if (source === 0) return;
  const specifier = x.specifier(stringValue(syntax.text(source)), node);
  const clause = syntax.childOf(node, "import_clause");
  if (clause === 0) return;
  for (const part of syntax.children(clause)) {
    switch (syntax.kind(part)) {
      case "identifier":
        bindName(part, specifier, "default");
        break;
      case "namespace_import":
        bindName(syntax.childOf(part, "identifier"), specifier, "*");
        break;
      case "named_imports":
        for (const item of syntax.children(part)) {
          if (syntax.kind(item) !== "import_specifier") continue;
          const name = syntax.child(item, "name");
          bindName(syntax.child(item, "alias") || name, specifier, exportName(x, name));
        }
    }
  }
}

/** Names of imports and exports may be string literals. */
function exportName(x: Extraction, node: number): string {
  const text = x.syntax.text(node);
  return x.syntax.kind(node) === "string" ? stringValue(text) : text;
}

function exportStatement(x: Extraction, node: number): void {
  const { syntax } = x;
  for (const child of syntax.children(node)) if (syntax.kind(child) === "decorator") decorator(x, child);
  const source = syntax.child(node, "source");
  const clause = syntax.childOf(node, "export_clause");
  if (source !== 0) {
    const specifier = x.specifier(stringValue(syntax.text(source)), node);
    const whole = syntax.childOf(node, "namespace_export");
    if (whole !== 0) x.exports.from.push([exportName(x, syntax.inner(whole)), specifier, "*"]);
    else if (clause === 0) x.exports.all.push(specifier);
    else for (const [name, exported, at] of exportClause(x, clause)) {
      x.exports.from.push([exported, specifier, name]);
      if (!isHandedOut(x, exported)) continue;
      const own = `export ${exported}`;
      x.declare(x.scope, own, Space.Value, x.emit(Op.Import, 0, specifier, x.str(name)));
      x.read(x.name(own), at);
    }
    return;
  }
  if (clause !== 0) {
    for (const [name, exported, at] of exportClause(x, clause)) {
      x.export(exported, name);
      if (isHandedOut(x, exported)) x.read(x.name(name), at);
    }
    return;
  }
  const declared = syntax.child(node, "declaration");
  if (declared !== 0) {
    exportDeclaration(x, declared, syntax.has(node, "default"));
    return;
  }
  const value = syntax.child(node, "value");
  if (value !== 0 && syntax.has(node, "default")) {
    defaultExport(x, value);
    return;
  }
  if (syntax.has(node, "=")) x.exports.equals = expression(x, syntax.inner(node));
}

/** Whether what a file exports by a name is a handler for Next.js: to export it uses it. */
function isHandedOut(x: Extraction, exported: string): boolean {
  return isOfFile(x) && /(?:^|\/)app\/(?:.*\/)?route\.[jt]sx?$/.test(x.path) && /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(exported);
}

function exportClause(x: Extraction, clause: number): [name: string, exported: string, at: number][] {
  const { syntax } = x;
  return syntax.children(clause).filter((c) => syntax.kind(c) === "export_specifier").map((c) => {
    const name = syntax.child(c, "name");
    return [exportName(x, name), exportName(x, syntax.child(c, "alias") || name), c];
  });
}

function exportDeclaration(x: Extraction, node: number, isDefault: boolean): void {
  const { syntax } = x;
  switch (syntax.kind(node)) {
    case "ambient_declaration":
      ambient(x, node, true);
      return;
    case "internal_module":
    case "module":
      namespace(x, node, true, false);
      return;
    case "import_alias":
      importAlias(x, node, true);
      return;
  }
  if (isDefault) {
    const named = syntax.child(node, "name");
    const name = named === 0 ? "default" : syntax.text(named);
    const kind = syntax.kind(node);
    if (kind.includes("function")) functionDeclaration(x, node, false, "default");
    else if (kind.includes("class")) classDeclaration(x, node, false, "default");
    else declaration(x, node, false);
    x.export("default", name);
    return;
  }
  declaration(x, node, true);
}

/** `export default` of an expression, or of a function or class without a name. */
function defaultExport(x: Extraction, value: number): void {
  const { syntax } = x;
  const kind = syntax.kind(value);
  const previous = x.objectOwner;
  if (kind === "identifier") {
    x.export("default", syntax.text(value));
    x.reference(x.name(syntax.text(value)), value);
    return;
  }
  if (kind === "function_expression" || kind === "generator_function" || kind === "arrow_function") functionDeclaration(x, value, false, "default");
  else if (kind === "class") classDeclaration(x, value, false, "default");
  else {
    x.objectOwner = "default";
    x.declare(x.scope, "default", Space.Value, x.emit(Op.Variable, 0, 0, expression(x, value), -1, 1));
    x.objectOwner = previous;
  }
  const named = syntax.child(value, "name");
  x.export("default", named !== 0 && kind !== "arrow_function" && (kind === "class" || kind.includes("function")) ? syntax.text(named) : "default");
}

function importAlias(x: Extraction, node: number, exported: boolean): void {
  const { syntax } = x;
  const named = syntax.childOf(node, "identifier");
  const name = syntax.text(named);
  const entity = expression(x, syntax.children(node).at(-1) ?? 0);
  x.declare(x.scope, name, Space.Both, x.emit(Op.ImportAlias, 0, entity));
  if (exported) x.export(name, name);
}

/** `declare ...`; inside `declare module` and `declare global` everything is exported. */
function ambient(x: Extraction, node: number, exported: boolean): void {
  const { syntax } = x;
  if (syntax.has(node, "global")) {
    const outer = x.scope;
    x.scope = new Scope(outer, true);
    statements(x, syntax.childOf(node, "statement_block"));
    for (const [name, { binding }] of x.scope.all()) x.facts.globals.push([name, binding]);
    x.scope = outer;
    return;
  }
  for (const child of syntax.children(node)) {
    const kind = syntax.kind(child);
    if (kind === "internal_module" || kind === "module") {
      // The token `module` has no children, the node has.
      if (syntax.next(child) > child + 1) namespace(x, child, exported, true);
    } else declaration(x, child, exported);
  }
}

function namespace(x: Extraction, node: number, exported: boolean, isAmbient: boolean): void {
  const { syntax } = x;
  const named = syntax.child(node, "name");
  const body = syntax.child(node, "body");
  const isModule = syntax.kind(named) === "string";
  const path = isModule ? [stringValue(syntax.text(named))] : syntax.text(named).split(".").map((part) => part.trim());
  const outer = { scope: x.scope, exports: x.exports, ambient: x.ambient };
  path.forEach((name, i) => {
    const table = noExports();
    const index = x.facts.namespaces.push({ symbol: -1, exports: table }) - 1;
    if (isModule) x.facts.ambient.push([name, index]);
    else {
      x.declare(x.scope, name, Space.Both, x.emit(Op.Namespace, 0, index));
      if (i > 0 || exported) x.export(name, name);
    }
    x.exports = table;
    x.scope = new Scope(x.scope, true);
  });
  x.ambient = isAmbient || outer.ambient;
  if (body !== 0) statements(x, body);
  Object.assign(x, outer);
}
