/** An agent as users run it: the MCP SDK's own client, which starts the server and talks to it over stdio. */
import { randomBytes } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { inject } from "vitest";
import { freePort } from "./ports.ts";

/** What a tool answered. `body` is the structured content. */
export interface Answer {
  isError: boolean;
  body: Record<string, unknown>;
  text: string;
}

export class Agent {
  private constructor(
    readonly client: Client,
    readonly port: number,
    readonly token: string,
    readonly pid: number,
    private readonly log: string[],
  ) {}

  /** Starts a server with these flags. Its log can be read with `said`. */
  static async start(flags: string[], options: { port?: number; token?: string } = {}): Promise<Agent> {
    const port = options.port ?? (await freePort());
    const token = options.token ?? randomBytes(32).toString("base64url");
    const transport = new StdioClientTransport({
      command: inject("binary"),
      args: ["serve", "--port", String(port), ...flags],
      env: { ...(process.env as Record<string, string>), GITNEXUS_TOKEN: token },
      stderr: "pipe",
    });
    const log: string[] = [];
    transport.stderr?.on("data", (chunk: Buffer) => log.push(chunk.toString()));
    const client = new Client({ name: "e2e-agent", version: "1.0.0" });
    await client.connect(transport);
    return new Agent(client, port, token, transport.pid ?? 0, log);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** The address that hands the token to a page. */
  get pairingUrl(): string {
    return `${this.url}#token=${this.token}`;
  }

  /** What the server has logged. */
  get said(): string {
    return this.log.join("");
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const result = await this.client.callTool({ name, arguments: args });
    const content = result.content as { type: string; text: string }[];
    return {
      isError: result.isError === true,
      body: result.structuredContent as Record<string, unknown>,
      text: content[0]?.text ?? "",
    };
  }

  /** Calls a tool that has to succeed. */
  async ask(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const answer = await this.call(name, args);
    if (answer.isError) throw new Error(`${name}: ${answer.text}`);
    return answer.body;
  }

  async health(): Promise<{ status: string; bridge: { role: string; pages: unknown[] }; breaker: { state: string }; graphs: { repo: string }[] }> {
    const { contents } = await this.client.readResource({ uri: "gitnexus://codebase/health" });
    return JSON.parse((contents[0] as { text: string }).text) as Awaited<ReturnType<Agent["health"]>>;
  }

  /** Waits until a page holds a ready graph. */
  async ready(): Promise<void> {
    await until(async () => (await this.health()).status === "ready", "a ready graph", 90_000);
  }

  async stop(): Promise<void> {
    await this.client.close();
    if (this.said.includes("DATA RACE")) throw new Error(`data race in the server:\n${this.said}`);
  }
}

/** Polls until the condition holds. */
export async function until(condition: () => Promise<boolean> | boolean, what: string, ms = 30_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`no ${what} within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
