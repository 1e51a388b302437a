/**
 * Turns a component of Vue or Svelte into JavaScript: its scripts, and a statement on the same line for whatever in its markup refers to names.
 * An element that declares names becomes a block, so that these names shadow others within the element alone.
 */
import { readRawText } from "./markup/elements.ts";
import { Output } from "./markup/output.ts";
import { readSvelte } from "./markup/svelte.ts";
import { MarkupError, readTag } from "./markup/tags.ts";
import { readVue } from "./markup/vue.ts";

/** The language of a component's scripts: "ts", "tsx", "jsx", or "" for JavaScript. */
export function scriptLanguage(text: string): string {
  return /<script\b[^>]{0,300}?\b(?:lang|type)\s*=\s*["']?(?:text\/)?(tsx?|jsx|typescript)\b/.exec(text)?.[1]?.replace("typescript", "ts") ?? "";
}

/** The JavaScript of a component, as long as its text and with lines of the same length. Of markup that cannot be read only the scripts are left. */
export function codeOf(path: string, text: string): string {
  const isVue = /\.vue$/i.test(path);
  const output = new Output(text);
  const isRead = tryRead(() => (isVue ? readVue : readSvelte)(output));
  // Scripts within elements count as those of the component if there are no others.
  return isRead && (output.hasScript || !text.includes("<script")) ? output.toString() : scriptsOf(text, !isVue);
}

/** The scripts of a component, up to the first that cannot be read. */
function scriptsOf(text: string, hasBracesInTags: boolean): string {
  const output = new Output(text);
  tryRead(() => {
    for (let at = text.indexOf("<script"); at >= 0; at = text.indexOf("<script", at)) {
      const tag = readTag(text, at, hasBracesInTags)!;
      at = tag.name === "script" ? readRawText(output, tag, true) : tag.end;
    }
  });
  return output.toString();
}

/** Returns whether the markup can be read to its end. */
function tryRead(read: () => void): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof MarkupError) return false;
    throw error;
  }
}
