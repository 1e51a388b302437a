import { count } from "./answers.ts";
import type { Direction } from "./reach.ts";

export const RISK_LEVELS = ["LOW", "MEDIUM", "HIGH", "CRITICAL"] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

export interface Risk {
  level: RiskLevel;
  /** What made the level, in words with the figures. */
  reasons: string[];
}

/** What a change reaches, in figures. */
export interface Spread {
  direct: number;
  total: number;
  /** Entry points of the processes that are touched: many flows from one of them are one thing to test. */
  entries: number;
  clusters: number;
}

/** From how many on a figure means MEDIUM, HIGH, CRITICAL. */
const LIMITS: Record<keyof Spread, [number, number, number]> = {
  direct: [4, 12, 30],
  total: [12, 40, 120],
  entries: [2, 5, 15],
  clusters: [3, 5, 8],
};

/**
 * Upstream: what a change of the target can break. Downstream: how exposed the target is to changes elsewhere.
 * The level is the highest that one of the figures reaches; the reasons are the figures that reach it.
 */
export function riskOf(spread: Spread, direction: Direction): Risk {
  const upstream = direction === "upstream";
  if (spread.total === 0) return { level: "LOW", reasons: [upstream ? "nothing in the graph depends on it" : "it depends on nothing in the graph"] };
  const inWords = (key: keyof Spread): string => {
    const n = spread[key];
    switch (key) {
      case "direct": return count(n, upstream ? "direct dependent" : "direct dependency", upstream ? "direct dependents" : "direct dependencies");
      case "total": return `${count(n, upstream ? "dependent" : "dependency", upstream ? "dependents" : "dependencies")} within the depth`;
      case "entries": return `processes from ${count(n, "entry point")}`;
      case "clusters": return count(n, "cluster");
    }
  };
  const reached = (Object.keys(LIMITS) as (keyof Spread)[]).map((key) => {
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
