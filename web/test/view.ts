/**
 * The view with scripted Workers, to look at each of its states without a server:
 *   npx vite --port 5199, then /test/view.html?state=busy&nodes=1200
 */
import "./view-code.ts";
import type { EngineCommand, EngineEvent, LinkCommand, LinkEvent, LinkState } from "../src/messages.ts";
import { HOME, placeOf, type Place } from "../src/ui/address.ts";
import { mount } from "../src/ui/app.tsx";
import { keepChoices, readChoices } from "../src/ui/preferences.ts";
import { memories } from "../src/ui/sealed.ts";
import { RESTARTS, Session } from "../src/ui/session.ts";
import { initialState } from "../src/ui/state.ts";
import { Store } from "../src/ui/store.ts";
import { Workspace } from "../src/ui/workspace.ts";
import "../src/ui/styles/frame.css";
import "../src/ui/styles/app.css";
import { answer, fakeRepository } from "./fake-repository.ts";
import { FakeThread } from "./fake-workers.ts";

const parameters = new URLSearchParams(location.search);
const state = parameters.get("state") ?? "ready";
const nodes = Number(parameters.get("nodes") ?? 900);
let graph = fakeRepository(nodes);

const engine = new FakeThread<EngineCommand, EngineEvent>();
const link = new FakeThread<LinkCommand, LinkEvent>();
const newStore = (place: Place): Store => {
  const made = new Store({ ...initialState(readChoices(() => localStorage)), place, ...(parameters.has("first") ? {} : { introduced: true }) });
  keepChoices(made, () => localStorage);
  return made;
};
const store = newStore(placeOf(location.hash));
const session = new Session({ store, engine: () => engine, link, hub: location.host, ticket: "", former: false });

/** A further tab: linked, and whatever is loaded there is a small repository named tools. */
function another(): Session {
  const [engine, link] = [new FakeThread<EngineCommand, EngineEvent>(), new FakeThread<LinkCommand, LinkEvent>()];
  const tools = fakeRepository(120);
  const context = { ...tools.context, repo: "tools" };
  engine.onCommand = (command) => {
    if (command.type === "load") engine.emit({ type: "loaded", context, phases: [], skipped: [], syntaxErrors: 0 });
    if (command.type !== "ask") return;
    answer(tools, command.name, command.arguments).then(
      (value) => engine.emit({ type: "answer", id: command.id, ok: true, json: JSON.stringify(value) }),
      (why: unknown) => engine.emit({ type: "answer", id: command.id, ok: false, message: String(why) }),
    );
  };
  const made = new Session({ store: newStore(HOME), engine: () => engine, link, hub: location.host, ticket: "", former: false, takesHubFolder: false });
  made.start();
  link.emit({ type: "state", link: hub("shop") });
  return made;
}

const hub = (repo: string): LinkState => ({ state: "connected", hub: { version: "0.1.0", pid: 4711, repo, key: "" } });
const links: Record<string, LinkState> = {
  unpaired: { state: "unpaired" },
  refused: { state: "refused", reason: "the token is not the one that this server uses" },
  connecting: { state: "connecting", attempt: 0 },
  waiting: { state: "waiting", attempt: 3, retryAt: Date.now() + 7400, reason: "the connection to gitnexus-mcp was closed (1001: the server stops)" },
  retrying: { state: "connecting", attempt: 4 },
};

const loaded = (): EngineEvent => ({
  type: "loaded", context: graph.context, syntaxErrors: 2,
  phases: [{ phase: "read", ms: 112 }, { phase: "parse", ms: 840 }, { phase: "resolve", ms: 205 }, { phase: "cluster", ms: 61 }, { phase: "search", ms: 130 }, { phase: "database", ms: 610 }],
  skipped: [{ path: "assets/logo.png", reason: "binary" }, { path: "vendor/bundle.min.js", reason: "larger than 1 MB" }, { path: "fixtures/broken.bin", reason: "binary" }],
});

/** Questions without an answer so far. */
const unanswered = new Set<number | string>();
const told = (event: EngineEvent & { type: "answer" }): void => {
  unanswered.delete(event.id);
  engine.emit(event);
};

