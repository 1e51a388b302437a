/**
 * gitnexus.v2 as the page speaks it: JSON-RPC 2.0, one message a text frame. docs/protocol.md is the specification.
 *
 *   hub to page                                          page to hub
 *   result or error of "hello"   welcome, refusal        bridge/hello, first       helloFrame
 *   tools/call                   call                    its result or error       resultFrame, errorFrame
 *   notifications/cancelled      cancel                  notifications/progress    progressFrame
 *   bridge/agents                agents                  bridge/context            contextFrame
 *   bridge/alerts                alerts
 *   bridge/handover              handover
 *   bridge/taken                 taken                   bridge/taken              takenFrame
 *   (large calls and answers go in parts, see parts.ts)
 *   bridge/repo                  repo
 *   bridge/folders               folders
 *   ping                         ping                    its result                pongFrame
 *   result of a ping             pong                    ping                      pingFrame
 *                                                        bridge/front              FRONT_FRAME
 */
import type { AgentInfo, AlertInfo, FolderOrder, GraphContext } from "../messages.ts";
import { JITTERS, type Backoff } from "./backoff.ts";

export const SUBPROTOCOL = "gitnexus.v2";

/** Status codes of a close. From 4000 on they are ours: a page may not send 1001 to 1015. */
export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  /** Broken, forbidden, too large a message, as the hub says it. */
  broken: 1007,
  forbidden: 1008,
  tooLarge: 1009,
  noHello: 1013,
  /** The versions cannot talk to each other. */
  incompatible: 4001,
  /** The page's words for 1007 and 1008. */
  pageFoundBroken: 4007,
  pageFoundForbidden: 4008,
  /** The hub was silent for too long. */
  silent: 4010,
} as const;

/** The most that one part of a large message carries. */
export const PART_BYTES = 64 * 1024;
/** How far ahead of `bridge/taken` the hub may send a large call in parts. */
export const PARTS_AHEAD = 512 * 1024;

/** The longest wait that a hub may ask for, in milliseconds. */
const MAX_WAIT = 24 * 60 * 60 * 1000;

export const CODE = {
  /** The tool failed, in words for the agent. */
  toolFailed: -32000,
  /** A permission is missing, in words for the agent. */
  denied: -32003,
  /** No such tool here. */
  noSuchTool: -32601,
} as const;

export interface Call {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  agent: string;
  /** The time left, in milliseconds. */
  deadlineMs: number;
  /** There when the agent asked for progress. */
  progressToken?: string;
}

export interface Welcome {
  version: string;
  pid: number;
  heartbeatMs: number;
  /** Name of the folder that the hub streams; "" when there is none. */
  repo: string;
  /** Opens the hub's HTTP endpoints as long as this connection lives. */
  key: string;
  /** Encrypts what the page keeps in the browser's storage: 256 bits in base64url, the same at each hub of the user. */
  storageKey: string;
  /** How far ahead of `bridge/taken` the hub takes large answers in parts; 0 when it takes none. */
  parts: number;
  /** When to dial again, as the user has set it; undefined leaves the schedule as it is. */
  backoff?: Backoff;
}

export type HubFrame =
  | { kind: "welcome"; welcome: Welcome }
  | { kind: "refusal"; message: string }
  | { kind: "call"; call: Call }
  | { kind: "cancel"; id: string; reason: string }
  /** `unproven`: the number of pages that have proved nothing, such as an older app. */
  | { kind: "agents"; agents: AgentInfo[]; unproven: number }
  | { kind: "alerts"; alerts: AlertInfo[] }
  /** The hub goes, and another process may be in its place already. */
  | { kind: "handover" }
  | { kind: "taken"; message: number; bytes: number }
  /** The hub's folder has changed. */
  | { kind: "repo" }
  | { kind: "folders"; folders: FolderOrder[] }
  | { kind: "ping"; id: string }
  | { kind: "pong" };

/** A frame that is not of the protocol. It ends the link with `status`; the message is the reason. */
export class FrameError extends Error {
  override readonly name = "FrameError";
  constructor(
    readonly status: typeof CLOSE.pageFoundBroken | typeof CLOSE.pageFoundForbidden,
    message: string,
  ) {
    super(message);
  }
}

