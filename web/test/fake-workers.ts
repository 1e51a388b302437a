/** Scripted stand-ins for the engine's and the link's Workers: they record what the view says, and say what a script has. */
import type { EngineCommand, EngineEvent, LinkCommand, LinkEvent } from "../src/messages.ts";
import type { Thread } from "../src/ui/session.ts";

/** One fake Worker. `said` has what the view posted, `emit` is the Worker speaking. */
export class FakeThread<Command, Event> implements Thread<Command, Event> {
  readonly said: Command[] = [];
  ended = false;
  /** Called with each command, after it was recorded. */
  onCommand: (command: Command) => void = () => undefined;
  private onEvent: ((event: Event) => void) | null = null;
  private onCrash: ((message: string) => void) | null = null;

  post(command: Command): void {
    this.said.push(command);
    this.onCommand(command);
  }

  listen(onEvent: (event: Event) => void, onCrash: (message: string) => void): void {
    this.onEvent = onEvent;
    this.onCrash = onCrash;
  }

  emit(event: Event): void {
    if (!this.onEvent) throw new Error("the view does not listen yet");
    this.onEvent(event);
  }

  crash(message: string): void {
    this.onCrash?.(message);
  }

  end(): void {
    this.ended = true;
  }
}

export type FakeEngine = FakeThread<EngineCommand, EngineEvent>;
export type FakeLink = FakeThread<LinkCommand, LinkEvent>;

export const FAKE_SOURCE = `import { createHash } from "node:crypto";
import type { Policy, Token } from "../auth/types.ts";

/**
 * Keeps the invoices of one tenant. Everything that touches the disk
 * goes through here, so that a failed write can be told apart.
 */
export class InvoiceStore {
  private readonly entries = new Map<string, Invoice>();
  constructor(private readonly policy: Policy, readonly limit = 10_000) {}

  // Idempotent: the same invoice twice is one entry.
  async saveInvoice(invoice: Invoice, token?: Token): Promise<string> {
    const id = createHash("sha256").update(\`\${invoice.tenant}/\${invoice.number}\`).digest("hex");
    if (this.entries.size >= this.limit) {
      throw new Error("The store is full: close a period first");
    }
    if (!this.policy.allows(token, "write", invoice.tenant)) return "";
    this.entries.set(id, { ...invoice, savedAt: Date.now() });
    await this.flush(0x1f, 'after "save"');
    return id;
  }

  findInvoice(id: string): Invoice | undefined {
    return this.entries.get(id) ?? undefined;
  }
`;
