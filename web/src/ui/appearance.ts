/** The user's choices that the first frame needs: it is painted before the rest of the app is there, so nothing of that is imported here. */

export type ThemeChoice = "system" | "dark" | "light";
export type Density = "roomy" | "dense";
/** `safe`: colours that stay apart for eyes that see red and green alike. */
export type ColourSet = "usual" | "safe";

export interface Appearance {
  theme: ThemeChoice;
  density: Density;
  colours: ColourSet;
}

/** Under which all choices are kept. */
export const KEY = "gitnexus.view";
export const USUAL: Appearance = { theme: "system", density: "roomy", colours: "usual" };

const THEMES: readonly ThemeChoice[] = ["system", "dark", "light"];
const DENSITIES: readonly Density[] = ["roomy", "dense"];
const COLOUR_SETS: readonly ColourSet[] = ["usual", "safe"];

/** All choices as they were kept: anything may stand in them. */
export function keptChoices(storage: () => Pick<Storage, "getItem">): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(storage().getItem(KEY) ?? "null");
    if (typeof kept === "object" && kept !== null) return kept as Record<string, unknown>;
  } catch {
    // Forbidden, or not ours: the defaults serve.
  }
  return {};
}

export function appearanceOf({ theme, density, colours }: Record<string, unknown>): Appearance {
  return { theme: oneOf(THEMES, theme, USUAL.theme), density: oneOf(DENSITIES, density, USUAL.density), colours: oneOf(COLOUR_SETS, colours, USUAL.colours) };
}

export function oneOf<T>(all: readonly T[], value: unknown, usual: T): T {
  return all.find((each) => each === value) ?? usual;
}

/** Has the styles follow it. `dark`: the system is. */
export function showAppearance(root: HTMLElement, { theme, density, colours }: Appearance, dark: boolean): void {
  Object.assign(root.dataset, { theme: themeOf(theme, dark), density, colours });
}

export function themeOf(choice: ThemeChoice, dark: boolean): "dark" | "light" {
  return choice === "system" ? (dark ? "dark" : "light") : choice;
}
