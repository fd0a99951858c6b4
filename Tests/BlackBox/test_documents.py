# SPDX-License-Identifier: Apache-2.0
"""What the documents name is there."""

import glob
import os
import re
import unittest

from build import TOP

DOCUMENTS = ("README.md", "Sources/README.md", "Tests/README.md", "board/README.md", "Sources/Console/README.md")


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

    def test_they_are_short(self):
        """What a person reads in an evening; all else stands in the man pages."""
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


if __name__ == "__main__":
    unittest.main()
