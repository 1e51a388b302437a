import { expression, statements } from "./expressions.ts";
import { narrowings } from "./branches.ts";
import { type Offset, Op, type ParameterFact } from "./facts.ts";
import { macro } from "./macros.ts";
import { patternIn } from "./names.ts";
import { elementsOf } from "./symbols.ts";
import type { Unit } from "./unit.ts";

/** Ruby's own blocks in which `self` is another than around them. */
const OWN_SELF = new Set(["instance_eval", "instance_exec", "class_eval", "class_exec", "module_eval", "module_exec", "included", "class_methods", "prepended"]);

/** Methods that call their block for each element. */
const EACH = /^(?:each|map|flat_map|each_with_index|each_with_object|each_value|select|filter|reject|all\?|any\?|none\?|find|sum|reverse_each|to_h|index_with)$/;

const MAX_ARGUMENTS = 50;
/** What is put into a local list beyond so many things says no more. */
const MAX_FILLED = 8;

export function call(u: Unit, node: number): Offset {
  const { syntax } = u;
  const plain = syntax.kind(node) === "identifier";
  const receiverNode = plain ? 0 : syntax.part(node, "receiver");
  const method = plain ? node : syntax.part(node, "method");
  // `receiver.()` is short for `receiver.call()`.
  const name = method ? syntax.text(method) : "call";
  const handled = macro(u, node, name, receiverNode);
  if (handled !== undefined) return handled;
  const receiver = receiverNode ? u.receiver(expression(u, receiverNode)) : 0;
  const args = plain ? [] : argumentsOf(u, syntax.part(node, "arguments"));
  const list = plain ? 0 : syntax.part(node, "arguments");
  const given = plain ? 0 : syntax.part(node, "block");
  const passed = list ? syntax.child(list, "block_argument") : 0;
  const symbols = given && receiver && EACH.test(name) ? elementsOf(u, receiver) : [];
  const element = symbols.length > 0 ? u.either(symbols.map((symbol) => u.emit(Op.Symbol, u.str(symbol)))) : 0;
  const blockAt = given ? block(u, given, syntax.part(given, "parameters"), OWN_SELF.has(name) || (!receiverNode && u.inBody), element) : passed ? blockArgument(u, passed) : 0;
  if (passed && u.code[blockAt] === Op.Reference) u.use(blockAt, passed);
  // `block.call(x)` gives to the block what `yield x` does.
  if (u.code[receiver] === Op.Parameter && (name === "call" || name === "yield")) {
    const { parameters, yields } = u.methods[u.code[receiver + 1]!]!;
    if (parameters[u.code[receiver + 2]!]?.kind === "block") yields.push(args);
  }
  const at = u.call(receiver, name, args, blockAt, method || node);
  if (u.code[blockAt] === Op.Pass) handOn(u, at, u.code[blockAt + 1]!);
  rememberElement(u, receiverNode, name, args);
  return at;
}

/** `items.each(&block)` gives to the method's block what it gives to its own. */
function handOn(u: Unit, call: Offset, block: Offset): void {
  if (u.code[block] !== Op.Parameter) return;
  const { parameters, yields } = u.methods[u.code[block + 1]!]!;
  if (parameters[u.code[block + 2]!]?.kind !== "block") return;
  const at = u.emit(Op.Block, call, 0, 2, u.owner);
  yields.push([u.emit(Op.Given, at, 0), u.emit(Op.Given, at, 1)]);
}

export function argumentsOf(u: Unit, list: number): Offset[] {
  const { syntax } = u;
  if (!list) return [];
  const before = u.given;
  u.given = true;
  const values = syntax.children(list).flatMap((child) => {
    if (syntax.kind(child) === "block_argument") return [];
    const value = expression(u, child);
    if (syntax.kind(child) !== "pair") return [value];
    // Under a key that is no symbol: one of a hash that is put together from what is given.
    return [u.code[value] === Op.Keyword ? value : u.emit(Op.Splat, 0)];
  });
  u.given = before;
  return values;
}

