/** The user's choices that outlive a load. A browser that forbids storage has the defaults. */
import type { AppState, ColourBy, ThemeChoice } from "./state.ts";
import type { Store } from "./store.ts";

type Choices = Pick<AppState, "theme" | "colourBy">;

const KEY = "gitnexus.view";
const THEMES: readonly ThemeChoice[] = ["system", "dark", "light"];
const COLOURS: readonly ColourBy[] = ["cluster", "kind"];

export function readChoices(storage: () => Pick<Storage, "getItem">): Choices {
  let kept: unknown = null;
  try {
    kept = JSON.parse(storage().getItem(KEY) ?? "null");
  } catch {
    // Forbidden, or not ours: the defaults serve.
  }
  const { theme, colourBy } = (typeof kept === "object" && kept !== null ? kept : {}) as Record<string, unknown>;
  return { theme: THEMES.find((t) => t === theme) ?? "system", colourBy: COLOURS.find((c) => c === colourBy) ?? "cluster" };
}

/** Keeps the choices from now on. */
export function keepChoices(store: Store, storage: () => Pick<Storage, "setItem">): void {
  let last = "";
  store.subscribe(() => {
    const { theme, colourBy } = store.state;
    const now = JSON.stringify({ theme, colourBy });
    if (now === last) return;
    last = now;
    try {
      storage().setItem(KEY, now);
    } catch {
      // Not kept, then.
    }
  });
}
