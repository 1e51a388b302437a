import { expect, it } from "vitest";
import { keptToken, takeToken, watchToken } from "./pairing.ts";

function host(hash: string, kept: Record<string, string> = {}) {
  const events = new EventTarget();
  const location = { hash, pathname: "/app", search: "?hub=x" };
  const fake = {
    location,
    history: {
      replaceState: (_: unknown, __: string, url: string) => {
        location.hash = new URL(url, "http://h").hash;
        fake.address = url;
      },
    },
    localStorage: { getItem: (key: string) => kept[key] ?? null, setItem: (key: string, value: string) => { kept[key] = value; } },
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    tell: (name: string) => events.dispatchEvent(new Event(name)),
    address: "unchanged",
    kept,
  };
  return fake;
}

it("takes the token out of the address and keeps it", () => {
  const page = host("#token=abc_-1");
  expect(takeToken(page)).toBe("abc_-1");
  expect(page.address).toBe("/app?hub=x");
  expect(takeToken(host("", page.kept))).toBe("abc_-1");
});

it("leaves the rest of a fragment", () => {
  const page = host("#token=abc&node=x");
  takeToken(page);
  expect(page.address).toBe("/app?hub=x#node=x");
});

it("prefers a new token to the kept one", () => {
  const page = host("#token=new", { "gitnexus.token": "old" });
  expect(takeToken(page)).toBe("new");
  expect(keptToken(page)).toBe("new");
});

it("has none on an unpaired page, and leaves the address alone", () => {
  const page = host("#");
  expect(takeToken(page)).toBe("");
  expect(page.address).toBe("unchanged");
});

it("works for one load where storage is forbidden", () => {
  const page = host("#token=abc");
  page.localStorage.setItem = () => { throw new Error("QuotaExceededError"); };
  page.localStorage.getItem = () => { throw new Error("SecurityError"); };
  expect(takeToken(page)).toBe("abc");
  expect(takeToken(page)).toBe("");
});

it("hears of a token that comes later: in this tab's address, or by another tab", () => {
  const page = host("");
  const heard: string[] = [];
  const end = watchToken(page as unknown as Window, (token) => heard.push(token));
  page.location.hash = "#token=first";
  page.tell("hashchange");
  page.tell("hashchange");
  page.kept["gitnexus.token"] = "second";
  page.tell("storage");
  end();
  page.kept["gitnexus.token"] = "third";
  page.tell("storage");
  expect(heard).toEqual(["first", "second"]);
});
