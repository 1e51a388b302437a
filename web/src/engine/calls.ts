import type { EngineReply, EngineRequest, ViewAction } from "../messages.ts";
import type { Codebase } from "./codebase.ts";
import { ToolError, type Tool, type ToolContext } from "./tools.ts";

/** What calls need of the engine. */
export interface CallHost {
  tools: Readonly<Record<string, Tool>>;
  /** The whole graph, for the command `gitnexus-mcp export`: a call named "export", of which agents are not told. */
  exportGraph(codebase: Codebase, minConfidence?: number): object;
  /** The loaded codebase, or the one that is there within `limit`, in milliseconds. Throws or rejects with ToolError that says why there is none. */
  codebase(limit: number): Codebase | Promise<Codebase>;
  /** The same, with its clusters and processes. */
  clustered(): Promise<Codebase>;
  cypher: ToolContext["cypher"];
  view(action: ViewAction, agent: string): void;
  reply(reply: EngineReply): void;
}

type CallRequest = Extract<EngineRequest, { type: "call" }>;

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

  handle(request: Exclude<EngineRequest, { type: "folder" }>): void {
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
      reply = { type: "result", id, json: await this.answer(call, controller.signal) };
    } catch (error) {
      reply = failure(call, error, controller.signal);
    } finally {
      clearTimeout(timer);
      this.running.delete(id);
    }
    if (reply) this.host.reply(reply);
  }

  private async answer(call: CallRequest, signal: AbortSignal): Promise<string> {
    const { id, name, agent } = call;
    const { host } = this;
    const tool: Tool | undefined = name === "export" ? ({ minConfidence }, { codebase }) => host.exportGraph(codebase, typeof minConfidence === "number" ? minConfidence : undefined)
      : Object.hasOwn(host.tools, name) ? host.tools[name] : undefined;
    if (!tool) throw new ToolError(`The graph app has no tool named ${name}. It has ${Object.keys(host.tools).join(", ")}.`);
    const context: Omit<ToolContext, "codebase"> = {
      signal, deadline: Date.now() + call.deadlineMs, agent,
      progress: (done, total, message) => {
        if (call.wantsProgress && !signal.aborted) host.reply({ type: "progress", id, progress: done, ...(total === undefined ? {} : { total }), message });
      },
      clustered: () => host.clustered(),
      view: (action) => host.view(action, agent),
      cypher: (...query) => host.cypher(...query),
    };
    // Who has little time is told in time that there is none.
    const run = async (): Promise<unknown> => tool(call.arguments, { ...context, codebase: await host.codebase(call.deadlineMs / 2) });
    // A tool that does not look at its signal must not keep the caller waiting.
    let stop: () => void = () => undefined;
    const ended = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener("abort", stop, { once: true });
    });
    try {
      // Made text here, so that what cannot be made text fails as this call and nothing else.
      return JSON.stringify(await Promise.race([run(), ended]));
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

function failure({ id, name }: CallRequest, error: unknown, signal: AbortSignal): EngineReply | undefined {
  if (signal.aborted) {
    const ended = signal.reason as Ended;
    return ended.late ? { type: "error", id, message: ended.message, retryable: true } : undefined;
  }
  if (error instanceof ToolError) {
    return { type: "error", id, message: error.message, retryable: error.retryable, ...(error.details ? { details: error.details } : {}) };
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { type: "error", id, message: `${name} failed because of a fault in the graph app: ${what}`, retryable: false };
}
