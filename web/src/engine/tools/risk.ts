import { count } from "./answers.ts";
import type { Direction } from "./reach.ts";

export const RISK_LEVELS = ["LOW", "MEDIUM", "HIGH", "CRITICAL"] as const;
/** "unknown" where it would be LOW by what the graph has, and there may be more. */
export type RiskLevel = (typeof RISK_LEVELS)[number] | "unknown";

export interface Risk {
  level: RiskLevel;
  /** What made the level, in words with the figures. */
  reasons: string[];
}

/** What a change reaches, in figures: what is sure, and how much more is only possible. */
export interface Spread {
  direct: number;
  total: number;
  possible: number;
  /** Entry points of the processes that are touched: many flows from one of them are one thing to test. */
  entries: number;
  clusters: number;
  /** Sure dependents, however far away, where `total` is below ANY_DEPTH, at which counting stops. 0 otherwise, and downstream. */
  anyDepth: number;
}

/** From so many dependents on, however far away, a risk is not LOW. */
export const ANY_DEPTH = 12;

/** From how many on a figure means MEDIUM, HIGH, CRITICAL. */
const LIMITS: Record<Exclude<keyof Spread, "possible">, [number, number, number]> = {
  direct: [4, 12, 30],
  total: [12, 40, 120],
  entries: [2, 5, 15],
  clusters: [3, 5, 8],
  anyDepth: [ANY_DEPTH, Infinity, Infinity],
};

/**
 * Upstream: what a change of the target can break. Downstream: how exposed the target is to changes elsewhere.
 * The level is the highest that one of the figures reaches; the reasons are the figures that reach it. `others` are the
 * reasons why there may be more than the figures say: with one of them, or with what is only possible, nothing is LOW. `named`, of
 * types alone, is one of these that is told at every level.
 */
export function riskOf(spread: Spread, direction: Direction, { reasons: others, named }: { reasons: readonly string[]; named?: string } = { reasons: [] }): Risk {
  const known = levelOf(spread, direction);
  const { possible } = spread;
  const always = named === undefined ? [] : [named];
  const unsure = possible === 0 ? [] : [`${direction === "upstream" ? count(possible, "dependent") : count(possible, "dependency", "dependencies")} only possible`];
  const unknowns = [...unsure, ...others, ...always];
  if (known.level !== "LOW") return { ...known, reasons: [...known.reasons, ...always] };
  if (unknowns.length === 0) return known;
  return { level: "unknown", reasons: [...(spread.total > 0 ? known.reasons : [direction === "upstream" ? "no sure dependent outside of tests" : "no sure dependency"]), ...unknowns] };
}

function levelOf(spread: Spread, direction: Direction): Risk {
  const upstream = direction === "upstream";
  if (spread.total === 0) return { level: "LOW", reasons: [upstream ? "nothing in the graph depends on it" : "it depends on nothing in the graph"] };
  const inWords = (key: keyof typeof LIMITS): string => {
    const n = spread[key];
    switch (key) {
      case "direct": return count(n, upstream ? "direct dependent" : "direct dependency", upstream ? "direct dependents" : "direct dependencies");
      case "total": return `${count(n, upstream ? "dependent" : "dependency", upstream ? "dependents" : "dependencies")} within the depth`;
      case "entries": return `processes from ${count(n, "entry point")}`;
      case "clusters": return count(n, "cluster");
      case "anyDepth": return `at least ${count(n, "dependent")} at any depth`;
    }
  };
  const reached = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).map((key) => {
    const level = LIMITS[key].filter((limit) => spread[key] >= limit).length;
    return { key, level };
  });
  const level = Math.max(...reached.map((r) => r.level));
  const reasons = reached
    .filter((r) => r.level === level && (level > 0 || r.key === "direct" || r.key === "total"))
    .map(({ key }) => {
      return level === 0 ? `${inWords(key)} (below ${LIMITS[key][0]})` : `${inWords(key)} (${LIMITS[key][level - 1]!} or more)`;
    });
  return { level: RISK_LEVELS[level]!, reasons };
}

/** What a change of files reaches, in figures. */
export interface ChangeSpread {
  /** Files that depend on the changed ones directly, and through others. */
  direct: number;
  further: number;
  /** Entry points of the processes that are touched. */
  entries: number;
  clusters: number;
  /** Connections of the best connected symbol in the changed files. */
  hottest: number;
  /** Changed files of code that no test reaches, of how many. */
  untested: number;
  code: number;
  /** Files of tests that depend on them. */
  tests: number;
}

export interface Score {
  /** 0 to 100. */
  score: number;
  level: RiskLevel;
  /** What made it, the most first, each with its points. */
  reasons: string[];
}

/** For each figure the most points it can give, and the value at which it gives half of them. */
const POINTS: Record<Exclude<keyof ChangeSpread, "untested" | "code" | "tests">, { most: number; half: number }> = {
  direct: { most: 30, half: 6 },
  further: { most: 15, half: 15 },
  entries: { most: 20, half: 4 },
  clusters: { most: 10, half: 4 },
  hottest: { most: 15, half: 15 },
};
const UNTESTED_POINTS = 10;

/** As riskOf has it: `unknowns` make LOW unknown. A figure's points grow towards its most, ever more slowly: the tenth dependent says less than the first. */
export function scoreOf(spread: ChangeSpread, unknowns: readonly string[] = []): Score {
  const { direct, further, entries, clusters, hottest, untested, code, tests } = spread;
  // One cluster is where the change is.
  const figures = { direct, further, entries, clusters: Math.max(0, clusters - 1), hottest };
  const words: Record<keyof typeof figures, string> = {
    direct: `${count(direct, "file")} ${direct === 1 ? "depends" : "depend"} on it directly`,
    further: `${count(further, "file")} more through others`,
    entries: `processes from ${count(entries, "entry point")}`,
    clusters: `touches ${count(clusters, "cluster")}`,
    hottest: `its best connected symbol has ${count(hottest, "connection")}`,
  };
  const parts = (Object.keys(figures) as (keyof typeof figures)[]).map((key) => {
    const { most, half } = POINTS[key];
    return { points: Math.round((most * figures[key]) / (figures[key] + half)), words: words[key] };
  });
  if (untested > 0) parts.push({ points: Math.round((UNTESTED_POINTS * untested) / code), words: `no test is known to reach ${untested === code ? "it" : `${untested} of ${count(code, "changed file")}`}` });
  const telling = parts.filter(({ points }) => points > 0).sort((a, b) => b.points - a.points);
  const score = telling.reduce((sum, { points }) => sum + points, 0);
  const level = RISK_LEVELS[Math.min(3, Math.floor(score / 25))]!;
  const none = tests > 0 ? `only tests depend on it (${count(tests, "file")})` : unknowns.length > 0 ? "no sure dependent outside of tests" : "nothing in the graph depends on it";
  const reasons = telling.length > 0 ? telling.map(({ points, words: reason }) => `+${points} ${reason}`) : [none];
  return level === "LOW" && unknowns.length > 0 ? { score, level: "unknown", reasons: [...reasons, ...unknowns] } : { score, level, reasons };
}
