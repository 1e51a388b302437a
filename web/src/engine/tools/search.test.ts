import { describe, expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";
import { queryWords, stem, wordsOf } from "../search-words.ts";
import { packSearch, prepareSearch, searchCodebase, unpackSearch } from "../search.ts";
import type { Turns } from "../turns.ts";

interface Result {
  id: string;
  signature?: string;
  doc?: string;
  processes?: string[];
  namesakes?: Record<string, string[]>;
}
interface Answer {
  results: Result[];
  clusters?: Record<string, number[]>;
  groups?: { id: string; label: string; ranks: number[] }[];
  others?: Record<string, string[]>;
  total: number;
  more?: number;
  rest?: string;
  hint?: string;
}

const nameOf = ({ id }: Result): string => id.slice(id.lastIndexOf(":") + 1);

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

  it.each([
    ["checked checks checking check", "check"], ["parsed parses parsing parse", "pars"], ["dropped drops dropping drop", "drop"],
    ["repositories repository", "repository"], ["calls called calling call", "call"], ["classes class", "class"], ["process processes processed", "process"],
    ["files file", "fil"], ["created creation creates", "creat"], ["option", "option"], ["retried retries retry", "retry"], ["taken took takes take", "tak"], ["status", "status"], ["bus", "bus"], ["red", "red"], ["string", "string"], ["need", "need"],
  ])("have one stem: %s", (forms, expected) => {
    for (const form of forms.split(" ")) expect([form, stem(form)]).toEqual([form, expected]);
  });

  it("of a question are those that tell something", () => {
    expect(queryWords("Where is the login of a user?")).toEqual(["login", "user"]);
    expect(queryWords("What happens to the login?")).toEqual(["login"]);
    expect(queryWords("the")).toEqual(["the"]);
  });
});

