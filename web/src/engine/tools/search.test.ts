import { describe, expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";
import { queryWords, wordsOf } from "../search-words.ts";

interface Result {
  rank: number;
  id: string;
  name: string;
  score: number;
  processes?: string[];
}
interface Answer {
  results: Result[];
  groups?: { id: string; label: string; ranks: number[] }[];
  total: number;
  truncated?: true;
  hint?: string;
}

async function search(args: Record<string, unknown>, options?: Parameters<typeof call>[2]): Promise<Answer> {
  return await call("search", args, options) as unknown as Answer;
}

describe("words", () => {
  it.each([
    ["parseHTTPHeader_v2", ["parse", "http", "header", "v2"]],
    ["snake_case_name", ["snake", "case", "name"]],
    ["utf8Decoder", ["utf8", "decoder"]],
    ["src/auth/login-form.tsx", ["src", "auth", "login", "form", "tsx"]],
    ["MAX_SIZE", ["max", "size"]],
    ["größeÄndern", ["größe", "ändern"]],
    ["__init__", ["init"]],
    ["", []],
  ])("of %s", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("of a question are those that tell something", () => {
    expect(queryWords("Where is the login of a user?")).toEqual(["login", "user"]);
    expect(queryWords("the")).toEqual(["the"]);
  });
});

describe("search", () => {
  it("finds a symbol by the words of its name, with all that is known of it, and tests after it", async () => {
    const { results } = await search({ query: "order placing place", limit: 2 });
    expect(results[0]).toEqual({
      rank: 1, id: "Function:src/checkout/checkout.ts:placeOrder", name: "placeOrder", type: "Function",
      file: "src/checkout/checkout.ts", line: 4, startLine: 4, endLine: 8,
      cluster: expect.any(String) as string, connections: 6, score: expect.any(Number) as number,
    });
    expect(results[1]).toMatchObject({ rank: 2, name: "testPlaceOrder", test: true });
    expect(results[1]!.score).toBeLessThan(results[0]!.score);
  });

  it("puts the exact name first, then names before what only mentions it", async () => {
    const codebase = await codebaseOf({
      "a.ts": "export class Token {}\nexport class TokenStore {}\nexport function tokenOf(t: Token): Token { return t; }\n",
      "token/b.ts": "export function other(): void {}\n",
      "c.ts": "export function use(token: string): void {}\nexport function token(): void {}\n",
    });
    const { results } = await search({ query: "Token" }, { codebase });
    expect(results[0]!.id).toBe("Class:a.ts:Token");
    const names = results.map(({ name }) => name);
    expect(names.indexOf("TokenStore")).toBeLessThan(names.indexOf("use"));
    expect(names.indexOf("TokenStore")).toBeLessThan(names.indexOf("other"));
    expect((await search({ query: "token" }, { codebase })).results[0]!.id).toBe("Function:c.ts:token");
  });

  it("takes Type.method as a name", async () => {
    expect((await search({ query: "LoggingStore.save", limit: 1 })).results[0]!.id).toBe("Method:src/store/store.ts:LoggingStore.save");
  });

  it("forgives a misspelling and finds beginnings", async () => {
    expect((await search({ query: "checkuot" })).results.map(({ id }) => id)).toContain("File:src/checkout/checkout.ts");
    expect((await search({ query: "pric" })).results[0]!.name).toBe("priceOf");
  });

  it("finds files", async () => {
    expect((await search({ query: "README.md" })).results[0]).toMatchObject({ id: "File:README.md", type: "File", file: "README.md" });
  });

  it("tells each process once, with the ranks of its hits", async () => {
    const { results, groups } = await search({ query: "placeOrder checkOut priceOf", limit: 10, groupByProcess: true });
    expect(results.every(({ processes }) => processes === undefined)).toBe(true);
    const flow = groups!.find(({ label }) => label === "main → roundUp")!;
    const members = flow.ranks.map((rank) => results[rank - 1]!.name);
    expect(members).toEqual(expect.arrayContaining(["placeOrder", "checkOut", "priceOf"]));
    expect(flow.id).toMatch(/^Process:\d+$/);
  });

  it("or names the processes of each hit", async () => {
    const { results, groups } = await search({ query: "priceOf", groupByProcess: false });
    expect(groups).toBeUndefined();
    expect(results[0]!.processes).toEqual(["main → roundUp"]);
  });

  it("cuts at the limit and says how many there are", async () => {
    const answer = await search({ query: "store", limit: 2 });
    expect(answer.results.map(({ rank }) => rank)).toEqual([1, 2]);
    expect(answer.total).toBeGreaterThan(2);
    expect(answer.truncated).toBe(true);
  });

  it("says what to do when nothing is found, and when there are no words", async () => {
    for (const query of ["xyzzyqwfp", "%%%"]) {
      expect(await search({ query })).toEqual({ results: [], groups: [], total: 0, hint: expect.stringContaining("grep") as string });
    }
    await expect(search({ query: " " })).rejects.toThrow("The argument \"query\" must be a text that is not empty.");
  });
});
