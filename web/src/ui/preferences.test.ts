import { expect, it } from "vitest";
import { editorLink } from "./editors.ts";
import { keepChoices, readChoices, separateRoots } from "./preferences.ts";
import { DEFAULTS, initialState } from "./state.ts";
import { Store } from "./store.ts";

it("choices are kept, and nonsense is not taken", () => {
  const kept = new Map<string, string>();
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
  const store = new Store(initialState(readChoices(() => storage)));
  keepChoices(store, () => storage);
  store.dispatch({ type: "editor", editor: "zed" });
  store.dispatch({ type: "theme", theme: "light" });
  store.dispatch({ type: "colours", colours: "safe" });
  store.dispatch({ type: "introduced" });
  expect(readChoices(() => storage)).toEqual({ ...DEFAULTS, theme: "light", colours: "safe", introduced: true, editor: "zed" });
  kept.set([...kept.keys()][0]!, JSON.stringify({ theme: "pink", density: 3, notify: "yes", editor: 7 }));
  expect(readChoices(() => storage)).toEqual(DEFAULTS);
});

it("folders on disk that were kept among the choices are taken out of them", () => {
  const kept = new Map([["gitnexus.view", JSON.stringify({ theme: "light", roots: { shop: "/home/me/shop" } })]]);
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
  separateRoots(() => storage);
  separateRoots(() => storage);
  expect(Object.fromEntries(kept)).toEqual({ "gitnexus.view": JSON.stringify({ theme: "light" }), "gitnexus.roots": JSON.stringify({ shop: "/home/me/shop" }) });
  separateRoots(() => { throw new Error("SecurityError"); });
});

it("links into editors have the whole path and the line", () => {
  expect(editorLink("vscode", "/home/me/my shop/", "src/a.ts", 7)).toBe("vscode://file/home/me/my%20shop/src/a.ts:7");
  expect(editorLink("jetbrains", "C:\\code\\shop", "src/a.ts", 0)).toBe("idea://open?file=/C:/code/shop/src/a.ts&line=1");
  expect(editorLink("none", "/x", "a.ts", 1)).toBeUndefined();
  expect(editorLink("zed", "", "a.ts", 1)).toBeUndefined();
});
