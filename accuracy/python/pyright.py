"""A client of pyright's language server."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote, unquote, urlparse

# Questions under way.
AT_ONCE = 100

# Line and character (UTF-16), both from 0.
Place = tuple[int, int]
# File and range.
Found = tuple[str, dict]


class Pyright:
    """Answers where names are defined and, where `mode` is not "off", what is wrong in a file."""

    def __init__(self, langserver: str, root: str, extra: list[str], mode: str = "off") -> None:
        self.root = root
        self.ids = 0
        config = {
            "include": ["."],
            "typeCheckingMode": mode,
            "useLibraryCodeForTypes": True,
            "pythonVersion": "3.12",
            "pythonPlatform": "Linux",
            "executionEnvironments": [{"root": ".", "extraPaths": extra}],
        }
        with open(os.path.join(root, "pyrightconfig.json"), "w", encoding="utf-8") as out:
            json.dump(config, out)
        node = shutil.which("node")
        if node is None:
            raise SystemExit("pyright needs Node, and there is no node on the PATH")
        # Without a PATH pyright finds no Python, and so none of the packages that this machine happens to have.
        self.server = subprocess.Popen(
            [node, os.path.abspath(langserver), "--stdio"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root, env={**os.environ, "PATH": ""},
        )
        self._ask_all("initialize", [{
            "processId": os.getpid(),
            "rootUri": self._uri(""),
            "workspaceFolders": [{"uri": self._uri(""), "name": "sources"}],
            "capabilities": {
                "workspace": {"configuration": True, "workspaceFolders": True},
                # Errors are asked for, and not told at some time.
                "textDocument": {"diagnostic": {"dynamicRegistration": True}},
            },
        }])
        self._send({"method": "initialized", "params": {}})

    def __enter__(self) -> "Pyright":
        return self

    def __exit__(self, *_: object) -> None:
        self.server.terminate()
        self.server.wait()

    @contextmanager
    def opened(self, file: str, text: str) -> Iterator[None]:
        """Questions about a file are asked while it is open."""
        self.open(file, text)
        yield
        # The server goes on checking what is open.
        self._send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": self._uri(file)}}})

    def open(self, file: str, text: str) -> None:
        document = {"uri": self._uri(file), "languageId": "python", "version": 1, "text": text}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})

    def change(self, file: str, text: str, version: int) -> None:
        """Gives a file that is open another text; the version is larger than the last."""
        self._send({"method": "textDocument/didChange", "params": {
            "textDocument": {"uri": self._uri(file), "version": version},
            "contentChanges": [{"text": text}],
        }})

    def errors(self, files: list[str]) -> list[list[dict]]:
        """The errors in each of these files, which are open."""
        reports = self._ask_all("textDocument/diagnostic", [{"textDocument": {"uri": self._uri(file)}} for file in files])
        return [[item for item in report.get("items", []) if item.get("severity") == 1] for report in reports]

    def definitions(self, file: str, places: list[Place]) -> list[list[Found]]:
        """Each definition of what stands at each place."""
        return self._locations("textDocument/definition", file, places)

    def types(self, file: str, places: list[Place]) -> list[tuple[str, list[Found]]]:
        """The type of the value at each place, as pyright writes it, and the definitions of the classes in it."""
        hovers = self._at("textDocument/hover", file, places)
        texts = [hover["contents"]["value"] if hover else "" for hover in hovers]
        return list(zip(texts, self._locations("textDocument/typeDefinition", file, places), strict=True))

    def _locations(self, method: str, file: str, places: list[Place]) -> list[list[Found]]:
        lists = [[one] if isinstance(one, dict) else one or [] for one in self._at(method, file, places)]
        return [[(self._relative(at["uri"]), at["range"]) for at in one] for one in lists]

    def _at(self, method: str, file: str, places: list[Place]) -> list:
        document = {"uri": self._uri(file)}
        questions = [{"textDocument": document, "position": {"line": line, "character": character}} for line, character in places]
        found = []
        # Many at once, as each way there and back costs more than the answer; so few that the answers fit into the pipe.
        for i in range(0, len(questions), AT_ONCE):
            found += self._ask_all(method, questions[i : i + AT_ONCE])
        return found

    def _uri(self, file: str) -> str:
        return "file://" + quote(os.path.join(self.root, file) if file else self.root)

    def _relative(self, uri: str) -> str:
        return os.path.relpath(os.path.realpath(unquote(urlparse(uri).path)), self.root)

    def _send(self, message: dict) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.server.stdin
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def _ask_all(self, method: str, questions: list[dict]) -> list:
        first = self.ids
        self.ids += len(questions)
        for i, params in enumerate(questions):
            self._send({"id": first + i, "method": method, "params": params})
        answers: dict[int, object] = {}
        while len(answers) < len(questions):
            message = self._receive()
            if "method" in message and "id" in message:
                settings = message["method"] == "workspace/configuration"
                self._send({"id": message["id"], "result": [{} for _ in message["params"]["items"]] if settings else None})
            elif "id" in message:
                if "error" in message:
                    raise RuntimeError(f"pyright: {method}: {message['error']}")
                answers[message["id"]] = message.get("result")
        return [answers[first + i] for i in range(len(questions))]

    def _receive(self) -> dict:
        assert self.server.stdout
        length = 0
        while True:
            line = self.server.stdout.readline()
            if not line:
                raise RuntimeError("pyright ended")
            if not line.strip():
                return json.loads(self.server.stdout.read(length))
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
