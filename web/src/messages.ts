/**
 * What the page's threads say to each other.
 *
 * The main thread (view) starts an engine Worker and a link Worker and joins those two by a
 * MessageChannel, so that a call is answered without the main thread, which a hidden tab slows down.
 *
 *   link Worker   <- LinkCommand -  view            - LinkEvent ->   view
 *   engine Worker <- EngineCommand - view           - EngineEvent -> view
 *   link Worker   - EngineRequest -> engine Worker  - EngineReply -> link Worker   (the MessageChannel)
 */
import type { Phase } from "./engine/codebase.ts";
import type { Freshness } from "./engine/follower.ts";

/** What is loaded, as the hub and the agents see it (`bridge/context`). */
export interface GraphContext {
  /** Repository name. */
  repo: string;
  /** Stands for the folder of the hub's that it follows; absent for what the user picked. */
  folder?: string;
  state: "indexing" | "ready" | "error";
  stats: {
    files: number; symbols: number; functions: number; classes: number; interfaces: number; methods: number;
    nodes: number; edges: number; communities: number; processes: number;
  };
  languages: { language: string; files: number }[];
  hotspots: { id: string; name: string; kind: string; file: string; line: number; connections: number }[];
  /** Files that were left out since their names say that they hold secrets. */
  secretFiles?: number;
  /** Milliseconds since the epoch; 0 while indexing for the first time. */
  indexedAt: number;
  /** In words, when state is "error" or "indexing"; when it is "ready", what is missing. */
  detail?: string;
}

/* ---- link Worker <-> engine Worker ---- */

export type EngineRequest =
  | { type: "call"; id: string; name: string; arguments: Record<string, unknown>; agent: string; deadlineMs: number; wantsProgress: boolean }
  | { type: "cancel"; id: string; reason: string }
  /**
   * A hub has been found, or its folder has changed. `there`: it has one, given with --repo. `key` opens it from now on;
   * `storageKey`, in base64url, what the page keeps in the browser's storage.
   */
  | { type: "folder"; there: boolean; key: string; storageKey: string }
  /** The connection has ended, and its key with it: another program may have the port. */
  | { type: "lost" };

export type EngineReply =
  /** `json` is the structured content, already serialised. */
  /** `object`: what `json` says, as the JSON of an object, where that is a text. */
  | { type: "result"; id: string; json: string; object?: string }
  /** The same, as UTF-8 that is handed over and not copied: for a result that is large. */
  | { type: "large"; id: string; json: Uint8Array<ArrayBuffer> }
  /** A failure of the tool itself, in words an agent can use. `details` is for structured extras such as candidates; `denied`: a permission is missing. */
  | { type: "error"; id: string; message: string; retryable: boolean; details?: Record<string, unknown>; denied?: true }
  | { type: "progress"; id: string; progress: number; total?: number; message?: string }
  | { type: "context"; context: GraphContext | null; tools: string[] };

/* ---- view -> link Worker ---- */

export type LinkCommand =
  /**
   * First message. `url` is ws://host:port/, `ticket` what the address brought, "" when it brought none; `former`: the page was
   * paired by a version that kept no key. The port is the engine's; `reloaded`: the tab was. `background`: the folder that was
   * opened because an agent asks about it, see FolderOrder; `loads`: what the hub has is loaded unless that is "nothing";
   * `behind`: another repository is in front of it in this page.
   */
  | { type: "start"; url: string; ticket: string; former: boolean; engine: MessagePort; reloaded: boolean; background?: string; loads?: "nothing"; behind?: true }
  /** The address has brought a ticket, which gives this page a key. */
  | { type: "ticket"; ticket: string }
  /** Try at once: button pressed, network back, tab shown, resumed. */
  | { type: "retry"; why: string }
  /** The page came to the front. */
  | { type: "front" }
  /** The engine's thread has died, in words. The port leads to the one in its place; null when there will be none. */
  | { type: "engine"; engine: MessagePort | null; why: string };

export type LinkState =
  /** No key: the user must run `gitnexus-mcp open`. */
  | { state: "unpaired" }
  /** The hub answered, and refuses this page for good, in words (a key that was revoked, foreign origin, version). */
  | { state: "refused"; reason: string }
  | { state: "connecting"; attempt: number }
  /** `key` opens the hub's HTTP endpoints, such as /api/events, as long as this connection lives. */
  | { state: "connected"; hub: { version: string; pid: number; repo: string; key: string } }
  /** `retryAt`: milliseconds since the epoch of the next try. */
  | { state: "waiting"; attempt: number; retryAt: number; reason: string };

