import type { SymbolFact } from "../../facts.ts";

const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;

/** Next.js: the routes that a file is by its path; `source`: its text. */
export function pagesOf(symbols: readonly SymbolFact[], path: string, source: string): { name: string; symbol: number }[] {
  // `export default withSession(handler)`
  const [, wrapped] = /^export\s+default\s+(?:await\s+)?[\w.$]+\((?:[\w.$]+\()*\s*([\w$]+)\s*[,)]/m.exec(source) ?? [];
  const isPage = ({ name, entry, parent }: SymbolFact): boolean => parent < 0 && (entry === "route" || name === wrapped);
  const [, app, kind] = /(?:^|\/)app\/(?:(.*)\/)?(route|page)\.[jt]sx?$/.exec(path) ?? [];
  // What a folder with an underscore has is for other files alone.
  if (/(?:^|\/)_/.test(app ?? "")) return [];
  if (kind !== undefined) {
    const at = pathOf(app ?? "");
    const others = kind === "route" ? otherNames(source) : [];
    return symbols.flatMap(({ name, exported, parent, entry }, symbol) => {
      if (parent >= 0) return [];
      const names = [...(exported ? [name] : []), ...others.flatMap(([own, other]) => (own === name ? [other] : []))];
      if (kind === "route") return names.filter((one) => METHOD.test(one)).map((one) => ({ name: `${one} ${at}`, symbol }));
      return (exported && entry === "route") || name === wrapped ? [{ name: `PAGE ${at}`, symbol }] : [];
    });
  }
  if (/^(?:.*\/)?(?:middleware|proxy)\.[jt]s$/.test(path) && source.includes("next/server")) {
    const [, matcher = ""] = /\bmatcher\s*:\s*(\[[^\]]*\]|["'`][^"'`]*["'`])/.exec(source) ?? [];
    const paths = [...matcher.matchAll(/["'`](\/[^"'`]*)["'`]/g)].map(([, one = ""]) => one);
    return symbols.flatMap(({ name, parent }, symbol) => (parent < 0 && /^(?:middleware|proxy)$/.test(name) ? [{ name: `MIDDLEWARE ${paths.length > 0 ? paths.join(", ") : "/*"}`, symbol }] : []));
  }
  const [, page] = /(?:^|\/)pages\/(.*)\.[jt]sx?$/.exec(path) ?? [];
  if (page === undefined || page.startsWith("_")) return [];
  return symbols.flatMap((one, symbol) => (isPage(one) ? [{ name: `${page.startsWith("api/") ? "ANY" : "PAGE"} ${pathOf(page.replace(/(?:^|\/)index$/, ""))}`, symbol }] : []));
}

/** `export { handler as GET, handler as POST }` */
function otherNames(source: string): [own: string, other: string][] {
  return [...source.matchAll(/^export\s*\{([^}]*)\}(?!\s*from)/gm)].flatMap(([, list = ""]) => (
    [...list.matchAll(/([\w$]+)\s+as\s+([\w$]+)/g)].map(([, own = "", other = ""]): [string, string] => [own, other])
  ));
}

/** Groups in brackets and slots are no part of a path; `[id]` is a parameter, and `(.)` stands before what is shown in place of a page. */
function pathOf(folder: string): string {
  const parts = folder.split("/").filter((part) => part !== "" && !/^\([^)]*\)$/.test(part) && !part.startsWith("@")).reduce<string[]>((above, part) => {
    const [, dots = "", name = part] = /^((?:\(\.{1,3}\))+)(.*)$/.exec(part) ?? [];
    const up = dots.includes("(...)") ? above.length : dots.split("(..)").length - 1;
    return [...above.slice(0, above.length - up), name];
  }, []);
  return `/${parts.map((part) => part.replace(/^\[\[?(?:\.\.\.)?(\w+)\]?\]$/, (whole, name: string) => (whole.includes("...") ? `*${name}` : `:${name}`))).join("/")}`;
}
