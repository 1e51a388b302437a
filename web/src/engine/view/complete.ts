/** What a user who types a name may mean. Asked at each key. */
import type { Codebase } from "../codebase.ts";
import type { Tool } from "../tools.ts";
import { qualifiedName } from "../tools/answers.ts";
import { number, oneOf } from "../tools/arguments.ts";
import { indexOf, isSymbol } from "../tools/codebase-index.ts";
import { Pieces, type Turns } from "../turns.ts";

const KINDS = ["symbol", "file", "cluster"] as const;
type Kind = (typeof KINDS)[number];

export interface Completions {
  values: string[];
  /** How many match. */
  total: number;
}

interface Name {
  text: string;
  lower: string;
  /** The file of each node that has it. */
  files: string[];
}

/** Typed letters from which others may stand between them, and from which one may be wrong. */
const GAPS = 3;
const FORGIVING = 4;

/** The longest text that is completed. */
const MAX_TYPED = 200;
/** Rows of edit distances, for beginsAlmost. */
const rows: [Uint16Array, Uint16Array, Uint16Array] = [new Uint16Array(MAX_TYPED + 1), new Uint16Array(MAX_TYPED + 1), new Uint16Array(MAX_TYPED + 1)];

/** More connections than that count as so many: a key has to stay a whole number. */
const CONNECTIONS = 2 ** 20;

/** Nodes that are listed without a turn for others. */
const PIECE = 1_000;

const known = new WeakMap<Codebase, Partial<Record<Kind, Pieces<readonly Name[]>>>>();

/**
 * The names that are what was typed, then those that begin with it, that have a word that does, that hold it, that have
 * its letters in this order; where there are none, those that begin almost so.
 */
export const complete: Tool = (args, { codebase }): Completions => {
  const kind = oneOf(args, "kind", KINDS);
  const typed = typeof args["typed"] === "string" ? args["typed"].trim().slice(0, MAX_TYPED).toLowerCase() : "";
  const limit = number(args, "limit", 100);
  const names = namesOf(codebase, kind).now;
  // `file:name`, for a name that many files have.
  const colon = kind === "symbol" ? typed.lastIndexOf(":") : -1;
  const file = typed.slice(0, Math.max(colon, 0));
  const wanted = typed.slice(colon + 1);
  const tiers: string[][] = [[], [], [], [], []];
  const offer = ({ text, files }: Name, tier: number): void => {
    if (colon < 0) tiers[tier]!.push(text);
    else for (const each of files) if (each.toLowerCase().includes(file)) tiers[tier]!.push(`${each}:${text}`);
  };
  const separator = kind === "file" ? "/" : ".";
  for (const name of names) {
    const tier = tierOf(name, wanted, separator);
    if (tier !== undefined) offer(name, tier);
  }
  if (wanted.length >= FORGIVING && tiers.every((tier) => tier.length === 0)) {
    // What has an owner or a folder is compared as a whole, all else with the last part.
    const partOf = wanted.includes(separator) ? (lower: string) => lower : (lower: string) => lower.slice(lower.lastIndexOf(separator) + 1);
    for (const name of names) if (beginsAlmost(partOf(name.lower), wanted)) offer(name, 0);
  }
  // Overloads have one name in one file.
  const values = colon < 0 ? tiers.flat() : [...new Set(tiers.flat())];
  return { values: values.slice(0, limit), total: values.length };
};

/** 0 where the name, or its last part, is the wanted one, to 4; undefined for no match. */
function tierOf({ text, lower }: Name, wanted: string, separator: string): number | undefined {
  if (wanted === "") return 0;
  let best: number | undefined;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
    if (at === 0 || lower[at - 1] === separator) {
      if (at + wanted.length === lower.length) return 0;
      best = 1;
    } else if (best !== 1) {
      // A capital, or anything after what is no letter, begins a word.
      best = text[at] !== lower[at] || /[^\p{L}\d]/u.test(lower[at - 1]!) ? 2 : best ?? 3;
    }
  }
  return best ?? (wanted.length >= GAPS && isSubsequence(wanted, lower) ? 4 : undefined);
}

function isSubsequence(letters: string, text: string): boolean {
  let at = -1;
  for (let i = 0; i < letters.length; i++) {
    at = text.indexOf(letters[i]!, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Whether a beginning of the name has one letter more, less, another one or two swapped; from eight letters on two of these. */
function beginsAlmost(name: string, wanted: string): boolean {
  // Whoever mistypes seldom does so at the first letter; most names need no more than this look.
  if (name[0] !== wanted[0] && name[0] !== wanted[1] && name[1] !== wanted[0]) return false;
  const max = wanted.length >= 2 * FORGIVING ? 2 : 1;
  const width = wanted.length;
  let [before, previous, current] = rows;
  for (let j = 0; j <= width; j++) previous[j] = j;
  for (let i = 1; i <= Math.min(name.length, width + max); i++) {
    const letter = name.charCodeAt(i - 1);
    let best = current[0] = i;
    for (let j = 1; j <= width; j++) {
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (letter === wanted.charCodeAt(j - 1) ? 0 : 1));
      if (i > 1 && j > 1 && letter === wanted.charCodeAt(j - 2) && name.charCodeAt(i - 2) === wanted.charCodeAt(j - 1)) cost = Math.min(cost, before[j - 2]! + 1);
      current[j] = cost;
      best = Math.min(best, cost);
    }
    if (current[width]! <= max) return true;
    if (best > max) return false;
    [before, previous, current] = [previous, current, before];
  }
  return false;
}

/** Makes the lists of names, which the first key would wait for. */
export async function prepareNames(codebase: Codebase, turns: Turns): Promise<void> {
  for (const kind of KINDS) await namesOf(codebase, kind).prepare(turns);
}

/** Takes over the names of a codebase that differs in its clusters alone. */
export function carryNames(before: Codebase, codebase: Codebase): void {
  const { symbol, file } = known.get(before) ?? {};
  if (symbol && file) known.set(codebase, { symbol, file });
}

/** The names of a kind, each once: most connected first, those of tests last. */
function namesOf(codebase: Codebase, kind: Kind): Pieces<readonly Name[]> {
  let names = known.get(codebase);
  if (!names) known.set(codebase, names = {});
  return (names[kind] ??= new Pieces(listNames(codebase, kind)));
}

function* listNames(codebase: Codebase, kind: Kind): Generator<undefined, Name[]> {
  const names = new Map<string, Name>();
  const add = (text: string, file: string): void => {
    const name = names.get(text);
    if (name) name.files.push(file);
    else names.set(text, { text, lower: text.toLowerCase(), files: [file] });
  };
  if (kind === "cluster") {
    for (const { label } of codebase.communities) add(label, "");
    return [...names.values()];
  }
  const { graph: { nodes } } = codebase;
  const { connections } = indexOf(codebase);
  yield;
  // Of 40,000 nodes, numbers are sorted in a tenth of the time: test, then the fewest connections, then the node.
  const keys = new Float64Array(nodes.length);
  let count = 0;
  nodes.forEach((node, i) => {
    if (kind === "file" ? node.kind !== "File" : !isSymbol(node)) return;
    keys[count++] = ((node.test ? 1 : 0) * CONNECTIONS + CONNECTIONS - 1 - Math.min(connections[i]!, CONNECTIONS - 1)) * nodes.length + i;
  });
  yield;
  let left = PIECE;
  for (const key of keys.subarray(0, count).sort()) {
    const node = nodes[key % nodes.length]!;
    add(kind === "file" ? node.file : qualifiedName(node), node.file);
    if (--left > 0) continue;
    left = PIECE;
    yield;
  }
  return [...names.values()];
}
