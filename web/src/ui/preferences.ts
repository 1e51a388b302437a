/** The user's choices that outlive a load. A browser that forbids storage has the defaults. */
import { appearanceOf, KEY, keptChoices, oneOf } from "./appearance.ts";
import { EDITORS, type EditorName } from "./editors.ts";
import { choicesOf, DEFAULTS, type Choices, type ColourBy } from "./state.ts";
import type { Store } from "./store.ts";

const COLOURS: readonly ColourBy[] = ["cluster", "kind"];

export function readChoices(storage: () => Pick<Storage, "getItem">): Choices {
  const kept = keptChoices(storage);
  return {
    ...appearanceOf(kept), notify: kept["notify"] === true, introduced: kept["introduced"] === true,
    colourBy: oneOf(COLOURS, kept["colourBy"], DEFAULTS.colourBy), editor: oneOf(Object.keys(EDITORS) as EditorName[], kept["editor"], DEFAULTS.editor),
  };
}

/** Moves what a version before this one kept among the choices, the folders on disk, to where it is encrypted from (sealed.ts). */
export function separateRoots(storage: () => Pick<Storage, "getItem" | "setItem">): void {
  try {
    const kept: unknown = JSON.parse(storage().getItem(KEY) ?? "null");
    if (typeof kept !== "object" || kept === null || !("roots" in kept)) return;
    const { roots, ...choices } = kept;
    storage().setItem("gitnexus.roots", JSON.stringify(roots));
    storage().setItem(KEY, JSON.stringify(choices));
  } catch {
    // Forbidden, or not ours.
  }
}

/** Keeps the choices from now on. */
export function keepChoices(store: Store, storage: () => Pick<Storage, "setItem">): void {
  let last = "";
  store.subscribe(() => {
    const now = JSON.stringify(choicesOf(store.state));
    if (now === last) return;
    last = now;
    try {
      storage().setItem(KEY, now);
    } catch {
      // Not kept, then.
    }
  });
}
