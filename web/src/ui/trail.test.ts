import { describe, expect, it } from "vitest";
import { sealedHost, sealedKey } from "../../test/sealed.ts";
import { HOME } from "./address.ts";
import { initialState, type NodeRef } from "./state.ts";
import { Store } from "./store.ts";
import { memories, type Memories } from "./sealed.ts";
import { keepTrail, markdownOf, stepped, type Walk } from "./trail.ts";

const node = (name: string): NodeRef => ({ id: `Function:a.go:${name}`, name, kind: "Function", file: "a.go", line: 3 });
const at = (name: string) => ({ ...HOME, view: "read" as const, node: node(name) });

describe("a walk", () => {
  it("goes on with each step, and another one begins after a pause or in another repository", () => {
    const one = stepped([], "", "shop", at("f"), 1_000);
    const two = stepped(one, one[0]!.id, "shop", at("g"), 2_000);
    expect(two.map(({ steps }) => steps.map((step) => step.node.name))).toEqual([["f", "g"]]);
    expect(stepped(two, two[0]!.id, "shop", at("g"), 3_000)).toBe(two);
    expect(stepped(two, two[0]!.id, "shop", { ...at("h"), view: "trail" }, 3_000)).toBe(two);
    expect(stepped(two, two[0]!.id, "shop", at("h"), 2_000 + 31 * 60_000)).toHaveLength(2);
    expect(stepped(two, two[0]!.id, "bank", at("h"), 3_000)).toHaveLength(2);
  });

  it("makes room for newer ones unless it is saved", () => {
    let walks: readonly Walk[] = [{ id: "kept", repo: "shop", at: 0, saved: true, note: "", steps: [] }, { id: "other", repo: "bank", at: 0, saved: false, note: "", steps: [] }];
    for (let i = 1; i < 30; i++) walks = stepped(walks, "", "shop", at("f"), i);
    expect(walks.filter(({ repo, saved }) => repo === "shop" && !saved).map(({ at }) => at)).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20]);
    expect(walks.map(({ id }) => id)).toEqual(expect.arrayContaining(["kept", "other"]));
  });

  it("is Markdown with file:line as the code is now", () => {
    const walk: Walk = { id: "1", repo: "shop", at: Date.UTC(2026, 0, 2), saved: true, note: "Look here.", steps: [{ fragment: "view=read&node=x", view: "read", node: node("a[0]") }] };
    expect(markdownOf(walk, new Map([[walk.steps[0]!.node.id, { file: "a.go", line: 9 }]]), { read: "Read" }, "http://127.0.0.1:1/"))
      .toBe("# a[0]\n\nshop, 2026-01-02\n\nLook here.\n\n1. [a\\[0\\]](http://127.0.0.1:1/#view=read&node=x) `a.go:9`, Read\n");
  });

  it("is kept, and what another tab has done stays", async () => {
    const host = sealedHost();
    const open = (now: number): { store: Store; memories: Memories } => {
      const store = new Store(initialState());
      const context = { repo: "shop" } as never;
      store.dispatch({ type: "engine", at: 0, event: { type: "loaded", context, phases: [], skipped: [], syntaxErrors: 0 } });
      const kept = memories(host);
      keepTrail(store, kept.walks, () => now);
      void kept.open(sealedKey);
      return { store, memories: kept };
    };
    const [a, b] = [open(1_000), open(2_000)];
    a.store.dispatch({ type: "go", to: at("f") });
    b.store.dispatch({ type: "go", to: at("g") });
    a.store.dispatch({ type: "go", to: at("h") });
    const names = async (): Promise<string[][]> => {
      const kept = memories(host);
      await kept.open(sealedKey);
      await host.rest();
      return kept.walks.value.map(({ steps }) => steps.map((step) => step.node.name)).sort();
    };
    await host.rest();
    expect(await names()).toEqual([["f", "h"], ["g"]]);
    a.memories.walks.change((walks) => walks.filter(({ id }) => id !== "1000"));
    await host.rest();
    expect(await names()).toEqual([["g"]]);
  });
});
