// The README's first lines, as somebody runs them who has npm and nothing else: an empty home, an empty cache, and a
// registry on loopback that has the packages of this checkout.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const platform = `${process.platform}-${process.arch}`;
let folder, registry, env, project;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "gitnexus-npx-"));
  const binary = join(folder, "gitnexus-mcp");
  execFileSync("go", ["build", "-buildvcs=false", "-ldflags", "-X main.tag=1.2.3", "-o", binary, "./cmd/gitnexus-mcp"], { cwd: root });
  const packages = join(folder, "packages");
  execFileSync("node", [join(root, "npm", "pack.mjs"), "1.2.3", packages, `${platform}=${binary}`, "aix-ppc64=" + binary]);
  rmSync(binary);
  const packs = new Map(readdirSync(packages).map((name) => {
    const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--ignore-scripts", join(packages, name)], { cwd: folder, encoding: "utf8" }));
    return [name, { manifest: JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")), tarball: readFileSync(join(folder, filename)) }];
  }));
  registry = createServer((request, response) => {
    const name = request.url.slice(1).replace(/\.tgz$/u, "");
    const pack = packs.get(name);
    if (!pack) return response.writeHead(404).end("{}");
    if (request.url.endsWith(".tgz")) return response.end(pack.tarball);
    const dist = {
      tarball: `http://${request.headers.host}/${name}.tgz`,
      integrity: `sha512-${createHash("sha512").update(pack.tarball).digest("base64")}`,
    };
    return response.setHeader("Content-Type", "application/json")
      .end(JSON.stringify({ name, "dist-tags": { latest: "1.2.3" }, versions: { "1.2.3": { ...pack.manifest, dist } } }));
  });
  await new Promise((resolve) => registry.listen(0, "127.0.0.1", resolve));
  const home = join(folder, "home");
  mkdirSync(home);
  // Node, npm and what every system has; a browser is found there, too.
  env = {
    HOME: home, PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter), NO_COLOR: "1",
    npm_config_registry: `http://127.0.0.1:${registry.address().port}/`, npm_config_update_notifier: "false",
  };
  project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "main.go"), "package main\n\nfunc main() { hello() }\n\nfunc hello() {}\n");
});

after(() => {
  registry.closeAllConnections();
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

async function npx(...args) {
  const { stdout, stderr } = await promisify(execFile)("npx", ["--yes", "gitnexus-mcp", ...args], { cwd: project, env, timeout: 240_000 });
  return stdout + stderr;
}

test("the first line of the README tries it", { timeout: 300_000 }, async () => {
  const said = await npx("demo");
  assert.match(said, /hello/u);
  assert.match(said, /main\.go/u);
});

test("the second one installs it for the clients that are there", { timeout: 300_000 }, async () => {
  mkdirSync(join(env.HOME, ".cursor"));
  await npx("install", "--repo", project);
  const { mcpServers: { gitnexus } } = JSON.parse(readFileSync(join(env.HOME, ".cursor", "mcp.json"), "utf8"));
  assert.ok(gitnexus.args.includes(project));
  // What was written has to start after npx has ended, and after its cache was cleaned.
  rmSync(join(env.HOME, ".npm"), { recursive: true, force: true });
  const { stdout } = await promisify(execFile)(gitnexus.command, [...gitnexus.args.slice(0, gitnexus.args.indexOf("--repo")), "version"], { cwd: project, env: { ...env, ...gitnexus.env }, timeout: 240_000 });
  assert.match(stdout, /^gitnexus-mcp 1\.2\.3/u);
});
