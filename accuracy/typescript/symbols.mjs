import ts from "typescript";
import { assignedName, bare, className, functionAssignment, isFunctionLike, isFunctionValue, memberNode, Names, textOf } from "./names.mjs";

/** What is declared, and which type extends or implements which. */
export class Symbols {
  list = [];
  extends = [];
  implements = [];
  #names;
  #seen = new Set();
  /** Classes and interfaces below a type, by the type's symbol. */
  #below = new Map();

  constructor(project) {
    this.project = project;
    this.#names = new Names(project);
  }

  read(source) {
    const visit = (node, local) => {
      this.#declared(node, local);
      ts.forEachChild(node, (child) => visit(child, local || isFunctionLike(node)));
    };
    ts.forEachChild(source, (child) => visit(child, false));
  }

  /** The symbol that an alias stands for in the end. */
  real(symbol) {
    for (let hops = 0; symbol && symbol.flags & ts.SymbolFlags.Alias && hops < 20; hops++) {
      const next = this.project.checker.getAliasedSymbol(symbol);
      if (!next || next === symbol) break;
      symbol = next;
    }
    return symbol;
  }

  /** Members of the same name in the classes and interfaces below that of a member. */
  overriding(member) {
    const holder = member.parent;
    if (!holder || !(ts.isClassLike(holder) || ts.isInterfaceDeclaration(holder)) || !holder.name) return [];
    const symbol = this.project.checker.getSymbolAtLocation(holder.name);
    const name = textOf(member.name);
    return [...this.#descendants(symbol, new Set())].flatMap((type) =>
      type.members.filter((m) => m.name && textOf(m.name) === name).map((m) => this.#names.of(m)).filter(Boolean));
  }

  #descendants(symbol, found) {
    for (const type of this.#below.get(symbol) ?? []) {
      if (found.has(type)) continue;
      found.add(type);
      const own = type.name && this.project.checker.getSymbolAtLocation(type.name);
      if (own) this.#descendants(own, found);
    }
    return found;
  }

  #add(name, kind, at, node, { owner, local, abstract }) {
    if (!name) return;
    const source = node.getSourceFile();
    const symbol = {
      name, kind, file: this.project.relative(source.fileName), line: this.#names.line(at), endLine: source.getLineAndCharacterOfPosition(node.end).line + 1,
      ...(owner ? { owner } : {}), ...(local ? { local } : {}), ...(abstract ? { abstract } : {}),
    };
    const key = [symbol.file, symbol.line, name, kind].join("|");
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.list.push(symbol);
  }

  #declared(node, local) {
    if (ts.isFunctionDeclaration(node)) {
      // A default export without a name has none to be found by.
      this.#add(node.name?.text ?? "default", "function", node.name ?? node, node, { local, abstract: !node.name });
    } else if (ts.isClassLike(node)) {
      const name = className(node);
      this.#add(name, "class", node.name ?? node, node, { local });
      for (const member of node.members) this.#classMember(member, name, local);
      this.#heritage(node);
    } else if (ts.isInterfaceDeclaration(node)) {
      this.#add(node.name.text, "interface", node.name, node, { local });
      this.#signatures(node.members, { owner: node.name.text, local });
      this.#heritage(node);
    } else if (ts.isTypeAliasDeclaration(node)) this.#add(node.name.text, "type", node.name, node, { local });
    else if (ts.isEnumDeclaration(node)) this.#add(node.name.text, "enum", node.name, node, { local });
    else if (ts.isModuleDeclaration(node)) this.#add(textOf(node.name), "namespace", node.name, node, { local });
    else if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && !ts.isCatchClause(node.parent)) {
      const value = bare(node.initializer);
      if (isFunctionValue(value)) this.#add(node.name.text, "function", node.name, node, { local });
      else if (!(value && ts.isClassExpression(value))) this.#add(node.name.text, "variable", node.name, node, { local });
    } else if (ts.isObjectLiteralExpression(node)) {
      for (const member of node.properties) {
        if (ts.isMethodDeclaration(member) || ts.isAccessor(member) || (ts.isPropertyAssignment(member) && isFunctionValue(bare(member.initializer)))) {
          this.#add(textOf(member.name), "method", member.name, member, { local: true });
        }
      }
    } else if (ts.isTypeLiteralNode(node)) this.#signatures(node.members, { local: true });
    else if (ts.isBinaryExpression(node) && functionAssignment(node) && !ts.isClassExpression(bare(node.right))) {
      this.#add(assignedName(node), "method", memberNode(node.left), node, { owner: this.#names.of(node)?.owner, local: true });
    }
  }

  #classMember(member, owner, local) {
    if (ts.isMethodDeclaration(member)) this.#add(textOf(member.name), "method", member.name, member, { owner, local, abstract: !member.body });
    else if (ts.isAccessor(member)) this.#add(textOf(member.name), "accessor", member.name, member, { owner, local });
    else if (ts.isConstructorDeclaration(member)) this.#add("constructor", "constructor", member, member, { owner, local });
    else if (ts.isPropertyDeclaration(member)) {
      this.#add(textOf(member.name), isFunctionValue(bare(member.initializer)) ? "method" : "property", member.name, member, { owner, local });
    }
  }

  #signatures(members, where) {
    for (const member of members) {
      if (member.name) this.#add(textOf(member.name), ts.isMethodSignature(member) ? "method" : "property", member.name, member, { ...where, abstract: true });
    }
  }

  /** What a class or interface extends: what the expression names, or the class that it holds. */
  extended(expression) {
    const { checker } = this.project;
    const symbol = this.real(checker.getSymbolAtLocation(ts.isPropertyAccessExpression(expression) ? expression.name : expression));
    if (!symbol || symbol.declarations?.some(isType)) return symbol;
    // `class Menu extends Overlay.Popover`, where Popover is a static property.
    return this.real(checker.getTypeAtLocation(expression).symbol);
  }

  #heritage(node) {
    const from = this.#names.of(node);
    if (!from) return;
    for (const clause of node.heritageClauses ?? []) {
      const list = clause.token === ts.SyntaxKind.ImplementsKeyword ? this.implements : this.extends;
      for (const { expression } of clause.types) {
        const symbol = this.extended(expression);
        const declaration = symbol?.declarations?.find((d) => isType(d) && this.#names.of(d));
        if (!declaration) continue;
        list.push({ from, to: this.#names.of(declaration) });
        this.#below.set(symbol, [...(this.#below.get(symbol) ?? []), node]);
      }
    }
  }
}

const isType = (d) => ts.isClassLike(d) || ts.isInterfaceDeclaration(d) || ts.isTypeAliasDeclaration(d) || ts.isVariableDeclaration(d);
