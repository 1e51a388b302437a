/** Public router libraries, fetched by name from the Go module proxy: answers that were wrong once, and the way from a server to its tree. */
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import type { Browser } from "@playwright/test";
import { Agent } from "./agent.ts";
import { closePages, expect, test } from "./fixtures.ts";

test.afterAll(({ browser }) => closePages(browser));

/** The folder of a module at a version. */
function fetched(module: string): string {
  const said = execFileSync("go", ["mod", "download", "-json", module], { cwd: tmpdir(), encoding: "utf8" });
  return (JSON.parse(said) as { Dir: string }).Dir;
}

/** Asks questions about a module, in one page of its own. */
async function asked(browser: Browser, module: string, questions: readonly [tool: string, args: Record<string, unknown>][]): Promise<string[]> {
  const agent = await Agent.start(["--repo", fetched(module)]);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(agent.pairingUrl);
    await agent.ready();
    const answers: string[] = [];
    for (const [tool, args] of questions) answers.push(JSON.stringify(await agent.call(tool, args)));
    return answers;
  } finally {
    await context.close();
    await agent.stop();
  }
}

test("chi: what is passed, what is stored, what is imported, variables and routes", async ({ browser }) => {
  const [logger = "", handler = "", file = "", variable = "", route = ""] = await asked(browser, "github.com/go-chi/chi/v5@v5.2.3", [
    ["impact", { target: "middleware.Logger", direction: "upstream" }],
    ["deep_dive", { name: "Mux.routeHTTP" }],
    ["review_file", { filePath: "chain.go" }],
    ["explore", { name: "RouteCtxKey", type: "symbol" }],
    ["search", { query: "GET /articles" }],
  ]);
  expect(logger).not.toMatch(/\bLOW\b/);
  for (const example of ["todos-resource", "limits", "graceful", "fileserver"]) expect(logger).toContain(`_examples/${example}/main.go`);
  expect(handler).not.toMatch(/\bLOW\b/);
  expect(handler).toContain("Mux.ServeHTTP");
  expect(file).toContain("chain.go");
  expect(file).not.toMatch(/\bimports\b[^a-z]*\w+[\w/]*\.go/i);
  for (const user of ["Mux.ServeHTTP", "Mux.routeHTTP", "RouteContext"]) expect(variable).toContain(user);
  expect(route).toMatch(/Route:[^"\\]*:GET \/articles/);
});

test.describe("from ServeHTTP to where the tree is looked up", () => {
  for (const [module, from, to, through] of [
    ["github.com/go-chi/chi/v5@v5.2.3", "Mux.ServeHTTP", "node.FindRoute", "Mux.routeHTTP"],
    ["github.com/gin-gonic/gin@v1.10.1", "Engine.ServeHTTP", "node.getValue", "Engine.handleHTTPRequest"],
    ["github.com/labstack/echo/v4@v4.13.4", "Echo.ServeHTTP", "Router.Find", "Router.Find"],
    ["github.com/julienschmidt/httprouter@v1.3.0", "Router.ServeHTTP", "node.getValue", "node.getValue"],
    ["github.com/gorilla/mux@v1.8.1", "Router.ServeHTTP", "Route.Match", "Router.Match"],
  ] as const) {
    test(module, async ({ browser }) => {
      const [flow = ""] = await asked(browser, module, [["trace_flow", { from, to }]]);
      for (const step of [from, through, to]) expect(flow).toContain(step);
      expect(flow).not.toMatch(/found[\\"]*: ?false|no path|not found/i);
    });
  }
});
