/** AMD modules, as RequireJS and Dojo load them: `define(["./a"], function (a) { return {}; })`. */
import { Op } from "../facts.ts";
import type { Offset } from "../facts.ts";
import { exportWhole } from "./assignments.ts";
import type { Extraction } from "./extraction.ts";
import { bind } from "./functions.ts";
import { stringValue } from "./names.ts";
import { isFunction, unwrap } from "./objects.ts";
import { Scope, Space } from "./scope.ts";
import { statements } from "./statements.ts";

/** What a factory is given that names no modules. Listed among modules they mean the same. */
const GIVEN = ["require", "exports", "module"];

/** A call that asks the loader for modules. */
export interface Loading {
  /** It defines the module of the file: `define`, and not `require([], f)`. */
  readonly defines: boolean;
  /** What the factory is given: the texts, and the modules that they name; 0 for what is none. */
  readonly names: readonly string[];
  readonly modules: readonly Offset[];
  /** What is called with the modules, or is the module, and its place among the arguments. */
  readonly factory: number;
  readonly place: number;
}

/** What a call asks the loader for; undefined for any other call. */
export function loadingOf(x: Extraction, callee: number, list: number): Loading | undefined {
  const { syntax } = x;
  const name = x.javascript && list !== 0 && syntax.kind(callee) === "identifier" ? syntax.text(callee) : "";
  const defines = name === "define";
  if (defines ? !isLoader(x) : name !== "require" && name !== "requirejs") return undefined;
  const given = syntax.children(list).filter((node) => syntax.kind(node) !== "comment");
  let place = defines && given.length > 1 && syntax.kind(given[0]!) === "string" ? 1 : 0;
  const listed = syntax.kind(given[place] ?? 0) === "array" ? given[place++] : undefined;
  const factory = given[place] ?? 0;
  if (factory === 0 || (defines ? given.length > place + 1 : listed === undefined)) return undefined;
  x.facts.amd = true;
  if (listed === undefined) return { defines, names: GIVEN, modules: [], factory, place };
  const nodes = syntax.children(listed).filter((node) => syntax.kind(node) !== "comment");
  const names = nodes.map((node) => (syntax.kind(node) === "string" ? stringValue(syntax.text(node)) : ""));
  const modules = names.map((text, i) => (text === "" || GIVEN.includes(text) ? 0 : x.emit(Op.Module, x.specifier(text, nodes[i]!))));
  return { defines, names, modules, factory, place };
}

/** Whether `define` is the loader's: the file declares none, but for the package that stands in for it in Node. */
function isLoader(x: Extraction): boolean {
  return x.scope.find("define", Space.Value) === undefined || x.syntax.source.includes("amdefine");
}

/** Reads what defines the file's module outside of functions: the factory's body is the module's. False for what defines none there. */
export function definesModule(x: Extraction, { defines, names, factory }: Loading): boolean {
  const { syntax } = x;
  const value = unwrap(x, factory);
  if (!defines || x.function >= 0 || x.symbol >= 0) return false;
  if (!isFunction(x, value)) {
    if (syntax.kind(value) === "object") exportWhole(x, value, value);
    return syntax.kind(value) === "object";
  }
  const outer = { scope: x.scope, factory: x.factory };
  x.scope = new Scope(x.scope, true);
  x.factory = true;
  parametersOf(x, value).forEach((pattern, i) => {
    // These mean in the factory what they mean in CommonJS.
    if (GIVEN.includes(syntax.text(pattern)) && syntax.text(pattern) === names[i]) return;
    const binding = bind(x, pattern, 0, x.givenModules.get(pattern) ?? 0, x.scope, { constant: true });
    if (x.givenWhole.has(pattern)) x.wholes.add(binding);
  });
  const body = syntax.child(value, "body");
  if (syntax.kind(body) === "statement_block") statements(x, body);
  else exportWhole(x, body, body);
  Object.assign(x, outer);
  return true;
}

/** Notes which of a factory's parameters are which modules, and which is what the module exports. */
export function givesModules(x: Extraction, { names, modules, factory }: Loading): void {
  const value = unwrap(x, factory);
  if (!isFunction(x, value)) return;
  parametersOf(x, value).forEach((pattern, i) => {
    if (modules[i]) x.givenModules.set(pattern, modules[i]);
    if (names[i] === "exports" && x.syntax.kind(pattern) === "identifier") x.givenWhole.add(pattern);
  });
}

/** The loader calls the factory with the modules. `loads`: the record of the loader's call, which is that of `node`. */
export function callsFactory(x: Extraction, { defines, modules, place }: Loading, loads: Offset, node: number): void {
  const { code, exports } = x.facts;
  const factory = code[loads + 4 + code[loads + 2]! + place]!;
  const call = x.emit(Op.Call, factory, 0, modules.length, ...modules);
  x.call(call, node);
  if (defines && exports.equals === 0) exports.equals = call;
}

/** The patterns of a function's parameters. */
function parametersOf(x: Extraction, node: number): number[] {
  const { syntax } = x;
  const single = syntax.child(node, "parameter");
  if (single !== 0) return [single];
  const all = syntax.children(syntax.child(node, "parameters")).filter((each) => syntax.kind(each) !== "comment");
  return all.map((each) => syntax.child(each, "pattern") || syntax.child(each, "name") || each);
}
