/** Text of .gitignore files by the path of their folder ("" for the root); undefined for one that cannot be read. */
export type IgnoreFiles = ReadonlyMap<string, string | undefined>;

/** Bounds of one file and of all of them, in rules and in characters. */
const MAX_RULES = 10_000;
const MAX_RULE = 4 << 10;
const MAX_CHARS = 4 << 20;

interface Rule {
  /** Whether it matches a path, split at its slashes, from the .gitignore's folder on. */
  matches: (path: readonly string[]) => boolean;
  foldersOnly: boolean;
  negated: boolean;
}

/**
 * Decides like git which paths are ignored: in each .gitignore the last rule that matches counts, a deeper file before
 * a higher one, and nothing below an ignored folder comes back.
 */
export class Ignore {
  /** Folders whose .gitignore is beyond the bounds, or cannot be read. What it hides is not known, so all that is in them is ignored. */
  readonly beyond = new Set<string>();
  private readonly rules = new Map<string, readonly Rule[]>();
  private readonly folders = new Map<string, string | undefined>([["", undefined]]);

  constructor(files: IgnoreFiles) {
    let chars = 0;
    for (const [folder, text] of files) {
      chars += text?.length ?? 0;
      const rules = text === undefined || chars > MAX_CHARS ? undefined : parse(text);
      if (rules) {
        this.rules.set(folder, rules);
      } else {
        this.beyond.add(folder);
        this.folders.set(folder, folder || ".");
      }
    }
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
      const rules = this.rules.get(folder);
      if (rules) {
        const relative = (folder === "" ? path : path.slice(folder.length + 1)).split("/");
        const rule = rules.findLast((r) => (isFolder || !r.foldersOnly) && r.matches(relative));
        if (rule) return !rule.negated;
      }
      if (folder === "") return false;
    }
  }
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** The rules; undefined when they are too many, or one is too long to be looked at and may match all the same. */
function parse(text: string): Rule[] | undefined {
  const rules: Rule[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("#")) continue;
    let pattern = trimSpaces(line.replace(/\r$/, ""));
    if (pattern === "") continue;
    if (pattern.length > MAX_RULE) {
      // No path is so long, but what stands for it may be.
      if (/[*[\\]/.test(pattern)) return undefined;
      continue;
    }
    const negated = pattern.startsWith("!");
    if (negated) pattern = pattern.slice(1);
    const foldersOnly = pattern.endsWith("/");
    if (foldersOnly) pattern = pattern.slice(0, -1);
    const matches = pattern === "" ? undefined : compile(pattern);
    if (matches) rules.push({ matches, foldersOnly, negated });
  }
  return rules.length > MAX_RULES ? undefined : rules;
}

/** Without the spaces at its end, but for one that is escaped. */
function trimSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end--;
  let escapes = 0;
  while (line[end - 1 - escapes] === "\\") escapes++;
  return line.slice(0, escapes % 2 === 1 ? end + 1 : end);
}

/**
 * A pattern with a slash anywhere but at its end stands for one place, one without for a name at any depth.
 * Undefined for a pattern that can match nothing.
 */
