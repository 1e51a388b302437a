/** The way to the host that shows this page in its chat: JSON-RPC over postMessage, as MCP Apps has it (2026-01-26). */

export interface HostContext {
  theme?: "light" | "dark";
  styles?: { variables?: Record<string, string | undefined> };
  displayMode?: string;
  availableDisplayModes?: string[];
  containerDimensions?: { height?: number; maxHeight?: number };
  toolInfo?: { tool?: { name?: string } };
}

export interface HostCapabilities {
  openLinks?: object;
  serverTools?: object;
  message?: object;
}

/** A tool's answer, as far as this page reads it. */
export interface ToolResult {
  isError?: boolean;
  content?: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

export interface HostEvents {
  context(changed: HostContext): void;
  input(args: Record<string, unknown>): void;
  result(result: ToolResult): void;
  cancelled(): void;
}

interface Message {
  jsonrpc?: string;
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { message?: string };
}

const PROTOCOL = "2026-01-26";

export class Host {
  capabilities: HostCapabilities = {};
  private last = 0;
  private readonly open = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();

  constructor(private readonly events: HostEvents, private readonly to: Window = window.parent) {
    window.addEventListener("message", (event: MessageEvent<Message | null>) => {
      if (event.source === this.to && event.data?.jsonrpc === "2.0") this.receive(event.data);
    });
  }

  /** Introduces this page. The host sends the tool's answer from then on. */
  async start(version: string): Promise<HostContext> {
    const hello = await this.request("ui/initialize", {
      protocolVersion: PROTOCOL, appInfo: { name: "gitnexus-graph", version }, appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    }) as { hostCapabilities?: HostCapabilities; hostContext?: HostContext };
    this.capabilities = hello.hostCapabilities ?? {};
    this.notify("ui/notifications/initialized", {});
    return hello.hostContext ?? {};
  }

  /** Calls a tool of the server that this page comes from. Rejects with what a failed tool says. */
  async call(name: string, args: Record<string, unknown>): Promise<unknown> {
    const result = await this.request("tools/call", { name, arguments: args }) as ToolResult;
    const text = result.content?.find(({ type }) => type === "text")?.text ?? "";
    if (!result.isError) return result.structuredContent ?? JSON.parse(text);
    throw new Error(messageOf(result));
  }

  openLink(url: string): Promise<boolean> {
    return this.succeeds("ui/open-link", { url });
  }

  /** Puts a message of the user into the chat. */
  say(text: string): Promise<boolean> {
    return this.succeeds("ui/message", { role: "user", content: [{ type: "text", text }] });
  }

  async display(mode: string): Promise<void> {
    await this.request("ui/request-display-mode", { mode });
  }

  resized(height: number): void {
    this.notify("ui/notifications/size-changed", { height });
  }

  private async succeeds(method: string, params: object): Promise<boolean> {
    try {
      return (await this.request(method, params) as { isError?: boolean }).isError !== true;
    } catch {
      return false;
    }
  }

  private request(method: string, params: object): Promise<unknown> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.open.set(id, { resolve, reject });
      this.post({ id, method, params });
    });
  }

  private notify(method: string, params: object): void {
    this.post({ method, params });
  }

  private post(message: object): void {
    // The host checks who it is from; what is sent is no secret of the user's beyond what the host has sent itself.
    this.to.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }

  private receive({ id, method, params, result, error }: Message): void {
    if (method === undefined) {
      const waiting = typeof id === "number" ? this.open.get(id) : undefined;
      if (!waiting) return;
      this.open.delete(id as number);
      if (error) waiting.reject(new Error(error.message ?? "The host refused."));
      else waiting.resolve(result);
    } else if (id !== undefined) {
      if (method === "ping" || method === "ui/resource-teardown") this.post({ id, result: {} });
      else this.post({ id, error: { code: -32601, message: `There is no ${method} here.` } });
    } else {
      this.notified(method, params ?? {});
    }
  }

  private notified(method: string, params: Record<string, unknown>): void {
    switch (method) {
      case "ui/notifications/tool-input": this.events.input((params.arguments ?? {}) as Record<string, unknown>); break;
      case "ui/notifications/tool-result": this.events.result(params); break;
      case "ui/notifications/tool-cancelled": this.events.cancelled(); break;
      case "ui/notifications/host-context-changed": this.events.context(params); break;
    }
  }
}

/** What a failed tool says to people. */
export function messageOf({ content }: ToolResult): string {
  const text = content?.find(({ type }) => type === "text")?.text ?? "";
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}
