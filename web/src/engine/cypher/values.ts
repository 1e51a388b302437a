/** Makes the database's values plain JSON. */

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Numbers arrive as Number objects, 64-bit ones as bigint, nodes and relations with internal ids, dates as Date.
 * Integers past 2^53 become strings, infinite numbers and NaN too; an internal id becomes "table:offset".
 */
export function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") return value <= MAX_SAFE && value >= -MAX_SAFE ? Number(value) : value.toString();
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object") return value;
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return plain(value.valueOf());
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [String(plain(k)), plain(v)]));
  const record = value as Record<string, unknown>;
  if (isInternalId(record)) return `${String(record.table)}:${String(record.offset)}`;
  return plainRecord(record);
}

/** Nodes and relations lose what has a meaning inside the database only; what is NULL in them is left out. */
function plainRecord(record: Record<string, unknown>): Record<string, unknown> {
  const entity = typeof record._label === "string" && isInternalId(record._id);
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    if (entity && (key === "_id" || key === "_src" || key === "_dst" || value === null || value === undefined)) continue;
    if (entity && key === "_label") result.label = value;
    else if (key === "_nodes") result.nodes = plain(value);
    else if (key === "_rels") result.relations = plain(value);
    else result[key] = plain(value);
  }
  return result;
}

function isInternalId(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const keys = Object.keys(value);
  return keys.length === 2 && "offset" in value && "table" in value && typeof value.offset === "bigint";
}
