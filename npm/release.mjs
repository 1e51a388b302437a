// Makes what goes out beside the binaries, from what goreleaser built in dist:
// npm packs, the bundle and the registry's entry, in dist/packages.
//
//   node npm/release.mjs [DIST]
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, registryEntry } from "./bundle.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const dist = resolve(process.argv[2] ?? "dist");
const { version } = JSON.parse(readFileSync(join(dist, "metadata.json"), "utf8"));
const platforms = { linux: "linux", darwin: "darwin", windows: "win32" };
const architectures = { amd64: "x64", arm64: "arm64", all: "all" };
const binaries = {};
for (const { type, path, goos, goarch } of JSON.parse(readFileSync(join(dist, "artifacts.json"), "utf8"))) {
  if (type === "Binary" || type === "Universal Binary") {
    binaries[`${platforms[goos]}-${architectures[goarch]}`] = resolve(dist, "..", path);
  }
}
const out = join(dist, "packages");
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const { "darwin-all": universal, ...forNpm } = binaries;
const folders = join(dist, "npm");
rmSync(folders, { recursive: true, force: true });
const packages = Object.entries(forNpm).sort();
execFileSync("node", [join(here, "pack.mjs"), version, folders, ...packages.map((item) => item.join("="))]);
for (const name of ["gitnexus-mcp", ...packages.map(([platform]) => `gitnexus-mcp-${platform}`)]) {
  const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--ignore-scripts", join(folders, name)], { cwd: out, encoding: "utf8" }));
  renameSync(join(out, filename), join(out, `${name}.tgz`));
}

// A bundle knows platforms and no architectures. Windows runs x64 on arm64; the Linux one is for x64.
const date = Number(execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: join(dist, ".."), encoding: "utf8" })) * 1000;
const file = await bundle(version, out, { darwin: universal, win32: binaries["win32-x64"], linux: binaries["linux-x64"] }, date);
writeFileSync(join(out, "server.json"), JSON.stringify(registryEntry(version, file), null, 2) + "\n");
