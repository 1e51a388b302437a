/** What the view says, in plain words: link states, durations, counts, arguments. */
import type { LinkState } from "../messages.ts";
import type { Phase } from "../engine/codebase.ts";
import type { ViewName } from "./address.ts";
import { strings } from "./strings.ts";

export type Tone = "good" | "warn" | "bad" | "quiet";

export interface LinkWords {
  /** At most three words. */
  title: string;
  /** One sentence that says what it means, and what happens next. */
  detail: string;
  tone: Tone;
}

/** The link's state for people. The countdown of "waiting" is not in it: it changes by the second. */
export function linkWords(link: LinkState): LinkWords {
  switch (link.state) {
    case "unpaired":
      return { title: strings.words.notPaired, detail: strings.words.thisBrowserHasNo, tone: "warn" };
    case "refused":
      return { title: strings.words.refused, detail: sentence(link.reason), tone: "bad" };
    case "connecting":
      return link.attempt === 0
        ? { title: strings.words.connecting, detail: strings.words.lookingForGitnexusMcp, tone: "quiet" }
        : { title: strings.words.reconnecting, detail: strings.words.attemptToReachGitnexus(link.attempt + 1), tone: "warn" };
    case "connected":
      return {
        title: strings.words.connected,
        detail: strings.words.linkedToGitnexusMcp(link.hub.version, link.hub.pid),
        tone: "good",
      };
    case "waiting":
      return { title: strings.words.disconnected, detail: sentence(link.reason), tone: "warn" };
  }
}

/** Whole seconds left until `at`, at least 0; both in milliseconds since the epoch. */
export function secondsLeft(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / 1000));
}

/** `0 ms`, `840 ms`, `2.4 s`, `34 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return strings.words.ms(Math.round(ms));
  if (ms < 9950) return strings.words.s((ms / 1000).toFixed(1));
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return strings.words.s(seconds);
  const rest = seconds % 60;
  const minutes = Math.floor(seconds / 60);
  return rest > 0 ? strings.words.minAndS(minutes, rest) : strings.words.min(minutes);
}

/** For what is a guess: `about 4 s`, `about 50 s`, `about 3 min`. */
export function roughly(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return strings.words.about(seconds <= 60 ? strings.words.s(seconds < 10 ? seconds : 10 * Math.ceil(seconds / 10)) : strings.words.min(Math.ceil(seconds / 60)));
}

/** `1,234`. What the browser has for this takes 0.1 s at first, while parsers want the processor. */
export function count(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+(?!\d))/gu, ",");
}

export type Unit = keyof typeof strings.units;

/** `node` for one, `nodes` for any other number. */
export function unitOf(n: number, unit: Unit): string {
  return strings.units[unit][n === 1 ? 0 : 1]!;
}

/** `1 node`, `2 nodes`. */
export function counted(n: number, unit: Unit): string {
  return `${count(n)} ${unitOf(n, unit)}`;
}

/** `512 B`, `3.4 KB`, `1.2 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return strings.words.bytes(bytes);
  if (bytes < 1_000_000) return strings.words.kilobytes((bytes / 1000).toFixed(bytes < 9950 ? 1 : 0));
  return strings.words.megabytes((bytes / 1_000_000).toFixed(1));
}

/** `just now`, `4 min ago`, `3 h ago`, `2 days ago`. */
export function ago(then: number, now: number): string {
  const minutes = Math.floor((now - then) / 60_000);
  if (minutes < 1) return strings.words.justNow;
  if (minutes < 60) return strings.words.minAgo(minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? strings.words.hoursAgo(hours) : strings.words.daysAgo(Math.floor(hours / 24));
}

/**
 * Arguments on one line, most telling first: the values that say what is asked, then the rest as name=value.
 * `debug` and values that are false or null say nothing.
 */
export function briefArguments(args: Record<string, unknown>, limit = 80): string {
  const telling = ["query", "pattern", "target", "name", "filePath", "from", "nodeIds"];
  const entries = Object.entries(args).filter(([key, v]) => key !== "debug" && v !== null && v !== undefined && v !== false);
  const rank = (key: string): number => {
    const at = telling.indexOf(key);
    return at < 0 ? telling.length : at;
  };
  const text = entries
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([key, v]) => (rank(key) < telling.length ? brief(v) : `${key}=${brief(v)}`))
    .join(" ");
  return cut(text, limit);
}

/** At most `limit` characters on one line, the last one an ellipsis when something was cut. */
export function cut(text: string, limit: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}

export const VIEW_WORDS: Readonly<Record<ViewName, string>> = {
  map: strings.words.map, read: strings.words.read, local: strings.words.surroundings, impact: strings.words.impact, path: strings.words.path, process: strings.words.process, call: strings.words.anAgentsCall, changes: strings.words.changes, trail: strings.words.trail, query: strings.words.query, activity: strings.words.activity,
};

/** What each phase of indexing does. */
export const PHASE_WORDS: Record<Phase, { title: string; unit: Unit }> = {
  read: { title: strings.words.readingFiles, unit: "file" },
  parse: { title: strings.words.parsing, unit: "file" },
  resolve: { title: strings.words.joiningNamesToDeclarations, unit: "file" },
  cluster: { title: strings.words.findingClustersAndProcesses, unit: "step" },
  search: { title: strings.words.buildingTheSearchIndex, unit: "symbol" },
  database: { title: strings.words.fillingTheGraphDatabase, unit: "row" },
};

function brief(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    const first = value.slice(0, 2).map(brief).join(", ");
    return value.length > 2 ? `${first} +${value.length - 2}` : first;
  }
  return JSON.stringify(value);
}

/** Begins with a capital and ends with a full stop, whatever it came as. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  const started = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?…]$/.test(started) ? started : `${started}.`;
}