export interface AgentInfo {
  name: string;
  /** Process id of the server the agent started. */
  pid: number;
}

/** A folder that an agent asks about. */
export interface FolderOrder {
  id: string;
  name: string;
  /** This page is to open it, unless it has. */
  open: boolean;
}

/** Calls keep failing. What happened, and what the user can do about it. */
export interface AlertInfo {
  /** "" when the calls reached no graph. */
  graph: string;
  code: string;
  /** Milliseconds since the epoch. */
  since: number;
  /** Without a full stop. */
  message: string;
  advice: string;
}

export type LinkEvent =
  | { type: "state"; link: LinkState }
  /** In base64url, what encrypts all that the page keeps in the browser. Comes before each "connected". */
  | { type: "storageKey"; key: string }
  /** `unproven`: how many pages are connected that have proved nothing, such as an older app. */
  | { type: "agents"; agents: AgentInfo[]; unproven: number }
  /** All that agents ask about. */
  | { type: "folders"; folders: FolderOrder[] }
  /** All that are not over, the oldest first. Comes after each hello, and whenever one begins or ends. */
  | { type: "alerts"; alerts: AlertInfo[] }
  | { type: "call"; id: string; name: string; agent: string; arguments: Record<string, unknown>; startedAt: number }
  | { type: "settled"; id: string; outcome: "ok" | "error" | "cancelled" | "timeout"; ms: number; bytes: number; message?: string; /** What was answered, unless it is too long for the view to keep. */ answer?: string; /** The same as an object, where that is a text. */ object?: string };

/** What a thread says first whose end must be known: it holds this lock as long as it lives. Nothing else tells the page of every end. */
export interface Alive {
  type: "alive";
  lock: string;
}

/* ---- view -> engine Worker ---- */

export type Source =
  /** The folder that the hub was given with --repo; streamed from `url` with the key of the link's present connection. */
  | { kind: "hub"; url: string }
  /** Files picked or dropped, with their paths from the root. Their graph is kept under `keep`, if given, for when the page is reloaded. */
  | { kind: "files"; name: string; files: { path: string; file: File }[]; keep?: string }
  | { kind: "zip"; file: File; keep?: string }
  /** What was picked before the page was reloaded, as it was kept. */
  | { kind: "kept"; keep: string };

export type EngineCommand =
  /** First message: the port to the link Worker. */
  | { type: "start"; link: MessagePort }
  /** This will probably be loaded: begins to open what is kept of it, and tells nothing. */
  | { type: "expect"; source: Source }
  | { type: "load"; source: Source }
  /** A tool call of the view's own; answered by "answer" with the same id. */
  | { type: "ask"; id: number; name: string; arguments: Record<string, unknown> }
  /** The whole graph in the form of code-graph/1; answered by "answer". */
  | { type: "export"; id: number };

export type EngineEvent =
  | { type: "progress"; phase: Phase; done: number; total: number; elapsedMs: number; detail: string }
  | { type: "loaded"; context: GraphContext; phases: { phase: Phase; ms: number }[]; skipped: { path: string; reason: string }[]; syntaxErrors: number }
  /** The folder has changed, and the graph with it. */
  | { type: "updated"; context: GraphContext; skipped: { path: string; reason: string }[]; syntaxErrors: number }
  | { type: "freshness"; freshness: Freshness }
  | { type: "failed"; message: string }
  | { type: "answer"; id: number; ok: true; json: string }
  | { type: "answer"; id: number; ok: false; message: string }
  /** An agent changes what the user sees. */
  | (ViewAction & { agent: string });

/** What an agent can do to the view. Each has the same effect however often it is done. */
export type ViewAction =
  /** Points at nodes instead of those pointed at before; [] clears. */
  | { type: "highlight"; nodeIds: string[]; color: string }
  /** Brings nodes into view; of one alone it shows the code, too. */
  | { type: "focus"; nodes: ViewNode[] }
  /** Writes a label at nodes, in place of the one that they have. */
  | { type: "annotate"; nodeIds: string[]; label: string; color: string }
  /** Takes away what agents have put there, and shows the whole graph. */
  | { type: "reset" };

/** Enough to show and to point at a node. */
export interface ViewNode {
  id: string;
  name: string;
  kind: string;
  /** "" for nodes that stand in no file. */
  file: string;
  /** 1-based; 0 when unknown. */
  line: number;
}
