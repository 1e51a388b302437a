/** Collects the licences of the npm packages that a build ships, and adds them to it as `licenses.txt`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

export interface LicenseOptions {
  /** The folder with `node_modules`. */
  root: string;
  /** Folders with files cut out of a package (a path from root, with a slash at its end), and that package's name. */
  extracted: Record<string, string>;
  /**
   * Texts to add below a package's own: what it ships without saying so. Paths from root, by the name and version of the
   * package: another version may hold something else.
   */
  additions: Record<string, string[]>;
}

interface PackageJson {
  name: string;
  version: string;
  license?: string;
}

/**
 * One collector serves a build and the builds of its Workers: `worker` goes into their plugins, `main` into the build's
 * own. Fails the build when a shipped package comes without a licence text.
 */
export function licenses(options: LicenseOptions): { main: Plugin; worker: Plugin } {
  const folders = new Set<string>();
  const collect = (ids: Iterable<string>): void => {
    for (const id of ids) {
      const folder = packageFolder(id, options);
      if (folder) folders.add(folder);
    }
  };
  return {
    worker: {
      name: "licenses:collect",
      buildEnd() {
        collect(this.getModuleIds());
      },
    },
    main: {
      name: "licenses",
      generateBundle() {
        collect(this.getModuleIds());
        this.emitFile({ type: "asset", fileName: "licenses.txt", source: render([...folders], options) });
      },
    },
  };
}

/** The folder of the package that a module comes from; undefined for our own. */
function packageFolder(id: string, { root, extracted }: LicenseOptions): string | undefined {
  const path = id.replaceAll("\\", "/").replace(/^\0/, "").replace(/[?#].*$/, "");
  for (const [folder, name] of Object.entries(extracted)) {
    if (path.startsWith(`${root.replaceAll("\\", "/")}/${folder}`)) return join(root, "node_modules", name);
  }
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function render(folders: readonly string[], { root, additions }: LicenseOptions): string {
  const sections = folders
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => {
      const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as PackageJson;
      const texts = readdirSync(folder)
        .filter((file) => /^(licen[sc]e|copying|notice)/i.test(file))
        .sort()
        .map((file) => readFileSync(join(folder, file), "utf8"));
      if (texts.length === 0) throw new Error(`${about.name} is shipped and has no licence file; add its text to the build's additions`);
      const version = `${about.name} ${about.version}`;
      for (const file of additions[version] ?? []) texts.push(readFileSync(join(root, file), "utf8"));
      if (!(version in additions) && Object.keys(additions).some((key) => key.startsWith(`${about.name} `))) {
        throw new Error(`${version}: see what this version holds, and name it in the build's additions`);
      }
      return { title: `${about.name} ${about.version} (${about.license ?? "see below"})`, texts };
    })
    .sort((a, b) => (a.title < b.title ? -1 : 1));
  const rule = "=".repeat(80);
  return [
    "The graph app of gitnexus-mcp contains these packages, under their own licences.\n",
    ...sections.map(({ title, texts }) => `${rule}\n${title}\n${rule}\n\n${texts.map(normalise).join("\n\n")}\n`),
  ].join("\n");
}

/** The same bytes whatever the line ends a package came with. */
function normalise(text: string): string {
  return text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n").trim();
}
