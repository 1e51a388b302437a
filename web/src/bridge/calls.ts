import type { EngineReply, EngineRequest, LinkEvent } from "../messages.ts";
import { Answers, type Frame } from "./answers.ts";
import { LargeFrame, WHOLE_BYTES } from "./parts.ts";
import { aroundResult, CODE, errorFrame, progressFrame, resultFrame, type Call } from "./protocol.ts";

/** Puts one frame on the link that a call came by. */
export type Send = (frame: Frame) => void;

export interface CallsOptions {
  toEngine: (request: EngineRequest) => void;
  emit: (event: LinkEvent) => void;
  /** Default: 120 s, 10,000 answers, 50 MB. */
  answers?: Answers;
  /** The largest frame that the hub takes, in bytes. Default 64 MB. */
  maxFrame?: number;
}

interface Running {
  id: string;
  startedAt: number;
  /** Milliseconds since the epoch. */
  deadline: number;
  timer?: ReturnType<typeof setTimeout>;
  /** Null while the link that it came by is gone: its answer is then remembered, and sent when the hub asks again. */
  send: Send | null;
  progressToken: string | undefined;
  /** Whether the view lists the call. Completions are not listed: each key that a user types makes one. */
  shown: boolean;
}

/** Longer answers, in characters, are not handed to the view. */
const SHOWN = 100_000;

type Outcome = Extract<LinkEvent, { type: "settled" }>["outcome"];

/**
 * The calls in flight. They outlive the link: an id that the hub sends again is joined while it runs and answered from
 * memory when it is done, so nothing runs twice. Each settles once, for the hub and for the view.
 */
export class Calls {
  private readonly running = new Map<string, Running>();
  private readonly answers: Answers;
  private readonly toEngine: (request: EngineRequest) => void;
  private readonly emit: (event: LinkEvent) => void;
  private tools: readonly string[] | null = null;
  /** What every call is told, when there is no engine any more. */
  private dead: string | undefined;
  private maxFrame: number;
  private largestSent = 0;

  constructor({ toEngine, emit, answers = new Answers(), maxFrame = 64_000_000 }: CallsOptions) {
    this.toEngine = toEngine;
    this.emit = emit;
    this.answers = answers;
    this.maxFrame = maxFrame;
  }

  /** Names the tools that the engine answers; until then every call is left to the engine to judge. */
  setTools(tools: readonly string[]): void {
    this.tools = tools;
  }

  /** A call of the hub's, new or sent again. `send` is used until `detach`. */
  call(call: Call, send: Send): void {
    const known = this.running.get(call.id);
    if (known) {
      known.send = send;
      known.progressToken = call.progressToken;
      this.startClock(known, call.deadlineMs);
      return;
    }
    const answer = this.answers.get(call.id);
    if (answer) {
      // A hub that found the answer too large the first time finds it so again, and ends the link again.
      if (answer.bytes > this.maxFrame) send(this.tooLarge(call.id, answer.bytes).frame);
      else this.deliver(send, answer.frame, answer.bytes);
      return;
    }
    const { id, name, agent, deadlineMs, progressToken } = call;
    const running: Running = { id, startedAt: Date.now(), deadline: 0, send, progressToken, shown: name !== "complete" };
    this.running.set(id, running);
    if (running.shown) this.emit({ type: "call", id, name, agent, arguments: call.arguments, startedAt: running.startedAt });
    if (this.tools && !this.tools.includes(name)) {
      const message = `This page has no tool named ${JSON.stringify(name)}.`;
      this.fail(running, errorFrame(id, CODE.noSuchTool, message), message);
      return;
    }
    if (this.dead !== undefined) {
      this.fail(running, errorFrame(id, CODE.toolFailed, this.dead, { retryable: false }), this.dead);
      return;
    }
    this.startClock(running, deadlineMs);
    this.toEngine({ type: "call", id, name, arguments: call.arguments, agent, deadlineMs, wantsProgress: progressToken !== undefined });
  }

  /** Nobody waits for that call any more. Unknown ids are none of ours: already settled. */
  cancel(id: string, reason: string): void {
    const running = this.running.get(id);
    if (!running) return;
    this.abandon(running, reason, "cancelled");
  }

  /** The link is gone. Calls go on without it; `largestSent` starts again with the next. */
  detach(): void {
    for (const running of this.running.values()) running.send = null;
    this.largestSent = 0;
  }

  /** The hub ended the link because a message was too large. To be told before `detach`. */
  refuseLargest(): void {
    if (this.largestSent > 0) this.maxFrame = Math.min(this.maxFrame, this.largestSent - 1);
  }

