/** Texts that stand between directives, and the groups that `#if` opens. */
type Item = { from: number; to: number } | Group;

interface Group {
  branches: Branch[];
  /** The line of `#endif`. */
  end: { from: number; to: number };
}

interface Branch {
  directive: { from: number; to: number };
  condition: string;
  items: Item[];
}

/** What a part does to the text around it. */
interface Effect {
  /** Braces and parentheses that it opens, less those that it closes; and the least on the way. */
  depth: number;
  least: number;
  /** Its last sign, "" for none. */
  last: string;
}

const DIRECTIVE = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b((?:[^\n\\]|\\\r?\n|\\[^\n])*)/gm;
const MAX_DEPTH = 100;

/** What goes on with an `if` that stands before the condition, and within how many characters of that it begins. */
const ELSE = /^\s*else\b/;
const ELSE_WITHIN = 200;

/**
 * A text without the conditions that the grammar has no place for: those that cut through a declaration or a statement.
 * Of these the first branch stays. A condition around whole ones stays with all its branches, but `#if 0` with none.
 * `plain` is the text without comments and texts, of the same length.
 */
export function conditions(source: string, plain: string): string {
  const blanks: { from: number; to: number }[] = [];
  const { items } = read(plain);
  effectOf(items, { depth: 0, least: 0, last: "" }, plain, blanks, 0);
  const chars: string[] = [];
  let at = 0;
  for (const { from, to } of blanks.sort((a, b) => a.from - b.from)) {
    if (to <= at) continue;
    chars.push(source.slice(at, Math.max(at, from)), source.slice(Math.max(at, from), to).replace(/[^\n\r]/g, " "));
    at = to;
  }
  return chars.join("") + source.slice(at);
}

function read(plain: string): { items: Item[] } {
  const root: { items: Item[] } = { items: [] };
  const open: { group: Group; outer: { items: Item[] } }[] = [];
  let inside = root;
  let at = 0;
  for (const { 0: text, 1: kind = "", 2: condition = "", index } of plain.matchAll(DIRECTIVE)) {
    const directive = { from: index, to: index + text.length };
    if (index > at) inside.items.push({ from: at, to: index });
    at = directive.to;
    const top = open.at(-1);
    if (kind.startsWith("if")) {
      const branch: Branch = { directive, condition: condition.trim(), items: [] };
      const group: Group = { branches: [branch], end: directive };
      inside.items.push(group);
      open.push({ group, outer: inside });
      inside = branch;
    } else if (top && kind === "endif") {
      top.group.end = directive;
      inside = top.outer;
      open.pop();
    } else if (top) {
      const branch: Branch = { directive, condition: condition.trim(), items: [] };
      top.group.branches.push(branch);
      inside = branch;
    }
  }
  if (at < plain.length) inside.items.push({ from: at, to: plain.length });
  return root;
}

function effectOf(items: readonly Item[], before: Effect, plain: string, blanks: { from: number; to: number }[], level: number): Effect {
  let effect = before;
  for (const item of items) effect = "branches" in item ? effectOfGroup(item, effect, plain, blanks, level) : effectOfText(plain, item, effect);
  return effect;
}

function effectOfGroup({ branches, end }: Group, before: Effect, plain: string, blanks: { from: number; to: number }[], level: number): Effect {
  const start: Effect = { depth: 0, least: 0, last: before.last };
  if (level > MAX_DEPTH) return before;
  const all = branches.map((branch) => {
    const own: { from: number; to: number }[] = [];
    if (branch.condition === "0") return { branch, own: [whole(branch)].filter(({ from, to }) => to > from), effect: start, dead: true, empty: true };
    const effect = effectOf(branch.items, start, plain, own, level + 1);
    return { branch, own, effect, dead: false, empty: isEmpty(branch, plain) };
  });
  const live = all.filter(({ dead, empty }) => !dead && !empty);
  const balanced = live.every(({ effect }) => effect.depth === 0 && effect.least >= 0);
  const goesOn = live.some(({ branch }) => ELSE.test(plain.slice(branch.directive.to, branch.directive.to + ELSE_WITHIN)));
  if (balanced && !goesOn && /^[;{}:]?$/.test(before.last) && live.every(({ effect }) => /^[;}:]?$/.test(effect.last))) {
    for (const { own } of all) blanks.push(...own);
    return { ...before, last: live.at(-1)?.effect.last ?? before.last };
  }
  const list = balanced && /^[,{(]$/.test(before.last) && live.every(({ effect }) => effect.last === ",");
  const kept = list ? live : live.slice(0, 1);
  for (const { branch, own } of all) {
    blanks.push(branch.directive);
    if (kept.some((one) => one.branch === branch)) blanks.push(...own);
    else blanks.push(whole(branch));
  }
  blanks.push(end);
  const one = kept.at(-1)?.effect;
  return one ? { depth: before.depth + one.depth, least: Math.min(before.least, before.depth + one.least), last: one.last } : before;
}

/** All that stands in a branch. */
function whole({ directive, items }: Branch): { from: number; to: number } {
  const last = items.at(-1);
  return { from: directive.to, to: last ? ("branches" in last ? last.end.to : last.to) : directive.to };
}

function isEmpty({ items }: Branch, plain: string): boolean {
  return items.every((item) => !("branches" in item) && effectOfText(plain, item, { depth: 0, least: 0, last: "" }).last === "");
}

function effectOfText(plain: string, { from, to }: { from: number; to: number }, before: Effect): Effect {
  let { depth, least, last } = before;
  for (let at = from; at < to; at++) {
    const c = plain[at]!;
    if (c === " " || c === "\n" || c === "\t" || c === "\r" || c === "\f") continue;
    if (c === "#" && beginsLine(plain, at)) {
      // Another directive: it ends with its line.
      while (at < to && plain[at] !== "\n") at += plain[at] === "\\" ? 2 : 1;
      continue;
    }
    if (c === "(" || c === "{" || c === "[") depth++;
    else if (c === ")" || c === "}" || c === "]") {
      depth--;
      least = Math.min(least, depth);
    }
    last = c;
  }
  return { depth, least, last };
}

/** Whether only blanks stand before in the line. */
function beginsLine(plain: string, at: number): boolean {
  while (at > 0 && plain[at - 1] !== "\n" && /\s/.test(plain[at - 1]!)) at--;
  return at === 0 || plain[at - 1] === "\n";
}
