/** Operators, texts with values in them, and `using`: what they run has no name in the code. */
import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { expression, mention } from "./expressions.ts";
import { visit } from "./statements.ts";
import { identifier, nameOf } from "./types.ts";

/** Operators with two operands that types declare. */
const SIGN = /^(?:[-+*/%&|^]|<<|>>>?|==|!=|<=?|>=?)$/;
const COMPARISONS = /^(?:==|!=|<=?|>=?|&&|\|\|)$/;

export function unary(u: Unit, node: number): Offset {
  const { syntax } = u;
  const [inner] = syntax.children(node);
  if (inner === undefined) return 0;
  const operand = expression(u, inner);
  const sign = (syntax.source.slice(syntax.start(node), syntax.start(inner)) + syntax.source.slice(syntax.end(inner), syntax.end(node))).trim();
  return (/^(?:[-+!~]|\+\+|--)$/.test(sign) && u.operator(`operator${sign}`, [operand], node)) || operand;
}

export function binary(u: Unit, node: number): Offset {
  const { syntax } = u;
  const left = syntax.part(node, "left");
  const right = syntax.part(node, "right");
  const operands = [left, right].map((side) => (side ? expression(u, side) : 0));
  const sign = between(u, left, right);
  if (sign === "??") return u.emit(Op.Either, 2, ...operands);
  const text = arithmetic(u, operands);
  if (sign === "+" && isText(u, text)) {
    for (const operand of operands) if (operand !== text) u.runs(operand, "ToString", node);
    return text;
  }
  const run = SIGN.test(sign) ? u.operator(`operator${sign}`, operands, node) : 0;
  return COMPARISONS.test(sign) ? u.value("bool") : run || (/^[<>]/.test(sign) ? text : u.calculated(operands));
}

/** Whether an argument is `a * b`, which the grammar takes for the declaration of a pointer: only `out` declares anything there. */
export function isProduct({ syntax }: Unit, argument: number, node: number): boolean {
  const type = syntax.kind(node) === "declaration_expression" ? syntax.part(node, "type") : 0;
  return type > 0 && syntax.kind(type) === "pointer_type" && /^(?:identifier|qualified_name)$/.test(syntax.kind(syntax.part(type, "type")))
    && !/\bout\s+$/.test(syntax.source.slice(syntax.start(argument), syntax.start(node)));
}

/** Such an argument. */
export function product(u: Unit, node: number): Offset {
  const { syntax } = u;
  const read = (part: number): Offset => {
    if (syntax.kind(part) !== "qualified_name") return expression(u, part);
    const at = u.select(read(syntax.part(part, "qualifier")), nameOf(u, syntax.part(part, "name")));
    mention(u, at, part);
    return at;
  };
  const operands = [read(syntax.part(syntax.part(node, "type"), "type")), read(syntax.part(node, "name"))];
  return u.operator("operator*", operands, node) || u.calculated(operands);
}

/** Records the operator in `a += b`; returns the sign. */
export function compound(u: Unit, node: number, left: Offset, right: Offset): string {
  const { syntax } = u;
  const sign = between(u, syntax.part(node, "left"), syntax.part(node, "right"));
  if (SIGN.test(sign.slice(0, -1)) && sign.endsWith("=")) u.operator(`operator${sign.slice(0, -1)}`, [left, right], node);
  return sign;
}

/** A text that shows values shows objects by `ToString`. */
export function interpolated(u: Unit, node: number): Offset {
  const { syntax } = u;
  for (const child of syntax.children(node)) {
    const [hole, ...rest] = syntax.kind(child) === "interpolation" ? syntax.children(child).filter((part) => syntax.kind(part) !== "interpolation_brace") : [];
    if (hole === undefined) visit(u, child);
    else u.runs(expression(u, hole), "ToString", hole);
    for (const part of rest) visit(u, part);
  }
  return u.value("string");
}

/** Text when one side is text, which is known where it is a literal or a variable. */
function arithmetic(u: Unit, operands: readonly Offset[]): Offset {
  return operands.find((operand) => isText(u, operand)) ?? operands[0] ?? 0;
}

function isText(u: Unit, at: Offset): boolean {
  const type = u.code[at] === Op.Value || u.code[at] === Op.Variable ? u.code[at + 1]! : 0;
  return u.code[type] === Op.Named && u.stringAt(u.code[type + 1]!) === "string";
}

/** The sign between two operands. */
function between({ syntax }: Unit, left: number, right: number): string {
  return left && right ? syntax.source.slice(syntax.end(left), syntax.start(right)).trim() : "";
}

/** What a `using` declares or names is disposed of at its end. */
export function disposed(u: Unit, statement: number, node: number): void {
  const { syntax } = u;
  const isDeclaration = syntax.kind(node) === "variable_declaration";
  const value = /_expression$|^identifier$/.test(syntax.kind(node)) ? expression(u, node) : (visit(u, node), 0);
  const names = isDeclaration ? syntax.children(node).map((declarator) => syntax.part(declarator, "name")).filter((name) => name > 0) : [];
  const method = syntax.text(statement).startsWith("await") ? "DisposeAsync" : "Dispose";
  for (const at of [value, ...names.map((name) => u.lookup(identifier(u, name)))]) u.runs(at, method, node);
}
