import type { FileFacts } from "../../facts.ts";
import { wordsIn, type Words } from "../words.ts";
import type { PyFacts } from "./facts.ts";
import { surfaceOf, wordsOf, type Entry } from "./surface.ts";

const surfaces = new WeakMap<object, readonly Entry[]>();
const words = new WeakMap<object, Words>();

/** What others may read of a file. */
export function surface(facts: FileFacts<PyFacts>): readonly Entry[] {
  let found = surfaces.get(facts);
  if (!found) surfaces.set(facts, (found = surfaceOf(facts)));
  return found;
}

/** The words of a file, in numbers. */
export function wordNumbers(facts: FileFacts<PyFacts>): Words {
  let found = words.get(facts);
  if (!found) words.set(facts, (found = wordsIn([], wordsOf(facts))));
  return found;
}
