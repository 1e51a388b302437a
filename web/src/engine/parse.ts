import { type Language as Grammar, Parser, type Tree } from "web-tree-sitter";

/**
 * A parse that takes longer is stopped, in milliseconds, when it has also taken more steps than any honest file does. Ordinary files take
 * 1 to 5, the largest some hundred.
 */
export const PARSE_LIMIT = 5_000;
/** Calls of the parser's progress callback; a file of 1 MB has up to 30,000, on whatever machine. */
const HONEST_STEPS = 50_000;
/** A parse of fewer steps has so many times the limit: what is slow is the machine, busy with something else. */
const PATIENCE = 3;

/** Parses a text in the parser's language: the tree, or, when that takes too long, the limit that it ran into, in milliseconds. */
export function parseWithin(parser: Parser, text: string, most = PARSE_LIMIT): Tree | number {
  const started = performance.now();
  let steps = 0;
  const limit = (): number => (steps > HONEST_STEPS ? most : most * PATIENCE);
  const progressCallback = (): boolean => {
    steps++;
    return performance.now() - started > limit();
  };
  return parser.parse(text, null, { progressCallback }) ?? limit();
}

/**
 * Reads another text in place of a file's own, or of parts of it: what the grammar lacks put differently. Within the limits of the file's own
 * parse; undefined when they are reached, and the first reading has to do.
 */
export function parseAgain<T>(grammar: Grammar, text: string, read: (tree: Tree) => T): T | undefined {
  const parser = new Parser();
  try {
    parser.setLanguage(grammar);
    const tree = parseWithin(parser, text);
    if (typeof tree === "number") return undefined;
    try {
      return read(tree);
    } finally {
      tree.delete();
    }
  } finally {
    parser.delete();
  }
}
