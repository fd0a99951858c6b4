"""What the documents name is there."""

import glob
import os
import re
import unittest

from build import TOP

DOCUMENTS = ("README.md", "Sources/README.md", "Tests/README.md")


class Documents(unittest.TestCase):
    def text(self, name):
        with open(os.path.join(TOP, name), encoding="utf-8") as file:
            return file.read()

    def test_links_lead_somewhere(self):
        for name in DOCUMENTS:
            for link in re.findall(r"\]\(([^)#]+)\)", self.text(name)):
                if not link.startswith("http"):
                    with self.subTest(document=name, link=link):
                        self.assertTrue(os.path.exists(os.path.join(TOP, os.path.dirname(name), link)))

    def test_source_files_are_where_the_walks_say(self):
        sources = {os.path.relpath(path, TOP) for path in glob.glob(os.path.join(TOP, "Sources", "**", "*.swift"), recursive=True)}
        for named in re.findall(r"`([\w/]+\.swift)`", self.text("Sources/README.md")):
            with self.subTest(named):
                self.assertTrue(any(path.endswith("/" + named) for path in sources))

    def test_every_module_is_on_the_map(self):
        map_ = self.text("Sources/README.md")
        for module in re.findall(r'\b(?:module|cLibrary)\(\s*"(\w+)"', self.text("Package.swift")):
            with self.subTest(module):
                self.assertRegex(map_, rf"\b{module}\b")


if __name__ == "__main__":
    unittest.main()