function blockArgument(u: Unit, node: number): Offset {
  const { syntax } = u;
  const [value] = syntax.children(node);
  if (value === undefined) return 0;
  if (syntax.kind(value) === "simple_symbol") {
    const at = u.emit(Op.Each, 0, u.str(syntax.text(value).slice(1)));
    u.use(at, value);
    return at;
  }
  const at = expression(u, value);
  return u.code[at] === Op.Reference ? at : u.emit(Op.Pass, at);
}

/** Reads a block; `loose` when the call may run it with another `self`. */
/** `element`: what its first parameter is given, where the list that the loop goes through is written out. */
export function block(u: Unit, node: number, parameters: number, loose = false, element: Offset = 0): Offset {
  const { syntax } = u;
  const list = parameters ? syntax.children(parameters).filter((one) => syntax.kind(one) !== "comment") : [];
  const at = u.emit(Op.Block, 0, 0, list.length, u.owner);
  const before = u.context;
  if (loose) u.context = u.addContext({ loose: true });
  const own: [string, Offset][] = [];
  for (const [position, parameter] of list.entries()) blockParameter(u, parameter, (position === 0 && element) || u.emit(Op.Given, at, position), own);
  if (list.length === 0) own.push(["it", u.emit(Op.Given, at, 0)], ["_1", u.emit(Op.Given, at, 0)], ["_2", u.emit(Op.Given, at, 1)]);
  const body = syntax.part(node, "body");
  const value = u.branch(() => (body ? statements(u, body) : 0), own, true);
  u.context = before;
  u.code[at + 2] = value;
  const forwards = (u.code[value] === Op.Call || u.code[value] === Op.Super) && syntax.children(body).filter((one) => syntax.kind(one) !== "comment").length === 1;
  if (forwards) u.forwards.push(at, value);
  return at;
}

function blockParameter(u: Unit, node: number, value: Offset, own: [string, Offset][]): void {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "identifier":
      own.push([syntax.text(node), value]);
      return;
    case "destructured_parameter":
      for (const part of syntax.children(node)) blockParameter(u, part, u.emit(Op.Element, value), own);
      return;
    case "splat_parameter":
      own.push([syntax.text(syntax.part(node, "name")), u.emit(Op.List, 1, value)]);
      return;
    default: {
      const name = syntax.part(node, "name");
      const initial = syntax.part(node, "value");
      if (initial) expression(u, initial);
      if (name) own.push([syntax.text(name), 0]);
    }
  }
}

export function superCall(u: Unit, node: number): Offset {
  const { syntax } = u;
  const list = syntax.kind(node) === "super" ? 0 : syntax.part(node, "arguments");
  const args = argumentsOf(u, list).slice(0, MAX_ARGUMENTS);
  const given = syntax.kind(node) === "super" ? 0 : syntax.part(node, "block");
  const blockAt = given ? block(u, given, syntax.part(given, "parameters")) : 0;
  const at = u.emit(Op.Super, u.context, blockAt, list ? args.length : -1, ...args);
  if (blockAt) u.code[blockAt + 1] = at;
  u.use(at, node);
  return at;
}

/** `@list << value` says what the list holds. */
export function rememberElement(u: Unit, receiver: number, name: string, args: readonly Offset[]): void {
  if (!receiver || args.length === 0 || !["<<", "push", "append", "unshift", "add", "[]="].includes(name)) return;
  if (/^(?:instance|class)_variable$/.test(u.syntax.kind(receiver))) {
    u.fields.push({ name: u.syntax.text(receiver), context: u.holder, value: args.at(-1)!, element: true });
  } else if (u.syntax.kind(receiver) === "identifier") {
    const local = u.lookup(u.syntax.text(receiver));
    if (local === undefined) u.elements.push({ method: u.syntax.text(receiver), context: u.context, value: args.at(-1)! });
    else fillLocal(u, u.syntax.text(receiver), local, args.at(-1)!);
  }
}

