/**
 * Compares the engine with what was found by reading a public package (languages/LANGUAGE/checked.json):
 *   npx tsx test/checked.ts LANGUAGE DIR          DIR has the package's sources, as the list says where to get them
 *   npx tsx test/checked.ts LANGUAGE DIR --draw   draws a new sample to be judged: relations found, and call sites, at random
 * A language with several lists is written LANGUAGE/LIST: cpp/checked-c.
 * A relation is judged right or wrong; a call site has the declarations that it reaches by the language's rules.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Parser } from "web-tree-sitter";
import { Collector } from "../src/engine/collector.ts";
import type { ProjectFile, SymbolRef } from "../src/engine/language.ts";
import { languages } from "../src/engine/languages/index.ts";
import { anchored } from "../src/engine/relations.ts";
import { storedCalls } from "../src/engine/stored.ts";
import { extract, loadGrammar, readerFor } from "./languages.ts";
import { rubySites } from "./ruby-sites.ts";

/** A relation that the engine found. Ends are `path:line`, or a path for a file itself. */
export interface CheckedEdge {
  type: string;
  from: string;
  to: string;
  /** Where the call stands; 0 for a relation without a line. */
  line: number;
  right: boolean;
  why?: string;
}

/** A call in the sources; `to` are the lines of the declarations that it reaches, none when they are not in the package. */
export interface CheckedSite {
  at: string;
  name: string;
  to: string[];
  why?: string;
}

export interface Checked {
  package: string;
  source: string;
  folder: string;
  edges: CheckedEdge[];
  sites: CheckedSite[];
}

/** Relations below this are guesses. */
const SURE = 0.5;
/** What a call of `this(...)` or `super(...)` is listed as. */
const CONSTRUCTOR = "constructor";
const SAMPLE = 100;
const CALLS = new Set([
  "method_invocation", "object_creation_expression", "explicit_constructor_invocation", "invocation_expression", "constructor_initializer",
  "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression", "function_call_expression", "call_expression", "new_expression",
]);

const [which = "", dir, draw] = process.argv.slice(2);
const [id, list = "checked"] = which.split("/");
const language = languages.find((one) => one.id === id);
if (!language || !dir) throw new Error(`usage: tsx test/checked.ts LANGUAGE DIR [--draw]; languages: ${languages.map((one) => one.id).join(", ")}`);

const every = execFileSync("find", [dir, "-type", "f"], { encoding: "utf8", maxBuffer: 1 << 28 }).split("\n")
  .map((path) => path.slice(dir.replace(/\/$/, "").length + 1)).sort();
const paths = every.filter((path) => language.extensions.some((end) => path.endsWith(end)));
const texts = new Map(paths.map((path) => [path, readFileSync(`${dir}/${path}`, "utf8").replace(/^\uFEFF/, "")]));
const files: ProjectFile<unknown>[] = [];
for (const [path, text] of texts) files.push({ path, facts: await extract(language, path, text) });

interface Found { type: string; from: SymbolRef; to: SymbolRef; confidence: number; line: number }
const found: Found[] = [];
const configuration = (path: string): string | undefined => (every.includes(path) ? readFileSync(`${dir}/${path}`, "utf8") : undefined);
const anchors = files.map(({ path, facts }) => anchored(path, facts));
const { stores, byFile } = new Collector(anchors);
language.resolve({ files, paths: new Set(every), read: configuration }, (type, from, to, confidence, line) => found.push({ type, from, to, confidence, line }), undefined, undefined, stores);
const placeOf = new Map(files.map(({ path }, i) => [path, i]));
for (const { type, from, to, confidence, line, moreLines = [] } of [...storedCalls(anchors, byFile)!.values()].flat()) {
  const [a, b] = [from, to].map(({ path, symbol }): SymbolRef => ({ file: placeOf.get(path)!, symbol }));
  for (const site of [line, ...moreLines]) found.push({ type, from: a!, to: b!, confidence, line: site });
}
const place = ({ file, symbol }: SymbolRef): string => files[file]!.path + (symbol < 0 ? "" : `:${files[file]!.facts.symbols[symbol]!.line}`);
const key = (edge: Pick<CheckedEdge, "type" | "from" | "to">): string => `${edge.type} ${edge.from} ${edge.to}`;
const confidences = new Map<string, number>();
for (const edge of found) {
  const at = key({ type: edge.type, from: place(edge.from), to: place(edge.to) });
  confidences.set(at, Math.max(confidences.get(at) ?? 0, edge.confidence));
}

/** The declarations that the engine says a call reaches: those of its line that it can mean by name; implementations apart. */
function reached({ at, name }: Pick<CheckedSite, "at" | "name">, least: number): string[] {
  const colon = at.lastIndexOf(":");
  const line = Number(at.slice(colon + 1));
  const file = files.findIndex(({ path }) => path === at.slice(0, colon));
  const all = found.filter((edge) => edge.type === "CALLS" && edge.from.file === file && edge.line === line && edge.confidence >= least).filter(({ to }) => {
    const symbol = files[to.file]!.facts.symbols[to.symbol];
    if (name === CONSTRUCTOR) return symbol?.name === symbol?.owner;
    // In Ruby `new` runs initialize, `super` a method of the same name as that around it, and `a.b = c` runs `b=`.
    if (id === "ruby" && symbol && name === "new" && (symbol.name === "initialize" || symbol.kind === "Class")) return true;
    if (id === "ruby" && (name === "super" || symbol?.name === `${name}=`)) return true;
    if (symbol?.name.toLowerCase() === name.toLowerCase() || (symbol?.name === "__construct" && symbol.owner === name)) return true;
    // One of an enum's variants, which are no symbols.
    return symbol?.kind === "Enum" && /^\p{Lu}/u.test(name);
  });
  return [...new Set(all.map(({ to }) => place(to)))];
}

