/**
 * Times edits in the engine alone, without a browser: for ordinary edits of what most files of a folder use, how many files are
 * resolved again, and how long it takes until the graph is the new one. A star marks one that is not what an index from the start gives.
 *   npx tsx bench/edits.ts DIR [KIND]     in web/; KIND: a regular expression for the kinds of edits
 */
import type { GraphNode } from "../src/engine/graph.ts";
import { languageOf } from "../src/engine/languages/index.ts";
import { filesOf, opened, take, told } from "./folder.ts";

const [dir, only = ""] = process.argv.slice(2);
if (!dir) throw new Error("usage: tsx bench/edits.ts DIR [KIND]");
const files = filesOf(dir);
const workspace = await opened(files);
const { graph } = workspace.codebase!;

/** In how many files a name stands, for each of its declarations. */
const spread = new Map<string, number>();
for (const text of Object.values(files)) for (const word of new Set(text.match(/[A-Za-z_]\w*/gu))) spread.set(word, (spread.get(word) ?? 0) + 1);
const declared = new Map<string, number>();
for (const { name } of graph.nodes) declared.set(name, (declared.get(name) ?? 0) + 1);
const callers = graph.nodes.map(() => new Set<string>());
const heirs = graph.nodes.map(() => new Set<string>());
for (let e = 0; e < graph.edgeCount; e++) {
  const { from, to, type } = graph.edge(e);
  if (type === "EXTENDS") heirs[to]!.add(graph.nodes[from]!.file);
  if (type === "CALLS" && graph.nodes[from]!.file !== graph.nodes[to]!.file) callers[to]!.add(graph.nodes[from]!.file);
}

type Lines = string[];
type Change = (lines: Lines, node: GraphNode) => void;

function most(weigh: (node: GraphNode, i: number) => number, fits: (node: GraphNode, line: string) => boolean): GraphNode | undefined {
  let best: GraphNode | undefined;
  let weight = 0;
  graph.nodes.forEach((node, i) => {
    if (node.line === 0 || node.test || weigh(node, i) <= weight || !fits(node, files[node.file]!.split("\n")[node.line - 1]!)) return;
    best = node;
    weight = weigh(node, i);
  });
  return best;
}

