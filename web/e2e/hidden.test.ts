/** Names and code with characters that nobody sees, or that turn around what stands beside them (Trojan Source): shown as escapes. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "./agent.ts";
import { closePages, expect, test } from "./fixtures.ts";

let folder: string;
let agent: Agent;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gitnexus-hidden-"));
  await mkdir(join(folder, "src"));
  await writeFile(join(folder, "src", "gpj\u202egnp.ts"), "export function hidden\u3164() {\n  return 1;\n}\n");
  await writeFile(join(folder, "src", "access.ts"), "export function isAdmin(level: string) {\n  /*\u202e } \u2066if (level === \"admin\")\u2069 \u2066 begin */\n  return level\u200b;\n}\n");
  agent = await Agent.start(["--repo", folder]);
});
test.afterAll(async ({ browser }) => {
  await closePages(browser);
  await agent.stop();
  await rm(folder, { recursive: true, force: true });
});

test("in the app's names and code, and in what agents get", async ({ browser }) => {
  const page = await browser.newPage();
  await page.goto(agent.pairingUrl);
  await agent.ready();
  await page.locator("summary", { hasText: /^Files/ }).click();
  await page.getByRole("treeitem", { name: "src" }).click();
  await expect(page.getByRole("tree").first()).toContainText("gpj\\u202Egnp.ts");
  const { text } = await agent.call("read", { filePath: "src/access.ts" });
  expect(text).toContain("/*\\u202E }");
  expect(text).not.toMatch(/[\u202e\u2066\u2069\u200b]/u);

  await page.getByRole("treeitem", { name: "access.ts" }).click();
  await page.click("button:text-is('Read')");
  const code = page.locator(".cm-content").first();
  await expect(code).toContainText("/*\\u202E } \\u2066if (level === \"admin\")\\u2069 \\u2066 begin */");
  await expect(code).toContainText("return level\\u200B;");
  expect(await page.locator("body").innerText()).not.toMatch(/[\u202e\u2066\u2069\u3164]/u);
});
