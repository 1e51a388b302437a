import { expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";

interface Answer { tests: { groups: { items: string[] }[] }; run?: string[] }

const impact = async (repo: Record<string, string>, changed: string): Promise<Answer> =>
  await call("test_impact", { changedFiles: [changed] }, { codebase: await codebaseOf(repo) }) as unknown as Answer;

it("names the tests of Go and runs just them, in their packages", async () => {
  const answer = await impact({
    "go.mod": "module m\n", "a/a.go": "package a\n\nfunc A() {}\n", "a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { A() }\n\nfunc TestOther(t *testing.T) {}\n",
    "b/b_test.go": "package b\n\nimport (\n\t\"testing\"\n\n\t\"m/a\"\n)\n\nfunc TestB(t *testing.T) { a.A() }\n",
  }, "a/a.go");
  expect(answer.tests.groups.flatMap(({ items }) => items).sort()).toEqual(["a/a_test.go: TestA", "b/b_test.go: TestB"]);
  expect(answer.run).toEqual(["go test ./a ./b -run '^(TestA|TestB)$'"]);
});

it("names the tests of Python by their classes", async () => {
  const { run } = await impact({
    "shop/price.py": "def price():\n    return 1\n", "tests/test_price.py": "from shop.price import price\n\n\nclass TestPrice:\n    def test_one(self):\n        assert price() == 1\n\n\ndef test_two():\n    price()\n",
  }, "price.py");
  expect(run).toEqual(["pytest tests/test_price.py::TestPrice::test_one tests/test_price.py::test_two"]);
});

it("runs files with the runner of the package that they are in", async () => {
  const repo = { "web/a.ts": "export function a(): void {}\n", "web/a.test.ts": "import { a } from \"./a.ts\";\na();\n" };
  expect((await impact({ ...repo, "web/package.json": "{ \"devDependencies\": { \"vitest\": \"1\" } }" }, "a.ts")).run).toEqual(["cd web && npx vitest run a.test.ts"]);
  expect((await impact({ ...repo, "package.json": "{ \"scripts\": { \"test\": \"jest\" } }" }, "a.ts")).run).toEqual(["npx jest web/a.test.ts"]);
  expect((await impact({ ...repo, "web/a.test.ts": `import { test } from "node:test";\n${repo["web/a.test.ts"]}` }, "a.ts")).run).toEqual(["node --test web/a.test.ts"]);
  // Nobody knows what runs it.
  expect(await impact(repo, "a.ts")).not.toHaveProperty("run");
});
