import { expect, test } from "vitest";
import { codebaseOf } from "../../../../test/codebase.ts";

/** What a function calls, by name. */
async function calledBy(caller: string, files: Record<string, string>): Promise<string[]> {
  const { graph } = await codebaseOf(files);
  return graph.out(graph.find(caller)!, "CALLS").map((e) => graph.nodes[graph.to[e]!]!.name).sort();
}

const THING = "class Thing:\n    def work(self):\n        pass\n\n";

test("what stands at the end of a chain longer than the stack is deep is found", async () => {
  const chain = Array.from({ length: 3_000 }, (_, i) => `def f${i + 1}():\n    return f${i}()\n`).join("\n");
  expect(await calledBy("Function:a.py:use", { "a.py": `${THING}def f0():\n    return Thing()\n\n${chain}\ndef use():\n    f3000().work()\n` })).toEqual(["f3000", "work"]);
});

test("a chain that leads up and up is followed for a while", async () => {
  const files = (steps: number): Record<string, string> => ({
    "a.py": `def use():\n    f0().work()\n\n${Array.from({ length: steps }, (_, i) => `def f${i}():\n    return f${i + 1}()\n`).join("\n")}\ndef f${steps}():\n    return Thing()\n\n${THING}`,
  });
  expect(await calledBy("Function:a.py:use", files(4))).toEqual(["f0", "work"]);
});

test.each(["b.py", "0.py"])("what lies on a circle means the same in whatever file it is asked for first: %s", async (other) => {
  const circle = `${THING}def even(n):\n    return odd(n - 1) if n else Thing()\n\n\ndef odd(n):\n    return even(n - 1)\n`;
  const use = "from a import even, odd\n\n\ndef use():\n    odd(3).work()\n    even(2).work()\n";
  expect(await calledBy(`Function:${other}:use`, { "a.py": circle, [other]: use })).toEqual(["even", "odd", "work"]);
});

test("a class that derives from what it makes itself is none the less a class", async () => {
  const files = { "a.py": "from b import base\n\n\nclass One(base()):\n    def work(self):\n        pass\n", "b.py": "import a\n\n\ndef base():\n    return a.One().kind\n\n\ndef use():\n    a.One().work()\n" };
  expect(await calledBy("Function:b.py:use", files)).toEqual(["One", "work"]);
});
