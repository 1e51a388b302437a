/** A small shop in TypeScript and Python, indexed as the app would, and a way to call the tools on it. */
import type { Codebase } from "../src/engine/codebase.ts";
import type { ViewAction } from "../src/messages.ts";
import type { CypherResult, ToolContext } from "../src/engine/tools.ts";
import { tools } from "../src/engine/tools/index.ts";
import { codebaseOf } from "./codebase.ts";

export const SHOP: Record<string, string> = {
  "README.md": "# Shop\n\nSells things.\n",
  "src/store/store.ts": `export interface Store {
  save(order: string): void;
  find(id: number): string;
}

export class MemoryStore implements Store {
  private orders: string[] = [];

  save(order: string): void {
    this.orders.push(order);
  }

  find(id: number): string {
    return this.orders[id] ?? "";
  }
}

export class LoggingStore extends MemoryStore {
  override save(order: string): void {
    log(order);
    super.save(order);
  }
}

export function log(text: string): void {
  console.log(text);
}
`,
  "src/checkout/checkout.ts": `import { MemoryStore, type Store } from "../store/store.ts";
import { priceOf } from "./price.ts";

export function placeOrder(store: Store, item: string): number {
  const price = priceOf(item);
  store.save(item);
  return price;
}

export function checkOut(item: string): number {
  const memory = new MemoryStore();
  memory.save("first");
  return placeOrder(memory, item);
}
`,
  "src/checkout/price.ts": `export function priceOf(item: string): number {
  return roundUp(item.length * 1.5);
}

function roundUp(value: number): number {
  return Math.ceil(value);
}
`,
  "src/main.ts": `import { checkOut } from "./checkout/checkout.ts";
import { log } from "./store/store.ts";

export function main(): void {
  log(String(checkOut("pen")));
}

main();
`,
  "src/checkout/checkout.test.ts": `import { placeOrder } from "./checkout.ts";
import { MemoryStore } from "../store/store.ts";

export function testPlaceOrder(): void {
  placeOrder(new MemoryStore(), "pen");
}
`,
  "tools/report.py": `class Report:
    def total(self):
        return sum_up([1, 2])


def sum_up(values):
    return sum(values)


def log(text):
    print(text)
`,
};

let shop: Promise<Codebase> | undefined;

/** The shop, indexed once for all tests of a file. */
export function shopCodebase(): Promise<Codebase> {
  return (shop ??= codebaseOf(SHOP, "shop"));
}

export type Shown = ViewAction;

/** Calls a tool on a codebase (the shop) as the engine does; what it does to the view goes into `shown`. */
export async function call(
  name: string, args: Record<string, unknown>,
  { codebase, clustered, shown = [], signal = new AbortController().signal, cypher, revision }: {
    codebase?: Codebase; clustered?: Codebase; shown?: Shown[]; signal?: AbortSignal; cypher?: (query: string, maxRows: number) => Promise<CypherResult>;
    revision?: ToolContext["revision"];
  } = {},
): Promise<Record<string, unknown>> {
  const loaded = codebase ?? await shopCodebase();
  const context: ToolContext = {
    codebase: loaded, clustered: () => Promise.resolve(clustered ?? loaded), signal, deadline: Date.now() + 30_000, agent: "test",
    progress: () => undefined,
    view: (action) => shown.push(action),
    revision: revision ?? (() => Promise.reject(new Error("no history in this test"))),
    cypher: cypher ?? (() => Promise.reject(new Error("no database in this test"))),
  };
  // Through JSON, as on the way to an agent: what is not there cannot be asserted by accident.
  return JSON.parse(JSON.stringify(await tools[name]!(args, context))) as Record<string, unknown>;
}
