/** Text of .gitignore files by the path of their folder ("" for the root). */
export type IgnoreFiles = ReadonlyMap<string, string>;

interface Rule {
  /** Matches a path relative to the .gitignore's folder. */
  pattern: RegExp;
  foldersOnly: boolean;
  negated: boolean;
}

/**
 * Decides like git which paths are ignored: in each .gitignore the last rule that matches counts, a deeper file before
 * a higher one, and nothing below an ignored folder comes back.
 */
export class Ignore {
  private readonly rules = new Map<string, readonly Rule[]>();
  private readonly folders = new Map<string, string | undefined>([["", undefined]]);

  constructor(files: IgnoreFiles) {
    for (const [folder, text] of files) this.rules.set(folder, parse(text));
  }

  /** What makes a file ignored: its own path, or that of the highest folder around it that is; undefined when nothing does. */
  cause(path: string): string | undefined {
    return this.folderCause(parentOf(path)) ?? (this.verdict(path, false) ? path : undefined);
  }

  private folderCause(folder: string): string | undefined {
    if (this.folders.has(folder)) return this.folders.get(folder);
    const cause = this.folderCause(parentOf(folder)) ?? (this.verdict(folder, true) ? folder : undefined);
    this.folders.set(folder, cause);
    return cause;
  }

  private verdict(path: string, isFolder: boolean): boolean {
    for (let folder = parentOf(path); ; folder = parentOf(folder)) {
      const relative = folder === "" ? path : path.slice(folder.length + 1);
      const rule = this.rules.get(folder)?.findLast((r) => (isFolder || !r.foldersOnly) && r.pattern.test(relative));
      if (rule) return !rule.negated;
      if (folder === "") return false;
    }
  }
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

function parse(text: string): Rule[] {
  return text.split("\n").flatMap((line) => {
    // Trailing spaces go unless the last one is escaped.
    let pattern = line.replace(/\r$/, "").replace(/(?<!\\) +$/, "");
    if (pattern === "" || pattern.startsWith("#")) return [];
    const negated = pattern.startsWith("!");
    if (negated) pattern = pattern.slice(1);
    const foldersOnly = pattern.endsWith("/");
    if (foldersOnly) pattern = pattern.slice(0, -1);
    const compiled = pattern === "" ? undefined : compile(pattern);
    return compiled ? [{ pattern: compiled, foldersOnly, negated }] : [];
  });
}

/** A pattern with a slash anywhere but at its end stands for one place, one without for a name at any depth. */
function compile(pattern: string): RegExp | undefined {
  const anchored = pattern.includes("/");
  const parts = pattern.replace(/^\//, "").split("/");
  let source = anchored ? "^" : "^(?:.*/)?";
  for (const [i, part] of parts.entries()) {
    const last = i === parts.length - 1;
    if (part === "**") {
      // "a/**" means what is in a, "**/a" and "a/**/b" mean any depth, none included.
      source += last ? ".+" : "(?:.*/)?";
      continue;
    }
    const name = compileName(part);
    if (name === undefined) return undefined;
    source += last ? name : `${name}/`;
  }
  try {
    return new RegExp(`${source}$`, "su");
  } catch {
    // Such as a range the wrong way round, [z-a], which matches nothing in git either.
    return undefined;
  }
}

const NOT_LITERAL = /[\\^$.*+?()[\]{}|/-]/;
const CLASSES: Record<string, string> = {
  alnum: "\\p{L}\\p{N}", alpha: "\\p{L}", blank: " \\t", digit: "0-9", lower: "\\p{Ll}", space: "\\s", upper: "\\p{Lu}",
  xdigit: "0-9A-Fa-f", punct: "\\p{P}\\p{S}", word: "\\w",
};

/** One element of a path as a regular expression; undefined for a pattern that can match nothing. */
function compileName(glob: string): string | undefined {
  let source = "";
  const chars = Array.from(glob);
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!;
    if (char === "*") {
      if (chars[i - 1] !== "*") source += "[^/]*";
    } else if (char === "?") {
      source += "[^/]";
    } else if (char === "\\") {
      const next = chars[++i];
      if (next === undefined) return undefined;
      source += escape(next);
    } else if (char === "[") {
      const set = compileSet(chars, i);
      if (!set) return undefined;
      source += set.source;
      i = set.end;
    } else {
      source += escape(char);
    }
  }
  return source;
}

/** Reads `[...]` that begins at `start`; undefined when it does not end. */
function compileSet(chars: readonly string[], start: number): { source: string; end: number } | undefined {
  let i = start + 1;
  const negated = chars[i] === "!" || chars[i] === "^";
  if (negated) i++;
  let inner = "";
  for (let first = true; ; first = false, i++) {
    const char = chars[i];
    if (char === undefined) return undefined;
    if (char === "]" && !first) break;
    const named = char === "[" && chars[i + 1] === ":" ? /^\[:([a-z]+):\]/.exec(chars.slice(i).join(""))?.[1] : undefined;
    if (named !== undefined) {
      const known = CLASSES[named];
      if (known === undefined) return undefined;
      inner += known;
      i += named.length + 3;
    } else if (char === "\\") {
      const next = chars[++i];
      if (next === undefined) return undefined;
      inner += escape(next);
    } else if (char === "-" && !first && chars[i + 1] !== "]") {
      inner += "-";
    } else {
      inner += escape(char);
    }
  }
  return { source: negated ? `(?!/)[^${inner}]` : `(?!/)[${inner}]`, end: i };
}

function escape(char: string): string {
  return NOT_LITERAL.test(char) ? `\\${char}` : char;
}
