/** Scripted stand-ins for the engine's and the link's Workers: they record what the view says, and say what a script has. */
import { EDGE_TYPES, type EdgeType } from "../src/engine/graph.ts";
import type { EngineCommand, EngineEvent, GraphContext, LinkCommand, LinkEvent, ViewGraph } from "../src/messages.ts";
import type { Thread } from "../src/ui/session.ts";

/** One fake Worker. `said` has what the view posted, `emit` is the Worker speaking. */
export class FakeThread<Command, Event> implements Thread<Command, Event> {
  readonly said: Command[] = [];
  ended = false;
  /** Called with each command, after it was recorded. */
  onCommand: (command: Command) => void = () => undefined;
  private onEvent: ((event: Event) => void) | null = null;
  private onCrash: ((message: string) => void) | null = null;

  post(command: Command): void {
    this.said.push(command);
    this.onCommand(command);
  }

  listen(onEvent: (event: Event) => void, onCrash: (message: string) => void): void {
    this.onEvent = onEvent;
    this.onCrash = onCrash;
  }

  emit(event: Event): void {
    if (!this.onEvent) throw new Error("the view does not listen yet");
    this.onEvent(event);
  }

  crash(message: string): void {
    this.onCrash?.(message);
  }

  end(): void {
    this.ended = true;
  }
}

export type FakeEngine = FakeThread<EngineCommand, EngineEvent>;
export type FakeLink = FakeThread<LinkCommand, LinkEvent>;