  /** The engine is dead, in words: what it was at gets no other answer. `again`: another one is asked from now on. */
  engineDied(why: string, again: boolean): void {
    const message = again
      ? `${why} while it worked on this. It was started again and opens the repository anew. Call again; if that stops it once more, ask for less at once.`
      : `${why}. It was started again several times and does not stay. Ask the user to reload the graph app's page.`;
    if (!again) this.dead = message;
    for (const running of [...this.running.values()]) {
      this.fail(running, errorFrame(running.id, CODE.toolFailed, message, { retryable: again }), message);
    }
  }

  /** What the engine says of a call. Late words about a call that is settled are dropped. */
  reply(reply: Exclude<EngineReply, { type: "context" }>): void {
    const running = this.running.get(reply.id);
    if (!running) return;
    switch (reply.type) {
      case "progress":
        if (running.send && running.progressToken !== undefined) {
          running.send(progressFrame(running.progressToken, reply.progress, reply.total, reply.message));
        }
        return;
      case "error": {
        // An engine that gives up because the time is over says so as an error. The hub has words of its own for that.
        if (Date.now() >= running.deadline) {
          this.abandon(running, "its time is over", "timeout");
          return;
        }
        const { id, message, retryable, details, denied } = reply;
        this.fail(running, errorFrame(id, denied ? CODE.denied : CODE.toolFailed, message, { retryable, ...(details ? { details } : {}) }), message);
        return;
      }
      case "result": {
        const text = resultFrame(reply.id, reply.json);
        const utf8 = encoder.encode(text);
        this.succeed(running, utf8.length > WHOLE_BYTES ? new LargeFrame([utf8]) : text, utf8.length, Math.max(reply.json.length, reply.object?.length ?? 0) <= SHOWN ? reply : undefined);
        return;
      }
      case "large": {
        const [head, tail] = aroundResult(reply.id).map((text) => encoder.encode(text)) as [Uint8Array, Uint8Array];
        const frame = new LargeFrame([head, reply.json, tail]);
        this.succeed(running, frame, frame.bytes);
      }
    }
  }

  private succeed(running: Running, frame: Frame, bytes: number, shown?: { json: string; object?: string }): void {
    if (bytes > this.maxFrame) {
      const refused = this.tooLarge(running.id, bytes);
      this.fail(running, refused.frame, refused.message);
      return;
    }
    this.answer(running, frame, bytes);
    this.settle(running, "ok", bytes - utf8Length(resultFrame(running.id, "")), undefined, shown);
  }

  private startClock(running: Running, deadlineMs: number): void {
    clearTimeout(running.timer);
    running.deadline = Date.now() + deadlineMs;
    // A longer timer than 24.8 days fires at once.
    const ms = Math.min(Math.max(deadlineMs, 0), 2 ** 31 - 1);
    running.timer = setTimeout(() => this.abandon(running, "its time is over", "timeout"), ms);
  }

  /** Settles a call that gets no answer: the hub has given it up, or does at this moment by its own clock. */
  private abandon(running: Running, reason: string, outcome: Outcome): void {
    this.toEngine({ type: "cancel", id: running.id, reason });
    this.settle(running, outcome, 0, reason);
  }

  private fail(running: Running, frame: string, message: string): void {
    this.answer(running, frame, utf8Length(frame));
    this.settle(running, "error", 0, message);
  }

  private answer(running: Running, frame: Frame, bytes: number): void {
    this.answers.add(running.id, frame, bytes);
    if (running.send) this.deliver(running.send, frame, bytes);
  }

  private deliver(send: Send, frame: Frame, bytes: number): void {
    this.largestSent = Math.max(this.largestSent, bytes);
    send(frame);
  }

  private settle({ id, startedAt, timer, shown }: Running, outcome: Outcome, bytes: number, message?: string, told?: { json: string; object?: string }): void {
    clearTimeout(timer);
    this.running.delete(id);
    if (shown) this.emit({ type: "settled", id, outcome, ms: Date.now() - startedAt, bytes, ...(message === undefined ? {} : { message }), ...(told && { answer: told.json, ...(told.object === undefined ? {} : { object: told.object }) }) });
  }

  private tooLarge(id: string, bytes: number): { frame: string; message: string } {
    const message = `The answer has ${megabytes(bytes)}, and the link takes ${megabytes(this.maxFrame)} at most. Ask for less: a lower limit or a narrower question.`;
    return { frame: errorFrame(id, CODE.toolFailed, message, { retryable: false }), message };
  }
}

const encoder = new TextEncoder();

/** The bytes of a string as UTF-8. Encoding it is faster than looking at each character from here. */
function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