engine.onCommand = (command) => {
  if (command.type === "ask") {
    const { id, name } = command;
    unanswered.add(id);
    const rows = name === "cypher" ? window.scripted.rows : undefined;
    (rows ? Promise.resolve({ columns: ["id", "name"], rows, totalRows: rows.length }) : answer(graph, name, command.arguments)).then(
      (value) => setTimeout(() => told({ type: "answer", id, ok: true, json: JSON.stringify(value) }), 30),
      (why: unknown) => told({ type: "answer", id, ok: false, message: String(why) }),
    );
  } else if (command.type === "export") {
    setTimeout(() => engine.emit({ type: "answer", id: command.id, ok: true, json: JSON.stringify({ schema: "code-graph/1" }) }), 30);
  } else if (command.type === "load" && state === "again") {
    setTimeout(() => engine.emit(loaded()), 800);
  }
};
link.onCommand = (command) => {
  if (command.type !== "retry" || state !== "waiting") return;
  link.emit({ type: "state", link: { state: "connecting", attempt: 4 } });
  setTimeout(() => link.emit({ type: "state", link: hub("shop") }), 1500);
};

session.start();
const remembered = memories({ storage: () => localStorage, alone: (work) => navigator.locks.request("gitnexus-sealed", work) });
void remembered.open("A".repeat(43));
mount(document.getElementById("app")!, new Workspace({ host: window, session: (first) => (first ? session : another()) }), remembered);

/** As after an edit that adds functions to a file. */
function edit(added: number): void {
  graph = fakeRepository(nodes, added);
  engine.emit({ type: "updated", context: graph.context, skipped: [], syntaxErrors: 0 });
}

/** So often that no other engine is started. */
const crash = (): void => {
  for (let i = 0; i <= RESTARTS; i++) engine.crash("RuntimeError: memory access out of bounds");
};

const [base = "", modifier = ""] = state.split("-");
const call = (id: string, name: string, args: Record<string, unknown>, ago: number, agent = "claude-ai"): void =>
  link.emit({ type: "call", id, name, agent, arguments: args, startedAt: Date.now() - ago });

function stream(): void {
  link.emit({ type: "agents", agents: [{ name: "claude-ai", pid: 5120 }, { name: "cursor-vscode", pid: 5344 }], unproven: 0 });
  call("1", "context", { focus: "stats" }, 64_000);
  link.emit({ type: "settled", id: "1", outcome: "ok", ms: 6, bytes: 2140 });
  call("2", "search", { query: "invoice close period", limit: 10, groupByProcess: true }, 61_000);
  link.emit({ type: "settled", id: "2", outcome: "ok", ms: 14, bytes: 8312 });
  call("3", "read", { filePath: "src/biling/store.ts" }, 52_000);
  link.emit({ type: "settled", id: "3", outcome: "error", ms: 3, bytes: 0, message: "No file named src/biling/store.ts. Did you mean src/billing/save-invoice0.ts?" });
  call("4", "impact", { target: "InvoiceStore.saveInvoice", direction: "upstream", maxDepth: 3, includeTests: false, minConfidence: 0.7 }, 47_000, "cursor-vscode");
  link.emit({ type: "settled", id: "4", outcome: "ok", ms: 1830, bytes: 41_233 });
  call("5", "cypher", { query: "MATCH (a)-[:CodeRelation*1..6]->(b) RETURN a.name, b.name" }, 40_000, "cursor-vscode");
  link.emit({ type: "settled", id: "5", outcome: "timeout", ms: 20_000, bytes: 0, message: "The query ran out of its 20 s" });
  call("6", "grep", { pattern: "TODO\\(.*\\)", maxResults: 50 }, 9_000);
  link.emit({ type: "settled", id: "6", outcome: "cancelled", ms: 420, bytes: 0, message: "the agent cancelled" });
  call("7", "explore", { name: "billing", type: "cluster" }, 2_400);
  call("8", "cypher", { query: "MATCH (f:Function) RETURN f.name LIMIT 20" }, 700, "cursor-vscode");
}

