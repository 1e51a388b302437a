import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from declarations import Declarations


class Accessors(unittest.TestCase):
    def test_what_property_makes(self) -> None:
        body = "def a(self): pass\n def b(self, to): pass\n "
        for made, want in {
            "property(a)": {"fget": "a"},
            "property(a, b)": {"fget": "a", "fset": "b"},
            "property(fset=b, doc='x')": {"fset": "b"},
            "property(a, None, missing)": {"fget": "a"},
            "other(a, b)": None,
        }.items():
            with self.subTest(made), tempfile.TemporaryDirectory() as root:
                with open(os.path.join(root, "m.py"), "w") as file:
                    file.write(f"class C:\n {body}size = {made}\n")
                found = Declarations(root).accessors.get(("m.py", 4, "size"))
                self.assertEqual(found and {way: (ref["owner"], ref["name"]) for way, ref in found.items()}, want and {way: ("C", name) for way, name in want.items()})


if __name__ == "__main__":
    unittest.main()
