/** A made-up repository that looks like one, of any size, and the engine's own tools on it: for the view without a server. */
import type { Codebase, Community } from "../src/engine/codebase.ts";
import { GraphBuilder } from "../src/engine/graph-builder.ts";
import { EDGE_TYPES, type NodeKind } from "../src/engine/graph.ts";
import { searchCodebase } from "../src/engine/search.ts";
import { contextOf } from "../src/engine/summary.ts";
import { tools } from "../src/engine/tools/index.ts";
import { ToolError } from "../src/engine/tools.ts";
import { viewTools } from "../src/engine/view/index.ts";
import type { GraphContext, ViewAction } from "../src/messages.ts";

const AREAS = ["auth", "billing", "storage", "router", "render", "session", "queue", "metrics", "config", "search", "mailer", "jobs", "cache", "export", "audit", "webhooks"];
const VERBS = ["load", "save", "parse", "resolve", "open", "close", "find", "merge", "validate", "encode", "handle", "build", "apply", "notify", "retry"];
const NOUNS = ["Request", "User", "Token", "Invoice", "Session", "Entry", "Record", "Policy", "Route", "Chunk", "Event", "Batch", "Header", "Index", "Scope"];

/** Numbers in 0..1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Symbol {
  node: number;
  name: string;
  kind: NodeKind;
  owner: string;
  calls: { to: Symbol; line: number; confidence: number }[];
  start: number;
  end: number;
}

interface FakeFile {
  path: string;
  owner: string;
  symbols: Symbol[];
  area: number;
  lines: string[];
}

export interface FakeRepository {
  codebase: Codebase;
  context: GraphContext;
}

/** About `count` nodes. `added`: so many more functions in the file `edit`, as after an edit. */
export function fakeRepository(count: number, added = 0): FakeRepository {
  const random = numbers(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const areas = AREAS.slice(0, Math.max(4, Math.min(AREAS.length, Math.round(count / 60))));
  const files: FakeFile[] = [];
  areas.forEach((area, a) => {
    const wanted = Math.round((count / areas.length) * (0.5 + random()));
    let n = 0;
    for (let f = 0; n < wanted; f++) {
      const folder = count > 2000 && f % 3 > 0 ? `src/${area}/${pick(["core", "http", "model", "util"])}` : `src/${area}`;
      const path = `${folder}/${pick(VERBS)}-${pick(NOUNS).toLowerCase()}${f}${f % 9 === 8 ? ".test" : ""}.ts`;
      const owner = `${pick(NOUNS)}${pick(["Store", "Service", "Client", "Pool"])}`;
      const file: FakeFile = { path, owner, symbols: [], area: a, lines: [] };
      const names = new Set<string>();
      for (let s = 0; s < 4 + random() * 9; s++) {
        const name = `${pick(VERBS)}${pick(NOUNS)}`;
        const method = random() < 0.45;
        if (names.has(name)) continue;
        names.add(name);
        file.symbols.push({ node: -1, name, kind: method ? "Method" : "Function", owner: method ? owner : "", calls: [], start: 0, end: 0 });
      }
      n += file.symbols.length + 2;
      files.push(file);
    }
  });
  const all = files.flatMap(({ symbols }) => symbols);
  for (const file of files) {
    const near = files.filter(({ area }) => area === file.area).flatMap(({ symbols }) => symbols);
    for (const symbol of file.symbols) {
      for (let c = 0; c < 1 + random() * 3; c++) {
        // The square makes a few well-known symbols that most others call.
        const to = random() < 0.88 ? near[Math.floor(random() ** 2.5 * near.length)]! : all[Math.floor(random() ** 3 * all.length)]!;
        const confidence = random() < 0.12 ? 0.6 : 1;
        if (to !== symbol && !symbol.calls.some((call) => call.to === to)) symbol.calls.push({ to, line: 0, confidence });
      }
    }
  }
  const edited = files[0]!;
  for (let i = 0; i < added; i++) {
    edited.symbols.push({ node: -1, name: `addedLater${i}`, kind: "Function", owner: "", calls: [{ to: edited.symbols[0]!, line: 0, confidence: 1 }], start: 0, end: 0 });
  }
  const made = build(files, areas);
  // The file as it was when it was loaded, which is all that a comparison needs here.
  if (added > 0) made.codebase.baseline = { at: made.codebase.indexedAt, files: new Map([[edited.path, { text: "", symbols: [] }]]) };
  return made;
}

function write(file: FakeFile): void {
  const { lines } = file;
  lines.push(`import { createHash } from "node:crypto";`, "");
  const body = (symbol: Symbol, indent: string): void => {
    lines.push(`${indent}// What ${symbol.name} does is told in the name.`);
    symbol.start = lines.length + 1;
    lines.push(`${indent}${symbol.kind === "Method" ? "" : "export function "}${symbol.name}(input: string, limit = 10): string {`);
    for (const call of symbol.calls) {
      lines.push(`${indent}  if (input.length > ${call.line + 3}) {`);
      lines.push(`${indent}    ${call.to.name}(input, "${call.to.owner || "plain"}");`);
      call.line = lines.length;
      lines.push(`${indent}  }`);
    }
    lines.push(`${indent}  return input;`, `${indent}}`, "");
    symbol.end = lines.length - 1;
  };
  for (const symbol of file.symbols) if (symbol.kind === "Function") body(symbol, "");
  lines.push(`export class ${file.owner} {`);
  for (const symbol of file.symbols) if (symbol.kind === "Method") body(symbol, "  ");
  lines.push("}");
}

function build(files: readonly FakeFile[], areas: readonly string[]): FakeRepository {
  const builder = new GraphBuilder();
  const folders = new Map<string, number>([["", builder.node({ id: "Folder:", kind: "Folder", name: "shop" })]]);
  const folderOf = (path: string): number => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const cut = path.lastIndexOf("/");
    const node = builder.node({ id: `Folder:${path}`, kind: "Folder", name: path.slice(cut + 1), file: path });
    folders.set(path, node);
    builder.edge(folderOf(cut < 0 ? "" : path.slice(0, cut)), node, "CONTAINS");
    return node;
  };
  const members: number[][] = areas.map(() => []);
  const fileNodes: number[] = [];
  for (const file of files) {
    write(file);
    const test = file.path.includes(".test.");
    const { path, owner } = file;
    const node = builder.node({ id: `File:${path}`, kind: "File", name: path.slice(path.lastIndexOf("/") + 1), file: path, language: "typescript", test });
    fileNodes.push(node);
    builder.edge(folderOf(path.slice(0, path.lastIndexOf("/"))), node, "CONTAINS");
    const classLine = file.lines.indexOf(`export class ${owner} {`) + 1;
    const type = builder.node({ id: `Class:${path}:${owner}`, kind: "Class", name: owner, file: path, line: classLine, startLine: classLine, endLine: file.lines.length, language: "typescript", exported: true, test, signature: `class ${owner}` });
    builder.edge(node, type, "DEFINES");
    if (!test) members[file.area]!.push(type);
    for (const symbol of file.symbols) {
      symbol.node = builder.node({
        id: `${symbol.kind}:${path}:${symbol.owner === "" ? "" : `${symbol.owner}.`}${symbol.name}`, kind: symbol.kind, name: symbol.name, file: path, owner: symbol.owner,
        line: symbol.start, startLine: symbol.start, endLine: symbol.end, language: "typescript", exported: true, test, signature: `${symbol.name}(input: string, limit = 10): string`,
      });
      builder.edge(symbol.kind === "Method" ? type : node, symbol.node, "DEFINES");
      if (!test) members[file.area]!.push(symbol.node);
    }
  }
  files.forEach((file, f) => {
    for (const { node, calls } of file.symbols) for (const { to, line, confidence } of calls) builder.edge(node, to.node, "CALLS", confidence, line);
    for (const step of [1, 7, 31]) builder.edge(fileNodes[f]!, fileNodes[(f + step) % files.length]!, "IMPORTS", 1, 1);
  });
  const communities: Community[] = areas.map((area, i) => {
    const node = builder.node({ id: `Community:${i}`, kind: "Community", name: `${area.charAt(0).toUpperCase()}${area.slice(1)}` });
    for (const member of members[i]!) builder.edge(member, node, "MEMBER_OF");
    return { node, label: `${area.charAt(0).toUpperCase()}${area.slice(1)}`, members: members[i]!, cohesion: 0.8 };
  });
  const flow = walk(files);
  const process = builder.node({ id: "Process:0", kind: "Process", name: "Checkout" });
  flow.forEach((step, i) => builder.edge(step, process, "STEP_IN_PROCESS", 1, i + 1));
  const texts = new Map(files.map(({ path, lines }) => [path, `${lines.join("\n")}\n`]));
  const codebase: Codebase = {
    name: "shop", files: { paths: [...texts.keys()].sort(), text: (path) => texts.get(path) }, graph: builder.build(), communities,
    processes: [{ node: process, label: "Checkout", steps: flow, crossCommunity: true }], skipped: [], syntaxErrors: [], indexedAt: Date.now() - 40_000, phases: [], bytes: 0,
  };
  searchCodebase(codebase, "shop"); // so that its index is there
  const context = contextOf(codebase);
  return { codebase, context: { ...context, languages: [...context.languages, { language: "go", files: Math.ceil(files.length / 3) }, { language: "python", files: Math.ceil(files.length / 9) }] } };
}

