import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { codebaseOf, parseHere } from "../../../../test/codebase.ts";
import { call } from "../../../../test/tools.ts";

const folder = new URL("fixtures/", import.meta.url);

/** Every route of a repository with its line, what runs before it and its handler, and below it what the graph says that it runs. */
async function routesOf(files: Record<string, string>): Promise<string[]> {
  const { graph } = await codebaseOf(files);
  return graph.nodes.flatMap((node, i) => (node.kind !== "Route" ? [] : [
    `${node.file}:${node.line} ${node.signature}`,
    ...graph.out(i, "HANDLES").map((e) => `  ${graph.nodes[graph.to[e]!]!.id} ${Number(graph.confidence[e]!.toFixed(2))}`).sort(),
  ]));
}

describe("routes, jobs and commands of frameworks", () => {
  test.each(readdirSync(folder))("%s", async (name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    const [, ...sections] = text.split(/^-- (.+) --\n/m);
    const files: Record<string, string> = {};
    let expected = "";
    for (let i = 0; i < sections.length; i += 2) {
      if (sections[i] === "expected") expected = sections[i + 1]!;
      else files[sections[i]!] = sections[i + 1]!;
    }
    const found = `${(await routesOf(files)).join("\n")}\n`;
    if (process.env["UPDATE"]) writeFileSync(new URL(name, folder), `${text.split("-- expected --\n")[0]!}-- expected --\n${found}`);
    else expect(found).toBe(expected);
  });

  test("none without an import of the framework, and none of what only looks like one", async () => {
    expect(await routesOf({
      "a.ts": `const cache = new Map(); cache.get("/x", () => 1); app.get("/x", list); function list() {}`,
      "b.test.ts": `import express from "express"; import request from "supertest"; const app = express(); await request(app).get("/x"); axios.get("/x", { a: 1 });`,
      "c.go": `package c\n\nfunc f(r Router) { r.Get("/x", g) }\nfunc g() {}\n`,
      "d.py": "@app.route('/x')\ndef f(): ...\n",
    })).toEqual([]);
  });
});

// What takes the square of their length does not end within the time of a test.
test.each([
  ["src/app.js", 'app.use("/users", makeUsers());', 600],
  ["src/help.js", 'function add(app, path) { app.get(path, x); } add(app, "/x");', 400],
  ["app/views.py", '@sub.get("/x")', 400],
  ["config/routes.rb", 'Rails.application.routes.draw do %w[a b].each { |x| get x, to: "a#b" } end', 100],
  ["tasks.py", "@click.group()", 150],
  ["src/main.rs", "#[actix_web::main]", 200],
  ["app/shop.rb", "  get '/x' do", 400],
  ["root.ts", "const user = createTRPCRouter({ me: publicProcedure.query(() => me()) });", 150],
  ["adds.ts", "export const add = staffProcedure.mutation(() => f()); const all = router({ add, b: make(add), ...add });", 150],
  ["circle.ts", "const user = createTRPCRouter({ a: user, b: user, c: user });", 4],
  ["given.js", 'function add(app, path) { app.get(path + "/x", x); add(app, path + "/y"); }', 10],
  ["app/api/orders/route.ts", "export { add as POST, drop as unused };", 600],
])("%s that says again and again %s", async (path, line, kilobytes) => {
  expect(await parseHere(path, `${line}\n`.repeat((kilobytes << 10) / line.length))).toHaveProperty("facts");
});

test("nor do routes in one, which stay those of its router", async () => {
  const routes = Array.from({ length: 2_000 }, (_, i) => `.route("/r${i}", get(one))\n`).join("");
  const found = await parseHere("src/main.rs", `use axum::{routing::get, Router};\nfn app() -> Router {\n  Router::new().nest("/long", Router::new()\n${routes})\n}\nasync fn one() {}\n`);
  expect("facts" in found && found.facts.symbols.filter(({ name }) => name.startsWith("GET /long/r")).length).toBe(2_000);
});

test("commands in one long chain take no square of its length, either", async () => {
  const chain = Array.from({ length: 3_000 }, (_, i) => `.command("c${i}").action(f)`).join("");
  expect(await parseHere("commands.ts", `import { program } from "commander";\nprogram${chain};\nfunction f() {}\n`)).toHaveProperty("facts");
});