/** A list or table of a local variable holds one thing more. */
function fillLocal(u: Unit, name: string, local: Offset, value: Offset): void {
  const { code } = u;
  const held = code[local] === Op.Either ? code.slice(local + 2, local + 2 + code[local + 1]!) : [local];
  const op = code[held[0]!];
  if (value !== 0 && (op === Op.List || op === Op.Table) && held.length < MAX_FILLED && !held.includes(value)) u.bind(name, u.either([...held, u.several(op, [value])]));
}

/** The sign of an operation: what stands before its last operand. */
export function operatorOf(u: Unit, node: number): string {
  const { syntax } = u;
  const operands = syntax.children(node);
  const last = operands.at(-1);
  if (last === undefined) return "";
  const from = operands.length > 1 ? syntax.end(operands.at(-2)!) : syntax.start(node);
  return syntax.source.slice(from, syntax.start(last)).replace(/#[^\n]*\n|\\\n/g, "").trim();
}

export function binary(u: Unit, node: number): Offset {
  const { syntax } = u;
  const left = syntax.part(node, "left");
  const right = syntax.part(node, "right");
  const operator = operatorOf(u, node);
  const first = left ? expression(u, left) : 0;
  if (operator === "&&" || operator === "and") return u.branch(() => (right ? expression(u, right) : 0), left ? narrowings(u, left, false) : []);
  if (operator === "||" || operator === "or") return u.either([first, u.branch(() => (right ? expression(u, right) : 0))]);
  const second = right ? expression(u, right) : 0;
  // Whether something is nil is asked of anything: it says nothing about which method answers.
  if (right && /^[!=]=$/.test(operator) && syntax.kind(right) === "nil") return u.core("TrueClass");
  const at = u.call(u.receiver(first), operator === "!=" ? "==" : operator === "!~" ? "=~" : operator, [second], 0, node);
  if (operator === "<<") rememberElement(u, left, operator, [second]);
  const put = operator === "+" ? patternIn(u, node) : undefined;
  return put === undefined ? at : u.emit(Op.Text, u.str(put));
}

export function index(u: Unit, node: number, name: string, more: readonly Offset[]): Offset {
  const { syntax } = u;
  const object = syntax.part(node, "object");
  const receiver = u.receiver(object ? expression(u, object) : 0);
  const args = syntax.children(node).filter((child) => child !== object).map((child) => expression(u, child));
  return u.call(receiver, name, [...args, ...more], 0, node);
}

/** Reads a method's parameters and binds them. */
export function parametersOf(u: Unit, list: number, method: number, documented: ReadonlyMap<string, Offset>): ParameterFact[] {
  const { syntax } = u;
  const found: ParameterFact[] = [];
  for (const node of list ? syntax.children(list) : []) {
    const position = found.length;
    const parameter = (name: string, kind: ParameterFact["kind"], value: Offset): void => {
      const said = documented.get(name) ?? 0;
      found.push({ name, kind, value: said || value });
      u.bind(name, u.emit(Op.Parameter, method, position));
    };
    const name = syntax.kind(node) === "identifier" ? syntax.text(node) : syntax.text(syntax.part(node, "name") || node);
    const value = syntax.part(node, "value");
    switch (syntax.kind(node)) {
      case "identifier":
        parameter(name, "required", 0);
        break;
      case "optional_parameter":
        parameter(name, "optional", value ? expression(u, value) : 0);
        break;
      case "keyword_parameter":
        parameter(name, "key", value ? expression(u, value) : 0);
        break;
      case "splat_parameter":
        parameter(syntax.part(node, "name") ? name : "*", "rest", 0);
        break;
      case "hash_splat_parameter":
        parameter(syntax.part(node, "name") ? name : "**", "keys", 0);
        break;
      case "block_parameter":
        parameter(syntax.part(node, "name") ? name : "&", "block", 0);
        break;
      case "destructured_parameter":
        found.push({ name: "", kind: "required", value: 0 });
        for (const part of syntax.children(node)) if (syntax.kind(part) === "identifier") u.bind(syntax.text(part), 0);
        break;
      case "forward_parameter":
        found.push({ name: "...", kind: "rest", value: 0 });
        break;
      default:
    }
  }
  return found;
}
