import { attribute, blockMethod, delegated, madeBy, newMethod, openMade, otherName, reopen, runHook } from "./declarations.ts";
import { isRakefile, isSpec } from "./entries.ts";
import { evaluated } from "./evaluated.ts";
import { argumentsOf, block } from "./calls.ts";
import { constant, expression, statements } from "./expressions.ts";
import { type Offset, Op } from "./facts.ts";
import { association, classNamed, constantNamed, recordScope } from "./records.ts";
import { autoload, load } from "./loads.ts";
import { nameIn, namesIn, oneOf, patternIn } from "./names.ts";
import { camelized, isInApp } from "./paths.ts";
import { mixIn, rendered, view } from "./templates.ts";
import type { Unit } from "./unit.ts";

const CALLBACK = /^(?:(?:prepend_|append_|skip_)?(?:before|after|around)_\w+|validate|set_callback|rescue_from)$/;
/** Options of such calls whose values name methods. */
const NAMES_METHOD = /^(?:if|unless|with|using|call|callback|handler|method)$|^(?:before|after|around)_\w+$|_(?:callback|handler|method)$/;
const EXAMPLES = /^(?:describe|context|feature|shared_examples(?:_for)?|shared_context|RSpec)$/;

/** The names that symbols and texts among the arguments give. */
interface Named { node: number; name: string }

/**
 * Calls that declare something, or that mean another call. Gives what the call gives; undefined for any other call, and
 * for one that is to be read as a call, too.
 */
export function macro(u: Unit, node: number, name: string, receiver: number): Offset | undefined {
  const { syntax } = u;
  const plain = syntax.kind(node) === "identifier";
  const list = plain ? 0 : syntax.part(node, "arguments");
  const args = list ? syntax.children(list).filter((one) => syntax.kind(one) !== "comment") : [];
  const given = plain ? 0 : syntax.part(node, "block");
  const [first] = args;
  const self = receiver !== 0 && syntax.kind(receiver) === "self";
  const own = receiver === 0 || self;

  switch (name) {
    case "new":
    case "define": {
      const made = receiver ? madeBy(u, node) : undefined;
      if (made) return openMade(u, made, "", -1, syntax.line(node));
      if (receiver && syntax.text(receiver) === "Proc" && given) return closure(u, given);
      return undefined;
    }
    case "lambda":
    case "proc":
      return own && given ? closure(u, given) : undefined;
    case "method":
    case "public_method": {
      const named = first === undefined ? undefined : (nameIn(u, first) ?? patternIn(u, first) ?? oneOf(u, first));
      if (named === undefined || args.length !== 1) return undefined;
      const at = u.emit(Op.Reference, receiver && !self ? u.receiver(expression(u, receiver)) : 0, u.str(named), u.context);
      u.use(at, node);
      return at;
    }
    case "instance_method":
    case "public_instance_method": {
      const named = first === undefined ? undefined : nameIn(u, first);
      if (named === undefined || args.length !== 1) return undefined;
      const of = receiver && !self ? u.emit(Op.Instance, u.receiver(expression(u, receiver)), 0) : 0;
      const at = u.emit(Op.Reference, of, u.str(named), u.addContext({ singleton: false, method: -1, loose: false }));
      u.use(at, node);
      return at;
    }
    case "send":
    case "public_send":
    case "__send__":
    case "try":
    case "try!": {
      const named = first === undefined ? undefined : (nameIn(u, first) ?? patternIn(u, first) ?? oneOf(u, first));
      if (named === undefined) return undefined;
      if (receiver && mixins(u, named, receiver, args.slice(1))) return 0;
      const at = receiver ? u.receiver(expression(u, receiver)) : 0;
      const values = argumentsOf(u, list).slice(1);
      return u.call(at, named, values, given ? block(u, given, syntax.part(given, "parameters"), true) : 0, node);
    }
    case "const_get": {
      const at = first === undefined ? undefined : constantGot(u, receiver, nameIn(u, first));
      if (at !== undefined) u.use(at, node);
      return at;
    }
    case "require":
    case "require_relative":
    case "load":
    case "require_dependency":
      return (own || syntax.text(receiver) === "Kernel") && first !== undefined ? load(u, name, first) : undefined;
    case "autoload":
      return own && autoload(u, args) ? 0 : undefined;
    case "class_eval":
    case "module_eval":
    case "class_exec":
    case "module_exec": {
      if (first !== undefined && !given && !/exec/.test(name)) {
        const inClass = u.contexts[u.context]!.singleton && isBodyOfClass(u);
        if (own ? inClass : isHooked(u, receiver)) evaluated(u, node, first);
        else if (!own && /^(?:constant|scope_resolution)$/.test(syntax.kind(receiver))) reopen(u, receiver, () => evaluated(u, node, first));
        return undefined;
      }
      // What a module's hook does to the classes that include it, the module does.
      if (receiver && given && isHooked(u, receiver)) return u.within(u.addContext({ singleton: true, method: -1 }), -1, () => bodyOf(u, given));
      if (!receiver || !/^(?:constant|scope_resolution)$/.test(syntax.kind(receiver)) || !given) return undefined;
      u.use(constant(u, receiver), receiver);
      return reopen(u, receiver, () => bodyOf(u, given));
    }
    case "include":
    case "extend":
    case "prepend":
      return mixins(u, name, receiver, args) ? u.self() : undefined;
    // Sinatra and Grape: what routes call.
    case "helpers":
      return own && !given && mixins(u, "include", receiver, args) ? u.self() : undefined;
    case "render":
    case "render_to_string":
    case "erb":
      rendered(u, name, receiver, args);
      return undefined;
    case "for_gem":
    case "for_gem_extension":
      if (receiver && /\bLoader$/.test(syntax.text(receiver))) u.autoloads = true;
      return undefined;
    case "define_method":
    case "define_singleton_method": {
      const names = first === undefined ? [] : namesIn(u, first);
      if (names.length === 0 || !own || (!given && args.length < 2)) return undefined;
      const code = given || (syntax.kind(args[1]!) === "lambda" ? syntax.part(args[1]!, "body") : 0);
      if (!code) return undefined;
      for (const named of names) blockMethod(u, node, first!, named, code, name === "define_singleton_method");
      return u.core("Symbol");
    }
  }
  if (!own) {
    if (receiver && EXAMPLES.test(name) && syntax.text(receiver) === "RSpec" && given) return examples(u, args, given);
    return undefined;
  }
  return u.inBody ? inBody(u, node, name, args, given) : undefined;
}

