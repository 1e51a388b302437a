"""Breaks a function of Python: python3 broken.py FILE LINE NAME writes the file anew, with a body that begins by raising."""

import ast
import sys


def broken(text: str, line: int, name: str) -> str | None:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = next((n for n in ast.walk(ast.parse(text)) if isinstance(n, functions) and n.name == name and n.lineno == line), None)
    if found is None:
        return None
    first = found.body[0]
    row = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))]) - 1
    lines = text.split("\n")
    before = lines[row].encode()[: first.col_offset].decode()
    if before.strip():  # on the line of the def
        lines[row] = f"{before}raise RuntimeError('broken'); {lines[row][len(before) :]}"
    else:
        lines.insert(row, f"{before}raise RuntimeError('broken')")
    return "\n".join(lines)


def main() -> None:
    file, line, name = sys.argv[1:]
    with open(file, encoding="utf-8", newline="") as source:
        text = broken(source.read(), int(line), name)
    if text is None:
        raise SystemExit(f"no function {name} in line {line} of {file}")
    with open(file, "w", encoding="utf-8", newline="") as out:
        out.write(text)


if __name__ == "__main__":
    main()
