import type { ComponentChildren, JSX } from "preact";

/** A sentence of strings.ts, with elements in place of its `{names}`. */
export function Sentence({ words, parts }: { words: string; parts: Readonly<Record<string, ComponentChildren>> }): JSX.Element {
  return <>{words.split(/\{(\w+)\}/u).map((piece, i) => (i % 2 === 0 ? piece : parts[piece]))}</>;
}