/** A flow of calls, as far as they lead on. */
function walk(files: readonly FakeFile[]): number[] {
  const seen: Symbol[] = [];
  for (let at: Symbol | undefined = files.at(-1)!.symbols[0]; at && seen.length < 6; at = at.calls.map(({ to }) => to).find((to) => !seen.includes(to))) seen.push(at);
  return seen.map(({ node }) => node);
}

/** Callers and callees, read from the graph by hand. */
function neighbours({ graph }: Codebase, id: string): { callers: string[]; callees: { id: string; line: number }[] } {
  const at = graph.nodes.findIndex((node) => node.id === id);
  const calls = EDGE_TYPES.indexOf("CALLS");
  const [callers, callees]: [string[], { id: string; line: number }[]] = [[], []];
  graph.type.forEach((type, e) => {
    if (type !== calls) return;
    if (graph.to[e] === at && (!graph.nodes[graph.from[e]!]!.test || graph.nodes[at]!.test)) callers.push(graph.nodes[graph.from[e]!]!.id);
    if (graph.from[e] === at) callees.push({ id: graph.nodes[graph.to[e]!]!.id, line: graph.line[e]! });
  });
  return { callers, callees };
}

/** Answers a question as the engine would. Rejects with ToolError. */
export async function answer({ codebase }: FakeRepository, name: string, args: Record<string, unknown>, view: (action: ViewAction) => void = () => undefined): Promise<unknown> {
  if (name === "neighbours") return neighbours(codebase, String(args["of"]));
  const tool = tools[name] ?? viewTools[name];
  if (!tool) throw new ToolError(`no tool ${name}`);
  return tool(args, {
    codebase, clustered: () => Promise.resolve(codebase), signal: new AbortController().signal, deadline: Date.now() + 60_000, agent: "", progress: () => undefined, revision: () => Promise.reject(new Error("no history here")), view,
    cypher: (query) => Promise.resolve({ columns: ["name", "file"], rows: [[query.slice(0, 20), "src/a.ts"], ["saveInvoice", "src/b.ts"]], totalRows: 2 }),
  });
}
