/** Every tool, asked by a real MCP client, answered by the engine in a real Chromium. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { Agent, PATIENCE, until } from "./agent.ts";
import { binary, root, samples } from "./built.ts";
import { appState, colours } from "./browser.ts";
import { closePages, expect, test } from "./fixtures.ts";

interface Listed {
  total: number;
  items: { id: string; line?: number }[];
}
interface Impact {
  byDepth: { depth: number; items: { id: string }[] }[];
}

/** `name file`, as an id says them: `Kind:file:name`, and `File:path` for a file. */
function spoken({ id }: { id: string }): string {
  const [, file, name = file!.slice(file!.lastIndexOf("/") + 1)] = id.split(":");
  return `${name} ${file}`;
}

/** `name file` of everything that an impact reaches. */
function reached(impact: Impact): string[] {
  return impact.byDepth.flatMap(({ items }) => items.map(spoken)).sort();
}

const SAMPLES = [
  {
    language: "typescript", files: 5,
    impacts: [
      // Through an import and an arrow function; through an interface to its implementation; through require().
      { target: "text.ts:format", upstream: ["describe store.ts", "Badge main.tsx"] },
      { target: "store.ts:Square", upstream: ["Badge main.tsx"] },
      { target: "greet.js:greet", upstream: ["main legacy.js"] },
    ],
  },
  {
    language: "go", files: 2,
    impacts: [
      // A method promoted from an embedded type; a field's interface; a function in another package.
      { target: "price/price.go:List.Sum", upstream: ["basket.total main.go", "main main.go"] },
      { target: "price/price.go:part", upstream: ["Discount.Apply price/price.go"] },
      { target: "price/price.go:Rule.Apply", upstream: ["basket.total main.go", "main main.go"] },
    ],
  },
  {
    language: "python", files: 4,
    impacts: [
      // A class re-exported by its package; a method on an attribute; a function.
      { target: "shop/cart.py:Cart.total", upstream: ["main main.py"] },
      { target: "shop/pricing.py:round_down", upstream: ["Discount.apply shop/pricing.py"] },
    ],
  },
  {
    language: "java", files: 3,
    impacts: [
      // A method of a field's interface; a method of a class in another's file.
      { target: "shop/Rule.java:Rule.apply", upstream: ["Cart.total shop/Cart.java", "Main.main Main.java"] },
      { target: "shop/Rule.java:roundDown", upstream: ["Half.apply shop/Rule.java"] },
    ],
  },
  {
    language: "csharp", files: 2,
    impacts: [
      // A property with code behind it; an extension method.
      { target: "Shop/Cart.cs:Cart.Total", upstream: ["Program.Main Program.cs"] },
      { target: "Shop/Cart.cs:RoundDown", upstream: ["Half.Apply Shop/Cart.cs"] },
    ],
  },
  {
    language: "php", files: 3,
    impacts: [
      // A method of a trait; a function of a namespace.
      { target: "src/Cart.php:total", upstream: ["main main.php"] },
      { target: "src/numbers.php:round_down", upstream: ["Half.apply src/Cart.php"] },
    ],
  },
  {
    language: "ruby", files: 4,
    impacts: [
      // A method of a class that is opened again; one of a module, on what an attribute holds.
      { target: "lib/shop/cart.rb:Cart.total", upstream: ["main main.rb"] },
      { target: "lib/shop/rule.rb:Rule.apply", upstream: ["Cart.total lib/shop/cart.rb"] },
    ],
  },
  {
    language: "rust", files: 4,
    impacts: [
      // A method of a struct that its crate exports again; a trait object's method, called in a closure; a function behind it.
      { target: "src/cart.rs:Cart.total", upstream: ["main src/main.rs"] },
      { target: "src/rule.rs:Rule.apply", upstream: ["Cart.total src/cart.rs", "main src/main.rs"] },
      { target: "src/rule.rs:round_down", upstream: ["Half.apply src/rule.rs"] },
    ],
  },
  {
    // Beside C++, its header is one of that.
    language: "c", files: 2,
    impacts: [
      // A function that a header declares; one that a field of functions may hold; a macro.
      { target: "cart.c:cart_total", upstream: ["main main.c"] },
      { target: "cart.c:round_down", upstream: ["half cart.c"] },
      { target: "include/cart.h:EACH", upstream: ["cart_total cart.c", "main main.c"] },
    ],
  },
  {
    language: "cpp", files: 4,
    impacts: [
      // A method defined out of its class, on a local; a virtual method behind a pointer of the library.
      { target: "shop/cart.cc:Cart.total", upstream: ["main main.cc"] },
      { target: "shop/cart.h:Rule.apply", upstream: ["Cart.total shop/cart.cc", "main main.cc"] },
    ],
  },
];

