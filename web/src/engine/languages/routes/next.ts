import type { NamedCode, SymbolFact } from "../../facts.ts";

const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;

/** Next.js: the routes that a file is by its path; `source`: its text. */
export function pagesOf(symbols: readonly SymbolFact[], path: string, source: string): { name: string; symbol?: number; handler?: NamedCode }[] {
  const [, app, kind] = /(?:^|\/)app\/(?:(.*)\/)?(route|page)\.[jt]sx?$/.exec(path) ?? [];
  // What a folder with an underscore has is for other files alone.
  if (/(?:^|\/)_/.test(app ?? "")) return [];
  if (kind !== undefined) {
    const at = pathOf(app ?? "");
    const wrapped = wrappedIn(source);
    const others = kind === "route" ? exportedNames(source).filter(({ name, other, from }) => !from && name !== other) : [];
    const own = new Set(symbols.flatMap(({ name, parent }) => (parent < 0 ? [name] : [])));
    // `export { list as GET } from "./list"`, or of what is imported.
    const elsewhere = (kind === "route" ? exportedNames(source) : []).flatMap(({ name, other, line, from }) => (
      METHOD.test(other) && (from || !own.has(name)) ? [{ name: `${other} ${at}`, handler: { text: name, names: [name], line, endLine: line } }] : []
    ));
    return [...elsewhere, ...symbols.flatMap(({ name, exported, parent, entry }, symbol) => {
      if (parent >= 0) return [];
      const names = [...(exported ? [name] : []), ...others.flatMap((one) => (one.name === name ? [one.other] : []))];
      if (kind === "route") return names.filter((one) => METHOD.test(one)).map((one) => ({ name: `${one} ${at}`, symbol }));
      return (exported && entry === "route") || name === wrapped ? [{ name: `PAGE ${at}`, symbol }] : [];
    })];
  }
  if (/^(?:.*\/)?(?:middleware|proxy)\.[jt]s$/.test(path) && source.includes("next/server")) {
    const [, matcher = ""] = /\bmatcher\s*:\s*(\[[^\]]*\]|["'`][^"'`]*["'`])/.exec(source) ?? [];
    const paths = [...matcher.matchAll(/["'`](\/[^"'`]*)["'`]/g)].map(([, one = ""]) => one);
    return symbols.flatMap(({ name, parent }, symbol) => (parent < 0 && /^(?:middleware|proxy)$/.test(name) ? [{ name: `MIDDLEWARE ${paths.length > 0 ? paths.join(", ") : "/*"}`, symbol }] : []));
  }
  const [, page] = /(?:^|\/)pages\/(.*)\.[jt]sx?$/.exec(path) ?? [];
  if (page === undefined || page.startsWith("_")) return [];
  const wrapped = wrappedIn(source);
  return symbols.flatMap(({ name, entry, parent }, symbol) => (parent < 0 && (entry === "route" || name === wrapped) ? [{ name: `${page.startsWith("api/") ? "ANY" : "PAGE"} ${pathOf(page.replace(/(?:^|\/)index$/, ""))}`, symbol }] : []));
}

/** The function in `export default withSession(handler)`. */
function wrappedIn(source: string): string | undefined {
  return /^export\s+default\s+(?:await\s+)?[\w.$]+\((?:[\w.$]+\()*\s*([\w$]+)\s*[,)]/m.exec(source)?.[1];
}

/** `export { handler as GET, POST }`: the names, those by which others get them, and whether they come `from` another file. */
function exportedNames(source: string): { name: string; other: string; line: number; from: boolean }[] {
  let [line, counted] = [1, 0];
  const lineOf = (index: number): number => {
    for (; counted < index; counted++) if (source[counted] === "\n") line++;
    return line;
  };
  return [...source.matchAll(/^export\s*\{([^}]*)\}(\s*from\b)?/gm)].flatMap(({ index, 0: { length }, 1: list = "", 2: from }) => {
    const start = index + source.slice(index, index + length).indexOf("{") + 1;
    return [...list.matchAll(/([\w$]+)(?:\s+as\s+([\w$]+))?/g)].map(({ index: at, 1: name = "", 2: other = name }) => ({
      name, other, line: lineOf(start + at), from: from !== undefined,
    }));
  });
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
