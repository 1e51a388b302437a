/**
 * Takes the pictures of README.md and docs/app.md: of a folder that a real server serves, with a real agent that asks.
 *   npx tsx bench/pictures.ts BINARY DIR OUT
 */
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { appState, launch } from "../e2e/browser.ts";
import { loaded, rest, serve } from "./served.ts";

const [binary, dir, out] = process.argv.slice(2);
if (!binary || !dir || !out) throw new Error("usage: tsx bench/pictures.ts BINARY DIR OUT");

const { client, pairing } = await serve(binary, dir, "claude-ai");
const browser = await launch();
try {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "dark" })).newPage();
  await page.goto(pairing);
  await loaded(page);
  while ((await appState(page)).drawnNodes === 0) await rest(50);
  await page.getByRole("button", { name: "Skip" }).click();
  const ask = async (name: string, args: Record<string, unknown>): Promise<void> => {
    const { isError, content } = await client.callTool({ name, arguments: args });
    if (isError === true) throw new Error(JSON.stringify(content));
  };
  await ask("overview", {});
  await ask("search", { query: "backoff with jitter" });
  await ask("impact", { target: "Turns.next", direction: "upstream" });
  await ask("trace_flow", { from: "Engine.keep", to: "Cipher.encrypt" });
  await picture(page, "app");
  for (const [tool, name] of [["impact", "app-call"], ["trace_flow", "app-path"]] as const) {
    const call = page.getByRole("button", { name: new RegExp(`^${tool} `, "u") }).first();
    await call.click();
    await page.getByRole("button", { name: "Show what it was told" }).click();
    await call.click();
    await picture(page, name);
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Node.Call", { delay: 30 });
  await rest(500);
  await page.keyboard.press("Enter");
  await picture(page, "app-read");
} finally {
  await browser.close();
  await client.close();
}

async function picture(page: Page, name: string): Promise<void> {
  await page.mouse.move(720, 899);
  await rest(3_000); // what moves has come to rest
  await page.screenshot({ path: join(out!, `${name}.png`) });
}
