import { createHmac, randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bytesOf, fakeCrypt } from "../../test/fake-hub.ts";
import type { Fetch } from "./check.ts";
import { exchange } from "./pairing.ts";

const URL_ = "ws://127.0.0.1:54319/";
const ID = "0123456789abcdef";

/** A hub that has made one ticket, and pairs pages as docs/protocol.md says. */
class PairingHub {
  readonly secret = randomBytes(32);
  used = false;
  down = false;
  /** Keys that it knows. */
  readonly pages = new Map<string, Buffer>();
  /** What it says of a page's key instead of the truth. */
  says: string | undefined;
  /** Where pages are sent to prove themselves: another program has the port by then. */
  taken = false;
  readonly asked: string[] = [];
  private nonces = 0;

  get ticket(): string {
    return `${ID}.${this.secret.toString("base64url")}`;
  }

  readonly fetch: Fetch = (url, { method }) => {
    if (this.down) return Promise.reject(new TypeError("Failed to fetch"));
    this.asked.push(url);
    const { pathname, searchParams: query } = new URL(url);
    const get = (name: string): string => query.get(name) ?? "";
    const answer = (status: number, body: object) => Promise.resolve({ status, text: () => Promise.resolve(JSON.stringify(body)) });
    const key = get("role") === "page" ? this.pages.get(get("id")) : get("id") === ID && !this.used ? this.secret : undefined;
    const mac = (of: Buffer, ...fields: string[]): Buffer => createHmac("sha256", of).update(fields.join("\n")).digest();
    if (!key) return answer(403, { error: "used or too old", reason: get("role") === "page" ? "page" : "ticket" });
    if (pathname === "/api/challenge") {
      const secret = this.taken && get("role") === "page" ? randomBytes(32) : key;
      return answer(200, { version: "3", proof: mac(secret, "gitnexus-mcp hub", "54319", get("nonce")).toString("hex"), nonce: `hub-nonce-number-${++this.nonces}` });
    }
    const proof = mac(key, "gitnexus-mcp client", "54319", "ticket", get("nonce"), get("hubNonce")).toString("hex");
    if (method !== "POST" || pathname !== "/api/pair" || get("proof") !== proof) return answer(403, { error: "no", reason: "ticket" });
    this.used = true;
    const has = get("page");
    if (this.pages.has(has)) return answer(200, { page: has });
    this.pages.set(ID, mac(this.secret, "gitnexus-mcp page", "54319", get("nonce"), get("hubNonce")));
    return answer(200, { page: this.says ?? ID });
  };
}

let hub: PairingHub;
const give = (ticket = hub.ticket, has?: string) => exchange(URL_, ticket, has, fakeCrypt, hub.fetch, new AbortController().signal);

beforeEach(() => {
  vi.useFakeTimers();
  hub = new PairingHub();
});
afterEach(() => vi.useRealTimers());

test("a ticket becomes a key that both sides have and neither sends", async () => {
  const answer = await give();
  if (!answer.ok || !answer.key) throw new Error("not paired");
  expect(answer.key.id).toBe(ID);
  expect(bytesOf(answer.key.key)).toEqual(hub.pages.get(ID));
  for (const secret of [hub.secret, hub.pages.get(ID)!]) {
    for (const form of ["hex", "base64url", "base64"] as const) expect(hub.asked.join("\n")).not.toContain(secret.toString(form));
  }
  expect(await give()).toMatchObject({ ok: false, final: true, reason: "used or too old" });
});

test("a page that the hub knows keeps its key", async () => {
  hub.pages.set("fedcba9876543210", randomBytes(32));
  expect(await give(hub.ticket, "fedcba9876543210")).toEqual({ ok: true });
  expect(hub.used).toBe(true);
});

test("a page whose key was revoked gets another one", async () => {
  expect(await give(hub.ticket, "fedcba9876543210")).toMatchObject({ ok: true, key: { id: ID } });
});

test.each(["junk", "", "0123456789abcdef.short", `../../etc/passwd.${"a".repeat(43)}`, `${ID}.${"!".repeat(43)}`])("what is no ticket is sent to nobody: %s", async (junk) => {
  expect(await give(junk)).toMatchObject({ ok: false, final: true });
  expect(hub.asked).toEqual([]);
});

test("another secret with the ticket's id proves nothing", async () => {
  expect(await give(`${ID}.${randomBytes(32).toString("base64url")}`)).toMatchObject({ ok: false, final: true, unproven: true });
  expect(hub.used).toBe(false);
});

test("who has the port after the exchange does not give the page a key", async () => {
  hub.taken = true;
  expect(await give()).toMatchObject({ ok: false, unproven: true });
  hub = new PairingHub();
  hub.says = "fedcba9876543210";
  expect(await give()).toMatchObject({ ok: false });
});

test("a hub that comes while the ticket lives pairs the page, a later one does not", async () => {
  hub.down = true;
  const waiting = give();
  await vi.advanceTimersByTimeAsync(30_000);
  hub.down = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(await waiting).toMatchObject({ ok: true });
  hub = new PairingHub();
  hub.down = true;
  const late = give();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await late).toMatchObject({ ok: false, final: false });
});
