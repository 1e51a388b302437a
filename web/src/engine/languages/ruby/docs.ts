/** What YARD's tags in a comment say, in their own words. */
export interface Doc {
  returns: string;
  parameters: Map<string, string>;
}

const MAX_LINES = 60;
const TAG = /@(return|param)\s+(?:\[([^\]\n]{1,200})\]\s*(\w*)|(\w+)\s+\[([^\]\n]{1,200})\])/g;

/** The comment that ends on the line above an offset. */
export function docAbove(source: string, start: number): Doc {
  let end = source.lastIndexOf("\n", start - 1);
  let comment = "";
  for (let n = 0; n < MAX_LINES && end > 0; n++) {
    const from = source.lastIndexOf("\n", end - 1) + 1;
    const line = source.slice(from, end).trim();
    if (!line.startsWith("#")) break;
    comment = `${line}\n${comment}`;
    end = from - 1;
  }
  const doc: Doc = { returns: "", parameters: new Map() };
  // YARD also allows a type on the next line.
  for (const [, tag, type, name, first, after] of comment.replace(/\n#\s*(?=\[)/g, " ").matchAll(TAG)) {
    if (tag === "return") doc.returns = type ?? "";
    else if (name) doc.parameters.set(name, type!);
    else if (first) doc.parameters.set(first, after!);
  }
  return doc;
}
