// What the launcher adds to the start of the binary, until initialize is answered:
//
//   node npm/start.mjs BINARY [TIMES]
//
// All in turns, from an installation as npm makes it. What npx takes by itself, whatever it starts, is the row of a
// package whose command is the binary: nothing that npx starts is quicker.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [binary, times = "15"] = process.argv.slice(2);
if (!binary) throw new Error("usage: node npm/start.mjs BINARY [TIMES]");
const folder = mkdtempSync(join(tmpdir(), "gitnexus-start-"));
const env = { ...process.env, GITNEXUS_PORT: "54941", GITNEXUS_TOKEN: "start-token-0123456789abcdef", GITNEXUS_EVENTS: "off", npm_config_offline: "true", npm_config_update_notifier: "false" };
const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "start", version: "1" } } };

async function start(command, ...args) {
  const began = performance.now();
  const server = spawn(command, args, { cwd: folder, env, stdio: ["pipe", "pipe", "ignore"] });
  server.stdin.write(JSON.stringify(hello) + "\n");
  let answered = false;
  for await (const line of createInterface(server.stdout)) if ((answered = JSON.parse(line).id === 1)) break;
  const ms = performance.now() - began;
  if (!answered) throw new Error(`${[command, ...args].join(" ")} does not answer`);
  const ended = new Promise((done) => server.on("exit", done));
  server.stdin.end();
  await ended;
  return ms;
}

const packages = join(folder, "packages");
execFileSync("node", [join(dirname(fileURLToPath(import.meta.url)), "pack.mjs"), "1.2.3", packages, `${process.platform}-${process.arch}=${resolve(binary)}`]);
mkdirSync(join(folder, "node_modules", ".bin"), { recursive: true });
for (const name of ["gitnexus-mcp", `gitnexus-mcp-${process.platform}-${process.arch}`]) symlinkSync(join(packages, name), join(folder, "node_modules", name));
chmodSync(join(packages, "gitnexus-mcp", "bin", "gitnexus-mcp.js"), 0o755); // as npm does
symlinkSync("../gitnexus-mcp/bin/gitnexus-mcp.js", join(folder, "node_modules", ".bin", "gitnexus-mcp"));
symlinkSync(resolve(binary), join(folder, "node_modules", ".bin", "binary"));
const ways = {
  binary: [resolve(binary)],
  launcher: ["node", "node_modules/.bin/gitnexus-mcp"],
  "npx, the binary": ["npx", "--no-install", "binary"],
  "npx, the launcher": ["npx", "--no-install", "gitnexus-mcp"],
};
const took = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
for (let i = 0; i < Number(times); i++) for (const [name, command] of Object.entries(ways)) took[name].push(await start(...command));
rmSync(folder, { recursive: true, force: true });
for (const [name, all] of Object.entries(took)) {
  all.sort((a, b) => a - b);
  console.log(`${name.padEnd(17)} median ${all[all.length >> 1].toFixed(0)} ms, least ${all[0].toFixed(0)}, most ${all.at(-1).toFixed(0)}`);
}
