import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { licenses } from "./licenses.ts";

const license = licenses({
  root: import.meta.dirname,
  extracted: { "build/kuzu/": "kuzu-wasm" },
  // These say nothing of what their WebAssembly holds. A new language adds a line to grammars.txt.
  additions: {
    "@vscode/tree-sitter-wasm 0.3.1": ["licenses/grammars.txt"],
    "kuzu-wasm 0.11.3": ["licenses/kuzu.txt", "licenses/emscripten.txt"],
    "web-tree-sitter 0.27.1": ["licenses/icu.txt"],
  },
});

// Content hashes alone make a name, so that the same sources give the same bytes in every folder and a file that the
// browser holds is never another. A Worker is named after its source: cypher.worker.ts becomes assets/cypher.worker-HASH.js,
// which the server recognises, because that Worker alone may use eval.
const output = {
  entryFileNames: "assets/[name]-[hash].js",
  chunkFileNames: "assets/[name]-[hash].js",
  assetFileNames: "assets/[name]-[hash][extname]",
};

/** What makes the app installable. It names its files itself, so they keep their names. */
const installable: Plugin = {
  name: "installable",
  apply: "build",
  transformIndexHtml: () => [{ tag: "link", attrs: { rel: "manifest", href: "./manifest.webmanifest" }, injectTo: "head" }],
  generateBundle() {
    for (const name of ["manifest.webmanifest", "icons/icon-192.png", "icons/icon-512.png"]) {
      this.emitFile({ type: "asset", fileName: name.replace("icons/", ""), source: readFileSync(join(import.meta.dirname, "src/ui", name)) });
    }
  },
};

// All that the first frame needs is one file, which the rest imports from.
const firstFrame = { name: "index", test: /src[\\/](main|service-workers|ui[\\/]appearance)\.ts$/ };

// How long a part takes depends on the machine, and is no fault of the sources.
const checks = { bundlerTimings: false };

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  // No .env file may change what is built.
  envDir: false,
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2023",
    cssTarget: ["chrome111", "firefox114", "safari16.4"],
    outDir: "dist",
    emptyOutDir: true,
    // Nothing inlined: the Content-Security-Policy admits scripts, styles and wasm from files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    // The page, and what follows its first frame (src/main.ts).
    rolldownOptions: { input: { index: "index.html", start: "src/start.ts" }, preserveEntrySignatures: "exports-only", output: { ...output, codeSplitting: { groups: [firstFrame] } }, checks },
  },
  worker: {
    format: "es",
    plugins: () => [license.worker],
    // web-tree-sitter has an eval for grammars that bring JavaScript along. Ours don't, and the policy would refuse it.
    rolldownOptions: { output, checks: { ...checks, eval: false } },
  },
  plugins: [license.main, installable],
});
