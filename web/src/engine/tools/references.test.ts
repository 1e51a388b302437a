/** A function that is passed or stored, and a variable that is read, has dependents. */
import { expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";

const REPO = {
  "go.mod": "module m\n\ngo 1.26\n",
  "mw/logger.go": "package mw\n\nvar level = 3\n\nfunc Logger(next func()) func() { return next }\n\nfunc quiet() bool { return level > 2 }\n",
  "main.go": "package main\n\nimport \"m/mw\"\n\nfunc use(f func(func()) func()) {}\n\nfunc main() {\n\tuse(mw.Logger)\n}\n",
  "mw/logger_test.go": "package mw\n\nimport \"testing\"\n\nvar all = []func(func()) func(){Logger}\n\nfunc TestLogger(t *testing.T) {\n\tf := Logger\n\t_ = f\n}\n",
};

it("is a dependent that every answer names as a reference", async () => {
  const codebase = await codebaseOf(REPO);
  const { byDepth, risk } = await call("impact", { target: "Logger", direction: "upstream" }, { codebase }) as { byDepth: { items: object[] }[]; risk: { reasons: string[] } };
  expect(byDepth[0]!.items).toEqual([{ id: "Function:main.go:main", line: 7, edge: "REFERENCES", sites: [8] }]);
  expect(risk.reasons[0]).toBe("1 direct dependent (below 4)");
  const dive = await call("deep_dive", { name: "Logger" }, { codebase }) as { dependents: { items: object[] }[]; tests: { items: string[] } };
  expect(dive.dependents[0]!.items[0]).toMatchObject({ edge: "REFERENCES", sites: [8] });
  expect(dive.tests.items[0]).toMatch(/^mw\/logger_test\.go: /);
  expect((await call("explore", { name: "Logger", type: "symbol" }, { codebase })).referencedBy).toMatchObject({ total: 1, items: [{ id: "Function:main.go:main", sites: [8] }] });
  expect((await call("explore", { name: "main.go:main", type: "symbol" }, { codebase })).references).toMatchObject({ items: [{ id: "Function:mw/logger.go:Logger" }] });
  expect((await call("review_file", { filePath: "mw/logger.go" }, { codebase })).importedBy).toMatchObject({ items: ["main.go: 1 reference"] });
  const { run } = await call("test_impact", { changedFiles: ["mw/logger.go"] }, { codebase }) as { run: string[] };
  expect(run[0]).toContain("TestLogger");
});

it("is found for a variable", async () => {
  const codebase = await codebaseOf(REPO);
  const { byDepth } = await call("impact", { target: "mw.level", direction: "upstream", maxDepth: 1 }, { codebase }) as { byDepth: { items: object[] }[] };
  expect(byDepth[0]!.items).toEqual([{ id: "Function:mw/logger.go:quiet", line: 7, edge: "REFERENCES", sites: [7] }]);
});
