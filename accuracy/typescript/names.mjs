import ts from "typescript";

export const isFunctionValue = (node) => node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

/** A node with a body that runs when it is called. */
export const isFunctionLike = (node) =>
  ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isConstructorDeclaration(node) || ts.isAccessor(node) || isFunctionValue(node);

/** An expression without parentheses, casts and the like. */
export function bare(node) {
  while (node && (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)
    || ts.isNonNullExpression(node) || ts.isTypeAssertionExpression(node))) node = node.expression;
  return node;
}

/** What an expression is the value of: its parent, without parentheses, casts and the like. */
export function holderOf(node) {
  let { parent } = node;
  while (bare(parent) !== parent) parent = parent.parent;
  return parent;
}

export function textOf(name) {
  if (!name) return undefined;
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) ? keyText(name.expression) : undefined;
}

/** What a member goes by whose name a key in brackets says: the text of a string, `[kClose]` for a constant. */
export function keyText(key) {
  if (ts.isStringLiteral(key)) return key.text;
  return ts.isEntityNameExpression(key) ? `[${key.getText()}]` : undefined;
}

/** The assignment `a.b = function () {}` or `a[kClose] = function () {}` that a node is, or whose left side it is. */
export function functionAssignment(node) {
  const assignment = ts.isBinaryExpression(node) ? node : node.parent;
  if (!assignment || !ts.isBinaryExpression(assignment) || assignment.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return undefined;
  if (node !== assignment && node !== assignment.left) return undefined;
  const value = bare(assignment.right);
  return memberText(assignment.left) !== undefined && (isFunctionValue(value) || (value && ts.isClassExpression(value))) ? assignment : undefined;
}

/** The name of the member that an expression is, undefined for what is none or chosen at run time. */
function memberText(node) {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isElementAccessExpression(node) ? keyText(node.argumentExpression) : undefined;
}

/** Where the name of an assigned member stands. */
export const memberNode = (left) => left.name ?? left.argumentExpression;

/** The module's variable that an object literal is the value of, or an argument of the calls that give it. */
function variableOf(literal) {
  let holder = holderOf(literal);
  while (ts.isCallExpression(holder)) holder = holderOf(holder);
  return ts.isVariableDeclaration(holder) && ts.isSourceFile(holder.parent.parent.parent) ? textOf(holder.name) : undefined;
}

/** The class or interface that a member stands in; of a method of an object literal, its variable. */
export function ownerOf(member) {
  const holder = member.parent;
  if (holder && ts.isObjectLiteralExpression(holder)) return variableOf(holder);
  if (!holder || !(ts.isClassLike(holder) || ts.isInterfaceDeclaration(holder))) return undefined;
  return className(holder);
}

/** A class expression has the name of what it is assigned to. */
export function className(node) {
  if (node.name) return node.name.text;
  if (ts.isVariableDeclaration(node.parent)) return textOf(node.parent.name);
  const assignment = functionAssignment(node.parent);
  return assignment && bare(assignment.right) === node ? assignedName(assignment) : undefined;
}

/** What `a.b = function () {}` names its function: b, but what `module.exports` holds has its own name or none. */
export function assignedName({ left, right }) {
  const name = memberText(left);
  const whole = name === "exports" && ts.isIdentifier(left.expression) && left.expression.text === "module";
  return whole ? bare(right).name?.text ?? "default" : name;
}

/** Names declarations of a project's own files: {name, file, owner?, line}. */
export class Names {
  constructor(project) {
    this.project = project;
  }

  line(node) {
    return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
  }

  /** Undefined for what is no declaration, has no name, or is not in one of the project's own files. */
  of(node) {
    const file = this.project.relative(node.getSourceFile().fileName);
    if (!this.project.scope.has(file)) return undefined;
    const ref = (name, at, owner) => (name ? { name, file, ...(owner ? { owner } : {}), line: this.line(at) } : undefined);
    if (ts.isFunctionDeclaration(node)) return ref(node.name?.text ?? "default", node.name ?? node);
    if (ts.isClassLike(node)) return ref(className(node) ?? (ts.isClassDeclaration(node) ? "default" : undefined), node.name ?? node);
    if (ts.isConstructorDeclaration(node)) return ref("constructor", node, ownerOf(node));
    if (ts.isClassElement(node) || ts.isMethodSignature(node) || ts.isPropertySignature(node) || ts.isMethodDeclaration(node)) {
      return node.name ? ref(textOf(node.name), node.name, ownerOf(node)) : undefined;
    }
    if (ts.isPropertyAssignment(node)) return ref(textOf(node.name), node.name, isFunctionValue(bare(node.initializer)) ? ownerOf(node) : undefined);
    if (ts.isVariableDeclaration(node) || ts.isShorthandPropertyAssignment(node)
      || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node) || ts.isModuleDeclaration(node)) {
      return ref(textOf(node.name), node.name);
    }
    if (isFunctionValue(node)) {
      const holder = holderOf(node);
      if (ts.isVariableDeclaration(holder) || ts.isPropertyDeclaration(holder) || ts.isPropertyAssignment(holder) || functionAssignment(holder)) return this.of(holder);
      return ts.isFunctionExpression(node) && node.name ? ref(node.name.text, node.name) : undefined;
    }
    const assignment = functionAssignment(node);
    return assignment && ref(assignedName(assignment), memberNode(assignment.left), assignedOwner(assignment.left));
  }
}

/** `Server` in `Server.prototype.run = function () {}`, and the class of `this.run = function () {}`; none in `Server.create = function () {}`, where an engine may give any. */
function assignedOwner({ expression }) {
  if (expression.kind === ts.SyntaxKind.ThisKeyword) return makerOf(expression);
  const ofPrototype = ts.isPropertyAccessExpression(expression) && expression.name.text === "prototype" && ts.isIdentifier(expression.expression);
  return ofPrototype ? expression.expression.text : undefined;
}

/** The class, or the function that makes objects, whose object `this` is. */
function makerOf(self) {
  const maker = ts.findAncestor(self, (node) => ts.isClassLike(node) || ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isObjectLiteralExpression(node));
  if (!maker || ts.isObjectLiteralExpression(maker) || ts.isFunctionExpression(maker)) return undefined;
  return ts.isClassLike(maker) ? className(maker) : maker.name?.text;
}