const used = ({ name }: GraphNode): number => spread.get(name)! / declared.get(name)!;
const called = (_: GraphNode, i: number): number => callers[i]!.size;
const inside = (...more: string[]): Change => (lines, { line }) => {
  let at = line - 1;
  while (!lines[at]!.includes("{")) at++;
  lines.splice(at + 1, 0, ...more);
};
const replace = (from: RegExp, to: string | ((...found: string[]) => string)): Change => (lines, { line }) => {
  lines[line - 1] = lines[line - 1]!.replace(from, to as string);
};
const script = ({ language, file }: GraphNode): boolean => language === "typescript" && !file.endsWith(".d.ts");
const typed = (node: GraphNode): boolean => script(node) && /\.[cm]?tsx?$/u.test(node.file);
const go = ({ language }: GraphNode): boolean => language === "go";
const kind = (of: string, language: (node: GraphNode) => boolean, line = /\{\s*$/u) => (node: GraphNode, text: string): boolean => node.kind === of && language(node) && line.test(text);
const withMembers = (of: (node: GraphNode, text: string) => boolean) => (node: GraphNode, text: string): boolean => of(node, text) && graph.nodes.some(({ owner, file }) => owner === node.name && file === node.file);

/** What is edited, how, by kind of edit. */
const EDITS: [string, GraphNode | undefined, Change][] = [];
const usedClass = most(used, withMembers(kind("Class", script)));
const usedInterface = most(used, kind("Interface", typed));
const calledMethod = most(called, kind("Method", script, /\w\(.*\).*\{\s*$/u));
const calledFunction = most(called, kind("Function", script, /^export (async )?function \w+(<.*>)?\(.*\{\s*$/u));
const usedFunction = most(used, kind("Function", script, /^export (async )?function \w+(<.*>)?\(.*\{\s*$/u));
const usedEnum = most(used, kind("Enum", typed));
const usedAlias = most(used, kind("TypeAlias", typed, /^export type \w+.* = .*;\s*$/u));
EDITS.push(
  ["class: a body", calledMethod, inside("    1 + 1;")],
  ["class: a new method", usedClass, inside("  fetchAllAgain() { return 1; }")],
  ["class: a new method of a common name", usedClass, inside("  get() { return 1; }")],
  ["class: a new field", usedClass, inside("  freshField = 1;")],
  ["class: a new field of a common name", usedClass, inside("  name = 1;")],
  ["class: another supertype", usedClass, replace(/class (\w+)(<[^{]*>)?( extends [\w.]+)?/u, "class $1$2 extends Missing")],
  ["class: no export any more", usedClass, replace(/^export (default )?/u, "")],
  ["method: one more parameter", calledMethod, replace(/\((?=\))|\((?=[^)])/u, "(moreOfThis = 1, ")],
  ["method: another result", calledMethod, (lines, node) => {
    if (/\)\s*:.*\{\s*$/u.test(lines[node.line - 1]!)) replace(/\)\s*:[^)]*\{\s*$/u, "): Missing {")(lines, node);
    else inside("    if (Math.random() > 2) return new Missing();")(lines, node);
  }],
  ["method: another name", calledMethod, (lines, { line, name }) => {
    lines[line - 1] = lines[line - 1]!.replace(new RegExp(`\\b${name}\\b`, "u"), `${name}Anew`);
  }],
  ["interface: a new field", usedInterface, inside("  freshField: number;")],
  ["interface: a new field of a common name", usedInterface, inside("  name: string;")],
  ["interface: a new method", usedInterface, inside("  fetchAllAgain(): number;")],
  ["interface: another supertype", usedInterface, replace(/interface (\w+)(<[^{]*>)?( extends [^{]*)?/u, "interface $1$2 extends Missing ")],
  ["enum: a new member", usedEnum, inside("  FreshMember = 99,")],
  ["alias: one more of a union", usedAlias, replace(/;\s*$/u, " | Missing;")],
  ["function: one more parameter", calledFunction, replace(/\((?=\))|\((?=[^)])/u, "(moreOfThis = 1, ")],
  ["function: another result", calledFunction, (lines, node) => {
    if (/\)\s*:.*\{\s*$/u.test(lines[node.line - 1]!)) replace(/\)\s*:[^)]*\{\s*$/u, "): Missing {")(lines, node);
    else inside("    if (Math.random() > 2) return new Missing();")(lines, node);
  }],
  ["function: no export any more", usedFunction, replace(/^export /u, "")],
  ["module: one more export", calledFunction, (lines) => lines.push("export function freshExport() { return 1; }")],
  ["module: one more export beside the class", usedClass, (lines) => lines.push("export function freshExport() { return 1; }")],
);
let barrel: string | undefined;
let importers = 0;
const imports = new Map<string, number>();
for (let e = 0; e < graph.edgeCount; e++) {
  const { to, type } = graph.edge(e);
  const { file } = graph.nodes[to]!;
  if (type !== "IMPORTS" || !languageOf(file, files[file]!)?.id.startsWith("typescript")) continue;
  imports.set(file, (imports.get(file) ?? 0) + 1);
}
for (const [path, count] of imports) {
  const lines = files[path]!.split("\n").filter((line) => line.trim() !== "");
  if (count > importers && lines.filter((line) => /^export (\*|\{).* from /u.test(line)).length > 0) [barrel, importers] = [path, count];
}
const barrelNode = graph.nodes.find(({ kind: of, file }) => of === "File" && file === barrel);
EDITS.push(
  ["barrel: one more name", barrelNode, (lines) => lines.push('export { missing as freshName } from "./missing";')],
  ["barrel: one more export *", barrelNode, (lines) => lines.push('export * from "./missing";')],
  ["barrel: a line less", barrelNode, (lines) => {
    lines.splice(lines.findIndex((line) => /^export (\*|\{).* from /u.test(line)), 1);
  }],
);
const goStruct = most(used, withMembers(kind("Struct", go)));
const goInterface = most(used, kind("Interface", go));
const goMethod = most(called, kind("Method", go));
const goFunction = most(called, kind("Function", go));
EDITS.push(
  ["Go, function: a body", goFunction, inside("\tprintln()")],
  ["Go, type: a new method", goStruct, (lines, { name }) => lines.push(`func (x *${name}) FetchAllAgain() int { return 1 }`)],
  ["Go, type: a new method of a common name", goStruct, (lines, { name }) => lines.push(`func (x *${name}) Close() error { return nil }`)],
  ["Go, type: a new field", goStruct, inside("\tfreshField int")],
  ["Go, type: a new embedded field", goStruct, inside("\tMissing")],
  ["Go, interface: a new method", goInterface, inside("\tFetchAllAgain() int")],
  ["Go, interface: a new method of a common name", goInterface, inside("\tClose() error")],
  ["Go, method: another result", goMethod, replace(/\)[^)]*\{\s*$|\) \([^()]*\) \{\s*$/u, ") Missing {")],
  ["Go, method: one more parameter", goMethod, replace(/(\) \w+\()(?=\))|(\) \w+\()/u, "$1$2moreOfThis int, ")],
  ["Go, method: another name", goMethod, (lines, { line, name }) => {
    lines[line - 1] = lines[line - 1]!.replace(new RegExp(`\\b${name}\\b`, "u"), `${name}Anew`);
  }],
  ["Go, function: another result", goFunction, replace(/\)[^)]*\{\s*$|\) \([^()]*\) \{\s*$/u, ") Missing {")],
  ["Go, function: another name", goFunction, (lines, { line, name }) => {
    lines[line - 1] = lines[line - 1]!.replace(new RegExp(`\\b${name}\\b`, "u"), `${name}Anew`);
  }],
  ["Go, package: one more function", goFunction, (lines) => lines.push("func FreshExport() int { return 1 }")],
);

const ruby = ({ language }: GraphNode): boolean => language === "ruby";
const under = (...more: string[]): Change => (lines, { line }) => {
  lines.splice(line, 0, ...more);
};
const rubyClass = most(used, withMembers(kind("Class", ruby, /^\s*class [A-Z]\w*( < [\w:]+)?\s*$/u)));
const rubyModule = most(used, withMembers(kind("Class", ruby, /^\s*module [A-Z]\w*\s*$/u)));
const rubyMethod = most(called, kind("Method", ruby, /^\s*def \w+(\(.*\))?\s*$/u));
EDITS.push(
  ["Ruby, method: a body", rubyMethod, under("1 + 1")],
  ["Ruby, method: another result", rubyMethod, under("return Missing.new if rand > 2")],
  ["Ruby, method: one more parameter", rubyMethod, replace(/(def \w+)\(?/u, "$1(more_of_this = 1, ")],
  ["Ruby, method: another name", rubyMethod, replace(/def \w+/u, "$&_anew")],
  ["Ruby, class: a new method", rubyClass, under("def fetch_all_again; 1; end")],
  ["Ruby, class: a new method of a common name", rubyClass, under("def name; 1; end")],
  ["Ruby, class: a new constructor", rubyClass, under("def initialize(*); end")],
  ["Ruby, class: another superclass", rubyClass, replace(/class (\w+)( < .*)?$/u, "class $1 < Missing")],
  ["Ruby, class: one more mixin", rubyClass, under("include Comparable")],
  ["Ruby, class: another name", rubyClass, replace(/class \w+/u, "$&Anew")],
  ["Ruby, class: one more constant", rubyClass, under("FRESH_VALUE = 1")],
  ["Ruby, class: one more class", rubyClass, under("class FreshProblem < StandardError; end")],
  ["Ruby, module: a new method", rubyModule, under("def fetch_all_again; 1; end")],
  ["Ruby, module: one more mixin", rubyModule, under("include Comparable")],
  ["Ruby, module: another name", rubyModule, replace(/module \w+/u, "$&Anew")],
);
const native = ({ language }: GraphNode): boolean => language === "c" || language === "cpp";
const inHeader = (node: GraphNode): boolean => native(node) && /\.(h|hh|hpp|hxx)$/u.test(node.file);
const included = graph.nodes.map(() => 0);
for (let e = 0; e < graph.edgeCount; e++) {
  const { to, type } = graph.edge(e);
  if (type === "IMPORTS") included[to]!++;
}
const headers = graph.nodes.flatMap((node, i) => (node.kind === "File" && inHeader(node) && included[i]! > 0 ? [[node, included[i]!] as const] : [])).sort(([, a], [, b]) => b - a);
const header = headers[0]?.[0];
/** One that few include. */
const farHeader = headers.at(-1)?.[0].file;
/** Before the `#endif` that most headers end with. */
const beforeEnd = (line: string): Change => (lines) => {
  const at = lines.findLastIndex((one) => /^\s*#\s*endif/u.test(one));
  lines.splice(at < 0 ? lines.length : at, 0, line);
};
const usedStruct = most(used, kind("Struct", inHeader));
const nativeClass = most(used, kind("Class", inHeader));
const calledNative = most(called, kind("Function", native, /\)\s*\{?\s*$/u));
const declaredNative = most(used, kind("Function", inHeader, /\);\s*$/u));
EDITS.push(
  ["C, struct: a new field", usedStruct, inside("\tint fresh_field;")],
  ["C, struct: a new field of a common name", usedStruct, inside("\tint name;")],
  ["C, struct: a new field that is called", usedStruct, inside("\tint (*fresh_call)(int);")],
  ["C, struct: another name", usedStruct, replace(/struct (\w+)/u, "struct $1_anew")],
  ["C++, class: a new method", nativeClass, inside("  int fetchAllAgain() { return 1; }")],
  ["C++, class: a new method of a common name", nativeClass, inside("  int size() const { return 1; }")],
  ["C++, class: another base", nativeClass, replace(/(class|struct)( \w+)* (\w+)[^{]*\{/u, "$1$2 $3 : public Missing {")],
  ["C, header: one more macro", header, beforeEnd("#define FRESH_MACRO(x) (x)")],
  ["C, header: one more declaration", header, beforeEnd("int fresh_declaration(int);")],
  ["C, header: one more type", header, beforeEnd("struct fresh_struct { int fresh_field; };")],
  ["C, header: one more include", header, beforeEnd(`#include "${farHeader ?? "missing.h"}"`)],
  ["C, header: an include less", header, (lines) => {
    const at = lines.findLastIndex((line) => /^\s*#\s*include "/u.test(line));
    if (at >= 0) lines.splice(at, 1);
  }],
  ["C, declaration: one more parameter", declaredNative, replace(/\);\s*$/u, ", int more_of_this);")],
  ["C, declaration: another result", declaredNative, replace(/^(\w.*?)(\b\w+\()/u, "struct missing *$2")],
  ["C, function: a body", calledNative, inside("\t1 + 1;")],
  ["C, function: one more parameter", calledNative, replace(/\)([^)]*\{\s*)$/u, ", int more_of_this)$1")],
  ["C, function: another name", calledNative, (lines, { line, name }) => {
    lines[line - 1] = lines[line - 1]!.replace(new RegExp(`\\b${name}\\b`, "u"), `${name}_anew`);
  }],
);
/** Behind the head of a class or function, one step further in. */
const indented = (...more: string[]): Change => (lines, { line }) => {
  let at = line - 1;
  while (!/:\s*(#.*)?$/u.test(lines[at]!)) at++;
  const margin = `${/^\s*/u.exec(lines[line - 1]!)![0]}    `;
  lines.splice(at + 1, 0, ...more.map((text) => margin + text));
};
const renamed: Change = (lines, { line, name }) => {
  lines[line - 1] = lines[line - 1]!.replace(new RegExp(`\\b${name}\\b`, "u"), `${name}Anew`);
};
const python = ({ language, file }: GraphNode): boolean => language === "python" && file.endsWith(".py");
const pythonHead = /^\s*(class|def|async def) .*:\s*$/u;
const pythonClass = most(used, withMembers(kind("Class", python, pythonHead)));
const baseClass = most((_, i) => heirs[i]!.size, kind("Class", python, pythonHead));
const pythonMethod = most(called, kind("Method", python, /def [a-z]\w*\(self.*\):\s*$/u));
const constructor = most(called, kind("Method", python, /def __init__\(self.*\):\s*$/u));
const pythonFunction = most(called, kind("Function", python, /^def \w+\(.*\):\s*$/u));
const usedPythonFunction = most(used, kind("Function", python, /^def \w+\(.*\):\s*$/u));
const lastParameter = (more: string): Change => replace(/\):\s*$/u, `, ${more}):`);
for (const [what, of] of [["class", pythonClass], ["base", baseClass]] as const) {
  EDITS.push(
    [`Python, ${what}: a new method`, of, indented("def fetch_all_again(self):", "    return 1")],
    [`Python, ${what}: a new method of a common name`, of, indented("def get(self, *args):", "    return 1")],
    [`Python, ${what}: a new special method`, of, indented("def __enter__(self):", "    return self")],
    [`Python, ${what}: a new attribute`, of, indented("fresh_attribute = 1")],
    [`Python, ${what}: a new attribute of a common name`, of, indented("name = None")],
    [`Python, ${what}: another base`, of, replace(/class (\w+)(\(\))?(?:(\()|:)/u, (_, name: string, _none, open?: string) => (open ? `class ${name}(Missing, ` : `class ${name}(Missing):`))],
    [`Python, ${what}: another name`, of, renamed],
  );
}
for (const [what, of] of [["method", pythonMethod], ["constructor", constructor], ["function", pythonFunction], ["widest function", usedPythonFunction]] as const) {
  EDITS.push(
    [`Python, ${what}: a body`, of, indented("1 + 1")],
    [`Python, ${what}: one more parameter with a default`, of, lastParameter("more_of_this=None")],
    [`Python, ${what}: one more parameter at the front`, of, replace(/\((self, |self(?=\)))?/u, (_, self?: string) => (self === "self" ? "(self, more_of_this" : `(${self ?? ""}more_of_this, `))],
    [`Python, ${what}: a declared result`, of, replace(/\):\s*$/u, ") -> bool:")],
    [`Python, ${what}: another result`, of, indented("if missing:", "    return Missing()")],
  );
  if (of !== constructor) EDITS.push([`Python, ${what}: another name`, of, renamed]);
}
EDITS.push(
  ["Python, module: one more function", pythonFunction, (lines) => lines.push("def fresh_function():", "    return 1")],
  ["Python, module: one more import", pythonFunction, (lines) => lines.push("from missing import fresh_name")],
  ["Python, module: one more import beside the class", pythonClass, (lines) => lines.push("from missing import fresh_name")],
);

console.log(`${Object.keys(files).length} files`);
for (const [title, node, change] of EDITS) {
  if (!node || !new RegExp(only, "u").test(title)) continue;
  const { file } = node;
  const lines = files[file]!.split("\n");
  change(lines, node);
  const text = lines.join("\n");
  if (text === files[file]) {
    console.log(`  ${title}: nothing to edit in ${node.id}`);
    continue;
  }
  const times: number[] = [];
  let redone = 0;
  let wrong = 0;
  for (let round = 0; round < 2; round++) {
    for (const next of [text, files[file]!]) {
      const taken = await take(workspace, file, next);
      times.push(taken.ms);
      redone = Math.max(redone, taken.redone);
      if (round > 0 || process.env["CHECK"] === "0") continue;
      const partly = told(workspace);
      await workspace.resolveAll(() => Promise.resolve());
      const whole = told(workspace);
      if (partly.join("\n") === whole.join("\n")) continue;
      wrong++;
      const [a, b] = [new Set(partly), new Set(whole)];
      if (process.env["SHOW"]) console.log([...partly.filter((w) => !b.has(w)).map((w) => `- ${w}`), ...whole.filter((w) => !a.has(w)).map((w) => `+ ${w}`)].slice(0, 10).join("\n"));
    }
  }
  times.sort((a, b) => a - b);
  console.log(`  ${wrong > 0 ? "* " : ""}${title}: ${redone} files, ${times[0]!.toFixed(0)} to ${times.at(-1)!.toFixed(0)} ms; ${node.id}`);
}
