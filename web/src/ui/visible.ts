/** Characters that nobody sees, in names and code: shown as escapes. */
import { options } from "preact";

/**
 * Invisible characters, and those that change how others are shown. sanitize/visible.go has the same, and says why some stay.
 * Line ends and tabs are no surprise where whole texts are shown.
 */
export const HIDDEN = new RegExp(
  "[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u2028-\\u202e" +
  "\\u2060-\\u206f\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]",
  "gu",
);

/** `\u202E` for a right-to-left override, and so on. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => {
    let escapes = "";
    for (let i = 0; i < char.length; i++) escapes += `\\u${char.charCodeAt(i).toString(16).toUpperCase().padStart(4, "0")}`;
    return escapes;
  });
}

/** What a person reads of an element besides its content. */
const WORDS = ["title", "aria-label", "placeholder", "alt"];

/** From now on, all elements show their text so. */
export function showHidden(): void {
  const before = options.vnode?.bind(options);
  options.vnode = (vnode) => {
    if (typeof vnode.type === "string") {
      const props = vnode.props as Record<string, unknown>;
      props["children"] = shown(props["children"]);
      for (const name of WORDS) if (typeof props[name] === "string") props[name] = visible(props[name]);
    }
    before?.(vnode);
  };
}

function shown(children: unknown): unknown {
  if (typeof children === "string") return visible(children);
  return Array.isArray(children) && children.some((child) => typeof child === "string" || Array.isArray(child)) ? children.map(shown) : children;
}
