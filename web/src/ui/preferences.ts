/** The user's choices that outlive a load. A browser that forbids storage has the defaults. */
import { EDITORS, type EditorName } from "./editors.ts";
import { choicesOf, DEFAULTS, type Choices, type ColourBy, type ColourSet, type Density, type ThemeChoice } from "./state.ts";
import type { Store } from "./store.ts";

const KEY = "gitnexus.view";
const THEMES: readonly ThemeChoice[] = ["system", "dark", "light"];
const DENSITIES: readonly Density[] = ["roomy", "dense"];
const COLOUR_SETS: readonly ColourSet[] = ["usual", "safe"];
const COLOURS: readonly ColourBy[] = ["cluster", "kind"];

export function readChoices(storage: () => Pick<Storage, "getItem">): Choices {
  let kept: unknown = null;
  try {
    kept = JSON.parse(storage().getItem(KEY) ?? "null");
  } catch {
    // Forbidden, or not ours: the defaults serve.
  }
  const { theme, density, colours, notify, introduced, colourBy, editor } = (typeof kept === "object" && kept !== null ? kept : {}) as Record<string, unknown>;
  const one = <T>(of: readonly T[], value: unknown, usual: T): T => of.find((each) => each === value) ?? usual;
  return {
    theme: one(THEMES, theme, DEFAULTS.theme), density: one(DENSITIES, density, DEFAULTS.density), colours: one(COLOUR_SETS, colours, DEFAULTS.colours),
    notify: notify === true, introduced: introduced === true,
    colourBy: one(COLOURS, colourBy, DEFAULTS.colourBy), editor: one(Object.keys(EDITORS) as EditorName[], editor, DEFAULTS.editor),
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

/** Has the styles follow the choices. `dark`: the system is. */
export function showChoices(root: HTMLElement, { theme, density, colours }: Pick<Choices, "theme" | "density" | "colours">, dark: boolean): void {
  Object.assign(root.dataset, { theme: themeOf(theme, dark), density, colours });
}

export function themeOf(choice: ThemeChoice, dark: boolean): "dark" | "light" {
  return choice === "system" ? (dark ? "dark" : "light") : choice;
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