/** Understands one message of the hub's, or throws a FrameError. Members that it does not know are left alone. */
export function parseFrame(data: unknown): HubFrame {
  if (typeof data !== "string") throw broken("a binary frame");
  let message: unknown;
  try {
    message = JSON.parse(data);
  } catch {
    throw broken("not JSON");
  }
  if (!isObject(message) || message.jsonrpc !== "2.0") throw broken("not a JSON-RPC 2.0 message");
  const { id, method } = message;
  if (id !== undefined && typeof id !== "string") throw broken("the id is not a string");
  if (method === undefined) return parseResponse(id, message);
  if (typeof method !== "string") throw broken("the method is not a string");
  if ("result" in message || "error" in message) throw broken("both a request and a response");
  const params = message.params ?? {};
  if (!isObject(params)) throw broken(`${clip(method, 40)}: the params are not an object`);
  switch (method) {
    case "tools/call":
      return { kind: "call", call: parseCall(required(id, method), params) };
    case "ping":
      return { kind: "ping", id: required(id, method) };
    case "notifications/cancelled":
      none(id, method);
      return { kind: "cancel", id: string(params, "requestId", method), reason: optionalString(params, "reason", method) ?? "" };
    case "bridge/agents":
      none(id, method);
      return { kind: "agents", agents: parseAgents(params), unproven: params.unproven === undefined ? 0 : number(params, "unproven", method) };
    case "bridge/alerts":
      none(id, method);
      return { kind: "alerts", alerts: parseAlerts(params) };
    case "bridge/handover":
      none(id, method);
      return { kind: "handover" };
    case "bridge/taken":
      none(id, method);
      return { kind: "taken", message: number(params, "message", method), bytes: number(params, "bytes", method) };
    case "bridge/repo":
      none(id, method);
      return { kind: "repo" };
    case "bridge/folders":
      none(id, method);
      return { kind: "folders", folders: parseFolders(params) };
    default:
      throw new FrameError(CLOSE.pageFoundForbidden, `unknown method ${JSON.stringify(clip(method, 40))}`);
  }
}

function parseResponse(id: string | undefined, message: Record<string, unknown>): HubFrame {
  if (id === undefined) throw broken("neither a method nor an id");
  const { result, error } = message;
  if ((result === undefined) === (error === undefined)) throw broken("a response has either a result or an error");
  if (error !== undefined && (!isObject(error) || typeof error.message !== "string")) throw broken("an error without a message");
  if (id === HELLO_ID) {
    return error === undefined
      ? { kind: "welcome", welcome: parseWelcome(result) }
      : { kind: "refusal", message: error.message as string };
  }
  // Whatever it says, the hub lives.
  if (id.startsWith(PING_ID)) return { kind: "pong" };
  throw new FrameError(CLOSE.pageFoundForbidden, `an answer to nothing that was asked: ${JSON.stringify(clip(id, 40))}`);
}

function parseWelcome(result: unknown): Welcome {
  const what = "the hello's result";
  if (!isObject(result)) throw broken(`${what} is not an object`);
  const heartbeatMs = number(result, "heartbeatMs", what);
  if (heartbeatMs <= 0) throw broken(`${what}: heartbeatMs is not above 0`);
  const parts = result.parts === undefined ? 0 : number(result, "parts", what);
  if (parts !== 0 && parts < PART_BYTES) throw broken(`${what}: parts is under ${PART_BYTES}`);
  const welcome = {
    version: string(result, "version", what), pid: number(result, "pid", what), heartbeatMs, repo: string(result, "repo", what),
    key: string(result, "key", what), storageKey: string(result, "storageKey", what), parts,
  };
  return result.backoff === undefined ? welcome : { ...welcome, backoff: parseBackoff(result.backoff, `${what}, backoff`) };
}

function parseBackoff(value: unknown, what: string): Backoff {
  if (!isObject(value)) throw broken(`${what} is not an object`);
  const base = number(value, "baseMs", what);
  const cap = number(value, "capMs", what);
  if (base <= 0 || cap < base || cap > MAX_WAIT) throw broken(`${what}: not 0 < baseMs <= capMs <= ${MAX_WAIT}`);
  const name = string(value, "jitter", what);
  const jitter = JITTERS.find((known) => known === name);
  if (!jitter) throw broken(`${what}: jitter is none of ${JITTERS.join(", ")}`);
  return { base, cap, jitter };
}

function parseCall(id: string, params: Record<string, unknown>): Call {
  const what = "tools/call";
  const args = params.arguments ?? {};
  if (!isObject(args)) throw broken(`${what}: the arguments are not an object`);
  const meta = params._meta;
  if (!isObject(meta)) throw broken(`${what}: no _meta`);
  const progressToken = optionalString(meta, "progressToken", what);
  return {
    id,
    name: string(params, "name", what),
    arguments: args,
    agent: optionalString(meta, "agent", what) ?? "",
    deadlineMs: number(meta, "deadlineMs", what),
    ...(progressToken === undefined ? {} : { progressToken }),
  };
}

