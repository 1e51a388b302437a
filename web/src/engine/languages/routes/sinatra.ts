import type { Node } from "web-tree-sitter";
import type { MountFact, NamedCode } from "../../facts.ts";
import { type Call, callOf, type Grammar } from "./calls.ts";
import type { Framework } from "./frameworks.ts";
import { below } from "./inherited.ts";
import { codeOf } from "./named-code.ts";
import { joined } from "./prefixes.ts";
import type { Router } from "./router.ts";
import type { Texts } from "./texts.ts";

/** Sinatra, Javalin and Spark: the namespaces and paths that routes stand in, and the filters that run before them. */
const NAMESPACES = /^(?:namespace|path|Mount)$/;

/** Whether a call with nothing but a block stands in a namespace. */
export function isNamespaced(node: Node, block: Node, grammar: Grammar): boolean {
  if (!grammar.functions.test(block.type)) return false;
  for (let at = node.parent; at; at = at.parent) {
    const call = at.type === "call" ? plainCall(at, grammar) : undefined;
    if (call?.name === "namespace" && !call.receiver) return true;
  }
  return false;
}

/** Ruby: a call; one on the application that an extension is given, `def self.registered(app) app.get "/login" do`, is a call on nothing, too. */
export function plainCall(node: Node, grammar: Grammar): Call | undefined {
  const call = callOf(node, grammar);
  if (call?.receiver?.type !== "identifier") return call;
  for (let at: Node | null = node.parent; at; at = at.parent) {
    if (isExtension(at)) return at.childForFieldName("parameters")?.namedChildren[0]?.text === call.receiver.text ? { ...call, receiver: undefined, callee: call.name } : call;
  }
  return call;
}

/** Sinatra: the method of an extension that adds its routes to the application which registers it. */
function isExtension(node: Node): boolean {
  return node.type === "singleton_method" && node.childForFieldName("name")?.text === "registered";
}

/** Those of one file. */
export class Namespaces {
  private filters: readonly { within: Node; code: NamedCode; under: string }[] | undefined;

  constructor(private readonly root: Node, private readonly grammar: Grammar, private readonly texts: Texts, private readonly calls: readonly Call[]) {}

  /** What the `namespace "/api" do`, Starlette's `Mount("/api", routes=[…])` or the class around a node adds routes to, if there is one; `whole`: nobody puts the outermost under a path. */
  of(node: Node, whole = true): Router | undefined {
    for (let at = node.parent; at; at = at.parent) {
      if (isExtension(at)) return { prefix: "", mounts: [], whole: false, before: [], made: lastOf(nameOf(at)), line: at.startPosition.row + 1 };
      if (at.type === "class") return { prefix: "", mounts: [], whole: true, before: [], made: nameOf(at), ...aboveOf(at), line: at.startPosition.row + 1 };
      const call = plainCall(at, this.grammar);
      const prefix = call && !call.receiver && NAMESPACES.test(call.name) ? this.texts.one(call.args[0]?.node) ?? (call.name === "Mount" && call.args[0] ? this.texts.hole(call.args[0].node) : undefined) : undefined;
      if (prefix === undefined) continue;
      const base = this.of(at, whole);
      return { ...(base ? { base } : {}), prefix, mounts: [], whole, before: [], made: "", line: at.startPosition.row + 1 };
    }
    return whole ? undefined : { prefix: "", mounts: [], whole, before: [], made: "", line: node.startPosition.row + 1 };
  }

  /** What `before do … end` and `before "/admin/*" do … end` run before a route of the same class or namespace. */
  before(node: Node, path: string): NamedCode[] {
    this.filters ??= this.calls.flatMap((call) => {
      const block = call.args.at(-1)?.node;
      if (call.name !== "before" || call.receiver || !block || !this.grammar.functions.test(block.type)) return [];
      let within = call.node.parent ?? this.root;
      while (within.parent && within.type !== "class" && !isExtension(within) && !this.grammar.functions.test(within.type)) within = within.parent;
      const [said] = call.args.length > 1 ? call.args : [];
      const under = said && this.texts.one(said.node);
      return [{ within, code: codeOf(block, this.grammar), under: under === undefined ? "*" : said!.node.type === "regex" ? plainPattern(under) : under }];
    });
    const { startIndex } = node;
    const paths = new Map<number, string>();
    const pathIn = (within: Node): string => {
      const known = paths.get(within.id) ?? joined("", this.pathIn(within, node, path));
      paths.set(within.id, known);
      return known;
    };
    return this.filters.filter(({ within, under }) => within.startIndex <= startIndex && startIndex < within.endIndex && (under === "*" || matches(under, pathIn(within)))).map(({ code }) => code);
  }

