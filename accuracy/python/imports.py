"""Which file imports which, as Python's import system finds modules."""

import ast
import os

from declarations import Declarations


class Imports:
    """`roots` are the folders where absolute imports begin, "" for the sources' own."""

    def __init__(self, declarations: Declarations, roots: list[str]) -> None:
        self.declarations = declarations
        self.roots = roots
        self.scope = set(declarations.files)
        self.names = {(s["file"], s["name"]) for s in declarations.symbols}
        self._edges: dict[tuple[str, str], set[str]] = {}

    def edges(self) -> list[dict]:
        for file in self.declarations.files:
            for node in ast.walk(self.declarations.trees[file]):
                if isinstance(node, ast.Import):
                    for alias in node.names:
                        parts = alias.name.split(".")
                        parents = [self._absolute(parts[:i], file) for i in range(1, len(parts))]
                        self._add(file, self._absolute(parts, file), parents)
                elif isinstance(node, ast.ImportFrom):
                    for alias in node.names:
                        self._from(file, node, alias.name)
        return [{"from": f, "to": t, **({"mayAlso": sorted(also)} if also else {})} for (f, t), also in self._edges.items()]

    def _from(self, file: str, node: ast.ImportFrom, name: str) -> None:
        module = self._module(file, node)
        submodule = self._module(file, node, name)
        package = module is None or module.endswith("__init__.py")
        if name != "*" and submodule and package and (module, name) not in self.names:
            self._add(file, submodule, [module])
        elif module:
            self._add(file, module, [self._declared_behind(module, name)] if package else [])

    def _module(self, file: str, node: ast.ImportFrom, *more: str) -> str | None:
        """The file of `from THIS import`, or of a module below it."""
        parts = [*(node.module.split(".") if node.module else []), *more]
        if not node.level:
            return self._absolute(parts, file)
        folder = os.path.dirname(file)
        for _ in range(node.level - 1):
            folder = os.path.dirname(folder)
        return self._in(folder, parts)

    def _absolute(self, parts: list[str], file: str) -> str | None:
        own = os.path.dirname(file)
        # A script's own folder is on the path; that of a module in a package is not, whatever stands beside it.
        script = [] if os.path.join(own, "__init__.py") in self.scope else [own]
        return next((found for root in [*self.roots, *script] if (found := self._in(root, parts))), None)

    def _in(self, folder: str, parts: list[str]) -> str | None:
        base = os.path.join(folder, *parts)
        candidates = (os.path.join(base, "__init__.py"), f"{base}.py") if parts else (os.path.join(base, "__init__.py"),)
        return next((c for c in candidates if c in self.scope), None)

    def _declared_behind(self, init: str, name: str) -> str | None:
        """Where a package has a name from."""
        for node in ast.walk(self.declarations.trees[init]):
            if isinstance(node, ast.ImportFrom) and any((a.asname or a.name) == name for a in node.names):
                return self._module(init, node)
        return None

    def _add(self, file: str, to: str | None, also: list[str | None]) -> None:
        if to and to != file:
            self._edges.setdefault((file, to), set()).update(a for a in also if a and a not in (to, file))
