"""A plugin of pytest that writes down who called each function of a code base: `-p ran`.

RAN is a folder that gets a file for each process, RAN_ROOT the code base. A line has file and line
of the function's `def`, and file and line of the call. Functions of tests are callers only. What a
library calls is not among them, and neither is what a function of C calls, as sorted does its key.
A generator or a coroutine tells who runs it and not who called it, which is the same where the line names it.
"""

import ast
import inspect
import linecache
import os
import sys
import threading
from functools import cache
from types import CodeType, FrameType

GENERATOR = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
ROOT = os.path.realpath(os.environ["RAN_ROOT"]) + os.sep

_seen: set[tuple[CodeType, CodeType, int]] = set()
_in_c: set[FrameType] = set()  # what is in a call of a function of C
_own: dict[CodeType, str | None] = {}


def _file_of(code: CodeType) -> str | None:
    """The file from the root, None of code of a library."""
    if code not in _own:
        # What was compiled from no file, a template say, has no path.
        path = os.path.realpath(code.co_filename) if os.path.isfile(code.co_filename) else ""
        _own[code] = path[len(ROOT) :] if path.startswith(ROOT) else None
    return _own[code]


def is_test(file: str) -> bool:
    *folders, name = file.split(os.sep)
    return name.startswith("test_") or name == "conftest.py" or bool({"tests", "test"} & set(folders))


def _profile(frame: FrameType, event: str, _arg: object) -> None:
    if event == "c_call":
        _in_c.add(frame)
    elif event in ("c_return", "c_exception"):
        _in_c.discard(frame)
    if event != "call" or frame.f_back is None or frame.f_back in _in_c:
        return
    callee, caller, line = frame.f_code, frame.f_back.f_code, frame.f_back.f_lineno
    if (callee, caller, line) in _seen:
        return
    _seen.add((callee, caller, line))
    file, by = _file_of(callee), _file_of(caller)
    # Modules and classes are run, and not called; lambdas and comprehensions have no name; nobody calls __del__.
    function = callee.co_flags & inspect.CO_OPTIMIZED and not callee.co_name.startswith("<") and callee.co_name != "__del__"
    if file is None or by is None or not function or is_test(file):
        return
    if callee.co_flags & GENERATOR and callee.co_name not in linecache.getline(caller.co_filename, line):
        return
    _out.write(f"{ROOT}{file}\t{_defined(file).get((callee.co_firstlineno, callee.co_name), callee.co_firstlineno)}\t{ROOT}{by}\t{line}\n")
    _out.flush()


@cache
def _defined(file: str) -> dict[tuple[int, str], int]:
    """The line of each `def`, by the line where the function's code begins, which is that of its first decorator."""
    with open(ROOT + file, encoding="utf-8-sig") as source:
        tree = ast.parse(source.read())
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return {(min([f.lineno, *(d.lineno for d in f.decorator_list)]), f.name): f.lineno for f in functions}


_out = open(os.path.join(os.environ["RAN"], str(os.getpid())), "a", encoding="utf-8")  # noqa: SIM115
sys.setprofile(_profile)
threading.setprofile(_profile)
