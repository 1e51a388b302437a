import { describe, expect, it } from "vitest";
import { edgesOf } from "../../../../test/languages.ts";

/** The imports of a repository in which every Python file is empty but the first. */
async function imports(importing: string, statement: string, others: readonly string[], config: Record<string, string> = {}): Promise<string[]> {
  const repo: Record<string, string> = { ...config, [importing]: `${statement}\n` };
  for (const path of others) repo[path] = "";
  const edges = await edgesOf(repo, "IMPORTS");
  return edges.map((e) => e.replace(`IMPORTS ${importing} -> `, "").replace(/ [\d.]+$/, ""));
}

describe("imports", () => {
  it.each([
    ["a module beside a script", "tools/run.py", "import helper", ["tools/helper.py"], ["tools/helper.py"]],
    ["nothing beside a module of a package", "pkg/run.py", "import helper", ["pkg/helper.py", "pkg/__init__.py"], []],
    ["a package from the root", "tests/test_a.py", "import pkg.core", ["pkg/__init__.py", "pkg/core.py"], ["pkg/core.py"]],
    ["a package in src", "tests/test_a.py", "from pkg import core", ["src/pkg/__init__.py", "src/pkg/core.py"], ["src/pkg/core.py"]],
    ["a namespace package", "tests/test_a.py", "from space.part import core", ["src/space/part/core.py"], ["src/space/part/core.py"]],
    ["the nearest of two", "b/src/app.py", "import common.x", ["a/src/common/x.py", "b/src/common/x.py"], ["b/src/common/x.py"]],
    ["a root found by its package only", "app/main.py", "import vendored", ["third_party/libs/vendored/__init__.py"], ["third_party/libs/vendored/__init__.py"]],
    ["a stub of a compiled module", "pkg/a.py", "from . import _fast", ["pkg/__init__.py", "pkg/_fast.pyi"], ["pkg/_fast.pyi"]],
    ["the module rather than its stub", "pkg/a.py", "from . import b", ["pkg/__init__.py", "pkg/b.pyi", "pkg/b.py"], ["pkg/b.py"]],
    ["not itself for a standard module", "pkg/json.py", "import json", ["pkg/__init__.py"], []],
    ["no vendored copy of a standard module", "app/main.py", "import queue", ["vendor/queue/__init__.py"], []],
    ["a script's own module before a standard one", "tools/run.py", "import queue", ["tools/queue.py"], ["tools/queue.py"]],
    ["no further than the root", "a.py", "from ...b import c", ["b.py"], []],
    ["every name that is a module", "m.py", "from pkg import a, b, c", ["pkg/__init__.py", "pkg/a.py", "pkg/b/__init__.py"], ["pkg/__init__.py", "pkg/a.py", "pkg/b/__init__.py"]],
  ])("finds %s", async (_, importing, statement, others, expected) => {
    expect(await imports(importing, statement, others)).toEqual(expected);
  });

  it.each([
    ["pyproject.toml", "[tool.setuptools.package-dir]\n\"\" = \"code\"\n", "code"],
    ["pyproject.toml", "[tool.setuptools]\npackage-dir = {\"\" = \"code\"}\n", "code"],
    ["pyproject.toml", "[tool.setuptools.packages.find]\nwhere = [\"code\"]\n", "code"],
    ["pyproject.toml", "[tool.poetry]\npackages = [{ include = \"pkg\", from = \"code\" }]\n", "code"],
    ["pyproject.toml", "[tool.pytest.ini_options]\npythonpath = [\"other\", \"code/py\"]\n", "code/py"],
    ["setup.cfg", "[options]\npackage_dir =\n    =code\n", "code"],
    ["setup.py", "setup(package_dir={'': 'code'}, packages=find_packages('code'))\n", "code"],
  ])("%s: %j", async (file, text, root) => {
    // Namespace folders without __init__ give no hint of their own.
    expect(await imports("tests/t.py", "import space.mod", [`${root}/space/mod.py`], { [file]: text })).toEqual([`${root}/space/mod.py`]);
  });

  it("takes the name that a package defines before a submodule of that name", async () => {
    const repo = { "pkg/__init__.py": "def run(): ...\n", "pkg/run.py": "", "m.py": "from pkg import run\nrun()\n" };
    expect(await edgesOf(repo)).toEqual(["CALLS m.py -> pkg/__init__.py:run 1", "IMPORTS m.py -> pkg/__init__.py 1"]);
  });
});
