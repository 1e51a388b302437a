import ts from "typescript";

/** Which file imports which: imports, re-exports, require, import() and import types. */
export function importsOf(project) {
  const imports = new Map();
  for (const source of project.sources) {
    const from = project.relative(source.fileName);
    const add = (specifier, names = []) => {
      const module = project.resolve(specifier, source.fileName);
      if (!module) return;
      const to = project.relative(module.resolvedFileName);
      if (to.startsWith("..") || /(^|\/)node_modules\//.test(to)) return;
      const key = `${from}|${to}`;
      const edge = imports.get(key) ?? { from, to, ...(project.scope.has(to) ? {} : { asset: true }), mayAlso: [] };
      imports.set(key, edge);
      for (const name of names) for (const file of declaringFiles(project, name)) if (file !== to && !edge.mayAlso.includes(file)) edge.mayAlso.push(file);
    };
    const visit = (node) => {
      if (ts.isImportDeclaration(node)) {
        const { name, namedBindings } = node.importClause ?? {};
        const elements = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements.map((e) => e.name) : [];
        add(node.moduleSpecifier.text, name ? [name, ...elements] : elements);
      } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
        add(node.moduleSpecifier.text, node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements.map((e) => e.name) : []);
      } else if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference) && ts.isStringLiteral(node.moduleReference.expression)) {
        add(node.moduleReference.expression.text);
      } else if (ts.isCallExpression(node) && node.arguments[0] && ts.isStringLiteralLike(node.arguments[0])) {
        const { expression } = node;
        if (expression.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(expression) && expression.text === "require")) add(node.arguments[0].text);
      } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
        add(node.argument.literal.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...imports.values()];
}

function declaringFiles(project, name) {
  let symbol = project.checker.getSymbolAtLocation(name);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = project.checker.getAliasedSymbol(symbol);
  return (symbol?.declarations ?? []).map((d) => project.relative(d.getSourceFile().fileName)).filter((file) => project.scope.has(file));
}
