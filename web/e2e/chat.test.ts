/** The graph in the chat: the real server's answers in the official host of MCP Apps, in a real Chromium. */
import { join } from "node:path";
import type { FrameLocator, Page } from "@playwright/test";
import type { CallToolResult, Tool } from "@modelcontextprotocol/client";
import { planOf } from "../src/chat/draw.ts";
import type { Picture } from "../src/engine/view/picture.ts";
import type { HostWindow, Showing } from "../test/chat-host.ts";
import { Agent } from "./agent.ts";
import { pagesUrl, samples } from "./built.ts";
import { colours } from "./browser.ts";
import { closePages, expect, test as base } from "./fixtures.ts";

const APPS = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };
/** Where screenshots go, to be looked at. */
const SHOTS = process.env.CHAT_SHOTS;

interface Chat {
  page: Page;
  app: FrameLocator;
  result: CallToolResult;
  host: <T>(read: (host: HostWindow["host"]) => T) => Promise<T>;
}

/** Calls a tool as the model would, and shows what a host shows of the answer. */
type Ask = (name: string, args: Record<string, unknown>, more?: Partial<Showing> & { wide?: number }) => Promise<Chat>;

const test = base.extend<{ chat: Ask }>({
  chat: async ({ browser }, use) => {
    const errors: string[] = [];
    await use(async (name, args, more = {}) => {
      const page = await (await browser.newContext({ viewport: { width: Math.max(800, (more.wide ?? 720) + 40), height: 900 }, reducedMotion: "reduce", deviceScaleFactor: 2 })).newPage();
      page.on("pageerror", (error) => errors.push(String(error.stack)));
      page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
      await page.exposeFunction("serverCall", (tool: string, sent: Record<string, unknown>) => agent.client.callTool({ name: tool, arguments: sent }));
      await page.goto(`${pagesUrl()}chat-host.html`);
      await page.waitForFunction(() => "host" in window);
      await page.evaluate((wide) => document.body.style.setProperty("--wide", `${wide}px`), more.wide ?? 720);
      const result = await agent.client.callTool({ name, arguments: args }) as CallToolResult;
      const all: Showing = { html, tool: tools.find((tool) => tool.name === name)!, args, result, ...more };
      // As text: the types of a schema have no end.
      await page.evaluate((text) => (window as unknown as HostWindow).host.show(JSON.parse(text) as Showing), JSON.stringify(all));
      return {
        page, app: page.frameLocator("iframe"), result,
        host: <T>(read: (host: HostWindow["host"]) => T) => page.evaluate<T>(`(${String(read)})(window.host)`),
      };
    });
    await closePages(browser);
    expect(errors).toEqual([]);
  },
});

let agent: Agent;
let html = "";
let tools: Tool[] = [];

test.beforeAll(async () => {
  agent = await Agent.start(["--repo", process.env.CHAT_REPO ?? join(samples, "typescript"), "--browser", "headless"], { capabilities: APPS });
  await agent.ready();
  tools = (await agent.client.listTools()).tools as Tool[];
  const uri = (tools.find(({ name }) => name === "impact")!._meta as { ui: { resourceUri: string } }).ui.resourceUri;
  html = ((await agent.client.readResource({ uri })).contents[0] as { text: string }).text;
});
test.afterAll(() => agent.stop());

