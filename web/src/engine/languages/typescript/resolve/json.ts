/** Reads JSON with comments and trailing commas, as tsconfig files have them; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Comments, most likely.
  }
  try {
    return JSON.parse(stripComments(text));
  } catch {
    return undefined;
  }
}

function stripComments(text: string): string {
  // Strings first, so that `//` and commas in them stay.
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (m) => (m.startsWith('"') ? m : " "));
  return bare.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (m) => (m.startsWith('"') ? m : ""));
}

/** A value as an object, or undefined. */
export function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : undefined;
}

export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((v): v is string => typeof v === "string") : [];
}
