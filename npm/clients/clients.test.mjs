// MCP clients that others made, with gitnexus-mcp installed into an empty home by
// `gitnexus-mcp install` alone. make clients fetches them and runs this.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, "node_modules");
const platform = `${process.platform}-${process.arch}`;
const token = "clients-test-token-0123456789abcdef";
const limit = 90_000;
let folder, binary, repository, env, hub, address;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "gitnexus-clients-"));
  binary = join(folder, "gitnexus-mcp");
  execFileSync("go", ["build", "-buildvcs=false", "-o", binary, "./cmd/gitnexus-mcp"], { cwd: join(here, "..", "..") });
  repository = join(folder, "repository");
  mkdirSync(repository);
  writeFileSync(join(repository, "main.go"), "package main\n\nfunc main() { hello() }\n\nfunc hello() {}\n");
  execFileSync("git", ["init", "-q"], { cwd: repository });

  const port = await freePort();
  env = {
    HOME: join(folder, "home"),
    // Two clients put their binaries into place in install scripts, which do not run here.
    PATH: [join(modules, "@anthropic-ai", `claude-code-${platform}`), join(modules, `opencode-${platform}`, "bin"), join(modules, ".bin"), process.env.PATH].join(delimiter),
    GITNEXUS_PORT: String(port), GITNEXUS_TOKEN: token, GITNEXUS_EVENTS: "off",
    GEMINI_CLI_TRUST_WORKSPACE: "true", // it does not start servers in other folders
    NO_COLOR: "1",
  };
  mkdirSync(env.HOME);
  address = `http://127.0.0.1:${port}/mcp`;
  // One server with a browser answers all that the clients start.
  hub = spawn(binary, ["serve", "--http", "--repo", repository, "--browser", "headless"], { env, stdio: "ignore" });
  while (!(await run(binary, "call", "search", "query=hello").catch(() => "")).includes("main.go")) await setTimeout(200);
}, { timeout: limit });

