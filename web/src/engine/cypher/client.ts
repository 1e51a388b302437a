import type { CypherWorker, StartWorker, WorkerReply, WorkerRequest } from "./messages.ts";

type Unnumbered<T> = T extends unknown ? Omit<T, "id"> : never;
type Value = Extract<WorkerReply, { ok: true }>["value"];

/** A reply that says no. */
export class WorkerRefusal extends Error {
  override readonly name = "WorkerRefusal";
  constructor(readonly kind: "statement" | "timeout" | "broken", message: string) {
    super(message);
  }
}

/** Requests to one Worker. When the Worker fails or is ended, everything that waits is rejected, once. */
export class WorkerClient {
  private readonly worker: CypherWorker;
  private readonly waiting = new Map<number, { resolve: (value: Value) => void; reject: (error: WorkerRefusal) => void }>();
  private nextId = 1;
  private ended: WorkerRefusal | undefined;

  constructor(start: StartWorker) {
    this.worker = start();
    this.worker.onmessage = ({ data }) => {
      const request = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.ok) request?.resolve(data.value);
      else request?.reject(new WorkerRefusal(data.kind, data.message));
    };
    this.worker.onerror = (event) => this.end(event.message || "its program could not be loaded");
  }

  get alive(): boolean {
    return this.ended === undefined;
  }

  async ask(request: Unnumbered<WorkerRequest>, transfer: Transferable[] = []): Promise<Value> {
    if (this.ended) throw this.ended;
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ ...request, id }, transfer);
    });
  }

  /** Ends the Worker at once, whatever it does. */
  end(why: string): void {
    if (this.ended) return;
    this.ended = new WorkerRefusal("broken", why);
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(this.ended);
    this.waiting.clear();
  }
}
