"""What the sources call."""

import ast
import json
import re
from dataclasses import dataclass

from declarations import FUNCTION, Class, Declarations
from pyright import Pyright

MODULE = "<module>"
CONSTRUCTORS = ("__init__", "__new__")


@dataclass(frozen=True)
class Caller:
    """Who calls, and the functions and classes around it that are as good."""

    ref: dict
    alts: tuple[dict, ...] = ()

    def or_else(self, ref: dict) -> "Caller":
        return Caller(self.ref, (*self.alts, ref))

    def around(self) -> tuple[dict, ...]:
        return (self.ref, *self.alts)


@dataclass(frozen=True)
class Held:
    """What a variable holds by its type: objects of these classes, or the classes themselves."""

    classes: list[Class]
    is_class: bool


class Calls:
    """Fill with `read`, once."""

    def __init__(self, declarations: Declarations, server: Pyright) -> None:
        self.declarations = declarations
        self.server = server
        self.calls: list[dict] = []
        self.unresolved: list[dict] = []
        self.taken: list[dict] = []
        self._functions = {s["name"] for s in declarations.symbols if s["kind"] in ("function", "method")}
        self._properties = {name for _, _, name in declarations.accessors}
        self._values = self._functions | self._properties | {found.name for found in declarations.classes.values()}
        self._known: dict[tuple[str, int, int], list[tuple[str, int, str | None]]] = {}
        self._held: dict[tuple[str, int, int], Held] = {}
        self._bases: dict[tuple[str, int], list[Class]] = {}
        self._below: dict[tuple[str, int], list[Class]] = {}
        self._seen: set[str] = set()
        self._defined = {(file, node.lineno): node for file, tree in declarations.trees.items() for node in ast.walk(tree) if isinstance(node, FUNCTION)}
        self._getters = {node.name for node in self._defined.values() if any((name := _name_in(d)) and name[0].endswith("property") for d in node.decorator_list)}

    def read(self) -> None:
        for file in self.declarations.files:
            self._ask(file)
        for found in self.declarations.classes.values():
            for base in self._bases_of(found):
                self._below.setdefault(_key(base), []).append(found)
        for file in self.declarations.files:
            module = Caller({"name": MODULE, "file": file})
            for node in self.declarations.trees[file].body:
                _Reader(self, file).visit(node, module, None)
        for found in self.declarations.classes.values():
            self._made(found)

    def extends(self) -> list[dict]:
        return [{"from": c.ref(), "to": base.ref()} for c in self.declarations.classes.values() for base in self._bases_of(c)]

    # What names lead to.

    def _ask(self, file: str) -> None:
        """Asks for all names in a file that may lead to a function or a class."""
        asked: list[ast.expr] = []
        called: list[ast.expr] = []
        for node in ast.walk(self.declarations.trees[file]):
            if isinstance(node, ast.Call):
                called.append(node.func)
            elif isinstance(node, (ast.Name, ast.Attribute)) and _name_in(node)[0] in self._values:
                asked.append(node)
            elif isinstance(node, (*FUNCTION, ast.ClassDef)):
                asked += node.decorator_list
                asked += [b.value if isinstance(b, ast.Subscript) else b for b in getattr(node, "bases", [])]
        lines = self.declarations.lines[file]
        with self.server.opened(file, "\n".join(lines)):
            names = _places(asked + called)
            for name, found in zip(names, self.server.definitions(file, [_utf16(lines, *name) for name in names]), strict=True):
                self._known[file, *name] = [(at, range["start"]["line"] + 1, self._text(at, range)) for at, range in found]
            # A called name that leads to a variable: what is called is what the variable holds.
            names = [name for name in _places(called) if self._is_variable(file, *name)]
            for name, (text, found) in zip(names, self.server.types(file, [_utf16(lines, *name) for name in names]), strict=True):
                classes = [c for at, range in found if (c := self.declarations.classes.get((at, range["start"]["line"] + 1)))]
                self._held[file, *name] = Held(classes, _is_class(text))

    def _is_variable(self, file: str, line: int, column: int) -> bool:
        found = [(at, line, text) for at, line, text in self._definitions(file, line, column) if at in self.declarations.trees]
        symbols = [self.declarations.at(*place) if place[2] else None for place in found]
        return bool(found) and all(s is None or s["kind"] in ("variable", "property") for s in symbols)

    def _definitions(self, file: str, line: int, column: int) -> list[tuple[str, int, str | None]]:
        """File, line and defined name of what a name leads to; its place is as ast gives it."""
        return self._known[file, line, column]

    def _text(self, file: str, range: dict) -> str | None:
        lines = self.declarations.lines.get(file)
        start, end = range["start"], range["end"]
        if lines is None or start["line"] != end["line"]:
            return None
        return lines[start["line"]].encode("utf-16-le")[2 * start["character"] : 2 * end["character"]].decode("utf-16-le")

    def _bases_of(self, found: Class) -> list[Class]:
        key = _key(found)
        if key not in self._bases:
            self._bases[key] = []
            for base in found.node.bases:
                name = _name_in(base.value if isinstance(base, ast.Subscript) else base)
                for at, line, text in self._definitions(found.file, *name[1:]) if name else []:
                    known = self.declarations.classes.get((at, line))
                    if known and known.name == text and known not in self._bases[key]:
                        self._bases[key].append(known)
        return self._bases[key]

    def _constructor_of(self, found: Class) -> dict | None:
        return self._method_of(found, CONSTRUCTORS)

    def _constructors_of(self, found: Class) -> list[dict]:
        """Making an object runs both, where there are both."""
        return [method for name in CONSTRUCTORS if (method := self._method_of(found, (name,)))]

    def _made(self, found: Class) -> None:
        """Notes what making a class runs, which no name leads to: its metaclass's constructors."""
        metaclass = self._metaclass_of(found)
        for method in self._constructors_of(metaclass) if metaclass else []:
            self._call(Caller(found.ref()), method, "possible")

    def _metaclass_of(self, found: Class, hops: int = 0) -> Class | None:
        for keyword in found.node.keywords:
            name = _name_in(keyword.value) if keyword.arg == "metaclass" else None
            for at, line, text in self._known.get((found.file, *name[1:]), []) if name else []:
                known = self.declarations.classes.get((at, line))
                if known and known.name == text:
                    return known
        if hops < 12:
            return next((m for base in self._bases_of(found) if (m := self._metaclass_of(base, hops + 1))), None)
        return None

    def _method_of(self, found: Class, names: tuple[str, ...], hops: int = 0) -> dict | None:
        for name in names:
            if name in found.methods:
                return found.method(name)
        if hops < 12:
            return next((m for base in self._bases_of(found) if (m := self._method_of(base, names, hops + 1))), None)
        return None

    def _subclasses(self, found: Class, seen: set[tuple[str, int]]) -> list[Class]:
        below = [c for c in self._below.get(_key(found), []) if _key(c) not in seen]
        seen.update(map(_key, below))
        return below + [c for one in below for c in self._subclasses(one, seen)]

    def _overriding(self, found: Class, name: str) -> list[dict]:
        return [below.method(name) for below in self._subclasses(found, set()) if name in below.methods]

    def _called_value(self, held: "Held", caller: Caller) -> bool:
        """Notes the call of a variable's value, by the variable's type. Whether there is anything to note."""
        noted = False
        for found in held.classes:
            below = self._subclasses(found, set())
            if held.is_class:
                constructor = self._constructor_of(found)
                also = [c.ref() for c in below] + [m for c in below if (m := self._constructor_of(c))]
                kind = "construct" if len(held.classes) == 1 else "possible"
                self._call(caller, found.ref(), kind, [constructor] if constructor else [], also)
                noted = True
            elif method := self._method_of(found, ("__call__",)):
                kind = "static" if len(held.classes) == 1 else "possible"
                self._call(caller, method, kind, [], self._overriding(found, "__call__"))
                noted = True
        return noted

    def called(self, file: str, callee: ast.expr, caller: Caller, as_kind: str | None = None) -> None:
        """Notes what an expression that is called leads to."""
        own = self.declarations.class_named.get((file, caller.ref.get("owner")))
        if own and ast.unparse(callee) in ("self.__class__", "type(self)"):
            # pyright leads the one to the property of object, and no name leads to what the other gives.
            self._called_value(Held([own], True), caller)
            return
        name = _name_in(callee)
        if not name:
            return
        definitions = self._definitions(file, *name[1:])
        if not definitions:
            self._dynamic(caller, name[0])
            return
        held = self._held.get((file, *name[1:]))
        value = held is not None and self._called_value(held, caller)
        symbols: list[dict] = []
        unknown = False
        for at, line, text in definitions:
            if at not in self.declarations.trees:
                continue
            symbol = self.declarations.at(at, line, text) if text else None
            if symbol is None:
                unknown = True  # a parameter, or another local thing
            elif not any(_same(symbol, s) for s in symbols):
                symbols.append(symbol)
        if not symbols:
            if unknown and not value:
                self._dynamic(caller, name[0])
            return
        # Of overloads, the one that has the code.
        symbols.sort(key=lambda s: bool(s.get("abstract")))
        symbol, alts = symbols[0], [_ref(s) for s in symbols[1:]]
        if symbol["kind"] in ("variable", "property"):
            self._call(caller, _ref(symbol), "other", alts)
            if not value:
                self._dynamic(caller, name[0])
        elif symbol["kind"] == "class" or symbol["name"] in CONSTRUCTORS and name[0] not in CONSTRUCTORS:
            made = self._class_of(symbol)
            if made:
                constructor = self._constructor_of(made)
                self._call(caller, made.ref(), as_kind or "construct", [constructor, *alts] if constructor else alts, self._constructors_of(made))
        else:
            kind = as_kind or ("other" if symbol.get("local") else "static")
            holder = self._class_of(symbol) if symbol["kind"] == "method" else None
            also = self._overriding(holder, symbol["name"]) if holder else []
            self._call(caller, _ref(symbol), kind, alts, also + self._in_place_of(symbol))

    def _in_place_of(self, symbol: dict) -> list[dict]:
        """What a decorator of the code base may give in the place of a function: the functions that it declares."""
        found: list[dict] = []
        node = self._defined.get((symbol["file"], symbol["line"]))
        for decorator in node.decorator_list if node else []:
            name = _name_in(decorator.func if isinstance(decorator, ast.Call) else decorator)
            for at, line, text in self._known.get((symbol["file"], *name[1:]), []) if name else []:
                maker = self._defined.get((at, line))
                if maker and maker.name == text:
                    found += [{"name": inner.name, "file": at, "line": inner.lineno} for inner in ast.walk(maker) if isinstance(inner, FUNCTION) and inner is not maker]
        return found

    def referred(self, file: str, node: ast.expr, caller: Caller) -> None:
        """Notes that a name's value is taken, if it is a function, and what runs for a name that `property(get, set)` makes."""
        name = _name_in(node)
        if not name or name[0] not in self._functions | self._properties:
            return
        definitions = self._definitions(file, *name[1:])
        if not definitions and name[0] in self._getters:
            self._dynamic(caller, name[0])
        for at, line, text in definitions:
            for way, accessor in self.declarations.accessors.get((at, line, text), {}).items():
                # `x.size += 1` reads what it stores.
                if way == "fget" or not isinstance(node.ctx, ast.Load):
                    self._call(caller, accessor, "other")
            symbol = self.declarations.at(at, line, text) if text == name[0] else None
            if symbol and symbol["kind"] in ("function", "method"):
                holder = self._class_of(symbol) if symbol["kind"] == "method" else None
                self._call(caller, _ref(symbol), "reference", None, self._overriding(holder, symbol["name"]) if holder else [])
                return

    def kept(self, file: str, node: ast.expr) -> None:
        """Notes that a name's value is kept, if it is a class: what calls a value may make an object of it."""
        name = _name_in(node)
        for at, line, text in self._known.get((file, *name[1:]), []) if name else []:
            found = self.declarations.classes.get((at, line))
            if found and found.name == text:
                constructor = self._constructor_of(found)
                for ref in [found.ref(), *([constructor] if constructor else [])]:
                    self._once(self.taken, ref)

    def _class_of(self, symbol: dict) -> Class | None:
        if symbol["kind"] == "class":
            return self.declarations.classes.get((symbol["file"], symbol["line"]))
        return self.declarations.class_named.get((symbol["file"], symbol.get("owner")))

    def _call(self, caller: Caller, to: dict, kind: str, alts: list[dict] | None = None, also: list[dict] | None = None) -> None:
        more = {"fromAlts": list(caller.alts), "toAlts": alts, "mayAlso": also}
        self._once(self.calls, {"from": caller.ref, "to": to, "kind": kind, **{k: v for k, v in more.items() if v}})

    def unnamed(self, caller: Caller) -> None:
        """Notes the call of what another call gives, which no name leads to."""
        self._dynamic(caller, "")

    def _dynamic(self, caller: Caller, name: str) -> None:
        self._once(self.unresolved, {"from": caller.ref, "to": {"name": name, "file": ""}, "fromAlts": list(caller.alts)})

    def _once(self, list: list[dict], one: dict) -> None:
        key = json.dumps(one)
        if key not in self._seen:
            self._seen.add(key)
            list.append(one)


