import type { Node } from "web-tree-sitter";
import { type Call, givenTo } from "./calls.ts";
import type { Router } from "./routers.ts";

/** Django: the lists of routes of a file. All but `urlpatterns` are put under the paths that include them. */
export class Lists {
  private readonly inPlace = new Map<number, Router>();
  private readonly byName = new Map<string, Router>();

  /** `file` has the routes of `urlpatterns`. */
  constructor(private readonly source: string, private readonly file: Router) {}

  /** The list that a route stands in. */
  of(route: Node): Router {
    for (let at = route.parent; at; at = at.parent) {
      if (at.type !== "list") continue;
      const known = this.inPlace.get(at.id) ?? this.named(givenTo(at, this.source));
      if (known) return known;
    }
    return this.file;
  }

  /** Takes over `path("api/", include([…]))` and `include(api_patterns)`; false where what is included is another file's. */
  include(prefix: string, { args }: Call, route: Node): boolean {
    let list = args[0]?.node;
    if (list?.type === "tuple") list = list.namedChildren[0];
    const base = this.of(route);
    const router = list?.type === "list" ? made() : list?.type === "identifier" ? this.named(list.text) : undefined;
    if (!list || !router) return false;
    router.mounts.push({ base, prefix, overrides: false });
    if (list.type === "list") this.inPlace.set(list.id, router);
    return true;
  }

  private named(name: string | undefined): Router | undefined {
    if (name === undefined || name === "urlpatterns" || !new RegExp(`^${name}\\s*(?::[^=\\n]*)?=\\s*\\[`, "m").test(this.source)) return undefined;
    let router = this.byName.get(name);
    if (!router) this.byName.set(name, (router = made()));
    return router;
  }
}

function made(): Router {
  return { prefix: "", mounts: [], whole: true, before: [], made: "", line: 1 };
}