after(async () => {
  const ended = new Promise((resolve) => hub.once("exit", resolve));
  hub.kill("SIGTERM");
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command in the repository, and returns what it printed. */
async function run(command, ...args) {
  const running = promisify(execFile)(command, args, { cwd: repository, env, timeout: limit, maxBuffer: 64 << 20 });
  running.child.stdin.end();
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// Codex and Copilot list what is configured and connect only when a model is asked: there the entry is all that can be seen.
for (const { name, list, entry, healthy } of [
  { name: "claude-code", list: ["claude", "mcp", "list"], entry: /gitnexus: .*--repo/, healthy: /Connected/ },
  { name: "codex", list: ["codex", "mcp", "list"], entry: /gitnexus .*--repo.*enabled/ },
  { name: "gemini", list: ["gemini", "mcp", "list"], entry: /gitnexus: .*--repo/, healthy: /Connected/ },
  { name: "opencode", list: ["opencode", "mcp", "list"], entry: /--repo/, healthy: /gitnexus.*connected/ },
  { name: "copilot-cli", list: ["copilot", "mcp", "get", "gitnexus"], entry: /Enabled[^]*--repo/ },
]) {
  test(`${name} has the server after install, and not after uninstall`, { timeout: 3 * limit }, async () => {
    await run(binary, "install", name, "--repo", repository, "--browser", "headless", "--skills", "--hooks");
    const said = await run(...list);
    assert.doesNotMatch(said, /invalid|unrecognized|unknown (?:key|setting|hook)/i); // of what it reads beside the entry
    assert.match(said, entry);
    if (healthy) assert.match(said, healthy);
    await run(binary, "uninstall", name);
    assert.doesNotMatch(await run(...list).catch((error) => error.stdout + error.stderr), entry);
  });
}

const arguments_ = {
  context: {}, search: { query: "hello" }, grep: { pattern: "func" }, read: { filePath: "main.go" }, overview: {},
  cypher: { query: "MATCH (f:Function) RETURN f.name" }, impact: { target: "hello", direction: "upstream" }, explore: { name: "hello" }, diff: {},
  graph_action: { action: "reset" }, deep_dive: { name: "hello" }, review_file: { filePath: "main.go" }, trace_flow: { from: "main", to: "hello" },
  find_similar: { name: "hello" }, test_impact: { changedFiles: ["main.go"] }, list_repos: {},
};

for (const [transport, target] of [
  ["stdio", () => ["GITNEXUS_PORT", "GITNEXUS_TOKEN", "GITNEXUS_EVENTS"].flatMap((name) => ["-e", `${name}=${env[name]}`]).concat(binary)],
  ["HTTP", () => [address, "--transport", "http", "--header", `Authorization: Bearer ${token}`]],
]) {
  test(`Inspector lists and calls everything over ${transport}`, { timeout: 10 * limit }, async () => {
    const inspect = async (method, ...args) => JSON.parse(await inspector(...target(), "--method", method, ...args));
    const { tools } = await inspect("tools/list");
    assert.deepEqual(tools.map(({ name }) => name).sort(), Object.keys(arguments_).sort());
    for (const { name } of tools) {
      const pairs = Object.entries(arguments_[name]).map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`);
      const result = await inspect("tools/call", "--tool-name", name, ...(pairs.length ? ["--tool-arg", ...pairs] : []));
      assert.ok(!result.isError, `${name}: ${JSON.stringify(result)}`);
    }
    for (const { uri } of (await inspect("resources/list")).resources) {
      assert.ok((await inspect("resources/read", "--uri", uri)).contents[0].text, uri);
    }
    assert.ok((await inspect("resources/templates/list")).resourceTemplates.length > 0);
    for (const { name, arguments: wanted = [] } of (await inspect("prompts/list")).prompts) {
      const pairs = wanted.filter(({ required }) => required).map((argument) => `${argument.name}=hello`);
      assert.ok((await inspect("prompts/get", "--prompt-name", name, ...(pairs.length ? ["--prompt-args", ...pairs] : []))).messages.length > 0, name);
    }
  });
}

async function inspector(...args) {
  const { stdout } = await promisify(execFile)("mcp-inspector", ["--cli", ...args], { cwd: repository, env, timeout: limit, maxBuffer: 64 << 20 });
  return stdout;
}

for (const [name, load] of [
  ["@modelcontextprotocol/client 2.4", () => Promise.all([sdk("@modelcontextprotocol/client/dist/index.mjs"), sdk("@modelcontextprotocol/client/dist/stdio.mjs"), sdk("@modelcontextprotocol/client/dist/index.mjs")])],
  ["@modelcontextprotocol/sdk 1.32", () => version1("sdk")],
  ["@modelcontextprotocol/sdk 1.22 of November 2025", () => version1("sdk-2025")],
]) {
  for (const transport of ["stdio", "HTTP"]) {
    test(`the TypeScript SDK ${name} asks over ${transport}`, { timeout: limit }, async () => {
      const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }] = await load();
      const client = new Client({ name: "sdk", version: "1" });
      await client.connect(transport === "stdio"
        ? new StdioClientTransport({ command: binary, env, cwd: repository, stderr: "ignore" })
        : new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }));
      try {
        assert.equal((await client.listTools()).tools.length, Object.keys(arguments_).length);
        const result = await client.callTool({ name: "search", arguments: { query: "hello" } });
        assert.ok(!result.isError);
        assert.match(result.content[0].text, /main\.go/);
      } finally {
        await client.close();
      }
    });
  }
}

const sdk = (file) => import(pathToFileURL(join(modules, file)).href);
const version1 = (name) => Promise.all(["index", "stdio", "streamableHttp"].map((part) => sdk(`${name}/dist/esm/client/${part}.js`)));

for (const [name, file] of [["1.8", "go.mod"], ["1.1 of November 2025", "2025.mod"]]) {
  test(`the Go SDK ${name} asks over stdio`, { timeout: 2 * limit }, async () => {
    const program = join(folder, file.replace(".mod", ""));
    execFileSync("go", ["build", "-buildvcs=false", `-modfile=${file}`, "-o", program, "."], { cwd: join(here, "go") });
    const { stdout } = await promisify(execFile)(program, [binary], { cwd: repository, env, timeout: limit });
    const said = JSON.parse(stdout);
    assert.equal(said.tools, Object.keys(arguments_).length);
    assert.equal(said.isError, false);
    assert.match(said.text, /main\.go/);
  });
}
