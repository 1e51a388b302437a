import { mayBeAlias } from "./aliases.ts";
import type { Extraction } from "./extraction.ts";
import { Const, Op, Operation } from "./facts.ts";
import { calledImport } from "./imports.ts";
import { binary, booleanOperator, comparison, conditional, tested, UNARY } from "./operators.ts";
import { parameters } from "./parameters.ts";
import { usesFixture } from "./pytest.ts";
import { quoted, stringExpression } from "./strings.ts";
import { bindTarget } from "./targets.ts";
import { memberNamedIn } from "./text-names.ts";
import { isValue, K } from "./tree.ts";
import { narrow } from "./type-guards.ts";

/** Calls whose string arguments name types. */
const TYPE_CALLS = new Set(["cast", "TypeVar", "NewType", "ForwardRef"]);

/** Adds the expression of a syntax node to the pool, and notes every call and attribute read inside. */
export function expression(x: Extraction, n: number): number {
  return nested(x, n, false);
}

/** Expression 0 where the nesting is absurdly deep. */
function nested(x: Extraction, n: number, callee: boolean): number {
  if (!x.enter()) return 0;
  const id = build(x, n, callee);
  x.leave();
  return id;
}

/** An expression as a type annotation: its names are looked up without regard to order. */
export function annotation(x: Extraction, n: number): number {
  const outer = x.annotating;
  x.annotating = true;
  const id = expression(x, n);
  x.annotating = outer;
  return id;
}

/** Longer paths than this are not followed through the flow. */
const MAX_PATH = 6;

/** The dotted path of an expression made of a few names and dots alone, else undefined. */
export function pathOf(x: Extraction, n: number): string | undefined {
  const { tree } = x;
  let path = "";
  for (let parts = 0; parts < MAX_PATH; parts++) {
    while (tree.kind[n] === K.Parenthesized && n + 1 < tree.after[n]!) n++;
    if (tree.kind[n] === K.Identifier) return tree.text(n) + path;
    if (tree.kind[n] !== K.Attribute) return undefined;
    const [object, name] = tree.children(n);
    if (object === undefined || name === undefined) return undefined;
    path = `.${tree.text(name)}${path}`;
    n = object;
  }
  return undefined;
}

function build(x: Extraction, n: number, callee: boolean): number {
  const { tree } = x;
  switch (tree.kind[n]) {
    case K.Identifier: {
      const id = x.use(tree.text(n));
      if (x.annotating) mayBeAlias(x, id, id, n);
      else if (!callee && mayName(x, id)) x.facts.values.push(id, x.place.symbol, tree.line(n));
      return id;
    }
    case K.DottedName: return dottedName(x, n);
    case K.Attribute: return attribute(x, n, callee);
    case K.Call: return call(x, n);
    case K.Subscript: case K.GenericType: return subscript(x, n);
    case K.MemberType: {
      const [object, name] = tree.children(n);
      if (object === undefined || name === undefined) break;
      return x.node(Op.Attr, expression(x, object), x.string(tree.text(name)));
    }
    case K.String: case K.Concatenated: return stringExpression(x, n);
    case K.Integer: return x.node(Op.Const, Const.Int);
    case K.Float: return x.node(Op.Const, Const.Float);
    case K.True: case K.False: return x.node(Op.Const, Const.Bool);
    case K.None: return x.node(Op.Const, Const.None);
    case K.Ellipsis: return x.node(Op.Const, Const.Ellipsis);
    case K.Parenthesized: case K.Type: {
      const inner = tree.children(n);
      if (inner.length !== 1) break;
      return tree.kind[inner[0]!] === K.Yield ? expression(x, inner[0]!) : nested(x, inner[0]!, callee);
    }
    case K.List: case K.ListPattern: return x.listNode([Op.List], all(x, n));
    case K.Tuple: case K.ExpressionList: case K.PatternList: case K.TuplePattern: return x.listNode([Op.Tuple], all(x, n));
    case K.Set: return x.listNode([Op.Set], all(x, n));
    case K.Dict: return dictionary(x, n);
    case K.ListComp: return comprehension(x, n, Op.ListComp);
    case K.SetComp: return comprehension(x, n, Op.SetComp);
    case K.Generator: return comprehension(x, n, Op.GenComp);
    case K.DictComp: return comprehension(x, n, Op.DictComp);
    case K.Binary: case K.UnionType: return binary(x, n);
    case K.Boolean: return booleanOperator(x, n);
    case K.Conditional: return conditional(x, n);
    case K.Not: {
      const operand = tree.children(n)[0];
      if (operand !== undefined) tested(x, operand);
      return x.node(Op.Const, Const.Bool);
    }
    case K.Compare:
      comparison(x, n);
      return x.node(Op.Const, Const.Bool);
    case K.Unary: case K.ConstrainedType: {
      const [operand] = all(x, n);
      const operation = UNARY.get(tree.source[tree.start[n]!]!);
      if (operand !== undefined && operation !== undefined && tree.kind[n] === K.Unary) x.operation(operation, operand, tree.line(n));
      return operand ?? x.node(Op.Unknown);
    }
    case K.Await: {
      const operand = tree.children(n).at(-1);
      if (operand === undefined) break;
      const awaited = expression(x, operand);
      x.operation(Operation.Await, awaited, tree.line(n));
      return x.node(Op.Await, awaited);
    }
    case K.Yield: return yielded(x, n);
    case K.Named: {
      const [name, value] = tree.children(n);
      if (name === undefined || value === undefined) break;
      const id = expression(x, value);
      x.bind(tree.text(name), id);
      return id;
    }
    case K.Lambda: return lambda(x, n);
    case K.ListSplat: case K.SplatType: case K.ListSplatPattern: case K.DictSplat: {
      const operand = tree.children(n).at(-1);
      if (operand === undefined) break;
      const id = expression(x, operand);
      x.operation(tree.kind[n] === K.DictSplat ? Operation.Splat : Operation.Iterate, id, tree.line(n));
      return x.node(Op.Star, id);
    }
    default:
      all(x, n);
  }
  return x.node(Op.Unknown);
}

