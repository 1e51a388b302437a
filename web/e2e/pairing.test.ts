/** Tickets and keys of pages, in a real browser. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { Agent, until } from "./agent.ts";
import { binary, samples } from "./built.ts";
import { appState } from "./browser.ts";
import { closePages, expect, test } from "./fixtures.ts";

const agents: Agent[] = [];

test.afterEach(async ({ browser }) => {
  await closePages(browser);
  for (const agent of agents.splice(0)) await agent.stop().catch(() => undefined);
});

async function start(options: { port?: number; token?: string } = {}): Promise<Agent> {
  const agent = await Agent.start(["--grace", "300ms"], options);
  agents.push(agent);
  return agent;
}

async function visit(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

async function becomes(page: Page, state: string): Promise<void> {
  // A page that is loading cannot be asked.
  await until(async () => (await appState(page).catch(() => undefined))?.link.state === state, `link that is ${state}`);
}

const paired = (agent: Agent): { id: string; name: string; browser: string }[] => JSON.parse(agent.run("pair", "list", "--json")) as ReturnType<typeof paired>;

test("a ticket pairs one browser, once; nothing that is left behind is worth anything", async ({ browser }) => {
  const agent = await start();
  const address = agent.pairingUrl;
  expect(address).toMatch(/#ticket=[0-9a-f]{16}\.[\w-]{43}$/);
  const context = await browser.newContext();
  const page = await visit(context, address);
  await becomes(page, "connected");
  expect(paired(agent)).toMatchObject([{ name: "open", browser: expect.stringContaining("Chrome") }]);

  // The address is not in the tab's history, and used up for whoever finds it elsewhere.
  const { entries } = await (await context.newCDPSession(page)).send("Page.getNavigationHistory");
  expect(entries.map(({ url }) => url).filter((url) => url.includes("ticket"))).toEqual([]);
  const other = await browser.newContext();
  const thief = await visit(other, address);
  await becomes(thief, "refused");
  expect(await thief.locator("body").innerText()).toContain("gitnexus-mcp open");
  expect(paired(agent)).toHaveLength(1);

  // What the page keeps can be used, and neither read nor taken elsewhere.
  const kept = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open("gitnexus");
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error!);
    });
    const found = await new Promise<{ key: CryptoKey }>((resolve) => {
      const asked = database.transaction("pairing").objectStore("pairing").get("pairing");
      asked.onsuccess = () => resolve(asked.result as { key: CryptoKey });
    });
    database.close();
    const exported = await crypto.subtle.exportKey("raw", found.key).then(() => "exported", (error: unknown) => (error as Error).name);
    return { exported, stored: JSON.stringify(Object.entries(localStorage)) };
  });
  expect(kept.exported).toBe("InvalidAccessError");
  expect(kept.stored).not.toContain(agent.token);
  expect(kept.stored).not.toContain(address.split(".").at(-1));

  await page.reload();
  await becomes(page, "connected");
  await becomes(await visit(context, agent.url), "connected");
  // Another address for a browser that is paired changes nothing.
  await becomes(await visit(context, agent.pairingUrl), "connected");
  await until(() => paired(agent).length === 1, "one browser");
});

test("a ticket that is too old pairs nobody", async ({ browser }) => {
  const agent = await start();
  const address = agent.pairingUrl;
  const [, id] = /#ticket=([0-9a-f]+)/.exec(address)!;
  const pages = join(dirname(binary()), "config/gitnexus-mcp/pages");
  const file = readdirSync(pages, { recursive: true }).map(String).find((name) => name.endsWith(`ticket-${id}`))!;
  const ticket = JSON.parse(readFileSync(join(pages, file), "utf8")) as { created: string };
  writeFileSync(join(pages, file), JSON.stringify({ ...ticket, created: new Date(Date.parse(ticket.created) - 60_000).toISOString() }));
  const page = await visit(await browser.newContext(), address);
  await becomes(page, "refused");
  expect(await page.locator("body").innerText()).toContain("older than a minute");
});

test("no address that a web site makes up unpairs a tab", async ({ browser }) => {
  const agent = await start();
  const context = await browser.newContext();
  const first = await visit(context, agent.pairingUrl);
  await becomes(first, "connected");
  for (const junk of ["token=junk", `token=${"x".repeat(43)}`, "ticket=junk", `ticket=0123456789abcdef.${"x".repeat(43)}`, "ticket=&token="]) {
    const opened = await visit(context, `${agent.url}#${junk}`);
    await becomes(opened, "connected");
    expect(opened.url()).toBe(agent.url);
    await opened.evaluate((fragment) => { location.hash = fragment; }, junk);
    await until(() => opened.url() === agent.url, "address without it");
    await opened.close();
  }
  expect((await appState(first)).link.state).toBe("connected");
  for (const page of [first, await visit(context, agent.url)]) {
    await page.reload();
    await becomes(page, "connected");
  }
  expect(paired(agent)).toHaveLength(1);
});

test("revoking cuts one browser off at once, and lets it be paired again", async ({ browser }) => {
  const agent = await start();
  const [kept, lost] = [await browser.newContext(), await browser.newContext()];
  const stays = await visit(kept, agent.pairingUrl);
  await becomes(stays, "connected");
  const [{ id: keptId } = { id: "" }] = paired(agent);
  const goes = await visit(lost, agent.pairingUrl);
  await becomes(goes, "connected");
  const { id } = paired(agent).find((page) => page.id !== keptId)!;
  expect(agent.run("pair", "revoke", id)).toContain("has ended");
  await becomes(goes, "refused");
  expect(await goes.locator("body").innerText()).toContain("gitnexus-mcp open");
  expect((await appState(stays)).link.state).toBe("connected");
  await goes.reload();
  await becomes(goes, "refused");
  // In the tab that is there, as `open` may reuse it; the other tab of that browser hears of it.
  const second = await visit(lost, agent.url);
  await becomes(second, "refused");
  await goes.goto(agent.pairingUrl);
  await becomes(goes, "connected");
  await becomes(second, "connected");
  expect(paired(agent).map((page) => page.id)).not.toContain(id);
});

test("a ticket is good at the hub that takes over", async ({ browser }) => {
  const first = await start();
  const second = await start({ port: first.port, token: first.token });
  await until(async () => (await second.health()).bridge.role === "peer", "peer");
  const address = first.pairingUrl;
  process.kill(first.pid, "SIGKILL");
  await until(async () => (await second.health()).bridge.role === "hub", "take-over");
  const context = await browser.newContext();
  const page = await visit(context, address);
  await becomes(page, "connected");
  // And the key at the one after that.
  const third = await start({ port: first.port, token: first.token });
  await until(async () => (await third.health()).bridge.role === "peer", "peer");
  process.kill(second.pid, "SIGKILL");
  await until(async () => (await third.health()).bridge.pages.length === 1, "page at the third hub");
  await becomes(page, "connected");
});

test("a browser that an earlier version paired is told so, and its token is removed", async ({ browser }) => {
  const agent = await start();
  const context = await browser.newContext();
  await context.addInitScript(() => {
    if (!sessionStorage.getItem("seeded")) localStorage.setItem("gitnexus.token", "the-token");
    sessionStorage.setItem("seeded", "yes");
  });
  const page = await visit(context, agent.url);
  await becomes(page, "refused");
  expect(await page.locator("body").innerText()).toContain("earlier version");
  expect(await page.evaluate(() => localStorage.getItem("gitnexus.token"))).toBeNull();
  await page.goto(agent.pairingUrl);
  await becomes(page, "connected");
});

test("a page and a hub of different versions say so", async ({ browser }) => {
  const agent = await start();
  const page = await visit(await browser.newContext(), agent.pairingUrl);
  await becomes(page, "connected");
  // As a page of the version before asks.
  const older = await page.evaluate(async () => {
    const response = await fetch("/api/challenge?nonce=0123456789abcdef");
    return [response.status, (await response.json() as { reason: string }).reason];
  });
  expect(older).toEqual([403, "version"]);
  // A hub of the version before takes over.
  process.kill(agent.pid, "SIGKILL");
  const hub = createServer((_, response) => response.end(JSON.stringify({ proof: "00", nonce: "0123456789abcdef" })));
  await until(() => new Promise<boolean>((resolve) => {
    hub.once("error", () => resolve(false)).once("listening", () => resolve(true)).listen(agent.port, "127.0.0.1");
  }), "port");
  await becomes(page, "refused");
  expect(await page.locator("body").innerText()).toContain("versions that cannot talk to each other");
  hub.closeAllConnections();
  hub.close();
});

test("what the browser keeps of a repository is encrypted, and opened again with the hub's key", async ({ browser }) => {
  const agent = await Agent.start(["--repo", join(samples, "typescript")]);
  agents.push(agent);
  const context = await browser.newContext();
  const page = await visit(context, agent.pairingUrl);
  await agent.ready();
  const kept = async (): Promise<string[]> => (await files(page)).flatMap(({ name, text }) => (text === undefined || name.endsWith(".crswap") ? [] : text));
  // The file is there, and empty, until all of it is written.
  await until(async () => (await kept()).some((text) => text !== ""), "snapshot");
  const [snapshot] = await kept();
  expect(snapshot!.length).toBeGreaterThan(1000);
  for (const word of ["Square", "export", "function", "shapes", "nodes", "typescript"]) expect(snapshot).not.toContain(word);
  await page.reload();
  await until(async () => (await appState(page).catch(() => null))?.loaded != null, "graph");
  // Nothing is parsed.
  expect((await appState(page)).loaded!.phases.map(({ phase }) => phase)).toEqual(["read"]);
});

interface Stored {
  name: string;
  /** Of a file, byte by character. */
  text?: string;
}

