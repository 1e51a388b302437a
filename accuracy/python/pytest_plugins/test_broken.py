import ast
import unittest

from broken import broken


class Broken(unittest.TestCase):
    def test_the_body_begins_by_raising(self) -> None:
        for text in [
            'def f():\n    """Doc."""\n    return 1',
            "def f(): return 1",
            "class A:\n    @property\n    async def f(self,\n            a=1):\n        @b\n        def c(): pass",
            "def f(a='é'): yield a",
            "def f():\n    if a:\n        pass",
        ]:
            line = next(i for i, l in enumerate(text.split("\n"), 1) if "def f" in l)
            tree = ast.parse(broken(text, line, "f"))
            function = next(n for n in ast.walk(tree) if getattr(n, "name", "") == "f")
            self.assertIsInstance(function.body[0], ast.Raise)
            self.assertGreater(len(function.body), 1)

    def test_none_where_there_is_no_such_function(self) -> None:
        self.assertIsNone(broken("def f(): pass", 1, "g"))


if __name__ == "__main__":
    unittest.main()
