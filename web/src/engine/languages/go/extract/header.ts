/** What stands before the package clause, where only comments may. */
export interface Header {
  /** Marked as made by a tool: `// Code generated ... DO NOT EDIT.` */
  generated: boolean;
  /** The build constraint in the form of a `//go:build` line, "" without one. */
  constraint: string;
}

export function readHeader(source: string): Header {
  const clause = /^package\s/m.exec(source);
  const text = source.slice(0, clause ? clause.index : 0);
  const build = /^\/\/go:build (.+)$/m.exec(text)?.[1]?.trim();
  return {
    generated: /^\/\/ Code generated .* DO NOT EDIT\.\r?$/m.test(text),
    constraint: build ?? olderForm(text),
  };
}

/** `// +build a,!b c` lines: commas are "and", spaces "or", lines "and". */
function olderForm(text: string): string {
  const lines = [...text.matchAll(/^\/\/ ?\+build (.+)$/gm)].map((match) => match[1]!.trim());
  return lines
    .map((line) => `(${line.split(/\s+/).map((option) => `(${option.split(",").join(" && ")})`).join(" || ")})`)
    .join(" && ");
}