test("what runs before routes of routers that are made of each other, and mounted in each other, is found once for each", async () => {
  const routers = Array.from({ length: 20 }, (_, i) => `\tr${i + 1} := r${i}.With(m${i})\n\tr${i}.Mount("/b", r${i + 1})\n`).join("");
  const routes = Array.from({ length: 100 }, (_, i) => `\tr20.Get("/x${i}", f)\n`).join("");
  const code = `package a\n\nimport "github.com/go-chi/chi/v5"\n\nfunc main() {\n\tr0 := chi.NewRouter()\n${routers}${routes}}\n\nfunc f() {}\n`;
  expect(await parseHere("main.go", code)).toHaveProperty("facts");
});

// Nineteen hundred calls, each on what the one before gives.
test.each<[string, string, (i: number) => string, string, string]>([
  ["config/routes.php", '<?php\nuse Symfony\\Component\\Routing\\Loader\\Configurator\\RoutingConfigurator;\nreturn function (RoutingConfigurator $routes) {\n  $routes->collection("x")->prefix("/p")', (i) => `\n  ->add("r${i}", "/r${i}")->controller([C${i}::class, "list"])->methods(["GET"])`, ";\n};\n", "GET /p/r2"],
  ["app.js", 'import express from "express";\nconst app = express();\napp.route("/x")', () => "\n  .get(f)", ";\nfunction f() {}\n", "GET /x"],
  ["app.ts", 'import { Hono } from "hono";\nexport const app = new Hono().get("/x", f)', () => "\n  .get(f)", ";\nfunction f() {}\n", "GET /x"],
  ["app.ts", 'import { Hono } from "hono";\nexport const app = new Hono()', (i) => `\n  .get("/r${i}", f)`, ";\nfunction f() {}\n", "GET /r2"],
  ["Program.cs", 'using Microsoft.AspNetCore.Builder;\nvar app = WebApplication.Create();\napp.MapGet("/x", F)', (i) => `\n  .WithName("r${i}")`, ';\nstatic string F() => "";\n', "GET /x"],
  ["R.java", "import org.springframework.web.servlet.function.*;\nclass R {\n  RouterFunction<ServerResponse> routes() {\n    return RouterFunctions.route()", (i) => `\n      .GET("/r${i}", this::f)`, "\n      .build();\n  }\n  ServerResponse f(ServerRequest r) { return null; }\n}\n", "GET /r2"],
])("routes of one long chain do not, either: %s, %s", async (path, head, link, tail, route) => {
  const parsed = await parseHere(path, head + Array.from({ length: 1_900 }, (_, i) => link(i)).join("") + tail);
  const names = "facts" in parsed ? parsed.facts.symbols.flatMap(({ kind, name }) => (kind === "Route" ? [name] : [])) : [];
  expect(names.length).toBeOneOf(path === "Program.cs" ? [1] : [1_900, 1_901]);
  // Each has a path of its own, or all have one.
  expect(names.every((name) => name.startsWith(route === "GET /x" ? route : route.slice(0, -1))) && names.includes(route)).toBe(true);
});

test("a route is found by its name, traced to what it runs, and named among what depends on that", async () => {
  const codebase = await codebaseOf({
    "go.mod": "module example.com/m\n",
    "main.go": "package main\n\nimport \"github.com/go-chi/chi/v5\"\n\nfunc main() {\n\tr := chi.NewRouter()\n\tr.Get(\"/articles\", list)\n}\n\nfunc list(w W, r *R) { load() }\n\nfunc load() {}\n",
  });
  const run = (name: string, input: Record<string, unknown>): Promise<object> => call(name, input, { codebase });
  const id = "Route:main.go:GET /articles";
  expect((await run("search", { query: "GET /articles" }) as unknown as { results: { id: string }[] }).results[0]).toMatchObject({ id });
  expect((await run("trace_flow", { from: "GET /articles", to: "load" }) as unknown as { path: { id: string }[] }).path.map((step) => step.id)).toEqual([id, "Function:main.go:list", "Function:main.go:load"]);
  expect(JSON.stringify(await run("impact", { target: "load", direction: "upstream" }))).toContain(id);
  expect(await run("explore", { name: id, type: "symbol" })).toMatchObject({ handledBy: { items: [{ id: "Function:main.go:list" }] } });
});