describe("search", () => {
  it("finds a symbol by the words of its name, with all that is known of it, and tests after it", async () => {
    const { results, clusters } = await search({ query: "order placing", limit: 2 });
    expect(results[0]).toEqual({ id: "Function:src/checkout/checkout.ts:placeOrder", lines: "4-8", signature: "function placeOrder(store: Store, item: string): number", connections: 4 });
    expect(Object.values(clusters!).flat().sort()).toEqual([1, 2]);
    expect(results[1]).toMatchObject({ id: "Function:src/checkout/checkout.test.ts:testPlaceOrder", test: true });
  });

  it("names the hits of several words that come later, by file and line", async () => {
    const names = Array.from({ length: 100 }, (_, i) => `parseOrder${String.fromCharCode(97 + (i % 26))}${i}`);
    const codebase = await codebaseOf({
      "a.ts": names.slice(0, 50).map((name) => `export function ${name}(): void {}\n`).join(""),
      "b.ts": `class Orders {\n${names.slice(50).map((name) => `  ${name}(): void {}\n`).join("")}}\n`,
    });
    const told = ({ results, others = {} }: Answer): string[] => [
      ...results.map(({ id }) => id.slice(id.indexOf(":") + 1)),
      ...Object.entries(others).flatMap(([file, all]) => all.map((one) => `${file}:${one.slice(0, one.lastIndexOf(":"))}`)),
    ];
    const first = await search({ query: "parse order" }, { codebase });
    expect(first.results).toHaveLength(10);
    expect(new Set(told(first)).size).toBe(70);
    expect(first.others!["b.ts"]![0]).toMatch(/^Orders\.parseOrder\w+:\d+$/);
    const next = await search({ query: "parse order", offset: 10 }, { codebase });
    expect(told(next).slice(0, 60).sort()).toEqual(told(first).slice(10).sort());
    const few = told(await search({ query: "parse order", limit: 2 }, { codebase }));
    expect(new Set(few).size).toBe(14);
    expect(few).toEqual(expect.arrayContaining(told({ ...first, others: {} })));
    expect((await search({ query: "parseOrder" }, { codebase })).others).toBeUndefined();
  });

  it("says where a signature is cut", async () => {
    const parameters = Array.from({ length: 20 }, (_, i) => `parameter${i}`).join(", ");
    const codebase = await codebaseOf({ "a.ts": `export function wide(${parameters}) {}\n`, "b.py": `def wide(${parameters}):\n    pass\n` });
    for (const { signature } of (await search({ query: "wide" }, { codebase })).results) expect(signature).toMatch(/^(?:function|def) wide\(parameter0, .{90,110}…$/);
    for (const { name, signature } of codebase.graph.nodes) if (name === "wide") expect(signature).toMatch(/^(?:export function|function|def) wide\(parameter0, .{160,}…$/);
    // A route's handler comes last.
    const before = Array.from({ length: 12 }, (_, i) => `middleware${i}`).join(", ");
    const routed = await codebaseOf({ "app.js": `import express from "express";\nconst app = express();\nfunction show(req, res) {}\napp.get("/a", ${before}, show);\n` });
    expect((await search({ query: "GET /a" }, { codebase: routed })).results[0]!.signature).toMatch(/^GET \/a → middleware0 .* → show$/);
  });

  it("tells the routes of each application by themselves", async () => {
    const app = (handler: string): string => `import express from "express";\nconst app = express();\nfunction ${handler}(req, res) {}\napp.get("/articles/:id", ${handler});\n`;
    const codebase = await codebaseOf({ "shop/app.js": app("shopArticle"), "admin/app.js": app("adminArticle") });
    for (const query of ["GET /articles/17", "GET /articles/:id"]) {
      const { results } = await search({ query, kind: "Route" }, { codebase });
      expect(results.map(({ signature }) => signature!.split(" → ")[1]).sort()).toEqual(["adminArticle", "shopArticle"]);
    }
  });

  it("puts the exact name first, then names before what only mentions it", async () => {
    const codebase = await codebaseOf({
      "a.ts": "export class Token {}\nexport class TokenStore {}\nexport function tokenOf(t: Token): Token { return t; }\n",
      "token/b.ts": "export function other(): void {}\n",
      "c.ts": "export function use(token: string): void {}\nexport function token(): void {}\n",
    });
    const { results } = await search({ query: "Token" }, { codebase });
    expect(results[0]!.id).toBe("Class:a.ts:Token");
    const names = results.map(nameOf);
    expect(names.indexOf("TokenStore")).toBeLessThan(names.indexOf("use"));
    expect(names.indexOf("TokenStore")).toBeLessThan(names.indexOf("other"));
    expect((await search({ query: "token" }, { codebase })).results[0]!.id).toBe("Function:c.ts:token");
  });

  it("takes a word without capitals for a topic: its type before a variable or a test that has just this name", async () => {
    const codebase = await codebaseOf({
      "main.ts": "import { Hub } from \"./hub\";\nconst hub = new Hub();\nhub.serve();\n",
      "hub.ts": "export class Hub { serve(): void {} }\n",
      "view.test.ts": "export function hub(): void {}\nhub();\n",
    });
    expect((await search({ query: "hub" }, { codebase })).results.map(({ id }) => id).slice(0, 2)).toEqual(["Class:hub.ts:Hub", "Variable:main.ts:hub"]);
  });

  it("puts a test whose name has the word after code that has it in a signature, unless tests are asked for", async () => {
    const codebase = await codebaseOf({
      "a.test.ts": "export function deadlineReachesThePage(): void {}\n",
      "b.ts": "export function grep(pattern: string, deadline: number): void {}\n"
        + Array.from({ length: 10 }, (_, i) => `export function other${i}(text: string): void {}\n`).join(""),
    });
    expect((await search({ query: "deadline" }, { codebase })).results[0]!.id).toBe("Function:b.ts:grep");
    expect((await search({ query: "deadline test" }, { codebase })).results[0]!.id).toBe("Function:a.test.ts:deadlineReachesThePage");
    expect((await search({ query: "deadlineReachesThePage" }, { codebase })).results[0]!.id).toBe("Function:a.test.ts:deadlineReachesThePage");
  });

  it.each([
    ["where does the token get checked", "checkToken"], ["how are repositories parsed", "parseRepository"],
    ["dropping links", "dropLink"], ["closing", "closeAll"],
  ])("understands the forms of words: %s", async (query, name) => {
    const codebase = await codebaseOf({
      "a.ts": "export function loadToken(): void {}\nexport function checkToken(): void {}\nexport function getName(): void {}\n"
        + "export function repositoryName(): void {}\nexport function parseRepository(): void {}\nexport function linkOf(): void {}\n"
        + "export function dropLink(): void {}\nexport function closeAll(): void {}\n",
    });
    expect((await search({ query }, { codebase })).results[0]!.id).toBe(`Function:a.ts:${name}`);
  });

  it("puts tests and generated code after what they resemble, though they match better", async () => {
    const codebase = await codebaseOf({
      "a.test.ts": "export function parseOrder(): void {}\n",
      "api.pb.go": "// Code generated by protoc. DO NOT EDIT.\n\npackage api\n\nfunc ParseOrder() {}\n",
      "b.ts": "export function parseOrderOfManyItems(): void {}\n",
    });
    const { results } = await search({ query: "parse order" }, { codebase });
    expect(nameOf(results[0]!)).toBe("parseOrderOfManyItems");
    expect(results.find((result) => nameOf(result) === "parseOrder")).toMatchObject({ test: true });
    expect(results.find((result) => nameOf(result) === "ParseOrder")).toMatchObject({ origin: "generated" });
  });

  it("takes Type.method as a name", async () => {
    expect((await search({ query: "LoggingStore.save", limit: 1 })).results[0]!.id).toBe("Method:src/store/store.ts:LoggingStore.save");
  });

  it("forgives a misspelling and finds beginnings", async () => {
    expect((await search({ query: "checkuot" })).results.map(({ id }) => id)).toContain("File:src/checkout/checkout.ts");
    expect((await search({ query: "pric" })).results[0]!.id).toBe("Function:src/checkout/price.ts:priceOf");
  });

  it("finds files", async () => {
    expect((await search({ query: "README.md" })).results[0]).toMatchObject({ id: "File:README.md", lines: "1-3" });
  });

  it("tells each process of several hits once, with their ranks", async () => {
    const { results, groups } = await search({ query: "placeOrder checkOut priceOf", limit: 10, groupByProcess: true });
    expect(results.every(({ processes }) => processes === undefined)).toBe(true);
    const flow = groups!.find(({ label }) => label === "main → roundUp")!;
    const members = flow.ranks.map((rank) => nameOf(results[rank - 1]!));
    expect(members).toEqual(expect.arrayContaining(["placeOrder", "checkOut", "priceOf"]));
    expect(flow.id).toMatch(/^Process:\d+$/);
    expect((await search({ query: "placeOrder", limit: 1, groupByProcess: true })).groups).toBeUndefined();
  });

  it("says nothing twice: neither what the id tells nor where the lines begin", async () => {
    const codebase = await codebaseOf({ "Basket.java": "class Basket {\n    @Deprecated\n    int weigh() { return 1; }\n}\n", "Box.java": "class Box extends Basket {\n    int fill() { return weigh(); }\n}\n" });
    const { results } = await search({ query: "basket weigh box" }, { codebase });
    const told = Object.fromEntries(results.map((result) => [nameOf(result), result]));
    expect(told["Basket"]).toEqual({ id: "Class:Basket.java:Basket", lines: "1-4", connections: 1 });
    expect(told["Box"]).toMatchObject({ lines: "1-3", signature: "class Box extends Basket" });
    expect(told["Basket.weigh"]).toMatchObject({ line: 3, lines: "2-3" });
  });

  it("or names the processes of each hit", async () => {
    const { results, groups } = await search({ query: "priceOf", groupByProcess: false });
    expect(groups).toBeUndefined();
    expect(results[0]!.processes).toEqual(["main → roundUp"]);
  });

  it("cuts at the limit and says how many there are", async () => {
    const answer = await search({ query: "store", limit: 2 });
    expect(answer.results.length).toBe(2);
    expect(answer).toMatchObject({ more: answer.total - 2, rest: "offset 2" });
    const all = (await search({ query: "store", limit: 100 })).results.map(({ id }) => id);
    expect((await search({ query: "store", limit: 2, offset: 2 })).results.map(({ id }) => id)).toEqual(all.slice(2, 4));
  });

  it("tells the first words of a comment, and puts what does it before what only declares it", async () => {
    const codebase = await codebaseOf({
      "a.ts": "export interface Store {\n  /** Declares it. */\n  persist(): void;\n}\n",
      "b.ts": "import type { Store } from \"./a.ts\";\nexport class Disk implements Store {\n  /**\n   * Writes all of it.\n   *\n   * At length.\n   */\n  persist(): void {}\n}\n",
    });
    const { results } = await search({ query: "persist" }, { codebase });
    expect(results.slice(0, 2).map(({ id, doc }) => [id, doc])).toEqual([["Method:b.ts:Disk.persist", "Writes all of it."], ["Method:a.ts:Store.persist", "Declares it."]]);
  });

  it("finds what a sentence describes by the words in its code, of which the rare ones tell more", async () => {
    const codebase = await codebaseOf({
      "a.ts": `export function wrap(next: Handler): Handler {
  return (w, r) => {
    // Proxies append the address of the peer.
    const chain = r.headers.get("X-Forwarded-For")?.split(",") ?? [];
    r.remoteAddress = chain[0]?.trim() ?? r.remoteAddress;
    return next(w, r);
  };
}
export function parse(headers: Headers): string[] { return headers.get("Accept")?.split(",") ?? []; }
export function first(list: string[]): string | undefined { return list[0]; }
`,
      "a.test.ts": "export function forwarded(): void { set(\"X-Forwarded-For\", \"remote address\"); }\n",
    });
    const found = async (query: string): Promise<string[]> => (await search({ query }, { codebase })).results.map(nameOf);
    expect((await found("sets the remote address from the forwarded header"))[0]).toBe("wrap");
    expect((await found("splits the value of the accept header"))[0]).toBe("parse");
    // One or two words are a name, or a part of one.
    expect(await found("forwarded")).toEqual(["forwarded"]);
  });

  it("finds what a sentence describes by what is around it: names of what uses it, comments of what it uses, and of methods of its name", async () => {
    const codebase = await codebaseOf({
      "a.ts": `export function expireSessions(store: Store): void { for (const one of store.all()) drop(one); }
function drop(one: Entry): void { one.go(); }
function turn(x: number): number { return spin(x); }
/** Rotates the picture clockwise. */
function spin(x: number): number { return x + 1; }
export class Tape {
  /** Brings the reel back to its beginning. */
  back(): void {}
}
export class Disk { back(): void {} }
`,
      "b.ts": "export function keep(x: number): number { return x; }\nexport function other(session: number): number { return session; }\n",
    });
    const found = async (query: string): Promise<string[]> => (await search({ query }, { codebase })).results.map(nameOf);
    expect((await found("what happens to expired sessions of a user")).slice(0, 2)).toEqual(["expireSessions", "drop"]);
    expect((await found("rotate pictures to the right")).slice(0, 2)).toEqual(["spin", "turn"]);
    const [back] = (await search({ query: "bring the reel to its beginning" }, { codebase })).results;
    expect(back).toMatchObject({ id: "Method:a.ts:Tape.back", namesakes: { "a.ts": ["Disk.back:10"] } });
  });

  it("finds nothing by what uses it where everything does", async () => {
    const codebase = await codebaseOf({
      "a.ts": `export function expireSessions(): void { drop(); note(); }
export function sessionUser(): void { note(); }
function drop(): void {}
export function note(): void {}
`,
      "b.ts": `import { note } from "./a";\n${["f", "g", "h", "i", "j"].map((name) => `export function ${name}(): void { note(); }\n`).join("")}`,
    });
    const found = (await search({ query: "what happens to expired sessions of a user" }, { codebase })).results.map(nameOf);
    expect(found).toContain("drop");
    expect(found).not.toContain("note");
  });

  it("tells methods of one name as one in answer to a question, and those of further pages after them", async () => {
    const kinds = Array.from({ length: 30 }, (_, i) => `Disk${i}`);
    const codebase = await codebaseOf({
      ...Object.fromEntries(kinds.map((kind) => [`${kind}.ts`, `export class ${kind} {\n  /** Loads the blocks of a disk. */\n  load(): void {}\n}\n`])),
      "main.ts": "/** Says which blocks a disk has loaded. */\nexport function loadedBlocks(): void {}\n",
    });
    const query = "where are blocks of a disk loaded";
    const first = await search({ query, kind: "Method", limit: 1 }, { codebase });
    const told = ({ results }: Answer): string[] => results.flatMap((one) => [nameOf(one), ...Object.values(one.namesakes ?? {}).flat().map((name) => name.replace(/:\d+$/, ""))]);
    expect(first.results).toHaveLength(1);
    expect(told(first)).toHaveLength(21);
    expect(first).toMatchObject({ total: 30, more: 9, rest: "offset 21" });
    const rest = await search({ query, kind: "Method", offset: 21 }, { codebase });
    expect([...told(first), ...told(rest)].sort()).toEqual(kinds.map((kind) => `${kind}.load`).sort());
    expect((await search({ query, limit: 2 }, { codebase })).results.map(nameOf)).toContain("loadedBlocks");
    expect((await search({ query: "load", kind: "Method", limit: 3 }, { codebase })).results.map(({ namesakes }) => namesakes)).toEqual([undefined, undefined, undefined]);
  });

  it("finds what a symbol that fits a sentence is made of before what has the same words and is called by nothing that fits", async () => {
    const codebase = await codebaseOf({
      "a.ts": `function later(n: number): void { socket.send(n); }
export function entry(): void { retry(request()); again(3); }
function again(n: number): void { socket.send(n); }
export function other(n: number): void { later(n); }
`,
    });
    const results = (await search({ query: "retry requests over the socket" }, { codebase })).results.map(nameOf);
    expect(results.indexOf("again")).toBeLessThan(results.indexOf("later"));
  });

  it("puts what stands in a file with more that fits a sentence before what stands alone", async () => {
    const beside = `export function openKey(): void { read(1); }
export function readKey(): void { read(2); }
`;
    const order = async (first: string, second: string): Promise<string[]> => {
      const codebase = await codebaseOf({ "a.ts": `export function spinUp(): void { key(1); }\n${first}`, "b.ts": `export function spinDown(): void { key(1); }\n${second}` });
      return (await search({ query: "opens the store and reads a key" }, { codebase })).results.map(nameOf).filter((name) => name.startsWith("spin"));
    };
    expect(await order(beside, "")).toEqual(["spinUp", "spinDown"]);
    expect(await order("", beside)).toEqual(["spinDown", "spinUp"]);
  });

  it("takes a question of few words as a sentence, whatever form its verb has", async () => {
    const codebase = await codebaseOf({
      "a.ts": `export function request(): void {}
export function requests(): void {}
export class RequestError {}
/** Tries again what failed. */
export function retry(request: Request): void { request.send(); }
export function takeSnapshot(): void {}
export function openSnapshot(): void {}
export function snapshotName(): void {}
`,
    });
    const best = async (query: string): Promise<string> => nameOf((await search({ query }, { codebase })).results[0]!);
    expect(await best("how are requests retried")).toBe("retry");
    expect(await best("when is a snapshot taken")).toBe("takeSnapshot");
  });

  it("finds what code says otherwise than sentences do", async () => {
    const codebase = await codebaseOf({
      "a.go": "package a\n\nfunc ErrorOf(n int) int { return n }\n\nfunc Other(n int) int { return n }\n\nfunc MaxOf(n int) int { return n }\n",
    });
    const best = async (query: string): Promise<string> => (await search({ query }, { codebase })).results[0]!.id;
    expect(await best("how a failure of the parser reaches whoever asked")).toBe("Function:a.go:ErrorOf");
    expect(await best("takes the largest part of the sum")).toBe("Function:a.go:MaxOf");
  });

  it("finds the words of a sentence in code in whatever form they stand there", async () => {
    const codebase = await codebaseOf({
      "a.ts": "export function first(): void { note(\"was sent\"); }\nexport function second(): void { note(\"lists factories\"); }\nexport function third(): void { note(\"gone\"); }\n",
    });
    const found = async (query: string): Promise<string[]> => (await search({ query }, { codebase })).results.map(nameOf);
    expect(await found("who is it that sends")).toEqual(["first"]);
    expect(await found("what was sent when")).toEqual(["first"]);
    expect(await found("what becomes of the factory")).toEqual(["second"]);
  });

  it("forgives a misspelling in a sentence where no code has the word", async () => {
    const found = await search({ query: "zebras at the chekcout with giraffes" });
    expect(found.results[0]!.id).toContain("checkout");
  });

  it("puts what has all words of a sentence before what has one of them often", async () => {
    const codebase = await codebaseOf({
      "a.ts": "export function one(): void { token(); token(); token(); token(); }\nexport function all(): void {\n  const a = 1;\n  const b = 2;\n  token();\n  refresh(a);\n  expiry(b);\n}\n",
    });
    const { results } = await search({ query: "token expiry and refresh" }, { codebase });
    expect(results.map(nameOf)[0]).toBe("all");
  });

  it("puts a name that a sentence covers before longer ones with the same words", async () => {
    const codebase = await codebaseOf({
      "a.ts": `export function hostKeysOfUnknownServers(file: string): void { read(file, file); }
export function loadHostKeys(file: string): void { read(file); }
export function checkHostKeysOfAgents(file: string): void { read(file, file); }
`,
    });
    const { results } = await search({ query: "Read a file of SSH host keys in the format of others" }, { codebase });
    expect(results.map(nameOf)[0]).toBe("loadHostKeys");
  });

  it("finds what code writes short, or two words as one", async () => {
    const codebase = await codebaseOf({
      "a.py": "def envvar_of(param):\n    pass\n\n\ndef mk_cfg(src):\n    pass\n\n\ndef filename(x):\n    pass\n\n\ndef environment_page():\n    pass\n\n\ndef variable_kind():\n    pass\n\n\ndef update_page():\n    pass\n\n\ndef is_uptodate():\n    pass\n",
    });
    const best = async (query: string): Promise<string> => (await call("search", { query }, { codebase }) as { results: { id: string }[] }).results[0]!.id;
    expect(await best("parameters come from environment variables")).toBe("Function:a.py:envvar_of");
    expect(await best("make a configuration from the source")).toBe("Function:a.py:mk_cfg");
    expect(await best("how the file name is put together")).toBe("Function:a.py:filename");
    expect(await best("how does it know that a page is up to date")).toBe("Function:a.py:is_uptodate");
  });

  it("finds only what is asked for by kind, path or tests", async () => {
    const ids = async (args: object): Promise<string[]> => (await search({ query: "order", limit: 50, ...args })).results.map(({ id }) => id);
    expect(await ids({ tests: "only" })).toEqual(["Function:src/checkout/checkout.test.ts:testPlaceOrder"]);
    expect(await ids({ tests: "none" })).not.toContain("Function:src/checkout/checkout.test.ts:testPlaceOrder");
    expect((await ids({ kind: "Method" })).every((id) => id.startsWith("Method:"))).toBe(true);
    expect((await ids({ path: "src/store" })).every((id) => id.includes("src/store/"))).toBe(true);
    expect(await search({ query: "order", kind: "Enum" })).toEqual({ results: [], total: 0, hint: "Nothing of that path, kind or tests has these words: leave a filter out." });
  });

  it("says what to do when nothing is found, and when there are no words", async () => {
    for (const query of ["xyzzyqwfp", "%%%"]) {
      expect(await search({ query })).toEqual({ results: [], total: 0, hint: expect.stringContaining("grep") as string });
    }
    await expect(search({ query: " " })).rejects.toThrow("The argument \"query\" must be a text that is not empty.");
  });
});

/** How often others had a turn. */
function counted(): { turns: Pick<Turns, "next">; count: () => number } {
  let count = 0;
  const next = (): Promise<void> => {
    count++;
    return Promise.resolve();
  };
  return { turns: { next }, count: () => count };
}

it("with an index that was written down finds what the one that was built finds, and builds none", async () => {
  const many = Array.from({ length: 250 }, (_, i) => `export function word${i}(): void {}\n`).join("");
  const repo = { "a.ts": "/** Frobs the widgets. */\nexport function parse(): void {}\nexport function parser(): void {}\n", "b.ts": "export class Store {}\n", "c.ts": many };
  const built = await codebaseOf(repo);
  expect(packSearch(built)).toBeUndefined();
  const building = counted();
  await prepareSearch(built, building.turns);
  expect(building.count()).toBeGreaterThan(250);
  const restored = { ...built, files: { paths: built.files.paths, text: (path: string) => repo[path as keyof typeof repo].replace("Frobs the widgets", "Nothing") } };
  unpackSearch(restored, Buffer.concat([...packSearch(built)!]));
  const reading = counted();
  await prepareSearch(restored, reading.turns);
  // A line of the index, a turn.
  expect(reading.count()).toBeGreaterThan(6);
  // What the comment says is in the index alone.
  for (const query of ["frob widgets", "parse", "Store", "b.ts", "word", "word99", "word249", "nothing"]) expect(searchCodebase(restored, query)).toEqual(searchCodebase(built, query));
  expect(searchCodebase(restored, "frob widgets")).not.toEqual([]);
  const without = { ...restored };
  expect(searchCodebase(without, "frob widgets")).toEqual([]);
});

it("a field's name is answered with its declaration and the lines of the code that have it, and says so", async () => {
  const codebase = await codebaseOf({
    "mux.go": "package m\n\n// Mux has strictSlash.\ntype Mux struct {\n\tstrictSlash bool\n}\n\nfunc (m *Mux) StrictSlash() {\n\tm.strictSlash = true\n}\n", "notes.md": "strictSlash\n",
  });
  const { inText } = await call("search", { query: "strictSlash" }, { codebase }) as { inText?: object };
  const lines = { declared: ["mux.go:5: strictSlash bool"], lines: { total: 2, items: ["mux.go:3: // Mux has strictSlash.", "mux.go:9: m.strictSlash = true"] } };
  expect(inText).toEqual({ note: expect.stringContaining("strictSlash is no node of the graph") as string, ...lines });
  expect(await call("search", { query: "(*Mux).strictSlash" }, { codebase })).toMatchObject({ inText: lines });
  expect(await call("search", { query: "StrictSlash" }, { codebase })).not.toHaveProperty("inText");
  expect(await call("search", { query: "strict slash" }, { codebase })).not.toHaveProperty("inText");
  // Of the files alone that are asked for.
  for (const filter of [{ path: "other/**" }, { tests: "only" }]) expect(await call("search", { query: "strictSlash", ...filter }, { codebase })).not.toHaveProperty("inText");
});
