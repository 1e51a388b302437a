import { expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";
import { readable } from "./readable.ts";

interface Found { found: { id: string; code?: string; signature?: string; callers?: { items: string[] } }[]; flows?: string[]; others?: { total: number } }

it("answers a question in words with the symbols that matter, their code, what is around them and the ways between", async () => {
  const { found } = await call("explore", { name: "how is an order placed?" }) as unknown as Found;
  expect(found[0]).toMatchObject({ id: "Function:src/checkout/checkout.ts:placeOrder", callers: { items: ["src/checkout/checkout.ts:13 checkOut"] } });
  expect(found[0]!.code).toContain("store.save(item);");
});

it("tests come after all else, unless the question is about them", async () => {
  const codebase = await codebaseOf({
    "cart.test.ts": "import { cartTotal } from \"./a.ts\";\nfunction cartTotalIsRight(): void {\n  cartTotal();\n}\ntest(\"x\", cartTotalIsRight);\n",
    "a.ts": "export function cartTotal(): void {}\n", "b.ts": "/** Of a cart. */\nexport function sum(): void {}\n",
  });
  const { found } = await call("explore", { name: "how is the cart summed" }, { codebase }) as unknown as Found;
  expect(found.map(({ id }) => id.split(":").at(-1))).toEqual(["sum", "cartTotal", "cartTotalIsRight"]);
});

it("tells of many methods of one name two, and then what else there is; of what is called that which little else calls", async () => {
  const codebase = await codebaseOf({
    "note.ts": "export function note(): void {}\n",
    ...Object.fromEntries(["Disk", "Tape", "Card", "Drum"].map((kind) => [`${kind}.ts`, `import { note } from "./note.ts";\nexport class ${kind} {\n  /** Loads the blocks of a disk. */\n  load(): void { note(); }\n}\n`])),
    "main.ts": `import { note } from "./note.ts";
/** Says which blocks are there. */
export function which(): void { note(); ${["a", "b", "c", "d", "e", "f"].map((name) => `${name}();`).join(" ")} }
${["a", "b", "c", "d", "e", "f"].map((name) => `function ${name}(): void {}\n`).join("")}`,
  });
  const { found } = await call("explore", { name: "where are blocks of a disk loaded" }, { codebase }) as unknown as { found: { id: string; callees?: { items: string[] } }[] };
  const names = found.map(({ id }) => id.split(":").at(-1)!);
  expect(names.filter((name) => name.endsWith(".load"))).toHaveLength(4);
  expect(names.indexOf("which")).toBeLessThan(names.findLastIndex((name) => name.endsWith(".load")));
  expect(found[names.indexOf("which")]!.callees).toMatchObject({ items: ["a", "b", "c", "d", "e", "f"].map((name, i) => `${name} main.ts:${4 + i}`), more: 1 });
});

it("tells of what one function alone calls that first which calls most itself", async () => {
  const parts = ["a", "b", "c", "d", "e", "f"];
  const codebase = await codebaseOf({
    "main.ts": `/** Runs the loop. */\nexport function loop(): void { ${parts.map((name) => `${name}();`).join(" ")} work(); }\n`
      + `${parts.map((name) => `function ${name}(): void {}\n`).join("")}function work(): void { one(); two(); }\nfunction one(): void {}\nfunction two(): void {}\n`,
  });
  const { found } = await call("explore", { name: "loop" }, { codebase }) as unknown as { found: { callees?: { items: string[] } }[] };
  expect(found[0]!.callees).toMatchObject({ items: ["work main.ts:9", "a main.ts:3", "b main.ts:4", "c main.ts:5", "d main.ts:6", "e main.ts:7"], more: 1 });
  const { callees } = await call("deep_dive", { name: "loop" }, { codebase }) as unknown as { callees: { items: { id: string }[] } };
  expect(callees.items.map(({ id }) => id.split(":").at(-1)).join(" ")).toBe("work a b c d e f");
});

it("has each line once where a class and its methods are told", async () => {
  const cart = "export class Cart {\n  items = 0;\n  addToCart(): void {\n    this.items++;\n  }\n  clear(): void {}\n}\n";
  const codebase = await codebaseOf({ "cart.ts": cart });
  const lines = async (name: string): Promise<string> => {
    const { found } = await call("explore", { name }, { codebase }) as unknown as { found: { id: string; lines: string; code?: string; shownTo?: number }[] };
    return found.map(({ id, lines, code, shownTo }) => `${id.split(":").at(-1)!} ${lines} ${code?.split("\n").length ?? 0} ${shownTo ?? ""}`.trim()).join("; ");
  };
  expect(await lines("Cart, Cart.addToCart")).toBe("Cart 1-7 7; Cart.addToCart 3-5, shown above 0");
  expect(await lines("Cart.addToCart, Cart")).toBe("Cart.addToCart 3-5 3; Cart 1-7 2 2");
});

it("says of no method that its lines are above where its class had no room for them", async () => {
  const users = Array.from({ length: 6 }, (_, i) => `export function makesOneOfTheCarts${i}(): Cart {\n  return new Cart();\n}\n`).join("");
  const codebase = await codebaseOf({ "cart.ts": `export class Cart {\n  items = 0;\n  addToCart(): void {\n    this.items++;\n  }\n  clear(): void {}\n}\n${users}` });
  const told = new Set<string>();
  for (let budget = 40; budget < 240; budget += 2) {
    const { found: [cart, method] } = await call("explore", { name: "Cart, Cart.addToCart", budget }, { codebase }) as unknown as { found: { code?: string; lines: string }[] };
    if (method) told.add(`${cart!.code === undefined ? "no class" : "class"}, method ${method.lines.includes("above") ? "above" : method.code === undefined ? "without lines" : "with lines"}`);
  }
  expect([...told].sort()).toEqual(["class, method above", "class, method without lines", "no class, method without lines"]);
});

it("names who may call a method by its interface", async () => {
  const codebase = await codebaseOf({ "a.go": `package a

type Saver interface{ Save() }

type Disk struct{}

func (d *Disk) Save() {}

func keep(s Saver) { s.Save() }
` });
  const { found } = await call("explore", { name: "Disk.Save" }, { codebase }) as unknown as { found: object[] };
  expect(found[0]).toMatchObject({ possibleCallers: { total: 1, items: ["a.go:9 keep 0.6"] } });
});

it("names what inherits from a type, and what takes the place of a method", async () => {
  const codebase = await codebaseOf({
    "rights.py": "class Rights:\n    def allows(self, user):\n        raise NotImplementedError\n",
    "owner.py": "from rights import Rights\n\nclass Owner(Rights):\n    def allows(self, user):\n        return user == 'me'\n",
    "test_rights.py": "from rights import Rights\n\nclass All(Rights):\n    def allows(self, user):\n        return True\n",
  });
  const { found: [type, method, heir] } = await call("explore", { name: "Rights, Rights.allows, Owner" }, { codebase }) as unknown as { found: object[] };
  expect(type).toMatchObject({ extendedBy: { total: 1, items: ["owner.py:3 Owner"] } });
  expect(method).toMatchObject({ implementedBy: { total: 1, items: ["Owner.allows owner.py:4"] } });
  expect(heir).toMatchObject({ extends: { total: 1, items: ["Rights rights.py:1"] } });
});

it("tells the first lines of a caller, and how many more there are", async () => {
  const codebase = await codebaseOf({ "a.ts": `export function log(): void {}\nexport function once(): void { log(); }\nexport function often(): void {\n${"  log();\n".repeat(5)}}\n` });
  const { found } = await call("explore", { name: "log" }, { codebase }) as unknown as Found;
  expect(found[0]!.callers!.items.toSorted()).toEqual(["a.ts:2 once", "a.ts:4,5,6+2 often"]);
});

it("takes names", async () => {
  const { found, flows } = await call("explore", { name: "main, priceOf" }) as unknown as Found;
  expect(found.map(({ id }) => id.split(":").at(-1))).toEqual(["main", "priceOf"]);
  expect(flows).toEqual(["main → checkOut → placeOrder → priceOf"]);
  // A path stands for what is in the file.
  const { found: inFile } = await call("explore", { name: "src/checkout/price.ts" }) as unknown as Found;
  expect(inFile.length).toBeGreaterThan(1);
  expect(inFile.every(({ id }) => id.includes(":src/checkout/price.ts:"))).toBe(true);
  await expect(call("explore", { name: "xyzzyqwfp" })).rejects.toThrow("Nothing has the words");
});

it("says which names nothing has, and what resembles them, before all else", async () => {
  const text = async (name: string): Promise<string> => readable("explore", await call("explore", { name })) as string;
  expect(await text("placeOrdr, priceOf")).toMatch(/^Nothing here is called "placeOrdr"\. Nearest: placeOrder\.\n\nFunction:/);
  expect(await text("checkOuts")).toMatch(/^Nothing here is called "checkOuts"\. Nearest: checkOut, .*\. What follows has words like it\.\n\n/);
  for (const name of ["placeOrder", "how is an order placed?"]) expect(await text(name)).not.toContain("Nothing here");
});

it("tells what a comment says first, whole or cut with a sign, without its tags", async () => {
  const codebase = await codebaseOf({ "a.ts": "/**\n * Parses a text, of which the\n * rest is kept. Then more.\n */\nexport function parse(): void {}\n\n/**\n * @since 1.0.0\n * @description Prints it.\n */\nexport function print(): void {}\n" });
  const { found } = await call("explore", { name: "parse, print" }, { codebase }) as unknown as { found: { doc: string }[] };
  expect(found.map(({ doc }) => doc)).toEqual(["Parses a text, of which the rest is kept.", "Prints it."]);
});

it("keeps to the budget, code first of what is most telling, and names the rest", async () => {
  const body = "  // a long line of a long function that takes room in an answer\n".repeat(60);
  const codebase = await codebaseOf(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}.ts`, `export function parse${i}(): void {\n${body}}\n`])));
  const sizes: number[] = [];
  for (const budget of [600, 2_000, 6_000]) {
    const answer = await call("explore", { name: "parse", budget }, { codebase }) as unknown as Found;
    const text = readable("explore", answer) as string;
    sizes.push(text.length);
    // The names of what is left out come on top.
    expect(text.length).toBeLessThan(budget * 3.5 + 1_200);
    expect(answer.found[0]!.code).toBeDefined();
    expect(answer.found.length + answer.others!.total).toBe(20);
  }
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  expect(sizes[2]! / sizes[0]!).toBeGreaterThan(3);
});
