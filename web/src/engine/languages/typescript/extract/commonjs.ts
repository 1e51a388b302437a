import { GLOBAL_OBJECTS, Op } from "../facts.ts";
import type { Offset } from "../facts.ts";
import type { Extraction } from "./extraction.ts";
import { isFunction, unwrap } from "./objects.ts";
import { Space } from "./scope.ts";

/** Names for names, and objects spread in objects, of which a module exports the members. */
const MAX_COPIED = 4;

/** Whether an expression is what a CommonJS module gives to others: `exports`, `module.exports`, and what is assigned to them. */
export function isExports(x: Extraction, node: number): boolean {
  const { syntax } = x;
  let at = node;
  while (syntax.kind(at) === "assignment_expression") at = syntax.child(at, "right");
  const text = at === 0 ? "" : syntax.text(at);
  return (text === "exports" || text === "module.exports") && x.scope.find(text === "exports" ? "exports" : "module", Space.Value) === undefined;
}

/** Whether an expression is the object that has all global names: `window`, and what a function that is called at once with that calls it. */
export function isGlobalObject(x: Extraction, node: number): boolean {
  const { syntax } = x;
  if (syntax.kind(node) !== "identifier") return false;
  const name = syntax.text(node);
  const binding = x.scope.find(name, Space.Value);
  return binding === undefined ? GLOBAL_OBJECTS.has(name) : x.globalObjects.has(binding);
}

/** Notes the parameters of a function that is called at once with what the module exports, or with the global object. */
export function calledAtOnce(x: Extraction, callee: number, given: readonly number[]): void {
  const { syntax } = x;
  const called = unwrap(x, callee);
  if (!isFunction(x, called)) return;
  const parameters = syntax.children(syntax.child(called, "parameters"));
  given.forEach((node, i) => {
    const parameter = parameters[i];
    if (parameter === undefined) return;
    const name = syntax.child(parameter, "pattern") || parameter;
    if (isExports(x, node)) x.givenWhole.add(name);
    else if (isGlobalObject(x, node) || (syntax.kind(node) === "this" && x.function < 0 && x.isOfPage())) x.givenGlobal.add(name);
  });
}

/** Notes `require("./create")(groups)`: a module is called with something, which may be what this one exports. */
export function handsOver(x: Extraction, callee: Offset, given: number): void {
  const { syntax, facts: { code } } = x;
  if (given === 0 || code[callee] !== Op.Module) return;
  const binding = syntax.kind(given) === "identifier" ? x.scope.find(syntax.text(given), Space.Value) : undefined;
  if (binding !== undefined || isExports(x, given)) x.handedOver.push({ specifier: code[callee + 1]!, binding });
}

/** Notes `Object.assign(exports, require("./create"), { read() {} })`: what the module exports has the members of others. `call`: the record of the call. */
export function assigns(x: Extraction, callee: number, nodes: readonly number[], call: Offset): void {
  const { syntax, facts: { code } } = x;
  const [to = 0] = nodes;
  if (nodes.length < 2 || syntax.kind(callee) !== "member_expression" || syntax.text(callee) !== "Object.assign") return;
  const list = call + 3 + code[call + 2]!;
  for (let i = 2; i <= code[list]!; i++) hasMembersOf(x, to, code[list + i]!);
}

/** Notes `exports[name] = groups[name]`, in a loop or wherever: what the module exports has members of the other object. `value`: what is on the right. */
export function copies(x: Extraction, left: number, right: number, value: Offset): void {
  const { syntax, facts: { code } } = x;
  const [to, from] = [syntax.child(left, "index"), syntax.child(unwrap(x, right), "index")];
  if (code[value] !== Op.Index || from === 0 || syntax.kind(to) !== "identifier" || syntax.text(to) !== syntax.text(from)) return;
  hasMembersOf(x, syntax.child(left, "object"), code[value + 1]!);
}

function hasMembersOf(x: Extraction, to: number, from: Offset): void {
  const { syntax } = x;
  const binding = syntax.kind(to) === "identifier" ? x.scope.find(syntax.text(to), Space.Value) : undefined;
  if (binding !== undefined || isExports(x, to)) x.copied.push({ from, binding });
}

/** Exports what an object has: all of a module, or the members of an object literal. */
function exportMembers(x: Extraction, from: Offset, told: Set<Offset>, depth = 0): void {
  const { code, exports, shapes } = x.facts;
  if (depth > MAX_COPIED || told.has(from)) return;
  told.add(from);
  if (code[from] === Op.Module) exports.all.push(code[from + 1]!);
  else if (code[from] === Op.Name) {
    const [declared = 0, ...others] = x.declarations(code[from + 1]!);
    if (others.length === 0 && code[declared] === Op.Variable) exportMembers(x, code[declared + 3]!, told, depth + 1);
  } else if (code[from] === Op.Object) {
    const { members, spreads } = shapes[code[from + 1]!]!;
    for (const { name, kind, functions, initialiser, symbol } of members) {
      if (kind === "method") x.exportValue(name, x.emit(Op.Function, functions[0]!), symbol);
      else if (kind === "field" && initialiser !== 0) x.exportValue(name, initialiser, symbol);
    }
    for (const one of spreads) exportMembers(x, one, told, depth + 1);
  }
}

/**
 * A CommonJS module may have its parts in others: `require("./create")(groups)`, where what that exports is a function that puts names on
 * its first argument. Such a function's module exports these names, and who hands it its own exports hands them on, as `export *` does.
 */
export function joinParts(x: Extraction): void {
  const { facts: { code, exports, expandos, module }, copied, handedOver } = x;
  if (module) return;
  for (const { specifier, binding } of handedOver) if (binding === undefined || isWhole(x, binding)) exports.all.push(specifier);
  const told = new Set<Offset>();
  for (const { from, binding } of copied) if (binding === undefined || isWhole(x, binding)) exportMembers(x, from, told);
  const whole = functionAt(x, exports.equals);
  if (whole === undefined) return;
  for (const { binding, name, prototype, value, symbol } of expandos) {
    const isParameter = x.declarations(binding).some((at) => code[at] === Op.Variable && code[code[at + 3]!] === Op.Parameter && code[code[at + 3]! + 1] === whole && code[code[at + 3]! + 2] === 0);
    if (isParameter && !prototype) x.exportValue(name, value, symbol);
  }
}

/** Whether a variable is what the module exports. */
function isWhole(x: Extraction, binding: number): boolean {
  const { code, exports: { equals } } = x.facts;
  if (x.wholes.has(binding) || (equals !== 0 && code[equals] === Op.Name && code[equals + 1] === binding)) return true;
  return equals !== 0 && x.declarations(binding).some((at) => code[at] === Op.Variable && code[at + 3] === equals);
}

/** The function that an expression is, by index. */
function functionAt(x: Extraction, at: Offset): number | undefined {
  const { code } = x.facts;
  if (at === 0) return undefined;
  if (code[at] === Op.Function) return code[at + 1];
  if (code[at] !== Op.Name) return undefined;
  for (const declared of x.declarations(code[at + 1]!)) {
    if (code[declared] === Op.FunctionDeclaration) return code[declared + 2];
    if (code[declared] === Op.Variable && code[code[declared + 3]!] === Op.Function) return code[code[declared + 3]! + 1];
  }
  return undefined;
}