/** The files and folders that a page has stored. The app may take one away, or put it in another's place, while all are read: then once more. */
function files(page: Page): Promise<Stored[]> {
  return page.evaluate(async () => {
    const latin1 = new TextDecoder("latin1");
    const walk = async (folder: FileSystemDirectoryHandle): Promise<Stored[]> => {
      const found: Stored[] = [];
      for await (const handle of folder.values()) {
        if (handle.kind === "directory") found.push({ name: handle.name }, ...await walk(handle));
        else found.push({ name: handle.name, text: latin1.decode(await (await handle.getFile()).arrayBuffer()) });
      }
      return found;
    };
    const all = async (): Promise<Stored[]> => walk(await navigator.storage.getDirectory()).catch((error: unknown) => {
      if (error instanceof DOMException && (error.name === "NotFoundError" || error.name === "NotReadableError")) return all();
      throw error;
    });
    return all();
  });
}

/** All that a browser has stored for the page's origin, as text: also what base64 in it stands for. */
async function stored(page: Page): Promise<string> {
  const found = await page.evaluate(async () => {
    const beside: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage), document.cookie, await caches.keys()];
    const asked = <T>(request: IDBRequest<T>): Promise<T> => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error!);
    });
    for (const { name } of await indexedDB.databases()) {
      const database = await asked(indexedDB.open(name!));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        beside.push([name, store, await asked(objects.getAllKeys()), await asked(objects.getAll())]);
      }
      database.close();
    }
    return JSON.stringify(beside);
  });
  const text = found + JSON.stringify(await files(page));
  return `${text}\n${(text.match(/[\w+/=-]{24,}/g) ?? []).map((each) => {
    try {
      return atob(each.replaceAll("-", "+").replaceAll("_", "/"));
    } catch {
      return "";
    }
  }).join("\n")}`;
}

