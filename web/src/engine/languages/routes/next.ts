import type { SymbolFact } from "../../facts.ts";

const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;

/** Next.js: the routes that a file is by its path. */
export function pagesOf(symbols: readonly SymbolFact[], path: string): { name: string; symbol: number }[] {
  const [, app, kind] = /(?:^|\/)app\/(?:(.*)\/)?(route|page)\.[jt]sx?$/.exec(path) ?? [];
  if (kind !== undefined) {
    const at = pathOf(app ?? "");
    return symbols.flatMap(({ name, exported, parent, entry }, symbol) => {
      if (!exported || parent >= 0) return [];
      if (kind === "route") return METHOD.test(name) ? [{ name: `${name} ${at}`, symbol }] : [];
      return entry === "route" ? [{ name: `PAGE ${at}`, symbol }] : [];
    });
  }
  const [, page] = /(?:^|\/)pages\/(.*)\.[jt]sx?$/.exec(path) ?? [];
  if (page === undefined || page.startsWith("_")) return [];
  return symbols.flatMap(({ entry, parent }, symbol) => (entry === "route" && parent < 0 ? [{ name: `${page.startsWith("api/") ? "ANY" : "PAGE"} ${pathOf(page.replace(/(?:^|\/)index$/, ""))}`, symbol }] : []));
}

/** Groups in brackets and slots are no part of a path; `[id]` is a parameter. */
function pathOf(folder: string): string {
  const parts = folder.split("/").filter((part) => part !== "" && !/^\(.*\)$/.test(part) && !part.startsWith("@"));
  return `/${parts.map((part) => part.replace(/^\[\[?(?:\.\.\.)?(\w+)\]?\]$/, (whole, name: string) => (whole.includes("...") ? `*${name}` : `:${name}`))).join("/")}`;
}
