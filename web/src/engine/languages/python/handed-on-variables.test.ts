import { expect, test } from "vitest";
import { difference, inWords, open, parse, unclustered } from "../../../../test/workspaces.ts";

test.each<[string, user: string]>([
  ["by its name", "from pkg import MOST\nprint(MOST)\n"],
  ["in the module", "import pkg\n\ndef most():\n    return pkg.MOST\n"],
])("where a module hands on another variable of the same type, uses of it %s lead there", async (_, user) => {
  const files = (handedOn: string): Record<string, string> => ({ "conf.py": "LIMIT = 3\nSTEP = 1\n", "pkg/__init__.py": `from conf import ${handedOn} as MOST\n`, "main.py": user });
  const workspace = await open(files("LIMIT"));
  const now = inWords(await workspace.update(difference(files("LIMIT"), files("STEP")), parse), false);
  expect(now).toEqual(inWords((await unclustered(files("STEP"))).codebase!, false));
  expect(now.filter((edge) => /^REFERENCES .*main\.py.* -> Variable:conf\.py:STEP/.test(edge))).toHaveLength(1);
});
