import { expect, it } from "vitest";
import { COMMANDS, commandOf, matches } from "./commands.ts";

const press = (key: string, modifiers: { ctrlKey?: boolean; metaKey?: boolean; altKey?: boolean } = {}): string | undefined =>
  commandOf({ key, ctrlKey: false, metaKey: false, altKey: false, ...modifiers })?.title;

it("a key has one command, with the modifiers that it asks for and no others", () => {
  const keys = COMMANDS.map(({ key }) => key).filter((key) => key !== "");
  expect(new Set(keys).size).toBe(keys.length);
  expect(press("m")).toBe("Map of the code base");
  expect(press("m", { ctrlKey: true })).toBeUndefined();
  expect(press("m", { altKey: true })).toBeUndefined();
  expect(press("K", { metaKey: true })).toBe(press("k", { ctrlKey: true }));
  expect(press("c", { ctrlKey: true })).toBeUndefined();
});

it("letters match in their order", () => {
  expect([matches("Follow the agent", "fagent"), matches("Follow the agent", "AGENT"), matches("Follow the agent", "tnega")]).toEqual([true, true, false]);
});
