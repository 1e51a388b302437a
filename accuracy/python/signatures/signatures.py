#!/usr/bin/env python3
"""States which code pyright rejects when a function takes one more argument that has to be given.

    python3 signatures.py DIR FUNCTIONS.json OUT.json --pyright LANGSERVER.js [--extra DIR]...

FUNCTIONS is a list of {file, name, line}. OUT has for each a list of {file, line, message}, or
null where there is no such function. A pyrightconfig.json is written into DIR.
"""

import argparse
import ast
import io
import json
import os
import sys
import tokenize

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from declarations import FUNCTION, Declarations  # noqa: E402
from pyright import Pyright  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir")
    parser.add_argument("functions")
    parser.add_argument("out")
    parser.add_argument("--pyright", required=True)
    parser.add_argument("--extra", action="append", default=[])
    args = parser.parse_args()
    root = os.path.realpath(args.dir)
    declarations = Declarations(root)
    with open(args.functions, encoding="utf-8") as functions:
        asked = json.load(functions)
    found: list[list[dict] | None] = []
    roots = [os.path.join(root, "src")] if os.path.isdir(os.path.join(root, "src")) else []
    with Pyright(args.pyright, root, roots + args.extra, "standard") as server:
        for file in declarations.files:
            server.open(file, "\n".join(declarations.lines[file]))
        before = {_key(error) for error in _errors(server, declarations.files)}
        version = 1
        for function in asked:
            file = function["file"]
            text = "\n".join(declarations.lines.get(file, []))
            changed = with_parameter(text, function["name"], function["line"])
            if changed is None:
                found.append(None)
                continue
            version += 2
            server.change(file, changed, version)
            found.append([error for error in _errors(server, declarations.files) if _key(error) not in before])
            server.change(file, text, version + 1)
    with open(args.out, "w", encoding="utf-8") as out:
        json.dump(found, out)


def _errors(server: Pyright, files: list[str]) -> list[dict]:
    return [
        {"file": file, "line": error["range"]["start"]["line"] + 1, "message": f"{error.get('code')}: {error['message']}"}
        for file, errors in zip(files, server.errors(files), strict=True)
        for error in errors
    ]


def _key(error: dict) -> tuple:
    return error["file"], error["line"], error["message"]


def with_parameter(text: str, name: str, line: int) -> str | None:
    """The text with one more parameter of the function in a line. It is given by name, so that the others keep their places."""
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, FUNCTION) and n.name == name and n.lineno == line]
    if not nodes:
        return None
    given = nodes[0].args
    parameter = "broken" if given.vararg or given.kwonlyargs else "*, broken"
    depth, before = 0, ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.start[0] < line or token.type in (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT):
            continue
        if depth == 1 and (token.string == ")" or token.string == "**" and before in "(,"):
            (row, column), end = token.start, ", " if token.string == "**" else ""
            lines = text.split("\n")
            lines[row - 1] = lines[row - 1][:column] + ("" if before in "(," else ", ") + parameter + end + lines[row - 1][column:]
            return "\n".join(lines)
        if token.string in ("(", "[", "{"):
            depth += 1
        elif token.string in (")", "]", "}"):
            depth -= 1
        before = token.string
    return None


if __name__ == "__main__":
    main()
