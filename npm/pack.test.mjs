// Packs, installs offline from the packs into an empty folder, and runs what was installed.
// PACKS=FOLDER takes the packs of a release instead.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const platform = `${process.platform}-${process.arch}`;
let folder, project, launcher, version;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "gitnexus-npm-"));
  project = join(folder, "project");
  mkdirSync(project);
  const packs = process.env.PACKS ? packsIn(process.env.PACKS) : newPacks();
  // The platform packages come from the packs too: npm replaces what the launcher asks of the registry.
  const { "gitnexus-mcp": itself, ...overrides } = Object.fromEntries(packs);
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, dependencies: { "gitnexus-mcp": itself }, overrides }));
  npm(["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"], project);
  launcher = join(project, "node_modules", ".bin", "gitnexus-mcp");
  ({ version } = JSON.parse(readFileSync(join(project, "node_modules", "gitnexus-mcp", "package.json"), "utf8")));
});

function packsIn(release) {
  return readdirSync(release).filter((file) => file.endsWith(".tgz")).map((file) => [file.slice(0, -".tgz".length), `file:${join(release, file)}`]);
}

function newPacks() {
  const binary = join(folder, "gitnexus-mcp");
  execFileSync("go", ["build", "-buildvcs=false", "-ldflags", "-X main.tag=1.2.3", "-o", binary, "./cmd/gitnexus-mcp"], { cwd: root });
  const packages = join(folder, "packages");
  execFileSync("node", [join(root, "npm", "pack.mjs"), "1.2.3", packages, `${platform}=${binary}`, `aix-ppc64=${binary}`]);
  return readdirSync(packages).map((name) => {
    const [pack] = JSON.parse(npm(["pack", "--json", "--ignore-scripts", join(packages, name)], folder));
    return [name, `file:${join(folder, pack.filename)}`];
  });
}

after(() => rmSync(folder, { recursive: true, force: true }));

function npm(args, cwd) {
  return execFileSync("npm", args, { cwd, encoding: "utf8", env: { ...process.env, npm_config_cache: join(folder, "cache") } });
}

test("only this platform's binary is installed, and no package has an install script", () => {
  const installed = readdirSync(join(project, "node_modules")).filter((name) => name.startsWith("gitnexus"));
  assert.deepEqual(installed, ["gitnexus-mcp", `gitnexus-mcp-${platform}`]);
  for (const name of installed) {
    const manifest = JSON.parse(readFileSync(join(project, "node_modules", name, "package.json"), "utf8"));
    assert.equal(manifest.scripts, undefined);
    assert.equal(manifest.version, version);
  }
});

test("the package with the binary holds the licences of what is in that", () => {
  const notices = readFileSync(join(project, "node_modules", `gitnexus-mcp-${platform}`, "NOTICES.txt"), "utf8");
  for (const part of ["github.com/coder/websocket", "kuzu-wasm", "Permission is hereby granted", "SQLite", "ANTLR 4", "musl", "tree-sitter-rust", "ICU"]) assert.ok(notices.includes(part), part);
});

test("the launcher passes arguments, output and exit codes on", () => {
  assert.ok(execFileSync(launcher, ["version"], { encoding: "utf8" }).startsWith(`gitnexus-mcp ${version} `));
  assert.equal(spawnSync(launcher, ["frobnicate"]).status, 2);
});

test("an MCP client is answered through the launcher, and a signal ends both", async () => {
  const server = spawn(launcher, ["--port", "54937", "--events", "off"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, GITNEXUS_TOKEN: "npm-test-token-0123456789" },
  });
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello }) + "\n");
  for await (const line of createInterface(server.stdout)) {
    const message = JSON.parse(line);
    if (message.id !== 1) continue;
    assert.equal(message.result.serverInfo.name, "gitnexus-mcp");
    break;
  }
  const ended = new Promise((resolve) => server.on("exit", (code, signal) => resolve({ code, signal })));
  server.kill("SIGTERM");
  const { signal } = await ended;
  assert.ok(signal === null || signal === "SIGTERM");
});

test("a platform without a binary is told so", () => {
  rmSync(join(project, "node_modules", `gitnexus-mcp-${platform}`), { recursive: true });
  const { status, stderr } = spawnSync(launcher, ["version"], { encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /--omit=optional/);
});