test.describe("the samples in ten languages, as one repository", () => {
  let agent: Agent;

  test.beforeAll(async ({ browser }) => {
    agent = await Agent.start(["--repo", samples]);
    await (await browser.newPage()).goto(agent.pairingUrl);
    await agent.ready();
  });
  test.afterAll(async ({ browser }) => {
    await closePages(browser);
    await agent.stop();
  });

  test("are indexed whole", async () => {
    const { stats } = (await agent.ask("context", { focus: "stats" })) as { stats: { languages: Record<string, number>; skipped?: unknown } };
    expect(stats.languages).toEqual(Object.fromEntries(SAMPLES.map(({ language, files }) => [language, files])));
    expect(stats.skipped).toBeUndefined();
  });

  for (const { language, files, impacts } of SAMPLES) {
    for (const { target, upstream } of impacts) {
      test(`${language}: impact of ${target}`, async () => {
        const impact = (await agent.ask("impact", { target: `${language}/${target}`, direction: "upstream" })) as unknown as Impact;
        for (const name of upstream) expect(reached(impact)).toContain(name.replace(" ", ` ${language}/`));
      });
    }

    test(`${language}: cypher counts what the engine found`, async () => {
      const { rows } = (await agent.ask("cypher", {
        query: `MATCH (f:File)-[r:CodeRelation {type: 'DEFINES'}]->(s) WHERE f.filePath STARTS WITH '${language}/' RETURN count(DISTINCT s) AS n`,
      })) as { rows: number[][] };
      expect(rows[0]![0]).toBeGreaterThan(files);
    });
  }
});

