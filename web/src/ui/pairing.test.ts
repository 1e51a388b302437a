import { expect, it } from "vitest";
import { dropFormerToken, takeTicket, watchTicket } from "./pairing.ts";

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
    localStorage: { getItem: (key: string) => kept[key] ?? null, removeItem: (key: string) => { Reflect.deleteProperty(kept, key); } },
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    tell: (name: string) => events.dispatchEvent(new Event(name)),
    address: "unchanged",
    kept,
  };
  return fake;
}

it("takes the ticket out of the address and keeps it nowhere", () => {
  const page = host("#ticket=abc.x_-1");
  expect(takeTicket(page)).toBe("abc.x_-1");
  expect(page.address).toBe("/app?hub=x");
  expect(page.kept).toEqual({});
  expect(takeTicket(page)).toBe("");
});

it("takes out what makes the address another one each time", () => {
  const page = host("#ticket=abc");
  page.location.search = "?0123456789abcdef";
  expect(takeTicket(page)).toBe("abc");
  expect(page.address).toBe("/app");
});

it("leaves the rest of a fragment", () => {
  const page = host("#ticket=abc&node=x");
  takeTicket(page);
  expect(page.address).toBe("/app?hub=x#node=x");
});

it("has none in another address, and leaves that alone", () => {
  const page = host("#node=x");
  expect(takeTicket(page)).toBe("");
  expect(page.address).toBe("unchanged");
});

it("takes a token of an earlier version out of the address, and does not use it", () => {
  const page = host("#token=secret");
  expect(takeTicket(page)).toBe("");
  expect(page.address).toBe("/app?hub=x");
});

it("removes the token that an earlier version kept", () => {
  const page = host("", { "gitnexus.token": "secret", "gitnexus.theme": "dark" });
  expect(dropFormerToken(page)).toBe(true);
  expect(page.kept).toEqual({ "gitnexus.theme": "dark" });
  expect(dropFormerToken(page)).toBe(false);
  page.localStorage.getItem = () => { throw new Error("SecurityError"); };
  expect(dropFormerToken(page)).toBe(false);
});

it("hears of a ticket that comes later by this tab's address", () => {
  const page = host("");
  const heard: string[] = [];
  const end = watchTicket(page as unknown as Window, (ticket) => heard.push(ticket));
  page.location.hash = "#ticket=first";
  page.tell("hashchange");
  page.tell("hashchange");
  end();
  page.location.hash = "#ticket=second";
  page.tell("hashchange");
  expect(heard).toEqual(["first"]);
});
