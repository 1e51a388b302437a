/** The event log of all gitnexus-mcp processes, as the hub's `/api/events` tells it, and how it is said to people. */
import type { AlertInfo } from "../messages.ts";
import { sentence, type Tone } from "./words.ts";
import { strings } from "./strings.ts";

/** One row of the log. "" and 0 stand for what does not apply. */
export interface LoggedEvent {
  id: number;
  /** Milliseconds since the epoch. */
  at: number;
  category: string;
  /** What happened, within the category. */
  type: string;
  agent: string;
  graph: string;
  /** The call's id; the error that the agent got has the same one. */
  call: string;
  tool: string;
  /** Of an error; "" for a success. */
  code: string;
  attempts: number;
  ms: number;
  message: string;
  /** What else is known: arguments, figures, a stack. */
  metadata: Readonly<Record<string, unknown>>;
  /** How many like calls the row stands for. */
  weight: number;
}

export interface Recent {
  /** The oldest first. */
  events: LoggedEvent[];
  /** Where the log is kept; "" when there is none. */
  file: string;
  /** Why it cannot be written; "" when it can. */
  error: string;
  /** Events that were lost because the disk did not keep up. */
  dropped: number;
}

/** What the view can be limited to, each with the parameters of the request. */
export const FILTERS = [
  { title: strings.activity.everything, parameters: {} },
  { title: strings.activity.whatFailed, parameters: { failed: "true" } },
  { title: strings.activity.calls, parameters: { category: "call" } },
  { title: strings.activity.alerts, parameters: { category: "alert" } },
  { title: strings.activity.connections, parameters: { category: "link" } },
  { title: strings.activity.circuitBreakers, parameters: { category: "breaker" } },
  { title: strings.activity.indexing, parameters: { category: "index" } },
  { title: strings.activity.hooks, parameters: { category: "hook" } },
  { title: strings.activity.callsToOtherServers, parameters: { category: "client" } },
  { title: strings.activity.processes, parameters: { category: "process" } },
  { title: strings.activity.faultsOfTheServer, parameters: { category: "panic" } },
] as const satisfies readonly { title: string; parameters: Record<string, string> }[];

/** Reads the hub's answer. Throws an error in words for what is none. */
export function readRecent(json: unknown): Recent {
  const { events, log } = record(json);
  if (!Array.isArray(events)) throw new Error(strings.activity.otherThanAList);
  const status = record(log);
  return { events: events.map(readEvent), file: text(status["file"]), error: text(status["error"]), dropped: number(status["dropped"]) };
}

function readEvent(value: unknown): LoggedEvent {
  const e = record(value);
  return {
    id: number(e["id"]), at: Date.parse(text(e["timestamp"])) || 0, category: text(e["category"]), type: text(e["event_type"]),
    agent: text(e["agent"]), graph: text(e["graph"]), call: text(e["call"]), tool: text(e["tool"]), code: text(e["code"]),
    attempts: number(e["attempts"]), ms: number(e["duration_ms"]), message: text(e["message"]), metadata: record(e["metadata"]), weight: number(e["weight"]),
  };
}

const HAPPENED: Readonly<Record<string, { title: string; tone: Tone }>> = {
  "link page_connected": { title: strings.activity.aTabWithThis, tone: "good" },
  "link page_reloaded": { title: strings.activity.aTabWithThisApp, tone: "quiet" },
  "link page_disconnected": { title: strings.activity.aTabWithThisAppIs, tone: "warn" },
  "link peer_connected": { title: strings.activity.anotherAgentsServerJoined, tone: "quiet" },
  "link peer_disconnected": { title: strings.activity.anotherAgentsServerLeft, tone: "quiet" },
  "link became_hub": { title: strings.activity.aServerTookThe, tone: "quiet" },
  "link became_peer": { title: strings.activity.aServerJoinedThe, tone: "quiet" },
  "link hub_lost": { title: strings.activity.theServerThatHeld, tone: "warn" },
  "breaker breaker_open": { title: strings.activity.theCircuitBreakerOpened, tone: "bad" },
  "breaker breaker_half-open": { title: strings.activity.theCircuitBreakerLets, tone: "warn" },
  "breaker breaker_closed": { title: strings.activity.theCircuitBreakerClosed, tone: "good" },
  "index ready": { title: strings.activity.indexed, tone: "good" },
  "index error": { title: strings.activity.couldNotBeIndexed, tone: "bad" },
  "hook ran": { title: strings.activity.aHookRan, tone: "quiet" },
  "hook failed": { title: strings.activity.aHookFailed, tone: "warn" },
  "hook refused": { title: strings.activity.aHookRefusedA, tone: "warn" },
  "alert raised": { title: strings.activity.alert, tone: "bad" },
  "alert over": { title: strings.activity.theAlertIsOver, tone: "good" },
  "process started": { title: strings.activity.aServerStarted, tone: "quiet" },
  "process ended": { title: strings.activity.aServerEnded, tone: "quiet" },
};

/** An event in words: what happened, and why or to what. */
export function eventWords(e: LoggedEvent): { title: string; detail: string; tone: Tone } {
  const detail = sentence(e.message);
  if (e.category === "call" || e.category === "client") {
    const cancelled = e.code === "CANCELLED";
    const many = e.weight > 1 ? strings.activity.oneOfLikeIt(e.weight) : "";
    const title = e.code === "" ? strings.activity.answered(e.tool, many) : cancelled ? strings.activity.cancelledByTheAgent(e.tool) : `${e.tool} ${e.code}`;
    return { title, detail, tone: e.code === "" ? "good" : cancelled ? "quiet" : "bad" };
  }
  if (e.category === "panic") return { title: strings.activity.aPartOfThe(e.type), detail, tone: "bad" };
  const known = HAPPENED[`${e.category} ${e.type}`];
  const { title, tone } = known ?? { title: `${e.category}: ${e.type.replaceAll("_", " ")}`, tone: "quiet" as const };
  const hook = text(e.metadata["hook"]);
  return { title: hook === "" ? title : `${title} (${hook})`, detail, tone };
}

/** Events by local day, the newest first. */
export function newestByDay(events: readonly LoggedEvent[]): { day: string; list: LoggedEvent[] }[] {
  const days: { day: string; list: LoggedEvent[] }[] = [];
  for (const event of events.toReversed()) {
    const day = new Date(event.at).toLocaleDateString("en-CA"); // 2026-11-24
    if (days.at(-1)?.day === day) days.at(-1)!.list.push(event);
    else days.push({ day, list: [event] });
  }
  return days;
}

/** Tells alerts apart; the same alert raised anew is another one. */
export function alertKey({ graph, code, since }: AlertInfo): string {
  return JSON.stringify([graph, code, since]);
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