/** `Shop.const_get(:Cart)`: the constant that this names, where it is written out. */
function constantGot(u: Unit, receiver: number, name: string | undefined): Offset | undefined {
  if (name === undefined || !/^[A-Z]\w*(?:::[A-Z]\w*)*$/.test(name)) return undefined;
  const { syntax } = u;
  if (receiver === 0 || syntax.kind(receiver) === "self") return u.contexts[u.context]!.singleton ? constantNamed(u, name) : undefined;
  if (!/^(?:constant|scope_resolution)$/.test(syntax.kind(receiver))) return undefined;
  if (/^(?:Object|Kernel)$/.test(syntax.text(receiver))) return constantNamed(u, `::${name}`);
  return name.split("::").reduce((at, one) => u.emit(Op.Scoped, at, u.str(one)), constant(u, receiver));
}

/** Those that mean something in a class's body, or a file's. */
function inBody(u: Unit, node: number, name: string, args: readonly number[], given: number): Offset | undefined {
  const { syntax } = u;
  const names: Named[] = args.flatMap((arg) => {
    if (syntax.kind(arg) === "symbol_array") return syntax.children(arg).map((one) => ({ node: one, name: syntax.text(one) }));
    const text = nameIn(u, arg);
    return text === undefined ? [] : [{ node: arg, name: text }];
  });
  const [first] = args;
  switch (name) {
    case "attr_reader":
    case "attr":
    case "attr_writer":
    case "attr_accessor":
      for (const one of names) attribute(u, one.node, name !== "attr_writer", name === "attr_accessor" || name === "attr_writer");
      return 0;
    case "cattr_accessor":
    case "mattr_accessor":
    case "cattr_reader":
    case "mattr_reader":
    case "class_attribute":
    case "thread_mattr_accessor": {
      const { meta } = u;
      u.meta = true;
      for (const one of names) attribute(u, one.node, true, !name.endsWith("reader"), name === "class_attribute");
      u.meta = meta;
      return 0;
    }
    case "public":
    case "protected":
    case "private":
    case "module_function":
      if (!isBodyOfClass(u)) return undefined;
      visibility(u, name === "protected" ? "public" : name, args, names);
      return 0;
    case "private_class_method":
    case "public_class_method":
      for (const arg of args) expression(u, arg);
      if (name === "private_class_method") hide(u, names);
      return 0;
    case "private_constant":
      hide(u, names);
      return 0;
    // Says how a method takes its arguments, and is no use of it.
    case "ruby2_keywords":
      for (const arg of args) if (nameIn(u, arg) === undefined) expression(u, arg);
      return 0;
    case "alias_method":
      if (names.length === 2) otherName(u, node, names[0]!.node, names[0]!.name, names[1]!.name);
      return 0;
    case "delegate": {
      const to = option(u, args, "to");
      const prefix = option(u, args, "prefix");
      const target = to ? (nameIn(u, to) ?? syntax.text(to)) : undefined;
      if (target === undefined) return undefined;
      const before = !prefix ? "" : syntax.text(prefix) === "true" ? `${target}_` : `${nameIn(u, prefix) ?? ""}_`;
      for (const one of names) delegated(u, one.node, `${before}${one.name}`, target, one.name);
      return 0;
    }
    case "def_delegators":
    case "def_instance_delegators": {
      const [to, ...others] = names;
      for (const one of others) delegated(u, one.node, one.name, to!.name, one.name);
      return 0;
    }
    case "def_delegator":
    case "def_instance_delegator": {
      const [to, of, as] = names;
      if (to && of) delegated(u, (as ?? of).node, (as ?? of).name, to.name, of.name);
      return 0;
    }
    case "included":
    case "prepended":
    case "class_methods":
      if (!given || !isBodyOfClass(u)) return undefined;
      if (name === "class_methods") {
        const { meta } = u;
        u.meta = true;
        bodyOf(u, given);
        u.meta = meta;
        const scope = u.scopes[u.scope]!;
        scope.classMethods = true;
      } else {
        bodyOf(u, given);
      }
      return 0;
    case "scope":
    case "belongs_to":
    case "has_one":
    case "has_many":
    case "has_and_belongs_to_many": {
      const [one] = names;
      if (!isBodyOfClass(u) || !one || one.node !== first) return undefined;
      if (name === "scope") return recordScope(u, node, one.node, one.name, args[1] ?? 0);
      const of = ["class_name", "source"].map((key) => option(u, args, key)).map((value) => (value ? nameIn(u, value) : undefined));
      association(u, one.node, /many/.test(name), option(u, args, "polymorphic") ? undefined : of[0] ?? classNamed(of[1] ?? one.name));
      return undefined;
    }
    case "helper":
      for (const arg of args) {
        const named = nameIn(u, arg);
        const value = named === undefined ? /^(?:constant|scope_resolution)$/.test(syntax.kind(arg)) ? constant(u, arg) : 0 : constantNamed(u, `${camelized(named)}Helper`);
        if (value === 0) continue;
        u.use(value, arg);
        mixIn(u, value, syntax.line(arg));
      }
      return undefined;
    case "layout":
      if (first !== undefined && isInApp(u.path)) view(u, `layouts/${nameIn(u, first) ?? ""}`, first);
      return undefined;
    case "helper_method":
      for (const one of names) u.handed.push({ name: one.name, scope: u.scope });
      if (isBodyOfClass(u)) callbacks(u, args, names);
      return undefined;
    case "task":
    case "multitask":
      return isRakefile(u.path) && first !== undefined ? task(u, node, args, given) : undefined;
    case "namespace": {
      const named = first === undefined ? undefined : nameIn(u, first);
      if (!isRakefile(u.path) || named === undefined || !given) return undefined;
      const { prefix } = u;
      u.prefix = `${prefix}${named}:`;
      bodyOf(u, given);
      u.prefix = prefix;
      return 0;
    }
    case "let":
    case "let!":
    case "subject":
    case "subject!": {
      if (!given || !isSpec(u.path)) return undefined;
      const named = names[0];
      for (const called of named ? [named.name, ...(name.startsWith("subject") ? ["subject"] : [])] : ["subject"]) {
        blockMethod(u, node, named?.node ?? node, called, given, false, true);
      }
      return 0;
    }
    default:
      if (EXAMPLES.test(name) && given) return examples(u, args, given);
      if (isBodyOfClass(u)) callbacks(u, args, CALLBACK.test(name) ? names : names.filter(({ node }) => /^(?:simple|bare)_symbol$/.test(syntax.kind(node))));
      return undefined;
  }
}

