/** Clients that connect by the address: the official SDK's own transport, against the hub behind its gate. */
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { Agent, until } from "./agent.ts";
import { samples } from "./built.ts";
import { closePages, expect, test } from "./fixtures.ts";

const sample = join(samples, "typescript");

test.describe("MCP over HTTP", () => {
  let agent: Agent;

  test.afterEach(async () => {
    await agent.stop();
  });
  test.afterAll(async ({ browser }) => {
    await closePages(browser);
  });

  const connect = async (token: string): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> => {
    const client = new Client({ name: "by-address", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL(`${agent.url}mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    });
    await client.connect(transport);
    return { client, transport };
  };

  test("lists, calls, hears of changes, ends its session", async ({ browser }) => {
    agent = await Agent.start(["--repo", sample]);
    const { client, transport } = await connect(agent.token);
    let changes = 0;
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
      changes++;
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("impact");

    const page = await browser.newPage();
    await page.goto(agent.pairingUrl);
    await agent.ready();
    await until(() => Promise.resolve(changes > 0), "notice of the graph");
    const found = await client.callTool({ name: "search", arguments: { query: "Square" } }, undefined, { onprogress: () => undefined });
    expect((found.content as { text: string }[])[0]?.text).toContain("Square");
    for (const [name, args, says] of [
      ["review_change", {}, "Review this change"],
      ["explain_flow", { from: "Square" }, "Explain this flow"],
      ["plan_rename", { symbol: "Square", newName: "Box" }, "store.ts"],
      ["find_dead_code", {}, '"rows"'],
      ["onboard", {}, '"clusters"'],
    ] as const) {
      const { messages } = await client.getPrompt({ name, arguments: args });
      expect((messages[0]!.content as { text: string }).text, name).toContain(says);
    }
    const completed = async (uri: string, argument: string, value: string): Promise<string[]> =>
      (await client.complete({ ref: { type: "ref/resource", uri }, argument: { name: argument, value } })).completion.values;
    expect(await completed("gitnexus://symbol/{name}", "name", "Squ")).toContain("Square");
    expect((await completed("gitnexus://file/{+path}", "path", "sto")).join()).toContain("store.ts");
    expect(JSON.stringify(await client.readResource({ uri: "gitnexus://symbol/Square" }))).toContain("Square");
    await page.close();

    await transport.terminateSession();
    await expect(client.listTools()).rejects.toThrow(/send initialize/);
    await client.close();
  });

  test("refuses a client without the token", async () => {
    agent = await Agent.start([]);
    await expect(connect("another")).rejects.toThrow(/GITNEXUS_TOKEN/);
  });
});
