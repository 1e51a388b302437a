import { expect, test } from "vitest";
import { Parser } from "web-tree-sitter";
import { loadGrammar } from "../../../../../test/languages.ts";
import { Extraction } from "./extraction.ts";
import { statements } from "./statements.ts";
import { Syntax } from "./syntax.ts";

/** Machine-written code has thousands of each beside each other. `i` counts them, `j` is one of the others. */
const SIBLINGS: Record<string, (list: (item: (i: number, j: number) => string, between?: string) => string) => string> = {
  "array elements": (list) => `const a = [${list((i) => `{ k: ${i}, f() { g(${i}) } }`, ",")}];`,
  "properties": (list) => `const o = {${list((i) => `p${i}: function (e) { return f(e) }`, ",")}};`,
  "functions": (list) => list((i, j) => `function f${i}(a) { return f${j}(a) }`),
  "functions of one name": (list) => list(() => "function f(a) { g(a) }"),
  "overloads": (list) => `${list((i) => `function f(a: ${i}): void;`)} function f(a) {}`,
  "variables": (list) => `(function () { ${list((i, j) => `var v${i} = v${j}.x();`)} })()`,
  "variables of one name": (list) => list((i) => `var e = ${i}; e = f(e);`),
  "declarators": (list) => `var ${list((i, j) => `v${i} = g(v${j})`, ",")};`,
  "methods": (list) => `class A { ${list((i, j) => `m${i}() { this.m${j}() }`)} }`,
  "overloads of a method": (list) => `class A { ${list((i) => `m(a: ${i}): void;`)} m(a) {} }`,
  "fields": (list) => `class A { constructor() { ${list((i) => `this.p${i} = ${i};`)} } }`,
  "signatures": (list) => `interface I { ${list((i) => `m${i}(): void;`)} }`,
  "prototypes": (list) => `function A() {} ${list((i, j) => `A.prototype.m${i} = function () { this.m${j}() };`)}`,
  "CommonJS exports": (list) => list((i) => `exports.b${i} = b${i};`),
  "exports": (list) => `${list((i) => `const a${i} = 1;`)} export { ${list((i) => `a${i}`, ",")} };`,
  "imports": (list) => list((i) => `import { a${i} } from "./m${i}";`),
  "cases": (list) => `switch (x) { ${list((i) => `case ${i}: f(${i}); break;`)} }`,
  "arguments": (list) => `f(${list((i) => `x${i}`, ",")});`,
  "members of a union": (list) => `type T = ${list((i) => `"t${i}"`, "|")};`,
  "documented functions": (list) => list((i) => `/** Number ${i}. */ function f${i}() {}\n`),
};

/** The object with everything that can be reached from it, counting each time that a property is read. */
function counted<T extends object>(object: T, count: () => void): T {
  const proxies = new WeakMap<object, object>();
  const wrap = (value: object): object => {
    const known = proxies.get(value);
    if (known) return known;
    const proxy = new Proxy(value, {
      get(target, key, receiver) {
        count();
        const found: unknown = Reflect.get(target, key, receiver);
        return typeof found === "object" && found !== null && (Array.isArray(found) || found.constructor === Object) ? wrap(found) : found;
      },
    });
    proxies.set(value, proxy);
    return proxy;
  };
  return wrap(object) as T;
}

/** How often an extraction reads from the syntax and from what it has written. */
async function work(source: string): Promise<number> {
  const grammar = await loadGrammar("typescript");
  const parser = new Parser();
  parser.setLanguage(grammar);
  const tree = parser.parse(source)!;
  let reads = 0;
  const count = (): void => {
    reads++;
  };
  const x = new Extraction(counted(new Syntax(tree, source, grammar, 500), count), "a.ts");
  Object.assign(x, { facts: counted(x.facts, count) });
  tree.delete();
  parser.delete();
  reads = 0;
  statements(x, 0);
  x.finish();
  return reads;
}

test.each(Object.entries(SIBLINGS))("four times as many %s are four times the work", async (_, source) => {
  const of = (n: number): Promise<number> => work(source((item, between = " ") => (
    Array.from({ length: n }, (_, i) => item(i, (i * 7) % n)).join(between)
  )));
  const [few, many] = [await of(60), await of(240)];
  expect(few).toBeGreaterThan(60);
  expect(many / few).toBeLessThan(4.6);
});
