import { describe, expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { fakeRepository } from "../../../test/fake-repository.ts";
import type { Codebase } from "../codebase.ts";
import type { ToolContext } from "../tools.ts";
import { Turns } from "../turns.ts";
import { carryNames, complete, prepareNames, type Completions } from "./complete.ts";

const codebase = await codebaseOf({
  "src/user.ts": "import { send } from './mail';\nexport class UserStore { save() { send(); } saveAll() { this.save(); } }\nexport function createUser() { return new UserStore().save(); }\n",
  "src/mail.ts": "export function send() {}\nexport function superuser() { send(); }\n",
  "lib/mail.ts": "export function send() {}\n",
  "test/user.test.ts": "import { createUser } from '../src/user';\nexport function saveUser() { createUser(); }\n",
});

const of = (kind: string, typed: string, more: Record<string, unknown> = {}, from = codebase): Completions =>
  complete({ kind, typed, limit: 100, ...more }, { codebase: from } as ToolContext) as Completions;

describe("completion", () => {
  it("puts names that begin with what was typed first, then words of names, then what holds it", () => {
    expect(of("symbol", "user").values.map(rank)).toEqual([0, 0, 0, 1, 1, 2]);
    expect(of("symbol", "userstore").values).toEqual(["UserStore", "UserStore.save", "UserStore.saveAll"]);
    expect(of("symbol", "SAVE").values.slice(0, 2)).toEqual(["UserStore.save", "UserStore.saveAll"]);
    expect(of("symbol", "UserStore.sa").values).toEqual(["UserStore.save", "UserStore.saveAll"]);
  });

  it("finds letters in their order, and one that is wrong", () => {
    expect(of("symbol", "crusr").values).toEqual(["createUser"]);
    expect(of("symbol", "craete").values).toEqual(["createUser"]);
    expect(of("symbol", "UserStroe.save").values).toEqual(["UserStore.save", "UserStore.saveAll"]);
    expect(of("symbol", "superusre").values).toEqual(["superuser"]);
    expect(of("symbol", "zzzz")).toEqual({ values: [], total: 0 });
  });

  it("offers each name once, and those of a file after its path", () => {
    expect(of("symbol", "send").values).toEqual(["send"]);
    expect(of("symbol", "mail.ts:sen").values).toEqual(["src/mail.ts:send", "lib/mail.ts:send"]);
  });

  it("knows files by folder and by name", () => {
    expect(of("file", "src/").values).toEqual(expect.arrayContaining(["src/user.ts", "src/mail.ts"]));
    expect(of("file", "user").values).toEqual(["src/user.ts", "test/user.test.ts"]);
  });

  it("begins with the most connected, and cuts", () => {
    const all = of("symbol", "");
    expect(all.total).toBe(7);
    expect(of("symbol", "", { limit: 2 })).toEqual({ values: all.values.slice(0, 2), total: 7 });
    expect(all.values.at(-1)).toBe("saveUser");
  });

  it("takes the names of symbols and files over from the same code without clusters", async () => {
    const { codebase: large } = fakeRepository(200);
    await prepareNames(large, new Turns());
    // As if their nodes could not be read again.
    const after = { ...large, graph: { nodes: [] } } as unknown as Codebase;
    carryNames(large, after);
    expect(of("symbol", "", {}, after)).toEqual(of("symbol", "", {}, large));
    expect(of("file", "src", {}, after)).toEqual(of("file", "src", {}, large));
  });

  it("knows clusters by label", () => {
    const { codebase: large } = fakeRepository(200);
    const label = large.communities[0]!.label;
    expect(of("cluster", label.slice(0, 3), {}, large).values).toContain(label);
  });
});

function rank(name: string): number {
  return name.startsWith("User") ? 0 : name === "superuser" ? 2 : 1;
}
