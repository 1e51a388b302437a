import { type Offset, Op } from "../classes/facts.ts";
import { type Global, newMember, type Unit } from "../classes/unit.ts";

/* Variables outside of functions and classes: one that a file gives something there, whatever the condition, is a symbol; functions use it after `global`, or in `$GLOBALS`. */

/** Variables that PHP has itself. */
const BUILT_IN = /^\$(?:_[A-Z]+|GLOBALS|this|argc|argv)$/;

/** Values that a file gives one variable. */
const MAX_VALUES = 4;

/** Statements that may have other statements of the file in them. Those of loops are left out: few of their variables are meant for others. */
const AROUND = /^(?:namespace_definition|(?:if|switch|case|default|try)_statement|(?:else|else_if|catch|finally)_clause|compound_statement|switch_block|colon_block)$/;

/** Finds the variables that statements of a file give something, each where it first stands. */
export function findGlobals(u: Unit, parent: number): void {
  const { syntax } = u;
  for (const node of syntax.children(parent)) {
    const kind = syntax.kind(node);
    const [assignment] = syntax.children(node);
    if (AROUND.test(kind)) findGlobals(u, node);
    if (kind !== "expression_statement" || assignment === undefined) continue;
    const left = /assignment_expression$/.test(syntax.kind(assignment)) ? syntax.part(assignment, "left") : 0;
    const isNew = left && syntax.kind(left) === "variable_name" && !BUILT_IN.test(syntax.text(left)) && !u.globals.has(syntax.text(left));
    if (isNew) addGlobal(u, left, assignment);
  }
}

function addGlobal(u: Unit, at: number, whole: number): Global {
  const name = u.syntax.text(at);
  const member = { ...newMember(name, "field", -1), variable: true };
  const global: Global = { at, whole, member, index: u.functions.push({ member, scope: 0 }) - 1 };
  u.globals.set(name, global);
  return global;
}

/** `global $db; $db = new Database();`, where the file gives the variable nothing outside of functions. */
export function makeGlobal(u: Unit, at: number, whole: number, value: Offset): void {
  if (u.globals.has(u.syntax.text(at)) || !u.shared.has(u.lookup(u.syntax.text(at)))) return;
  const global = addGlobal(u, at, whole);
  global.member.said = true;
  declareGlobal(u, global);
  holds(u, global, value);
}

/** Notes what a variable is given, new objects and what calls give: of several values each. */
function holds(u: Unit, { member }: Global, value: Offset): void {
  if (u.code[value] !== Op.New && (u.code[value] !== Op.Call || isOfShared(u, value))) return;
  const before = member.initialiser;
  if (u.code[before] === Op.Either && u.code[before + 1]! >= MAX_VALUES) return;
  const values = u.code[before] === Op.Either ? u.code.slice(before + 2, before + 2 + u.code[before + 1]!) : before ? [before] : [];
  member.initialiser = values.length === 0 ? value : u.emit(Op.Either, values.length + 1, ...values, value);
}

/** Whether a call is one on a variable outside of functions, which may be the one that is given its result. */
function isOfShared(u: Unit, call: Offset): boolean {
  let at = call;
  while (u.code[at] === Op.Call || u.code[at] === Op.Select) at = u.code[at + 1]!;
  return isShared(u, at) || (u.code[at] === Op.Name && u.strings[u.code[at + 1]!]!.startsWith(".$"));
}

/** Makes the symbol of one, unless it has it. */
export function declareGlobal(u: Unit, { at, whole, member }: Global): void {
  if (member.symbol < 0) member.symbol = u.symbol({ kind: "Variable", name: at, whole, body: 0, exported: true });
}

/** `global $x` */
export function takeGlobal(u: Unit, node: number): void {
  const name = u.syntax.text(node);
  useGlobal(u, name, node);
  u.shared.add(u.variable(name, 0, BUILT_IN.test(name) ? 0 : elsewhere(u, name)));
}

/** `$GLOBALS['x']` */
export function indexGlobals(u: Unit, of: number, index: number): void {
  const [, name] = u.syntax.text(of) === "$GLOBALS" ? /^['"](\w+)['"]$/.exec(u.syntax.text(index)) ?? [] : [];
  if (name !== undefined) useGlobal(u, `$${name}`, of);
}

/** A variable is read where it is one outside of functions, or stands for such. Where nothing in the file gives it anything, what is included may. */
export function readGlobal(u: Unit, node: number): void {
  const name = u.syntax.text(node);
  const at = u.lookup(name);
  if (isShared(u, at) || (u.owner < 0 && at !== 0 && u.globals.has(name))) useGlobal(u, name, node);
  else if (isIncluded(u, name)) u.use(u.emit(Op.Quoted, elsewhere(u, name)), node);
}

/** What a variable stands for: a local one, or one outside of functions that an included file may have. */
export function variableOf(u: Unit, name: string): Offset {
  return u.lookup(name) || (isIncluded(u, name) ? elsewhere(u, name) : 0);
}

function isIncluded(u: Unit, name: string): boolean {
  return u.owner < 0 && u.includes.length > 0 && !BUILT_IN.test(name) && u.lookup(name) === 0;
}

/** The same where it is given something, which it held not before. */
export function writeGlobal(u: Unit, node: number, before: number, value: Offset): void {
  const name = u.syntax.text(node);
  const global = u.owner < 0 ? u.globals.get(name) : undefined;
  const isTaken = isShared(u, before);
  if (isTaken) u.shared.add(u.lookup(name));
  const given = isTaken ? u.globals.get(name) : global;
  if (given) holds(u, given, value);
  if (global?.at === node) declareGlobal(u, global);
  else if (isTaken || global) useGlobal(u, name, node);
}

/** Whether a variable stands for one outside of functions, as far as it may have been given something else since. */
function isShared(u: Unit, at: number): boolean {
  return u.shared.has(at) || (u.code[at] === Op.Either && u.code.slice(at + 2, at + 2 + u.code[at + 1]!).some((one) => u.shared.has(one)));
}

/** Takes down that a variable outside of functions is used: that of the file, else those of other files. */
function useGlobal(u: Unit, name: string, node: number): void {
  const own = u.globals.get(name);
  if (!BUILT_IN.test(name)) u.use(own ? u.emit(Op.Function, own.index) : elsewhere(u, name), node);
}

function elsewhere(u: Unit, name: string): number {
  return u.emit(Op.Name, u.str(`.${name}`), u.within);
}
