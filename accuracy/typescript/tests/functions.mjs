import path from "node:path";
import ts from "typescript";
import { assignedName, functionAssignment, holderOf, isFunctionLike, isFunctionValue, textOf } from "../names.mjs";

export function parse(file, text) {
  const kind = { ".tsx": ts.ScriptKind.TSX, ".jsx": ts.ScriptKind.JSX, ".ts": ts.ScriptKind.TS, ".mts": ts.ScriptKind.TS, ".cts": ts.ScriptKind.TS }[path.extname(file)];
  return ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, kind ?? ts.ScriptKind.JSX);
}

/**
 * The functions of a file that have a body, and a name that others can call them by: {node, name, line}, the line being that of
 * the name. `return function next() {}` has none.
 */
export function namedFunctions(source) {
  const found = [];
  const visit = (node) => {
    const at = isFunctionLike(node) && node.body ? nameOf(node) : undefined;
    if (at) found.push({ node, name: at.name, line: source.getLineAndCharacterOfPosition(at.node.getStart(source)).line + 1 });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function nameOf(node) {
  if (ts.isConstructorDeclaration(node)) return { name: "constructor", node };
  const named = (name) => (textOf(name) ? { name: textOf(name), node: name } : undefined);
  if (!isFunctionValue(node)) return named(node.name);
  const holder = holderOf(node);
  if (ts.isVariableDeclaration(holder) || ts.isPropertyDeclaration(holder) || ts.isPropertyAssignment(holder)) return named(holder.name);
  const assignment = functionAssignment(holder);
  return assignment && { name: assignedName(assignment), node: assignment.left.name };
}

/** The text with statements at the start of functions, all lines as they were. `expression` is what a function begins with. */
export function withStarts(source, functions, expression) {
  const inserted = functions.flatMap((f) => insertions(source, f.node, expression(f)));
  let text = source.text;
  // From the end; of two at one place, the inner function's stands further inside.
  for (const { at, what } of inserted.sort((a, b) => b.at - a.at || b.order - a.order)) text = text.slice(0, at) + what + text.slice(at);
  return text;
}

function insertions(source, node, expression) {
  const { body } = node;
  if (!ts.isBlock(body)) {
    return [{ at: body.getStart(source), what: `(${expression}, `, order: node.pos }, { at: body.end, what: ")", order: -node.pos }];
  }
  const prologue = body.statements.filter((s, i) => ts.isExpressionStatement(s) && ts.isStringLiteral(s.expression) && body.statements.slice(0, i).every((b) => ts.isExpressionStatement(b) && ts.isStringLiteral(b.expression)));
  if (node.asteriskToken) return generatorInsertions(node, expression, prologue.length > 0);
  const at = prologue.at(-1)?.end ?? body.getStart(source) + 1;
  return [{ at, what: `${prologue.length > 0 ? ";" : ""} ${expression};`, order: node.pos }];
}

/** A generator's body runs later than the call: its parameters are what the call evaluates. */
function generatorInsertions({ parameters, pos }, expression, strict) {
  if (strict || parameters.some((p) => p.dotDotDotToken)) return [];
  const comma = parameters.length > 0 && !parameters.hasTrailingComma;
  return [{ at: parameters.end, what: `${comma ? ", " : ""}ranParameter = ${expression}`, order: pos }];
}
