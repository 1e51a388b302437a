import type { LargeFrame } from "./parts.ts";

/** What is sent: a text frame, or what is to go in parts. */
export type Frame = string | LargeFrame;

export interface AnswerLimits {
  /** How long an answer is kept, in milliseconds. */
  ms: number;
  /** How many are kept. */
  count: number;
  /** How much they may have together; in bytes. */
  bytes: number;
}

interface Answer {
  frame: Frame;
  bytes: number;
  until: number;
}

/**
 * Remembers answers for a while, so that a call that the hub sends again, because the link dropped before it knew, is
 * answered and not run again. The oldest go first; what is over the limit by itself is not kept.
 */
export class Answers {
  // In the order in which they were given, so the oldest is first.
  private readonly kept = new Map<string, Answer>();
  private total = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * By default as long as a call may take, and so many that busy agents push none out while a hub is replaced: at a hundred
   * calls a second, 200 would be gone in two seconds.
   */
  constructor(private readonly limits: AnswerLimits = { ms: 120_000, count: 10_000, bytes: 50_000_000 }) {}

  /** `bytes` is the frame's size. */
  add(id: string, frame: Frame, bytes: number): void {
    this.remove(id);
    if (bytes > this.limits.bytes) return;
    this.kept.set(id, { frame, bytes, until: Date.now() + this.limits.ms });
    this.total += bytes;
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= this.limits.count && this.total <= this.limits.bytes) break;
      this.remove(oldest);
    }
    this.timer ??= setTimeout(() => this.expire(), this.limits.ms);
  }

  get(id: string): { frame: Frame; bytes: number } | undefined {
    const answer = this.kept.get(id);
    return answer && answer.until > Date.now() ? answer : undefined;
  }

  get size(): number {
    return this.kept.size;
  }

  /** What is kept, in bytes. */
  get bytes(): number {
    return this.total;
  }

  private remove(id: string): void {
    this.total -= this.kept.get(id)?.bytes ?? 0;
    this.kept.delete(id);
  }

  // Memory is given back when the time is over, and not only when the next answer comes.
  private expire(): void {
    this.timer = undefined;
    const now = Date.now();
    for (const [id, { until }] of this.kept) {
      if (until > now) {
        this.timer = setTimeout(() => this.expire(), until - now);
        return;
      }
      this.remove(id);
    }
  }
}
