import unittest

from signatures import with_parameter


class WithParameter(unittest.TestCase):
    def test_the_others_keep_their_places(self) -> None:
        for text, want in {
            "def f(): pass": "def f(*, broken): pass",
            "def f(a, b=(1), ): pass": "def f(a, b=(1), *, broken): pass",
            "def f(a, *b: int, **k): pass": "def f(a, *b: int, broken, **k): pass",
            "def f(a, *, x=1): pass": "def f(a, *, x=1, broken): pass",
            "def f(a=g(1, **x), **k): pass": "def f(a=g(1, **x), *, broken, **k): pass",
            "async def f(\n    a: int,\n) -> None: pass": "async def f(\n    a: int,\n*, broken) -> None: pass",
        }.items():
            self.assertEqual(with_parameter(text, "f", 1), want)

    def test_none_where_there_is_no_such_function(self) -> None:
        self.assertIsNone(with_parameter("def f(): pass", "g", 1))


if __name__ == "__main__":
    unittest.main()
