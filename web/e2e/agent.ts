/** An agent as users run it: the MCP SDK's own client, which starts the server and talks to it over stdio. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { ClientCapabilities } from "@modelcontextprotocol/sdk/types.js";
import { challenge } from "../src/bridge/check.ts";
import { exchange } from "../src/bridge/pairing.ts";
import { proofProtocol, webCrypt } from "../src/bridge/proof.ts";
import { freePort } from "./ports.ts";
import { binary } from "./built.ts";

/** How long a code base may take to load, in ms: on a slow machine, beside two other files of tests, this repository takes over 90 s. */
export const PATIENCE = 240_000;

/** What a tool answered. `body` is the text where that is JSON, else empty. */
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
  static async start(flags: string[], options: { port?: number; token?: string; capabilities?: ClientCapabilities } = {}): Promise<Agent> {
    const port = options.port ?? (await freePort());
    const token = options.token ?? randomBytes(32).toString("base64url");
    const transport = new StdioClientTransport({
      command: binary(),
      args: ["serve", "--port", String(port), ...flags],
      env: environment(token),
      stderr: "pipe",
    });
    const log: string[] = [];
    transport.stderr?.on("data", (chunk: Buffer) => log.push(chunk.toString()));
    const client = new Client({ name: "e2e-agent", version: "1.0.0" }, { capabilities: options.capabilities ?? {} });
    await client.connect(transport);
    const agent = new Agent(client, port, token, transport.pid ?? 0, log);
    // The server answers on stdin before it has the port, or has joined the one that holds it.
    await until(async () => ["hub", "peer"].includes((await agent.health()).bridge.role), "role");
    return agent;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** A page's proof, as the app makes it: a subprotocol that is good once. */
  async proof(): Promise<string> {
    const signal = AbortSignal.timeout(5000);
    const paired = await exchange(this.url, new URL(this.pairingUrl).hash.slice("#ticket=".length), undefined, webCrypt, fetch, signal);
    if (!paired.ok || !paired.key) throw new Error("not paired");
    const who = { role: "page", ...paired.key } as const;
    const answer = await challenge(this.url, who, webCrypt, fetch, signal);
    if (!answer.ok) throw new Error(answer.reason);
    return proofProtocol(webCrypt, who, answer.port, answer.nonce, answer.hubNonce);
  }

  /** A fresh address for each read; it pairs one page, once. */
  get pairingUrl(): string {
    return this.run("open", "--browser", "none").trim();
  }

  /** Runs a command as the user of this server, and returns what it prints. */
  run(command: string, ...args: string[]): string {
    return execFileSync(binary(), [command, ...args], { env: { ...environment(this.token), GITNEXUS_PORT: String(this.port) }, encoding: "utf8" });
  }

  /** What the server has logged. */
  get said(): string {
    return this.log.join("");
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    // The server's own limit is 120 s; the SDK's would be 60.
    const result = await this.client.callTool({ name, arguments: args }, undefined, { timeout: 150_000 });
    const content = result.content as { type: string; text: string }[];
    // Text of a repository stands between marks.
    const text = (content[0]?.text ?? "").replace(/^<<(\w{4})\n([^]*)\n\1>>/, "$2");
    return {
      isError: result.isError === true,
      body: (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, unknown>,
      text,
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
  async ready(ms = PATIENCE): Promise<void> {
    await until(async () => (await this.health()).status === "ready", "a ready graph", ms);
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

/** The environment of a server with that token. What it keeps is with the binary, and goes with it. */
export function environment(token: string): Record<string, string> {
  return { ...plainEnvironment(), GITNEXUS_TOKEN: token, XDG_CONFIG_HOME: join(dirname(binary()), "config") };
}

/** The environment without settings, and without variables that tests take, such as GITNEXUS_SOAK_ROUNDS. */
function plainEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("GITNEXUS_")),
  );
}