function parseAgents(params: Record<string, unknown>): AgentInfo[] {
  const what = "bridge/agents";
  // Go writes an empty list that was never made as null.
  const agents = params.agents ?? [];
  if (!Array.isArray(agents)) throw broken(`${what}: agents is not a list`);
  return agents.map((agent: unknown) => {
    if (!isObject(agent)) throw broken(`${what}: an agent is not an object`);
    return { name: string(agent, "name", what), pid: number(agent, "pid", what) };
  });
}

function parseFolders(params: Record<string, unknown>): FolderOrder[] {
  const what = "bridge/folders";
  const { folders } = params;
  if (!Array.isArray(folders)) throw broken(`${what}: folders is not a list`);
  return folders.map((folder: unknown) => {
    if (!isObject(folder)) throw broken(`${what}: a folder is not an object`);
    return { id: string(folder, "id", what), name: string(folder, "name", what), open: folder.open === true };
  });
}

function parseAlerts(params: Record<string, unknown>): AlertInfo[] {
  const what = "bridge/alerts";
  const { alerts } = params;
  if (!Array.isArray(alerts)) throw broken(`${what}: alerts is not a list`);
  return alerts.map((alert: unknown) => {
    if (!isObject(alert)) throw broken(`${what}: an alert is not an object`);
    return {
      graph: string(alert, "graph", what), code: string(alert, "code", what), since: number(alert, "since", what),
      message: string(alert, "message", what), advice: string(alert, "advice", what),
    };
  });
}

/* ---- what the page sends ---- */

const HELLO_ID = "hello";
const PING_ID = "ping-";

/** What a page loads without being asked: what the hub has, one folder behind the page, or nothing. */
export interface Loads {
  background?: string | undefined;
  loads?: "nothing" | undefined;
  /** Another repository is in front of it in the same page. */
  behind?: true | undefined;
}

/** `session` is random, and one a page load; `reloaded`: the page was in this tab before, and this is its first hello. */
export function helloFrame(version: string, session: string, reloaded = false, { background, loads, behind }: Loads = {}): string {
  const params = {
    role: "page", version, session, follows: true, parts: PARTS_AHEAD, alerts: true,
    ...(background === undefined ? { opens: true } : { background }), ...(loads ? { loads } : {}), ...(behind ? { behind } : {}), ...(reloaded ? { reloaded } : {}),
  };
  return JSON.stringify({ jsonrpc: "2.0", id: HELLO_ID, method: "bridge/hello", params });
}

export function contextFrame(context: GraphContext | null, methods: readonly string[]): string {
  return JSON.stringify({ jsonrpc: "2.0", method: "bridge/context", params: { context, methods } });
}

/** How many bytes of a message in parts have come. */
export function takenFrame(message: number, bytes: number): string {
  return JSON.stringify({ jsonrpc: "2.0", method: "bridge/taken", params: { message, bytes } });
}

export const FRONT_FRAME = JSON.stringify({ jsonrpc: "2.0", method: "bridge/front" });

export function pingFrame(n: number): string {
  return JSON.stringify({ jsonrpc: "2.0", id: `${PING_ID}${n}`, method: "ping" });
}

export function pongFrame(id: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result: {} });
}

/** `json` is the structured content, already serialised: it is not looked into. */
export function resultFrame(id: string, json: string): string {
  const [head, tail] = aroundResult(id);
  return head + json + tail;
}

/** What stands before and after the structured content. */
export function aroundResult(id: string): [head: string, tail: string] {
  return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"structuredContent":`, "}}"];
}

export function errorFrame(id: string, code: number, message: string, data?: { retryable: boolean; details?: Record<string, unknown> }): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, ...(data ? { data } : {}) } });
}

export function progressFrame(progressToken: string, progress: number, total?: number, message?: string): string {
  return JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress, total, message } });
}

/* ---- reading unknown values ---- */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function broken(message: string): FrameError {
  return new FrameError(CLOSE.pageFoundBroken, message);
}

function required(id: string | undefined, method: string): string {
  if (id === undefined) throw broken(`${method}: a request without an id`);
  return id;
}

function none(id: string | undefined, method: string): void {
  if (id !== undefined) throw broken(`${method}: a notification with an id`);
}

function string(from: Record<string, unknown>, key: string, what: string): string {
  const value = from[key];
  if (typeof value !== "string") throw broken(`${what}: ${key} is not a string`);
  return value;
}

function optionalString(from: Record<string, unknown>, key: string, what: string): string | undefined {
  return from[key] === undefined ? undefined : string(from, key, what);
}

function number(from: Record<string, unknown>, key: string, what: string): number {
  const value = from[key];
  if (typeof value !== "number" || !Number.isFinite(value)) throw broken(`${what}: ${key} is not a number`);
  return value;
}

function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}