test.describe("this repository", () => {
  let page: Page;
  let agent: Agent;

  test.beforeAll(async ({ browser }) => {
    agent = await Agent.start(["--repo", root]);
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(agent.pairingUrl);
    // The graph answers before it has clusters, and before it is seen.
    await until(async () => (await appState(page)).loaded !== null, "the view's graph", PATIENCE);
  });
  test.afterAll(async ({ browser }) => {
    await closePages(browser);
    await agent.stop();
  });

  test("context", async () => {
    const context = (await agent.ask("context")) as { repo: string; stats: { symbols: number; languages: Record<string, number> } };
    expect(context.stats.symbols).toBeGreaterThan(1000);
    expect(context.stats.languages.go).toBeGreaterThan(50);
    expect(context.stats.languages.typescript).toBeGreaterThan(100);
  });

  test("search", async () => {
    const { text } = await agent.call("search", { query: "backoff delay", limit: 5 });
    expect(text).toMatch(/^\d+ \w+:reconnect\/backoff\.go:/m);
  });

  test("grep", async () => {
    const { text } = await agent.call("grep", { pattern: "^package reconnect$", path: "reconnect/loop.go" });
    expect(text).toMatch(/^reconnect\/loop\.go\n\d+: package reconnect\n\n1 line in 1 file$/);
    const bad = await agent.call("grep", { pattern: "(" });
    expect(bad.body).toMatchObject({ code: "TOOL_ERROR", retryable: false });
  });

  test("a pattern that explodes ends, and the next call works", async () => {
    const answer = await agent.call("grep", { pattern: "(x+x+)+y$|([a-z]+)*@@@" });
    expect(answer.isError ? answer.body.code : "ok").toMatch(/TOOL_ERROR|ok/);
    expect((await agent.call("grep", { pattern: "package main" })).isError).toBe(false);
  });

  test("read", async () => {
    const text = await readFile(join(root, "reconnect/loop.go"), "utf8");
    const lines = text.trimEnd().split("\n");
    const whole = await agent.call("read", { filePath: "reconnect/loop.go" });
    expect(whole.text.split("\n")).toEqual([`reconnect/loop.go (${lines.length} lines)`, ...lines.map((line, i) => `${i + 1}: ${line}`)]);
    const part = await agent.call("read", { filePath: "loop.go", startLine: 1, endLine: 1 });
    expect(part.text).toBe(`reconnect/loop.go 1-1 of ${lines.length}\n1: package reconnect`);
    expect((await agent.call("read", { filePath: "no/such/file.go" })).body).toMatchObject({ code: "TOOL_ERROR" });
    expect((await agent.call("read", { filePath: "main.go", startLine: 9, endLine: 3 })).body).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("overview", async () => {
    const { clusters } = (await agent.ask("overview", { limit: 5 })) as { clusters: { total: number; items: { label: string; size: number }[] } };
    expect(clusters.items).toHaveLength(5);
    expect(clusters.total).toBeGreaterThan(5);
  });

  test("impact and explore agree on who calls", async () => {
    const impact = (await agent.ask("impact", { target: "router.choose", direction: "upstream", maxDepth: 1 })) as unknown as Impact;
    const explored = (await agent.ask("explore", { name: "router.choose", type: "symbol" })) as { callers: Listed };
    expect(reached(impact)).toEqual(explored.callers.items.map(spoken).sort());
    expect(reached(impact)).toContain("router.await wsbridge/router.go");
  });

  test("an ambiguous name gets its candidates", async () => {
    const { body } = await agent.call("impact", { target: "index.ts:parse", direction: "upstream" });
    expect(body).toMatchObject({ code: "TOOL_ERROR" });
    const clash = await agent.call("explore", { name: "Call", type: "symbol" });
    expect(clash.isError).toBe(false);
    expect(clash.body).toMatchObject({ ambiguous: expect.stringContaining("means"), answers: [{}, {}, {}] });
    expect((clash.body.others as unknown[]).length).toBeGreaterThan(0);
  });

  test("cypher: read-only, and one that never ends is ended", async () => {
    const { columns, rows } = (await agent.ask("cypher", {
      query: "MATCH (a)-[r:CodeRelation]->(b:Method) WHERE r.type = 'CALLS' AND b.name = 'choose' RETURN a.name AS caller, b.id AS callee",
    })) as { columns: string[]; rows: string[][] };
    expect(columns).toEqual(["caller", "callee"]);
    expect(rows.map(([, callee]) => callee)).toContain("Method:wsbridge/router.go:router.choose");
    expect((await agent.call("cypher", { query: "MATCH (n) DETACH DELETE n" })).body).toMatchObject({ code: "CYPHER_FORBIDDEN" });
    expect((await agent.call("cypher", { query: "MATCH (f:Function) WHERE f.name CONTAINS 'create' RETURN f.name" })).isError).toBe(false);
    expect((await agent.call("cypher", { query: "MATCH (n:Nonsense) RETURN n" })).body).toMatchObject({ code: "TOOL_ERROR" });
    const endless = await agent.call("cypher", { query: "UNWIND range(1, 1000000000) AS x RETURN count(x)" });
    expect(endless.body).toMatchObject({ code: "TOOL_ERROR" });
    expect((await agent.call("cypher", { query: "MATCH (n) RETURN count(n) AS n" })).isError).toBe(false);
  });

  test("deep_dive, review_file and trace_flow", async () => {
    // Code comes as text: numbered lines, as people read them.
    const dive = (await agent.call("deep_dive", { name: "router.choose" })).text;
    const lines = (await readFile(join(root, "wsbridge/router.go"), "utf8")).split("\n");
    const declared = lines.findIndex((line) => line.startsWith("func (r *router) choose(")) + 1;
    expect(dive).toContain(`${declared}: ${lines[declared - 1]}`);
    const caller = /CALLS Method:wsbridge\/router\.go:router\.await \(\d+\) at (\d+)/.exec(dive);
    expect(lines[Number(caller![1]) - 1]).toContain("r.choose(");

    const review = (await agent.call("review_file", { filePath: "reconnect/loop.go" })).text;
    expect(review).toContain("1: package reconnect");
    expect(review).toContain("Loop.Run | Method");
    expect(review).toContain("reconnect/loop_test.go");

    const flow = (await agent.call("trace_flow", { from: "router.Do", to: "router.choose" })).text;
    expect(flow.match(/^ {2}Method:\S+/gm)?.map((line) => line.trim())).toEqual(
      ["Do", "admit", "await", "choose"].map((name) => `Method:wsbridge/router.go:router.${name}`));
    expect(flow).toMatch(/^\d+: .*r\.choose\(/m);
    const { processes } = (await agent.ask("overview", { showClusters: false, limit: 1 })) as { processes: { items: string[][] } };
    const entry = processes.items[0]!.at(-1)!;
    expect((await agent.call("trace_flow", { from: entry })).text, entry).toMatch(/^processes: [1-9]/m);
  });

  test("find_similar, test_impact and list_repos", async () => {
    const { similar } = (await agent.ask("find_similar", { name: "resolveCommunity" })) as { similar: { id: string; why: string }[] };
    expect(similar[0]).toMatchObject({ id: "Function:web/src/engine/tools/names.ts:resolveProcess", why: expect.stringContaining("byLabel") });

    const change = (await agent.ask("test_impact", { changedFiles: ["reconnect/backoff.go", "no/such/file.go"] })) as {
      risk: { score: number }; affected: { items: string[] }[]; tests: { groups: { items: string[] }[] }; unknown: { path: string }[];
    };
    expect(change.unknown.map(({ path }) => path)).toEqual(["no/such/file.go"]);
    expect(change.tests.groups[0]!.items[0]).toMatch(/^reconnect\/backoff_test\.go/);
    expect(change.affected[0]!.items.join()).toContain("wsbridge/");
    expect(change.risk.score).toBeGreaterThan(0);
    expect((await agent.call("test_impact", { changedFiles: ["no/such/file.go"] })).body).toMatchObject({ code: "TOOL_ERROR" });
    // A call of more than 10 KB goes to the page in parts.
    const large = (await agent.ask("test_impact", { changedFiles: Array.from({ length: 500 }, () => "reconnect/backoff.go") })) as typeof change;
    expect(large.affected).toEqual(change.affected);

    const { stats, repo } = (await agent.ask("context", { focus: "stats" })) as { stats: { symbols: number }; repo: string };
    const { repos } = (await agent.ask("list_repos")) as { repos: { repo: string; front: boolean; symbols: number; ageSeconds: number }[] };
    expect(repos).toEqual([expect.objectContaining({ repo, front: true, state: "ready", symbols: stats.symbols })]);
    expect((await agent.call("list_repos", { repo: "another" })).body).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("the graph is drawn, and highlight is seen", async ({ browser }) => {
    await until(async () => (await appState(page)).drawnNodes > 0, "drawn nodes");
    const state = await appState(page);
    expect(state.loaded!.nodes).toBeGreaterThan(1000);
    const graph = page.locator(".graph");
    await until(async () => (await colours(browser, await graph.screenshot())) > 50, "a picture in many colours");
    const answer = (await agent.ask("highlight", { nodeIds: ["router.Do", "conn.request", "no-such-thing"], color: "#ff0000" })) as {
      highlighted: unknown[]; notFound: unknown[];
    };
    expect(answer.highlighted).toHaveLength(2);
    expect(answer.notFound).toHaveLength(1);
    await until(async () => (await appState(page)).highlighted.length === 2, "the highlight on the page");
    expect((await appState(page)).calls[0]).toMatchObject({ name: "highlight", agent: "e2e-agent" });
  });

  test("a path that an agent was told as a text is a strip of cards", async () => {
    await agent.call("trace_flow", { from: "router.Do", to: "router.choose" });
    await page.getByRole("button", { name: /^trace_flow /u }).first().click();
    await page.getByRole("button", { name: "Show what it was told" }).click();
    await until(async () => (await page.locator(".strip li b").allTextContents()).join() === "router.Do,router.admit,router.await,router.choose", "the cards");
    await page.goBack();
  });

  test("graph_action changes the view, and puts it back", async () => {
    const id = "Method:wsbridge/router.go:router.Do";
    expect(await agent.ask("graph_action", { action: "annotate", nodeIds: ["router.Do"], label: "calls go here" })).toMatchObject({ annotated: [{ id }] });
    expect(await agent.ask("graph_action", { action: "focus", nodeIds: [id] })).toMatchObject({ focused: [{ id }] });
    await until(async () => (await appState(page)).selected === id, "the focus on the page");
    expect((await appState(page)).annotations).toEqual([{ nodeId: id, label: "calls go here" }]);
    await agent.ask("graph_action", { action: "reset" });
    await until(async () => (await appState(page)).selected === null, "the reset on the page");
    expect(await appState(page)).toMatchObject({ annotations: [], highlighted: [] });
    expect((await agent.call("graph_action", { action: "focus" })).body).toMatchObject({ code: "VALIDATION_ERROR" });
  });
});

test("list_repos answers without a page", async () => {
  const agent = await Agent.start(["--grace", "0"]);
  expect(await agent.ask("list_repos")).toMatchObject({ repos: [], advice: expect.stringContaining("gitnexus-mcp open") });
  expect((await agent.call("search", { query: "x" })).body).toMatchObject({ code: "CONNECTION_LOST" });
  await agent.stop();
});

test.describe("the commands", () => {
  const run = promisify(execFile);

  test("export writes the graph of a folder", async () => {
    const dir = await mkdtemp(join(tmpdir(), "gitnexus-export-"));
    try {
      const out = join(dir, "graph.json");
      await run(binary(), ["export", "--repo", join(samples, "go"), "--out", out]);
      const graph = JSON.parse(await readFile(out, "utf8")) as {
        schema: string; symbols: { name: string }[]; calls: { from: { name: string }; to: { name: string } }[];
        implements: { from: { name: string }; to: { name: string } }[];
      };
      expect(graph.schema).toBe("code-graph/1");
      expect(graph.symbols.map(({ name }) => name)).toContain("Discount");
      expect(graph.calls.map(({ from, to }) => `${from.name} ${to.name}`)).toContain("main total");
      expect(graph.implements.map(({ from, to }) => `${from.name} ${to.name}`)).toEqual(["Discount Rule"]);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  test("demo shows the whole story", async () => {
    const { stdout } = await run(binary(), ["demo", "--repo", join(samples, "typescript")]);
    expect(stdout).toContain("CONNECTION_LOST");
    expect(stdout).toContain("All of it worked.");
  });

  test("--browser headless answers without a page of ours, and ends with the server", async () => {
    const agent = await Agent.start(["--repo", join(samples, "go"), "--browser", "headless"]);
    await agent.ready();
    expect((await agent.call("search", { query: "Discount" })).isError).toBe(false);
    const pid = Number(/browser started.*pid=(\d+)/.exec(agent.said)![1]);
    process.kill(agent.pid, "SIGKILL"); // not even then is it left behind
    await until(() => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    }, "end of the browser", 15_000);
    await agent.stop();
  });
});