/** Definitions that may be a function or class. */
const VALUES: ReadonlySet<number> = new Set([Op.Function, Op.Class, Op.Import]);

/** Whether a name may be that of a function, a class, an import, a variable of the module or a member of the enumeration around. */
function mayName({ facts: { nodes, phis, scopes }, enumerations }: Extraction, id: number): boolean {
  if (nodes[id] === (Op.Name as number)) return true;
  if (nodes[id] === (Op.Local as number) && (nodes[id + 2] === 0 || enumerations.has(nodes[id + 2]!) || scopes[nodes[id + 2]!]!.globals?.includes(nodes[id + 1]!))) return true;
  const names = (definitions: readonly number[], depth: number): boolean => definitions.some((definition) => {
    const op = nodes[definition]!;
    return VALUES.has(op) || (op === (Op.Phi as number) && depth < 5 && names(phis[nodes[definition + 1]!]!, depth + 1));
  });
  return nodes[id] === (Op.Local as number) && names(nodes.slice(id + 4, id + 4 + nodes[id + 3]!), 0);
}

/** The expressions of all children that are any. */
export function all(x: Extraction, n: number): number[] {
  const ids: number[] = [];
  for (const c of x.tree.children(n)) if (isValue(x.tree.kind[c]!)) ids.push(expression(x, c));
  return ids;
}

/** A name in a pattern: of a class, or of a constant that is compared with. */
function dottedName(x: Extraction, n: number): number {
  const { tree, facts: { values }, place: { symbol } } = x;
  const [first, ...rest] = tree.children(n);
  if (first === undefined) return x.node(Op.Unknown);
  let id = expression(x, first);
  for (const name of rest) {
    id = x.node(Op.Attr, id, x.string(tree.text(name)));
    values.push(id, symbol, tree.line(name));
  }
  return id;
}

function attribute(x: Extraction, n: number, callee: boolean): number {
  const { tree } = x;
  const [object, name] = tree.children(n);
  if (object === undefined || name === undefined) return x.node(Op.Unknown);
  const attr = x.string(tree.text(name));
  const plain = x.node(Op.Attr, expression(x, object), attr);
  if (x.annotating) {
    mayBeAlias(x, x.facts.nodes[plain + 1]!, plain, name);
    return plain;
  }
  if (!callee) x.facts.values.push(plain, x.place.symbol, tree.line(name));
  const path = x.place.flow.hasPaths ? pathOf(x, n) : undefined;
  const definitions = path === undefined ? undefined : x.place.flow.get(path);
  return definitions ? x.listNode([Op.FlowAttr, x.facts.nodes[plain + 1]!, attr], definitions) : plain;
}

