import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build, preview } from "vite";

/** Builds the server and the pages of web/test once for all end-to-end tests, and serves the pages. */
export default async function setup(): Promise<() => Promise<void>> {
  const web = resolve(import.meta.dirname, "..");
  const dir = mkdtempSync(join(tmpdir(), "gitnexus-e2e-"));
  const binary = join(dir, "gitnexus-mcp");
  const pages = join(dir, "pages");
  execFileSync(process.execPath, [join(web, "scripts/extract-kuzu.mjs")]);
  const output = { entryFileNames: "assets/[name]-[hash].js", chunkFileNames: "assets/[name]-[hash].js", assetFileNames: "assets/[name]-[hash][extname]" };
  const checks = { eval: false, bundlerTimings: false };
  const settings = { configFile: false, root: join(web, "test"), base: "./", logLevel: "warn" } as const;
  await Promise.all([
    promisify(execFile)("go", ["build", "-race", "-o", binary, "./cmd/gitnexus-mcp"], { cwd: resolve(web, "..") }),
    build({
      ...settings,
      oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
      build: {
        outDir: pages, emptyOutDir: true, target: "es2023", assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 4000, reportCompressedSize: false,
        rolldownOptions: { input: ["view.html", "chat-host.html", "workers/index.html"].map((page) => join(web, "test", page)), output, checks },
      },
      worker: { format: "es", rolldownOptions: { output, checks } },
    }),
  ]);
  const server = await preview({ ...settings, build: { outDir: pages }, preview: { host: "127.0.0.1", port: 0 } });
  Object.assign(process.env, {
    E2E_BINARY: binary, E2E_PAGES: pages, E2E_PAGES_URL: server.resolvedUrls!.local[0],
    GORACE: "atexit_sleep_ms=0", // the race detector would sleep a second at exit
  });
  return async () => {
    await server.close();
    rmSync(dir, { recursive: true, force: true });
  };
}
