# SPDX-License-Identifier: Apache-2.0
"""Everything that the documents name is there."""

import ast
import glob
import importlib.util
import math
import os
import re
import subprocess
import sys
import unittest

from build import TOP

DOCUMENTS = ("README.md", "Sources/README.md", "Tests/README.md", "board/README.md", "board/GUESTS.md", "board/ACCESSIBILITY.md", "Sources/Console/README.md",
             "CONTRIBUTING.md", "SECURITY.md")

SPEC = importlib.util.spec_from_file_location("accessibility", os.path.join(TOP, "board/build.d/accessibility.py"))
accessibility = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(accessibility)


class Documents(unittest.TestCase):
    def text(self, name):
        with open(os.path.join(TOP, name), encoding="utf-8") as file:
            return file.read()

    def test_links_lead_somewhere(self):
        for name in DOCUMENTS:
            for link, part in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", self.text(name)):
                if not link.startswith("http"):
                    with self.subTest(document=name, link=link, part=part):
                        path = os.path.normpath(os.path.join(os.path.dirname(name), link)) if link else name
                        self.assertTrue(os.path.exists(os.path.join(TOP, path)))
                        if part:
                            heads = re.findall(r"^#+ (.*)$", self.text(path), re.M)
                            self.assertIn(part, [re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads])

    def test_forms_for_issues_are_whole(self):
        """GitHub leaves out a form with a mistake. That for a fault asks for what helps to help."""
        forms = {os.path.basename(path): self.text(path) for path in glob.glob(os.path.join(TOP, ".github/ISSUE_TEMPLATE/*.yml"))}
        self.assertEqual(set(forms), {"fault.yml", "hardware.yml", "wish.yml"})
        for name, form in forms.items():
            with self.subTest(name):
                self.assertEqual(re.findall("(?m)^[a-z]+", form), ["name", "description", "body"])
                parts = form.split("\n  - type: ")[1:]
                for part in parts:
                    self.assertRegex(part, r'(markdown\n    attributes:\n      value: \S|(textarea|input)\n    id: [a-z]+\n    attributes:\n      label: \S)')
                ids = re.findall("(?m)^    id: (.*)$", form)
                self.assertEqual(len(ids), len(set(ids)))
        self.assertRegex(forms["fault.yml"], r"(?s)id: board\n.*id: card\n.*label: \"The output of: sudo nightstand report\"")

    def test_they_are_short(self):
        """The length of an evening's reading; all else stands in the man pages."""
        for name in DOCUMENTS:
            with self.subTest(name):
                self.assertLessEqual(self.text(name).count("\n"), 200)

    def test_source_files_are_where_the_walks_say(self):
        sources = {os.path.relpath(path, TOP) for folder in ("Sources", "Tests")
                   for path in glob.glob(os.path.join(TOP, folder, "**", "*.swift"), recursive=True)}
        for named in re.findall(r"`([\w/]+\.swift)`", self.text("Sources/README.md")):
            with self.subTest(named):
                self.assertTrue(any(path.endswith("/" + named) for path in sources))

    def test_every_module_is_on_the_map(self):
        map_ = self.text("Sources/README.md")
        for module in re.findall(r'\b(?:module|cLibrary)\(\s*"(\w+)"', self.text("Package.swift")):
            with self.subTest(module):
                self.assertRegex(map_, rf"\b{module}\b")

    def test_imports_go_down_the_map(self):
        lines = self.text("Sources/README.md").split("\n    nightstand ")[1].split("\n\n")[0].split("\n")
        package = self.text("Package.swift")
        imports = {name: re.findall(r'"(\w+)"', names) for name, names in
                   re.findall(r'\bmodule\(\s*"(\w+)"(?:, in: "\w+")?(?:, \[([^\]]*)\])?', package)}
        self.assertGreater(len(imports), 15)
        levels = {}
        for level, line in enumerate(lines):
            for word in re.findall(r"\w+", re.split(r"   +(?=[a-z])", line)[0]):
                levels[word] = level
        for name, imported in imports.items():
            for below in imported:
                with self.subTest(module=name, imports=below):
                    self.assertGreater(levels[below], levels[name])


def contents(*names):
    with open(os.path.join(TOP, *names), encoding="utf-8") as file:
        return file.read()