function compile(pattern: string): Rule["matches"] | undefined {
  if (!pattern.includes("/")) {
    const name = compileName(pattern);
    return name && ((path) => matchName(name, path.at(-1)!));
  }
  const elements: Element[] = [];
  for (const part of pattern.replace(/^\//, "").split("/")) {
    const element = part === "**" ? ANY_DEPTH : compileName(part);
    if (!element) return undefined;
    elements.push(element);
  }
  // "a/**" means what is in a, and not a itself.
  if (elements.at(-1) === ANY_DEPTH) elements.push([STAR]);
  return (path) => matchAll(elements, path, (element) => element === ANY_DEPTH, (element, name) => matchName(element as Name, name));
}

/** One character of a name. */
type Glyph = (char: string) => boolean;
const STAR = "*";
type Name = readonly (Glyph | typeof STAR)[];
const ANY_DEPTH = "**";
type Element = Name | typeof ANY_DEPTH;

function matchName(name: Name, text: string): boolean {
  return matchAll(name, Array.from(text), (part) => part === STAR, (part, char) => (part as Glyph)(char));
}

/**
 * Whether the parts of a pattern match all items, where a wild part matches any number of them. Goes back to the last
 * wild part only, so the time is at most the product of the two lengths, whatever the pattern.
 */
function matchAll<P, T>(parts: readonly P[], items: readonly T[], wild: (part: P) => boolean, fits: (part: P, item: T) => boolean): boolean {
  let part = 0;
  let item = 0;
  let lastWild = -1;
  let retry = 0;
  while (item < items.length) {
    if (part < parts.length && wild(parts[part]!)) {
      lastWild = part++;
      retry = item;
    } else if (part < parts.length && fits(parts[part]!, items[item]!)) {
      part++;
      item++;
    } else if (lastWild >= 0) {
      part = lastWild + 1;
      item = ++retry;
    } else {
      return false;
    }
  }
  while (part < parts.length && wild(parts[part]!)) part++;
  return part === parts.length;
}

/** One for all rules: they may have millions of characters. */
const LITERALS = new Map<string, Glyph>();

function itself(char: string): Glyph {
  let glyph = LITERALS.get(char);
  if (!glyph) LITERALS.set(char, (glyph = (c) => c === char));
  return glyph;
}

/** One element of a path; undefined when it can match nothing. Two stars inside of a name are as good as one. */
function compileName(glob: string): Name | undefined {
  const name: (Glyph | typeof STAR)[] = [];
  const chars = Array.from(glob);
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!;
    if (char === "*") {
      name.push(STAR);
    } else if (char === "?") {
      name.push(() => true);
    } else if (char === "\\") {
      const next = chars[++i];
      if (next === undefined) return undefined;
      name.push((c) => c === next);
    } else if (char === "[") {
      const set = compileSet(chars, i);
      if (!set) return undefined;
      name.push(set.glyph);
      i = set.end;
    } else {
      name.push(itself(char));
    }
  }
  return name;
}

/** The sets that have names, as in `[[:digit:]]`. */
const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /^[A-Za-z0-9]$/, alpha: /^[A-Za-z]$/, blank: /^[ \t]$/, digit: /^[0-9]$/, lower: /^[a-z]$/, upper: /^[A-Z]$/,
  space: /^\s$/, punct: /^[!-/:-@[-`{-~]$/, xdigit: /^[0-9A-Fa-f]$/, graph: /^[!-~]$/, print: /^[ -~]$/, cntrl: /^[\x00-\x1f\x7f]$/,
};

/** Reads `[...]` that begins at `start`; undefined when it does not end. */
function compileSet(chars: readonly string[], start: number): { glyph: Glyph; end: number } | undefined {
  let i = start + 1;
  const negated = chars[i] === "!" || chars[i] === "^";
  if (negated) i++;
  const members: Glyph[] = [];
  /** The character at i, unescaped; leaves i at its end. */
  const literal = (): string | undefined => (chars[i] === "\\" ? chars[++i] : chars[i]);
  for (let first = true; first || chars[i] !== "]"; first = false, i++) {
    if (chars[i] === "[" && chars[i + 1] === ":") {
      const name = /^\[:([a-z]*):\]/.exec(chars.slice(i, i + 12).join(""))?.[1];
      const set = name === undefined ? undefined : NAMED[name];
      if (name === undefined || !set) return undefined;
      members.push((c) => set.test(c));
      i += name.length + 3;
      continue;
    }
    const low = literal();
    if (low === undefined) return undefined;
    if (chars[i + 1] === "-" && chars[i + 2] !== undefined && chars[i + 2] !== "]") {
      i += 2;
      const high = literal();
      if (high === undefined) return undefined;
      // As in git, the first matches itself even when the range is the wrong way round.
      members.push((c) => c === low || (c >= low && c <= high));
    } else {
      members.push((c) => c === low);
    }
  }
  return { glyph: (c) => members.some((member) => member(c)) !== negated, end: i };
}