test("after use, nothing that the browser stores has a name, a path, a note or a query in it", async ({ browser }) => {
  const repo = join(mkdtempSync(join(tmpdir(), "gitnexus-kept-")), "ledger-of-accounts");
  cpSync(join(samples, "typescript"), repo, { recursive: true });
  const agent = await Agent.start(["--repo", repo]);
  agents.push(agent);
  const context = await browser.newContext();
  // What a version before this one has left open.
  await context.addInitScript(() => {
    if (sessionStorage.getItem("seeded")) return;
    sessionStorage.setItem("seeded", "yes");
    localStorage.setItem("gitnexus.queries", JSON.stringify(["MATCH (former) RETURN former"]));
    localStorage.setItem("gitnexus.view", JSON.stringify({ theme: "light", editor: "zed", roots: { elsewhere: "/home/somebody/elsewhere" } }));
    localStorage.setItem("gitnexus.walks", JSON.stringify([{
      id: "1", repo: "ledger-of-accounts", at: 1, saved: true, note: "an old remark", steps: [{ fragment: "view=read", view: "read", node: { id: "Class:store.ts:Registry", name: "Registry", kind: "Class", file: "store.ts", line: 1 } }],
    }]));
  });
  const page = await visit(context, agent.pairingUrl);
  await agent.ready();
  await page.evaluate(() => { location.hash = "view=query"; });
  await page.fill("#query", "MATCH (f:Function) RETURN f.name AS spelling");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".result tbody tr");
  const symbols = [{ id: "Class:store.ts:Square", name: "Square" }, { id: "Function:store.ts:describe", name: "describe" }];
  for (const { id } of symbols) await page.evaluate((to) => { location.hash = to; }, new URLSearchParams({ view: "read", node: id }).toString());
  await page.evaluate(() => { location.hash = "view=trail"; });
  await page.fill(".note textarea", "remember the discount");
  await page.locator(".note textarea").blur();
  await page.keyboard.press(",");
  await page.locator("dialog input[type=text]").fill("/srv/projects/billing");
  await page.locator("dialog input[type=text]").blur();
  await page.keyboard.press("Escape");

  const secrets = [
    "spelling", "remember", "discount", "/srv/projects", "billing", "former", "somebody", "elsewhere", "old remark", "Registry", "ledger",
    ...symbols.flatMap(({ id, name }) => [id, name]), ...readdirSync(repo),
  ];
  await until(() => page.evaluate(() => ["walks", "queries", "roots"].every((name) => localStorage.getItem(`gitnexus.sealed.${name}`) !== null)), "what is stored");
  await until(async () => (await stored(page)).length > 2000 && !(await stored(page)).includes("former"), "snapshot");
  const text = await stored(page);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  expect(text).toContain("light"); // the dump sees what lies open

  // And nothing is lost: not what was written, nor what lay open before.
  await page.reload();
  await until(async () => (await appState(page).catch(() => null))?.loaded != null, "graph");
  await page.evaluate(() => { location.hash = "view=trail"; });
  await expect.poll(() => page.inputValue(".note textarea")).toBe("remember the discount");
  await page.evaluate(() => { location.hash = "view=query"; });
  await expect.poll(() => page.locator(".split-side").innerText()).toMatch(/spelling[^]*MATCH \(former\)/);
  await page.locator(".cm-content").blur();
  await page.keyboard.press(",");
  await expect.poll(() => page.inputValue("dialog input[type=text]")).toBe("/srv/projects/billing");
});