if (links[base] && modifier === "") {
  link.emit({ type: "state", link: links[base] });
} else if (base === "empty") {
  link.emit({ type: "state", link: hub("") });
} else if (base === "loading") {
  link.emit({ type: "state", link: hub("shop") });
  const progress = (phase: "read" | "parse" | "resolve", done: number, total: number, elapsedMs: number, detail: string): void =>
    engine.emit({ type: "progress", phase, done, total, elapsedMs, detail });
  progress("read", 1, 1203, 4, "");
  progress("read", 1203, 1203, 310, "");
  progress("parse", 1, 1203, 340, "");
  let done = 741;
  const step = (): void => progress("parse", done, 1203, 1100 + done, `src/billing/save-invoice${done}.ts`);
  step();
  if (modifier === "live") setInterval(() => { done = Math.min(1203, done + 9); step(); }, 80);
} else if (base === "failed") {
  link.emit({ type: "state", link: hub("shop") });
  engine.emit({ type: "failed", message: "The stream of shop ended after 812 of 1,203 files. Is gitnexus-mcp still running?" });
} else if (base === "crashed" && modifier === "") {
  link.emit({ type: "state", link: hub("shop") });
  crash();
} else {
  link.emit({ type: "state", link: hub("shop") });
  engine.emit(loaded());
  if (base === "filling") engine.emit({ type: "progress", phase: "database", done: 0, total: 0, elapsedMs: 0, detail: "" });
  else if (base !== "quiet") stream();
  if (modifier === "loaded" && links[base]) link.emit({ type: "state", link: links[base] });
  if (modifier === "loaded" && base === "crashed") crash();
  if (base === "reindex") {
    session.load({ kind: "files", name: "shop", files: [] });
    engine.emit({ type: "progress", phase: "parse", done: 300, total: 1203, elapsedMs: 800, detail: "" });
  }
  if (modifier === "edited") setTimeout(() => edit(0), 300);
  if (base === "highlight") {
    const ids = graph.codebase.communities[1]!.members.slice(0, 9).map((member) => graph.codebase.graph.nodes[member]!.id);
    setTimeout(() => engine.emit({ type: "highlight", nodeIds: [...ids, "Function:gone.ts:gone"], color: "#f5b83d", agent: "claude-ai" }), 300);
  }
  if (base === "alert") {
    link.emit({ type: "alerts", alerts: [
      { graph: "", code: "CONNECTION_LOST", since: Date.now() - 90_000, message: "calls without a graph failed 7 times with CONNECTION_LOST within 10m", advice: "No tab with the graph app answers. If none is open, run `gitnexus-mcp open`, load the repository there, and keep the tab open." },
      { graph: "shop", code: "TIMEOUT", since: Date.now() - 60_000, message: "calls of shop failed 5 times with TIMEOUT within 10m", advice: "Reload the graph app's tab. If calls still take too long, have the agent ask for less, or start gitnexus-mcp with higher --timeout-quick and --timeout-heavy." },
    ] });
  }
  if (base === "selected") {
    store.dispatch({ type: "select", node: graph.context.hotspots[2]! });
  }
  if (base === "folder") store.dispatch({ type: "select", node: graph.codebase.graph.nodes[1]! });
}

declare global {
  interface Window {
    /** The scripted Workers, for tests to speak through and to see what the view said. */
    scripted: { engine: typeof engine; link: typeof link; edit: typeof edit; answer: (name: string, args: Record<string, unknown>) => Promise<unknown>; edited: () => string; reveal: (id: string) => void; unanswered: () => number; /** What every query finds from now on. */ rows?: unknown[][] };
  }
}
window.scripted = { engine, link, edit, answer: (name, args) => answer(graph, name, args),
  unanswered: () => unanswered.size,
  // The file that `edit` adds to.
  edited: () => graph.codebase.graph.nodes.find(({ kind }) => kind === "File")!.id,
  reveal: (id) => {
    const { nodes } = graph.codebase.graph;
    const { file } = nodes.find((node) => node.id === id)!;
    const folders = file.split("/").slice(0, -1).map((_, i, parts) => `Folder:${parts.slice(0, i + 1).join("/")}`);
    store.dispatch({ type: "go", to: { open: [...new Set([...(store.state.place.open ?? []), ...folders, id])] } });
  },
};
