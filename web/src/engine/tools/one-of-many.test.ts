import { expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";

const PHP = {
  "Node.php": "<?php\ninterface Node { function type(); }\nabstract class Base { abstract function parts(); function name() {} }\n",
  "run.php": "<?php\nfunction run(Node $node, Base $base) {\n    $node->type();\n    $base->parts();\n    $base->name();\n}\n",
};

function withNodes(count: number): Record<string, string> {
  return { ...PHP, ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`nodes/N${i}.php`, `<?php\nclass N${i} extends Base implements Node { function type() {} function parts() {} function name() {} }\n`])) };
}

it("what calls a method that too many implement is told as what may run each of them", async () => {
  const codebase = await codebaseOf(withNodes(101));
  const { risk } = await call("impact", { target: "N7.type", direction: "upstream" }, { codebase }) as { risk: { level: string; reasons: string[] } };
  expect(risk.level).toBe("unknown");
  expect(risk.reasons).toContain("101 methods implement Node.type, it among them, and what calls that may run it (run.php:3 run)");
  const { possibleCallers } = await call("explore", { name: "N7.parts", type: "symbol" }, { codebase });
  expect(possibleCallers).toEqual({ total: 1, items: ["run.php:4 run, by Base.parts, which 101 methods implement"] });
  const { possibleCallees } = await call("explore", { name: "run", type: "symbol" }, { codebase }) as { possibleCallees: { items: string[] } };
  expect(possibleCallees.items).toEqual([
    "Node.type at 3: 101 possible (N0.type nodes/N0.php:2, N1.type nodes/N1.php:2, N10.type nodes/N10.php:2 and 98 more: search type)",
    "Base.parts at 4: 101 possible (N0.parts nodes/N0.php:2, N1.parts nodes/N1.php:2, N10.parts nodes/N10.php:2 and 98 more: search parts)",
    "Base.name at 5: 101 possible (N0.name nodes/N0.php:2, N1.name nodes/N1.php:2, N10.name nodes/N10.php:2 and 98 more: search name)",
  ]);
});

it("a call on what is above means that alone", async () => {
  const codebase = await codebaseOf({ ...withNodes(101), "Own.php": "<?php\nclass Own extends Base { function name() { return parent::name(); } }\n" });
  const own = await call("explore", { name: "Own.name", type: "symbol" }, { codebase });
  expect(own).not.toHaveProperty("possibleCallees");
  const { possibleCallers } = await call("explore", { name: "N7.name", type: "symbol" }, { codebase });
  expect(possibleCallers).toEqual({ total: 1, items: ["run.php:5 run, by Base.name, which 102 methods implement"] });
});

it("of fewer each is a possible callee of its own", async () => {
  const codebase = await codebaseOf(withNodes(100));
  const { possibleCallers } = await call("explore", { name: "N7.type", type: "symbol" }, { codebase });
  expect(possibleCallers).toEqual({ total: 1, items: ["run.php:3 run 0.6"] });
});
