import { Op } from "../facts.ts";
import type { MemberFact, Offset, ShapeFact } from "../facts.ts";
import { expression } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import { Scope, Space } from "./scope.ts";
import { statement, statements } from "./statements.ts";

/**
 * Reads a statement with a label of a component: `template:` stands before the markup of Vue, and `$:` in Svelte before what runs whenever
 * something in it changes, which declares a variable where it assigns to one.
 */
export function labelled(x: Extraction, node: number): void {
  const { syntax } = x;
  const label = syntax.text(syntax.child(node, "label"));
  const body = syntax.child(node, "body");
  if (x.scope !== x.fileScope || (label !== "template" && label !== "$")) {
    statement(x, body);
  } else if (label === "template") {
    x.scope = x.markup ??= new Scope(x.fileScope, false);
    statements(x, body);
    x.scope = x.fileScope;
  } else if (!reactive(x, node, syntax.kind(body) === "expression_statement" ? syntax.inner(body) : 0)) {
    statement(x, body);
  }
}

/** `$: doubled = count * 2` */
function reactive(x: Extraction, node: number, assigned: number): boolean {
  const { syntax } = x;
  const left = syntax.child(assigned, "left");
  if (syntax.kind(assigned) !== "assignment_expression" || syntax.kind(left) !== "identifier" || x.fileScope.own(syntax.text(left)) !== undefined) return false;
  const name = syntax.text(left);
  const value = syntax.child(assigned, "right");
  const symbol = x.addSymbol({ kind: "Variable", name, at: left, node, body: value, exported: false });
  const at = x.emit(Op.Variable, 0, 0, 0, symbol, 0);
  x.declare(x.fileScope, name, Space.Value, at);
  const outer = x.variable;
  x.variable = symbol;
  x.facts.code[at + 3] = expression(x, value);
  x.variable = outer;
  return true;
}

/** Options whose members are members of the component. */
const OF_COMPONENT = /^(?:methods|computed)$/;

/**
 * Of the object that a file of Vue exports by default, all options are parts of one object: `this` in each of them, and in markup what has no
 * `this` before it, means the methods, computed properties, data, and what `setup` returns. Returns the bindings that are declared for the
 * markup as other names for one of `setup`, each with that.
 */
export function joinOptions(x: Extraction): ReadonlyMap<number, Offset> {
  const { code, functions, shapes } = x.facts;
  const names = new Map<number, Offset>();
  const options = optionsOf(x);
  if (!options) return names;
  const component: ShapeFact = { kind: "object", symbol: -1, name: "", typeParameters: [], superclass: 0, superArguments: [], bases: [], implements: [], members: [], spreads: [] };
  const known = new Set<string>();
  const parts = new Set<ShapeFact>([options]);
  const members = (part: ShapeFact | undefined, isComputed: boolean): void => {
    if (!part) return;
    component.spreads.push(...part.spreads);
    for (const member of part.members) {
      if (known.has(member.name)) continue;
      known.add(member.name);
      const accessor = isComputed ? objectAt(x, member.initialiser)?.members.find(({ name }) => name === "get") : undefined;
      const run = accessor ? runOf(x, accessor) : runOf(x, member);
      component.members.push(isComputed && run !== undefined ? { name: member.name, kind: "getter", functions: [run], type: 0, initialiser: 0, symbol: functions[run]!.symbol } : member);
      if (x.markup) declare(x, x.markup, member, run, names);
    }
  };
  for (const option of options.members) {
    const part = objectAt(x, option.initialiser);
    if (part) {
      parts.add(part);
      for (const { initialiser } of part.members) {
        const inner = objectAt(x, initialiser);
        if (inner) parts.add(inner);
      }
    }
    const run = runOf(x, option);
    if (OF_COMPONENT.test(option.name)) members(part, option.name === "computed");
    else if ((option.name === "setup" || option.name === "data") && run !== undefined) for (const result of functions[run]!.results) members(objectAt(x, result), false);
  }
  for (const { assigned, ...member } of options.members) if (assigned && !known.has(member.name)) component.members.push({ ...member, assigned });
  const index = shapes.push(component) - 1;
  for (const at of x.ownObjects) if (parts.has(shapes[code[at + 2]!]!)) code[at + 2] = index;
  return names;
}

/** Declares for the markup what a component has by a name. */
function declare(x: Extraction, markup: Scope, { name, initialiser, symbol }: MemberFact, run: number | undefined, names: Map<number, Offset>): void {
  const { code, functions } = x.facts;
  if (run !== undefined && functions[run]!.symbol >= 0) x.declare(markup, name, Space.Value, x.emit(Op.FunctionDeclaration, 0, run));
  else if (code[initialiser] === Op.Name) names.set(x.declare(markup, name, Space.Value, x.emit(Op.Variable, 0, 0, initialiser, -1, 1)), initialiser);
  else x.declare(markup, name, Space.Value, x.emit(Op.Variable, 0, 0, initialiser, symbol, 1));
}

/** The function that a member is. */
function runOf({ facts: { code } }: Extraction, { functions, initialiser }: MemberFact): number | undefined {
  return functions.at(-1) ?? (code[initialiser] === Op.Function ? code[initialiser + 1] : undefined);
}

/** The object literal that a component exports by default, which a call such as `defineComponent` may stand around. */
function optionsOf(x: Extraction): ShapeFact | undefined {
  const { code } = x.facts;
  const binding = x.fileScope.own(x.exportedAs("default") ?? "default");
  const declared = binding === undefined ? 0 : x.facts.bindings[binding]!;
  if (declared === 0 || code[declared] !== Op.Variable) return undefined;
  const value = code[declared + 3]!;
  if (code[value] !== Op.Call) return objectAt(x, value);
  const list = value + 3 + code[value + 2]!;
  return code[list]! > 0 ? objectAt(x, code[list + 1]!) : undefined;
}

function objectAt({ facts: { code, shapes } }: Extraction, at: Offset): ShapeFact | undefined {
  while (code[at] === Op.As || code[at] === Op.AsConst) at = code[at + 1]!;
  return code[at] === Op.Object ? shapes[code[at + 1]!] : undefined;
}
