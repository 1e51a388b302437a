import { expect, it } from "vitest";
import { sealedHost, sealedKey, type FakeSealedHost } from "../../test/sealed.ts";
import { memories, type Memories, type SealedHost } from "./sealed.ts";

const other = "B".repeat(43);
const WALK = { id: "1", repo: "shop", at: 1, saved: true, note: "the note", steps: [{ fragment: "node=f", view: "read", node: { id: "Function:a.go:f" } }] };

async function opened(host: FakeSealedHost, key = sealedKey): Promise<Memories> {
  const made = memories(host);
  await made.open(key);
  await host.rest();
  return made;
}

const ask = (made: Memories, query: string): void => made.queries.change((kept) => [query, ...kept]);
const text = (host: FakeSealedHost): string => JSON.stringify([...host.items]);

it("is there before the key, and is stored with what lies there once the key has come", async () => {
  const host = sealedHost();
  ask(await opened(host), "MATCH (kept)");
  const made = memories(host);
  ask(made, "MATCH (meanwhile)");
  expect(made.queries.value).toEqual(["MATCH (meanwhile)"]);
  await made.open(sealedKey);
  await host.rest();
  expect(made.queries.value).toEqual(["MATCH (meanwhile)", "MATCH (kept)"]);
  expect((await opened(host)).queries.value).toEqual(["MATCH (meanwhile)", "MATCH (kept)"]);
});

it("nothing in the storage can be read, nor put in another one's place", async () => {
  const host = sealedHost();
  const made = await opened(host);
  ask(made, "MATCH (secret)");
  made.roots.change(() => ({ shop: "/home/me/shop" }));
  await host.rest();
  expect([...host.items.keys()].sort()).toEqual(["gitnexus.sealed.queries", "gitnexus.sealed.roots"]);
  for (const value of host.items.values()) expect(atob(value)).not.toMatch(/secret|shop|MATCH/);
  host.items.set("gitnexus.sealed.queries", host.items.get("gitnexus.sealed.roots")!);
  expect((await opened(host)).queries.value).toEqual([]);
});

it("what lies open from before is read at once, stored encrypted and removed", async () => {
  const host = sealedHost({
    "gitnexus.walks": JSON.stringify([WALK, 7, null]), "gitnexus.queries": JSON.stringify(["MATCH (former)", 3]),
    "gitnexus.roots": JSON.stringify({ shop: "/home/me/shop", bad: 1 }), "gitnexus.view": "{}",
  });
  const made = memories(host);
  expect([made.walks.value, made.queries.value, made.roots.value]).toEqual([[WALK], ["MATCH (former)"], { shop: "/home/me/shop" }]);
  await host.rest();
  // Nothing is given up before it is stored.
  expect(text(host)).toContain("MATCH (former)");
  ask(made, "MATCH (next)");
  await made.open(sealedKey);
  await host.rest();
  expect([...host.items.keys()].sort()).toEqual(["gitnexus.sealed.queries", "gitnexus.sealed.roots", "gitnexus.sealed.walks", "gitnexus.view"]);
  expect(text(host)).not.toMatch(/former|shop|note/);
  const again = await opened(host);
  expect([again.walks.value, again.queries.value, again.roots.value]).toEqual([[WALK], ["MATCH (next)", "MATCH (former)"], { shop: "/home/me/shop" }]);
});

it("what is for another key is none, and makes room", async () => {
  const host = sealedHost();
  ask(await opened(host), "MATCH (first)");
  await host.rest();
  const made = await opened(host, other);
  expect(made.queries.value).toEqual([]);
  ask(made, "MATCH (second)");
  await host.rest();
  expect((await opened(host, other)).queries.value).toEqual(["MATCH (second)"]);
  host.items.set("gitnexus.sealed.queries", "no base64!");
  expect((await opened(host, other)).queries.value).toEqual([]);
});

it("a page that gets another key goes on with what it has", async () => {
  const host = sealedHost();
  const made = await opened(host);
  ask(made, "MATCH (mine)");
  await host.rest();
  await made.open(other);
  await host.rest();
  expect(made.queries.value).toEqual(["MATCH (mine)"]);
  expect((await opened(host, other)).queries.value).toEqual(["MATCH (mine)"]);
});

it("several tabs lose nothing of each other, and hear of each other", async () => {
  const host = sealedHost();
  const [a, b] = [await opened(host), await opened(host)];
  for (let i = 0; i < 5; i++) {
    ask(a, `a${i}`);
    ask(b, `b${i}`);
  }
  await host.rest();
  a.heard("gitnexus.sealed.queries");
  b.heard("gitnexus.sealed.walks");
  await host.rest();
  expect([...a.queries.value].sort()).toEqual(["a0", "a1", "a2", "a3", "a4", "b0", "b1", "b2", "b3", "b4"]);
  expect(b.queries.value).toHaveLength(10);
  let told = 0;
  const end = a.queries.subscribe(() => told++);
  ask(a, "more");
  expect(told).toBe(1);
  end();
});

it("a browser that stores nothing, or has no room, has it as long as the page", async () => {
  const none: SealedHost = { storage: () => { throw new Error("SecurityError"); }, alone: (work) => work() };
  const made = memories(none);
  await made.open(sealedKey);
  ask(made, "MATCH (a)");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(made.queries.value).toEqual(["MATCH (a)"]);
  await made.open("no key!");

  const host = sealedHost();
  let full = true;
  const storage: SealedHost["storage"] = () => (full ? { ...host.storage(), setItem: () => { throw new Error("QuotaExceededError"); } } : host.storage());
  const cramped = memories({ ...host, storage });
  await cramped.open(sealedKey);
  ask(cramped, "MATCH (b)");
  ask(cramped, "MATCH (c)");
  await host.rest();
  expect(cramped.queries.value).toEqual(["MATCH (c)", "MATCH (b)"]);
  // There is room again.
  full = false;
  ask(cramped, "MATCH (d)");
  await host.rest();
  expect((await opened(host)).queries.value).toEqual(["MATCH (d)", "MATCH (c)", "MATCH (b)"]);
});