@dataclass(frozen=True)
class _Reader:
    """Walks one file."""

    calls: Calls
    file: str

    def visit(self, node: ast.AST, caller: Caller, owner: str | None) -> None:
        """`owner` is the class whose body `node` stands in."""
        if isinstance(node, FUNCTION):
            self._decorators(node, caller, owner)
            for value in _kept(node):
                self.calls.kept(self.file, value)
            for default in [*node.args.defaults, *(d for d in node.args.kw_defaults if d)]:
                self.visit(default, caller, owner)
            outer = () if owner or caller.ref["name"] == MODULE else caller.around()
            self._all(node.body, Caller(self._here(node, owner), outer), None)
        elif isinstance(node, ast.ClassDef):
            self._decorators(node, caller, owner)
            self._all([*node.bases, *(k.value for k in node.keywords)], caller, owner)
            self._all(node.body, Caller(self._here(node, None), caller.around()), node.name)
        elif isinstance(node, ast.Call):
            self.calls.called(self.file, node.func, caller)
            self._operands(node, caller, owner)
        else:
            for value in _kept(node):
                self.calls.kept(self.file, value)
            # Giving an attribute a value runs the setter of a property.
            if isinstance(node, ast.Attribute) or isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self.calls.referred(self.file, node, caller)
            self._all(ast.iter_child_nodes(node), caller, owner)

    def _all(self, nodes, caller: Caller, owner: str | None) -> None:
        for node in nodes:
            self.visit(node, caller, owner)

    def _operands(self, call: ast.Call, caller: Caller, owner: str | None) -> None:
        """What a call computes before it calls; the called name itself is no value that is taken."""
        for value in _kept(call):
            self.calls.kept(self.file, value)
        if isinstance(call.func, ast.Attribute):
            self.visit(call.func.value, caller, owner)
        elif not isinstance(call.func, ast.Name):
            self.visit(call.func, caller, owner)
        self._all([*call.args, *(k.value for k in call.keywords)], caller, owner)

    def _decorators(self, node: ast.AST, caller: Caller, owner: str | None) -> None:
        """Run by what encloses the decorated thing, which is as good a caller."""
        for decorator in node.decorator_list:
            by = caller.or_else(self._here(node, owner))
            if isinstance(decorator, ast.Call):
                self.calls.called(self.file, decorator.func, by)
                self.calls.unnamed(by)
                self._operands(decorator, by, owner)
            else:
                self.calls.called(self.file, decorator, by, "other")

    def _here(self, node: ast.AST, owner: str | None) -> dict:
        return {"name": node.name, "file": self.file, "line": node.lineno, **({"owner": owner} if owner else {})}


