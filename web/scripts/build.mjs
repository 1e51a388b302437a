/**
 * Builds the app: node scripts/build.mjs [--out DIR]     (default web/dist, which the Go binary embeds)
 *
 * What compresses is stored as .gz alone: the server hands it out as it is, or unpacks it for the rare client that
 * cannot. The compressor is JavaScript, so the same sources give the same bytes on every machine.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "fflate";
import { build } from "vite";

export const root = resolve(fileURLToPath(import.meta.url), "../..");

/** What may be committed, in bytes: every clone of the repository carries each version of it. */
const LIMIT = 8 * 1024 * 1024;
/** The page that MCP hosts show in a chat, and its limit in bytes. */
const CHAT = "chat.html";
const CHAT_LIMIT = 150_000;
const COMPRESSIBLE = new Set([".js", ".css", ".html", ".wasm", ".svg", ".json", ".txt"]);

/**
 * Builds into `out`, which is emptied before, and returns the files' sizes by path.
 * @param {string} out
 * @returns {Promise<Map<string, number>>}
 */
export async function buildApp(out) {
  const extract = join(root, "scripts/extract-kuzu.mjs");
  if (existsSync(extract)) execFileSync(process.execPath, [extract], { cwd: root, stdio: "inherit" });
  await build({
    configFile: join(root, "vite.config.ts"),
    mode: "production",
    logLevel: "warn",
    build: { outDir: out, emptyOutDir: true },
  });
  packPrograms(out);
  addHashes(out);
  writeFileSync(join(out, CHAT), await buildChat());
  const sizes = new Map();
  for (const path of filesIn(out)) {
    const [name, size] = compress(out, path);
    sizes.set(name, size);
  }
  const total = sum(sizes.values());
  if (total > LIMIT) {
    const largest = [...sizes].sort((a, b) => b[1] - a[1]).slice(0, 5).map(([name, size]) => `  ${size} ${name}`);
    throw new Error(`The built app has ${total} bytes, and ${LIMIT} are allowed. The largest files:\n${largest.join("\n")}`);
  }
  return sizes;
}

/**
 * Packs what the page keeps packed: the server hands it out as it is.
 * @param {string} out
 */
function packPrograms(out) {
  for (const path of filesIn(out).filter((name) => name.endsWith(".wasm"))) {
    const file = join(out, path);
    writeFileSync(`${file}.gzip`, gzipSync(readFileSync(file), { level: 9, mtime: 0 }));
    rmSync(file);
  }
}

/**
 * Writes into index.html what each file of code has to be: an `integrity` for the scripts and styles of the page, those that its first
 * frame does without in a template for src/main.ts, and a table for src/code-files.ts of what runs in Workers.
 * @param {string} out
 */
function addHashes(out) {
  const file = join(out, "index.html");
  /** @type {Record<string, string>} */
  const hashes = {};
  for (const path of filesIn(join(out, "assets")).filter((name) => /\.(js|css|gzip)$/.test(name))) {
    hashes[path] = `sha256-${createHash("sha256").update(readFileSync(join(out, "assets", path))).digest("base64")}`;
  }
  const linked = new Set();
  let page = readFileSync(file, "utf8").replace(/(?:href|src)="\.\/assets\/([^"]+\.(?:js|css))"/g, (attribute, /** @type {string} */ name) => {
    linked.add(name);
    return `${attribute} integrity="${hashes[name]}"`;
  });
  const inWorkers = ([name]) => name.endsWith(".gzip") || /\.worker-/.test(name);
  const later = Object.keys(hashes).filter((name) => !linked.has(name) && !inWorkers([name]) && !name.startsWith("__vite-browser-external"));
  const kind = (/** @type {string} */ name) => (name.endsWith(".css") ? 'rel="stylesheet"' : name.startsWith("start-") ? 'id="start" rel="modulepreload"' : 'rel="modulepreload"');
  const links = later.map((name) => `      <link ${kind(name)} crossorigin href="./assets/${name}" integrity="${hashes[name]}">\n`).join("");
  const table = JSON.stringify(Object.fromEntries(Object.entries(hashes).filter(inWorkers)));
  page = page.replace("  </head>", () => `    <template id="later">\n${links}    </template>\n    <script type="application/json" id="code">${table}</script>\n  </head>`);
  writeFileSync(file, page);
}

/** One page with everything in it: a host gives it no network. */
async function buildChat() {
  const built = await build({
    configFile: join(root, "vite.chat.config.ts"),
    mode: "production",
    logLevel: "warn",
  });
  const { output } = Array.isArray(built) ? built[0] : built;
  const script = output.find((file) => file.type === "chunk").code;
  const styles = output.find((file) => file.type === "asset" && file.fileName.endsWith(".css")).source;
  const page = readFileSync(join(root, "src/chat/chat.html"), "utf8")
    .replace("<!-- styles -->", () => `<style>${styles}</style>`)
    .replace("<!-- script -->", () => `<script type="module">${script.replaceAll("</script", "<\\/script")}</script>`);
  if (page.length > CHAT_LIMIT) throw new Error(`The page for chats has ${page.length} bytes, and ${CHAT_LIMIT} are allowed.`);
  return page;
}

/**
 * The files below a folder, by their paths from it, sorted.
 * @param {string} folder
 */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
}

/** @param {Iterable<number>} numbers */
export function sum(numbers) {
  let total = 0;
  for (const n of numbers) total += n;
  return total;
}

/**
 * @param {string} folder
 * @param {string} path
 * @returns {[string, number]}
 */
function compress(folder, path) {
  const file = join(folder, path);
  const bytes = readFileSync(file);
  if (!COMPRESSIBLE.has(extname(path))) return [path, bytes.length];
  const packed = gzipSync(bytes, { level: 9, mtime: 0 });
  if (packed.length >= bytes.length) return [path, bytes.length];
  writeFileSync(`${file}.gz`, packed);
  rmSync(file);
  return [`${path}.gz`, packed.length];
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "dist") } } });
  const sizes = await buildApp(resolve(values.out));
  for (const [name, size] of sizes) console.log(`${String(size).padStart(9)}  ${name}`);
  console.log(`${String(sum(sizes.values())).padStart(9)}  in ${sizes.size} files`);
}
