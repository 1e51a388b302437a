import { expect, test } from "vitest";
import { difference, inWords, open, parse, unclustered } from "../../../../test/workspaces.ts";

test("what derives from a class is looked at anew where its file changes", async () => {
  const files = (method: string): Record<string, string> => ({
    "base.py": "class Rule:\n    def fits(self):\n        return False\n\ndef choose():\n    for rule in Rule.__subclasses__():\n        rule.fits()\n",
    "more.py": `from base import Rule\n\nclass Long(Rule):\n    def ${method}(self):\n        return True\n`,
  });
  const workspace = await open(files("fits"));
  const calls = (edges: readonly string[]): string[] => edges.filter((edge) => edge.startsWith("CALLS Function:base.py:choose "));
  expect(calls(inWords(workspace.codebase!, false)).join("\n")).toContain("-> Method:more.py:Long.fits");
  const now = inWords(await workspace.update(difference(files("fits"), files("fitted")), parse), false);
  expect(now).toEqual(inWords((await unclustered(files("fitted"))).codebase!, false));
  expect(calls(now).join("\n")).toContain("-> Method:base.py:Rule.fits");
});