/** Numbers in 0..1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const AREAS = ["auth", "billing", "storage", "router", "render", "session", "queue", "metrics", "config", "search", "mailer", "jobs", "cache", "export", "audit", "webhooks"];
const VERBS = ["load", "save", "parse", "resolve", "open", "close", "find", "merge", "validate", "encode", "handle", "build", "apply", "notify", "retry"];
const NOUNS = ["Request", "User", "Token", "Invoice", "Session", "Entry", "Record", "Policy", "Route", "Chunk", "Event", "Batch", "Header", "Index", "Scope"];

/** A made-up repository of about `count` nodes that looks like one: folders, files, symbols, clusters, some hubs. */
export function fakeGraph(count: number): { view: ViewGraph; context: GraphContext } {
  const random = numbers(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const nodes: ViewGraph["nodes"] = [];
  const edges: number[] = [];
  const types: number[] = [];
  const add = (id: string, name: string, kind: string, file: string, line: number, community: number): number =>
    nodes.push({ id, name, kind, file, line, community, degree: 0 }) - 1;
  const join = (type: EdgeType, from: number, to: number): void => {
    if (from === to) return;
    edges.push(from, to);
    types.push(EDGE_TYPES.indexOf(type));
    nodes[from]!.degree++;
    nodes[to]!.degree++;
  };
  const root = add("Folder:", "shop", "Folder", "", 0, -1);
  const areas = AREAS.slice(0, Math.max(4, Math.min(AREAS.length, Math.round(count / 60))));
  const byArea = new Map<number, number[]>();
  const files: number[] = [];
  areas.forEach((area, a) => {
    const folder = add(`Folder:src/${area}`, area, "Folder", `src/${area}`, 0, -1);
    join("CONTAINS", root, folder);
    const own: number[] = [];
    const wanted = Math.round((count / areas.length) * (0.5 + random()));
    for (let f = 0; own.length < wanted; f++) {
      const path = `src/${area}/${pick(VERBS)}-${pick(NOUNS).toLowerCase()}${f}.ts`;
      const file = add(`File:${path}`, path.split("/").at(-1)!, "File", path, 0, -1);
      files.push(file);
      join("CONTAINS", folder, file);
      const owner = `${pick(NOUNS)}${pick(["Store", "Service", "Client", "Pool"])}`;
      const type = add(`Class:${path}:${owner}`, owner, pick(["Class", "Class", "Interface", "Struct", "Enum", "TypeAlias"]), path, 8, a);
      join("DEFINES", file, type);
      own.push(type);
      for (let s = 0; s < 4 + random() * 9; s++) {
        const method = random() < 0.45;
        const name = `${pick(VERBS)}${pick(NOUNS)}`;
        const kind = method ? "Method" : random() < 0.1 ? "Variable" : "Function";
        const symbol = add(`${kind}:${path}:${name}#${s}`, name, kind, path, 14 + s * 11, a);
        join("DEFINES", method ? type : file, symbol);
        own.push(symbol);
      }
    }
    byArea.set(a, own);
  });
  const symbols = [...byArea.values()].flat();
  byArea.forEach((own) => {
    for (const from of own) {
      for (let c = 0; c < 1 + random() * 3; c++) {
        // The square makes a few well-known symbols that most others call.
        const to = random() < 0.88 ? own[Math.floor(random() ** 2.5 * own.length)]! : symbols[Math.floor(random() ** 3 * symbols.length)]!;
        join("CALLS", from, to);
      }
    }
    for (let i = 1; i < own.length; i += 17) join("IMPLEMENTS", own[i]!, own[0]!);
  });
  for (const file of files) for (let i = 0; i < 3; i++) join("IMPORTS", file, pick(files));
  const communities = areas.map((area, id) => ({ id, label: area.charAt(0).toUpperCase() + area.slice(1) }));
  const of = (kind: string): number => nodes.filter((node) => node.kind === kind).length;
  const view: ViewGraph = {
    nodes, edges: Uint32Array.from(edges), edgeTypes: Uint8Array.from(types), communities,
    totalNodes: Math.round(nodes.length * (count >= 4000 ? 2.6 : 1)), totalEdges: Math.round(types.length * (count >= 4000 ? 3.1 : 1)),
  };
  const context: GraphContext = {
    repo: "shop", state: "ready",
    stats: {
      files: files.length, symbols: symbols.length, functions: of("Function"), classes: of("Class"), interfaces: of("Interface"),
      methods: of("Method"), nodes: view.totalNodes, edges: view.totalEdges, communities: communities.length, processes: 37,
    },
    languages: [{ language: "typescript", files: files.length }, { language: "go", files: Math.ceil(files.length / 3) }, { language: "python", files: Math.ceil(files.length / 9) }],
    hotspots: [...nodes].filter(({ community }) => community >= 0).sort((a, b) => b.degree - a.degree).slice(0, 10)
      .map(({ id, name, kind, file, line, degree }) => ({ id, name, kind, file, line, connections: degree })),
    indexedAt: Date.now() - 40_000,
  };
  return { view, context };
}

export const FAKE_SOURCE = `import { createHash } from "node:crypto";
import type { Policy, Token } from "../auth/types.ts";

/**
 * Keeps the invoices of one tenant. Everything that touches the disk
 * goes through here, so that a failed write can be told apart.
 */
export class InvoiceStore {
  private readonly entries = new Map<string, Invoice>();
  constructor(private readonly policy: Policy, readonly limit = 10_000) {}

  // Idempotent: the same invoice twice is one entry.
  async saveInvoice(invoice: Invoice, token?: Token): Promise<string> {
    const id = createHash("sha256").update(\`\${invoice.tenant}/\${invoice.number}\`).digest("hex");
    if (this.entries.size >= this.limit) {
      throw new Error("The store is full: close a period first");
    }
    if (!this.policy.allows(token, "write", invoice.tenant)) return "";
    this.entries.set(id, { ...invoice, savedAt: Date.now() });
    await this.flush(0x1f, 'after "save"');
    return id;
  }

  findInvoice(id: string): Invoice | undefined {
    return this.entries.get(id) ?? undefined;
  }
`;

/** Answers `search`, `read` and `explore` from a made-up graph, as the engine would. */
export function answer(view: ViewGraph, name: string, args: Record<string, unknown>): unknown {
  const brief = (i: number): object => {
    const { id, line, degree } = view.nodes[i]!;
    return { id, line, lines: `${line}-${line + 9}`, connections: degree };
  };
  if (name === "search") {
    const query = String(args["query"]).toLowerCase();
    const results = view.nodes.flatMap((node, i) => (node.name.toLowerCase().includes(query) ? [{ ...brief(i), cluster: "Billing", processes: [], score: 1 }] : []));
    return { query, results: results.slice(0, Number(args["limit"])), total: results.length };
  }
  if (name === "read") {
    const content = `${FAKE_SOURCE}${Array.from({ length: 30 }, (_, i) => `
  /* Part ${i} of the period's close. */
  closePeriod${i}(from: number, to = ${i * 7}): boolean {
    return this.entries.size > from && to !== null;
  }
`).join("")}}\n`;
    return { file: args["filePath"], language: "typescript", content, startLine: 1, endLine: content.split("\n").length, totalLines: content.split("\n").length };
  }
  const self = view.nodes.findIndex(({ id }) => id === args["name"]);
  if (self < 0) return { id: args["name"], label: "Billing", type: "Community", members: { total: 3, items: [brief(4), brief(5), brief(6)] } };
  const callers: object[] = [];
  const callees: object[] = [];
  for (let e = 0; e < view.edgeTypes.length; e++) {
    if (view.edgeTypes[e] !== EDGE_TYPES.indexOf("CALLS")) continue;
    if (view.edges[2 * e + 1] === self) callers.push(brief(view.edges[2 * e]!));
    if (view.edges[2 * e] === self) callees.push(brief(view.edges[2 * e + 1]!));
  }
  const cut = (items: object[]): object => ({ total: items.length, items: items.slice(0, 25), ...(items.length > 25 ? { truncated: true } : {}) });
  return {
    ...brief(self), callers: cut(callers), callees: cut(callees), cluster: { id: "Community:1", label: "Billing" },
    processes: { total: 1, items: [{ id: "Process:3", label: "Checkout: handleRequest to saveInvoice", step: 2 }] },
  };
}
