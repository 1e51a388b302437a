// Writes the MCP bundle and the entry for the MCP registry.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packExtension, validateManifest } from "@anthropic-ai/mcpb";

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Packs out/gitnexus-mcp.mcpb with the official tool, from one binary for each of Node's platforms. date is that of the
 * commit: the tool writes the time of packing into the archive, and the same commit has to give the same bytes.
 */
export async function bundle(version, out, binaries, date) {
  const folder = join(out, "bundle");
  rmSync(folder, { recursive: true, force: true });
  for (const [platform, binary] of Object.entries(binaries)) {
    const to = join(folder, "server", platform, platform === "win32" ? "gitnexus-mcp.exe" : "gitnexus-mcp");
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(binary, to);
    chmodSync(to, 0o755);
  }
  copyFileSync(join(here, "..", "LICENSE"), join(folder, "LICENSE"));
  execFileSync(join(here, "..", "scripts", "notices.sh"), [resolve(folder, "NOTICES.txt")]);
  const manifest = JSON.parse(readFileSync(join(here, "manifest.json"), "utf8"));
  writeFileSync(join(folder, "manifest.json"), JSON.stringify({ ...manifest, version }, null, 2) + "\n");
  if (!validateManifest(join(folder, "manifest.json"))) throw new Error("the manifest of the bundle is not valid");
  const outputPath = join(out, "gitnexus-mcp.mcpb");
  const RealDate = Date;
  process.env.TZ = "UTC"; // a zip has the local time
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      super(...(args.length > 0 ? args : [date]));
    }
  };
  const packed = await packExtension({ extensionPath: folder, outputPath, silent: true }).finally(() => {
    globalThis.Date = RealDate;
  });
  if (!packed) throw new Error("the bundle was not packed");
  rmSync(folder, { recursive: true });
  return outputPath;
}

/** The server's entry for the MCP registry: as an npm package, and as the bundle of the release on GitHub. */
export function registryEntry(version, bundleFile) {
  const repository = "https://github.com/gitnexus/gitnexus-mcp";
  const transport = { type: "stdio" };
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: "io.github.gitnexus/gitnexus-mcp",
    title: "GitNexus",
    description: "A map of your code base: callers, impact, flows and clusters, held in your own browser",
    repository: { url: repository, source: "github" },
    version,
    packages: [
      {
        registryType: "npm",
        identifier: "gitnexus-mcp",
        version,
        runtimeHint: "npx",
        transport,
        packageArguments: [
          { type: "named", name: "--repo", format: "filepath", description: "The repository to map" },
          { type: "named", name: "--browser", choices: ["none", "open", "headless"], default: "open", description: "How to show the app" },
        ],
      },
      {
        registryType: "mcpb",
        identifier: `${repository}/releases/download/v${version}/gitnexus-mcp.mcpb`,
        fileSha256: createHash("sha256").update(readFileSync(bundleFile)).digest("hex"),
        transport,
      },
    ],
  };
}
