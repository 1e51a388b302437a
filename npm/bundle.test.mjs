// Packs the bundle with the official tool, unpacks it, and starts the server as a client does.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { getMcpConfigForManifest, unpackExtension } from "@anthropic-ai/mcpb";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { bundle, registryEntry } from "./bundle.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const commit = Date.UTC(2026, 1, 3, 4, 5, 6);
let folder, file;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "gitnexus-bundle-"));
  const binary = join(folder, "gitnexus-mcp");
  execFileSync("go", ["build", "-buildvcs=false", "-o", binary, "./cmd/gitnexus-mcp"], { cwd: root });
  file = await bundle("1.2.3", folder, { [process.platform]: binary, win32: binary }, commit);
});

after(() => rmSync(folder, { recursive: true, force: true }));

test("the same commit gives the same bundle", async () => {
  const digest = () => createHash("sha256").update(readFileSync(file)).digest("hex");
  const first = digest();
  const binary = join(folder, "gitnexus-mcp");
  await bundle("1.2.3", folder, { [process.platform]: binary, win32: binary }, commit);
  assert.equal(digest(), first);
});

test("a client that was told nothing starts the server of its platform, and it answers", async () => {
  const extensionPath = join(folder, "installed");
  assert.ok(await unpackExtension({ mcpbPath: file, outputDir: extensionPath, silent: true }));
  const manifest = JSON.parse(readFileSync(join(extensionPath, "manifest.json"), "utf8"));
  assert.equal(manifest.version, "1.2.3");
  assert.match(readFileSync(join(extensionPath, "NOTICES.txt"), "utf8"), /coder\/websocket[^]*kuzu-wasm/u);
  const config = await getMcpConfigForManifest({ manifest, extensionPath, systemDirs: {}, userConfig: { browser: "none" }, pathSeparator: "/" });
  assert.deepEqual(config.env, { GITNEXUS_REPO: "", GITNEXUS_BROWSER: "none" });
  const server = spawn(config.command, config.args, {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, ...config.env, GITNEXUS_PORT: "54938", GITNEXUS_EVENTS: "off", GITNEXUS_TOKEN: "bundle-test-token-0123456789" },
  });
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello }) + "\n");
  for await (const line of createInterface(server.stdout)) {
    const message = JSON.parse(line);
    if (message.id !== 1) continue;
    assert.equal(message.result.serverInfo.name, "gitnexus-mcp");
    break;
  }
  const ended = new Promise((resolve) => server.on("exit", resolve));
  server.stdin.end();
  await ended;
});

test("every platform has a binary of its own in the manifest", () => {
  const { server, compatibility } = JSON.parse(readFileSync(join(root, "npm", "manifest.json"), "utf8"));
  for (const platform of compatibility.platforms) {
    const { command } = server.mcp_config.platform_overrides[platform] ?? server.mcp_config;
    assert.match(command, new RegExp(`^\\$\\{__dirname\\}/server/${platform}/gitnexus-mcp(\\.exe)?$`));
  }
});

test("the registry's entry is valid by the registry's own schema", () => {
  const module = "github.com/modelcontextprotocol/registry@v1.8.8";
  const { Dir } = JSON.parse(execFileSync("go", ["mod", "download", "-json", module], { cwd: root, encoding: "utf8" }));
  const schema = JSON.parse(readFileSync(join(Dir, "internal", "validators", "schemas", "2025-12-11.json"), "utf8"));
  const validate = addFormats(new Ajv({ strict: false })).compile(schema);
  const entry = registryEntry("1.2.3", file);
  assert.ok(validate(entry), JSON.stringify(validate.errors));
  assert.equal(entry.$schema, schema.$id);
  const [, mcpName] = /mcpName: "(.*)"/.exec(readFileSync(join(root, "npm", "pack.mjs"), "utf8"));
  assert.equal(entry.name, mcpName); // the registry compares the two
  assert.equal(validate({ ...entry, packages: [{ registryType: "npm" }] }), false);
});