function call(x: Extraction, n: number): number {
  const { tree } = x;
  const [callee, args] = tree.children(n);
  if (callee === undefined) return x.node(Op.Unknown);
  const name = tree.kind[callee] === K.Identifier ? tree.text(callee) : "";
  if (name === "super" && x.place.method >= 0 && (args === undefined || args + 1 >= tree.after[args]!)) {
    return x.node(Op.Super, x.place.method);
  }
  const target = nested(x, callee, true);
  const positional: number[] = [];
  const keywords: number[] = [];
  const last = name || (tree.kind[callee] === K.Attribute ? tree.text(tree.children(callee).at(-1)!) : "");
  const types = TYPE_CALLS.has(last);
  if (args !== undefined && tree.kind[args] === K.Generator) positional.push(expression(x, args));
  else if (args !== undefined) {
    for (const arg of tree.children(args)) {
      if (tree.kind[arg] === K.KeywordArgument) {
        const [key, , value] = tree.children(arg);
        if (key === undefined || value === undefined) continue;
        keywords.push(x.string(tree.text(key)), types ? typeArgument(x, value) : expression(x, value));
      } else if (tree.kind[arg] === K.DictSplat) expression(x, arg);
      else positional.push(types ? typeArgument(x, arg) : expression(x, arg));
    }
  }
  const id = x.listNode([Op.Call, target], positional);
  const { nodes, functions } = x.facts;
  nodes.push(keywords.length / 2, ...keywords);
  const pass = (arg: number): void => {
    if (nodes[arg] === (Op.Lambda as number)) functions[nodes[arg + 1]!]!.passedTo = id;
  };
  for (const arg of positional) pass(arg);
  for (let i = 1; i < keywords.length; i += 2) pass(keywords[i]!);
  if (!x.annotating) x.facts.calls.push(id, x.place.symbol, tree.line(tree.kind[callee] === K.Attribute ? tree.children(callee).at(-1)! : callee));
  usesFixture(x, last, positional[0]);
  if (positional.length > 1) memberNamedIn(x, name || (pathOf(x, callee) ?? ""), positional, tree.line(n));
  if (x.inMain && name) x.mainCallees.add(name);
  return calledImport(x, last, positional, keywords, tree.line(n)) ?? id;
}

/** A string in the place of a type; anything else as usual. */
function typeArgument(x: Extraction, n: number): number {
  return x.tree.kind[n] === K.String ? quoted(x, n) : expression(x, n);
}

/** `object[index]`: read, unless another operation is done with it. */
export function subscript(x: Extraction, n: number, operation = Operation.GetItem): number {
  const { tree } = x;
  const [object, ...rest] = tree.children(n);
  if (object === undefined) return x.node(Op.Unknown);
  const base = expression(x, object);
  const indices = tree.kind[n] === K.GenericType ? rest.flatMap((c) => tree.children(c)) : rest;
  const isAnnotated = x.annotating && /^(?:\w+\.)?Annotated$/.test(pathOf(x, object) ?? "");
  const ids = indices.map((c, i) => (isAnnotated && i > 0 ? beside(x, c) : tree.kind[c] === K.String ? quoted(x, c) : expression(x, c)));
  const isSlice = ids.length === 1 && tree.kind[indices[0]!] === K.Slice;
  const id = isSlice ? x.node(Op.Slice, base) : x.node(Op.Sub, base, ids.length === 1 ? ids[0]! : x.listNode([Op.Tuple], ids));
  if (tree.kind[n] === K.Subscript) x.operation(operation, id, tree.line(n));
  if (operation === Operation.GetItem && indices.length === 1) memberByName(x, object, base, indices[0]!);
  return id;
}

