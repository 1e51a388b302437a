/** The full paths of routes whose router other files mount, and the words of commands in groups of other files. */
import type { MountFact, RouterFact } from "./facts.ts";
import { withGiven } from "./path-names.ts";
import { covers, type Middleware, type MountTargets, type RouterMount } from "./mount-targets.ts";

/** Routers that are mounted in routers that are mounted in routers … */
const MAX_DEPTH = 10;

/** A full path of a route, and what runs before the route where its router is mounted, outermost first. */
export interface FullPath {
  path: string;
  before: readonly Middleware[];
}

/** Joins the paths of routes to the prefixes of the mounts around them. */
export class MountPaths {
  /** `constants` fills in what a path of a file names and other files say. */
  constructor(private readonly targets: MountTargets, private readonly constants: (file: string, path: string) => string) {}

  /** The full paths of a router's route, by its path in the router: one for each chain of mounts. `within`: the mounts that are followed already. */
  of(file: string, router: RouterFact, path: string, within: readonly MountFact[] = []): FullPath[] {
    if (within.length > MAX_DEPTH) return [];
    return this.targets.of(file, router, within).flatMap((mount) => (
      router.word === undefined ? this.mounted(mount, router, path, within) : this.grouped(mount, router.word, path, within)
    ));
  }

  /** The paths of a route below one mount of its router. */
  private mounted(mounted: RouterMount, router: RouterFact, path: string, within: readonly MountFact[]): FullPath[] {
    const { mount, path: file, hooks } = mounted;
    path = withGiven(path, mount.given && Object.fromEntries(Object.entries(mount.given).map(([name, text]) => [name, this.constants(file, text)])));
    if (mount.slashless) path = path.replace(/\/$/, "");
    const own = mount.overrides && router.own !== undefined && path.startsWith(router.own) ? path.slice(router.own.length) || (router.own.startsWith(".") ? "." : "") : path;
    const prefix = this.prefixOf(mounted, router, own);
    const into = mount.into && { ...mount.into, ...(router.versions ? { versions: router.versions } : {}), ...(router.tokens ? inherited(router, mount.into, path, joined(prefix, own)) : {}) };
    const outer = into ? this.of(file, into, joined(prefix.replace(/^…/, ""), own), [...within, mount]) : [];
    // What runs before the routes of a class runs before those that it inherits.
    const runs = into && mount.beside ? this.targets.middlewaresOf(file, into, joined(prefix, own)) : [];
    const paths = outer.length > 0 ? outer : versioned(prefix, mount, router).map((one): FullPath => ({ path: joined(one, own), before: [] }));
    const before = (mount.before ?? []).map((code): Middleware => ({ path: file, code }));
    return paths.map((one) => ({ path: one.path, before: [...runs, ...one.before, ...before, ...hooks] }));
  }

  /** What a mount puts before a path of a router: its prefix, unless the path is an exception to it, and that of the router's folder. */
  private prefixOf({ mount, path: file, folders }: RouterMount, router: RouterFact, path: string): string {
    const isExcepted = mount.except?.some((one) => covers(one, path)) === true;
    const prefix = isExcepted ? "" : this.constants(file, mount.prefix).replace(/\[(\w+)\]/g, (whole, name: string) => router.tokens?.[name] ?? whole);
    return folders === "" ? prefix : joined(prefix, folders);
  }

  /** The words of a command below one group that its own group is added to. */
  private grouped({ mount, path: file }: RouterMount, group: string, command: string, within: readonly MountFact[]): FullPath[] {
    const words = [mount.prefix, mount.word ?? group, command].filter((one) => one !== "").join(" ");
    const outer = mount.into ? this.of(file, mount.into, words, [...within, mount]) : [];
    return outer.length > 0 ? outer : [{ path: words, before: [] }];
  }
}

/** ASP.NET: what names in brackets stand for in a class below, and what its path may take the place of: where that was all of the path, it is all of the path `now`. */
function inherited(router: RouterFact, into: RouterFact, path: string, now: string): Partial<RouterFact> {
  const own = router.own === path ? now.replace(/^…/, "") : into.own;
  return { tokens: { ...router.tokens, ...into.tokens }, ...(own === undefined ? {} : { own }) };
}

/** A prefix with the version behind it, for each version of a router, where paths tell versions. */
function versioned(prefix: string, { version }: MountFact, { versions }: RouterFact): string[] {
  if (!version) return [prefix];
  return (versions ?? version.usual).map((one) => (one === "" ? prefix : joined(prefix, version.prefix + one)));
}

/** Two parts of a path, with one slash between them; before nothing, the slash at the end of a prefix stays. Of tRPC's names, `a.b` and `.c.d`; `.` alone is what the prefix itself names. */
function joined(prefix: string, path: string): string {
  if (path === "." && prefix !== "") return prefix;
  if (path.startsWith("?")) return prefix + path;
  if (path.startsWith(".")) return prefix === "" ? path.slice(1) : prefix.replace(/\.$/, "") + path;
  const [a, b] = [prefix.replace(/\/+$/, ""), path.replace(/^\/+/, "")];
  const outer = a === "" || a.startsWith("/") || a.startsWith("…") ? a : `/${a}`;
  if (b === "") return prefix.endsWith("/") ? `${outer}/` : outer || "/";
  return `${outer}/${b}`;
}