async function shot({ page }: Chat, name: string): Promise<void> {
  await page.waitForTimeout(SHOTS === undefined ? 50 : 400);
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

const pictureOf = ({ result }: Chat): Picture => (result._meta!["gitnexus/picture"] as { picture: Picture }).picture;

/** A symbol that others use. */
async function symbol(): Promise<string> {
  const { results } = await agent.ask("search", { query: process.env.CHAT_SYMBOL ?? "format", limit: 1, groupByProcess: false }) as { results: { id: string }[] };
  return results[0]!.id;
}

/** Clicks a node of a picture. */
async function click({ page, app }: Chat, picture: Picture, node: number): Promise<void> {
  const width = await app.locator(".stage").evaluate((stage) => stage.clientWidth);
  const { x, y } = planOf(picture, width).marks[node]!;
  await app.locator("canvas").click({ position: { x, y } });
  await page.waitForTimeout(50);
}

test("each answer with a picture is drawn, in the host's theme, without network or trouble", async ({ browser, chat }) => {
  const id = await symbol();
  expect(html.length).toBeLessThan(150_000);
  for (const [label, name, args] of [
    ["impact", "impact", { target: id, direction: "upstream" }], ["overview", "overview", {}], ["around", "explore", { name: id, type: "symbol" }],
    ["flows", "trace_flow", { from: id }], ["question", "explore", { name: "how is text formatted" }],
  ] as const) {
    for (const theme of ["dark", "light"] as const) {
      const one = await chat(name, args, { context: { theme } });
      const picture = pictureOf(one);
      expect(picture.nodes.length).toBeGreaterThan(0);
      expect(picture.nodes.length).toBeLessThanOrEqual(200);
      await expect.poll(() => one.app.locator("h1").textContent()).toBe(picture.title);
      expect(await one.app.locator("html").getAttribute("data-theme")).toBe(theme);
      // The host makes the frame as high as the page says, and nothing is cut off sideways.
      await expect.poll(async () => Math.abs(await one.host((host) => host.height) - await one.app.locator("body").evaluate((body) => body.getBoundingClientRect().height))).toBeLessThan(2);
      expect(await colours(browser, await one.app.locator("canvas").screenshot())).toBeGreaterThan(8);
      await shot(one, `${label}-${theme}`);
    }
  }
  // In a narrow column of a chat, nothing is beside what is seen.
  const narrow = await chat("impact", { target: id, direction: "upstream" }, { wide: 360 });
  await expect(narrow.app.locator("canvas")).toBeVisible();
  await expect.poll(() => narrow.app.locator(".stage").evaluate((stage) => stage.clientWidth > 300 && stage.scrollWidth <= stage.clientWidth)).toBe(true);
  await shot(narrow, "impact-narrow");
});

test("a node is chosen, read, asked about and followed, and back", async ({ chat }) => {
  const one = await chat("impact", { target: await symbol(), direction: "upstream" });
  const { app, host } = one;
  const picture = pictureOf(one);
  const main = picture.nodes.findIndex((node) => node.main);
  await click(one, picture, main);
  await expect.poll(() => app.locator("aside h2").textContent()).toBe(picture.nodes[main]!.name);
  const code = ((await agent.call("read", { filePath: picture.nodes[main]!.id })).text.match(/\d+[^\n]*\b(?:function|class|const|export)\b[^\n]*/) ?? [""])[0].replace(/^\s*\d+\s*[:|]?\s*/, "");
  expect(code).not.toBe("");
  await expect.poll(() => app.locator("pre").textContent()).toContain(code.trim());
  await shot(one, "chosen");
  await app.getByText("Ask about it").click();
  await app.getByText("Open in the app").click();
  await expect.poll(() => host(({ asked }) => asked.length)).toBe(2);
  const [message, link] = await host(({ asked }) => asked) as unknown as [{ of: { content: { text: string }[] } }, { of: { url: string } }];
  expect(message.of.content[0]!.text).toContain(picture.nodes[main]!.name);
  expect(link.of.url).toBe(`${agent.url}#${new URLSearchParams({ view: "read", node: picture.nodes[main]!.id }).toString()}`);
  await app.getByText("What it uses").click();
  await expect.poll(() => app.locator("h1").textContent()).toContain("What is used by");
  await app.getByRole("button", { name: "Back" }).click();
  await expect.poll(() => app.locator("h1").textContent()).toBe(picture.title);
  // By keys alone.
  await app.locator("canvas").focus();
  await one.page.keyboard.press("ArrowLeft");
  await expect.poll(() => app.locator("aside h2").textContent()).toBe(picture.nodes[main]!.name);
});

test("a host that drops what is beside the answer, and one without tools of the server", async ({ chat }) => {
  const args = { target: await symbol(), direction: "upstream" };
  const bare = { content: [{ type: "text" as const, text: "{}" }] };
  const one = await chat("impact", args, { result: bare });
  await expect.poll(() => one.app.locator("h1").textContent()).toContain("What depends on");
  const failed = await chat("impact", args, { result: { isError: true, content: [{ type: "text", text: '{"message":"Nothing is called that."}' }] } });
  await expect.poll(() => failed.app.locator("main").textContent()).toBe("Nothing is called that.");
  const quiet = await chat("impact", args, { capabilities: {} });
  await click(quiet, pictureOf(quiet), pictureOf(quiet).nodes.findIndex((node) => node.main));
  await expect.poll(() => quiet.app.locator("aside").count()).toBe(1);
  expect(await quiet.app.locator("button:not(.icon)").count()).toBe(0);
});

test("the theme follows the host, and the picture grows to the whole window", async ({ chat }) => {
  const one = await chat("overview", {});
  await expect.poll(() => one.app.locator("html").getAttribute("data-theme")).toBe("dark");
  await one.host((host) => host.change({ theme: "light", styles: { variables: { "--color-background-primary": "rgb(250, 240, 230)" } as never } }));
  await expect.poll(() => one.app.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor)).toBe("rgb(250, 240, 230)");
  await one.app.getByRole("button", { name: "Larger" }).click();
  await expect.poll(() => one.app.locator("html").getAttribute("data-mode")).toBe("fullscreen");
  await one.app.getByRole("button", { name: "Smaller" }).click();
  await expect.poll(() => one.app.locator("html").getAttribute("data-mode")).toBe("inline");
  const node = await click(one, pictureOf(one), 0).then(() => pictureOf(one).nodes[0]!);
  await one.app.getByText("Look inside").click();
  await expect.poll(() => one.app.locator("h1").textContent()).toBe(node.name);
  await shot(one, "inside");
});
