"""What the sources declare."""

import ast
import os
from dataclasses import dataclass, field

FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPOUND = (ast.If, ast.Try, ast.TryStar, ast.With, ast.AsyncWith, ast.For, ast.AsyncFor, ast.While)
ACCESSORS = ("fget", "fset", "fdel")


@dataclass
class Class:
    """A class and where its methods stand."""

    name: str
    file: str
    node: ast.ClassDef
    methods: dict[str, int] = field(default_factory=dict)

    def ref(self) -> dict:
        return {"name": self.name, "file": self.file, "line": self.node.lineno}

    def method(self, name: str) -> dict:
        return {"name": name, "file": self.file, "owner": self.name, "line": self.methods[name]}


class Declarations:
    """Every .py file below a folder that this Python can parse, and its symbols."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.files: list[str] = []
        self.symbols: list[dict] = []
        self.errors: list[str] = []
        self.trees: dict[str, ast.Module] = {}
        self.lines: dict[str, list[str]] = {}
        self.classes: dict[tuple[str, int], Class] = {}
        self.accessors: dict[tuple[str, int, str], dict[str, dict]] = {}
        self._at: dict[tuple[str, int], list[dict]] = {}
        for file in sorted(_python_files(root)):
            try:
                with open(os.path.join(root, file), encoding="utf-8-sig") as source:
                    text = source.read()
                self.trees[file] = ast.parse(text)
            except (SyntaxError, ValueError) as error:
                self.errors.append(f"{file}: {error}")
                continue
            self.files.append(file)
            self.lines[file] = text.split("\n")  # as ast counts them: a form feed, say, ends no line
            self._read(file, self.trees[file].body, None, local=False)
        self.class_named = {(c.file, c.name): c for c in reversed(self.classes.values())}

    def at(self, file: str, line: int, name: str) -> dict | None:
        """The symbol of that name whose name stands on that line."""
        return next((s for s in self._at.get((file, line), []) if s["name"] == name), None)

    def _add(self, name: str, kind: str, file: str, line: int, end: int | None, owner: str | None, local: bool, abstract: bool = False) -> None:
        symbol = {"name": name, "kind": kind, "file": file, "line": line, "endLine": end}
        if owner:
            symbol["owner"] = owner
        if local:
            symbol["local"] = True
        if abstract:
            symbol["abstract"] = True
        self.symbols.append(symbol)
        self._at.setdefault((file, line), []).append(symbol)

    def _read(self, file: str, body: list[ast.stmt], owner: Class | None, local: bool) -> None:
        for node in body:
            name = owner.name if owner else None
            if isinstance(node, FUNCTION):
                overload = any(_last_name(d) == "overload" for d in node.decorator_list)
                self._add(node.name, "method" if owner else "function", file, node.lineno, node.end_lineno, name, local, overload)
                self._read(file, node.body, None, local=True)
            elif isinstance(node, ast.ClassDef):
                self._add(node.name, "class", file, node.lineno, node.end_lineno, None, local)
                methods = {m.name: m.lineno for m in node.body if isinstance(m, FUNCTION)}
                declared = self.classes[file, node.lineno] = Class(node.name, file, node, methods)
                self._read(file, node.body, declared, local)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    for one in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                        if isinstance(one, ast.Name):
                            self._add(one.id, "property" if owner else "variable", file, one.lineno, node.end_lineno, name, local)
                            if owner and (accessors := _accessors(node.value)):
                                self.accessors[file, one.lineno, one.id] = {way: owner.method(of) for way, of in accessors.items() if of in owner.methods}
            elif isinstance(node, COMPOUND):
                for part in ("body", "orelse", "finalbody"):
                    self._read(file, getattr(node, part, []), owner, local)
                for handler in getattr(node, "handlers", []):
                    self._read(file, handler.body, owner, local)


def _python_files(root: str) -> list[str]:
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in (".git", "node_modules", "__pycache__")]
        found += [os.path.relpath(os.path.join(folder, f), root) for f in files if f.endswith(".py")]
    return found


def _accessors(value: ast.expr | None) -> dict[str, str]:
    """The names of the functions that `property(fget, fset, fdel)` makes a property of, by its parameters."""
    match value:
        case ast.Call(func=ast.Name(id="property")):
            given = [*zip(ACCESSORS, value.args), *((k.arg, k.value) for k in value.keywords)]
            return {way: one.id for way, one in given if way in ACCESSORS and isinstance(one, ast.Name)}
    return {}


def _last_name(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