def _name_in(node: ast.expr) -> tuple[str, int, int] | None:
    """The last name of `a.b.c`, and where it stands."""
    if isinstance(node, ast.Name):
        return node.id, node.lineno, node.col_offset
    if isinstance(node, ast.Attribute):
        return node.attr, node.end_lineno, node.end_col_offset - len(node.attr.encode())
    return None


def _kept(node: ast.AST) -> list[ast.expr]:
    """The names whose values a statement or an expression keeps: assigns, returns, passes on, or loops over."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass")):
            return []
        case ast.Call():
            return _parts([*node.args, *(k.value for k in node.keywords)])
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return _parts([*node.args.defaults, *node.args.kw_defaults])
        case ast.Assign() | ast.AnnAssign() | ast.Return() | ast.Yield() | ast.NamedExpr():
            return _parts([node.value])
        case ast.For() | ast.AsyncFor() | ast.comprehension():
            return _parts([node.iter])
    return []


def _parts(nodes: list[ast.expr | None]) -> list[ast.expr]:
    """The names among these expressions, and in the lists and tables that they write out."""
    names: list[ast.expr] = []
    for node in nodes:
        match node:
            case ast.Name() | ast.Attribute():
                names.append(node)
            case ast.Tuple() | ast.List() | ast.Set():
                names += _parts(node.elts)
            case ast.Dict():
                names += _parts(node.values)
            case ast.IfExp():
                names += _parts([node.body, node.orelse])
            case ast.BoolOp():
                names += _parts(node.values)
    return names


def _places(nodes: list[ast.expr]) -> list[tuple[int, int]]:
    return sorted({name[1:] for node in nodes if (name := _name_in(node))})


def _utf16(lines: list[str], line: int, column: int) -> tuple[int, int]:
    """ast counts lines from 1 and columns in UTF-8, pyright lines from 0 and columns in UTF-16."""
    return line - 1, len(lines[line - 1].encode()[:column].decode().encode("utf-16-le")) // 2


def _is_class(hover: str) -> bool:
    """Whether pyright says that a name is a class, `(variable) cls: type[Undefined]`, and not an object."""
    return re.search(r"^\(\w+\) [\w.]+: [Tt]ype\[", hover, re.M) is not None


def _key(found: Class) -> tuple[str, int]:
    return found.file, found.node.lineno


def _ref(symbol: dict) -> dict:
    return {k: symbol[k] for k in ("name", "file", "owner", "line") if k in symbol}


def _same(a: dict, b: dict) -> bool:
    return all(a.get(k) == b.get(k) for k in ("name", "file", "owner"))
