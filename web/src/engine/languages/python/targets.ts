import type { Extraction } from "./extraction.ts";
import { expression, pathOf, subscript } from "./expressions.ts";
import { Op, Operation } from "./facts.ts";
import { MAX_DEFINITIONS } from "./flow.ts";
import { K } from "./tree.ts";

/**
 * Binds the target of an assignment, loop, `with` or comprehension to a definition.
 * `into` "flow" binds for the code that follows only (a comprehension's own names).
 */
export function bindTarget(x: Extraction, target: number, definition: number, into: "scope" | "flow" = "scope"): void {
  const { tree } = x;
  switch (tree.kind[target]) {
    case K.Identifier:
      if (into === "scope") {
        x.bind(tree.text(target), definition);
        variable(x, target);
      } else x.place.flow.set(tree.text(target), [definition]);
      return;
    case K.PatternList: case K.TuplePattern: case K.ListPattern: case K.Tuple: case K.List: case K.ExpressionList:
      x.operation(Operation.Iterate, definition, tree.line(target));
      unpack(x, tree.children(target), definition, into);
      return;
    case K.Parenthesized: case K.AsPatternTarget:
      for (const c of tree.children(target)) bindTarget(x, c, definition, into);
      return;
    case K.Attribute:
      bindAttribute(x, target, definition);
      return;
    default:
      // A subscript: nothing is bound, but calls in it count.
      x.store(tree.kind[target] === K.Subscript ? subscript(x, target, Operation.SetItem) : expression(x, target), definition);
  }
}

/** Notes an assignment to a name of the module, which in a function is a use of it, or of an enumeration. */
function variable(x: Extraction, target: number): void {
  const { tree, facts, place } = x;
  const name = tree.text(target);
  const isGlobal = facts.scopes[place.scope]!.globals?.includes(x.string(name)) === true;
  if (isGlobal) facts.values.push(x.node(Op.Name, x.string(name), 0), place.symbol, tree.line(target));
  const assigned = isGlobal || place.scope === 0 ? x.assigned : x.enumerations.get(place.scope)?.assigned;
  if (assigned?.has(name) === false) assigned.set(name, [target, x.assignment]);
}

function unpack(x: Extraction, items: readonly number[], definition: number, into: "scope" | "flow"): void {
  const { tree } = x;
  const star = items.findIndex((c) => tree.kind[c] === K.ListSplatPattern || tree.kind[c] === K.ListSplat);
  items.forEach((item, i) => {
    if (i === star) {
      const name = tree.children(item).at(-1);
      if (name !== undefined) bindTarget(x, name, x.node(Op.Rest, definition), into);
    } else bindTarget(x, item, x.node(Op.Unpack, definition, star >= 0 && i > star ? i - items.length : i), into);
  });
}

/** `object.name = ...`: known from here on, and, through a method's first parameter, an attribute of the class. */
export function bindAttribute(x: Extraction, target: number, definition: number): void {
  const { tree, place, facts } = x;
  const [object, name] = tree.children(target);
  if (object === undefined || name === undefined) return;
  const value = expression(x, object);
  const path = pathOf(x, target);
  const attribute = x.node(Op.Attr, value, x.string(tree.text(name)));
  if (path !== undefined) place.flow.set(path, [definition], attribute);
  x.operation(Operation.SetAttribute, attribute, tree.line(name));
  const method = facts.functions[place.fn];
  if (method && method.owner >= 0 && place.self !== undefined && tree.kind[object] === K.Identifier && tree.text(object) === place.self) {
    const attrs = facts.classes[method.owner]!.attrs;
    const definitions = (attrs[x.string(tree.text(name))] ??= []);
    if (definitions.length < MAX_DEFINITIONS) definitions.push(definition);
  } else x.store(attribute, definition);
}