class Accessibility(unittest.TestCase):
    """The conformance report: board/accessibility.yaml, and the page that is made of it."""

    @classmethod
    def setUpClass(cls):
        cls.report = accessibility.read(contents("board", "accessibility.yaml"))
        cls.rows = list(accessibility.rows(cls.report))
        cls.swift = [contents(path) for path in glob.glob(os.path.join(TOP, "Tests/Unit/**/*.swift"), recursive=True)]

    def is_there(self, test):
        """Returns whether Tests have it: Suite.name is in Unit, module.Class.test_name in BlackBox, and with Virtual/ before it in Virtual."""
        folder, _, name = test.rpartition("/")
        parts = name.split(".")
        if len(parts) == 2:
            suite, function = (re.escape(part) for part in parts)
            return any(re.search(rf"\b(?:struct|class|extension) {suite}\b", text)
                       and re.search(rf"@Test\b[^{{}}]*\bfunc {function}\b", text) for text in self.swift)
        path = os.path.join("Tests", folder or "BlackBox", parts[0] + ".py")
        if len(parts) != 3 or not parts[2].startswith("test_") or not os.path.exists(os.path.join(TOP, path)):
            return False
        return any(isinstance(kind, ast.ClassDef) and kind.name == parts[1]
                   and any(isinstance(method, ast.FunctionDef) and method.name == parts[2] for method in kind.body)
                   for kind in ast.parse(contents(path)).body)

    def test_each_test_that_it_names_is_there(self):
        names = {test for row in self.rows for test in row[5]}
        self.assertGreater(len(names), 30)
        for name in sorted(names):
            with self.subTest(name):
                self.assertTrue(self.is_there(name))
        for name in ("test_voice.ByHand.test_nothing", "test_nothing.ByHand.test_nothing", "Virtual/test_voice.ByHand.test_the_voice_comes_on_by_hand",
                     "AnswersTests.nothing", "Nothing.theMenuIsSpoken", "AnswersTests.press", "theMenuIsSpoken", ""):
            with self.subTest(name):
                self.assertFalse(self.is_there(name))

    def test_nothing_is_supported_without_a_test(self):
        self.assertEqual(len({row[1] for row in self.rows}), len(self.rows))
        for _, number, title, level, note, tests in self.rows:
            with self.subTest(number):
                self.assertIn(level, accessibility.LEVELS)
                self.assertTrue(title and note.endswith("."))
                self.assertNotIn("Tests", note, "names of tests that are not read")
                self.assertEqual(bool(tests), level in ("supports", "partially-supports"))

    def test_the_page_is_made_of_it(self):
        self.assertEqual(contents("board", "ACCESSIBILITY.md"), accessibility.page(self.report))
        done = subprocess.run([sys.executable, "-I", os.path.join(TOP, "board/build.d/accessibility.py"), "--check"], stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_who_answers_for_it_is_who_answers_for_the_package(self):
        self.assertIn(f"<{self.report['author']['email']}>", contents("board", "contact"))

    def test_documents_tell_of_the_features(self):
        """Listeners have to know of them to use them."""
        for name, words in (
            ("README.md", ("for ten seconds: the voice", "each press says what it would do", "the buttons are locked", "board/ACCESSIBILITY.md")),
            ("board/package.d/nightstand.conf.5", (".Sh BY EAR", "held for ten seconds", "held together for a second", "held together for four seconds",
                                                   *(f".It Ic {key} No" for key in ("refuse_ms", "long_ms", "text_size", "contrast", "layout", "reduce_motion")))),
            ("NEWS.md", ("hold play for ten seconds", "the buttons are locked", "refuse_ms")),
        ):
            for word in words:
                with self.subTest(document=name, word=word):
                    self.assertTrue(word in contents(name))

    def test_parts_are_for_weak_eyes_and_hands(self):
        """README tells the maker of buttons that a weak hand presses (22.2 N at most), and how far a small letter can be read: a capital
        is to have 0.7 degrees."""
        text = contents("README.md")
        force = re.search(r"three push-buttons \|[^|]* to (\d+) N", text)
        self.assertLessEqual(float(force[1]), 22.2)
        letters = re.search(r"character LCD [^|]*capitals, (\d+) mm high, are for (\d+) cm", text)
        self.assertGreaterEqual(math.degrees(math.atan2(float(letters[1]), 10 * float(letters[2]))), 0.7)

    def test_pictures_have_words(self):
        pictures = [(name, words, path) for name in DOCUMENTS for words, path in re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", contents(name))]
        self.assertGreater(len(pictures), 3)
        for name, words, path in pictures:
            with self.subTest(document=name, picture=path):
                self.assertGreater(len(words.split()), 1)
        for name in DOCUMENTS:
            with self.subTest(name):
                self.assertTrue(contents(name).startswith("# "))


if __name__ == "__main__":
    unittest.main()
