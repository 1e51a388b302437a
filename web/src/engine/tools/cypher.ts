import type { Tool } from "../tools.ts";
import { text } from "./arguments.ts";

/** Rows that one answer may have; the rest is counted. */
export const MAX_ROWS = 1000;

/** The answer of the graph database; see cypher/database.ts for its errors. */
export const cypher: Tool = async (args, ctx) => {
  const { columns, rows, totalRows } = await ctx.cypher(text(args, "query"), MAX_ROWS, ctx.signal, ctx.deadline);
  return { columns, rows, totalRows, ...(rows.length < totalRows ? { truncated: true, more: totalRows - rows.length, rest: "SKIP and LIMIT after an ORDER BY" } : {}) };
};
