"""What scripts/check-layers finds in a small tree of sources."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parent.parent.parent / "scripts" / "check-layers"


def load(path):
    loader = importlib.machinery.SourceFileLoader("check_layers", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


check_layers = load(SCRIPT)


class CheckLayersTest(unittest.TestCase):
    def found(self, files, layers="low:\nhigh: low\n"):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "layers.txt").write_text(layers, encoding="utf-8")
            for name, included in files.items():
                path = root / "src" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("".join(f'#include "{i}"\n' for i in included), encoding="utf-8")
            return check_layers.check(root)

    def test_finds_nothing_where_includes_go_down(self):
        self.assertEqual(self.found({"low/a.h": [], "low/a.cc": ["low/a.h"], "high/b.cc": ["low/a.h"]}), [])

    def test_names_an_include_that_goes_up(self):
        (problem,) = self.found({"low/a.cc": ["low/a.h", "high/b.h"], "low/a.h": [], "high/b.h": []})
        self.assertTrue(problem.startswith("src/low/a.cc:2: 'low' may not include 'high'"), problem)

    def test_a_header_and_its_source_are_one_unit(self):
        # No header includes itself here: the circle is closed by a source.
        (problem,) = self.found({"low/a.h": [], "low/a.cc": ["low/a.h", "low/b.h"], "low/b.h": ["low/a.h"]})
        self.assertIn("src/low/a.cc:2 includes low/b; src/low/b.h:1 includes low/a.", problem)

    def test_names_every_file_of_a_longer_circle(self):
        (problem,) = self.found({"low/a.h": ["low/b.h"], "low/b.h": ["low/c.h"], "low/c.h": [], "low/c.cc": ["low/a.h"]})
        for file in ("src/low/a.h:1", "src/low/b.h:1", "src/low/c.cc:1"):
            self.assertIn(file, problem)

    def test_a_long_source_says_why(self):
        (problem,) = self.found({"low/a.h": [], "low/a.cc": ["low/a.h"] * 401})
        self.assertTrue(problem.startswith("src/low/a.cc: 401 lines"), problem)
        self.assertEqual(self.found({"low/a.h": [], "low/a.cc": ["low/a.h"] * 400}), [])
        self.assertEqual(self.found({"low/a.h": [], "low/a_test.cc": ["low/a.h"] * 401}), [])

    def test_a_word_stands_only_where_it_may(self):
        files = {"low/a.h": ["low/secret.h"], "low/secret.h": [], "high/b.cc": ["low/secret.h"], "high/c.cc": ["low/secret.h"],
                 "high/c_test.cc": ["low/secret.h"]}
        rules = "low:\nhigh: low\nonly secret: low high/b.cc\n"
        (problem,) = self.found(files, rules)
        self.assertTrue(problem.startswith("src/high/c.cc:1: 'secret' is for low, high/b.cc alone"), problem)
        (problem,) = self.found({"low/a.h": []}, "low:\nonly secret: low/b.h\n")
        self.assertIn("there is no src/low/b.h", problem)

    def test_names_two_circles_apart(self):
        self.assertEqual(len(self.found({"low/a.h": ["low/b.h"], "low/b.h": ["low/a.h"],
                                         "low/c.h": ["low/d.h"], "low/d.h": ["low/c.h"]})), 2)

    def test_a_unit_that_leads_to_a_circle_is_not_in_it(self):
        (problem,) = self.found({"low/a.h": ["low/b.h"], "low/b.h": ["low/c.h"], "low/c.h": ["low/b.h"]})
        self.assertNotIn("low/a.h", problem)

    def test_tests_and_benches_close_no_circle(self):
        self.assertEqual(self.found({"low/a.h": ["low/b_bench.h"], "low/b_bench.h": ["low/a.h"], "low/a_test.cc": ["low/a.h"]}), [])


if __name__ == "__main__":
    unittest.main()