test("a route that other files put under paths is found by each of them, and named by its whole path where another leads to it", async () => {
  const codebase = await codebaseOf({
    "package.json": "{}",
    "app.js": "const express = require('express');\nconst users = require('./users');\nconst app = express();\napp.use('/v1', users);\napp.use('/v2', users);\n",
    "users.js": "const express = require('express');\nconst router = express.Router();\nrouter.get('/users', list);\nrouter.get('/users/:id', one);\nfunction list() { load(); }\nfunction one() {}\nfunction load() {}\nmodule.exports = router;\n",
    "more.js": "const express = require('express');\nconst app = express();\napp.get('/v2/things', things);\napp.all('/any', things);\nfunction things() {}\n",
  });
  const run = (name: string, input: Record<string, unknown>): Promise<object> => call(name, input, { codebase });
  const id = "Route:users.js:GET …/users";
  for (const query of ["GET /v1/users", "GET /v2/users"]) expect((await run("search", { query }) as unknown as { results: { id: string }[] }).results[0]).toMatchObject({ id });
  expect(JSON.stringify(await run("impact", { target: "load", direction: "upstream" }))).toContain(`"id":"${id}","line":3,"name":"GET /v1/users"`);
  for (const name of ["GET /v2/users", "GET /v2/users/", "POST /any"]) expect(await run("explore", { name, type: "symbol" })).toMatchObject({ id: name === "POST /any" ? "Route:more.js:ANY /any" : id });
});

test("a route is found by its path in the spelling of any framework, by a request, and by a path alone", async () => {
  const codebase = await codebaseOf({
    "package.json": "{}",
    "app.js": [
      "const express = require('express');", "const app = express();", "app.get('/articles/:id', one);", "app.delete('/articles/:id', remove);", "app.get('/articles/new', blank);",
      "app.get('/articles/:id/notes/:note?', notes);", "app.get('/files/*', file);", "app.all('*', missing);", "app.get(/^\\/old\\/(\\d+)$/, one);", "app.get('/pages{/:page}', blank);", "app.search('/pages', blank);",
      "function one() { load(); }", "function remove() {}", "function blank() {}", "function notes() {}", "function file() {}", "function missing() {}", "function load() {}",
    ].join("\n"),
  });
  const run = (name: string, input: Record<string, unknown>): Promise<object> => call(name, input, { codebase });
  const first = async (query: string): Promise<string> => (await run("search", { query }) as unknown as { results: { id: string }[] }).results[0]!.id.replace("Route:app.js:", "");
  for (const query of ["GET /articles/:id", "GET /articles/{id}", "get /articles/<int:pk>", "/articles/[slug]", "/articles/17", "GET https://example.com/articles/17?full=1"]) expect([query, await first(query)]).toEqual([query, "GET /articles/:id"]);
  expect(await first("DELETE /articles/17")).toBe("DELETE /articles/:id");
  expect(await first("/articles/new")).toBe("GET /articles/new");
  for (const query of ["/articles/3/notes", "/articles/3/notes/4", "/articles/{a}/notes/{b}"]) expect(await first(query)).toBe("GET /articles/:id/notes/:note?");
  expect(await first("/files/a/b.txt")).toBe("GET /files/*");
  for (const query of ["/pages", "GET /pages", "/pages/2"]) expect([query, await first(query)]).toEqual([query, query === "/pages" ? "SEARCH /pages" : "GET /pages{/:page}"]);
  expect(await first("/old/12")).toBe("GET /old/(\\d+)");
  for (const from of ["GET /articles/{id}", "GET /articles/17"]) expect(JSON.stringify(await run("trace_flow", { from, to: "load" }))).toContain("Route:app.js:GET /articles/:id");
  expect(await run("explore", { name: "/files/a/b.txt", type: "symbol" })).toMatchObject({ id: "Route:app.js:GET /files/*" });
  // Two methods answer at that path, and none at the other.
  const both = JSON.stringify(await run("explore", { name: "/articles/{id}", type: "symbol" }));
  for (const method of ["GET", "DELETE"]) expect(both).toContain(`"Route:app.js:${method} /articles/:id"`);
  await expect(run("explore", { name: "/nowhere/1", type: "symbol" })).rejects.toThrow();
});