if (draw) await drawSample();
else replay(JSON.parse(readFileSync(new URL(`../src/engine/languages/${language.id}/${list}.json`, import.meta.url), "utf8")) as Checked);

function replay({ package: name, edges, sites }: Checked): void {
  const held = edges.filter((edge) => (confidences.get(key(edge)) ?? 0) >= SURE);
  const right = held.filter((edge) => edge.right).length;
  console.log(`${name}: of ${edges.length} relations drawn ${held.length} are still found, ${right} of them right: precision ${percent(right, held.length)}`);
  for (const edge of held) if (!edge.right) console.log(`  wrong   ${key(edge)}  ${edge.why ?? ""}`);
  for (const edge of edges) if (edge.right && !held.includes(edge)) console.log(`  lost    ${key(edge)}`);
  const own = sites.filter(({ to }) => to.length > 0);
  const hit = own.filter((site) => site.to.some((to) => reached(site, SURE).includes(to)));
  console.log(`${name}: of ${sites.length} call sites ${own.length} reach the package, ${hit.length} of them found: recall ${percent(hit.length, own.length)}`);
  for (const site of own) if (!hit.includes(site)) console.log(`  missed  ${site.at} ${site.name} -> ${site.to.join(", ")}  ${site.why ?? ""}`);
  for (const site of sites) if (site.to.length === 0 && reached(site, SURE).length > 0) console.log(`  outside ${site.at} ${site.name} -> ${reached(site, SURE).join(", ")}`);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;
}

/** Prints a sample with the source line beside each, as JSON to be judged. The same sources give the same sample. */
async function drawSample(): Promise<void> {
  const all = [...confidences].filter(([, confidence]) => confidence >= SURE).map(([at]) => at).sort();
  const lines = new Map(found.map((edge) => [key({ type: edge.type, from: place(edge.from), to: place(edge.to) }), edge]));
  const edges = shuffled(all).slice(0, SAMPLE).map((at) => {
    const { type, from, to, line } = lines.get(at)!;
    return { type, from: place(from), to: place(to), line, code: lineOf(files[from.file]!.path, line), target: files[to.file]!.facts.symbols[to.symbol]?.signature ?? "", confidence: confidences.get(at), right: true };
  });
  const sites = shuffled(await callSites()).slice(0, SAMPLE).map((site) => {
    const colon = site.at.lastIndexOf(":");
    const same = files.flatMap(({ path, facts }) => facts.symbols.filter(({ name }) => name.toLowerCase() === site.name.toLowerCase()).map((s) => `${path}:${s.line} ${s.owner ?? ""}`));
    return { ...site, to: reached(site, 0), sure: reached(site, SURE), code: lineOf(site.at.slice(0, colon), Number(site.at.slice(colon + 1))), same };
  });
  console.log(JSON.stringify({ edges, sites }, null, 1));
}

async function callSites(): Promise<{ at: string; name: string }[]> {
  const sites: { at: string; name: string }[] = [];
  const parser = new Parser();
  for (const [path, text] of texts) {
    parser.setLanguage(await loadGrammar(readerFor(language!).grammar(path, text)));
    const tree = parser.parse(text)!;
    if (id === "ruby") for (const { line, name } of rubySites(tree.rootNode)) sites.push({ at: `${path}:${line}`, name });
    else for (const node of tree.rootNode.descendantsOfType([...CALLS])) {
      const constructor = node.type === "explicit_constructor_invocation" || node.type === "constructor_initializer";
      let name = node.childForFieldName("name") ?? node.childForFieldName("function") ?? node.childForFieldName("type") ?? node.namedChild(0);
      for (let inner = name; inner; inner = inner.childForFieldName("name") ?? inner.childForFieldName("field") ?? inner.childForFieldName("function")) name = inner;
      const text = constructor ? CONSTRUCTOR : name?.text.replace(/<.*/s, "").replace(/^.*(?:[.\\]|::)/s, "");
      if (text !== undefined) sites.push({ at: `${path}:${((constructor ? node : name) ?? node).startPosition.row + 1}`, name: text });
    }
    tree.delete();
  }
  return sites;
}

function lineOf(path: string, line: number): string {
  return texts.get(path)!.split("\n")[line - 1]?.trim().slice(0, 160) ?? "";
}

function shuffled<T>(list: readonly T[]): T[] {
  const all = [...list];
  let seed = 20_240_229;
  for (let i = all.length - 1; i > 0; i--) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const j = Math.floor((seed / 2 ** 32) * (i + 1));
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all;
}
