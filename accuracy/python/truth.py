#!/usr/bin/env python3
"""States Python sources: Python's own ast says what is declared and called, pyright's
language server what each name leads to (code-graph/1).

    python3 truth.py DIR OUT.json --pyright LANGSERVER.js [--extra DIR]...

DIR is where imports begin, or has a src folder for that. A pyrightconfig.json is
written into it. --extra is a folder of packages that the sources import.
"""

import argparse
import json
import os
import sys

from calls import Calls
from declarations import Declarations
from imports import Imports
from pyright import Pyright


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir")
    parser.add_argument("out")
    parser.add_argument("--pyright", required=True)
    parser.add_argument("--extra", action="append", default=[])
    args = parser.parse_args()
    root = os.path.realpath(args.dir)
    declarations = Declarations(root)
    roots = [r for r in ("src", "") if os.path.isdir(os.path.join(root, r))]
    with Pyright(args.pyright, root, [r for r in roots if r] + args.extra) as server:
        calls = Calls(declarations, server)
        calls.read()
    graph = {
        "schema": "code-graph/1",
        "producer": f"Python {sys.version_info.major}.{sys.version_info.minor} ast and pyright",
        "language": "python",
        "options": {"importTarget": "file"},
        "files": declarations.files,
        "symbols": declarations.symbols,
        "calls": calls.calls,
        "unresolved": calls.unresolved,
        "taken": calls.taken,
        "imports": Imports(declarations, roots).edges(),
        "extends": calls.extends(),
        "implements": [],
        "errors": declarations.errors,
    }
    with open(args.out, "w", encoding="utf-8") as out:
        json.dump(graph, out)


main()