function isBodyOfClass(u: Unit): boolean {
  return u.scopes[u.scope]!.kind !== "file";
}

/** The body of a block that runs as a part of the class's body. */
function bodyOf(u: Unit, given: number): Offset {
  const body = u.syntax.part(given, "body");
  return body ? statements(u, body) : 0;
}

function closure(u: Unit, given: number): Offset {
  return u.emit(Op.Closure, block(u, given, u.syntax.part(given, "parameters"), u.isHanded));
}

/** The value of an option `key: value`, or 0. */
export function option(u: Unit, args: readonly number[], key: string): number {
  const { syntax } = u;
  const pair = args.find((arg) => syntax.kind(arg) === "pair" && syntax.text(syntax.part(arg, "key")).replace(/[:"']/g, "") === key);
  return pair === undefined ? 0 : syntax.part(pair, "value");
}

// Modules mixed in

const HOOK = { include: "included", extend: "extended", prepend: "prepended" } as const;

function mixins(u: Unit, name: string, receiver: number, args: readonly number[]): boolean {
  if (name !== "include" && name !== "extend" && name !== "prepend") return false;
  const { syntax } = u;
  const self = receiver === 0 || syntax.kind(receiver) === "self";
  const context = u.contexts[u.context]!;
  const method = u.methods[context.method];
  let hooked = false;
  let target = 0;
  if (!self) {
    if (/^(?:constant|scope_resolution)$/.test(syntax.kind(receiver))) target = constant(u, receiver);
    else if (isHooked(u, receiver)) hooked = true;
    else return false;
  } else if (method) {
    return false;
  }
  const modules = args.filter((arg) => /^(?:constant|scope_resolution|self)$/.test(syntax.kind(arg)));
  if (modules.length === 0) return false;
  for (const arg of args) {
    const value = expression(u, arg);
    // In `class << self` what is included is what the class is extended with.
    const how = u.meta && !hooked && name === "include" ? "extend" : name;
    if (modules.includes(arg)) u.mixins.push({ how, ...(hooked ? { hooked } : {}), scope: u.scope, target, value, line: syntax.line(arg) });
    runHook(u, value, HOOK[name], arg);
  }
  return true;
}

/** What a hook of Ruby's is given: the class that includes the module, `def self.included(base)`. */
function isHooked(u: Unit, node: number): boolean {
  const method = u.methods[u.contexts[u.context]!.method];
  return method?.side === "singleton" && /^(?:included|extended|inherited|prepended|append_features)$/.test(method.name) && u.syntax.text(node) === method.parameters[0]?.name;
}

// Visibility

function visibility(u: Unit, kind: Unit["visibility"], args: readonly number[], names: readonly Named[]): void {
  if (args.length === 0) {
    u.visibility = kind;
    return;
  }
  const before = u.visibility;
  u.visibility = kind;
  for (const arg of args) expression(u, arg);
  u.visibility = before;
  if (kind === "private") hide(u, names);
  if (kind !== "module_function") return;
  for (const { name } of names) {
    for (const method of u.methods) if (method.scope === u.scope && method.name === name) method.side = "both";
  }
}

function hide(u: Unit, names: readonly Named[]): void {
  for (const { name } of names) {
    for (const symbol of u.symbols) if (symbol.parent === u.owner && symbol.name === name) symbol.exported = false;
  }
}

// Callbacks

/** `before_action :name`, and a method of the project's own, `before :name`: the class names methods that its objects run. */
function callbacks(u: Unit, args: readonly number[], names: readonly Named[]): void {
  const context = u.addContext({ singleton: false, method: -1, loose: false });
  const { syntax } = u;
  const more = args.flatMap((arg) => {
    const value = syntax.kind(arg) === "pair" && NAMES_METHOD.test(syntax.text(syntax.part(arg, "key")).replace(/[:"']/g, "")) ? syntax.part(arg, "value") : 0;
    const name = value ? nameIn(u, value) : undefined;
    return name === undefined ? [] : [{ node: value, name }];
  });
  for (const { node, name } of [...names, ...more]) u.use(u.emit(Op.Reference, 0, u.str(name), context), node);
}

// Rake

function task(u: Unit, node: number, args: readonly number[], given: number): Offset {
  const { syntax } = u;
  const [first] = args;
  const pair = syntax.kind(first!) === "pair";
  const key = pair ? syntax.part(first!, "key") : first!;
  const name = syntax.kind(key) === "hash_key_symbol" ? syntax.text(key) : nameIn(u, key);
  if (name === undefined) return expression(u, key);
  const symbol = u.symbol({ kind: "Function", name: `${u.prefix}${name}`, at: key, whole: node, body: given, entry: "main" });
  const fact = newMethod(`${u.prefix}${name}`, symbol, u.scope);
  const index = u.methods.push(fact) - 1;
  const last = args.at(-1)!;
  const needed = pair ? syntax.part(first!, "value") : syntax.kind(last) === "pair" ? syntax.part(last, "value") : 0;
  u.within(u.addContext({ method: index }), symbol, () => {
    for (const one of needed ? (syntax.kind(needed) === "array" ? syntax.children(needed) : [needed]) : []) {
      const before = nameIn(u, one);
      if (before !== undefined) u.use(u.emit(Op.Call, 0, u.str(before), u.context, 0, 0), one);
      else expression(u, one);
    }
    return given ? block(u, given, syntax.part(given, "parameters")) : 0;
  });
  return 0;
}

// Examples

/** `describe Name do`: what stands in it is the file's; `described_class` is what it names. */
function examples(u: Unit, args: readonly number[], given: number): Offset {
  const { syntax } = u;
  const [first] = args;
  const values = args.map((arg) => expression(u, arg));
  const described = first !== undefined && /^(?:constant|scope_resolution)$/.test(syntax.kind(first)) ? values[0]! : 0;
  const body = syntax.part(given, "body");
  if (!body) return 0;
  return u.branch(() => statements(u, body), described ? [["described_class", described]] : [], true);
}

