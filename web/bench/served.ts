/** What the benches share: a server of a folder with an agent that talks to it, as a user has them, and the app in a browser. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Page } from "@playwright/test";
import { appState, launch } from "../e2e/browser.ts";
import { freePort } from "../e2e/ports.ts";

export interface Served {
  /** The agent's client, which has started the server; closing it ends that. */
  client: Client;
  /** The app's, for a page that is paired. */
  address: string;
  /** The app's, that pairs one page. */
  pairing: string;
}

export async function serve(binary: string, dir: string, agent = "bench"): Promise<Served> {
  const port = await freePort();
  const token = randomBytes(32).toString("base64url");
  const client = new Client({ name: agent, version: "1.0.0" });
  await client.connect(new StdioClientTransport({
    command: binary, args: ["serve", "--port", String(port), "--repo", dir], env: { ...(process.env as Record<string, string>), GITNEXUS_TOKEN: token }, stderr: "ignore",
  }));
  const address = `http://127.0.0.1:${port}/`;
  return { client, address, pairing: pairingAddress(binary, port, token) };
}

/** What `gitnexus-mcp open` prints. */
export function pairingAddress(binary: string, port: number, token: string): string {
  return execFileSync(binary, ["open", "--browser", "none", "--port", String(port)], { env: { ...process.env, GITNEXUS_TOKEN: token }, encoding: "utf8" }).trim();
}

/** The same with a page that has loaded the folder, in a Chromium that is driven. */
export async function open(binary: string, dir: string): Promise<Served & { page: Page; close: () => Promise<void> }> {
  const served = await serve(binary, dir);
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(served.pairing);
  await loaded(page);
  return {
    ...served, page,
    close: async () => {
      await browser.close();
      await served.client.close();
    },
  };
}

/** Until the view has the graph. */
export async function loaded(page: Page): Promise<void> {
  while (!(await appState(page)).loaded) await rest(10);
}

/** The graph as it is kept for the next visit: its bytes, and when it was; zeros while it is not. */
export const kept = (page: Page): Promise<{ bytes: number; at: number }> => page.evaluate(async () => {
  const root = await navigator.storage.getDirectory();
  try {
    const folder = await root.getDirectoryHandle("snapshots").catch(() => root.getDirectoryHandle("repositories"));
    for await (const handle of folder.values()) {
      // What is being written has a name of its own.
      if (handle.kind !== "file" || handle.name.endsWith(".crswap")) continue;
      const { size, lastModified } = await handle.getFile();
      return { bytes: size, at: lastModified };
    }
  } catch {
    // not yet
  }
  return { bytes: 0, at: 0 };
});

export function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}
