// Writes the npm packages: the launcher, and one with the binary of each platform.
//
//   node npm/pack.mjs VERSION OUT PLATFORM=BINARY...
//
// PLATFORM is Node's, such as linux-x64 or win32-arm64. Each package is a folder
// in OUT, ready for npm pack or npm publish; the launcher names them all.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [version, out, ...binaries] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+/.test(version ?? "") || !out || binaries.length === 0) {
  console.error("usage: node npm/pack.mjs VERSION OUT PLATFORM=BINARY...");
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
const common = {
  version,
  license: "MIT",
  repository: { type: "git", url: "git+https://github.com/gitnexus/gitnexus-mcp.git" },
};

function write(name, manifest) {
  const folder = join(out, name);
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, ...common, ...manifest }, null, 2) + "\n");
  copyFileSync(join(here, "..", "LICENSE"), join(folder, "LICENSE"));
  return folder;
}

mkdirSync(out, { recursive: true });
const notices = join(out, "NOTICES.txt"); // of all that is in a binary, for each package with one
execFileSync(join(here, "..", "scripts", "notices.sh"), [resolve(notices)]);
const optionalDependencies = {};
for (const item of binaries) {
  const [platform, binary] = item.split(/=(.*)/s);
  const [os, cpu] = platform.split("-");
  const name = `gitnexus-mcp-${platform}`;
  const folder = write(name, { description: `The binary of gitnexus-mcp for ${platform}`, os: [os], cpu: [cpu] });
  const to = join(folder, "bin", os === "win32" ? "gitnexus-mcp.exe" : "gitnexus-mcp");
  copyFileSync(binary, to);
  chmodSync(to, 0o755);
  copyFileSync(notices, join(folder, "NOTICES.txt"));
  optionalDependencies[name] = version;
}
rmSync(notices);
const launcher = write("gitnexus-mcp", {
  description: "An MCP server that gives agents a map of a code base",
  mcpName: "io.github.gitnexus/gitnexus-mcp",
  bin: { "gitnexus-mcp": "bin/gitnexus-mcp.js" },
  engines: { node: ">=18" },
  optionalDependencies,
});
cpSync(join(here, "launcher"), launcher, { recursive: true });
copyFileSync(join(here, "..", "README.md"), join(launcher, "README.md"));
