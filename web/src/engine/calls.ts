import type { EngineReply, EngineRequest, ViewAction } from "../messages.ts";
import type { Codebase } from "./codebase.ts";
import type { Behind } from "./follower.ts";
import { ToolError, type Tool, type ToolContext } from "./tools.ts";

/** Hears how far the work is that a call waits for; a total of 0 is not known. */
export type Report = (done: number, total: number, phase: string) => void;

/** What calls need of the engine. Who waits may hear how far it is. */
export interface CallHost {
  tools: Readonly<Record<string, Tool>>;
  /** What only the view asks. */
  viewTools: Readonly<Record<string, Tool>>;
  /** The whole graph, for the command `gitnexus-mcp export`: a call named "export", of which agents are not told. */
  exportGraph(codebase: Codebase, minConfidence?: number): object;
  /** The loaded codebase, or the one that is there within `limit`, in milliseconds. Throws or rejects with ToolError that says why there is none. */
  codebase(limit: number, report?: Report): Codebase | Promise<Codebase>;
  /** Called before a call takes the codebase. The function that it returns tells why an answer from that is old; undefined where it is not known to be. */
  freshness(): () => Behind | undefined;
  /** The same as codebase, with its clusters and processes. */
  clustered(report?: Report): Promise<Codebase>;
  cypher(report: Report | undefined, ...query: Parameters<ToolContext["cypher"]>): ReturnType<ToolContext["cypher"]>;
  revision: ToolContext["revision"];
  view(action: ViewAction, agent: string): void;
  /** A tool's result in the form that its caller reads: text for an agent where it carries code. */
  form(call: { id: string; name: string }, result: unknown): unknown;
  reply(reply: EngineReply): void;
}

type CallRequest = Extract<EngineRequest, { type: "call" }>;

/** Files whose change is not in yet, by name. */
const NAMED = 8;

/** Tools whose answers do not rest on the graph. */
const ON_VIEW: ReadonlySet<string> = new Set(["graph_action", "highlight", "export"]);

/** Why a call was ended: nobody waits any more, or its time is over. */
class Ended extends Error {
  constructor(readonly late: boolean, message: string) {
    super(message);
  }
}

/**
 * Runs tool calls side by side. Each is replied to exactly once: with its result, its error, or that its time is over;
 * one that is cancelled is not replied to.
 */
export class Calls {
  private readonly running = new Map<string, AbortController>();

  constructor(private readonly host: CallHost) {}

  handle(request: Exclude<EngineRequest, { type: "folder" | "lost" }>): void {
    if (request.type === "cancel") this.running.get(request.id)?.abort(new Ended(false, request.reason));
    // The same id again is the same call, sent again after a lost link: it is answered when it ends.
    else if (!this.running.has(request.id)) void this.run(request);
  }

  private async run(call: CallRequest): Promise<void> {
    const { id, name } = call;
    const controller = new AbortController();
    this.running.set(id, controller);
    const timer = setTimeout(() => controller.abort(new Ended(true, `${name} did not end within its ${(call.deadlineMs / 1000).toFixed(0)} s and was stopped. Ask for less at once.`)), call.deadlineMs);
    let reply: EngineReply | undefined;
    try {
      reply = { type: "result", id, ...await this.answer(call, controller.signal) };
    } catch (error) {
      reply = failure(call, error, controller.signal);
    } finally {
      clearTimeout(timer);
      this.running.delete(id);
    }
    if (reply) this.host.reply(reply);
  }

  private async answer(call: CallRequest, signal: AbortSignal): Promise<{ json: string; object?: string }> {
    const { id, name, agent } = call;
    const { host } = this;
    const tool: Tool | undefined = name === "export" ? ({ minConfidence }, { codebase }) => host.exportGraph(codebase, typeof minConfidence === "number" ? minConfidence : undefined)
      : Object.hasOwn(host.tools, name) ? host.tools[name] : Object.hasOwn(host.viewTools, name) ? host.viewTools[name] : undefined;
    if (!tool) throw new ToolError(`The graph app has no tool named ${name}. It has ${Object.keys(host.tools).join(", ")}.`);
    const progress: ToolContext["progress"] = (done, total, message) => {
      if (call.wantsProgress && !signal.aborted) host.reply({ type: "progress", id, progress: done, ...(total === undefined ? {} : { total }), message });
    };
    const report: Report | undefined = call.wantsProgress ? (done, total, phase) => progress(done, total || undefined, phase) : undefined;
    const context: Omit<ToolContext, "codebase"> = {
      signal, deadline: Date.now() + call.deadlineMs, agent, progress,
      clustered: () => host.clustered(report),
      view: (action) => host.view(action, agent),
      cypher: (...query) => host.cypher(report, ...query),
      revision: (...query) => host.revision(...query),
    };
    const run = async (): Promise<unknown> => {
      // Who has little time is told in time that there is none.
      const codebase = await host.codebase(call.deadlineMs / 2, report);
      const behind = Object.hasOwn(host.tools, name) && !ON_VIEW.has(name) ? host.freshness() : () => undefined;
      try {
        return dated(await tool(call.arguments, { ...context, codebase }), behind());
      } catch (error) {
        throw error instanceof ToolError ? datedError(error, behind()) : error;
      }
    };
    // A tool that does not look at its signal must not keep the caller waiting.
    let stop: () => void = () => undefined;
    const ended = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener("abort", stop, { once: true });
    });
    try {
      // Made text here, so that what cannot be made text fails as this call and nothing else.
      const object = await Promise.race([run(), ended]);
      const told = host.form(call, object);
      return { json: JSON.stringify(told), ...(typeof told === "string" ? { object: JSON.stringify(object) } : {}) };
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

/** An answer that is known to be old begins with `asOf`. */
function dated(answer: object, behind: Behind | undefined): object {
  return behind ? { asOf: asOf(behind), ...answer } : answer;
}

/** What is not found may be in what has changed. */
function datedError(error: ToolError, behind: Behind | undefined): ToolError {
  return behind && !error.retryable ? new ToolError(error.message, { ...error.details, asOf: asOf(behind) }) : error;
}

function asOf({ at, why, files }: Behind): object {
  return {
    time: new Date(at).toISOString(), why,
    ...(files ? { files: files.slice(0, NAMED), ...(files.length > NAMED ? { more: files.length - NAMED } : {}) } : {}),
  };
}

function failure({ id, name }: CallRequest, error: unknown, signal: AbortSignal): EngineReply | undefined {
  if (signal.aborted) {
    const ended = signal.reason as Ended;
    return ended.late ? { type: "error", id, message: ended.message, retryable: true } : undefined;
  }
  if (error instanceof ToolError) {
    return { type: "error", id, message: error.message, retryable: error.retryable, ...(error.details ? { details: error.details } : {}), ...(error.denied ? { denied: true } : {}) };
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { type: "error", id, message: `${name} failed because of a fault in the graph app: ${what}`, retryable: false };
}
