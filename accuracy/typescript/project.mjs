import fs from "node:fs";
import path from "node:path";
import ts from "typescript";

const TYPESCRIPT = /\.(ts|tsx|mts|cts)$/;
const JAVASCRIPT = /\.(js|jsx|mjs|cjs)$/;
const ENDINGS = ["", ".ts", ".tsx", ".mts", ".js", ".jsx"];
/** Where a package of a workspace keeps what it is imported for. */
const MAINS = ["src/index", "index", "src/main", "src", "lib/index"];

/**
 * The sources below a folder, checked as one program whatever their tsconfig says, but for its `paths`, its JSX and its
 * conditions. A package's own name and those of the workspace lead to its sources, not to what was built from them.
 */
export function openProject(dir, withJs) {
  const root = fs.realpathSync(dir);
  const relative = (file) => path.relative(root, file).split(path.sep).join("/");
  const all = list(root, "");
  const files = all.filter((file) => (TYPESCRIPT.test(file) || (withJs && JAVASCRIPT.test(file))) && !/\.d\.[mc]?ts$/.test(file));
  const scope = new Set(files);
  const options = {
    target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.Preserve, allowJs: withJs, checkJs: withJs, strict: true, skipLibCheck: true, noEmit: true, resolveJsonModule: true,
    esModuleInterop: true, allowSyntheticDefaultImports: true, experimentalDecorators: true, allowImportingTsExtensions: true,
    maxNodeModuleJsDepth: 0, lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    ...ownOptions(root, all),
  };
  const host = ts.createCompilerHost(options, true);
  const cache = ts.createModuleResolutionCache(root, (name) => name, options);
  const workspace = workspaceResolver(root, all, scope);
  const known = new Map();
  const resolve = (specifier, from) => {
    const key = `${from}\0${specifier}`;
    if (!known.has(key)) known.set(key, resolveNew(specifier, from));
    return known.get(key);
  };
  const resolveNew = (specifier, from) => {
    const own = specifier.startsWith(".") ? undefined : workspace(specifier);
    if (own) return { resolvedFileName: own, extension: path.extname(own), isExternalLibraryImport: false };
    const found = ts.resolveModuleName(specifier, from, options, host, cache).resolvedModule;
    // The compiler reads declarations that stand beside plain JavaScript; what runs is the JavaScript.
    const body = found?.resolvedFileName.replace(/\.d(\.[cm]?)ts$/, "$1js");
    const module = body && scope.has(relative(body)) ? { ...found, resolvedFileName: body, extension: path.extname(body) } : found;
    if (!module || !fs.existsSync(module.resolvedFileName)) return module;
    const real = fs.realpathSync(module.resolvedFileName); // a workspace's packages may be links
    return scope.has(relative(real)) ? { ...module, resolvedFileName: real, isExternalLibraryImport: false } : module;
  };
  host.resolveModuleNameLiterals = (literals, from) => literals.map(({ text }) => ({ resolvedModule: resolve(text, from) }));
  const program = ts.createProgram(files.map((file) => path.join(root, file)), options, host);
  return {
    version: ts.version, files, scope, relative, resolve, program, options, host, checker: program.getTypeChecker(),
    sources: files.map((file) => program.getSourceFile(path.join(root, file))).filter(Boolean),
  };
}

function list(root, folder) {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) => {
    const name = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) return entry.name === "node_modules" || entry.name === ".git" ? [] : list(root, name);
    return entry.isFile() ? [name] : [];
  });
}

function ownOptions(root, all) {
  const configs = all.filter((file) => /(^|\/)tsconfig\.json$/.test(file)).sort((a, b) => a.length - b.length);
  const own = {};
  for (const config of configs.slice(0, 1)) {
    const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
    const parsed = ts.getParsedCommandLineOfConfigFile(path.join(root, config), {}, host);
    for (const name of ["paths", "baseUrl", "pathsBasePath", "customConditions", "jsx", "jsxImportSource"]) {
      if (parsed?.options[name] !== undefined) own[name] = parsed.options[name];
    }
  }
  return own;
}

function workspaceResolver(root, all, scope) {
  const packages = new Map();
  for (const file of all.filter((name) => /(^|\/)package\.json$/.test(name))) {
    try {
      const { name } = JSON.parse(fs.readFileSync(path.join(root, file), "utf8"));
      if (name && !packages.has(name)) packages.set(name, path.dirname(file));
    } catch {
      // Not JSON: a fixture.
    }
  }
  const firstFile = (base) => {
    for (const stem of [base, `${base}/index`]) {
      for (const ending of ENDINGS) if (scope.has(stem + ending)) return path.join(root, stem + ending);
    }
    return undefined;
  };
  return (specifier) => {
    const parts = specifier.split("/");
    const name = specifier.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
    const dir = packages.get(name);
    if (dir === undefined) return undefined;
    const rest = specifier.slice(name.length + 1);
    for (const candidate of rest ? [`src/${rest}`, rest, `${rest}/src`] : MAINS) {
      const file = firstFile(path.posix.join(dir, candidate));
      if (file) return file;
    }
    return undefined;
  };
}
