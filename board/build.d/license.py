#!/usr/bin/python3 -I
"""Gives each source file the line that names its license.

    license.py             adds the line where it is missing
    license.py --check     names the files that lack it, and exits with 1 if there are any
"""

import os
import sys

LICENSE = "SPDX-License-Identifier: Apache-2.0"
SIGNS = {".swift": "//", ".c": "//", ".h": "//", ".py": "#", ".sh": "#"}
# Tools read these first lines.
FIRST = ("#!", "// swift-tools-version")


def sign(path):
    """The sign of a comment in a file; None for a file that needs no line."""
    ending = os.path.splitext(path)[1]
    if ending in SIGNS:
        return SIGNS[ending]
    if not ending and not os.path.islink(path):
        with open(path, "rb") as file:
            if file.read(2) == b"#!":
                return "#"
    return None


def sources():
    yield "Package.swift"
    for place in ("Sources", "Tests", "board", ".ci"):
        for folder, folders, names in os.walk(place):
            folders[:] = sorted(name for name in folders if not name.startswith((".", "__pycache__")))
            yield from (os.path.join(folder, name) for name in sorted(names))


def main():
    os.chdir(os.path.dirname(os.path.abspath(__file__)) + "/../..")
    lacking = []
    for path in sources():
        comment = sign(path)
        if comment is None:
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if LICENSE in text[:500]:
            continue
        lacking.append(path)
        if "--check" not in sys.argv:
            first, rest = text.split("\n", 1) if text.startswith(FIRST) else ("", text)
            with open(path, "w", encoding="utf-8") as file:
                file.write((first + "\n" if first else "") + f"{comment} {LICENSE}\n" + rest)
    if "--check" in sys.argv and lacking:
        sys.exit("these sources name no license; run board/build.d/license.py:\n" + "\n".join(lacking))


main()
