import type { ParseBatch, ParserReport } from "./parser-messages.ts";
import type { Parse, ParseResult } from "./pipeline.ts";

/** The part of a Worker that the pool uses. */
export interface ParserWorker {
  postMessage(batch: ParseBatch): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<ParserReport>) => void) | null;
  /** The Worker's script cannot be loaded, or it died. */
  onerror: ((event: ErrorEvent) => void) | null;
}

export interface ParserOptions {
  /** Starts a parser Worker. */
  spawn: () => ParserWorker;
  /** Workers at most; more are started only while files wait. */
  size: number;
  /** Workers that `warm` starts. Default 1. */
  warm?: number;
  /** Without a sign of life for this long a Worker is ended, in milliseconds; more than a parse may take. Default 30 000. */
  limit?: number;
}

/**
 * A Worker gets files while it has fewer than this many, or UTF-16 units of text, to do, and one message carries up to as
 * much again: the next is there when one is done, and no more is copied than soon needed.
 */
const BATCH_FILES = 16;
const BATCH_TEXT = 256 << 10;
/** Workers that end before their first sign of life, in a row, until the pool gives up. */
const STILLBORN = 3;

interface Task {
  path: string;
  text: string;
  context: unknown;
  settle: (result: ParseResult) => void;
  fail: (error: Error) => void;
}

interface Slot {
  worker: ParserWorker;
  /** Has said something. */
  alive: boolean;
  /** Sent and not answered yet, in the order of sending; the first is the one being parsed. */
  pending: Map<number, Task>;
  pendingText: number;
  watchdog: ReturnType<typeof setTimeout> | undefined;
}

/** Workers worth having on a machine with so many processors: the engine itself has little to do while they parse. */
export function poolSize(processors: number): number {
  return Math.max(1, Math.min(8, processors));
}

/**
 * Parses files in Workers side by side. A file that makes its Worker hang or die is skipped by name, and what that
 * Worker had yet to do goes to another. Only when Workers cannot even start do the promises reject.
 */
export class ParserPool {
  /** Taken from `head` on. */
  private queue: Task[] = [];
  private head = 0;
  private readonly slots = new Set<Slot>();
  private readonly limit: number;
  private nextId = 0;
  private stillborn = 0;
  private closed: Error | undefined;

  constructor(private readonly options: ParserOptions) {
    this.limit = options.limit ?? 30_000;
  }

  readonly parse: Parse = (path, text, context) =>
    new Promise((settle, fail) => {
      if (this.closed) {
        fail(this.closed);
        return;
      }
      this.queue.push({ path, text, context, settle, fail });
      this.feed();
    });

  /** Starts Workers before there are files, so that their code is there when the first file is. */
  warm(): void {
    while (this.slots.size < Math.min(this.options.warm ?? 1, this.options.size) && !this.closed) this.start();
  }

  /** Ends the Workers that have nothing to do, but one: the next file finds it ready. Where there is none it is started. */
  rest(): void {
    if (this.slots.size === 0 && !this.closed) this.start();
    const idle = [...this.slots].filter(({ pending }) => pending.size === 0);
    for (const slot of idle.slice(1)) this.end(slot);
  }

  /** Ends all Workers; what is not parsed yet rejects. */
  close(reason = new Error("The parsers were closed.")): void {
    if (this.closed) return;
    this.closed = reason;
    const open = this.queue.slice(this.head);
    this.queue = [];
    this.head = 0;
    for (const slot of this.slots) open.push(...this.end(slot));
    for (const task of open) task.fail(reason);
  }

  /** Gives waiting files to the Workers that have little to do, and starts more when that is not enough. */
  private feed(): void {
    for (const slot of this.slots) this.fill(slot);
    while (this.waiting > 0 && this.slots.size < this.options.size && !this.closed) this.fill(this.start());
  }

  private get waiting(): number {
    return this.queue.length - this.head;
  }

  private start(): Slot {
    const slot: Slot = { worker: this.options.spawn(), alive: false, pending: new Map(), pendingText: 0, watchdog: undefined };
    slot.worker.onmessage = ({ data }) => this.report(slot, data);
    slot.worker.onerror = (event) => {
      event.preventDefault();
      this.lose(slot, event.message || "its parser died");
    };
    this.slots.add(slot);
    return slot;
  }

  private fill(slot: Slot): void {
    if (this.waiting === 0 || slot.pending.size >= BATCH_FILES || slot.pendingText >= BATCH_TEXT) return;
    const files: ParseBatch["files"] = [];
    let size = 0;
    while (this.waiting > 0 && files.length < BATCH_FILES && size < BATCH_TEXT) {
      const task = this.queue[this.head++]!;
      const id = this.nextId++;
      slot.pending.set(id, task);
      files.push({ id, path: task.path, text: task.text, ...(task.context === undefined ? {} : { context: task.context }) });
      size += task.text.length;
    }
    if (this.waiting === 0) {
      this.queue = [];
      this.head = 0;
    }
    slot.pendingText += size;
    slot.worker.postMessage({ files });
    if (slot.watchdog === undefined) this.watch(slot);
  }

  /** Starts the time for the next sign of life. */
  private watch(slot: Slot): void {
    clearTimeout(slot.watchdog);
    slot.watchdog = slot.pending.size === 0 ? undefined : setTimeout(() => this.lose(slot, `it takes longer than ${this.limit / 1000} s`), this.limit);
  }

  private report(slot: Slot, report: ParserReport): void {
    if (!this.slots.has(slot)) return;
    slot.alive = true;
    this.stillborn = 0;
    switch (report.type) {
      case "ready":
        break;
      case "unusable":
        this.close(new Error(`The parser cannot be loaded: ${report.reason}`));
        return;
      case "parsed":
        this.take(slot, report.id)?.settle({ facts: report.facts });
        break;
      case "skipped":
        this.take(slot, report.id)?.settle({ reason: report.reason });
        if (report.broken) {
          this.requeue(this.end(slot));
          this.feed();
          return;
        }
    }
    this.watch(slot);
    this.fill(slot);
  }

  private take(slot: Slot, id: number): Task | undefined {
    const task = slot.pending.get(id);
    if (task) slot.pendingText -= task.text.length;
    slot.pending.delete(id);
    return task;
  }

  /** A Worker hangs or died: the file it was at is skipped, the others go to a new one. */
  private lose(slot: Slot, why: string): void {
    if (!this.slots.has(slot)) return;
    const tasks = this.end(slot);
    if (slot.alive) {
      tasks.shift()?.settle({ reason: `cannot be parsed: ${why}` });
    } else if (++this.stillborn >= STILLBORN) {
      // No file's fault: the script is missing or forbidden.
      this.requeue(tasks);
      this.close(new Error(`The parsers cannot be started: ${why}`));
      return;
    }
    this.requeue(tasks);
    this.feed();
  }

  private requeue(tasks: readonly Task[]): void {
    this.queue = [...tasks, ...this.queue.slice(this.head)];
    this.head = 0;
  }

  /** Ends a Worker and returns what it had yet to do. */
  private end(slot: Slot): Task[] {
    this.slots.delete(slot);
    clearTimeout(slot.watchdog);
    slot.worker.onmessage = null;
    slot.worker.onerror = null;
    slot.worker.terminate();
    return [...slot.pending.values()];
  }
}