/** Records `Color["RED"]`, where `Color` may be an enumeration, as a reference to `Color.RED`. */
function memberByName(x: Extraction, object: number, base: number, index: number): void {
  const { tree, facts: { annotated } } = x;
  if (x.annotating || tree.kind[index] !== K.String || !/^(?:\w+\.)*_*[A-Z]\w*$/.test(tree.text(object))) return;
  const name = /^(["'])([A-Za-z]\w*)\1$/.exec(tree.text(index))?.[2];
  if (name !== undefined) annotated.push(x.node(Op.Attr, base, x.string(name)), x.place.symbol, tree.line(index));
}

/** An expression beside a type in an annotation, which is none: `Depends(f)` in `Annotated[int, Depends(f)]`. */
function beside(x: Extraction, n: number): number {
  x.annotating = false;
  const id = expression(x, n);
  x.annotating = true;
  return id;
}

function dictionary(x: Extraction, n: number): number {
  const { tree } = x;
  const pairs: number[] = [];
  for (const c of tree.children(n)) {
    if (tree.kind[c] === K.Pair) {
      const [key, value] = tree.children(c);
      if (key !== undefined && value !== undefined) pairs.push(expression(x, key), expression(x, value));
    } else {
      const other = expression(x, c);
      if (x.facts.nodes[other] === (Op.Star as number)) pairs.push(x.node(Op.Unknown), other);
    }
  }
  const id = x.node(Op.Dict, pairs.length / 2);
  for (const part of pairs) x.facts.nodes.push(part);
  return id;
}

function comprehension(x: Extraction, n: number, op: Op): number {
  const { tree } = x;
  const { flow } = x.place;
  const before = flow.save();
  const [body, ...clauses] = tree.children(n);
  for (const clause of clauses) {
    if (tree.kind[clause] === K.ForIn) forIn(x, clause);
    else if (tree.kind[clause] === K.IfClause) {
      for (const test of tree.children(clause)) {
        tested(x, test);
        narrow(x, test, true);
      }
    }
  }
  let id = x.node(Op.Unknown);
  if (body !== undefined && tree.kind[body] === K.Pair) {
    const [key, value] = tree.children(body);
    if (key !== undefined && value !== undefined) id = x.node(op, expression(x, key), expression(x, value));
  } else if (body !== undefined) id = x.node(op, expression(x, body));
  flow.restore(before);
  return id;
}

function forIn(x: Extraction, clause: number): void {
  const { tree } = x;
  const parts = tree.children(clause);
  const at = parts.findIndex((c) => tree.kind[c] === K.In);
  const iterable = parts[at + 1];
  const target = parts.slice(0, at).findLast((c) => isValue(tree.kind[c]!));
  if (at < 0 || iterable === undefined || target === undefined) return;
  const source = expression(x, iterable);
  for (const more of parts.slice(at + 2)) expression(x, more);
  const isAsync = parts.some((c) => tree.kind[c] === K.Async);
  x.operation(isAsync ? Operation.IterateAsync : Operation.Iterate, source, tree.line(iterable));
  const item = x.node(Op.Item, source, isAsync ? 1 : 0);
  bindTarget(x, target, item, "flow");
}

function yielded(x: Extraction, n: number): number {
  const { tree } = x;
  const parts = tree.children(n);
  const value = parts.findLast((c) => isValue(tree.kind[c]!));
  const fn = x.facts.functions[x.place.fn];
  const id = value === undefined ? x.node(Op.Const, Const.None) : expression(x, value);
  if (!fn) return x.node(Op.Unknown);
  const from = parts.some((c) => tree.kind[c] === K.From);
  if (from) x.operation(Operation.Iterate, id, tree.line(n));
  fn.yields.push(from ? x.node(Op.Item, id, 0) : id);
  return x.node(Op.Unknown);
}

function lambda(x: Extraction, n: number): number {
  const { tree } = x;
  const { flow } = x.place;
  const parts = tree.children(n);
  const body = parts.at(-1);
  const list = parts.find((c) => tree.kind[c] === K.LambdaParameters);
  const params = list === undefined ? [] : parameters(x, list);
  const fn = x.facts.functions.push({
    name: x.string("<lambda>"), symbol: -1, owner: -1, flags: 0, params, returns: -1, results: [], yields: [], decorators: [],
  }) - 1;
  const before = flow.save();
  params.forEach((p, i) => flow.set(x.facts.strings[p.name]!, [x.node(Op.Param, fn, i)]));
  if (body !== undefined && body !== list) {
    const outer = x.place;
    x.at({ ...outer, fn }, () => x.facts.functions[fn]!.results.push(expression(x, body)));
  }
  flow.restore(before);
  return x.node(Op.Lambda, fn);
}

/** An expression that was noted before: its calls and values don't count again. */
export function quietly(x: Extraction, n: number): number {
  const { calls, values, operations } = x.facts;
  const before = [calls.length, values.length, operations.length] as const;
  const id = expression(x, n);
  calls.length = before[0];
  values.length = before[1];
  operations.length = before[2];
  return id;
}