  /** The path of a route behind that of a class or namespace around it. */
  private pathIn(within: Node, node: Node, path: string): string {
    for (let at = node.parent; at && at.id !== within.id; at = at.parent) {
      const call = plainCall(at, this.grammar);
      if (call && NAMESPACES.test(call.name)) path = joined(this.texts.one(call.args[0]?.node) ?? "…", path);
    }
    return path;
  }
}

/** A pattern with `*` for a regular expression that says a beginning and anything behind it, `\A/reports.*`; "" for another one, which nothing is known to match. */
function plainPattern(expression: string): string {
  const [, beginning, rest] = /^(?:\^|\\A)?((?:\\?[\w/-])+)(\.\*|\(\/?\.\*\)\??)?(?:\$|\\[zZ])?$/.exec(expression) ?? [];
  return beginning === undefined ? "" : beginning.replaceAll("\\", "") + (rest === undefined ? "" : "*");
}

/** Whether the pattern of a filter, `/admin/:id` or `/admin/*`, is for a path. */
function matches(pattern: string, path: string): boolean {
  const [beginning = "", end, more] = pattern.split("*");
  if (more !== undefined || (end !== undefined && end !== "")) return false;
  const [parts, all] = [beginning.split("/"), path.split("/")];
  const last = parts.length - 1;
  if (end === undefined ? parts.length !== all.length : parts.length > all.length) return false;
  return parts.every((part, i) => part.startsWith(":") || (end !== undefined && i === last ? all[i]!.startsWith(part) : all[i] === part));
}

/** The name of a class with those of the modules around it. */
function nameOf(cls: Node): string {
  const names: string[] = [];
  for (let at: Node | null = cls; at; at = at.parent) if (/^(?:class|module)$/.test(at.type)) names.unshift(at.childForFieldName("name")?.text ?? "");
  return names.join("::");
}

/** The class of the project that a class inherits from. */
function aboveOf(cls: Node): { above?: string } {
  const above = cls.childForFieldName("superclass")?.namedChildren[0]?.text;
  return above === undefined || above.startsWith("Sinatra::") ? {} : { above: lastOf(above) };
}

/** Rack: applications under paths, `map "/api" do run Api end` and `Rack::URLMap.new("/api" => Api)`. */
export function rackMounts(root: Node, grammar: Grammar, texts: Texts): MountFact[] {
  const put = (prefix: string, app: string): MountFact => ({ prefix, target: { text: app, names: [app.replace(/^::|\.(?:new|freeze|app)\b.*$/gs, "")], line: 0, endLine: 0 } });
  return root.descendantsOfType("call").flatMap((node) => {
    const call = callOf(node, grammar);
    if (call?.callee === "Rack::URLMap.new") return call.args.filter(({ name }) => name.startsWith("/")).map((one) => put(one.name, one.node.text));
    if (call?.name !== "run" || call.receiver || !call.args[0]) return [];
    let prefix = "";
    for (let at = node.parent; at; at = at.parent) {
      const outer = callOf(at, grammar);
      if (outer?.name === "map" && !outer.receiver && outer.args[0]) prefix = joined(texts.one(outer.args[0].node) ?? "…", prefix);
    }
    return prefix === "" ? [] : [put(prefix, call.args[0].node.text)];
  });
}

/** Sinatra: what a class runs before its routes, for those that other files add to it, and for those of the classes right below it; and the extensions whose routes it has, too. */
export function classMounts(root: Node, grammar: Grammar): MountFact[] {
  return root.descendantsOfType("class").flatMap((cls): MountFact[] => {
    const calls = (cls.childForFieldName("body")?.namedChildren ?? []).flatMap((node) => callOf(node, grammar) ?? []).filter(({ receiver }) => !receiver);
    const before = calls.flatMap(({ name, args: [block, ...more] }) => (name === "before" && block && more.length === 0 && grammar.functions.test(block.node.type) ? [codeOf(block.node, grammar)] : []));
    const name = nameOf(cls);
    const extensions = calls.filter((one) => one.name === "register").flatMap(({ args }) => args.map(({ node }): MountFact => ({
      prefix: "", target: { ...codeOf(node, grammar), names: [lastOf(node.text)] }, into: { names: [name], line: cls.startPosition.row + 1 }, ...(before.length === 0 ? {} : { before }),
    })));
    return before.length === 0 ? extensions : [...extensions, { prefix: "", target: { text: name, names: [name, below(lastOf(name))], line: 0, endLine: 0 }, before, runs: { elsewhere: true } }];
  });
}

/** `Auth` of `Shop::Auth`. */
function lastOf(name: string): string {
  return name.replace(/^.*::/, "");
}

/** Whether `get "/x" do` asks for a path: in a method of a file that does not import Sinatra. */
export function isAsked({ imports }: Framework, node: Node, source: string): boolean {
  let around: Node | null = node;
  while (around && !/^(?:singleton_)?method$/.test(around.type)) around = around.parent;
  return around !== null && !imports.test(source);
}
