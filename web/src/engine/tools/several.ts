/** Answers about several names in one call, and about an ambiguous one. */
import type { Codebase } from "../codebase.ts";
import { ToolError } from "../tools.ts";
import { refOf } from "./answers.ts";
import { candidatesFor, resolveNode } from "./names.ts";

const MAX_NAMES = 10;
/** Of an ambiguous name so many are answered. */
const HEADS = 3;
const CANDIDATES = 20;

/**
 * The answer about the one thing that a text names, or `answers` about each of those that stand there with commas between
 * them. Of an ambiguous name the candidates, and the heads of the answers about the first ones. `brief`: the answer is
 * one of several.
 */
export async function answerAbout(codebase: Codebase, given: string, answer: (node: number, brief: boolean) => Promise<object>): Promise<object> {
  const names = candidatesFor(codebase, given).length > 0 ? [given] : splitNames(given);
  if (names.length > MAX_NAMES) throw new ToolError(`${names.length} names are too many for one call: ask for ${MAX_NAMES} at most.`);
  if (names.length > 1) {
    const answers: object[] = [];
    for (const name of names) answers.push(await answerOne(codebase, name, answer, true).catch(told(name)));
    return { answers };
  }
  return answerOne(codebase, names[0]!, answer);
}

/** The same of a single name. */
export async function answerOne(codebase: Codebase, name: string, answer: (node: number, brief: boolean) => Promise<object>, brief = false): Promise<object> {
  const found = candidatesFor(codebase, name);
  if (found.length <= 1) return answer(resolveNode(codebase, name), brief);
  const { graph } = codebase;
  const rank = (i: number): number => (graph.nodes[i]!.test ? 2 : graph.nodes[i]!.generated ? 1 : 0);
  found.sort((a, b) => rank(a) - rank(b) || a - b);
  const heads: object[] = [];
  for (const node of found.slice(0, HEADS)) heads.push(await answer(node, true).catch(told(graph.nodes[node]!.id)));
  return {
    ambiguous: `"${name}" means ${found.length} things. The heads of the answers about ${found.length > HEADS ? `the first ${HEADS}` : "them"} follow; ask again with an id for all of one.`,
    ...(found.length > HEADS ? { others: found.slice(HEADS, CANDIDATES).map((node) => refOf(graph, node)) } : {}),
    ...(found.length > CANDIDATES ? { more: found.length - CANDIDATES, rest: "a path before the name: `file:name`" } : {}),
    answers: heads,
  };
}

/** What is wrong with one of several names stands in its place. */
function told(name: string): (error: unknown) => object {
  return (error) => {
    if (!(error instanceof ToolError)) throw error;
    return { name, error: error.message, ...error.details };
  };
}

/** At the commas that stand in no brackets. */
export function splitNames(text: string): string[] {
  const names = [""];
  let depth = 0;
  // Of type arguments, too: `<Worker<T, R> as Future>::poll`; no part of `operator<` or `->`.
  const brackets = text.replace(/operator\s*[<>=-]+|[-=]>/g, (signs) => "_".repeat(signs.length));
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]!;
    if ("([{<".includes(brackets[i]!)) depth++;
    else if (")]}>".includes(brackets[i]!)) depth--;
    if (sign === "," && depth <= 0) names.push("");
    else names.push(`${names.pop()!}${sign}`);
  }
  const some = names.map((name) => name.trim()).filter((name) => name !== "");
  return some.length > 0 ? some : [text];
}
